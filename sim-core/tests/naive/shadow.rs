//! Naive shadow paging. The guest's pages and tables are sets, and each write of a guest entry is counted. The
//! walks of [`Naive`] read the shadow table, whose pages have the smaller of both sizes.

use std::collections::{BTreeMap, BTreeSet};

use super::host::Frames;
use super::tlb::entries_of;
use super::walk::{prefix, size_in};
use super::{Mapped, Naive};
use pagewalk::os::OsConfig;
use pagewalk_base::addr::{PageSize, Paging};

#[derive(Default)]
pub(crate) struct Shadow {
    /// The guest-physical address of each page, by (process, number, log2 of size).
    pages: BTreeMap<(u32, u64, u32), u64>,
    tables: BTreeSet<(u32, u8, u64)>,
    /// The frames of each virtual machine.
    frames: BTreeMap<u32, Frames>,
    /// The host, if the configuration has one. `backed` has its pages.
    host: Option<OsConfig>,
    backed: BTreeMap<(u32, u64, u32), u64>,
    host_frames: Frames,
    pub(crate) writes: u64,
    pub(crate) cr3_loads: u64,
    pub(crate) invlpg: u64,
    pub(crate) hidden: u64,
}

impl Shadow {
    pub(super) fn new(os: &OsConfig) -> Self {
        Self { host: os.host.as_deref().cloned(), ..Self::default() }
    }

    pub(super) fn n_tables(&self) -> u64 {
        self.tables.len() as u64
    }

    /// Returns the smaller size of the guest's page and of the host's page around a guest-physical address.
    fn smaller(&self, guest: PageSize, frame: u64) -> PageSize {
        let host = self.host.as_ref();
        host.map_or(guest, |host| guest.min(size_in(host, &Paging::x86(4), frame)))
    }

    /// Returns the host-physical address of a guest-physical address.
    fn place(&mut self, vm: u32, frame: u64) -> u64 {
        let Some(host) = &self.host else { return frame + (u64::from(vm) << 44) };
        let size = size_in(host, &Paging::x86(4), frame);
        let frames = &mut self.host_frames;
        let key = (vm, frame >> size.shift(), size.shift());
        *self.backed.entry(key).or_insert_with(|| frames.take(size)) + frame % size.bytes()
    }
}

impl Naive {
    /// Maps a page of the guest and its shadow entry, if they are missing. Returns the size of the page in the
    /// shadow table.
    pub(super) fn map_shadow(&mut self, va: u64, pid: u32, guest: PageSize) -> PageSize {
        let mut shadow = self.shadow.take().unwrap();
        let before = (shadow.writes, shadow.hidden);
        let page = (pid, va >> guest.shift(), guest.shift());
        if !shadow.pages.contains_key(&page) {
            self.faults += 1;
            let frame = shadow.frames.entry(self.vms.core.vm).or_default().take(guest);
            shadow.pages.insert(page, frame);
            let (entry, n) = entries_of(&self.paging, guest);
            shadow.writes += n;
            let leaf = self.paging.leaf_level(entry).unwrap();
            for level in leaf..=self.paging.n_levels() {
                let made = shadow.tables.insert((pid, level, prefix(&self.paging, va, level)));
                // Only CR3 leads to the root table, so creating it writes no entry.
                shadow.writes += u64::from(made && level < self.paging.n_levels());
            }
        }
        let frame = shadow.pages[&page] + va % guest.bytes();
        let size = shadow.smaller(guest, frame);
        let key = (pid, va >> size.shift(), size.shift());
        let is_new = !self.mapped.contains_key(&key);
        if is_new {
            shadow.hidden += 1;
            let address = shadow.place(self.vms.core.vm, frame / size.bytes() * size.bytes());
            let frame = address / size.bytes();
            self.mapped.insert(key, Mapped { dirty: false, frame, address });
            let (entry, _) = entries_of(&self.paging, size);
            self.make_tables(va, pid, self.paging.leaf_level(entry).unwrap());
        }
        let exits = before != (shadow.writes, shadow.hidden);
        self.shadow = Some(shadow);
        if exits {
            self.exit();
        }
        size
    }
}
