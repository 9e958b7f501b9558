//! Call chains of samples, which perf writes with the innermost function first.

use pagewalk_base::samples::Name;
use pagewalk_base::trace::{CallTreeBuilder, Frame};

/// The most functions of a chain that are kept, the innermost ones.
const MAX_FRAMES: usize = 1 << 12;

/// The chain of one sample.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// The end of each name in `names`, and the address if the name is empty.
    frames: Vec<(usize, u64)>,
    names: String,
}

impl Chain {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.names.clear();
    }

    /// Adds the function that called the last one. Returns false if there is no room for more.
    ///
    /// The text of perf script has offsets in files, so a function is known by its name, else by the name of its file.
    pub(super) fn push(&mut self, ip: u64, name: Name<'_>) -> bool {
        if self.frames.len() == MAX_FRAMES {
            return false;
        }
        match (name.symbol, name.file) {
            // The unwinder of perf ends some chains with zeros.
            (b"", b"") if ip == 0 => return true,
            (b"", b"") => {}
            (b"", file) if file.starts_with(b"[") => self.names += &String::from_utf8_lossy(file),
            (b"", path) => {
                let file = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
                self.names += &format!("[{}]", String::from_utf8_lossy(file));
            }
            (symbol, _) => self.names += &String::from_utf8_lossy(symbol),
        }
        let is_named = self.names.len() > self.frames.last().map_or(0, |(end, _)| *end);
        self.frames.push((self.names.len(), if is_named { 0 } else { ip }));
        true
    }

    /// Returns the node of the chain in the tree.
    pub(super) fn node(&self, tree: &mut CallTreeBuilder) -> u32 {
        let frames = (0..self.frames.len()).rev().map(|at| {
            let start = at.checked_sub(1).map_or(0, |before| self.frames[before].0);
            let (end, ip) = self.frames[at];
            Frame { name: &self.names[start..end], ip }
        });
        tree.path(frames)
    }
}

/// Returns the node of the addresses in a record, of which each has eight bytes.
pub(super) fn node_of(addresses: &[u8], tree: &mut CallTreeBuilder) -> u32 {
    /// Markers say whether the addresses after them are in the kernel or in the program
    /// (`include/uapi/linux/perf_event.h`, `PERF_CONTEXT_MAX`).
    const FIRST_MARKER: u64 = u64::MAX - 4094;
    let (words, _) = addresses.as_chunks();
    let addresses = words.iter().map(|word| u64::from_le_bytes(*word));
    let innermost_first: Vec<u64> =
        addresses.filter(|ip| *ip != 0 && *ip < FIRST_MARKER).take(MAX_FRAMES).collect();
    tree.path(innermost_first.into_iter().rev().map(|ip| Frame { name: "", ip }))
}
