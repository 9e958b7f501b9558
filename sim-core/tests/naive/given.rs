//! Naive memory of limited size, and naive given state.

use super::array::Key;
use super::{Mapped, Naive};
use pagewalk::os::{GivenEntry, OsConfig, Others};
use pagewalk_base::addr::{EntryFormat, PageSize, Paging};
use pagewalk_base::trace::Access;

/// A memory of limited size: the ranges in use, in no order.
pub(super) struct Memory {
    used: Vec<(u64, u64)>,
    page: u64,
    tables: Vec<u64>,
    pages_from: u64,
}

impl Memory {
    pub(super) fn new(paging: &Paging, os: &OsConfig) -> Option<Self> {
        if paging.physical_bits.is_none() && os.given.is_none() {
            return None;
        }
        let page = 1 << paging.offset_bits;
        let given = os.given.clone().unwrap_or_default();
        let mut used = vec![(0, page)];
        for row in given.pages.iter().filter(|row| row.valid) {
            let bytes = row.size.map_or(page, PageSize::bytes);
            let n = u64::from(row.count.unwrap_or(1));
            used.extend(row.frame.map(|frame| (frame.0 * bytes, (frame.0 + n) * bytes)));
        }
        for entry in given.tlb.iter().filter(|entry| entry.valid) {
            let bytes = entry.size.map_or(page, PageSize::bytes);
            used.extend(entry.frame.map(|frame| (frame.0 * bytes, (frame.0 + 1) * bytes)));
        }
        let tables: Vec<u64> = given.tables.iter().map(|frame| frame.0 * page).collect();
        used.extend(tables.iter().map(|start| (*start, start + bytes_of_table(paging))));
        let pages_from = given.next_frame.map_or(0, |frame| frame.0 * page);
        Some(Self { used, page, tables, pages_from })
    }

    /// Takes the lowest free place that is a multiple of `aligned`.
    fn take(&mut self, bytes: u64, aligned: u64, from: u64) -> u64 {
        let mut at = from.next_multiple_of(aligned);
        while self.used.iter().any(|(start, end)| at < *end && *start < at + bytes) {
            at += aligned;
        }
        self.used.push((at, at + bytes));
        at
    }

    pub(super) fn take_page(&mut self, size: PageSize) -> u64 {
        self.take(size.bytes(), size.bytes(), self.pages_from)
    }

    pub(super) fn take_table(&mut self, paging: &Paging) -> u64 {
        if self.tables.is_empty() {
            self.take(bytes_of_table(paging), self.page, 0)
        } else {
            self.tables.remove(0)
        }
    }
}

fn bytes_of_table(paging: &Paging) -> u64 {
    let widest = paging.index_bits.iter().max().unwrap();
    let page = 1 << paging.offset_bits;
    (u64::from(paging.entry_bytes) << widest).div_ceil(page) * page
}

impl Naive {
    /// Returns whether entries record the use of a page, or of a table.
    pub(super) fn records_use(&self, leads_to_table: bool) -> bool {
        match self.paging.entry_format() {
            Some(EntryFormat::ValidBit) => false,
            Some(EntryFormat::RiscV) => !leads_to_table,
            _ => true,
        }
    }

    /// Gives a process its pages, and the first process its TLB entries.
    pub(super) fn begin(&mut self, pid: u32) {
        let Some(given) = self.os.given.clone() else { return };
        if self.begun.contains(&pid) {
            return;
        }
        let is_first = self.begun.is_empty();
        self.begun.push(pid);
        let smallest = self.paging.sizes()[0];
        let mut pages: Vec<(u64, PageSize, Option<u64>, bool)> = Vec::new();
        for row in given.pages.iter().filter(|row| row.valid) {
            let size = row.size.unwrap_or(smallest);
            for n in 0..u64::from(row.count.unwrap_or(1)) {
                pages.push((row.page.0 + n, size, row.frame.map(|frame| frame.0 + n), false));
            }
        }
        let mut keys = Vec::new();
        for entry in given.tlb.iter().filter(|entry| entry.valid) {
            let size = entry.size.unwrap_or(smallest);
            let (level, array, page) = self.page_of_entry(entry);
            keys.push((level, array, page, size));
            let frame = entry.frame.map(|frame| frame.0);
            match pages.iter_mut().find(|row| (row.0, row.1) == (page, size)) {
                Some(row) => (row.2, row.3) = (row.2.or(frame), true),
                None => pages.push((page, size, frame, true)),
            }
        }
        for (page, size, frame, is_cached) in pages {
            let (va, leaf) = (page << size.shift(), self.leaf_of(size));
            // The root comes before the page, the other tables after it.
            self.make_tables(va, pid, self.paging.n_levels());
            let address = match frame {
                Some(frame) => frame << size.shift(),
                None => self.memory.as_mut().unwrap().take_page(size),
            };
            self.mapped
                .insert((pid, page, size.shift()), Mapped { dirty: false, frame: 0, address });
            self.make_tables(va, pid, leaf);
            if is_cached && self.records_use(false) {
                let table = self.tables[&(pid, leaf, super::walk::prefix(&self.paging, va, leaf))];
                let entry =
                    table + u64::from(self.paging.entry_bytes) * self.paging.index(va, leaf);
                self.accessed.insert(self.flag_of(entry), ());
            }
        }
        for (level, array, page, size) in keys.into_iter().filter(|_| is_first) {
            let key: Key = (size.to_string(), page, self.tag());
            let tlb = if level == 0 { &mut self.l1[array] } else { &mut self.l2[array] };
            tlb.array.fill(key);
            tlb.array.fills -= 1;
        }
    }

    fn leaf_of(&self, size: PageSize) -> u8 {
        (1..=self.paging.n_levels()).find(|level| self.paging.size_of(*level) == size).unwrap()
    }

    /// Returns the level, the array and the page of a given entry.
    fn page_of_entry(&self, entry: &GivenEntry) -> (usize, usize, u64) {
        let named = |list: &[pagewalk::caches::tlb::ArrayConfig]| {
            list.iter().position(|array| Some(&array.name) == entry.array.as_ref())
        };
        let (level, array) = match (&entry.array, named(&self.config.l1), named(&self.config.l2)) {
            (None, ..) => (0, 0),
            (_, Some(at), _) => (0, at),
            (_, _, at) => (1, at.unwrap()),
        };
        let tlb = if level == 0 { &self.l1[array] } else { &self.l2[array] };
        let n_sets = tlb.array.sets.len() as u64;
        let in_set = |page: &u64| {
            page / n_sets == entry.tag.unwrap().0
                && tlb.array.set_of(*page) == entry.set.map_or(0, |set| set.0)
        };
        let tagged = || {
            let tag = entry.tag.unwrap().0;
            (tag * n_sets..(tag + 1) * n_sets).find(in_set).unwrap()
        };
        (level, array, entry.page.map_or_else(tagged, |page| page.0))
    }

    /// Returns whether an access ends as a page fault, because one of its pages is not given.
    pub(super) fn is_not_given(&self, access: &Access, last: u64) -> bool {
        let ends = self.os.given.as_ref().is_some_and(|given| given.others == Others::Fault);
        ends && [access.address, last].into_iter().any(|address| {
            let (va, size) = (address & self.paging.va_mask(), self.size_at(address));
            !self.mapped.contains_key(&(access.pid, va >> size.shift(), size.shift()))
        })
    }
}
