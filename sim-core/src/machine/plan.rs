//! A checked configuration as tables that the machine reads at every access.
//!
//! A plan never changes while a machine runs.

use std::rc::Rc;

use crate::caches::psc::{self, PscConfig};
use crate::caches::tlb::{TagLayout, TlbArray};
use crate::caches::tlb_prefetch::PrefetchInto;
use crate::caches::virt::VirtStyle;
use crate::config::{Inclusion, MachineConfig};
use crate::machine::structures::StructureId;
use crate::os::Virt;
use crate::page_table::EcptConfig;
use pagewalk_base::addr::{AddressRule, Leaf, Level, Paging, PerLeaf};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;
use pagewalk_base::whole::IS_WHOLE;

/// A TLB array to look up. The array stores the page at the page size of leaf `held`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Target {
    pub(crate) array: u8,
    pub(crate) held: Leaf,
}

/// Up to eight arrays, in file order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Targets {
    n: u8,
    items: [Target; crate::config::MAX_ARRAYS],
}

impl Targets {
    #[inline]
    pub(crate) fn get(&self) -> &[Target] {
        &self.items[..usize::from(self.n)]
    }

    fn push(&mut self, target: Target) {
        self.items[usize::from(self.n)] = target;
        self.n += 1;
    }
}

/// The arrays by kind of access, then by leaf.
pub(crate) type ByPage = [PerLeaf<Targets>; 4];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) config: MachineConfig,
    pub(crate) paging: Rc<Paging>,
    pub(crate) root_level: Level,
    pub(crate) va_mask: u64,
    /// The rule for the addresses that the machine translates.
    pub(crate) rule: AddressRule,
    /// The page shift of each leaf. If the leaf is a single entry, it is also the lowest index bit of its table.
    pub(crate) shift: PerLeaf<u32>,
    /// The level of the entries that map such a page.
    pub(crate) entry_level: PerLeaf<Level>,
    pub(crate) tags: TagLayout,
    /// The arrays of level 1 and level 2 that can hold the page. Level 1 fills the first. Level 2 takes turns
    /// (`fill_l2`).
    pub(crate) l1: ByPage,
    pub(crate) l2: ByPage,
    /// The leaf of the coalesced run that pages of a leaf may join, or `None` if they are not coalesced.
    pub(crate) coalesced: PerLeaf<Option<Leaf>>,
    /// For each kind and leaf: the arrays of each level that hold a coalesced run in one entry.
    pub(crate) l1_runs: ByPage,
    pub(crate) l2_runs: ByPage,
    /// For each kind and leaf: the one array that holds the page in one entry, or [`NO_SINGLE`].
    pub(crate) only_l1: [PerLeaf<u8>; 4],
    pub(crate) only_l2: [PerLeaf<u8>; 4],
    /// For each kind and leaf: log2 of the bytes that one entry covers in the array that a miss fills. An access
    /// that crosses such a boundary needs a second translation.
    pub(crate) reach: [PerLeaf<u32>; 4],
    pub(crate) psc: psc::Layout,
    pub(crate) inclusion: Inclusion,
    /// Whether a fill may be something else than one entry in any way of one array of each level.
    pub(crate) special_fills: bool,
    /// For each kind: whether a level-1 array serves it.
    pub(crate) has_l1: [bool; 4],
    /// For each kind: the cycles of a level-2 hit, and of a level-2 miss before its walk.
    pub(crate) l2_hit: [u64; 4],
    pub(crate) l2_miss: [u64; 4],
    pub(crate) walk_overhead: u64,
    pub(crate) n_l1: usize,
    pub(crate) n_l2: usize,
    pub(crate) virt: Virt,
    /// Whether the processor has no VPIDs, so that each exit drops all entries.
    pub(crate) untagged: bool,
    /// The place of prefetched translations, if the machine prefetches them.
    prefetches_into: Option<PrefetchInto>,
    /// The level-2 array that holds the entries of the nested TLB, if walks are nested and one does.
    nested_in: Option<u8>,
    /// Whether work may follow an access: exits without VPIDs, or prefetches.
    pub(crate) has_aftermath: bool,
}

