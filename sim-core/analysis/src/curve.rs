//! Miss curves: the misses of LRU arrays of every size, from one pass over a trace.

use std::ops::Range;

use serde::Serialize;

use crate::page_uses::{Chosen, PageSink};
use crate::stack_distance::StackDistances;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Chunk, Trace};

/// The most sets that a curve may have.
pub const MAX_SETS: u32 = 1 << 20;

/// The accesses and the number of sets of a curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurveOptions {
    pub chosen: Chosen,
    /// `None` = fully associative.
    pub sets: Option<u32>,
}

/// Misses by size: `pagewalk curve --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Curve {
    pub accesses: u64,
    /// Accesses, and one more for each that straddles two pages.
    pub translations: u64,
    /// First uses of a page, including those in a warm-up. They miss at every size.
    pub cold: u64,
    /// Pairs of a size and its misses. The size is the number of entries, or of ways if there are sets, from 1
    /// on.
    pub misses: Vec<(u32, u64)>,
}

/// Computes a curve from accesses in order.
pub struct CurveBuilder {
    chosen: Chosen,
    uses: Uses,
}

struct Uses {
    distances: StackDistances,
    /// The number of uses at each distance; `[0]` counts first uses.
    by_distance: Vec<u64>,
    accesses: u64,
    counting: bool,
}

impl CurveBuilder {
    /// # Errors
    /// `bad-config` at `sets` or `kinds`.
    pub fn new(options: CurveOptions) -> Result<Self> {
        let n_sets = check_sets(options.sets)?;
        options.chosen.check()?;
        let distances = StackDistances::new(n_sets);
        let uses = Uses { distances, by_distance: vec![0; 2], accesses: 0, counting: true };
        Ok(Self { chosen: options.chosen, uses })
    }

    /// Sets whether the following accesses are counted or only warm up. A new builder counts.
    pub fn set_counting(&mut self, counting: bool) {
        self.uses.counting = counting;
    }

    /// Adds an access, if it is of a chosen kind.
    #[inline]
    pub fn push(&mut self, access: &Access) {
        self.chosen.report(access, &mut self.uses);
    }

    /// Adds all accesses of a trace.
    pub fn push_trace(&mut self, trace: &Trace) {
        self.chosen.report_trace(trace, &mut self.uses);
    }

    /// Adds the accesses of the next chunk whose numbers in the trace are in `range`.
    pub(crate) fn push_part(&mut self, chunk: &Chunk, range: &Range<u32>) {
        self.chosen.report_part(chunk, range, &mut self.uses);
    }

    /// Returns the curve up to the size at which only first uses miss.
    pub fn finish(&self) -> Curve {
        let Uses { by_distance, accesses, .. } = &self.uses;
        let (translations, misses) = misses_by_size(by_distance);
        Curve { accesses: *accesses, translations, cold: by_distance[0], misses }
    }
}

/// Returns the number of sets of a curve.
///
/// # Errors
/// `bad-config` at `sets`.
pub(crate) fn check_sets(sets: Option<u32>) -> Result<u32> {
    let n_sets = sets.unwrap_or(1);
    if !(1..=MAX_SETS).contains(&n_sets) {
        let message = format!("{n_sets} sets: must be 1 to {MAX_SETS}");
        return Err(Error::config("sets", message));
    }
    Ok(n_sets)
}

/// Returns the number of all uses, and the misses of every size. `by_distance` has the number of uses at each
/// distance; `[0]` counts first uses.
pub(crate) fn misses_by_size(by_distance: &[u64]) -> (u64, Vec<(u32, u64)>) {
    let n_uses = by_distance.iter().sum();
    let mut left = n_uses;
    let misses = (1..).zip(&by_distance[1..]).map(|(size, hits): (u32, &u64)| {
        left -= hits;
        (size, left)
    });
    (n_uses, if n_uses == 0 { Vec::new() } else { misses.collect() })
}

impl Uses {
    #[inline]
    fn touch(&mut self, space: u32, page: u64) {
        let distance = self.distances.touch(space, page).unwrap_or(0) as usize;
        if !self.counting {
            return;
        }
        if distance >= self.by_distance.len() {
            self.by_distance.resize(distance + 1, 0);
        }
        self.by_distance[distance] += 1;
    }
}

impl PageSink for Uses {
    #[inline]
    fn access(&mut self, space: u32, first: u64, last: u64) {
        self.accesses += u64::from(self.counting);
        self.touch(space, first);
        if last != first {
            self.touch(space, last);
        }
    }

    #[inline]
    fn repeats(&mut self, n: u64) {
        if self.counting {
            self.accesses += n;
            self.by_distance[1] += n;
        }
    }
}
