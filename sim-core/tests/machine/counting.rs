//! Tests of runs for counters, which skip accesses that change nothing in their set. Their report must be equal to
//! that of a run that skips nothing.

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
    r#"{"regions": [{"start": "0x600000", "end": "0x640000", "pages": "4K", "copy_on_write": true}]}"#,
];

/// Returns accesses that alternate between few pages, some in one slot, with some process switches and
/// operations.
fn items(u: &mut Unstructured<'_>) -> Result<Vec<Item>> {
    let has_ops = u.arbitrary()?;
    let mut items = Vec::new();
    let mut pid = 0;
    for _ in 0..u.int_in_range(0..=600)? {
        let page = u64::from(u.int_in_range(0..=3u8)?) * 16 + u64::from(u.int_in_range(0..=5u8)?);
        let address = 0x60_0000 + (page << 12) + *u.choose(&[0, 64, 4092])?;
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

/// Returns the contents of every structure, and the order of replacement, without the times and hits that a run
/// for counters does not record.
fn contents(machine: &mut Machine, n: u32) -> String {
    // Each kind of access uses one more page, so that both runs used the same entries last.
    for (index, kind) in (n..).zip([Kind::Fetch, Kind::Load, Kind::Store]) {
        machine.access(index, &Access::new(kind, 0x60_0000, 1), &mut ());
    }
    let text = format!("{machine:#?}");
    let number = |line: &str| line.trim().trim_end_matches(',').parse::<u64>().ok();
    let known = text.lines().map(|line| match line.split_once(": ") {
        Some((name, _)) if name.trim() == "times" => name.to_owned(),
        // Only the upper half is compared: the data. The lower half is the number of hits.
        Some((name, uses)) if name.trim() == "uses" && number(uses).is_some() => {
            format!("{name} {}", number(uses).unwrap() >> 32)
        }
        _ => line.to_owned(),
    });
    known.collect::<Vec<_>>().join("\n")
}

fn counted(machine: &Machine, trace: &Trace) -> (String, String) {
    let span = Window::default().within(trace.len()).unwrap();
    let mut run = Run::counting(span, trace, machine.clone());
    assert!(run.go_on(u32::MAX).unwrap());
    let mut after = run.machine().clone();
    (format!("{:#?}", run.report()), contents(&mut after, trace.len()))
}

fn plain(machine: &Machine, trace: &Trace) -> (String, String) {
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
    (format!("{report:#?}"), contents(&mut machine, trace.len()))
}

/// Compares both kinds of run. Returns whether accesses were skipped.
fn check(machine: &Machine, trace: &Trace) -> bool {
    let before = trace.bytes();
    let (report, after) = counted(machine, trace);
    let is_less = trace.bytes() > before;
    let (plain_report, plain_after) = plain(machine, trace);
    for (counted, plain) in report.lines().zip(plain_report.lines()) {
        assert_eq!(counted, plain, "in\n{plain_report}");
    }
    for (number, (counted, plain)) in after.lines().zip(plain_after.lines()).enumerate() {
        assert_eq!(counted, plain, "line {number} of\n{plain_after}");
    }
    is_less
}

fn runs_for_counters_report_what_plain_accesses_do(memory: &str) {
    let mut n_less = 0;
    for levels in LEVELS {
        for os in SYSTEMS {
            let json = format!(r#"{{{levels}, "memory": {memory}}}"#);
            let machine = crate::common::machine(&json, os);
            cases(4).size_min(1 << 11).check(|u| {
                let trace = crate::common::ops::trace(&items(u)?);
                n_less += u32::from(!trace.is_empty() && check(&machine, &trace));
                Ok(())
            });
        }
    }
    assert!(n_less > 0, "nothing was left out: {memory}");
}
one_test_per_row!(runs_for_counters_report_what_plain_accesses_do, MEMORIES, [row_0 row_1]);

/// Recorded programs, on models with set-associative and with fully associative arrays.
#[test]
fn runs_of_recordings_for_counters_report_what_plain_accesses_do() {
    for (name, model) in RECORDINGS.iter().zip(["intel-skylake-sp", "intel-goldencove"]) {
        let trace = recorded(name);
        let machine =
            Machine::new(&cpu::model(model).unwrap().machine, &pagewalk::os::OsConfig::default());
        assert!(check(&machine.unwrap(), &trace), "{model}");
    }
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
