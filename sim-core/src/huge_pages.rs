//! Which aligned ranges of memory, made huge pages, leave the fewest cycles of page walks.
//!
//! All memory is mapped with pages of one size but for the ranges that are picked. What is told of any
//! number of huge pages is a simulation of the whole trace with just those; only their order is found
//! greedily, by what the walks in each range cost in the simulation before. That is the most that a range
//! can save by itself; what it saves or costs others, by the entries it frees or takes, is seen in the next.
//!
//! ```text
//! simulate ─▶ walk cycles by range ─▶ pick the first few one by one, each the best of some candidates
//!     ▲                            └▶ then as many as there are already
//!     └────────────────────────────────┘
//! ```

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::addr::{Hex, PageSize};
use crate::config::MachineConfig;
use crate::error::{Error, Result};
use crate::machine::Machine;
use crate::os::{OsConfig, PagePolicy, RegionConfig};
use crate::probe::{Endings, Outcome, Translation};
use crate::replay::advance;
use crate::trace::{Kind, RUN_PAGE_BITS, Trace};

/// Picks that are made one by one, each by a simulation of every candidate.
pub const TRIED: usize = 3;
/// Candidates of such a pick: the ranges with the most walk cycles.
pub const CANDIDATES: usize = 4;

/// Page sizes, and how many huge pages there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HugeOptions {
    /// All memory that is not picked.
    pub pages: PageSize,
    /// Larger ones: 2M, 1G, or what groups of entries map, such as Arm's contiguous 64K.
    pub huge: PageSize,
    pub most: u32,
}

impl Default for HugeOptions {
    fn default() -> Self {
        Self { pages: PageSize::K4, huge: PageSize::M2, most: 256 }
    }
}

/// `pagewalk huge --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct HugeAdvice {
    pub pages: PageSize,
    pub huge: PageSize,
    /// In the order in which they should become huge.
    pub picks: Vec<HugePick>,
    /// By number of huge pages, from 0 on: the first so many picks.
    pub points: Vec<HugePoint>,
}

/// A range that becomes one huge page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct HugePick {
    pub start: Hex,
    /// Walks in the range when it was picked, and their cycles: the most that it saves by itself.
    pub walks: u64,
    pub walk_cycles: u64,
    /// Bytes of its pages that the trace uses; a huge page takes its whole size.
    pub touched_bytes: u64,
    /// Whether it was chosen by a simulation of each of the first candidates.
    pub tried: bool,
}

/// What a simulation with some huge pages counts. Prefetches are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct HugePoint {
    pub huge_pages: u32,
    pub walks: u64,
    pub walk_cycles: u64,
    /// Cycles of hits of level 2.
    pub l2_cycles: u64,
    /// Bytes that the huge pages have beyond the pages used in them.
    pub extra_bytes: u64,
}

/// One simulation.
#[derive(Default)]
struct Run {
    /// log2 of a huge page's bytes.
    shift: u32,
    point: HugePoint,
    /// Walks and their cycles in small pages, by number of the range.
    by_range: BTreeMap<u64, (u64, u64)>,
}

/// # Errors
/// `bad-config` at `huge`, `pages` or a field of the machine; `too-large` if the simulated memory is used up.
pub fn advise(trace: &Trace, config: &MachineConfig, options: HugeOptions) -> Result<HugeAdvice> {
    let mut advisor = Advisor::new(trace, config, options)?;
    while !advisor.go_on(trace)? {}
    Ok(advisor.finish())
}

/// An advice in the making: simulation after simulation, each a chunk of the trace at a time.
pub struct Advisor {
    config: MachineConfig,
    options: HugeOptions,
    /// Pages used, by number of the range.
    touched: BTreeMap<u64, u64>,
    /// The ranges that are picked, in order.
    chosen: Vec<u64>,
    picks: Vec<HugePick>,
    points: Vec<HugePoint>,
    /// What is simulated now; `None` once all is known.
    trial: Option<Trial>,
}

