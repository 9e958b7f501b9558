//! Attribution: the misses of a run by region, page, data structure, instruction, line, symbol and call
//! path.
//!
//! An access belongs to the instruction pointer that the trace has for it, else to the last fetch before it.
//! Regions are the records of the trace's memory map. Where the map has no record, regions are inferred from
//! the use of pages.

mod calls;
mod filter;
mod lines;
mod objects;
mod ranges;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use calls::Calls;
pub use calls::{CallNode, CallPaths, MAX_CALLS};
pub use filter::Filter;
pub(crate) use filter::Kept;
use lines::Symbols;
use objects::Objects;
pub(crate) use ranges::{Named, range_of, ranges, whole_ranges};

use crate::used_pages::UsedPages;
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::run::replay::{Replay, advance};
use pagewalk_base::addr::{AddressTags, Hex};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Access, Kind, Trace};

/// The most rows of a table. The sum of the other rows is reported as `others`.
pub const MAX_ROWS: usize = 500;

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
    /// Cycles of the lookups of level 2 that hit after a miss of level 1.
    pub l2_hit_cycles: u64,
    /// Cycles of the lookups of level 2 before these walks.
    pub l2_miss_cycles: u64,
    /// Cycles of these walks in the cycle model.
    pub walk_cycles: u64,
}

impl Counts {
    /// Adds the outcomes of another group.
    pub fn add(&mut self, other: Self) {
        self.accesses += other.accesses;
        self.l1_misses += other.l1_misses;
        self.walks += other.walks;
        self.faults += other.faults;
        self.exceptions += other.exceptions;
        self.l2_hit_cycles += other.l2_hit_cycles;
        self.l2_miss_cycles += other.l2_miss_cycles;
        self.walk_cycles += other.walk_cycles;
    }

    /// Returns the cycles of all that happens after a miss of level 1.
    pub fn translation_cycles(&self) -> u64 {
        self.l2_hit_cycles + self.l2_miss_cycles + self.walk_cycles
    }

    /// Returns the key by which rows are sorted, the greatest first.
    fn rank(&self) -> [u64; 4] {
        [self.translation_cycles(), self.walks, self.l1_misses, self.accesses]
    }
}

/// A region, a page, a data structure, an instruction, a line or a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionRow {
    /// The name of the file or region; for code the symbol, or the file and the line. Empty if it is unknown.
    pub name: String,
    /// The region of a page or an instruction; the function of a line.
    pub region: String,
    /// Whether the name is inferred from the use of pages.
    pub inferred: bool,
    pub start: Hex,
    /// The first address after the row's memory.
    pub end: Hex,
    /// The path of a line's file.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<String>"))]
    pub file: String,
    /// The number of a line.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u32>"))]
    pub line: u32,
    /// The file that holds the code of a line, if the trace has the memory map.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<String>"))]
    pub module: String,
    /// The text of a line.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<String>"))]
    pub text: String,
    /// The heap blocks of a data structure, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub blocks: Option<u64>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A table of rows, those with the most translation cycles first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionTable {
    pub rows: Vec<AttributionRow>,
    /// The number of rows that are not listed. `others` is their sum.
    pub n_others: u64,
    pub others: Counts,
    /// What has no row: accesses without a known instruction, line, symbol or data structure.
    pub unknown: Counts,
}

impl AttributionTable {
    /// Completes a table: what its rows leave of `total` is unknown.
    fn of(self, total: Counts) -> Self {
        let mut listed = self.others;
        self.rows.iter().for_each(|row| listed.add(row.counts));
        let unknown = Counts {
            accesses: total.accesses.saturating_sub(listed.accesses),
            l1_misses: total.l1_misses.saturating_sub(listed.l1_misses),
            walks: total.walks.saturating_sub(listed.walks),
            faults: total.faults.saturating_sub(listed.faults),
            exceptions: total.exceptions.saturating_sub(listed.exceptions),
            l2_hit_cycles: total.l2_hit_cycles.saturating_sub(listed.l2_hit_cycles),
            l2_miss_cycles: total.l2_miss_cycles.saturating_sub(listed.l2_miss_cycles),
            walk_cycles: total.walk_cycles.saturating_sub(listed.walk_cycles),
        };
        Self { unknown, ..self }
    }
}

/// All tables of a run. The rows of each table, the others and the unknown accesses add up to `total`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AttributionView {
    pub total: Counts,
    pub regions: AttributionTable,
    /// Pages of 4 KiB, also if the memory is mapped with larger pages.
    pub pages: AttributionTable,
    /// Data structures, which are counted by address and not by page.
    pub objects: AttributionTable,
    pub instructions: AttributionTable,
    /// Lines of the source. Empty if the trace has none.
    pub lines: AttributionTable,
    /// The functions that samples or places in the source name. Empty if the trace names none.
    pub symbols: AttributionTable,
    /// The call paths. Empty if the trace has none.
    pub calls: CallPaths,
}

