//! Names the blocks that a program allocates by the place that allocates them.
//!
//! Blocks that one place allocates behind each other are one region. It is announced longer than it is, so that a list of a
//! million nodes has twenty regions. What another place allocates there later replaces it.

use std::collections::BTreeMap;
use std::ops::Range;

use pagewalk_base::trace::{Mapping, RegionKind};

/// The largest distance between two blocks of one region: an allocator keeps its own data there.
const GAP: u64 = 64;
/// The most records that blocks get.
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
}

impl Blocks {
    /// Returns the region of a new block, if it is a new region or longer than before.
    pub(super) fn allocated(&mut self, ip: u64, start: u64, bytes: u64) -> Option<Mapping> {
        let end = start.checked_add(bytes).filter(|end| *end > start)?;
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
        named(start..end, ip)
    }

    /// Returns the regions in a range.
    pub(super) fn within(&self, range: Range<u64>) -> Vec<Mapping> {
        let before = self.regions.range(..range.start).next_back();
        let inside = self.regions.range(range.clone());
        let parts = before.into_iter().chain(inside).filter_map(|(&start, region)| {
            named(start.max(range.start)..region.end.min(range.end), region.ip)
        });
        parts.collect()
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

/// A record of a block. The place has no other name than its address until its lines are known.
fn named(range: Range<u64>, ip: u64) -> Option<Mapping> {
    let mapping = Mapping::new(0, range, 0, false, format!("allocated at 0x{ip:x}"))?;
    Some(Mapping { kind: RegionKind::Heap, ..mapping })
}
