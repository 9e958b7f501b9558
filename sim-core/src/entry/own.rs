//! Shows simulated entries in the format of a teaching machine, of x86 with 32 bits, or of RISC-V.
//!
//! ```text
//! valid-bit   V  frame                          1, 2, 4 or 8 bytes
//! simple      frame  L  D A U W V               L only with huge pages
//! x86-32      frame  avl G PS D A PCD PWT U W P  4 bytes
//! risc-v      frame  RSW D A G U X W R V         4 or 8 bytes
//! ```

use super::fields::{COPIED, FieldView, Row, row, view};
use super::{
    ACCESSED, ADDRESS, DIRTY, Format, GLOBAL, NO_EXECUTE, PRESENT, SHARED, USER, WRITABLE,
};
use pagewalk_base::addr::{EntryFormat, Level, Paging};

/// A format with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Own {
    format: EntryFormat,
    /// The number of bits of an entry.
    bits: u8,
    /// The lowest and the highest bit of the frame number.
    frame: (u8, u8),
    has_huge_pages: bool,
}

impl Own {
    pub(super) fn new(paging: &Paging) -> Option<Self> {
        let format = paging.entry_format()?;
        let low = u8::try_from(format.frame_shift(paging.has_huge_pages())).unwrap_or_default();
        let width = match format {
            EntryFormat::X86Bits32 => 20,
            EntryFormat::RiscV if paging.entry_bytes == 8 => 44,
            EntryFormat::RiscV => 22,
            _ => paging.physical_width().saturating_sub(paging.offset_bits).max(1),
        };
        Some(Self {
            format,
            bits: 8 * paging.entry_bytes,
            frame: (low, low + width - 1),
            has_huge_pages: paging.has_huge_pages(),
        })
    }

    /// Returns the value of an entry in this format.
    pub(super) fn value(self, of: &Format, entry: u64) -> u64 {
        let has = |flag: u64| entry & flag != 0;
        let bit = |on: bool, number: u32| u64::from(on) << number;
        let frame = (entry & ADDRESS) >> of.offset_bits.max(12);
        let leaf = of.is_leaf(entry);
        let (present, large) = (has(PRESENT), leaf && of.level > Level::LOWEST);
        let number = frame << self.frame.0;
        match self.format {
            EntryFormat::ValidBit => number | bit(present, u32::from(self.bits) - 1),
            EntryFormat::Simple => {
                number
                    | bit(self.has_huge_pages && large, 5)
                    | bit(leaf && has(DIRTY), 4)
                    | bit(has(ACCESSED), 3)
                    | bit(has(USER), 2)
                    | bit(has(WRITABLE), 1)
                    | bit(present, 0)
            }
            EntryFormat::X86Bits32 => number | entry & 0xfff,
            EntryFormat::RiscV if !leaf => number | bit(present, 0),
            EntryFormat::RiscV => {
                number
                    | bit(has(SHARED), 8)
                    | bit(has(DIRTY), 7)
                    | bit(has(ACCESSED), 6)
                    | bit(has(GLOBAL), 5)
                    | bit(has(USER), 4)
                    | bit(present && !has(NO_EXECUTE), 3)
                    | bit(has(WRITABLE), 2)
                    | bit(present, 1)
                    | bit(present, 0)
            }
        }
    }

    /// Returns the fields of an entry, from its highest bit down. Together they cover every bit once.
    pub(super) fn fields(self, of: &Format, entry: u64) -> Vec<FieldView> {
        let value = self.value(of, entry);
        let rows = if entry & PRESENT == 0 {
            self.absent()
        } else if of.is_leaf(entry) {
            self.leaf(of, entry & SHARED != 0)
        } else {
            self.table()
        };
        rows.into_iter().map(|row| view(row, value, 0)).collect()
    }

    fn absent(self) -> Vec<Row> {
        let top = self.bits - 1;
        let valid = "valid: 0, a walk ends here with a page fault";
        let free = "ignored, as the entry is not valid: free for the OS";
        if self.format == EntryFormat::ValidBit {
            return vec![
                row("V", top, top, valid),
                row(&format!("{}:0", top - 1), top - 1, 0, free),
            ];
        }
        let name = if self.format == EntryFormat::X86Bits32 { "P" } else { "V" };
        vec![row(&format!("{top}:1"), top, 1, free), row(name, 0, 0, valid)]
    }

