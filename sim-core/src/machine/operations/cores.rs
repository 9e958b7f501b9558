//! Several cores on one trace. Each thread, or each processor that the trace names, has its own TLBs, walk
//! caches and nearer memory caches. The cores share page tables and the last memory cache.
//!
//! The accesses of all cores run in the order of the trace. One core is in the machine, the others
//! are parked. A switch exchanges the private state of two cores.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::caches::memory::PrivateCaches;
use crate::machine::host::nested::HostCaches;
use crate::machine::host::vm_state::Vcpus;
use crate::machine::pcids::Pcids;
use crate::machine::stale::Stale;
use crate::machine::structures::Structures;

/// The most cores that a trace may use, since each core takes memory.
pub const MAX_CORES: usize = 256;

/// Which accesses run on a core of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Cores {
    /// All accesses run on one core.
    #[default]
    One,
    /// Each thread has its own core.
    Tid,
    /// Each processor that the trace names has its own core.
    Cpu,
}

/// The private state of a parked core.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Core {
    pub(crate) structures: Structures,
    pub(crate) caches: PrivateCaches,
    pub(crate) host: Option<HostCaches>,
    /// The current process, `None` before the first access.
    pub(crate) pid: Option<u32>,
    pub(crate) pcid: u32,
    pub(crate) pcids: Pcids,
    pub(crate) vcpus: Vcpus,
    pub(crate) stale: Stale,
}

/// The parked cores of a machine. Clones share the cores that neither has used since.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parked {
    pub(crate) by: Cores,
    /// A core before its first access.
    pub(crate) fresh: Rc<Core>,
    /// The number of each core, by the trace's number of its thread or processor.
    pub(crate) numbers: BTreeMap<u32, usize>,
    pub(crate) cores: Vec<Rc<Core>>,
    /// The core in the machine, whose parked state is out of date. `None` before the first access.
    pub(crate) active: Option<usize>,
}

impl Core {
    /// Returns the PCIDs and the VPID of a virtual machine on this core, if it has run here.
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
    /// Returns the trace's number of the thread or processor of each core.
    pub(crate) fn ids(&self) -> Vec<u32> {
        let mut ids = vec![0; self.cores.len()];
        for (id, number) in &self.numbers {
            if let Some(place) = ids.get_mut(*number) {
                *place = *id;
            }
        }
        ids
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let apart = self.cores.iter().enumerate().filter(|(at, core)| {
            let twin = other.and_then(|other| other.cores.get(*at));
            !twin.is_some_and(|twin| Rc::ptr_eq(core, twin))
        });
        apart.map(|(_, core)| core.bytes()).sum()
    }
}
