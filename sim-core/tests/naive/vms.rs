//! Several virtual machines on a core. The key of an entry has the bits of its virtual machine, VPID and PCID.

use std::collections::{BTreeMap, BTreeSet};

use pagewalk::config::MachineConfig;
use pagewalk::os::{OsConfig, UpperHalf, Virt};
use pagewalk_base::addr::PageSize;

use super::Naive;
use super::array::Key;
use super::host::is_host_page;
use super::ops::Pcids;

pub(super) struct Vms {
    /// The numbers of virtual machines in the trace, in order of appearance.
    order: Vec<u16>,
    tagged: bool,
    log_full: u64,
    pub(super) switches: u64,
    /// The virtual machines that have switched global pages off.
    pub(super) without_global: BTreeSet<u32>,
    pub(super) core: Core,
}

/// The virtual machines of one core.
pub(super) struct Core {
    pub(super) vm: u32,
    pub(super) vpid: u32,
    /// The PCIDs and the VPID of the virtual machines that are not running.
    parked: BTreeMap<u32, (Pcids, u32)>,
}

impl Vms {
    pub(super) fn new(config: &MachineConfig, os: &OsConfig) -> Self {
        let tagged = config.virt.as_ref().is_none_or(|virt| virt.vpid != Some(false));
        let vpid = u32::from(os.virt != Virt::Native && tagged);
        let core = Core { vm: 0, vpid, parked: BTreeMap::new() };
        let without_global = BTreeSet::new();
        Self { order: vec![1], tagged, log_full: 0, switches: 0, without_global, core }
    }
}

/// Returns the virtual machine of a key. The third part of a key has 4 bits of virtual machine, 16 of VPID and
/// 12 of PCID.
pub(super) fn vm_of(key: &Key) -> u32 {
    key.2 >> 28
}

pub(super) fn vpid_of(key: &Key) -> u32 {
    key.2 >> 12 & 0xffff
}

pub(super) fn pcid_of(key: &Key) -> u32 {
    key.2 & 0xfff
}

/// The distance between the process numbers of two virtual machines, so that all processes have different
/// numbers.
const APART: u32 = 1000;

/// The PCID of global translations.
pub(super) const GLOBAL: u32 = 0xfff;

impl Naive {
    pub(crate) fn vm_switches(&self) -> u64 {
        self.vms.switches
    }

    pub(super) fn tag(&self) -> u32 {
        self.vms.core.vm << 28 | self.vms.core.vpid << 12 | self.pcids.now
    }

    /// Returns whether an address is in an upper half that all processes share.
    fn is_shared(&self, address: u64) -> bool {
        self.os.upper_half == UpperHalf::Shared && self.paging.is_upper(address)
    }

    /// Returns the process that owns the tables and pages of an address.
    pub(super) fn owner_of(&mut self, pid: u32, address: u64) -> u32 {
        if !self.is_shared(address) {
            return pid;
        }
        // The kernel gets a number in order of appearance, like a process, because these numbers are PCIDs.
        let kernel = self.own(APART - 1);
        self.number(kernel);
        kernel
    }

    /// Returns the tag of a translation.
    pub(super) fn page_tag(&self, address: u64) -> u32 {
        let has_global = !self.vms.without_global.contains(&self.vms.core.vm);
        if self.is_shared(address) && has_global { self.tag() | GLOBAL } else { self.tag() }
    }

    pub(super) fn own(&self, pid: u32) -> u32 {
        self.vms.core.vm * APART + pid
    }

    /// Returns the key of an entry's flag. It has the virtual machine, because all guests have equal addresses.
    pub(super) fn flag_of(&self, entry: u64) -> u64 {
        entry + (u64::from(self.vms.core.vm) << 56)
    }

    /// Returns the number of tables of the running guest. Shadow tables of all guests are in one memory.
    pub(super) fn n_tables_of_vm(&self) -> u64 {
        let vm = self.vms.core.vm;
        let is_here = |pid: u32| self.os.virt == Virt::Shadow || pid / APART == vm;
        self.tables.keys().filter(|key| is_here(key.0)).count() as u64
    }

