//! Prefetches of TLB entries: the machine walks to a page before an access needs it.
//!
//! ```text
//! access ─▶ translated ─▶ the predictor learns ─▶ addresses of pages
//!                              in the TLB or the buffer already ─▶ nothing
//!                              not mapped ────────────────────────▶ counted, no walk
//!                              else ─▶ walk ─▶ fill the buffer, or level 2
//! ```
//!
//! Such a walk is counted apart, and costs the access no cycles. It never faults. Loads and stores teach the
//! prefetcher; fetches and prefetches of the program do not. The buffer is looked up after level 2, at no further
//! cost. An entry that is used leaves the buffer and fills both levels.

use crate::caches::tlb::{Entries, Index, PREFETCHED, Placed, geometry};
use crate::caches::tlb_prefetch::{Predictor, PrefetchInto, Seen, TlbPrefetchConfig};
use crate::machine::probe::{
    FillFact, Leaving, LeftFact, LookupFact, PrefetchFact, Probe, Translation,
};
use crate::machine::{Machine, Page};
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Kind};
use pagewalk_base::whole::IS_WHOLE;

/// The prefetcher of one core.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prefetcher {
    predictor: Predictor,
    pub(crate) buffer: Option<Entries>,
    /// The first addresses of the pages with which the current access missed level 2.
    missed: Vec<u64>,
    /// The address of the last fetch: the instruction of accesses that do not name one.
    fetched: Option<u64>,
}

impl Prefetcher {
    /// # Errors
    /// `bad-config` at the shape of the buffer.
    pub(crate) fn new(config: &TlbPrefetchConfig, seed: u64) -> Result<Self> {
        let buffer = config.buffer().map(|shape| {
            let geometry = geometry(shape.entries, shape.ways, shape.replacement)?;
            Ok(Entries::new(geometry, shape.replacement, &Index::LowBits, seed))
        });
        Ok(Self {
            predictor: Predictor::new(config),
            buffer: buffer.transpose()?,
            missed: Vec::new(),
            fetched: None,
        })
    }
}

impl Machine {
    /// Records that a load or store missed level 2.
    pub(crate) fn note_l2_miss(&mut self, page: &Page, address: u64) {
        let first = self.first_of(address, page.leaf);
        if IS_WHOLE
            && let Some(prefetcher) = &mut self.structures.prefetcher
            && matches!(page.kind, Kind::Load | Kind::Store)
        {
            prefetcher.missed.push(first);
        }
    }

    /// Returns the first address of the page that holds `address`.
    fn first_of(&self, address: u64, leaf: Leaf) -> u64 {
        address >> self.plan.shift[leaf] << self.plan.shift[leaf]
    }

