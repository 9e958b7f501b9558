//! The page walk. The paging-structure caches decide where it starts. The walk reads one entry of each level, and
//! fills these caches.

use crate::caches::psc::Place;
use crate::caches::tlb::{Entry, Key, Slot};
use crate::config::Inclusion;
use crate::machine::host::nested::{GuestTable, Host, Native, Nested, Walking, read};
use crate::machine::probe::{FillFact, FlagFact, LookupFact, Outcome, Probe, Translation};
use crate::machine::translate::prefetch::note_useless;
use crate::machine::{Machine, Page};
use crate::page_table::{ACCESSED, DIRTY, PRESENT, Table};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// The result of looking up the paging-structure caches before the walk. A batch does so for many walks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Start {
    /// The level of the table that the walk starts at.
    pub(crate) level: Level,
    /// The level of the entry that ends the walk.
    pub(crate) lowest: Level,
    /// For each cache, by the level of the tables that its entries lead to: the way that hit or was filled.
    pub(crate) ways: [u16; 4],
}

impl Machine {
    /// Walks to a page, from the deepest table that a paging-structure cache holds. With `start`, a batch has
    /// already looked up the caches and reserved their ways. Then the walk only writes into each reserved entry the
    /// table that it leads to. Returns whether the page is dirty. If memory is used up, the machine fails, and the
    /// result is `None`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn walk<P: Probe>(
        &mut self,
        start: Option<Start>,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        done.l2_miss_cycles = self.plan.l2_miss[page.kind.index()];
        if self.tables.hashed().is_some() {
            let dirty = self.walk_hashed(page, done, probe)?;
            if self.os.counts_walks() {
                self.os.walked(self.space, page.va);
            }
            return Some(dirty);
        }
        // The host is moved out of the machine, so that the walk can borrow both. Until the walk ends, `self.nested`
        // is `None`.
        let dirty = match self.nested.take() {
            None => self.walk_native(page, start, done, probe),
            Some(host) => self.walk_nested(host, page, start, done, probe),
        }?;
        if self.os.counts_walks() {
            self.os.walked(self.space, page.va);
        }
        Some(dirty)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn walk_native<P: Probe>(
        &mut self,
        page: &Page,
        start: Option<Start>,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        self.walk_in(&mut Native { just_mapped: false }, page, page.leaf, start, done, probe)
    }

    #[inline(never)]
    fn walk_nested<P: Probe>(
        &mut self,
        mut host: Box<Nested>,
        page: &Page,
        start: Option<Start>,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        if host.shadow.is_some() {
            self.nested = Some(host);
            return self.walk_shadow(page, done, probe);
        }
        let leaf = self.os.leaf_of(self.space, page.va, true);
        let dirty = self.walk_in(&mut *host, page, leaf, start, done, probe);
        self.nested = Some(host);
        dirty
    }

