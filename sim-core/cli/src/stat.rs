//! `pagewalk stat`: shows what perf stat counted, what it means, and what a simulation counts.

use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use pagewalk_measured::counters::{
    Comparison, Context, CounterView, Family, FamilyFrom, Measured, ShareUnit, ShareView,
    Simulated, measured,
};
use pagewalk_sources::perf_stat::{self, Form, MAX_BYTES, State};
use serde::Serialize;

use crate::about::{json, this_command};
use crate::args::{StatArgs, Vendor};
use crate::input::{io_error, open};
use crate::output;
use crate::processors::model;
use crate::run;
use crate::sheet::{Sheet, cell};
use crate::table::{Table, grouped};

/// The JSON that `--json` prints.
#[derive(Serialize)]
struct StatOutput {
    #[serde(flatten)]
    measured: Measured,
    /// The name of the simulated run, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<String>,
}

pub(crate) fn stat(args: &StatArgs) -> anyhow::Result<()> {
    let name =
        if args.is_stdin() { "standard input".to_owned() } else { args.file.display().to_string() };
    let run = args.run()?;
    let text = if args.is_stdin() {
        read_all(io::stdin().lock(), &name)?
    } else {
        read_output(&args.file, &name)?
    };
    let stat = perf_stat::read(&text).context(name.clone())?;
    let mut run = run.map(|args| run::simulated(&args)).transpose()?;
    let named = match &run {
        Some(run) => run.setup.cpu().map(str::to_owned),
        None => args.cpu.as_deref().map(model).transpose()?.map(|model| model.id),
    };
    let context = Context {
        asked: args.vendor.map(Family::from),
        model: named.as_deref(),
        simulated: run.as_ref().map(|run| Simulated::from(&run.report)),
    };
    let measured = measured(&stat, context);
    let about = match &mut run {
        Some(run) => run.setup.about().of(run.trace.take()),
        None => this_command(),
    };
    if args.result.write_csv(&about, || sheet(&measured))? {
        return Ok(());
    }
    let simulated = run.map(|run| run.title);
    if args.result.json {
        return json(about, &StatOutput { measured, simulated });
    }
    output::text(as_text(&name, &measured, simulated.as_deref()))
}

impl From<Vendor> for Family {
    fn from(vendor: Vendor) -> Self {
        match vendor {
            Vendor::Intel => Self::IntelSkylake,
            Vendor::Amd => Self::AmdZen,
            Vendor::Arm => Self::Arm,
        }
    }
}

/// Reads the output of perf stat from a file. `name` names it in errors.
///
/// # Errors
/// The file cannot be read, or is not text.
pub(crate) fn read_output(path: &Path, name: &str) -> anyhow::Result<String> {
    read_all(open(path)?, name)
}

