//! What huge pages save and cost in time: the walks that they save, and the first touches that they change.
//!
//! A trace has no clock. So the share of the run's time is an interval between two models of the program:
//!
//! ```text
//! serial       1 cycle for each instruction, and the program waits for every translation     the largest share
//! overlapped   and a read of DRAM beside each walk; all walkers of the core are always busy   the smallest share
//! ```
//!
//! First touches are priced apart. A page fault of a huge page clears all of it, and its price differs by more than
//! ten times from machine to machine. Pages of a file are not cleared, so their first touches have no price.

use serde::Serialize;

use super::verdict::{ENOUGH, LEAST_SHARE};
use super::{HugeOptions, HugePoint};
use pagewalk::config::MachineConfig;
use pagewalk_base::addr::PageSize;

/// A number that is only known to lie between two others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Between {
    pub low: f64,
    pub high: f64,
}

impl Between {
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    fn of(a: f64, b: f64) -> Self {
        Self::new(a.min(b), a.max(b))
    }
}

/// What a first touch costs, and the clock of the processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Microseconds of a page fault that maps and clears a page of 4K.
    pub small_us: Between,
    /// Microseconds of a page fault that maps and clears a page of 2M. The prices of other sizes lie on the line through
    /// both.
    pub huge_us: Between,
    pub ghz: f64,
}

/// The source of the default [`Prices`], as a sentence.
const PRICES_SOURCE: &str = "one machine, a busy guest with two Zen 5 cores, first touched 1 GiB in 0.7 to 1.0 s with 4K, and in 2.2 to 5.3 s with MADV_HUGEPAGE. The host of a guest maps memory, too. Measure yours.";

impl Default for Prices {
    fn default() -> Self {
        Self {
            small_us: Between::new(2.7, 3.8),
            huge_us: Between::new(4_300.0, 10_400.0),
            ghz: 3.0,
        }
    }
}

/// The first touches of some memory, with and without huge pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FirstTouches {
    /// The page faults without huge pages: one for each page that the trace uses.
    pub small_faults: u64,
    /// The page faults with huge pages.
    pub huge_faults: u64,
    /// The milliseconds that first touches take longer with huge pages. Negative if they take less.
    pub more_ms: Between,
}

impl FirstTouches {
    /// Prices memory of which `touched_bytes` are used, in `huge_faults` huge pages.
    pub(super) fn new(options: HugeOptions, touched_bytes: u64, huge_faults: u64) -> Self {
        let HugeOptions { pages, huge, prices, .. } = options;
        let small_faults = touched_bytes.div_ceil(pages.bytes());
        let more = |small: (f64, f64), huge_us: (f64, f64)| {
            let removed = number(small_faults) * price(small, pages);
            (number(huge_faults) * price(huge_us, huge) - removed) / 1000.0
        };
        let Prices { small_us: s, huge_us: h, .. } = prices;
        let low = more((s.high, h.low), (s.high, h.low));
        let high = more((s.low, h.high), (s.low, h.high));
        Self { small_faults, huge_faults, more_ms: Between::of(low, high) }
    }

    /// Says how much longer they take: `take 0.6 to 21 ms more`.
    pub(super) fn words(self) -> String {
        if self.huge_faults == 0 {
            return "have no price, because the pages come from a file".to_owned();
        }
        let Between { low, high } = self.more_ms;
        match (low < 0.0, high > 0.0) {
            (true, true) => {
                let [less, more] = [-low, high].map(digits);
                format!("take between {less} ms less and {more} ms more")
            }
            (true, false) => format!("take {} ms less", span(Between::new(-high, -low))),
            (false, _) => format!("take {} ms more", span(self.more_ms)),
        }
    }
}

/// Returns the price of a first touch in microseconds, on the line through the prices of 4K and 2M.
fn price((small, huge): (f64, f64), size: PageSize) -> f64 {
    let [at, from, to] = [size, PageSize::K4, PageSize::M2].map(|size| number(size.bytes()));
    (small + (huge - small) * (at - from) / (to - from)).max(0.0)
}

