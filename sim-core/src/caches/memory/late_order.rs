//! The order of use of the nearest cache during a list of touches, computed only when it is needed.
//!
//! Most touches find their line in the cache. Such a touch changes the order of use of one set and nothing
//! else, so it is skipped. The order is computed when something depends on it: a fill of the set, or a read by
//! a walk.
//!
//! ```text
//! touches of line a   ·     ·  ·        ·        ! = looked at: the first, and the first after a was evicted
//!                     !              x  !        x = another line takes the way of a
//! ```
//!
//! A *way* is here a place in the order of use that was written last. Writing the order gives lines other places.
//!
//! For each way one use is recorded, which may be older than the latest one. The victim is the way whose recorded use
//! is the oldest, once that use is known to be the latest of its line.
//!
//! Reads of walks come between touches. A repeat after such a read may be more recent than the line that the
//! walk has read. So the first repeat of each group is executed if its line is in the same set.

use super::Cache;
use super::lines::Lines;
use super::touch_list::TouchList;
use pagewalk_base::narrow::small;

/// The frame of a page that has not been looked up yet.
const UNKNOWN: u64 = u64::MAX;
/// The number of a line that no touch of the list uses.
const NO_LINE: u32 = u32::MAX;
/// Times below this number belong to lines that were in the cache before the first touch. A set has at most 16 such
/// lines.
const FIRST_TIME: u32 = 16;

/// One use of a way; a later one may exist.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Use {
    /// The time of the use, made by [`time_of`] or [`LateOrder::now`].
    time: u64,
    /// The line that the way holds, if a touch of the list has used the line. The number leads to the latest touch
    /// of the line.
    line: u32,
}

/// The state of a list of touches: the number of touches that are done, and one use of each way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LateOrder {
    touches: TouchList,
    /// The number of touches that are done.
    n_done: u32,
    /// The number of the next access.
    index: u32,
    /// Counts uses between two touches, to give each its own time.
    n_between: u32,
    /// One bit for each touch: whether it must go through the caches.
    due: Vec<u64>,
    /// A use of each way, at index set × `n_ways` + way.
    uses: Vec<Use>,
    n_ways: usize,
    /// For each page of the list: the number of its first line in physical memory, or [`UNKNOWN`].
    frames: Vec<u64>,
    /// For each line: the place of its first touch that is not known to be done.
    next: Vec<u32>,
    /// For each group: the latest of the first `n_seen` touches.
    latest: [Option<u32>; 2],
    n_seen: u32,
    /// For each group: a repeat that must be executed, as its access and its line.
    repeats: [Option<(u32, u32)>; 2],
}

/// The time of a touch. Times between two touches have the same upper half.
fn time_of(touch: u32) -> u64 {
    u64::from(touch + 1) << 32
}

impl LateOrder {
    /// Begins a list of touches. Returns `None` if the layout of `lines` does not allow a late order.
    pub(super) fn new(touches: &TouchList, lines: &Lines) -> Option<Self> {
        let (n_sets, n_ways) = lines.late_order_shape()?;
        let mut uses = Vec::with_capacity(n_sets * n_ways);
        for _ in 0..n_sets {
            uses.extend((0..n_ways as u64).rev().map(|time| Use { time, line: NO_LINE }));
        }
        let mut due = vec![0; touches.n_touches().div_ceil(64) as usize];
        let next: Vec<u32> =
            (0..small(touches.n_lines())).map(|line| touches.touches_of(line).start).collect();
        for place in &next {
            mark(&mut due, touches.touch_at(*place));
        }
        Some(Self {
            n_done: 0,
            index: 0,
            n_between: FIRST_TIME,
            due,
            uses,
            n_ways,
            frames: vec![UNKNOWN; touches.pages.len()],
            next,
            latest: [None; 2],
            n_seen: 0,
            repeats: [None; 2],
            touches: touches.clone(),
        })
    }

