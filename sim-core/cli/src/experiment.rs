//! `pagewalk experiment`: published numbers beside simulated ones.

use anyhow::{anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use pagewalk::experiment::{
    ExperimentInfo, ExperimentResult, ExperimentRun, Reference, ResultTable, Row, Setting,
    Tolerance, list,
};

use crate::args::ExperimentArgs;
use crate::output;
use crate::table::{Table, grouped};

/// Accesses between two looks at the progress bar.
const PIECE: u64 = 1 << 18;

pub(crate) fn experiment(args: &ExperimentArgs) -> anyhow::Result<()> {
    if args.list {
        return if args.json { output::json(&list()) } else { output::text(overview(&list())) };
    }
    let Some(id) = &args.id else { bail!("give an experiment, or --list") };
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
        ("Where and why they differ", &result.differences),
        ("Corrections to what is published", &result.corrections),
        ("Sources", &info.sources),
    ] {
        if !sentences.is_empty() {
            let lines = sentences.iter().map(|sentence| format!("- {sentence}\n"));
            parts.push(format!("{title}\n{}", lines.collect::<String>()));
        }
    }
    parts.join("\n")
}

fn table(result: &ResultTable) -> String {
    let n_cases = result.cases.len();
    let mut table = Table::bare(n_cases + 1);
    let heads = ["what", "simulated", "on paper", "published", "unit", "agrees"];
    table.add(result.cases.iter().cloned().chain(heads.map(str::to_owned)));
    let mut notes = String::new();
    for row in &result.rows {
        let cells = row.case.iter().cloned().chain([
            row.quantity.clone(),
            figure(row.simulated),
            row.expected.as_ref().map_or_else(String::new, expected),
            row.published.as_ref().map_or_else(String::new, |published| published.text.clone()),
            row.unit.clone(),
            agreement(row),
        ]);
        table.add(cells);
        if let Some(note) = &row.note {
            notes.push_str(&format!("{}, {}: {note}\n", row.case.join(", "), row.quantity));
        }
    }
    format!("{}\n{table}{notes}", result.title)
}

fn expected(reference: &Reference) -> String {
    reference.value.map_or_else(|| reference.text.clone(), figure)
}

fn agreement(row: &Row) -> String {
    let Some(agrees) = row.agrees else { return "–".to_owned() };
    let how = match row.tolerance {
        Some(Tolerance::Exact) => "to the unit",
        Some(Tolerance::Tight) => "within 1 %",
        Some(Tolerance::Loose) => "in the range",
        Some(Tolerance::Sign) => "in direction",
        None => "",
    };
    if agrees { how.to_owned() } else { format!("NOT {how}") }
}

/// Whole numbers whole, others with four digits that count.
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
    fn figures_have_four_digits_or_are_whole() {
        let texts =
            [0.0, 1e9, 0.003_906_25, 0.332_5, 20.143_25, 381.469_7, 195_312.5, -2.5].map(figure);
        assert_eq!(
            texts,
            ["0", "1,000,000,000", "0.003906", "0.3325", "20.14", "381.5", "195312.5", "-2.500"]
        );
    }
}
