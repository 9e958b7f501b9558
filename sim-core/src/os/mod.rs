//! The operating system: which page size it gives to an address, and which frame.
//!
//! It knows regions and pools of frames. It does not know TLBs or walks, nor whether the
//! addresses that it maps are a program's or, under a hypervisor, a guest's physical ones.
//!
//! ```text
//! OsConfig ─ check ─┐
//! MemoryMap ────────┴ layout ─▶ areas: which pages an address gets
//!                                 └ blocks, where that is decided while the machine runs:
//!                                   at a fault, by khugepaged
//! ```

mod areas;
mod blocks;
mod check;
mod climb;
mod config;
mod fault;
mod fork;
mod frames;
mod hugetext;
mod hugetlb;
mod idle;
mod khugepaged;
mod known;
mod layout;
#[cfg(test)]
mod layout_tests;
mod owners;
mod policy;
mod pretouch;
mod protect;
mod unmap;
mod virt;

use std::collections::BTreeMap;
use std::rc::Rc;

pub use areas::RegionSource;
pub(crate) use areas::{Area, AreaMap};
pub(crate) use climb::Recap;
pub use config::{Frames, MapSource, OsConfig, RegionConfig, UpperHalf};
pub use fault::FaultCause;
pub(crate) use fault::Verdict;
pub(crate) use fork::Process;
pub(crate) use khugepaged::Replacing;
pub use known::{KnownRegion, MemoryMap};
pub use policy::{
    AdaptiveConfig, Advice, HugetextConfig, KhugepagedConfig, PagePolicy, PoolConfig, ThpConfig,
    ThpEnabled,
};
pub use pretouch::{Footprint, footprint};
pub(crate) use protect::Rights;
pub(crate) use unmap::Shootdown;
pub use virt::Virt;

use crate::addr::Paging;
use crate::error::{Error, ErrorCode, Place, Result};
use crate::page_table::{PageTables, Table};
use blocks::{BlockId, Blocks, State};
use climb::Climb;
use fork::{Copying, Known};
use frames::FramePools;
use hugetlb::Pools;
use khugepaged::Khugepaged;
use layout::Maps;
use owners::Owners;

/// The process number under which the kernel's half is known where processes share it: that of perf's
/// records of the kernel's memory, −1.
pub(crate) const KERNEL: u32 = u32::MAX;

/// The operating system of one machine.
#[derive(Clone, Debug)]
pub(crate) struct Os {
    paging: Rc<Paging>,
    maps: Rc<Maps>,
    /// The number of the map of the process that runs.
    map: usize,
    /// The stretch used last: first address, last address, leaf level. It holds for one process.
    recent: (u64, u64, u8),
    frames: FramePools,
    pools: Pools,
    /// Pages mapped, by leaf.
    n_mapped: [u64; 8],
    /// log2 of the bytes of a block.
    block_shift: u32,
    blocks: Blocks,
    draws: Draws,
    khugepaged: Khugepaged,
    climb: Option<Climb>,
    shares_kernel: bool,
    /// `CR4.PGE`.
    has_global: bool,
    /// The number of the page tables that all processes share.
    kernel: Option<u32>,
    judges: bool,
    /// Pages whose mappings were taken away so that copies are made.
    copied: Vec<Copying>,
    /// Huge pages that khugepaged has made, and nothing maps yet: their frames.
    collapsed: BTreeMap<BlockId, u64>,
    owners: Owners,
    /// Children that have the map of the process that they come from: its number.
    heirs: Vec<(u32, usize)>,
    /// Address spaces that come from each other.
    families: Vec<Vec<u32>>,
    protections: Vec<protect::Protection>,
    /// Pages that were mapped before their process ran.
    n_pretouched: u64,
}

/// Whether memory has a free block for a huge page.
#[derive(Clone, Debug)]
struct Draws {
    /// Per cent of the draws that say no.
    fragmentation: u64,
    at_fault: bool,
    state: u64,
}

