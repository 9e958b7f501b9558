//! Tests of the effects of operations and of the system's acts: changed page-table entries with their bits,
//! other cores, global entries that stay.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::common::ops::{Item, items, trace};
use expect_test::{Expect, expect};
use pagewalk::entry::FieldView;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::record::event::{ChangeView, DroppedView, EffectsView, MachineView};
use pagewalk::run::replay::Replay;

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 8}], "l2": [{"name": "s", "entries": 8}],
    "psc": {"pde": {"entries": 4}}, "control": {"pcids": 6}}"#;

/// Runs a scenario on cores by thread. A line that ends with `tid N` belongs to thread N.
#[track_caller]
fn check(os: &str, scenario: &str, expected: &Expect) {
    check_on(Cores::Tid, os, scenario, expected);
}

#[track_caller]
fn check_on(by: Cores, os: &str, scenario: &str, expected: &Expect) {
    let machine = crate::common::machine(MACHINE, os).with_cores(by);
    let view = MachineView::of(&machine);
    let items: Vec<Item> = items(scenario);
    let mut replay = Replay::new(Rc::new(trace(&items)), machine, usize::MAX);
    let mut text = String::new();
    for index in 0..replay.trace().len() {
        let step = replay.seek(index).unwrap();
        for op in &step.before {
            let by = if op.is_switch { "(switch) " } else { "" };
            writeln!(text, "{by}{}: {}", op.text, effects(&view, &op.effects)).unwrap();
        }
        writeln!(text, "{} {}", step.access.kind.name(), step.access.address).unwrap();
        for act in &step.acts {
            let what = format!("{:?}", act.act);
            writeln!(text, "  {what} {}: {}", act.address, effects(&view, &act.effects)).unwrap();
        }
    }
    assert_eq!(replay.machine().failure(), None);
    expected.assert_eq(&text);
}

fn effects(machine: &MachineView, effects: &EffectsView) -> String {
    let mut parts = Vec::new();
    let counts = |word: &str, counts: &[u32]| {
        let named = machine.structures.iter().zip(counts).filter(|(_, n)| **n > 0);
        let named: Vec<String> = named.map(|(s, n)| format!("{} {n}", s.name)).collect();
        if named.is_empty() {
            format!("{word} nothing")
        } else {
            format!("{word} {}", named.join(", "))
        }
    };
    parts.push(counts("drops", &effects.dropped));
    assert_all_are_listed(&effects.dropped, &effects.entries);
    if !effects.stayed.is_empty() {
        parts.push(counts("global stay", &effects.stayed));
    }
    assert_all_are_listed(&effects.stayed, &effects.stayed_entries);
    for core in &effects.cores {
        assert_all_are_listed(&core.dropped, &core.entries);
        let runs = if core.runs { "" } else { " (runs another)" };
        parts.push(format!("core {}{runs} {}", core.core, counts("drops", &core.dropped)));
    }
    parts.extend(effects.changes.iter().map(change));
    if effects.n_of_others > 0 {
        parts.push(format!("{} entries of others", effects.n_of_others));
    }
    let rest = effects.n_changes - effects.n_of_others;
    if rest as usize > effects.changes.len() {
        parts.push(format!("{rest} in all"));
    }
    parts.join("; ")
}

/// Asserts that every counted entry is also listed, because scenarios are small.
#[track_caller]
fn assert_all_are_listed(counts: &[u32], entries: &[DroppedView]) {
    let of = |structure| entries.iter().filter(|entry| entry.structure == structure).count();
    let output: Vec<usize> = (0..counts.len()).map(of).collect();
    assert_eq!(output, counts.iter().map(|n| *n as usize).collect::<Vec<_>>());
    assert_eq!(output.iter().sum::<usize>(), entries.len());
}

/// Returns a change as text: `PT[1] at 0x200008 of 0x1000: 0x… → 0x… W 1→0`.
fn change(change: &ChangeView) -> String {
    let ChangeView { table_name, index, entry_address, address, was, now, .. } = change;
    let find = |fields: &[FieldView], name: &str| {
        fields.iter().find(|field| field.name == name).map(|field| field.value.0)
    };
    let mut bits = String::new();
    for field in &change.now_fields {
        let before = find(&change.was_fields, &field.name);
        if let Some(before) = before.filter(|before| *before != field.value.0 && !field.address) {
            write!(bits, " {} {before:x}→{}", field.name, &field.value.to_string()[2..]).unwrap();
        }
    }
    format!("{table_name}[{index}] at {entry_address} of {address}: {was}→{now}{bits}")
}

