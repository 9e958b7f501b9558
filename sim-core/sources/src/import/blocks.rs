//! Regions of heap blocks, by the call that allocates them.
//!
//! Blocks that one call allocates behind each other are one region. It is announced longer than it is, so that a list of a
//! million nodes has twenty regions. What another call allocates there later replaces it. A block that is freed is taken out
//! of its region. A call that frees very many blocks has only long runs of them taken out, so that no program fills the memory
//! with regions.

use std::collections::BTreeMap;
use std::ops::Range;

use pagewalk_base::trace::{Mapping, Places, RegionKind};

/// The beginning of the name of heap blocks, before the address of the call that allocates them.
pub const BLOCK: &str = "allocated at 0x";
/// The name of memory whose block was freed. It stands for what the memory map says there.
pub const FREED: &str = "freed blocks";

/// The largest distance between two blocks of one region: an allocator keeps its own data there.
const GAP: u64 = 64;
/// The most regions that blocks get, and the most holes that freed blocks get.
const MOST: usize = 1 << 16;
/// The most blocks whose end is known.
const MOST_LIVE: usize = 1 << 20;
/// The most blocks of a call that are taken out alone, and the most holes of a call.
const FEW: u32 = 64;
const MOST_OF_CALL: u32 = 1 << 10;
/// The fewest bytes of a run of freed blocks that is taken out after those.
const LONG: u64 = 64 << 10;
/// The most blocks behind a new one that are looked at.
const LOOKED_AT: usize = 1 << 10;

#[derive(Clone, Copy, Debug)]
struct Region {
    end: u64,
    ip: u64,
    /// Where the first block begins.
    first: u64,
}

/// What is known of the blocks that one call has allocated.
#[derive(Debug, Default)]
struct Call {
    blocks: u64,
    holes: u32,
    /// Blocks that were freed behind each other, and how many bytes of them were taken out.
    run: Range<u64>,
    taken_out: u64,
}

/// The heap blocks of a program.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The regions by their start. They do not overlap.
    regions: BTreeMap<u64, Region>,
    /// The end and the call of each block that was not freed, by its start.
    live: BTreeMap<u64, (u64, u64)>,
    /// By the instruction that calls.
    calls: BTreeMap<u64, Call>,
    named: usize,
    holes: usize,
}

impl Blocks {
    /// Returns the region of a block that the call at `ip` has allocated, if it is a new one or longer than before.
    pub fn allocated(&mut self, ip: u64, block: Range<u64>) -> Option<Range<u64>> {
        let Range { start, end } = block;
        if start == 0 || start >= end {
            return None;
        }
        self.calls.entry(ip).or_default().blocks += 1;
        // What overlaps the block was freed without being seen.
        while let Some(known) = self.last_live(start..end) {
            self.live.remove(&known);
        }
        if self.live.len() < MOST_LIVE {
            self.live.insert(start, (end, ip));
        }
        let before = self.regions.range(..=start).next_back().map(|(_, region)| region);
        let near =
            before.filter(|region| region.ip == ip && start <= region.end.saturating_add(GAP));
        if near.is_some_and(|region| end <= region.end) || self.named == MOST {
            return None;
        }
        let first = near.map_or(start, |region| region.first);
        // Twice as long as what is known, but a single block has its own length.
        let longer = if near.is_some() { end.saturating_add(end - first) } else { end };
        let end = self.room(ip, end..longer);
        self.take_out(start..end);
        self.regions.insert(start, Region { end, ip, first });
        self.named += 1;
        Some(start..end)
    }

    /// Returns the memory that no longer belongs to blocks after the one at `start` was freed, if it is taken out now.
    pub fn freed(&mut self, start: u64) -> Option<Range<u64>> {
        let (end, ip) = self.live.remove(&start)?;
        let joined = self.joined(&self.calls.get(&ip)?.run, start..end);
        let call = self.calls.get_mut(&ip)?;
        if joined.is_none() {
            call.taken_out = 0;
        }
        call.run = joined.unwrap_or(start..end);
        let length = call.run.end - call.run.start;
        let is_few = call.holes < FEW;
        let is_long = length >= LONG && length / 2 >= call.taken_out && call.holes < MOST_OF_CALL;
        if self.holes == MOST || !is_few && !is_long {
            return None;
        }
        call.taken_out = length;
        let hole = if is_few { start..end } else { call.run.clone() };
        if !self.take_out(hole.clone()) {
            return None;
        }
        self.calls.get_mut(&ip)?.holes += 1;
        self.holes += 1;
        Some(hole)
    }

    /// Returns the number of blocks by the instruction that calls.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.calls.iter().map(|(ip, call)| (*ip, call.blocks))
    }

    /// Returns the numbers of blocks by the names of [`named`].
    pub fn places(&self) -> Places {
        let mut places = Places::default();
        for (ip, n) in self.counts() {
            places.add_blocks(&format!("{BLOCK}{ip:x}"), n);
        }
        places
    }

    /// Returns the parts of regions in a range, each with the instruction that calls.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, u64)> {
        let before = self.regions.range(..range.start).next_back();
        let inside = self.regions.range(range.start..range.end.max(range.start));
        let parts = before.into_iter().chain(inside).map(move |(&start, region)| {
            (start.max(range.start)..region.end.min(range.end), region.ip)
        });
        parts.filter(|(part, _)| part.start < part.end)
    }

    /// Returns the last block that overlaps a range.
    fn last_live(&self, range: Range<u64>) -> Option<u64> {
        let (&start, &(end, _)) = self.live.range(..range.end).next_back()?;
        (end > range.start).then_some(start)
    }

    /// Joins a freed block to a run of them. Between both, there may be what the allocator keeps there.
    fn joined(&self, run: &Range<u64>, block: Range<u64>) -> Option<Range<u64>> {
        let all = run.start.min(block.start)..run.end.max(block.end);
        let between = run.start.max(block.start).checked_sub(run.end.min(block.end))?;
        let is_near = !run.is_empty() && between <= GAP;
        (is_near && self.last_live(all.clone()).is_none()).then_some(all)
    }

    /// Returns how far a region may reach: to the next block of another call.
    fn room(&self, ip: u64, range: Range<u64>) -> u64 {
        if range.is_empty() {
            return range.end;
        }
        for (n, (&start, &(_, other))) in self.live.range(range.clone()).enumerate() {
            if other != ip || n == LOOKED_AT {
                return start;
            }
        }
        range.end
    }

    /// Takes a range out of all regions that it overlaps. Returns whether there was one.
    fn take_out(&mut self, hole: Range<u64>) -> bool {
        let mut is_changed = false;
        while let Some((&start, &region)) = self.regions.range(..hole.end).next_back() {
            if region.end <= hole.start {
                break;
            }
            is_changed = true;
            self.regions.remove(&start);
            if region.end > hole.end {
                self.regions.insert(hole.end, region);
            }
            if start < hole.start {
                self.regions.insert(start, Region { end: hole.start, ..region });
            }
        }
        is_changed
    }
}

/// Returns the record of a region. Its call has no other name than its address until its lines are known.
pub fn named(region: Range<u64>, ip: u64) -> Option<Mapping> {
    record(region, format!("{BLOCK}{ip:x}"))
}

/// Returns the record of memory whose block was freed.
pub fn unnamed(hole: Range<u64>) -> Option<Mapping> {
    record(hole, FREED.to_owned())
}

fn record(range: Range<u64>, name: String) -> Option<Mapping> {
    Mapping::naming(range, RegionKind::Heap, name)
}
