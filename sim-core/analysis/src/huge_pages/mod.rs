//! Advice on huge pages: the aligned ranges of memory that save the most walk cycles as huge pages.
//!
//! All memory is mapped with pages of one size, except the picked ranges. The result for any number of huge
//! pages comes from a simulation of the trace with exactly these huge pages.
//!
//! ```text
//! walk cycles by range ─▶ ranges picked one by one, each the best ─▶ as many as there are already ─┐
//!                                                                            ▲   by walk cycles   │
//!                                                                            └────────────────────┘
//! ```
//!
//! Ranges are picked one by one by [lazy greedy](greedy). The first pick saves the most of all ranges. Each
//! later pick saves at least what any other range saved in its last simulation. So each pick is the best one if
//! no range saves more after others became huge (diminishing returns). TLBs do not guarantee that: a new huge
//! page may free the entries of another range, or take them. Every range is simulated once before the first
//! pick, up to half of the simulations that [`BUDGET`] allows. The ranges beyond, those with the fewest walk
//! cycles, are assumed to save their walk cycles. When the budget is used up, several ranges are picked
//! together: those with the most walk cycles.
//!
//! When all are picked, neighbours become [rows](rows), and the memory that each [way](remedies) of getting huge pages
//! reaches is simulated by itself. The [verdict](verdict) weighs the saved walks against the [cost](cost) of first touches.

mod cost;
mod greedy;
mod remedies;
mod rows;
mod simulation;
mod verdict;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::recorded_pages::with;
use crate::regions::memory_map;
use cost::TimeModel;
pub use cost::{Between, FirstTouches, HugeSaving, Prices, percent_span, span};
use greedy::{Lazy, Next};
use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{OsConfig, PagePolicy, RegionConfig};
use pagewalk::run::window::{Span, Window};
use pagewalk_base::addr::{Hex, PageSize, Paging};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Kind, RUN_PAGE_BITS, Trace};
use remedies::Reached;
pub use remedies::{HugeRemedy, RemedyKind};
use rows::Group;
pub use rows::HugeRow;
use simulation::{ByRange, RangeWalks, Simulation};
pub use verdict::{Decision, HugeVerdict};

/// The number of accesses that may be simulated to pick ranges one by one. A shorter trace gets more
/// simulations.
pub const BUDGET: u64 = 100_000_000;
/// The number of simulations that even the longest trace gets.
const LEAST_TRIALS: u64 = 16;
/// The most rows that are simulated by themselves.
const MAX_ALONE: usize = 6;

/// The page sizes, the most huge pages, the budget and the prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HugeOptions {
    /// The size of pages outside the picked ranges.
    pub pages: PageSize,
    /// The size of huge pages: 2M, 1G, or a size that groups of entries map, such as Arm's contiguous 64K.
    pub huge: PageSize,
    pub most: u32,
    /// The budget of simulated accesses: see [`BUDGET`].
    pub budget: u64,
    pub prices: Prices,
}

impl Default for HugeOptions {
    fn default() -> Self {
        let prices = Prices::default();
        Self { pages: PageSize::K4, huge: PageSize::M2, most: 256, budget: BUDGET, prices }
    }
}

/// The machine, system, cores and window of all simulations.
#[derive(Clone, Debug, Default)]
pub struct HugeSetup {
    pub machine: MachineConfig,
    /// The memory mapping; its pages and regions are ignored.
    pub os: OsConfig,
    /// Memory that has pages of another size already, such as a recording measured them.
    pub already: Vec<RegionConfig>,
    pub cores: Cores,
    pub window: Window,
}

impl From<&MachineConfig> for HugeSetup {
    fn from(machine: &MachineConfig) -> Self {
        Self { machine: machine.clone(), ..Self::default() }
    }
}

impl HugeSetup {
    fn machine_for(&self, trace: &Trace) -> Result<Machine> {
        let map = memory_map(trace, self.machine.address_tags());
        Ok(Machine::with_map(&self.machine, &self.os, &map)?.with_cores(self.cores))
    }
}

/// The result of `pagewalk huge --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct HugeAdvice {
    pub pages: PageSize,
    pub huge: PageSize,
    /// The ranges in the order in which they should become huge.
    pub picks: Vec<HugePick>,
    /// The results for the first n picks as huge pages, n from 0 on.
    pub points: Vec<HugePoint>,
    /// Neighbouring picks of the same memory, those with the most miss cycles first.
    pub rows: Vec<HugeRow>,
    /// The ways to get the huge pages.
    pub remedies: Vec<HugeRemedy>,
    /// Missing if only a part of the accesses is counted: `no_verdict` then says why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<HugeVerdict>,
    /// Why there is no verdict, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_verdict: Option<String>,
}

