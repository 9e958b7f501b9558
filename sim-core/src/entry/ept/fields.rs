//! An EPT entry as a list of named fields, from bit 63 down to bit 0.

use super::{Format, LARGE, RIGHTS, TYPE, TYPE_AT};
use crate::entry::{COPIED, FieldView, SHARED};
use pagewalk_base::addr::{Hex, Level, TableFormat};

/// A row of the list: a name, the highest and the lowest bit, and the meaning of the bits.
type Row = (String, u8, u8, &'static str);

impl Format {
    /// Returns the fields of an entry. Together they cover every bit once.
    pub(crate) fn fields(self, entry: u64) -> Vec<FieldView> {
        if self.tables == TableFormat::Arm {
            return self.arm_fields(entry);
        }
        let rows = if entry & RIGHTS == 0 { self.rows_if_absent() } else { self.rows(entry) };
        let reserved = self.reserved(entry);
        let wrong = match self.misconfigured(entry) {
            Some(super::Fault::Rights) => RIGHTS,
            Some(super::Fault::Type) => TYPE,
            Some(super::Fault::Reserved) => reserved,
            None => 0,
        };
        let view = |(name, high, low, meaning): Row| {
            let bits = entry << (63 - high) >> (63 - high) >> low;
            let mask = u64::MAX << (63 - high) >> (63 - high) >> low << low;
            let meaning = if high == 11 && entry & SHARED != 0 { COPIED } else { meaning };
            FieldView {
                address: name.starts_with("frame") || name.starts_with("table"),
                name,
                high,
                low,
                value: Hex(bits),
                meaning: meaning.to_owned(),
                violated: entry & mask & wrong != 0,
            }
        };
        rows.into_iter().map(view).collect()
    }

    fn rows(self, entry: u64) -> Vec<Row> {
        let leaf = self.is_leaf(entry);
        let top = self.modes.physical_bits - 1;
        let mut rows = vec![if leaf {
            row("SVE", 63, 63, "suppress #VE: a violation here exits to the host")
        } else {
            row("63", 63, 63, "ignored")
        }];
        rows.push(row("avl", 62, 52, "free for the host"));
        if top < 51 {
            let name = format!("51:{}", top + 1);
            rows.push(row(&name, 51, top + 1, "reserved, 0: beyond MAXPHYADDR"));
        }
        let low = if leaf { u8::try_from(self.shift).expect("below 64") } else { 12 };
        rows.push(if leaf {
            row(&format!("frame {top}:{low}"), top, low, "number of the page in the host's memory")
        } else {
            row(&format!("table {top}:12"), top, 12, "where the next table is, in 4K")
        });
        if low > 12 {
            rows.push(row(&format!("{}:12", low - 1), low - 1, 12, "reserved, 0"));
        }
        rows.push(row("avl", 11, 10, "free for the host"));
        rows.extend(if leaf { self.leaf_rows(entry) } else { self.table_rows() });
        rows.extend([
            row("X", 2, 2, "instructions may be fetched"),
            row("W", 1, 1, "may be written"),
            row("R", 0, 0, "may be read"),
        ]);
        rows
    }

    fn leaf_rows(self, entry: u64) -> Vec<Row> {
        let kind = match (entry & TYPE) >> TYPE_AT {
            0 => "memory type: uncacheable",
            1 => "memory type: write combining",
            4 => "memory type: write-through",
            5 => "memory type: write-protected",
            6 => "memory type: write-back",
            _ => "memory type: there is none of this number",
        };
        let size = match (self.level, entry & LARGE) {
            (Level::LOWEST, _) => row("7", 7, 7, "ignored"),
            _ => row("PS", 7, 7, "page size: 1, this entry maps a page"),
        };
        vec![
            row("D", 9, 9, "dirty: the page was written"),
            row("A", 8, 8, "accessed: the page was used"),
            size,
            row("IPAT", 6, 6, "ignore PAT: the guest has no say in the memory type"),
            row("type", 5, 3, kind),
        ]
    }

    fn table_rows(self) -> Vec<Row> {
        vec![
            row("9", 9, 9, "ignored: only a page can be dirty"),
            row("A", 8, 8, "accessed: a walk went through here"),
            if self.maps {
                row("PS", 7, 7, "page size: 0, this entry points to a table")
            } else {
                row("PS", 7, 7, "reserved, 0: no page has this size")
            },
            row("6:3", 6, 3, "reserved, 0"),
        ]
    }

    #[expect(clippy::unused_self, reason = "a method like the others")]
    fn rows_if_absent(self) -> Vec<Row> {
        vec![
            row("63:3", 63, 3, "ignored, as the entry is not present: free for the host"),
            row(
                "RWX",
                2,
                0,
                "no right at all: not present, a walk ends here with an EPT violation",
            ),
        ]
    }
}

fn row(name: &str, high: u8, low: u8, meaning: &'static str) -> Row {
    (name.to_owned(), high, low, meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::ept::Modes;
    use expect_test::{Expect, expect};
    use pagewalk_base::addr::Paging;

    /// Compares the nonzero fields with `expected`, with a mark at those that break a rule.
    #[track_caller]
    fn check(level: u8, entry: u64, expected: &Expect) {
        let modes = Modes { physical_bits: 46, ..Modes::default() };
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
    fn entries_are_read_by_level() {
        check(
            1,
            0x0006_e21d_3337,
            &expect!["frame 45:12=0x6e21d3 D=0x1 A=0x1 type=0x6 X=0x1 W=0x1 R=0x1"],
        );
        check(
            2,
            0x6e20_03b7,
            &expect!["frame 45:21=0x371 D=0x1 A=0x1 PS=0x1 type=0x6 X=0x1 W=0x1 R=0x1"],
        );
        check(3, 0x4c0f_2107, &expect!["table 45:12=0x4c0f2 A=0x1 X=0x1 W=0x1 R=0x1"]);
    }

    #[test]
    fn what_is_wrong_is_marked() {
        check(1, 0x1002, &expect!["frame 45:12=0x1 W=0x1 !"]);
        check(2, 0x10_10b7, &expect!["20:12=0x101 ! PS=0x1 type=0x6 X=0x1 W=0x1 R=0x1"]);
        check(4, 0x1087, &expect!["table 45:12=0x1 PS=0x1 ! X=0x1 W=0x1 R=0x1"]);
        check(1, 0x101f, &expect!["frame 45:12=0x1 type=0x3 ! X=0x1 W=0x1 R=0x1"]);
        check(
            1,
            1 << 50 | 0x1037,
            &expect!["51:46=0x10 ! frame 45:12=0x1 type=0x6 X=0x1 W=0x1 R=0x1"],
        );
    }

    #[test]
    fn an_entry_without_rights_means_nothing() {
        check(2, 0xdead_0000, &expect!["63:3=0x1bd5a000"]);
    }
}
