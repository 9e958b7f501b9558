//! Pointer chases: the knees and the steps of the models against published curves, and the table of `docs/chases.md`.

use std::fmt::Write;
use std::path::Path;
use std::sync::OnceLock;

use pagewalk::config::cpu;
use pagewalk_experiments::experiment::{ExperimentResult, Row};

use crate::support::{checked, near};

/// The tables of the experiment, in order.
const CURVES: usize = 0;
const FOURTH_PAGES: usize = 1;
const STEPS: usize = 2;
const REASONS: usize = 3;

const LEVEL_1: &str = "level 1 holds";
const TO_LEVEL_2: &str = "step to level 2";
const LEVEL_2: &str = "level 2 holds";
const TO_A_WALK: &str = "step to a walk";
const ONCE: &str = "last entry read once";

fn chases() -> &'static ExperimentResult {
    static RESULT: OnceLock<ExperimentResult> = OnceLock::new();
    RESULT.get_or_init(|| checked("chases"))
}

/// Returns the rows of a table, from 0.
fn rows(table: usize) -> &'static [Row] {
    &chases().tables[table].rows
}

fn simulated(row: &Row) -> f64 {
    row.simulated.unwrap_or_else(|| panic!("{row:?} is not simulated"))
}

/// Returns the number at the beginning of the published text.
fn published(row: &Row) -> f64 {
    let figure = row.published.as_ref().unwrap_or_else(|| panic!("{row:?} is not published"));
    let first = figure.text.split(' ').next().unwrap_or_default();
    first.parse().unwrap_or_else(|_| panic!("`{}` begins with no number", figure.text))
}

fn residual(row: &Row) -> f64 {
    published(row) - simulated(row)
}

fn of<'a>(rows: &'a [Row], quantity: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.quantity == quantity).collect()
}

/// Returns the run of a step to a walk that counts the last read once, if the model counts it twice.
fn read_once(row: &Row) -> Option<&'static Row> {
    let mut rows = of(rows(REASONS), TO_A_WALK).into_iter();
    rows.find(|it| it.case[2] == ONCE && it.case[..2] == row.case[..2])
}

/// Returns the row of the same model and part in another table or of another quantity.
fn same<'a>(rows: &'a [Row], like: &Row, quantity: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.case[..2] == like.case[..2] && row.quantity == quantity)
}

#[test]
fn published_chases_end_where_the_models_end() {
    let (first, second) = (of(rows(CURVES), LEVEL_1), of(rows(CURVES), LEVEL_2));
    assert!(first.len() >= 15 && second.len() >= 12);
    for row in first {
        near(simulated(row), published(row), 0.0);
    }
    for row in of(rows(CURVES), TO_LEVEL_2).into_iter().chain(of(rows(STEPS), TO_LEVEL_2)) {
        assert!(residual(row).abs() <= 2.0, "{row:#?}");
    }
    for row in second {
        // Data uses three quarters of the second level of Golden Cove. Six of eight ways hold as much.
        let is_golden_cove = row.case[0] == "intel-goldencove";
        assert_eq!(residual(row).abs() > 0.0, is_golden_cove, "{row:#?}");
    }
    let narrow = of(rows(REASONS), LEVEL_2)[0];
    near(simulated(narrow), published(narrow), 0.0);
}

/// Pages 16K apart share sets, so a level ends where its ways do. 768 pages fill the second level of Zen 4 to its last entry.
#[test]
fn published_chases_of_every_fourth_page_end_where_the_ways_do() {
    let all = rows(FOURTH_PAGES);
    assert!(of(all, LEVEL_1).len() >= 8 && of(all, LEVEL_2).len() >= 12);
    for row in all {
        let is_full = row.case[0] == "amd-zen4" && row.quantity == LEVEL_2;
        assert_eq!(residual(row).abs() > 0.0, is_full, "{row:#?}");
    }
}

