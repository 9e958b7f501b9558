//! `pagewalk sweep`: runs every combination of some configuration values, on all cores.
//!
//! ```text
//! sweep.json ─▶ rows ─▶ threads ─▶ one line each, as they end ─▶ sorted: results.jsonl, results.csv
//!                                   └ there after a kill: such a row is not run again
//! ```

mod found;
mod merge;
mod results;
mod run;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use pagewalk_experiments::sweep::{Sweep, SweepSpec};
use serde::Serialize;

use crate::about::{command, json, this_command};
use crate::args::{Shard, SweepArgs};
use crate::output;
use crate::setup::read_text;
use crate::table::grouped;
pub(crate) use found::ROW;
use results::Results;
pub(crate) use run::threads;

/// The result of the command.
#[derive(Serialize)]
struct Done {
    out: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    csv: Option<PathBuf>,
    /// The number of rows of the sweep, or of the part.
    rows: usize,
    /// The number of rows that this run added.
    simulated: usize,
    /// The number of rows with an error: an impossible configuration, or a failed run.
    errors: usize,
}

pub(crate) fn sweep(args: &SweepArgs) -> anyhow::Result<()> {
    let done = if args.merge { merge::merge(&args.files, out(args)?)? } else { run(args)? };
    if args.json {
        json(this_command(), &done)?;
    } else {
        output::text(text(&done))?;
    }
    match done.errors {
        0 => Ok(()),
        n => bail!(
            "{}: {} of {} rows failed: the field `error` of each says why",
            done.out.display(),
            grouped(n as u64),
            grouped(done.rows as u64)
        ),
    }
}

fn run(args: &SweepArgs) -> anyhow::Result<Done> {
    let [file] = args.files.as_slice() else {
        bail!("{} files: give one sweep, or --merge to join parts", args.files.len())
    };
    let sweep = read(&read_text(file)?).with_context(|| file.display().to_string())?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let out = out(args)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let traces = sweep.spec().traces.iter().filter_map(|trace| trace.file.as_ref());
    for read in traces.map(|trace| folder.join(trace)).chain([file.clone()]) {
        if is_same(&read, &out) || is_same(&read, &out.with_extension("csv")) {
            let (out, read) = (out.display(), read.display());
            bail!("{out}: this would overwrite {read}, which the sweep reads: give another --out");
        }
    }
    let mut results = Results::open(&out, &sweep, shard)?;
    let before = results.n_there();
    // Every part names the same command, so that the parts of a sweep make the file of one run.
    let about = command(vec!["sweep".to_owned(), file.to_string_lossy().into_owned()]);
    run::run(&sweep, &about, folder, shard, args.jobs, &mut results)?;
    let errors = results.n_errors();
    let (rows, simulated) = (results.n_there(), results.n_there() - before);
    let csv = results.finish(args.shard.is_none())?;
    Ok(Done { out, csv, rows, simulated, errors })
}

/// Runs a sweep into new files: `out`, and a table next to it.
///
/// # Errors
/// Errors of the sweep, its traces and the files.
pub(crate) fn run_into(out: PathBuf, file: &str) -> anyhow::Result<()> {
    let out = Some(out);
    let files = vec![file.into()];
    run(&SweepArgs { files, out, jobs: None, shard: None, merge: false, json: false }).map(|_| ())
}

/// Returns whether two paths name the same existing file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn read(text: &str) -> anyhow::Result<Sweep> {
    let sweep = Sweep::new(SweepSpec::parse(text)?)?;
    sweep.check().context("no row can be simulated")?;
    Ok(sweep)
}

/// The path of the results file.
fn out(args: &SweepArgs) -> anyhow::Result<PathBuf> {
    let out = match (&args.out, args.files.as_slice()) {
        (Some(out), _) => out.clone(),
        (None, files) => {
            let stem = files.first().and_then(|file| file.file_stem()).unwrap_or_default();
            let mut name = stem.to_owned();
            if let Some(Shard { part, of }) = args.shard {
                name.push(format!(".{part}-of-{of}"));
            }
            name.push(".jsonl");
            name.into()
        }
    };
    if out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        bail!(
            "{}: give a name that does not end in .csv: the .csv file is written next to the JSON lines",
            out.display()
        );
    }
    Ok(out)
}

fn text(done: &Done) -> String {
    let Done { out, csv, rows, simulated, errors } = done;
    let csv = csv.as_ref().map_or(String::new(), |csv| format!(", {}", csv.display()));
    let plural = if *rows == 1 { "" } else { "s" };
    let simulated = match simulated {
        0 => ", all from earlier runs".to_owned(),
        n if n < rows => format!(", {} of them simulated now", grouped(*n as u64)),
        _ => String::new(),
    };
    let errors = match errors {
        0 => String::new(),
        n => format!(", {} failed", grouped(*n as u64)),
    };
    let rows = grouped(*rows as u64);
    format!("{}{csv}: {rows} row{plural}{simulated}{errors}\n", out.display())
}
