//! Attribution: the misses of a run by region, page, instruction and symbol.
//!
//! An access belongs to its own instruction pointer, else to the last fetch before it; a region is a
//! record of the trace's memory map, where that has none it is inferred from how pages are used.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::regions::{Records, infer};
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::run::replay::{Replay, advance};
use pagewalk_base::addr::Hex;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Kind, PageNumber, PageUse, Trace};

/// Rows of a table at most; what is beyond is added up.
pub const MAX_ROWS: usize = 500;
/// Ranges of memory that are told apart; of maps with more, those beyond are inferred.
const MAX_RANGES: usize = 1 << 16;

/// What happened to some of the accesses. A translation that crosses a page counts for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "AttributionCounts"))]
pub struct Counts {
    pub accesses: u64,
    /// Not in the first array asked.
    pub l1_misses: u64,
    /// Walks, those after page faults included.
    pub walks: u64,
    /// Walks after a page fault.
    pub faults: u64,
    /// The model's.
    pub walk_cycles: u64,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.accesses += other.accesses;
        self.l1_misses += other.l1_misses;
        self.walks += other.walks;
        self.faults += other.faults;
        self.walk_cycles += other.walk_cycles;
    }

    /// Rows are ordered by this, the greatest first.
    fn rank(&self) -> [u64; 4] {
        [self.walk_cycles, self.walks, self.l1_misses, self.accesses]
    }
}

/// A region, a page, an instruction or a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionRow {
    /// The file or what stands for it; of code the symbol. Empty where it is not known.
    pub name: String,
    /// The region of a page or an instruction.
    pub region: String,
    /// The name is guessed from how pages are used.
    pub inferred: bool,
    pub start: Hex,
    /// Not part of it.
    pub end: Hex,
    #[serde(flatten)]
    pub counts: Counts,
}

/// Rows by falling walk cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionTable {
    pub rows: Vec<AttributionRow>,
    /// Rows that are not listed, and their sum.
    pub n_others: u64,
    pub others: Counts,
}

/// All tables of a run. Each sums up to `total`, but for accesses of which nobody knows the instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionView {
    pub total: Counts,
    pub regions: AttributionTable,
    /// Pages of 4 KiB, whatever size they are mapped with.
    pub pages: AttributionTable,
    pub instructions: AttributionTable,
    /// Empty where no recording named one.
    pub symbols: AttributionTable,
    /// Accesses before which no instruction is known.
    pub without_instruction: Counts,
}

/// Which accesses are looked at: those that go to a range of addresses, or that a range of instructions makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Filter {
    Address { start: Hex, end: Hex },
    Instruction { start: Hex, end: Hex },
}

impl Filter {
    /// Returns whether an access to `address`, made by the instruction at `ip` where that is known, is one.
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
    page: PageNumber,
    counts: Counts,
}

/// The counting under way: [`Attribution::go_on`] does a slice of it.
#[derive(Debug)]
pub struct Attribution {
    at: u32,
    end: u32,
    machine: Option<Machine>,
    /// Counts by page, in the order of the trace's pages.
    pages: Vec<Counts>,
    instructions: BTreeMap<u64, Counts>,
    without: Counts,
    /// The last fetch.
    fetched: Option<u64>,
}

impl Attribution {
    /// Starts on the accesses that the replay counts.
    pub fn new(replay: &Replay) -> Self {
        let counted = replay.span().counted.clone();
        Self {
            at: counted.start,
            end: counted.end,
            machine: Some(replay.machine_before(counted.start)),
            pages: vec![Counts::default(); replay.trace().pages().len()],
            instructions: BTreeMap::new(),
            without: Counts::default(),
            fetched: None,
        }
    }

    /// Accesses counted so far, from the start of the trace.
    pub fn position(&self) -> u32 {
        self.at
    }

    /// Counts at least `n` more accesses; true if all are counted.
    pub fn go_on(&mut self, trace: &Trace, n: u32) -> bool {
        let end = self.at.saturating_add(n).min(self.end);
        while self.at < end {
            let chunk = trace.chunk_of(self.at);
            let to = (chunk.first + chunk.n).min(self.end);
            // The machine is taken out while it is observed.
            let Some(mut machine) = self.machine.take() else { break };
            let has_l1 = machine.has_l1();
            let mut misses = Vec::new();
            let mut told = |done: &Translation| misses.extend(miss(done, has_l1));
            advance(&mut machine, trace, self.at, to, &mut Endings(&mut told));
            self.machine = Some(machine);
            // A batch ends its translations stage by stage.
            misses.sort_by_key(|miss| miss.index);
            self.count(trace, to, &misses);
            self.at = to;
        }
        self.at == self.end
    }

