//! The ring of lines: where they are, in which order they are linked, and the loop that follows the links.
//!
//! ```text
//! page      0               1               2               3        spread: one line in each page. Each is one line
//! line      ▪···            ·▪··            ··▪·            ···▪     further in its page, so that all sets of a cache
//! link      0 ─▶ 2 ─▶ 1 ─▶ 3 ─▶ 0  (random)                          have equally many. dense: the lines are neighbours
//! ```

use std::hint::black_box;

use crate::timing::Timing;

/// The bytes of a cache line.
pub const LINE: usize = 64;

/// The least loads between two looks at the clock.
const LEAST_LOADS: u32 = 1 << 12;

/// The loads of one turn of the loop: 4 to the power of 5.
const LOADS_OF_A_TURN: u32 = 1024;

/// From page to page, a line is so much further in its page: one page of 4K and one line. In larger pages, the lines
/// are then in different 4K parts, because a hypervisor may keep a large page as 4K pages.
const STAGGER: usize = 4096 + LINE;

/// Where the lines of a chase are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// One line in each page.
    Spread,
    /// As many lines without gaps.
    Dense,
}

/// A chase over pages of one size.
pub struct Chase {
    /// The bytes of a page.
    pub page: usize,
    /// The bytes between the beginnings of two pages that are used.
    pub stride: usize,
    order: Vec<u32>,
}

impl Chase {
    /// Makes a chase over pages of `page` bytes. Only every `stride`-th page is used.
    pub fn new(page: usize, stride: usize) -> Self {
        Self { page, stride: page.saturating_mul(stride), order: Vec::new() }
    }

    /// Returns the nanoseconds of one load in a random order, which `seed` chooses. `memory` begins at a page.
    /// Returns `None` if the pages do not fit into `memory`.
    pub fn ns_of_a_load(
        &mut self,
        memory: &mut [u8],
        (lines, pages): (Lines, u32),
        seed: u64,
        timing: &mut Timing<'_>,
    ) -> Option<f64> {
        let (words, _) = memory.as_chunks_mut::<4>();
        // Checked first: the order of pages that do not fit could need too much memory.
        let last = self.word(lines, pages.checked_sub(1)?)?;
        words.get(usize::try_from(last).ok()?)?;
        let first = self.link(words, lines, pages, seed)?;
        let mut at = follow(words, first, pages);
        at = follow(words, at, pages);
        let loads = LEAST_LOADS.div_ceil(pages) * pages;
        let ns = timing.ns_each(|| {
            at = follow(words, at, loads);
            loads
        });
        black_box(at);
        Some(ns)
    }

    /// Links the lines to a ring. Returns its first word.
    fn link(&mut self, words: &mut [[u8; 4]], lines: Lines, pages: u32, seed: u64) -> Option<u32> {
        shuffle(&mut self.order, pages, seed);
        let first = self.word(lines, *self.order.first()?)?;
        for (from, to) in self.order.iter().zip(self.order.iter().cycle().skip(1)) {
            let (from, to) = (self.word(lines, *from)?, self.word(lines, *to)?);
            *words.get_mut(usize::try_from(from).ok()?)? = to.to_le_bytes();
        }
        Some(first)
    }

    /// Returns the number of the word that holds the link of line `n`.
    fn word(&self, lines: Lines, n: u32) -> Option<u32> {
        u32::try_from(self.byte(lines, n)? / 4).ok()
    }

    /// Returns the place of line `n`, in bytes from the first page.
    pub fn byte(&self, lines: Lines, n: u32) -> Option<usize> {
        let n = usize::try_from(n).ok()?;
        match lines {
            Lines::Dense => n.checked_mul(LINE),
            Lines::Spread => {
                n.checked_mul(self.stride)?.checked_add(n.wrapping_mul(STAGGER) % self.page)
            }
        }
    }
}

/// Follows `loads` links from a word. Each load needs the one before. Returns the word at the end.
///
/// A browser looks once in each turn of a loop whether it has to stop, and reads a page of its own for that. In an array
/// with sets, this page would take a way from the pages of its set in every lap. So a turn has the loads of many laps.
#[inline(never)]
fn follow(words: &[[u8; 4]], from: u32, loads: u32) -> u32 {
    macro_rules! four_times {
        ($step:expr) => {{
            $step;
            $step;
            $step;
            $step;
        }};
    }
    let mut at = from;
    let next = |at: u32| u32::from_le_bytes(words[at as usize]);
    for _ in 0..loads / LOADS_OF_A_TURN {
        four_times!(four_times!(four_times!(four_times!(four_times!(at = next(at))))));
    }
    for _ in 0..loads % LOADS_OF_A_TURN {
        at = next(at);
    }
    at
}

