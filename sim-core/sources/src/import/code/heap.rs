//! Names the blocks of the heap by the call that allocates them.

use std::collections::BTreeMap;
use std::ops::Range;

use pagewalk_base::trace::{Mapping, Places, RegionKind};

use super::super::blocks::Blocks;
use super::head::Head;
use super::layout::Layout;

/// The most calls that have not returned. Calls that never return, such as those that a jump leaves, are dropped.
const MOST_CALLS: usize = 64;
/// The end of the linear memory.
const END: u64 = 1 << 32;

/// A call that has not returned.
#[derive(Debug)]
struct Call {
    ip: u64,
    /// The instruction that names the block: that of the program's own code which called the library, if one did.
    of: u64,
    /// The block whose place the new one takes, or 0.
    old: u32,
    bytes: u64,
}

#[derive(Debug)]
pub(super) struct Heap {
    /// The names by the instruction that calls.
    names: BTreeMap<u64, String>,
    calls: Vec<Call>,
    blocks: Blocks,
}

impl Heap {
    pub(super) fn new(head: &Head) -> Self {
        let names = head.heap.iter().cloned().collect();
        Self { names, calls: Vec::new(), blocks: Blocks::default() }
    }

    /// Counts the blocks of each name.
    pub(super) fn count(&self, places: &mut Places) {
        for (ip, n) in self.blocks.counts() {
            if let Some(name) = self.names.get(&ip) {
                places.add_blocks(name, n);
            }
        }
    }

    pub(super) fn call(&mut self, ip: u64, caller: Option<u64>, old: u32, bytes: u64) {
        if self.calls.len() == MOST_CALLS {
            self.calls.remove(0);
        }
        self.calls.push(Call { ip, of: caller.unwrap_or(ip), old, bytes });
    }

    /// Returns the memory of a freed block, if it is no longer named.
    pub(super) fn freed(&mut self, layout: &Layout, start: u32) -> Option<Mapping> {
        let hole = self.blocks.freed(start.into())?;
        record(layout, hole, "[heap]")
    }

    /// Returns the memory that gets another name when a call returns: that of the block which it frees, and that of the
    /// new one.
    pub(super) fn returned(
        &mut self,
        layout: &Layout,
        ip: u64,
        start: u32,
    ) -> [Option<Mapping>; 2] {
        let Some(at) = self.calls.iter().rposition(|call| call.ip == ip) else {
            return [None, None];
        };
        let Call { of, old, bytes, .. } = self.calls[at];
        self.calls.truncate(at);
        // If there is no room, the old block stays. Without bytes, it is freed.
        let is_moved = start != 0 || bytes == 0;
        let freed = if is_moved { self.freed(layout, old) } else { None };
        [freed, self.allocated(layout, of, start.into(), bytes)]
    }

    fn allocated(&mut self, layout: &Layout, ip: u64, start: u64, bytes: u64) -> Option<Mapping> {
        let name = self.names.get(&ip)?;
        let end = start.checked_add(bytes).filter(|end| *end <= END)?;
        let region = self.blocks.allocated(ip, start..end)?;
        record(layout, region, name)
    }
}

fn record(layout: &Layout, range: Range<u64>, name: &str) -> Option<Mapping> {
    let range = layout.address(range.start)..layout.address(range.end.min(END) - 1) + 1;
    Mapping::naming(range, RegionKind::Heap, name)
}
