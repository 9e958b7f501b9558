//! Counters of a run: an observer of the machine, and the report made of it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::machine::Machine;
use crate::memory::MAX_CACHES;
use crate::probe::{FillFact, LookupFact, Outcome, Probe, ReferenceFact, Translation};
use crate::trace::{Completeness, Kind};

/// What the simulated part of the trace held.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct TraceCounts {
    /// Fetches, loads and stores counted (warm-up and prefetches are not).
    pub accesses: u64,
    /// Accesses, and one more for each that straddles two pages.
    pub translations: u64,
    pub fetch: u64,
    pub load: u64,
    pub store: u64,
    pub prefetch: u64,
    pub completeness: Completeness,
}

/// Outcomes of one kind of access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct KindReport {
    pub translations: u64,
    pub l1_hits: u64,
    pub l2_hits: u64,
    pub walks: u64,
}

/// Outcomes by kind of access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct KindsReport {
    pub fetch: KindReport,
    pub load: KindReport,
    pub store: KindReport,
    pub prefetch: KindReport,
}

/// What one TLB array did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct StructureReport {
    pub name: String,
    pub level: u8,
    pub lookups: u64,
    pub hits: u64,
    pub fills: u64,
    pub evictions: u64,
}

/// What one paging-structure cache did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct PscReport {
    pub name: String,
    pub lookups: u64,
    pub hits: u64,
}

/// Page walks and their references.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct WalksReport {
    pub walks: u64,
    /// Page-table entries read.
    pub refs: u64,
    pub guest_refs: u64,
    pub host_refs: u64,
    pub psc: Vec<PscReport>,
    /// References by the cache that served them; the last is DRAM.
    pub served_by: Vec<ServedReport>,
    /// Accessed and dirty flags set.
    pub ad_updates: u64,
}

/// References that one cache served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ServedReport {
    pub name: String,
    pub refs: u64,
}

/// Page faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FaultsReport {
    pub minor: u64,
    pub major: u64,
}

/// Translation cycles: a stated model, not a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct CyclesReport {
    pub l2_hit: u64,
    /// Overheads and references of all walks.
    pub walk: u64,
    pub total: u64,
}

/// The result of a run: `pagewalk run --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct RunReport {
    pub trace: TraceCounts,
    pub kinds: KindsReport,
    pub structures: Vec<StructureReport>,
    pub walks: WalksReport,
    pub faults: FaultsReport,
    /// Pages mapped by size (`"4K"`, `"2M"`, …), and `table_pages`.
    pub pages: BTreeMap<String, u64>,
    pub cycles: CyclesReport,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    lookups: u64,
    hits: u64,
    fills: u64,
    evictions: u64,
}

/// Structures that a machine can have: two levels of arrays and five paging-structure caches.
const MAX_ROWS: usize = 24;
/// Memory caches, and DRAM.
const MAX_SERVERS: usize = MAX_CACHES + 1;

/// Counts everything that a [`RunReport`] tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    accesses: [u64; 4],
    kinds: [KindReport; 4],
    rows: [Row; MAX_ROWS],
    servers: [u64; MAX_SERVERS],
    refs: u64,
    ad_updates: u64,
    faults: u64,
    l2_cycles: u64,
    walk_cycles: u64,
}

impl Probe for Stats {
    #[inline]
    fn accesses(&mut self, kind: Kind, n: u64) {
        self.accesses[kind.index()] += n;
    }

    #[inline]
    fn repeats(&mut self, kind: Kind, structure: usize, n: u64) {
        self.rows[structure].hits += n;
        self.kinds[kind.index()].l1_hits += n;
    }

    #[inline]
    fn tlb_lookup(&mut self, lookup: &LookupFact) {
        if lookup.way.is_some() {
            self.rows[lookup.structure].hits += 1;
        }
    }

    #[inline]
    fn psc_lookup(&mut self, lookup: &LookupFact) {
        let row = &mut self.rows[lookup.structure];
        row.lookups += 1;
        row.hits += u64::from(lookup.way.is_some());
    }

    #[inline]
    fn fill(&mut self, fill: &FillFact) {
        let row = &mut self.rows[fill.structure];
        row.fills += 1;
        row.evictions += u64::from(fill.placed.has_evicted());
    }

    #[inline]
    fn reference(&mut self, reference: &ReferenceFact) {
        if reference.kind == Kind::Prefetch {
            return;
        }
        self.servers[reference.server.min(MAX_SERVERS - 1)] += 1;
    }