/// Ways to go on from the ranges that are chosen, of which the best is taken.
struct Trial {
    /// What each adds.
    candidates: Vec<Vec<Candidate>>,
    /// That and its simulation, of those before.
    best: Option<(usize, Run)>,
    /// The candidate that is simulated, and how far it is.
    at: usize,
    simulation: Simulation,
}

/// A range, and its walks and their cycles.
type Candidate = (u64, (u64, u64));

struct Simulation {
    machine: Machine,
    /// Its huge ranges.
    sorted: BTreeSet<u64>,
    run: Run,
    /// The next chunk.
    chunk: usize,
}

impl Advisor {
    /// # Errors
    /// `bad-config` at `huge`, `pages` or a field of the machine.
    pub fn new(trace: &Trace, config: &MachineConfig, options: HugeOptions) -> Result<Self> {
        let HugeOptions { pages, huge, .. } = options;
        if huge <= pages {
            let message = format!("{huge}: must be larger than the pages of {pages}");
            return Err(Error::config("huge", message));
        }
        for (field, size) in [("pages", pages), ("huge", huge)] {
            check_size(config, field, size)?;
        }
        let mut advisor = Self {
            config: config.clone(),
            options,
            touched: touched(trace, options, config.geometry()?.va_mask()),
            chosen: Vec::new(),
            picks: Vec::new(),
            points: Vec::new(),
            trial: None,
        };
        advisor.trial = Some(advisor.trial(vec![Vec::new()])?);
        Ok(advisor)
    }

    /// Simulates one chunk more; true once the advice is complete.
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up.
    pub fn go_on(&mut self, trace: &Trace) -> Result<bool> {
        let Some(trial) = &mut self.trial else { return Ok(true) };
        if !trial.simulation.go_on(trace)? {
            return Ok(false);
        }
        let cost = |run: &Run| (run.point.walk_cycles, run.point.walks);
        let run = std::mem::take(&mut trial.simulation.run);
        if trial.best.as_ref().is_none_or(|(_, best)| cost(&run) < cost(best)) {
            trial.best = Some((trial.at, run));
        }
        trial.at += 1;
        if let Some(more) = trial.candidates.get(trial.at) {
            let all = ranges(&self.chosen, more);
            let next = self.simulation(&all)?;
            if let Some(trial) = &mut self.trial {
                trial.simulation = next;
            }
        } else {
            self.decide()?;
        }
        Ok(self.trial.is_none())
    }

    /// Huge pages of the simulations that are done.
    pub fn n_chosen(&self) -> usize {
        self.chosen.len()
    }

    /// What is known so far.
    pub fn finish(self) -> HugeAdvice {
        let HugeOptions { pages, huge, .. } = self.options;
        HugeAdvice { pages, huge, picks: self.picks, points: self.points }
    }

    /// Takes the best candidate, and begins with the next ones.
    fn decide(&mut self) -> Result<()> {
        let Some(Trial { mut candidates, best: Some((best, now)), .. }) = self.trial.take() else {
            return Ok(());
        };
        let tried = self.chosen.len() < TRIED;
        for (range, (walks, walk_cycles)) in candidates.swap_remove(best) {
            self.chosen.push(range);
            self.picks.push(HugePick {
                start: Hex(self.start_of(range)),
                walks,
                walk_cycles,
                touched_bytes: self.touched_bytes(range),
                tried,
            });
        }
        self.points.push(now.point);
        let left = (self.options.most as usize).saturating_sub(self.chosen.len());
        let mut next: Vec<Candidate> = now.by_range.into_iter().collect();
        next.sort_by_key(|(range, (walks, cycles))| (std::cmp::Reverse((*cycles, *walks)), *range));
        if left > 0 && !next.is_empty() {
            let candidates = if self.chosen.len() < TRIED {
                next.into_iter().take(CANDIDATES).map(|candidate| vec![candidate]).collect()
            } else {
                next.truncate(self.chosen.len().min(left));
                vec![next]
            };
            self.trial = Some(self.trial(candidates)?);
        }
        Ok(())
    }