    /// Returns the size of a page in the TLB, for an entry with this tag.
    ///
    /// If the virtual machine has a new VPID, the process of the tag is unknown. Then the result is `held`.
    pub(super) fn held_of(&mut self, va: u64, tag: u32, held: PageSize) -> PageSize {
        let key = (String::new(), 0, tag);
        let (vm, vpid, pcid) = (vm_of(&key), vpid_of(&key), pcid_of(&key));
        let parked = self.vms.core.parked.get(&vm).filter(|_| vm != self.vms.core.vm);
        if vpid != parked.map_or(self.vms.core.vpid, |(_, vpid)| *vpid) {
            return held;
        }
        let is_upper = va > self.paging.va_mask() / 2;
        let pid = match self.os.upper_half {
            UpperHalf::Shared if is_upper => vm * APART + APART - 1,
            _ => self.pid_under(parked.map_or(&self.pcids, |(pcids, _)| pcids), pcid),
        };
        if let Some(host) = &mut self.host {
            host.vm = vm;
        }
        let size = self.held_at(va, pid);
        self.enter_vm();
        size
    }

    /// Makes the host use the memory of the running virtual machine.
    pub(super) fn enter_vm(&mut self) {
        if let Some(host) = &mut self.host {
            host.vm = self.vms.core.vm;
        }
    }

    pub(super) fn switch_vm(&mut self, name: u16, vpid: Option<u16>) {
        self.vms.switches += 1;
        self.exit();
        if !self.vms.order.contains(&name) {
            self.vms.order.push(name);
        }
        let next = self.vms.order.iter().position(|known| *known == name).unwrap() as u32;
        let first = if self.vms.tagged { u32::from(name) } else { 0 };
        let core = &mut self.vms.core;
        let pcids = std::mem::replace(&mut self.pcids, Pcids::new(&self.config));
        core.parked.insert(core.vm, (pcids, core.vpid));
        let (pcids, own) =
            core.parked.remove(&next).unwrap_or_else(|| (Pcids::new(&self.config), first));
        self.pcids = pcids;
        (core.vm, core.vpid) = (next, vpid.map_or(own, u32::from));
        self.enter_vm();
    }

    /// Exits to the host. Without VPIDs, the exit drops all entries of guests.
    pub(super) fn exit(&mut self) {
        if self.vms.tagged {
            return;
        }
        let arrays = self.l1.iter_mut().chain(&mut self.l2).map(|tlb| &mut tlb.array);
        for array in arrays.chain(&mut self.psc) {
            for way in array.sets.iter_mut().flat_map(|(ways, _)| ways) {
                if way.as_ref().is_some_and(|key| !is_host_page(key)) {
                    *way = None;
                    array.invalidations += 1;
                }
            }
        }
    }

    pub(super) fn exit_if_log_was_full(&mut self) {
        let now = self.host.as_ref().map_or(0, |host| host.log_full);
        if std::mem::replace(&mut self.vms.log_full, now) != now {
            self.exit();
        }
    }

    /// Handles the VM exits for pages that the host has not mapped. Without VPIDs, they come before the walk.
    pub(super) fn map_or_fault(
        &mut self,
        store: bool,
        va: u64,
        pid: u32,
        leaf: u8,
        size: PageSize,
    ) {
        if self.vms.tagged {
            return;
        }
        let levels = (leaf..=self.paging.n_levels()).rev();
        let tables =
            levels.map(|level| self.tables[&(pid, level, super::prefix(&self.paging, va, level))]);
        let page = &self.mapped[&(pid, va >> size.shift(), size.shift())];
        let data = page.address + va % size.bytes();
        let tables: Vec<u64> = tables.collect();
        let host = self.host.as_mut().unwrap();
        let before = host.violations;
        tables.into_iter().for_each(|address| host.map(address, true));
        host.map(data, store);
        if host.violations != before {
            self.exit();
        }
    }
}