    /// Returns the bits above the frame number, and the frame number.
    fn upper(self, leaf: bool) -> Vec<Row> {
        let (low, high) = self.frame;
        let mut rows = Vec::new();
        let mut top = self.bits;
        if self.format == EntryFormat::ValidBit {
            top -= 1;
            rows.push(row("V", top, top, "valid"));
        }
        if self.format == EntryFormat::RiscV && self.bits == 64 {
            rows.push(row("N", 63, 63, "the entry belongs to a group that maps one page"));
            rows.push(row("PBMT", 62, 61, "memory type"));
            rows.push(row("60:54", 60, 54, "reserved, 0"));
            top = 54;
        }
        if high + 1 < top {
            rows.push(row("–", top - 1, high + 1, "not used: memory has no more frames"));
        }
        let (name, meaning) = if leaf {
            ("frame", "number of the page in physical memory")
        } else {
            ("table", "number of the frame where the next table is")
        };
        rows.push(Row {
            address: true,
            ..row(&format!("{name} {high}:{low}"), high, low, meaning)
        });
        rows
    }

    fn leaf(self, of: &Format, is_marked: bool) -> Vec<Row> {
        let large = of.level > Level::LOWEST;
        let mut rows = self.upper(true);
        match self.format {
            EntryFormat::ValidBit => {}
            EntryFormat::Simple => {
                if self.has_huge_pages {
                    rows.push(row(
                        "L",
                        5,
                        5,
                        if large { "large: maps a page" } else { "large: 0, not used here" },
                    ));
                }
                rows.push(row("D", 4, 4, "dirty: the page was written"));
                rows.push(row("A", 3, 3, "accessed: the page was used"));
                rows.extend(Self::simple_rights());
            }
            EntryFormat::X86Bits32 => {
                rows.push(row("avl", 11, 9, if is_marked { COPIED } else { "free for the OS" }));
                rows.push(row("G", 8, 8, "global: survives a change of address space"));
                rows.push(if large {
                    row("PS", 7, 7, "page size: 1, this entry maps a page")
                } else {
                    row("PAT", 7, 7, "memory type")
                });
                rows.push(row("D", 6, 6, "dirty: the page was written"));
                rows.push(row("A", 5, 5, "accessed: the page was used"));
                rows.extend(Self::x86_rights());
            }
            EntryFormat::RiscV => rows.extend([
                row("RSW", 9, 8, if is_marked { COPIED } else { "free for the OS" }),
                row("D", 7, 7, "dirty: the page was written"),
                row("A", 6, 6, "accessed: the page was used"),
                row("G", 5, 5, "global: valid in every address space"),
                row("U", 4, 4, "user code may use it"),
                row("X", 3, 3, "instructions may be fetched from here"),
                row("W", 2, 2, "may be written"),
                row("R", 1, 1, "may be read"),
                row("V", 0, 0, "valid"),
            ]),
        }
        rows
    }

    fn table(self) -> Vec<Row> {
        let mut rows = self.upper(false);
        match self.format {
            EntryFormat::ValidBit => {}
            EntryFormat::Simple => {
                if self.has_huge_pages {
                    rows.push(row("L", 5, 5, "large: 0, this entry leads to a table"));
                }
                rows.push(row("–", 4, 4, "not used: only a page can be dirty"));
                rows.push(row("A", 3, 3, "accessed: a walk went through here"));
                rows.extend(Self::simple_rights());
            }
            EntryFormat::X86Bits32 => {
                rows.push(row("avl", 11, 8, "free for the OS"));
                rows.push(row("PS", 7, 7, "page size: 0, this entry points to a table"));
                rows.push(row("–", 6, 6, "ignored: only a page can be dirty"));
                rows.push(row("A", 5, 5, "accessed: a walk went through here"));
                rows.extend(Self::x86_rights());
            }
            EntryFormat::RiscV => rows.extend([
                row("RSW", 9, 8, "free for the OS"),
                row("D A G U", 7, 4, "0: only a page has them"),
                row("XWR", 3, 1, "0: this entry leads to a table"),
                row("V", 0, 0, "valid"),
            ]),
        }
        rows
    }

    fn simple_rights() -> [Row; 3] {
        [
            row("U", 2, 2, "user code may use it"),
            row("W", 1, 1, "may be written"),
            row("V", 0, 0, "valid"),
        ]
    }

