//! The working set of a trace over time, and the phases of the trace.
//!
//! The working set W(t, τ) has the pages that the last τ accesses up to t have used (Denning 1968). Its size is
//! counted at every access. For each interval of τ accesses the mean, least and greatest size are reported.
//!
//! Phases are found by the method of Dhodapkar and Smith (ISCA 2002; MICRO 2003), but with the sets of pages
//! instead of signatures. The difference of two neighbouring intervals is (|A ∪ B| − |A ∩ B|) / |A ∪ B|. The pages
//! change where it is greater than a half. A phase is either stable: its pages do not change inside. Or its pages
//! change at every interval, as in a scan and in random accesses to much memory, while their number stays alike.
//!
//! ```text
//! accesses  |── τ ──|── τ ──|── τ ──|── τ ──|── τ ──|── τ ──|
//! pages        A       A       B       C       D       D
//! differs          0       1       1       1       0
//! phase     |───────────────|───────────────|───────────────|
//! ```

use serde::Serialize;

use crate::page_ids::PageIds;
use crate::page_uses::{Chosen, PageSink};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::{Access, Chunk, Trace};

/// The most intervals that a trace may have.
const MAX_INTERVALS: usize = 1 << 20;
/// The pages change between two intervals if their difference is greater than this.
pub const THRESHOLD: f64 = 0.5;

/// The result of `pagewalk phases --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct WorkingSet {
    pub accesses: u64,
    /// Accesses of the window, τ.
    pub window: u64,
    /// Bytes of a page; 0 if the pages have several sizes.
    pub page_bytes: u64,
    /// Distinct pages of the trace.
    pub pages: u64,
    /// Pages in the window, over all accesses.
    pub mean: f64,
    pub most: u32,
    pub intervals: Vec<Interval>,
    pub phases: Vec<Phase>,
}

/// An interval of τ accesses; the last one may be shorter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Interval {
    /// The first access, counted among the chosen ones.
    pub first: u64,
    pub accesses: u64,
    /// Pages in the window that ends at each access of the interval.
    pub mean: f64,
    pub least: u32,
    pub most: u32,
    /// Pages that the interval uses.
    pub pages: u32,
    /// The difference to the previous interval, 0 to 1: of the pages of both, the part that only one of them
    /// uses. 0 for the first interval.
    pub change: f64,
}

/// Consecutive intervals with similar pages, or with pages that change at each of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Phase {
    /// The first access, counted among the chosen ones.
    pub first: u64,
    pub accesses: u64,
    /// Pages in the window, over all accesses of the phase.
    pub mean: f64,
    pub most: u32,
}

/// Computes a [`WorkingSet`] from accesses in order.
pub struct WorkingSetBuilder {
    chosen: Chosen,
    uses: Uses,
}

struct Uses {
    /// τ in accesses.
    window: u64,
    ids: PageIds,
    pages: Vec<Page>,
    /// The page of the window with the latest last use. `oldest` is the page with the earliest one.
    newest: u32,
    oldest: u32,
    /// The page used last.
    recent: u32,
    /// The number of accesses so far. It is the time t.
    now: u64,
    /// Pages in the window.
    size: u32,
    current: Sums,
    done: Vec<Sums>,
}

/// Stands for no page.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Page {
    /// The time of the page's last use; 0 = never.
    last: u64,
    /// The last interval that used the page, counted from 1; 0 = none.
    interval: u32,
    /// The neighbours of the page in the window's order of use: the page used before and after it.
    older: u32,
    newer: u32,
    in_window: bool,
}

/// The counts of an interval or of a phase.
#[derive(Clone, Copy)]
struct Sums {
    accesses: u64,
    /// Pages in the window, added up over the accesses.
    sizes: u64,
    least: u32,
    most: u32,
    pages: u32,
    /// Pages that the previous interval has used too.
    kept: u32,
}

const NOTHING: Sums = Sums { accesses: 0, sizes: 0, least: u32::MAX, most: 0, pages: 0, kept: 0 };