#[test]
fn munmap_interrupts_the_cores_that_run_the_process() {
    check(
        "{}",
        "store 0x1000 tid 1
        store 0x2000 tid 1
        load 0x1000 tid 2
        load 0x9000 pid 7 tid 3
        munmap 0x1000 4096 tid 1
        load 0x2000 tid 1",
        &expect![[r"
            store 0x1000
              Map 0x1000: drops nothing; PML4[0] at 0x200000 of 0x0: 0x0→0x201007 P 0→1; PDPT[0] at 0x201000 of 0x0: 0x0→0x202007 P 0→1; PD[0] at 0x202000 of 0x0: 0x0→0x203007 P 0→1; PT[1] at 0x203008 of 0x1000: 0x0→0x1000000007 P 0→1
            store 0x2000
              Map 0x2000: drops nothing; PT[2] at 0x203010 of 0x2000: 0x0→0x1000001007 P 0→1
            load 0x1000
            load 0x9000
              Map 0x9000: drops nothing; PML4[0] at 0x204000 of 0x0: 0x0→0x205007 P 0→1; PDPT[0] at 0x205000 of 0x0: 0x0→0x206007 P 0→1; PD[0] at 0x206000 of 0x0: 0x0→0x207007 P 0→1; PT[9] at 0x207048 of 0x9000: 0x0→0x1000002007 P 0→1
            munmap 0x1000 4096: drops d 1, s 1; core 2 drops d 1, s 1; PT[1] at 0x203008 of 0x1000: 0x1000000067→0x0 P 1→0
            load 0x2000
        "]],
    );
}

#[test]
fn mprotect_takes_a_right_from_the_entry() {
    check(
        "{}",
        "store 0x1000
        mprotect 0x1000 4096 r--
        load 0x1000
        mprotect 0x1000 4096 rw- no-flush
        load 0x1000",
        &expect![[r"
            store 0x1000
              Map 0x1000: drops nothing; PML4[0] at 0x200000 of 0x0: 0x0→0x201007 P 0→1; PDPT[0] at 0x201000 of 0x0: 0x0→0x202007 P 0→1; PD[0] at 0x202000 of 0x0: 0x0→0x203007 P 0→1; PT[1] at 0x203008 of 0x1000: 0x0→0x1000000007 P 0→1
            mprotect 0x1000 4096 r--: drops d 1, s 1; PT[1] at 0x203008 of 0x1000: 0x1000000067→0x8000001000000065 XD 0→1 W 1→0
            load 0x1000
            mprotect 0x1000 4096 rw- no-flush: drops nothing; PT[1] at 0x203008 of 0x1000: 0x8000001000000065→0x8000001000000067 W 0→1
            load 0x1000
        "]],
    );
}

#[test]
fn fork_takes_the_right_to_write_and_a_copy_is_one_change() {
    check(
        "{}",
        "store 0x1000
        fork child=7
        store 0x1000
        store 0x1000 pid 7",
        &expect![[r"
            store 0x1000
              Map 0x1000: drops nothing; PML4[0] at 0x200000 of 0x0: 0x0→0x201007 P 0→1; PDPT[0] at 0x201000 of 0x0: 0x0→0x202007 P 0→1; PD[0] at 0x202000 of 0x0: 0x0→0x203007 P 0→1; PT[1] at 0x203008 of 0x1000: 0x0→0x1000000007 P 0→1
            fork child=7: drops d 1, s 1; PT[1] at 0x203008 of 0x1000: 0x1000000067→0x1000000865 avl 0→4 W 1→0; 4 entries of others
            store 0x1000
              Copy 0x1000: drops nothing; PT[1] at 0x203008 of 0x1000: 0x1000000865→0x1000001007 D 1→0 A 1→0 W 0→1
            (switch) mov-cr3 pcid=1: drops nothing
            store 0x1000
              Keep 0x1000: drops nothing; PT[1] at 0x207008 of 0x1000: 0x1000000845→0x1000000007 D 1→0 W 0→1
        "]],
    );
}

#[test]
fn a_page_of_a_disk_is_read() {
    let os = r#"{"regions": [{"start": "0x1000", "end": "0x2000", "pages": "4K", "kind": "file", "resident": false}]}"#;
    check(
        os,
        "load 0x1000\n load 0x1008",
        &expect![[r"
        load 0x1000
          SwapIn 0x1000: drops nothing; PML4[0] at 0x200000 of 0x0: 0x0→0x201007 P 0→1; PDPT[0] at 0x201000 of 0x0: 0x0→0x202007 P 0→1; PD[0] at 0x202000 of 0x0: 0x0→0x203007 P 0→1; PT[1] at 0x203008 of 0x1000: 0x0→0x1000000007 P 0→1
        load 0x1008
    "]],
    );
}

#[test]
fn khugepaged_makes_one_entry_of_a_table() {
    let os = r#"{"default": "thp", "map": "none", "thp": {"at_fault": false, "khugepaged": {"every": 3}}}"#;
    check_on(
        Cores::One,
        os,
        "load 0x200000\n load 0x201000\n load 0x200000\n load 0x202000",
        &expect![[r"
            load 0x200000
              Map 0x200000: drops nothing; PML4[0] at 0x200000 of 0x0: 0x0→0x201007 P 0→1; PDPT[0] at 0x201000 of 0x0: 0x0→0x202007 P 0→1; PD[1] at 0x202008 of 0x200000: 0x0→0x203007 P 0→1; PT[0] at 0x203000 of 0x200000: 0x0→0x1000000007 P 0→1
            load 0x201000
              Map 0x201000: drops nothing; PT[1] at 0x203008 of 0x201000: 0x0→0x1000001007 P 0→1
            load 0x200000
            load 0x202000
              Promote 0x200000: drops d 2, s 2, pde 1; PD[1] at 0x202008 of 0x200000: 0x203027→0x10002000a7 PS 0→1
        "]],
    );
}

#[test]
fn the_host_interrupts_every_core_that_runs_the_guest() {
    check(
        r#"{"virt": "ept"}"#,
        "load 0x1000 tid 1
        load 0x1000 tid 2
        host-unmap 0x1000 tid 1
        load 0x2000 tid 1",
        &expect![[r"
            load 0x1000
              Map 0x1000: drops nothing; PML4[0] at 0x200000 of 0x0: 0x0→0x201007 P 0→1; PDPT[0] at 0x201000 of 0x0: 0x0→0x202007 P 0→1; PD[0] at 0x202000 of 0x0: 0x0→0x203007 P 0→1; PT[1] at 0x203008 of 0x1000: 0x0→0x1000000007 P 0→1
            load 0x1000
            host-unmap 0x1000 for=data: drops d 1, s 1, pde 1; core 2 drops d 1, s 1, pde 1; nL1[0] at 0x205000 of 0x1000000000: 0x1000004137→0x0; nL2[0] at 0x204000 of 0x1000000000: 0x205107→0x0; nL3[64] at 0x201200 of 0x1000000000: 0x204107→0x0
            load 0x2000
              Map 0x2000: drops nothing; PT[2] at 0x203010 of 0x2000: 0x0→0x1000001007 P 0→1
        "]],
    );
}

/// Every process has the pages of the kernel, so a core is interrupted even if it has not used the page.
#[test]
fn a_change_of_the_kernel_interrupts_every_core_that_runs_a_process() {
    check(
        r#"{"upper_half": "shared"}"#,
        "load 0xffff800000001000 pid 7 tid 1
        load 0x1000 pid 9 tid 2
        munmap 0xffff800000001000 4096 pid 7 tid 1
        load 0x1000 pid 7 tid 1",
        &expect![[r"
            load 0xffff800000001000
              Map 0xffff800000001000: drops nothing; PML4[256] at 0x200800 of 0x800000000000: 0x0→0x201007 P 0→1; PDPT[0] at 0x201000 of 0x800000000000: 0x0→0x202007 P 0→1; PD[0] at 0x202000 of 0x800000000000: 0x0→0x203007 P 0→1; PT[1] at 0x203008 of 0x800000001000: 0x0→0x1000000107 P 0→1
            load 0x1000
              Map 0x1000: drops nothing; PML4[0] at 0x204000 of 0x0: 0x0→0x205007 P 0→1; PDPT[0] at 0x205000 of 0x0: 0x0→0x206007 P 0→1; PD[0] at 0x206000 of 0x0: 0x0→0x207007 P 0→1; PT[1] at 0x207008 of 0x1000: 0x0→0x1000001007 P 0→1
            munmap 0xffff800000001000 4096: drops d 1, s 1, pde 1; core 2 drops nothing; PT[1] at 0x203008 of 0x800000001000: 0x1000000127→0x0 P 1→0; PD[0] at 0x202000 of 0x800000000000: 0x203027→0x0 P 1→0; PDPT[0] at 0x201000 of 0x800000000000: 0x202027→0x0 P 1→0; PML4[256] at 0x200800 of 0x800000000000: 0x201027→0x0 P 1→0
            load 0x1000
              Map 0x1000: drops nothing; PML4[0] at 0x201000 of 0x0: 0x0→0x202007 P 0→1; PDPT[0] at 0x202000 of 0x0: 0x0→0x203007 P 0→1; PD[0] at 0x203000 of 0x0: 0x0→0x208007 P 0→1; PT[1] at 0x208008 of 0x1000: 0x0→0x1000002007 P 0→1
        "]],
    );
}
