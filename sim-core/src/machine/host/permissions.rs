//! The permission check of an access under a host: EPT violations, EPT misconfigurations and page faults of the
//! guest, in the order in which the processor finds them (Intel SDM vol. 3C, 28.2.3.3).
//!
//! The check is off until an operation changes an entry of the host, or the host shares pages copy-on-write. From
//! then on every access is checked alone. A TLB hit needs no check, because its fill was checked. The first store
//! and the first fetch are exceptions.
//!
//! ```text
//! for each table of the guest, from the top:   host maps the table? ─▶ entry present? ─▶ valid?
//! then                                         rights of the guest ─▶ host maps the data, with rights?
//! ```
//!
//! If the guest's tables forbid the access, its operating system handles the page fault: see `faults`.

use crate::caches::tlb::{Entries, Key};
use crate::entry::{ACCESSED, DIRTY, Format, PRESENT};
use crate::machine::exception::Exception;
use crate::machine::exits::ExitReason;
use crate::machine::host::nested::{Needs, Obstacle, qualification};
use crate::machine::probe::{Probe, ViolationFact};
use crate::machine::{Machine, Page};
use crate::os::FaultCause;
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Kind};

/// The result of a permission check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finding {
    /// The host allows the whole walk and the access.
    Clear,
    Violation(ViolationFact),
    Misconfigured,
}

/// The most exits of one access. Each exit removes one obstacle, and a walk uses at most six guest-physical
/// addresses, each for a read and a write.
const MAX_EXITS: usize = 16;

impl Machine {
    /// Returns whether accesses need a permission check by the host's entries.
    #[inline]
    pub(crate) fn checks_permissions(&self) -> bool {
        self.nested.as_ref().is_some_and(|nested| nested.checks_permissions)
    }

    /// Checks an access before it is translated. Returns false if the access ends.
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
            let denied = self.page_fault(kind, va).is_some();
            let is_known = self.is_known(kind, va);
            let finding = if is_known { Finding::Clear } else { self.find(kind, va, denied) };
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

    /// Exits to the host for an EPT violation: the processor drops the entries of the address, and the host removes
    /// the cause.
    fn exit_for(&mut self, va: u64, fact: &ViolationFact, probe: &mut dyn Probe) {
        let Some(nested) = &mut self.nested else { return };
        let (vm, written) = (nested.vm, fact.row.is_some() || fact.qualification & 2 != 0);
        let is_untouched = nested.is_untouched(fact.address);
        let settled = nested.handle_violation(fact.address, written);
        probe.exited(ExitReason::EptViolation, 1);
        probe.fault(FaultCause::Hidden);
        probe.violation(fact);
        match settled {
            Ok((cause, is_copied)) => {
                probe.host_fault(cause);
                if is_copied {
                    self.flush_vm(vm, true, probe);
                } else if !is_untouched {
                    // A first touch drops nothing here. The walk after it reports the first touch.
                    self.drop_violated(va, fact.address, fact.row.is_none(), probe);
                }
            }
            Err(error) => self.fail(error),
        }
        self.drop_for_exit(probe);
    }

    /// Handles the faults and exits of a walk before the walk starts. Returns false if the access ends.
    ///
    /// Without VPIDs, an exit drops the entries that the walk started from, so the walk after the exit counts. If
    /// entries of the host restrict rights, a new page of the guest must be mapped before its rights can be checked.
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

    /// Ends an access with an EPT misconfiguration. Reports the guest's work until then, because no walk follows.
    fn misconfigured(&mut self, address: u64, probe: &mut dyn Probe) {
        if self.nested.as_mut().is_some_and(|nested| std::mem::take(&mut nested.just_mapped)) {
            probe.fault(self.os.cause_of(address & self.plan.va_mask, false));
        }
        probe.exited(ExitReason::EptMisconfiguration, 1);
        self.drop_for_exit(probe);
        probe.ended_by_exception(Exception::Misconfiguration, address);
    }

    /// Maps the page in the guest, unless a TLB holds it, and creates the host's root table.
    fn fault_in_guest(&mut self, page: &Page) -> Result<()> {
        let leaf = self.os.leaf_of(self.space, page.va, true);
        let is_mapped =
            self.tables.leaf(self.space, page.va, leaf).is_some() || self.holds(page.va);
        if !is_mapped {
            self.map_page(page.va, leaf, page.kind == Kind::Store)?;
        }
        let Some(nested) = &mut self.nested else { return Ok(()) };
        nested.just_mapped |= !is_mapped;
        nested.tables.root(nested.vm, 0)?;
        Ok(())
    }

