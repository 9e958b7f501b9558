//! Names the blocks of the heap by the call that allocates them.

use std::collections::BTreeMap;

use pagewalk_base::trace::{Mapping, Places, RegionKind};

use super::super::blocks::Blocks;
use super::head::Head;
use super::layout::Layout;

/// The most calls that have not returned. Calls that never return, such as those that a jump leaves, are dropped.
const MOST_CALLS: usize = 64;
/// The end of the linear memory.
const END: u64 = 1 << 32;

#[derive(Debug)]
pub(super) struct Heap {
    /// The names by the instruction that calls.
    names: BTreeMap<u64, String>,
    /// The instruction and the bytes of each call that has not returned.
    calls: Vec<(u64, u64)>,
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
        let name = self.names.get(&ip)?.clone();
        let start = u64::from(start);
        let end = start.checked_add(bytes).filter(|end| *end <= END)?;
        let region = self.blocks.allocated(ip, start..end)?;
        let range = layout.address(region.start)..layout.address(region.end.min(END) - 1) + 1;
        let mapping = Mapping::new(0, range, 0, false, name)?;
        Some(Mapping { kind: RegionKind::Heap, ..mapping })
    }
}
