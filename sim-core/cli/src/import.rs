//! `pagewalk import`: shows what a file is, what it contains, and what it does not record.

use std::collections::BTreeMap;

use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, CHUNK, Completeness, Kind, OpRecord, PageCounts, TraceBuilder};
use pagewalk_sources::import::{
    FormatLimit, ImportReport, Sampling, Selection, Sink, formats, process_text,
};
use serde::Serialize;

use crate::about::{TraceAbout, json, this_command};
use crate::args::ImportArgs;
use crate::hashed::Hashed;
use crate::input::Input;
use crate::output;
use crate::sheet::Sheet;
use crate::table::{Table, grouped};

pub(crate) fn import(args: &ImportArgs) -> anyhow::Result<()> {
    let input = Input { path: &args.file, format: &args.format, limit: u64::MAX };
    let mut census = Census::default();
    let mut hashed = Hashed::new(&mut census, args.result.is_cited());
    let mut report = input.stream(&mut hashed)?;
    let digest = hashed.finish();
    let prefetch;
    (report.pages_4k, prefetch) = census.finish()?;
    let trace = digest.map(|digest| TraceAbout { name: input.name(), digest, seed: None });
    let about = this_command().of(trace);
    let words = text(&input.name(), &report, prefetch);
    report.word_remedies();
    let result = ImportOutput { report, prefetch };
    if args.result.write_csv(&about, || Sheet::of_values(&result))? {
        return Ok(());
    }
    if args.result.json { json(about, &result) } else { output::text(words) }
}

/// The JSON that `--json` prints.
#[derive(Serialize)]
struct ImportOutput {
    #[serde(flatten)]
    report: ImportReport,
    /// The number of prefetches among the accesses. A run counts them separately from `accesses`.
    prefetch: u64,
}

/// Counts distinct pages while the trace is read, without keeping the trace.
#[derive(Default)]
pub(crate) struct Census {
    builder: TraceBuilder,
    /// For each page, whether there were fetches and whether there was data.
    pages: BTreeMap<u64, [bool; 2]>,
    prefetches: u64,
}

impl Sink for Census {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.builder.push(&access)?;
        if self.builder.len() == CHUNK { self.count() } else { Ok(()) }
    }

    /// Page faults without a data address are not counted as pages.
    fn fault(&mut self, _access: Access) -> Result<()> {
        Ok(())
    }

    /// An operation touches no page.
    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }
}

impl Census {
    fn count(&mut self) -> Result<()> {
        let piece = std::mem::take(&mut self.builder).finish(Completeness::Complete)?;
        self.prefetches += piece.count(Kind::Prefetch);
        for used in piece.pages() {
            let [fetched, data] = self.pages.entry(used.page.0).or_default();
            *fetched |= used.fetches > 0;
            *data |= used.data > 0;
        }
        Ok(())
    }

    /// Returns the number of pages, and the number of prefetches.
    pub(crate) fn finish(mut self) -> Result<(PageCounts, u64)> {
        self.count()?;
        let count = |group: usize| self.pages.values().filter(|used| used[group]).count() as u64;
        Ok((PageCounts { fetch: count(0), data: count(1) }, self.prefetches))
    }
}

fn text(name: &str, report: &ImportReport, prefetch: u64) -> String {
    let mut table = Table::bare(1);
    table.row(["Records".to_owned(), grouped(report.records)]);
    table.row(["Accesses".to_owned(), grouped(report.accesses)]);
    if prefetch > 0 {
        table.row(["  of them prefetches".to_owned(), grouped(prefetch)]);
    }
    if report.operations > 0 {
        table.row(["Operations between them".to_owned(), grouped(report.operations)]);
    }
    table.row(["4K pages with fetches".to_owned(), grouped(report.pages_4k.fetch)]);
    table.row(["4K pages with data".to_owned(), grouped(report.pages_4k.data)]);
    if let Some(sampling) = &report.sampling {
        sampling_rows(sampling, &mut table);
    }
    for process in report.processes.iter().take(10) {
        let name = process.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        let threads = match process.threads.len() {
            0 | 1 => String::new(),
            n => format!(", {n} threads"),
        };
        table.row([
            format!("Process {}{name}{threads}", process_text(process.pid)),
            grouped(process.accesses),
        ]);
    }
    let more = report.processes.len().saturating_sub(10) as u64 + report.more_processes;
    if more > 0 {
        table.row(["Other processes".to_owned(), grouped(more)]);
    }
    if report.left_out > 0 {
        table.row(["Left out by the selection".to_owned(), grouped(report.left_out)]);
    }
    for skipped in &report.skipped {
        table.row([format!("Skipped: {}", skipped.reason), grouped(skipped.count)]);
    }
    let part = report.selection.iter().flat_map(Selection::words).collect::<Vec<_>>().join(", ");
    let part = if part.is_empty() { part } else { format!("Partial: {part}\n") };
    let mut text = format!("{name}: {} trace, {}\n{part}\n{table}", report.format, held(report));
    if lacks_threads(report) {
        text.push_str("\nNot recorded: which thread an access belongs to\n");
    }
    for warning in &report.warnings {
        text.push_str(&format!("\nWarning: {warning}\n"));
    }
    text
}

