//! LRU stack distances: the number of distinct pages between two uses of a page.
//!
//! A fully associative LRU array of n entries hits exactly the uses at distance n or less, so one pass gives
//! the misses of every size (Mattson, Gecsei, Slutz, Traiger 1970). With one stack for each set, it gives the
//! misses of every number of ways (Hill and Smith 1989).
//!
//! ```text
//! top:   the last 8 pages in order of use, searched one by one
//! below: a bit for each page at the time of its last use; the distance is the number of
//!        bits set since (`rank`)
//! ```
//!
//! A tree of counters would need log n steps for each use, each in another cache line; `rank` needs a handful
//! of loads. When all positions are used up, the bits that are set move together to the lowest positions.

mod rank;

use crate::page_ids::PageIds;
use pagewalk_base::narrow::{index, small};
use rank::Rank;

/// The number of pages that are searched one by one.
const TOP: usize = 8;
/// The number of positions of a new stack.
const FIRST_POSITIONS: usize = 512;

/// The place of a page that is in `top`. The place of any other page is the position of its bit.
const ON_TOP: u32 = u32::MAX;

/// Computes the stack distances of a stream of pages, with one stack for each set.
pub struct StackDistances {
    n_sets: u64,
    ids: PageIds,
    /// The place of each page, in order of first use.
    places: Vec<u32>,
    stacks: Vec<Stack>,
    /// The page used last, and its number.
    recent: Option<(u32, u64)>,
}

impl StackDistances {
    /// Creates `n_sets` empty stacks, at least 1. Set = page number mod `n_sets`.
    pub fn new(n_sets: u32) -> Self {
        Self {
            n_sets: u64::from(n_sets.max(1)),
            ids: PageIds::new(),
            places: Vec::new(),
            stacks: (0..n_sets.max(1)).map(|_| Stack::default()).collect(),
            recent: None,
        }
    }

    /// Uses a page of an address space. Returns 1 plus the number of distinct pages of its set that were used
    /// since its last use; `None` for its first use.
    #[inline]
    pub fn touch(&mut self, space: u32, page: u64) -> Option<u32> {
        if self.recent == Some((space, page)) {
            return Some(1);
        }
        self.recent = Some((space, page));
        let next = self.ids.len();
        let id = self.ids.id(space, page);
        let stack = &mut self.stacks[index(page % self.n_sets)];
        if id == next {
            self.places.push(ON_TOP);
            stack.push(id, &mut self.places);
            None
        } else {
            Some(stack.touch(id, &mut self.places))
        }
    }

    /// Returns the number of distinct pages so far.
    pub fn n_pages(&self) -> usize {
        self.places.len()
    }
}

/// The pages of one set in the order of their last use.
#[derive(Default)]
struct Stack {
    /// The pages used last, the most recent first.
    top: Vec<u32>,
    /// For each position: whether it is the last use of its page.
    live: Rank,
    /// The page of each position. It is not valid if the bit of the position is clear.
    pages: Vec<u32>,
    n_live: usize,
}

impl Stack {
    #[inline]
    fn touch(&mut self, id: u32, places: &mut [u32]) -> u32 {
        match places[id as usize] {
            ON_TOP => {
                let depth = self.top.iter().position(|other| *other == id).unwrap_or(0);
                self.top[..=depth].rotate_right(1);
                small(depth + 1)
            }
            position => {
                let distance = small(self.top.len()) + self.live.n_since(position as usize);
                self.live.clear(position as usize);
                self.n_live -= 1;
                places[id as usize] = ON_TOP;
                self.push(id, places);
                distance
            }
        }
    }

    /// Adds a page at the front of `top`. If `top` is full, its last page gets a bit instead.
    #[inline]
    fn push(&mut self, id: u32, places: &mut [u32]) {
        if self.top.len() < TOP {
            self.top.insert(0, id);
            return;
        }
        let fallen = self.top[TOP - 1];
        self.top.copy_within(..TOP - 1, 1);
        self.top[0] = id;
        if self.pages.len() == self.live.len() {
            self.move_together(places);
        }
        let position = self.pages.len();
        self.pages.push(fallen);
        self.live.set(position);
        self.n_live += 1;
        places[fallen as usize] = small(position);
    }

    /// Moves the set bits to the lowest positions, in order, and adds at least as many free positions after
    /// them.
    #[cold]
    fn move_together(&mut self, places: &mut [u32]) {
        let mut kept = Vec::with_capacity(self.n_live);
        for (position, id) in self.pages.iter().enumerate() {
            if self.live.is_set(position) {
                kept.push(*id);
            }
        }
        self.live = Rank::new((4 * kept.len()).max(FIRST_POSITIONS));
        self.n_live = kept.len();
        for (position, id) in kept.iter().enumerate() {
            self.live.set(position);
            places[*id as usize] = small(position);
        }
        self.pages = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use std::collections::BTreeMap;

    /// The naive twin: a list for each set, searched from the page used last.
    struct Naive(BTreeMap<u64, Vec<(u32, u64)>>, u64);

    impl Naive {
        fn touch(&mut self, space: u32, page: u64) -> Option<u32> {
            let list = self.0.entry(page % self.1).or_default();
            let found = list.iter().position(|other| *other == (space, page));
            if let Some(at) = found {
                list.remove(at);
            }
            list.insert(0, (space, page));
            found.map(|at| small(at + 1))
        }
    }

    #[test]
    fn distances_are_those_of_a_list() {
        for n_sets in [1, 3, 4, 64] {
            cases(300).check(|u| {
                let mut fast = StackDistances::new(n_sets);
                let mut naive = Naive(BTreeMap::new(), u64::from(n_sets));
                let spread = u.int_in_range(1..=2000)?;
                for _ in 0..u.int_in_range(0..=6000)? {
                    let (space, page) = (u.int_in_range(0..=1)?, u.int_in_range(0..=spread)?);
                    assert_eq!(fast.touch(space, page), naive.touch(space, page));
                }
                Ok(())
            });
        }
    }

    /// A cycle over more pages than a super has bits.
    #[test]
    fn a_cycle_of_many_pages_has_one_distance() {
        let mut fast = StackDistances::new(1);
        let n = 2 * rank::SUPER + 77;
        for page in 0..n as u64 {
            assert_eq!(fast.touch(0, page), None);
        }
        for page in (0..n as u64).chain(0..n as u64) {
            assert_eq!(fast.touch(0, page), Some(small(n)));
        }
        assert_eq!(fast.n_pages(), n);
    }
}
