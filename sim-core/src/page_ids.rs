//! Numbers for pages, in order of first use: a table with open addressing, which is never listed.

use crate::narrow::{index, small};

const EMPTY: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot {
    page: u64,
    space: u32,
    id: u32,
}

/// The pages seen so far.
pub(crate) struct PageIds {
    slots: Vec<Slot>,
    /// log2 of the number of slots.
    bits: u32,
    n: u32,
}

impl PageIds {
    pub(crate) fn new() -> Self {
        Self::with_bits(8)
    }

    fn with_bits(bits: u32) -> Self {
        let slots = vec![Slot { page: 0, space: 0, id: EMPTY }; 1 << bits];
        Self { slots, bits, n: 0 }
    }

    pub(crate) fn len(&self) -> u32 {
        self.n
    }

    /// The number of a page of an address space: that of its first use.
    #[inline]
    pub(crate) fn id(&mut self, space: u32, page: u64) -> u32 {
        let at = self.find(space, page);
        let slot = &mut self.slots[at];
        if slot.id == EMPTY {
            let id = self.n;
            *slot = Slot { page, space, id };
            self.n += 1;
            if self.n as usize * 2 > self.slots.len() {
                self.grow();
            }
            return id;
        }
        slot.id
    }

    /// The slot of a page, or the empty one where it belongs.
    #[inline]
    fn find(&self, space: u32, page: u64) -> usize {
        let mixed = (page ^ u64::from(space) << 44).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = index(mixed >> (64 - self.bits));
        loop {
            let slot = &self.slots[at];
            if slot.id == EMPTY || slot.page == page && slot.space == space {
                return at;
            }
            at = (at + 1) % self.slots.len();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = Self::with_bits(self.bits + 1);
        for slot in self.slots.iter().filter(|slot| slot.id != EMPTY) {
            let at = larger.find(slot.space, slot.page);
            larger.slots[at] = *slot;
        }
        self.slots = larger.slots;
        self.bits = larger.bits;
        debug_assert!(small(self.slots.len()) >= 2 * self.n);
    }
}