impl Plan {
    /// Computes the tables.
    ///
    /// # Errors
    /// `bad-config` with the field.
    pub(crate) fn new(
        config: &MachineConfig,
        virt: Virt,
        l1: &[TlbArray],
        l2: &[TlbArray],
    ) -> Result<Self> {
        let paging = config.geometry()?;
        let names: Vec<&str> = config.l2.iter().map(|array| array.name.as_str()).collect();
        let mut shift = PerLeaf::default();
        let mut entry_level = PerLeaf::default();
        for leaf in paging.levels().map(Leaf::of).chain(paging.held_leaves()) {
            shift[leaf] = paging.shift(leaf);
            entry_level[leaf] = paging.entry_level(leaf);
        }
        let has_l1 = Kind::ALL.map(|kind| l1.iter().any(|array| array.serves(kind)));
        let l2_cycles = Kind::ALL.map(|kind| config.l2_cycles(kind));
        let psc = match config.ecpt {
            Some(ecpt) => psc::Layout::of_sections(ecpt.cwc_entries()),
            None => config.psc.layout(&names).map_err(|e| e.within("psc"))?,
        };
        // AMD's nested walks have a page walk cache instead.
        let combined = config.virt.as_ref().is_none_or(|virt| virt.style() == VirtStyle::Combined);
        let has_pwc = virt == Virt::Ept && !combined;
        let (l1_pages, l2_pages) = (by_page(l1, &paging), by_page(l2, &paging));
        let has_groups = l1.iter().chain(l2).any(TlbArray::has_groups);
        let coalesces = !config.coalescing.is_empty();
        let run_of = PerLeaf::new(|leaf| paging.coalesced(leaf.level()?));
        let (l1_runs, l2_runs) = (runs(&l1_pages, &run_of), runs(&l2_pages, &run_of));
        let untagged =
            virt != Virt::Native && config.virt.as_ref().is_some_and(|v| v.vpid == Some(false));
        let prefetches_into = config.tlb_prefetch.map(|prefetch| prefetch.into);
        let own_tags = TagLayout::new(&paging);
        let (tags, nested_in) = match config.virt.as_ref().filter(|_| virt == Virt::Ept) {
            Some(of_host) if IS_WHOLE && of_host.nested_in_array().is_some() => {
                let array = of_host.nested_array(&names).map_err(|e| e.within("virt"))?;
                let host = of_host.host_paging(&paging).map_err(|e| e.within("virt"))?;
                (own_tags.with_host(&host), array)
            }
            _ => (own_tags, None),
        };
        Ok(Self {
            root_level: paging.root_level(),
            va_mask: paging.va_mask(),
            rule: paging.rule(),
            shift,
            entry_level,
            tags,
            only_l1: only(&l1_pages, &l1_runs),
            only_l2: only(&l2_pages, &l2_runs),
            coalesced: run_of,
            l1_runs,
            l2_runs,
            reach: reach(&l1_pages, &l2_pages, &shift),
            l1: l1_pages,
            l2: l2_pages,
            has_l1,
            inclusion: config.inclusion,
            special_fills: coalesces
                || has_groups
                || config.inclusion == Inclusion::Exclusive
                || prefetches_into.is_some()
                || config.victima.is_some(),
            psc: if has_pwc { PscConfig::default().layout(&names)? } else { psc },
            untagged,
            prefetches_into,
            nested_in,
            has_aftermath: untagged || prefetches_into.is_some(),
            virt,
            l2_hit: l2_cycles.map(|cycles| cycles.hit),
            l2_miss: l2_cycles.map(|cycles| cycles.miss),
            walk_overhead: u64::from(config.latency.walk_overhead)
                + config.ecpt.map_or(0, EcptConfig::cycles),
            n_l1: l1.len(),
            n_l2: l2.len(),
            paging: Rc::new(paging),
            config: config.clone(),
        })
    }

    /// Returns whether one level-1 array holds a page, in an entry of its own or in that of a coalesced run.
    pub(crate) fn is_in_one_l1(&self, kind: Kind, leaf: Leaf) -> bool {
        let (pages, runs) = (&self.l1[kind.index()][leaf], &self.l1_runs[kind.index()][leaf]);
        let [target] = pages.get() else { return false };
        target.held == leaf && runs.get().iter().all(|run| run.array == target.array)
    }

    /// Returns whether no level-1 array serves both loads and stores. Then their order among each other does not matter to
    /// level 1.
    pub(crate) fn serves_stores_apart(&self) -> bool {
        let [loads, stores] = [Kind::Load, Kind::Store].map(|kind| &self.l1[kind.index()]);
        let targets = Leaf::all().flat_map(|leaf| loads[leaf].get());
        let mut of_loads = targets.map(|target| target.array);
        of_loads.all(|array| {
            let mut of_stores = Leaf::all().flat_map(|leaf| stores[leaf].get());
            of_stores.all(|target| target.array != array)
        })
    }

