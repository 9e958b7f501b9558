//! The places of instructions in the source: for an instruction pointer the function, the file, the line and its text.

use std::collections::BTreeMap;

use serde::Serialize;

use super::texts::{MOST_BYTES, Texts, cut, numbers};
use super::varint::{read_varint, write_varint};

/// The most places of a section. With texts of the most bytes, a section stays below its limit.
const SECTION: usize = 1 << 15;

/// Where in the source an instruction is. What is not known is empty, and line 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourcePlace<'a> {
    pub function: &'a str,
    /// The path of the file, as the compiler was given it.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The text of the line.
    pub text: &'a str,
}

/// The place of an instruction with the lines around it, for a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SourceView {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// The known lines around, by rising number. Lines without an instruction are missing, and a text may be empty.
    pub lines: Vec<SourceLine>,
}

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SourceLine {
    pub line: u32,
    pub text: String,
}

/// A table of places by instruction pointer. Each text is in memory once.
#[derive(Clone, Debug, Default)]
pub struct Places {
    rows: BTreeMap<u64, Row>,
    /// The texts of lines, by file and line.
    lines: BTreeMap<(u32, u32), u32>,
    /// How many heap blocks have each name.
    blocks: BTreeMap<u32, u64>,
    texts: Texts,
}

/// The numbers of the texts of a place, and its line.
#[derive(Clone, Copy, Debug)]
struct Row {
    function: u32,
    file: u32,
    line: u32,
}

impl Places {
    /// Sets the place of an instruction. Without a text, the line keeps the one that it has.
    pub fn add(&mut self, ip: u64, place: &SourcePlace<'_>) {
        let SourcePlace { function, file, line, text } = *place;
        let row =
            Row { function: self.texts.number(function), file: self.texts.number(file), line };
        self.rows.insert(ip, row);
        if line > 0 && !text.is_empty() {
            let text = self.texts.number(text);
            self.lines.insert((row.file, line), text);
        }
    }

    /// Counts heap blocks that have a name in the memory map. A record of the map may stand for many.
    pub fn add_blocks(&mut self, name: &str, n: u64) {
        let blocks = self.blocks.entry(self.texts.number(name)).or_default();
        *blocks = blocks.saturating_add(n);
    }

    pub(super) fn rename_blocks(&mut self, mut name: impl FnMut(&str) -> Option<String>) {
        for (old, n) in std::mem::take(&mut self.blocks) {
            let old = self.texts.get(old).to_owned();
            self.add_blocks(name(&old).as_ref().unwrap_or(&old), n);
        }
    }

    /// Returns whether heap blocks were counted, so that the memory map tells them from other memory.
    pub fn has_blocks(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Returns the number of heap blocks with a name, if they were counted.
    pub fn blocks(&self, name: &str) -> Option<u64> {
        self.blocks.get(self.texts.numbers.get(cut(name))?).copied()
    }

    /// Returns the place of the instruction at `ip`.
    pub fn get(&self, ip: u64) -> Option<SourcePlace<'_>> {
        self.rows.get(&ip).map(|row| self.place(*row))
    }

    /// Returns the place of the instruction at `ip`, with at most `most` known lines before and after it.
    pub fn around(&self, ip: u64, most: usize) -> Option<SourceView> {
        let own = self.rows.get(&ip).filter(|row| row.line > 0)?;
        let SourcePlace { function, file, line, .. } = self.place(*own);
        let mut lines: BTreeMap<u32, &str> = BTreeMap::new();
        for row in self.rows.values().filter(|row| row.file == own.file && row.line > 0) {
            lines.insert(row.line, self.place(*row).text);
        }
        let (before, after) = (lines.range(..line).rev(), lines.range(line..));
        let mut near: Vec<_> = before.take(most).collect();
        near.reverse();
        near.extend(after.take(most + 1));
        Some(SourceView {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            lines: near
                .into_iter()
                .map(|(line, text)| SourceLine { line: *line, text: (*text).to_owned() })
                .collect(),
        })
    }

