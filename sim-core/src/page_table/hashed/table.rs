//! One hashed table: cuckoo insertion, and resizes that move some lines at each insertion.

use std::collections::VecDeque;

use super::EcptConfig;
use super::way::{Lines, Way};
use crate::caches::memory::LINE;
use pagewalk_base::narrow::low32;

/// The most lines that one insertion moves before the table is resized.
const MAX_MOVES: u32 = 64;
/// The most lines of a way. Lines take real memory of the simulating computer.
const MAX_LINES: u64 = 1 << 24;
/// Ways begin at pages of this size.
const PAGE: u64 = 4096;

/// The memory of all hashed tables, and the counters of their changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pool {
    pub(super) config: EcptConfig,
    /// The address of the next way.
    pub(super) next: u64,
    /// The first address after the pool.
    pub(super) end: u64,
    /// The lines that moved: to another way to make room, or to a larger way.
    pub(super) moves: u64,
    pub(super) resizes: u64,
    /// Whether a table could not grow. A page is missing then.
    pub(super) is_full: bool,
}

impl Pool {
    fn ways(&mut self, n_lines: u64) -> Vec<Lines> {
        let mut way = || {
            let start = self.next;
            self.next += (n_lines * LINE).next_multiple_of(PAGE);
            Lines::new(start, n_lines)
        };
        (0..self.config.ways).map(|_| way()).collect()
    }
}

/// The hash function of a way, for the number of a line: the page number without its lowest three bits. It is the mixing
/// function of `SplitMix64`, with another start for each way.
pub(super) fn hash(number: u64, way: u32) -> u64 {
    let start = (u64::from(way) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = number.wrapping_add(start);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Returns the stored value of a line: its number, and one bit for each page that it holds.
pub(super) fn value(number: u64, pages: u8) -> u64 {
    number << 8 | u64::from(pages)
}

/// A table of one page size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) ways: Vec<Way>,
    pub(super) n_used: u64,
    /// The number of insertions, which choose their first way in turn.
    turn: u32,
}

impl Table {
    pub(super) fn new(pool: &mut Pool) -> Self {
        let lines = pool.ways(pool.config.entries.into());
        Self { ways: lines.into_iter().map(Way::new).collect(), n_used: 0, turn: 0 }
    }

    pub(super) fn is_resizing(&self) -> bool {
        self.ways[0].larger.is_some()
    }

    /// Returns the lines of all ways.
    pub(super) fn n_lines(&self) -> u64 {
        let larger = |way: &Way| way.larger.as_ref().map_or(0, |lines| lines.n);
        self.ways.iter().map(|way| way.lines.n + larger(way)).sum()
    }

    /// Returns the way of a line, and its value.
    pub(super) fn find(&self, number: u64) -> Option<(u32, u64)> {
        (0..).zip(&self.ways).find_map(|(at, way)| {
            let (line, is_larger) = way.at(hash(number, at));
            let value = way.of(is_larger).get(line);
            (value != 0 && value >> 8 == number).then_some((at, value))
        })
    }

    /// Stores the pages of a line that the table holds. No page takes the line out.
    pub(super) fn change(&mut self, number: u64, way: u32, pages: u8) {
        let new = if pages == 0 { 0 } else { value(number, pages) };
        self.ways[way as usize].put(hash(number, way), new);
        self.n_used -= u64::from(pages == 0);
    }

    /// Inserts a line that the table does not hold. Above the load, a resize begins. During a resize, each insertion moves
    /// one line of each way.
    pub(super) fn insert(&mut self, number: u64, pages: u8, pool: &mut Pool) {
        let first = self.turn % low32(self.ways.len() as u64);
        self.turn = self.turn.wrapping_add(1);
        self.n_used += 1;
        self.settle(VecDeque::from([(value(number, pages), first)]), pool);
        if !self.is_resizing() && self.n_used * 100 > self.n_lines() * u64::from(pool.config.load) {
            self.begin(pool);
        }
        if self.is_resizing() {
            let taken = self.rehash(pool);
            self.settle(taken, pool);
        }
    }

    /// Finds places for lines. If one insertion moves too many lines, a resize makes room.
    fn settle(&mut self, mut homeless: VecDeque<(u64, u32)>, pool: &mut Pool) {
        while let Some((value, way)) = homeless.pop_front() {
            let Some(left) = self.place(value, way, pool) else { continue };
            homeless.push_back(left);
            if self.is_resizing() {
                homeless.extend(self.rehash(pool));
            } else if !self.begin(pool) {
                self.n_used -= homeless.len() as u64;
                pool.is_full = true;
                return;
            }
        }
    }

    /// Puts a line into a way. The line that was there moves to the next way, and so on. Returns the line that has no
    /// place after [`MAX_MOVES`], and its next way.
    fn place(&mut self, mut value: u64, mut way: u32, pool: &mut Pool) -> Option<(u64, u32)> {
        for _ in 0..MAX_MOVES {
            value = self.ways[way as usize].put(hash(value >> 8, way), value);
            if value == 0 {
                return None;
            }
            pool.moves += 1;
            way = (way + 1) % low32(self.ways.len() as u64);
        }
        Some((value, way))
    }

    /// Begins a resize. Returns false if the ways cannot grow.
    fn begin(&mut self, pool: &mut Pool) -> bool {
        let n = self.ways[0].lines.n * u64::from(pool.config.growth);
        let bytes = n * LINE * self.ways.len() as u64;
        if n > MAX_LINES || pool.next + bytes > pool.end {
            return false;
        }
        pool.resizes += 1;
        for (way, lines) in self.ways.iter_mut().zip(pool.ways(n)) {
            way.larger = Some(lines);
        }
        true
    }

    /// Takes one line of each old way out, for its larger way. Ends the resize after the last line.
    fn rehash(&mut self, pool: &mut Pool) -> VecDeque<(u64, u32)> {
        let taken = (0..).zip(&mut self.ways).map(|(at, way)| (way.take_next(), at));
        let taken: VecDeque<_> = taken.filter(|(value, _)| *value != 0).collect();
        pool.moves += taken.len() as u64;
        if self.ways.iter().all(|way| way.moved == way.lines.n) {
            self.ways.iter_mut().for_each(Way::finish);
        }
        taken
    }
}
