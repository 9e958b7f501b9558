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
//! reaches is simulated by itself ([groups]). The verdict is about [the fewest that save enough](choice). A machine that joins neighbouring pages gets these simulations twice, with
//! frames in order and with scattered ones. The [verdict](verdict) weighs the saved walks against the [cost](cost) of first
//! touches, with [models](time) of the program's time.
mod advisor;
mod choice;
mod cost;
mod greedy;
mod groups;
mod ranges;
mod remedies;
mod results;
mod rows;
mod sentences;
mod simulation;
mod time;
mod trials;
mod verdict;
mod words;

use serde::Serialize;

use crate::regions::memory_map;
pub use advisor::Advisor;
pub use cost::{FirstTouches, Prices};
use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{Frames, OsConfig, RegionConfig};
use pagewalk::run::window::Window;
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Trace;
pub use remedies::{HugeRemedy, RemedyKind};
pub use rows::HugeRow;
pub use sentences::AB_RUNS;
pub use time::{HugeSaving, MeasuredWalks, WalkCounters};
pub use trials::{Trial, Tried};
pub use verdict::{Decision, HugeBase, HugeVerdict};
pub use words::{Between, percent_span, span};

/// The number of accesses that may be simulated to pick ranges one by one. A shorter trace gets more simulations.
pub const BUDGET: u64 = 100_000;

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
    /// The walks of a real processor, if counters measured them.
    pub measured: Option<MeasuredWalks>,
    pub walk_counters: WalkCounters,
}

impl Default for HugeOptions {
    fn default() -> Self {
        let prices = Prices::default();
        let (pages, huge) = (PageSize::K4, PageSize::M2);
        Self {
            pages,
            huge,
            most: 256,
            budget: BUDGET,
            prices,
            measured: None,
            walk_counters: WalkCounters::Unknown,
        }
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
    /// Returns whether the order of frames changes what TLB entries hold, and nothing says which order it is.
    fn joins_pages(&self) -> bool {
        !self.machine.coalescing.is_empty() && self.os.frames == Frames::Sequential
    }

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
    /// The ways to get the huge pages; empty without a verdict.
    pub remedies: Vec<HugeRemedy>,
    /// The ways that would save nothing, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub useless_ways: Option<String>,
    /// The libraries whose code no way reaches, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreached: Option<String>,
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
