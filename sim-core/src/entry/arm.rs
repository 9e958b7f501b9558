//! Shows simulated entries as an Arm processor has them: as descriptors of VMSAv8-64, stage 1 (Arm Architecture
//! Reference Manual, D8.3). Hardware manages the accessed and dirty flags, as Linux configures it.
//!
//! ```text
//! table   valid 1, type 1        next table          levels −1 to 2
//! block   valid 1, type 0        memory, attributes  above level 3
//! page    valid 1, type 1        memory, attributes  level 3
//! ```

use super::fields::{COPIED, FieldView, Row, row, view};
use super::{
    ACCESSED, ADDRESS, CONTIGUOUS, DIRTY, Format, GLOBAL, NO_EXECUTE, PRESENT, SHARED, USER,
    WRITABLE,
};
use pagewalk_base::addr::{Level, TableFormat};

const VALID: u64 = 1;
/// Bit 1 is 1 in a descriptor that leads to a table or maps a page at level 3. It is 0 in a block.
const TABLE_OR_PAGE: u64 = 1 << 1;
/// AP\[1\]: user programs may access the page.
const AP_USER: u64 = 1 << 6;
/// AP\[2\]: the page is read-only. If DBM is set: the page is writable and clean.
const AP_READ_ONLY: u64 = 1 << 7;
const INNER_SHAREABLE: u64 = 3 << 8;
const ACCESS_FLAG: u64 = 1 << 10;
const NOT_GLOBAL: u64 = 1 << 11;
const DIRTY_BIT_MODIFIER: u64 = 1 << 51;
const PRIVILEGED_NEVER: u64 = 1 << 53;
const USER_NEVER: u64 = 1 << 54;
/// A bit for software. Linux sets it for a page that is dirty and has become read-only.
const SOFTWARE_DIRTY: u64 = 1 << 55;
/// A bit for software. The simulated OS sets it for a page that is copied when it is written.
const SOFTWARE_SHARED: u64 = 1 << 56;

impl Format {
    /// Returns the value of an entry in the format of the processor.
    pub(crate) fn shown(&self, entry: u64) -> u64 {
        match (self.own, self.tables) {
            (Some(own), _) => own.value(self, entry),
            (None, TableFormat::Arm) => self.descriptor(entry),
            (None, _) => entry,
        }
    }

    fn descriptor(&self, entry: u64) -> u64 {
        if entry & PRESENT == 0 {
            return 0;
        }
        let address = entry & ADDRESS;
        if !self.is_leaf(entry) {
            return address | VALID | TABLE_OR_PAGE;
        }
        let has = |flag: u64| entry & flag != 0;
        let bit = |on: bool, flag: u64| if on { flag } else { 0 };
        let is_dirty = has(WRITABLE) && has(DIRTY);
        address
            | VALID
            | bit(self.level == Level::LOWEST, TABLE_OR_PAGE)
            | bit(has(USER), AP_USER)
            | bit(!is_dirty, AP_READ_ONLY)
            | INNER_SHAREABLE
            | bit(has(ACCESSED), ACCESS_FLAG)
            | bit(!has(GLOBAL), NOT_GLOBAL)
            | bit(has(WRITABLE), DIRTY_BIT_MODIFIER)
            | entry & CONTIGUOUS
            | bit(has(USER), PRIVILEGED_NEVER)
            | bit(has(NO_EXECUTE), USER_NEVER)
            | bit(has(DIRTY) && !has(WRITABLE), SOFTWARE_DIRTY)
            | bit(has(SHARED), SOFTWARE_SHARED)
            | (entry >> 59 & 0xf) << 60
    }

    /// Returns the fields of the descriptor.
    pub(super) fn arm_fields(&self, entry: u64) -> Vec<FieldView> {
        let value = self.descriptor(entry);
        let rows = if value & VALID == 0 {
            vec![
                row("63:1", 63, 1, "ignored, as the descriptor is not valid: free for the OS"),
                row("V", 0, 0, "valid: 0, a walk ends here with a translation fault"),
            ]
        } else if self.is_leaf(entry) {
            self.leaf_descriptor(value)
        } else {
            self.table_descriptor()
        };
        rows.into_iter().map(|row| view(row, value, 0)).collect()
    }

    fn table_descriptor(&self) -> Vec<Row> {
        let low = u8::try_from(self.offset_bits.max(12)).unwrap_or(12);
        let mut rows = vec![
            row("NST", 63, 63, "NSTable: the next tables are in non-secure memory"),
            row("APT", 62, 61, "APTable: limits what all entries below allow"),
            row("UXNT", 60, 60, "UXNTable: no fetches by programs below here"),
            row("PXNT", 59, 59, "PXNTable: no fetches by the system below here"),
            row("58:48", 58, 48, "ignored, or reserved"),
            Row {
                address: true,
                ..row(&format!("table 47:{low}"), 47, low, "where the next table is")
            },
        ];
        rows.push(row(&format!("{}:2", low - 1), low - 1, 2, "ignored, or reserved"));
        rows.extend([
            row("T", 1, 1, "type: 1, this descriptor leads to a table"),
            row("V", 0, 0, "valid"),
        ]);
        rows
    }

