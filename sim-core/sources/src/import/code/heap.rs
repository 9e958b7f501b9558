//! Names the blocks of the heap by the call that allocates them.
//!
//! Blocks that one call allocates behind each other are one region. It is announced longer than it is, so that a list of a
//! million nodes has twenty regions. What another call allocates there later replaces it.

use std::collections::BTreeMap;

use pagewalk_base::trace::{Mapping, Places, RegionKind};

use super::head::Head;
use super::layout::Layout;

/// The largest distance between two blocks of one region: an allocator keeps its own data there.
const GAP: u64 = 64;
/// The most regions that blocks get.
const MOST: usize = 1 << 16;
/// The most calls that have not returned. Calls that never return, such as those that a jump leaves, are dropped.
const MOST_CALLS: usize = 64;

#[derive(Debug)]
struct Region {
    end: u64,
    ip: u64,
    /// Where the first block begins.
    first: u64,
}

#[derive(Debug)]
pub(super) struct Heap {
    /// The names by the instruction that calls.
    names: BTreeMap<u64, String>,
    /// The instruction and the bytes of each call that has not returned.
    calls: Vec<(u64, u64)>,
    /// The regions by their start.
    regions: BTreeMap<u64, Region>,
    n: usize,
    /// The number of blocks by the instruction that calls.
    blocks: BTreeMap<u64, u64>,
}

impl Heap {
    pub(super) fn new(head: &Head) -> Self {
        let names = head.heap.iter().cloned().collect();
        Self { names, calls: Vec::new(), regions: BTreeMap::new(), n: 0, blocks: BTreeMap::new() }
    }

    /// Counts the blocks of each name.
    pub(super) fn count(&self, places: &mut Places) {
        for (ip, n) in &self.blocks {
            if let Some(name) = self.names.get(ip) {
                places.add_blocks(name, *n);
            }
        }
    }

    pub(super) fn call(&mut self, ip: u64, bytes: u64) {
        if self.calls.len() == MOST_CALLS {
            self.calls.remove(0);
        }
        self.calls.push((ip, bytes));
    }

    /// Returns the region of a block that a call has allocated, if it is a new one or longer than before.
    pub(super) fn returned(&mut self, layout: &Layout, ip: u64, start: u32) -> Option<Mapping> {
        let at = self.calls.iter().rposition(|&(call, _)| call == ip)?;
        let (_, bytes) = self.calls[at];
        self.calls.truncate(at);
        let (start, end) = (u64::from(start), u64::from(start).checked_add(bytes)?);
        let name = self.names.get(&ip)?.clone();
        if start == 0 || bytes == 0 || end > 1 << 32 {
            return None;
        }
        *self.blocks.entry(ip).or_default() += 1;
        if self.n == MOST {
            return None;
        }
        let before = self.regions.range(..=start).next_back().map(|(_, region)| region);
        let near = before.filter(|region| region.ip == ip && start <= region.end + GAP);
        if near.is_some_and(|region| end <= region.end) {
            return None;
        }
        let first = near.map_or(start, |region| region.first);
        // Twice as long as what is known, but a single block has its own length.
        let end = if near.is_some() { (end + (end - first)).min(1 << 32) } else { end };
        self.replace(start, Region { end, ip, first });
        self.n += 1;
        let range = layout.address(start)..layout.address(end - 1) + 1;
        let mapping = Mapping::new(0, range, 0, false, name)?;
        Some(Mapping { kind: RegionKind::Heap, ..mapping })
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
