//! Tests of runs with slots, which skip accesses that change in their set only when and how often an entry was used. Their
//! report and their machine must be equal to those of a run that skips nothing.

use crate::common::one_test_per_row;
use crate::common::ops::Item;
use crate::common::recorded::{RECORDINGS, recorded};
use cases::{Result, Unstructured, cases};
use pagewalk::config::cpu;
use pagewalk::machine::Machine;
use pagewalk::record::stats::Stats;
use pagewalk::record::touched::Touched;
use pagewalk::run::replay::Run;
use pagewalk::run::window::Window;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Access, Kind, Op, OpRecord, Trace};

/// Machines with as many sets as the trace has slots, fewer and more sets, other index functions, and every
/// policy.
const LEVELS: &[&str] = &[
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 16, "ways": 1}, {"name": "d", "serves": ["load", "store"], "entries": 32, "ways": 2, "replacement": "fifo"}],
       "l2": [{"name": "s", "entries": 64, "ways": 4, "replacement": "tree-plru"}], "psc": {"pde": {"entries": 2}}"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 64, "ways": 2, "replacement": "bit-plru"}, {"name": "l", "serves": ["load"], "entries": 64, "ways": 4, "replacement": "tree-plru"}, {"name": "st", "serves": ["store"], "entries": 16, "ways": 1}]"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K"], "entries": 1}, {"name": "g", "serves": ["load"], "pages": ["1G"], "entries": 4}]"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 128, "ways": 8}, {"name": "d", "serves": ["load", "store"], "entries": 64, "ways": 4, "replacement": "tree-plru"}],
       "l2": [{"name": "s", "entries": 24, "ways": 12}], "psc": {"pde": {"entries": 2}}"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 2}, {"name": "d", "serves": ["load", "store"], "entries": 12, "ways": 3, "replacement": "random"}],
       "l2": [{"name": "s", "entries": 16, "ways": 2, "index": "xor"}], "psc": {"pde": {"in": "s"}}"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 32, "ways": 2, "index": "xor"}]"#,
    r#""l1": [{"name": "i", "serves": ["fetch"], "entries": 16, "ways": 1}, {"name": "d", "serves": ["load", "store"], "entries": 16, "ways": 1}],
       "l2": [{"name": "s", "entries": 16, "ways": 4}], "inclusion": "inclusive""#,
];

const MEMORIES: &[&str] = &[
    r#"{"data": false}"#,
    r#"{"data": true, "caches": [{"name": "a", "size": "8K", "ways": 2, "latency": 4}, {"name": "b", "size": "64K", "ways": 4, "latency": 14}]}"#,
];

const SYSTEMS: &[&str] = &[
    "{}",
    r#"{"default": "2M"}"#,
    r#"{"default": "thp", "map": "none"}"#,
    r#"{"virt": "ept"}"#,
    r#"{"virt": "ept", "default": "thp", "thp": {"fragmentation": 50}}"#,
    r#"{"regions": [{"start": "0x600000", "end": "0x640000", "pages": "4K", "copy_on_write": true}]}"#,
];

/// Returns accesses that alternate between three pages, which change, and some of which are in one slot. There are some
/// process switches and operations.
fn items(u: &mut Unstructured<'_>) -> Result<Vec<Item>> {
    let has_ops = u.arbitrary()?;
    let mut items = Vec::new();
    let mut pid = 0;
    let mut pages = [0; 3];
    for _ in 0..u.int_in_range(0..=600)? {
        if u.ratio(1, 20)? {
            let page = u64::from(u.int_in_range(0..=3u8)?) * 16;
            *u.choose_iter(pages.iter_mut())? = page + u64::from(u.int_in_range(0..=5u8)?);
        }
        let page = *u.choose(&pages)?;
        let in_page = if u.ratio(1, 20)? { 4092 } else { *u.choose(&[0, 64])? };
        let address = 0x60_0000 + (page << 12) + in_page;
        if has_ops && u.ratio(1, 40)? {
            pid = u.int_in_range(0..=1)?;
            let op = Op::Invlpg { address: Hex(address) };
            items.push(Item::Op(OpRecord { pid, tid: 0, cpu: 0, op }));
            continue;
        }
        let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Load, Kind::Store])?;
        let kind = if u.ratio(1, 30)? { Kind::Prefetch } else { kind };
        let access = Access { pid, ..Access::new(kind, address, *u.choose(&[1, 4, 8])?) };
        items.extend((0..u.int_in_range(1..=9)?).map(|_| Item::Access(access)));
    }
    Ok(items)
}

/// Returns the machine as text: the contents of every structure, and the order of replacement.
fn contents(machine: &mut Machine, n: u32) -> String {
    // Both machines run one more access, because the operating system keeps the range that it looked up last.
    machine.access(n, &Access::new(Kind::Load, 0x60_0000, 1), &mut ());
    format!("{machine:#?}")
}

/// Returns the report and the machine after a run.
fn run(machine: &Machine, trace: &Trace) -> String {
    let span = Window::default().within(trace.len()).unwrap();
    let mut run = Run::new(span, trace, machine.clone());
    assert!(run.go_on(u32::MAX).unwrap());
    let mut after = run.machine().clone();
    format!("{:#?}\n{}", run.report(), contents(&mut after, trace.len()))
}

