//! An observer that is chosen while the program runs.

use super::{
    ActFact, BlockFact, DropFact, FillFact, FlagFact, HashedFact, LeftFact, LookupFact, OpFact,
    PomFact, PomFillFact, PrefetchFact, Probe, ReferenceFact, RefusedLinesFact, RowFact,
    ShootdownFact, SystemEvent, Tally, Translation, Updates, ViolationFact, WriteFact,
};
use crate::machine::exception::Exception;
use crate::machine::exits::ExitReason;
use crate::machine::structures::StructureId;
use crate::os::FaultCause;
use pagewalk_base::trace::Kind;

/// The compiler makes one machine for all these observers. They need details of single accesses, and no speed.
impl Probe for &mut (dyn Probe + '_) {
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {
        (**self).accesses(kind, n);
    }
    #[inline]
    fn tally(&mut self) -> Option<&mut dyn Tally> {
        (**self).tally()
    }
    #[inline]
    fn updates(&mut self, updates: Updates) {
        (**self).updates(updates);
    }
    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {
        (**self).tlb_lookup(lookup);
    }
    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {
        (**self).psc_lookup(lookup);
    }
    fn pom_lookup(&mut self, lookup: &PomFact) {
        (**self).pom_lookup(lookup);
    }
    fn pom_fill(&mut self, fill: &PomFillFact) {
        (**self).pom_fill(fill);
    }
    fn pom_left(&mut self, n: u32) {
        (**self).pom_left(n);
    }
    fn block(&mut self, fact: &BlockFact) {
        (**self).block(fact);
    }
    fn blocks_left(&mut self, n: u32) {
        (**self).blocks_left(n);
    }
    fn hashed_walk(&mut self, fact: &HashedFact) {
        (**self).hashed_walk(fact);
    }
    fn refused_lines(&mut self, fact: RefusedLinesFact) {
        (**self).refused_lines(fact);
    }
    #[inline]
    fn pwc_lookup(&mut self, lookup: &LookupFact, host: bool) {
        (**self).pwc_lookup(lookup, host);
    }
    #[inline]
    fn row(&mut self, row: &RowFact) {
        (**self).row(row);
    }
    #[inline]
    fn flagged(&mut self, entry: &FlagFact) {
        (**self).flagged(entry);
    }
    #[inline]
    fn violation(&mut self, violation: &ViolationFact) {
        (**self).violation(violation);
    }
    #[inline]
    fn fill(&mut self, fill: &FillFact) {
        (**self).fill(fill);
    }
    #[inline]
    fn left(&mut self, fact: &LeftFact) {
        (**self).left(fact);
    }
    #[inline]
    fn core_notified(&mut self, core: &ShootdownFact) {
        (**self).core_notified(core);
    }
    #[inline]
    fn wants_effects(&self) -> bool {
        (**self).wants_effects()
    }
    #[inline]
    fn wrote(&mut self, entry: &WriteFact) {
        (**self).wrote(entry);
    }
    #[inline]
    fn stayed(&mut self, entry: &DropFact) {
        (**self).stayed(entry);
    }
    #[inline]
    fn acted(&mut self, act: &ActFact) {
        (**self).acted(act);
    }
    #[inline]
    fn left_other_core(&mut self, structure: StructureId) {
        (**self).left_other_core(structure);
    }
    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {
        (**self).reference(reference);
    }
    #[inline]
    fn translated(&mut self, translation: &Translation) {
        (**self).translated(translation);
    }
    #[inline]
    fn fault(&mut self, cause: FaultCause) {
        (**self).fault(cause);
    }
    #[inline]
    fn core(&mut self, core: usize, id: u32) {
        (**self).core(core, id);
    }
    #[inline]
    fn system(&mut self, event: SystemEvent) {
        (**self).system(event);
    }
    #[inline]
    fn host_fault(&mut self, cause: FaultCause) {
        (**self).host_fault(cause);
    }
    #[inline]
    fn host_system(&mut self, event: SystemEvent) {
        (**self).host_system(event);
    }
    #[inline]
    fn exited(&mut self, reason: ExitReason, n: u64) {
        (**self).exited(reason, n);
    }
    #[inline]
    fn dropped(&mut self) {
        (**self).dropped();
    }
    #[inline]
    fn prefetched(&mut self, fact: &PrefetchFact) {
        (**self).prefetched(fact);
    }
    #[inline]
    fn ended(&mut self, done: &Translation) {
        (**self).ended(done);
    }
    #[inline]
    fn ended_by_exception(&mut self, exception: Exception, address: u64) {
        (**self).ended_by_exception(exception, address);
    }
    #[inline]
    fn invalidated(&mut self, entry: &DropFact) {
        (**self).invalidated(entry);
    }
    #[inline]
    fn executed(&mut self, op: &OpFact) {
        (**self).executed(op);
    }
}
