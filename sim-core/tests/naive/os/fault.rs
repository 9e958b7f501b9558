//! The naive twin of page faults: missing rights, copies, and missing pages.

use super::{Page, Twin};
use pagewalk::os::FaultCause;
use pagewalk_base::trace::Kind;
use std::collections::BTreeMap;

impl Twin<'_> {
    /// Returns the error code of a user access that is not allowed.
    pub(super) fn page_fault(&mut self, pid: u32, kind: Kind, va: u64) -> Option<u32> {
        let (read, write, execute) = *self.rights.get(&(pid, va >> 12))?;
        let (allowed, code) = match kind {
            Kind::Store => (write, 0x6),
            Kind::Fetch => (execute, 0x14),
            _ => (read, 0x4),
        };
        let is_mapped = [12, 21, 30].iter().any(|shift| {
            let page = self.pages.get(&(pid, va >> shift << shift));
            page.is_some_and(|page| page.shift == *shift)
        });
        (!allowed).then_some(code + u32::from(is_mapped && read))
    }

    /// Copies shared pages that are written. Returns false if a pool is too small for the access.
    pub(super) fn check_rights(&mut self, pid: u32, first: u64, last: u64, store: bool) -> bool {
        let writes = [first, last].map(|va| !self.missed_shootdown(pid, va) && store);
        loop {
            let shift = self.shift_of(pid, first, false);
            let n = if first >> shift == last >> shift { 1 } else { 2 };
            let (mut copied, mut needed) = (Vec::new(), BTreeMap::new());
            for (va, writes) in [first, last].into_iter().zip(writes).take(n) {
                let shift = self.shift_of(pid, va, false);
                let page = self.pages.get(&(pid, va >> shift << shift)).copied();
                let copies = page.filter(|page| !page.writable && writes);
                copied.extend(copies.map(|_| va));
                if writes && self.is_in_huge_page_of_others(pid, va) {
                    copied.push(va);
                }
                let is_needed = match page {
                    None => self.relatives_cell(pid, va, shift).is_none(),
                    Some(page) => copies.is_some() && self.has_other_owners(page),
                };
                if is_needed && self.pool_of(pid, va, shift).is_some() {
                    *needed.entry(shift).or_insert(0) += 1;
                }
            }
            if needed.iter().any(|(shift, n)| self.pools[shift] < *n) {
                return false;
            }
            if copied.is_empty() {
                return true;
            }
            copied.into_iter().for_each(|va| self.unshare(pid, va));
        }
    }

    /// Maps a missing page.
    pub(super) fn fault(
        &mut self,
        pid: u32,
        first: u64,
        shift: u32,
        store: bool,
        cause: FaultCause,
    ) {
        self.counts.faults[cause.index()] += 1;
        let known = self.relatives_cell(pid, first, shift);
        if known.is_none() && self.pool_of(pid, first, shift).is_some() {
            *self.pools.get_mut(&shift).unwrap() -= 1;
        }
        let writable = store || !self.is_shared_until_written(pid, first);
        let cell = known.unwrap_or_else(|| self.new_cell(shift));
        if !writable {
            self.outside.extend(cell..cell + (1 << (shift - 12)));
        }
        self.map(pid, first, Page { shift, writable, cell });
    }

    pub(super) fn cause(&self, pid: u32, va: u64, store: bool) -> FaultCause {
        let va = va >> 12 << 12;
        let backed = self.layouts[&pid].piece(va).kind.is_some_and(|kind| kind.is_backed());
        let shared = self.is_shared_until_written(pid, va);
        if self.region(pid, va).is_some_and(|region| !region.resident) {
            FaultCause::SwapIn
        } else if shared && store {
            FaultCause::CopyOnWrite
        } else if shared || backed {
            FaultCause::Shared
        } else {
            FaultCause::FirstTouch
        }
    }
}
