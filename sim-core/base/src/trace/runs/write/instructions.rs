//! Finds the run heads of loads and stores of one process, many at once.

use super::RunWriter;
use crate::trace::access::Kind;
use crate::trace::instructions::InstructionAccess;
use crate::trace::runs::RUN_PAGE_BITS;

/// The most accesses among which run heads are found at once.
pub(in crate::trace) const BATCH: usize = 1024;

/// A number of accesses, and how many of them are stores, each in 16 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::trace) struct Count(u32);

impl Count {
    /// Returns the count after one more access.
    #[inline(always)]
    pub(in crate::trace) fn and(self, access: &InstructionAccess) -> Self {
        Self(self.0 + (1 << 16) + access.what.stores())
    }

    /// Returns the accesses after an earlier count.
    #[inline(always)]
    pub(in crate::trace) fn since(self, earlier: Self) -> Self {
        Self(self.0.wrapping_sub(earlier.0))
    }

    #[inline(always)]
    pub(in crate::trace) fn all(self) -> u32 {
        self.0 >> 16
    }

    #[inline(always)]
    pub(in crate::trace) fn stores(self) -> u32 {
        self.0 & 0xffff
    }

    #[inline(always)]
    pub(in crate::trace) fn loads(self) -> u32 {
        self.all() - self.stores()
    }
}

/// What was found among accesses.
pub(in crate::trace) struct Heads {
    /// The number of run heads.
    pub(in crate::trace) n: usize,
    /// The accesses that were looked at.
    pub(in crate::trace) seen: Count,
    /// All bits of their addresses.
    pub(in crate::trace) bits: u64,
}

/// The bytes of a page.
const PAGE: u64 = 1 << RUN_PAGE_BITS;

impl RunWriter {
    /// Returns whether the accesses until now are of process 0, and there was one.
    pub(in crate::trace) fn is_of_process_0(&self) -> bool {
        self.pid == Some(0)
    }

    /// Finds the run heads of at most [`BATCH`] accesses of process 0, up to the first access that ends on another page. Stores
    /// in `found` how many accesses come before each. The loop does not branch on the page, because no processor can predict
    /// which access changes it.
    #[inline(never)]
    pub(in crate::trace) fn find_heads(
        &mut self,
        accesses: &[InstructionAccess],
        found: &mut [Count; BATCH],
    ) -> Heads {
        let [_, load, store, _] = self.current;
        let mut current = load.max(store).wrapping_sub(1);
        // Which kinds have accessed the page.
        let mut kinds = u32::from(load > 0) | u32::from(store > 0) << 1;
        let (mut n, mut seen, mut bits) = (0, Count::default(), 0);
        for access in accesses {
            let address = access.address;
            if address % PAGE + u64::from(access.size()) > PAGE {
                break;
            }
            let own = 1 + access.what.stores();
            let page = address >> RUN_PAGE_BITS;
            let before = if page == current { kinds } else { 0 };
            kinds = before | own;
            current = page;
            bits |= address;
            found[n % BATCH] = seen;
            n += usize::from(before & own == 0);
            seen = seen.and(access);
        }
        self.current[Kind::Load.index()] = if kinds & 1 != 0 { current + 1 } else { 0 };
        self.current[Kind::Store.index()] = if kinds & 2 != 0 { current + 1 } else { 0 };
        Heads { n, seen, bits }
    }

    /// Counts repeats of loads and stores.
    #[inline(always)]
    fn add_repeats(&mut self, repeats: Count) {
        self.counts[Kind::Load.index()] += repeats.loads();
        self.counts[Kind::Store.index()] += repeats.stores();
    }

    /// Adds the run heads that were found among `seen` accesses, and the repeats.
    #[inline(never)]
    pub(in crate::trace) fn add_heads(
        &mut self,
        accesses: &[InstructionAccess],
        found: &[Count],
        seen: Count,
    ) {
        let mut before = Count::default();
        // The earlier repeats belong to the first run head, too.
        let mut has_repeats = self.counts != [0; 3];
        for at in found {
            let Some(access) = accesses.get(at.all() as usize) else { break };
            let (kind, page) = (access.kind(), access.address >> RUN_PAGE_BITS);
            let repeats = at.since(before);
            before = at.and(access);
            if has_repeats | (repeats != Count::default()) {
                has_repeats = false;
                self.add_repeats(repeats);
                self.head_after_repeats(kind, page);
            } else {
                self.head_alone(kind, page);
            }
        }
        self.add_repeats(seen.since(before));
    }
}
