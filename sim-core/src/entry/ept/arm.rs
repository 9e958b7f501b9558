//! Shows simulated host entries as an Arm processor has them: as descriptors of VMSAv8-64, stage 2 (Arm
//! Architecture Reference Manual, D8.3). Hardware manages the accessed and dirty flags.
//!
//! ```text
//! table   valid 1, type 1        next table          no attributes
//! block   valid 1, type 0        memory, attributes  above level 3
//! page    valid 1, type 1        memory, attributes  level 3
//! ```

use super::{ACCESSED, ADDRESS, DIRTY, EXECUTE, Format, READ, RIGHTS, TYPE, TYPE_AT, WRITE};
use crate::entry::{CONTIGUOUS, COPIED, FieldView, Row, SHARED, row, view};
use pagewalk_base::addr::{Level, TableFormat};

const VALID: u64 = 1;
/// Bit 1 is 1 in a descriptor that leads to a table or maps a page at level 3. It is 0 in a block.
const TABLE_OR_PAGE: u64 = 1 << 1;
const MEMORY_AT: u32 = 2;
/// S2AP\[0\]: reads are allowed.
const MAY_READ: u64 = 1 << 6;
/// S2AP\[1\]: writes are allowed. If DBM is set: the page is dirty.
const MAY_WRITE: u64 = 1 << 7;
const INNER_SHAREABLE: u64 = 3 << 8;
const ACCESS_FLAG: u64 = 1 << 10;
const DIRTY_BIT_MODIFIER: u64 = 1 << 51;
/// XN\[1\]: instruction fetches are not allowed.
const NO_EXECUTE: u64 = 1 << 54;
/// A bit for software. The simulated host sets it for a page that is copied when it is written.
const SOFTWARE_SHARED: u64 = 1 << 55;

impl Format {
    /// Returns the value of an entry in the format of the processor.
    pub(crate) fn shown(self, entry: u64) -> u64 {
        if self.tables == TableFormat::Arm { self.descriptor(entry) } else { entry }
    }

    fn descriptor(self, entry: u64) -> u64 {
        if entry & RIGHTS == 0 {
            return 0;
        }
        let address = entry & ADDRESS;
        if !self.is_leaf(entry) {
            return address | VALID | TABLE_OR_PAGE;
        }
        let has = |flag: u64| entry & flag != 0;
        let bit = |on: bool, flag: u64| if on { flag } else { 0 };
        address
            | VALID
            | bit(self.level == Level::LOWEST, TABLE_OR_PAGE)
            | memory_of(entry) << MEMORY_AT
            | bit(has(READ), MAY_READ)
            | bit(has(WRITE) && has(DIRTY), MAY_WRITE)
            | INNER_SHAREABLE
            | bit(has(ACCESSED), ACCESS_FLAG)
            | bit(has(WRITE), DIRTY_BIT_MODIFIER)
            | entry & CONTIGUOUS
            | bit(!has(EXECUTE), NO_EXECUTE)
            | bit(has(SHARED), SOFTWARE_SHARED)
    }

    /// Returns the fields of the descriptor.
    pub(super) fn arm_fields(self, entry: u64) -> Vec<FieldView> {
        let value = self.descriptor(entry);
        let rows = if value & VALID == 0 {
            vec![
                row("63:1", 63, 1, "ignored, as the descriptor is not valid: free for the host"),
                row("V", 0, 0, "valid: 0, a walk ends here with a stage 2 fault"),
            ]
        } else if self.is_leaf(entry) {
            self.leaf_descriptor(value)
        } else {
            table_descriptor()
        };
        rows.into_iter().map(|row| view(row, value, 0)).collect()
    }

