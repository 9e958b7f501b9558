//! What a reader sees of TLB blocks in a memory cache: their counters, and one lookup in full. In the small wasm module, a
//! fact about a block has no value, so no code of this file remains.

use serde::Serialize;

use crate::caches::victima::{CACHE, PAGES_BITS};
use crate::machine::Machine;
use crate::machine::probe::{BlockEvent, BlockFact};
use crate::record::behind::BehindView;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::Kind;

/// The counters of TLB blocks. A lookup follows each miss of level 2 by a page of the two smallest sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct VictimaReport {
    /// The memory cache that holds the blocks.
    pub cache: String,
    pub lookups: u64,
    pub hits: u64,
    /// The blocks that walks wrote.
    pub after_walks: u64,
    /// The blocks that evictions from level 2 wrote.
    pub after_evictions: u64,
    /// The blocks that were not written, because the page was not costly.
    pub not_costly: u64,
    /// The pages that left blocks without an eviction.
    pub invalidations: u64,
    /// The cycles of reading blocks that hit. They are part of the cycles of level-2 hits.
    pub cycles: u64,
}

/// The counters of a [`VictimaReport`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockCounts {
    lookups: u64,
    hits: u64,
    after_walks: u64,
    after_evictions: u64,
    not_costly: u64,
    invalidations: u64,
    cycles: u64,
}

impl BlockCounts {
    pub(crate) fn count(&mut self, fact: &BlockFact) {
        match fact.event {
            BlockEvent::Hit { cycles, .. } => {
                self.lookups += 1;
                self.hits += 1;
                self.cycles += if fact.kind == Kind::Prefetch { 0 } else { cycles };
            }
            BlockEvent::Miss => self.lookups += 1,
            BlockEvent::Written { evicted: false, .. } => self.after_walks += 1,
            BlockEvent::Written { evicted: true, .. } => self.after_evictions += 1,
            BlockEvent::NotCostly { .. } => self.not_costly += 1,
        }
    }

    pub(crate) fn left(&mut self, n: u32) {
        self.invalidations += u64::from(n);
    }

    pub(crate) fn report(&self, machine: &Machine) -> Option<VictimaReport> {
        machine.victima.as_ref()?;
        let Self { lookups, hits, after_walks, after_evictions, not_costly, .. } = *self;
        Some(VictimaReport {
            cache: machine.server_name(CACHE).to_owned(),
            lookups,
            hits,
            after_walks,
            after_evictions,
            not_costly,
            invalidations: self.invalidations,
            cycles: self.cycles,
        })
    }
}

/// Returns the view of a lookup, and of the blocks that were written afterwards.
pub(crate) fn view(machine: &Machine, facts: &[BlockFact]) -> Option<BehindView> {
    let (fact, rest) = facts.split_first()?;
    let cache = machine.server_name(CACHE);
    let (set, page) = (fact.set.number(), Hex(fact.number));
    let (hit, way, cycles) = match fact.event {
        BlockEvent::Hit { way, cycles } => (Some("TLB block"), Some(way), cycles),
        BlockEvent::Miss => (None, None, 0),
        BlockEvent::Written { .. } | BlockEvent::NotCostly { .. } => {
            return without_lookup(machine, facts);
        }
    };
    let looked = match way {
        Some(way) => {
            let pages = pages_of(fact);
            format!(
                "TLB block of {pages} in set {set} of {cache}, read in {cycles} cycles: hit in way {way}, no walk"
            )
        }
        None => format!("No TLB block of page {page} in set {set} of {cache}"),
    };
    let after = rest.iter().map(|fact| written(fact, cache));
    let after: Vec<String> = after.collect();
    let (chip, cost) = match hit {
        Some(_) => ("TLB block hit", Some("level-2 miss and TLB block")),
        None => ("TLB block miss", None),
    };
    let end = if after.is_empty() { String::new() } else { format!(" ({})", after.join("; ")) };
    Some(BehindView {
        hit,
        chip,
        cost,
        said: looked + &end,
        set,
        way,
        key: page,
        key_shift: u8::try_from(machine.plan.shift[fact.leaf]).expect("below 64"),
        address: None,
        served_by: cache.to_owned(),
        cycles,
        evicted: None,
    })
}

/// Returns the view of blocks that were written without a lookup. Exclusive levels move a page down after a hit of level 2.
/// The walk of a page that can have no block may also evict a page that can.
fn without_lookup(machine: &Machine, facts: &[BlockFact]) -> Option<BehindView> {
    let fact = facts.iter().find(|fact| matches!(fact.event, BlockEvent::Written { .. }))?;
    let BlockEvent::Written { way, .. } = fact.event else { return None };
    let cache = machine.server_name(CACHE);
    let after: Vec<String> = facts.iter().map(|fact| written(fact, cache)).collect();
    Some(BehindView {
        hit: None,
        chip: "TLB block written",
        cost: None,
        said: format!("No lookup of a TLB block ({})", after.join("; ")),
        set: fact.set.number(),
        way: Some(way),
        key: Hex(fact.number),
        key_shift: u8::try_from(machine.plan.shift[fact.leaf]).expect("below 64"),
        address: None,
        served_by: cache.to_owned(),
        cycles: 0,
        evicted: None,
    })
}

/// Returns what happened to a block after the lookup, in words.
fn written(fact: &BlockFact, cache: &str) -> String {
    let (page, set) = (Hex(fact.number), fact.set.number());
    match fact.event {
        BlockEvent::Written { way, n_pages, evicted } => {
            let what = if evicted { format!("evicted page {page}") } else { "the walk".to_owned() };
            let s = if n_pages == 1 { "" } else { "s" };
            format!("{what} writes a block of {n_pages} page{s} to set {set}, way {way} of {cache}")
        }
        BlockEvent::NotCostly { evicted: true } => format!("evicted page {page} is not costly"),
        _ => format!("page {page} is not costly, so the walk writes no block"),
    }
}

/// Returns the first and the last page of a block.
fn pages_of(fact: &BlockFact) -> String {
    let first = fact.number >> PAGES_BITS << PAGES_BITS;
    format!("pages {} to {}", Hex(first), Hex(first + (1 << PAGES_BITS) - 1))
}
