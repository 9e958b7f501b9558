//! The verdict: whether huge pages are worth it, with the numbers that say so.

use serde::Serialize;

use super::cost::{TimeModel, percent_span, span};
use super::{Between, FirstTouches, HugeOptions, HugePoint, HugeSaving};
use pagewalk::run::window::Span;
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::{Completeness, Trace};

/// A share of the run's time below which huge pages are not worth the work.
pub(super) const LEAST_SHARE: f64 = 0.01;
/// The verdict has the fewest huge pages that save this part of the largest saving, in percent.
pub(super) const ENOUGH: u128 = 95;

/// Whether huge pages are worth it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Decision {
    /// The walks that they save cost more than the first touches, at any price.
    Worth,
    /// They save more only if the program uses the memory for longer than the trace.
    IfReused,
    /// They save less than a hundredth of the run's time.
    NotWorth,
}

/// The verdict on the huge pages that save most.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HugeVerdict {
    pub decision: Decision,
    /// The fewest huge pages, in the order of the picks, that save 95 % of the largest saving.
    pub huge_pages: u32,
    /// Fetches, or all accesses if the trace has no fetches.
    pub instructions: u64,
    /// The share of the run's time in which addresses are translated, without huge pages.
    pub translation: Between,
    pub saving: HugeSaving,
    pub first_touches: FirstTouches,
    /// The verdict in words.
    pub text: String,
    /// What the intervals assume, one sentence each.
    pub assumed: Vec<String>,
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

/// Returns the verdict. `points` begin with the run without huge pages; `touches` prices the first touches of the first n picks.
pub(super) fn of(
    touches: impl Fn(usize) -> FirstTouches,
    points: &[HugePoint],
    options: HugeOptions,
    model: TimeModel,
) -> HugeVerdict {
    let none = points.first().copied().unwrap_or_default();
    let saved = |point: &HugePoint| u64::try_from(model.saving(none, *point).cycles).unwrap_or(0);
    let most = points.iter().map(saved).max().unwrap_or(0);
    let is_enough =
        |point: &&HugePoint| u128::from(saved(point)) * 100 >= u128::from(most) * ENOUGH;
    let point = points.iter().find(is_enough).copied().unwrap_or(none);
    let first_touches = touches(point.huge_pages as usize);
    let saving = model.saving(none, point);
    let decision = if saving.share.high < LEAST_SHARE {
        Decision::NotWorth
    } else if first_touches.more_ms.high <= saving.ms.low {
        Decision::Worth
    } else {
        Decision::IfReused
    };
    let translation = model.translation(none);
    HugeVerdict {
        decision,
        huge_pages: point.huge_pages,
        instructions: model.instructions,
        translation,
        saving,
        first_touches,
        text: text(options, decision, (translation, saving, first_touches), point.huge_pages),
        assumed: model.assumed(options),
    }
}

fn text(
    options: HugeOptions,
    decision: Decision,
    (translation, saving, first_touches): (Between, HugeSaving, FirstTouches),
    n: u32,
) -> String {
    let now = format!(
        "Without huge pages, {} of the run's time is translation.",
        percent_span(translation)
    );
    let pages =
        format!("{} page{} of {}", grouped(n.into()), if n == 1 { "" } else { "s" }, options.huge);
    if n == 0 {
        return format!("{now} Huge pages save nothing.");
    }
    let save = if n == 1 { "saves" } else { "save" };
    let saved = format!("{pages} {save} {} of the time.", percent_span(saving.share));
    let touches = format!(
        "First touches {}; the saved translation is {} ms.",
        first_touches.words(),
        span(saving.ms)
    );
    let end = match decision {
        Decision::NotWorth => "Huge pages are not worth it here.".to_owned(),
        Decision::Worth => "Huge pages are worth it.".to_owned(),
        Decision::IfReused if saving.ms.low > 0.0 => {
            let times = first_touches.more_ms.high / saving.ms.low;
            format!(
                "Huge pages are worth it for sure if the program uses the memory {} times as long as the trace.",
                span(Between::new(times, times))
            )
        }
        Decision::IfReused => {
            "Whether huge pages are worth it depends on the first touches.".to_owned()
        }
    };
    format!("{end} {now} {saved} {touches}")
}
