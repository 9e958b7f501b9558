//! Compares call paths with a count of single accesses.

use std::collections::BTreeMap;

use cases::cases;
use pagewalk::config::MachineConfig;
use pagewalk::machine::probe::Outcome;
use pagewalk::run::replay::Replay;
use pagewalk_analysis::attribution::{CallPaths, Counts, Filter};
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{
    Access, CallTreeBuilder, Frame, Kind, Mapping, Places, SourcePlace, TraceBuilder,
};

use crate::replays::{counted, whole_replay};

/// The call path of each access: names, or addresses of instructions.
type Path = Vec<Frame<'static>>;

fn named(names: &[&'static str]) -> Path {
    names.iter().map(|name| Frame { name, ip: 0 }).collect()
}

/// Returns a replay of accesses, each with its path.
fn replay_of(steps: &[(Path, Access)]) -> Replay {
    let mut builder = TraceBuilder::default();
    let mut tree = CallTreeBuilder::default();
    builder.map(Mapping::new(0, 0x50_0000..0x51_0000, 0x2000, true, "/lib/b.so").unwrap()).unwrap();
    for (path, access) in steps {
        let node = tree.path(path.iter().copied());
        builder.call(tree.tree(), node).unwrap();
        builder.push(access).unwrap();
    }
    let mut places = Places::default();
    for ip in [0x40_0010, 0x40_0018] {
        places.add(ip, &SourcePlace { function: "probe", ..SourcePlace::default() });
    }
    builder.places(&places).unwrap();
    whole_replay(builder, &MachineConfig::default())
}

fn paths(replay: &Replay) -> CallPaths {
    counted(replay, 100_000).view(replay.trace(), &Samples::default()).calls
}

/// The own and the total counts of each path, by its text.
type Found = BTreeMap<String, [Counts; 2]>;

fn found(paths: &CallPaths) -> Found {
    let mut texts: Vec<String> = Vec::new();
    let mut found = Found::new();
    for node in &paths.nodes {
        let caller = node.parent.map_or("", |parent| &texts[parent as usize]);
        let text = format!("{caller};{}", node.name);
        let is_new = found.insert(text.clone(), [node.own, node.total]).is_none();
        assert!(is_new, "{text}");
        texts.push(text);
    }
    found
}

/// Counts each access alone, and adds it to each beginning of its path.
fn naive(replay: &mut Replay, steps: &[(Path, Access)]) -> (Found, Counts) {
    let (mut found, mut unknown) = (Found::new(), Counts::default());
    for (index, (path, access)) in (0..).zip(steps) {
        let step = replay.seek(index).unwrap();
        let mut counts = Counts { accesses: 1, ..Counts::default() };
        if access.kind == Kind::Prefetch {
            continue;
        }
        for done in &step.translations {
            counts.l1_misses += u64::from(done.outcome != Outcome::L1Hit);
            counts.walks += u64::from(done.outcome.is_walk());
            counts.faults += u64::from(done.outcome == Outcome::Fault);
            counts.l2_miss_cycles += done.cycles.l2_miss;
            counts.walk_cycles += done.cycles.walk_overhead + done.cycles.references;
        }
        let mut text = String::new();
        for (at, frame) in path.iter().enumerate() {
            text = format!("{text};{}", frame.name);
            let [own, total] = found.entry(text.clone()).or_default();
            add(total, counts);
            if at + 1 == path.len() {
                add(own, counts);
            }
        }
        if path.is_empty() {
            add(&mut unknown, counts);
        }
    }
    (found, unknown)
}

fn add(sum: &mut Counts, more: Counts) {
    sum.accesses += more.accesses;
    sum.l1_misses += more.l1_misses;
    sum.walks += more.walks;
    sum.faults += more.faults;
    sum.l2_miss_cycles += more.l2_miss_cycles;
    sum.walk_cycles += more.walk_cycles;
}

#[test]
fn paths_agree_with_a_count_of_single_accesses() {
    cases(40).check(|u| {
        let mut steps = Vec::new();
        for _ in 0..u.int_in_range(1..=60)? {
            let path = (0..u.int_in_range(0..=4)?)
                .map(|_| u.choose(&["main", "join", "probe"]).copied())
                .collect::<cases::Result<Vec<_>>>()?;
            for _ in 0..u.int_in_range(1..=4)? {
                let kind = *u.choose(&Kind::ALL)?;
                // Some accesses straddle two pages.
                let address = 0x1000_0ffc + (u64::from(u.arbitrary::<u8>()?) << 12);
                let size = *u.choose(&[4, 8])?;
                steps.push((named(&path), Access::new(kind, address, size)));
            }
        }
        let mut replay = replay_of(&steps);
        let one_by_one = counted(&replay, 1).call_paths(replay.trace(), usize::MAX);
        let at_once = paths(&replay);
        assert_eq!(at_once, one_by_one);
        if steps.iter().all(|(path, _)| path.is_empty()) {
            // A trace without call paths has no list, and nothing is counted.
            assert_eq!(at_once, CallPaths::default());
            return Ok(());
        }
        assert_eq!((found(&at_once), at_once.unknown), naive(&mut replay, &steps));
        Ok(())
    });
}

fn load(n: u64) -> Access {
    Access::new(Kind::Load, n << 12, 8)
}

#[test]
fn addresses_in_one_function_are_one_node_and_unknown_ones_have_a_place() {
    let at = |ips: &[u64]| ips.iter().map(|ip| Frame { name: "", ip: *ip }).collect::<Path>();
    let steps = [
        (at(&[0x50_0010, 0x40_0010]), load(1)),
        (at(&[0x50_0010, 0x40_0018]), load(2)),
        (at(&[0x7f00]), load(3)),
    ];
    let found = found(&paths(&replay_of(&steps)));
    let accesses: Vec<_> = found
        .iter()
        .map(|(path, [own, total])| (&path[..], own.accesses, total.accesses))
        .collect();
    assert_eq!(accesses, [(";0x7f00", 1, 1), (";b.so+0x2010", 0, 2), (";b.so+0x2010;probe", 2, 2)]);
}

#[test]
fn a_limit_keeps_the_hottest_paths_and_the_sum() {
    let names = ["a", "b", "c", "d"];
    let name = |n: usize| names[n % 10 / 3];
    let steps: Vec<_> = (0..40).map(|n| (named(&["main", name(n)]), load(n as u64))).collect();
    let replay = replay_of(&steps);
    let all = counted(&replay, 100);
    let [few, all] = [3, 100].map(|most| all.call_paths(replay.trace(), most));
    assert_eq!((few.nodes.len(), few.n_others, all.n_others), (3, 2, 0));
    assert_eq!(few.nodes[..], all.nodes[..3]);
    let own = |paths: &CallPaths| paths.nodes.iter().map(|node| node.own.accesses).sum::<u64>();
    assert_eq!((own(&few) + few.others.accesses, own(&all)), (40, 40));
}

#[test]
fn a_timeline_shows_a_path_and_what_it_calls() {
    let steps = [
        (named(&["main"]), load(1)),
        (named(&["main", "join"]), load(2)),
        (named(&["join"]), load(3)),
        (named(&["main", "join", "probe"]), load(4)),
        (named(&[]), load(5)),
    ];
    let replay = replay_of(&steps);
    let only = |path: &[&str]| {
        let path = path.iter().map(|name| (*name).to_owned()).collect();
        let mut timeline = Timeline::new(&replay, 0, 5, 5, 1).only(Filter::Calls { path });
        while !timeline.go_on(replay.trace(), 1) {}
        timeline.translations.clone()
    };
    assert_eq!(only(&["main", "join"]), [0, 1, 0, 1, 0]);
    assert_eq!(only(&["main"]), [1, 1, 0, 1, 0]);
    assert_eq!(only(&["probe"]), [0; 5]);
    assert_eq!(only(&[]), [0; 5]);
}

#[test]
fn a_trace_without_call_paths_has_none() {
    let replay = replay_of(&[(named(&[]), load(1))]);
    assert_eq!(paths(&replay), CallPaths::default());
}
