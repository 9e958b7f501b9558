//! The times of a chase, as the command line and the browser hand them over and export them.

use serde::{Deserialize, Serialize};

use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};

/// The fewest rounds with a result.
const FEWEST_ROUNDS: usize = 4;
/// The most rounds and points, so that a file cannot ask for unlimited work.
const MOST_ROUNDS: usize = 10_000;
const MOST_POINTS: usize = 1_000;
const MOST_PAGES: u32 = 1 << 16;
const MOST_STRIDE: u32 = 1 << 12;

/// The program that timed a chase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ChasePlace {
    Native,
    Browser,
}

/// The times of one chase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ChaseSamples {
    pub place: ChasePlace,
    /// The size of the pages that were asked for.
    pub page: PageSize,
    /// Every `stride`-th page is used.
    pub stride: u32,
    /// The nanoseconds of one addition in a chain of them, one for each round.
    pub adds: Vec<f64>,
    /// Each number of pages, in ascending order.
    pub points: Vec<ChasePoint>,
}

/// The nanoseconds of one load, one for each round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ChasePoint {
    pub pages: u32,
    /// One line in each page.
    pub spread: Vec<f64>,
    /// As many lines without gaps.
    pub dense: Vec<f64>,
}

impl ChaseSamples {
    /// # Errors
    /// `bad-config` at the first field that no chase makes.
    pub(super) fn check(&self) -> Result<()> {
        let wrong = |field: &str, message: &str| Err(Error::config(field, message));
        let n = self.adds.len();
        if !(FEWEST_ROUNDS..=MOST_ROUNDS).contains(&n) {
            return Err(Error::config(
                "adds",
                format!(
                    "{n} rounds: a result needs {FEWEST_ROUNDS} to {MOST_ROUNDS}: measure longer"
                ),
            ));
        }
        if !(1..=MOST_STRIDE).contains(&self.stride) {
            return wrong("stride", "must be 1 to 4,096");
        }
        let pages = || self.points.iter().map(|point| point.pages);
        if self.points.len() > MOST_POINTS || !pages().is_sorted_by(|a, b| a < b) {
            return wrong("points", "must be at most 1,000 numbers of pages in ascending order");
        }
        if pages().any(|pages| !(1..=MOST_PAGES).contains(&pages)) {
            return wrong("points", "each must have 1 to 65,536 pages");
        }
        let rows = self.points.iter().flat_map(|point| [&point.spread, &point.dense]);
        for row in rows.chain([&self.adds]) {
            if row.len() != n || row.iter().any(|ns| !(*ns > 0.0 && *ns < 1e9)) {
                return wrong(
                    "points",
                    "each round needs one time above 0 for each number of pages",
                );
            }
        }
        Ok(())
    }
}