    /// Walks tables that a host maps; [`Native`] is the host of a machine without virtualisation. `leaf` is the
    /// leaf of the page in these tables. The TLB may hold a smaller page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn walk_in<P: Probe, H: Host>(
        &mut self,
        host: &mut H,
        page: &Page,
        leaf: Leaf,
        start: Option<Start>,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let lowest = self.plan.entry_level[leaf];
        let (mut guest, mut table_address) = match start {
            None => self.look_up_psc(host, page, lowest, done, probe)?,
            Some(start) => self.begin(host, page, start, done, probe)?,
        };
        done.outcome = Outcome::Walk;
        if host.just_mapped() {
            done.outcome = Outcome::Fault;
            probe.fault(self.os.cause_of(page.va, page.kind == Kind::Store));
        }
        done.walk_cycles += self.plan.walk_overhead;
        let mut has_restarted = false;
        loop {
            let GuestTable { table, level, .. } = guest;
            let at = self.tables.index(page.va, level);
            let mut entry = self.tables.read(table, at);
            // A missing entry, or a leaf above the page's level: a stale walk cache may have led here.
            let is_unexpected =
                entry & PRESENT == 0 || level > lowest && !self.tables.leads_on(entry);
            if is_unexpected && !has_restarted && self.is_stale_table(page.va, table, level) {
                has_restarted = true;
                self.drop_faulted(page.va, probe);
                (guest, table_address) = self.begin_at_root(host, page.va, done, probe)?;
                continue;
            }
            if entry & PRESENT == 0 {
                // The walk continues after the fault. The failed attempt takes no extra cycles.
                done.outcome = Outcome::Fault;
                entry = self.map(page, leaf, level == lowest, (table, at), probe)?;
                probe.fault(self.os.cause_of(page.va, page.kind == Kind::Store));
            }
            let address = table_address + self.tables.offset_of(at);
            if !host.holds(address, level, level == lowest, &mut self.walking(done, probe)) {
                read(address, level, false, &mut self.walking(done, probe));
            }
            if level == lowest {
                let store = page.kind == Kind::Store;
                let wanted = if store { ACCESSED | DIRTY } else { ACCESSED };
                if entry & wanted != wanted {
                    self.tables.set_page_flags(table, at, leaf, wanted);
                    done.ad_updates += (!entry & wanted).count_ones();
                    probe.flagged(&FlagFact { host: false, level, was: entry });
                }
                let offset = page.va & ((1 << self.plan.shift[Leaf::of(lowest)]) - 1);
                let data = self.tables.frame(entry).byte(offset);
                let is_host_dirty = host.data(data, &mut self.walking(done, probe))?;
                return Some(is_host_dirty && (store || entry & DIRTY != 0));
            }
            if entry & ACCESSED == 0 {
                self.tables.set_flags(table, at, ACCESSED);
                done.ad_updates += 1;
                probe.flagged(&FlagFact { host: false, level, was: entry });
            }
            guest = self.guest_table(self.tables.next(entry), level.below());
            table_address = host.table(guest, &mut self.walking(done, probe))?;
            match start {
                None => self.fill_psc(page, done.index, level.below(), guest.table, probe),
                Some(start) => {
                    if let Some(entry) = self.psc_entry(page, start, level.below()) {
                        entry.set_data(guest.table.0);
                    }
                }
            }
        }
    }

    /// Returns the table where a walk starts, from lookups made before.
    #[cfg_attr(feature = "fast", inline(always))]
    fn begin<P: Probe, H: Host>(
        &mut self,
        host: &mut H,
        page: &Page,
        start: Start,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<(GuestTable, u64)> {
        let known = match start.level {
            root if root == self.plan.root_level => None,
            level => self.psc_entry(page, start, level),
        };
        let Some(entry) = known else { return self.begin_at_root(host, page.va, done, probe) };
        let table = Table(entry.data());
        let guest = self.guest_table(table, start.level);
        Some((guest, host.home(guest)))
    }

    /// Returns the paging-structure cache entry of a walk that leads to a table of `level`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn psc_entry(&mut self, page: &Page, start: Start, level: Level) -> Option<&mut Entry> {
        let Place::Own(row) = self.plan.psc.places[level] else { return None };
        let entries = &mut self.structures.psc[usize::from(row)];
        let number = page.va >> self.plan.shift[Leaf::of(level.above())];
        let set = small(entries.set_of(number));
        let way = u32::from(start.ways[usize::from(level.number()) % 4]);
        Some(entries.entry(Slot { set, way }))
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn walking<'a, P>(&'a mut self, done: &'a mut Translation, probe: &'a mut P) -> Walking<'a, P> {
        let Self { plan, structures, memory, failure, .. } = self;
        Walking { plan, structures, memory, done, probe, failure }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn guest_table(&self, table: Table, level: Level) -> GuestTable {
        GuestTable { table, level, address: self.tables.address(table) }
    }

    /// Returns whether a table no longer maps an address: a paging-structure cache without a shootdown led the
    /// walk there. The page fault drops the entries of the address, and the walk starts again at the root.
    fn is_stale_table(&self, address: u64, table: Table, level: Level) -> bool {
        self.tables.table_at(self.space, address, level) != Some(table)
    }

    /// Lets the operating system map a page at first touch, and reads the new entry.
    #[inline(never)]
    fn map(
        &mut self,
        page: &Page,
        leaf: Leaf,
        lowest: bool,
        (table, at): (Table, usize),
        probe: &mut dyn Probe,
    ) -> Option<u64> {
        let store = page.kind == Kind::Store;
        self.record_writes(probe);
        let mapped = if lowest {
            let whose = (self.space, page.va);
            self.os.map_entry(&mut self.tables, whose, (table, at), leaf, 0).map(|is_new| {
                if self.os.checks_rights() {
                    self.os.apply_verdict(
                        &mut self.tables,
                        self.space,
                        page.va,
                        (leaf, is_new),
                        store,
                    );
                }
            })
        } else {
            self.map_page(page.va, leaf, store)
        };
        self.report_writes(probe);
        match mapped {
            Ok(()) => Some(self.tables.read(table, at)),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Looks up the paging-structure caches, deepest first. The first hit decides where the walk starts.
    #[cfg_attr(feature = "fast", inline(always))]
    fn look_up_psc<P: Probe, H: Host>(
        &mut self,
        host: &mut H,
        page: &Page,
        lowest: Level,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<(GuestTable, u64)> {
        for level in lowest.until(self.plan.root_level) {
            let key = self.prefix(page, level);
            let (entries, row) = match self.plan.psc.places[level] {
                Place::Nowhere => continue,
                Place::Own(row) => (&mut self.structures.psc[usize::from(row)], row),
                Place::InL2 { array, row } => {
                    (&mut self.structures.l2[usize::from(array)].entries, row)
                }
            };
            let number = key.number;
            let set = entries.set_of(number);
            let structure = self.plan.psc_id(row);
            let found = entries.lookup(key);
            let way = found.as_ref().map(|(way, _)| *way);
            probe.psc_lookup(&LookupFact {
                structure,
                number,
                leaf: Leaf::of(level.above()),
                set,
                way,
            });
            if let Some((_, entry)) = found {
                entry.add_hits(1);
                entry.set_used_at(done.index);
                let table = Table(entry.data());
                let guest = self.guest_table(table, level);
                // Walk caches hold host addresses of guest tables (combined mappings), so `home` needs no lookup.
                return Some((guest, host.home(guest)));
            }
        }
        self.begin_at_root(host, page.va, done, probe)
    }

    /// Starts a walk at the root table.
    #[cfg_attr(feature = "fast", inline(always))]
    fn begin_at_root<P: Probe, H: Host>(
        &mut self,
        host: &mut H,
        va: u64,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<(GuestTable, u64)> {
        match self.tables.root(self.space, va) {
            Ok(root) => {
                let guest = self.guest_table(root, self.plan.root_level);
                Some((guest, host.table(guest, &mut self.walking(done, probe))?))
            }
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Fills the cache of entries that lead to tables of `level`. The facts have the level of the entry, one higher.
    #[cfg_attr(feature = "fast", inline(always))]
    fn fill_psc<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        level: Level,
        table: Table,
        probe: &mut P,
    ) {
        let key = self.prefix(page, level);
        let (entries, structure) = match self.plan.psc.places[level] {
            Place::Nowhere => return,
            Place::Own(row) => (&mut self.structures.psc[usize::from(row)], self.plan.psc_id(row)),
            Place::InL2 { array, .. } => {
                (&mut self.structures.l2[usize::from(array)].entries, self.plan.l2_id(array))
            }
        };
        let placed = entries.fill(key, index, table.0);
        let number = key.number;
        probe.fill(&FillFact { structure, number, leaf: Leaf::of(level.above()), placed });
        if let Place::InL2 { array, .. } = self.plan.psc.places[level]
            && let Some((tag, _)) = placed.evicted()
        {
            note_useless(&placed, probe);
            if self.plan.inclusion == Inclusion::Inclusive {
                self.structures.back_invalidate(&self.plan, array, tag, probe);
            }
        }
    }

    /// Returns the key of the entry that leads to the table of `level`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefix(&self, page: &Page, level: Level) -> Key {
        let number = page.va >> self.plan.shift[Leaf::of(level.above())];
        Key::new(number, self.table_class[level])
    }
}
