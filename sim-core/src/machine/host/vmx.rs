//! INVEPT and INVVPID, and what the host drops when it changes its tables (Intel SDM vol. 3C, 28.3.3).
//!
//! ```text
//! linear mappings          TLB, paging-structure caches, where the processor walks no EPT
//! combined mappings        the same under EPT: virtual → host
//! guest-physical mappings  nested TLB, EPT paging-structure caches, page walk cache
//! ```
//! An operation on an unused VPID or EPT pointer drops nothing.

use std::rc::Rc;

use crate::machine::Machine;
use crate::machine::exits::ExitReason;
use crate::machine::host::guest_physical;
use crate::machine::host::nested::missing;
use crate::machine::host::vm_switch::NO_VPIDS;
use crate::machine::operations::cores::Core;
use crate::machine::operations::invalidate::Held;
use crate::machine::probe::{DropFact, Leaving, Probe, ShootdownFact, SystemEvent};
use crate::machine::structures::StructureId;
use crate::machine::translate::pom;
use crate::os::Shootdown;
use pagewalk_base::addr::{Hex, Leaf, Level};
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::{HostPart, InveptScope, InvvpidScope, Op};

impl Machine {
    /// Executes an operation of the host.
    ///
    /// # Errors
    /// `unsupported` if there is no host, or if the host does not support the operation; `too-large` if memory is
    /// used up.
    pub(crate) fn execute_host_op(&mut self, op: &Op, probe: &mut dyn Probe) -> Result<()> {
        let is_walked = match &self.nested {
            None => {
                return Err(unsupported(
                    op,
                    "there is no host: virtualise memory with ept or shadow",
                ));
            }
            Some(nested) => nested.is_walked(),
        };
        match *op {
            Op::Invept { scope, eptp } => self.invept(scope, eptp, probe),
            Op::Invvpid { .. } if self.plan.untagged => return Err(unsupported(op, NO_VPIDS)),
            Op::Invvpid { scope, vpid, address } => {
                let vpid = vpid.unwrap_or(self.vcpus.vpid);
                self.invvpid(scope, vpid, address.0, probe);
            }
            Op::HostUnmap { address, part, flush } if !is_walked && part == HostPart::DATA => {
                self.remove_backing(address.0, flush, probe)?;
            }
            _ if !is_walked => {
                let why = "the host's tables are not walked under shadow paging: use ept";
                return Err(unsupported(op, why));
            }
            Op::HostUnmap { address, part, flush } => {
                if let (Some(place), Some(nested)) =
                    (self.place_of(address.0, part), &mut self.nested)
                    && nested.unmap_page(place, flush)?
                    && flush
                {
                    self.drop_everywhere(probe);
                }
            }
            Op::HostProtect { address, part, read, write, execute, flush } => {
                if let (Some(place), Some(nested)) =
                    (self.place_of(address.0, part), &mut self.nested)
                    && nested.protect(place, [read, write, execute])
                    && flush
                {
                    self.drop_everywhere(probe);
                }
            }
            Op::HostSetEntry { address, part, level, set, clear } => {
                let place = self.place_of(address.0, part);
                let place = place.ok_or_else(|| missing(address.0, Level::new(part.0)))?;
                if let Some(nested) = &mut self.nested {
                    nested.set_entry(place, Level::new(level), (set.0, clear.0))?;
                }
            }
            _ => return Err(unsupported(op, "it is no operation of the host")),
        }
        Ok(())
    }

    fn invept(&mut self, scope: InveptScope, eptp: Option<Hex>, probe: &mut dyn Probe) {
        if !self.nested.as_ref().is_some_and(|nested| nested.is_walked()) {
            return;
        }
        if scope == InveptScope::All {
            self.invalidate(probe, &|_| true);
            self.invalidate_host(None, probe);
        } else if let Some(vm) = self.vm_of(eptp.map(|eptp| eptp.0)) {
            self.invalidate(probe, &|held| held.context.vm == vm);
            self.invalidate_host(Some(vm), probe);
        }
    }

    fn invvpid(&mut self, scope: InvvpidScope, vpid: u16, address: u64, probe: &mut dyn Probe) {
        let pages = match scope {
            InvvpidScope::Address => self.pages_under(vpid, address),
            _ => Vec::new(),
        };
        self.invalidate(probe, &|held| {
            let is_under = held.context.vpid == vpid;
            match scope {
                InvvpidScope::Address => {
                    let page = pages.iter().find(|(context, _)| *context == held.context);
                    page.is_some_and(|(_, page)| held.meets(*page))
                }
                InvvpidScope::Vpid => is_under,
                InvvpidScope::All => held.context.vpid != 0,
                InvvpidScope::VpidButGlobal => is_under && (held.table || !held.global),
            }
        });
    }

    /// Drops the guest-physical mappings of one virtual machine, or of all. Entries of a page walk cache have no
    /// owner, so they are always dropped.
    fn invalidate_host(&mut self, vm: Option<u32>, probe: &mut dyn Probe) {
        let Self { plan, structures, nested: Some(nested), .. } = self else { return };
        let plans = (&**plan, &*Rc::clone(&nested.plan));
        guest_physical::sweep(plans, structures, Some(&mut nested.caches), &mut |held| {
            let gone = vm.is_none_or(|vm| held.is_of(vm));
            if gone {
                probe.invalidated(&held.dropped());
            }
            gone
        });
    }

