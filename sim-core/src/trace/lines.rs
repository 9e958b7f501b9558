//! Line runs: which lines of 64 bytes the accesses of a chunk touch, with repeats counted out.
//!
//! Fetches are one group, loads and stores the other. An access is a *repeat* if it touches one line, the
//! one that its group touched last, and since then the other group has touched no other line that may lie
//! in the same set of a cache. In a cache of [`SETS`] sets or more such a line is still the latest of its
//! set, so that touching it again changes nothing, unless something beside the accesses came between: for
//! that, the group of every access is kept.
//!
//! ```text
//! accesses   F a   F a   L x   F a   L x   F b   L y       a, b, x, y: lines
//! touches    F a         L x               F b   L y
//! fetches     1     1     0     1     0     1     0
//! ```

use super::Chunk;
use super::access::{Access, Kind};
use super::runs::{RUN_PAGE_BITS, group};
use crate::narrow::{index, low32};

/// log2 of the bytes of a line.
const LINE_BITS: u32 = 6;
/// log2 of the lines of a page.
const PAGE_LINES_BITS: u32 = RUN_PAGE_BITS - LINE_BITS;
/// Sets that a cache must have: these bits of a line's number are the same in virtual and in physical memory.
pub(crate) const SETS: u32 = 1 << PAGE_LINES_BITS;
/// An access that is longer is no usual one.
const MAX_SIZE: u32 = 1024;
/// Touches are kept of the first so many accesses of a trace: they take more memory than the trace.
const MAX_ACCESSES: u32 = 1 << 25;
/// Places of the table that finds a page again.
const KNOWN: usize = 256;

/// A line that is touched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// The number of the access in the chunk, then one bit for its group.
    place: u32,
    /// The number of the page in the list, then that of the line in the page.
    line: u32,
}

impl Touch {
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn access(self) -> u32 {
        self.place >> 1
    }

    /// 0 for fetches, 1 for data.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn group(self) -> usize {
        (self.place & 1) as usize
    }

    /// Where its 4 KiB page is in the list.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn page(self) -> usize {
        (self.line >> PAGE_LINES_BITS) as usize
    }

    /// The number of the line in its page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn line(self) -> u64 {
        u64::from(self.line & (SETS - 1))
    }
}

/// The touches of one chunk.
#[derive(Debug)]
pub(crate) struct LineRuns {
    pub(crate) touches: Box<[Touch]>,
    /// 4 KiB pages; one may be there several times.
    pub(crate) pages: Box<[u64]>,
    /// A bit for each access: whether it is a fetch.
    fetches: Box<[u64]>,
    n: u32,
}

impl LineRuns {
    /// `None` where they would be of no use: most accesses are no repeats, or they are not simply accesses
    /// of one process.
    pub(super) fn of(chunk: &Chunk) -> Option<Self> {
        if !chunk.ops.is_empty() || chunk.first >= MAX_ACCESSES {
            return None;
        }
        let mut writer = Writer::new(chunk.n);
        let mut pid = None;
        for (place, access) in (0..).zip(chunk.accesses()) {
            if *pid.get_or_insert(access.pid) != access.pid || access.size > MAX_SIZE {
                return None;
            }
            writer.push(place, &access);
            if writer.touches.len() > (chunk.n / 2) as usize {
                return None;
            }
        }
        Some(writer.finish(chunk.n))
    }

    /// The first access of a group among those from number `from` on and before `to`.
    #[inline]
    pub(crate) fn first_of(&self, group: usize, from: u32, to: u32) -> Option<u32> {
        let to = to.min(self.n);
        let mut at = from;
        while at < to {
            let word = self.fetches[(at / 64) as usize];
            let wanted = if group == 0 { word } else { !word } >> (at % 64);
            if wanted != 0 {
                let found = at + wanted.trailing_zeros();
                return (found < to).then_some(found);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }

    pub(super) fn bytes(&self) -> usize {
        self.touches.len() * size_of::<Touch>() + 8 * (self.pages.len() + self.fetches.len())
    }
}

struct Writer {
    touches: Vec<Touch>,
    pages: Vec<u64>,
    fetches: Vec<u64>,
    /// By group: the line that a repeat touches.
    last: [Option<u64>; 2],
    /// Pages with their places in the list, by their lowest bits.
    known: [(u64, u32); KNOWN],
}

impl Writer {
    fn new(n: u32) -> Self {
        Self {
            touches: Vec::new(),
            pages: Vec::new(),
            fetches: vec![0; n.div_ceil(64) as usize],
            last: [None; 2],
            known: [(u64::MAX, 0); KNOWN],
        }
    }

    #[inline]
    fn push(&mut self, place: u32, access: &Access) {
        let group = group(access.kind);
        if group == 0 {
            self.fetches[(place / 64) as usize] |= 1 << (place % 64);
        }
        let (first, last) = (access.address >> LINE_BITS, access.last() >> LINE_BITS);
        if first != last || self.last[group] != Some(first) || access.kind == Kind::Prefetch {
            for line in first..=last {
                self.touch(place, group, line);
            }
            // A prefetch of a page that is not mapped touches nothing.
            self.last[group] = (access.kind != Kind::Prefetch).then_some(last);
        }
        let other = &mut self.last[1 - group];
        let in_its_set = |line: u64| {
            (first..=last).any(|own| own != line && (own ^ line).is_multiple_of(u64::from(SETS)))
        };
        if other.is_some_and(in_its_set) {
            *other = None;
        }
    }

    fn touch(&mut self, place: u32, group: usize, line: u64) {
        let page = line >> PAGE_LINES_BITS;
        let known = &mut self.known[index(page % KNOWN as u64)];
        if known.0 != page {
            *known = (page, low32(self.pages.len() as u64));
            self.pages.push(page);
        }
        let line = known.1 << PAGE_LINES_BITS | low32(line % u64::from(SETS));
        self.touches.push(Touch { place: place << 1 | low32(group as u64), line });
    }

    fn finish(self, n: u32) -> LineRuns {
        let Self { touches, pages, fetches, .. } = self;
        LineRuns { touches: touches.into(), pages: pages.into(), fetches: fetches.into(), n }
    }
}