    /// Takes the entry of a page out of the prefetch buffer. Returns whether the page is known to be dirty.
    pub(crate) fn take_from_buffer<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        if page.kind == Kind::Fetch {
            return None;
        }
        let structure = self.plan.buffer_id();
        let buffer = self.structures.buffer_mut()?;
        let (number, leaf, tag) = (page.key.number, page.leaf, page.key.tag);
        let set = buffer.set_of(number);
        let found = buffer.take(page.key);
        let way = found.as_ref().map(|(slot, _)| slot.way);
        probe.tlb_lookup(&LookupFact { structure, number, leaf, set, way });
        let (slot, mut entry) = found?;
        let (first_store, dirty) = entry.hit(done.index, page.kind == Kind::Store);
        probe.left(&LeftFact { structure, slot, tag, entry, why: Leaving::Used });
        probe.prefetched(&PrefetchFact::Useful);
        if first_store {
            self.first_store(page, done);
        }
        Some(dirty)
    }

    /// Records the use of a prefetched entry of level 2 that has hit.
    pub(crate) fn use_prefetched<P: Probe>(&mut self, page: &Page, probe: &mut P) {
        if self.plan.prefetches_into() != Some(PrefetchInto::L2) {
            return;
        }
        for target in self.plan.l2[page.kind.index()][page.leaf].get() {
            let key = page.key_in(*target, &self.plan);
            let entries = &mut self.structures.l2[usize::from(target.array)].entries;
            if let Some(entry) = entries.known(key)
                && entry.is_prefetched()
            {
                entry.clear_prefetched();
                probe.prefetched(&PrefetchFact::Useful);
            }
        }
    }

    /// Lets the prefetcher learn from an access that is done, and executes its prefetches.
    pub(crate) fn prefetch_translations<P: Probe>(
        &mut self,
        index: u32,
        access: &Access,
        leaf: Leaf,
        probe: &mut P,
    ) {
        let page_bits = self.plan.shift[leaf];
        let page = self.first_of(access.address, leaf);
        let Some(prefetcher) = self.structures.prefetcher.as_deref_mut() else { return };
        let missed = std::mem::take(&mut prefetcher.missed);
        match access.kind {
            Kind::Fetch => prefetcher.fetched = Some(access.address),
            Kind::Load | Kind::Store => {
                let ip = access.ip.or(prefetcher.fetched);
                let predictor = &mut prefetcher.predictor;
                let mut pages =
                    predictor.learn(Seen::Access { page, page_bits, address: access.address });
                for page in missed {
                    if predictor.needs_ip() && ip.is_none() {
                        probe.prefetched(&PrefetchFact::WithoutIp);
                    }
                    pages.extend(predictor.learn(Seen::Miss { page, ip }));
                }
                for address in pages {
                    self.prefetch_translation(index, address, access.address, probe);
                }
            }
            Kind::Prefetch => {}
        }
    }

    /// Prefetches the translation of a page, unless the core has it. The page must be in the half of the address
    /// space that the access was to.
    fn prefetch_translation<P: Probe>(
        &mut self,
        index: u32,
        address: u64,
        from: u64,
        probe: &mut P,
    ) {
        let is_apart = self.is_upper(address) != self.is_upper(from);
        if is_apart || !self.plan.rule.accepts(address) || self.failure.is_some() {
            return;
        }
        let page = self.page_of(Kind::Prefetch, address);
        if self.is_cached(&page) {
            return;
        }
        if !self.may_prefetch(&page, address, probe) {
            probe.prefetched(&PrefetchFact::Unmapped);
            return;
        }
        let has_place = self.structures.buffer().is_some() || self.l2_target(&page).is_some();
        if !has_place {
            return;
        }
        let mut done = Translation::new(index, Kind::Prefetch, address, page.leaf);
        let Some(dirty) = self.walk_or_drop_prefetch(&page, &mut done, probe) else { return };
        self.fill_prefetched(page, (index, u32::from(dirty) | PREFETCHED), probe);
        probe.prefetched(&PrefetchFact::Issued(done));
    }

    /// Returns whether a walk to the page would neither fault nor leave the guest.
    fn may_prefetch<P: Probe>(&mut self, page: &Page, address: u64, probe: &mut P) -> bool {
        if self.os.checks_rights() {
            self.remove_unheld_rights([page.va; 2]);
        }
        let access = Access::new(Kind::Prefetch, address, 1);
        self.is_walkable(page.va)
            && (!self.checks_permissions() || self.is_permitted(&access, probe))
    }

    /// Returns whether the buffer, or an array that serves loads, holds the page. A policy records no use.
    fn is_cached(&mut self, page: &Page) -> bool {
        let kind = page.kind.index();
        let run = self.run_of(page);
        let structures = &mut self.structures;
        let levels = [
            (&mut structures.l1, &self.plan.l1, &self.plan.l1_runs),
            (&mut structures.l2, &self.plan.l2, &self.plan.l2_runs),
        ];
        for (arrays, pages, runs) in levels {
            let single = pages[kind][page.leaf].get().iter().map(|target| (page, target));
            let runs = runs[kind][page.leaf].get().iter();
            let runs = run.iter().flat_map(|run| runs.clone().map(move |target| (run, target)));
            for (page, target) in single.chain(runs) {
                let key = page.key_in(*target, &self.plan);
                if arrays[usize::from(target.array)].entries.known(key).is_some() {
                    return true;
                }
            }
        }
        structures.buffer_mut().is_some_and(|buffer| buffer.known(page.key).is_some())
    }

    fn fill_prefetched<P: Probe>(&mut self, page: Page, fill: (u32, u32), probe: &mut P) {
        let structure = self.plan.buffer_id();
        if let Some(buffer) = self.structures.buffer_mut() {
            let (number, leaf) = (page.key.number, page.leaf);
            let placed = buffer.fill(page.key, fill.0, fill.1);
            probe.fill(&FillFact { structure, number, leaf, placed });
            note_useless(&placed, probe);
            return;
        }
        let page = self.coalesce(page);
        if let Some(target) = self.l2_target(&page) {
            self.place_l2(target, &page, fill, probe);
        }
    }
}

/// Reports a prefetched translation that a fill evicted before any access used it.
#[inline]
pub(crate) fn note_useless<P: Probe>(placed: &Placed, probe: &mut P) {
    if IS_WHOLE && placed.evicted().is_some_and(|(_, entry)| entry.is_prefetched()) {
        probe.prefetched(&PrefetchFact::Useless);
    }
}
