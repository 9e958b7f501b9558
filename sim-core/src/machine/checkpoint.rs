//! The memory that a checkpoint takes. A checkpoint is a clone of the machine.

use super::Machine;
use crate::machine::operations::cores::Parked;

impl Machine {
    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        self.structures.bytes()
            + parked(self).map_or(0, |cores| cores.bytes_apart_from(other.and_then(parked)))
            + self.memory.bytes_apart_from(other.map(|other| &other.memory))
            + self.pom_tlb.as_ref().map_or(0, |pom_tlb| {
                pom_tlb.bytes_apart_from(other.and_then(|other| other.pom_tlb.as_ref()))
            })
            + self.victima.as_ref().map_or(0, |victima| {
                victima.bytes_apart_from(other.and_then(|other| other.victima.as_ref()))
            })
            + self.tables.bytes_apart_from(other.map(|other| &other.tables))
            + self
                .vms
                .as_ref()
                .map_or(0, |vms| vms.bytes_apart_from(other.and_then(|other| other.vms.as_deref())))
            + self.os.bytes_apart_from(other.map(|other| &other.os))
            + self.nested.as_ref().map_or(0, |nested| {
                nested.bytes_apart_from(other.and_then(|other| other.nested.as_deref()))
            })
    }
}

fn parked(machine: &Machine) -> Option<&Parked> {
    machine.cores.as_deref()
}
