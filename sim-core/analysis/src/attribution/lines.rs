//! Misses by line of the source and by function.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{AttributionRow, AttributionTable, Counts, row, table};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{SourcePlace, Trace};

/// Counts of instructions, by their addresses.
type Instructions = BTreeMap<u64, Counts>;

/// The range from the first instruction to the last, and the sum of all.
struct Sum {
    range: Range<u64>,
    counts: Counts,
}

impl Sum {
    fn new(ip: u64) -> Self {
        Self { range: ip..ip, counts: Counts::default() }
    }

    fn add(&mut self, ip: u64, counts: Counts) {
        let Range { start, end } = self.range;
        self.range = start.min(ip)..end.max(ip.saturating_add(1));
        self.counts.add(counts);
    }
}

/// Returns the lines that are known. An instruction without a line is in none. `module` names the memory of an instruction.
pub(super) fn lines<'r>(
    trace: &Trace,
    instructions: &Instructions,
    module: impl Fn(u64) -> &'r str,
) -> AttributionTable {
    let mut lines: BTreeMap<(&str, u32), (SourcePlace<'_>, Sum)> = BTreeMap::new();
    for (ip, counts) in instructions {
        if let Some(place) = trace.places().get(*ip).filter(|place| place.line > 0) {
            let (_, sum) =
                lines.entry((place.file, place.line)).or_insert_with(|| (place, Sum::new(*ip)));
            sum.add(*ip, *counts);
        }
    }
    let rows = lines.into_values().map(|(place, Sum { range, counts })| {
        let SourcePlace { function, file, line, text } = place;
        AttributionRow {
            file: file.to_owned(),
            line,
            module: module(range.start).to_owned(),
            text: text.to_owned(),
            ..row(&name(file, line), function, range, counts)
        }
    });
    table(rows.collect())
}

/// Returns the name of a line. A program in one file has no name for it.
fn name(file: &str, line: u32) -> String {
    if file.is_empty() { format!("line {line}") } else { format!("{}:{line}", file_name(file)) }
}

/// Returns the name of a file without its folders.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Names the functions of instructions: as a sample names them, else as the trace's places do.
pub(super) struct Symbols<'a> {
    trace: &'a Trace,
    sampled: BTreeMap<u64, &'a str>,
}

impl<'a> Symbols<'a> {
    pub(super) fn new(trace: &'a Trace, samples: &'a Samples) -> Self {
        let named =
            samples.iter().filter_map(|kept| Some((kept.ip?, samples.name(kept.code_name?).0)));
        Self { trace, sampled: named.filter(|(_, symbol)| !symbol.is_empty()).collect() }
    }

    /// Returns the name, or nothing if it is not known.
    pub(super) fn at(&self, ip: u64) -> Option<&'a str> {
        let place = || self.trace.places().get(ip).map(|place| place.function);
        self.sampled.get(&ip).copied().or_else(place).filter(|name| !name.is_empty())
    }

    /// Returns the table of functions. `region` names the region of an instruction.
    pub(super) fn table<'r>(
        &self,
        instructions: &Instructions,
        region: impl Fn(u64) -> &'r str,
    ) -> AttributionTable {
        let mut symbols: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
        for (ip, counts) in instructions {
            if let Some(symbol) = self.at(*ip) {
                let sum = symbols.entry((symbol, region(*ip))).or_insert_with(|| Sum::new(*ip));
                sum.add(*ip, *counts);
            }
        }
        let rows = symbols
            .into_iter()
            .map(|((symbol, region), Sum { range, counts })| row(symbol, region, range, counts));
        table(rows.collect())
    }
}
