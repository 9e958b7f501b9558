//! Simulates the missing rows on several threads. Each trace is read once, and all threads share it.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::ProgressBar;
use pagewalk_analysis::recorded_pages::PageEvidence;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Trace;
use pagewalk_experiments::sweep::{RowTrace, Sweep, TraceSpec};

use super::results::Results;
use crate::about::About;
use crate::args::{AccessArgs, FormatArgs, Shard, SourceArgs};
use crate::progress::share_bar;
use crate::recorded::{Sized, Wanted};
use crate::source::{self, Source};

/// Simulates the missing rows of a part of a sweep, which `about` describes. Trace files are relative to `folder`.
///
/// # Errors
/// Errors of the traces and of the results file. An error of a row goes into its line.
pub(super) fn run(
    sweep: &Sweep,
    about: &About,
    folder: &Path,
    shard: Shard,
    jobs: Option<usize>,
    results: &mut Results,
) -> anyhow::Result<()> {
    let jobs = threads(jobs);
    let wanted: Vec<u32> = (0..sweep.n_rows()).filter(|row| shard.has(*row)).collect();
    for rows in wanted.chunk_by(|a, b| sweep.trace_of(*a) == sweep.trace_of(*b)) {
        let number = sweep.trace_of(rows[0]);
        let (trace, recorded, known) = read(&sweep.spec().traces[number], folder)?;
        results.check_trace(number, &known)?;
        let missing = rows.iter().copied().filter(|row| !results.has(*row));
        // The longest rows come first, so that all threads end at about the same time.
        let is_long = |row: &u32| sweep.row(*row).is_virtual();
        let (long, short): (Vec<u32>, Vec<u32>) = missing.partition(is_long);
        let missing = [long, short].concat();
        if !missing.is_empty() {
            let (trace, recorded, known, rows) = (&trace, &recorded, &known, &missing);
            Pool { sweep, about, trace, recorded, known, rows, jobs }.run(results)?;
        }
    }
    Ok(())
}

/// Returns the number of threads that an option asks for, by default one per processor.
pub(crate) fn threads(asked: Option<usize>) -> usize {
    asked.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1)
}

/// Reads a trace, with the page sizes of its recording.
fn read(spec: &TraceSpec, folder: &Path) -> anyhow::Result<(Trace, PageEvidence, RowTrace)> {
    let args = AccessArgs {
        source: SourceArgs {
            trace: spec.file.as_ref().map(|file| folder.join(file)),
            workload: spec.workload.clone(),
        },
        params: spec.texts(),
        format: FormatArgs { format: spec.format.clone(), ..FormatArgs::default() },
    };
    let mut read = Sized::new(Wanted::IfAny, PageSize::K4);
    let Source { report, about, .. } = source::stream(&args, u64::MAX, true, &mut read)?;
    let (mut trace, sizes) = read.finish(report.completeness)?;
    trace.part = report.part;
    let (hash, seed) = about.map_or_else(Default::default, |about| (about.digest, about.seed));
    Ok((trace, sizes.evidence, RowTrace { name: spec.name(), hash, seed }))
}

/// The rows of one trace.
struct Pool<'a> {
    sweep: &'a Sweep,
    about: &'a About,
    trace: &'a Trace,
    recorded: &'a PageEvidence,
    known: &'a RowTrace,
    rows: &'a [u32],
    jobs: usize,
}

impl Pool<'_> {
    fn run(&self, results: &mut Results) -> anyhow::Result<()> {
        let map = memory_map(self.trace, None);
        let bar = self.bar();
        let next = AtomicUsize::new(0);
        // The thread that cannot write stores its error here, and the others stop.
        let results = Mutex::new((results, None));
        let work = || {
            while let Some(number) = self.rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                let row = self.sweep.row_of(*number, Some(self.recorded));
                let mut done = 0;
                let own_map = row.address_tags().map(|tags| memory_map(self.trace, Some(tags)));
                let map = own_map.as_ref().unwrap_or(&map);
                let result = row.run(self.trace, map, &mut |n| {
                    done += u64::from(n);
                    bar.inc(n.into());
                    true
                });
                bar.inc(u64::from(self.trace.len()).saturating_sub(done));
                let is_error = result.is_err();
                let line = row.line(self.about.clone(), self.known, result);
                let mut shared = results.lock().expect("a panic ends the program");
                let (results, failure) = &mut *shared;
                if failure.is_none() {
                    *failure = results.add(*number, line, is_error).err();
                }
                if failure.is_some() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs.min(self.rows.len()) {
                scope.spawn(work);
            }
            work();
        });
        bar.finish_and_clear();
        let (_, failure) = results.into_inner().expect("a panic ends the program");
        failure.map_or(Ok(()), Err)
    }

    /// A progress bar, which indicatif hides if stderr is not a terminal.
    fn bar(&self) -> ProgressBar {
        let all = u64::from(self.trace.len()) * self.rows.len() as u64;
        share_bar(all, format!("{} rows", self.rows.len()))
    }
}