    /// Returns whether a host maps the tables and the data. Then a TLB entry may be smaller than its page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn is_virtual(&self) -> bool {
        self.virt != Virt::Native
    }

    /// Returns whether the accesses themselves go through the memory caches.
    pub(crate) fn caches_data(&self) -> bool {
        self.config.memory.data && !self.config.memory.caches.is_empty()
    }

    /// Returns the lowest address bit of a tag's number, and whether the tag is of a table entry.
    pub(crate) fn key_shift(&self, tag: u64) -> (u8, bool) {
        let class = self.tags.class(tag);
        let shift = self.shift[class.number_leaf()];
        (u8::try_from(shift).expect("below 64"), class.is_table())
    }

    /// Returns the id of an array of level 2.
    #[inline]
    pub(crate) fn l2_id(&self, array: u8) -> StructureId {
        StructureId(self.n_l1 + usize::from(array))
    }

    /// Returns the id of a paging-structure cache.
    #[inline]
    pub(crate) fn psc_id(&self, row: u8) -> StructureId {
        StructureId(self.n_l1 + self.n_l2 + usize::from(row))
    }

    /// Returns the id after the last structure of a core without a host: the first of the host's caches.
    pub(crate) fn host_id(&self) -> StructureId {
        let has_buffer = self.prefetches_into() == Some(PrefetchInto::Buffer);
        self.buffer_id().plus(usize::from(has_buffer))
    }

    /// Returns the place of prefetched translations, if the machine prefetches them.
    #[inline]
    pub(crate) fn prefetches_into(&self) -> Option<PrefetchInto> {
        if IS_WHOLE { self.prefetches_into } else { None }
    }

    /// Returns the level-2 array that holds the entries of the nested TLB, if walks are nested and one does.
    #[inline]
    pub(crate) fn nested_in(&self) -> Option<u8> {
        if IS_WHOLE { self.nested_in } else { None }
    }

    /// Returns the array that holds the entries of a structure, if they are in an array of level 2.
    pub(crate) fn inside(&self, id: StructureId) -> Option<StructureId> {
        let row = id.index().checked_sub(self.psc_id(0).index());
        let walk_cache = row.and_then(|row| self.psc.caches.get(row)?.inside);
        let nested = self.nested_in().filter(|_| id == self.host_id());
        walk_cache.or(nested).map(|array| self.l2_id(array))
    }

    /// Returns the id of the prefetch buffer, if the machine has one.
    pub(crate) fn buffer_id(&self) -> StructureId {
        self.psc_id(0).plus(self.psc.caches.len())
    }
}

/// The number in [`Plan::only_l1`] if there is no single array: no array or several arrays hold the page, or one
/// holds only a part of it in an entry.
pub(crate) const NO_SINGLE: u8 = u8::MAX;

fn only(pages: &ByPage, runs: &ByPage) -> [PerLeaf<u8>; 4] {
    let mut only = [PerLeaf::new(|_| NO_SINGLE); 4];
    for (only, (pages, runs)) in only.iter_mut().zip(pages.iter().zip(runs)) {
        for leaf in Leaf::all() {
            match (pages[leaf].get(), runs[leaf].get()) {
                ([target], []) if target.held == leaf => only[leaf] = target.array,
                _ => {}
            }
        }
    }
    only
}

/// Returns for each kind and leaf the arrays that hold the run of such pages whole.
fn runs(pages: &ByPage, run_of: &PerLeaf<Option<Leaf>>) -> ByPage {
    let mut found = ByPage::default();
    for (found, pages) in found.iter_mut().zip(pages) {
        for (leaf, run) in run_of.iter().filter_map(|(leaf, run)| Some((leaf, (*run)?))) {
            let whole = pages[run].get().iter().filter(|t| t.held == run);
            whole.for_each(|target| found[leaf].push(*target));
        }
    }
    found
}

fn reach(l1: &ByPage, l2: &ByPage, shift: &PerLeaf<u32>) -> [PerLeaf<u32>; 4] {
    let mut reach = [*shift; 4];
    for (kind, reach) in reach.iter_mut().enumerate() {
        for leaf in Leaf::all() {
            let first = l1[kind][leaf].get().first().or(l2[kind][leaf].get().first());
            if let Some(target) = first {
                reach[leaf] = shift[target.held];
            }
        }
    }
    reach
}

fn by_page(arrays: &[TlbArray], paging: &Paging) -> ByPage {
    let mut found = ByPage::default();
    for kind in Kind::ALL {
        for leaf in paging.held_leaves() {
            for (number, array) in arrays.iter().enumerate() {
                if let (true, Some(held)) = (array.serves(kind), array.held_at(leaf)) {
                    let array = u8::try_from(number).expect("at most 8 arrays a level");
                    found[kind.index()][leaf].push(Target { array, held });
                }
            }
        }
    }
    found
}
