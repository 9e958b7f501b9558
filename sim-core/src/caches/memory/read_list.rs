//! Lists of reads that go through one cache after the other. A cache gets the reads that the caches before it
//! did not serve, in their order, so the result is the same as for one read after the other.

use super::{LINE, MAX_CACHES, Memory, Served};
use pagewalk_base::narrow::{index, small};

/// The number of bits of a line's number in physical memory. The bits above hold the reader of the line: the kind of
/// access that walks, or [`NOT_A_WALK`].
const READER_AT: u32 = 61;
/// The bits of a line's number.
pub(super) const NUMBER: u64 = (1 << READER_AT) - 1;
/// The reader of lines that an access reads for its data. The server of these reads is not counted.
pub(crate) const NOT_A_WALK: usize = ServedReads::KINDS;
/// The numbers of readers are below this.
const MAX_READERS: usize = 1 << (64 - READER_AT);

/// Packs a line's number with its reader: the index of a kind of access, or [`NOT_A_WALK`].
#[cfg_attr(feature = "fast", inline(always))]
pub(crate) fn read_by(line: u64, reader: usize) -> u64 {
    line | (reader as u64) << READER_AT
}

/// Returns the index of the kind of access that walks and reads a packed line.
#[cfg_attr(feature = "fast", inline(always))]
fn kind_of(line: u64) -> usize {
    index(line >> READER_AT) % ServedReads::KINDS
}

/// The most accesses between two walks that are executed one after the other.
const FEW: usize = 8;

/// The memory caches that served the reads of walks, and the cycles of these reads.
#[derive(Default)]
pub(crate) struct ServedReads {
    /// The number of reads that each cache served. DRAM comes after the last cache.
    pub(crate) by: [u32; MAX_CACHES + 1],
    /// The cycles of the reads, for each kind of access that walks.
    pub(crate) cycles: [u64; Self::KINDS],
}

impl ServedReads {
    const KINDS: usize = 4;

    /// Counts one read of a walk for an access of `kind`.
    pub(crate) fn count(&mut self, served: Served, kind: usize) {
        self.by[served.server % (MAX_CACHES + 1)] += 1;
        self.cycles[kind % Self::KINDS] += served.cycles;
    }
}

/// What is known of the readers of several lines before the lines are read. Kinds of accesses are indices.
#[derive(Clone, Copy)]
pub(crate) enum Readers {
    /// Walks for accesses of one kind.
    Walks(usize),
    /// Accesses that read their data, and walks for accesses of one kind.
    AccessesAndWalks(usize),
    Any,
}

/// Reads that are not done yet, in order: lines with their readers, as [`read_by`] packs them.
#[derive(Default)]
pub(crate) struct ReadList(Vec<u64>);

impl ReadList {
    /// Adds a line with its reader.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn push(&mut self, line: u64, reader: usize) {
        self.0.push(read_by(line, reader));
    }

    /// Adds several lines, packed with their readers.
    pub(crate) fn extend(&mut self, lines: &[u64]) {
        self.0.extend_from_slice(lines);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Executes all reads, of which none is a walk's. A few of them are faster one after the other.
    pub(crate) fn touch_all(&mut self, memory: &mut Memory) {
        if self.0.len() > FEW {
            return self.read_all(Readers::Any, memory, &mut ServedReads::default());
        }
        for line in self.0.drain(..) {
            memory.touch(line & NUMBER);
        }
    }

    /// Executes all reads, and counts their servers and cycles in `served`.
    pub(crate) fn read_all(
        &mut self,
        readers: Readers,
        memory: &mut Memory,
        served: &mut ServedReads,
    ) {
        memory.read_lines(&mut self.0, readers, served);
        self.0.clear();
    }
}

impl Memory {
    /// Reads lines of walks, packed with their readers, one after the other. Between touches, reads must use this
    /// function: see [`Self::begin_touches`].
    pub(crate) fn read_one_by_one(&mut self, lines: &[u64], served: &mut ServedReads) {
        for line in lines {
            let number = line & NUMBER;
            let one = self.read(number * LINE);
            served.count(one, kind_of(*line));
        }
    }

    /// Reads lines, packed with their readers, and counts their servers and cycles in `served`. On a machine without
    /// caches, nothing is counted there. Returns the number of lines that walks read, by kind of access.
    pub(crate) fn read_lines(
        &mut self,
        lines: &mut [u64],
        readers: Readers,
        served: &mut ServedReads,
    ) -> [u32; ServedReads::KINDS] {
        let n = by_kind(lines, readers);
        if self.caches.is_empty() {
            return n;
        }
        let any = lines.iter().fold(0, |any, line| any | line);
        let mut lines = lines;
        let mut left = n;
        for (server, cache) in self.caches.iter_mut().enumerate() {
            let n = cache.lines.keep_missing(lines, any);
            lines = &mut lines[..n];
            let missed = by_kind(lines, readers);
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
        n
    }
}

/// Counts the lines of walks by the kind of access that a walk is for.
fn by_kind(lines: &[u64], readers: Readers) -> [u32; ServedReads::KINDS] {
    let mut n = [0; MAX_READERS];
    match readers {
        Readers::Walks(kind) => n[kind % MAX_READERS] = small(lines.len()),
        Readers::AccessesAndWalks(kind) => {
            // Of all readers, only `NOT_A_WALK` has the highest bit.
            const { assert!(NOT_A_WALK == MAX_READERS / 2) };
            let n_accesses = lines.iter().fold(0, |n, line| n + (line >> 63));
            n[kind % MAX_READERS] = small(lines.len() - index(n_accesses));
        }
        // The counts of a few lines have one byte each, so that no count has to be stored and loaded for each line.
        Readers::Any => {
            for few in lines.chunks(255) {
                let counts =
                    few.iter().fold(0, |counts, line| counts + (1 << (8 * (line >> READER_AT))));
                for (n, count) in n.iter_mut().zip(u64::to_le_bytes(counts)) {
                    *n += u32::from(count);
                }
            }
        }
    }
    let [kinds @ .., _, _, _, _] = n;
    kinds
}
