//! The verdict: whether huge pages are worth it, with the numbers that say so.
//!
//! It asks what a program gains in one run, and if it repeats the run's phase. First touches, and their walks, happen only
//! once. All intervals cover the orders of frames, the models of time and the prices of first touches. Prices of another
//! machine decide nothing: the verdict then says at which price huge pages pay.

use serde::Serialize;

use super::simulation::FirstWalks;
use super::time::TimeModel;
use super::words::number;
use super::{Between, FirstTouches, HugeOptions, HugePoint, HugeSaving};
use pagewalk::os::Frames;
use pagewalk::run::window::Span;
use pagewalk_base::trace::{Completeness, Trace};

/// A share of the run's time below which huge pages are not worth the work.
pub(super) const LEAST_SHARE: f64 = 0.01;
/// Huge pages that pay only after more repetitions of the phase are not worth it.
pub(super) const MOST_REPEATS: u32 = 100;

/// Whether huge pages are worth it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Decision {
    /// They save at least a hundredth of the time, and more than their first touches cost, at any price.
    Worth,
    /// That is so if the program repeats the phase of the trace.
    IfRepeated,
    /// The intervals allow both answers, or the prices of the machine are not given.
    Undecided,
    /// They save less than a hundredth of the time, or less than their first touches cost even in many repetitions.
    NotWorth,
}

/// A run without huge pages, with one order of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HugeBase {
    pub frames: Frames,
    pub walks: u64,
    /// The walks of first touches among them.
    pub first_walks: u64,
    /// The cycles of all these walks, and of hits of level 2.
    pub cycles: u64,
}

/// The verdict on the huge pages that save most.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct HugeVerdict {
    pub decision: Decision,
    /// The fewest of the simulated huge pages that save 95 % of the largest saving: the first picks, or whole rows.
    pub huge_pages: u32,
    /// Fetches, or all accesses if the trace has no fetches.
    pub instructions: u64,
    /// The runs without huge pages: one for each order of frames that is possible.
    pub bases: Vec<HugeBase>,
    /// The share of the run's time in which addresses are translated, without huge pages. With counters, it is that of
    /// walks.
    pub translation: Between,
    pub saving: HugeSaving,
    /// The share of the run's time that is left of the saving after the first touches. Negative if they cost more.
    pub net: Between,
    pub first_touches: FirstTouches,
    /// The microseconds of translation that one run saves for each huge page whose first touch has a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_us_each: Option<Between>,
    /// How often the program must run the phase of the trace, until huge pages pay for sure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u32>,
    /// The verdict in words.
    pub text: String,
    /// What the intervals assume, one sentence each.
    pub assumed: Vec<String>,
}

/// A run without huge pages and one with them, with the same order of frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) frames: Frames,
    pub(super) none: (HugePoint, FirstWalks),
    pub(super) with: (HugePoint, FirstWalks),
}

/// Returns why there is no verdict, if only a part of the program's accesses is counted.
pub(super) fn obstacle(trace: &Trace, span: &Span) -> Option<&'static str> {
    if trace.completeness != Completeness::Complete {
        Some("No verdict: the trace has a selection of the accesses, and a verdict needs them all.")
    } else if trace.part || span.counted != (0..trace.len()) {
        Some(
            "No verdict: this is only a part of the accesses, and a verdict needs them all, with every first touch.",
        )
    } else {
        None
    }
}

/// What huge pages save with one order of frames and one model of time.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    order: usize,
    clock: usize,
    /// The saved walks of first touches, in milliseconds.
    first_ms: f64,
    /// The other saved translation of one run, in milliseconds.
    repeated_ms: f64,
    run_ms: f64,
}

impl Corner {
    /// Returns the milliseconds that `n` runs save after first touches that take `more_ms` longer.
    fn net_ms(self, more_ms: f64, n: f64) -> f64 {
        self.first_ms + n * self.repeated_ms - more_ms
    }

    /// Returns the number of runs after which first touches that take `more_ms` longer have paid.
    fn runs_to_pay(self, more_ms: f64) -> f64 {
        let left = more_ms - self.first_ms;
        match (left <= 0.0, self.repeated_ms > 0.0) {
            (true, _) => 1.0,
            (false, true) => (left / self.repeated_ms).ceil().max(1.0),
            (false, false) => f64::INFINITY,
        }
    }
}

fn corners(compared: &[Compared], model: TimeModel) -> Vec<Corner> {
    let mut all = Vec::new();
    for (order, Compared { none, with, .. }) in compared.iter().enumerate() {
        let first = model.saved_first(none.1, with.1);
        let repeated = model.saved_cycles(none.0, with.0) - first;
        for (clock, of) in model.clocks(none.0).into_iter().enumerate() {
            let [first_ms, repeated_ms] = [first, repeated].map(|cycles| cycles * of.cycle_ms);
            all.push(Corner { order, clock, first_ms, repeated_ms, run_ms: of.run_ms });
        }
    }
    all
}

