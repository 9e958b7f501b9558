//! A plain simulation of two LRU levels, to compare the speed of different computers. It has no walks, page tables or
//! counters, and one first level for all kinds of accesses.

use pagewalk_base::trace::{Chunk, RUN_PAGE_BITS, Trace};

use crate::best;

/// The sets of a level. In each set, the page used last is the first.
pub(crate) struct Level<const SETS: usize, const WAYS: usize>([[usize; WAYS]; SETS]);

impl<const SETS: usize, const WAYS: usize> Level<SETS, WAYS> {
    pub(crate) fn new() -> Self {
        Self([[usize::MAX; WAYS]; SETS])
    }

    /// Returns whether a page hits, and makes it the first of its set.
    #[inline]
    pub(crate) fn access(&mut self, page: usize) -> bool {
        let set = &mut self.0[page % SETS];
        let mut way = 0;
        while way < WAYS - 1 && set[way] != page {
            way += 1;
        }
        let hit = set[way] == page;
        while way > 0 {
            set[way] = set[way - 1];
            way -= 1;
        }
        set[0] = page;
        hit
    }
}

/// Returns the seconds of the fastest run over the addresses of a trace, which are copied to a vector first.
pub(crate) fn seconds(trace: &Trace, repetitions: u32) -> f64 {
    let accesses = trace.chunks().iter().flat_map(Chunk::accesses);
    let addresses: Vec<usize> =
        accesses.map(|access| usize::try_from(access.address).expect("a 64-bit machine")).collect();
    best(
        repetitions,
        || (Level::<16, 4>::new(), Level::<128, 12>::new()),
        |(mut first, mut second)| {
            let mut hits = [0_u32; 2];
            for address in &addresses {
                let page = address >> RUN_PAGE_BITS;
                if first.access(page) {
                    hits[0] += 1;
                } else if second.access(page) {
                    hits[1] += 1;
                }
            }
            hits
        },
    )
}
