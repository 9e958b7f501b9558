//! The operating system: the page size and the frame of each address.
//!
//! The operating system manages regions and pools of frames. It does not depend on TLBs or walks. Under a
//! hypervisor, the host is a second operating system, whose addresses are guest-physical.
//!
//! ```text
//! OsConfig ─ check ─┐
//! MemoryMap ────────┴ layout ─▶ areas: which pages an address gets
//!                                 └ blocks, if the size is decided while the machine runs:
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
pub(crate) mod given;
mod hugetext;
mod hugetlb;
mod idle;
mod khugepaged;
mod known;
mod layout;
#[cfg(test)]
mod layout_tests;
mod leaf;
mod owners;
mod place;
mod policy;
mod pretouch;
mod protect;
mod recorded;
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
pub use given::{Given, GivenEntry, GivenPage, Others};
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

use crate::page_table::{Frame, PageTables};
use blocks::{BlockId, Blocks};
use climb::Climb;
use fork::Copying;
use frames::FramePools;
use hugetlb::Pools;
use khugepaged::Khugepaged;
use layout::Maps;
use leaf::Draws;
use owners::Owners;
use pagewalk_base::addr::{Leaf, Paging, PerLeaf};
use pagewalk_base::error::Result;
use recorded::Recorded;

/// The process number of the kernel's half, if processes share it. Perf uses this number, −1, in its records of the
/// kernel's memory.
pub(crate) const KERNEL: u32 = u32::MAX;

/// The operating system of one machine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Os {
    paging: Rc<Paging>,
    maps: Rc<Maps>,
    /// The number of the map of the running process.
    map: usize,
    /// The range used last: first address, last address, leaf. It is valid for one process.
    recent: (u64, u64, Leaf),
    frames: FramePools,
    /// The frames that the trace recorded, if pages get them.
    recorded: Option<Rc<Recorded>>,
    /// The running process.
    pid: u32,
    pools: Pools,
    /// The number of mapped pages of each leaf.
    n_mapped: PerLeaf<u64>,
    /// log2 of the bytes of a block.
    block_shift: u32,
    blocks: Blocks,
    draws: Draws,
    khugepaged: Khugepaged,
    climb: Option<Climb>,
    shares_kernel: bool,
    /// `CR4.PGE`: whether global translations are enabled.
    has_global: bool,
    /// The number of the page tables that all processes share.
    kernel: Option<u32>,
    checks_rights: bool,
    /// The pages whose mappings were removed so that copies are made.
    copied: Vec<Copying>,
    /// The frames of huge pages that khugepaged has made and that are not mapped yet.
    collapsed: BTreeMap<BlockId, Frame>,
    owners: Owners,
    /// The children that use the map of their parent, with the number of the map.
    heirs: Vec<(u32, usize)>,
    /// The groups of address spaces that forks have connected.
    families: Vec<Vec<u32>>,
    protections: Vec<protect::Protection>,
    /// The number of pages that were mapped before their process ran.
    n_pretouched: u64,
    /// The pages that every process begins with.
    given: Rc<[given::Row]>,
    /// What happens at an access to a page that is not mapped.
    others: given::Others,
}

