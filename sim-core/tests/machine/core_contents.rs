//! Tests of the contents of every core after an access.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::common::ops::{items, trace};
use expect_test::{Expect, expect};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::machine::structures::StructureId;
use pagewalk::record::event::{CoreView, DroppedView, MachineView};
use pagewalk::record::snapshot::Columns;
use pagewalk::run::replay::Replay;

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 2}], "l2": [{"name": "s", "entries": 4}],
    "psc": {"pde": {"entries": 2}}, "control": {"pcids": 6}}"#;

/// Runs a scenario, whose lines may end with `tid N`. For each access the result lists each core that has run
/// accesses, its process, and the page numbers or prefixes in its structures. A star marks the core of the
/// access.
#[track_caller]
fn check(os: &str, scenario: &str, expected: &Expect) {
    let machine = crate::common::machine(MACHINE, os).with_cores(Cores::Tid);
    let view = MachineView::of(&machine);
    let mut replay = Replay::new(Rc::new(trace(&items(scenario))), machine, usize::MAX);
    let mut text = String::new();
    for index in 0..replay.trace().len() {
        let step = replay.seek(index).unwrap();
        for op in &step.before {
            let stayed = entry_list(&view, "stay", &op.effects.stayed_entries);
            writeln!(text, "{}:{stayed}", op.text).unwrap();
            for core in &op.effects.cores {
                writeln!(text, "  core {}:{}", core.core, entry_list(&view, "drop", &core.entries))
                    .unwrap();
            }
        }
        writeln!(text, "{} {}", step.access.kind.name(), step.access.address).unwrap();
        for core in &step.cores {
            writeln!(text, "  {}", contents(&view, replay.machine(), core)).unwrap();
        }
    }
    assert_eq!(replay.machine().failure(), None);
    expected.assert_eq(&text);
}

fn entry_list(view: &MachineView, what: &str, entries: &[DroppedView]) -> String {
    let entries = entries.iter().map(|entry| {
        let DroppedView { structure, set, way, entry } = entry;
        format!(" {}[{set}.{way}]={}", view.structures[*structure].name, entry.key)
    });
    let entries: String = entries.collect();
    if entries.is_empty() { String::new() } else { format!(" {what}{entries}") }
}

fn contents(view: &MachineView, machine: &Machine, core: &CoreView) -> String {
    let star = if core.active { "*" } else { "" };
    let pid = core.pid.map_or("none".to_owned(), |pid| pid.to_string());
    let mut text = format!("core {}{star} process {pid}", core.core);
    for (number, structure) in view.structures.iter().enumerate() {
        let columns = Columns::of_core(machine, core.core, StructureId(number)).unwrap();
        if core.active {
            assert_eq!(Some(&columns), Columns::of(machine, StructureId(number)).as_ref());
        }
        let keys = keys(&columns);
        assert_eq!(keys.len(), core.in_use[number] as usize, "{}", structure.name);
        if !keys.is_empty() {
            write!(text, "; {} {}", structure.name, keys.join(" ")).unwrap();
        }
    }
    text
}

fn keys(columns: &Columns) -> Vec<String> {
    let keys = columns.keys.iter().zip(&columns.key_shift).filter(|(_, shift)| **shift > 0);
    keys.map(|(key, _)| format!("{key:x}")).collect()
}

#[test]
fn each_core_keeps_what_it_held_while_another_works() {
    check(
        "{}",
        "load 0x1000 tid 5
        load 0x2000 tid 3
        load 0x3000 pid 7 tid 3
        load 0x2000 tid 5",
        &expect![[r"
            load 0x1000
              core 5* process 0; d 1; s 1; pde 0
            load 0x2000
              core 5 process 0; d 1; s 1; pde 0
              core 3* process 0; d 2; s 2; pde 0
            mov-cr3 pcid=1:
            load 0x3000
              core 5 process 0; d 1; s 1; pde 0
              core 3* process 7; d 2 3; s 2 3; pde 0 0
            load 0x2000
              core 5* process 0; d 1 2; s 1 2; pde 0
              core 3 process 7; d 2 3; s 2 3; pde 0 0
        "]],
    );
}

#[test]
fn a_shot_down_entry_is_listed_and_dropped_on_every_core() {
    check(
        "{}",
        "load 0x1000 tid 1
        load 0x1000 tid 2
        load 0x2000 tid 2
        load 0x2000 tid 1
        munmap 0x1000 4096 tid 1
        load 0x2000 tid 1",
        &expect![[r"
            load 0x1000
              core 1* process 0; d 1; s 1; pde 0
            load 0x1000
              core 1 process 0; d 1; s 1; pde 0
              core 2* process 0; d 1; s 1; pde 0
            load 0x2000
              core 1 process 0; d 1; s 1; pde 0
              core 2* process 0; d 1 2; s 1 2; pde 0
            load 0x2000
              core 1* process 0; d 1 2; s 1 2; pde 0
              core 2 process 0; d 1 2; s 1 2; pde 0
            munmap 0x1000 4096:
              core 2: drop d[0.0]=0x1 s[0.0]=0x1
            load 0x2000
              core 1* process 0; d 2; s 2; pde 0
              core 2 process 0; d 2; s 2; pde 0
        "]],
    );
}

#[test]
fn a_flush_of_the_host_lists_every_entry() {
    check(
        r#"{"virt": "ept"}"#,
        "load 0x1000 tid 1
        load 0x1000 tid 2
        host-unmap 0x1000 tid 1
        load 0x2000 tid 1",
        &expect![[r"
            load 0x1000
              core 1* process 0; d 1; s 1; pde 0
            load 0x1000
              core 1 process 0; d 1; s 1; pde 0
              core 2* process 0; d 1; s 1; pde 0
            host-unmap 0x1000 for=data:
              core 2: drop d[0.0]=0x1 s[0.0]=0x1 pde[0.0]=0x0
            load 0x2000
              core 1* process 0; d 2; s 2; pde 0
              core 2 process 0
        "]],
    );
}

#[test]
fn global_translations_that_stay_are_listed() {
    check(
        r#"{"upper_half": "shared"}"#,
        "load 0xffff800000001000
        load 0x1000
        mov-cr3
        load 0x1000",
        &expect![[r"
            load 0xffff800000001000
              core 0* process 0; d 800000001; s 800000001; pde 4000000
            load 0x1000
              core 0* process 0; d 800000001 1; s 800000001 1; pde 4000000 0
            mov-cr3: stay d[0.0]=0x800000001 s[0.0]=0x800000001
            load 0x1000
              core 0* process 0; d 800000001 1; s 800000001 1; pde 0
        "]],
    );
}

#[test]
fn a_core_that_has_done_nothing_is_empty_and_a_single_one_has_no_number() {
    let machine = crate::common::machine(MACHINE, "{}");
    assert_eq!(Columns::of_core(&machine, 0, StructureId(0)), None);
    let mut cores = machine.with_cores(Cores::Tid);
    cores.access(0, &crate::common::page(1), &mut ());
    let empty = Columns::of_core(&cores, 9, StructureId(0)).unwrap();
    assert!(empty.key_shift.iter().all(|shift| *shift == 0));
    assert_eq!(Columns::of_core(&cores, 9, StructureId(99)), None);
    assert!(
        Columns::of_core(&cores, 0, StructureId(0))
            .unwrap()
            .key_shift
            .iter()
            .any(|shift| *shift > 0)
    );
}
