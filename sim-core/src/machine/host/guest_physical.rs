//! The guest-physical mappings of a core: the entries of the nested TLB, of the EPT paging-structure caches and of the
//! page walk cache, also where a TLB array holds those of the nested TLB.

use crate::caches::tlb::{Entry, Slot, TagLayout};
use crate::machine::host::nested::{HostCaches, HostPlan};
use crate::machine::plan::Plan;
use crate::machine::probe::{DropFact, Leaving, LeftFact};
use crate::machine::structures::{StructureId, Structures};
use pagewalk_base::whole::IS_WHOLE;

/// A guest-physical mapping, and its place.
#[derive(Clone, Copy)]
pub(super) struct HostHeld {
    structure: StructureId,
    slot: Slot,
    tag: u64,
    entry: Entry,
    /// The virtual machine of the mapping. Entries of a page walk cache have none.
    vm: Option<u32>,
    /// The number of the page or prefix, and the lowest bit of it. For a page walk cache: the address of the entry.
    number: u64,
    shift: u32,
}

/// log2 of the bytes of a page-table entry. The tag of the page walk cache is the address of such an entry.
const ENTRY_BITS: u32 = 3;

impl HostHeld {
    /// Returns whether the mapping belongs to a virtual machine. A mapping without an owner belongs to each.
    pub(super) fn is_of(&self, vm: u32) -> bool {
        self.vm.is_none_or(|own| own == vm)
    }

    /// Returns whether the mapping translates a guest-physical address of a virtual machine. `leads` has the addresses of
    /// the host's entries on the way to it.
    pub(super) fn meets(&self, vm: u32, address: u64, leads: &[u64]) -> bool {
        match self.vm {
            None => leads.contains(&(self.number << ENTRY_BITS)),
            Some(own) => own == vm && self.number == address >> self.shift,
        }
    }

    pub(super) fn dropped(&self) -> DropFact {
        let Self { structure, slot, tag, entry, .. } = *self;
        DropFact { structure, slot, tag, table: true, host: true, entry }
    }

    pub(super) fn left(&self, why: Leaving) -> LeftFact {
        let Self { structure, slot, tag, entry, .. } = *self;
        LeftFact { structure, slot, tag, entry, why }
    }
}

/// Calls `visit` with the guest-physical mappings of one core, and removes those for which it returns true.
pub(super) fn sweep(
    (plan, host): (&Plan, &HostPlan),
    structures: &mut Structures,
    caches: Option<&mut HostCaches>,
    visit: &mut dyn FnMut(&HostHeld) -> bool,
) {
    if IS_WHOLE && let Some(array) = plan.nested_in() {
        let structure = plan.l2_id(array);
        structures.l2[usize::from(array)].entries.sweep(|slot, tag, entry| {
            let vm = Some(plan.tags.owner(tag));
            let shift = host.shift[plan.tags.class(tag).number_leaf()];
            let (number, entry) = (plan.tags.number(tag), *entry);
            TagLayout::is_host_page(tag)
                && visit(&HostHeld { structure, slot, tag, entry, vm, number, shift })
        });
    }
    let caches = caches.into_iter().flat_map(HostCaches::all_mut);
    for (structure, entries) in host.tlb_at.number(caches) {
        let is_pwc = structure == host.pwc_at;
        entries.sweep(|slot, tag, entry| {
            let (vm, number, shift) = if is_pwc {
                (None, tag, ENTRY_BITS)
            } else {
                let shift = host.shift[host.tags.class(tag).number_leaf()];
                (Some(host.tags.owner(tag)), host.tags.number(tag), shift)
            };
            visit(&HostHeld { structure, slot, tag, entry: *entry, vm, number, shift })
        });
    }
}
