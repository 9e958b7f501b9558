//! Tests of entries that have lost all rights. The processor treats such entries as not present, but they still lead
//! to their tables.

use std::rc::Rc;

use super::{EPT, FRAMES_AT, Frame, PageTables};
use crate::entry::ept;
use pagewalk_base::addr::{Leaf, Level, Paging};

const SECOND: Level = Level::new(2);

/// Maps the first `n` pages of an address space to consecutive frames.
fn tables(n: u64) -> PageTables {
    let mut tables = PageTables::new(Rc::new(Paging::x86(4)), EPT);
    for page in 0..n {
        tables.map(0, page << 12, Leaf::SMALLEST, Frame::at(FRAMES_AT + (page << 12))).unwrap();
    }
    tables
}

/// Removes all rights from the entry of a level for the first page.
fn hide(tables: &mut PageTables, level: Level) {
    let (table, index) = tables.entry_at(0, 0, level).unwrap();
    tables.change(table, index, 0, ept::RIGHTS);
    assert_eq!(tables.locate(0, 0), None, "level {level}");
}

#[test]
fn a_new_page_is_mapped_in_the_table_that_is_there() {
    for level in SECOND.up_to(Level::new(4)) {
        let mut tables = tables(1);
        hide(&mut tables, level);
        tables.map(0, 0x1000, Leaf::SMALLEST, Frame::at(FRAMES_AT + 0x1000)).unwrap();
        assert_eq!(tables.n_tables(), 4, "level {level}");
        for address in [0, 0x1000] {
            assert_eq!(tables.locate(0, address), Some(FRAMES_AT + address), "level {level}");
        }
    }
}

#[test]
fn pages_are_counted_joined_and_taken_whatever_rights_they_have() {
    for level in Level::LOWEST.up_to(Level::new(4)) {
        let mut joined = tables(3);
        hide(&mut joined, level);
        assert_eq!(joined.n_used_below(0, 0, SECOND), Some(3), "level {level}");
        let mut taken = joined.clone();
        assert_eq!(
            joined.collapse(0, 0, Leaf::of(SECOND), Frame::at(FRAMES_AT)),
            3,
            "level {level}"
        );
        assert_eq!(taken.zap(0, 0, Leaf::of(SECOND)), 3, "level {level}");
        assert_eq!((joined.n_tables(), taken.n_tables()), (3, 3), "level {level}");
    }
}

#[test]
fn parts_of_a_page_that_is_split_have_its_rights() {
    let mut tables = PageTables::new(Rc::new(Paging::x86(4)), EPT);
    tables.map(0, 0, Leaf::of(SECOND), Frame::at(FRAMES_AT)).unwrap();
    hide(&mut tables, SECOND);
    tables.split(0, 0, Leaf::of(SECOND)).unwrap();
    assert_eq!(tables.n_used_below(0, 0, SECOND), Some(512));
    for page in [0, 511] {
        let address = page << 12;
        assert_eq!(tables.locate(0, address), None, "its rights are gone");
        let (table, index) = tables.leaf_of_any_rights(0, address, Leaf::SMALLEST).unwrap();
        assert_eq!(tables.frame(tables.read(table, index)), Frame::at(FRAMES_AT + address));
    }
}

#[test]
fn only_entries_in_use_are_replaced() {
    let mut tables = tables(2);
    tables.set_accessed(0, 0, Leaf::SMALLEST);
    assert_eq!(tables.n_replaced(), 0, "new entries and flags replace nothing");
    tables.clear(0, 0, Leaf::SMALLEST);
    assert_eq!(tables.n_replaced(), 1);
    tables.unmap(0, 0x1000, Leaf::SMALLEST, &mut Vec::new());
    assert_eq!(
        tables.n_replaced(),
        5,
        "the entry and those of the three tables that are empty now"
    );
}
