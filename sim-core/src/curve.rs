//! Miss curves: the misses of LRU arrays of every size, from one pass over a trace.

use serde::Serialize;

use crate::addr::PageSize;
use crate::error::{Error, Result};
use crate::narrow::small;
use crate::stack_distance::StackDistances;
use crate::trace::{Access, Kind};

/// The most sets that a curve may have.
pub const MAX_SETS: u32 = 1 << 20;

/// What a curve is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveOptions {
    /// All memory is taken to be mapped with pages of this size.
    pub pages: PageSize,
    /// Fetches, loads and stores; others are left out before distances are taken.
    pub kinds: [bool; 3],
    /// `None` = fully associative.
    pub sets: Option<u32>,
}

impl Default for CurveOptions {
    fn default() -> Self {
        Self { pages: PageSize::K4, kinds: [true; 3], sets: None }
    }
}

/// Misses by size: `pagewalk curve --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct Curve {
    pub accesses: u64,
    /// Accesses, and one more for each that straddles two pages.
    pub translations: u64,
    /// First uses of a page: misses of every size.
    pub cold: u64,
    /// Entries, or ways of each set, from 1 on; and the misses with so many.
    pub misses: Vec<(u32, u64)>,
}

/// A curve in the making.
pub struct CurveBuilder {
    options: CurveOptions,
    shift: u32,
    distances: StackDistances,
    /// Uses by distance; `[0]` counts first uses.
    uses: Vec<u64>,
    accesses: u64,
    translations: u64,
}

impl CurveBuilder {
    /// # Errors
    /// `bad-config` at `sets` or `kinds`.
    pub fn new(options: CurveOptions) -> Result<Self> {
        let n_sets = options.sets.unwrap_or(1);
        if !(1..=MAX_SETS).contains(&n_sets) {
            let message = format!("{n_sets} sets: must be 1 to {MAX_SETS}");
            return Err(Error::config("sets", message));
        }
        if options.kinds == [false; 3] {
            return Err(Error::config("kinds", "no kind of access: name fetch, load or store"));
        }
        Ok(Self {
            shift: options.pages.shift(),
            distances: StackDistances::new(n_sets),
            uses: vec![0],
            accesses: 0,
            translations: 0,
            options,
        })
    }

    /// Adds an access, if it is of a kind that counts. Prefetches never are.
    #[inline]
    pub fn push(&mut self, access: &Access) {
        let counts = access.kind != Kind::Prefetch && self.options.kinds[access.kind.index() % 3];
        if !counts {
            return;
        }
        self.accesses += 1;
        let (first, last) = (access.address >> self.shift, access.last() >> self.shift);
        self.touch(access.pid, first);
        if last != first {
            self.touch(access.pid, last);
        }
    }

    #[inline]
    fn touch(&mut self, pid: u32, page: u64) {
        self.translations += 1;
        let distance = self.distances.touch(pid, page).unwrap_or(0) as usize;
        if distance >= self.uses.len() {
            self.uses.resize(distance + 1, 0);
        }
        self.uses[distance] += 1;
    }

    /// The curve, up to the size from which on only first uses miss.
    pub fn finish(&self) -> Curve {
        let mut left = self.translations;
        let misses = (1..).zip(&self.uses[1..]).map(|(size, hits): (u32, &u64)| {
            left -= hits;
            (size, left)
        });
        let mut misses: Vec<(u32, u64)> = misses.collect();
        if misses.is_empty() && self.translations > 0 {
            misses.push((1, self.uses[0]));
        }
        debug_assert!(small(misses.len()) == misses.last().map_or(0, |(size, _)| *size));
        Curve {
            accesses: self.accesses,
            translations: self.translations,
            cold: self.uses[0],
            misses,
        }
    }
}
