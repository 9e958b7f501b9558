//! Executes the operations of a trace. Intel SDM vol. 3, 4.10.4.1 says which entries each instruction drops. The
//! shootdown of a system call drops only the entries that the change requires.

use crate::caches::victima::CACHE;
use crate::machine::Machine;
use crate::machine::context::Context;
use crate::machine::exits::ExitReason;
use crate::machine::probe::{OpFact, Probe};
use crate::os::Rights;
use pagewalk_base::addr::Level;
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::{ControlBit, InvpcidScope, InvvpidScope, MemoryAdvice, Op, OpRecord};

impl Machine {
    /// Executes an operation of the trace. An operation that is impossible makes the machine fail.
    pub fn execute(&mut self, record: &OpRecord, probe: &mut dyn Probe) {
        let had_failed = self.failure.is_some();
        self.execute_record(record, probe);
        if let (Some(error), false) = (&mut self.failure, had_failed) {
            self.failed_operation = Some(self.n_operations);
            let name = format!("`{}`", record.op);
            if !error.message.starts_with(&name) {
                error.message = format!("{name}: {}", error.message);
            }
        }
        self.n_operations += 1;
    }

    fn execute_record(&mut self, record: &OpRecord, probe: &mut dyn Probe) {
        let OpRecord { pid, tid, cpu, op } = *record;
        self.enter_core(tid, cpu, probe);
        self.note_stale_entries(&op);
        if self.splits_processes(&op) {
            self.fail(Error::new(
                ErrorCode::Unsupported,
                "several cores share entries behind level 2, where a process has one PCID: leave the PCIDs to the simulator, or simulate one core",
            ));
            return;
        }
        if let Op::MovCr3 { pcid, keep } = op {
            self.mov_cr3(pid, pcid, keep, probe);
            self.exit_if_shadowed(ExitReason::Cr3Load, probe);
        } else if let Op::VmSwitch { vm, vpid } = op {
            let done = self.switch_vm(vm, vpid, probe);
            done.unwrap_or_else(|error| self.fail(error));
        } else {
            self.enter(pid, probe);
            if let Some(nested) = &mut self.nested {
                nested.checks_permissions |= op.is_of_host();
            }
            self.record_writes(probe);
            let user = op.address().and_then(|address| self.enter_kernel_for(address));
            match self.untranslated_operand(&op) {
                Some(error) => self.fail(error),
                None => self.execute_here(&op, probe),
            }
            self.leave_kernel(user);
            self.report_writes(probe);
        }
        self.count_table_writes(probe);
        probe.executed(&OpFact { record: *record, is_switch: false });
    }

    /// Returns the error of an operation on an address that the machine does not translate. INVLPG of such an
    /// address does nothing, and ranges are checked where they are used.
    fn untranslated_operand(&self, op: &Op) -> Option<Error> {
        let address = match *op {
            Op::Invpcid { scope: InvpcidScope::Address, address, .. }
            | Op::Invvpid { scope: InvvpidScope::Address, address, .. }
            | Op::SetEntry { address, .. }
            | Op::HostUnmap { address, .. }
            | Op::HostProtect { address, .. }
            | Op::HostSetEntry { address, .. } => address.0,
            _ => return None,
        };
        let rule = self.plan.rule;
        let error = || Error::new(ErrorCode::BadTrace, rule.explain_untranslated(address));
        (!rule.accepts(address)).then(error)
    }

