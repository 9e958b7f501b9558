//! The nodes of the accesses of a chunk. Most accesses have the node of the access before, so only changes are stored.
//!
//! ```text
//! change   distance from the access of the last change, difference of the node (zigzag)
//! ```
//!
//! A chunk begins at its first access with node 0.

use crate::trace::varint::{read_varint, write_varint};
use crate::trace::{CHUNK, Chunk, Trace};

/// Writes the changes of a chunk.
#[derive(Debug, Default)]
pub(in crate::trace) struct CallWriter {
    bytes: Vec<u8>,
    at: u32,
    node: u32,
}

impl CallWriter {
    /// Sets the node of access `at` of the chunk and of those after it.
    #[inline]
    pub(in crate::trace) fn set(&mut self, at: u32, node: u32) {
        if node != self.node {
            self.write(at, node);
        }
    }

    #[cold]
    fn write(&mut self, at: u32, node: u32) {
        write_varint(&mut self.bytes, (at - self.at).into());
        let difference = i64::from(node) - i64::from(self.node);
        write_varint(&mut self.bytes, (difference << 1 ^ difference >> 63).cast_unsigned());
        (self.at, self.node) = (at, node);
    }

    /// Ends the chunk.
    pub(in crate::trace) fn finish(&mut self) -> Box<[u8]> {
        (self.at, self.node) = (0, 0);
        std::mem::take(&mut self.bytes).into()
    }
}

/// Reads changes: the access in the chunk, and its node.
#[derive(Clone, Debug)]
pub(in crate::trace) struct CallReader<'a> {
    bytes: &'a [u8],
    /// The last change.
    last: Option<(u32, u32)>,
}

impl<'a> CallReader<'a> {
    pub(in crate::trace) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, last: None }
    }

    /// Returns whether every byte has been read.
    pub(in crate::trace) fn is_whole(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl Iterator for CallReader<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = self.bytes;
        let (distance, difference) = (read_varint(&mut rest)?, read_varint(&mut rest)?);
        let (at, node) = self.last.unwrap_or_default();
        // Two changes at one access, or none, would be damage.
        let is_change = difference > 0 && (self.last.is_none() || distance > 0);
        let at = u64::from(at).checked_add(distance).filter(|_| is_change)?;
        let difference = (difference >> 1).cast_signed() ^ -(difference & 1).cast_signed();
        let node = i64::from(node).checked_add(difference)?;
        let next = (u32::try_from(at).ok()?, u32::try_from(node).ok()?);
        self.bytes = rest;
        self.last = Some(next);
        Some(next)
    }
}

/// Finds the nodes of accesses in their order.
#[derive(Clone, Debug, Default)]
pub struct CallCursor {
    /// The number of the chunk after the one whose changes are read; 0 before the first.
    chunk: u32,
    changes: Vec<(u32, u32)>,
    /// The number of changes until now.
    next: usize,
    node: u32,
}

impl CallCursor {
    /// Returns the node of access `index`, which must not come before the one asked for last.
    #[inline]
    pub fn node(&mut self, trace: &Trace, index: u32) -> u32 {
        if index / CHUNK + 1 != self.chunk {
            self.enter(trace, index / CHUNK);
        }
        while let Some((at, node)) = self.changes.get(self.next)
            && *at <= index % CHUNK
        {
            (self.node, self.next) = (*node, self.next + 1);
        }
        self.node
    }

    #[cold]
    fn enter(&mut self, trace: &Trace, chunk: u32) {
        self.changes.clear();
        let its = trace.chunks().get(chunk as usize).map(Chunk::call_changes);
        self.changes.extend(its.into_iter().flatten());
        (self.chunk, self.next, self.node) = (chunk + 1, 0, 0);
    }
}
