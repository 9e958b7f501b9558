//! Makes the report of a run from its counters.

use super::report::{
    CyclesReport, FaultsReport, KindReport, KindsReport, PscReport, RunReport, ServedReport,
    StructureReport, TraceCounts, WalksReport,
};
use super::system::MemoryReport;
use super::{Row, Stats, regions, virt};
use crate::machine::Machine;
use crate::machine::structures::StructureId;
use crate::os::Os;
use crate::page_table::PageTables;
use crate::record::touched::Touched;
use pagewalk_base::addr::Paging;
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::trace::{Completeness, Kind};

impl Stats {
    /// Returns the report of a run. `machine` is in its state at the end of the run.
    pub fn report(&self, machine: &Machine, completeness: Completeness) -> RunReport {
        self.report_with(machine, completeness, None)
    }

    /// Returns the report of a run, with the bytes that accesses used if `touched` counted them.
    pub fn report_with(
        &self,
        machine: &Machine,
        completeness: Completeness,
        touched: Option<&Touched>,
    ) -> RunReport {
        let walks: u64 = self.kinds[..3].iter().map(|kind| kind.walks).sum();
        let mut kinds = self.kinds;
        if let Some(straddles) = &self.straddles {
            kinds = [0, 1, 2, 3].map(|index| straddles.without(index, kinds[index]));
        }
        let [fetch, load, store, prefetch] = kinds.map(|kind| KindReport {
            translations: kind.l1_hits + kind.l2_hits + kind.walks,
            ..kind
        });
        let demand = [fetch, load, store];
        let (nested_tlb, ept_psc, pwc) = virt::caches(machine, &self.rows);
        let is_nested = machine.nested.as_ref().is_some_and(|nested| nested.is_walked());
        let mut report = RunReport {
            trace: TraceCounts {
                accesses: self.accesses[..3].iter().sum(),
                translations: demand.iter().map(|kind| kind.translations).sum(),
                fetch: self.accesses[0],
                load: self.accesses[1],
                store: self.accesses[2],
                prefetch: self.accesses[3],
                completeness,
                part: false,
            },
            kinds: KindsReport { fetch, load, store, prefetch },
            structures: self.structures(machine),
            walks: WalksReport {
                walks,
                refs: self.refs,
                guest_refs: if is_nested { self.refs - self.host_refs } else { 0 },
                host_refs: self.host_refs,
                psc: self.psc(machine),
                nested_tlb,
                ept_psc,
                pwc,
                served_by: self.served_by(machine),
                ad_updates: self.ad_updates,
            },
            tlb_prefetch: self.prefetches.report(machine, &self.rows),
            faults: FaultsReport { bus_errors: self.bus_errors, ..FaultsReport::of(self.faults) },
            pages: pages_of(
                &machine.plan.paging,
                machine.systems().map(|(os, tables, _)| (os, tables)),
            ),
            // `Touched` does not distinguish processes of several virtual machines that have the same number.
            memory: MemoryReport::new(
                machine,
                touched.filter(|_| machine.n_vms() < 2).map(|touched| touched.bytes(machine)),
            ),
            regions: regions::of(machine),
            system: self.system,
            pom_tlb: self.pom_tlb.report(machine),
            victima: self.blocks.report(machine),
            ecpt: self.hashed.report(machine),
            cycles: CyclesReport::new(
                [
                    self.l2_cycles,
                    Kind::SERVED.map(|kind| self.l2_miss_cycles(machine, kind)).iter().sum::<u64>()
                        + self.pom_tlb.miss_cycles(),
                    self.walk_cycles,
                ],
                machine.plan.config.overlap(),
            ),
            event_cycles: None,
            exceptions: self.exceptions.report(),
            invalidations: self.invalidations.report(),
            cores: self.cores.clone(),
            virt: self.host.report(machine),
        };
        report.event_cycles = report.event_cycles_at(machine.plan.config.event_costs);
        report
    }

    /// Returns the cycles of the level-2 lookups that missed for a kind. Each walk has one such lookup.
    fn l2_miss_cycles(&self, machine: &Machine, kind: Kind) -> u64 {
        self.kinds[kind.index()].walks * machine.plan.l2_miss[kind.index()]
    }

    /// Returns the counters of a TLB array, with the fills of a nested TLB inside it.
    fn array_row(&self, machine: &Machine, id: StructureId) -> Row {
        let row = self.rows[id];
        let nested_at = machine.plan.host_id();
        if machine.plan.nested_in().is_none() || machine.plan.inside(nested_at) != Some(id) {
            return row;
        }
        let Row { fills, evictions, .. } = self.rows[nested_at];
        Row { fills: row.fills + fills, evictions: row.evictions + evictions, ..row }
    }

    /// Returns the counters of each TLB array. Every array that serves a kind counts a lookup for each access
    /// of the kind at its level. The machine skips arrays that cannot hold the page, so the lookups are
    /// computed from the counts by kind.
    fn structures(&self, machine: &Machine) -> Vec<StructureReport> {
        let config = &machine.plan.config;
        let levels = [
            (1, &config.l1, &machine.structures.l1, StructureId(0)),
            (2, &config.l2, &machine.structures.l2, machine.plan.l2_id(0)),
        ];
        let rows = levels.into_iter().flat_map(|(level, configs, arrays, first)| {
            configs.iter().zip(arrays).enumerate().map(move |(at, (config, array))| {
                let served = Kind::ALL.into_iter().filter(|kind| array.serves(*kind));
                let reached = |kind: Kind| {
                    let KindReport { l1_hits, l2_hits, walks, .. } = self.kinds[kind.index()];
                    l2_hits + walks + if level == 1 { l1_hits } else { 0 }
                };
                let row = self.array_row(machine, first.plus(at));
                StructureReport {
                    name: config.label(level, at),
                    level,
                    lookups: served.map(reached).sum(),
                    hits: row.hits,
                    misses: row.misses,
                    fills: row.fills,
                    evictions: row.evictions,
                    invalidations: row.invalidations,
                }
            })
        });
        rows.collect()
    }

    fn psc(&self, machine: &Machine) -> Vec<PscReport> {
        let caches = machine.plan.psc_id(0).number(&machine.plan.psc.caches);
        caches
            .map(|(id, cache)| {
                let Row { lookups, hits, .. } = self.rows[id];
                PscReport { name: cache.name.to_owned(), lookups, hits }
            })
            .collect()
    }

    fn served_by(&self, machine: &Machine) -> Vec<ServedReport> {
        let names = machine.plan.config.memory.caches.iter().map(|cache| cache.name.as_str());
        let served = names.chain(["DRAM"]).zip(self.servers);
        served.map(|(name, refs)| ServedReport { name: name.to_owned(), refs }).collect()
    }
}

/// Returns the number of mapped pages by size, and the number of table pages.
pub(super) fn pages_of<'a>(
    paging: &Paging,
    systems: impl IntoIterator<Item = (&'a Os, &'a PageTables)>,
) -> SmallMap<String, u64> {
    let mut pages = SmallMap::new();
    for (os, tables) in systems {
        for leaf in paging.leaves() {
            *pages.or_default(paging.size_of(leaf).to_string()) += os.n_mapped(leaf);
        }
        *pages.or_default("table_pages".to_owned()) += tables.n_tables();
    }
    pages
}
