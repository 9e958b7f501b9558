//! Invalidation: drops the entries that an operation names, in one sweep over all structures of a core.

use std::collections::BTreeSet;

use crate::caches::pom::PomTlb;
use crate::caches::tlb::{Entries, TagLayout};
use crate::caches::victima::BlockSets;
use crate::machine::Machine;
use crate::machine::context::{Context, Contexts};
use crate::machine::host::vm_state::Vcpus;
use crate::machine::plan::Plan;
use crate::machine::probe::{DropFact, Leaving, LeftFact, Probe, WriteFact};
use crate::machine::structures::{StructureId, Structures};

/// An entry as the rules of invalidation see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// Whether the entry is a page-table entry in a walk cache, not a translation.
    pub(crate) table: bool,
    pub(crate) global: bool,
    pub(crate) context: Context,
    /// The first and last address that the entry covers.
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl Held {
    /// Returns the entry with a tag, or `None` if it translates a guest-physical page: such an entry belongs to no
    /// process, and has no virtual address.
    pub(crate) fn new(plan: &Plan, contexts: &Contexts, tag: u64) -> Option<Self> {
        if TagLayout::is_host_page(tag) {
            return None;
        }
        let (shift, table) = plan.key_shift(tag);
        let first = plan.tags.number(tag) << shift;
        let context = contexts.of(plan.tags.owner(tag));
        let global = context.global;
        Some(Self { table, global, context, first, last: first | ((1 << shift) - 1) })
    }

    /// Returns whether the entry covers an address of the range, ends included.
    pub(crate) fn meets(&self, (first, last): (u64, u64)) -> bool {
        self.first <= last && first <= self.last
    }

    /// Returns whether the entry is a non-global translation of a PCID and VPID, under any EPT pointer.
    pub(crate) fn is_page_of(&self, context: Context) -> bool {
        !self.table && !self.global && self.is_of(context)
    }

    /// Returns whether the entry is a page-table entry of a PCID and VPID.
    pub(crate) fn is_table_of(&self, context: Context) -> bool {
        self.table && self.is_of(context)
    }

    /// Returns whether an access in the context uses the translation: its own translation, or a global one of its
    /// VPID.
    pub(crate) fn serves(&self, here: Context) -> bool {
        let is_global = self.global && (self.context.vm, self.context.vpid) == (here.vm, here.vpid);
        !self.table && (is_global || self.context == here)
    }

    fn is_of(&self, Context { vpid, pcid, .. }: Context) -> bool {
        (self.context.vpid, self.context.pcid) == (vpid, pcid)
    }
}

impl Machine {
    /// Starts recording writes to page tables, if the observer wants them. Writes to hashed tables are not recorded.
    pub(crate) fn record_writes(&mut self, probe: &dyn Probe) {
        if probe.wants_effects() && self.tables.hashed().is_none() {
            self.tables.record(true);
            if let Some(nested) = &mut self.nested {
                nested.tables.record(true);
            }
        }
    }

    /// Reports the writes since [`Self::record_writes`].
    pub(crate) fn report_writes(&mut self, probe: &mut dyn Probe) {
        if !probe.wants_effects() {
            return;
        }
        for written in self.tables.take_written() {
            probe.wrote(&WriteFact { host: false, written });
        }
        for written in self.nested.iter_mut().flat_map(|nested| nested.tables.take_written()) {
            probe.wrote(&WriteFact { host: true, written });
        }
    }

    /// Drops every entry of this core for which `is_dropped` holds.
    pub(crate) fn invalidate(&mut self, probe: &mut dyn Probe, is_dropped: &dyn Fn(&Held) -> bool) {
        self.structures.invalidate((&self.plan, &self.contexts), probe, is_dropped);
        self.invalidate_behind(probe, is_dropped);
    }

    /// Drops the entries that a page fault drops: the translations and table entries of the page under the current
    /// PCID, including global translations. The access then does not fault again for rights that the tables no
    /// longer restrict (Intel SDM vol. 3, 4.10.4.1).
    pub(crate) fn drop_faulted(&mut self, address: u64, probe: &mut dyn Probe) {
        let here = self.context(self.pcid);
        let page = self.page_range(address);
        let Self { plan, contexts, structures, .. } = self;
        structures.take_out(Leaving::Faulted, probe, |tag| {
            Held::new(plan, contexts, tag).is_some_and(|held| {
                (held.serves(here) || held.is_table_of(here)) && held.meets(page)
            })
        });
        self.invalidate_behind(probe, &|held| held.serves(here) && held.meets(page));
    }

