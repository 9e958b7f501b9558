//! What is in the structures of a core: of the one in the machine, or of one that is parked.

use crate::caches::tlb::{Entries, TlbArray};
use crate::machine::Machine;
use crate::machine::host::nested::HostCaches;
use crate::machine::plan::Plan;
use crate::record::event::CoreView;
use crate::record::keys::Key;

/// The contents of one structure; slot `set * ways + way`. `key_shift` 0 = empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    pub keys: Vec<u64>,
    /// The lowest address bit of the key.
    pub key_shift: Vec<u8>,
    /// 1 = an entry of a table inside a TLB array.
    pub table: Vec<u8>,
    pub filled_at: Vec<u32>,
    pub used_at: Vec<u32>,
    pub hits: Vec<u32>,
    /// By set: the way that a fill would take now.
    pub next: Vec<u16>,
}

impl Machine {
    /// What structure `number` holds, of the core that is in the machine; `None` if there is no such structure.
    pub fn columns(&self, number: usize) -> Option<Columns> {
        self.columns_in(self.contents(), number)
    }

    /// The same of the core that the trace calls `core`: empty as long as it has done nothing. `None` too if
    /// all accesses happen on one core.
    pub fn columns_of(&self, core: u32, number: usize) -> Option<Columns> {
        self.columns_in(self.contents_of(core)?, number)
    }

    /// Entries in use on the core that is in the machine, by structure.
    pub(crate) fn in_use(&self) -> Vec<u32> {
        self.contents().in_use(&self.plan)
    }

    /// The cores that have done something, in the order in which they began; none if there is but one.
    pub(crate) fn core_views(&self) -> Vec<CoreView> {
        let Some(parked) = &self.cores else { return Vec::new() };
        let views = parked.ids().into_iter().enumerate().filter_map(|(number, core)| {
            let active = parked.active == Some(number);
            let pid = if active { self.pid } else { parked.cores[number].pid };
            let in_use = self.contents_of(core)?.in_use(&self.plan);
            Some(CoreView { core, active, pid, in_use })
        });
        views.collect()
    }

    pub(super) fn contents(&self) -> Contents<'_> {
        let host = self.nested.as_ref().map(|nested| &nested.caches);
        Contents { l1: &self.l1, l2: &self.l2, psc: &self.psc, host }
    }

    fn contents_of(&self, core: u32) -> Option<Contents<'_>> {
        let parked = self.cores.as_ref()?;
        let number = parked.numbers.get(&core);
        if number.is_some() && number == parked.active.as_ref() {
            return Some(self.contents());
        }
        let core = number.map_or(&parked.fresh, |number| &parked.cores[*number]);
        Some(Contents { l1: &core.l1, l2: &core.l2, psc: &core.psc, host: core.host.as_ref() })
    }

    fn columns_in(&self, contents: Contents<'_>, number: usize) -> Option<Columns> {
        if number >= contents.n_structures(&self.plan) {
            return None;
        }
        let entries = contents.structure(&self.plan, number);
        let geometry = entries.geometry();
        let mut columns = Columns::default();
        for set in 0..geometry.n_sets as usize {
            columns.next.push(u16::try_from(entries.next_way(set)).unwrap_or(u16::MAX));
            for way in 0..geometry.n_ways {
                let slot = entries.at(set, way);
                let (tag, entry) = slot.unwrap_or_default();
                let key = slot.map_or(Key::default(), |_| self.key(number, tag));
                columns.keys.push(key.number);
                columns.key_shift.push(key.shift);
                columns.table.push(u8::from(key.table));
                columns.filled_at.push(entry.filled_at());
                columns.used_at.push(entry.used_at());
                columns.hits.push(entry.hits());
            }
        }
        Some(columns)
    }
}

/// The structures of one core.
#[derive(Clone, Copy)]
pub(super) struct Contents<'a> {
    l1: &'a [TlbArray],
    l2: &'a [TlbArray],
    psc: &'a [Entries],
    host: Option<&'a HostCaches>,
}

impl<'a> Contents<'a> {
    fn n_structures(self, plan: &Plan) -> usize {
        let of_host = self.host.map_or(0, |caches| caches.all().count());
        plan.first_psc() + plan.psc.caches.len() + of_host
    }

    /// The structure of a number that is below that of all.
    pub(super) fn structure(self, plan: &Plan, number: usize) -> &'a Entries {
        if let Some(array) = self.l1.iter().chain(self.l2).nth(number) {
            return &array.entries;
        }
        let row = number - plan.first_psc();
        let Some(cache) = plan.psc.caches.get(row) else {
            let of_host = self.host.and_then(|host| host.all().nth(row - plan.psc.caches.len()));
            return of_host.expect("the number is below that of structures");
        };
        match cache.inside {
            Some(array) => &self.l2[usize::from(array)].entries,
            None => &self.psc[row],
        }
    }

    fn in_use(self, plan: &Plan) -> Vec<u32> {
        let numbers = 0..self.n_structures(plan);
        numbers.map(|number| self.structure(plan, number).n_used()).collect()
    }
}
