//! The prefetcher of TLB entries: its configuration, and what it predicts (`predictor`).
//!
//! It knows addresses of pages, but neither page tables nor TLBs. [`crate::machine`] tells it what a core accesses,
//! and executes the prefetches.

mod predictor;

use serde::{Deserialize, Serialize};

use crate::caches::policy::Policy;
use crate::caches::psc::CacheShape;
use crate::caches::tlb::geometry;
use pagewalk_base::error::{Error, Result};

pub(crate) use predictor::{Predictor, Seen};

/// The rule by which a prefetcher predicts pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum PrefetchMethod {
    /// The neighbour of a page whose last or first lines are accessed one after the other.
    NextPage,
    /// The page as far from a miss as this miss is from the last one of its instruction.
    Stride,
    /// The pages at the distances that followed the distance between the last two misses.
    Distance,
}

/// The place of prefetched translations until they are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum PrefetchInto {
    /// A buffer of their own, beside level 2.
    #[default]
    Buffer,
    /// Level 2 of the TLB.
    L2,
}

/// A prefetcher of TLB entries: `{"method": "distance"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct TlbPrefetchConfig {
    pub method: PrefetchMethod,
    /// The rows of the table with what was seen, 1 to 1,024: a page, an instruction or a distance each. The least
    /// recently used row is replaced. Missing = 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// The distances that a row of `distance` holds, 1 to 8. Missing = 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distances: Option<u32>,
    /// Missing = a buffer.
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<PrefetchInto>"))]
    pub into: PrefetchInto,
    /// The shape of the buffer. Missing = 16 entries, fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<CacheShape>,
}

const MAX_ROWS: u32 = 1024;
const MAX_DISTANCES: u32 = 8;
/// log2 of the bytes of two lines. A smaller page has no two lines that are accessed one after the other.
const TWO_LINES: u8 = 7;

impl TlbPrefetchConfig {
    /// Returns the shape of the buffer, or `None` if prefetches fill level 2.
    pub(crate) fn buffer(&self) -> Option<CacheShape> {
        let usual = CacheShape { entries: 16, ways: None, replacement: Policy::Lru };
        (self.into == PrefetchInto::Buffer).then(|| self.buffer.unwrap_or(usual))
    }

    /// Returns the number of rows of the table, and of distances in a row.
    fn table(&self) -> (usize, usize) {
        (self.rows.unwrap_or(64) as usize, self.distances.unwrap_or(2) as usize)
    }

    /// Returns all errors of the configuration. `offset_bits` is log2 of the bytes of the smallest page, and `has_l2`
    /// whether an array of level 2 serves loads.
    pub(crate) fn problems(&self, offset_bits: Option<u8>, has_l2: bool) -> Vec<Error> {
        let mut found = Vec::new();
        found.extend(in_range("rows", self.rows, MAX_ROWS).err());
        found.extend(in_range("distances", self.distances, MAX_DISTANCES).err());
        if self.distances.is_some() && self.method != PrefetchMethod::Distance {
            let message = "only the method distance keeps distances: leave it out";
            found.push(Error::config("distances", message));
        }
        match (self.into, self.buffer) {
            (PrefetchInto::Buffer, Some(shape)) => {
                let problem = geometry(shape.entries, shape.ways, shape.replacement).err();
                found.extend(problem.map(|error| error.within("buffer")));
            }
            (PrefetchInto::L2, Some(_)) => {
                let message = "prefetches fill level 2, so there is no buffer: leave out buffer, or leave out into";
                found.push(Error::config("buffer", message));
            }
            (PrefetchInto::L2, None) if !has_l2 => {
                let message =
                    "no array of level 2 serves loads: add one, or prefetch into a buffer";
                found.push(Error::config("into", message));
            }
            _ => {}
        }
        if self.method == PrefetchMethod::NextPage && offset_bits.is_some_and(|n| n < TWO_LINES) {
            let message = "next-page follows lines of 64 bytes, so pages need at least 128 bytes: choose stride or distance";
            found.push(Error::config("method", message));
        }
        found
    }
}

fn in_range(field: &str, n: Option<u32>, most: u32) -> Result<()> {
    match n {
        Some(n) if !(1..=most).contains(&n) => {
            Err(Error::config(field, format!("{n} {field}: must be 1 to {most}")))
        }
        _ => Ok(()),
    }
}
