//! Finds the run heads of loads and stores of one process, many at once.

use super::{MANY, RunWriter};
use crate::narrow::small;
use crate::trace::access::Kind;
use crate::trace::instructions::InstructionAccess;
use crate::trace::runs::RUN_PAGE_BITS;

/// The most accesses among which run heads are found at once.
pub(in crate::trace) const BATCH: usize = 1024;

/// A number of accesses, and how many of them are stores, each in 16 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::trace) struct Count(u32);

impl Count {
    /// Returns the count after one more access, with 1 for a store.
    #[inline(always)]
    fn and(self, stores: u32) -> Self {
        Self(self.0 + (1 << 16) + stores)
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

/// A run head among accesses.
#[derive(Clone, Copy, Default)]
pub(in crate::trace) struct Found {
    pub(in crate::trace) page: u64,
    /// The accesses before it.
    pub(in crate::trace) before: Count,
    /// 1 for a store, 0 for a load.
    stores: u32,
}

impl Found {
    #[inline(always)]
    fn kind(&self) -> Kind {
        if self.stores == 1 { Kind::Store } else { Kind::Load }
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

    /// Finds the run heads of at most [`BATCH`] accesses of process 0, up to the first access that ends on another page. The
    /// loop does not branch on the page, because no processor can predict which access changes it.
    #[inline(never)]
    pub(in crate::trace) fn find_heads(
        &mut self,
        accesses: &[InstructionAccess],
        found: &mut [Found; BATCH],
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
            let stores = access.what.stores();
            let own = 1 + stores;
            let page = address >> RUN_PAGE_BITS;
            let before = if page == current { kinds } else { 0 };
            kinds = before | own;
            current = page;
            bits |= address;
            found[n % BATCH] = Found { page, before: seen, stores };
            n += usize::from(before & own == 0);
            seen = seen.and(stores);
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
    pub(in crate::trace) fn add_heads(&mut self, mut found: &[Found], seen: Count) {
        let mut before = Count::default();
        // The earlier repeats belong to the first run head, too.
        let mut has_repeats = self.counts != [0; 3];
        while let Some((head, rest)) = found.split_first() {
            let repeats = head.before.since(before);
            if has_repeats | (repeats != Count::default()) {
                has_repeats = false;
                self.add_repeats(repeats);
                self.head_after_repeats(head.kind(), head.page);
                before = head.before.and(head.stores);
                found = rest;
                continue;
            }
            let n = self.add_alone(found);
            found = found.get(n..).unwrap_or_default();
            before = Count(before.0 + small(n) * Count::default().and(head.stores).0);
        }
        self.add_repeats(seen.since(before));
    }

    /// Adds run heads of one kind in a row, without repeats between them. Returns their number, at least 1 if there are any.
    #[inline(always)]
    fn add_alone(&mut self, found: &[Found]) -> usize {
        let Some(first) = found.first() else { return 0 };
        if first.kind() != self.alone_kind || self.n_alone == MANY {
            self.write_alone();
            self.alone_kind = first.kind();
        }
        let room = self.alone.get_mut(self.n_alone..).unwrap_or_default();
        let mut before = first.before;
        let mut n = 0;
        for (place, head) in room.iter_mut().zip(found) {
            if (head.stores ^ first.stores) | (head.before.0 ^ before.0) != 0 {
                break;
            }
            before = before.and(first.stores);
            *place = head.page;
            n += 1;
        }
        self.n_alone += n;
        n
    }
}
