//! The format of EPT entries: the meaning of the bits at each level, and the entries that are misconfigured
//! (Intel SDM vol. 3C, 28.2.2 and 28.2.3, tables 28-1 to 28-6).
//!
//! Entries of an Arm host are shown as descriptors of stage 2. This module depends on no table and no walk.

mod arm;
mod fields;

use pagewalk_base::addr::{Leaf, Level, Paging, TableFormat};

pub(crate) const READ: u64 = 1;
pub(crate) const WRITE: u64 = 1 << 1;
pub(crate) const EXECUTE: u64 = 1 << 2;
/// The three rights. An entry without any of them is not present.
pub(crate) const RIGHTS: u64 = READ | WRITE | EXECUTE;
/// The memory type. Only entries that map a page have it.
const TYPE: u64 = 0b111 << TYPE_AT;
const TYPE_AT: u32 = 3;
pub(crate) const WRITE_BACK: u64 = 6 << TYPE_AT;
const LARGE: u64 = 1 << 7;
pub(crate) const ACCESSED: u64 = 1 << 8;
/// The dirty flag: the page has been written. Only entries that map a page have this flag.
pub(crate) const DIRTY: u64 = 1 << 9;
const ADDRESS: u64 = 0x000f_ffff_ffff_f000;

/// The format of the entries of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// The level of the entries; 1 is the lowest table.
    pub(crate) level: Level,
    /// The lowest address bit that indexes the table.
    pub(crate) shift: u32,
    /// Whether entries of the level may map a page.
    pub(crate) maps: bool,
    /// The vocabulary in which the entries are shown. It does not change their meaning.
    pub(crate) tables: TableFormat,
    pub(crate) modes: Modes,
}

/// The capabilities of the processor that decide which entries are misconfigured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modes {
    /// MAXPHYADDR: the number of bits of a physical address, 32 to 52.
    pub(crate) physical_bits: u8,
    /// Whether an entry may allow only fetches (bit 0 of `IA32_VMX_EPT_VPID_CAP`).
    pub(crate) execute_only: bool,
}

impl Default for Modes {
    fn default() -> Self {
        Self { physical_bits: crate::entry::MAX_PHYSICAL_BITS, execute_only: true }
    }
}

/// An error in a present entry. A walk that reads it causes a VM exit: an EPT misconfiguration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The entry is writable but not readable, or executable only, which the processor does not support.
    Rights,
    /// A bit that must be 0 is not.
    Reserved,
    /// The memory type is 2, 3 or 7.
    Type,
}

impl Format {
    pub(crate) fn new(paging: &Paging, level: Level, modes: Modes) -> Self {
        let maps = paging.leaf_levels.contains(&level);
        Self {
            level,
            shift: paging.shift(Leaf::of(level)),
            maps,
            tables: paging.table_format(),
            modes,
        }
    }

    /// Returns whether a present entry maps a page instead of leading to a table.
    pub(crate) fn is_leaf(self, entry: u64) -> bool {
        self.level == Level::LOWEST || self.maps && entry & LARGE != 0
    }

    /// Returns the bits that must be 0 in a present entry; 0 for an entry that is not present.
    pub(crate) fn reserved(self, entry: u64) -> u64 {
        if entry & RIGHTS == 0 {
            return 0;
        }
        let beyond = ADDRESS & !low_mask(u32::from(self.modes.physical_bits));
        let by_level = match (self.level, self.is_leaf(entry)) {
            (Level::LOWEST, _) => 0,
            (_, true) => low_mask(self.shift) & !low_mask(12),
            // Bit 7 is the page-size bit. It is 0 in an entry that leads to a table; otherwise it is a reserved bit.
            (_, false) => low_mask(8) & !low_mask(3),
        };
        beyond | by_level
    }

    /// Returns the error in a present entry, if there is one.
    pub(crate) fn misconfigured(self, entry: u64) -> Option<Fault> {
        let rights = entry & RIGHTS;
        if rights == 0 {
            return None;
        }
        if rights & (READ | WRITE) == WRITE || rights == EXECUTE && !self.modes.execute_only {
            return Some(Fault::Rights);
        }
        if entry & self.reserved(entry) != 0 {
            return Some(Fault::Reserved);
        }
        let kind = (entry & TYPE) >> TYPE_AT;
        (self.is_leaf(entry) && matches!(kind, 2 | 3 | 7)).then_some(Fault::Type)
    }
}

/// Returns a mask of the lowest `n` bits. `n` is below 64.
fn low_mask(n: u32) -> u64 {
    (1 << n) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(level: u8, modes: Modes) -> Format {
        Format::new(&Paging::x86(4), Level::new(level), modes)
    }

    /// Intel SDM 28.2.3.1: rights 010b and 110b are always misconfigured, 100b if the processor does not
    /// support execute-only entries.
    #[test]
    fn rights_that_make_a_misconfiguration() {
        for level in 1..=4 {
            for rights in 0..8_u64 {
                let expected = |execute_only: bool| {
                    (matches!(rights, 0b010 | 0b110) || rights == 0b100 && !execute_only)
                        .then_some(Fault::Rights)
                };
                for execute_only in [false, true] {
                    let modes = Modes { execute_only, ..Modes::default() };
                    let found = format(level, modes).misconfigured(rights);
                    assert_eq!(found, expected(execute_only), "level {level}, {rights:03b}");
                }
            }
        }
    }

    /// Expected bits are from Intel SDM vol. 3C, tables 28-1 to 28-6, with MAXPHYADDR 46.
    #[test]
    fn reserved_bits_depend_on_the_level_and_on_what_the_entry_is() {
        let modes = Modes { physical_bits: 46, ..Modes::default() };
        let beyond = 0x000f_c000_0000_0000;
        for (level, entry, expected) in [
            (4, READ, beyond | 0xf8),
            (3, READ, beyond | 0xf8),
            (3, READ | LARGE, beyond | 0x3fff_f000),
            (2, READ, beyond | 0xf8),
            (2, READ | LARGE, beyond | 0x1f_f000),
            (1, READ, beyond),
            (1, READ | LARGE, beyond),
            (2, LARGE, 0),
        ] {
            let reserved = format(level, modes).reserved(entry);
            assert_eq!(reserved, expected, "level {level}, entry {entry:#x}: {reserved:#x}");
        }
    }

    #[test]
    fn each_reserved_bit_and_memory_type_is_a_misconfiguration() {
        let modes = Modes { physical_bits: 46, ..Modes::default() };
        let leaf = READ | LARGE | WRITE_BACK;
        for bit in 12..21 {
            assert_eq!(format(2, modes).misconfigured(leaf | 1 << bit), Some(Fault::Reserved));
        }
        assert_eq!(format(1, modes).misconfigured(READ | 1 << 46), Some(Fault::Reserved));
        assert_eq!(format(4, modes).misconfigured(READ | LARGE), Some(Fault::Reserved));
        for kind in 0..8_u64 {
            let expected = matches!(kind, 2 | 3 | 7).then_some(Fault::Type);
            assert_eq!(format(1, modes).misconfigured(READ | kind << TYPE_AT), expected);
            let table = format(2, modes).misconfigured(READ | kind << TYPE_AT);
            assert_eq!(table, (kind > 0).then_some(Fault::Reserved), "of a table: type {kind}");
        }
    }
}