/// Returns the report and the machine after one access at a time.
fn plain(machine: &Machine, trace: &Trace) -> String {
    let mut machine = machine.clone();
    let mut stats = Stats::default();
    let mut ops = trace.ops().peekable();
    for (index, access) in (0..).zip(trace.accesses_from(0)) {
        while let Some((_, record)) = ops.next_if(|(before, _)| *before == index) {
            machine.execute(&record, &mut stats);
        }
        machine.access(index, &access, &mut stats);
    }
    ops.for_each(|(_, record)| machine.execute(&record, &mut stats));
    let mut touched = Touched::for_machine(&machine);
    if let Some(touched) = &mut touched {
        touched.part(trace, 0, trace.len());
    }
    let report = stats.report_with(&machine, trace.completeness, touched.as_ref());
    format!("{report:#?}\n{}", contents(&mut machine, trace.len()))
}

/// Compares both kinds of run. Returns whether the trace has runs with slots.
fn check(machine: &Machine, trace: &Trace) -> bool {
    // The first run has no slots.
    let first = run(machine, trace);
    let before = trace.bytes();
    let second = run(machine, trace);
    let has_slots = trace.bytes() > before;
    let plain = plain(machine, trace);
    for (which, run) in [("first", first), ("second", second)] {
        for (number, (run, plain)) in run.lines().zip(plain.lines()).enumerate() {
            assert_eq!(run, plain, "line {number} after the {which} run");
        }
    }
    has_slots
}

fn runs_with_slots_do_what_plain_accesses_do(memory: &str) {
    let mut n_with_slots = 0;
    for levels in LEVELS {
        for os in SYSTEMS {
            let json = format!(r#"{{{levels}, "memory": {memory}}}"#);
            let machine = crate::common::machine(&json, os);
            cases(8).size_min(1 << 12).check(|u| {
                let trace = crate::common::ops::trace(&items(u)?);
                n_with_slots += u32::from(!trace.is_empty() && check(&machine, &trace));
                Ok(())
            });
        }
    }
    assert!(n_with_slots >= 20, "only {n_with_slots} traces have slots: {memory}");
}
one_test_per_row!(runs_with_slots_do_what_plain_accesses_do, MEMORIES, [row_0 row_1]);

/// Recorded programs, on a model with set-associative arrays, and on one whose stores have a fully associative array.
#[test]
fn runs_of_recordings_with_slots_do_what_plain_accesses_do() {
    for (name, model) in RECORDINGS.iter().zip(["intel-skylake-sp", "intel-goldencove"]) {
        let trace = recorded(name);
        let machine =
            Machine::new(&cpu::model(model).unwrap().machine, &pagewalk::os::OsConfig::default());
        assert_eq!(check(&machine.unwrap(), &trace), model == "intel-skylake-sp", "{model}");
    }
}

/// A load across pages changes the page that loads used last. A later load that returns to an earlier page must be seen,
/// because the next load of the page after the border begins a use.
#[test]
fn a_use_begins_after_a_load_across_pages() {
    let load = |address, size| Item::Access(Access::new(Kind::Load, address, size));
    let in_turn = [0x60_0000, 0x60_0000, 0x60_0000, 0x60_1000, 0x60_1000, 0x60_1000].repeat(20);
    let mut items: Vec<Item> = in_turn.into_iter().map(|address| load(address, 8)).collect();
    items.extend([load(0x60_4ffc, 8), load(0x60_0000, 8), load(0x60_5000, 8)]);
    let trace = crate::common::ops::trace(&items);
    assert!(check(&crate::common::machine(&format!("{{{}}}", LEVELS[0]), "{}"), &trace));
}

/// Numbers that do not fit the words of run heads: accesses between them, repeats, and accesses until the latest use.
#[test]
fn long_runs_with_slots_do_what_plain_accesses_do() {
    let access = |kind, address| Item::Access(Access::new(kind, address, 8));
    let mut items = vec![access(Kind::Load, 0x60_0000), access(Kind::Load, 0x60_1000)];
    for _ in 0..11_000 {
        let in_turn = [0x60_0000, 0x60_0000, 0x60_0000, 0x60_1000, 0x60_1000, 0x60_1000];
        items.extend(in_turn.map(|address| access(Kind::Load, address)));
    }
    items.extend([access(Kind::Store, 0x60_0000), access(Kind::Load, 0x61_0000)]);
    let trace = crate::common::ops::trace(&items);
    assert!(check(&crate::common::machine(&format!("{{{}}}", LEVELS[0]), "{}"), &trace));
}

/// A fetch walks and finds the page dirty only after a later load in its batch has hit the entry in level 2.
#[test]
fn dirty_flags_that_a_walk_finds_are_seen_by_earlier_hits_of_its_batch() {
    let access = |kind| Item::Access(Access::new(kind, 0x61_1000, 8));
    let op = Op::Invlpg { address: Hex(0x61_1000) };
    let invlpg = Item::Op(OpRecord { pid: 0, tid: 0, cpu: 0, op });
    let items = [access(Kind::Store), invlpg, access(Kind::Fetch), access(Kind::Load)];
    let trace = crate::common::ops::trace(&items);
    for memory in MEMORIES {
        for levels in LEVELS {
            for os in SYSTEMS {
                let json = format!(r#"{{{levels}, "memory": {memory}}}"#);
                check(&crate::common::machine(&json, os), &trace);
            }
        }
    }
}
