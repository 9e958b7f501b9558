//! Names and other short texts of a trace, each in memory once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::varint::read_varint;

/// The most bytes of a text. The rest is cut off.
pub(super) const MOST_BYTES: usize = 400;

/// Texts by number. Number 0 is the empty text.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub(super) all: Vec<Arc<str>>,
    pub(super) numbers: BTreeMap<Arc<str>, u32>,
    pub(super) bytes: usize,
}

impl Texts {
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let text = cut(text);
        if text.is_empty() {
            return 0;
        }
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let text: Arc<str> = text.into();
        self.bytes += text.len() + 64;
        self.all.push(Arc::clone(&text));
        let number = u32::try_from(self.all.len()).unwrap_or(0);
        self.numbers.insert(text, number);
        number
    }

    pub(super) fn get(&self, number: u32) -> &str {
        number.checked_sub(1).and_then(|at| self.all.get(at as usize)).map_or("", |text| text)
    }
}

/// Returns the beginning of a text, at most [`MOST_BYTES`].
pub(super) fn cut(text: &str) -> &str {
    let end = (0..=text.len().min(MOST_BYTES)).rfind(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// Reads a list of numbers after its length.
pub(super) fn numbers(bytes: &mut &[u8]) -> Option<Vec<u64>> {
    let n = read_varint(bytes)?;
    (0..n).map(|_| read_varint(bytes)).collect()
}
