//! One way of a hashed table: its lines, and during a resize the lines of the larger way.

use std::rc::Rc;

use crate::caches::memory::{LINE, own};
use pagewalk_base::narrow::index;

/// log2 of the most lines in a shard. Clones share a shard until they write to it.
const SHARD_BITS: u32 = 8;

/// Lines side by side in memory. 0 is an empty line; see [`super::table::value`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lines {
    /// The physical address of line 0.
    start: u64,
    pub(super) n: u64,
    shards: Vec<Option<Rc<[u64]>>>,
}

impl Lines {
    pub(super) fn new(start: u64, n: u64) -> Self {
        Self { start, n, shards: vec![None; index(n.div_ceil(1 << SHARD_BITS))] }
    }

    pub(super) fn address(&self, line: u64) -> u64 {
        self.start + line * LINE
    }

    pub(super) fn get(&self, line: u64) -> u64 {
        let (shard, at) = Self::split(line);
        self.shards[shard].as_ref().map_or(0, |shard| shard[at])
    }

    /// Stores a value, and returns the old one.
    pub(super) fn put(&mut self, line: u64, value: u64) -> u64 {
        let (shard, at) = Self::split(line);
        let size = index(self.n.min(1 << SHARD_BITS));
        let shard = self.shards[shard].get_or_insert_with(|| vec![0; size].into());
        std::mem::replace(&mut own(shard)[at], value)
    }

    fn split(line: u64) -> (usize, usize) {
        (index(line >> SHARD_BITS), index(line & ((1 << SHARD_BITS) - 1)))
    }

    /// Returns the bytes that this clone does not share with `other`.
    fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let shards = self.shards.iter().enumerate().map(|(at, shard)| {
            let twin = other.and_then(|other| other.shards.get(at)?.as_ref());
            let own = shard.as_ref().filter(|own| !twin.is_some_and(|twin| Rc::ptr_eq(own, twin)));
            size_of::<Option<Rc<[u64]>>>() + own.map_or(0, |own| size_of_val(&**own))
        });
        shards.sum()
    }
}

/// One way of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    pub(super) lines: Lines,
    /// The lines of the larger way, during a resize.
    pub(super) larger: Option<Lines>,
    /// The rehash pointer: the lines before it have moved to the larger way.
    pub(super) moved: u64,
}

impl Way {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, larger: None, moved: 0 }
    }

    /// Returns the number of the line for a hash, and whether it is one of the larger way.
    pub(super) fn at(&self, hash: u64) -> (u64, bool) {
        let line = hash & (self.lines.n - 1);
        match &self.larger {
            Some(larger) if line < self.moved => (hash & (larger.n - 1), true),
            _ => (line, false),
        }
    }

    pub(super) fn of(&self, is_larger: bool) -> &Lines {
        self.larger.as_ref().filter(|_| is_larger).unwrap_or(&self.lines)
    }

    /// Stores a value at the place of a hash, and returns the old one.
    pub(super) fn put(&mut self, hash: u64, value: u64) -> u64 {
        let (line, is_larger) = self.at(hash);
        match &mut self.larger {
            Some(larger) if is_larger => larger.put(line, value),
            _ => self.lines.put(line, value),
        }
    }

    /// Takes the line at the rehash pointer out, and moves the pointer on. Returns 0 if the line is empty.
    pub(super) fn take_next(&mut self) -> u64 {
        if self.moved == self.lines.n {
            return 0;
        }
        let line = self.moved;
        self.moved += 1;
        if self.lines.get(line) == 0 { 0 } else { self.lines.put(line, 0) }
    }

    /// Ends a resize: the larger way takes the place of the old one.
    pub(super) fn finish(&mut self) {
        if let Some(larger) = self.larger.take() {
            *self = Self::new(larger);
        }
    }

    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let larger = other.and_then(|other| other.larger.as_ref());
        self.lines.bytes_apart_from(other.map(|other| &other.lines))
            + self.larger.as_ref().map_or(0, |own| own.bytes_apart_from(larger))
    }
}
