//! Attribution: the misses of a run by region, page, instruction and symbol.
//!
//! An access belongs to the instruction pointer that the trace has for it, else to the last fetch before it.
//! Regions are the records of the trace's memory map. Where the map has no record, regions are inferred from
//! the use of pages.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::regions::{Records, infer};
use crate::used_pages::UsedPages;
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::run::replay::{Replay, advance};
use pagewalk_base::addr::{AddressTags, Hex};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Kind, PageUse, RegionKind, Trace};

/// The most rows of a table. The sum of the other rows is reported as `others`.
pub const MAX_ROWS: usize = 500;
/// The most ranges that are read from a memory map. Regions in the rest of a longer map are inferred.
const MAX_RANGES: usize = 1 << 16;

/// The outcomes of a group of accesses. An access that straddles two pages is counted for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "AttributionCounts"))]
pub struct Counts {
    pub accesses: u64,
    /// Misses at the first level that is looked up.
    pub l1_misses: u64,
    /// Page walks, including walks after page faults.
    pub walks: u64,
    /// Walks after a page fault.
    pub faults: u64,
    /// Accesses that an exception ended without a translation.
    pub exceptions: u64,
    /// Cycles of the lookups of level 2 before these walks.
    pub l2_miss_cycles: u64,
    /// Cycles of these walks in the cycle model.
    pub walk_cycles: u64,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.accesses += other.accesses;
        self.l1_misses += other.l1_misses;
        self.walks += other.walks;
        self.faults += other.faults;
        self.exceptions += other.exceptions;
        self.l2_miss_cycles += other.l2_miss_cycles;
        self.walk_cycles += other.walk_cycles;
    }

    /// Returns the key by which rows are sorted, the greatest first.
    fn rank(&self) -> [u64; 4] {
        [self.l2_miss_cycles + self.walk_cycles, self.walks, self.l1_misses, self.accesses]
    }
}

/// A region, a page, an instruction or a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionRow {
    /// The name of the file or region; for code the symbol. Empty if it is unknown.
    pub name: String,
    /// The region of a page or an instruction.
    pub region: String,
    /// Whether the name is inferred from the use of pages.
    pub inferred: bool,
    pub start: Hex,
    /// The first address after the row's memory.
    pub end: Hex,
    #[serde(flatten)]
    pub counts: Counts,
}

/// A table of rows, those with the most cycles of level-2 misses and walks first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionTable {
    pub rows: Vec<AttributionRow>,
    /// The number of rows that are not listed. `others` is their sum.
    pub n_others: u64,
    pub others: Counts,
}

/// All tables of a run. The rows of each table add up to `total`, except for accesses without a known
/// instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionView {
    pub total: Counts,
    pub regions: AttributionTable,
    /// Pages of 4 KiB, also if the memory is mapped with larger pages.
    pub pages: AttributionTable,
    pub instructions: AttributionTable,
    /// The symbols that samples name. Empty if no recording names symbols.
    pub symbols: AttributionTable,
    /// Accesses before the first fetch, if the trace has no instruction pointer for them.
    pub without_instruction: Counts,
}

/// A filter of accesses: those to a range of addresses, or those by a range of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Filter {
    Address { start: Hex, end: Hex },
    Instruction { start: Hex, end: Hex },
}

impl Filter {
    /// Returns whether the filter keeps an access to `address` by the instruction at `ip`, if that is known.
    pub(crate) fn fits(&self, address: u64, ip: Option<u64>) -> bool {
        let within = |range: Range<Hex>, at: u64| (range.start.0..range.end.0).contains(&at);
        match *self {
            Self::Address { start, end } => within(start..end, address),
            Self::Instruction { start, end } => ip.is_some_and(|ip| within(start..end, ip)),
        }
    }
}

/// A translation that missed level 1.
struct Miss {
    index: u32,
    address: u64,
    counts: Counts,
}

/// The computation of the tables: each call of [`Attribution::go_on`] does a slice of it.
#[derive(Debug)]
pub struct Attribution {
    at: u32,
    end: u32,
    machine: Option<Machine>,
    /// The tags that the machine ignores.
    tags: Option<AddressTags>,
    used: UsedPages,
    /// The counts of each used page.
    pages: Vec<Counts>,
    instructions: BTreeMap<u64, Counts>,
    without: Counts,
    /// The address of the last fetch.
    fetched: Option<u64>,
}

