//! The entries of page tables: their size, their format, and the memory that they can address.

use serde::{Deserialize, Serialize};

use super::{Level, Paging};
use crate::error::{Error, Result};

/// The format of entries on machines other than x86-64 and Arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum EntryFormat {
    /// The frame number, and a valid bit above it (OSTEP, chapter 20).
    ValidBit,
    /// The frame number above the flags D, A, U, W and V; with huge pages, also above L.
    Simple,
    /// 32-bit entries of x86 without PAE (Intel SDM vol. 3, tables 4-4 to 4-6).
    #[serde(rename = "x86-32")]
    X86Bits32,
    /// Entries of Sv32, Sv39, Sv48 and Sv57 (RISC-V privileged architecture, chapter on supervisor-level ISA).
    RiscV,
}

impl EntryFormat {
    /// Returns the number of the lowest bit of the frame number.
    pub fn frame_shift(self, has_huge_pages: bool) -> u32 {
        match self {
            Self::ValidBit => 0,
            Self::Simple => 5 + u32::from(has_huge_pages),
            Self::X86Bits32 => 12,
            Self::RiscV => 10,
        }
    }

    /// Returns the number of bits above the frame number that are not free.
    fn bits_above(self) -> u32 {
        u32::from(self == Self::ValidBit)
    }

    /// Returns whether entries record that a page was used. Entries that lead to a table record it only on x86, and in
    /// the simple format.
    pub fn has_accessed(self, leads_to_table: bool) -> bool {
        match self {
            Self::ValidBit => false,
            Self::Simple | Self::X86Bits32 => true,
            Self::RiscV => !leads_to_table,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::ValidBit => "valid-bit",
            Self::Simple => "simple",
            Self::X86Bits32 => "x86-32",
            Self::RiscV => "risc-v",
        }
    }
}

/// The most bits of a physical address, in any format.
const MAX_PHYSICAL_BITS: u8 = 56;
/// The bits of a physical address if the configuration does not say: those of x86-64.
const DEFAULT_PHYSICAL_BITS: u8 = 52;
/// The longest name of a table, in characters.
const MAX_NAME: usize = 16;

impl Paging {
    /// Returns the format of entries, or `None` for the formats of x86-64 and Arm. A machine with entries or a memory of
    /// its own has simple entries.
    pub fn entry_format(&self) -> Option<EntryFormat> {
        let is_own = self.entry_bytes != 8 || self.physical_bits.is_some();
        let is_simple = is_own && !self.has_x86_tables() && self.contiguous.is_empty();
        self.format.or(is_simple.then_some(EntryFormat::Simple))
    }

    /// Returns the number of bits of a physical address.
    pub fn physical_width(&self) -> u8 {
        self.physical_bits.unwrap_or(DEFAULT_PHYSICAL_BITS)
    }

    /// Returns whether entries above the lowest table may map pages.
    pub fn has_huge_pages(&self) -> bool {
        self.leaf_levels.iter().any(|level| *level > Level::LOWEST)
    }

    /// Returns log2 of the bytes of an entry.
    pub fn entry_shift(&self) -> u32 {
        self.entry_bytes.trailing_zeros()
    }

    /// Returns the bytes of the largest table, in whole pages of the smallest size.
    pub fn table_bytes(&self) -> u64 {
        let most = self.index_bits.iter().copied().max().unwrap_or_default();
        let bytes = u64::from(self.entry_bytes) << most;
        bytes.next_multiple_of(1 << self.offset_bits)
    }

    /// Checks the fields about entries, after the geometry.
    ///
    /// # Errors
    /// `bad-config` at the field.
    pub(super) fn check_entries(&self) -> Result<()> {
        if ![1, 2, 4, 8].contains(&self.entry_bytes) {
            let message = format!("{} bytes: an entry has 1, 2, 4 or 8", self.entry_bytes);
            return Err(Error::config("entry_bytes", message));
        }
        let least = self.offset_bits + 1;
        if let Some(bits) = self.physical_bits
            && !(least..=MAX_PHYSICAL_BITS).contains(&bits)
        {
            let message = format!(
                "{bits} bits: must be {least} to {MAX_PHYSICAL_BITS}, so that memory has at least two frames"
            );
            return Err(Error::config("physical_bits", message));
        }
        self.check_table_names()?;
        match self.entry_format() {
            Some(format) => self.check_format(format),
            None if self.entry_bytes == 8 => Ok(()),
            None => {
                let message = format!(
                    "entries of this geometry have 8 bytes, not {}: give a format to have other entries",
                    self.entry_bytes
                );
                Err(Error::config("entry_bytes", message))
            }
        }
    }

