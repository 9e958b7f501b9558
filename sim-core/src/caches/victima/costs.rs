//! The costs of pages: two small counters for each page. In hardware they are unused bits of the page-table entry.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::VictimaConfig;
use pagewalk_base::addr::Leaf;
use pagewalk_base::narrow::index;

/// The highest count of walks: 3 bits.
pub(super) const MAX_WALKS: u8 = 7;
/// The highest count of reads from DRAM: 4 bits.
pub(super) const MAX_DRAM_READS: u8 = 15;
/// log2 of the pages in a chunk. Clones share a chunk until they write to it.
const CHUNK_BITS: u32 = 8;

type Chunk = [u8; 1 << CHUNK_BITS];

/// The counters of all pages. A page keeps them when it is unmapped.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Costs {
    /// By space, leaf, and number of the chunk. A byte has the walks in the upper half, the reads in the lower.
    chunks: BTreeMap<(u32, u8, u64), Rc<Chunk>>,
}

impl Costs {
    pub(crate) fn new(_: VictimaConfig) -> Self {
        Self { chunks: BTreeMap::new() }
    }

    /// Counts a walk and its reads from DRAM.
    pub(crate) fn count(&mut self, (space, leaf, number): (u32, Leaf, u64), dram_reads: u32) {
        let key = (space, leaf.number(), number >> CHUNK_BITS);
        let chunk = self.chunks.entry(key).or_insert_with(|| Rc::new([0; 1 << CHUNK_BITS]));
        let byte = &mut Rc::make_mut(chunk)[at(number)];
        let (walks, reads) = unpack(*byte);
        let more = u8::try_from(dram_reads).unwrap_or(u8::MAX);
        let reads = reads.saturating_add(more).min(MAX_DRAM_READS);
        *byte = (walks + 1).min(MAX_WALKS) << 4 | reads;
    }

    /// Returns the counted walks of a page, and their reads from DRAM.
    pub(crate) fn of(&self, (space, leaf, number): (u32, Leaf, u64)) -> (u8, u8) {
        let chunk = self.chunks.get(&(space, leaf.number(), number >> CHUNK_BITS));
        chunk.map_or((0, 0), |chunk| unpack(chunk[at(number)]))
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let of_chunk = |(key, chunk): (&(u32, u8, u64), &Rc<Chunk>)| {
            let twin = other.and_then(|other| other.chunks.get(key));
            let is_shared = twin.is_some_and(|twin| Rc::ptr_eq(chunk, twin));
            size_of_val(key) + size_of_val(chunk) + if is_shared { 0 } else { size_of::<Chunk>() }
        };
        self.chunks.iter().map(of_chunk).sum()
    }
}

fn at(number: u64) -> usize {
    index(number & ((1 << CHUNK_BITS) - 1))
}

fn unpack(byte: u8) -> (u8, u8) {
    (byte >> 4, byte & 0xf)
}