/// A range that becomes one huge page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HugePick {
    pub start: Hex,
    /// Walks in the range if there are no huge pages. `walk_cycles` are their cycles, and `l2_miss_cycles` those of
    /// the level-2 lookups before them.
    pub walks: u64,
    pub l2_miss_cycles: u64,
    pub walk_cycles: u64,
    /// Bytes of the pages in the range that the trace uses. A huge page takes its whole size.
    pub touched_bytes: u64,
    /// Whether the range was picked alone, as the best one in simulations.
    pub tried: bool,
}

/// The counts of a simulation with some huge pages, without prefetches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HugePoint {
    pub huge_pages: u32,
    pub walks: u64,
    /// Cycles of the level-2 lookups that missed, each before a walk.
    pub l2_miss_cycles: u64,
    pub walk_cycles: u64,
    /// Cycles of hits of level 2.
    pub l2_cycles: u64,
    /// Bytes of the huge pages minus the bytes of the pages used in them.
    pub extra_bytes: u64,
}

impl HugePick {
    /// Returns the cycles of level-2 misses: the lookups and the walks after them.
    pub fn miss_cycles(&self) -> u64 {
        self.l2_miss_cycles + self.walk_cycles
    }
}

impl HugePoint {
    /// Returns the cycles of level-2 misses: the lookups and the walks after them.
    pub fn miss_cycles(&self) -> u64 {
        self.l2_miss_cycles + self.walk_cycles
    }
}

/// # Errors
/// The errors of [`Advisor::new`]; `too-large` if the simulated memory is used up.
pub fn advise(trace: &Trace, setup: &HugeSetup, options: HugeOptions) -> Result<HugeAdvice> {
    let mut advisor = Advisor::new(trace, setup, options)?;
    while !advisor.go_on(trace)? {}
    Ok(advisor.finish())
}

/// Computes the advice by one simulation after the other, in slices of one chunk.
pub struct Advisor {
    setup: HugeSetup,
    options: HugeOptions,
    span: Span,
    /// For each range: the number of its pages that the trace uses.
    touched: BTreeMap<u64, u64>,
    /// The walks in each range without huge pages.
    own: ByRange,
    lazy: Lazy,
    /// The number of simulations of single ranges so far; `most_trials` is their limit.
    n_trials: u64,
    most_trials: u64,
    /// The picked ranges, in order.
    chosen: Vec<u64>,
    picks: Vec<HugePick>,
    points: Vec<HugePoint>,
    /// Results of [`Self::trials`] with the current picks, by range.
    tried: BTreeMap<u64, HugePoint>,
    /// The rows, and the ranges of each; empty until all ranges are picked.
    rows: Vec<(HugeRow, Vec<u64>)>,
    /// The rows and the memory that a way reaches, to be simulated by themselves; `None` until all ranges are picked.
    groups: Option<Vec<Group>>,
    instructions: u64,
    /// Whether the trace names heap blocks.
    has_blocks: bool,
    /// Why there will be no verdict.
    no_verdict: Option<&'static str>,
    n_done: u64,
    /// The simulation under way, and its purpose; `None` when the advice is complete.
    now: Option<(Task, Simulation)>,
}

/// A simulation that the advisor will probably need with its current picks. It may run on another thread.
pub struct Trial {
    task: Task,
    n_picked: usize,
    setup: HugeSetup,
    span: Span,
    point: HugePoint,
}

/// The result of a [`Trial`].
pub struct Tried {
    task: Task,
    n_picked: usize,
    point: HugePoint,
}

impl Trial {
    /// # Errors
    /// `bad-config` at a field of machine or mapping; `too-large` if the simulated memory is used up.
    pub fn run(self, trace: &Trace) -> Result<Tried> {
        let Self { task, n_picked, setup, span, point } = self;
        let mut simulation = Simulation::counted(setup.machine_for(trace)?, span, point);
        while !simulation.go_on(trace)? {}
        let (point, _) = simulation.finish(trace);
        Ok(Tried { task, n_picked, point })
    }
}

/// The purpose of a simulation.
#[derive(Clone, Copy)]
enum Task {
    /// Counts the walks with all picks.
    Watch,
    /// Counts the walks with all picks and one more range.
    Try(u64),
    /// Counts the walks with a group of picks only. The number is its position.
    Group(usize),
}