    fn x86_rights() -> [Row; 5] {
        [
            row("PCD", 4, 4, "page-level cache disable"),
            row("PWT", 3, 3, "page-level write-through"),
            row("U", 2, 2, "user code may use it"),
            row("W", 1, 1, "may be written"),
            row("P", 0, 0, "present"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Modes, PAGE};
    use super::*;
    use expect_test::{Expect, expect};

    const SMALL: &str =
        r#"{"offset_bits": 6, "index_bits": [8], "entry_bytes": 2, "physical_bits": 12}"#;
    const OSTEP: &str = r#"{"offset_bits": 5, "index_bits": [5, 5], "leaf_levels": [1], "entry_bytes": 1, "physical_bits": 12, "format": "valid-bit"}"#;
    const X86: &str =
        r#"{"index_bits": [10, 10], "entry_bytes": 4, "physical_bits": 32, "format": "x86-32"}"#;
    const SV39: &str = r#"{"index_bits": [9, 9, 9], "physical_bits": 56, "format": "risc-v"}"#;
    const USED: u64 = PRESENT | WRITABLE | USER | ACCESSED | DIRTY;

    /// Compares the value and its nonzero fields with `expected`. Also checks that the fields cover every bit once.
    #[track_caller]
    fn check(paging: &str, level: u8, entry: u64, expected: &Expect) {
        let mut paging: Paging = serde_json::from_str(paging).unwrap();
        paging = paging.resolve(&pagewalk_base::small_map::SmallMap::default()).unwrap();
        let format = Format::new(&paging, Level::new(level), Modes::default());
        let fields = format.fields(entry);
        let mut next = 8 * paging.entry_bytes;
        for field in &fields {
            assert_eq!(field.high + 1, next, "{fields:?}");
            next = field.low;
        }
        assert_eq!(next, 0);
        let set = fields.iter().filter(|field| field.value.0 != 0);
        let set: Vec<String> = set.map(|field| format!("{} {}", field.name, field.value)).collect();
        expected.assert_eq(&format!("{:#x}: {}", format.shown(entry), set.join(", ")));
    }

    #[test]
    fn small_machines_have_few_bits() {
        check(
            SMALL,
            1,
            0x0d << 12 | USED,
            &expect!["0x1bf: frame 10:5 0xd, D 0x1, A 0x1, U 0x1, W 0x1, V 0x1"],
        );
        check(SMALL, 1, 0, &expect!["0x0: "]);
        check(OSTEP, 2, 33 << 12 | PRESENT, &expect!["0xa1: V 0x1, table 6:0 0x21"]);
        check(OSTEP, 1, 0, &expect!["0x0: "]);
    }

    #[test]
    fn entries_of_32_bits_are_those_of_the_manual() {
        check(
            X86,
            2,
            0x20_1000 | PRESENT | WRITABLE | USER | ACCESSED,
            &expect!["0x201027: table 31:12 0x201, A 0x1, U 0x1, W 0x1, P 0x1"],
        );
        check(
            X86,
            2,
            0xc0_0000 | USED | PAGE,
            &expect!["0xc000e7: frame 31:12 0xc00, PS 0x1, D 0x1, A 0x1, U 0x1, W 0x1, P 0x1"],
        );
        check(
            X86,
            1,
            0xffff_f000 | USED | GLOBAL | SHARED,
            &expect![
                "0xfffff967: frame 31:12 0xfffff, avl 0x4, G 0x1, D 0x1, A 0x1, U 0x1, W 0x1, P 0x1"
            ],
        );
    }

    #[test]
    fn riscv_says_by_its_rights_what_maps_a_page() {
        check(
            SV39,
            3,
            0x20_1000 | PRESENT | WRITABLE | USER | ACCESSED,
            &expect!["0x80401: table 53:10 0x201, V 0x1"],
        );
        check(
            SV39,
            2,
            0x40_0000 | USED | PAGE | NO_EXECUTE,
            &expect!["0x1000d7: frame 53:10 0x400, D 0x1, A 0x1, U 0x1, W 0x1, R 0x1, V 0x1"],
        );
        check(
            SV39,
            1,
            0x1388_b000 | USED,
            &expect![
                "0x4e22cdf: frame 53:10 0x1388b, D 0x1, A 0x1, U 0x1, X 0x1, W 0x1, R 0x1, V 0x1"
            ],
        );
    }
}
