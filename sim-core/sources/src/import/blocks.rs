//! Regions of heap blocks, by the call that allocates them.
//!
//! Blocks that one call allocates behind each other are one region. It is announced longer than it is, so that a list of a
//! million nodes has twenty regions. What another call allocates there later replaces it.

use std::collections::BTreeMap;
use std::ops::Range;

/// The largest distance between two blocks of one region: an allocator keeps its own data there.
const GAP: u64 = 64;
/// The most regions that blocks get.
const MOST: usize = 1 << 16;

#[derive(Debug)]
struct Region {
    end: u64,
    ip: u64,
    /// Where the first block begins.
    first: u64,
}

#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The regions by their start.
    regions: BTreeMap<u64, Region>,
    n: usize,
    /// The number of blocks by the instruction that calls.
    counts: BTreeMap<u64, u64>,
}

impl Blocks {
    /// Returns the region of a block that the call at `ip` has allocated, if it is a new one or longer than before.
    pub(super) fn allocated(&mut self, ip: u64, block: Range<u64>) -> Option<Range<u64>> {
        let Range { start, end } = block;
        if start == 0 || start >= end {
            return None;
        }
        *self.counts.entry(ip).or_default() += 1;
        let before = self.regions.range(..=start).next_back().map(|(_, region)| region);
        let near =
            before.filter(|region| region.ip == ip && start <= region.end.saturating_add(GAP));
        if near.is_some_and(|region| end <= region.end) || self.n == MOST {
            return None;
        }
        let first = near.map_or(start, |region| region.first);
        // Twice as long as what is known, but a single block has its own length.
        let end = if near.is_some() { end.saturating_add(end - first) } else { end };
        self.replace(start, Region { end, ip, first });
        self.n += 1;
        Some(start..end)
    }

    /// Returns the number of blocks by the instruction that calls.
    pub(super) fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counts.iter().map(|(ip, n)| (*ip, *n))
    }

    /// Puts a region in the place of all that it overlaps.
    fn replace(&mut self, start: u64, region: Region) {
        let end = region.end;
        if let Some((_, before)) = self.regions.range_mut(..start).next_back()
            && before.end > start
        {
            let (ip, first) = (before.ip, before.first);
            let tail = std::mem::replace(&mut before.end, start);
            if tail > end {
                self.regions.insert(end, Region { end: tail, ip, first });
            }
        }
        while let Some((&at, _)) = self.regions.range(start..end).next() {
            let Some(old) = self.regions.remove(&at) else { break };
            if old.end > end {
                self.regions.insert(end, old);
            }
        }
        self.regions.insert(start, region);
    }
}