impl Os {
    /// Makes the operating system of a machine.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn new(
        config: &OsConfig,
        paging: &Rc<Paging>,
        known: &MemoryMap<'_>,
    ) -> Result<Self> {
        known.check_for(config)?;
        let maps = Maps::new(config, paging, known)?;
        let pools = Pools::new(config, paging);
        let recorded = (config.frames == Frames::Recorded)
            .then(|| Rc::new(Recorded::new(known.frames, paging)));
        let frames_at = recorded.as_ref().map(|recorded| recorded.others_at());
        let is_judged = |area: &Area| area.copy_on_write || pools.are_limited_for(area, paging);
        let checks_rights = maps.all().any(|map| map.areas().iter().any(is_judged))
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
            recent: (1, 0, Leaf::SMALLEST),
            frames: FramePools::new(config.frames, paging, frames_at),
            recorded,
            pid: 0,
            pools,
            n_mapped: PerLeaf::default(),
            block_shift: check::huge_shift(paging),
            blocks: Blocks::default(),
            draws,
            khugepaged: Khugepaged::new(config.thp.khugepaged, paging),
            climb: Climb::new(&config.hugetext),
            shares_kernel: config.upper_half == UpperHalf::Shared,
            has_global: true,
            kernel: None,
            checks_rights,
            copied: Vec::new(),
            collapsed: BTreeMap::new(),
            owners: Owners::new(paging),
            heirs: Vec::new(),
            families: Vec::new(),
            protections: Vec::new(),
            n_pretouched: 0,
            given: Rc::from([]),
            others: given::Others::default(),
            paging: Rc::clone(paging),
        })
    }

    /// Makes a process the current one.
    pub(crate) fn enter(&mut self, pid: u32) {
        self.pid = pid;
        self.map = self.map_of(pid);
        self.clear_recent();
    }

    /// Returns where the page tables are in physical memory, if recorded frames decide it.
    pub(crate) fn recorded_tables_at(&self) -> Option<u64> {
        self.recorded.as_ref().map(|recorded| recorded.tables_at())
    }

    /// Returns whether all processes share the upper half of the address space.
    #[inline]
    pub(crate) fn shares_kernel(&self) -> bool {
        self.shares_kernel
    }

    /// Returns whether the translations of the upper half are global.
    pub(crate) fn has_global(&self) -> bool {
        self.has_global
    }

    /// Writes `CR4.PGE`.
    pub(crate) fn set_global(&mut self, on: bool) {
        self.has_global = on;
    }

    /// Makes the kernel's half current. Its page tables have number `space`.
    pub(crate) fn enter_kernel(&mut self, space: u32) {
        self.kernel = Some(space);
        self.enter(KERNEL);
    }

    /// Returns the number of the map of a process.
    fn map_of(&self, pid: u32) -> usize {
        let heir = self.heirs.iter().find(|(child, _)| *child == pid);
        heir.map_or_else(|| self.maps.of(pid), |(_, map)| *map)
    }

    /// Clears the range used last, after the pages of some addresses have changed.
    fn clear_recent(&mut self) {
        self.recent = (1, 0, Leaf::SMALLEST);
    }

    /// Returns the map of the running process.
    fn current(&self) -> &AreaMap {
        self.maps.get(self.map)
    }

    /// Returns every map with its process; `None` for the map of all other processes.
    pub(crate) fn maps(&self) -> Vec<(Option<u32>, &AreaMap)> {
        let listed = self.listed().into_iter();
        listed.map(|(pid, number)| (pid, self.maps.get(number))).collect()
    }

    /// Returns the processes with a map, and the numbers of their maps.
    fn listed(&self) -> Vec<(Option<u32>, usize)> {
        let is_heir = |pid: u32| self.heirs.iter().any(|(child, _)| *child == pid);
        let own = self.maps.own().filter(|(pid, _)| !is_heir(*pid));
        let inherited = self.heirs.iter().copied().filter(|(_, number)| *number > 0);
        let of_one = own.chain(inherited).map(|(pid, number)| (Some(pid), number));
        std::iter::once((None, 0)).chain(of_one).collect()
    }

    /// Returns the source of the regions that the configuration does not list.
    pub(crate) fn map_source(&self) -> MapSource {
        self.maps.source()
    }

    /// Returns the number of mapped pages, by position in [`Self::maps`], area and leaf. `spaces` has the page
    /// tables of each process.
    pub(crate) fn pages_by_area(
        &self,
        tables: &PageTables,
        spaces: &BTreeMap<u32, u32>,
    ) -> BTreeMap<(usize, usize, Leaf), u64> {
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

    /// Returns the page size, the number of pages and the number of free pages of each pool of huge pages.
    pub(crate) fn pools(
        &self,
    ) -> impl Iterator<Item = (pagewalk_base::addr::PageSize, u64, u64)> + '_ {
        self.pools.list()
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        self.blocks.bytes_apart_from(other.map(|other| &other.blocks))
            + self.owners.bytes_apart_from(other.map(|other| &other.owners))
    }
}