impl Advisor {
    /// # Errors
    /// `bad-config` at `huge`, `pages`, the window, or a field of machine or mapping.
    pub fn new(trace: &Trace, setup: &HugeSetup, options: HugeOptions) -> Result<Self> {
        let HugeOptions { pages, huge, .. } = options;
        if huge <= pages {
            let message = format!("{huge}: must be larger than the pages of {pages}");
            return Err(Error::config("huge", message));
        }
        for (field, size) in [("pages", pages), ("huge", huge)] {
            check_size(&setup.machine, field, size)?;
        }
        let span = setup.window.within(trace.len()).map_err(|error| error.within("window"))?;
        let n_simulated = u64::from(span.simulated.end - span.simulated.start).max(1);
        let mut advisor = Self {
            setup: setup.clone(),
            options,
            span,
            touched: touched(trace, options, &setup.machine.geometry()?),
            own: ByRange::new(),
            lazy: Lazy::default(),
            n_trials: 0,
            most_trials: (options.budget / n_simulated).max(LEAST_TRIALS),
            chosen: Vec::new(),
            picks: Vec::new(),
            points: Vec::new(),
            tried: BTreeMap::new(),
            rows: Vec::new(),
            groups: None,
            instructions: 0,
            has_blocks: trace.places().has_blocks(),
            no_verdict: None,
            n_done: 0,
            now: None,
        };
        advisor.instructions = instructions(trace, &advisor.span);
        advisor.no_verdict = verdict::obstacle(trace, &advisor.span);
        advisor.now = Some(advisor.watch(trace)?);
        Ok(advisor)
    }

    /// Simulates one more chunk. Returns true when the advice is complete.
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up.
    pub fn go_on(&mut self, trace: &Trace) -> Result<bool> {
        let Some((_, simulation)) = &mut self.now else { return Ok(true) };
        if !simulation.go_on(trace)? {
            return Ok(false);
        }
        if let Some((task, simulation)) = self.now.take() {
            let (point, by_range) = simulation.finish(trace);
            self.now = match task {
                Task::Watch => self.watched(trace, point, by_range)?,
                Task::Try(range) => {
                    self.simulated(range, point);
                    self.one_more(trace)?
                }
                Task::Group(at) => {
                    self.set_group(at, point);
                    None
                }
            };
            self.n_done += 1;
            if self.now.is_none() {
                self.now = self.next_group(trace)?;
            }
        }
        Ok(self.now.is_none())
    }

    /// Simulates one more chunk of the present simulation. Returns true at its end. Its result is taken by
    /// [`Self::go_on`].
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up.
    pub fn go_on_inside(&mut self, trace: &Trace) -> Result<bool> {
        match &mut self.now {
            Some((_, simulation)) => simulation.go_on(trace),
            None => Ok(true),
        }
    }

    /// Returns at most `n` simulations that are probably needed after the present one. The advice is the same with and
    /// without their results.
    pub fn trials(&self, n: usize) -> Vec<Trial> {
        let present = match self.now {
            Some((Task::Try(present), _)) => present,
            Some((Task::Group(present), _)) => return self.group_trials(present, n),
            _ => return Vec::new(),
        };
        let allowed = self.most_trials.saturating_sub(self.n_trials + self.tried.len() as u64);
        let allowed = usize::try_from(allowed).unwrap_or(n);
        let stale = self.lazy.stale();
        let new = |range: &u64| *range != present && !self.tried.contains_key(range);
        let ranges = stale.into_iter().filter(new).take(n.min(allowed));
        ranges.map(|range| self.trial_of(Task::Try(range), self.setup_with(Some(range)))).collect()
    }

    /// Returns at most `n` simulations of groups that come after the present one.
    fn group_trials(&self, present: usize, n: usize) -> Vec<Trial> {
        let groups = self.groups.iter().flatten().enumerate();
        let left = groups.filter(|(at, group)| *at != present && group.point.is_none());
        let trial = |(at, group): (usize, &Group)| {
            self.trial_of(Task::Group(at), self.setup_of(&group.ranges.iter().copied().collect()))
        };
        left.take(n).map(trial).collect()
    }

    fn trial_of(&self, task: Task, (setup, point): (HugeSetup, HugePoint)) -> Trial {
        Trial { task, n_picked: self.chosen.len(), setup, span: self.span.clone(), point }
    }