impl Attribution {
    /// Starts at the first access that the replay counts.
    pub fn new(replay: &Replay) -> Self {
        let counted = replay.span().counted.clone();
        let tags = replay.machine().address_tags();
        let used = UsedPages::new(replay.trace(), replay.machine());
        Self {
            tags,
            pages: vec![Counts::default(); used.len()],
            used,
            at: counted.start,
            end: counted.end,
            machine: Some(replay.machine_before(counted.start)),
            instructions: BTreeMap::new(),
            without: Counts::default(),
            fetched: None,
        }
    }

    /// Returns the number of the next access to count.
    pub fn position(&self) -> u32 {
        self.at
    }

    /// Counts at least `n` more accesses. Returns true if all are counted.
    pub fn go_on(&mut self, trace: &Trace, n: u32) -> bool {
        let end = self.at.saturating_add(n).min(self.end);
        while self.at < end {
            let chunk = trace.chunk_of(self.at);
            let to = (chunk.first + chunk.n).min(self.end);
            // The machine is moved out of `self` while the closure borrows `self`.
            let Some(mut machine) = self.machine.take() else { break };
            let has_l1 = machine.has_l1();
            let mut misses = Vec::new();
            let mut collect = |done: &Translation| misses.extend(miss(done, has_l1));
            advance(&mut machine, trace, self.at, to, &mut Endings(&mut collect));
            self.machine = Some(machine);
            // A batch reports its translations stage by stage, so the misses must be sorted by access.
            misses.sort_by_key(|miss| miss.index);
            self.count(trace, to, &misses);
            self.at = to;
        }
        self.at == self.end
    }

    fn count(&mut self, trace: &Trace, to: u32, misses: &[Miss]) {
        let mut misses = misses.iter().peekable();
        let used = &self.used;
        // Most accesses stay on the page of the last fetch or of the last data access.
        let mut recent = [(u64::MAX, None); 2];
        for (index, access) in (self.at..to).zip(trace.accesses_from(self.at)) {
            let access = access.without(self.tags);
            let is_fetch = access.kind.is_fetch();
            if is_fetch {
                self.fetched = Some(access.address);
            }
            if access.kind == Kind::Prefetch {
                continue;
            }
            let ip = access.ip.or(self.fetched);
            let of_ip = match ip {
                Some(ip) => self.instructions.entry(ip).or_default(),
                None => &mut self.without,
            };
            let page = used.number_of(access.address);
            let recent = &mut recent[usize::from(!is_fetch)];
            if recent.0 != page {
                *recent = (page, used.rank_of(page));
            }
            let one = Counts { accesses: 1, ..Counts::default() };
            of_ip.add(one);
            if let Some(counts) = recent.1.and_then(|rank| self.pages.get_mut(rank)) {
                counts.add(one);
            }
            while let Some(miss) = misses.next_if(|miss| miss.index <= index) {
                of_ip.add(miss.counts);
                let rank = used.rank_of(used.number_of(miss.address));
                if let Some(counts) = rank.and_then(|rank| self.pages.get_mut(rank)) {
                    counts.add(miss.counts);
                }
            }
        }
    }

    /// Returns the tables of the accesses counted so far. `samples` come from the same recording, and name the
    /// symbols.
    pub fn view(&self, trace: &Trace, samples: &Samples) -> AttributionView {
        let ranges = ranges(trace, &trace.pages_without(self.tags));
        let mut total = Counts::default();
        let mut regions: BTreeMap<usize, Counts> = BTreeMap::new();
        let mut pages = Vec::new();
        for (page, counts) in self.used.addresses().zip(&self.pages) {
            if *counts == Counts::default() {
                continue;
            }
            total.add(*counts);
            let at = range_of(&ranges, page.start);
            let region = at.map_or("", |at| &ranges[at].name);
            if let Some(at) = at {
                regions.entry(at).or_default().add(*counts);
            }
            pages.push(row("", region, page, *counts));
        }
        let regions = regions.into_iter().map(|(at, counts)| {
            let Named { start, end, name, inferred, .. } = &ranges[at];
            AttributionRow { inferred: *inferred, ..row(name, "", *start..*end, counts) }
        });
        let names = names(samples);
        let mut symbols: BTreeMap<(&str, &str), (Range<u64>, Counts)> = BTreeMap::new();
        let mut instructions = Vec::new();
        for (ip, counts) in &self.instructions {
            let name = names.get(ip).copied();
            let region = range_of(&ranges, *ip).map_or("", |at| &ranges[at].name);
            let next = ip.saturating_add(1);
            if let Some((symbol, _)) = name {
                let (range, sum) =
                    symbols.entry((symbol, region)).or_insert((*ip..next, Counts::default()));
                *range = range.start.min(*ip)..range.end.max(next);
                sum.add(*counts);
            }
            instructions.push(row(name.map_or("", |name| name.0), region, *ip..next, *counts));
        }
        let symbols = symbols
            .into_iter()
            .map(|((symbol, region), (range, counts))| row(symbol, region, range, counts));
        AttributionView {
            total,
            regions: table(regions.collect()),
            pages: table(pages),
            instructions: table(instructions),
            symbols: table(symbols.collect()),
            without_instruction: self.without,
        }
    }
}