    /// Executes the touches and repeats before access `end`. `frame` returns the first line of a page in
    /// physical memory.
    pub(super) fn touch_until(
        &mut self,
        end: u32,
        caches: &mut [Cache],
        frame: &impl Fn(u64) -> Option<u64>,
    ) {
        loop {
            let [fetch, data] = self.repeats.map(|repeat| repeat.map_or(u32::MAX, |(at, _)| at));
            let (at, group) = if fetch < data { (fetch, 0) } else { (data, 1) };
            let Some((_, line)) = self.repeats[group].filter(|_| at < end) else { break };
            self.repeats[group] = None;
            self.execute_due(at, caches, frame);
            if let Some(physical) = self.physical(line, frame) {
                let now = self.now();
                self.use_line(line, physical, now, caches);
            }
        }
        self.execute_due(end, caches, frame);
        self.index = end;
    }

    /// Executes the touches before access `end` that have their bit in `due`.
    fn execute_due(&mut self, end: u32, caches: &mut [Cache], frame: &impl Fn(u64) -> Option<u64>) {
        let n = self.touches.n_before(self.n_done, end);
        while let Some(touch) = self.next_due(n) {
            self.n_done = touch;
            let line = self.touches.line(touch);
            self.skip_done(line);
            self.next[line as usize] += 1;
            match self.physical(line, frame) {
                Some(physical) => self.use_line(line, physical, time_of(touch), caches),
                None => self.mark_next(line),
            }
            self.n_done = touch + 1;
        }
        self.n_done = n;
    }

    /// Returns the first touch before `end` that must go through the caches.
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

    /// Returns the number of a line in physical memory, if its page is mapped.
    #[inline]
    fn physical(&mut self, line: u32, frame: &impl Fn(u64) -> Option<u64>) -> Option<u64> {
        let (page, in_page) = self.touches.name(line);
        let known = &mut self.frames[page];
        if *known == UNKNOWN {
            *known = frame(self.touches.pages[page]).unwrap_or(UNKNOWN);
        }
        (*known != UNKNOWN).then(|| *known + in_page)
    }

    /// Returns a time after all touches that are done, and before the next touch.
    fn now(&mut self) -> u64 {
        self.n_between += 1;
        u64::from(self.n_done) << 32 | u64::from(self.n_between)
    }

    /// Advances `next` of a line past the touches that are done; returns the time of the last of them.
    #[inline]
    fn skip_done(&mut self, line: u32) -> u64 {
        let Self { touches, next, n_done, .. } = self;
        let places = touches.touches_of(line);
        let next = &mut next[line as usize];
        if *next < places.end && touches.touch_at(*next) < *n_done {
            *next = touches.place_from(*next + 1..places.end, *n_done);
        }
        if *next > places.start { time_of(touches.touch_at(*next - 1)) } else { 0 }
    }

    /// Marks the next touch of a line as one that must go through the caches.
    fn mark_next(&mut self, line: u32) {
        let Self { touches, next, due, .. } = self;
        let next = next[line as usize];
        if next < touches.touches_of(line).end {
            mark(due, touches.touch_at(next));
        }
    }

    /// Sends a touch of a line through the caches.
    #[inline]
    fn use_line(&mut self, line: u32, physical: u64, time: u64, caches: &mut [Cache]) {
        let [nearest, others @ ..] = caches else { return };
        nearest.lines.make_room(&[physical], physical);
        let set = nearest.lines.set_of(physical);
        if let Some(way) = nearest.lines.find(physical) {
            self.uses[set * self.n_ways + way] = Use { time, line };
            return;
        }
        for cache in others {
            if cache.lines.read(physical) {
                break;
            }
        }
        let way = self.victim(set);
        nearest.lines.put(way, physical);
        let evicted =
            std::mem::replace(&mut self.uses[set * self.n_ways + way], Use { time, line });
        if evicted.line != NO_LINE {
            self.mark_next(evicted.line);
        }
    }