    /// Stores the result of a simulation of [`Self::trials`]. A result with other picks is dropped.
    pub fn add(&mut self, tried: &Tried) {
        if tried.n_picked != self.chosen.len() {
            return;
        }
        self.n_done += 1;
        match tried.task {
            Task::Watch => {}
            Task::Try(range) => {
                self.tried.insert(range, tried.point);
            }
            Task::Group(at) => self.set_group(at, tried.point),
        }
    }

    /// Returns a lower bound of the part of the work that is done, 0 to 1. It never falls before the end.
    pub fn progress(&self) -> f64 {
        // A few more simulations follow the last single pick, and one for each group.
        let after = u64::from(self.options.most.checked_ilog2().unwrap_or(0)) + 1;
        let to_do = match &self.groups {
            Some(groups) => groups.iter().filter(|group| group.point.is_none()).count() as u64,
            None => self.most_trials.saturating_sub(self.n_trials) + after + MAX_ALONE as u64 + 2,
        };
        let inside = self.now.as_ref().map_or(0.0, |(_, simulation)| simulation.progress());
        #[expect(clippy::cast_precision_loss, reason = "a number of simulations")]
        let share = (self.n_done as f64 + inside) / (self.n_done + to_do).max(1) as f64;
        share.min(1.0)
    }

    /// Returns the advice so far. Rows, ways and the verdict come with the last simulation.
    pub fn finish(self) -> HugeAdvice {
        let HugeOptions { pages, huge, prices, .. } = self.options;
        let model = TimeModel::new(&self.setup.machine, prices, self.instructions);
        let none = self.points.first().copied().unwrap_or_default();
        let saving = |of: &[u64]| self.point_of(of).map(|point| model.saving(none, point));
        let mut rows = Vec::new();
        for (row, ranges) in &self.rows {
            rows.push(HugeRow { alone: saving(ranges), ..row.clone() });
        }
        let reached = remedies::groups(&rows, self.has_blocks).map(|of| {
            let huge_pages: u32 = of.iter().map(|at| rows[*at].huge_pages).sum();
            let ranges = self.ranges_of(&of);
            let first_touches = self.first_touches(&ranges);
            Reached { huge_pages, first_touches, saving: saving(&ranges) }
        });
        let remedies = remedies::remedies(pages, huge, &rows, reached);
        let touches = |n: usize| self.first_touches(&self.chosen[..self.chosen.len().min(n)]);
        let no_verdict = self.no_verdict.map(str::to_owned);
        let is_due = self.groups.is_some() && no_verdict.is_none();
        let verdict = is_due.then(|| verdict::of(touches, &self.points, self.options, model));
        let Self { picks, points, .. } = self;
        HugeAdvice { pages, huge, picks, points, rows, remedies, verdict, no_verdict }
    }

    /// Prices the first touches of those ranges that the kernel clears.
    fn first_touches(&self, ranges: &[u64]) -> FirstTouches {
        let cleared = self.rows.iter().filter(|(row, _)| remedies::is_cleared(row.kind));
        let cleared: BTreeSet<u64> = cleared.flat_map(|(_, of)| of.iter().copied()).collect();
        let priced = ranges.iter().filter(|range| cleared.contains(range));
        let (n, touched) =
            priced.fold((0, 0), |(n, bytes), range| (n + 1, bytes + self.touched_bytes(*range)));
        FirstTouches::new(self.options, touched, n)
    }