    fn leaf_descriptor(&self, value: u64) -> Vec<Row> {
        let low = u8::try_from(self.shift.max(12)).unwrap_or(12);
        let kind = if self.level == Level::LOWEST {
            "type: 1, this descriptor maps a page"
        } else {
            "type: 0, this descriptor maps a block"
        };
        let software = if value & SOFTWARE_SHARED != 0 { COPIED } else { "free for the OS" };
        let mut rows = vec![
            row("key", 63, 60, "permission overlay index"),
            row("59", 59, 59, "implementation defined"),
            row("sw", 58, 55, software),
            row("UXN", 54, 54, "programs do not fetch instructions from here"),
            row("PXN", 53, 53, "the system does not fetch instructions from here"),
            row("cont", 52, 52, "contiguous: the entries around it map one page with it"),
            row("DBM", 51, 51, "dirty bit modifier: a write clears AP[2], and may go on"),
            row("50:48", 50, 48, "guarded page, or reserved"),
            Row {
                address: true,
                ..row(&format!("frame 47:{low}"), 47, low, "where the page is in physical memory")
            },
        ];
        if low > 12 {
            rows.push(row(&format!("{}:12", low - 1), low - 1, 12, "reserved, 0"));
        }
        rows.extend([
            row("nG", 11, 11, "not global: valid in one address space, identified by its ASID"),
            row("AF", 10, 10, "access flag: the page was used"),
            row("SH", 9, 8, "shareability: 3 = inner shareable"),
            row("AP2", 7, 7, "AP[2]: read-only; where DBM is 1: not written yet"),
            row("AP1", 6, 6, "AP[1]: programs may use it"),
            row("NS", 5, 5, "non-secure"),
            row("Attr", 4, 2, "memory type, by its index"),
            row("T", 1, 1, kind),
            row("V", 0, 0, "valid"),
        ]);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Modes, PAGE};
    use super::*;
    use expect_test::{Expect, expect};
    use pagewalk_base::addr::Paging;

    const GRANULE_4K: &str = r#"{"contiguous": {"4K": 16}}"#;
    const GRANULE_16K: &str = r#"{"offset_bits": 14, "index_bits": [1, 11, 11, 11], "leaf_levels": [1, 2], "contiguous": {"16K": 128}}"#;

    /// Compares the descriptor and its nonzero fields with `expected`. Also checks that the fields together
    /// cover every bit once.
    #[track_caller]
    fn check(paging: &str, level: u8, entry: u64, expected: &Expect) {
        let mut paging: Paging = serde_json::from_str(paging).unwrap();
        paging = paging.resolve(&pagewalk_base::small_map::SmallMap::default()).unwrap();
        let format = Format::new(&paging, Level::new(level), Modes::default());
        let fields = format.fields(entry);
        let mut next = 64;
        for field in &fields {
            assert_eq!(field.high + 1, next, "{fields:?}");
            next = field.low;
        }
        assert_eq!(next, 0);
        let set = fields.iter().filter(|field| field.value.0 != 0);
        let set: Vec<String> = set.map(|field| format!("{} {}", field.name, field.value)).collect();
        expected.assert_eq(&format!("{:#x}: {}", format.shown(entry), set.join(", ")));
    }

    const PAGE_OF_PROGRAM: u64 = 0x12_3450_0000 | PRESENT | WRITABLE | USER;

    #[test]
    fn a_page_is_clean_until_it_is_written() {
        check(
            GRANULE_4K,
            1,
            PAGE_OF_PROGRAM | ACCESSED,
            &expect![
                "0x28001234500fc3: PXN 0x1, DBM 0x1, frame 47:12 0x1234500, nG 0x1, AF 0x1, SH 0x3, AP2 0x1, AP1 0x1, T 0x1, V 0x1"
            ],
        );
        check(
            GRANULE_4K,
            1,
            PAGE_OF_PROGRAM | ACCESSED | DIRTY,
            &expect![
                "0x28001234500f43: PXN 0x1, DBM 0x1, frame 47:12 0x1234500, nG 0x1, AF 0x1, SH 0x3, AP1 0x1, T 0x1, V 0x1"
            ],
        );
    }

    #[test]
    fn a_software_bit_marks_a_dirty_page_that_is_read_only() {
        let entry = (PAGE_OF_PROGRAM & !WRITABLE) | ACCESSED | DIRTY | SHARED;
        check(
            GRANULE_4K,
            1,
            entry,
            &expect![
                "0x1a0001234500fc3: sw 0x3, PXN 0x1, frame 47:12 0x1234500, nG 0x1, AF 0x1, SH 0x3, AP2 0x1, AP1 0x1, T 0x1, V 0x1"
            ],
        );
    }

    #[test]
    fn blocks_tables_and_nothing() {
        check(
            GRANULE_4K,
            2,
            0x12_3440_0000 | PRESENT | PAGE | NO_EXECUTE,
            &expect![
                "0x40001234400b81: UXN 0x1, frame 47:21 0x91a2, nG 0x1, SH 0x3, AP2 0x1, V 0x1"
            ],
        );
        check(
            GRANULE_4K,
            4,
            0x20_1000 | PRESENT | WRITABLE | USER | ACCESSED,
            &expect!["0x201003: table 47:12 0x201, T 0x1, V 0x1"],
        );
        check(
            GRANULE_16K,
            1,
            0x12_3440_0000 | PRESENT | CONTIGUOUS,
            &expect![
                "0x10001234400b83: cont 0x1, frame 47:14 0x48d100, nG 0x1, SH 0x3, AP2 0x1, T 0x1, V 0x1"
            ],
        );
        check(GRANULE_4K, 1, 0, &expect!["0x0: "]);
    }
}