/// Returns the verdict on `huge_pages` huge pages.
pub(super) fn of(
    huge_pages: usize,
    compared: &[Compared],
    first_touches: FirstTouches,
    options: HugeOptions,
    model: TimeModel,
) -> HugeVerdict {
    let bases: Vec<HugePoint> = compared.iter().map(|each| each.none.0).collect();
    let pairs: Vec<_> = compared.iter().map(|each| (each.none.0, each.with.0)).collect();
    let (translation, saving) = (model.translation(&bases), model.saving(&pairs));
    let corners = corners(compared, model);
    let Between { low, high } = first_touches.more_ms;
    let net = |corner: &Corner| {
        let corner = *corner;
        [low, high].map(|more| corner.net_ms(more, 1.0) / corner.run_ms)
    };
    let net = Between::around(corners.iter().flat_map(net));
    let repeated = Between::around(corners.iter().map(|of| of.repeated_ms / of.run_ms));
    let runs = |more: f64| Between::around(corners.iter().map(|of| of.runs_to_pay(more)));
    let (soonest, latest) = (runs(low).low, runs(high).high);
    let is_small = saving.share.high < LEAST_SHARE && repeated.high < LEAST_SHARE;
    let decision = if is_small {
        Decision::NotWorth
    } else if first_touches.huge_faults > 0 && !options.prices.are_given {
        Decision::Undecided
    } else {
        decide(saving.share, net, repeated, (soonest, latest))
    };
    let us_each =
        |of: &Corner| 1000.0 * (of.first_ms + of.repeated_ms) / number(first_touches.huge_faults);
    let saved_us_each =
        (first_touches.huge_faults > 0).then(|| Between::around(corners.iter().map(us_each)));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 100")]
    let repeats = (decision == Decision::IfRepeated).then_some(latest as u32);
    let huge_pages = u32::try_from(huge_pages).unwrap_or(u32::MAX);
    let base = |each: &Compared| HugeBase {
        frames: each.frames,
        walks: each.none.0.walks,
        first_walks: each.none.1.walks,
        cycles: each.none.0.l2_cycles + each.none.0.miss_cycles(),
    };
    let mut verdict = HugeVerdict {
        decision,
        huge_pages,
        instructions: model.instructions.n,
        bases: compared.iter().map(base).collect(),
        translation,
        saving,
        net,
        first_touches,
        saved_us_each,
        repeats,
        text: String::new(),
        assumed: model.assumed(options),
    };
    verdict.text = super::sentences::text(&verdict, options, widest(&corners, first_touches));
    verdict
}

/// Decides from the shares, not all too small, that huge pages save, that are left after first touches, and that they save again in each
/// repetition; and from the fewest and the most runs after which they pay.
fn decide(
    share: Between,
    net: Between,
    repeated: Between,
    (soonest, latest): (f64, f64),
) -> Decision {
    let most_repeats = f64::from(MOST_REPEATS);
    if net.low > 0.0 && share.low >= LEAST_SHARE {
        Decision::Worth
    } else if latest <= most_repeats && repeated.low >= LEAST_SHARE {
        Decision::IfRepeated
    } else if net.high <= 0.0 && (soonest > most_repeats || repeated.high < LEAST_SHARE) {
        Decision::NotWorth
    } else {
        Decision::Undecided
    }
}

/// A reason why an interval is wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    Frames,
    Time,
    Prices,
}

/// Returns what widens the net saving most, if the other two are known.
fn widest(corners: &[Corner], touches: FirstTouches) -> Unknown {
    let more = touches.more_ms;
    let net = |corner: &Corner, more_ms: f64| corner.net_ms(more_ms, 1.0) / corner.run_ms;
    let between = |is_pair: &dyn Fn(&Corner, &Corner) -> bool| {
        let pairs = corners.iter().flat_map(|a| corners.iter().map(move |b| (a, b)));
        let pairs = pairs.filter(|(a, b)| is_pair(a, b));
        let apart = |(a, b): (&Corner, &Corner)| {
            [more.low, more.high].map(|more_ms| (net(a, more_ms) - net(b, more_ms)).abs())
        };
        pairs.flat_map(apart).fold(0.0, f64::max)
    };
    let prices =
        corners.iter().map(|of| net(of, more.low) - net(of, more.high)).fold(0.0, f64::max);
    let frames = between(&|a, b| a.clock == b.clock);
    let time = between(&|a, b| a.order == b.order);
    let all = [(Unknown::Prices, prices), (Unknown::Frames, frames), (Unknown::Time, time)];
    all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Unknown::Prices, |(of, _)| of)
}
