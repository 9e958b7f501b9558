//! Many reads at a time, one cache after the other: what a cache holds follows from the reads that those
//! before it did not serve.

use super::{LINE, MAX_CACHES, Memory, Served};
use pagewalk_base::narrow::{index, small};

/// Lines of physical memory have numbers below this: who reads one is above, a kind of access or [`NOBODY`].
pub(crate) const READER_AT: u32 = 61;
/// The reader of lines that are not counted.
pub(crate) const NOBODY: usize = ServedMany::KINDS;
/// Numbers of readers are below this.
const MAX_READERS: usize = 1 << (64 - READER_AT);

/// A line with its reader: a kind of access, or [`NOBODY`].
#[inline(always)]
pub(crate) fn read_by(line: u64, reader: usize) -> u64 {
    line | (reader as u64) << READER_AT
}

/// What served reads of walks, and what that cost.
#[derive(Default)]
pub(crate) struct ServedMany {
    /// By cache, DRAM after the last.
    pub(crate) by: [u32; MAX_CACHES + 1],
    /// By kind of access that walks are for.
    pub(crate) cycles: [u64; Self::KINDS],
}

impl ServedMany {
    const KINDS: usize = 4;

    /// Adds a read of a walk for an access of `kind`.
    pub(crate) fn count(&mut self, served: Served, kind: usize) {
        self.by[served.server % (MAX_CACHES + 1)] += 1;
        self.cycles[kind % Self::KINDS] += served.cycles;
    }
}

/// Reads that wait for each other, in order.
#[derive(Default)]
pub(crate) struct Reads(Vec<u64>);

impl Reads {
    /// As [`read_by`] has it.
    #[inline(always)]
    pub(crate) fn push(&mut self, line: u64, reader: usize) {
        self.0.push(read_by(line, reader));
    }

    /// The same for several, with their readers.
    pub(crate) fn extend(&mut self, lines: &[u64]) {
        self.0.extend_from_slice(lines);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Does them, and adds what served them to `served`.
    pub(crate) fn go(&mut self, memory: &mut Memory, served: &mut ServedMany) {
        memory.read_lines(&mut self.0, None, served);
        self.0.clear();
    }
}

impl Memory {
    /// Reads lines of walks, given their numbers with their readers, while the nearest cache may be told of others later.
    pub(crate) fn read_one_by_one(&mut self, lines: &[u64], served: &mut ServedMany) {
        for line in lines {
            let number = line & ((1 << READER_AT) - 1);
            let one = self.read(number * LINE);
            served.count(one, index(line >> READER_AT));
        }
    }

    /// Reads lines, given their numbers with their readers, who may be `only` one. Adds what served them to `served`.
    /// Nothing without caches.
    pub(crate) fn read_lines(
        &mut self,
        lines: &mut [u64],
        only: Option<usize>,
        served: &mut ServedMany,
    ) {
        if self.caches.is_empty() {
            return;
        }
        let mut lines = lines;
        let mut left = by_kind(lines, only);
        for (server, cache) in self.caches.iter_mut().enumerate() {
            let n = cache.lines.keep_missing(lines, (1 << READER_AT) - 1);
            lines = &mut lines[..n];
            let missed = by_kind(lines, only);
            for (kind, n) in left.iter().enumerate() {
                served.by[server] += n - missed[kind];
                served.cycles[kind] += u64::from(n - missed[kind]) * cache.latency;
            }
            left = missed;
        }
        for (kind, n) in left.iter().enumerate() {
            served.by[self.caches.len()] += n;
            served.cycles[kind] += u64::from(*n) * self.dram;
        }
    }
}

/// Returns how many lines are read for accesses of each kind.
fn by_kind(lines: &[u64], only: Option<usize>) -> [u32; ServedMany::KINDS] {
    let mut n = [0; MAX_READERS];
    if let Some(reader) = only {
        n[reader % MAX_READERS] = small(lines.len());
    } else {
        for line in lines {
            n[index(line >> READER_AT) % MAX_READERS] += 1;
        }
    }
    let [kinds @ .., _, _, _, _] = n;
    kinds
}
