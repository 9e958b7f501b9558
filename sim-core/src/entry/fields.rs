//! An entry as a list of named fields, from bit 63 down to bit 0.

use serde::Serialize;

use super::{Format, PRESENT, SHARED};
use pagewalk_base::addr::{Hex, Level, TableFormat};

/// The meaning of the bit [`SHARED`].
pub(crate) const COPIED: &str = "the system's mark: the page is copied when it is written";

/// A field of a page-table entry: neighbouring bits, and their meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FieldView {
    /// The name of the field, such as `P`, `W` or `frame 51:12`.
    pub name: String,
    /// The number of the highest bit of the field.
    pub high: u8,
    /// The number of the lowest bit of the field.
    pub low: u8,
    /// The bits of the field, shifted down by `low`.
    pub value: Hex,
    pub meaning: String,
    /// Whether the field is an address: a frame, or the next table.
    pub address: bool,
    /// Whether the field has a reserved bit that is not 0. A walk that reads it ends with a page fault.
    pub violated: bool,
}

impl Format {
    /// Returns the fields of an entry. Together they cover every bit once.
    pub(crate) fn fields(&self, entry: u64) -> Vec<FieldView> {
        if let Some(own) = self.own {
            return own.fields(self, entry);
        }
        if self.tables == TableFormat::Arm {
            return self.arm_fields(entry);
        }
        let present = entry & PRESENT != 0;
        let rows = if present { self.rows(self.is_leaf(entry)) } else { self.rows_if_absent() };
        let reserved = self.reserved(entry);
        rows.into_iter()
            .map(|row| {
                let is_marked = row.high == 11 && row.name == "avl" && entry & SHARED != 0;
                let meaning = if is_marked { COPIED } else { row.meaning };
                view(Row { meaning, ..row }, entry, reserved)
            })
            .collect()
    }

    fn rows(&self, leaf: bool) -> Vec<Row> {
        let low = u8::try_from(self.address_low(leaf)).expect("below 64");
        let top = if self.tables == TableFormat::X86 { self.modes.physical_bits - 1 } else { 51 };
        let no_execute = if self.modes.no_execute || self.tables != TableFormat::X86 {
            "execute disable: instructions are not fetched from here"
        } else {
            "reserved, 0, as EFER.NXE is off"
        };
        let mut rows = vec![row("XD", 63, 63, no_execute)];
        rows.push(match (leaf, self.modes.keys) {
            (true, true) => row("key", 62, 59, "protection key"),
            (true, false) => row("key", 62, 59, "ignored, as CR4.PKE is off"),
            (false, _) => row("62:59", 62, 59, "ignored"),
        });
        if leaf && self.grouped {
            rows.push(row("avl", 58, 53, "free for the OS"));
            rows.push(row(
                "cont",
                52,
                52,
                "contiguous: the entries around it map one page with it",
            ));
        } else {
            rows.push(row("avl", 58, 52, "free for the OS"));
        }
        if top < 51 {
            rows.push(row(
                &format!("51:{}", top + 1),
                51,
                top + 1,
                "reserved, 0: beyond MAXPHYADDR",
            ));
        }
        let (name, meaning) = if leaf {
            ("frame", "number of the page in physical memory")
        } else {
            ("table", "where the next table is, in 4K")
        };
        rows.push(Row { address: true, ..row(&format!("{name} {top}:{low}"), top, low, meaning) });
        rows.extend(if leaf { self.leaf_rows(low) } else { self.table_rows() });
        rows.extend([
            row("PCD", 4, 4, "page-level cache disable"),
            row("PWT", 3, 3, "page-level write-through"),
            row("U", 2, 2, "user code may use it"),
            row("W", 1, 1, "may be written"),
            row("P", 0, 0, "present"),
        ]);
        rows
    }

    /// Returns bits 11 to 5 of an entry that leads to a table.
    fn table_rows(&self) -> Vec<Row> {
        let size = if self.maps {
            row("PS", 7, 7, "page size: 0, this entry points to a table")
        } else {
            row("PS", 7, 7, "reserved, 0: no page has this size")
        };
        vec![
            row("avl", 11, 8, "free for the OS"),
            size,
            row("–", 6, 6, "ignored: only a page can be dirty"),
            row("A", 5, 5, "accessed: a walk went through here"),
        ]
    }

