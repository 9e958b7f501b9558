//! Compares attribution with the counters of the run, and with a count of single accesses.

use std::collections::BTreeMap;
use std::rc::Rc;

use expect_test::expect;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk_analysis::attribution::{
    AttributionRow, AttributionTable, AttributionView, Counts, Filter,
};
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::addr::Hex;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Access, Kind, Mapping, Places, RegionKind, SourcePlace, TraceBuilder};

use crate::replays::{counted, whole_replay};

/// Returns a replay of two loops of two instructions each. One loop goes over an array of 200 pages, the other
/// stays on one page of the stack. Some accesses straddle two pages.
fn replay() -> Replay {
    replay_on("{}")
}

/// Returns the replay on a machine.
fn replay_on(machine: &str) -> Replay {
    let mut builder = TraceBuilder::new(1 << 30);
    let map = |builder: &mut TraceBuilder, start: u64, end: u64, name: &str| {
        let mapping = Mapping::new(1, start..end, 0, name.ends_with("app"), name).unwrap();
        builder.map(mapping).unwrap();
    };
    map(&mut builder, 0x40_0000, 0x40_2000, "/bin/app");
    map(&mut builder, 0x1000_0000, 0x1200_0000, "[heap]");
    for n in 0..150_000_u64 {
        let (ip, address) = match n % 3 {
            0 => (0x40_0010, 0x1000_0ffc + 0x1000 * (n * 7 % 200)),
            1 => (0x40_1020, 0x7fff_ffff_0000 + n % 64),
            _ => (0x40_0014, 0x2000_0000 + 0x1000 * (n % 3000 / 1000)),
        };
        builder.push(&Access::new(Kind::Fetch, ip, 4)).unwrap();
        let kind = if n % 3 == 1 { Kind::Store } else { Kind::Load };
        builder.push(&Access::new(kind, address, 8)).unwrap();
    }
    whole_replay(builder, &parse_json(machine).unwrap())
}

fn view(replay: &Replay, slice: u32) -> AttributionView {
    counted(replay, slice).view(replay.trace(), &Samples::default())
}

fn sum(table: &AttributionTable) -> Counts {
    let mut sum = table.others;
    for row in &table.rows {
        let Counts { accesses, l1_misses, walks, faults, exceptions, .. } = row.counts;
        let Counts { l2_miss_cycles, walk_cycles, .. } = row.counts;
        sum.accesses += accesses;
        sum.l1_misses += l1_misses;
        sum.walks += walks;
        sum.faults += faults;
        sum.exceptions += exceptions;
        sum.l2_miss_cycles += l2_miss_cycles;
        sum.walk_cycles += walk_cycles;
    }
    sum
}

#[test]
fn every_table_sums_up_to_the_run() {
    let replay = replay();
    let view = view(&replay, 100_000);
    let report = replay.report();
    let kinds = [report.kinds.fetch, report.kinds.load, report.kinds.store];
    let translations: u64 = kinds.iter().map(|kind| kind.translations).sum();
    let l1_hits: u64 = kinds.iter().map(|kind| kind.l1_hits).sum();
    assert_eq!(view.total.accesses, report.trace.accesses);
    assert_eq!(view.total.l1_misses, translations - l1_hits);
    assert_eq!(view.total.walks, report.walks.walks);
    assert_eq!(view.total.faults, report.faults.minor + report.faults.major);
    assert_eq!(view.total.l2_miss_cycles, report.cycles.l2_miss);
    assert_eq!(view.total.walk_cycles, report.cycles.walk);
    for table in [&view.regions, &view.pages, &view.objects, &view.instructions] {
        assert_eq!(sum(table), view.total);
    }
    assert!(view.symbols.rows.is_empty());
}

