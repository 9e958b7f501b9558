//! Replacement policies: the rules that choose the victim among the ways of a full set.
//!
//! A policy sees only way numbers, no tags, pages or times. So the TLBs, the paging-structure caches and the memory
//! caches share the policies. The state of one set is a few words that the array keeps next to its tags.

mod few;
mod list;
mod rule;

pub(crate) use few::Few;
pub use list::{MAX_WAYS, Policy, PolicyInfo};
use pagewalk_base::narrow::{index, low32, small};
use pagewalk_base::random::{draw, xorshift};
use pagewalk_base::whole::IS_WHOLE;
pub(crate) use rule::{Evicting, Rule};
use std::rc::Rc;

/// A policy for a given number of ways: how the state words are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Up to 16 ways: nibble `r` is the way at rank `r`. Rank 0 is the next victim.
    Queue { touch_on_hit: bool },
    /// More than 16 ways: word `w` links way `w` (previous << 32 | next). The last word is (tail << 32 | head).
    List { touch_on_hit: bool },
    /// Bit `n` says that the victim is right of node `n`; node 1 is the root.
    Tree,
    /// Bit `w` says that way `w` was used lately.
    Bits,
    /// Bits 0–11: three trees of four bits, node `n` of group `g` at bit `4g + n`; bits 12–13: the group used last.
    Groups,
    /// A set has no state.
    Draw,
}

/// The way in which a use changes the state, if a set has one word of state.
#[derive(Clone, Debug, PartialEq)]
enum Word {
    /// A table of all states, for up to four ways.
    Few(Rc<Few>),
    /// A `Queue` with a touch on hit.
    Lru,
    /// A `Queue` without a touch on hit.
    Fifo,
    /// A `Tree` or `Groups` of up to 16 ways: a table has the new bits for each way.
    Touch,
    Other,
}

/// The replacement of one array: the policy, its number of ways, and the state of `random`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Replacement {
    layout: Layout,
    word: Word,
    n_ways: u32,
    /// For `Queue`: the lowest bit of the last rank, and the mask of all ranks. Bits above the last rank stay 0.
    last: u64,
    ranks: u64,
    random: u64,
    /// For `Tree` and `Groups` of up to 16 ways: for each way, a mask of the bits that a use keeps, and the bits
    /// that a use sets.
    touches: [(u64, u64); 16],
}

const NIBBLES: u64 = 0x1111_1111_1111_1111;
const IDENTITY: u64 = 0xfedc_ba98_7654_3210;

impl Replacement {
    /// Creates the state of an array. Only `random` uses `seed`.
    pub(crate) fn new(policy: Policy, n_ways: u32, seed: u64) -> Self {
        let small = n_ways <= 16;
        let layout = match policy {
            Policy::Lru if small => Layout::Queue { touch_on_hit: true },
            Policy::Fifo if small => Layout::Queue { touch_on_hit: false },
            Policy::Lru => Layout::List { touch_on_hit: true },
            Policy::Fifo => Layout::List { touch_on_hit: false },
            Policy::TreePlru => Layout::Tree,
            Policy::BitPlru => Layout::Bits,
            Policy::Mru3Plru4 => Layout::Groups,
            Policy::Random => Layout::Draw,
        };
        let last = if small { 1 << (4 * (n_ways - 1)) } else { 0 };
        let ranks = if n_ways < 16 { (1 << (4 * n_ways)) - 1 } else { u64::MAX };
        let mut touches = [(0, 0); 16];
        for (way, touch) in (0..n_ways).zip(&mut touches) {
            *touch = match layout {
                Layout::Tree if small => {
                    let used = |mut tree: u64| {
                        tree_point_away(std::slice::from_mut(&mut tree), way, n_ways);
                        tree
                    };
                    (used(u64::MAX) & !used(0), used(0))
                }
                Layout::Groups => {
                    let (ones, zeros) = (group_touch(u64::MAX, way), group_touch(0, way));
                    (ones & !zeros & 0xfff, zeros)
                }
                _ => (0, 0),
            };
        }
        let random = if seed == 0 { 1 } else { seed };
        let word = match layout {
            Layout::Queue { touch_on_hit: true } => Word::Lru,
            Layout::Queue { touch_on_hit: false } => Word::Fifo,
            Layout::Groups => Word::Touch,
            Layout::Tree if small => Word::Touch,
            _ => Word::Other,
        };
        let mut rule = Self { layout, word, n_ways, last, ranks, random, touches };
        if IS_WHOLE && let Some(few) = Few::new(&rule) {
            rule.word = Word::Few(Rc::new(few));
        }
        rule
    }

