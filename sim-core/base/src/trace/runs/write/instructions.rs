//! Finds the run heads of loads and stores of one process, many at once.

use super::RunWriter;
use crate::narrow::small;
use crate::trace::access::Kind;
use crate::trace::instructions::InstructionAccess;
use crate::trace::runs::RUN_PAGE_BITS;

/// The most accesses among which run heads are found at once.
pub(in crate::trace) const BATCH: usize = 512;

/// A run head: its place among the accesses, and the repeats since the last one.
#[derive(Clone, Copy, Default)]
pub(in crate::trace) struct Found {
    pub(in crate::trace) at: u32,
    pub(in crate::trace) repeats: Repeats,
}

/// Numbers of repeated loads and stores, each in 16 bits.
#[derive(Clone, Copy, Default)]
pub(in crate::trace) struct Repeats(u32);

impl Repeats {
    pub(in crate::trace) fn loads(self) -> u32 {
        self.0 & 0xffff
    }

    pub(in crate::trace) fn stores(self) -> u32 {
        self.0 >> 16
    }

    pub(in crate::trace) fn sum(self) -> u32 {
        self.loads() + self.stores()
    }
}

impl RunWriter {
    /// Returns whether the accesses until now are of process 0, and there was one.
    pub(in crate::trace) fn is_of_process_0(&self) -> bool {
        self.pid == Some(0)
    }

    /// Finds the run heads of at most [`BATCH`] accesses of process 0. Returns their number, the repeats after the last
    /// one, and all bits of page numbers. The loop has no branch, because no processor can predict which access changes the page.
    #[expect(clippy::needless_bitwise_bool, reason = "the loop has no branch")]
    pub(in crate::trace) fn find_heads(
        &mut self,
        accesses: &[InstructionAccess],
        found: &mut [Found; BATCH],
    ) -> (usize, Repeats, u64) {
        let [_, load, store, _] = self.current;
        let mut current = load.max(store);
        // Which kinds have accessed the page.
        let mut kinds = u32::from(load > 0) | u32::from(store > 0) << 1;
        let (mut n, mut repeats, mut pages) = (0, 0, 0);
        for (at, access) in accesses.iter().enumerate() {
            let own = 1 + access.what.stores();
            let page = access.address >> RUN_PAGE_BITS;
            let last = access.last() >> RUN_PAGE_BITS;
            pages |= page | last;
            let is_same = (current == page + 1) & (last == page);
            kinds &= if is_same { 3 } else { 0 };
            let is_head = kinds & own == 0;
            kinds |= own;
            current = last + 1;
            found[n % BATCH] = Found { at: small(at), repeats: Repeats(repeats) };
            n += usize::from(is_head);
            repeats += 1 << (16 * access.what.stores());
            repeats = if is_head { 0 } else { repeats };
        }
        self.current[Kind::Load.index()] = if kinds & 1 != 0 { current } else { 0 };
        self.current[Kind::Store.index()] = if kinds & 2 != 0 { current } else { 0 };
        (n, Repeats(repeats), pages)
    }

    /// Counts repeats of loads and stores.
    pub(in crate::trace) fn add_repeats(&mut self, repeats: Repeats) {
        self.counts[Kind::Load.index()] += repeats.loads();
        self.counts[Kind::Store.index()] += repeats.stores();
    }

    /// Adds run heads that were found.
    pub(in crate::trace) fn add_found(&mut self, accesses: &[InstructionAccess], found: &[Found]) {
        // The counts of earlier repeats belong to the first run head.
        let mut is_first = true;
        for Found { at, repeats } in found {
            let Some(access) = accesses.get(*at as usize) else { break };
            let page = access.address >> RUN_PAGE_BITS;
            let is_crossing = access.last() >> RUN_PAGE_BITS != page;
            if is_first | is_crossing {
                is_first = false;
                self.add_repeats(*repeats);
                if is_crossing {
                    self.special(access.kind(), page, 1);
                } else {
                    self.head(access.kind(), page);
                }
            } else if repeats.0 == 0 {
                self.head_alone(access.kind(), page);
            } else {
                self.add_repeats(*repeats);
                self.head_after_repeats(access.kind(), page);
            }
        }
    }
}