    /// Executes an operation of the current process.
    fn execute_here(&mut self, op: &Op, probe: &mut dyn Probe) {
        let current = self.context(self.pcid);
        match *op {
            Op::Invlpg { address } => {
                self.exit_if_shadowed(ExitReason::Invlpg, probe);
                // INVLPG of an address that is not canonical does nothing.
                if !self.plan.rule.accepts(address.0) {
                    return;
                }
                let page = self.page_range(address.0);
                self.invalidate(probe, &|held| {
                    let of_any = held.global && held.context.vpid == current.vpid
                        || held.is_page_of(current);
                    held.is_table_of(current) || of_any && held.meets(page)
                });
            }
            Op::Invpcid { scope, pcid, address } => {
                self.exit_if_shadowed(ExitReason::Invlpg, probe);
                let context = pcid.map_or(current, |pcid| self.context(pcid.into()));
                self.invpcid(scope, context, address.0, probe);
            }
            Op::SetControl { bit, on } => self.set_control(bit, on, probe),
            Op::Wrpkru { value } => self.set_pkru(value),
            Op::SetEntry { address, level, set, clear } => {
                self.set_entry(address.0, Level::new(level), (set.0, clear.0), probe);
            }
            Op::Mprotect { start, length, read, write, execute, key, flush } => {
                let rights = Rights::new(read, write, execute);
                self.protect((start.0, length.0), rights, key, flush, probe);
            }
            Op::Munmap { start, length, flush } => {
                self.unmap_range((start.0, length.0), false, flush, probe);
            }
            Op::Madvise { start, length, advice: MemoryAdvice::Dontneed, flush } => {
                self.unmap_range((start.0, length.0), true, flush, probe);
            }
            Op::Fork { child, flush } => self.fork(child, flush, probe),
            Op::Invept { .. }
            | Op::Invvpid { .. }
            | Op::HostUnmap { .. }
            | Op::HostProtect { .. }
            | Op::HostSetEntry { .. } => {
                let done = self.execute_host_op(op, probe);
                done.unwrap_or_else(|error| self.fail(error));
            }
            // `execute` handles switches before a process runs.
            Op::MovCr3 { .. } | Op::VmSwitch { .. } => {}
        }
    }

    fn invpcid(
        &mut self,
        scope: InvpcidScope,
        context: Context,
        address: u64,
        probe: &mut dyn Probe,
    ) {
        match scope {
            InvpcidScope::Address => {
                let pages = self.pages_under(context.vpid, address);
                self.invalidate(probe, &|held| {
                    let page = pages.iter().find(|(of, _)| *of == held.context);
                    (held.is_page_of(context) || held.is_table_of(context))
                        && page.is_some_and(|(_, page)| held.meets(*page))
                });
            }
            InvpcidScope::Pcid => self.drop_pcid(context.pcid, probe),
            InvpcidScope::All => self.drop_vpid(probe),
            InvpcidScope::AllButGlobal => self.invalidate(probe, &|held| {
                held.context.vpid == context.vpid && (held.table || !held.global)
            }),
        }
    }

    /// Returns whether a process could get another PCID on one core than on the others, although cores share entries behind
    /// level 2.
    fn splits_processes(&self, op: &Op) -> bool {
        let sets = match op {
            Op::MovCr3 { pcid, .. } => pcid.is_some(),
            Op::SetControl { bit, .. } => *bit == ControlBit::Pcide,
            _ => false,
        };
        // The last cache is that of all cores.
        let shares_blocks =
            || self.victima.is_some() && self.plan.config.memory.caches.len() == CACHE + 1;
        sets && self.cores.is_some() && (self.pom_tlb.is_some() || shares_blocks())
    }

    fn set_control(&mut self, bit: ControlBit, on: bool, probe: &mut dyn Probe) {
        match bit {
            ControlBit::Pge => {
                self.os.set_global(on);
                self.drop_vpid(probe);
            }
            ControlBit::Pg => self.drop_vpid(probe),
            ControlBit::Pcide if self.pcids.is_enabled() == on => {}
            ControlBit::Pcide => {
                // Only a change from 1 to 0 drops entries. A change to 1 requires PCID 0, which the process then leaves.
                self.drop_vpid(probe);
                self.pcids.enable(on);
                let switch = self.pcids.enter(self.space);
                if let Some(pid) = self.pid {
                    self.set_process(pid, switch.pcid);
                }
            }
            _ => self.set_mode(bit, on, probe),
        }
    }
}
