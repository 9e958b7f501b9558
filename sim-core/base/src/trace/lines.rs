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

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::Chunk;
use super::access::{Access, Kind};
use super::runs::{RUN_PAGE_BITS, group};
use crate::narrow::{index, low16, low32, small};

/// log2 of the bytes of a line.
pub const LINE_BITS: u32 = 6;
/// log2 of the lines of a page.
pub const PAGE_LINES_BITS: u32 = RUN_PAGE_BITS - LINE_BITS;
/// Sets that a cache must have: these bits of a line's number are the same in virtual and in physical memory.
pub const SETS: u32 = 1 << PAGE_LINES_BITS;
/// Touches are kept of the first so many accesses of a trace: they take more memory than the trace.
const MAX_ACCESSES: u32 = 1 << 25;
/// Places of the table that finds a page again.
const KNOWN: usize = 256;
/// So many accesses show whether the others repeat lines.
const SHOWN: u32 = 1 << 13;
/// Touches of a chunk, at most: their numbers have 16 bits.
const MAX_TOUCHES: usize = u16::MAX as usize;
/// A line without a number.
const NO_LINE: u16 = u16::MAX;

/// How the accesses of a chunk touch lines.
#[derive(Clone, Copy)]
pub enum Lines<'a> {
    /// Most repeat one.
    Runs(&'a Arc<LineRuns>),
    /// Most do not, or nobody has looked.
    Each(&'a Chunk),
}

/// The touches of one chunk, in order, and by line.
#[derive(Debug)]
pub struct LineRuns {
    /// By touch: the number of the access in the chunk, then one bit for its group.
    places: Box<[u32]>,
    /// By touch: the number of its line.
    lines: Box<[u16]>,
    /// Touches, those of a line together and in order.
    by_line: Box<[u16]>,
    /// By line: where its touches begin in `by_line`; at last, where they end.
    starts: Box<[u32]>,
    /// By line: the number of the page in the list, then that of the line in the page.
    names: Box<[u32]>,
    /// 4 KiB pages.
    pub pages: Box<[u64]>,
    /// A bit for each access: whether it is a fetch.
    fetches: Box<[u64]>,
    n: u32,
}

impl LineRuns {
    /// `None` where they would be of no use: most accesses are no repeats. `chunk` has simply accesses of one process.
    pub(super) fn of(chunk: &Chunk) -> Option<Self> {
        if chunk.first >= MAX_ACCESSES {
            return None;
        }
        let max_touches = (chunk.n as usize / 2).min(MAX_TOUCHES);
        let mut writer = Writer::new(chunk.n);
        for (place, access) in (0..).zip(chunk.accesses()) {
            writer.push(place, &access);
            let n = writer.places.len();
            if n > max_touches || place == SHOWN && n > SHOWN as usize / 8 * 7 {
                return None;
            }
        }
        Some(writer.finish(chunk.n))
    }

    pub fn n_touches(&self) -> u32 {
        small(self.places.len())
    }

    pub fn n_lines(&self) -> usize {
        self.names.len()
    }

    /// The number of a touch's access in the chunk.
    #[inline(always)]
    pub fn access(&self, touch: u32) -> u32 {
        self.places[touch as usize] >> 1
    }

    /// 0 for fetches, 1 for data.
    #[inline(always)]
    pub fn group(&self, touch: u32) -> usize {
        (self.places[touch as usize] & 1) as usize
    }

    /// The number of a touch's line.
    #[inline(always)]
    pub fn line(&self, touch: u32) -> u32 {
        u32::from(self.lines[touch as usize])
    }

    /// Where the 4 KiB page of a line is in the list, and the number of the line in its page.
    #[inline(always)]
    pub fn name(&self, line: u32) -> (usize, u64) {
        let name = self.names[line as usize];
        ((name >> PAGE_LINES_BITS) as usize, u64::from(name & (SETS - 1)))
    }

    /// The places of a line's touches, for [`Self::touch_at`].
    #[inline(always)]
    pub fn touches_of(&self, line: u32) -> Range<u32> {
        self.starts[line as usize]..self.starts[line as usize + 1]
    }

    #[inline(always)]
    pub fn touch_at(&self, place: u32) -> u32 {
        u32::from(self.by_line[place as usize])
    }

    /// The first of some places of one line whose touch is not before `touch`.
    #[inline]
    pub fn place_from(&self, places: Range<u32>, touch: u32) -> u32 {
        let touches = &self.by_line[places.start as usize..places.end as usize];
        places.start + small(touches.partition_point(|other| u32::from(*other) < touch))
    }

    /// How many touches there are before access `index` of the chunk; `from` of them are known to be.
    pub fn n_before(&self, from: u32, index: u32) -> u32 {
        let rest = &self.places[from as usize..];
        from + small(rest.partition_point(|place| place >> 1 < index))
    }

    /// The first access of a group among those from number `from` on and before `to`.
    #[inline]
    pub fn first_of(&self, group: usize, from: u32, to: u32) -> Option<u32> {
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
    /// By group: the line that a repeat touches.
    last: [Option<u64>; 2],
    /// Pages with their places in the list, by their lowest bits: those used last of all that there are.
    recent: [(u64, u32); KNOWN],
    known: BTreeMap<u64, u32>,
    /// By page of the list: the numbers of its lines.
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
            recent: [(u64::MAX, 0); KNOWN],
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
        if self.recent[index(page % KNOWN as u64)].0 != page {
            self.find(page);
        }
        let at = self.recent[index(page % KNOWN as u64)].1;
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
        recent[index(page % KNOWN as u64)] = (page, at);
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
