//! `pagewalk experiment`: simulates published measurements and compares the numbers.

use anyhow::{anyhow, bail};
use pagewalk::config::MachineConfig;
use pagewalk_experiments::experiment::{
    Caveat, Claim, ExperimentInfo, ExperimentResult, ExperimentRun, Figure, ResultTable, Row,
    Setting, Source, Verdict, list,
};
use serde::Serialize;

use crate::about::{MachineAbout, json, this_command};
use crate::args::ExperimentArgs;
use crate::output;
use crate::progress::accesses_bar;
use crate::sheet::{Sheet, cell};
use crate::table::{Table, grouped};

/// The number of accesses between two updates of the progress bar.
const PIECE: u64 = 1 << 18;

pub(crate) fn experiment(args: &ExperimentArgs) -> anyhow::Result<()> {
    if args.list {
        let experiments = list();
        if args.result.write_csv(&this_command(), || known(&experiments))? {
            return Ok(());
        }
        return if args.result.json {
            json(this_command(), &Known { experiments })
        } else {
            output::text(overview(&experiments))
        };
    }
    if args.all {
        let run = |info: &ExperimentInfo| finished(ExperimentRun::new(&info.id)?);
        let experiments = list().iter().map(run).collect::<anyhow::Result<_>>()?;
        let all = All { experiments };
        if args.result.write_csv(&this_command(), || rows(&all.experiments))? {
            return Ok(());
        }
        return if args.result.json {
            json(this_command(), &all)
        } else {
            output::text(marks(&all))
        };
    }
    let Some(id) = &args.id else {
        bail!("give the name of an experiment, list them with --list, or run all with --all")
    };
    let run = ExperimentRun::new(id).map_err(|error| anyhow!("{}", error.message))?;
    let machines: Vec<MachineConfig> = run.machines().cloned().collect();
    let result = finished(run)?;
    let machine = MachineAbout::of_all(&result.info.setting.machine, &machines);
    let about = this_command().on(machine);
    if args.result.write_csv(&about, || rows(std::slice::from_ref(&result)))? {
        return Ok(());
    }
    if args.result.json {
        return json(about, &result);
    }
    output::text(sheet(&result))
}

/// The JSON of the list.
#[derive(Serialize)]
struct Known {
    experiments: Vec<ExperimentInfo>,
}

/// The results of all experiments.
#[derive(Serialize)]
struct All {
    experiments: Vec<ExperimentResult>,
}

fn finished(mut run: ExperimentRun) -> anyhow::Result<ExperimentResult> {
    let bar = accesses_bar(run.total());
    while !run.go_on(PIECE)? {
        bar.set_position(run.done());
    }
    bar.finish_and_clear();
    Ok(run.finish()?)
}

fn known(experiments: &[ExperimentInfo]) -> Sheet {
    let mut sheet = Sheet::new(["experiment", "title", "question"]);
    for ExperimentInfo { id, title, question, .. } in experiments {
        sheet.row([id.clone(), title.clone(), question.clone()]);
    }
    sheet
}

/// One row for each number of each table.
fn rows(results: &[ExperimentResult]) -> Sheet {
    let mut sheet = Sheet::new([
        "experiment",
        "table",
        "case",
        "quantity",
        "unit",
        "simulated",
        "derived",
        "published",
        "published value",
        "published error",
        "source",
        "expectation",
        "verdict",
        "hypothesis",
        "note",
    ]);
    let text = |figure: &Option<Figure>| cell(figure.as_ref().map(|figure| &figure.text));
    for ExperimentResult { info, tables, .. } in results {
        for (table, row) in
            tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)))
        {
            let derived = row.derived.as_ref();
            let value = derived.and_then(|figure| figure.value);
            let cited = row.published.as_ref().and_then(|figure| figure.cited.as_ref());
            sheet.row([
                info.id.clone(),
                table.title.clone(),
                row.case.join(", "),
                row.quantity.clone(),
                row.unit.clone(),
                cell(row.simulated),
                value.map_or_else(|| text(&row.derived), |value| value.to_string()),
                text(&row.published),
                cell(row.published.as_ref().and_then(|figure| figure.value)),
                cell(row.published.as_ref().and_then(|figure| figure.error)),
                cell(cited.map(|cited| &cited.source)),
                text(&row.expectation),
                row.verdict().map_or("", verdict_text).to_lowercase(),
                cell(row.hypothesis.as_ref()),
                cell(row.note.as_ref()),
            ]);
        }
    }
    sheet
}

