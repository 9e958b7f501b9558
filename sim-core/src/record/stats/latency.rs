//! A run at other latencies: they change no count, only what is made of the counts.

use super::{CyclesReport, RunReport};
use crate::config::{LatencyConfig, MachineConfig};
use crate::machine::Machine;
use crate::os::Virt;
use pagewalk_base::trace::Kind;

impl RunReport {
    /// Returns the report of the same accesses on `machine`, if this is the report of a run on a machine of configuration
    /// `ran` that differs in latencies alone. Both have the same operating system.
    ///
    /// `None` where more may be other, or where latencies decide what is counted: under a host, on several cores,
    /// where huge pages for code are as many as pay.
    pub fn at_latencies_of(&self, machine: &Machine, ran: &MachineConfig) -> Option<Self> {
        let config = &machine.plan.config;
        let is_alike = machine.plan.virt == Virt::Native
            && self.cores.is_empty()
            && !machine.os.adapts_text()
            && without_latencies(config) == without_latencies(ran)
            // As far as these counts are all that cycles come from.
            && self.cycles_at(ran) == self.cycles;
        is_alike.then(|| Self { cycles: self.cycles_at(config), ..self.clone() })
    }

    /// Cycles of what was counted, at the latencies of a machine.
    fn cycles_at(&self, machine: &MachineConfig) -> CyclesReport {
        let kinds = [
            (Kind::Fetch, &self.kinds.fetch),
            (Kind::Load, &self.kinds.load),
            (Kind::Store, &self.kinds.store),
        ];
        // A kind without an array at level 1 starts at level 2, where a hit is then free.
        let has_l1 = |kind: Kind| {
            machine.l1.iter().any(|array| array.serves.as_ref().is_none_or(|s| s.contains(&kind)))
        };
        let hits = kinds.iter().filter(|(kind, _)| has_l1(*kind));
        let l2_hit = hits
            .map(|(kind, counts)| counts.l2_hits * u64::from(machine.latency.l2_hit.of(*kind)))
            .sum();
        let caches = machine.memory.caches.iter().map(|cache| cache.latency);
        let reads: u64 = caches
            .chain([machine.memory.dram])
            .zip(&self.walks.served_by)
            .map(|(latency, served)| u64::from(latency) * served.refs)
            .sum();
        let walk = reads + self.walks.walks * u64::from(machine.latency.walk_overhead);
        CyclesReport { l2_hit, walk, total: l2_hit + walk }
    }
}

/// Nothing of this is told by a report, but in cycles.
fn without_latencies(machine: &MachineConfig) -> MachineConfig {
    let mut same = machine.clone();
    same.latency = LatencyConfig::default();
    same.memory.dram = 0;
    for cache in &mut same.memory.caches {
        cache.latency = 0;
    }
    same
}
