//! What stands in the way of an access under a host: EPT violations and misconfigurations, in the order in
//! which the processor finds them, page faults of the guest included.
//!
//! Until an operation changes an entry of the host, everything is allowed and nobody looks, unless the host
//! has pages that are copied when they are written. From then on every access is looked at by itself. What
//! a TLB holds was looked at when it was filled, but for the first store and the first fetch. Order: Intel SDM vol. 3C, 28.2.3.3.
//!
//! ```text
//! for each table of the guest, from the top:   host maps the table? ─▶ entry present? ─▶ valid?
//! then                                         rights of the guest ─▶ host maps the data, with rights?
//! ```
//! Where the guest stands in the way, its system is asked next: see `refuse`.

use crate::caches::tlb::Entries;
use crate::entry::{ACCESSED, DIRTY, Format, PRESENT};
use crate::machine::exception::Exception;
use crate::machine::exits::ExitReason;
use crate::machine::host::nested::{Needs, Obstacle, qualification};
use crate::machine::probe::{Probe, ViolationFact};
use crate::machine::{Machine, Page};
use crate::os::FaultCause;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Kind};

/// What an access comes upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finding {
    /// Nothing of the host's, as far as the walk comes.
    Clear,
    Violation(ViolationFact),
    Misconfigured,
}

/// Each exit mends one obstacle: a walk uses at most six guest-physical addresses, each for a read and a write.
const MAX_EXITS: usize = 16;

impl Machine {
    /// Whether an operation has changed what entries of the host allow.
    #[inline]
    pub(crate) fn checks_permissions(&self) -> bool {
        self.nested.as_ref().is_some_and(|nested| nested.guarded)
    }

    /// Looks at an access before it is translated; false if it ends there.
    #[inline(never)]
    pub(crate) fn is_permitted(&mut self, access: &Access, probe: &mut dyn Probe) -> bool {
        let first = access.address;
        let page = |address: u64| (address & self.plan.va_mask) >> self.plan.paging.offset_bits;
        let last = Some(access.last()).filter(|last| page(*last) != page(first));
        [Some(first), last].into_iter().flatten().all(|at| self.may_use(access.kind, at, probe))
    }

    fn may_use(&mut self, kind: Kind, address: u64, probe: &mut dyn Probe) -> bool {
        let va = address & self.plan.va_mask;
        for _ in 0..MAX_EXITS {
            let refused = self.page_fault(kind, va).is_some();
            let is_known = self.is_known(kind, va);
            let finding = if is_known { Finding::Clear } else { self.find(kind, va, refused) };
            match finding {
                Finding::Clear => return true,
                _ if kind == Kind::Prefetch => {
                    probe.dropped();
                    return false;
                }
                Finding::Misconfigured => {
                    self.misconfigured(address, probe);
                    return false;
                }
                Finding::Violation(fact) => self.exit_for(va, &fact, probe),
            }
        }
        true
    }

    /// The host mends what made the violation, after the processor has dropped what stood for it.
    fn exit_for(&mut self, va: u64, fact: &ViolationFact, probe: &mut dyn Probe) {
        let Some(nested) = &mut self.nested else { return };
        let (vm, written) = (nested.vm, fact.row > 0 || fact.qualification & 2 != 0);
        let is_untouched = nested.is_untouched(fact.address);
        let settled = nested.settle_violation(fact.address, written);
        probe.exited(ExitReason::EptViolation, 1);
        probe.fault(FaultCause::Hidden);
        probe.violation(fact);
        match settled {
            Ok((cause, is_copied)) => {
                probe.host_fault(cause);
                if is_copied {
                    self.flush_vm(vm, true, probe);
                } else if !is_untouched {
                    // A first touch leaves everything as it is: the walk that counts is the one after it.
                    self.drop_violated(va, fact.address, fact.row == 0, probe);
                }
            }
            Err(error) => self.fail(error),
        }
        self.drop_for_exit(probe);
    }

    /// Sees to what a walk would fault or exit for before it begins. Without VPIDs an exit drops what the
    /// walk had begun with, and the one that counts is the one after it; with entries of the host that do
    /// not allow everything, only now is it known which of them a new page of the guest needs.
    /// False if the access ends there.
    #[inline(never)]
    pub(crate) fn map_or_fault(&mut self, page: &Page, probe: &mut dyn Probe) -> bool {
        let is_walked = self.nested.as_ref().is_some_and(|nested| nested.is_walked());
        if !is_walked || page.kind == Kind::Prefetch || self.is_known(page.kind, page.va) {
            return true;
        }
        self.record_writes(probe);
        let done = self.fault_in_guest(page);
        self.report_writes(probe);
        if let Err(error) = done {
            self.fail(error);
        }
        for _ in 0..MAX_EXITS {
            match self.find(page.kind, page.va, false) {
                Finding::Clear => break,
                Finding::Violation(fact) => self.exit_for(page.va, &fact, probe),
                Finding::Misconfigured => {
                    self.misconfigured(page.va, probe);
                    return false;
                }
            }
        }
        true
    }

