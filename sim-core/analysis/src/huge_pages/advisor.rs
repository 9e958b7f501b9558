//! The steps of the advice: one simulation after the other, in slices of one chunk.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::greedy::{Lazy, Next};
use super::groups::Group;
use super::ranges::{Instructions, check_size, instructions, touched};
use super::simulation::{ByRange, Counted, FirstWalks, RangeWalks, Simulation};
use super::{HugeOptions, HugePick, HugePoint, HugeRow, HugeSetup, verdict};
use pagewalk::run::window::Span;
use pagewalk_base::addr::Hex;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::Trace;

/// The number of simulations of single ranges that even the longest trace gets.
const LEAST_TRIALS: u64 = 4;
/// How many times as many ranges there are after several were picked together.
const GROWTH: usize = 4;

/// Computes the advice by one simulation after the other, in slices of one chunk.
pub struct Advisor {
    pub(super) setup: HugeSetup,
    pub(super) options: HugeOptions,
    pub(super) span: Span,
    /// For each range: the number of its pages that the trace uses.
    pub(super) touched: BTreeMap<u64, u64>,
    /// The walks in each range without huge pages.
    pub(super) own: ByRange,
    pub(super) lazy: Lazy,
    /// The number of simulations of single ranges so far; `most_trials` is their limit.
    pub(super) n_trials: u64,
    pub(super) most_trials: u64,
    /// The picked ranges, in order.
    pub(super) chosen: Vec<u64>,
    pub(super) picks: Vec<HugePick>,
    pub(super) points: Vec<HugePoint>,
    /// The walks of first touches without huge pages.
    pub(super) first: FirstWalks,
    /// Results of [`Self::trials`] with the current picks, by range.
    pub(super) tried: BTreeMap<u64, HugePoint>,
    /// The rows, and the ranges of each; empty until all ranges are picked.
    pub(super) rows: Vec<(HugeRow, Vec<u64>)>,
    /// The rows and the memory that a way reaches, to be simulated by themselves; `None` until all ranges are picked.
    pub(super) groups: Option<Vec<Group>>,
    /// The number of groups that were added for the verdict.
    pub(super) n_added: u64,
    pub(super) instructions: Instructions,
    /// Whether the trace names heap blocks.
    pub(super) has_blocks: bool,
    /// Why there will be no verdict.
    pub(super) no_verdict: Option<&'static str>,
    pub(super) n_done: u64,
    /// The simulation under way, and its purpose; `None` when the advice is complete.
    pub(super) now: Option<(Task, Simulation)>,
}

/// The purpose of a simulation.
#[derive(Clone, Copy)]
pub(super) enum Task {
    /// Counts the walks with all picks.
    Watch,
    /// Counts the walks with all picks and one more range.
    Try(u64),
    /// Counts the walks of a group. The number is its position.
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
            first: FirstWalks::default(),
            tried: BTreeMap::new(),
            rows: Vec::new(),
            groups: None,
            n_added: 0,
            instructions: Instructions::default(),
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
            let counted = simulation.finish(trace);
            self.now = match task {
                Task::Watch => self.watched(trace, counted)?,
                Task::Try(range) => {
                    self.simulated(range, counted.point);
                    self.one_more(trace)?
                }
                Task::Group(at) => {
                    self.set_group(at, counted.point, counted.first);
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

    /// Takes the result of a simulation without huge pages or, later, with all picks, and starts the next
    /// simulation.
    fn watched(
        &mut self,
        trace: &Trace,
        Counted { point, first, mut by_range }: Counted,
    ) -> Result<Option<(Task, Simulation)>> {
        by_range.retain(|range, _| !self.is_huge_already(*range));
        if self.points.is_empty() {
            let n = usize::try_from(self.most_trials / 2).unwrap_or(usize::MAX);
            self.lazy = Lazy::new(by_range.iter().map(|(range, own)| (*range, own.cost())), n);
            self.own = by_range;
            self.points.push(point);
            self.first = first;
            return self.one_more(trace);
        }
        if self.points.last().is_none_or(|last| last.huge_pages < point.huge_pages) {
            self.points.push(point);
        }
        let mut next: Vec<(u64, (u64, u64))> =
            by_range.into_iter().map(|(range, own)| (range, own.cost())).collect();
        next.sort_by_key(|(range, own)| (Reverse(*own), *range));
        let n = (GROWTH - 1) * self.chosen.len().max(1);
        next.truncate(n.min(self.n_left()));
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
}
