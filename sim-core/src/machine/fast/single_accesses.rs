//! The accesses of a chunk that seldom repeats a line, on their way through the memory caches. Each access is
//! executed.
//!
//! Accesses and the reads of walks are collected in order, and go through one cache after the other together.
//!
//! Bench row: (b) with all reads through caches.

use std::ops::RangeInclusive;

use super::line_touches::Mapped;
use super::list::List;
use crate::caches::memory::{Memory, NOT_A_WALK, ReadList, Readers, ServedReads};
use pagewalk_base::narrow::index;
use pagewalk_base::trace::{Chunk, Decoder, Kind, LINE_BITS, PAGE_LINES_BITS, RUN_PAGE_BITS};

/// The number of pages whose frames are kept.
const N_FRAMES: usize = 1 << 9;
/// The most lines that are collected before they are read: about as many as the walks of a batch read.
const MAX_COLLECTED: usize = 1 << 12;
/// The number of accesses that are decoded at a time.
const AHEAD: usize = 1 << 8;

/// The accesses of one chunk that are not executed yet.
pub(super) struct SingleAccesses<'a> {
    /// Decodes the rest of the chunk.
    encoded: Decoder<'a>,
    /// The addresses of the first and the last byte of each decoded access.
    decoded: List<[u64; 2]>,
    /// The place of the next access in `decoded`.
    next: usize,
    /// The number of the next access.
    at: u32,
    end: u32,
    pub(super) has_prefetches: bool,
    /// The frames, indexed by the lowest bits of the page number.
    frames: Box<[Frame; N_FRAMES]>,
    /// The collected accesses and reads of walks.
    pub(super) reads: ReadList,
}

/// The number of a virtual 4 KiB page, and the number of its first line in physical memory.
#[derive(Clone, Copy)]
struct Frame {
    page: u64,
    line: u64,
}

const NONE: Frame = Frame { page: u64::MAX, line: 0 };

impl<'a> SingleAccesses<'a> {
    pub(super) fn new(chunk: &'a Chunk) -> Self {
        Self {
            encoded: chunk.accesses(),
            decoded: List::default(),
            next: 0,
            at: chunk.first,
            end: chunk.first + chunk.n,
            has_prefetches: chunk.count(Kind::Prefetch) > 0,
            frames: Box::new([NONE; N_FRAMES]),
            reads: ReadList::default(),
        }
    }

    /// Executes the accesses before access `index` of the trace.
    #[inline(never)]
    pub(super) fn touch_until(&mut self, index: u32, mapped: Mapped<'_>, memory: &mut Memory) {
        self.collect_until(index, mapped, memory, &mut ServedReads::default());
        self.reads.touch_all(memory);
    }

    /// Collects the accesses before access `index` of the trace. If the list gets too long, all reads are executed
    /// and counted in `served`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn collect_until(
        &mut self,
        index: u32,
        mapped: Mapped<'_>,
        memory: &mut Memory,
        served: &mut ServedReads,
    ) {
        let end = index.min(self.end);
        while self.at < end {
            if self.next == self.decoded.len() {
                self.decode();
            }
            let Some([first, last]) = self.decoded.values().get(self.next).copied() else { break };
            self.next += 1;
            self.at += 1;
            let [first, last] = [first, last].map(|address| address >> LINE_BITS);
            self.collect(first, mapped);
            if first != last {
                self.collect_more(first + 1..=last, mapped);
            }
            if self.reads.len() > MAX_COLLECTED {
                self.reads.read_all(Readers::Any, memory, served);
            }
        }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn collect(&mut self, line: u64, mapped: Mapped<'_>) {
        if let Some(physical) = self.physical(line, mapped) {
            self.reads.push(physical, NOT_A_WALK);
        }
    }

    /// Collects the other lines of an access that touches several.
    #[inline(never)]
    fn collect_more(&mut self, lines: RangeInclusive<u64>, mapped: Mapped<'_>) {
        lines.for_each(|line| self.collect(line, mapped));
    }

    /// Replaces the decoded accesses with the next ones. All of them must be taken.
    #[inline(never)]
    fn decode(&mut self) {
        let Self { encoded, decoded, .. } = self;
        self.next = 0;
        decoded.fill(AHEAD, |ends| encoded.read_ends(ends));
    }

    /// Keeps the frame of a page that a walk has found.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn remember_frame(&mut self, va: u64, physical: u64) {
        let page = va >> RUN_PAGE_BITS;
        let line = physical >> RUN_PAGE_BITS << PAGE_LINES_BITS;
        self.frames[index(page % N_FRAMES as u64)] = Frame { page, line };
    }

    /// Returns the number of a line in physical memory, if its page is mapped.
    #[cfg_attr(feature = "fast", inline(always))]
    fn physical(&mut self, line: u64, mapped: Mapped<'_>) -> Option<u64> {
        let page = line >> PAGE_LINES_BITS;
        let in_page = line & ((1 << PAGE_LINES_BITS) - 1);
        let known = &mut self.frames[index(page % N_FRAMES as u64)];
        if known.page != page {
            *known = Frame { page, line: mapped.frame(page)? };
        }
        Some(known.line + in_page)
    }
}