    /// The exit that an access ends with. What the guest did before it is told now, since no walk follows.
    fn misconfigured(&mut self, address: u64, probe: &mut dyn Probe) {
        if self.nested.as_mut().is_some_and(|nested| std::mem::take(&mut nested.just_mapped)) {
            probe.fault(self.os.cause_of(address & self.plan.va_mask, false));
        }
        probe.exited(ExitReason::EptMisconfiguration, 1);
        self.drop_for_exit(probe);
        probe.ended_by_exception(Exception::Misconfiguration, address);
    }

    /// Maps the page in the guest, unless a TLB holds it, and gives the host a root.
    fn fault_in_guest(&mut self, page: &Page) -> Result<()> {
        let leaf = self.os.leaf_of(self.space, page.va, true);
        let is_mapped =
            self.tables.leaf(self.space, page.va, leaf).is_some() || self.holds(page.va);
        if !is_mapped {
            self.map_page(page.va, leaf, page.kind == Kind::Store)?;
        }
        let Some(nested) = &mut self.nested else { return Ok(()) };
        nested.just_mapped |= !is_mapped;
        nested.tables.root(nested.vm)?;
        Ok(())
    }

    /// What a walk for an access would come upon first; it ends before the data if the guest has `refused`.
    fn find(&self, kind: Kind, va: u64, refused: bool) -> Finding {
        let Some(mut table) = self.tables.existing_root(self.space) else { return Finding::Clear };
        let paging = &self.plan.paging;
        let (store, fetch) = (kind == Kind::Store, kind == Kind::Fetch);
        for level in (1..=self.plan.n_levels).rev() {
            let place = self.tables.address(table);
            // With flags of its own, the host takes every read of a guest's table for a write, too.
            let write = self.nested.as_ref().is_some_and(|nested| nested.plan.has_flags);
            let reads = Needs { read: true, write, fetch: false };
            if let Some(finding) = self.find_host(place, level, reads) {
                return finding;
            }
            let entry = self.tables.read(table, self.tables.index(va, level));
            if entry & PRESENT == 0 {
                return Finding::Clear;
            }
            let format = Format::new(paging, level, self.modes.of_entries());
            if entry & format.reserved(entry) != 0 {
                return Finding::Clear;
            }
            let is_leaf = format.is_leaf(entry);
            if is_leaf && refused {
                return Finding::Clear;
            }
            let flags = if is_leaf && store { ACCESSED | DIRTY } else { ACCESSED };
            if entry & flags != flags
                && let Some(finding) =
                    self.find_host(place, level, Needs { read: false, write: true, fetch: false })
            {
                return finding;
            }
            if is_leaf {
                let offset = va & ((1 << self.plan.shift[usize::from(level)]) - 1);
                let data = self.tables.frame(entry) + offset;
                let needs = Needs { read: !store && !fetch, write: store, fetch };
                return self.find_host(data, 0, needs).unwrap_or(Finding::Clear);
            }
            table = self.tables.next(entry);
        }
        Finding::Clear
    }

    /// The same for a guest-physical address: the table of a level, or the data (0).
    fn find_host(&self, address: u64, row: u8, needs: Needs) -> Option<Finding> {
        let nested = self.nested.as_ref().filter(|nested| nested.is_walked())?;
        Some(match nested.obstacle(address, needs)? {
            Obstacle::Misconfigured => Finding::Misconfigured,
            Obstacle::Violation { rights } => {
                let qualification = qualification(row == 0, needs) | rights << 3;
                Finding::Violation(ViolationFact { address, row, qualification })
            }
        })
    }

    /// Whether a TLB holds the page such that the access needs no walk and changes no flag. A fetch must
    /// find it in level 1: what level 2 holds may be there for data.
    fn is_known(&self, kind: Kind, va: u64) -> bool {
        // Of an entry that is not present any more a TLB may know still.
        let leaf = self.mapped_leaf(self.space, va).unwrap_or_else(|| {
            let leaf = self.os.leaf_at(self.space, va);
            self.nested.as_ref().map_or(leaf, |nested| nested.tlb_leaf(leaf, None))
        });
        let plan = &self.plan;
        let number = va >> plan.shift[usize::from(leaf)];
        let tag = number | plan.tags.page_class(leaf, self.context_number);
        let page = Page { kind, leaf, va, number, tag };
        let levels = [
            (&plan.l1, &plan.l1_runs, &self.structures.l1),
            (&plan.l2, &plan.l2_runs, &self.structures.l2),
        ];
        let n = if kind == Kind::Fetch { 1 } else { 2 };
        levels.into_iter().take(n).any(|(pages, runs, arrays)| {
            let [pages, runs] = [pages, runs].map(|by| by[kind.index()][usize::from(leaf)].get());
            pages.iter().chain(runs).any(|target| {
                let (number, tag) = page.key(*target, plan);
                let entries = &arrays[usize::from(target.array)].entries;
                knows(entries, number, tag, kind == Kind::Store)
            })
        })
    }

    /// Whether an entry filled now may be used for stores without asking again.
    pub(crate) fn may_write(&self, va: u64) -> bool {
        self.find(Kind::Store, va, false) == Finding::Clear
    }
}

/// Whether an entry of a tag is there; for a store, one that knows its page to be dirty.
fn knows(entries: &Entries, number: u64, tag: u64, store: bool) -> bool {
    let set = entries.set_of(number);
    let mut ways = (0..entries.geometry().n_ways).filter_map(|way| entries.at(set, way));
    ways.any(|(held, entry)| held == tag && (!store || entry.is_known_dirty()))
}
