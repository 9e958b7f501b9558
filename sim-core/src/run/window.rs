//! The window of a run: the part of a trace that is simulated, and the part of it that is counted.
//!
//! ```text
//! |── skip ──|── warmup ──|── limit ──| not simulated
//!              changes state, counts
//! ```

use std::ops::Range;

use serde::{Deserialize, Serialize};

use pagewalk_base::error::{Error, Result};
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::CHUNK;

/// A window as numbers of accesses. The default is the whole trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(
    any(test, feature = "ts"),
    derive(ts_rs::TS),
    ts(export, optional_fields, rename = "RunWindow")
)]
pub struct Window {
    /// The number of accesses at the start that are not simulated.
    #[cfg_attr(any(test, feature = "ts"), ts(type = "number"))]
    pub skip: u64,
    /// The number of accesses after the skipped ones that change the machine, but no counter.
    #[cfg_attr(any(test, feature = "ts"), ts(type = "number"))]
    pub warmup: u64,
    /// The number of accesses that are counted, after which the run ends. Missing = all that follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, type = "number"))]
    pub limit: Option<u64>,
}

impl Window {
    /// Returns the number of the first access that is counted.
    pub fn counted_from(self) -> u64 {
        self.skip.saturating_add(self.warmup)
    }

    /// Returns the number of the first access after the window.
    pub fn end(self) -> u64 {
        self.limit.map_or(u64::MAX, |limit| self.counted_from().saturating_add(limit))
    }

    /// Returns the ranges of accesses that are simulated and counted, in a trace of `len` accesses.
    ///
    /// # Errors
    /// `bad-config` at `skip`, `warmup` or `limit` if the trace has accesses and none would be counted.
    pub fn within(self, len: u32) -> Result<Span> {
        let clip = |number: u64| u32::try_from(number).map_or(len, |number| number.min(len));
        let (start, counted, end) = (clip(self.skip), clip(self.counted_from()), clip(self.end()));
        if len > 0 && counted == end {
            let has = format!("the trace has {} accesses", grouped(len.into()));
            let (field, message) = match (start == len, counted == len) {
                (true, _) => ("skip", format!("{has}: skip fewer")),
                (_, true) => {
                    let left = grouped((len - start).into());
                    let message = format!(
                        "{has}, and {left} are left after the skip: warm up with fewer, so that some are counted"
                    );
                    ("warmup", message)
                }
                _ => ("limit", "count at least one access".to_owned()),
            };
            return Err(Error::config(field, message));
        }
        Ok(Span { simulated: start..end, counted: counted..end })
    }
}

/// A window on a trace of known length: ranges of accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub simulated: Range<u32>,
    pub counted: Range<u32>,
}

impl Span {
    /// Returns the window that counts all accesses of a trace.
    pub fn whole(len: u32) -> Self {
        Self { simulated: 0..len, counted: 0..len }
    }

    /// Returns the simulated parts of the range `of`: the accesses that warm up, then the accesses that count.
    pub fn parts(&self, of: &Range<u32>) -> [Range<u32>; 2] {
        let Self { simulated, counted } = self;
        let clip = |from: u32, to: u32| from.max(of.start)..to.min(of.end);
        [clip(simulated.start, counted.start), clip(counted.start, counted.end)]
    }

    /// Returns where a run stops next after access `position`: at the end of its chunk, of the warm-up or of the run.
    pub fn next_stop(&self, position: u32) -> u32 {
        let chunk_end = (position / CHUNK).saturating_add(1).saturating_mul(CHUNK);
        let is_warm_up = position < self.counted.start;
        chunk_end.min(if is_warm_up { self.counted.start } else { self.simulated.end })
    }

    /// Returns the part of a run that is done before access `position`, 0 to 1.
    pub fn share_before(&self, position: u32) -> f64 {
        let Range { start, end } = self.simulated;
        f64::from(position - start) / f64::from((end - start).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(skip: u64, warmup: u64, limit: Option<u64>) -> Result<Span> {
        Window { skip, warmup, limit }.within(100)
    }

    #[test]
    fn a_run_stops_at_chunks_after_the_warm_up_and_at_its_end() {
        let warm = CHUNK + 5;
        let span = Span { simulated: 3..3 * CHUNK - 1, counted: warm..3 * CHUNK - 1 };
        let mut stops = vec![3];
        while *stops.last().unwrap() < span.simulated.end {
            stops.push(span.next_stop(*stops.last().unwrap()));
        }
        assert_eq!(stops, [3, CHUNK, warm, 2 * CHUNK, 3 * CHUNK - 1]);
        let shares = [3, span.simulated.end].map(|position| span.share_before(position));
        assert!(shares[0].abs() < 1e-9 && (shares[1] - 1.0).abs() < 1e-9, "{shares:?}");
    }

    #[test]
    fn skip_warm_up_and_limit_follow_each_other() {
        for (window, simulated, counted) in [
            ((0, 0, None), 0..100, 0..100),
            ((10, 0, None), 10..100, 10..100),
            ((10, 20, Some(30)), 10..60, 30..60),
            ((10, 20, Some(u64::MAX)), 10..100, 30..100),
            ((0, 99, Some(5)), 0..100, 99..100),
        ] {
            let (skip, warmup, limit) = window;
            assert_eq!(span(skip, warmup, limit).unwrap(), Span { simulated, counted });
        }
    }

    #[test]
    fn a_window_that_counts_nothing_is_an_error_at_its_field() {
        let skip = "skip: the trace has 100 accesses: skip fewer";
        let warmup = "warmup: the trace has 100 accesses, and 90 are left after the skip: warm up with fewer, so that some are counted";
        for (window, expected) in [
            ((100, 0, None), skip),
            ((u64::MAX, u64::MAX, None), skip),
            ((10, 90, None), warmup),
            ((10, u64::MAX, None), warmup),
            ((10, 20, Some(0)), "limit: count at least one access"),
        ] {
            let (skip, warmup, limit) = window;
            assert_eq!(span(skip, warmup, limit).unwrap_err().to_string(), expected, "{window:?}");
        }
    }

    #[test]
    fn an_empty_trace_has_nothing_to_refuse() {
        let span = Window { skip: 5, warmup: 5, limit: Some(5) }.within(0).unwrap();
        assert_eq!(span, Span::whole(0));
    }
}
