//! The page size of an address, from the map of its process and the state of its block.

use super::areas::AreaMap;
use super::blocks::{BlockId, State};
use super::{Os, check};
use pagewalk_base::addr::Leaf;

/// The draws that decide whether memory has a free block for a huge page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draws {
    /// The share of draws that find no free block, in per cent.
    pub(super) fragmentation: u64,
    pub(super) at_fault: bool,
    pub(super) state: u64,
}

impl Draws {
    pub(super) fn has_block(&mut self) -> bool {
        if self.fragmentation == 0 {
            return true;
        }
        self.state = pagewalk_base::random::xorshift(self.state);
        pagewalk_base::random::draw(self.state) % 100 >= self.fragmentation
    }
}

impl Os {
    /// Returns the leaf of the page that holds `address` in the current process, whose address space is `space`. If
    /// the page is not mapped yet, a `demand` access decides its size and will map it.
    #[inline]
    pub(crate) fn leaf_of(&mut self, space: u32, address: u64, demand: bool) -> Leaf {
        let (start, last, leaf) = self.recent;
        if (start..=last).contains(&address) { leaf } else { self.find(space, address, demand) }
    }

    /// Returns the first and last address of the range of one leaf that [`Self::leaf_of`] used last. The last address
    /// passed to it may lie outside.
    pub(crate) fn last_range(&self) -> (u64, u64) {
        (self.recent.0, self.recent.1)
    }

    #[inline(never)]
    fn find(&mut self, space: u32, address: u64, demand: bool) -> Leaf {
        let segment = self.current().pages(address);
        if !segment.by_block && self.blocks.is_empty() {
            self.recent = (segment.start, segment.last, segment.leaf);
            return segment.leaf;
        }
        if segment.leaf != check::HUGE {
            self.recent = (segment.start, segment.last, segment.leaf);
            return segment.leaf;
        }
        let id = BlockId { space, number: address >> self.block_shift };
        let mut state = self.blocks.state(id);
        if state == State::Untouched {
            if segment.by_block && !demand {
                return Leaf::SMALLEST;
            }
            let huge = !segment.by_block
                || !self.is_adapted(address) && self.draws.at_fault && self.draws.has_block();
            state = if huge { State::Huge } else { State::Small };
            if segment.by_block {
                self.blocks.set(id, state);
            }
        }
        let leaf = if state == State::Huge { check::HUGE } else { Leaf::SMALLEST };
        let start = id.number << self.block_shift;
        self.recent = (start, start | ((1 << self.block_shift) - 1), leaf);
        leaf
    }

    /// Returns the leaf of the page that holds `address` in the current process, whose address space is `space`.
    /// Returns the smallest leaf if the next touch decides.
    pub(crate) fn leaf_at(&self, space: u32, address: u64) -> Leaf {
        self.leaf_in(self.current(), space, address)
    }

    /// Returns the leaf of the page that holds `address` in any process, running or not.
    pub(crate) fn leaf_at_of(&self, pid: u32, space: u32, address: u64) -> Leaf {
        self.leaf_in(self.maps.get(self.map_of(pid)), space, address)
    }

    fn leaf_in(&self, map: &AreaMap, space: u32, address: u64) -> Leaf {
        let segment = map.pages(address);
        if segment.leaf != check::HUGE {
            return segment.leaf;
        }
        let id = BlockId { space, number: address >> self.block_shift };
        match self.blocks.state(id) {
            State::Huge => check::HUGE,
            State::Small => Leaf::SMALLEST,
            State::Untouched if segment.by_block => Leaf::SMALLEST,
            State::Untouched => segment.leaf,
        }
    }

    /// Returns every leaf that an address can get.
    pub(crate) fn leaf_levels(&self) -> Vec<Leaf> {
        let segments = self.maps.all().flat_map(super::areas::AreaMap::segments);
        Leaf::distinct(segments.flat_map(|segment| {
            std::iter::once(segment.leaf).chain(segment.by_block.then_some(Leaf::SMALLEST))
        }))
    }
}