    /// Returns the context of a PCID on the current virtual machine and VPID.
    pub(crate) fn context(&self, pcid: u32) -> Context {
        let Vcpus { vm, vpid, .. } = self.vcpus;
        Context { vm, vpid, pcid, global: false }
    }

    /// Returns, for each context with entries under a VPID, the first and last address of the page that holds
    /// `address` in that context's process. The process need not be running.
    pub(crate) fn pages_under(&self, vpid: u16, address: u64) -> Vec<(Context, (u64, u64))> {
        let va = address & self.plan.va_mask;
        let blocks = self.memory.blocks().into_iter().flat_map(BlockSets::tags);
        let behind = self.pom_tlb.iter().flat_map(PomTlb::tags).chain(blocks);
        let tags = self.structures.all().flat_map(Entries::tags).chain(behind);
        let tags = tags.filter(|tag| !TagLayout::is_host_page(*tag));
        let numbers: BTreeSet<u32> = tags.map(|tag| self.plan.tags.owner(tag)).collect();
        let under = numbers.into_iter().map(|number| (number, self.contexts.of(number)));
        let pages = under.filter(|(_, context)| context.vpid == vpid).map(|(number, context)| {
            let (vm, space) = self.space_under(number, va);
            let guest = self.vms.as_ref().and_then(|vms| vms.parked(vm));
            let (os, spaces) =
                guest.map_or((&self.os, &self.spaces), |guest| (&guest.os, &guest.spaces));
            let owner = spaces.iter().find(|(_, own)| Some(**own) == space);
            let leaf = match owner {
                Some((pid, space)) => os.leaf_at_of(*pid, *space, va),
                None => os.leaf_at(space.unwrap_or(u32::MAX), va),
            };
            let offset = (1 << self.page_shift(leaf)) - 1;
            (context, (va & !offset, va | offset))
        });
        pages.collect()
    }

    /// Returns the first and last address of the page that holds `address`, in the bits that translation reads.
    pub(crate) fn page_range(&self, address: u64) -> (u64, u64) {
        let va = address & self.plan.va_mask;
        let offset = (1 << self.page_shift(self.os.leaf_at(self.space, va))) - 1;
        (va & !offset, va | offset)
    }
}

/// The parts of the machine that invalidation needs: the structures, the plan and the contexts.
impl Structures {
    /// Drops every entry for which `is_dropped` holds.
    fn invalidate(
        &mut self,
        (plan, contexts): (&Plan, &Contexts),
        probe: &mut dyn Probe,
        is_dropped: &dyn Fn(&Held) -> bool,
    ) {
        self.clear_last();
        let wants_stayed = probe.wants_effects();
        for (structure, entries) in self.numbered_mut() {
            entries.sweep(|slot, tag, entry| {
                let Some(held) = Held::new(plan, contexts, tag) else { return false };
                let (table, entry) = (held.table, *entry);
                let fact = DropFact { structure, slot, tag, table, host: false, entry };
                let gone = is_dropped(&held);
                if gone {
                    probe.invalidated(&fact);
                } else if held.global && wants_stayed {
                    probe.stayed(&fact);
                }
                gone
            });
        }
    }

    /// Removes the entries for whose tags `is_gone` holds, and returns their number.
    pub(crate) fn take_out(
        &mut self,
        why: Leaving,
        probe: &mut dyn Probe,
        is_gone: impl Fn(u64) -> bool,
    ) -> u32 {
        self.clear_last();
        let all = self.numbered_mut();
        all.map(|(structure, entries)| take_out(entries, structure, why, probe, &is_gone)).sum()
    }
}

/// Removes the entries of one structure for whose tags `is_gone` holds, and returns their number.
pub(crate) fn take_out(
    entries: &mut Entries,
    structure: StructureId,
    why: Leaving,
    probe: &mut dyn Probe,
    is_gone: impl Fn(u64) -> bool,
) -> u32 {
    let mut n = 0;
    entries.sweep(|slot, tag, entry| {
        let gone = is_gone(tag);
        if gone {
            n += 1;
            probe.left(&LeftFact { structure, slot, tag, entry: *entry, why });
        }
        gone
    });
    n
}