    /// Returns the least recently used way of a set.
    fn victim(&mut self, set: usize) -> usize {
        let first = set * self.n_ways;
        loop {
            let mut oldest = Use { time: u64::MAX, line: NO_LINE };
            let mut way = 0;
            for (number, other) in self.uses[first..first + self.n_ways].iter().enumerate() {
                if other.time < oldest.time {
                    (oldest, way) = (*other, number);
                }
            }
            if oldest.line == NO_LINE {
                return way;
            }
            let latest = self.skip_done(oldest.line);
            if latest <= oldest.time {
                return way;
            }
            self.uses[first + way].time = latest;
        }
    }

    /// Reads a line for a walk; returns whether the nearest cache held it.
    pub(super) fn read(&mut self, physical: u64, lines: &mut Lines) -> bool {
        let set = lines.set_of(physical);
        self.write_order(set, lines);
        lines.make_room(&[physical], physical);
        let place = lines.find(physical);
        let held = lines.read(physical);
        let time = self.now();
        let first = set * self.n_ways;
        let moved = &mut self.uses[first..=first + place.unwrap_or(self.n_ways - 1)];
        moved.rotate_right(1);
        moved[0].time = time;
        if !held {
            let evicted = std::mem::replace(&mut moved[0].line, NO_LINE);
            if evicted != NO_LINE {
                self.mark_next(evicted);
            }
        }
        self.find_repeats(set, lines);
        held
    }

    /// Finds the next repeat of each group after a walk has read in `set`, if the group's line is in that set.
    fn find_repeats(&mut self, set: usize, lines: &Lines) {
        let mut found = [false; 2];
        for touch in (self.n_seen..self.n_done).rev() {
            let group = self.touches.group(touch);
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
            let Some(touch) = self.latest[group].filter(|_| self.repeats[group].is_none()) else {
                continue;
            };
            let line = self.touches.line(touch);
            let (page, in_page) = self.touches.name(line);
            let frame = self.frames[page];
            if frame == UNKNOWN || lines.set_of(frame + in_page) != set {
                continue;
            }
            let Some(at) = self.touches.first_of(group, self.index, u32::MAX) else { continue };
            let touches = self.touches.n_before(self.n_done, at);
            let is_touch = touches < self.touches.n_touches() && self.touches.access(touches) == at;
            if !is_touch {
                self.repeats[group] = Some((at, line));
            }
        }
    }

    /// Writes a set's order of use to the cache.
    fn write_order(&mut self, set: usize, lines: &mut Lines) {
        let first = set * self.n_ways;
        let mut times = [0; 16];
        for (way, time) in times.iter_mut().enumerate().take(self.n_ways) {
            let Use { time: known, line } = self.uses[first + way];
            *time = if line == NO_LINE { known } else { known.max(self.skip_done(line)) };
            self.uses[first + way].time = *time;
        }
        let times = &times[..self.n_ways];
        let uses = &mut self.uses[first..first + self.n_ways];
        let (mut to, mut old) = ([0; 16], [Use { time: 0, line: NO_LINE }; 16]);
        old[..uses.len()].copy_from_slice(uses);
        for (way, time) in times.iter().enumerate() {
            let place = times.iter().filter(|other| *other > time).count();
            uses[place] = old[way];
            to[way] = place;
        }
        lines.arrange(set, &to[..self.n_ways]);
    }

    /// Writes the order of use of every set that was used, after the last touch.
    pub(super) fn finish(mut self, lines: &mut Lines) {
        for set in 0..self.uses.len() / self.n_ways {
            let first = set * self.n_ways;
            let uses = &self.uses[first..first + self.n_ways];
            if uses.iter().any(|one| one.time >= u64::from(FIRST_TIME)) {
                self.write_order(set, lines);
            }
        }
    }
}

fn mark(due: &mut [u64], touch: u32) {
    due[(touch / 64) as usize] |= 1 << (touch % 64);
}