impl Draws {
    fn has_block(&mut self) -> bool {
        if self.fragmentation == 0 {
            return true;
        }
        self.state = crate::policy::xorshift(self.state);
        crate::policy::draw(self.state) % 100 >= self.fragmentation
    }
}

/// Refuses what would quietly come to nothing because there is no trace to ask.
fn known_enough(config: &OsConfig, known: &MemoryMap<'_>) -> Result<()> {
    let unsupported = |field: &str, message: &str| {
        let error = Error::new(ErrorCode::Unsupported, message.to_owned());
        Err(error.at(Place::Field(field.to_owned())))
    };
    if known.is_of_trace {
        return Ok(());
    }
    if config.default == PagePolicy::Hugetext {
        return unsupported(
            "default",
            "where the code is, is not known without a trace: give regions with the kind text, library or jit and the pages hugetext",
        );
    }
    if config.hugetext.is_ranked_by_trace() {
        return unsupported(
            "hugetext.max",
            "which code is hottest is not known without a trace: leave it out, or give hugetext to fewer regions",
        );
    }
    Ok(())
}

impl Os {
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn new(
        config: &OsConfig,
        paging: &Rc<Paging>,
        known: &MemoryMap<'_>,
    ) -> Result<Self> {
        known_enough(config, known)?;
        let maps = Maps::new(config, paging, known)?;
        let pools = Pools::new(config, paging);
        let is_judged = |area: &Area| area.copy_on_write || pools.are_limited_for(area, paging);
        let judges = maps.all().any(|map| map.areas().iter().any(is_judged))
            || config.hugetext.adaptive.is_some()
            || config.upper_half == UpperHalf::Shared;
        let draws = Draws {
            fragmentation: u64::from(config.thp.fragmentation),
            at_fault: config.thp.at_fault,
            state: config.thp.seed.max(1),
        };
        Ok(Self {
            maps: Rc::new(maps),
            map: 0,
            recent: (1, 0, 0),
            frames: FramePools::new(config.frames, paging),
            pools,
            n_mapped: [0; 8],
            block_shift: check::huge_shift(paging),
            blocks: Blocks::default(),
            draws,
            khugepaged: Khugepaged::new(config.thp.khugepaged, paging),
            climb: Climb::new(&config.hugetext),
            shares_kernel: config.upper_half == UpperHalf::Shared,
            has_global: true,
            kernel: None,
            judges,
            copied: Vec::new(),
            collapsed: BTreeMap::new(),
            owners: Owners::new(paging),
            heirs: Vec::new(),
            families: Vec::new(),
            protections: Vec::new(),
            n_pretouched: 0,
            paging: Rc::clone(paging),
        })
    }

    /// Makes a process the one whose addresses are asked for.
    pub(crate) fn enter(&mut self, pid: u32) {
        self.map = self.map_of(pid);
        self.forget();
    }

    /// Whether all processes share the upper half of the address space.
    #[inline]
    pub(crate) fn shares_kernel(&self) -> bool {
        self.shares_kernel
    }

    /// Whether the translations of that half are global.
    pub(crate) fn has_global(&self) -> bool {
        self.has_global
    }

    /// A write to `CR4.PGE`.
    pub(crate) fn set_global(&mut self, on: bool) {
        self.has_global = on;
    }

    /// Makes the kernel's half, whose page tables have number `space`, what is asked for.
    pub(crate) fn enter_kernel(&mut self, space: u32) {
        self.kernel = Some(space);
        self.enter(KERNEL);
    }

    /// The number of a process's map.
    fn map_of(&self, pid: u32) -> usize {
        let heir = self.heirs.iter().find(|(child, _)| *child == pid);
        heir.map_or_else(|| self.maps.of(pid), |(_, map)| *map)
    }

    /// Forgets the stretch used last, after the pages of some have changed.
    fn forget(&mut self) {
        self.recent = (1, 0, 0);
    }