/// What some huge pages save, compared with none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HugeSaving {
    /// The saved walks; negative if there are more.
    pub walks: i64,
    /// The saved cycles of level-2 hits, level-2 misses and walks.
    pub cycles: i64,
    /// The share of the run's time that these cycles are, 0 to 1.
    pub share: Between,
    /// The milliseconds that these cycles are.
    pub ms: Between,
}

/// The two models of the program's time.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeModel {
    /// Fetches, or all accesses if the trace has no fetches.
    pub(super) instructions: u64,
    dram: u32,
    walkers: u32,
    ghz: f64,
}

impl TimeModel {
    pub(super) fn new(machine: &MachineConfig, prices: Prices, instructions: u64) -> Self {
        let (dram, walkers) = (machine.memory.dram, machine.walkers.max(1));
        Self { instructions, dram, walkers, ghz: prices.ghz }
    }

    /// Returns the share of the run's time in which addresses are translated, without huge pages.
    pub(super) fn translation(self, none: HugePoint) -> Between {
        self.share(number(cycles(none)), none)
    }

    /// Returns what the huge pages of `with` save.
    pub(super) fn saving(self, none: HugePoint, with: HugePoint) -> HugeSaving {
        let saved = number(cycles(none)) - number(cycles(with));
        let ms = saved / (self.ghz * 1e6);
        HugeSaving {
            walks: difference(none.walks, with.walks),
            cycles: difference(cycles(none), cycles(with)),
            share: self.share(saved, none),
            ms: Between::of(ms / f64::from(self.walkers), ms),
        }
    }

    /// Returns the share of the run's time that some translation cycles are.
    fn share(self, part: f64, none: HugePoint) -> Between {
        let (instructions, all) = (number(self.instructions), number(cycles(none)));
        let beside = number(none.walks) * f64::from(self.dram);
        let walkers = f64::from(self.walkers);
        let serial = part / (instructions + all).max(1.0);
        let overlapped = part / walkers / (instructions + beside + all / walkers).max(1.0);
        Between::of(overlapped, serial)
    }

    /// Says what the interval assumes.
    pub(super) fn assumed(self, options: HugeOptions) -> Vec<String> {
        let Self { dram, walkers, ghz, .. } = self;
        let Prices { small_us, huge_us, .. } = options.prices;
        let walkers =
            if walkers == 1 { "1 walker".to_owned() } else { format!("{walkers} walkers") };
        let mut all = vec![
            "At most: 1 cycle for each instruction, and the program waits for every translation."
                .to_owned(),
            format!(
                "At least: {dram} more cycles for the data of each walk, and {walkers} that are never idle."
            ),
            format!("The clock is {ghz} GHz."),
            format!(
                "Huge pages that save less than {} % of the time are not worth it. The verdict takes the fewest that save {ENOUGH} % of the most.",
                100.0 * LEAST_SHARE
            ),
            format!(
                "A first touch takes {} µs with 4K and {} µs with 2M.",
                span(small_us),
                span(huge_us)
            ),
        ];
        if options.prices == Prices::default() {
            all.push(format!("The source of these prices: {PRICES_SOURCE}"));
        }
        all
    }
}

/// Writes an interval of numbers: `2.7 to 3.8`.
pub fn span(Between { low, high }: Between) -> String {
    let [low, high] = [low, high].map(digits);
    if low == high { low } else { format!("{low} to {high}") }
}

/// Writes a share as percent: `3.1 to 12 %`.
pub fn percent_span(Between { low, high }: Between) -> String {
    format!("{} %", span(Between::new(100.0 * low, 100.0 * high)))
}

/// Writes a number with about two digits. A number below 100 is never rounded up to it.
fn digits(number: f64) -> String {
    match number.abs() {
        size if (99.5..100.0).contains(&size) => format!("{:.1}", (number * 10.0).trunc() / 10.0),
        size if size >= 9.95 => format!("{number:.0}"),
        size if size < 0.0005 => "0".to_owned(),
        size if size < 0.1 => format!("{number:.3}"),
        _ => format!("{number:.1}"),
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

#[expect(clippy::cast_precision_loss, reason = "times are shown with two digits")]
fn number(n: u64) -> f64 {
    n as f64
}
