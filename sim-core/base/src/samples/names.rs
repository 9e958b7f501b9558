//! The names of symbols and files, each kept once.

use std::collections::BTreeMap;

use super::Name;
use crate::narrow::index;

/// The number of recent names that are found by a hash of their bytes, without a search.
const RECENT: usize = 1 << 10;
/// The most names of a recording. Samples with further names get none.
const MAX_NAMES: usize = 1 << 22;

/// The names of a recording.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// For each name, the offset in `text` of its symbol, and of its file. Each text ends where the next begins.
    starts: Vec<(u32, u32)>,
    text: String,
}

impl Names {
    pub(super) fn get(&self, id: u32) -> (&str, &str) {
        let at = id as usize;
        let Some((symbol, file)) = self.starts.get(at).copied() else { return ("", "") };
        let end = self.starts.get(at + 1).map_or(self.text.len(), |next| next.0 as usize);
        (&self.text[symbol as usize..file as usize], &self.text[file as usize..end])
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + 8 * self.starts.capacity()
    }

    pub(super) fn push(&mut self, symbol: &str, file: &str) -> Option<u32> {
        let id = u32::try_from(self.starts.len()).ok()?;
        let start = u32::try_from(self.text.len()).ok()?;
        let middle = u32::try_from(self.text.len() + symbol.len()).ok()?;
        if self.starts.len() == MAX_NAMES {
            return None;
        }
        self.starts.push((start, middle));
        self.text.push_str(symbol);
        self.text.push_str(file);
        Some(id)
    }
}

type Bytes = Box<[u8]>;

/// Assigns numbers to names.
#[derive(Debug, Default)]
pub(super) struct NamesBuilder {
    pub(super) names: Names,
    /// The number of each name, by symbol, then by file.
    known: BTreeMap<(Bytes, Bytes), u32>,
    recent: Vec<Option<u32>>,
}

impl NamesBuilder {
    /// Returns the number of a name, from 1 on. Returns 0 if the name is empty, or new beyond the limits.
    #[inline]
    pub(super) fn id(&mut self, name: Name<'_>) -> u64 {
        if name.symbol.is_empty() && name.file.is_empty() {
            return 0;
        }
        self.find(name)
    }

    fn find(&mut self, name: Name<'_>) -> u64 {
        if self.recent.is_empty() {
            self.recent = vec![None; RECENT];
        }
        let slot = hash(name) % RECENT;
        if let Some(id) = self.recent[slot] {
            let (symbol, file) = self.names.get(id);
            if (symbol.as_bytes(), file.as_bytes()) == (name.symbol, name.file) {
                return u64::from(id) + 1;
            }
        }
        let key = (Box::from(name.symbol), Box::from(name.file));
        let id = if let Some(id) = self.known.get(&key) {
            *id
        } else {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            let Some(id) = self.names.push(&text(name.symbol), &text(name.file)) else {
                return 0;
            };
            self.known.insert(key, id);
            id
        };
        self.recent[slot] = Some(id);
        u64::from(id) + 1
    }

    /// Returns the approximate memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        2 * self.names.bytes() + 64 * self.known.len()
    }
}

/// Hashes the last bytes of both texts as words, because the first bytes of names are often equal.
fn hash(name: Name<'_>) -> usize {
    let (rest, end) = name.symbol.split_at(name.symbol.len().saturating_sub(8));
    let words = [last_word(end), last_word(rest), last_word(name.file), name.symbol.len() as u64];
    let mix =
        |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    index(words.into_iter().fold(0, mix) & 0xffff)
}

/// Returns the last 8 bytes of a text as a number, or the whole text if it is shorter.
pub(super) fn last_word(text: &[u8]) -> u64 {
    match text.last_chunk() {
        Some(end) => u64::from_le_bytes(*end),
        None => text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number() {
        let mut names = NamesBuilder::default();
        let name = |symbol: &'static str, file: &'static str| Name {
            symbol: symbol.as_bytes(),
            file: file.as_bytes(),
        };
        assert_eq!(names.id(Name::default()), 0);
        let all =
            [name("main", "/bin/a"), name("main", "/bin/b"), name("", "/bin/b"), name("f", "")];
        for _ in 0..2 {
            assert_eq!(all.map(|name| names.id(name)), [1, 2, 3, 4]);
        }
        // More names than the table of recent names holds.
        let many: Vec<String> = (0..3000).map(|n| format!("f{n}")).collect();
        for _ in 0..2 {
            for (n, symbol) in (5..).zip(&many) {
                assert_eq!(names.id(Name { symbol: symbol.as_bytes(), file: b"x" }), n);
            }
        }
        assert_eq!(names.names.get(1), ("main", "/bin/b"));
        assert_eq!(names.names.get(3), ("f", ""));
        assert_eq!(names.names.get(3003), ("f2999", "x"));
        assert_eq!(names.names.get(9999), ("", ""));
    }
}