    /// The map of the process that runs.
    fn current(&self) -> &AreaMap {
        self.maps.get(self.map)
    }

    /// Every map, with the process that it is of; `None` for all others.
    pub(crate) fn maps(&self) -> Vec<(Option<u32>, &AreaMap)> {
        let listed = self.listed().into_iter();
        listed.map(|(pid, number)| (pid, self.maps.get(number))).collect()
    }

    /// The same with the maps' numbers.
    fn listed(&self) -> Vec<(Option<u32>, usize)> {
        let is_heir = |pid: u32| self.heirs.iter().any(|(child, _)| *child == pid);
        let own = self.maps.own().filter(|(pid, _)| !is_heir(*pid));
        let inherited = self.heirs.iter().copied().filter(|(_, number)| *number > 0);
        let of_one = own.chain(inherited).map(|(pid, number)| (Some(pid), number));
        std::iter::once((None, 0)).chain(of_one).collect()
    }

    /// Where the regions come from that the configuration does not list.
    pub(crate) fn map_source(&self) -> MapSource {
        self.maps.source()
    }

    /// Pages mapped, by place in [`Self::maps`], area and leaf. `spaces` has the page tables of each process.
    pub(crate) fn pages_by_area(
        &self,
        tables: &PageTables,
        spaces: &BTreeMap<u32, u32>,
    ) -> BTreeMap<(usize, usize, u8), u64> {
        let (mut counts, listed) = (BTreeMap::new(), self.listed());
        for (pid, space) in spaces {
            let map = self.maps.get(self.map_of(*pid));
            let number = listed.iter().position(|(of, _)| *of == Some(*pid)).unwrap_or(0);
            if map.areas().len() == 1 {
                continue;
            }
            for (address, leaf) in tables.pages(*space) {
                let area = map.segment(address).area as usize;
                *counts.entry((number, area, leaf)).or_default() += 1;
            }
        }
        counts
    }

    /// The leaf of the page that holds `address` in the process that runs, whose address space
    /// is `space`. If nothing is mapped there yet, a `demand` is going to map that page.
    #[inline]
    pub(crate) fn leaf_of(&mut self, space: u32, address: u64, demand: bool) -> u8 {
        let (start, last, leaf) = self.recent;
        if (start..=last).contains(&address) { leaf } else { self.find(space, address, demand) }
    }

    #[inline(never)]
    fn find(&mut self, space: u32, address: u64, demand: bool) -> u8 {
        let segment = self.current().pages(address);
        if !segment.by_block && self.blocks.is_empty() {
            self.recent = (segment.start, segment.last, segment.leaf);
            return segment.leaf;
        }
        if segment.leaf != check::HUGE {
            self.recent = (segment.start, segment.last, segment.leaf);
            return segment.leaf;
        }
        let id = BlockId { space, number: address >> self.block_shift };
        let mut state = self.blocks.state(id);
        if state == State::Untouched {
            if segment.by_block && !demand {
                return 1;
            }
            let huge = !segment.by_block
                || !self.is_adapted(address) && self.draws.at_fault && self.draws.has_block();
            state = if huge { State::Huge } else { State::Small };
            if segment.by_block {
                self.blocks.set(id, state);
            }
        }
        let leaf = if state == State::Huge { check::HUGE } else { 1 };
        let start = id.number << self.block_shift;
        self.recent = (start, start | ((1 << self.block_shift) - 1), leaf);
        leaf
    }

    /// The leaf of the page that holds `address` in the process that runs, whose address space is `space`; 1
    /// where the next touch decides.
    pub(crate) fn leaf_at(&self, space: u32, address: u64) -> u8 {
        self.leaf_in(self.current(), space, address)
    }

    /// The same in a process that need not run.
    pub(crate) fn leaf_at_of(&self, pid: u32, space: u32, address: u64) -> u8 {
        self.leaf_in(self.maps.get(self.map_of(pid)), space, address)
    }

