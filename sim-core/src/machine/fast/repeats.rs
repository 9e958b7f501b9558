//! Which accesses need not be simulated one by one, because they repeat the one before.

use crate::caches::tlb::TlbArray;
use crate::machine::Machine;
use crate::machine::rights::changes_rights;
use pagewalk_base::trace::SLOTS;
use pagewalk_base::trace::{Chunk, Lines, Op};

impl Machine {
    /// Walks may be led astray from now on: see [`leaves_stale_entries`].
    pub(crate) fn note_stale_entries(&mut self, op: &Op) {
        self.may_skip &= !leaves_stale_entries(op);
    }

    /// Whether the repeats of a chunk may be counted instead of simulated: khugepaged, which works
    /// only where accesses come one by one, must not be due before its end.
    pub(crate) fn may_skip(&self, chunk: &Chunk) -> bool {
        self.may_skip
            && !self.os.checks_rights()
            && !chunk.has_op(changes_rights)
            && !chunk.has_op(leaves_stale_entries)
            && self.cores.is_none()
            && !self.checks_permissions()
            && !self.plan.untagged
            && !(chunk.has_op(switches_vm)
                && self.vms.as_ref().is_some_and(|vms| vms.are_watched()))
            && chunk.first + chunk.n <= self.khugepaged_due()
            && chunk.va_bits() <= self.plan.canonical_bits
            && (!self.plan.touches_lines() || self.lines_of(chunk).is_some())
    }

    /// The lines that the accesses of a chunk touch, where they go through caches and no page is moved meanwhile.
    pub(crate) fn lines_of<'a>(&self, chunk: &'a Chunk) -> Option<Lines<'a>> {
        let host_adapts = self.nested.as_ref().is_some_and(|nested| nested.os.adapts_text());
        let is_still = !self.os.adapts_text() && !self.os.shares_kernel() && !host_adapts;
        if self.plan.touches_lines() && is_still { chunk.lines() } else { None }
    }

    /// See [`slots`]; `None` where heads may not be left out.
    pub(crate) fn slots(&self) -> Option<usize> {
        self.slots
    }

    /// Whether what level 2 holds follows from the misses of level 1 alone.
    pub(crate) fn level_2_is_apart(&self) -> bool {
        self.level_2_is_apart
    }
}

/// The number of [`SLOTS`] by which heads may be left out where only counts are wanted and all pages are of the size of
/// a run's: every array of level 1 has as many sets for them.
pub(crate) fn slots(l1: &[TlbArray]) -> Option<usize> {
    let arrays = l1.iter().filter(|array| array.held_at(1).is_some());
    let n_sets = arrays.map(|array| array.entries.plain_sets()).min()?;
    SLOTS.iter().position(|slots| n_sets >= *slots)
}

/// Whether an operation may leave paging-structure caches with tables that are not, or no more, those of the process
/// that asks: of another under the same PCID, or gone while another PCID knows them still. What they lead to is not
/// what the tables say, so that each walk has to ask them before it reads. Or the TLB with pages that are gone: an access
/// that hits one reads nothing, and which of them come before the page is mapped anew must be known.
fn leaves_stale_entries(op: &Op) -> bool {
    matches!(
        op,
        Op::Munmap { .. }
            | Op::Madvise { flush: false, .. }
            | Op::MovCr3 { pcid: Some(_), .. }
            | Op::VmSwitch { vpid: Some(_), .. }
    )
}

fn switches_vm(op: &Op) -> bool {
    matches!(op, Op::VmSwitch { .. })
}