impl WorkingSetBuilder {
    /// `window` is τ in accesses, at least 1.
    ///
    /// # Errors
    /// `bad-config` at `window` or `kinds`.
    pub fn new(chosen: Chosen, window: u64) -> Result<Self> {
        chosen.check()?;
        if window == 0 {
            return Err(Error::config("window", "0 accesses: must be at least 1"));
        }
        let uses = Uses {
            window,
            ids: PageIds::new(),
            pages: Vec::new(),
            newest: NONE,
            oldest: NONE,
            recent: NONE,
            now: 0,
            size: 0,
            current: NOTHING,
            done: Vec::new(),
        };
        Ok(Self { chosen, uses })
    }

    /// Adds an access, if it is of a chosen kind.
    ///
    /// # Errors
    /// `bad-config` at `window` if there are too many intervals.
    #[inline]
    pub fn push(&mut self, access: &Access) -> Result<()> {
        self.chosen.report(access, &mut self.uses);
        self.check()
    }

    /// Adds all accesses of a trace.
    ///
    /// # Errors
    /// The errors of [`Self::push`].
    pub fn push_trace(&mut self, trace: &Trace) -> Result<()> {
        self.chosen.report_trace(trace, &mut self.uses);
        self.check()
    }

    /// Adds the accesses of the next chunk of a trace.
    ///
    /// # Errors
    /// The errors of [`Self::push`].
    pub fn push_chunk(&mut self, chunk: &Chunk) -> Result<()> {
        self.chosen.report_chunk(chunk, &mut self.uses);
        self.check()
    }

    #[inline]
    fn check(&self) -> Result<()> {
        if self.uses.is_full() { Err(too_many(self.uses.window)) } else { Ok(()) }
    }

    pub fn finish(mut self) -> WorkingSet {
        if self.uses.current.accesses > 0 {
            self.uses.close();
        }
        let Uses { window, done, now, pages, .. } = &self.uses;
        let mut intervals: Vec<Interval> = Vec::with_capacity(done.len());
        for sums in done {
            let (first, before) =
                intervals.last().map_or((0, 0), |last| (last.first + last.accesses, last.pages));
            let union = before + sums.pages - sums.kept;
            let change =
                if before == 0 { 0.0 } else { f64::from(union - sums.kept) / f64::from(union) };
            intervals.push(Interval {
                first,
                accesses: sums.accesses,
                mean: sums.mean(),
                least: sums.least,
                most: sums.most,
                pages: sums.pages,
                change,
            });
        }
        let mut phases = Vec::new();
        let begins = phases_of(&intervals, *window);
        for (at, from) in begins.iter().enumerate() {
            let to = begins.get(at + 1).copied().unwrap_or(done.len());
            let mut phase = NOTHING;
            done[*from..to].iter().for_each(|sums| phase.add(sums));
            phases.push(phase.as_phase(intervals[*from].first));
        }
        let mut all = NOTHING;
        for sums in done {
            all.add(sums);
        }
        WorkingSet {
            accesses: *now,
            window: *window,
            page_bytes: self.chosen.page_bytes(),
            pages: pages.len() as u64,
            mean: all.mean(),
            most: all.most,
            intervals,
            phases,
        }
    }
}

/// Returns the intervals that begin phases. A shorter last interval begins none, because it has fewer pages just by
/// its length.
fn phases_of(intervals: &[Interval], window: u64) -> Vec<usize> {
    let mut begins: Vec<usize> = if intervals.is_empty() { vec![] } else { vec![0] };
    // Whether the pages have changed at each interval of the phase after its first.
    let mut is_moving = false;
    for (before, (last, next)) in intervals.iter().zip(intervals.iter().skip(1)).enumerate() {
        if next.accesses < window {
            break;
        }
        let is_first = begins.last() == Some(&before);
        let is_alike = last.pages.max(next.pages) <= 2 * last.pages.min(next.pages);
        if next.change <= THRESHOLD {
            // What stays was new in the interval before.
            if is_moving {
                begins.push(before);
            }
            is_moving = false;
        } else if is_alike && (is_first || is_moving) {
            is_moving = true;
        } else {
            begins.push(before + 1);
            is_moving = false;
        }
    }
    begins
}

impl Uses {
    fn is_full(&self) -> bool {
        self.done.len() > MAX_INTERVALS
    }

