//! The number of additional owners of each frame that address spaces share.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::page_table::Frame;
use pagewalk_base::addr::{Leaf, Paging};
use pagewalk_base::narrow;

/// The number of frames in a chunk. Clones share a chunk until one of them changes.
const N_FRAMES: usize = 512;
const CHUNK: u64 = N_FRAMES as u64;

type Chunk = [u32; N_FRAMES];

/// The numbers of additional owners, by frame of the smallest page. The frames of a larger page gain and lose owners
/// together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Owners {
    shift: u32,
    chunks: BTreeMap<u64, Rc<Chunk>>,
}

impl Owners {
    pub(super) fn new(paging: &Paging) -> Self {
        Self { shift: paging.shift(Leaf::SMALLEST), chunks: BTreeMap::new() }
    }

    /// Returns whether no frame was ever shared.
    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Adds an owner to the frames of `bytes` at `frame`.
    pub(super) fn join(&mut self, frame: Frame, bytes: u64) {
        self.change(frame, bytes, |others| *others = others.saturating_add(1));
    }

    /// Removes an owner from the frames. Returns whether others still own a part of them.
    pub(super) fn leave(&mut self, frame: Frame, bytes: u64) -> bool {
        if !self.are_shared(frame, bytes) {
            return false;
        }
        self.change(frame, bytes, |others| *others = others.saturating_sub(1));
        true
    }

    /// Returns whether a part of the frames has more than one owner.
    pub(super) fn are_shared(&self, frame: Frame, bytes: u64) -> bool {
        let mut pages = frame.start() >> self.shift..frame.byte(bytes) >> self.shift;
        !self.chunks.is_empty()
            && pages.any(|page| {
                let chunk = self.chunks.get(&(page / CHUNK));
                chunk.is_some_and(|chunk| chunk[narrow::index(page % CHUNK)] > 0)
            })
    }

    fn change(&mut self, frame: Frame, bytes: u64, change: impl Fn(&mut u32)) {
        let end = frame.byte(bytes) >> self.shift;
        let mut page = frame.start() >> self.shift;
        while page < end {
            let number = page / CHUNK;
            let chunk = self.chunks.entry(number).or_insert_with(|| Rc::new([0; N_FRAMES]));
            let chunk = Rc::make_mut(chunk);
            let last = end.min((number + 1) * CHUNK);
            (page..last).for_each(|page| change(&mut chunk[narrow::index(page % CHUNK)]));
            page = last;
        }
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let apart = self.chunks.iter().filter(|(number, chunk)| {
            let twin = other.and_then(|other| other.chunks.get(*number));
            !twin.is_some_and(|twin| Rc::ptr_eq(chunk, twin))
        });
        apart.count() * std::mem::size_of::<Chunk>()
            + self.chunks.len() * std::mem::size_of::<(u64, usize)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: u64 = 4096;
    const LARGE: u64 = 2 << 20;
    const FIRST: Frame = Frame::at(LARGE);
    const SECOND: Frame = Frame::at(4 * LARGE);

    #[test]
    fn a_frame_is_shared_until_all_others_have_left() {
        let mut owners = Owners::new(&Paging::x86(4));
        assert!(!owners.leave(FIRST, SMALL));
        owners.join(FIRST, SMALL);
        owners.join(FIRST, SMALL);
        assert!(!owners.are_shared(FIRST.plus(SMALL), SMALL));
        assert!(owners.leave(FIRST, SMALL));
        assert!(owners.leave(FIRST, SMALL));
        assert!(!owners.leave(FIRST, SMALL));
    }

    /// One side has split the large page, and has unmapped one of its small pages.
    #[test]
    fn a_large_frame_is_shared_as_long_as_a_piece_of_it_is() {
        let mut owners = Owners::new(&Paging::x86(4));
        owners.join(SECOND, LARGE);
        for at in (1..512).map(|piece| SECOND.plus(piece * SMALL)) {
            assert!(owners.leave(at, SMALL));
        }
        assert!(owners.are_shared(SECOND, LARGE));
        assert!(!owners.are_shared(SECOND.plus(SMALL), LARGE - SMALL));
        assert!(owners.leave(SECOND, LARGE));
        assert!(!owners.leave(SECOND, LARGE));
    }

    #[test]
    fn clones_share_what_neither_changed() {
        let mut owners = Owners::new(&Paging::x86(4));
        owners.join(FIRST, LARGE);
        owners.join(SECOND, SMALL);
        let clone = owners.clone();
        let shared = owners.bytes_apart_from(Some(&clone));
        owners.join(SECOND, SMALL);
        let grown = owners.bytes_apart_from(Some(&clone)) - shared;
        assert_eq!(grown, std::mem::size_of::<Chunk>());
    }
}
