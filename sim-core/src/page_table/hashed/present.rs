//! The hashed tables of all processes.

use std::rc::Rc;

use super::space::Space;
use super::table::Pool;
use super::{EcptConfig, SizeState, Spot};
use crate::caches::memory::LINE;
use pagewalk_base::addr::Level;
use pagewalk_base::error::{Error, ErrorCode, Result};

/// The bytes of memory for hashed tables: all below the first frame of a page.
const POOL: u64 = super::super::FRAMES_AT - super::super::TABLES_AT;

/// The hashed tables of all processes. Clones share those of a process until they change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hashed {
    spaces: Vec<Option<Rc<Space>>>,
    pool: Pool,
}

impl Hashed {
    /// Makes no tables yet, in a pool that begins at an address.
    pub(crate) fn new(config: EcptConfig, start: u64) -> Self {
        let (next, end) = (start, start + POOL);
        let pool = Pool { config, next, end, moves: 0, resizes: 0, is_full: false };
        Self { spaces: Vec::new(), pool }
    }

    /// Adds or removes the page of an address. The first page of a process makes its tables.
    pub(crate) fn set(&mut self, (space, address): (u32, u64), level: Level, on: bool) {
        let at = space as usize;
        if self.spaces.len() <= at {
            self.spaces.resize(at + 1, None);
        }
        let pool = &mut self.pool;
        if pool.next + (1 << 30) > pool.end && self.spaces[at].is_none() {
            pool.is_full = true;
            return;
        }
        let own = self.spaces[at].get_or_insert_with(|| Rc::new(Space::new(pool)));
        Rc::make_mut(own).set(address, level.number(), on, pool);
    }

    fn space(&self, space: u32) -> Option<&Space> {
        self.spaces.get(space as usize)?.as_deref()
    }

    /// Returns the lines that a walk to an address reads. `known` says which walk caches hit: that of 2M pages, and that
    /// of 1G pages.
    pub(crate) fn spots(&self, (space, address): (u32, u64), known: [bool; 2]) -> Vec<Spot> {
        self.space(space).map_or_else(Vec::new, |own| own.spots(address, known))
    }

    /// Returns the address of the line that holds the entry of a level for an address.
    pub(crate) fn line_of(&self, (space, address): (u32, u64), level: Level) -> Option<u64> {
        self.space(space)?.line_of(address, level.number())
    }

    /// Returns the address of the first way of a process's table of 4K pages.
    pub(crate) fn start_of(&self, space: u32) -> u64 {
        self.space(space).map_or(0, |own| own.tables[0].ways[0].lines.address(0))
    }

    /// Returns the ways of each table.
    pub(crate) fn n_ways(&self) -> u32 {
        self.pool.config.ways.into()
    }

    /// Checks that every page has a place.
    ///
    /// # Errors
    /// `too-large` if a table could not grow.
    pub(crate) fn check(&self) -> Result<()> {
        if !self.pool.is_full {
            return Ok(());
        }
        let message = "a hashed page table of this trace cannot grow further: use larger pages, or a shorter part of the trace";
        Err(Error::new(ErrorCode::TooLarge, message))
    }

    /// Returns the bytes of all ways.
    pub(crate) fn bytes(&self) -> u64 {
        self.states().iter().map(|state| state.lines * LINE).sum()
    }

    /// Returns the state of the tables of each page size, the smallest first.
    pub(crate) fn states(&self) -> [SizeState; 3] {
        let mut states = [SizeState::default(); 3];
        for space in self.spaces.iter().flatten() {
            for (state, table) in states.iter_mut().zip(&space.tables) {
                state.lines += table.n_lines();
                state.used += table.n_used;
                state.resizing += u64::from(table.is_resizing());
            }
        }
        states
    }

    /// Returns the numbers of lines that moved, and of resizes.
    pub(crate) fn moves_and_resizes(&self) -> (u64, u64) {
        (self.pool.moves, self.pool.resizes)
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let spaces = self.spaces.iter().enumerate().filter_map(|(at, own)| {
            let own = own.as_ref()?;
            let twin = other.and_then(|other| other.spaces.get(at)?.as_ref());
            let is_shared = twin.is_some_and(|twin| Rc::ptr_eq(own, twin));
            (!is_shared).then(|| own.bytes_apart_from(twin.map(|twin| &**twin)))
        });
        spaces.sum::<usize>() + self.spaces.len() * size_of::<usize>()
    }
}