    fn leaf_descriptor(self, value: u64) -> Vec<Row> {
        let low = u8::try_from(self.shift.max(12)).unwrap_or(12);
        let kind = if self.level == Level::LOWEST {
            "type: 1, this descriptor maps a page"
        } else {
            "type: 0, this descriptor maps a block"
        };
        let software = if value & SOFTWARE_SHARED != 0 { COPIED } else { "free for the host" };
        let memory = match value >> MEMORY_AT & 0b1111 {
            0b0000 => "memory type: device",
            0b0101 => "memory type: normal, not cacheable",
            0b1010 => "memory type: normal, write-through",
            0b1111 => "memory type: normal, write-back",
            _ => "memory type: reserved",
        };
        let mut rows = vec![
            row("63:59", 63, 59, "ignored, or implementation defined"),
            row("sw", 58, 55, software),
            row("XN", 54, 53, "execute never: 2, instruction fetches are not allowed"),
            row("cont", 52, 52, "contiguous: the entries around it map one page with it"),
            row("DBM", 51, 51, "dirty bit modifier: a write sets S2AP[1], and may go on"),
            row("50:48", 50, 48, "reserved"),
            Row {
                address: true,
                ..row(&format!("frame 47:{low}"), 47, low, "where the page is in physical memory")
            },
        ];
        if low > 12 {
            rows.push(row(&format!("{}:12", low - 1), low - 1, 12, "reserved, 0"));
        }
        rows.extend([
            row("11", 11, 11, "reserved, or implementation defined"),
            row("AF", 10, 10, "access flag: the page was used"),
            row("SH", 9, 8, "shareability: 3 = inner shareable"),
            row("W", 7, 7, "S2AP[1]: may be written; 0 where DBM is 1: not written yet"),
            row("R", 6, 6, "S2AP[0]: may be read"),
            row("Attr", 5, 2, memory),
            row("T", 1, 1, kind),
            row("V", 0, 0, "valid"),
        ]);
        rows
    }
}

fn table_descriptor() -> Vec<Row> {
    vec![
        row("63:48", 63, 48, "ignored, or reserved"),
        Row { address: true, ..row("table 47:12", 47, 12, "where the next table is") },
        row("11:2", 11, 2, "ignored, or reserved"),
        row("T", 1, 1, "type: 1, this descriptor leads to a table"),
        row("V", 0, 0, "valid"),
    ]
}

/// Returns the field `MemAttr` for a memory type (D8.6, without `FEAT_S2FWB`).
fn memory_of(entry: u64) -> u64 {
    match (entry & TYPE) >> TYPE_AT {
        0 => 0b0000,
        1 => 0b0101,
        4 | 5 => 0b1010,
        6 => 0b1111,
        _ => 0b0100,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LARGE, Modes, WRITE_BACK};
    use super::*;
    use expect_test::{Expect, expect};
    use pagewalk_base::addr::Paging;

    /// Compares the descriptor and its nonzero fields with `expected`. Also checks that the fields together
    /// cover every bit once.
    #[track_caller]
    fn check(level: u8, entry: u64, expected: &Expect) {
        let paging: Paging = serde_json::from_str(r#"{"contiguous": {"4K": 16}}"#).unwrap();
        let paging = paging.resolve(&pagewalk_base::small_map::SmallMap::default()).unwrap();
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

    const PAGE: u64 = 0x12_3450_0000 | RIGHTS | WRITE_BACK;

    #[test]
    fn a_page_of_the_guest_is_clean_until_it_is_written() {
        check(
            1,
            PAGE | ACCESSED,
            &expect![
                "0x800123450077f: DBM 0x1, frame 47:12 0x1234500, AF 0x1, SH 0x3, R 0x1, Attr 0xf, T 0x1, V 0x1"
            ],
        );
        check(
            1,
            PAGE | ACCESSED | DIRTY,
            &expect![
                "0x80012345007ff: DBM 0x1, frame 47:12 0x1234500, AF 0x1, SH 0x3, W 0x1, R 0x1, Attr 0xf, T 0x1, V 0x1"
            ],
        );
    }

    #[test]
    fn a_block_has_another_type_and_a_contiguous_one_its_bit() {
        check(
            2,
            PAGE | ACCESSED | LARGE,
            &expect![
                "0x800123450077d: DBM 0x1, frame 47:21 0x91a2, 20:12 0x100, AF 0x1, SH 0x3, R 0x1, Attr 0xf, V 0x1"
            ],
        );
        check(
            1,
            PAGE | ACCESSED | CONTIGUOUS,
            &expect![
                "0x1800123450077f: cont 0x1, DBM 0x1, frame 47:12 0x1234500, AF 0x1, SH 0x3, R 0x1, Attr 0xf, T 0x1, V 0x1"
            ],
        );
    }

    #[test]
    fn the_bits_of_stage_2_show_missing_rights() {
        check(
            1,
            PAGE & !(WRITE | EXECUTE),
            &expect![
                "0x4000123450037f: XN 0x2, frame 47:12 0x1234500, SH 0x3, R 0x1, Attr 0xf, T 0x1, V 0x1"
            ],
        );
        check(1, PAGE & !RIGHTS, &expect!["0x0: "]);
    }

    #[test]
    fn a_table_has_no_attributes() {
        check(
            3,
            0x4c0_f000 | RIGHTS | ACCESSED,
            &expect!["0x4c0f003: table 47:12 0x4c0f, T 0x1, V 0x1"],
        );
    }
}
