//! Tests of the walk in the view of one access: the entries whose flags it set, and the entry that refused it.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::common::ops::{items, trace};
use expect_test::{Expect, expect};
use pagewalk::record::event::{LevelView, NestedCellView};
use pagewalk::run::replay::Replay;
use pagewalk_base::addr::Hex;

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 8}], "psc": {"pde": {"entries": 4}}}"#;
const EPT: &str = r#"{"virt": "ept"}"#;
const ARM: &str = r#"{"l1": [{"name": "d", "entries": 8}],
    "paging": {"offset_bits": 12, "index_bits": [9, 9, 9, 9], "leaf_levels": [1, 2, 3], "contiguous": {"4K": 16}}}"#;

const REFUSED: &str = "store 0x1000\n\
    mprotect 0x1000 4096 r--\nstore 0x1000\n\
    mprotect 0x5000 4096 none\nload 0x5000\n\
    mprotect 0x1000 4096 rw-\nfetch 0x1000\n\
    set-entry 0x1000 level=1 clear=u\nload 0x1000";

/// Compares the walk of each access: changed entries with both values, and the entries of a refused walk.
#[track_caller]
fn check(machine: &str, os: &str, scenario: &str, expected: &Expect) {
    let machine = crate::common::machine(machine, os);
    let mut replay = Replay::new(Rc::new(trace(&items(scenario))), machine, usize::MAX);
    let mut text = String::new();
    for index in 0..replay.trace().len() {
        let step = replay.seek(index).unwrap();
        write!(text, "{} {}:", step.access.kind.name(), step.access.address).unwrap();
        for translation in &step.translations {
            match &translation.nested {
                None => translation.levels.iter().for_each(|level| level_text(&mut text, level)),
                Some(nested) => nested
                    .rows
                    .iter()
                    .flat_map(|row| row.host.iter().chain(&row.guest))
                    .for_each(|cell| cell_text(&mut text, cell)),
            }
        }
        if let Some(refused) = &step.refused {
            for level in &refused.levels {
                write!(text, " {}[{}]={}", level.table_name, level.index, level.value).unwrap();
            }
            write!(text, " refused by {}", refused.field).unwrap();
        }
        text.push('\n');
    }
    expected.assert_eq(&text);
}

fn level_text(text: &mut String, level: &LevelView) {
    changed(text, &level.table_name, level.was, level.value);
}

fn cell_text(text: &mut String, cell: &NestedCellView) {
    changed(text, &format!("{} for {}", cell.entry, cell.purpose), cell.was, cell.value);
}

/// Writes the bits that a walk set in an entry.
fn changed(text: &mut String, name: &str, was: Option<Hex>, now: Hex) {
    if let Some(was) = was {
        write!(text, " {name}^{:#x}", was.0 ^ now.0).unwrap();
    }
}

#[test]
fn a_walk_tells_the_flags_that_it_set() {
    check(
        MACHINE,
        "{}",
        "load 0x1000\nload 0x1008\nstore 0x1000\nstore 0x1000\nstore 0x2000",
        &expect![[r"
            load 0x1000: PML4^0x20 PDPT^0x20 PD^0x20 PT^0x20
            load 0x1008:
            store 0x1000: PT^0x40
            store 0x1000:
            store 0x2000: PT^0x60
        "]],
    );
}

#[test]
fn a_nested_walk_tells_the_flags_of_guest_and_host() {
    check(
        MACHINE,
        EPT,
        "load 0x1000\nstore 0x1000",
        &expect![[r"
        load 0x1000: nL4 for gL4^0x100 nL3 for gL4^0x100 nL2 for gL4^0x100 nL1 for gL4^0x300 gL4 for gL4^0x20 nL1 for gL3^0x300 gL3 for gL3^0x20 nL1 for gL2^0x300 gL2 for gL2^0x20 nL1 for gL1^0x300 gL1 for gL1^0x20 nL3 for data^0x100 nL2 for data^0x100 nL1 for data^0x100
        store 0x1000:
    "]],
    );
}

#[test]
fn a_refused_walk_ends_at_the_entry_that_refused_it() {
    check(
        MACHINE,
        "{}",
        REFUSED,
        &expect![[r"
            store 0x1000: PML4^0x20 PDPT^0x20 PD^0x20 PT^0x60
            store 0x1000: PML4[0]=0x201027 PDPT[0]=0x202027 PD[0]=0x203027 PT[1]=0x8000001000000065 refused by W
            load 0x5000: PML4[0]=0x201027 PDPT[0]=0x202027 PD[0]=0x203027 PT[5]=0x0 refused by P
            fetch 0x1000: PML4[0]=0x201027 PDPT[0]=0x202027 PD[0]=0x203027 PT[1]=0x8000001000000067 refused by XD
            load 0x1000: PML4[0]=0x201027 PDPT[0]=0x202027 PD[0]=0x203027 PT[1]=0x8000001000000063 refused by U
        "]],
    );
    check(
        ARM,
        "{}",
        REFUSED,
        &expect![[r"
        store 0x1000: L3^0x480
        store 0x1000: L0[0]=0x201003 L1[0]=0x202003 L2[0]=0x203003 L3[1]=0xe0001000000fc3 refused by AP2
        load 0x5000: L0[0]=0x201003 L1[0]=0x202003 L2[0]=0x203003 L3[5]=0x0 refused by V
        fetch 0x1000: L0[0]=0x201003 L1[0]=0x202003 L2[0]=0x203003 L3[1]=0x68001000000f43 refused by UXN
        load 0x1000: L0[0]=0x201003 L1[0]=0x202003 L2[0]=0x203003 L3[1]=0x48001000000f03 refused by AP1
    "]],
    );
}

#[test]
fn a_reserved_bit_refuses_a_walk() {
    check(
        MACHINE,
        "{}",
        "store 0x1000\nwrmsr nxe=0\nset-entry 0x1000 level=1 set=xd\nload 0x1000\nload 0x800000000000",
        &expect![[r"
            store 0x1000: PML4^0x20 PDPT^0x20 PD^0x20 PT^0x60
            load 0x1000: PML4[0]=0x201027 PDPT[0]=0x202027 PD[0]=0x203027 PT[1]=0x8000001000000067 refused by XD
            load 0x800000000000:
        "]],
    );
}
