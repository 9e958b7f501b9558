//! The hashed tables of one process, and its walk tables.
//!
//! A cuckoo walk table (CWT) has a header for each section: the memory that one line of the next larger page size
//! covers. Sections of 2M pages have 16M, those of 1G pages have 8G. A header says in which way the line of the section
//! is, and whether smaller pages are there.

use std::collections::BTreeMap;

use super::table::{Pool, Table, hash};
use super::{N_SIZES, Spot};
use pagewalk_base::addr::Level;

/// log2 of the pages of a line: it holds eight entries of 8 bytes.
const PAGES_BITS: u32 = 3;
/// log2 of the bytes of a section of 2M pages, and of a section of 1G pages.
const SECTION: [u32; 2] = [21 + PAGES_BITS, 30 + PAGES_BITS];

/// Returns the lowest address bit of the number of a page.
fn shift(level: u8) -> u32 {
    12 + 9 * u32::from(level - 1)
}

/// The number of a line, and the bit of a page in it.
fn split(address: u64, level: u8) -> (u64, u8) {
    let page = address >> shift(level);
    (page >> PAGES_BITS, 1 << (page & ((1 << PAGES_BITS) - 1)))
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Space {
    /// The tables of pages of 4K, 2M and 1G.
    pub(super) tables: [Table; N_SIZES as usize],
    /// The number of lines of 4K pages in each section of 2M pages.
    small_in_2m: BTreeMap<u64, u32>,
    /// The numbers of lines of 4K pages and of 2M pages in each section of 1G pages.
    smaller_in_1g: BTreeMap<u64, [u32; 2]>,
}

impl Space {
    pub(super) fn new(pool: &mut Pool) -> Self {
        Self {
            tables: [0; N_SIZES as usize].map(|_| Table::new(pool)),
            small_in_2m: BTreeMap::new(),
            smaller_in_1g: BTreeMap::new(),
        }
    }

    /// Adds or removes the page of an address.
    pub(super) fn set(&mut self, address: u64, level: u8, on: bool, pool: &mut Pool) {
        let table = &mut self.tables[usize::from(level - 1)];
        let (number, bit) = split(address, level);
        match table.find(number) {
            Some((way, value)) => {
                // The low byte of a value has the pages.
                let was = value.to_le_bytes()[0];
                let pages = if on { was | bit } else { was & !bit };
                table.change(number, way, pages);
                if pages == 0 {
                    self.count(address, level, false);
                }
            }
            None if on => {
                table.insert(number, bit, pool);
                self.count(address, level, true);
            }
            None => {}
        }
    }

    /// Counts a line in the headers of its sections.
    fn count(&mut self, address: u64, level: u8, on: bool) {
        let step = |n: &mut u32| *n = if on { *n + 1 } else { *n - 1 };
        if level == 1 {
            let section = address >> SECTION[0];
            let n = self.small_in_2m.entry(section).or_default();
            step(n);
            if *n == 0 {
                self.small_in_2m.remove(&section);
            }
        }
        if level < N_SIZES {
            let section = address >> SECTION[1];
            let n = self.smaller_in_1g.entry(section).or_default();
            step(&mut n[usize::from(level - 1)]);
            if *n == [0; 2] {
                self.smaller_in_1g.remove(&section);
            }
        }
    }

    /// Returns the ways of each page size that may hold an address, as one bit for each way. `known` says which headers
    /// a walk cache holds: that of the section of 2M pages, and that of the section of 1G pages.
    fn candidates(&self, address: u64, known: [bool; 2]) -> [u32; 3] {
        let all = (1 << self.tables[0].ways.len()) - 1;
        let every = |on: bool| if on { all } else { 0 };
        let line = |level: u8| {
            let found = self.tables[usize::from(level - 1)].find(split(address, level).0);
            found.map_or(0, |(way, _)| 1 << way)
        };
        let [small, large] =
            self.smaller_in_1g.get(&(address >> SECTION[1])).map_or([0; 2], |n| *n);
        let mut ways = [all; 3];
        if known[1] {
            ways = [every(small > 0), every(large > 0), line(3)];
        }
        if known[0] {
            ways[0] = every(self.small_in_2m.contains_key(&(address >> SECTION[0])));
            ways[1] = line(2);
            // A page of 1G covers whole sections of 2M pages, so a section with smaller pages lies outside of one.
            if ways[0] | ways[1] != 0 {
                ways[2] = 0;
            }
        }
        ways
    }

    /// Returns the lines that a walk to an address reads.
    pub(super) fn spots(&self, address: u64, known: [bool; 2]) -> Vec<Spot> {
        let candidates = self.candidates(address, known);
        let mut spots = Vec::new();
        for ((level, table), ways) in (1..).zip(&self.tables).zip(candidates) {
            let (number, bit) = split(address, level);
            for (way, of) in (0..).zip(&table.ways).filter(|(way, _)| ways >> way & 1 == 1) {
                let (line, is_new) = of.at(hash(number, way));
                let lines = of.of(is_new);
                let value = lines.get(line);
                let hit = value >> 8 == number && value & u64::from(bit) != 0;
                let (level, address) = (Level::new(level), lines.address(line));
                spots.push(Spot { level, way, line, address, hit, is_new });
            }
        }
        spots
    }

    /// Returns the address of the line that holds the page of an address.
    pub(super) fn line_of(&self, address: u64, level: u8) -> Option<u64> {
        let table = &self.tables[usize::from(level.checked_sub(1)?)];
        let (number, _) = split(address, level);
        let (way, _) = table.find(number)?;
        let of = &table.ways[way as usize];
        let (line, is_new) = of.at(hash(number, way));
        Some(of.of(is_new).address(line))
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(super) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let of_table = |at: usize| {
            let twin = other.map(|other| &other.tables[at]);
            let ways = self.tables[at].ways.iter().enumerate();
            ways.map(|(way, own)| own.bytes_apart_from(twin.map(|twin| &twin.ways[way]))).sum()
        };
        let tables: usize = (0..self.tables.len()).map(|at| -> usize { of_table(at) }).sum();
        // An entry of a map takes about two words more than its key and its value.
        tables + (self.small_in_2m.len() + self.smaller_in_1g.len()) * 4 * size_of::<u64>()
    }
}
