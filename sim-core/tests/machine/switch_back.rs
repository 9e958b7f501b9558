//! Tests of MOV to CR3 with bit 63 set, which keeps the cached entries of the PCID (Intel SDM vol. 3, 4.10.4.1).
//! Entries that were dropped meanwhile stay dropped. Entries that were kept are used again, even if the tables have
//! changed.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::common::ops::{items, trace};
use expect_test::{Expect, expect};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::run::replay::Replay;

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 8}], "l2": [{"name": "s", "entries": 8}],
    "psc": {"pde": {"entries": 4}}, "control": {"pcids": 6}}"#;

/// Process 7 has used two pages on core 1, which has then switched to process 9.
const AWAY: &str = "
    store 0x1000 pid 7 tid 1
    load 0x2000 pid 7 tid 1
    load 0x9000 pid 9 tid 1";

/// Runs operations, switches core 1 back to process 7, and compares its next accesses.
#[track_caller]
fn check(os: &str, ops: &str, switch: &str, expected: &Expect) {
    let scenario = format!(
        "{AWAY}\n{ops}\n{switch} pid 7 tid 1\nload 0x1000 pid 7 tid 1\nstore 0x1000 pid 7 tid 1\nload 0x2000 pid 7 tid 1"
    );
    let machine = crate::common::machine(MACHINE, os).with_cores(Cores::Tid);
    let mut replay = Replay::new(Rc::new(trace(&items(&scenario))), machine, usize::MAX);
    let mut text = String::new();
    for index in 3..replay.trace().len() {
        let step = replay.seek(index).unwrap();
        for op in &step.before {
            let mut dropped = op.effects.dropped.clone();
            for core in &op.effects.cores {
                dropped.iter_mut().zip(&core.dropped).for_each(|(all, n)| *all += n);
            }
            let n: u32 = dropped.iter().sum();
            writeln!(text, "{}: {n} entries dropped on all cores", op.text).unwrap();
        }
        let how = match &step.exception {
            Some(exception) => format!("{} {}", exception.name, exception.meaning),
            None => format!("{:?}", step.outcome),
        };
        // The physical address is only shown after a walk; for a hit the view has no address of the TLB entry.
        let walked = step.translations.first().filter(|done| done.refs > 0);
        let physical = walked.map(|done| done.physical.to_string());
        let to = physical.map(|place| format!(" at {place}")).unwrap_or_default();
        let (kind, address) = (step.access.kind.name(), step.access.address);
        writeln!(text, "{kind} {address} on {}: {how}{to}", step.access.tid).unwrap();
    }
    assert_eq!(replay.machine().failure(), None);
    expected.assert_eq(&text);
}

