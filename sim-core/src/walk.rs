//! The page walk: where it starts, what it reads, what the paging-structure caches remember of it.

use crate::machine::{Machine, Page};
use crate::page_table::{ACCESSED, DIRTY, PRESENT, Table};
use crate::probe::{FillFact, LookupFact, Outcome, Probe, ReferenceFact, Translation};
use crate::psc::Place;
use crate::trace::Kind;

impl Machine {
    /// Walks the tables of a page, from the deepest table that a paging-structure cache
    /// knows. Tells whether the page is dirty; `None` if memory is used up: the machine has failed then.
    #[inline(always)]
    pub(crate) fn walk<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let (mut table, mut level) = self.start_of_walk(page, done.index, probe)?;
        done.outcome = Outcome::Walk;
        done.walk_cycles = self.plan.walk_overhead;
        loop {
            let at = self.tables.index(page.va, level);
            let mut entry = self.tables.read(table, at);
            if entry & PRESENT == 0 {
                done.outcome = Outcome::Fault;
                entry = self.map(page, level, table, at)?;
            }
            let served = self.memory.read(self.tables.entry_address(table, at));
            done.refs += 1;
            done.walk_cycles += served.cycles;
            probe.reference(&ReferenceFact {
                kind: page.kind,
                level,
                server: served.server,
                cycles: served.cycles,
            });
            if entry & ACCESSED == 0 {
                self.tables.set_flags(table, at, ACCESSED);
                done.ad_updates += 1;
            }
            if level == page.leaf {
                let store = page.kind == Kind::Store;
                if store && entry & DIRTY == 0 {
                    self.tables.set_flags(table, at, DIRTY);
                    done.ad_updates += 1;
                }
                return Some(store || entry & DIRTY != 0);
            }
            table = self.tables.next(entry);
            level -= 1;
            self.fill_psc(page, done.index, level, table, probe);
        }
    }

    /// First touch: the OS maps the page, and the walk reads the entry that it wrote.
    #[inline(never)]
    fn map(&mut self, page: &Page, level: u8, table: Table, at: usize) -> Option<u64> {
        let mapped = if level == page.leaf {
            self.os.map_entry(&mut self.tables, table, at, level)
        } else {
            self.os.map(&mut self.tables, self.space, page.va, page.leaf)
        };
        match mapped {
            Ok(()) => Some(self.tables.read(table, at)),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Asks the paging-structure caches, deepest first; the first hit says where the walk starts.
    #[inline(always)]
    fn start_of_walk<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        probe: &mut P,
    ) -> Option<(Table, u8)> {
        let n_levels = self.plan.n_levels;
        for level in page.leaf..n_levels {
            let (number, tag) = self.prefix(page, level);
            let (entries, row) = match self.plan.psc.places[usize::from(level) % 8] {
                Place::Nowhere => continue,
                Place::Own(row) => (&mut self.psc[usize::from(row)], row),
                Place::InL2 { array, row } => (&mut self.l2[usize::from(array)].entries, row),
            };
            let set = entries.set_of(number);
            let structure = self.plan.first_psc() + usize::from(row);
            let found = entries.lookup(number, tag);
            let way = found.as_ref().map(|(way, _)| *way);
            probe.psc_lookup(&LookupFact { structure, number, level: level + 1, set, way });
            if let Some((_, entry)) = found {
                entry.add_hits(1);
                entry.set_used_at(index);
                return Some((Table(entry.data()), level));
            }
        }
        match self.tables.root(self.space) {
            Ok(root) => Some((root, n_levels)),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Remembers the entry that leads to `table`, of `level`.
    #[inline(always)]
    fn fill_psc<P: Probe>(
        &mut self,
        page: &Page,
        index: u32,
        level: u8,
        table: Table,
        probe: &mut P,
    ) {
        let (number, tag) = self.prefix(page, level);
        let (entries, structure) = match self.plan.psc.places[usize::from(level) % 8] {
            Place::Nowhere => return,
            Place::Own(row) => {
                (&mut self.psc[usize::from(row)], self.plan.first_psc() + usize::from(row))
            }
            Place::InL2 { array, .. } => {
                (&mut self.l2[usize::from(array)].entries, self.plan.n_l1 + usize::from(array))
            }
        };
        let placed = entries.fill(number, tag, index, table.0);
        probe.fill(&FillFact { structure, number, level: level + 1, placed });
    }

    /// The key of the table entry that leads to the table of `level`.
    #[inline(always)]
    fn prefix(&self, page: &Page, level: u8) -> (u64, u64) {
        let number = page.va >> self.plan.shift[usize::from(level + 1) % 8];
        (number, number | self.table_class[usize::from(level) % 8])
    }
}
