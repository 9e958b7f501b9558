//! What a reader sees of TLB blocks in a memory cache: their counters, and one lookup in full. In the small wasm module, a
//! fact about a block has no value, so no code of this file remains.

use serde::Serialize;

use crate::caches::memory::LINE;
use crate::caches::tlb::Key;
use crate::caches::victima::{CACHE, PAGES_BITS, WayContent};
use crate::machine::Machine;
use crate::machine::probe::{BlockEvent, BlockFact, Translation};
use crate::machine::structures::StructureId;
use crate::record::behind::BehindView;
use crate::record::keys;
use pagewalk_base::addr::Hex;
use pagewalk_base::narrow::small;
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

/// What happened to a way at an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum BlockMark {
    Hit,
    Written,
}

/// A way of the set that a page belongs to, after the access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct BlockWayView {
    /// The physical address of the line of data or of a table, if the way holds one.
    pub line: Option<Hex>,
    /// The number of a block's first page, if the way holds a block.
    pub first: Option<Hex>,
    /// The lowest address bit of the page number, and the space of the block.
    pub key_shift: u8,
    pub space: u32,
    /// The pages that the block holds: bit n is page `first` + n.
    pub pages: u8,
    pub mark: Option<BlockMark>,
}

/// The TLB blocks of a memory cache, with the set that the page of a translation belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct BlocksView {
    /// The memory cache: `L2`.
    pub cache: String,
    /// The number of blocks, and of the ways of all sets.
    pub n_blocks: u32,
    pub n_ways: u32,
    pub set: u32,
    pub ways: Vec<BlockWayView>,
}

/// Returns the blocks of the cache, and the set of the page of a translation. `facts` are those of the translation.
pub(crate) fn set_view(
    machine: &Machine,
    done: &Translation,
    facts: &[BlockFact],
) -> Option<BlocksView> {
    machine.victima.as_ref().filter(|victima| victima.has_blocks(done.leaf))?;
    let (plan, sets) = (&machine.plan, machine.memory.blocks()?);
    let va = done.address & plan.va_mask;
    let key = Key::new(va >> plan.shift[done.leaf], machine.page_class[done.leaf]);
    let set = sets.set_number(key);
    let own = facts.iter().filter(|fact| fact.set == set);
    let marks: Vec<(u32, BlockMark)> = own
        .filter_map(|fact| match fact.event {
            BlockEvent::Hit { way, .. } => Some((way, BlockMark::Hit)),
            BlockEvent::Written { way, .. } => Some((way, BlockMark::Written)),
            BlockEvent::Miss | BlockEvent::NotCostly { .. } => None,
        })
        .collect();
    let ways = (0..).zip(sets.ways_of(key)).map(|(way, content)| {
        let mark = marks.iter().find(|(at, _)| *at == way).map(|(_, mark)| *mark);
        let empty =
            BlockWayView { line: None, first: None, key_shift: 0, space: 0, pages: 0, mark };
        match content {
            WayContent::Nothing => empty,
            WayContent::Line(line) => BlockWayView { line: Some(Hex(line * LINE)), ..empty },
            WayContent::Block(tag, pages) => {
                let key = keys::key(machine, StructureId(0), tag);
                let first = Some(Hex(key.number));
                BlockWayView { first, key_shift: key.shift, space: key.space, pages, ..empty }
            }
        }
    });
    let (n_blocks, n_ways) = sets.counts();
    Some(BlocksView {
        cache: machine.server_name(CACHE).to_owned(),
        n_blocks: small(n_blocks),
        n_ways: small(n_ways),
        set: set.number(),
        ways: ways.collect(),
    })
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