fn read_all(reader: impl Read, name: &str) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    // Read one byte more than the limit, to notice a larger file.
    reader
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| io_error(Path::new(name), &error))?;
    if bytes.contains(&0) {
        return Err(anyhow!(
            "{name}: the file is not text: give the output of perf stat, or of perf stat report after perf stat record"
        ));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn sheet(measured: &Measured) -> Sheet {
    let mut sheet = Sheet::new([
        "event",
        "counts",
        "state",
        "value",
        "unit",
        "is_estimate",
        "variance_percent",
        "running_percent",
        "simulated",
        "per",
        "measured_per",
        "simulated_per",
        "ratio",
    ]);
    for counter in &measured.counters {
        let comparison = counter.beside.as_ref();
        let state = match counter.state {
            State::Counted => "counted",
            State::NotCounted => "not counted",
            State::NotSupported => "not supported",
        };
        sheet.row([
            named(counter),
            cell(counter.meaning.as_ref()),
            state.to_owned(),
            cell(counter.value),
            counter.unit.clone(),
            counter.is_estimate.to_string(),
            cell(counter.variance),
            cell(counter.running),
            cell(comparison.map(|comparison| comparison.simulated)),
            cell(comparison.and_then(|comparison| comparison.base.clone())),
            cell(comparison.and_then(|comparison| comparison.measured_per)),
            cell(comparison.and_then(|comparison| comparison.simulated_per)),
            cell(comparison.and_then(|comparison| comparison.ratio)),
        ]);
    }
    sheet
}

fn as_text(name: &str, measured: &Measured, simulated: Option<&str>) -> String {
    let mut parts = vec![head(name, measured), counters(measured).to_string()];
    if !measured.shares.is_empty() {
        parts.push(shares(&measured.shares, simulated.is_some()).to_string());
    }
    if let Some(simulated) = simulated {
        let table = comparison(&measured.counters);
        let none =
            "The simulation counts none of these events, or not for such a trace.\n".to_owned();
        let table = table.map_or(none, |table| table.to_string());
        parts.push(format!("Measured, compared with {simulated}\n\n{table}"));
    }
    let notes = measured.notes.iter().map(|note| format!("Note: {note}.\n"));
    parts.push(notes.collect::<String>());
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn head(name: &str, measured: &Measured) -> String {
    let form = match measured.form {
        Form::Text => "",
        Form::Csv => ", -x",
        Form::Json => ", -j",
    };
    let mut text = format!("{name}: perf stat{form}");
    if let Some(of) = &measured.of {
        text.push_str(&format!(" of {of}"));
    }
    if let Some(runs) = measured.runs {
        text.push_str(&format!(", mean of {runs} runs"));
    }
    if measured.intervals > 0 {
        let plural = if measured.intervals == 1 { "" } else { "s" };
        let n = grouped(measured.intervals.into());
        text.push_str(&format!(", sum of {n} interval{plural}"));
    }
    if let Some(seconds) = measured.elapsed_s {
        text.push_str(&format!(", {} s", short(seconds)));
    }
    let family = match &measured.family {
        Some(family) => {
            let from = match family.from {
                FamilyFrom::Asked => "as --vendor says",
                FamilyFrom::Events => "from the names of the events",
                FamilyFrom::Machine => "as --cpu says",
            };
            format!("Events as on {}, {from}", family.name)
        }
        None => "The vendor of these events is unknown: give --vendor or --cpu".to_owned(),
    };
    text.push_str(&format!("\n{family}\n"));
    let unread = &measured.unread;
    if unread.lines > 0 {
        text.push_str(&format!(
            "Not read: {}; the first is line {}: `{}`\n",
            if unread.lines == 1 { "1 line".to_owned() } else { format!("{} lines", unread.lines) },
            unread.first_line,
            unread.first
        ));
    }
    text
}

/// A function that returns a share of a counter, in percent.
type Column = fn(&CounterView) -> Option<f64>;

fn counters(measured: &Measured) -> Table {
    let has = |column: Column| {
        measured.counters.iter().any(|counter| counter.value.is_some() && column(counter).is_some())
    };
    let mut columns: Vec<(&str, Column)> =
        vec![("±", |counter| counter.variance), ("Counted for", |counter| counter.running)];
    columns.retain(|(_, column)| has(*column));
    let head =
        ["Event", "Counts", "Value"].into_iter().chain(columns.iter().map(|(name, _)| *name));
    let mut table = Table::headed(2, head.map(str::to_owned));
    for counter in &measured.counters {
        let shares = columns.iter().map(|(_, column)| {
            let share = column(counter).filter(|_| counter.value.is_some());
            share.map_or(String::new(), |share| format!("{share:.2} %"))
        });
        let cells = [named(counter), counts(counter, measured.family.is_some()), value(counter)];
        table.add(cells.into_iter().chain(shares));
    }
    table
}

fn counts(counter: &CounterView, is_known: bool) -> String {
    match (&counter.meaning, &counter.note) {
        (None, _) => "–".to_owned(),
        // This event counts something else on each vendor's processors.
        (Some(meaning), _) if !is_known && meaning.contains(": ") => {
            "depends on the vendor".to_owned()
        }
        (Some(meaning), None) => meaning.clone(),
        (Some(meaning), Some(note)) => format!("{meaning} ({note})"),
    }
}

fn value(counter: &CounterView) -> String {
    match (counter.state, counter.value) {
        (State::NotCounted, _) => "not counted".to_owned(),
        (State::NotSupported, _) => "not supported".to_owned(),
        (State::Counted, None) => "–".to_owned(),
        (State::Counted, Some(value)) => {
            let mark = if counter.is_estimate { "~" } else { "" };
            format!("{mark}{}", amount(value, &counter.unit))
        }
    }
}

fn named(counter: &CounterView) -> String {
    match &counter.cgroup {
        Some(cgroup) => format!("{} {cgroup}", counter.name.full),
        None => counter.name.full.clone(),
    }
}

fn shares(shares: &[ShareView], has_run: bool) -> Table {
    let head = if has_run { ["", "Measured", "Simulated"] } else { ["", "Measured", ""] };
    let mut table = Table::new(1, head);
    for share in shares {
        let mut what = share.what.clone();
        if !share.of.is_empty() {
            what.push_str(&format!(", {}", share.of));
        }
        if let Some(note) = &share.note {
            what.push_str(&format!(" ({note})"));
        }
        let number = |value: f64| match share.unit {
            ShareUnit::Share => format!("{} %", short(100.0 * value)),
            ShareUnit::Cycles => format!("{} cycles", short(value)),
        };
        let mark = match (share.is_upper_bound, share.is_estimate) {
            (true, true) => "≤ ~",
            (true, false) => "≤ ",
            (false, true) => "~",
            (false, false) => "",
        };
        let simulated = share.simulated.map(number).unwrap_or_default();
        table.row([what, format!("{mark}{}", number(share.measured)), simulated]);
    }
    table
}

/// Returns a table of the counters that the simulation also counts.
fn comparison(counters: &[CounterView]) -> Option<Table> {
    let mut table = Table::new(2, ["Event", "For each", "Measured", "Simulated", "Ratio"]);
    let mut any = false;
    for (counter, comparison) in
        counters.iter().filter_map(|counter| Some((counter, counter.beside.as_ref()?)))
    {
        let Comparison { simulated, base, measured_per, simulated_per, ratio } = comparison;
        let Some(value) = counter.value else { continue };
        any = true;
        let mark = if counter.is_estimate { "~" } else { "" };
        let (base, measured, simulated) = match (base, measured_per, simulated_per) {
            (Some(base), Some(measured), Some(simulated)) => {
                (base.clone(), short(*measured), short(*simulated))
            }
            _ => ("whole run".to_owned(), amount(value, &counter.unit), grouped(*simulated)),
        };
        let ratio = ratio.map(|ratio| format!("{mark}×{}", short(ratio))).unwrap_or_default();
        table.row([named(counter), base, format!("{mark}{measured}"), simulated, ratio]);
    }
    any.then_some(table)
}

/// Prints a count as a whole number, and a number with a unit with two decimals.
fn amount(value: f64, unit: &str) -> String {
    if !unit.is_empty() {
        return format!("{value:.2} {unit}");
    }
    if value.fract() != 0.0 || !(0.0..9e15).contains(&value) {
        return format!("{value:.2}");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let whole = value as u64;
    grouped(whole)
}

/// Prints three significant digits, or all digits before the decimal point.
fn short(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        _ if size >= 100.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 => 2,
        _ if size >= 0.1 || size == 0.0 => 3,
        _ if size >= 0.01 => 4,
        _ => return format!("{value:.1e}"),
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_shown() {
        let texts = [0.0, 1.0 / 3.0, 0.042, 0.000_123, 1.5, 42.04, 12345.6].map(short);
        assert_eq!(texts, ["0.000", "0.333", "0.0420", "1.2e-4", "1.50", "42.0", "12346"]);
    }
}
