//! The least time that translations take on a core that overlaps them.

use super::MachineConfig;

/// The misses of level 1 that a core has in flight, if its configuration does not say. It is the largest number of
/// fill buffers in a source: 16 in the L1D of Golden Cove. A smaller number would raise the bound.
pub const OUTSTANDING_MISSES: u32 = 16;

/// What a core does at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The number of page walks.
    pub walkers: u32,
    /// The number of misses of level 1: lookups of level 2, and walks.
    pub outstanding_misses: u32,
}

impl Overlap {
    /// Returns a lower bound of the cycles in which a core ends all translations. `l2` are the cycles of level-2
    /// lookups, `walk` the cycles of walks.
    ///
    /// Each walk has a walker for all of its cycles. Each miss of level 1 is in flight for its lookup and its walk. No
    /// order of the translations is faster than their work divided by the number of walkers, or of misses in flight.
    pub fn bound(self, l2: u64, walk: u64) -> u64 {
        let of_walkers = walk.div_ceil(self.walkers.max(1).into());
        let of_misses = (l2 + walk).div_ceil(self.outstanding_misses.max(1).into());
        of_walkers.max(of_misses)
    }
}

impl MachineConfig {
    /// Returns what the core does at the same time.
    pub fn overlap(&self) -> Overlap {
        let outstanding_misses = self.outstanding_misses.unwrap_or(OUTSTANDING_MISSES);
        Overlap { walkers: self.walkers, outstanding_misses }
    }
}
