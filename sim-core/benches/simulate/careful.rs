//! The machine of `machine.json` as a careful programmer writes it in a hundred lines: three LRU arrays, page tables that
//! first touches fill, and three paging-structure caches. Nothing else is possible with it. Its walks and their references
//! must be those of the simulator.

use pagewalk_base::trace::{Access, Chunk, RUN_PAGE_BITS, Trace};

use crate::best;
use crate::plain::Level;

/// log2 of the entries of a table.
const INDEX_BITS: u32 = 9;
const ENTRIES: usize = 1 << INDEX_BITS;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) walks: u64,
    pub(crate) refs: u64,
}

struct Core {
    itlb: Level<16, 8>,
    dtlb: Level<16, 4>,
    stlb: Level<128, 12>,
    pml4e: Level<1, 2>,
    pdpte: Level<1, 4>,
    pde: Level<8, 4>,
    /// All tables; the first one is the root. An entry is the number of a table or of a frame, or 0 if there is none.
    tables: Vec<[u32; ENTRIES]>,
    frames: u32,
    counts: Counts,
}

impl Core {
    fn new() -> Self {
        Self {
            itlb: Level::new(),
            dtlb: Level::new(),
            stlb: Level::new(),
            pml4e: Level::new(),
            pdpte: Level::new(),
            pde: Level::new(),
            tables: vec![[0; ENTRIES]],
            frames: 0,
            counts: Counts::default(),
        }
    }

    #[inline]
    fn translate(&mut self, is_fetch: bool, page: usize) {
        let hit = if is_fetch { self.itlb.access(page) } else { self.dtlb.access(page) };
        if !hit && !self.stlb.access(page) {
            self.walk(page);
        }
    }

    fn walk(&mut self, page: usize) {
        self.counts.walks += 1;
        // A lookup that misses puts the entry in, because the walk will read it.
        self.counts.refs += if self.pde.access(page >> INDEX_BITS) {
            1
        } else if self.pdpte.access(page >> (2 * INDEX_BITS)) {
            2
        } else if self.pml4e.access(page >> (3 * INDEX_BITS)) {
            3
        } else {
            4
        };
        let mut table = 0;
        for level in (0..4).rev() {
            let at = page >> (level * INDEX_BITS) & (ENTRIES - 1);
            if self.tables[table][at] == 0 {
                self.tables[table][at] = self.add(level);
            }
            table = self.tables[table][at] as usize;
        }
    }

    /// Adds a frame, or a table of a level above it.
    #[cold]
    fn add(&mut self, level: u32) -> u32 {
        if level == 0 {
            self.frames += 1;
            return self.frames;
        }
        self.tables.push([0; ENTRIES]);
        u32::try_from(self.tables.len() - 1).expect("each table has a page that was accessed")
    }
}

/// Returns the seconds of the fastest run over the accesses of a trace, which are copied to a vector first, and its counts.
pub(crate) fn seconds(trace: &Trace, repetitions: u32) -> (f64, Counts) {
    let place = |address: u64| usize::try_from(address >> RUN_PAGE_BITS).expect("a 64-bit machine");
    let of = |access: Access| (access.kind.is_fetch(), place(access.address), place(access.last()));
    let accesses: Vec<_> = trace.chunks().iter().flat_map(Chunk::accesses).map(of).collect();
    let mut counts = Counts::default();
    let seconds = best(repetitions, Core::new, |mut core| {
        for &(is_fetch, first, last) in &accesses {
            for page in first..=last {
                core.translate(is_fetch, page);
            }
        }
        counts = core.counts;
    });
    (seconds, counts)
}
