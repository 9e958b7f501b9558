//! Shootdown: drops the entries of changed mappings from TLBs and walk caches, on every core.

use std::rc::Rc;

use crate::caches::tlb::{Class, Entries, Entry, Slot};
use crate::machine::Machine;
use crate::machine::context::Contexts;
use crate::machine::operations::cores::Core;
use crate::machine::plan::Plan;
use crate::machine::probe::{DropFact, Leaving, LeftFact, Probe, ShootdownFact, SystemEvent};
use crate::machine::translate::{pom, victima};
use crate::os::{KERNEL, Shootdown};

impl Machine {
    /// Drops every translation of a page that overlaps the range, and every walk-cache entry that leads to a freed
    /// table. All other entries stay. This is the least that the change of the tables requires.
    pub(crate) fn shoot_down(&mut self, gone: &Shootdown, probe: &mut dyn Probe) {
        let unshadowed = self.unshadow(gone, probe);
        self.drop_mapping(unshadowed.as_ref().unwrap_or(gone), probe);
    }

    /// Drops the entries of a changed mapping without a change of shadow tables: [`Self::shoot_down`] has changed
    /// them, or there are none.
    pub(crate) fn drop_mapping(&mut self, gone: &Shootdown, probe: &mut dyn Probe) {
        self.drop_mappings(std::slice::from_ref(gone), probe);
    }

    /// Does the same for several mappings in one shootdown.
    pub(crate) fn drop_mappings(&mut self, gone: &[Shootdown], probe: &mut dyn Probe) {
        let mut n_dropped = 0;
        for gone in gone {
            n_dropped += self.drop_here(gone, probe) + self.shoot_down_parked(gone, probe);
        }
        probe.system(SystemEvent::Shootdown { n_dropped });
    }

    /// Drops the entries of this core alone, without counting a shootdown, and returns their number.
    pub(crate) fn drop_here(&mut self, gone: &Shootdown, probe: &mut dyn Probe) -> u32 {
        let plan = Rc::clone(&self.plan);
        let contexts = self.contexts.clone();
        let pcid =
            if gone.space == self.space { Some(self.pcid) } else { self.pcids.of(gone.space) };
        let (vpid, is_kernel) = (self.vcpus.vpid, self.spaces.get(&KERNEL) == Some(&gone.space));
        let gone = &Gone { what: gone, pcid, is_kernel, vpid, plan: &plan, contexts: &contexts };
        let mut n_dropped = 0;
        let mut used = Vec::new();
        for (structure, entries) in self.structures.numbered_mut() {
            for (slot, tag, entry) in take(entries, gone) {
                n_dropped += 1;
                let why = Leaving::ShotDown;
                probe.left(&LeftFact { structure, slot, tag, entry, why });
                used.push((structure, tag));
            }
        }
        let is_gone = |tag| is_gone(tag, gone);
        n_dropped += pom::take_out(self.pom_tlb.as_mut(), probe, &is_gone);
        let blocks = self.memory.blocks_mut().map(|(sets, _)| sets);
        n_dropped += victima::take_out_of_blocks(blocks, probe, &is_gone);
        for (structure, tag) in used {
            self.structures.clear_last_if(structure, tag);
        }
        n_dropped
    }

    /// Drops the entries of the parked cores, and returns their number.
    fn shoot_down_parked(&mut self, gone: &Shootdown, probe: &mut dyn Probe) -> u32 {
        let (plan, vm) = (Rc::clone(&self.plan), self.vcpus.vm);
        let (contexts, spaces) = (&self.contexts, &self.spaces);
        let is_kernel = spaces.get(&KERNEL) == Some(&gone.space);
        let Some(parked) = &mut self.cores else { return 0 };
        let wants_effects = probe.wants_effects();
        let ids = if wants_effects { parked.ids() } else { Vec::new() };
        let mut n_dropped = 0;
        for (number, core) in parked.cores.iter_mut().enumerate() {
            let Some((pcids, vpid)) = core.of_vm(vm) else { continue };
            let pcid = pcids.of(gone.space);
            let process = core.pid.filter(|_| core.vcpus.vm == vm);
            let space = process.and_then(|pid| spaces.get(&pid));
            let runs = space == Some(&gone.space) || is_kernel && space.is_some();
            let gone = &Gone { what: gone, pcid, is_kernel, vpid, plan: &plan, contexts };
            if parked.active == Some(number) {
                continue;
            }
            n_dropped += drop_parked_blocks(core, gone, probe);
            let mut dropped = Vec::new();
            drop_parked(core, gone, &mut |fact| {
                probe.left_other_core(fact.structure);
                n_dropped += 1;
                if wants_effects {
                    dropped.push(fact);
                }
            });
            if let Some(id) = ids.get(number).filter(|_| runs || !dropped.is_empty()) {
                probe.core_notified(&ShootdownFact { core: *id, runs, dropped });
            }
        }
        n_dropped
    }
}

