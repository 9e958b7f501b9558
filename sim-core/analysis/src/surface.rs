//! The misses of every array of 1 to 2,048 sets and 1 to 16 ways under LRU, from one pass over a trace.
//!
//! For each number of sets, each set has a list of the pages used last, the most recent first, with at most
//! [`WAYS`] pages. The position of a page in the list is its stack distance. A page that is not in the list
//! misses with any number of ways (all-associativity simulation: Hill and Smith, IEEE Transactions on Computers
//! 38/12, 1989).
//!
//! ```text
//! sets 1:  [c a b …]   a use of c: first here, so it is first wherever there are more sets:
//! sets 2:  [c a …] [b …]                     their sets are parts of these, in the same order
//! ```

use std::ops::Range;

use serde::Serialize;

use crate::page_ids::PageIds;
use crate::page_uses::{Chosen, PageSink};
use pagewalk_base::error::Result;
use pagewalk_base::narrow::index;
use pagewalk_base::trace::{Access, Chunk, Trace};

/// The number of rows by sets: 1, 2, 4, … 2,048 sets.
pub const N_SETS: usize = 12;
/// The most ways.
pub const WAYS: usize = 16;

const NO_PAGE: u32 = u32::MAX;

/// Misses by sets and ways: `pagewalk curve --surface --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Surface {
    pub accesses: u64,
    /// Accesses, and one more for each that straddles two pages.
    pub translations: u64,
    /// First uses of a page, including those in a warm-up. They miss in every array.
    pub cold: u64,
    /// The arrays sorted by sets, then by ways. Set = page number mod sets.
    pub rows: Vec<SurfaceRow>,
}

/// One array: its entries are sets × ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurfaceRow {
    pub sets: u32,
    pub ways: u32,
    pub misses: u64,
}

/// Computes a surface from accesses in order.
pub struct SurfaceBuilder {
    chosen: Chosen,
    counts: Counts,
}

struct Counts {
    ids: PageIds,
    /// The lists of all sets. The lists for `2^k` sets begin at index `2^k − 1`.
    lists: Box<[[u32; WAYS]]>,
    /// For each number of sets: hits at each position except the first.
    hits: [[u64; WAYS]; N_SETS],
    /// For each number of sets: hits at the first position that are not at the first position with fewer sets.
    first: [u64; N_SETS],
    /// The page used last.
    recent: Option<(u32, u64)>,
    /// The number of repeats of the page used last. They hit in every array.
    repeats: u64,
    accesses: u64,
    translations: u64,
    /// 1 if accesses are counted, 0 if they only warm up.
    weight: u64,
    /// Pages that were first used in a warm-up.
    warm: u64,
}

impl SurfaceBuilder {
    /// # Errors
    /// `bad-config` at `kinds`.
    pub fn new(chosen: Chosen) -> Result<Self> {
        chosen.check()?;
        let counts = Counts {
            ids: PageIds::new(),
            lists: vec![[NO_PAGE; WAYS]; (1 << N_SETS) - 1].into(),
            hits: [[0; WAYS]; N_SETS],
            first: [0; N_SETS],
            recent: None,
            repeats: 0,
            accesses: 0,
            translations: 0,
            weight: 1,
            warm: 0,
        };
        Ok(Self { chosen, counts })
    }

    /// Sets whether the following accesses are counted or only warm up. A new builder counts.
    pub fn set_counting(&mut self, counting: bool) {
        let Counts { ids, weight, warm, .. } = &mut self.counts;
        if counting && *weight == 0 {
            *warm = u64::from(ids.len());
        }
        *weight = u64::from(counting);
    }

    /// Adds an access, if it is of a chosen kind.
    #[inline]
    pub fn push(&mut self, access: &Access) {
        self.chosen.report(access, &mut self.counts);
    }

    /// Adds all accesses of a trace.
    pub fn push_trace(&mut self, trace: &Trace) {
        self.chosen.report_trace(trace, &mut self.counts);
    }

    /// Adds the accesses of the next chunk whose numbers in the trace are in `range`.
    pub(crate) fn push_part(&mut self, chunk: &Chunk, range: &Range<u32>) {
        self.chosen.report_part(chunk, range, &mut self.counts);
    }

    pub fn finish(&self) -> Surface {
        let Counts { ids, hits, first, repeats, accesses, translations, weight, warm, .. } =
            &self.counts;
        let mut rows = Vec::with_capacity(N_SETS * WAYS);
        let mut hits_of_first = *repeats;
        for (k, (hits, first)) in hits.iter().zip(first).enumerate() {
            hits_of_first += first;
            let mut misses = translations - hits_of_first;
            for (ways, hits) in (1..).zip(hits) {
                misses -= hits;
                rows.push(SurfaceRow { sets: 1 << k, ways, misses });
            }
        }
        let cold = if *weight == 0 { 0 } else { u64::from(ids.len()) - warm };
        Surface { accesses: *accesses, translations: *translations, cold, rows }
    }
}

impl Counts {
    #[inline]
    fn touch(&mut self, space: u32, page: u64) {
        self.translations += self.weight;
        if self.recent == Some((space, page)) {
            self.repeats += self.weight;
            return;
        }
        self.recent = Some((space, page));
        let id = self.ids.id(space, page);
        for k in 0..N_SETS {
            let before = (1 << k) - 1;
            let list = &mut self.lists[before + index(page & before as u64)];
            if list[0] == id {
                self.first[k] += self.weight;
                return;
            }
            if let Some(place) = list.iter().position(|other| *other == id) {
                self.hits[k][place] += self.weight;
                list.copy_within(..place, 1);
            } else {
                list.copy_within(..WAYS - 1, 1);
            }
            list[0] = id;
        }
    }
}

impl PageSink for Counts {
    #[inline]
    fn access(&mut self, space: u32, first: u64, last: u64) {
        self.accesses += self.weight;
        self.touch(space, first);
        if last != first {
            self.touch(space, last);
        }
    }

    #[inline]
    fn repeats(&mut self, n: u64) {
        let n = n * self.weight;
        self.accesses += n;
        self.translations += n;
        self.repeats += n;
    }
}
