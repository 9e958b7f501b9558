//! `pagewalk experiment`: simulates published measurements and compares the numbers.

use anyhow::{anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use pagewalk_experiments::experiment::{
    ExperimentInfo, ExperimentResult, ExperimentRun, Reference, ResultTable, Row, Setting,
    Tolerance, list,
};

use crate::args::ExperimentArgs;
use crate::output;
use crate::table::{Table, grouped};

/// The number of accesses between two updates of the progress bar.
const PIECE: u64 = 1 << 18;

pub(crate) fn experiment(args: &ExperimentArgs) -> anyhow::Result<()> {
    if args.list {
        return if args.json { output::json(&list()) } else { output::text(overview(&list())) };
    }
    let Some(id) = &args.id else {
        bail!("give the name of an experiment, or list them with --list")
    };
    let result = run(id)?;
    if args.json { output::json(&result) } else { output::text(sheet(&result)) }
}

fn run(id: &str) -> anyhow::Result<ExperimentResult> {
    let mut run = ExperimentRun::new(id).map_err(|error| anyhow!("{}", error.message))?;
    let bar = ProgressBar::new(run.total());
    let template = "{wide_bar} {human_pos}/{human_len} accesses {per_sec} {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
    while !run.go_on(PIECE)? {
        bar.set_position(run.done());
    }
    bar.finish_and_clear();
    Ok(run.finish()?)
}

fn overview(experiments: &[ExperimentInfo]) -> String {
    let lines = experiments.iter().map(|ExperimentInfo { id, title, question, .. }| {
        format!("{id}: {title}\n    {question}\n")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn sheet(result: &ExperimentResult) -> String {
    let ExperimentResult { info, answer, .. } = result;
    let Setting { machine, policy, method } = &info.setting;
    let mut parts = vec![
        format!("{}\n{}\n", info.title, info.question),
        format!("{answer}\n"),
        format!("Machine: {machine}.\nMemory: {policy}.\nMethod: {method}\n"),
    ];
    parts.extend(result.tables.iter().map(table));
    for (title, sentences) in [
        ("Where the numbers differ, and why", &result.differences),
        ("Errors in the publication", &result.corrections),
        ("Sources", &info.sources),
    ] {
        if !sentences.is_empty() {
            let lines = sentences.iter().map(|sentence| format!("- {sentence}\n"));
            parts.push(format!("{title}\n{}", lines.collect::<String>()));
        }
    }
    parts.join("\n")
}

/// A column: its heading, and the text of its cell in a row.
type Column = (&'static str, fn(&Row) -> String);

/// Each difference stands to the right of the number that the simulated one is compared with.
const COLUMNS: [Column; 8] = [
    ("what", |row| row.quantity.clone()),
    ("unit", |row| row.unit.clone()),
    ("simulated", |row| figure(row.simulated)),
    ("on paper", |row| row.expected.as_ref().map_or_else(String::new, expected)),
    ("from paper", |row| difference(row.simulated, row.expected.as_ref())),
    ("published", |row| row.published.as_ref().map_or_else(String::new, |it| it.text.clone())),
    ("from published", |row| difference(row.simulated, row.published.as_ref())),
    ("agrees", agreement),
];

fn table(result: &ResultTable) -> String {
    let mut table = Table::bare(result.cases.len() + 2);
    // Leave out columns that no row fills.
    let is_filled = |(_, of): &&Column| result.rows.iter().any(|row| !of(row).is_empty());
    let columns: Vec<&Column> = COLUMNS.iter().filter(is_filled).collect();
    let heads = columns.iter().map(|(head, _)| (*head).to_owned());
    table.add(result.cases.iter().cloned().chain(heads));
    let mut notes = String::new();
    for row in &result.rows {
        table.add(row.case.iter().cloned().chain(columns.iter().map(|(_, of)| of(row))));
        if let Some(note) = &row.note {
            notes.push_str(&format!("{}, {}: {note}\n", row.case.join(", "), row.quantity));
        }
    }
    format!("{}\n{table}{notes}", result.title)
}

fn expected(reference: &Reference) -> String {
    reference.value.map_or_else(|| reference.text.clone(), figure)
}

/// The difference between the simulated number and a reference: in percent of the reference, or absolute if
/// the reference is 0.
fn difference(simulated: f64, reference: Option<&Reference>) -> String {
    let Some(value) = reference.and_then(|reference| reference.value) else {
        return String::new();
    };
    let by = simulated - value;
    if by.abs() <= 1e-9 * value.abs() {
        return "0".to_owned();
    }
    let sign = if by > 0.0 { "+" } else { "" };
    if value == 0.0 {
        return format!("{sign}{}", figure(by));
    }
    let share = by / value.abs();
    // Print large differences as a factor.
    if share >= 9.0 {
        return format!("x {}", figure((simulated / value).round()));
    }
    match (100.0 * share).abs() {
        small if small < 0.01 => "< 0.01 %".to_owned(),
        small if small < 10.0 => format!("{sign}{:.2} %", 100.0 * share),
        _ => format!("{sign}{:.0} %", 100.0 * share),
    }
}

/// Whether the simulated number agrees with the reference, and which tolerance applies: the strictest one.
fn agreement(row: &Row) -> String {
    let Some(agrees) = row.agrees else { return String::new() };
    let how = match row.tolerance {
        Some(Tolerance::Exact) => "to the unit on paper",
        Some(Tolerance::Tight) => "within 1 % on paper",
        Some(Tolerance::Loose) => "in the published range",
        Some(Tolerance::Sign) => "in the published direction",
        None => "",
    };
    if agrees { how.to_owned() } else { format!("NOT {how}") }
}

/// Prints whole numbers with all digits, and other numbers with four significant digits.
fn figure(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 9e15 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number below 2^53"
        )]
        let whole = grouped(x.abs() as u64);
        return if x < 0.0 { format!("-{whole}") } else { whole };
    }
    let mut decimals = 3;
    let mut scale = x.abs();
    while scale < 1.0 && decimals < 12 {
        scale *= 10.0;
        decimals += 1;
    }
    while scale >= 10.0 && decimals > 1 {
        scale /= 10.0;
        decimals -= 1;
    }
    format!("{x:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_against_the_number_that_they_stand_behind() {
        let against = |value| Some(Reference { text: String::new(), value, range: None });
        let texts = [
            (1.0, Some(1.0)),
            (0.9583, Some(0.9581)),
            (0.9583, Some(1.017)),
            (0.33, Some(0.0)),
            (50.0, Some(2.0)),
            (130_053.0, Some(130_048.0)),
            (1.0, None),
        ]
        .map(|(simulated, value)| difference(simulated, against(value).as_ref()));
        assert_eq!(texts, ["0", "+0.02 %", "-5.77 %", "+0.3300", "x 25", "< 0.01 %", ""]);
    }

    #[test]
    fn figures_have_four_digits_or_are_whole() {
        let texts =
            [0.0, 1e9, 0.003_906_25, 0.332_5, 20.143_25, 381.469_7, 195_312.5, -2.5].map(figure);
        assert_eq!(
            texts,
            ["0", "1,000,000,000", "0.003906", "0.3325", "20.14", "381.5", "195312.5", "-2.500"]
        );
    }
}