    /// Executes INVEPT for the current virtual machine on every core, after an operation changed the host's tables.
    /// Other cores report only the number of dropped entries.
    fn drop_everywhere(&mut self, probe: &mut dyn Probe) {
        let vm = self.vcpus.vm;
        probe.exited(ExitReason::Flush, self.n_cores_running(vm));
        self.invalidate(probe, &|held| held.context.vm == vm);
        self.invalidate_host(Some(vm), probe);
        let mut notified = probe.wants_effects().then(Vec::new);
        self.flush_parked(vm, notified.as_mut(), &mut |_| {});
        notified.into_iter().flatten().for_each(|core| probe.core_notified(&core));
    }

    /// Executes INVEPT for a virtual machine on every core, after the host changed its tables on its own. Each core
    /// that runs the virtual machine exits, except this core if it `has_exited`.
    pub(crate) fn flush_vm(&mut self, vm: u32, has_exited: bool, probe: &mut dyn Probe) {
        let n_exits = self.n_cores_running(vm) - u64::from(has_exited);
        if n_exits > 0 {
            probe.exited(ExitReason::Flush, n_exits);
        }
        self.structures.clear_last();
        self.clear_homes(vm);
        let mut n_dropped = 0;
        let Self { plan, contexts, structures, nested, pom_tlb, .. } = self;
        let is_gone =
            |tag| Held::new(plan, contexts, tag).is_some_and(|held| held.context.vm == vm);
        n_dropped += structures.take_out(Leaving::ShotDown, probe, is_gone);
        n_dropped += pom::take_out(pom_tlb.as_mut(), probe, &is_gone);
        if let Some(nested) = nested {
            let plans = (&**plan, &*nested.plan);
            guest_physical::sweep(plans, structures, Some(&mut nested.caches), &mut |held| {
                let gone = held.is_of(vm);
                if gone {
                    n_dropped += 1;
                    probe.left(&held.left(Leaving::ShotDown));
                }
                gone
            });
        }
        self.flush_parked(vm, None, &mut |structure| {
            probe.left_other_core(structure);
            n_dropped += 1;
        });
        probe.host_system(SystemEvent::Shootdown { n_dropped });
    }

    /// Drops the entries of a virtual machine from the parked cores. `each` receives the structure of each dropped
    /// entry. `notified`, if given, receives the dropped entries of each core that runs the virtual machine or held
    /// entries.
    fn flush_parked(
        &mut self,
        vm: u32,
        mut notified: Option<&mut Vec<ShootdownFact>>,
        each: &mut dyn FnMut(StructureId),
    ) {
        let Self { cores, plan, contexts, nested, .. } = self;
        let (Some(parked), Some(nested)) = (cores, nested) else { return };
        let ids = if notified.is_some() { parked.ids() } else { Vec::new() };
        for (number, core) in parked.cores.iter_mut().enumerate() {
            if parked.active == Some(number) {
                continue;
            }
            let core = Rc::make_mut(core);
            let runs = core.vcpus.vm == vm && core.pid.is_some();
            let mut dropped = Vec::new();
            let mut drop = |fact: DropFact| {
                each(fact.structure);
                if notified.is_some() {
                    dropped.push(fact);
                }
            };
            for (structure, entries) in core.structures.numbered_mut() {
                entries.sweep(|slot, tag, entry| {
                    let Some(held) = Held::new(plan, contexts, tag) else { return false };
                    let (table, entry) = (held.table, *entry);
                    let gone = held.context.vm == vm;
                    if gone {
                        drop(DropFact { structure, slot, tag, table, host: false, entry });
                    }
                    gone
                });
            }
            let Core { structures, host, .. } = core;
            let plans = (&**plan, &*nested.plan);
            guest_physical::sweep(plans, structures, host.as_mut(), &mut |held| {
                let gone = held.is_of(vm);
                if gone {
                    drop(held.dropped());
                }
                gone
            });
            core.structures.clear_last();
            if let (Some(notified), Some(id)) = (notified.as_deref_mut(), ids.get(number))
                && (runs || !dropped.is_empty())
            {
                notified.push(ShootdownFact { core: *id, runs, dropped });
            }
        }
    }

    /// Returns the number of cores that currently run a virtual machine.
    fn n_cores_running(&self, vm: u32) -> u64 {
        let here = u64::from(self.vcpus.vm == vm);
        let Some(parked) = &self.cores else { return here };
        let others = (0..)
            .zip(&parked.cores)
            .filter(|(number, core)| parked.active != Some(*number) && core.vcpus.vm == vm);
        here + others.count() as u64
    }

    /// Clears the addresses of a guest's tables in the host, because the host moves the tables.
    fn clear_homes(&mut self, vm: u32) {
        match &mut self.nested {
            Some(nested) if nested.vm == vm => nested.own.clear_homes(),
            _ => self.vms.iter_mut().for_each(|vms| vms.clear_homes(vm)),
        }
    }