    fn trial(&self, candidates: Vec<Vec<Candidate>>) -> Result<Trial> {
        let first = candidates.first().map_or(&[][..], Vec::as_slice);
        let simulation = self.simulation(&ranges(&self.chosen, first))?;
        Ok(Trial { candidates, best: None, at: 0, simulation })
    }

    /// The trace with the chosen ranges as huge pages.
    fn simulation(&self, chosen: &[u64]) -> Result<Simulation> {
        let HugeOptions { pages, huge, .. } = self.options;
        let mut os = OsConfig::of(pages);
        let sorted: BTreeSet<u64> = chosen.iter().copied().collect();
        os.regions.extend(sorted.iter().map(|range| {
            let start = self.start_of(*range);
            let end = start.saturating_add(huge.bytes());
            RegionConfig::new(start, end, PagePolicy::Fixed(huge))
        }));
        let machine = Machine::new(&self.config, &os)?;
        let extra = |range: &u64| huge.bytes().saturating_sub(self.touched_bytes(*range));
        let mut run = Run { shift: huge.shift(), ..Run::default() };
        run.point.huge_pages = u32::try_from(chosen.len()).unwrap_or(u32::MAX);
        run.point.extra_bytes = sorted.iter().map(extra).sum();
        Ok(Simulation { machine, sorted, run, chunk: 0 })
    }

    /// The first address of a range, canonical.
    fn start_of(&self, range: u64) -> u64 {
        let start = range << self.options.huge.shift();
        let Ok(paging) = self.config.geometry() else { return start };
        let bits = paging.canonical_bits();
        let is_high = bits < 64 && start >> (bits - 1) & 1 == 1;
        if is_high { start | !paging.va_mask() } else { start }
    }

    fn touched_bytes(&self, range: u64) -> u64 {
        let pages = self.touched.get(&range).copied().unwrap_or(0);
        pages << self.options.pages.shift().max(RUN_PAGE_BITS)
    }
}

fn ranges(chosen: &[u64], more: &[Candidate]) -> Vec<u64> {
    chosen.iter().copied().chain(more.iter().map(|(range, _)| *range)).collect()
}

impl Simulation {
    /// One chunk more; true after the last.
    fn go_on(&mut self, trace: &Trace) -> Result<bool> {
        let Self { machine, sorted, run, chunk: at } = self;
        let Some(chunk) = trace.chunks().get(*at) else { return Ok(true) };
        let mask = machine.plan.va_mask;
        let mut told = |done: &Translation| {
            if done.kind == Kind::Prefetch {
                return;
            }
            run.point.l2_cycles += done.l2_cycles;
            if !matches!(done.outcome, Outcome::Walk | Outcome::Fault) {
                return;
            }
            run.point.walks += 1;
            run.point.walk_cycles += done.walk_cycles;
            let range = (done.address & mask) >> run.shift;
            if !sorted.contains(&range) {
                let (walks, cycles) = run.by_range.entry(range).or_default();
                *walks += 1;
                *cycles += done.walk_cycles;
            }
        };
        let end = chunk.first + chunk.n;
        advance(machine, trace, chunk.first, end, &mut Endings(&mut told));
        if let Some(error) = machine.failure() {
            return Err(error.clone());
        }
        *at += 1;
        Ok(*at == trace.chunks().len())
    }
}

/// Distinct pages by range. Those of 4 KiB are what a trace keeps: smaller ones are taken as such.
fn touched(trace: &Trace, options: HugeOptions, mask: u64) -> BTreeMap<u64, u64> {
    let shift = options.pages.shift().max(RUN_PAGE_BITS) - RUN_PAGE_BITS;
    let mut ranges = BTreeMap::new();
    let mut last = None;
    for page in trace.pages() {
        let number = page.page >> shift;
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
        Some(crate::error::Place::Field(at)) if at.starts_with("os.") => {
            Error::config(field, error.message)
        }
        _ => error,
    })
}