    /// Returns the numbers of the ranges of some rows, rising.
    fn ranges_of(&self, rows: &[usize]) -> Vec<u64> {
        let all = rows.iter().flat_map(|at| self.rows[*at].1.iter().copied());
        all.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn point_of(&self, ranges: &[u64]) -> Option<HugePoint> {
        let groups = self.groups.as_ref()?;
        groups.iter().find(|group| group.ranges == ranges)?.point
    }

    /// Starts the simulation of the next group. The first call finds the rows and the groups.
    fn next_group(&mut self, trace: &Trace) -> Result<Option<(Task, Simulation)>> {
        if self.groups.is_none() {
            let tags = self.setup.machine.address_tags();
            self.rows = rows::rows(trace, tags, self.options, &self.picks, &self.chosen);
            let rows: Vec<HugeRow> = self.rows.iter().map(|(row, _)| row.clone()).collect();
            let alone = (0..rows.len().min(MAX_ALONE)).map(|at| vec![at]);
            let sets =
                alone.chain(remedies::groups(&rows, self.has_blocks)).map(|of| self.ranges_of(&of));
            let mut groups: Vec<Group> = Vec::new();
            for ranges in sets {
                if !ranges.is_empty() && groups.iter().all(|group| group.ranges != ranges) {
                    groups.push(Group { point: self.known(&ranges), ranges });
                }
            }
            self.groups = Some(groups);
        }
        let mut groups = self.groups.iter().flatten().enumerate();
        let Some((at, group)) = groups.find(|(_, group)| group.point.is_none()) else {
            return Ok(None);
        };
        let (setup, point) = self.setup_of(&group.ranges.iter().copied().collect());
        let machine = setup.machine_for(trace)?;
        Ok(Some((Task::Group(at), Simulation::counted(machine, self.span.clone(), point))))
    }

    /// Returns the result of exactly these huge pages, if a point of the curve has them.
    fn known(&self, ranges: &[u64]) -> Option<HugePoint> {
        let mut first = self.chosen.get(..ranges.len())?.to_vec();
        first.sort_unstable();
        let point = || self.points.iter().find(|point| point.huge_pages as usize == ranges.len());
        if first == ranges { point().copied() } else { None }
    }

    fn set_group(&mut self, at: usize, point: HugePoint) {
        if let Some(group) = self.groups.as_mut().and_then(|groups| groups.get_mut(at)) {
            group.point = Some(point);
        }
    }

    /// Takes the result of a simulation without huge pages or, later, with all picks, and starts the next
    /// simulation.
    fn watched(
        &mut self,
        trace: &Trace,
        point: HugePoint,
        mut by_range: ByRange,
    ) -> Result<Option<(Task, Simulation)>> {
        by_range.retain(|range, _| !self.is_huge_already(*range));
        if self.points.is_empty() {
            let n = usize::try_from(self.most_trials / 2).unwrap_or(usize::MAX);
            self.lazy = Lazy::new(by_range.iter().map(|(range, own)| (*range, own.cost())), n);
            self.own = by_range;
            self.points.push(point);
            return self.one_more(trace);
        }
        if self.points.last().is_none_or(|last| last.huge_pages < point.huge_pages) {
            self.points.push(point);
        }
        let mut next: Vec<(u64, (u64, u64))> =
            by_range.into_iter().map(|(range, own)| (range, own.cost())).collect();
        next.sort_by_key(|(range, own)| (Reverse(*own), *range));
        next.truncate(self.chosen.len().max(1).min(self.n_left()));
        for (range, _) in &next {
            self.pick(*range, false);
        }
        if next.is_empty() { Ok(None) } else { self.watch(trace).map(Some) }
    }

    /// Picks ranges one by one until the next pick needs a simulation, and starts that simulation.
    fn one_more(&mut self, trace: &Trace) -> Result<Option<(Task, Simulation)>> {
        while self.n_left() > 0 {
            match self.lazy.next() {
                Next::Pick(range, point) => {
                    self.pick(range, true);
                    self.points.push(point);
                }
                Next::Simulate(range) if self.n_trials < self.most_trials => {
                    self.n_trials += 1;
                    match self.tried.remove(&range) {
                        Some(point) => self.simulated(range, point),
                        None => return Ok(Some((Task::Try(range), self.trial(trace, range)?))),
                    }
                }
                Next::Simulate(_) => return self.watch(trace).map(Some),
                Next::End => break,
            }
        }
        Ok(None)
    }

    fn simulated(&mut self, range: u64, point: HugePoint) {
        let before = self.points.last().copied().unwrap_or_default();
        self.lazy.simulated(range, before, point);
    }

    /// Returns a simulation with all picks and one more range as huge pages.
    fn trial(&self, trace: &Trace, range: u64) -> Result<Simulation> {
        let (setup, point) = self.setup_with(Some(range));
        Ok(Simulation::counted(setup.machine_for(trace)?, self.span.clone(), point))
    }

    fn n_left(&self) -> usize {
        (self.options.most as usize).saturating_sub(self.chosen.len())
    }

    fn pick(&mut self, range: u64, tried: bool) {
        let RangeWalks { walks, l2_miss_cycles, walk_cycles } =
            self.own.get(&range).copied().unwrap_or_default();
        self.tried.clear();
        self.chosen.push(range);
        self.picks.push(HugePick {
            start: Hex(self.start_of(range)),
            walks,
            l2_miss_cycles,
            walk_cycles,
            touched_bytes: self.touched_bytes(range),
            tried,
        });
    }

    /// Returns a simulation that counts the walks with all picks as huge pages.
    fn watch(&self, trace: &Trace) -> Result<(Task, Simulation)> {
        let (setup, point) = self.setup_with(None);
        let huge = self.chosen.iter().copied().collect();
        let (machine, shift) = (setup.machine_for(trace)?, self.options.huge.shift());
        Ok((Task::Watch, Simulation::watched(machine, self.span.clone(), point, huge, shift)))
    }

    /// Returns a setup with the picks, and `more`, as huge pages, and a point with the counts of its memory.
    fn setup_with(&self, more: Option<u64>) -> (HugeSetup, HugePoint) {
        self.setup_of(&self.chosen.iter().copied().chain(more).collect())
    }

    /// Returns a setup with these ranges as huge pages, and a point with the counts of its memory.
    fn setup_of(&self, sorted: &BTreeSet<u64>) -> (HugeSetup, HugePoint) {
        let HugeOptions { pages, huge, .. } = self.options;
        let regions = sorted.iter().map(|range| {
            let start = self.start_of(*range);
            let end = start.saturating_add(huge.bytes());
            RegionConfig::new(start, end, PagePolicy::Fixed(huge))
        });
        let mut setup = self.setup.clone();
        setup.os.default = PagePolicy::Fixed(pages);
        setup.os.regions = with(&self.setup.already, regions.collect());
        let extra = |range: &u64| huge.bytes().saturating_sub(self.touched_bytes(*range));
        let point = HugePoint {
            huge_pages: u32::try_from(sorted.len()).unwrap_or(u32::MAX),
            extra_bytes: sorted.iter().map(extra).sum(),
            ..HugePoint::default()
        };
        (setup, point)
    }

    /// Returns the first address of a range as the machine translates it.
    fn start_of(&self, range: u64) -> u64 {
        let start = range << self.options.huge.shift();
        self.setup.machine.geometry().map_or(start, |paging| paging.rule().extend(start))
    }

    /// Returns whether a range has huge pages, or larger ones, before any pick.
    fn is_huge_already(&self, range: u64) -> bool {
        let start = self.start_of(range);
        self.setup.already.iter().any(|region| {
            matches!(region.pages, PagePolicy::Fixed(size) if size >= self.options.huge)
                && (region.start.0..region.end.0).contains(&start)
        })
    }

    fn touched_bytes(&self, range: u64) -> u64 {
        let pages = self.touched.get(&range).copied().unwrap_or(0);
        pages << self.options.pages.shift().max(RUN_PAGE_BITS)
    }
}

/// Returns the number of counted fetches, or of all counted accesses if there are no fetches.
fn instructions(trace: &Trace, span: &Span) -> u64 {
    let counted = span.counted.clone();
    let fetches = if counted == (0..trace.len()) {
        trace.count(Kind::Fetch)
    } else {
        let n = (counted.end - counted.start) as usize;
        let accesses = trace.accesses_from(counted.start).take(n);
        accesses.filter(|access| access.kind.is_fetch()).count() as u64
    };
    if fetches > 0 { fetches } else { u64::from(counted.end - counted.start) }
}

/// Returns the number of distinct used pages in each range. A trace keeps pages of 4 KiB, so smaller pages are
/// counted as pages of 4 KiB.
fn touched(trace: &Trace, options: HugeOptions, paging: &Paging) -> BTreeMap<u64, u64> {
    let (rule, mask) = (paging.rule(), paging.va_mask());
    let shift = options.pages.shift().max(RUN_PAGE_BITS) - RUN_PAGE_BITS;
    let mut ranges = BTreeMap::new();
    let mut last = None;
    let pages = trace.pages_without(rule.tags);
    for page in pages.iter().filter(|page| rule.accepts(page.page.start())) {
        let number = page.page.0 >> shift;
        if last.replace(number) != Some(number) {
            let address = number << shift << RUN_PAGE_BITS;
            let range = (address & mask) >> options.huge.shift();
            *ranges.entry(range).or_insert(0) += 1;
        }
    }
    ranges
}

fn check_size(config: &MachineConfig, field: &str, size: PageSize) -> Result<()> {
    Machine::new(config, &OsConfig::of(size)).map(drop).map_err(|error| match error.at {
        Some(pagewalk_base::error::Place::Field(at)) if at.starts_with("os.") => {
            Error::config(field, error.message)
        }
        _ => error,
    })
}
