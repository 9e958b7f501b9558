//! Dropping what TLBs and walk caches keep of mappings that have changed, on every core.

use std::rc::Rc;

use crate::cores::{Last, NOWHERE};
use crate::machine::Machine;
use crate::os::Shootdown;
use crate::plan::Plan;
use crate::probe::{Leaving, LeftFact, Probe, SystemEvent};
use crate::tlb::{Entries, Entry, Slot};

impl Machine {
    /// Drops every translation of a page that lies in the range, in part or as a whole, and every
    /// walk-cache entry that leads to a table that is gone. Others stay: it is the least that the
    /// change of the tables asks for.
    pub(crate) fn shoot_down<P: Probe>(&mut self, gone: &Shootdown, probe: &mut P) {
        let unshadowed = self.unshadow(gone, probe);
        self.drop_mapping(unshadowed.as_ref().unwrap_or(gone), probe);
    }

    /// The same where no table is shadowed, or that has been seen to.
    pub(crate) fn drop_mapping<P: Probe>(&mut self, gone: &Shootdown, probe: &mut P) {
        let plan = Rc::clone(&self.plan);
        let pcid =
            if gone.space == self.space { Some(self.pcid) } else { self.pcids.of(gone.space) };
        let gone = &Gone { what: gone, pcid };
        let mut n_dropped = 0;
        let arrays = self.l1.iter_mut().chain(&mut self.l2).map(|array| &mut array.entries);
        for (structure, entries) in arrays.chain(&mut self.psc).enumerate() {
            for (slot, tag, entry) in take(entries, gone, &plan) {
                n_dropped += 1;
                let why = Leaving::ShotDown;
                probe.left(&LeftFact { structure, slot, tag, entry, why });
                let used = u8::try_from(structure).map(|array| Last { array, slot });
                for last in self.last.iter_mut().filter(|last| Ok(**last) == used) {
                    *last = NOWHERE;
                }
            }
        }
        n_dropped += self.shoot_down_parked(gone.what, &plan, probe);
        probe.system(SystemEvent::Shootdown { n_dropped });
    }

    /// The same on the cores that are not in the machine; returns how many entries that were.
    fn shoot_down_parked<P: Probe>(&mut self, gone: &Shootdown, plan: &Plan, probe: &mut P) -> u32 {
        let Some(parked) = &mut self.cores else { return 0 };
        let mut n_dropped = 0;
        for (number, core) in parked.cores.iter_mut().enumerate() {
            let gone = &Gone { what: gone, pcid: core.pcids.of(gone.space) };
            let arrays = core.l1.iter().chain(&core.l2).map(|array| &array.entries);
            let mut all = arrays.chain(&core.psc);
            if parked.active == Some(number) || all.all(|e| found(e, gone, plan).is_empty()) {
                continue;
            }
            let core = Rc::make_mut(core);
            let arrays = core.l1.iter_mut().chain(&mut core.l2).map(|array| &mut array.entries);
            for (structure, entries) in arrays.chain(&mut core.psc).enumerate() {
                let n = u32::try_from(take(entries, gone, plan).len()).unwrap_or(u32::MAX);
                if n > 0 {
                    probe.left_elsewhere(structure, n);
                    n_dropped += n;
                }
            }
            // What it used last may be gone; it costs nothing to ask again.
            core.last = [NOWHERE; 4];
        }
        n_dropped
    }
}

/// What one core must drop: entries of its process's PCID there, and global ones.
struct Gone<'a> {
    what: &'a Shootdown,
    pcid: Option<u32>,
}

/// Takes out what stands for what is gone.
fn take(entries: &mut Entries, gone: &Gone<'_>, plan: &Plan) -> Vec<(Slot, u64, Entry)> {
    let tags = found(entries, gone, plan).into_iter();
    let taken = tags.filter_map(|tag| {
        let (slot, entry) = entries.take(plan.tags.number(tag), tag)?;
        Some((slot, tag, entry))
    });
    taken.collect()
}

fn found(entries: &Entries, gone: &Gone<'_>, plan: &Plan) -> Vec<u64> {
    let geometry = entries.geometry();
    let sets = 0..geometry.n_sets as usize;
    let slots = sets.flat_map(|set| (0..geometry.n_ways).map(move |way| (set, way)));
    let tags = slots.filter_map(|(set, way)| entries.at(set, way)).map(|(tag, _)| tag);
    tags.filter(|tag| is_gone(*tag, gone, plan)).collect()
}

/// Whether an entry stands for what is gone.
fn is_gone(tag: u64, Gone { what: gone, pcid }: &Gone<'_>, plan: &Plan) -> bool {
    let tags = plan.tags;
    let holder = tags.space(tag);
    if Some(holder) != *pcid && holder != tags.global() {
        return false;
    }
    let (class, is_table) = tags.class(tag);
    let number = tags.number(tag);
    if is_table {
        let shift = plan.shift[usize::from(class + 1) % 8];
        let leads_to = |level: u8, address: u64| level == class && address >> shift == number;
        return gone.freed.iter().any(|table| leads_to(table.level, table.address));
    }
    let shift = plan.shift[usize::from(class)];
    gone.start >> shift <= number && number <= gone.last >> shift
}