/// Returns whether the format of a trace has no threads.
pub(crate) fn lacks_threads(report: &ImportReport) -> bool {
    let format = formats().find(|format| format.id == report.format);
    let no_threads = [FormatLimit::Threads, FormatLimit::SizesAndThreads];
    format.is_some_and(|format| no_threads.iter().any(|limit| format.limits.contains(limit)))
}

/// Adds rows that say how the samples were taken and what they measured.
pub(crate) fn sampling_rows(sampling: &Sampling, table: &mut Table) {
    for event in &sampling.events {
        let pace = match (event.period, event.frequency) {
            (Some(period), _) => format!(", one of {}", grouped(period)),
            (None, Some(hertz)) => format!(", {} a second", grouped(hertz)),
            (None, None) => String::new(),
        };
        let name = if event.name.is_empty() { "no name" } else { &event.name };
        table.row([format!("Samples of {name}{pace}"), grouped(event.samples)]);
    }
    let tlb = &sampling.tlb;
    for (what, n) in [
        ("Page faults from tracepoints, simulated as first touches", sampling.faults),
        ("Lost while recording", sampling.lost),
        ("Accesses by the kernel", sampling.kernel),
        ("Accesses to kernel addresses", sampling.kernel_addresses),
        ("Accesses inside virtual machines", sampling.guest),
        ("Accesses of unknown kind, read as loads", sampling.unknown_kind),
        ("Measured: hits of TLB level 1", tlb.l1),
        ("Measured: hits of TLB level 2", tlb.l2),
        ("Measured: hits of TLB level 1 or 2", tlb.no_walk),
        ("Measured: page walks", tlb.walk),
    ] {
        if n > 0 {
            table.row([what.to_owned(), grouped(n)]);
        }
    }
    for flushes in &sampling.flushes {
        let what = format!("TLB flushes from tracepoints, not simulated: {}", flushes.reason);
        table.row([what, grouped(flushes.count)]);
    }
    for pages in &sampling.page_sizes {
        let what = format!("Measured: accesses to pages of {} KiB", grouped(pages.bytes >> 10));
        table.row([what, grouped(pages.accesses)]);
    }
}

/// Describes where the accesses come from and how they are simulated, to print after the word "Trace".
pub(crate) fn origin(report: &ImportReport) -> String {
    if report.format == "workload" {
        return if report.part { "generated, partial" } else { "generated" }.to_owned();
    }
    match report.completeness {
        Completeness::Complete | Completeness::FirstTouches => held(report),
        Completeness::Sampled | Completeness::LatencyFiltered => {
            format!("{}; the numbers below treat the accesses as consecutive", held(report))
        }
    }
}

/// What recordings of compiled programs lack. Every command says it in a few words, and `record` and `import` in full.
pub(crate) const COMPILED_ONLY: &str = "Only code that pagewalk cc compiled is recorded: its loads and stores, without fetches, and without local variables in registers. Other libraries are not recorded: `pagewalk record --with lackey` sees them";

/// Returns whether a trace has only code that `pagewalk cc` compiled.
fn is_compiled(report: &ImportReport) -> bool {
    report.warnings.iter().any(|warning| warning.to_string() == COMPILED_ONLY)
}

/// Returns the warnings that [`origin`] does not already say.
pub(crate) fn notices(report: &ImportReport) -> impl Iterator<Item = String> {
    report.warnings.iter().map(ToString::to_string).filter(|warning| warning != COMPILED_ONLY)
}

/// Describes how much of the program's accesses was imported: its [`meaning`], whether the import is partial, and
/// whether its columns are a guess.
fn held(report: &ImportReport) -> String {
    let parts = [
        report.part.then_some("partial"),
        report
            .guessed
            .then_some("columns guessed: check the first accesses before you use the numbers"),
        match (report.completeness, is_compiled(report)) {
            (Completeness::Complete, true) if report.part => {
                Some("of code that pagewalk cc compiled")
            }
            (Completeness::Complete, true) => Some("complete for code that pagewalk cc compiled"),
            (Completeness::Complete, false) if report.part || report.guessed => None,
            (completeness, _) => Some(meaning(completeness)),
        },
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Describes how much of the program's accesses a trace holds.
pub(crate) fn meaning(completeness: Completeness) -> &'static str {
    match completeness {
        Completeness::Complete => "complete: the file reports no missing accesses",
        Completeness::Sampled => {
            "sampled: it holds only some accesses, so its hits and misses are not the program's"
        }
        Completeness::LatencyFiltered => {
            "filtered by latency: it holds only slow accesses, so misses are over-represented"
        }
        Completeness::FirstTouches => {
            "first touches: it holds only page faults, mostly the first access to each page"
        }
    }
}
