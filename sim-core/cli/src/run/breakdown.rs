//! `pagewalk run --by`: the misses of a run by region, page, data structure, instruction, line, symbol or call
//! path, as a table.

use std::rc::Rc;

use pagewalk::machine::Machine;
use pagewalk::run::replay::Replay;
use pagewalk::run::window::Span;
use pagewalk_analysis::attribution::{
    Attribution, AttributionRow, AttributionTable, CallPaths, Counts, MAX_CALLS,
};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::Trace;
use serde::Serialize;

use super::stacks;
use crate::args::{BreakdownBy, FoldedCount};
use crate::progress::accesses_bar;
use crate::sheet::Sheet;
use crate::table::{Table, grouped, percent};

/// The largest number of rows that are printed.
const MAX_ROWS: usize = 24;

/// One table, and the sums that its rows are compared with.
#[derive(Serialize)]
pub(super) struct Breakdown {
    by: BreakdownBy,
    total: Counts,
    #[serde(flatten)]
    rows: Rows,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Rows {
    Table(AttributionTable),
    Calls(CallPaths),
}

impl Breakdown {
    /// Counts the misses of the accesses in `span`. With `is_whole`, all call paths are kept.
    pub(super) fn new(
        (by, is_whole): (BreakdownBy, bool),
        span: Span,
        (trace, samples): (&Rc<Trace>, &Samples),
        machine: Machine,
    ) -> Self {
        let bar = accesses_bar(span.counted.len() as u64);
        let from = span.counted.start;
        let mut counting = Attribution::new(&Replay::within(span, Rc::clone(trace), machine, 0));
        while !counting.go_on(trace, 1) {
            bar.set_position((counting.position() - from).into());
        }
        bar.finish_and_clear();
        let view = counting.view(trace, samples);
        let total = view.total;
        let most = if is_whole { usize::MAX } else { MAX_CALLS };
        let table = match by {
            BreakdownBy::Stack => {
                let rows = Rows::Calls(counting.call_paths(trace, most));
                return Self { by, total, rows };
            }
            BreakdownBy::Region => view.regions,
            BreakdownBy::Page => view.pages,
            BreakdownBy::Object => view.objects,
            BreakdownBy::Instruction => view.instructions,
            BreakdownBy::Line => view.lines,
            BreakdownBy::Symbol => view.symbols,
        };
        Self { by, total, rows: Rows::Table(table) }
    }

    /// Returns the lines of the folded form, or `None` if there are no call paths.
    pub(super) fn folded(&self, by: FoldedCount) -> Option<String> {
        match &self.rows {
            Rows::Calls(paths) if !paths.nodes.is_empty() => Some(stacks::folded(paths, by)),
            _ => None,
        }
    }

    pub(super) fn sheet(&self) -> Sheet {
        let table = match &self.rows {
            Rows::Calls(paths) => return stacks::sheet(paths),
            Rows::Table(table) => table,
        };
        let facts = ["name", "region", "inferred", "start", "end"];
        let source = ["file", "line", "text", "blocks", "module"];
        let head = facts.into_iter().chain(COLUMNS).chain(source);
        let mut sheet = Sheet::headed(head.map(str::to_owned));
        let mut add = |facts: [String; 5], of: &Counts, source: [String; 5]| {
            sheet.add(facts.into_iter().chain(counts(of)).chain(source));
        };
        for row in &table.rows {
            let AttributionRow { name, region, inferred, start, end, .. } = row;
            let [inferred, start, end] = [inferred.to_string(), start.to_string(), end.to_string()];
            let line = if row.line > 0 { row.line.to_string() } else { String::new() };
            let blocks = row.blocks.map_or_else(String::new, |n| n.to_string());
            let source = [row.file.clone(), line, row.text.clone(), blocks, row.module.clone()];
            add([name.clone(), region.clone(), inferred, start, end], &row.counts, source);
        }
        for (name, counts) in rest(table, table.rows.len()) {
            let facts = [name, String::new(), String::new(), String::new(), String::new()];
            add(facts, &counts, [const { String::new() }; 5]);
        }
        sheet
    }

