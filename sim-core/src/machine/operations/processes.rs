//! Process switches: they change the tables that the walker uses, and may drop entries.

use crate::machine::Machine;
use crate::machine::context::Context;
use crate::machine::exits::ExitReason;
use crate::machine::probe::{OpFact, Probe};
use crate::os::KERNEL;
use pagewalk_base::trace::{Op, OpRecord};

impl Machine {
    /// Switches to `process`, as the kernel does. Entries stay if the processor tags them by PCID.
    #[inline]
    pub(crate) fn enter(&mut self, process: u32, probe: &mut dyn Probe) {
        if self.pid != Some(process) {
            self.switch_to(process, probe);
        }
    }

    #[inline(never)]
    fn switch_to(&mut self, process: u32, probe: &mut dyn Probe) {
        let is_first = self.pid.is_none();
        let space = self.space_of(process);
        let switch = self.pcids.enter(space);
        self.set_process(process, switch.pcid);
        if is_first {
            return;
        }
        if switch.drops {
            self.drop_pcid(switch.pcid, probe);
        }
        self.exit_if_shadowed(ExitReason::Cr3Load, probe);
        let pcid = self.pcids.is_enabled().then(|| u16::try_from(switch.pcid).ok()).flatten();
        let op = Op::MovCr3 { pcid, keep: !switch.drops };
        let record = OpRecord { pid: process, tid: 0, cpu: 0, op };
        probe.executed(&OpFact { record, is_switch: true });
    }

    /// Returns the virtual machine and the page tables of an address in the process whose entries carry a number.
    /// The tables are `None` if the virtual machine now has another VPID.
    pub(crate) fn space_under(&self, number: u32, va: u64) -> (u32, Option<u32>) {
        let Context { vm, vpid, pcid, .. } = self.contexts.of(number);
        if self.os.shares_kernel() && va > self.plan.va_mask >> 1 {
            let parked = self.vms.as_ref().and_then(|vms| vms.parked(vm));
            let spaces = parked.filter(|_| vm != self.vcpus.vm).map_or(&self.spaces, |g| &g.spaces);
            return (vm, spaces.get(&KERNEL).copied());
        }
        let space = if vm != self.vcpus.vm {
            self.parked_space(vm, vpid, pcid)
        } else if vpid != self.vcpus.vpid {
            None
        } else if pcid == self.pcid {
            self.pid.and_then(|pid| self.spaces.get(&pid)).copied().or(Some(self.space))
        } else {
            Some(self.pcids.holder(pcid).unwrap_or(self.space))
        };
        (vm, space)
    }

    /// Returns the page tables of a PCID in a virtual machine that is not running.
    fn parked_space(&self, vm: u32, vpid: u16, pcid: u32) -> Option<u32> {
        let vcpu = self.vcpus.parked.get(&vm).filter(|vcpu| vcpu.vpid == vpid)?;
        let guest = self.vms.as_ref()?.parked(vm)?;
        match vcpu.pid {
            Some(process) if vcpu.pcid == pcid => guest.spaces.get(&process).copied(),
            _ => vcpu.pcids.holder(pcid),
        }
    }

    /// Executes a MOV to CR3 of the trace. A kernel without PCIDs names no PCID and does not set bit 63.
    pub(crate) fn mov_cr3(
        &mut self,
        process: u32,
        pcid: Option<u16>,
        keep: bool,
        probe: &mut dyn Probe,
    ) {
        let space = self.space_of(process);
        if let Some(pcid) = pcid {
            self.pcids.assign(space, pcid);
        }
        let switch = self.pcids.enter(space);
        self.set_process(process, switch.pcid);
        // Bit 63 cannot keep the entries of a PCID that belonged to another process.
        if !keep || switch.drops {
            self.drop_pcid(switch.pcid, probe);
        }
    }

    /// Drops the entries of a PCID, except global translations.
    pub(crate) fn drop_pcid(&mut self, pcid: u32, probe: &mut dyn Probe) {
        let context = self.context(pcid);
        self.invalidate(probe, &|held| held.is_page_of(context) || held.is_table_of(context));
    }

    /// Drops all entries of the current VPID. A guest can drop no others.
    pub(crate) fn drop_vpid(&mut self, probe: &mut dyn Probe) {
        let vpid = self.vcpus.vpid;
        self.invalidate(probe, &|held| held.context.vpid == vpid);
    }
}