    fn check_table_names(&self) -> Result<()> {
        let (names, n) = (&self.tables, self.index_bits.len());
        if names.is_empty() {
            return Ok(());
        }
        if names.len() != n {
            let message = format!(
                "has {} names for {n} levels: give one for each, the root first",
                names.len()
            );
            return Err(Error::config("tables", message));
        }
        for (at, name) in names.iter().enumerate() {
            let field = format!("tables[{at}]");
            if name.trim().is_empty() || name.chars().count() > MAX_NAME {
                let message = format!("must be a name of 1 to {MAX_NAME} characters");
                return Err(Error::config(field, message));
            }
            if names[..at].contains(name) {
                let message = format!("`{name}` is already the name of a table: give another one");
                return Err(Error::config(field, message));
            }
        }
        Ok(())
    }

    fn check_format(&self, format: EntryFormat) -> Result<()> {
        let wrong = |field: &str, message: String| Err(Error::config(field, message));
        let name = format.name();
        if !self.contiguous.is_empty() {
            return wrong(
                "format",
                format!("{name} entries have no contiguous bit: leave one out"),
            );
        }
        let needs = |is_met: bool, field: &str, what: &str| {
            if is_met { Ok(()) } else { Err(Error::config(field, format!("{name} needs {what}"))) }
        };
        let bits = self.index_bits.as_slice();
        match format {
            EntryFormat::X86Bits32 => {
                needs(self.offset_bits == 12, "offset_bits", "pages of 4K: give 12")?;
                needs(bits == [10, 10], "index_bits", "two levels of 10 bits: give [10, 10]")?;
                needs(self.entry_bytes == 4, "entry_bytes", "entries of 4 bytes: give 4")?;
            }
            EntryFormat::RiscV => {
                needs(self.offset_bits == 12, "offset_bits", "pages of 4K: give 12")?;
                let each = if self.entry_bytes == 4 { 10 } else { 9 };
                let is_met = self.entry_bytes >= 4 && bits.iter().all(|b| *b == each);
                let what = "entries of 8 bytes with 9 bits a level, or of 4 bytes with 10";
                needs(is_met, "entry_bytes", what)?;
            }
            EntryFormat::ValidBit if self.has_huge_pages() => {
                let message = "valid-bit entries do not say which of them map huge pages: give [1]";
                return wrong("leaf_levels", message.to_owned());
            }
            EntryFormat::ValidBit | EntryFormat::Simple => {}
        }
        let room = 8 * u32::from(self.entry_bytes)
            - format.frame_shift(self.has_huge_pages()).min(8 * u32::from(self.entry_bytes))
            - format.bits_above();
        // RISC-V reserves the highest 10 bits of 8 bytes.
        let room = if format == EntryFormat::RiscV { room.min(44) } else { room };
        let needed = u32::from(self.physical_width()) - u32::from(self.offset_bits);
        if needed <= room {
            return Ok(());
        }
        let field = if self.physical_bits.is_some() { "entry_bytes" } else { "physical_bits" };
        let message = format!(
            "a frame number of {needed} bits does not fit in {name} entries of {} bytes, which have room for {room}: \
             give larger entries, or physical_bits of at most {}",
            self.entry_bytes,
            room + u32::from(self.offset_bits)
        );
        wrong(field, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(paging: &str, expected: &Expect) {
        let paging: Paging = serde_json::from_str(paging).unwrap();
        let text = match paging.resolve(&crate::small_map::SmallMap::default()) {
            Ok(paging) => format!(
                "{:?}, {} bits, tables of {} bytes",
                paging.entry_format(),
                paging.physical_width(),
                paging.table_bytes()
            ),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn machines_say_how_large_their_entries_are() {
        check("{}", &expect!["None, 52 bits, tables of 4096 bytes"]);
        check(
            r#"{"offset_bits": 6, "index_bits": [8], "entry_bytes": 2, "physical_bits": 12}"#,
            &expect!["Some(Simple), 12 bits, tables of 512 bytes"],
        );
        check(
            r#"{"offset_bits": 5, "index_bits": [5, 5], "leaf_levels": [1], "entry_bytes": 1, "physical_bits": 12, "format": "valid-bit"}"#,
            &expect!["Some(ValidBit), 12 bits, tables of 32 bytes"],
        );
        check(
            r#"{"index_bits": [10, 10], "entry_bytes": 4, "physical_bits": 32, "format": "x86-32"}"#,
            &expect!["Some(X86Bits32), 32 bits, tables of 4096 bytes"],
        );
        check(
            r#"{"index_bits": [9, 9, 9], "physical_bits": 56, "format": "risc-v"}"#,
            &expect!["Some(RiscV), 56 bits, tables of 4096 bytes"],
        );
    }

    #[test]
    fn contradictions_are_errors() {
        check(
            r#"{"entry_bytes": 3}"#,
            &expect!["paging.entry_bytes: 3 bytes: an entry has 1, 2, 4 or 8"],
        );
        check(
            r#"{"entry_bytes": 4}"#,
            &expect![
                "paging.entry_bytes: entries of this geometry have 8 bytes, not 4: give a format to have other entries"
            ],
        );
        check(
            r#"{"physical_bits": 12}"#,
            &expect![
                "paging.physical_bits: 12 bits: must be 13 to 56, so that memory has at least two frames"
            ],
        );
        check(
            r#"{"physical_bits": 57}"#,
            &expect![
                "paging.physical_bits: 57 bits: must be 13 to 56, so that memory has at least two frames"
            ],
        );
        check(
            r#"{"tables": ["PD", "PT"]}"#,
            &expect!["paging.tables: has 2 names for 4 levels: give one for each, the root first"],
        );
        check(
            r#"{"index_bits": [9, 9], "tables": ["PT", "PT"]}"#,
            &expect!["paging.tables[1]: `PT` is already the name of a table: give another one"],
        );
        check(
            r#"{"index_bits": [9, 9], "tables": ["PT", " "]}"#,
            &expect!["paging.tables[1]: must be a name of 1 to 16 characters"],
        );
        check(
            r#"{"format": "x86-32"}"#,
            &expect!["paging.index_bits: x86-32 needs two levels of 10 bits: give [10, 10]"],
        );
        check(
            r#"{"index_bits": [10, 10], "format": "x86-32"}"#,
            &expect!["paging.entry_bytes: x86-32 needs entries of 4 bytes: give 4"],
        );
        check(
            r#"{"index_bits": [10, 10], "entry_bytes": 4, "format": "x86-32"}"#,
            &expect![
                "paging.physical_bits: a frame number of 40 bits does not fit in x86-32 entries of 4 bytes, which have room for 20: give larger entries, or physical_bits of at most 32"
            ],
        );
        check(
            r#"{"index_bits": [10, 10], "format": "risc-v"}"#,
            &expect![
                "paging.entry_bytes: risc-v needs entries of 8 bytes with 9 bits a level, or of 4 bytes with 10"
            ],
        );
        check(
            r#"{"contiguous": {"4K": 16}, "format": "simple"}"#,
            &expect!["paging.format: simple entries have no contiguous bit: leave one out"],
        );
        check(
            r#"{"index_bits": [9, 9], "format": "valid-bit", "leaf_levels": [1, 2]}"#,
            &expect![
                "paging.leaf_levels: valid-bit entries do not say which of them map huge pages: give [1]"
            ],
        );
        check(
            r#"{"offset_bits": 6, "index_bits": [8], "entry_bytes": 1, "physical_bits": 12}"#,
            &expect![
                "paging.entry_bytes: a frame number of 6 bits does not fit in simple entries of 1 bytes, which have room for 3: give larger entries, or physical_bits of at most 9"
            ],
        );
    }
}
