//! The contents of one core: the core in the machine, or a parked core.

use crate::caches::tlb::Entries;
use crate::machine::Machine;
use crate::machine::host::nested::{HostCaches, Nested};
use crate::machine::plan::Plan;
use crate::machine::structures::{StructureId, Structures};

/// All structures of one core, including those of the host's side.
#[derive(Clone, Copy)]
pub(crate) struct Contents<'a> {
    structures: &'a Structures,
    host: Option<&'a HostCaches>,
}

impl<'a> Contents<'a> {
    fn all(self) -> impl Iterator<Item = &'a Entries> {
        self.structures.all().chain(self.host.into_iter().flat_map(HostCaches::all))
    }

    /// Returns the storage of a structure, or `None` if there is no such structure.
    pub(crate) fn get(self, plan: &Plan, id: StructureId) -> Option<&'a Entries> {
        self.all().nth(plan.inside(id).unwrap_or(id).index())
    }

    /// Returns the number of entries in use of each structure.
    pub(crate) fn in_use(self, plan: &Plan) -> Vec<u32> {
        let ids = StructureId(0).number(self.all()).map(|(id, _)| id);
        ids.filter_map(|id| self.get(plan, id)).map(Entries::n_used).collect()
    }
}

impl Machine {
    /// Returns the contents of the core in the machine.
    pub(crate) fn contents(&self) -> Contents<'_> {
        let host = self.nested.as_ref().map(|nested| &nested.caches);
        Contents { structures: &self.structures, host }
    }

    /// Returns the contents of the core that the trace calls `core`. Before the trace uses the core, they are empty.
    /// Returns `None` if all accesses happen on one core.
    pub(crate) fn contents_of(&self, core: u32) -> Option<Contents<'_>> {
        let parked = self.cores.as_ref()?;
        let number = parked.numbers.get(&core);
        if number.is_some() && number == parked.active.as_ref() {
            return Some(self.contents());
        }
        let core = number.map_or(&parked.fresh, |number| &parked.cores[*number]);
        Some(Contents { structures: &core.structures, host: core.host.as_ref() })
    }

    /// Returns the host if the structure is on the host's side.
    pub(crate) fn host_of(&self, id: StructureId) -> Option<&Nested> {
        self.nested.as_deref().filter(|nested| id >= nested.plan.tlb_at)
    }

    /// Returns the name of the memory cache that served a reference, or `DRAM`.
    pub(crate) fn server_name(&self, server: usize) -> &str {
        self.plan.config.memory.caches.get(server).map_or("DRAM", |cache| cache.name.as_str())
    }
}