    pub(super) fn text(&self) -> String {
        let table_rows = match &self.rows {
            Rows::Calls(paths) => return stacks::text(paths, &self.total),
            Rows::Table(table) => table,
        };
        match self.by {
            BreakdownBy::Symbol if table_rows.rows.is_empty() => {
                return "The trace names no symbols: `pagewalk record` and the samples of a perf recording can.\n".to_owned();
            }
            BreakdownBy::Line if table_rows.rows.is_empty() => {
                return "The trace names no lines: compile the program with -g, and record it with `pagewalk record`.\n".to_owned();
            }
            _ => {}
        }
        let has_exceptions = self.total.exceptions > 0;
        let word = match self.by {
            BreakdownBy::Region => "Region",
            BreakdownBy::Page => "Page",
            BreakdownBy::Object => "Object",
            BreakdownBy::Instruction => "Instruction",
            BreakdownBy::Line => "Line",
            BreakdownBy::Symbol => "Symbol",
            BreakdownBy::Stack => "Call path",
        };
        let exceptions = has_exceptions.then_some("Exceptions");
        let head = [word, "", "Accesses", "L1 misses", "Walks", "Faults"].into_iter();
        let head = head.chain(exceptions).chain(["Translation cycles", ""]);
        let mut table = Table::headed(2, head.map(str::to_owned));
        let all = self.total.translation_cycles();
        let mut add = |name: String, more: String, of: &Counts| {
            let mut numbers = vec![of.accesses, of.l1_misses, of.walks, of.faults];
            numbers.extend(has_exceptions.then_some(of.exceptions));
            let cycles = of.translation_cycles();
            numbers.push(cycles);
            let numbers = numbers.into_iter().map(grouped);
            table.add([name, more].into_iter().chain(numbers).chain([percent(cycles, all)]));
        };
        for row in table_rows.rows.iter().take(MAX_ROWS) {
            let (name, more) = self.words(row);
            add(name, more, &row.counts);
        }
        let more = table_rows.rows.len().saturating_sub(MAX_ROWS);
        for (name, of) in rest(table_rows, MAX_ROWS) {
            add(name, String::new(), &of);
        }
        add("all".to_owned(), String::new(), &self.total);
        let mut text = table.to_string();
        if more > 0 {
            let n_listed = table_rows.rows.len() as u64;
            let n = n_listed + table_rows.n_others;
            text += &format!("--json lists {} of {} rows\n", grouped(n_listed), grouped(n));
        }
        text
    }

    /// The name of a row, and where it is.
    fn words(&self, row: &AttributionRow) -> (String, String) {
        let AttributionRow { name, region, inferred, start, end, .. } = row;
        match self.by {
            BreakdownBy::Region => {
                let mark = if *inferred { ", inferred" } else { "" };
                (name.clone(), format!("{start} to {end}{mark}"))
            }
            BreakdownBy::Page => (start.to_string(), region.clone()),
            BreakdownBy::Instruction => {
                let parts = [name, region].into_iter().filter(|part| !part.is_empty());
                (start.to_string(), parts.cloned().collect::<Vec<_>>().join(", "))
            }
            BreakdownBy::Symbol | BreakdownBy::Stack => (name.clone(), region.clone()),
            BreakdownBy::Line => (name.clone(), of_line(row)),
            BreakdownBy::Object => {
                let blocks = row.blocks.map(|n| match n {
                    1 => "1 block, ".to_owned(),
                    _ => format!("{} blocks, ", grouped(n)),
                });
                let mark = if *inferred { ", inferred" } else { "" };
                (name.clone(), format!("{}{start} to {end}{mark}", blocks.unwrap_or_default()))
            }
        }
    }
}

/// The function of a line, the file of its code, and its text: `main in hj: sum += table[i];`.
fn of_line(row: &AttributionRow) -> String {
    let module = row.module.rsplit('/').next().unwrap_or_default();
    let parts = [row.region.as_str(), module].into_iter().filter(|part| !part.is_empty());
    let place = parts.collect::<Vec<_>>().join(" in ");
    let parts = [place, cut(&row.text)].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(": ")
}

/// Returns as much of the text of a line as a row has room for.
fn cut(text: &str) -> String {
    const MOST: usize = 48;
    let mut cut: String = text.chars().take(MOST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// What the first `n_shown` rows leave out.
fn rest(table: &AttributionTable, n_shown: usize) -> Vec<(String, Counts)> {
    let AttributionTable { ref rows, n_others, mut others, unknown } = *table;
    let hidden = rows.get(n_shown..).unwrap_or_default();
    for row in hidden {
        others.add(row.counts);
    }
    let n_others = n_others + hidden.len() as u64;
    let rest = [
        (n_others > 0, format!("{} others", grouped(n_others)), others),
        (unknown.accesses > 0, "unknown".to_owned(), unknown),
    ];
    rest.into_iter().filter(|(is_some, ..)| *is_some).map(|(_, name, of)| (name, of)).collect()
}

/// The names of all counts in a sheet.
pub(super) const COLUMNS: [&str; 8] = [
    "accesses",
    "l1_misses",
    "walks",
    "faults",
    "exceptions",
    "l2_hit_cycles",
    "l2_miss_cycles",
    "walk_cycles",
];

/// Returns all counts, in the order of [`COLUMNS`].
pub(super) fn counts(of: &Counts) -> [String; 8] {
    let Counts { accesses, l1_misses, walks, faults, exceptions, .. } = *of;
    let Counts { l2_hit_cycles, l2_miss_cycles, walk_cycles, .. } = *of;
    [accesses, l1_misses, walks, faults, exceptions, l2_hit_cycles, l2_miss_cycles, walk_cycles]
        .map(|n| n.to_string())
}