    /// Returns all places by rising instruction pointer.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, SourcePlace<'_>)> {
        self.rows.iter().map(|(ip, row)| (*ip, self.place(*row)))
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.blocks.is_empty()
    }

    /// Returns the memory of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.texts.bytes + 32 * (self.rows.len() + self.lines.len() + self.blocks.len())
    }

    fn place(&self, Row { function, file, line }: Row) -> SourcePlace<'_> {
        let text = self.lines.get(&(file, line)).map_or("", |text| self.texts.get(*text));
        SourcePlace { function: self.texts.get(function), file: self.texts.get(file), line, text }
    }

    /// Adds the places of another table.
    pub fn extend(&mut self, other: &Self) {
        for (ip, place) in other.iter() {
            self.add(ip, &place);
        }
        for (name, n) in &other.blocks {
            self.add_blocks(other.texts.get(*name), *n);
        }
    }

    /// Returns the payloads of the sections of a saved trace. Each is a table of its own, in columns:
    ///
    /// ```text
    /// number of texts, each with its length
    /// number of places, then of all: distances of the instruction pointers, functions, files, distances of the lines
    /// number of lines with a text, each with its file, its line and its text
    /// number of names of heap blocks, each with the number of blocks
    /// the texts
    /// ```
    pub(super) fn sections(&self) -> impl Iterator<Item = Vec<u8>> {
        let rows: Vec<_> = self.iter().collect();
        let sections = rows.len().div_ceil(SECTION).max(usize::from(!self.is_empty()));
        (0..sections).map(move |at| {
            let mut part = Self::default();
            for (ip, place) in rows.iter().skip(at * SECTION).take(SECTION) {
                part.add(*ip, place);
            }
            for (name, n) in self.blocks.iter().filter(|_| at == 0) {
                part.add_blocks(self.texts.get(*name), *n);
            }
            part.save()
        })
    }

    fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut number = |n: u64| write_varint(&mut bytes, n);
        number(self.texts.all.len() as u64);
        self.texts.all.iter().for_each(|text| number(text.len() as u64));
        number(self.rows.len() as u64);
        self.rows.keys().fold(0, |before, ip| {
            number(ip - before);
            *ip
        });
        self.rows.values().for_each(|row| number(row.function.into()));
        self.rows.values().for_each(|row| number(row.file.into()));
        self.rows.values().fold(0, |before, row| {
            let distance = i64::from(row.line) - before;
            number((distance << 1 ^ distance >> 63).cast_unsigned());
            i64::from(row.line)
        });
        number(self.lines.len() as u64);
        for ((file, line), text) in &self.lines {
            for n in [file, line, text] {
                number((*n).into());
            }
        }
        number(self.blocks.len() as u64);
        for (name, n) in &self.blocks {
            number((*name).into());
            number(*n);
        }
        self.texts.all.iter().for_each(|text| bytes.extend_from_slice(text.as_bytes()));
        bytes
    }

    /// Reads the payload of a section, or returns `None` if it is damaged.
    pub(super) fn restore(mut bytes: &[u8]) -> Option<Self> {
        let lengths = numbers(&mut bytes)?;
        let n = read_varint(&mut bytes)?;
        let mut column = || (0..n).map(|_| read_varint(&mut bytes)).collect::<Option<Vec<u64>>>();
        let (ips, functions, files, lines) = (column()?, column()?, column()?, column()?);
        let n_lines = read_varint(&mut bytes)?;
        let mut texts_of_lines = Vec::new();
        for _ in 0..n_lines {
            let mut number = || u32::try_from(read_varint(&mut bytes)?).ok();
            texts_of_lines.push(((number()?, number()?), number()?));
        }
        let mut blocks = Vec::new();
        for _ in 0..read_varint(&mut bytes)? {
            blocks.push((read_varint(&mut bytes)?, read_varint(&mut bytes)?));
        }
        let mut texts = Vec::new();
        for length in lengths {
            let (text, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
            bytes = rest;
            texts.push(std::str::from_utf8(text).ok().filter(|text| text.len() <= MOST_BYTES)?);
        }
        let text = |number: u64| match usize::try_from(number).ok()?.checked_sub(1) {
            None => Some(""),
            Some(at) => texts.get(at).copied(),
        };
        let texts_of_lines: BTreeMap<(u32, u32), u32> = texts_of_lines.into_iter().collect();
        let mut all = Self::default();
        let (mut ip, mut line) = (0u64, 0i64);
        for at in 0..ips.len() {
            ip = ip.checked_add(ips[at]).filter(|_| at == 0 || ips[at] > 0)?;
            let distance = (lines[at] >> 1).cast_signed() ^ -(lines[at] & 1).cast_signed();
            line = line.checked_add(distance)?;
            let (file, line) = (u32::try_from(files[at]).ok()?, u32::try_from(line).ok()?);
            let of_line = texts_of_lines.get(&(file, line)).copied().unwrap_or(0);
            let (function, file) = (text(functions[at])?, text(file.into())?);
            all.add(ip, &SourcePlace { function, file, line, text: text(of_line.into())? });
        }
        for (name, n) in blocks {
            all.add_blocks(text(name)?, n);
        }
        bytes.is_empty().then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn a_table_is_read_as_it_was_saved() {
        cases(300).check(|u| {
            let mut places = Places::default();
            for _ in 0..u.int_in_range(0..=60)? {
                let ip = u.arbitrary::<u64>()? >> u.int_in_range(0..=60)?;
                let [function, file] =
                    [*u.choose(&["", "main", "日本"])?, *u.choose(&["", "a.c", "b.c"])?];
                let (line, text) = (u.arbitrary::<u32>()? >> 24, *u.choose(&["", "x = 1;", "}"])?);
                places.add(ip, &SourcePlace { function, file, line, text });
            }
            if u.arbitrary()? {
                places.add_blocks(u.choose(&["list (malloc, line 3)", "main"])?, u.arbitrary()?);
            }
            let mut again = Places::default();
            for section in places.sections() {
                again.extend(&Places::restore(&section).unwrap());
                for end in 0..section.len() {
                    assert!(Places::restore(&section[..end]).is_none(), "{end}");
                }
            }
            assert!(again.iter().eq(places.iter()));
            assert_eq!(again.blocks("main"), places.blocks("main"));
            assert!(again.sections().eq(places.sections()));
            Ok(())
        });
    }

    #[test]
    fn a_place_has_the_nearest_known_lines_of_its_file() {
        let mut places = Places::default();
        let mut add = |ip, file, line, text| {
            places.add(ip, &SourcePlace { function: "main", file, line, text });
        };
        for line in [2, 3, 5, 8, 13, 21] {
            add(u64::from(line), "a.c", line, ["x;", ""][line as usize % 2]);
        }
        add(100, "b.c", 6, "y;");
        add(101, "", 0, "");
        let text = |ip| {
            places.around(ip, 2).map(|view| {
                let lines = view.lines.iter().map(|of| format!("{} {}", of.line, of.text));
                format!("{}:{}: {}", view.file, view.line, lines.collect::<Vec<_>>().join(", "))
            })
        };
        assert_eq!(text(8).unwrap(), "a.c:8: 3 , 5 , 8 x;, 13 , 21 ");
        assert_eq!(text(2).unwrap(), "a.c:2: 2 x;, 3 , 5 ");
        assert_eq!(text(100).unwrap(), "b.c:6: 6 y;");
        assert_eq!([text(101), text(7)], [None, None]);
    }

    #[test]
    fn many_places_need_several_sections_and_few_bytes() {
        let mut places = Places::default();
        for at in 0..40_000u32 {
            let place = SourcePlace { function: "f", file: "f.c", line: at / 4 + 1, text: "" };
            places.add(0x40_0000 + 3 * u64::from(at), &place);
        }
        let sections: Vec<_> = places.sections().collect();
        assert_eq!(sections.len(), 2);
        assert!(sections.concat().len() < 5 * 40_000);
    }

    #[test]
    fn what_is_too_long_is_cut_and_any_bytes_are_no_panic() {
        let mut places = Places::default();
        let long = "é".repeat(MOST_BYTES);
        places.add(1, &SourcePlace { function: &long, line: 3, ..SourcePlace::default() });
        assert_eq!(places.get(1).unwrap().function.len(), MOST_BYTES);
        assert_eq!(places.get(2), None);
        cases(2000).check(|u| {
            let n = u.len();
            if let Some(found) = Places::restore(u.bytes(n)?) {
                assert!(found.iter().len() <= n);
            }
            Ok(())
        });
    }
}
