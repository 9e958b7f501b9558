//! Reads the parts of a `perf.data` around its records (Linux 6.12,
//! `tools/perf/Documentation/perf.data-file-format.txt`).
//!
//! ```text
//! 0 "PERFILE2"  8 header size: 104, or 16 in a pipe  16 attr size  24 attrs  40 data  72 features
//! ```

use pagewalk_base::error::{Error, ErrorCode, Place, Result};

use super::attr::Attr;
use super::bytes::{Bytes, part, u64_at};

/// The size of the header of a file, and of a pipe.
pub(super) const FILE: u64 = 104;
pub(super) const PIPE: u64 = 16;

/// The largest size in bytes of the part before the data: attrs, and the ids of the events on each processor.
const MAX_BEFORE: u64 = 64 << 20;
/// Feature bits.
const EVENT_DESC: u32 = 12;
const DIR_FORMAT: u32 = 24;

/// The positions of the parts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    attr_size: u64,
    attrs: (u64, u64),
    /// The position of the first record.
    pub(super) data: u64,
    /// The size of the records; 0 if perf did not finish the recording.
    pub(super) size: u64,
    features: u64,
}

impl Layout {
    /// Returns whether this is the file `data` of a directory in which other files have the samples.
    pub(super) fn is_of_directory(&self) -> bool {
        self.features >> DIR_FORMAT & 1 == 1
    }

    /// Reads the header, which is [`FILE`] bytes long.
    pub(super) fn read(header: &[u8]) -> Result<Self> {
        let layout = Self {
            attr_size: u64_at(header, 16),
            attrs: (u64_at(header, 24), u64_at(header, 32)),
            data: u64_at(header, 40),
            size: u64_at(header, 48),
            features: u64_at(header, 72),
        };
        if layout.data < FILE || layout.data > MAX_BEFORE {
            return Err(damaged(40, "gives an impossible position for its records"));
        }
        if !(80..=4096).contains(&layout.attr_size) {
            return Err(damaged(16, "gives an event size that no version of perf writes"));
        }
        Ok(layout)
    }

    /// Reads the events and their ids from the bytes before the data.
    pub(super) fn attrs(&self, before: &[u8]) -> Result<Vec<(Attr, Vec<u64>)>> {
        let (at, size) = self.attrs;
        let table = part(before, at, size)
            .ok_or_else(|| damaged(24, "has its list of events in an impossible place"))?;
        let size = usize::try_from(self.attr_size).unwrap_or(usize::MAX);
        // The ids of all events are different, so together they fit into the bytes before the data.
        let mut room = before.len();
        let read = |entry: &[u8]| {
            let ids = size - 16;
            let (at, n) = (u64_at(entry, ids), u64_at(entry, ids + 8));
            let ids = part(before, at, n).filter(|ids| ids.len() <= room).unwrap_or_default();
            room -= ids.len();
            (Attr::read(&entry[..size - 16]), ids_of(ids))
        };
        Ok(table.chunks_exact(size).map(read).collect())
    }

    /// Reads the names of the events and their ids from the bytes after the data, which begin at byte
    /// `start`.
    pub(super) fn names(&self, tail: &[u8], start: u64) -> Vec<(String, Vec<u64>)> {
        if self.features >> EVENT_DESC & 1 == 0 {
            return Vec::new();
        }
        let n = (self.features & ((1 << EVENT_DESC) - 1)).count_ones();
        let at = 16 * usize::try_from(n).unwrap_or(0);
        let section = u64_at(tail, at).checked_sub(start);
        let desc = section.and_then(|section| part(tail, section, u64_at(tail, at + 8)));
        desc.map(event_desc).unwrap_or_default()
    }
}

/// Reads the feature that names events: a number n, the size of attrs, and for each attr its number of ids,
/// its name and its ids.
pub(super) fn event_desc(bytes: &[u8]) -> Vec<(String, Vec<u64>)> {
    let mut bytes = Bytes(bytes);
    let (Some(n), Some(size)) = (bytes.u32(), bytes.u32()) else { return Vec::new() };
    let mut next = || {
        bytes.take(size.into())?;
        let n_ids = bytes.u32()?;
        let length = bytes.u32()?;
        let name = Bytes(bytes.take(length.into())?).text();
        let ids = bytes.take(8 * u64::from(n_ids))?;
        Some((String::from_utf8_lossy(name).into_owned(), ids_of(ids)))
    };
    (0..n).map_while(|_| next()).collect()
}

pub(super) fn ids_of(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(8).map(|id| u64_at(id, 0)).collect()
}

pub(super) fn damaged(at: u64, what: &str) -> Error {
    let message = format!(
        "the perf.data {what}: copy the file again, or print it with perf script where it was recorded and import the text"
    );
    Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_every_event_claims_are_read_once() {
        const N: u64 = 100;
        let ids = FILE + 96 * N;
        let layout =
            Layout { attr_size: 96, attrs: (FILE, 96 * N), data: ids + 4096, size: 0, features: 0 };
        let mut before = vec![0; usize::try_from(layout.data).unwrap()];
        for entry in before[usize::try_from(FILE).unwrap()..].chunks_exact_mut(96).take(100) {
            entry[80..88].copy_from_slice(&ids.to_le_bytes());
            entry[88..].copy_from_slice(&4096u64.to_le_bytes());
        }
        let attrs = layout.attrs(&before).unwrap();
        assert_eq!(attrs.len(), 100);
        let n_ids: usize = attrs.iter().map(|(_, ids)| ids.len()).sum();
        assert!(n_ids > 0 && 8 * n_ids <= before.len(), "{n_ids}");
    }
}