/// Puts the numbers from 0 to `n` - 1 in a random order, which `seed` chooses.
pub fn shuffle(order: &mut Vec<u32>, n: u32, seed: u64) {
    order.clear();
    order.extend(0..n);
    let mut state = seed;
    for last in (1..order.len()).rev() {
        // SplitMix64, by Sebastiano Vigna.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let draw = (((bits ^ (bits >> 31)) >> 32) * (last as u64 + 1)) >> 32;
        order.swap(last, usize::try_from(draw).unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words of a ring in the order of its links.
    fn visited(page: usize, stride: usize, lines: Lines, pages: u32) -> Vec<u32> {
        let mut chase = Chase::new(page, stride);
        let mut memory = vec![0; page * stride * pages as usize];
        let (words, _) = memory.as_chunks_mut::<4>();
        let first = chase.link(words, lines, pages, 7).unwrap();
        let steps = (0..pages).scan(first, |at, _| {
            let here = *at;
            *at = follow(words, here, 1);
            Some(here)
        });
        let seen: Vec<u32> = steps.collect();
        assert_eq!(follow(words, first, pages), first, "the ring is closed");
        seen
    }

    #[test]
    fn a_spread_ring_visits_each_page_once_and_each_set_of_lines_equally() {
        for (page, stride, pages) in
            [(4096, 1, 192), (4096, 8, 64), (16_384, 1, 128), (1 << 21, 1, 64)]
        {
            let mut seen = visited(page, stride, Lines::Spread, pages);
            seen.sort_unstable();
            let bytes: Vec<usize> = seen.iter().map(|word| *word as usize * 4).collect();
            let used = bytes.iter().map(|byte| byte / page).collect::<Vec<_>>();
            assert_eq!(used, (0..pages as usize).map(|n| n * stride).collect::<Vec<_>>());
            let mut sets = [0; 64];
            for byte in &bytes {
                sets[byte / LINE % 64] += 1;
            }
            assert_eq!(sets, [pages as usize / 64; 64], "{page}");
        }
    }

    #[test]
    fn a_dense_ring_visits_neighbouring_lines() {
        let mut seen = visited(4096, 1, Lines::Dense, 100);
        seen.sort_unstable();
        assert_eq!(seen, (0..100).map(|n| n * 16).collect::<Vec<_>>());
    }

    #[test]
    fn a_turn_of_the_loop_follows_as_many_links_as_it_says() {
        let mut chase = Chase::new(4096, 1);
        let mut memory = vec![0; 4096 * 100];
        let (words, _) = memory.as_chunks_mut::<4>();
        let first = chase.link(words, Lines::Spread, 100, 7).unwrap();
        for loads in [1, LOADS_OF_A_TURN - 1, LOADS_OF_A_TURN, 3 * LOADS_OF_A_TURN + 7] {
            let one_by_one = (0..loads).fold(first, |at, _| follow(words, at, 1));
            assert_eq!(follow(words, first, loads), one_by_one, "{loads}");
        }
    }

    #[test]
    fn each_seed_has_another_order() {
        let order = |seed| {
            let mut order = Vec::new();
            shuffle(&mut order, 64, seed);
            order
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert_ne!(order(1), (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn pages_that_do_not_fit_are_refused() {
        let mut time = 0.0;
        let mut now = || {
            time += 1.0;
            time
        };
        let mut timing = Timing { now: &mut now, least: 1.0 };
        let mut memory = vec![0; 8 * 4096];
        let mut chase = Chase::new(4096, 1);
        assert!(chase.ns_of_a_load(&mut memory, (Lines::Spread, 8), 1, &mut timing).is_some());
        assert!(chase.ns_of_a_load(&mut memory, (Lines::Spread, 9), 1, &mut timing).is_none());
        assert!(chase.ns_of_a_load(&mut memory, (Lines::Spread, 0), 1, &mut timing).is_none());
        assert!(
            chase.ns_of_a_load(&mut memory, (Lines::Dense, u32::MAX), 1, &mut timing).is_none()
        );
    }
}
