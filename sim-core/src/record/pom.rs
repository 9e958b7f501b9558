//! What a reader sees of a POM-TLB: its counters, and one lookup in full. In the small wasm module, a fact about a POM-TLB has
//! no value, so no code of this file remains.

use serde::Serialize;

use crate::caches::memory::MAX_CACHES;
use crate::machine::Machine;
use crate::machine::probe::{PomFact, PomFillFact};
use crate::record::behind::BehindView;
use crate::record::stats::ServedReport;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::Kind;

/// The most memory caches, and DRAM.
const N_SERVERS: usize = MAX_CACHES + 1;

/// The counters of a POM-TLB. A lookup follows each miss of level 2 by a page whose size it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PomReport {
    pub lookups: u64,
    pub hits: u64,
    pub fills: u64,
    pub evictions: u64,
    /// The entries that left without an eviction.
    pub invalidations: u64,
    /// The reads of its sets by the cache that served them. The last is DRAM. Prefetches are not counted.
    pub served_by: Vec<ServedReport>,
    /// The cycles of these reads. They are part of the cycles of level-2 hits and misses.
    pub cycles: u64,
}

/// The counters of a [`PomReport`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PomCounts {
    lookups: u64,
    hits: u64,
    fills: u64,
    evictions: u64,
    invalidations: u64,
    servers: [u64; N_SERVERS],
    hit_cycles: u64,
    miss_cycles: u64,
}

impl PomCounts {
    pub(crate) fn look_up(&mut self, fact: &PomFact) {
        let is_hit = fact.way.is_some();
        self.lookups += 1;
        self.hits += u64::from(is_hit);
        if fact.kind == Kind::Prefetch {
            return;
        }
        self.servers[fact.server.min(N_SERVERS - 1)] += 1;
        *(if is_hit { &mut self.hit_cycles } else { &mut self.miss_cycles }) += fact.cycles;
    }

    pub(crate) fn fill(&mut self, fact: &PomFillFact) {
        self.fills += 1;
        self.evictions += u64::from(fact.evicted.is_some());
    }

    pub(crate) fn left(&mut self, n: u32) {
        self.invalidations += u64::from(n);
    }

    /// Returns the cycles of lookups that missed.
    pub(crate) fn miss_cycles(&self) -> u64 {
        self.miss_cycles
    }

    pub(crate) fn report(&self, machine: &Machine) -> Option<PomReport> {
        machine.plan.config.pom_tlb.as_ref()?;
        let n_caches = machine.plan.config.memory.caches.len();
        let served = self.servers.iter().take(n_caches + 1).enumerate();
        let served = served.map(|(server, refs)| ServedReport {
            name: machine.server_name(server).to_owned(),
            refs: *refs,
        });
        Some(PomReport {
            lookups: self.lookups,
            hits: self.hits,
            fills: self.fills,
            evictions: self.evictions,
            invalidations: self.invalidations,
            served_by: served.collect(),
            cycles: self.hit_cycles + self.miss_cycles,
        })
    }
}

/// Returns the view of a lookup, and of the fill that followed it.
pub(crate) fn view(
    machine: &Machine,
    fact: Option<PomFact>,
    fill: Option<PomFillFact>,
) -> Option<BehindView> {
    let fact = fact?;
    let plan = &machine.plan;
    let evicted = fill.and_then(|fill| fill.evicted).map(|tag| Hex(plan.tags.number(tag)));
    let (set, address, cycles) = (fact.place.set(), Hex(fact.place.address()), fact.cycles);
    let served_by = machine.server_name(fact.server).to_owned();
    let end = match (fact.way, fill) {
        (Some(way), _) => format!("hit in way {way}, no walk"),
        (None, Some(PomFillFact { way, .. })) => {
            let victim = evicted.map(|page| format!(", evicting {page}")).unwrap_or_default();
            format!("miss; the walk fills way {way}{victim}")
        }
        (None, None) => "miss".to_owned(),
    };
    let (hit, chip, cost) = match fact.way {
        Some(_) => (Some("POM-TLB"), "POM-TLB hit", Some("level-2 miss and POM-TLB")),
        None => (None, "POM-TLB miss", Some("level-2 and POM-TLB")),
    };
    Some(BehindView {
        hit,
        chip,
        cost,
        said: format!(
            "POM-TLB set {set} at {address}, read from {served_by} in {cycles} cycles: {end}"
        ),
        set,
        way: fact.way.or(fill.map(|fill| fill.way)),
        key: Hex(fact.number),
        key_shift: u8::try_from(plan.shift[fact.leaf]).expect("below 64"),
        address: Some(address),
        served_by,
        cycles,
        evicted,
    })
}