    /// Drops the entries that an EPT violation drops. These are the guest-physical mappings of the guest-physical
    /// address. If the violation was about the data page, they are also the combined mappings of the virtual
    /// address.
    pub(crate) fn drop_violated(
        &mut self,
        va: u64,
        address: u64,
        is_data: bool,
        probe: &mut dyn Probe,
    ) {
        self.structures.clear_last();
        let here = self.context(self.pcid);
        let is_violated = |held: &Held| {
            let is_here = (held.context.vm, held.context.vpid) == (here.vm, here.vpid);
            is_here && (held.global || held.context == here) && held.meets((va, va))
        };
        if is_data {
            self.invalidate_behind(probe, &is_violated);
        }
        let Self { plan, contexts, structures, nested, .. } = self;
        if is_data {
            structures.take_out(Leaving::ShotDown, probe, |tag| {
                Held::new(plan, contexts, tag).is_some_and(|held| is_violated(&held))
            });
        }
        let Some(nested) = nested else { return };
        let leads = nested.entries_to(address);
        let plans = (&**plan, &*Rc::clone(&nested.plan));
        guest_physical::sweep(plans, structures, Some(&mut nested.caches), &mut |held| {
            let gone = held.meets(here.vm, address, &leads);
            if gone {
                probe.left(&held.left(Leaving::ShotDown));
            }
            gone
        });
    }

    /// Returns the guest-physical address that an operation of the host names, or `None` if the guest has not mapped
    /// it.
    fn place_of(&self, address: u64, part: HostPart) -> Option<u64> {
        let va = address & self.plan.va_mask;
        if part == HostPart::DATA {
            return self.locate(self.space, va, self.tables.leaf_of(self.space, va)?);
        }
        let table = self.tables.table_at(self.space, va, Level::new(part.0))?;
        Some(self.tables.address(table))
    }

    /// Unmaps the host page of a virtual address under shadow paging, and the shadow entries of everything that the guest
    /// has mapped in it.
    fn remove_backing(&mut self, address: u64, flush: bool, probe: &mut dyn Probe) -> Result<()> {
        let Some(place) = self.place_of(address, HostPart::DATA) else { return Ok(()) };
        let ranges = self.mapped_in(place);
        let Some(nested) = &mut self.nested else { return Ok(()) };
        let Some(shadow) = &mut nested.shadow else { return Ok(()) };
        let is_own = !shadow.as_guest;
        let gone: Vec<Shootdown> = ranges.iter().map(|range| shadow.drop(range)).collect();
        if is_own {
            nested.unmap_page(place, flush)?;
        }
        if flush {
            self.drop_mappings(&gone, probe);
        }
        Ok(())
    }

    /// Returns the virtual ranges of all address spaces that the guest has mapped to the host's page of a guest-physical
    /// address.
    fn mapped_in(&self, place: u64) -> Vec<Shootdown> {
        let Some(nested) = &self.nested else { return Vec::new() };
        let (first, last) = nested.page_around(place);
        let mut ranges: Vec<Shootdown> = Vec::new();
        for space in self.spaces.values().copied() {
            for (page, leaf) in self.tables.pages(space) {
                let Some(at) = self.tables.locate(space, page) else { continue };
                let end = at | ((1 << self.plan.shift[leaf]) - 1);
                if end < first || at > last {
                    continue;
                }
                let (start, last) = (page + (first.max(at) - at), page + (last.min(end) - at));
                match ranges.last_mut() {
                    Some(range) if (range.space, range.last + 1) == (space, start) => {
                        range.last = last;
                    }
                    _ => ranges.push(Shootdown { space, start, last, freed: Vec::new() }),
                }
            }
        }
        ranges
    }

    /// Removes the shadow of an entry that the guest writes. TLB entries stay.
    pub(crate) fn unshadow_entry(&mut self, va: u64, level: Level, probe: &mut dyn Probe) {
        let (space, bits) = (self.space, (1 << self.plan.shift[Leaf::of(level)]) - 1);
        let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) else {
            return;
        };
        let (start, last) = (va & !bits, va | bits);
        let gone = shadow.drop(&Shootdown { space, start, last, freed: Vec::new() });
        self.drop_tables(gone, probe);
    }

    /// Removes shadow entries of a range that the guest unmaps without a shootdown.
    pub(crate) fn unshadow_without_shootdown(&mut self, gone: &Shootdown, probe: &mut dyn Probe) {
        if let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) {
            let gone = shadow.drop(gone);
            self.drop_tables(gone, probe);
        }
    }

    /// Drops walk-cache entries that lead to freed tables, and no translation.
    pub(crate) fn drop_tables(&mut self, gone: Shootdown, probe: &mut dyn Probe) {
        if !gone.freed.is_empty() {
            self.drop_mapping(&Shootdown { start: u64::MAX, last: 0, ..gone }, probe);
        }
    }
}

fn unsupported(op: &Op, why: &str) -> Error {
    Error::new(ErrorCode::Unsupported, format!("`{op}` cannot be simulated: {why}"))
}
