//! Several cores on one trace: each thread, or each processor that the trace names, has TLBs, walk
//! caches and nearer memory caches of its own; page tables and the last memory cache are
//! shared.
//!
//! The accesses of all cores happen in the order of the trace. One core is in the machine, the
//! others are parked: to switch is to exchange what a core has for itself.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::caches::memory::PrivateCaches;
use crate::machine::host::nested::HostCaches;
use crate::machine::host::vm_state::Vcpus;
use crate::machine::pcids::Pcids;
use crate::machine::stale::Stale;
use crate::machine::structures::Structures;

/// The most cores that a trace may use: each takes memory.
pub const MAX_CORES: usize = 256;

/// What has a core of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Cores {
    /// Nothing: all accesses happen on one core.
    #[default]
    One,
    /// Each thread.
    Tid,
    /// Each processor that the trace says an access happened on.
    Cpu,
}

/// What a core has for itself while it is not in the machine.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(crate) structures: Structures,
    pub(crate) caches: PrivateCaches,
    pub(crate) host: Option<HostCaches>,
    /// The process that it runs, `None` before the first.
    pub(crate) pid: Option<u32>,
    pub(crate) pcid: u32,
    pub(crate) pcids: Pcids,
    pub(crate) vcpus: Vcpus,
    pub(crate) stale: Stale,
}

/// The cores of a machine. Clones share those that are not used in between.
#[derive(Clone, Debug)]
pub(crate) struct Parked {
    pub(crate) by: Cores,
    /// A core that has done nothing.
    pub(crate) fresh: Rc<Core>,
    /// By the trace's number of the thread or processor: the number of the core.
    pub(crate) numbers: BTreeMap<u32, usize>,
    pub(crate) cores: Vec<Rc<Core>>,
    /// The core that is in the machine; its parked twin is out of date. `None` before the first access.
    pub(crate) active: Option<usize>,
}

impl Core {
    /// PCIDs and VPID of a virtual machine on this core, if it has run here.
    pub(crate) fn of_vm(&self, vm: u32) -> Option<(&Pcids, u16)> {
        if self.vcpus.vm == vm {
            return Some((&self.pcids, self.vcpus.vpid));
        }
        self.vcpus.parked.get(&vm).map(|vcpu| (&vcpu.pcids, vcpu.vpid))
    }

    fn bytes(&self) -> usize {
        self.structures.bytes()
            + self.caches.bytes()
            + self.host.as_ref().map_or(0, HostCaches::bytes)
    }
}

impl Parked {
    /// By number of the core: the trace's number of its thread or processor.
    pub(crate) fn ids(&self) -> Vec<u32> {
        let mut ids = vec![0; self.cores.len()];
        for (id, number) in &self.numbers {
            if let Some(place) = ids.get_mut(*number) {
                *place = *id;
            }
        }
        ids
    }

    /// Bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let apart = self.cores.iter().enumerate().filter(|(at, core)| {
            let twin = other.and_then(|other| other.cores.get(*at));
            !twin.is_some_and(|twin| Rc::ptr_eq(core, twin))
        });
        apart.map(|(_, core)| core.bytes()).sum()
    }
}
