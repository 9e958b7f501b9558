//! Checks how page tables are linked, aligned and filled, and how many 4 TiB need.

use crate::common::report;
use crate::common::text::{accesses, steps};
use pagewalk::record::event::{LevelView, StepView};
use pagewalk_base::trace::{Access, Kind};

const PRESENT: u64 = 1;
/// Bits 51:12 of an entry.
const ADDRESS: u64 = 0x000f_ffff_ffff_f000;

#[track_caller]
fn steps_of(json: &str, os: &str, text: &str) -> Vec<StepView> {
    steps(json, os, &accesses(text)).1
}

/// Bits 20:13 of a 2M leaf and 29:13 of a 1G leaf are reserved, bit 12 is PAT: all zero here.
#[test]
fn a_large_frame_is_aligned_to_its_size() {
    for (size, shift) in [("2M", 21), ("1G", 30)] {
        let os = format!(r#"{{"default": "{size}"}}"#);
        let steps = steps_of("{}", &os, "load 0x0\n load 0x7f3a1c2b5e48\n load 0x40000000");
        for step in &steps {
            let leaf = step.translations[0].levels.last().unwrap();
            assert_eq!(leaf.value.0 & ADDRESS & ((1 << shift) - 1), 0, "{size}");
        }
    }
}

#[test]
fn what_was_never_touched_is_not_present() {
    let steps = steps_of("{}", "{}", "load 0x5000");
    for level in &steps[0].translations[0].levels {
        let empty = level.neighbours.iter().all(|neighbour| neighbour.value.0 == 0);
        assert!(empty, "{level:?}");
    }
    let steps = steps_of("{}", "{}", "load 0x5000\n load 0x6000");
    let leaf = steps[1].translations[0].levels.last().unwrap();
    let before: Vec<u64> =
        leaf.neighbours.iter().filter(|n| n.index == 5).map(|n| n.value.0).collect();
    assert_eq!(before.len(), 1);
    assert_eq!(before[0] & PRESENT, PRESENT);
}

/// Asserts that each entry is at its index in its table, and that the next table is at the address in the
/// entry.
#[track_caller]
fn assert_linked(root: u64, levels: &[LevelView]) {
    let mut table = root;
    for level in levels {
        assert_eq!(level.table.0, table, "{level:?}");
        assert_eq!(table & 0xfff, 0);
        assert_eq!(level.entry_address.0, table + 8 * level.index);
        table = level.value.0 & ADDRESS;
    }
}

/// The address 0x7f3a1c2b5e48 has the indices 254, 232, 225, 181 and the offset 0xe48; the
/// entries stand 0x7f0, 0x740, 0x708 and 0x5a8 bytes into their tables.
#[test]
fn a_full_walk_reads_the_entries_that_the_address_chooses() {
    let steps = steps_of("{}", "{}", "load 0x7f3a1c2b5e48");
    let done = &steps[0].translations[0];
    let indices: Vec<u64> = done.levels.iter().map(|level| level.index).collect();
    assert_eq!(indices, [254, 232, 225, 181]);
    let low_bits: Vec<u64> =
        done.levels.iter().map(|level| level.entry_address.0 & 0xfff).collect();
    assert_eq!(low_bits, [0x7f0, 0x740, 0x708, 0x5a8]);
    let names: Vec<&str> = done.levels.iter().map(|level| level.table_name.as_str()).collect();
    assert_eq!(names, ["PML4", "PDPT", "PD", "PT"]);
    assert_linked(steps[0].root.0, &done.levels);
    let frame = done.levels[3].value.0 & ADDRESS;
    assert_eq!(done.physical.0, frame | 0xe48);
    assert_eq!(done.frame.0, frame >> 12);
}

#[test]
fn the_offset_of_a_large_page_is_longer() {
    for (size, levels, offset, shift) in [("2M", 3, 0x0b_5e48, 21), ("1G", 2, 0x1c2b_5e48, 30)] {
        let steps = steps_of("{}", &format!(r#"{{"default": "{size}"}}"#), "load 0x7f3a1c2b5e48");
        let done = &steps[0].translations[0];
        assert_eq!(done.levels.len(), levels);
        assert_linked(steps[0].root.0, &done.levels);
        let frame = done.levels[levels - 1].value.0 & ADDRESS;
        assert_eq!(done.physical.0, frame | offset, "{size}");
        assert_eq!(done.frame.0, frame >> shift);
    }
}

#[test]
fn two_processes_have_tables_and_frames_of_their_own() {
    let steps = steps_of("{}", "{}", "load 0x7000\n load 0x7000 pid 1\n load 0x7000");
    let of = |at: usize| (&steps[at].root, steps[at].translations[0].physical);
    assert_eq!(of(0), of(2));
    assert_ne!(of(0).0, of(1).0);
    assert_ne!(of(0).1, of(1).1);
}

/// 4 TiB of 2M pages: 4,096 page directories, 8 directory pointer tables and a root.
#[test]
fn four_tebibytes_of_2m_pages_need_4105_tables() {
    let each_page = (0..1 << 21).map(|n| Access::new(Kind::Load, n << 21, 8));
    let report = report("{}", r#"{"default": "2M"}"#, each_page);
    assert_eq!(report.faults.minor, 1 << 21);
    assert_eq!(report.pages["table_pages"], 4096 + 8 + 1);
}