    /// Records a use of a page at time `now`, and makes it the newest page.
    fn touch(&mut self, space: u32, page: u64, now: u64) {
        let id = self.ids.id(space, page);
        if id as usize == self.pages.len() {
            let (older, newer) = (NONE, NONE);
            self.pages.push(Page { last: 0, interval: 0, older, newer, in_window: false });
        }
        if self.newest != id {
            if self.pages[id as usize].in_window {
                self.unlink(id);
            } else {
                self.size += 1;
            }
            self.link(id);
        }
        self.pages[id as usize].last = now;
        self.recent = id;
        self.note_in_interval(id);
    }

    fn link(&mut self, id: u32) {
        let older = std::mem::replace(&mut self.newest, id);
        match self.pages.get_mut(older as usize) {
            Some(older) => older.newer = id,
            None => self.oldest = id,
        }
        let page = &mut self.pages[id as usize];
        (page.older, page.newer, page.in_window) = (older, NONE, true);
    }

    fn unlink(&mut self, id: u32) {
        let Page { older, newer, .. } = self.pages[id as usize];
        match self.pages.get_mut(older as usize) {
            Some(page) => page.newer = newer,
            None => self.oldest = newer,
        }
        match self.pages.get_mut(newer as usize) {
            Some(page) => page.older = older,
            None => self.newest = older,
        }
        self.pages[id as usize].in_window = false;
    }

    /// Removes the pages that the window ending at `now` no longer uses.
    #[inline]
    fn expire(&mut self, now: u64) {
        while self.next_to_leave() <= now {
            self.unlink(self.oldest);
            self.size -= 1;
        }
    }

    /// Returns the time when the oldest page leaves the window.
    #[inline]
    fn next_to_leave(&self) -> u64 {
        let oldest = self.pages.get(self.oldest as usize);
        oldest.map_or(u64::MAX, |page| page.last.saturating_add(self.window))
    }

    #[inline]
    fn note_in_interval(&mut self, id: u32) {
        let interval = small(self.done.len()) + 1;
        let page = &mut self.pages[id as usize];
        if page.interval != interval {
            self.current.pages += 1;
            self.current.kept += u32::from(page.interval + 1 == interval && interval > 1);
            page.interval = interval;
        }
    }

    /// Counts `n` accesses, during which the window does not change.
    #[inline]
    fn pass(&mut self, n: u64) {
        let current = &mut self.current;
        current.accesses += n;
        current.sizes += n * u64::from(self.size);
        current.least = current.least.min(self.size);
        current.most = current.most.max(self.size);
        self.now += n;
        if current.accesses == self.window {
            self.close();
        }
    }

    fn close(&mut self) {
        self.done.push(std::mem::replace(&mut self.current, NOTHING));
    }
}

impl PageSink for Uses {
    #[inline]
    fn access(&mut self, space: u32, first: u64, last: u64) {
        if self.is_full() {
            return;
        }
        let now = self.now + 1;
        self.expire(now);
        self.touch(space, first, now);
        if last != first {
            self.touch(space, last, now);
        }
        self.pass(1);
    }

    fn repeats(&mut self, mut n: u64) {
        let Some(recent) = self.pages.get_mut(self.recent as usize) else { return };
        recent.last = self.now + n;
        while n > 0 && !self.is_full() {
            self.expire(self.now + 1);
            self.note_in_interval(self.recent);
            let in_interval = self.window - self.current.accesses;
            let same = n.min(in_interval).min(self.next_to_leave() - self.now - 1);
            self.pass(same);
            n -= same;
        }
    }
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.accesses += other.accesses;
        self.sizes += other.sizes;
        self.most = self.most.max(other.most);
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    fn mean(&self) -> f64 {
        if self.accesses == 0 { 0.0 } else { self.sizes as f64 / self.accesses as f64 }
    }

    fn as_phase(&self, first: u64) -> Phase {
        Phase { first, accesses: self.accesses, mean: self.mean(), most: self.most }
    }
}

#[cold]
fn too_many(window: u64) -> Error {
    let message = format!(
        "windows of {window} accesses make more than {MAX_INTERVALS} intervals: give a longer one"
    );
    Error::config("window", message)
}
