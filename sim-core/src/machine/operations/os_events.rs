//! The work of the operating system around translations: page faults, copies, khugepaged, munmap.

use crate::machine::probe::{ActFact, Probe, SystemAct, SystemEvent};
use crate::machine::{Machine, Page};
use crate::os::{Recap, Replacing, Verdict};
use pagewalk_base::error::{Error, ErrorCode};
use pagewalk_base::trace::{Access, Kind};
use pagewalk_base::whole::IS_WHOLE;

impl Machine {
    /// Lets the operating system check an access before it is translated. Returns false if the access ends as a bus
    /// error or a page fault.
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
            self.remove_unheld_rights(bytes);
            return true;
        }
        for address in bytes {
            if let Some(fault) = self.page_fault(access.kind, address) {
                // The page fault drops the headers that the walk used.
                if IS_WHOLE && probe.wants_effects() {
                    self.report_refused_lines(address, probe);
                }
                self.drop_faulted(address, probe);
                probe.ended_by_exception(fault, address);
                return false;
            }
        }
        let store = access.kind == Kind::Store;
        let writes = bytes.map(|address| {
            let goes_on = self.missed_shootdown(address);
            store && !goes_on
        });
        loop {
            let holds = |address| self.holds(address);
            match self.os.judge(&self.tables, self.space, bytes, writes, &holds) {
                Verdict::Fine => return true,
                Verdict::BusError => {
                    probe.system(SystemEvent::BusError);
                    return false;
                }
                // A huge page that is split for a copy may contain other shared pages.
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

    /// Counts a fetch. An operating system that adapts its huge pages of code may then change them.
    fn recap_text(&mut self, index: u32, access: &Access, probe: &mut dyn Probe) {
        if !self.os.is_copying() {
            self.record_writes(probe);
            let done = self.os.recap_text(&mut self.tables, index);
            self.report_writes(probe);
            match done {
                Ok(recap) => self.report_recap(&recap, probe),
                Err(error) => self.fail(error),
            }
        }
        if access.kind == Kind::Fetch {
            self.os.fetched(self.space, access.address & self.plan.va_mask);
        }
    }

    fn report_recap(&mut self, recap: &Recap, probe: &mut dyn Probe) {
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

    /// Returns the number of the first access at which khugepaged is due, in the system or in its host.
    #[inline]
    pub(crate) fn khugepaged_due(&self) -> u32 {
        let own = self.os.khugepaged_due();
        self.nested.as_ref().map_or(own, |nested| own.min(nested.os.khugepaged_due()))
    }

    /// Runs khugepaged when it is due. Returns the page of the access, which may have become a huge page.
    #[inline(never)]
    pub(crate) fn run_khugepaged(
        &mut self,
        page: &Page,
        index: u32,
        probe: &mut dyn Probe,
    ) -> Page {
        // During a page fault, khugepaged waits for the next miss.
        if index >= self.os.khugepaged_due() && !self.os.is_copying() {
            self.run_own_khugepaged(index, probe);
        }
        self.run_host_khugepaged(index, probe);
        self.page_of(page.kind, page.va)
    }

    fn run_own_khugepaged(&mut self, index: u32, probe: &mut dyn Probe) {
        self.record_writes(probe);
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

    /// Runs the host's khugepaged. The collapsed small pages leave the host's tables, so the next use is an EPT
    /// violation.
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

    /// Unmaps a range of the current process, as munmap(2) does, or as `MADV_DONTNEED` does if it `keeps_tables`.
    /// With `flush`, a shootdown drops the entries of the range. Without it, operations of the trace drop them. A
    /// later access is a first touch again.
    pub(crate) fn unmap_range(
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
                self.structures.clear_last();
                if let Some(gone) = gone {
                    self.unshadow_without_shootdown(&gone, probe);
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// Returns the first and last address of a range, in the bits that translation reads. The machine fails if it does
    /// not translate one of them, or if the range crosses the gap between the halves.
    pub(crate) fn range(&mut self, start: u64, length: u64) -> Option<(u64, u64)> {
        let last = start.saturating_add(length.saturating_sub(1));
        let rule = self.plan.rule;
        let is_translated = rule.accepts(start) && rule.accepts(last);
        let masked = [start, last].map(|address| address & self.plan.va_mask);
        if is_translated && start >> 63 == last >> 63 && masked[0] <= masked[1] {
            return Some((masked[0], masked[1]));
        }
        let message = format!(
            "{start:#x} to {last:#x} is no range of this machine's addresses: give a range within one half of the address space"
        );
        self.fail(Error::new(ErrorCode::BadTrace, message));
        None
    }

    /// Maps the pages that a process touches before it runs.
    pub(crate) fn pretouch(&mut self) {
        let done = self.os.pretouch(&mut self.tables, self.space);
        done.unwrap_or_else(|error: Error| self.fail(error));
    }
}
