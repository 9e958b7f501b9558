//! The naive twin of fork(2), from its description. It finds the owners of a memory cell by searching all
//! pages.

use pagewalk::os::{FaultCause, PagePolicy};

use super::layout::{HUGE, Way};
use super::{Page, Twin};

impl Twin<'_> {
    pub(super) fn fork(&mut self, parent: u32, child: u32, flush: bool) {
        if parent == child || self.pages.keys().any(|(pid, _)| *pid == child) {
            self.failed = true;
            return;
        }
        if !self.order.contains(&child) {
            self.order.push(child);
        }
        let layout = self.layouts[&parent].clone();
        self.layouts.insert(child, layout);
        match self.families.iter_mut().find(|family| family.contains(&parent)) {
            Some(family) => family.push(child),
            None => self.families.push(vec![parent, child]),
        }
        let blocks: Vec<_> = self.blocks.iter().filter(|((pid, _), _)| *pid == parent).collect();
        let blocks: Vec<_> =
            blocks.into_iter().map(|((_, at), huge)| ((child, *at), *huge)).collect();
        self.blocks.retain(|(pid, _), _| *pid != child);
        self.blocks.extend(blocks);
        self.inherit_code(parent, child);
        let rights: Vec<_> = self.rights.iter().filter(|((pid, _), _)| *pid == parent).collect();
        let rights: Vec<_> =
            rights.into_iter().map(|((_, at), what)| ((child, *at), *what)).collect();
        self.rights.retain(|(pid, _), _| *pid != child);
        self.rights.extend(rights);
        let touched: Vec<_> = self.touched.iter().filter(|(pid, _)| *pid == parent).collect();
        let touched: Vec<_> = touched.into_iter().map(|(_, page)| (child, *page)).collect();
        self.touched.extend(touched);
        self.tables.insert((child, 48, 0));
        let pages: Vec<_> = self.pages.iter().filter(|((pid, _), _)| *pid == parent).collect();
        let pages: Vec<_> = pages.into_iter().map(|((_, va), page)| (*va, *page)).collect();
        for (va, page) in pages {
            if self.is_mapped_at_first_touch(parent, va) {
                continue;
            }
            if page.writable && !flush {
                self.stale.extend((0..1 << (page.shift - 12)).map(|at| (parent, (va >> 12) + at)));
            }
            let page = Page { writable: false, ..page };
            self.pages.insert((parent, va), page);
            self.map(child, va, page);
        }
        if flush {
            self.shoot_down(parent, 0, u64::MAX);
        }
    }

    /// Returns whether a child maps the page at its first touch, because it is a file or shared memory.
    fn is_mapped_at_first_touch(&self, pid: u32, va: u64) -> bool {
        let is_backed = self.layouts[&pid].piece(va).kind.is_some_and(|kind| kind.is_backed());
        is_backed && !self.is_shared_until_written(pid, va)
    }

    /// Returns the cell in which a related process has the page of a file or of shared memory.
    pub(super) fn relatives_cell(&self, pid: u32, va: u64, shift: u32) -> Option<u64> {
        let family = self.families.iter().find(|family| family.contains(&pid))?;
        let pages = family.iter().filter(|other| **other != pid);
        let first = va >> shift << shift;
        let pages = pages.filter_map(|other| self.pages.get(&(*other, first)));
        let mut same =
            pages.filter(|page| page.shift == shift && self.is_mapped_at_first_touch(pid, first));
        same.next().map(|page| page.cell)
    }

    pub(super) fn new_cell(&mut self, shift: u32) -> u64 {
        self.next_cell += 1 << (shift - 12);
        self.next_cell - (1 << (shift - 12))
    }

    /// Returns whether another process has a cell of a mapped page.
    pub(super) fn has_other_owners(&self, page: Page) -> bool {
        let own = cells(&page);
        let meets = |other: &&Page| cells(other).start < own.end && own.start < cells(other).end;
        self.pages.values().filter(meets).count() > 1 || self.outside.range(own.clone()).count() > 0
    }

    /// Returns whether the TLB still has the right to write that a fork removed.
    pub(super) fn missed_shootdown(&mut self, pid: u32, va: u64) -> bool {
        if !self.stale.contains(&(pid, va >> 12)) {
            return false;
        }
        let held = self.tlb.iter().any(|(of, shift, page)| *of == pid && va >> shift == *page);
        if !held {
            let shift = self.shift_of(pid, va, false);
            let first = va >> shift << (shift - 12);
            for page in first..first + (1 << (shift - 12)) {
                self.stale.remove(&(pid, page));
            }
        }
        held
    }

    /// Returns whether a store would be the first touch of a transparent huge page that others own.
    pub(super) fn is_in_huge_page_of_others(&self, pid: u32, va: u64) -> bool {
        let (layout, block) = (&self.layouts[&pid], va >> HUGE);
        let region = self.region(pid, va);
        region.is_some_and(|region| region.copy_on_write && region.resident)
            && layout.piece(va).policy == PagePolicy::Thp
            && matches!(layout.piece(va).way, Way::Huge | Way::Open)
            && layout.fits(va, HUGE)
            && self.blocks.get(&(pid, block)) != Some(&false)
            && !self.pages.contains_key(&(pid, block << HUGE))
            && !self.tlb.iter().any(|(of, shift, page)| *of == pid && va >> shift == *page)
    }

    /// Gives the process that writes a page its own copy.
    pub(super) fn unshare(&mut self, pid: u32, va: u64) {
        let is_new = self.is_in_huge_page_of_others(pid, va);
        if is_new && self.shift_of(pid, va, true) == HUGE {
            let cell = self.new_cell(HUGE);
            self.outside.extend(cell..cell + 512);
            self.map(pid, va >> HUGE << HUGE, Page { shift: HUGE, writable: false, cell });
        }
        let mut shift = self.shift_of(pid, va, false);
        let whole = (va >> shift << shift, va | ((1 << shift) - 1));
        // A block without a huge page is left to the page fault, which copies a small page.
        let Some(mut page) = self.pages.get(&(pid, whole.0)).copied() else { return };
        let is_thp = self.layouts[&pid].piece(va).policy == PagePolicy::Thp;
        let is_split = shift == HUGE && is_thp && self.has_other_owners(page);
        if is_split {
            self.split(pid, whole.0);
            shift = 12;
            page = self.pages[&(pid, va >> 12 << 12)];
        }
        let is_copied = self.has_other_owners(page);
        let first = va >> shift << shift;
        if is_new {
            // No TLB has an entry of a page that was not mapped.
        } else if is_split || is_copied {
            self.shoot_down(pid, whole.0, whole.1);
        } else {
            // The page fault drops the TLB entry.
            self.tlb.retain(|(of, shift, page)| *of != pid || va >> shift != *page);
        }
        self.counts.faults[FaultCause::CopyOnWrite.index()] += 1;
        self.counts.reused += u64::from(!is_copied);
        let mut cell = page.cell;
        if is_copied {
            if self.pool_of(pid, first, shift).is_some() {
                *self.pools.get_mut(&shift).unwrap() -= 1;
            }
            cell = self.new_cell(shift);
        }
        self.map(pid, first, Page { shift, writable: true, cell });
        self.copying.push(first);
    }

    /// Returns the bytes that several processes map, minus their bytes in memory.
    pub(crate) fn shared_bytes(&self) -> u64 {
        let mut cells: Vec<u64> = self.pages.values().flat_map(cells).collect();
        let n = cells.len();
        cells.sort_unstable();
        cells.dedup();
        (n - cells.len()) as u64 * 4096
    }
}

fn cells(page: &Page) -> std::ops::Range<u64> {
    page.cell..page.cell + (1 << (page.shift - 12))
}