/// Level 2 is the first level for kinds that level 1 does not serve. Its misses are walks.
#[test]
fn a_miss_of_the_first_level_may_hit_level_2() {
    for (serves, has_l1) in [
        (r#""fetch", "load", "store""#, [true; 3]),
        (r#""load", "store""#, [false, true, true]),
        (r#""fetch""#, [true, false, false]),
    ] {
        let machine = format!(
            r#"{{"l1": [{{"serves": [{serves}], "entries": 2}}], "l2": [{{"entries": 64}}]}}"#
        );
        let replay = replay_on(&machine);
        let report = replay.report();
        let kinds = [report.kinds.fetch, report.kinds.load, report.kinds.store];
        let misses = kinds
            .iter()
            .zip(has_l1)
            .map(|(kind, has_l1)| kind.walks + if has_l1 { kind.l2_hits } else { 0 });
        assert!(kinds.iter().map(|kind| kind.l2_hits).sum::<u64>() > 0);
        assert_eq!(view(&replay, 100_000).total.l1_misses, misses.sum::<u64>(), "{serves}");
    }
}

#[test]
fn slices_of_any_length_count_the_same() {
    let replay = replay();
    assert_eq!(view(&replay, 1), view(&replay, u32::MAX));
}

#[test]
fn regions_have_the_names_of_the_map_and_guesses_where_it_has_none() {
    let names: Vec<(String, bool)> = view(&replay(), u32::MAX)
        .regions
        .rows
        .into_iter()
        .map(|row| (row.name, row.inferred))
        .collect();
    assert_eq!(names[0], ("[heap]".to_owned(), false));
    assert!(names.contains(&("/bin/app".to_owned(), false)), "{names:?}");
    assert!(names.contains(&("stack".to_owned(), true)), "{names:?}");
}

/// Compares the tables with a count of single accesses.
#[test]
fn instructions_and_pages_agree_with_a_step_by_step_count() {
    let mut replay = replay();
    let mut by_ip: BTreeMap<u64, u64> = BTreeMap::new();
    let mut by_page: BTreeMap<u64, u64> = BTreeMap::new();
    // This range has all first touches, and accesses that straddle pages.
    let n = 3_000;
    for index in 0..n {
        let step = replay.seek(index).unwrap();
        for translation in &step.translations {
            if translation.outcome.is_walk() {
                *by_ip.entry(step.access.ip.unwrap().0).or_default() += 1;
                *by_page.entry(translation.address.0 >> 12).or_default() += 1;
            }
        }
    }
    let window = pagewalk::run::window::Window { limit: Some(n.into()), ..Default::default() };
    let trace = Rc::clone(replay.trace());
    let span = window.within(trace.len()).unwrap();
    let machine = Machine::new(&MachineConfig::default(), &OsConfig::default()).unwrap();
    let short = Replay::within(span, trace, machine, CHECKPOINT_BYTES);
    let found = view(&short, 1);
    let walks = |table: &AttributionTable, shift: u32| -> BTreeMap<u64, u64> {
        let rows = table.rows.iter().filter(|row| row.counts.walks > 0);
        rows.map(|row| (row.start.0 >> shift, row.counts.walks)).collect()
    };
    assert_eq!(walks(&found.instructions, 0), by_ip);
    assert_eq!(walks(&found.pages, 12), by_page);
}

#[test]
fn a_timeline_shows_the_accesses_of_one_row_only() {
    let replay = replay();
    let found = view(&replay, u32::MAX);
    let n = replay.trace().len();
    let total = |filter: Filter| {
        let mut timeline = Timeline::new(&replay, 0, n, 64, 40).only(filter);
        while !timeline.go_on(replay.trace(), 50_000) {}
        let sum = |bins: &[u32]| bins.iter().map(|n| u64::from(*n)).sum::<u64>();
        let walks = sum(&timeline.walks) + sum(&timeline.faults);
        (sum(&timeline.density), walks)
    };
    for row in found.instructions.rows.iter().take(4) {
        let Counts { accesses, walks, .. } = row.counts;
        let filter = Filter::Instruction { start: row.start, end: row.end };
        assert_eq!(total(filter), (accesses, walks), "{:#x}", row.start.0);
    }
    let nothing = Filter::Address { start: Hex(0x10), end: Hex(0x20) };
    assert_eq!(total(nothing), (0, 0));
    let stack = found.regions.rows.iter().find(|row| row.name == "stack").unwrap();
    let (accesses, _) = total(Filter::Address { start: stack.start, end: stack.end });
    assert_eq!(accesses, stack.counts.accesses);
}

/// Returns a replay of loads, each with the number of its instruction. Before some, memory is mapped with a name.
fn replay_of(steps: &[(u64, u64)], maps: &[(usize, u64, u64, &str)]) -> Replay {
    let mut builder = TraceBuilder::default();
    for (at, &(ip, address)) in steps.iter().enumerate() {
        for &(_, start, end, name) in maps.iter().filter(|map| map.0 == at) {
            let mapping = Mapping::new(0, start..end, 0, false, name).unwrap();
            builder.map(Mapping { kind: RegionKind::Heap, ..mapping }).unwrap();
        }
        let load = Access::new(Kind::Load, address, 8);
        builder.push(&Access { ip: Some(ip), ..load }).unwrap();
    }
    let mut places = Places::default();
    for (ip, function, line, text) in
        [(1, "build", 3, "x = 1;"), (2, "probe", 7, ""), (3, "probe", 3, ""), (4, "probe", 0, "")]
    {
        places.add(ip, &SourcePlace { function, file: "/src/a.c", line, text });
    }
    places.add_blocks("list", 4);
    builder.places(&places).unwrap();
    whole_replay(builder, &MachineConfig::default())
}

fn rows(table: &AttributionTable) -> String {
    let line = |row: &AttributionRow| {
        let AttributionRow { name, region, file, line, text, blocks, counts, .. } = row;
        let (accesses, walks) = (counts.accesses, counts.walks);
        format!("{name}|{region}|{file}|{line}|{text}|{blocks:?}: {accesses} {walks}\n")
    };
    table.rows.iter().map(line).collect()
}

/// Neighbours on a page are told apart, and memory that is allocated again belongs to two structures.
#[test]
fn data_structures_count_by_address_and_by_the_map_at_that_time() {
    let steps = [(1, 0x10_0000), (2, 0x10_0020), (2, 0x10_0040), (3, 0x10_0000), (4, 0x20_0000)];
    let maps = [
        (0, 0x10_0000, 0x10_0020, "list"),
        (0, 0x10_0020, 0x10_0030, "table"),
        (3, 0x10_0000, 0x10_0020, "table"),
    ];
    let replay = replay_of(&steps, &maps);
    let view = view(&replay, 1);
    expect![[r"
        list||||Some(4): 1 1
        data||||None: 1 1
        table||||None: 2 0
    "]]
    .assert_eq(&rows(&view.objects).replace("|0|", "|"));
    assert_eq!(view.objects.unknown.accesses, 1);
    let only = |filter: &str| {
        let filter: Filter = parse_json(filter).unwrap();
        let mut timeline = Timeline::new(&replay, 0, 5, 5, 1).only(filter);
        while !timeline.go_on(replay.trace(), 1) {}
        timeline.translations.clone()
    };
    assert_eq!(only(r#"{"by": "object", "name": "table"}"#), [0, 1, 0, 1, 0]);
    assert_eq!(only(r#"{"by": "object", "name": "no such"}"#), [0; 5]);
    assert_eq!(only(r#"{"by": "line", "file": "/src/a.c", "line": 3}"#), [1, 0, 0, 1, 0]);
}

/// The first access to a page may be to its second structure, and an access may end on another page.
#[test]
fn a_miss_belongs_to_the_structure_of_its_access() {
    let steps = [(1, 0x10_0020), (2, 0x10_0000), (3, 0x10_1ffc)];
    let maps = [
        (0, 0x10_0000, 0x10_0020, "list"),
        (0, 0x10_0020, 0x10_0040, "table"),
        (0, 0x10_1000, 0x10_1ff8, "before"),
        (0, 0x10_1ff8, 0x10_2000, "first"),
        (0, 0x10_2000, 0x10_2008, "second"),
    ];
    let view = view(&replay_of(&steps, &maps), 100);
    expect![[r"
        table||||None: 1 1
        first||||None: 1 1
        second||||None: 0 1
        list||||Some(4): 1 0
    "]]
    .assert_eq(&rows(&view.objects).replace("|0|", "|"));
}

#[test]
fn lines_and_functions_come_from_the_places_in_the_source() {
    let steps =
        [(1, 0x10_0000), (1, 0x10_1000), (2, 0x10_2000), (3, 0x10_0000), (4, 0x10_0000), (5, 0)];
    let view = view(&replay_of(&steps, &[]), 100);
    expect![[r"
        a.c:3|build|/src/a.c|3|x = 1;|None: 3 2
        a.c:7|probe|/src/a.c|7||None: 1 1
        build|data||0||None: 2 2
        probe|data||0||None: 3 1
    "]]
    .assert_eq(&format!("{}{}", rows(&view.lines), rows(&view.symbols)));
    assert_eq!(view.lines.unknown.accesses, 2);
}