    /// Returns the first obstacle of a walk. If the guest denies the access (`denied`), the walk ends before the
    /// data.
    fn find(&self, kind: Kind, va: u64, denied: bool) -> Finding {
        let Some(mut table) = self.tables.existing_root(self.space, va) else {
            return Finding::Clear;
        };
        let paging = &self.plan.paging;
        let (store, fetch) = (kind == Kind::Store, kind == Kind::Fetch);
        for level in self.plan.paging.levels().rev() {
            let place = self.tables.address(table);
            // If the host's tables have accessed and dirty flags, a read of a guest's table counts as a write.
            let write = self.nested.as_ref().is_some_and(|nested| nested.plan.has_flags);
            let reads = Needs { read: true, write, fetch: false };
            if let Some(finding) = self.find_host(place, Some(level), reads) {
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
            if is_leaf && denied {
                return Finding::Clear;
            }
            let flags = if is_leaf && store { ACCESSED | DIRTY } else { ACCESSED };
            if entry & flags != flags
                && let Some(finding) = self.find_host(
                    place,
                    Some(level),
                    Needs { read: false, write: true, fetch: false },
                )
            {
                return finding;
            }
            if is_leaf {
                let offset = va & ((1 << self.plan.shift[Leaf::of(level)]) - 1);
                let data = self.tables.frame(entry).byte(offset);
                let needs = Needs { read: !store && !fetch, write: store, fetch };
                return self.find_host(data, None, needs).unwrap_or(Finding::Clear);
            }
            table = self.tables.next(entry);
        }
        Finding::Clear
    }

    /// Returns the obstacle of one guest-physical address: of the table of a level, or of the data (`None`).
    fn find_host(&self, address: u64, row: Option<Level>, needs: Needs) -> Option<Finding> {
        let nested = self.nested.as_ref().filter(|nested| nested.is_walked())?;
        Some(match nested.obstacle(address, needs)? {
            Obstacle::Misconfigured => Finding::Misconfigured,
            Obstacle::Violation { rights } => {
                let qualification = qualification(row.is_none(), needs) | rights << 3;
                Finding::Violation(ViolationFact { address, row, qualification })
            }
        })
    }

    /// Returns whether a TLB hit serves the access without a walk and without setting a flag. A fetch must hit level
    /// 1, because a level-2 entry may have been filled for data.
    fn is_known(&self, kind: Kind, va: u64) -> bool {
        // A TLB may still hold the translation of an entry that is no longer present.
        let leaf = self.mapped_leaf(self.space, va).unwrap_or_else(|| {
            let leaf = self.os.leaf_at(self.space, va);
            self.nested.as_ref().map_or(leaf, |nested| nested.tlb_leaf(leaf, None))
        });
        let plan = &self.plan;
        let class = plan.tags.page_class(leaf, self.context_number);
        let page = Page { kind, leaf, va, key: Key::new(va >> plan.shift[leaf], class) };
        let levels = [
            (&plan.l1, &plan.l1_runs, &self.structures.l1),
            (&plan.l2, &plan.l2_runs, &self.structures.l2),
        ];
        let n = if kind == Kind::Fetch { 1 } else { 2 };
        levels.into_iter().take(n).any(|(pages, runs, arrays)| {
            let [pages, runs] = [pages, runs].map(|by| by[kind.index()][leaf].get());
            pages.iter().chain(runs).any(|target| {
                let key = page.key_in(*target, plan);
                let entries = &arrays[usize::from(target.array)].entries;
                has_key(entries, key, kind == Kind::Store)
            })
        })
    }

    /// Returns whether a new TLB entry of an address may serve stores without another check.
    pub(crate) fn may_write(&self, va: u64) -> bool {
        self.find(Kind::Store, va, false) == Finding::Clear
    }
}

/// Returns whether a structure holds a key. For a store, the entry must also be marked dirty.
fn has_key(entries: &Entries, key: Key, store: bool) -> bool {
    let set = entries.set_of(key.number);
    let mut ways = (0..entries.geometry().n_ways).filter_map(|way| entries.at(set, way));
    ways.any(|(held, entry)| held == key.tag && (!store || entry.is_known_dirty()))
}
