//! The mapping of each block of a huge page's size, if the system decides block by block.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of blocks in a chunk. Clones share a chunk until one of them changes.
const CHUNK: usize = 512;

/// The mapping of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// No byte of the block has been touched.
    #[default]
    Untouched,
    Small,
    Huge,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Block {
    state: State,
    /// The number of walks that ended in the block since khugepaged last ran.
    n_walks: u32,
}

/// A block of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockId {
    pub(crate) space: u32,
    /// The address of the block, in units of a huge page.
    pub(crate) number: u64,
}

/// All blocks, of all address spaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Blocks {
    chunks: BTreeMap<(u32, u64), Rc<[Block; CHUNK]>>,
    /// The blocks with walks, in order of their first walk.
    walked: Vec<BlockId>,
}

impl Blocks {
    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    pub(super) fn state(&self, id: BlockId) -> State {
        let (key, at) = place(id);
        self.chunks.get(&key).map_or(State::Untouched, |chunk| chunk[at].state)
    }

    pub(super) fn set(&mut self, id: BlockId, state: State) {
        self.block(id).state = state;
    }

    /// Copies the blocks of one address space to another, and replaces the blocks there. The other has had no walks.
    pub(super) fn copy(&mut self, from: u32, to: u32) {
        self.chunks.retain(|(space, _), _| *space != to);
        let own = self.chunks.range((from, 0)..=(from, u64::MAX));
        let copies: Vec<_> = own
            .map(|((_, number), chunk)| {
                let fresh = chunk.map(|block| Block { n_walks: 0, ..block });
                ((to, *number), Rc::new(fresh))
            })
            .collect();
        self.chunks.extend(copies);
    }

    /// Counts a walk that ended in a block.
    pub(super) fn walked(&mut self, id: BlockId) {
        let block = self.block(id);
        block.n_walks = block.n_walks.saturating_add(1);
        if block.n_walks == 1 {
            self.walked.push(id);
        }
    }

    /// Returns the blocks with walks, most walks first, ties by address. Resets all counts.
    pub(super) fn take_walked(&mut self) -> Vec<BlockId> {
        let walked = std::mem::take(&mut self.walked);
        let mut counted: Vec<(std::cmp::Reverse<u32>, BlockId)> = walked
            .into_iter()
            .map(|id| (std::cmp::Reverse(std::mem::take(&mut self.block(id).n_walks)), id))
            .collect();
        counted.sort_unstable();
        counted.into_iter().map(|(_, id)| id).collect()
    }

    fn block(&mut self, id: BlockId) -> &mut Block {
        let (key, at) = place(id);
        let chunk = self.chunks.entry(key).or_insert_with(|| Rc::new([Block::default(); CHUNK]));
        &mut Rc::make_mut(chunk)[at]
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let apart = self.chunks.iter().filter(|(key, chunk)| {
            let twin = other.and_then(|other| other.chunks.get(key));
            !twin.is_some_and(|twin| Rc::ptr_eq(chunk, twin))
        });
        apart.count() * std::mem::size_of::<[Block; CHUNK]>()
            + self.chunks.len() * std::mem::size_of::<((u32, u64), usize)>()
            + self.walked.len() * std::mem::size_of::<BlockId>()
    }
}

fn place(id: BlockId) -> ((u32, u64), usize) {
    ((id.space, id.number / CHUNK as u64), pagewalk_base::narrow::index(id.number % CHUNK as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_listed_by_walks_then_by_space_and_address() {
        let mut blocks = Blocks::default();
        for (space, number) in [(1, 3), (0, 9), (0, 4), (0, 9), (1, 3), (0, 700)] {
            blocks.walked(BlockId { space, number });
        }
        let ids: Vec<_> =
            blocks.take_walked().into_iter().map(|id| (id.space, id.number)).collect();
        assert_eq!(ids, [(0, 9), (1, 3), (0, 4), (0, 700)]);
        assert!(blocks.take_walked().is_empty());
    }

    #[test]
    fn clones_share_what_neither_changed() {
        let mut blocks = Blocks::default();
        let id = |number| BlockId { space: 0, number };
        blocks.set(id(1), State::Small);
        blocks.set(id(1000), State::Huge);
        let clone = blocks.clone();
        let shared = blocks.bytes_apart_from(Some(&clone));
        blocks.set(id(1), State::Huge);
        assert_eq!(clone.state(id(1)), State::Small);
        let grown = blocks.bytes_apart_from(Some(&clone)) - shared;
        assert_eq!(grown, std::mem::size_of::<[Block; 512]>());
    }
}