/// Drops the entries of a parked core, and reports each. A core without such entries stays shared with checkpoints.
fn drop_parked(core: &mut Rc<Core>, gone: &Gone<'_>, report: &mut dyn FnMut(DropFact)) {
    if core.structures.all().all(|entries| found(entries, gone).is_empty()) {
        return;
    }
    let core = Rc::make_mut(core);
    // The entries used last may have been dropped.
    core.structures.clear_last();
    for (structure, entries) in core.structures.numbered_mut() {
        for (slot, tag, entry) in take(entries, gone) {
            let table = gone.plan.tags.class(tag).is_table();
            report(DropFact { structure, slot, tag, table, host: false, entry });
        }
    }
}

/// Drops the pages of a parked core's own TLB blocks, and returns their number.
fn drop_parked_blocks(core: &mut Rc<Core>, gone: &Gone<'_>, probe: &mut dyn Probe) -> u32 {
    let is_gone = |tag| is_gone(tag, gone);
    if !core.caches.blocks().is_some_and(|blocks| blocks.tags().any(is_gone)) {
        return 0;
    }
    victima::take_out_of_blocks(Rc::make_mut(core).caches.blocks_mut(), probe, &is_gone)
}

/// The entries that one core must drop: those of the process's PCID on that core, or of any PCID in the kernel's
/// half. The VPID is that of the virtual machine on that core. The EPT pointer does not matter.
#[derive(Clone, Copy)]
struct Gone<'a> {
    what: &'a Shootdown,
    pcid: Option<u32>,
    is_kernel: bool,
    vpid: u16,
    plan: &'a Plan,
    contexts: &'a Contexts,
}

/// Removes the entries of the changed mappings from one structure.
fn take(entries: &mut Entries, gone: &Gone<'_>) -> Vec<(Slot, u64, Entry)> {
    let tags = found(entries, gone).into_iter();
    let taken = tags.filter_map(|tag| {
        let (slot, entry) = entries.take(gone.plan.tags.key(tag))?;
        Some((slot, tag, entry))
    });
    taken.collect()
}

/// Returns the tags of the entries of the changed mappings.
fn found(entries: &Entries, gone: &Gone<'_>) -> Vec<u64> {
    let geometry = entries.geometry();
    let sets = 0..geometry.n_sets as usize;
    let slots = sets.flat_map(|set| (0..geometry.n_ways).map(move |way| (set, way)));
    let tags = slots.filter_map(|(set, way)| entries.at(set, way)).map(|(tag, _)| tag);
    tags.filter(|tag| is_gone(*tag, gone)).collect()
}

/// Returns whether a tag belongs to a changed mapping.
fn is_gone(tag: u64, gone: &Gone<'_>) -> bool {
    let Gone { what: gone, pcid, is_kernel, vpid, plan, contexts } = *gone;
    let tags = plan.tags;
    let context = contexts.of(tags.owner(tag));
    let is_own = Some(context.pcid) == pcid && !context.global;
    if context.vpid != vpid || !(is_own || is_kernel) {
        return false;
    }
    let (class, number) = (tags.class(tag), tags.number(tag));
    let shift = plan.shift[class.number_leaf()];
    match class {
        // A change of the guest's tables changes no guest-physical mapping.
        Class::HostPage(_) => false,
        Class::Page(_) => gone.start >> shift <= number && number <= gone.last >> shift,
        // Walk caches of hashed page tables have headers, which lead to no table.
        Class::Table(_) if plan.config.ecpt.is_some() => false,
        Class::Table(level) => {
            let mut freed = gone.freed.iter();
            freed.any(|table| table.level == level && table.address >> shift == number)
        }
    }
}
