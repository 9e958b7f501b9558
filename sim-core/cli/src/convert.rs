//! `pagewalk convert`: writes a trace of any format as lackey, CSV, Dinero's din, ChampSim's records or Pagewalk's own
//! format.

use std::env;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context as _, anyhow, bail};
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::samples::{self, Sample, Samples, SamplesBuilder};
use pagewalk_base::trace::saved::Saver;
use pagewalk_base::trace::{
    Access, CallTree, Completeness, FrameRun, InstructionBatch, Mapping, OpRecord, PageFact,
    Places, Trace, TraceBuilder,
};
use pagewalk_sources::export::{ExportFormat, Exporter, Lost};
use pagewalk_sources::import::{ImportReport, Sink, Warning};

use crate::args::{ConvertArgs, ConvertFormat};
use crate::input::Input;
use crate::output;
use crate::packing::{Packing, is_stdout, name};
use crate::table::grouped;
use crate::whole::{WholeFile, folder, why_not};

/// The size in bytes of the pieces in which text is written.
const PIECE: usize = 64 << 10;

pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let input = Input { path: &args.file, format: &args.format, limit: u64::MAX };
    let to_stdout = is_stdout(&args.out);
    if !to_stdout && is_same(&args.out, &args.file) {
        bail!("{}: this is the trace to convert: give another --out", args.out.display());
    }
    let name = name(&args.out);
    let packing = Packing::of(&args.out)?;
    let unwritten = |error: io::Error| match error.kind() {
        io::ErrorKind::BrokenPipe => error.into(),
        _ => anyhow!("{name}: cannot write it: {}", why_not(&error)),
    };
    let out = BufWriter::new(begin(&args.out, packing).map_err(unwritten)?);
    let format = match args.to {
        ConvertFormat::Lackey => ExportFormat::Lackey,
        ConvertFormat::Csv => ExportFormat::Csv,
        ConvertFormat::Dinero => ExportFormat::Din,
        ConvertFormat::Champsim => ExportFormat::Champsim,
        ConvertFormat::Pagewalk => {
            let mut out = out;
            let report = save(&input, &mut out).context(name.clone())?;
            keep(out, &args.out, packing).map_err(unwritten)?;
            return print_summary(
                (!to_stdout).then_some(name.as_str()),
                &report,
                &warnings(&report),
            );
        }
    };
    let mut writer = Writer::new(format, out);
    let report = input.stream(&mut writer);
    // An error of the output is not one of the trace.
    if let Some(error) = writer.failed.take() {
        return Err(unwritten(error));
    }
    let report = report?;
    check_any(&report).with_context(|| input.name())?;
    let (exporter, out) = writer.end(report.completeness, report.part).map_err(unwritten)?;
    keep(out, &args.out, packing).map_err(unwritten)?;
    let mut notes = warnings(&report);
    let faults = report.sampling.as_ref().map_or(0, |sampling| sampling.faults);
    if faults > 0 {
        notes.push_str(&format!("Page faults, written as accesses: {}\n", grouped(faults)));
    }
    notes.push_str(&left_out(&exporter));
    print_summary((!to_stdout).then_some(name.as_str()), &report, &notes)
}

/// Prints the number of accesses in the file `name`, and the notes. Without a name, standard output has the
/// trace, so standard error gets the notes.
fn print_summary(name: Option<&str>, report: &ImportReport, notes: &str) -> anyhow::Result<()> {
    if let Some(name) = name {
        return output::text(format!("{name}: {} accesses\n{notes}", grouped(report.accesses)));
    }
    output::aside(notes);
    Ok(())
}

fn warnings(report: &ImportReport) -> String {
    let line = |warning: &Warning| format!("Warning: {warning}\n");
    report.warnings.iter().map(line).collect()
}

/// Lists the parts of the trace that the format could not hold, one a line.
pub(crate) fn left_out(exporter: &Exporter) -> String {
    let line = |lost: Lost| {
        let n = if lost.count > 1 { format!(", {}", grouped(lost.count)) } else { String::new() };
        format!("Left out, because the format cannot hold it: {}{n}\n", lost.what)
    };
    exporter.lost().into_iter().map(line).collect()
}

/// Checks that there is an access to write. Formats other than Pagewalk's own cannot hold anything else.
fn check_any(report: &ImportReport) -> anyhow::Result<()> {
    let faults = report.sampling.as_ref().map_or(0, |sampling| sampling.faults);
    if report.accesses + faults + report.operations > 0 || report.records == 0 {
        return Ok(());
    }
    bail!(
        "none of its {} samples has a data address, so there is no access to write: keep the samples with --to pagewalk, or record addresses with `perf mem record`",
        grouped(report.records)
    )
}

