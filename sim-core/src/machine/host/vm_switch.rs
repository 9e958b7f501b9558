//! Switches between virtual machines. After a switch, the walker uses another guest's tables through another EPT.
//!
//! The host switches, so the running virtual machine exits first. Entries stay if the processor tags them by VPID.

use std::collections::BTreeMap;

use crate::caches::tlb::TagLayout;
use crate::entry::ADDRESS;
use crate::machine::Machine;
use crate::machine::exits::ExitReason;
use crate::machine::host::vm_state::{Guest, Vcpu, Vcpus};
use crate::machine::operations::invalidate::Held;
use crate::machine::pcids::Pcids;
use crate::machine::probe::{Leaving, Probe};
use crate::os::Os;
use crate::page_table::PageTables;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::Op;

impl Machine {
    /// Switches the core to another virtual machine, under `vpid` if one is given.
    ///
    /// # Errors
    /// `unsupported` if there is no host, or if the virtual machine would use entries of another one; `too-large` if
    /// there are too many virtual machines.
    pub(crate) fn switch_vm(
        &mut self,
        name: u16,
        vpid: Option<u16>,
        probe: &mut dyn Probe,
    ) -> Result<()> {
        let op = Op::VmSwitch { vm: name, vpid };
        let Some(vms) = &mut self.vms else {
            let why = "there is no host: virtualise memory with ept or shadow";
            return Err(unsupported(&op, why));
        };
        if self.plan.untagged && vpid.is_some() {
            return Err(unsupported(&op, NO_VPIDS));
        }
        let next = vms.number(name)?;
        probe.exited(ExitReason::VmSwitch, 1);
        self.drop_for_exit(probe);
        let own = if self.plan.untagged { 0 } else { name };
        let fresh = || Vcpu {
            pid: None,
            pcid: 0,
            pcids: Pcids::new(self.plan.config.control.as_ref().and_then(|control| control.pcids)),
            vpid: own,
        };
        let was = Vcpu {
            pid: self.pid,
            pcid: self.pcid,
            pcids: self.pcids.clone(),
            vpid: self.vcpus.vpid,
        };
        self.vcpus.parked.insert(self.vcpus.vm, was);
        let vcpu = self.vcpus.parked.remove(&next).unwrap_or_else(fresh);
        let vpid = vpid.unwrap_or(vcpu.vpid);
        let is_new = vpid != vcpu.vpid;
        (self.vcpus.vm, self.vcpus.vpid) = (next, vpid);
        (self.pid, self.pcids) = (None, vcpu.pcids);
        self.run_vm();
        if let Some(process) = vcpu.pid {
            self.set_process(process, vcpu.pcid);
        }
        self.structures.clear_last();
        if !self.plan.untagged && self.would_mix_owners(is_new) {
            let why = format!(
                "VPID {vpid} still has entries of another owner, which would hit: give another vpid, or execute invvpid first"
            );
            return Err(unsupported(&op, &why));
        }
        Ok(())
    }

    /// Drops all entries but guest-physical mappings at an exit, on a processor without VPIDs.
    pub(crate) fn drop_for_exit(&mut self, probe: &mut dyn Probe) {
        if self.plan.untagged {
            let is_own = |tag| !TagLayout::is_host_page(tag);
            self.structures.take_out(Leaving::Exited, probe, is_own);
        }
    }

    /// Exits for a full page-modification log, after the access that filled it.
    #[inline(never)]
    pub(crate) fn exit_if_log_was_full(&mut self, probe: &mut dyn Probe) {
        if self.nested.as_mut().is_some_and(|nested| nested.own.take_log_was_full()) {
            self.drop_for_exit(probe);
        }
    }

    /// Puts the virtual machine that the core runs into the machine.
    pub(crate) fn run_vm(&mut self) {
        let Some(mut vms) = self.vms.take() else { return };
        let next = self.vcpus.vm;
        if vms.run(next, |guest| self.exchange_guest(guest)) {
            let entered = self.nested.as_mut().map_or(Ok(()), |nested| nested.enter(next));
            entered.unwrap_or_else(|error| self.fail(error));
        }
        self.vms = Some(vms);
    }

    fn exchange_guest(&mut self, guest: &mut Guest) {
        std::mem::swap(&mut self.tables, &mut guest.tables);
        std::mem::swap(&mut self.os, &mut guest.os);
        std::mem::swap(&mut self.spaces, &mut guest.spaces);
        std::mem::swap(&mut self.modes, &mut guest.modes);
        std::mem::swap(&mut self.checks_entries, &mut guest.checks_entries);
        if let Some(nested) = &mut self.nested {
            std::mem::swap(&mut nested.own, &mut guest.of_host);
        }
    }

    /// Returns whether the core holds entries under the current VPID that it would mistake for entries of the
    /// current virtual machine. They belong to another virtual machine, and no EPT pointer distinguishes the two. If
    /// the VPID `is_new`, they may also be from an earlier time of the same virtual machine, when its PCIDs belonged
    /// to other processes.
    fn would_mix_owners(&self, is_new: bool) -> bool {
        let is_tagged_by_ept = self.nested.as_ref().is_some_and(|n| n.is_walked() && n.plan.is_ept);
        if is_tagged_by_ept && !is_new {
            return false;
        }
        let Vcpus { vm, vpid, .. } = self.vcpus;
        self.structures.all().any(|entries| {
            entries.tags().any(|tag| {
                Held::new(&self.plan, &self.contexts, tag).is_some_and(
                    |Held { context, .. }| {
                        let is_mixed = if context.vm == vm { is_new } else { !is_tagged_by_ept };
                        context.vpid == vpid && is_mixed
                    },
                )
            })
        })
    }

    /// Returns the virtual machine of an EPT pointer. `None` = the pointer in use.
    pub(crate) fn vm_of(&self, eptp: Option<u64>) -> Option<u32> {
        let nested = self.nested.as_ref()?;
        let Some(eptp) = eptp else { return Some(nested.vm) };
        let roots = (0..).take_while(|vm| *vm < self.n_vms());
        let root =
            |vm: &u32| nested.tables.existing_root(*vm, 0).map(|root| nested.tables.address(root));
        roots.into_iter().find(|vm| root(vm) == Some(eptp & ADDRESS))
    }

    /// Returns the operating systems, with their page tables and the number of each process's tables. The running or
    /// only virtual machine comes first, then the others.
    pub(crate) fn systems(&self) -> impl Iterator<Item = (&Os, &PageTables, &BTreeMap<u32, u32>)> {
        let parked = self.vms.iter().flat_map(|vms| vms.all_parked());
        let parked = parked.map(|guest| (&guest.os, &guest.tables, &guest.spaces));
        [(&self.os, &self.tables, &self.spaces)].into_iter().chain(parked)
    }

    /// Returns the trace's number of the virtual machine that runs on the core, and its VPID, if the trace has
    /// several virtual machines.
    pub(crate) fn vm(&self) -> Option<(u16, u16)> {
        let vms = self.vms.as_ref().filter(|vms| vms.len() > 1)?;
        Some((vms.name(self.vcpus.vm), self.vcpus.vpid))
    }

    /// Returns the number of virtual machines that the trace has named until now.
    pub(crate) fn n_vms(&self) -> u32 {
        self.vms.as_ref().map_or(0, |vms| vms.len())
    }
}

pub(crate) const NO_VPIDS: &str = "the machine has no VPIDs (virt.vpid is false)";

fn unsupported(op: &Op, why: &str) -> Error {
    Error::new(ErrorCode::Unsupported, format!("`{op}` cannot be simulated: {why}"))
}