    fn is_random(&self) -> bool {
        self.layout == Layout::Draw
    }

    /// Returns the number of state words per set.
    pub(crate) fn n_words(&self) -> usize {
        match self.layout {
            Layout::Queue { .. } | Layout::Groups | Layout::Draw => 1,
            Layout::List { .. } => self.n_ways as usize + 1,
            Layout::Tree | Layout::Bits => self.n_ways.div_ceil(64) as usize,
        }
    }

    /// Writes the state of an empty set.
    pub(crate) fn reset(&self, state: &mut [u64]) {
        state.fill(0);
        match self.layout {
            Layout::Queue { .. } => state[0] = IDENTITY & self.ranks,
            Layout::List { .. } => {
                let n = u64::from(self.n_ways);
                for way in 0..n {
                    state[index(way)] = (way.wrapping_sub(1) & 0xffff_ffff) << 32 | (way + 1);
                }
                state[index(n)] = (n - 1) << 32;
            }
            _ => {}
        }
    }

    /// Records a hit in `way`.
    #[inline(never)]
    pub(crate) fn hit(&self, state: &mut [u64], way: u32) {
        match self.layout {
            Layout::Queue { touch_on_hit: false } | Layout::List { touch_on_hit: false } => {}
            _ => self.fill(state, way),
        }
    }

    /// Records that `way` has a new entry.
    pub(crate) fn fill(&self, state: &mut [u64], way: u32) {
        match self.layout {
            Layout::Queue { .. } => state[0] = queue_to_back(state[0], way, self.last),
            Layout::List { .. } => list_to_back(state, way, self.n_ways),
            Layout::Tree => tree_point_away(state, way, self.n_ways),
            Layout::Bits => self.set_bit(state, way),
            Layout::Groups => state[0] = group_touch(state[0], way),
            Layout::Draw => {}
        }
    }

    /// Chooses the victim of a full set, and records that its way has a new entry.
    #[inline(never)]
    pub(crate) fn replace(&mut self, state: &mut [u64]) -> u32 {
        if self.is_random() {
            self.random = xorshift(self.random);
        }
        let victim = self.peek(state);
        self.fill(state, victim);
        victim
    }

    /// Returns the next victim of a full set of one word, for layouts in which a hit updates the state by table.
    #[cfg_attr(feature = "fast", inline(always))]
    fn victim(&self, state: u64) -> u32 {
        if self.layout == Layout::Groups {
            return group_victim(state);
        }
        let mut node = 1;
        while node < self.n_ways {
            node = 2 * node + low32(state >> node & 1);
        }
        node - self.n_ways
    }

    /// Returns the next victim of a full set, and changes nothing. For `random`, returns the way of the last draw.
    pub(crate) fn peek(&self, state: &[u64]) -> u32 {
        match self.layout {
            Layout::Queue { .. } => low32(state[0] & 0xf),
            Layout::List { .. } => low32(state[self.n_ways as usize] & 0xffff_ffff),
            Layout::Tree => {
                let mut node = 1;
                while node < self.n_ways {
                    node = 2 * node + u32::from(bit(state, node));
                }
                node - self.n_ways
            }
            Layout::Bits => {
                let word = state.iter().position(|word| *word != u64::MAX).unwrap_or(0);
                (64 * small(word) + state[word].trailing_ones()) % self.n_ways
            }
            Layout::Groups => group_victim(state[0]),
            Layout::Draw => low32(draw(self.random) % u64::from(self.n_ways)),
        }
    }