fn miss(done: &Translation, has_l1: [bool; 4]) -> Option<Miss> {
    if done.outcome == Outcome::L1Hit || done.kind == Kind::Prefetch {
        return None;
    }
    let is_walk = done.outcome.is_walk();
    let is_l2_hit = done.outcome == Outcome::L2Hit;
    let counts = Counts {
        accesses: 0,
        // If level 1 does not serve the kind, level 2 is looked up first.
        l1_misses: u64::from(is_walk || (is_l2_hit && has_l1[done.kind.index()])),
        walks: u64::from(is_walk),
        faults: u64::from(done.outcome == Outcome::Fault),
        exceptions: u64::from(done.outcome == Outcome::Exception),
        l2_miss_cycles: done.l2_miss_cycles,
        walk_cycles: done.walk_cycles,
    };
    Some(Miss { index: done.index, address: done.address, counts })
}

fn row(name: &str, region: &str, range: Range<u64>, counts: Counts) -> AttributionRow {
    let Range { start, end } = range;
    let (name, region) = (name.to_owned(), region.to_owned());
    AttributionRow { name, region, inferred: false, start: Hex(start), end: Hex(end), counts }
}

fn table(mut rows: Vec<AttributionRow>) -> AttributionTable {
    rows.sort_by(|a, b| b.counts.rank().cmp(&a.counts.rank()).then(a.start.0.cmp(&b.start.0)));
    let mut others = Counts::default();
    let n_others = rows.len().saturating_sub(MAX_ROWS) as u64;
    for row in rows.iter().skip(MAX_ROWS) {
        others.add(row.counts);
    }
    rows.truncate(MAX_ROWS);
    AttributionTable { rows, n_others, others }
}

/// Returns the symbol and the file of each instruction that a sample names.
fn names(samples: &Samples) -> BTreeMap<u64, (&str, &str)> {
    let named = samples.iter().filter_map(|kept| Some((kept.ip?, samples.name(kept.code_name?))));
    named.filter(|(_, (symbol, _))| !symbol.is_empty()).collect()
}

/// A range of memory with a name.
pub(crate) struct Named {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) name: String,
    pub(crate) kind: RegionKind,
    pub(crate) inferred: bool,
}

pub(crate) fn range_of(ranges: &[Named], address: u64) -> Option<usize> {
    let at = ranges.partition_point(|range| range.start <= address).checked_sub(1)?;
    (address < ranges[at].end).then_some(at)
}

/// Returns named ranges of memory without overlaps, by rising address. They come from the memory map; if several
/// records cover an address, the last one counts. In the gaps of the map, ranges are inferred from the `used` pages.
/// Neighbours with one name are joined.
pub(crate) fn ranges(trace: &Trace, used: &[PageUse]) -> Vec<Named> {
    let records = Records::new(trace.mappings(), MAX_RANGES);
    let mut all: Vec<Named> = records
        .all()
        .map(|(Range { start, end }, at)| {
            let mapping = &trace.mappings()[at];
            let name = if mapping.name.is_empty() { mapping.kind.name() } else { &mapping.name };
            Named { start, end, name: name.to_owned(), kind: mapping.kind, inferred: false }
        })
        .collect();
    let is_mapped = |page: &&PageUse| range_of(&all, page.page.start()).is_none();
    let unknown: Vec<PageUse> = used.iter().filter(is_mapped).copied().collect();
    let guessed: Vec<Named> = infer(&unknown)
        .into_iter()
        .map(|region| Named {
            start: region.start.0,
            end: region.end.0,
            name: region.name,
            kind: region.kind,
            inferred: true,
        })
        .collect();
    for guess in guessed {
        // Ranges of the memory map cut an inferred region into parts.
        let mut start = guess.start;
        let inside = records.within(guess.start..guess.end).map(|(range, _)| range);
        for known in inside.chain(std::iter::once(guess.end..guess.end)) {
            if start < known.start {
                let (name, kind) = (guess.name.clone(), guess.kind);
                all.push(Named { start, end: known.start, name, kind, inferred: true });
            }
            start = start.max(known.end);
        }
    }
    all.sort_by_key(|range| range.start);
    all.dedup_by(|next, last| {
        let joins = last.end == next.start && last.name == next.name;
        if joins {
            last.end = next.end;
        }
        joins
    });
    all
}