    fn leaf_in(&self, map: &AreaMap, space: u32, address: u64) -> u8 {
        let segment = map.pages(address);
        if segment.leaf != check::HUGE {
            return segment.leaf;
        }
        let id = BlockId { space, number: address >> self.block_shift };
        match self.blocks.state(id) {
            State::Huge => check::HUGE,
            State::Small => 1,
            State::Untouched if segment.by_block => 1,
            State::Untouched => segment.leaf,
        }
    }

    /// Every leaf level that some address gets.
    pub(crate) fn leaf_levels(&self) -> Vec<u8> {
        let mut levels = Vec::new();
        for map in self.maps.all() {
            for segment in map.segments() {
                levels.push(segment.leaf);
                if segment.by_block {
                    levels.push(1);
                }
            }
        }
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// Gives the page of `address` a frame and maps it. False if it was in memory already.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    pub(crate) fn map(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        leaf: u8,
    ) -> Result<bool> {
        tables.root(space)?;
        let (frame, is_new) = self.frame_for(tables, space, address, leaf)?;
        tables.map(space, address, leaf, frame)?;
        self.n_mapped[usize::from(leaf)] += 1;
        Ok(is_new)
    }

    /// The frame of a page that is about to be mapped, and whether it is a new one.
    #[inline]
    fn frame_for(
        &mut self,
        tables: &PageTables,
        space: u32,
        address: u64,
        leaf: u8,
    ) -> Result<(u64, bool)> {
        if self.copied.is_empty() && self.families.is_empty() && self.collapsed.is_empty() {
            return Ok((self.frames.take(leaf)?, true));
        }
        let id = BlockId { space, number: address >> self.block_shift };
        if leaf == check::HUGE
            && let Some(frame) = self.collapsed.remove(&id)
        {
            return Ok((frame, false));
        }
        match self.known_frame(tables, space, address, leaf) {
            None => Ok((self.frames.take(leaf)?, true)),
            Some(Known::Kept(frame)) => Ok((frame, false)),
            Some(Known::Relatives(frame)) => {
                self.owners.join(frame, self.paging.size_of(leaf).bytes());
                Ok((frame, false))
            }
        }
    }

    /// The same where the table that maps the page is there already.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    #[inline]
    pub(crate) fn map_entry(
        &mut self,
        tables: &mut PageTables,
        (space, address): (u32, u64),
        (table, index): (Table, usize),
        leaf: u8,
    ) -> Result<bool> {
        let (frame, is_new) = self.frame_for(tables, space, address, leaf)?;
        tables.map_entry(table, index, leaf, frame);
        self.n_mapped[usize::from(leaf)] += 1;
        Ok(is_new)
    }

    /// Pages that are mapped by one entry, or group of entries, of `leaf`.
    pub(crate) fn n_mapped(&self, leaf: u8) -> u64 {
        self.n_mapped[usize::from(leaf)]
    }

    /// Bytes that all mapped pages have.
    pub(crate) fn mapped_bytes(&self) -> u64 {
        let sizes = self.paging.leaves().into_iter();
        sizes.map(|leaf| self.n_mapped(leaf) << self.paging.shift(leaf)).sum()
    }

    /// Whether a page that is mapped may hold smaller ones that nobody uses.
    pub(crate) fn may_waste(&self) -> bool {
        let wastes = |map: &AreaMap| {
            map.areas().iter().any(|area| area.pretouch)
                || map.segments().iter().any(|segment| segment.leaf != 1)
        };
        self.maps.all().any(wastes)
    }

    /// Size, pages and free pages of each pool of huge pages.
    pub(crate) fn pools(&self) -> impl Iterator<Item = (crate::addr::PageSize, u64, u64)> + '_ {
        self.pools.list()
    }

    /// Bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        self.blocks.bytes_apart_from(other.map(|other| &other.blocks))
            + self.owners.bytes_apart_from(other.map(|other| &other.owners))
    }
}
