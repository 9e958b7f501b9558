//! The current address space: page tables by process, and the tags of their entries.

use super::Machine;
use crate::machine::context::Context;
use crate::machine::host::vm_state::Vcpus;
use pagewalk_base::addr::{PerLeaf, PerLevel};
use pagewalk_base::error::{Error, ErrorCode};

impl Machine {
    /// Returns the number of a process's page tables, and assigns one at first use.
    pub(crate) fn space_of(&mut self, pid: u32) -> u32 {
        let next = self.n_spaces;
        let space = *self.spaces.entry(pid).or_insert(next);
        self.n_spaces += u32::from(space == next);
        space
    }

    /// Returns the number of a context in tags. If none is left, the machine fails, and the result is `None`.
    pub(crate) fn number_of(&mut self, context: Context) -> Option<u32> {
        let number = self.contexts.number(context);
        if number.is_none() {
            let message = "the trace has more processes than the tags of TLB entries can distinguish: import fewer processes";
            self.fail(Error::new(ErrorCode::TooLarge, message));
        }
        number
    }

    /// Makes a process the current one, under `pcid`.
    pub(crate) fn set_process(&mut self, process: u32, pcid: u32) {
        let space = self.space_of(process);
        let Vcpus { vm, vpid, .. } = self.vcpus;
        let context = Context { vm, vpid, pcid, global: false };
        let Some(number) = self.number_of(context) else { return };
        (self.pid, self.space) = (Some(process), space);
        (self.pcid, self.context_number) = (pcid, number);
        self.os.enter(process);
        let tags = self.plan.tags;
        self.page_class = PerLeaf::new(|leaf| tags.page_class(leaf, number));
        self.table_class = PerLevel::new(|level| tags.table_class(level, number));
        self.structures.clear_last();
        if self.os.pretouches() && self.tables.is_new(space) {
            self.pretouch();
        }
        if !self.given.is_empty() {
            self.fill_given();
        }
    }

    /// Returns whether a process has a page mapped at `address`.
    pub(crate) fn is_mapped(&self, pid: u32, address: u64) -> bool {
        let space = self.spaces.get(&pid);
        space
            .is_some_and(|space| self.tables.leaf_of(*space, address & self.plan.va_mask).is_some())
    }
}
