//! Which accesses need not be simulated one by one, because they repeat the one before.

use super::Machine;
use crate::rights::changes_rights;
use crate::trace::{Chunk, LineRuns, Op};

impl Machine {
    /// Whether the repeats of a chunk may be counted instead of simulated: khugepaged, which works
    /// only where accesses come one by one, must not be due before its end.
    pub(crate) fn may_skip(&self, chunk: &Chunk) -> bool {
        self.may_skip
            && !self.os.judges()
            && !chunk.has_op(changes_rights)
            && self.cores.is_none()
            && !self.is_guarded()
            && !self.plan.untagged
            && !(chunk.has_op(switches_vm)
                && self.vms.as_ref().is_some_and(|vms| vms.are_watched()))
            && chunk.first + chunk.n <= self.khugepaged_due()
            && chunk.va_bits() <= self.plan.canonical_bits
            && (!self.plan.touches_lines() || self.lines_of(chunk).is_some())
    }

    /// The lines that the accesses of a chunk touch, where they go through caches and no page is moved meanwhile.
    pub(crate) fn lines_of<'a>(&self, chunk: &'a Chunk) -> Option<&'a LineRuns> {
        let is_still = !self.os.adapts_text() && !self.os.shares_kernel();
        if cfg!(feature = "fast") && self.plan.touches_lines() && is_still {
            chunk.lines()
        } else {
            None
        }
    }

    /// Whether what level 2 holds follows from the misses of level 1 alone.
    pub(crate) fn level_2_is_apart(&self) -> bool {
        self.level_2_is_apart
    }
}

fn switches_vm(op: &Op) -> bool {
    matches!(op, Op::VmSwitch { .. })
}
