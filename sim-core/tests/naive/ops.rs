//! Naive operations, which drop entries one by one, by the rules of the manual.

use std::collections::BTreeMap;

use pagewalk::config::MachineConfig;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{ControlBit, InveptScope, InvpcidScope, InvvpidScope, Op, OpRecord};

use super::Naive;
use super::array::{Array, Key};
use super::geometry::Geometry;
use super::host::is_host_page;
use super::vms::{GLOBAL, pcid_of, vm_of, vpid_of};

/// The PCIDs of one core.
pub(super) struct Pcids {
    on: bool,
    /// The process of each PCID. `next` is the PCID that is assigned next.
    slots: Vec<Option<u32>>,
    next: usize,
    given: BTreeMap<u32, u32>,
    pub(super) pid: Option<u32>,
    /// The PCID in use.
    pub(super) now: u32,
}

impl Pcids {
    pub(super) fn new(config: &MachineConfig) -> Self {
        let kept = config.control.as_ref().and_then(|c| c.pcids).map(|n| n as usize);
        Self {
            on: kept != Some(0),
            slots: vec![None; kept.unwrap_or(0)],
            next: 0,
            given: BTreeMap::new(),
            pid: None,
            now: 0,
        }
    }
}

impl Naive {
    /// Returns the number of a process in order of appearance.
    pub(super) fn number(&mut self, pid: u32) -> u32 {
        if !self.order.contains(&pid) {
            self.order.push(pid);
        }
        self.order.iter().position(|p| *p == pid).unwrap() as u32
    }

    /// Returns the PCID of a process, and whether it belonged to another process until now.
    fn pcid_for(&mut self, pid: u32) -> (u32, bool) {
        let number = self.number(pid);
        let p = &mut self.pcids;
        if !p.on {
            return (0, true);
        }
        if let Some(given) = p.given.get(&pid) {
            return (*given, false);
        }
        if p.slots.is_empty() {
            return (number, false);
        }
        if let Some(slot) = p.slots.iter().position(|s| *s == Some(pid)) {
            return (slot as u32, false);
        }
        let slot = p.next;
        p.slots[slot] = Some(pid);
        p.next = (slot + 1) % p.slots.len();
        (slot as u32, true)
    }

    /// Returns the process with a PCID, in the virtual machine with these PCIDs.
    pub(super) fn pid_under(&self, p: &Pcids, pcid: u32) -> u32 {
        let given = p.given.iter().find(|(_, held)| **held == pcid).map(|(pid, _)| *pid);
        let kept = p.slots.get(pcid as usize).copied().flatten();
        let own = p.slots.is_empty().then(|| self.order.get(pcid as usize).copied()).flatten();
        let current = p.pid.filter(|_| p.now == pcid);
        current.or(given).or(kept).or(own).expect("somebody's entry")
    }

    pub(super) fn run_process(&mut self, pid: u32) {
        if self.pcids.pid == Some(pid) {
            return;
        }
        let first = self.pcids.pid.is_none();
        let (pcid, taken) = self.pcid_for(pid);
        (self.pcids.pid, self.pcids.now) = (Some(pid), pcid);
        if taken && !first {
            self.drop_pcid(pcid);
        }
        self.switches += u64::from(!first);
        if let (Some(shadow), false) = (&mut self.shadow, first) {
            shadow.cr3_loads += 1;
            self.exit();
        }
    }

