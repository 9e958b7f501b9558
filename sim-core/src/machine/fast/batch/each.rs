//! Accesses that hardly ever repeat a line, on their way through the memory caches: each by itself, as the trace has it.
//!
//! They are listed with what walks read between them, and go through one cache after the other together.

use super::touches::Mapped;
use crate::caches::memory::{Memory, NOBODY, Reads, ServedMany};
use pagewalk_base::narrow::index;
use pagewalk_base::trace::{
    Access, Chunk, Decoder, Kind, LINE_BITS, PAGE_LINES_BITS, RUN_PAGE_BITS,
};

/// Pages whose frames are remembered.
const KNOWN: usize = 1 << 9;
/// Lines that wait at most: what a batch reads is hardly more.
const MAX_WAITING: usize = 1 << 12;

/// The touches of one chunk, as far as they are done.
pub(super) struct Each<'a> {
    accesses: Decoder<'a>,
    /// The number of the next access.
    at: u32,
    end: u32,
    /// A prefetch of a page that is not mapped yet touches nothing.
    has_prefetches: bool,
    frames: Box<[Frame; KNOWN]>,
    pub(super) reads: Reads,
}

/// Where a page is: its number, and that of its first line in physical memory.
#[derive(Clone, Copy)]
struct Frame {
    page: u64,
    line: u64,
}

const NONE: Frame = Frame { page: u64::MAX, line: 0 };

impl<'a> Each<'a> {
    pub(super) fn new(chunk: &'a Chunk) -> Self {
        Self {
            accesses: chunk.accesses(),
            at: chunk.first,
            end: chunk.first + chunk.n,
            has_prefetches: chunk.count(Kind::Prefetch) > 0,
            frames: Box::new([NONE; KNOWN]),
            reads: Reads::default(),
        }
    }

    pub(super) fn may_map(&self) -> bool {
        !self.has_prefetches
    }

    /// Does what comes before access `index` of the trace.
    #[inline(never)]
    pub(super) fn before(&mut self, index: u32, mapped: Mapped<'_>, memory: &mut Memory) {
        let mut nothing = ServedMany::default();
        self.list(index, mapped, memory, &mut nothing);
        self.reads.go(memory, &mut nothing);
    }

    /// Lists what comes before access `index` of the trace; `served` is told of what gets done.
    #[inline(always)]
    pub(super) fn list(
        &mut self,
        index: u32,
        mapped: Mapped<'_>,
        memory: &mut Memory,
        served: &mut ServedMany,
    ) {
        while self.at < index.min(self.end) {
            let Some(access) = self.accesses.next() else { break };
            self.at += 1;
            self.touch(&access, mapped);
            if self.reads.len() > MAX_WAITING {
                self.reads.go(memory, served);
            }
        }
    }

    #[inline(always)]
    fn touch(&mut self, access: &Access, mapped: Mapped<'_>) {
        let (first, last) = (access.address >> LINE_BITS, access.last() >> LINE_BITS);
        for line in first..=last {
            if let Some(physical) = self.physical(line, mapped) {
                self.reads.push(physical, NOBODY);
            }
        }
    }

    /// Remembers where the page of an address is, which a walk has found.
    #[inline(always)]
    pub(super) fn know(&mut self, va: u64, physical: u64) {
        let page = va >> RUN_PAGE_BITS;
        let line = physical >> RUN_PAGE_BITS << PAGE_LINES_BITS;
        self.frames[index(page % KNOWN as u64)] = Frame { page, line };
    }

    /// A line in physical memory, if its page is mapped.
    #[inline(always)]
    fn physical(&mut self, line: u64, mapped: Mapped<'_>) -> Option<u64> {
        let page = line >> PAGE_LINES_BITS;
        let in_page = line & ((1 << PAGE_LINES_BITS) - 1);
        let known = &mut self.frames[index(page % KNOWN as u64)];
        if known.page != page {
            *known = Frame { page, line: mapped.frame(page)? };
        }
        Some(known.line + in_page)
    }
}
