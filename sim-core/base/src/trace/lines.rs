//! Line runs: which lines of 64 bytes the accesses of a chunk touch, with repeats left out.
//!
//! Fetches are one group, loads and stores the other. An access is a *repeat* if it touches the one line that its
//! group touched last, and the other group has touched no other line of the same cache set since then. In a cache
//! of [`SETS`] sets or more, a repeated line is the most recent of its set, so the repeat changes nothing. Only a
//! read by a page walk in between can change that: for this case the list keeps the group of every access.
//!
//! ```text
//! accesses   F a   F a   L x   F a   L x   F b   L y       a, b, x, y: lines
//! touches    F a         L x               F b   L y
//! fetches     1     1     0     1     0     1     0
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Chunk;
use super::access::{Access, Kind};
use super::runs::{RUN_PAGE_BITS, group};
use crate::narrow::{index, low16, low32, small};

/// log2 of the bytes of a line.
pub const LINE_BITS: u32 = 6;
/// log2 of the lines of a 4 KiB page.
pub const PAGE_LINES_BITS: u32 = RUN_PAGE_BITS - LINE_BITS;
/// The fewest sets that a cache must have. The bits of a line's number that choose one of these sets are equal in
/// virtual and in physical memory.
pub const SETS: u32 = 1 << PAGE_LINES_BITS;
/// The number of first accesses of a trace that get line runs. Line runs take more memory than the trace.
const MAX_ACCESSES: u32 = 1 << 25;
/// The number of recently used pages in the table that finds a page without a search.
const N_RECENT: usize = 256;
/// The number of first accesses that show whether the chunk repeats lines.
const N_SAMPLED: u32 = 1 << 13;
/// The most touches of a chunk: their numbers have 16 bits.
const MAX_TOUCHES: usize = u16::MAX as usize;
/// The number of a line that has not been touched yet.
const NO_LINE: u16 = u16::MAX;

/// How the accesses of a chunk touch lines.
#[derive(Clone, Copy)]
pub enum Lines<'a> {
    /// The line runs of a chunk in which most accesses repeat a line.
    Runs(&'a LineRuns),
    /// The chunk, if most accesses repeat no line, or if line runs are not made so late in the trace.
    Each(&'a Chunk),
}

/// The touches of one chunk, in order and by line. Lines and touches have numbers from 0, in order of appearance.
/// Clones share the lists.
#[derive(Clone, Debug, PartialEq)]
pub struct LineRuns {
    /// For each touch: twice the number of its access in the chunk, plus the group of that access.
    pub places: Arc<[u32]>,
    /// For each touch: the number of its line.
    pub lines: Arc<[u16]>,
    /// Touches sorted by line, then in order.
    pub by_line: Arc<[u16]>,
    /// For each line: the index in `by_line` of its first touch. One more entry holds the end of the last line's
    /// touches.
    pub starts: Arc<[u32]>,
    /// For each line: the index of its page in `pages`, times [`SETS`], plus the number of the line in the page.
    pub names: Arc<[u32]>,
    /// The numbers of the 4 KiB pages.
    pub pages: Arc<[u64]>,
    /// One bit for each access: whether the access is a fetch.
    pub fetches: Arc<[u64]>,
    /// The number of accesses in the chunk.
    pub n: u32,
}

impl LineRuns {
    /// Makes the line runs of a chunk, or returns `None` if most accesses are no repeats, so that line runs would
    /// save nothing. All accesses of `chunk` must belong to one process, without operations between them.
    pub(super) fn of(chunk: &Chunk) -> Option<Self> {
        if chunk.first >= MAX_ACCESSES {
            return None;
        }
        let max_touches = (chunk.n as usize / 2).min(MAX_TOUCHES);
        let mut writer = Writer::new(chunk.n);
        for (place, access) in (0..).zip(chunk.accesses()) {
            writer.push(place, &access);
            let n = writer.places.len();
            if n > max_touches || place == N_SAMPLED && n > N_SAMPLED as usize / 8 * 7 {
                return None;
            }
        }
        Some(writer.finish(chunk.n))
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.places.len() + self.starts.len() + self.names.len())
            + 2 * (self.lines.len() + self.by_line.len())
            + 8 * (self.pages.len() + self.fetches.len())
    }
}

struct Writer {
    places: Vec<u32>,
    lines: Vec<u16>,
    names: Vec<u32>,
    pages: Vec<u64>,
    fetches: Vec<u64>,
    /// For each group: the line that a repeat would touch.
    last: [Option<u64>; 2],
    /// Recently used pages with their indices in `pages`. The lowest bits of the page number choose the entry.
    recent: [(u64, u32); N_RECENT],
    /// All pages with their indices in `pages`.
    known: BTreeMap<u64, u32>,
    /// For each page of `pages`: the numbers of its lines.
    numbers: Vec<[u16; SETS as usize]>,
}

impl Writer {
    fn new(n: u32) -> Self {
        Self {
            places: Vec::new(),
            lines: Vec::new(),
            names: Vec::new(),
            pages: Vec::new(),
            fetches: vec![0; n.div_ceil(64) as usize],
            last: [None; 2],
            recent: [(u64::MAX, 0); N_RECENT],
            known: BTreeMap::new(),
            numbers: Vec::new(),
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
        if self.recent[index(page % N_RECENT as u64)].0 != page {
            self.find(page);
        }
        let at = self.recent[index(page % N_RECENT as u64)].1;
        let in_page = line % u64::from(SETS);
        let number = &mut self.numbers[at as usize][index(in_page)];
        if *number == NO_LINE {
            *number = low16(small(self.names.len()));
            self.names.push(at << PAGE_LINES_BITS | low32(in_page));
        }
        self.places.push(place << 1 | small(group));
        self.lines.push(*number);
    }

    #[inline(never)]
    fn find(&mut self, page: u64) {
        let Self { pages, numbers, known, recent, .. } = self;
        let at = *known.entry(page).or_insert_with(|| {
            pages.push(page);
            numbers.push([NO_LINE; SETS as usize]);
            small(pages.len() - 1)
        });
        recent[index(page % N_RECENT as u64)] = (page, at);
    }

    fn finish(self, n: u32) -> LineRuns {
        let Self { places, lines, names, pages, fetches, .. } = self;
        let mut starts = vec![0u32; names.len() + 1];
        for line in &lines {
            starts[usize::from(*line) + 1] += 1;
        }
        for line in 0..names.len() {
            starts[line + 1] += starts[line];
        }
        let mut ends = starts.clone();
        let mut by_line = vec![0; lines.len()];
        for (touch, line) in (0..).zip(&lines) {
            let end = &mut ends[usize::from(*line)];
            by_line[*end as usize] = touch;
            *end += 1;
        }
        LineRuns {
            places: places.into(),
            lines: lines.into(),
            by_line: by_line.into(),
            starts: starts.into(),
            names: names.into(),
            pages: pages.into(),
            fetches: fetches.into(),
            n,
        }
    }
}
