//! What the operating system does around translations: refusals, copies, khugepaged.

use crate::machine::probe::{ActFact, Probe, SystemAct, SystemEvent};
use crate::machine::{Machine, Page};
use crate::os::{Recap, Replacing, Verdict};
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::{Access, Kind, va_bits};

impl Machine {
    /// Asks the operating system about an access before it is translated; false if it ends as
    /// a bus error or a page fault.
    #[inline(never)]
    pub(crate) fn check_rights(
        &mut self,
        index: u32,
        access: &Access,
        probe: &mut dyn Probe,
    ) -> bool {
        if self.os.adapts_text() {
            self.recap_text(index, access, probe);
        }
        let bytes = [access.address, access.last()].map(|address| address & self.plan.va_mask);
        if access.kind == Kind::Prefetch {
            self.forget_unheld(bytes);
            return true;
        }
        for address in bytes {
            if let Some(unsupported) = self.unsupported(access.kind, address) {
                self.drop_faulted(address, probe);
                probe.ended_by_exception(unsupported, address);
                return false;
            }
        }
        let store = access.kind == Kind::Store;
        let writes = bytes.map(|address| {
            let goes_on = self.missed_shootdown(address);
            store && !goes_on
        });
        loop {
            match self.os.judge(&self.tables, self.space, bytes, writes) {
                Verdict::Fine => return true,
                Verdict::Refused => {
                    probe.system(SystemEvent::BusError);
                    return false;
                }
                // What is split for a copy may show another page that is shared.
                Verdict::Copies(addresses) => {
                    for address in addresses.into_iter().flatten() {
                        if let Err(error) = self.unshare(address, probe) {
                            self.fail(error);
                            return true;
                        }
                    }
                }
            }
        }
    }

    /// Counts a fetch, and lets the system change which code has huge pages, where it adapts that.
    fn recap_text(&mut self, index: u32, access: &Access, probe: &mut dyn Probe) {
        if !self.os.is_copying() {
            self.record(probe);
            let done = self.os.recap_text(&mut self.tables, index);
            self.report_writes(probe);
            match done {
                Ok(recap) => self.tell_recap(&recap, probe),
                Err(error) => self.fail(error),
            }
        }
        if access.kind == Kind::Fetch {
            self.os.fetched(self.space, access.address & self.plan.va_mask);
        }
    }

    fn tell_recap(&mut self, recap: &Recap, probe: &mut dyn Probe) {
        let Recap { demoted, promoted } = recap;
        for gone in demoted {
            probe.system(SystemEvent::Demotion);
            self.shoot_down(gone, probe);
        }
        for promotion in promoted {
            probe.system(SystemEvent::Promotion { n_small: promotion.n_small });
            self.shoot_down(&promotion.shootdown, probe);
        }
        let changed = demoted.iter().chain(promoted.iter().map(|promotion| &promotion.shootdown));
        if let Some(first) = changed.into_iter().next() {
            probe.acted(&ActFact { act: SystemAct::Recap, address: first.start });
        }
    }

    /// The first access at which a khugepaged changes anything, the system's or the host's.
    #[inline]
    pub(crate) fn khugepaged_due(&self) -> u32 {
        let own = self.os.khugepaged_due();
        self.nested.as_ref().map_or(own, |nested| own.min(nested.os.khugepaged_due()))
    }

    /// Lets khugepaged work, which is due; the page may be another one then.
    #[inline(never)]
    pub(crate) fn run_khugepaged(&mut self, page: Page, index: u32, probe: &mut dyn Probe) -> Page {
        // While a fault is under way it waits for the next miss.
        if index >= self.os.khugepaged_due() && !self.os.is_copying() {
            self.run_own_khugepaged(index, probe);
        }
        self.run_host_khugepaged(index, probe);
        self.page_of(page.kind, page.va)
    }

    fn run_own_khugepaged(&mut self, index: u32, probe: &mut dyn Probe) {
        self.record(probe);
        let done = self.os.run_khugepaged(&mut self.tables, index, Replacing::AtOnce);
        self.report_writes(probe);
        match done {
            Ok((promotions, n_failed)) => {
                for promotion in &promotions {
                    probe.system(SystemEvent::Promotion { n_small: promotion.n_small });
                    self.shoot_down(&promotion.shootdown, probe);
                }
                if let Some(first) = promotions.first() {
                    let (act, address) = (SystemAct::Promote, first.shootdown.start);
                    probe.acted(&ActFact { act, address });
                }
                if n_failed > 0 {
                    probe.system(SystemEvent::NoBlock { n: n_failed });
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// The same for that of the host. What it has collapsed is gone from the host's tables, and the next use
    /// is a violation.
    fn run_host_khugepaged(&mut self, index: u32, probe: &mut dyn Probe) {
        let Some(nested) = &mut self.nested else { return };
        if index < nested.os.khugepaged_due() {
            return;
        }
        match nested.os.run_khugepaged(&mut nested.tables, index, Replacing::AtNextUse) {
            Ok((promotions, n_failed)) => {
                for promotion in &promotions {
                    probe.host_system(SystemEvent::Promotion { n_small: promotion.n_small });
                    self.flush_vm(promotion.shootdown.space, false, probe);
                }
                if n_failed > 0 {
                    probe.host_system(SystemEvent::NoBlock { n: n_failed });
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// Unmaps a range of the process that runs, as munmap(2) does, or as `MADV_DONTNEED`, which
    /// `keeps_tables`. What is known of it is dropped, unless that is left to other operations.
    /// A later touch is a first touch again.
    pub(crate) fn take_back(
        &mut self,
        (start, length): (u64, u64),
        keeps_tables: bool,
        flush: bool,
        probe: &mut dyn Probe,
    ) {
        let Some((start, last)) = self.range(start, length) else { return };
        match self.os.unmap(&mut self.tables, self.space, (start, last), keeps_tables) {
            Ok(Some(gone)) if flush => self.shoot_down(&gone, probe),
            Ok(gone) => {
                self.structures.forget_last();
                if let Some(gone) = gone {
                    self.unshadow_without_shootdown(&gone, probe);
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// First and last address of a range, as translation sees them; the machine fails if one is
    /// not canonical, or if they are on both sides of the gap.
    pub(crate) fn range(&mut self, start: u64, length: u64) -> Option<(u64, u64)> {
        let last = start.saturating_add(length.saturating_sub(1));
        let is_canonical =
            [start, last].into_iter().all(|address| va_bits(address) <= self.plan.canonical_bits);
        let masked = [start, last].map(|address| address & self.plan.va_mask);
        if is_canonical && start >> 63 == last >> 63 && masked[0] <= masked[1] {
            return Some((masked[0], masked[1]));
        }
        let message = format!("{start:#x} to {last:#x} is no range of canonical addresses");
        self.fail(Error::new(ErrorCode::BadTrace, message));
        None
    }

    /// Maps the pages of a process that are touched before it runs.
    pub(crate) fn pretouch(&mut self) {
        let done = self.os.pretouch(&mut self.tables, self.space);
        done.unwrap_or_else(|error: Error| self.fail(error));
    }
}