/// Where memory caches are no part of a published step, the models take it: rounded, it can be off by 1. A model whose
/// `walk_overhead` is a default has a run that starts a walk earlier by one read of L1D. Golden Cove is between both.
#[test]
fn a_published_walk_counts_its_last_read_once() {
    let read_of = |id: &str| {
        let model = cpu::model(id).unwrap().machine;
        (model.memory.caches[0].latency, model.latency.walk_overhead)
    };
    let parts: Vec<_> = chases().parts.iter().filter(|part| part.name.contains(ONCE)).collect();
    assert_eq!(
        parts.len(),
        of(rows(REASONS), TO_A_WALK).iter().filter(|row| row.case[2] == ONCE).count()
    );
    for part in parts {
        let (read, overhead) = read_of(part.name.split(", ").next().unwrap());
        assert_eq!(part.machine.latency.walk_overhead, overhead - read, "{}", part.name);
    }
    let mut n_judged = 0;
    for row in of(rows(CURVES), TO_A_WALK) {
        let (read, _) = read_of(&row.case[0]);
        let once = read_once(row);
        if let Some(once) = once {
            // Some pages still hit level 2, and some entries are not in L1D.
            near(simulated(row) - simulated(once), f64::from(read), 0.01);
        }
        match (&row.note, once) {
            (Some(_), _) => {}
            (None, Some(once)) => {
                assert!(residual(row) < -2.5 && residual(once).abs() <= 1.5, "{row:#?}");
            }
            (None, None) => {
                n_judged += 1;
                assert!(residual(row).abs() <= 0.5, "{row:#?}");
            }
        }
    }
    assert!(n_judged >= 6);
}

/// Writes a number of pages without decimals, and cycles with one.
fn written(row: &Row, value: f64) -> String {
    let decimals = usize::from(row.unit == "cycles");
    format!("{:.decimals$}", if value.abs() < 0.05 { 0.0 } else { value }).replace('-', "−")
}

fn cell(row: Option<&Row>) -> String {
    row.map_or_else(
        || "–".to_owned(),
        |row| {
            let [published, simulated, residual] =
                [published(row), simulated(row), residual(row)].map(|it| written(row, it));
            let published = published.trim_end_matches(".0");
            format!("{published} − {simulated} = {residual}")
        },
    )
}

/// Returns the first row of each case.
fn first_rows(rows: &[Row]) -> impl Iterator<Item = &Row> {
    let is_first = |&at: &usize| at == 0 || rows[at - 1].case != rows[at].case;
    (0..rows.len()).filter(is_first).map(|at| &rows[at])
}

/// Writes the residuals as the page has them.
fn page() -> String {
    let mut text = String::from(
        "| model | part | pages of level 1 | step to level 2 | pages of level 2 | step to a walk | the same, last entry read once |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for part in first_rows(rows(CURVES)) {
        let cells = [LEVEL_1, TO_LEVEL_2, LEVEL_2, TO_A_WALK]
            .map(|quantity| cell(same(rows(CURVES), part, quantity)));
        let walk = same(rows(CURVES), part, TO_A_WALK);
        let mark = if walk.is_some_and(|row| row.note.is_some()) { " \\*" } else { "" };
        let once = walk.and_then(read_once);
        let once = once.map_or_else(|| "–".to_owned(), |row| written(row, residual(row)));
        writeln!(
            text,
            "| `{}` | {} | {}{mark} | {once} |",
            part.case[0],
            part.case[1],
            cells.join(" | ")
        )
        .expect("a text can be written");
    }
    text += "\n| model | part | pages of level 1, every fourth | pages of level 2, every fourth |\n|---|---|---|---|\n";
    for part in first_rows(rows(FOURTH_PAGES)) {
        let [first, second] = [LEVEL_1, LEVEL_2].map(|it| cell(same(rows(FOURTH_PAGES), part, it)));
        let [model, part] = [0, 1].map(|at| part.case[at].as_str());
        writeln!(text, "| `{model}` | {part} | {first} | {second} |")
            .expect("a text can be written");
    }
    text += "\n| model | part | pages | step | cycles |\n|---|---|---|---|---|\n";
    for row in rows(STEPS) {
        let [model, part, pages] = [0, 1, 2].map(|at| row.case[at].as_str());
        let (step, cycles) = (&row.quantity, cell(Some(row)));
        writeln!(text, "| `{model}` | {part} | {pages} | {step} | {cycles} |")
            .expect("a text can be written");
    }
    text
}

/// `UPDATE_EXPECT=1` writes the tables into the page.
#[test]
fn the_page_of_pointer_chases_has_the_residuals_of_the_runs() {
    const MARKS: [&str; 2] = ["<!-- residuals -->\n\n", "\n<!-- end of residuals -->"];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/chases.md");
    let text = std::fs::read_to_string(&path).expect("the page can be read");
    let (before, rest) = text.split_once(MARKS[0]).expect("the page has a first mark");
    let (tables, after) = rest.split_once(MARKS[1]).expect("the page has a second mark");
    let expected = page();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text = [before, MARKS[0], &expected, MARKS[1], after].concat();
        std::fs::write(&path, text).expect("the page can be written");
        return;
    }
    assert!(tables == expected, "run this test with UPDATE_EXPECT=1; expected:\n{expected}");
}
