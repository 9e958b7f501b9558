//! The rows of `pagewalk run --by stack`: a table, CSV, and the folded form that other tools draw.

use std::collections::BTreeMap;

use pagewalk_analysis::attribution::{CallNode, CallPaths, Counts};

use super::breakdown::{COLUMNS, counts};
use crate::args::FoldedCount;
use crate::sheet::Sheet;
use crate::table::{Table, grouped, percent};

/// The largest number of paths that are printed.
const MAX_ROWS: usize = 24;
/// The most characters of a path in the table. The outermost functions are left out.
const MAX_PATH: usize = 72;
/// What a trace without call paths lacks.
pub(super) const NONE: &str = "The trace has no call paths: record them with `perf record -g`, or with `pagewalk record` a program that `pagewalk cc` compiled.\n";
/// The name of accesses without a call path.
const UNKNOWN: &str = "[unknown]";

/// Returns the functions of a node, the outermost first.
fn path(paths: &CallPaths, node: &CallNode) -> Vec<String> {
    let mut names = vec![word(&node.name)];
    let mut caller = node.parent;
    while let Some(node) = caller.and_then(|at| paths.nodes.get(at as usize)) {
        names.push(word(&node.name));
        caller = node.parent;
    }
    names.reverse();
    names
}

/// Returns a name without the separators of the folded form.
fn word(name: &str) -> String {
    name.chars().map(|c| if c == ';' { ':' } else { c }).filter(|c| !c.is_control()).collect()
}

/// Returns one line for each path that has a count: `main;join;probe 1234`.
pub(super) fn folded(paths: &CallPaths, by: FoldedCount) -> String {
    let count = |of: &Counts| match by {
        FoldedCount::WalkCycles => of.walk_cycles,
        FoldedCount::Walks => of.walks,
        FoldedCount::Misses => of.l1_misses,
        FoldedCount::Accesses => of.accesses,
    };
    let mut text = String::new();
    let mut line = |path: &str, n: u64| {
        if n > 0 {
            text += &format!("{path} {n}\n");
        }
    };
    for node in paths.nodes.iter().filter(|node| count(&node.own) > 0) {
        line(&path(paths, node).join(";"), count(&node.own));
    }
    line(UNKNOWN, count(&paths.unknown));
    text
}

pub(super) fn sheet(paths: &CallPaths) -> Sheet {
    let totals = COLUMNS.map(|name| format!("total_{name}"));
    let head = ["path", "name"].into_iter().chain(COLUMNS).map(str::to_owned).chain(totals);
    let mut sheet = Sheet::headed(head);
    let mut add = |path: String, name: String, own: &Counts, total: &Counts| {
        sheet.add([path, name].into_iter().chain(counts(own)).chain(counts(total)));
    };
    for node in &paths.nodes {
        add(path(paths, node).join(";"), node.name.clone(), &node.own, &node.total);
    }
    for (name, of) in rest(paths) {
        add(String::new(), name, &of, &of);
    }
    sheet
}

/// What the nodes leave out.
fn rest(paths: &CallPaths) -> Vec<(String, Counts)> {
    let CallPaths { n_others, others, unknown, .. } = *paths;
    let others = (n_others > 0).then(|| (format!("{} others", grouped(n_others)), others));
    let unknown = (unknown.accesses > 0).then(|| ("unknown".to_owned(), unknown));
    others.into_iter().chain(unknown).collect()
}

pub(super) fn text(paths: &CallPaths, all: &Counts) -> String {
    if paths.nodes.is_empty() {
        return NONE.to_owned();
    }
    let head = ["Call path", "Accesses", "L1 misses", "Walks", "Faults", "Translation cycles", ""];
    let mut table = Table::headed(1, head.into_iter().chain(["With calls", ""]).map(str::to_owned));
    let cycles = all.translation_cycles();
    let mut add = |name: String, own: &Counts, total: &Counts| {
        let numbers = [own.accesses, own.l1_misses, own.walks, own.faults].map(grouped);
        let share = |of: &Counts| {
            [grouped(of.translation_cycles()), percent(of.translation_cycles(), cycles)]
        };
        table.add([name].into_iter().chain(numbers).chain(share(own)).chain(share(total)));
    };
    let mut hottest = rows(paths);
    hottest.sort_by_key(|row| {
        let Counts { walks, l1_misses, accesses, .. } = row.own;
        std::cmp::Reverse([row.own.translation_cycles(), walks, l1_misses, accesses])
    });
    for row in hottest.iter().take(MAX_ROWS) {
        add(shortened(&row.path), &row.own, &row.total);
    }
    let more = hottest.len().saturating_sub(MAX_ROWS);
    if more == 0 {
        for (name, of) in rest(paths) {
            add(name, &of, &of);
        }
    }
    add("all".to_owned(), all, all);
    let mut text = table.to_string();
    if more > 0 {
        text += &format!("and {} more (--json lists all)\n", grouped(more as u64));
    }
    text
}

/// A row of the table: a function and its calls of itself, in one path.
struct Row {
    path: Vec<String>,
    own: Counts,
    total: Counts,
}

/// Returns the paths that have accesses of their own. `main;insert;insert` counts as `main;insert`.
fn rows(paths: &CallPaths) -> Vec<Row> {
    let mut found: BTreeMap<Vec<String>, [Counts; 2]> = BTreeMap::new();
    for node in &paths.nodes {
        let mut path = path(paths, node);
        let is_recursive = path.iter().rev().nth(1) == path.last();
        path.dedup();
        let [own, total] = found.entry(path).or_default();
        own.add(node.own);
        // The caller's total has that of a recursive call.
        if !is_recursive {
            total.add(node.total);
        }
    }
    let rows = found.into_iter().map(|(path, [own, total])| Row { path, own, total });
    rows.filter(|row| row.own != Counts::default()).collect()
}

/// Returns a path without the outermost functions that a row has no room for.
fn shortened(path: &[String]) -> String {
    let (mut text, mut n) = (String::new(), 0);
    for name in path.iter().rev() {
        let more = name.chars().count() + 1;
        if n > 0 && n + more > MAX_PATH {
            return format!("…;{text}");
        }
        text = if n == 0 { name.clone() } else { format!("{name};{text}") };
        n += more;
    }
    text
}