    fn count(&mut self, trace: &Trace, to: u32, misses: &[Miss]) {
        let mut misses = misses.iter().peekable();
        // Most accesses stay on the page of the last one of their kind.
        let mut recent = [(PageNumber(u64::MAX), 0); 2];
        for (index, access) in (self.at..to).zip(trace.accesses_from(self.at)) {
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
            let page = PageNumber::of(access.address);
            let recent = &mut recent[usize::from(!is_fetch)];
            if recent.0 != page {
                *recent = (page, index_of(trace.pages(), page));
            }
            let one = Counts { accesses: 1, ..Counts::default() };
            of_ip.add(one);
            if let Some(counts) = self.pages.get_mut(recent.1) {
                counts.add(one);
            }
            while let Some(miss) = misses.next_if(|miss| miss.index <= index) {
                of_ip.add(miss.counts);
                if let Some(counts) = self.pages.get_mut(index_of(trace.pages(), miss.page)) {
                    counts.add(miss.counts);
                }
            }
        }
    }

    /// Returns the tables as far as they are counted. Symbols are those that the samples beside the trace name.
    pub fn view(&self, trace: &Trace, samples: &Samples) -> AttributionView {
        let ranges = ranges(trace);
        let mut total = Counts::default();
        let mut regions: BTreeMap<usize, Counts> = BTreeMap::new();
        let mut pages = Vec::new();
        for (page, counts) in trace.pages().iter().zip(&self.pages) {
            if *counts == Counts::default() {
                continue;
            }
            total.add(*counts);
            let start = page.page.start();
            let at = range_of(&ranges, start);
            let region = at.map_or("", |at| &ranges[at].name);
            if let Some(at) = at {
                regions.entry(at).or_default().add(*counts);
            }
            pages.push(row("", region, start..page.page.end(), *counts));
        }
        let regions = regions.into_iter().map(|(at, counts)| {
            let Named { start, end, name, inferred } = &ranges[at];
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
    let is_walk = done.outcome >= Outcome::Walk;
    let counts = Counts {
        accesses: 0,
        // Where level 1 does not serve the kind, level 2 is asked first.
        l1_misses: u64::from(is_walk || has_l1[done.kind.index()]),
        walks: u64::from(is_walk),
        faults: u64::from(done.outcome == Outcome::Fault),
        walk_cycles: done.walk_cycles,
    };
    Some(Miss { index: done.index, page: PageNumber::of(done.address), counts })
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

/// Where a page is in the trace's, which are sorted; past their end if it is not there.
fn index_of(pages: &[PageUse], page: PageNumber) -> usize {
    pages.binary_search_by_key(&page, |page| page.page).unwrap_or(usize::MAX)
}

/// Returns the symbols of instructions that samples name, with their files.
fn names(samples: &Samples) -> BTreeMap<u64, (&str, &str)> {
    let named = samples.iter().filter_map(|kept| Some((kept.ip?, samples.name(kept.code_name?))));
    named.filter(|(_, (symbol, _))| !symbol.is_empty()).collect()
}

/// A stretch of memory with a name.
struct Named {
    start: u64,
    end: u64,
    name: String,
    inferred: bool,
}

fn range_of(ranges: &[Named], address: u64) -> Option<usize> {
    let at = ranges.partition_point(|range| range.start <= address).checked_sub(1)?;
    (address < ranges[at].end).then_some(at)
}

/// What is where, without overlaps, by rising address: what the memory map says last, and between
/// that what the use of pages lets guess. Neighbours of one name are one.
fn ranges(trace: &Trace) -> Vec<Named> {
    let records = Records::new(trace.mappings(), MAX_RANGES);
    let mut all: Vec<Named> = records
        .all()
        .map(|(Range { start, end }, at)| {
            let mapping = &trace.mappings()[at];
            let name = if mapping.name.is_empty() { mapping.kind.name() } else { &mapping.name };
            Named { start, end, name: name.to_owned(), inferred: false }
        })
        .collect();
    let is_mapped = |page: &&PageUse| range_of(&all, page.page.start()).is_none();
    let unknown: Vec<PageUse> = trace.pages().iter().filter(is_mapped).copied().collect();
    let guessed: Vec<Named> = infer(&unknown)
        .into_iter()
        .map(|region| Named {
            start: region.start.0,
            end: region.end.0,
            name: region.name,
            inferred: true,
        })
        .collect();
    for guess in guessed {
        // What is known lies between the parts of a guess.
        let mut start = guess.start;
        let inside = records.within(guess.start..guess.end).map(|(range, _)| range);
        for known in inside.chain(std::iter::once(guess.end..guess.end)) {
            if start < known.start {
                let (name, inferred) = (guess.name.clone(), true);
                all.push(Named { start, end: known.start, name, inferred });
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
