//! What the operating system does around translations: refusals, copies, khugepaged.

use crate::error::{Error, Result};
use crate::machine::{Machine, Page};
use crate::os::Verdict;
use crate::probe::{Probe, SystemEvent};
use crate::trace::{Access, Kind};

impl Machine {
    /// Asks the operating system about an access before it is translated; false if it ends as
    /// a bus error.
    #[inline(never)]
    pub(crate) fn admit<P: Probe>(&mut self, access: &Access, probe: &mut P) -> bool {
        if access.kind == Kind::Prefetch {
            return true;
        }
        let bytes = [access.address, access.last()].map(|address| address & self.plan.va_mask);
        let store = access.kind == Kind::Store;
        match self.os.judge(&self.tables, self.space, bytes, store) {
            Verdict::Fine => true,
            Verdict::Refused => {
                probe.system(SystemEvent::BusError);
                false
            }
            Verdict::Copies(addresses) => {
                for address in addresses.into_iter().flatten() {
                    let gone = self.os.drop_shared(&mut self.tables, self.space, address);
                    self.shoot_down(&gone, probe);
                }
                true
            }
        }
    }

    /// Lets khugepaged work, which is due; the page may be another one then.
    #[inline(never)]
    pub(crate) fn run_khugepaged<P: Probe>(
        &mut self,
        page: Page,
        index: u32,
        probe: &mut P,
    ) -> Page {
        match self.os.run_khugepaged(&mut self.tables, index) {
            Ok((promotions, n_failed)) => {
                for promotion in &promotions {
                    probe.system(SystemEvent::Promotion { n_small: promotion.n_small });
                    self.shoot_down(&promotion.shootdown, probe);
                }
                if n_failed > 0 {
                    probe.system(SystemEvent::NoBlock { n: n_failed });
                }
            }
            Err(error) => self.fail(error),
        }
        self.page_of(page.kind, page.va)
    }

    /// Unmaps `start..end` of a process, and drops what is kept of it, as munmap(2) does. A later touch is
    /// a first touch again.
    ///
    /// # Errors
    /// `bad-config` if the range covers a page in part that is not a transparent huge page;
    /// `too-large` if memory is used up.
    pub fn unmap<P: Probe>(&mut self, pid: u32, start: u64, end: u64, probe: &mut P) -> Result<()> {
        if start >= end {
            return Ok(());
        }
        self.enter(pid, probe);
        let [start, last] = [start, end - 1].map(|address| address & self.plan.va_mask);
        if let Some(gone) = self.os.unmap(&mut self.tables, self.space, start, last)? {
            self.shoot_down(&gone, probe);
        }
        Ok(())
    }

    /// Maps the pages of a process that are touched before it runs.
    pub(crate) fn pretouch(&mut self) {
        let done = self.os.pretouch(&mut self.tables, self.space);
        done.unwrap_or_else(|error: Error| self.fail(error));
    }
}
