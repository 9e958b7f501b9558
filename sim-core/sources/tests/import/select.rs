//! Selections: which accesses are kept, which are left out, and what the report says.

use cases::cases;
use std::fmt::Write as _;

use expect_test::{Expect, expect};
use pagewalk_base::samples::Mode;
use pagewalk_base::trace::Access;
use pagewalk_sources::import::{Bound, Every, ImportOptions, Selection};

use super::support::{fixture, import_with};

const LIST: &str = "kind,address,size,pid,tid\n\
    load,0x1000,8,1,1\n\
    load,0x2000,8,2,2\n\
    mov-cr3,,,2\n\
    load,0x3000,8,2,3\n\
    store,0x4000,8,1,1\n\
    mov-cr3,,,1\n\
    load,0x5000,8,1,4\n\
    load,0x6000,8,2,2\n";

fn options(select: Selection) -> ImportOptions {
    ImportOptions { select, ..ImportOptions::default() }
}

fn run(select: Selection, bytes: &[u8]) -> String {
    let whole = import_with(options(select.clone()), bytes, usize::MAX);
    assert!(whole == import_with(options(select), bytes, 7), "the size of the chunks counts");
    let (report, accesses) = whole;
    let mut text = String::new();
    match report {
        Ok(report) => {
            let pages = accesses.iter().map(|access| format!("{:x}", access.address >> 12));
            let pages: Vec<String> = pages.take(12).collect();
            writeln!(text, "{} accesses: {}", report.accesses, pages.join(" ")).unwrap();
            writeln!(text, "{} left out, {} operations", report.left_out, report.operations)
                .unwrap();
            let words = report.selection.iter().flat_map(Selection::words);
            writeln!(text, "{}", words.collect::<Vec<_>>().join(", ")).unwrap();
        }
        Err(error) => writeln!(text, "{:?}: {error}", error.code).unwrap(),
    }
    text
}

#[track_caller]
fn check(select: Selection, expected: &Expect) {
    expected.assert_eq(&run(select, LIST.as_bytes()));
}

fn between(from: u64, to: u64) -> Selection {
    let (from, to) = (Some(Bound::Access(from)), Some(Bound::Access(to)));
    Selection { from, to, ..Selection::default() }
}

