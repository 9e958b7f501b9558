//! What first touches cost, with and without huge pages.
//!
//! A page fault of a huge page clears all of it, and its price differs by more than ten times from machine to machine.
//! Pages of a file are not cleared, so their first touches have no price.

use serde::Serialize;

use super::words::number;
use super::{Between, HugeOptions};
use pagewalk_base::addr::PageSize;

/// What a first touch costs, and the clock of the processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Microseconds of a page fault that maps and clears a page of 4K.
    pub small_us: Between,
    /// Microseconds of a page fault that maps and clears a page of 2M. The prices of other sizes lie on the line through
    /// both.
    pub huge_us: Between,
    pub ghz: f64,
    /// Whether they were measured on the machine that runs the program. Other prices decide nothing.
    pub are_given: bool,
}

/// The source of the default [`Prices`], as a sentence.
pub(super) const PRICES_SOURCE: &str = "one machine, a busy guest with two Zen 5 cores, first touched 1 GiB in 0.7 to 1.0 s with 4K, and in 2.2 to 5.3 s with MADV_HUGEPAGE. The host of a guest maps memory, too.";

impl Default for Prices {
    fn default() -> Self {
        Self {
            small_us: Between::new(2.7, 3.8),
            huge_us: Between::new(4_300.0, 10_400.0),
            ghz: 3.0,
            are_given: false,
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
}

/// Returns the price of a first touch in microseconds, on the line through the prices of 4K and 2M.
fn price((small, huge): (f64, f64), size: PageSize) -> f64 {
    let [at, from, to] = [size, PageSize::K4, PageSize::M2].map(|size| number(size.bytes()));
    (small + (huge - small) * (at - from) / (to - from)).max(0.0)
}
