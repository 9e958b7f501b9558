//! Switches of process: which tables are walked from then on, and what is dropped.

use crate::exits::ExitReason;
use crate::machine::Machine;
use crate::probe::{OpFact, Probe};
use crate::trace::{Op, OpRecord};

impl Machine {
    /// Makes `process` the process that runs, as its kernel does it: what is cached stays if the
    /// processor can tell whose it is.
    #[inline]
    pub(crate) fn enter<P: Probe>(&mut self, process: u32, probe: &mut P) {
        if self.pid != Some(process) {
            self.switch_to(process, probe);
        }
    }

    #[inline(never)]
    fn switch_to<P: Probe>(&mut self, process: u32, probe: &mut P) {
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
        probe.performed(&OpFact { record, is_switch: true });
    }

    /// The page tables of the process whose entries carry a PCID.
    pub(crate) fn space_under(&self, pcid: u32) -> u32 {
        if pcid == self.pcid || pcid == self.plan.tags.global() {
            return self.space;
        }
        self.pcids.holder(pcid).unwrap_or(self.space)
    }

    /// MOV to CR3 as the trace has it. A kernel without PCIDs gives none, nor does it set bit 63.
    pub(crate) fn mov_cr3<P: Probe>(
        &mut self,
        process: u32,
        pcid: Option<u16>,
        keep: bool,
        probe: &mut P,
    ) {
        let space = self.space_of(process);
        if let Some(pcid) = pcid {
            self.pcids.give(space, pcid);
        }
        let switch = self.pcids.enter(space);
        self.set_process(process, switch.pcid);
        // A PCID that was another process's cannot be kept.
        if !keep || switch.drops {
            self.drop_pcid(switch.pcid, probe);
        }
    }

    /// Drops what is cached under a PCID, except global translations.
    pub(crate) fn drop_pcid<P: Probe>(&mut self, pcid: u32, probe: &mut P) {
        self.invalidate(probe, |held| held.is_page_of(pcid) || held.is_table_of(pcid));
    }
}
