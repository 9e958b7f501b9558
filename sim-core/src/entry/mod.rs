//! The format of x86 page-table entries with 4 or 5 levels: the meaning of the bits at each level, and the bits
//! that must be 0 (Intel SDM vol. 3, 4.5, tables 4-14 to 4-20).
//!
//! Entries of other machines have the flags in the same places, and no reserved bits. Entries of Arm machines
//! are shown as descriptors, and those of other formats as [`own`] says. This module depends on no table and no walk, only on the control registers that
//! change the meaning of an entry ([`Modes`]).

pub mod ept;
mod arm;
mod fields;
mod own;

use pagewalk_base::addr::{Leaf, Level, Paging, TableFormat};

pub use fields::FieldView;
pub(crate) use fields::{COPIED, Row, row, view};

pub(crate) const PRESENT: u64 = 1;
pub(crate) const WRITABLE: u64 = 1 << 1;
pub(crate) const USER: u64 = 1 << 2;
pub(crate) const ACCESSED: u64 = 1 << 5;
/// The dirty flag: the page has been written. Only leaf entries have this flag.
pub(crate) const DIRTY: u64 = 1 << 6;
/// The page-size bit of a PDE or PDPTE. In a PTE this bit is the memory type (PAT).
pub(crate) const PAGE: u64 = 1 << 7;
/// The global flag: the translation is valid in every address space. Only leaf entries have this flag.
pub(crate) const GLOBAL: u64 = 1 << 8;
/// A bit for software, which processors ignore, also in EPT entries. The page is shared, and copied when it is
/// written.
pub(crate) const SHARED: u64 = 1 << 11;
/// The contiguous bit (Arm): the entry belongs to a group of entries that map one page together.
pub(crate) const CONTIGUOUS: u64 = 1 << 52;
pub(crate) const ADDRESS: u64 = 0x000f_ffff_ffff_f000;
pub(crate) const NO_EXECUTE: u64 = 1 << 63;

/// The most bits of a physical address.
pub(crate) const MAX_PHYSICAL_BITS: u8 = 52;

/// The format of the entries of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// The level of the entries; 1 is the lowest table.
    pub(crate) level: Level,
    /// The lowest address bit that indexes the table.
    pub(crate) shift: u32,
    /// Whether entries of the level may map a page.
    pub(crate) maps: bool,
    /// Whether groups of entries of the level may map one contiguous page.
    pub(crate) grouped: bool,
    /// The architecture whose rules and fields apply. It is Intel's only if the whole geometry is Intel's.
    pub(crate) tables: TableFormat,
    /// The number of bits of the offset in the smallest page. Frames smaller than 4K are shifted up in entries, to
    /// keep the bits of the flags free.
    pub(crate) offset_bits: u32,
    pub(crate) modes: Modes,
    /// The format of a machine that has neither x86-64's entries nor Arm's.
    own: Option<own::Own>,
}

/// The processor modes that change the meaning of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modes {
    /// MAXPHYADDR: the number of bits of a physical address, 32 to 52.
    pub(crate) physical_bits: u8,
    /// `IA32_EFER.NXE`: bit 63 forbids fetches. Without NXE, the bit is reserved.
    pub(crate) no_execute: bool,
    /// `CR4.PKE`: bits 62:59 of a leaf are a protection key. Without PKE, the bits are ignored.
    pub(crate) keys: bool,
}

impl Default for Modes {
    fn default() -> Self {
        Self { physical_bits: MAX_PHYSICAL_BITS, no_execute: true, keys: true }
    }
}

impl Format {
    pub(crate) fn new(paging: &Paging, level: Level, modes: Modes) -> Self {
        Self {
            level,
            shift: paging.shift(Leaf::of(level)),
            maps: paging.leaf_levels.contains(&level),
            grouped: paging.groups.iter().flatten().any(|g| g.mapped && g.level == level),
            tables: match paging.table_format() {
                TableFormat::X86 if !paging.is_x86() => TableFormat::Plain,
                format => format,
            },
            offset_bits: u32::from(paging.offset_bits),
            modes: Modes {
                physical_bits: paging.physical_width().min(modes.physical_bits),
                ..modes
            },
            own: own::Own::new(paging),
        }
    }

    /// Returns whether a present entry maps a page instead of leading to a table.
    pub(crate) fn is_leaf(&self, entry: u64) -> bool {
        self.level == Level::LOWEST || self.maps && entry & PAGE != 0
    }

    /// Returns the bits that must be 0 in a present entry; 0 for an entry that is not present.
    pub(crate) fn reserved(&self, entry: u64) -> u64 {
        if entry & PRESENT == 0 || self.tables != TableFormat::X86 {
            return 0;
        }
        let beyond = ADDRESS & !low_mask(u32::from(self.modes.physical_bits));
        let no_execute = if self.modes.no_execute { 0 } else { NO_EXECUTE };
        let by_level = match (self.level, self.is_leaf(entry)) {
            (Level::LOWEST, _) => 0,
            // The bits between PAT (bit 12) and the frame.
            (_, true) => low_mask(self.shift) & !low_mask(13),
            (_, false) if self.maps => 0,
            (_, false) => PAGE,
        };
        beyond | no_execute | by_level
    }

    /// Returns the lowest bit of the address in an entry.
    fn address_low(&self, leaf: bool) -> u32 {
        if leaf { (self.shift + 12).saturating_sub(self.offset_bits).max(12) } else { 12 }
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
        Format::new(&Paging::x86(5), Level::new(level), modes)
    }

    /// Expected bits are from Intel SDM vol. 3, tables 4-14 to 4-20, with MAXPHYADDR 46.
    #[test]
    fn reserved_bits_depend_on_the_level_and_on_what_the_entry_is() {
        let modes = Modes { physical_bits: 46, ..Modes::default() };
        let beyond = 0x000f_c000_0000_0000;
        for (level, entry, expected) in [
            (1, PRESENT, beyond),
            (1, PRESENT | PAGE, beyond),
            (2, PRESENT, beyond),
            (2, PRESENT | PAGE, beyond | 0x1f_e000),
            (3, PRESENT, beyond),
            (3, PRESENT | PAGE, beyond | 0x3fff_e000),
            (4, PRESENT, beyond | PAGE),
            (5, PRESENT, beyond | PAGE),
            (5, 0, 0),
            (2, PAGE, 0),
        ] {
            let reserved = format(level, modes).reserved(entry);
            assert_eq!(reserved, expected, "level {level}, entry {entry:#x}: {reserved:#x}");
        }
    }

    #[test]
    fn bit_63_is_reserved_without_nxe() {
        let modes = Modes { no_execute: false, ..Modes::default() };
        assert_eq!(format(1, modes).reserved(PRESENT), NO_EXECUTE);
        assert_eq!(format(1, Modes::default()).reserved(PRESENT), 0);
    }

    #[test]
    fn other_geometries_reserve_nothing() {
        let paging = Paging {
            offset_bits: 6,
            index_bits: vec![8],
            leaf_levels: vec![Level::LOWEST],
            ..Paging::default()
        };
        let modes = Modes { physical_bits: 32, no_execute: false, keys: false };
        assert_eq!(Format::new(&paging, Level::LOWEST, modes).reserved(PRESENT), 0);
    }
}
