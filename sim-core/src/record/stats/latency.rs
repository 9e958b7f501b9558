//! Computes the report of a run at other latencies. Latencies change no count, only the cycles computed from
//! the counts.

use super::{CyclesReport, RunReport};
use crate::config::{LatencyConfig, MachineConfig};
use crate::machine::Machine;
use crate::os::Virt;
use pagewalk_base::trace::Kind;

impl RunReport {
    /// Returns the report of the same accesses on `machine`. This is the report of a run on a machine of
    /// configuration `ran`, which may differ in latencies alone. Both have the same operating system.
    ///
    /// Returns `None` if other numbers may differ, or if latencies influence the counts: under a host, on several
    /// cores, or if the system adapts the number of huge pages for code.
    pub fn at_latencies_of(&self, machine: &Machine, ran: &MachineConfig) -> Option<Self> {
        let config = &machine.plan.config;
        let differs_in_latencies_only = machine.plan.virt == Virt::Native
            && self.cores.is_empty()
            && config.pom_tlb.is_none()
            && config.victima.is_none()
            // The reads of a walk overlap.
            && config.ecpt.is_none()
            && !machine.os.adapts_text()
            && without_latencies(config) == without_latencies(ran)
            // The cycles of the run must follow from these counts alone.
            && self.cycles_at(ran) == self.cycles;
        differs_in_latencies_only.then(|| Self {
            cycles: self.cycles_at(config),
            event_cycles: self.event_cycles_at(config.event_costs),
            ..self.clone()
        })
    }

    /// Returns the cycles of the counts in this report, at the latencies of a machine.
    fn cycles_at(&self, machine: &MachineConfig) -> CyclesReport {
        let kinds = [
            (Kind::Fetch, &self.kinds.fetch),
            (Kind::Load, &self.kinds.load),
            (Kind::Store, &self.kinds.store),
        ];
        let of_l2 = kinds.map(|(kind, counts)| {
            let cycles = machine.l2_cycles(kind);
            (counts.l2_hits * cycles.hit, counts.walks * cycles.miss)
        });
        let caches = machine.memory.caches.iter().map(|cache| cache.latency);
        let reads: u64 = caches
            .chain([machine.memory.dram])
            .zip(&self.walks.served_by)
            .map(|(latency, served)| u64::from(latency) * served.refs)
            .sum();
        let walk = reads + self.walks.walks * u64::from(machine.latency.walk_overhead);
        let l2_hit = of_l2.iter().map(|(hit, _)| hit).sum();
        let l2_miss = of_l2.iter().map(|(_, miss)| miss).sum();
        CyclesReport::new([l2_hit, l2_miss, walk], machine.overlap())
    }
}

/// Returns the configuration with the default latencies and overlap. In a report, the removed settings change only
/// cycles.
fn without_latencies(machine: &MachineConfig) -> MachineConfig {
    let mut same = machine.clone();
    same.latency = LatencyConfig::default();
    (same.walkers, same.outstanding_misses, same.event_costs) = (1, None, None);
    same.memory.dram = 0;
    for cache in &mut same.memory.caches {
        cache.latency = 0;
    }
    same
}