#[test]
fn a_page_that_another_core_unmapped_is_walked_for_again() {
    let ops = "load 0x2000 pid 7 tid 2\n munmap 0x1000 4096 pid 7 tid 2";
    check(
        "{}",
        ops,
        "mov-cr3 keep",
        &expect![[r"
            load 0x2000 on 2: Walk at 0x1000001000
            munmap 0x1000 4096: 2 entries dropped on all cores
            mov-cr3 keep: 0 entries dropped on all cores
            load 0x1000 on 1: Fault at 0x1000003000
            store 0x1000 on 1: L1Hit
            load 0x2000 on 1: L1Hit
        "]],
    );
}

#[test]
fn a_page_that_another_core_unmapped_without_a_shootdown_is_still_used() {
    let ops = "load 0x2000 pid 7 tid 2\n munmap 0x1000 4096 no-flush pid 7 tid 2";
    check(
        "{}",
        ops,
        "mov-cr3 keep",
        &expect![[r"
            load 0x2000 on 2: Walk at 0x1000001000
            munmap 0x1000 4096 no-flush: 0 entries dropped on all cores
            mov-cr3 keep: 0 entries dropped on all cores
            load 0x1000 on 1: L1Hit
            store 0x1000 on 1: L1Hit
            load 0x2000 on 1: L1Hit
        "]],
    );
    check(
        "{}",
        ops,
        "mov-cr3",
        &expect![[r"
            load 0x2000 on 2: Walk at 0x1000001000
            munmap 0x1000 4096 no-flush: 0 entries dropped on all cores
            mov-cr3: 5 entries dropped on all cores
            load 0x1000 on 1: Fault at 0x1000003000
            store 0x1000 on 1: L1Hit
            load 0x2000 on 1: Walk at 0x1000001000
        "]],
    );
}

#[test]
fn a_right_that_another_core_has_taken_is_missed_once_the_entry_is_gone() {
    let ops = "load 0x2000 pid 7 tid 2\n mprotect 0x1000 4096 r-- pid 7 tid 2";
    check(
        "{}",
        ops,
        "mov-cr3 keep",
        &expect![[r"
            load 0x2000 on 2: Walk at 0x1000001000
            mprotect 0x1000 4096 r--: 2 entries dropped on all cores
            mov-cr3 keep: 0 entries dropped on all cores
            load 0x1000 on 1: Walk at 0x1000000000
            store 0x1000 on 1: #PF the page may not be written
            load 0x2000 on 1: L1Hit
        "]],
    );
    let ops = "load 0x2000 pid 7 tid 2\n mprotect 0x1000 4096 r-- no-flush pid 7 tid 2";
    check(
        "{}",
        ops,
        "mov-cr3 keep",
        &expect![[r"
            load 0x2000 on 2: Walk at 0x1000001000
            mprotect 0x1000 4096 r-- no-flush: 0 entries dropped on all cores
            mov-cr3 keep: 0 entries dropped on all cores
            load 0x1000 on 1: L1Hit
            store 0x1000 on 1: L1Hit
            load 0x2000 on 1: L1Hit
        "]],
    );
    check(
        "{}",
        ops,
        "mov-cr3",
        &expect![[r"
        load 0x2000 on 2: Walk at 0x1000001000
        mprotect 0x1000 4096 r-- no-flush: 0 entries dropped on all cores
        mov-cr3: 5 entries dropped on all cores
        load 0x1000 on 1: Walk at 0x1000000000
        store 0x1000 on 1: #PF the page may not be written
        load 0x2000 on 1: Walk at 0x1000001000
    "]],
    );
}

/// The child's stores go to a copy of the page. The parent keeps its entries and its page.
#[test]
fn a_fork_on_another_core_ends_what_may_be_written() {
    let ops = "fork child=8 pid 7 tid 2\n store 0x1000 pid 8 tid 2";
    check(
        "{}",
        ops,
        "mov-cr3 keep",
        &expect![[r"
        fork child=8: 4 entries dropped on all cores
        mov-cr3 pcid=1: 0 entries dropped on all cores
        store 0x1000 on 2: Fault at 0x1000003000
        mov-cr3 keep: 0 entries dropped on all cores
        load 0x1000 on 1: Walk at 0x1000000000
        store 0x1000 on 1: Fault at 0x1000000000
        load 0x2000 on 1: Walk at 0x1000001000
    "]],
    );
    let ops = "fork child=8 no-flush pid 7 tid 2\n store 0x2000 pid 8 tid 2";
    check(
        "{}",
        ops,
        "mov-cr3 keep",
        &expect![[r"
            fork child=8 no-flush: 0 entries dropped on all cores
            mov-cr3 pcid=1: 0 entries dropped on all cores
            store 0x2000 on 2: Fault at 0x1000003000
            mov-cr3 keep: 0 entries dropped on all cores
            load 0x1000 on 1: L1Hit
            store 0x1000 on 1: L1Hit
            load 0x2000 on 1: L1Hit
        "]],
    );
    check(
        "{}",
        ops,
        "mov-cr3",
        &expect![[r"
        fork child=8 no-flush: 0 entries dropped on all cores
        mov-cr3 pcid=1: 0 entries dropped on all cores
        store 0x2000 on 2: Fault at 0x1000003000
        mov-cr3: 5 entries dropped on all cores
        load 0x1000 on 1: Walk at 0x1000000000
        store 0x1000 on 1: Fault at 0x1000004000
        load 0x2000 on 1: Walk at 0x1000001000
    "]],
    );
}

/// The host sees changes of the guest's tables, and clears the entries of the shadow table. The processor's
/// entries stay until an operation drops them.
#[test]
fn under_shadow_paging_the_same() {
    let os = r#"{"virt": "shadow"}"#;
    let ops = "load 0x2000 pid 7 tid 2\n munmap 0x1000 4096 no-flush pid 7 tid 2";
    check(
        os,
        ops,
        "mov-cr3 keep",
        &expect![[r"
            load 0x2000 on 2: Walk at 0x1000001000
            munmap 0x1000 4096 no-flush: 0 entries dropped on all cores
            mov-cr3 keep: 0 entries dropped on all cores
            load 0x1000 on 1: L1Hit
            store 0x1000 on 1: L1Hit
            load 0x2000 on 1: L1Hit
        "]],
    );
    check(
        os,
        ops,
        "mov-cr3",
        &expect![[r"
            load 0x2000 on 2: Walk at 0x1000001000
            munmap 0x1000 4096 no-flush: 0 entries dropped on all cores
            mov-cr3: 5 entries dropped on all cores
            load 0x1000 on 1: Fault at 0x1000003000
            store 0x1000 on 1: L1Hit
            load 0x2000 on 1: Walk at 0x1000001000
        "]],
    );
}
