//! The nearest cache while a chunk's accesses go through it, of which most find their line: that changes nothing
//! but the order of use, which is found out once somebody asks.
//!
//! ```text
//! touches of line a   ·     ·  ·        ·        looked at: the first, and the next after a was given up
//!                     !              x  !        x: something else took its way
//! ```
//!
//! Of each way, one use is known, perhaps not the latest. A way that gives up its line is one whose known use is
//! the oldest, and is the latest of that line.
//!
//! Reads of walks come between touches, and a repeat after one may be more recent than what the walk has read:
//! only this first repeat, of a line in the same set, is done.

use std::sync::Arc;

use super::Cache;
use super::lines::Lines;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::LineRuns;

/// A page whose frame is not known yet.
const UNKNOWN: u64 = u64::MAX;
/// No line of the chunk.
const NONE: u32 = u32::MAX;
/// What came before the chunk is in the order of these times.
const BEFORE: u32 = 16;

/// A use of a way, not always its latest.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// See [`time_of`] and [`Deferred::now`].
    time: u64,
    /// The line that it holds, if the chunk has touched it: of those the latest touch is found by its number.
    line: u32,
}

/// The touches of one chunk, as far as they are done, and what is known of the uses of ways.
#[derive(Clone, Debug)]
pub(crate) struct Deferred {
    runs: Arc<LineRuns>,
    /// Touches that are done.
    n_done: u32,
    /// The access of the chunk that comes next.
    index: u32,
    /// Uses between two touches are told apart by it.
    n_between: u32,
    /// A bit for each touch: whether it is to be looked at.
    due: Vec<u64>,
    /// By set and way.
    uses: Vec<Use>,
    n_ways: usize,
    /// By page of the list: the number of its first line in physical memory.
    frames: Vec<u64>,
    /// By line: the place of its first touch that is not known to be done.
    next: Vec<u32>,
    /// By group: the latest of the first `n_seen` touches.
    latest: [Option<u32>; 2],
    n_seen: u32,
    /// By group: the access that is a repeat, and its line, if it must be done.
    again: [Option<(u32, u32)>; 2],
}

/// Of a touch.
fn time_of(touch: u32) -> u64 {
    u64::from(touch + 1) << 32
}

impl Deferred {
    /// `None` if `lines` is not of a sort that can wait.
    pub(super) fn new(runs: &Arc<LineRuns>, lines: &Lines) -> Option<Self> {
        let (n_sets, n_ways) = lines.may_wait()?;
        let mut uses = Vec::with_capacity(n_sets * n_ways);
        for set in 0..n_sets {
            uses.extend((0..n_ways).map(|_| Use { time: 0, line: NONE }));
            let order = lines.order(set);
            for rank in 0..n_ways {
                let way = (order >> (4 * rank) & 0xf) as usize;
                uses[set * n_ways + way].time = rank as u64;
            }
        }
        let mut due = vec![0; runs.n_touches().div_ceil(64) as usize];
        let next: Vec<u32> =
            (0..small(runs.n_lines())).map(|line| runs.touches_of(line).start).collect();
        for place in &next {
            mark(&mut due, runs.touch_at(*place));
        }
        Some(Self {
            n_done: 0,
            index: 0,
            n_between: BEFORE,
            due,
            uses,
            n_ways,
            frames: vec![UNKNOWN; runs.pages.len()],
            next,
            latest: [None; 2],
            n_seen: 0,
            again: [None; 2],
            runs: Arc::clone(runs),
        })
    }

    /// Does what comes before access `end` of the chunk; `frame` gives the first line of a page in physical memory.
    pub(super) fn go_before(
        &mut self,
        end: u32,
        caches: &mut [Cache],
        frame: &impl Fn(u64) -> Option<u64>,
    ) {
        loop {
            let [fetch, data] = self.again.map(|repeat| repeat.map_or(u32::MAX, |(at, _)| at));
            let (at, group) = if fetch < data { (fetch, 0) } else { (data, 1) };
            let Some((_, line)) = self.again[group].filter(|_| at < end) else { break };
            self.again[group] = None;
            self.touch_before(at, caches, frame);
            if let Some(physical) = self.physical(line, frame) {
                let now = self.now();
                self.use_line(line, physical, now, caches);
            }
        }
        self.touch_before(end, caches, frame);
        self.index = end;
    }

    /// Does the touches before access `end`, as far as they are due.
    fn touch_before(
        &mut self,
        end: u32,
        caches: &mut [Cache],
        frame: &impl Fn(u64) -> Option<u64>,
    ) {
        let n = self.runs.n_before(self.n_done, end);
        while let Some(touch) = self.next_due(n) {
            self.n_done = touch;
            let line = self.runs.line(touch);
            self.pass(line);
            self.next[line as usize] += 1;
            match self.physical(line, frame) {
                Some(physical) => self.use_line(line, physical, time_of(touch), caches),
                None => self.wake(line),
            }
            self.n_done = touch + 1;
        }
        self.n_done = n;
    }

    /// Returns the first touch before `end` that is to be looked at.
    #[inline]
    fn next_due(&self, end: u32) -> Option<u32> {
        let mut from = self.n_done;
        while from < end {
            let rest = self.due[(from / 64) as usize] >> (from % 64);
            if rest != 0 {
                return Some(from + rest.trailing_zeros()).filter(|touch| *touch < end);
            }
            from = (from / 64 + 1) * 64;
        }
        None
    }

