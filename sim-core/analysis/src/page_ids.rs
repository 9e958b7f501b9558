//! Numbers pages in order of first use. It is a hash table with open addressing. Neighbouring pages share one
//! slot, since a program uses many of them, so the table is small and stays in the processor's caches.

use pagewalk_base::narrow::{index, small};

const EMPTY: u32 = u32::MAX;
/// The number of pages in a group.
const GROUP: usize = 32;

#[derive(Clone, Copy)]
struct Slot {
    group: u64,
    space: u32,
    /// The index of the group in `groups`.
    at: u32,
}

/// The pages seen so far.
pub(crate) struct PageIds {
    slots: Vec<Slot>,
    /// log2 of the number of slots.
    bits: u32,
    /// The numbers of the pages of each group.
    groups: Vec<[u32; GROUP]>,
    n: u32,
}

impl PageIds {
    pub(crate) fn new() -> Self {
        let bits = 8;
        Self { slots: Self::empty(bits), bits, groups: Vec::new(), n: 0 }
    }

    fn empty(bits: u32) -> Vec<Slot> {
        vec![Slot { group: 0, space: 0, at: EMPTY }; 1 << bits]
    }

    pub(crate) fn len(&self) -> u32 {
        self.n
    }

    /// Returns the number of a page of an address space. A new page gets the next number.
    #[inline]
    pub(crate) fn id(&mut self, space: u32, page: u64) -> u32 {
        let group = page / GROUP as u64;
        let slot = self.slots[self.find(space, group)];
        let at = if slot.at == EMPTY { self.add(space, group) } else { slot.at };
        let id = &mut self.groups[at as usize][index(page % GROUP as u64)];
        if *id == EMPTY {
            *id = self.n;
            self.n += 1;
        }
        *id
    }

    /// Adds a group without used pages.
    #[cold]
    fn add(&mut self, space: u32, group: u64) -> u32 {
        if (self.groups.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let at = small(self.groups.len());
        self.groups.push([EMPTY; GROUP]);
        let place = self.find(space, group);
        self.slots[place] = Slot { group, space, at };
        at
    }

    /// Returns the slot of a group, or the empty slot that it must be stored in.
    #[inline]
    fn find(&self, space: u32, group: u64) -> usize {
        let mixed = (group ^ u64::from(space) << 44).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = index(mixed >> (64 - self.bits));
        loop {
            let slot = &self.slots[at];
            if slot.at == EMPTY || slot.group == group && slot.space == space {
                return at;
            }
            at = (at + 1) % self.slots.len();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.bits += 1;
        let slots = std::mem::replace(&mut self.slots, Self::empty(self.bits));
        for slot in slots.into_iter().filter(|slot| slot.at != EMPTY) {
            let at = self.find(slot.space, slot.group);
            self.slots[at] = slot;
        }
    }
}
