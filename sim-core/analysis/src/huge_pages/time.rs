//! The models of a program's time. They turn saved cycles into a share of the run's time, and into milliseconds.

use serde::Serialize;

use super::choice::ENOUGH;
use super::cost::Prices;
use super::ranges::Instructions;
use super::simulation::FirstWalks;
use super::verdict::{LEAST_SHARE, MOST_REPEATS};
use super::words::{number, percent_span, span, whole};
use super::{Between, HugeOptions, HugePoint};
use pagewalk::config::MachineConfig;
use pagewalk_base::thousands::grouped;

/// What some huge pages save, compared with none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HugeSaving {
    /// The saved walks; negative if there are more. If frames have two orders, those of the first.
    pub walks: i64,
    /// The saved cycles of level-2 hits, level-2 misses and walks, simulated. If frames have two orders, those of the first.
    pub cycles: i64,
    /// The share of the run's time that these cycles are, 0 to 1, with every order of frames. With counters, it is that
    /// of the saved walks. If only a part of the accesses is counted, the time is that of the part.
    pub share: Between,
    /// The milliseconds that the share is, with every order of frames.
    pub ms: Between,
}

/// A run without huge pages, and the same run with some.
pub(super) type Pair = (HugePoint, HugePoint);

/// The walks of a real processor, from its counters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredWalks {
    /// The share of the cycles in which it walked, 0 to 1.
    pub share: Between,
    /// All cycles of the counted run.
    pub cycles: f64,
}

/// How walk cycles are counted on the processor of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WalkCounters {
    #[default]
    Unknown,
    /// With these events of perf stat.
    Events(&'static str),
    /// The processor has no such events.
    Missing,
}

/// The models of the program's time.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeModel {
    pub(super) instructions: Instructions,
    dram: u32,
    walkers: u32,
    ghz: f64,
    measured: Option<MeasuredWalks>,
}

/// One model of a run's time: the milliseconds of a cycle of translation, and of the whole run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) cycle_ms: f64,
    pub(super) run_ms: f64,
}

impl TimeModel {
    pub(super) fn new(
        machine: &MachineConfig,
        options: HugeOptions,
        instructions: Instructions,
    ) -> Self {
        let HugeOptions { prices: Prices { ghz, .. }, measured, .. } = options;
        let (dram, walkers) = (machine.memory.dram, machine.walkers.max(1));
        Self { instructions, dram, walkers, ghz, measured }
    }

    /// Returns the models of a run without huge pages, the one with the slowest translation first.
    pub(super) fn clocks(self, none: HugePoint) -> Vec<Clock> {
        let serial_ms = 1.0 / (self.ghz * 1e6);
        let overlapped_ms = serial_ms / f64::from(self.walkers);
        if let Some(MeasuredWalks { share, cycles }) = self.measured {
            // The run takes the counted cycles. All simulated walks together take the measured share of them.
            let run_ms = cycles.max(1.0) * serial_ms;
            let walks = number(none.walk_cycles.max(1));
            let clock = |share: f64| Clock { cycle_ms: share * run_ms / walks, run_ms };
            return [share.high, share.low].map(clock).to_vec();
        }
        let (instructions, all) = (number(self.instructions.n), number(cycles(none)));
        let beside = number(none.walks) * f64::from(self.dram);
        let serial = (instructions + all).max(1.0) * serial_ms;
        let overlapped = (instructions + beside).max(1.0) * serial_ms + all * overlapped_ms;
        vec![
            Clock { cycle_ms: serial_ms, run_ms: serial },
            Clock { cycle_ms: overlapped_ms, run_ms: overlapped },
        ]
    }

    /// Returns the share of the run's time in which addresses are translated, without huge pages.
    pub(super) fn translation(self, bases: &[HugePoint]) -> Between {
        if let Some(measured) = self.measured {
            return measured.share;
        }
        let share = |none: &HugePoint| {
            let all = number(cycles(*none));
            self.clocks(*none).into_iter().map(move |of| all * of.cycle_ms / of.run_ms)
        };
        Between::around(bases.iter().flat_map(share))
    }

    /// Returns what huge pages save, with each order of frames.
    pub(super) fn saving(self, pairs: &[Pair]) -> HugeSaving {
        let Some((none, with)) = pairs.first() else { return HugeSaving::default() };
        let each = || {
            pairs.iter().flat_map(|(none, with)| {
                let saved = self.saved_cycles(*none, *with);
                self.clocks(*none).into_iter().map(move |of| (saved * of.cycle_ms, of.run_ms))
            })
        };
        HugeSaving {
            walks: difference(none.walks, with.walks),
            cycles: difference(cycles(*none), cycles(*with)),
            share: Between::around(each().map(|(ms, run_ms)| ms / run_ms)),
            ms: Between::around(each().map(|(ms, _)| ms)),
        }
    }

    /// Returns the saved cycles; negative if there are more. Counters of walks have no lookups of level 2, so with them only
    /// cycles of walks count.
    pub(super) fn saved_cycles(self, none: HugePoint, with: HugePoint) -> f64 {
        match self.measured {
            Some(_) => number(none.walk_cycles) - number(with.walk_cycles),
            None => number(cycles(none)) - number(cycles(with)),
        }
    }

    /// Returns the saved cycles of first touches.
    pub(super) fn saved_first(self, none: FirstWalks, with: FirstWalks) -> f64 {
        match self.measured {
            Some(_) => number(none.walk_cycles) - number(with.walk_cycles),
            None => number(none.cycles) - number(with.cycles),
        }
    }

    /// Says what the intervals assume.
    pub(super) fn assumed(self, options: HugeOptions) -> Vec<String> {
        let Self { dram, walkers, ghz, .. } = self;
        let Prices { small_us, huge_us, .. } = options.prices;
        let walkers =
            if walkers == 1 { "1 walker".to_owned() } else { format!("{walkers} walkers") };
        let mut all = match self.measured {
            Some(MeasuredWalks { share, cycles }) => vec![
                format!(
                    "The counters measured that walks are active in {} of {} cycles. Look-ups of level 2 are not in them.",
                    percent_span(share),
                    grouped(whole(cycles))
                ),
                "Walks overlap with other work of the program, so the real saving may be smaller."
                    .to_owned(),
            ],
            None => vec![
                format!(
                    "At most: 1 cycle for each {}, and the program waits for every translation.",
                    if self.instructions.are_fetches {
                        "instruction"
                    } else {
                        "access, because the trace has no instructions"
                    }
                ),
                format!(
                    "At least: {dram} more cycles for the data of each walk, and {walkers} that are never idle."
                ),
            ],
        };
        all.extend([
            format!("The clock is {ghz} GHz."),
            format!(
                "Huge pages are not worth it if they save less than {} % of the time, or must be used {MOST_REPEATS} times before they pay.",
                100.0 * LEAST_SHARE
            ),
            format!("The verdict takes the fewest of the simulated huge pages that save {ENOUGH} % of the most."),
            "A program that repeats a phase has its first touches, and their walks, only once."
                .to_owned(),
            format!(
                "A first touch takes {} µs with 4K and {} µs with 2M.",
                span(small_us),
                span(huge_us)
            ),
        ]);
        if !options.prices.are_given {
            all.push(format!("The source of these prices: {}", super::cost::PRICES_SOURCE));
        }
        all
    }
}

/// All cycles of translations that missed level 1.
fn cycles(point: HugePoint) -> u64 {
    point.l2_cycles + point.miss_cycles()
}

fn difference(before: u64, after: u64) -> i64 {
    let [before, after] = [before, after].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    before - after
}
