//! The accesses themselves on their way through the memory caches, between the reads of walks.
//!
//! ```text
//! touches  a   b     c       d        before the reads of a walk, all earlier touches are executed
//! walks          w1      w2           repeats after it may have to touch their lines again
//! ```
//!
//! A repeat changes nothing unless a walk has read since its line was touched. After a walk, the first repeat of each
//! group is executed.
//!
//! If the nearest cache allows it, the memory computes the order of use late, and skips most touches: see
//! [`crate::caches::memory`].
//!
//! Bench row: (c) on Skylake-SP, data through caches.

use super::route::TouchRoute;
use super::single_accesses::SingleAccesses;
use crate::caches::memory::{LINE, Memory, PAGE_LINES_BITS, Readers, ServedReads, TouchList};
use crate::machine::Machine;
use crate::machine::host::nested::{self, Nested};
use crate::page_table::PageTables;
use pagewalk_base::trace::{LineRuns, RUN_PAGE_BITS, SETS};

/// The frame of a page whose frame is not known yet.
const UNKNOWN: u64 = u64::MAX;

/// The touches of one chunk that are not executed yet.
pub(super) enum LineTouches<'a> {
    InRuns(InRuns),
    Single(SingleAccesses<'a>),
}

impl<'a> LineTouches<'a> {
    /// Begins the touches of a chunk. Returns `None` if accesses do not go through the caches. `first` is the number
    /// of the chunk's first access.
    pub(super) fn new(first: u32, route: TouchRoute<'a>, machine: &mut Machine) -> Option<Self> {
        Some(match route {
            TouchRoute::None => return None,
            TouchRoute::LateOrder(runs) => {
                let touches = touch_list(runs);
                machine.memory.begin_touches(&touches);
                Self::InRuns(InRuns::new(first, touches, true))
            }
            TouchRoute::InOrder(runs) => Self::InRuns(InRuns::new(first, touch_list(runs), false)),
            TouchRoute::Single(chunk) => Self::Single(SingleAccesses::new(chunk)),
        })
    }

    /// Executes the touches before access `index` of the trace, then the reads of its walk: lines packed with their
    /// reader, see [`crate::caches::memory::read_by`].
    pub(super) fn walk(
        &mut self,
        index: u32,
        lines: &[u64],
        mapped: Mapped<'_>,
        memory: &mut Memory,
        served: &mut ServedReads,
    ) {
        match self {
            Self::InRuns(runs) => runs.walk(index, lines, mapped, memory, served),
            Self::Single(accesses) => {
                accesses.collect_until(index, mapped, memory, served);
                accesses.reads.extend(lines);
            }
        }
    }

    /// Returns whether [`Self::remember_frame`] keeps frames.
    pub(super) fn wants_frames(&self) -> bool {
        matches!(self, Self::Single(_))
    }

    /// Keeps the frame of a page that a walk has found, if accesses are executed one by one.
    pub(super) fn remember_frame(&mut self, va: u64, physical: u64) {
        if let Self::Single(accesses) = self {
            accesses.remember_frame(va, physical);
        }
    }

    /// Executes all collected reads. `readers` is what is known of their readers.
    pub(super) fn read_all(
        &mut self,
        readers: Readers,
        memory: &mut Memory,
        served: &mut ServedReads,
    ) {
        if let Self::Single(accesses) = self {
            accesses.reads.read_all(readers, memory, served);
        }
    }

    /// Executes the touches before access `index` of the trace.
    fn touch_until(&mut self, index: u32, mapped: Mapped<'_>, memory: &mut Memory) {
        match self {
            Self::InRuns(runs) => runs.touch_until(index, mapped, memory),
            Self::Single(accesses) => accesses.touch_until(index, mapped, memory),
        }
    }
}

/// The touches of a chunk whose accesses repeat lines.
pub(super) struct InRuns {
    touches: TouchList,
    /// The number of the chunk's first access.
    first: u32,
    /// Whether the memory executes the touches, in a late order.
    is_late: bool,
    /// The number of the next touch.
    at: u32,
    /// For each page of the list: the number of its first line in physical memory.
    frames: Vec<u64>,
    /// For each group: the line in physical memory that repeats touch.
    last: [Option<u64>; 2],
    /// For each group: the walk after which a repeat may change something.
    since: [Option<u32>; 2],
}

/// The tables with which the frames of pages are found.
#[derive(Clone, Copy)]
pub(super) struct Mapped<'a> {
    pub(super) tables: &'a PageTables,
    /// The host, if there is one.
    pub(super) nested: Option<&'a Nested>,
    pub(super) space: u32,
    pub(super) va_mask: u64,
}

