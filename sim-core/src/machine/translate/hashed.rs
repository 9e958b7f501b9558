//! The walk of hashed page tables. The walk caches say which lines may hold the page; the walk reads all of them at the
//! same time.

use crate::caches::memory::Served;
use crate::caches::psc::Place;
use crate::caches::tlb::Key;
use crate::machine::probe::{
    FillFact, FlagFact, HashedFact, HashedWalk, LineFact, LookupFact, Outcome, Probe,
    ReferenceFact, RefusedLinesFact, Translation,
};
use crate::machine::{Machine, Page};
use crate::page_table::hashed::N_SIZES;
use crate::page_table::{ACCESSED, DIRTY, EcptConfig, Spot};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Kind;

/// The levels of radix trees below which an entry of a walk cache lies: 1G for sections of 2M pages, 512G for
/// sections of 1G pages.
const CACHED: [u8; 2] = [2, 3];

impl Machine {
    /// Walks to a page in hashed tables. The operating system maps a missing page first; the failed attempt takes no
    /// cycles. Returns whether the page is dirty. If memory is used up, the machine fails, and the result is `None`.
    #[inline(never)]
    pub(crate) fn walk_hashed(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut dyn Probe,
    ) -> Option<bool> {
        // One copy of the code serves all observers.
        let probe = &mut { probe };
        let store = page.kind == Kind::Store;
        done.outcome = Outcome::Walk;
        if self.tables.leaf(self.space, page.va, page.leaf).is_none() {
            done.outcome = Outcome::Fault;
            if let Err(error) = self.map_page(page.va, page.leaf, store) {
                self.fail(error);
                return None;
            }
            probe.fault(self.os.cause_of(page.va, store));
        }
        let known = CACHED.map(|level| self.look_up_section(page, Level::new(level), done, probe));
        let spots = self.tables.hashed()?.spots((self.space, page.va), known);
        self.read_lines_at_once(&spots, done, probe);
        for (level, known) in CACHED.into_iter().zip(known) {
            if !known {
                self.fill_section(page, Level::new(level), done.index, probe);
            }
        }
        self.finish_hashed(page, &spots, done, probe)
    }

    /// Ends a walk at the entry of the page: sets its flags. Returns whether the page is dirty.
    fn finish_hashed<P: Probe>(
        &mut self,
        page: &Page,
        spots: &[Spot],
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let found = self.tables.leaf(self.space, page.va, page.leaf);
        let Some((table, at)) = found.filter(|_| spots.iter().any(|spot| spot.hit)) else {
            let full = self.tables.hashed()?.check();
            let lost = || Error::new(ErrorCode::Unsupported, "no line holds a mapped page");
            self.fail(full.err().unwrap_or_else(lost));
            return None;
        };
        let entry = self.tables.read(table, at);
        let store = page.kind == Kind::Store;
        let wanted = if store { ACCESSED | DIRTY } else { ACCESSED };
        if entry & wanted != wanted {
            self.tables.set_page_flags(table, at, page.leaf, wanted);
            done.ad_updates += (!entry & wanted).count_ones();
            let level = self.plan.entry_level[page.leaf];
            probe.flagged(&FlagFact { host: false, level, was: entry });
        }
        Some(store || entry & DIRTY != 0)
    }

    /// Reads lines at the same time. The walk takes the time of the slowest read, or of the read that finds the page.
    fn read_lines_at_once<P: Probe>(
        &mut self,
        spots: &[Spot],
        done: &mut Translation,
        probe: &mut P,
    ) {
        let kind = done.kind;
        let lines: Vec<LineFact> = spots
            .iter()
            .map(|spot| {
                let Served { server, cycles } = self.memory.read(spot.address);
                let read = ReferenceFact { kind, level: spot.level, host: false, server, cycles };
                probe.reference(&read);
                LineFact { spot: *spot, server, cycles }
            })
            .collect();
        done.refs += small(lines.len());
        done.walk_cycles += self.plan.walk_overhead;
        let is_early = self.plan.config.ecpt.is_some_and(EcptConfig::is_early);
        // Without a line of the page, the walk waits for all.
        let hit = lines.iter().position(|line| line.spot.hit).filter(|_| is_early);
        let slowest = (0..lines.len()).rev().max_by_key(|at| lines[*at].cycles);
        let last = hit.or(slowest).unwrap_or(0);
        done.walk_cycles += lines.get(last).map_or(0, |line| line.cycles);
        let sort = self.sort_of(spots);
        probe.hashed_walk(&HashedFact { kind, sort, lines, last });
    }

    /// Reports the lines that a walk to an address reads now. The machine stays as it is.
    pub(crate) fn report_refused_lines(&self, address: u64, probe: &mut dyn Probe) {
        let Some(hashed) = self.tables.hashed() else { return };
        let va = address & self.plan.va_mask;
        let mut caches = Vec::new();
        let known = CACHED.map(|level| {
            let level = Level::new(level);
            let Place::Own(row) = self.plan.psc.places[level] else { return false };
            let number = va >> self.plan.shift[Leaf::of(level.above())];
            let key = Key::new(number, self.table_class[level]);
            let row = usize::from(row);
            let is_held = self.structures.psc[row].holds(key);
            caches.extend(is_held.then(|| self.plan.psc.caches[row].name));
            is_held
        });
        let spots = hashed.spots((self.space, va), known);
        probe.refused_lines(RefusedLinesFact { sort: self.sort_of(&spots), spots, caches });
    }

    fn sort_of(&self, spots: &[Spot]) -> HashedWalk {
        let n_ways = self.tables.hashed().map_or(0, |hashed| hashed.n_ways() as usize);
        let is_one_table = spots.iter().all(|spot| spot.level == spots[0].level);
        match spots.len() {
            1 => HashedWalk::Direct,
            n if n == n_ways && is_one_table => HashedWalk::Size,
            n if n == n_ways * usize::from(N_SIZES) => HashedWalk::Complete,
            _ => HashedWalk::Partial,
        }
    }

    /// Looks up the headers of the sections around a page in a walk cache. Returns whether the cache holds them.
    fn look_up_section<P: Probe>(
        &mut self,
        page: &Page,
        level: Level,
        done: &Translation,
        probe: &mut P,
    ) -> bool {
        let Place::Own(row) = self.plan.psc.places[level] else { return false };
        let key = self.prefix(page, level);
        let entries = &mut self.structures.psc[usize::from(row)];
        let (number, set) = (key.number, entries.set_of(key.number));
        let found = entries.lookup(key).map(|(way, entry)| {
            entry.add_hits(1);
            entry.set_used_at(done.index);
            way
        });
        let (structure, leaf) = (self.plan.psc_id(row), Leaf::of(level.above()));
        probe.psc_lookup(&LookupFact { structure, number, leaf, set, way: found });
        found.is_some()
    }

    /// Fills a walk cache with the headers of the sections around a page.
    fn fill_section<P: Probe>(&mut self, page: &Page, level: Level, index: u32, probe: &mut P) {
        let Place::Own(row) = self.plan.psc.places[level] else { return };
        let key = self.prefix(page, level);
        let placed = self.structures.psc[usize::from(row)].fill(key, index, 0);
        let (structure, leaf) = (self.plan.psc_id(row), Leaf::of(level.above()));
        probe.fill(&FillFact { structure, number: key.number, leaf, placed });
    }
}