#[test]
fn processes_and_threads_are_picked_with_their_operations() {
    check(
        Selection { pids: vec![2], ..Selection::default() },
        &expect![[r"
        3 accesses: 2 3 6
        3 left out, 1 operations
        process 2
    "]],
    );
    check(
        Selection { tids: vec![1, 4], ..Selection::default() },
        &expect![[r"
        3 accesses: 1 4 5
        3 left out, 2 operations
        threads 1, 4
    "]],
    );
    check(
        Selection { pids: vec![1], tids: vec![4], ..Selection::default() },
        &expect![[r"
        1 accesses: 5
        5 left out, 1 operations
        process 1, thread 4
    "]],
    );
}

#[test]
fn a_process_is_not_the_virtual_machine_that_it_runs() {
    let line = |mode: &str, page: u32| {
        format!("qemu 7/7 [000] {mode} 1.00000{page}: 1 page-faults: {page}000 400000 f (/bin/f)\n")
    };
    let text: String = [("U", 1), ("G", 2), ("U", 3)].map(|(mode, page)| line(mode, page)).concat();
    let left_out = [7, 1 << 31 | 7].map(|pid| {
        let select = Selection { pids: vec![pid], ..Selection::default() };
        import_with(options(select), text.as_bytes(), usize::MAX).0.unwrap().left_out
    });
    assert_eq!(left_out, [1, 2]);
}

#[test]
fn windows_count_what_else_is_selected() {
    check(
        between(1, 4),
        &expect![[r"
        3 accesses: 2 3 4
        1 left out, 1 operations
        from access 1, to before access 4
    "]],
    );
    check(
        Selection { pids: vec![2], ..between(1, 2) },
        &expect![[r"
        1 accesses: 3
        4 left out, 1 operations
        process 2, from access 1, to before access 2
    "]],
    );
    let every = Some(Every { keep: 1, of: 3 });
    check(
        Selection { every, ..Selection::default() },
        &expect![[r"
        2 accesses: 1 4
        4 left out, 0 operations
        1 of every 3 accesses
    "]],
    );
    check(
        Selection { every, ..between(2, 6) },
        &expect![[r"
        2 accesses: 3 6
        4 left out, 1 operations
        from access 2, to before access 6, 1 of every 3 accesses
    "]],
    );
}

#[test]
fn what_selects_nothing_is_an_error_that_tells_what_there_is() {
    check(
        Selection { pids: vec![7], ..Selection::default() },
        &expect![[r"
        BadConfig: select: the selection (process 7) leaves none of its 6 accesses. The file has these processes: 1, 2
    "]],
    );
    check(
        between(3, 3),
        &expect![[r"
        BadConfig: select.to: no access is between the two: the end must be after the beginning
    "]],
    );
    check(
        between(6, 9),
        &expect![[r"
        BadConfig: select: the selection (from access 6, to before access 9) leaves none of its 6 accesses. The file has these processes: 1, 2
    "]],
    );
    let every = Some(Every { keep: 4, of: 3 });
    check(
        Selection { every, ..Selection::default() },
        &expect![[r"
        BadConfig: select.every: cannot keep 4 of every 3 accesses: keep 1 to 3
    "]],
    );
    let from = Some(Bound::Time(0));
    check(
        Selection { from, ..Selection::default() },
        &expect![[r"
        BadConfig: select: the selection (from 0 s) leaves none of its 6 accesses. The file has these processes: 1, 2. The file has no times: select by numbers of accesses
    "]],
    );
}

#[test]
fn events_modes_and_times_of_a_recording_are_picked() {
    let multi = fixture("perf/data/multi.perf.data.gz");
    let mut text = String::new();
    let report = import_with(options(Selection::default()), &multi, 4096).0.unwrap();
    for event in &report.sampling.unwrap().events {
        writeln!(text, "{}: {}", event.name, event.accesses).unwrap();
    }
    for process in &report.processes {
        let name = process.name.as_deref().unwrap_or("?");
        writeln!(text, "{name}: {} of {}", process.accesses, process.threads.len()).unwrap();
    }
    let times = |from, to| Selection {
        from: Some(Bound::Time(from)),
        to: Some(Bound::Time(to)),
        ..Selection::default()
    };
    for select in [
        Selection { events: vec!["#2".to_owned()], ..Selection::default() },
        Selection { events: vec!["page-faults".to_owned()], ..Selection::default() },
        Selection { events: vec!["cycles".to_owned()], ..Selection::default() },
        Selection { modes: vec![Mode::Kernel], ..Selection::default() },
        times(0, 1_000_000),
        times(1_000_000, 4_000_000_000),
    ] {
        text += &run(select, &multi);
    }
    expect![[r"
        page-faults/period=1/: 459
        cpu-clock/period=100000/: 0
        context-switches/period=1/: 0
        chase: 745 of 1
        0 accesses: 
        462 left out, 0 operations
        event #2
        459 accesses: 555b3f11f 7eff3723b 7ffd04090 7eff37221 7eff3723a 7eff37239 7eff37207 7eff37238 7eff37217 7eff37230 7eff3722e 555b3f11b
        286 left out, 0 operations
        event page-faults
        BadConfig: select: the selection (event cycles) leaves none of its 745 accesses. The file has these processes: 9473 (chase). The file has these events: #1 page-faults/period=1/, #2 cpu-clock/period=100000/, #3 context-switches/period=1/
        3 accesses: 555b3f11f 7eff3723b 7ffd04090
        726 left out, 0 operations
        mode kernel
        90 accesses: 555b3f11f 7eff3723b 7ffd04090 7eff37221 7eff3723a 7eff37239 7eff37207 7eff37238 7eff37217 7eff37230 7eff3722e 555b3f11b
        645 left out, 0 operations
        from 0 s, to before 0.001 s
        369 accesses: 7eff36ed9 7eff36ece 7eff36fc4 7eff36f4e 7eff36f9c 7eff36ec6 7eff36e86 7eff36eea 7eff36fa8 7eff36ec2 7eff36e91 7eff36eb1
        100 left out, 0 operations
        from 0.001 s, to before 4 s
    "]].assert_eq(&text);
}

/// Selects from a complete import, which is slow and simple.
#[test]
fn picking_while_reading_is_picking_from_all() {
    let (_, all) = import_with(ImportOptions::default(), LIST.as_bytes(), 4096);
    cases(700).check(|u| {
        let some = |u: &mut cases::Unstructured<'_>, most| {
            let n = u.int_in_range(0..=2)?;
            (0..n).map(|_| u.int_in_range(1..=most)).collect::<Result<Vec<u32>, _>>()
        };
        let (pids, tids) = (some(u, 2)?, some(u, 4)?);
        let from = u.int_in_range(0..=6)?;
        let to = from + u.int_in_range(1..=6)?;
        let of = u.int_in_range(1..=4)?;
        let every = Every { keep: u.int_in_range(1..=of)?, of };
        let limit = u.int_in_range(1..=7)?;
        let has = |list: &[u32], n| list.is_empty() || list.contains(&n);
        let whose = |a: &&Access| has(&pids, a.pid) && has(&tids, a.tid);
        let expected: Vec<Access> = (0..)
            .zip(all.iter().filter(whose))
            .filter(|(at, _)| (from..to).contains(at) && (at - from) % of < every.keep)
            .map(|(_, access)| *access)
            .take(usize::try_from(limit).unwrap())
            .collect();
        let select = Selection { every: Some(every), pids, tids, ..between(from, to) };
        let options = ImportOptions { limit, ..options(select) };
        let (report, accesses) = import_with(options, LIST.as_bytes(), 16);
        assert_eq!(accesses, expected);
        assert_eq!(report.is_err(), expected.is_empty());
        Ok(())
    });
}