    /// Returns the bits below the frame of a page, down to 5.
    fn leaf_rows(&self, low: u8) -> Vec<Row> {
        let large = self.level > Level::LOWEST;
        let mut rows = Vec::new();
        if large && low > 13 {
            rows.push(row(&format!("{}:13", low - 1), low - 1, 13, "reserved, 0"));
        }
        if large && low > 12 {
            rows.push(row("PAT", 12, 12, "memory type"));
        }
        rows.extend([
            row("avl", 11, 9, "free for the OS"),
            row("G", 8, 8, "global: survives a change of address space"),
            if large {
                row("PS", 7, 7, "page size: 1, this entry maps a page")
            } else {
                row("PAT", 7, 7, "memory type")
            },
            row("D", 6, 6, "dirty: the page was written"),
            row("A", 5, 5, "accessed: the page was used"),
        ]);
        rows
    }

    #[expect(clippy::unused_self, reason = "a method like the others")]
    fn rows_if_absent(&self) -> Vec<Row> {
        vec![
            row("63:1", 63, 1, "ignored, as the entry is not present: free for the OS"),
            row("P", 0, 0, "present: 0, a walk ends here with a page fault"),
        ]
    }
}

pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) high: u8,
    pub(crate) low: u8,
    pub(crate) meaning: &'static str,
    pub(crate) address: bool,
}

pub(crate) fn row(name: &str, high: u8, low: u8, meaning: &'static str) -> Row {
    Row { name: name.to_owned(), high, low, meaning, address: false }
}

/// Returns the field of a value that a row describes. `reserved` has the bits that must be 0.
pub(crate) fn view(
    Row { name, high, low, meaning, address }: Row,
    value: u64,
    reserved: u64,
) -> FieldView {
    let bits = value << (63 - high) >> (63 - high) >> low;
    let mask = u64::MAX << (63 - high) >> (63 - high) >> low << low;
    let violated = value & mask & reserved != 0;
    let meaning = meaning.to_owned();
    FieldView { name, high, low, value: Hex(bits), meaning, address, violated }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Modes;
    use expect_test::{Expect, expect};
    use pagewalk_base::addr::Paging;

    /// Compares the nonzero fields with `expected`, with a mark at those that break a rule.
    #[track_caller]
    fn check(level: u8, modes: Modes, entry: u64, expected: &Expect) {
        let fields = Format::new(&Paging::x86(4), Level::new(level), modes).fields(entry);
        let mut next = 64;
        for field in &fields {
            assert_eq!(field.high + 1, next, "{fields:?}");
            next = field.low;
        }
        assert_eq!(next, 0);
        let shown = fields.iter().filter(|field| field.value.0 != 0).map(|field| {
            let mark = if field.violated { " !" } else { "" };
            format!("{}={}{mark}", field.name, field.value)
        });
        expected.assert_eq(&shown.collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn the_worked_example_is_read_as_it_was_written() {
        let modes = Modes::default();
        check(4, modes, 0x2b4_d067, &expect!["table 51:12=0x2b4d –=0x1 A=0x1 U=0x1 W=0x1 P=0x1"]);
        check(
            1,
            modes,
            0x8000_0000_1388_b067,
            &expect!["XD=0x1 frame 51:12=0x1388b D=0x1 A=0x1 U=0x1 W=0x1 P=0x1"],
        );
    }

    #[test]
    fn large_pages_have_their_frame_above_reserved_bits() {
        let modes = Modes { physical_bits: 46, ..Modes::default() };
        check(
            2,
            modes,
            0x5000_0000_0040_31e7,
            &expect![
                "key=0xa frame 45:21=0x2 20:13=0x1 ! PAT=0x1 G=0x1 PS=0x1 D=0x1 A=0x1 U=0x1 W=0x1 P=0x1"
            ],
        );
        check(
            3,
            modes,
            0x0008_0000_4000_0087,
            &expect!["51:46=0x20 ! frame 45:30=0x1 PS=0x1 U=0x1 W=0x1 P=0x1"],
        );
        check(4, modes, 0x1087, &expect!["table 45:12=0x1 PS=0x1 ! U=0x1 W=0x1 P=0x1"]);
    }

    #[test]
    fn an_entry_that_is_not_present_means_nothing() {
        check(2, Modes::default(), 0xdead_0000, &expect!["63:1=0x6f568000"]);
    }

    #[test]
    fn execute_disable_breaks_a_rule_without_nxe() {
        let modes = Modes { no_execute: false, keys: false, physical_bits: 52 };
        check(1, modes, 1 << 63 | 0x1001, &expect!["XD=0x1 ! frame 51:12=0x1 P=0x1"]);
    }
}