impl Mapped<'_> {
    /// Returns the number of the first line of a 4 KiB page in physical memory, if the page is mapped.
    #[inline(never)]
    pub(super) fn frame(self, page: u64) -> Option<u64> {
        let va = page << RUN_PAGE_BITS & self.va_mask;
        nested::physical(self.tables, self.nested, self.space, va).map(|address| address / LINE)
    }
}

/// Makes the memory's list of touches from the line runs of a chunk. Both share the lists.
fn touch_list(runs: &LineRuns) -> TouchList {
    const { assert!(SETS == 1 << PAGE_LINES_BITS) };
    let LineRuns { places, lines, by_line, starts, names, pages, fetches, n } = runs.clone();
    TouchList { places, lines, by_line, starts, names, pages, fetches, n }
}

impl InRuns {
    fn new(first: u32, touches: TouchList, is_late: bool) -> Self {
        let frames = vec![UNKNOWN; if is_late { 0 } else { touches.pages.len() }];
        Self { touches, first, is_late, at: 0, frames, last: [None; 2], since: [None; 2] }
    }

    /// Executes the touches before access `index` of the trace.
    #[cfg_attr(feature = "fast", inline(always))]
    fn touch_until(&mut self, index: u32, mapped: Mapped<'_>, memory: &mut Memory) {
        let end = index - self.first;
        if self.is_late {
            memory.touch_until(end, |page| mapped.frame(page));
            return;
        }
        while self.at < self.touches.n_touches() && self.touches.access(self.at) < end {
            let touch = self.at;
            self.at += 1;
            if self.since != [None; 2] {
                self.repeat_until(self.touches.access(touch), memory);
            }
            let group = self.touches.group(touch);
            let (page, line) = self.touches.name(self.touches.line(touch));
            let frame = &mut self.frames[page];
            if *frame == UNKNOWN {
                *frame = mapped.frame(self.touches.pages[page]).unwrap_or(UNKNOWN);
            }
            self.since[group] = None;
            self.last[group] = (*frame != UNKNOWN).then(|| *frame + line);
            if let Some(line) = self.last[group] {
                memory.touch(line);
            }
        }
        if self.since != [None; 2] {
            self.repeat_until(end, memory);
        }
    }

    /// Executes the touches before access `index` of the trace, then the reads of its walk.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn walk(
        &mut self,
        index: u32,
        lines: &[u64],
        mapped: Mapped<'_>,
        memory: &mut Memory,
        served: &mut ServedReads,
    ) {
        self.touch_until(index, mapped, memory);
        self.note_walk(index);
        memory.read_one_by_one(lines, served);
    }

    /// Notes that the walk of access `index` reads next.
    #[cfg_attr(feature = "fast", inline(always))]
    fn note_walk(&mut self, index: u32) {
        self.since = [Some(index - self.first); 2];
    }

    /// Executes the first repeat of each group before access `end` of the chunk.
    #[inline(never)]
    fn repeat_until(&mut self, end: u32, memory: &mut Memory) {
        let first = |group: usize| {
            self.since[group].and_then(|from| self.touches.first_of(group, from, end))
        };
        let mut found = [0, 1].map(|group| (first(group), group));
        found.sort_unstable();
        for (at, group) in found {
            if at.is_none() {
                self.since[group] = self.since[group].map(|from| from.max(end));
                continue;
            }
            self.since[group] = None;
            if let Some(line) = self.last[group] {
                memory.touch(line);
            }
        }
    }
}

/// Executes the touches before access `index` of the trace.
pub(super) fn touch_until(
    touches: &mut Option<LineTouches<'_>>,
    index: u32,
    machine: &mut Machine,
) {
    let Some(touches) = touches else { return };
    let Machine { tables, nested, space, plan, memory, .. } = machine;
    let nested = nested.as_deref();
    let mapped = Mapped { tables, nested, space: *space, va_mask: plan.va_mask };
    touches.touch_until(index, mapped, memory);
}

/// Executes the remaining touches of the chunk.
pub(super) fn finish(touches: &mut Option<LineTouches<'_>>, machine: &mut Machine) {
    touch_until(touches, u32::MAX, machine);
    machine.memory.end_touches();
}

/// Notes that the walk of access `index` reads next.
pub(super) fn note_walk(touches: &mut Option<LineTouches<'_>>, index: u32) {
    if let Some(LineTouches::InRuns(runs)) = touches {
        runs.note_walk(index);
    }
}