/// Creates the file to write. Compressed output and standard output are first written to a temporary file,
/// which [`keep`] copies, so that an error leaves no part of a trace.
fn begin(out: &Path, packing: Packing) -> io::Result<WholeFile> {
    if is_stdout(out) {
        WholeFile::without_name(&env::temp_dir())
    } else if packing == Packing::None {
        WholeFile::create(out)
    } else {
        WholeFile::without_name(folder(out))
    }
}

/// Flushes the text, and moves or copies it to its destination.
fn keep(written: BufWriter<WholeFile>, out: &Path, packing: Packing) -> io::Result<()> {
    let written = written.into_inner().map_err(io::IntoInnerError::into_error)?;
    if is_stdout(out) {
        let mut stdout = io::stdout().lock();
        written.pour(&mut stdout)?;
        return stdout.flush();
    }
    if packing == Packing::None {
        return written.keep();
    }
    let mut packed = WholeFile::create(out)?;
    packing.pack(&mut packed, |out| written.pour(out))?;
    packed.keep()
}

/// Returns whether two paths name the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// Writes each access as a line of text.
struct Writer {
    exporter: Exporter,
    out: BufWriter<WholeFile>,
    lines: Vec<u8>,
    /// The error of writing that ended the conversion.
    failed: Option<io::Error>,
}

impl Writer {
    fn new(format: ExportFormat, out: BufWriter<WholeFile>) -> Self {
        let exporter = Exporter::new(format, Completeness::Complete, false);
        let mut lines = Vec::new();
        exporter.head(&mut lines);
        Self { exporter, out, lines, failed: None }
    }

    fn write(&mut self) -> Result<()> {
        let written = self.out.write_all(&self.lines);
        self.lines.clear();
        written.map_err(|error| {
            let stop = Error::new(ErrorCode::TooLarge, "the output cannot be written");
            self.failed = Some(error);
            stop
        })
    }

    /// Writes the end of the file, which says how complete the trace is and whether its file holds more.
    fn end(
        mut self,
        completeness: Completeness,
        part: bool,
    ) -> io::Result<(Exporter, BufWriter<WholeFile>)> {
        let mut exporter = self.exporter.of(completeness, part);
        exporter.finish(&mut self.lines);
        self.out.write_all(&self.lines)?;
        Ok((exporter, self.out))
    }
}

impl Sink for Writer {
    fn access(&mut self, access: Access) -> Result<()> {
        self.exporter.access(&access, &mut self.lines);
        if self.lines.len() < PIECE { Ok(()) } else { self.write() }
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.exporter.op(&record, &mut self.lines);
        Ok(())
    }
}

/// Writes a trace, its samples and the report of its import in Pagewalk's own format.
pub(crate) fn save(input: &Input<'_>, out: &mut impl Write) -> anyhow::Result<ImportReport> {
    let mut all = All::default();
    let mut report = input.stream(&mut all)?;
    let (trace, samples) = all.finish(report.completeness)?;
    write_saved(trace, samples, &mut report, out)?;
    Ok(report)
}

/// Writes a trace in Pagewalk's own format, with the report of its import, which gets the trace's pages.
pub(crate) fn write_saved(
    mut trace: Trace,
    samples: Samples,
    report: &mut ImportReport,
    out: &mut impl Write,
) -> io::Result<()> {
    trace.part = report.part;
    report.pages_4k = trace.page_counts();
    let sections = samples::sections(Rc::new(samples));
    let mut saver = Saver::new(Rc::new(trace), serde_json::to_string(report)?).with(sections);
    while let Some(part) = saver.next_part() {
        out.write_all(&part)?;
    }
    out.flush()
}

/// Collects a trace and its samples.
#[derive(Default)]
pub(crate) struct All {
    pub(crate) trace: TraceBuilder,
    samples: SamplesBuilder,
    /// The samples of a trace that Pagewalk saved earlier.
    saved: Option<Samples>,
}

impl All {
    /// Ends the trace.
    ///
    /// # Errors
    /// Too many accesses or samples.
    pub(crate) fn finish(self, completeness: Completeness) -> Result<(Trace, Samples)> {
        let samples = match self.saved {
            Some(samples) => samples,
            None => self.samples.finish()?,
        };
        Ok((self.trace.finish(completeness)?, samples))
    }
}

impl Sink for All {
    fn access(&mut self, access: Access) -> Result<()> {
        self.trace.push(&access)
    }

    fn accesses(&mut self, accesses: &[Access]) -> Result<()> {
        self.trace.push_all(accesses)
    }

    fn instructions(&mut self, batch: &InstructionBatch<'_>) -> Result<()> {
        self.trace.push_instructions(batch)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.trace.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.samples.map(&mapping);
        self.trace.map(mapping)
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        self.trace.page_facts(&facts)
    }

    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        self.trace.frames(&runs)
    }

    fn places(&mut self, places: Places) -> Result<()> {
        self.trace.places(&places)
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        self.trace.call(tree, node)
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.samples.push(sample)
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        self.saved = Some(samples);
        Ok(())
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        self.samples.fork(child, parent);
        Ok(())
    }
}
