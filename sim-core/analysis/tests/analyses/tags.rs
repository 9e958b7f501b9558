//! A machine that ignores tags treats a trace with tags as the same trace without them, in every analysis.

use std::rc::Rc;

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::run::replay::{Replay, Run};
use pagewalk::run::search::{Found, Search, Target};
use pagewalk::run::window::Window;
use pagewalk_analysis::attribution::Filter;
use pagewalk_analysis::huge_pages::{HugeOptions, HugeSetup, advise};
use pagewalk_analysis::overview::Timeline;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::addr::Hex;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Access, Kind, Trace};

use crate::common::program::{Draws, Habits, program};
use crate::replays::{counted, run_to_end};

/// Returns everything that a machine and a trace give, as text.
fn answers(machine: &str, os: &str, accesses: &[Access]) -> Vec<String> {
    let config: MachineConfig = parse_json(machine).unwrap();
    let os: OsConfig = parse_json(os).unwrap();
    let trace = Rc::new(crate::common::trace(accesses));
    let map = memory_map(&trace, config.address_tags());
    let machine = Machine::with_map(&config, &os, &map).unwrap();
    let span = Window::default().within(trace.len()).unwrap();
    let mut run = Run::new(span, Rc::clone(&trace), machine.clone());
    run.go_on(u32::MAX).unwrap();
    let mut replay = run_to_end(Rc::clone(&trace), machine);
    let counts = counted(&replay, 1 << 12);
    let stack = Filter::Address { start: Hex(0x7ff0_0000_0000), end: Hex(0x8000_0000_0000) };
    let all = Timeline::new(&replay, 0, trace.len(), 50, 200);
    let kept = Timeline::new(&replay, 0, trace.len(), 50, 200).only(stack);
    let setup = HugeSetup { machine: config, os, ..HugeSetup::default() };
    vec![
        format!("{:#?}", run.report()),
        format!("{:#?}", counts.view(&trace, &Samples::default())),
        finished(all, &trace),
        finished(kept, &trace),
        format!("{:#?}", advise(&trace, &setup, HugeOptions::default()).unwrap()),
        format!("{:?}", searches(&mut replay, accesses)),
    ]
}

fn finished(mut timeline: Timeline, trace: &Trace) -> String {
    while !timeline.go_on(trace, 1 << 12) {}
    let Timeline { view, translations, walks, density, cell_walks, cell_faults, .. } = timeline;
    format!("{view:#?} {translations:?} {walks:?} {density:?} {cell_walks:?} {cell_faults:?}")
}

/// Returns the next access to the page of some accesses, and the physical address that each of them reads.
fn searches(replay: &mut Replay, accesses: &[Access]) -> Vec<(Found, Vec<Hex>)> {
    let sampled = (0..).zip(accesses).step_by(997);
    let search = sampled.map(|(index, access)| {
        let step = replay.seek(index).unwrap();
        let mut search = Search::new(
            replay,
            index,
            true,
            Target::Page { address: Hex(access.address), exact: false },
        );
        let mut found = Found::NotYet;
        while found == Found::NotYet {
            found = search.go_on(replay);
        }
        (found, step.translations.iter().map(|done| done.physical).collect())
    });
    search.collect()
}

/// Compares the answers for a generated program with those for the same program with tags in `bits`.
#[track_caller]
fn check(paging: &str, bits: u64, fetches: bool, os: &str) {
    let machine = format!(
        r#"{{"paging": {paging}, "l1": [{{"name": "i", "serves": ["fetch"], "entries": 4}}, {{"name": "d", "serves": ["load", "store"], "entries": 8}}],
            "l2": [{{"entries": 32, "ways": 4}}], "psc": {{"pde": {{"entries": 4}}}}}}"#
    );
    let accesses = program(20_000, 3, Habits { processes: true, prefetches: true });
    let mut draws = Draws::new(9);
    let mut tagged = accesses.clone();
    for access in tagged.iter_mut().filter(|access| fetches || !access.kind.is_fetch()) {
        access.address ^= draws.below(1 << 31) << 33 & bits;
    }
    assert!(tagged.iter().zip(&accesses).filter(|(a, b)| a != b).count() > 5_000);
    let [plain, found] = [accesses, tagged].map(|list| answers(&machine, os, &list));
    for (plain, found) in plain.iter().zip(&found) {
        assert!(plain == found, "{plain}\n\nwith tags:\n{found}");
    }
}

#[test]
fn data_with_tags_of_linear_address_masking() {
    for os in ["{}", r#"{"default": "thp"}"#, r#"{"default": "hugetext"}"#] {
        check(r#"{"tags": "lam48"}"#, 0x7fff << 48, false, os);
        check(r#"{"tags": "lam57"}"#, 0x3f << 57, false, os);
    }
}

#[test]
fn all_accesses_with_tags_in_the_top_byte() {
    for os in ["{}", r#"{"default": "thp"}"#] {
        check(r#"{"addresses": "two-halves", "tags": "tbi"}"#, 0xff << 56, true, os);
    }
}

#[test]
fn a_replay_shows_a_tag_in_the_access_and_none_in_its_translation() {
    let config: MachineConfig = parse_json(r#"{"paging": {"tags": "lam48"}}"#).unwrap();
    let os: OsConfig = parse_json(r#"{"upper_half": "shared"}"#).unwrap();
    let [plain, tagged] = [0xffff_8000_0000_1000, 0x8123_8000_0000_1000].map(|address| {
        let loads = [0x2000, address].map(|address| Access::new(Kind::Load, address, 8));
        let machine = Machine::new(&config, &os).unwrap();
        let mut replay = Replay::new(Rc::new(crate::common::trace(&loads)), machine, 0);
        replay.seek(1).unwrap()
    });
    assert_eq!(tagged.access.address, Hex(0x8123_8000_0000_1000));
    assert_eq!(tagged.translations[0].address, Hex(0xffff_8000_0000_1000));
    assert_eq!(tagged.translations[0].levels.len(), 4);
    assert_eq!(format!("{:?}", tagged.translations), format!("{:?}", plain.translations));
}
