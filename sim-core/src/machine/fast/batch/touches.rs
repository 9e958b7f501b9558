//! The accesses themselves on their way through the memory caches, between the reads of walks.
//!
//! ```text
//! touches  a   b     c       d        a walk reads what is left of those before it
//! walks          w1      w2           repeats after it may touch their lines again
//! ```
//!
//! A repeat changes nothing as long as no walk has read anything since its line was touched: after a
//! walk, the first repeat of each group is done.
//!
//! Where the nearest cache may be told later what has been used, the memory itself has the touches, and does few.

use std::sync::Arc;

use super::each::Each;
use crate::caches::memory::ServedMany;
#[cfg(doc)]
use crate::caches::memory::read_by;
use crate::caches::memory::{LINE, Memory};
use crate::machine::Machine;
use crate::machine::host::nested::{self, Nested};
use crate::page_table::PageTables;
use pagewalk_base::trace::{LineRuns, Lines, RUN_PAGE_BITS};

/// A page whose frame is not known yet.
const UNKNOWN: u64 = u64::MAX;

/// The touches of one chunk.
pub(super) enum Touches<'a> {
    InRuns(InRuns<'a>),
    Each(Each<'a>),
}

impl<'a> Touches<'a> {
    /// `first`: the number of the chunk's first access.
    pub(super) fn new(first: u32, lines: Lines<'a>, machine: &mut Machine) -> Self {
        match lines {
            Lines::Runs(runs) => Self::InRuns(InRuns::new(first, runs, machine)),
            Lines::Each(chunk) => Self::Each(Each::new(chunk)),
        }
    }

    /// Whether pages may be mapped before the touches of accesses before them are done.
    pub(super) fn may_map(&self) -> bool {
        match self {
            // An access that waits for its turn may be a prefetch that finds no page yet.
            Self::InRuns(_) => false,
            Self::Each(each) => each.may_map(),
        }
    }

    /// Does what comes before access `index` of the trace, then the reads of its walk: lines with their reader, as
    /// [`read_by`] makes them.
    pub(super) fn walk(
        &mut self,
        index: u32,
        lines: &[u64],
        mapped: Mapped<'_>,
        memory: &mut Memory,
        served: &mut ServedMany,
    ) {
        match self {
            Self::InRuns(runs) => {
                runs.before(index, mapped, memory);
                runs.walked(index);
                memory.read_one_by_one(lines, served);
            }
            Self::Each(each) => {
                each.list(index, mapped, memory, served);
                each.reads.extend(lines);
            }
        }
    }

    /// Does what waits of the reads of walks.
    pub(super) fn go(&mut self, memory: &mut Memory, served: &mut ServedMany) {
        if let Self::Each(each) = self {
            each.reads.go(memory, served);
        }
    }

    /// Does what comes before access `index` of the trace.
    fn before(&mut self, index: u32, mapped: Mapped<'_>, memory: &mut Memory) {
        match self {
            Self::InRuns(runs) => runs.before(index, mapped, memory),
            Self::Each(each) => each.before(index, mapped, memory),
        }
    }
}

/// The touches of a chunk whose accesses repeat lines, as far as they are done.
pub(super) struct InRuns<'a> {
    runs: &'a LineRuns,
    /// The number of the chunk's first access.
    first: u32,
    /// Whether the memory has them.
    is_deferred: bool,
    /// The next touch.
    at: u32,
    /// By page of the list: the number of its first line in physical memory.
    frames: Vec<u64>,
    /// By group: the line that its repeats touch, in physical memory.
    last: [Option<u64>; 2],
    /// By group: the access from which on a repeat is no longer known to change nothing.
    since: [Option<u32>; 2],
}

/// Where pages are.
#[derive(Clone, Copy)]
pub(super) struct Mapped<'a> {
    pub(super) tables: &'a PageTables,
    /// What maps the guest's memory, if there is a guest.
    pub(super) nested: Option<&'a Nested>,
    pub(super) space: u32,
    pub(super) va_mask: u64,
}

impl Mapped<'_> {
    /// The number of the first line of a 4 KiB page in physical memory.
    #[inline(never)]
    pub(super) fn frame(self, page: u64) -> Option<u64> {
        let va = page << RUN_PAGE_BITS & self.va_mask;
        nested::physical(self.tables, self.nested, self.space, va).map(|address| address / LINE)
    }
}

impl<'a> InRuns<'a> {
    fn new(first: u32, runs: &'a Arc<LineRuns>, machine: &mut Machine) -> Self {
        let is_deferred = differ(&runs.pages, machine.plan.va_mask) && machine.memory.defer(runs);
        let frames = vec![UNKNOWN; if is_deferred { 0 } else { runs.pages.len() }];
        Self { runs, first, is_deferred, at: 0, frames, last: [None; 2], since: [None; 2] }
    }

    /// Does what comes before access `index` of the trace.
    #[inline(always)]
    fn before(&mut self, index: u32, mapped: Mapped<'_>, memory: &mut Memory) {
        let end = index - self.first;
        if self.is_deferred {
            memory.go_before(end, |page| mapped.frame(page));
            return;
        }
        while self.at < self.runs.n_touches() && self.runs.access(self.at) < end {
            let touch = self.at;
            self.at += 1;
            if self.since != [None; 2] {
                self.again(self.runs.access(touch), memory);
            }
            let group = self.runs.group(touch);
            let (page, line) = self.runs.name(self.runs.line(touch));
            let frame = &mut self.frames[page];
            if *frame == UNKNOWN {
                *frame = mapped.frame(self.runs.pages[page]).unwrap_or(UNKNOWN);
            }
            self.since[group] = None;
            self.last[group] = (*frame != UNKNOWN).then(|| *frame + line);
            if let Some(line) = self.last[group] {
                memory.touch(line);
            }
        }
        if self.since != [None; 2] {
            self.again(end, memory);
        }
    }

    /// The walk of access `index` has read something.
    #[inline(always)]
    fn walked(&mut self, index: u32) {
        self.since = [Some(index - self.first); 2];
    }

    /// Does the first repeat of each group that is before access `end` of the chunk.
    #[inline(never)]
    fn again(&mut self, end: u32, memory: &mut Memory) {
        let first =
            |group: usize| self.since[group].and_then(|from| self.runs.first_of(group, from, end));
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

/// Whether no two pages are one to translation, so that what is known by line is known of all its touches.
fn differ(pages: &[u64], va_mask: u64) -> bool {
    let mut seen: Vec<u64> = pages.iter().map(|page| page << RUN_PAGE_BITS & va_mask).collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair[0] != pair[1])
}

/// Does what comes before access `index` of the trace.
pub(super) fn before(touches: &mut Option<Touches<'_>>, index: u32, machine: &mut Machine) {
    let Some(touches) = touches else { return };
    let Machine { tables, nested, space, plan, memory, .. } = machine;
    let nested = nested.as_deref();
    let mapped = Mapped { tables, nested, space: *space, va_mask: plan.va_mask };
    touches.before(index, mapped, memory);
}

/// Does what is left, after the last access of the chunk.
pub(super) fn finish(touches: &mut Option<Touches<'_>>, machine: &mut Machine) {
    before(touches, u32::MAX, machine);
    machine.memory.catch_up();
}

/// The walk of access `index` has read something.
pub(super) fn walked(touches: &mut Option<Touches<'_>>, index: u32) {
    if let Some(Touches::InRuns(runs)) = touches {
        runs.walked(index);
    }
}