/// A translation that missed level 1.
struct Miss {
    index: u32,
    /// An address of the page. A batch knows only the page's start.
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
    objects: Objects,
    instructions: BTreeMap<u64, Counts>,
    calls: Calls,
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
            objects: Objects::new(replay.trace(), &replay.trace().pages_without(tags)),
            used,
            at: counted.start,
            end: counted.end,
            machine: Some(replay.machine_before(counted.start)),
            instructions: BTreeMap::new(),
            calls: Calls::new(replay.trace().call_tree()),
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
            let mut of_ip = ip.map(|ip| self.instructions.entry(ip).or_default());
            let page = used.number_of(access.address);
            let recent = &mut recent[usize::from(!is_fetch)];
            if recent.0 != page {
                *recent = (page, used.rank_of(page));
            }
            let one = Counts { accesses: 1, ..Counts::default() };
            if let Some(counts) = &mut of_ip {
                counts.add(one);
            }
            let mut of_path = self.calls.of(trace, index);
            if let Some(counts) = &mut of_path {
                counts.add(one);
            }
            self.objects.advance(trace, index);
            self.objects.count(access.address, one);
            if let Some(counts) = recent.1.and_then(|rank| self.pages.get_mut(rank)) {
                counts.add(one);
            }
            while let Some(miss) = misses.next_if(|miss| miss.index <= index) {
                if let Some(counts) = &mut of_ip {
                    counts.add(miss.counts);
                }
                if let Some(counts) = &mut of_path {
                    counts.add(miss.counts);
                }
                self.objects.count(byte_of(miss, &access), miss.counts);
                let rank = used.rank_of(used.number_of(miss.address));
                if let Some(counts) = rank.and_then(|rank| self.pages.get_mut(rank)) {
                    counts.add(miss.counts);
                }
            }
        }
    }

    /// Returns at most `most` nodes of the call paths of the accesses counted so far.
    pub fn call_paths(&self, trace: &Trace, most: usize) -> CallPaths {
        self.calls.paths(trace, most)
    }

    /// Returns the tables of the accesses counted so far. `samples` come from the same recording, and name the
    /// symbols.
    pub fn view(&self, trace: &Trace, samples: &Samples) -> AttributionView {
        let ranges = whole_ranges(trace, &trace.pages_without(self.tags));
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
        let region_of = |ip: u64| range_of(&ranges, ip).map_or("", |at| ranges[at].name.as_str());
        let names = Symbols::new(trace, samples);
        let instructions = self.instructions.iter().map(|(ip, counts)| {
            let name = names.at(*ip).unwrap_or_default();
            row(name, region_of(*ip), *ip..ip.saturating_add(1), *counts)
        });
        AttributionView {
            total,
            regions: table(regions.collect()).of(total),
            pages: table(pages).of(total),
            objects: self.objects.table(trace).of(total),
            instructions: table(instructions.collect()).of(total),
            lines: lines::lines(trace, &self.instructions, region_of).of(total),
            symbols: names.table(&self.instructions, region_of).of(total),
            calls: self.call_paths(trace, MAX_CALLS),
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
        l2_hit_cycles: done.l2_cycles,
        l2_miss_cycles: done.l2_miss_cycles,
        walk_cycles: done.walk_cycles,
    };
    Some(Miss { index: done.index, address: done.address, counts })
}

/// Returns the byte of the access whose translation missed: its first, or its last if the miss is that of a second page.
fn byte_of(miss: &Miss, access: &Access) -> u64 {
    if miss.address > access.address { access.last() } else { access.address }
}

fn row(name: &str, region: &str, range: Range<u64>, counts: Counts) -> AttributionRow {
    let Range { start, end } = range;
    let (name, region) = (name.to_owned(), region.to_owned());
    AttributionRow {
        name,
        region,
        inferred: false,
        start: Hex(start),
        end: Hex(end),
        file: String::new(),
        line: 0,
        module: String::new(),
        text: String::new(),
        blocks: None,
        counts,
    }
}

fn table(mut rows: Vec<AttributionRow>) -> AttributionTable {
    rows.sort_by(|a, b| b.counts.rank().cmp(&a.counts.rank()).then(a.start.0.cmp(&b.start.0)));
    let mut others = Counts::default();
    let n_others = rows.len().saturating_sub(MAX_ROWS) as u64;
    for row in rows.iter().skip(MAX_ROWS) {
        others.add(row.counts);
    }
    rows.truncate(MAX_ROWS);
    AttributionTable { rows, n_others, others, unknown: Counts::default() }
}