fn overview(experiments: &[ExperimentInfo]) -> String {
    let lines = experiments.iter().map(|ExperimentInfo { id, title, question, .. }| {
        format!("{id}: {title}\n    {question}\n")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A kind of claim: the heading of its column, and the figure of a row that makes such a claim.
type Kind = (&'static str, fn(&Row) -> Option<&Figure>);

const KINDS: [Kind; 7] = [
    ("published number", |row| with(row, None).filter(|it| it.change.is_none())),
    ("published direction", |row| with(row, None).filter(|it| it.change.is_some())),
    ("another simulation", |row| with(row, Some(Caveat::OfSimulation))),
    ("follows from the configuration", |row| with(row, Some(Caveat::FollowsFromConfiguration))),
    ("test of a hypothesis", |row| with(row, Some(Caveat::TestsHypothesis))),
    ("derived", |row| row.derived.as_ref()),
    ("our expectation", |row| row.expectation.as_ref()),
];

/// Returns the published figure if it has this caveat.
fn with(row: &Row, caveat: Option<Caveat>) -> Option<&Figure> {
    row.published.as_ref().filter(|it| it.caveat == caveat)
}

/// One line for each experiment. Its mark is the verdict of its worst row.
fn marks(All { experiments }: &All) -> String {
    let mut table = Table::bare(2);
    let heads = ["experiment", "worst row"].into_iter().chain(KINDS.map(|(head, _)| head));
    table.add(heads.map(str::to_owned));
    for result in experiments {
        let worst = result.verdict().map_or("nothing to compare", verdict_text);
        let counts = KINDS.map(|kind| counts(std::slice::from_ref(result), kind));
        table.add([result.info.id.clone(), worst.to_owned()].into_iter().chain(counts));
    }
    let all = KINDS.map(|kind| counts(experiments, kind));
    table.add(["all".to_owned(), String::new()].into_iter().chain(all));
    format!("Claims of each kind that agree / are undecided / differ\n\n{table}")
}

/// Counts the verdicts on one kind of claim, from the best to the worst.
fn counts(results: &[ExperimentResult], (_, of): Kind) -> String {
    let rows = results.iter().flat_map(|result| &result.tables).flat_map(|table| &table.rows);
    let found: Vec<Verdict> = rows.filter_map(|row| of(row)?.verdict).collect();
    let count = |verdict| found.iter().filter(|it| **it == verdict).count();
    if found.is_empty() {
        return String::new();
    }
    let [agree, undecided, differ] =
        [Verdict::Agrees, Verdict::Undecided, Verdict::Differs].map(count);
    format!("{agree} / {undecided} / {differ}")
}

fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Undecided => "undecided",
        Verdict::Differs => "DIFFERS",
    }
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
    let sources = info.sources.iter().map(source).collect();
    for (title, sentences) in [
        ("What the simulation leaves out", &result.differences),
        ("Errors in the publication", &result.corrections),
        ("Sources", &sources),
    ] {
        if !sentences.is_empty() {
            let lines = sentences.iter().map(|sentence| format!("- {sentence}\n"));
            parts.push(format!("{title}\n{}", lines.collect::<String>()));
        }
    }
    parts.join("\n")
}

fn source(Source { id, title, url, date, machine, .. }: &Source) -> String {
    let url = url.as_ref().map_or_else(String::new, |url| format!(" {url}"));
    format!("[{id}] {title}.{url} Date: {date}. Machine: {machine}.")
}

/// A column: its heading, and the text of its cell in a row.
type Column = (&'static str, fn(&Row) -> String);

/// Each difference stands to the right of the number that the simulated one is compared with.
const COLUMNS: [Column; 10] = [
    ("what", |row| row.quantity.clone()),
    ("unit", |row| row.unit.clone()),
    ("simulated", |row| row.simulated.map_or_else(String::new, figure)),
    ("derived", |row| row.derived.as_ref().map_or_else(String::new, derived)),
    ("from derived", |row| difference(row, row.derived.as_ref())),
    ("published", |row| row.published.as_ref().map_or_else(String::new, published)),
    ("from published", |row| difference(row, row.published.as_ref())),
    ("our expectation", |row| row.expectation.as_ref().map_or_else(String::new, published)),
    ("from expectation", |row| difference(row, row.expectation.as_ref())),
    ("verdict", |row| row.verdict().map_or("", verdict_text).to_owned()),
];

fn table(result: &ResultTable) -> String {
    // Leave out columns that no row fills.
    let is_filled = |(_, of): &&Column| result.rows.iter().any(|row| !of(row).is_empty());
    let columns: Vec<&Column> = COLUMNS.iter().filter(is_filled).collect();
    let heads = columns.iter().map(|(head, _)| (*head).to_owned());
    let heads = result.cases.iter().cloned().chain(heads);
    let mut table = Table::headed(result.cases.len() + 2, heads);
    let mut notes = String::new();
    for row in &result.rows {
        table.add(row.case.iter().cloned().chain(columns.iter().map(|(_, of)| of(row))));
        let hypothesis = row.hypothesis.iter().map(|text| format!("hypothesis: {text}"));
        for words in row.note.iter().cloned().chain(hypothesis) {
            notes.push_str(&format!("{}, {}: {words}\n", row.case.join(", "), row.quantity));
        }
    }
    format!("{}\n{table}{notes}", result.title)
}

fn derived(it: &Figure) -> String {
    it.value.map_or_else(|| it.text.clone(), figure)
}

fn published(it: &Figure) -> String {
    let source = it.cited.as_ref().map_or_else(String::new, |cited| format!(" [{}]", cited.source));
    let caveat = it.caveat.map_or("", caveat_text);
    format!("{}{source}{caveat}", it.text)
}

fn caveat_text(caveat: Caveat) -> &'static str {
    match caveat {
        Caveat::CannotBeLookedUp => " (cannot be looked up: no verdict)",
        Caveat::OfSimulation => " (simulated there, too)",
        Caveat::FollowsFromConfiguration => " (follows from the configuration)",
        Caveat::TestsHypothesis => "",
    }
}

/// Returns how far the simulated number is from a figure, or how much it changes from the other case.
fn difference(row: &Row, compared: Option<&Figure>) -> String {
    let Some((simulated, compared)) = row.simulated.zip(compared) else { return String::new() };
    match compared.claim() {
        None => String::new(),
        Some(Claim::Change { from, .. }) => format!("changes {}", share(simulated, from)),
        Some(Claim::Number { value, .. }) => share(simulated, value),
    }
}

/// The difference between the simulated number and another: in percent of the other, or absolute if the other is 0.
fn share(simulated: f64, value: f64) -> String {
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
        // A number that is not 0 has not fallen by 100 %: cut off digits, do not round.
        nearly if (99.5..100.0).contains(&nearly) => {
            format!("{sign}{:.1} %", (1000.0 * share).trunc() / 10.0)
        }
        _ => format!("{sign}{:.0} %", 100.0 * share),
    }
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
    fn differences_are_against_the_number_that_they_follow() {
        let texts = [
            (1.0, 1.0),
            (0.9583, 0.9581),
            (0.9583, 1.017),
            (0.33, 0.0),
            (50.0, 2.0),
            (130_053.0, 130_048.0),
            (512.0, 262_144.0),
            (1.0, 262_144.0),
            (0.0, 2.0),
        ]
        .map(|(simulated, value)| share(simulated, value));
        assert_eq!(
            texts,
            [
                "0", "+0.02 %", "-5.77 %", "+0.3300", "x 25", "< 0.01 %", "-99.8 %", "-99.9 %",
                "-100 %"
            ]
        );
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