    #[inline]
    fn translated(&mut self, done: &Translation) {
        let counts = &mut self.kinds[done.kind.index()];
        match done.outcome {
            Outcome::L1Hit => counts.l1_hits += 1,
            Outcome::L2Hit => counts.l2_hits += 1,
            Outcome::Walk | Outcome::Fault => counts.walks += 1,
        }
        if done.kind == Kind::Prefetch {
            // Counted apart: what it read and cost is not the program's.
            return;
        }
        self.ad_updates += u64::from(done.ad_updates);
        self.l2_cycles += done.l2_cycles;
        if done.refs > 0 {
            self.faults += u64::from(done.outcome == Outcome::Fault);
            self.refs += u64::from(done.refs);
            self.walk_cycles += done.walk_cycles;
        }
    }
}

impl Stats {
    /// The report of a run on `machine`, which stands where the run ended.
    pub fn report(&self, machine: &Machine, completeness: Completeness) -> RunReport {
        let [fetch, load, store, prefetch] = self.kinds.map(|kind| KindReport {
            translations: kind.l1_hits + kind.l2_hits + kind.walks,
            ..kind
        });
        let demand = [fetch, load, store];
        let walks: u64 = demand.iter().map(|kind| kind.walks).sum();
        RunReport {
            trace: TraceCounts {
                accesses: self.accesses[..3].iter().sum(),
                translations: demand.iter().map(|kind| kind.translations).sum(),
                fetch: self.accesses[0],
                load: self.accesses[1],
                store: self.accesses[2],
                prefetch: self.accesses[3],
                completeness,
            },
            kinds: KindsReport { fetch, load, store, prefetch },
            structures: self.structures(machine),
            walks: WalksReport {
                walks,
                refs: self.refs,
                guest_refs: 0,
                host_refs: 0,
                psc: self.psc(machine),
                served_by: self.served_by(machine),
                ad_updates: self.ad_updates,
            },
            faults: FaultsReport { minor: self.faults, major: 0 },
            pages: pages(machine),
            cycles: CyclesReport {
                l2_hit: self.l2_cycles,
                walk: self.walk_cycles,
                total: self.l2_cycles + self.walk_cycles,
            },
        }
    }

    /// Every array that serves a kind is looked up when its level is, whatever the page's
    /// size; arrays that cannot hold the page are not really probed, so lookups come from the kinds.
    fn structures(&self, machine: &Machine) -> Vec<StructureReport> {
        let config = &machine.plan.config;
        let levels =
            [(1, &config.l1, &machine.l1, 0), (2, &config.l2, &machine.l2, machine.l1.len())];
        let rows = levels.into_iter().flat_map(|(level, configs, arrays, first)| {
            configs.iter().zip(arrays).enumerate().map(move |(at, (config, array))| {
                let served = Kind::ALL.into_iter().filter(|kind| array.serves(*kind));
                let reached = |kind: Kind| {
                    let KindReport { l1_hits, l2_hits, walks, .. } = self.kinds[kind.index()];
                    l2_hits + walks + if level == 1 { l1_hits } else { 0 }
                };
                let row = self.rows[first + at];
                StructureReport {
                    name: config.label(level, at),
                    level,
                    lookups: served.map(reached).sum(),
                    hits: row.hits,
                    fills: row.fills,
                    evictions: row.evictions,
                }
            })
        });
        rows.collect()
    }

    fn psc(&self, machine: &Machine) -> Vec<PscReport> {
        let first = machine.plan.first_psc();
        let caches = machine.plan.psc.caches.iter().zip(&self.rows[first..]);
        caches
            .map(|(cache, row)| PscReport {
                name: cache.name.to_owned(),
                lookups: row.lookups,
                hits: row.hits,
            })
            .collect()
    }

    fn served_by(&self, machine: &Machine) -> Vec<ServedReport> {
        let names = machine.plan.config.memory.caches.iter().map(|cache| cache.name.as_str());
        let served = names.chain(["DRAM"]).zip(self.servers);
        served.map(|(name, refs)| ServedReport { name: name.to_owned(), refs }).collect()
    }
}

fn pages(machine: &Machine) -> BTreeMap<String, u64> {
    let paging = &machine.plan.paging;
    let mut pages: BTreeMap<String, u64> = (1..=paging.n_levels())
        .filter(|level| paging.leaf_levels.contains(level))
        .map(|level| (paging.size_of(level).to_string(), machine.os.n_mapped(level)))
        .collect();
    pages.insert("table_pages".to_owned(), machine.tables.n_tables());
    pages
}