    /// Chooses the victim among `n` ways from `first` on, and records that its way has a new entry. The policy must
    /// support such a choice: see [`Policy::groups_error`].
    pub(crate) fn replace_among(&mut self, state: &mut [u64], first: u32, n: u32) -> u32 {
        let among = first..first + n;
        let victim = match self.layout {
            Layout::Queue { .. } => {
                let ranks = (0..self.n_ways).map(|rank| low32(state[0] >> (4 * rank) & 0xf));
                ranks.into_iter().find(|way| among.contains(way))
            }
            Layout::List { .. } => {
                let mut way = low32(state[self.n_ways as usize] & 0xffff_ffff);
                while way < self.n_ways && !among.contains(&way) {
                    way = low32(state[way as usize] & 0xffff_ffff);
                }
                Some(way)
            }
            Layout::Tree => {
                // A node whose one half has none of the ways leads to the other half.
                let (mut low, mut high, mut node) = (0, self.n_ways, 1);
                while high - low > 1 {
                    let middle = u32::midpoint(low, high);
                    let is_right = first >= middle || first + n > middle && bit(state, node);
                    (low, high) = if is_right { (middle, high) } else { (low, middle) };
                    node = 2 * node + u32::from(is_right);
                }
                Some(low)
            }
            Layout::Draw => {
                self.random = xorshift(self.random);
                Some(first + low32(draw(self.random) % u64::from(n)))
            }
            Layout::Bits | Layout::Groups => None,
        };
        let victim = victim.unwrap_or(first);
        self.fill(state, victim);
        victim
    }

    fn set_bit(&self, state: &mut [u64], way: u32) {
        state[way as usize / 64] |= 1 << (way % 64);
        let n_used: u32 = state.iter().map(|word| word.count_ones()).sum();
        if n_used == self.n_ways {
            state.fill(0);
            state[way as usize / 64] = 1 << (way % 64);
        }
    }
}

/// Records the use of a way with the table of [`Replacement`].
#[cfg_attr(feature = "fast", inline(always))]
fn touch(touches: &[(u64, u64); 16], state: &mut u64, way: u32) {
    let (kept, set) = touches[way as usize % 16];
    *state = *state & kept | set;
}

fn bit(words: &[u64], at: u32) -> bool {
    words[at as usize / 64] >> (at % 64) & 1 == 1
}

/// Moves the nibble that holds `way` to the last rank, whose lowest bit is `last`.
#[inline]
pub(crate) fn queue_to_back(queue: u64, way: u32, last: u64) -> u64 {
    let diff = queue ^ (u64::from(way) * NIBBLES);
    let zero = diff.wrapping_sub(NIBBLES) & !diff & (NIBBLES << 3);
    // The lowest bit of the rank of `way`. Only bits from there on change: the nibbles above move down by one.
    let rank = (zero & zero.wrapping_neg()) >> 3;
    let moved = (queue ^ queue >> 4) & rank.wrapping_neg();
    (queue ^ moved) | (u64::from(way) * last)
}

fn list_to_back(links: &mut [u64], way: u32, n_ways: u32) {
    let n = u64::from(n_ways);
    let ends = links[index(n)];
    let (tail, head) = (ends >> 32, ends & 0xffff_ffff);
    let way = u64::from(way);
    if tail == way {
        return;
    }
    let (prev, next) = (links[index(way)] >> 32, links[index(way)] & 0xffff_ffff);
    let head = if head == way { next } else { head };
    if prev < n {
        links[index(prev)] = links[index(prev)] >> 32 << 32 | next;
    }
    links[index(next)] = prev << 32 | links[index(next)] & 0xffff_ffff;
    links[index(tail)] = links[index(tail)] >> 32 << 32 | way;
    links[index(way)] = tail << 32 | n;
    links[index(n)] = way << 32 | head;
}

fn tree_point_away(tree: &mut [u64], way: u32, n_ways: u32) {
    let mut node = way + n_ways;
    while node > 1 {
        let went_right = node & 1 == 1;
        node /= 2;
        let (word, mask) = (node as usize / 64, 1 << (node % 64));
        if went_right {
            tree[word] &= !mask;
        } else {
            tree[word] |= mask;
        }
    }
}

fn group_touch(state: u64, way: u32) -> u64 {
    let (group, leaf) = (way / 4, way % 4);
    let base = 4 * group;
    let (top, low) = (leaf / 2, leaf % 2);
    let mut tree = state & 0xfff;
    // Node 1 is the root, nodes 2 and 3 its children; each points away from the touched leaf.
    tree = with_bit(tree, base + 1, top == 0);
    tree = with_bit(tree, base + 2 + top, low == 0);
    tree | u64::from(group) << 12
}

#[cfg_attr(feature = "fast", inline(always))]
fn group_victim(state: u64) -> u32 {
    let group = [1, 2, 0, 1][index(state >> 12 & 3)];
    let base = 4 * group;
    let top = low32(state >> (base + 1) & 1);
    let low = low32(state >> (base + 2 + top) & 1);
    4 * group + 2 * top + low
}

fn with_bit(word: u64, at: u32, on: bool) -> u64 {
    word & !(1 << at) | u64::from(on) << at
}
