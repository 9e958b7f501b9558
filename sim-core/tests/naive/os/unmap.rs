//! The naive twin of unmapping: munmap(2), and madvise(2) with `MADV_DONTNEED`.

use pagewalk::os::PagePolicy;
use pagewalk_base::trace::{Op, OpRecord};

use super::layout::HUGE;
use super::{Page, Twin};

impl Twin<'_> {
    pub(crate) fn op(&mut self, record: &OpRecord) {
        if self.failed {
            return;
        }
        self.enter(record.pid);
        match record.op {
            Op::Munmap { start, length, flush } => {
                self.unmap(record.pid, (start.0, start.0 + length.0 - 1), false, flush);
            }
            Op::Mprotect { start, length, read, write, execute, .. } => {
                let rights = (read, read && write, read && execute);
                self.protect(record.pid, (start.0, start.0 + length.0 - 1), rights);
            }
            Op::Madvise { start, length, flush, .. } => {
                self.unmap(record.pid, (start.0, start.0 + length.0 - 1), true, flush);
            }
            Op::Fork { child, flush } => self.fork(record.pid, child, flush),
            other => panic!("{other}"),
        }
    }

    /// Returns the pages that overlap the range.
    fn pages_in(&self, pid: u32, (start, last): (u64, u64)) -> Vec<(u64, u32)> {
        let all = self.pages.iter().filter(|((of, _), _)| *of == pid);
        let all = all.map(|((_, va), page)| (*va, page.shift));
        all.filter(|(va, shift)| *va <= last && start < va + (1 << shift)).collect()
    }

    /// Splits transparent huge pages at the ends of a range. Other huge pages there make the system fail.
    fn split_edges(&mut self, pid: u32, range: (u64, u64)) {
        let (start, last) = range;
        for (va, shift) in self.pages_in(pid, range) {
            if start <= va && va + (1 << shift) - 1 <= last {
                continue;
            }
            if shift != HUGE || !self.may_split(pid, va) {
                self.failed = true;
                return;
            }
            self.split(pid, va);
        }
    }

    /// Splits a huge page into small pages in the same cells.
    pub(super) fn split(&mut self, pid: u32, va: u64) {
        let page = self.pages.remove(&(pid, va)).unwrap();
        for at in 0..512 {
            let small = Page { shift: 12, cell: page.cell + at, ..page };
            self.pages.insert((pid, va + at * 4096), small);
        }
        self.tables.insert((pid, HUGE, va >> HUGE));
        self.blocks.insert((pid, va >> HUGE), false);
    }

    /// Sets the rights to read, write and execute of each small page of a range.
    fn protect(&mut self, pid: u32, range: (u64, u64), rights: (bool, bool, bool)) {
        let (start, last) = range;
        self.split_edges(pid, range);
        if self.failed {
            return;
        }
        for page in start >> 12..=last >> 12 {
            self.rights.insert((pid, page), rights);
        }
        // A huge page cannot have different rights, so the pages at the ends of the range are split.
        for edge in [start, last] {
            let block = edge >> HUGE;
            let is_whole = start <= block << HUGE && (block + 1) << HUGE <= last + 1;
            let is_thp = self.layouts[&pid].piece(edge).policy == PagePolicy::Thp;
            if is_thp && !is_whole {
                self.blocks.entry((pid, block)).or_insert(false);
            }
        }
        if !self.pages_in(pid, range).is_empty() {
            self.shoot_down(pid, start, last);
        }
    }

    fn unmap(&mut self, pid: u32, range: (u64, u64), keeps_tables: bool, flush: bool) {
        let (start, last) = range;
        self.split_edges(pid, range);
        if self.failed {
            return;
        }
        if !keeps_tables {
            let (from, to) = ((pid, start >> 12), (pid, last >> 12));
            self.rights.retain(|page, _| *page < from || to < *page);
        }
        let pages = self.pages_in(pid, range);
        for (va, shift) in &pages {
            let page = self.pages[&(pid, *va)];
            let others = self.has_other_owners(page);
            self.pages.remove(&(pid, *va));
            if !others && self.pool_of(pid, *va, *shift).is_some() {
                *self.pools.get_mut(shift).unwrap() += 1;
            }
            if *shift == HUGE {
                self.blocks.remove(&(pid, va >> HUGE));
            }
            if !keeps_tables {
                self.free_tables(pid, *va);
            }
        }
        self.touched.retain(|(of, page)| *of != pid || page << 12 < start || page << 12 > last);
        if !pages.is_empty() && flush {
            self.shoot_down(pid, start, last);
        }
    }

    /// Frees the empty tables on the way to `va`, except the root.
    fn free_tables(&mut self, pid: u32, va: u64) {
        for spans in [21, 30, 39] {
            let table = (pid, spans, va >> spans);
            let (from, to) = (va >> spans << spans, ((va >> spans) + 1) << spans);
            let has_pages = self.pages.range((pid, from)..(pid, to)).next().is_some();
            let has_tables = self.tables.iter().any(|(of, below, number)| {
                *of == pid && *below < spans && from <= number << below && number << below < to
            });
            if !self.tables.contains(&table) || has_pages || has_tables {
                continue;
            }
            self.tables.remove(&table);
            if spans == 21 {
                self.blocks.remove(&(pid, va >> 21));
            }
        }
    }
}