    pub(crate) fn op(&mut self, record: &OpRecord) {
        if let Op::VmSwitch { vm, vpid } = record.op {
            return self.switch_vm(vm, vpid);
        }
        let record = &OpRecord { pid: self.own(record.pid), ..*record };
        if let Op::MovCr3 { pcid, keep } = record.op {
            self.number(record.pid);
            if let (Some(pcid), true) = (pcid, self.pcids.on) {
                self.pcids.given.insert(record.pid, u32::from(pcid));
            }
            let (pcid, taken) = self.pcid_for(record.pid);
            (self.pcids.pid, self.pcids.now) = (Some(record.pid), pcid);
            if !keep || taken {
                self.drop_pcid(pcid);
            }
            if let Some(shadow) = &mut self.shadow {
                shadow.cr3_loads += 1;
                self.exit();
            }
            return;
        }
        self.run_process(record.pid);
        if matches!(
            record.op,
            Op::HostUnmap { .. } | Op::HostProtect { .. } | Op::HostSetEntry { .. }
        ) {
            return self.op_of_host(record.pid, &record.op);
        }
        if let Op::Invlpg { address } | Op::Invpcid { address, .. } = record.op
            && self.paging.has(address.0)
        {
            self.owner_of(record.pid, address.0);
        }
        let now = self.pcids.now;
        if let (Some(shadow), Op::Invlpg { .. } | Op::Invpcid { .. }) =
            (&mut self.shadow, record.op)
        {
            shadow.invlpg += 1;
            self.exit();
        }
        let vpid = self.vms.core.vpid;
        match record.op {
            // INVLPG of an address that is not canonical does nothing.
            Op::Invlpg { address } if !self.paging.has(address.0) => {}
            Op::Invlpg { address } => {
                let page = self.page_at(address.0);
                self.drop(|key, range| {
                    let is_own = pcid_of(key) == now && (is_table(key) || overlap(range, page));
                    vpid_of(key) == vpid && (is_own || is_global(key) && overlap(range, page))
                });
            }
            Op::Invpcid { scope: InvpcidScope::Address, pcid, address } => {
                let (page, pcid) = (self.page_at(address.0), pcid.map_or(now, u32::from));
                self.drop(|key, range| {
                    (vpid_of(key), pcid_of(key)) == (vpid, pcid) && overlap(range, page)
                });
            }
            Op::Invpcid { scope: InvpcidScope::Pcid, pcid, .. } => {
                self.drop_pcid(pcid.map_or(now, u32::from));
            }
            Op::Invpcid { scope: InvpcidScope::AllButGlobal, .. } => {
                self.drop(|key, _| vpid_of(key) == vpid && !is_global(key));
            }
            Op::Invpcid { .. } => self.drop(|key, _| vpid_of(key) == vpid),
            Op::SetControl { bit: bit @ (ControlBit::Pge | ControlBit::Pg), on } => {
                if bit == ControlBit::Pge {
                    let vm = self.vms.core.vm;
                    self.vms.without_global.remove(&vm);
                    self.vms.without_global.extend((!on).then_some(vm));
                }
                self.drop(|key, _| vpid_of(key) == vpid);
            }
            Op::SetControl { bit: ControlBit::Pcide, on } => {
                if on != self.pcids.on {
                    self.drop(|key, _| vpid_of(key) == vpid);
                    self.pcids.on = on;
                    self.pcids.now = self.pcid_for(record.pid).0;
                }
            }
            Op::Invvpid { scope: InvvpidScope::All, .. } => self.drop(|key, _| vpid_of(key) > 0),
            Op::Invvpid { scope: InvvpidScope::Address, vpid: of, address } => {
                let (page, of) = (self.page_at(address.0), of.map_or(vpid, u32::from));
                self.drop(|key, range| vpid_of(key) == of && overlap(range, page));
            }
            Op::Invvpid { scope, vpid: of, .. } => {
                let of = of.map_or(vpid, u32::from);
                let spares = scope == InvvpidScope::VpidButGlobal;
                self.drop(|key, _| vpid_of(key) == of && !(spares && is_global(key)));
            }
            Op::Invept { scope, eptp } => {
                // On a native machine all entries are linear mappings, which INVEPT does not drop.
                let Some(host) = &mut self.host else { return };
                let vm = match (scope, eptp) {
                    (InveptScope::All, _) => return self.drop_every_vm(),
                    (InveptScope::Single, None) => Some(host.vm),
                    (InveptScope::Single, Some(eptp)) => host.vm_at(eptp.0),
                };
                if let Some(vm) = vm {
                    self.drop_of_host(|of| of == vm);
                    self.drop(|key, _| vm_of(key) == vm);
                }
            }
            other => panic!("{other}"),
        }
    }

    fn drop_every_vm(&mut self) {
        self.drop(|_, _| true);
        self.drop_of_host(|_| true);
    }

    fn drop_pcid(&mut self, pcid: u32) {
        let vpid = self.vms.core.vpid;
        self.drop(|key, _| (vpid_of(key), pcid_of(key)) == (vpid, pcid));
    }

    /// Returns the first and the last address of the page of `address`.
    fn page_at(&self, address: u64) -> (u64, u64) {
        let va = address & self.paging.va_mask();
        let size = self.size_at(va).bytes();
        (va / size * size, va / size * size + size - 1)
    }

    pub(super) fn drop(&mut self, is_dropped: impl Fn(&Key, (u64, u64)) -> bool) {
        let paging = self.paging.clone();
        let range = |key: &Key| range_of(key, &paging);
        let (mut translations, mut tables) = (0, 0);
        let mut empty = |array: &mut Array| {
            for way in array.sets.iter_mut().flat_map(|(ways, _)| ways) {
                let own = way.as_ref().filter(|key| !is_host_page(key));
                if own.is_some_and(|key| is_dropped(key, range(key))) {
                    let key = way.take().unwrap();
                    array.invalidations += 1;
                    *(if is_table(&key) { &mut tables } else { &mut translations }) += 1;
                }
            }
        };
        self.l1.iter_mut().chain(&mut self.l2).for_each(|tlb| empty(&mut tlb.array));
        self.psc.iter_mut().for_each(empty);
        if let Some(pom_tlb) = &mut self.pom_tlb {
            pom_tlb.drop(|key| is_dropped(key, range(key)));
        }
        self.drop_of_blocks(|key| is_dropped(key, range(key)));
        self.dropped.0 += translations;
        self.dropped.1 += tables;
    }
}

fn is_table(key: &Key) -> bool {
    key.0.starts_with("table")
}

fn is_global(key: &Key) -> bool {
    pcid_of(key) == GLOBAL
}

/// Returns the first and the last address that an entry covers.
pub(super) fn range_of(key: &Key, paging: &Geometry) -> (u64, u64) {
    let shift = match key.0.strip_prefix("table ") {
        Some(level) => paging.shift(level.parse::<u8>().unwrap() + 1),
        None => PageSize::parse(&key.0).unwrap().shift(),
    };
    (key.1 << shift, (key.1 << shift) + (1 << shift) - 1)
}

pub(super) fn overlap(a: (u64, u64), b: (u64, u64)) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}