    /// A line in physical memory, if its page is mapped.
    #[inline]
    fn physical(&mut self, line: u32, frame: &impl Fn(u64) -> Option<u64>) -> Option<u64> {
        let (page, in_page) = self.runs.name(line);
        let known = &mut self.frames[page];
        if *known == UNKNOWN {
            *known = frame(self.runs.pages[page]).unwrap_or(UNKNOWN);
        }
        (*known != UNKNOWN).then(|| *known + in_page)
    }

    /// A time after all touches that are done, and before the next.
    fn now(&mut self) -> u64 {
        self.n_between += 1;
        u64::from(self.n_done) << 32 | u64::from(self.n_between)
    }

    /// Notes that the touches of a line before the next one that is not done are done; returns the time of the last.
    #[inline]
    fn pass(&mut self, line: u32) -> u64 {
        let Self { runs, next, n_done, .. } = self;
        let places = runs.touches_of(line);
        let next = &mut next[line as usize];
        if *next < places.end && runs.touch_at(*next) < *n_done {
            *next = runs.place_from(*next + 1..places.end, *n_done);
        }
        if *next > places.start { time_of(runs.touch_at(*next - 1)) } else { 0 }
    }

    /// The next touch of a line is to be looked at.
    fn wake(&mut self, line: u32) {
        let Self { runs, next, due, .. } = self;
        let next = next[line as usize];
        if next < runs.touches_of(line).end {
            mark(due, runs.touch_at(next));
        }
    }

    /// Takes a line through the caches.
    #[inline]
    fn use_line(&mut self, line: u32, physical: u64, time: u64, caches: &mut [Cache]) {
        let [nearest, others @ ..] = caches else { return };
        let (set, tag) = nearest.lines.place(physical);
        if let Some(way) = nearest.lines.find(set, tag) {
            self.uses[set * self.n_ways + way] = Use { time, line };
            return;
        }
        for cache in others {
            if cache.lines.read(physical) {
                break;
            }
        }
        let way = self.victim(set);
        nearest.lines.put(set, way, tag);
        let given_up =
            std::mem::replace(&mut self.uses[set * self.n_ways + way], Use { time, line });
        if given_up.line != NONE {
            self.wake(given_up.line);
        }
    }

    /// Returns the way of a set whose latest use is the oldest.
    fn victim(&mut self, set: usize) -> usize {
        let first = set * self.n_ways;
        loop {
            let mut oldest = Use { time: u64::MAX, line: NONE };
            let mut way = 0;
            for (number, other) in self.uses[first..first + self.n_ways].iter().enumerate() {
                if other.time < oldest.time {
                    (oldest, way) = (*other, number);
                }
            }
            if oldest.line == NONE {
                return way;
            }
            let latest = self.pass(oldest.line);
            if latest <= oldest.time {
                return way;
            }
            self.uses[first + way].time = latest;
        }
    }

    /// Reads a line that is none of the accesses'; true if it was there.
    pub(super) fn read(&mut self, physical: u64, lines: &mut Lines) -> bool {
        let (set, _) = lines.place(physical);
        self.settle(set, lines);
        let held = lines.read(physical);
        let latest = lines.order(set) >> (4 * (self.n_ways - 1)) & 0xf;
        let time = self.now();
        let used = &mut self.uses[set * self.n_ways + latest as usize];
        used.time = time;
        if !held {
            let given_up = std::mem::replace(&mut used.line, NONE);
            if given_up != NONE {
                self.wake(given_up);
            }
        }
        self.find_repeats(set, lines);
        held
    }

    /// Finds the repeats that come next, of lines in a set.
    fn find_repeats(&mut self, set: usize, lines: &Lines) {
        let mut found = [false; 2];
        for touch in (self.n_seen..self.n_done).rev() {
            let group = self.runs.group(touch);
            if !found[group] {
                found[group] = true;
                self.latest[group] = Some(touch);
                if found == [true; 2] {
                    break;
                }
            }
        }
        self.n_seen = self.n_done;
        for group in 0..2 {
            let Some(touch) = self.latest[group].filter(|_| self.again[group].is_none()) else {
                continue;
            };
            let line = self.runs.line(touch);
            let (page, in_page) = self.runs.name(line);
            let frame = self.frames[page];
            if frame == UNKNOWN || lines.place(frame + in_page).0 != set {
                continue;
            }
            let Some(at) = self.runs.first_of(group, self.index, u32::MAX) else { continue };
            let touches = self.runs.n_before(self.n_done, at);
            let is_touch = touches < self.runs.n_touches() && self.runs.access(touches) == at;
            if !is_touch {
                self.again[group] = Some((at, line));
            }
        }
    }

    /// Gives a set its order of use.
    fn settle(&mut self, set: usize, lines: &mut Lines) {
        let first = set * self.n_ways;
        let mut times = [0; 16];
        for (way, time) in times.iter_mut().enumerate().take(self.n_ways) {
            let Use { time: known, line } = self.uses[first + way];
            *time = if line == NONE { known } else { known.max(self.pass(line)) };
            self.uses[first + way].time = *time;
        }
        let times = &times[..self.n_ways];
        let mut order = 0;
        for (way, time) in (0..).zip(times) {
            let rank = times.iter().filter(|other| *other < time).count();
            order |= way << (4 * rank);
        }
        lines.set_order(set, order);
    }

    /// Gives every set its order of use, once all is done.
    pub(super) fn finish(mut self, lines: &mut Lines) {
        for set in 0..self.uses.len() / self.n_ways {
            let first = set * self.n_ways;
            let uses = &self.uses[first..first + self.n_ways];
            if uses.iter().any(|one| one.time >= u64::from(BEFORE)) {
                self.settle(set, lines);
            }
        }
    }
}

fn mark(due: &mut [u64], touch: u32) {
    due[(touch / 64) as usize] |= 1 << (touch % 64);
}
