//! `pagewalk convert`: writes a trace of any format as lackey, CSV, Dinero's din or Pagewalk's own format.

use std::env;
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context as _, anyhow, bail};
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::samples::{self, Sample, Samples, SamplesBuilder};
use pagewalk_base::trace::saved::Saver;
use pagewalk_base::trace::{Access, Completeness, Mapping, OpRecord, TraceBuilder};
use pagewalk_sources::export::{ExportFormat, Exporter};
use pagewalk_sources::import::{ImportReport, Sink};

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
        ConvertFormat::Pagewalk => {
            let mut out = out;
            let report = save(&input, &mut out).context(name.clone())?;
            keep(out, &args.out, packing).map_err(unwritten)?;
            if to_stdout {
                return Ok(());
            }
            return output::text(format!("{name}: {} accesses\n", grouped(report.accesses)));
        }
    };
    let mut writer = Writer::new(format, out);
    let report = input.stream(&mut writer)?;
    check_any(&report).with_context(|| input.name())?;
    let (exporter, out) = writer.end(report.completeness, report.part).map_err(unwritten)?;
    keep(out, &args.out, packing).map_err(unwritten)?;
    let mut notes = String::new();
    let faults = report.sampling.as_ref().map_or(0, |sampling| sampling.faults);
    if faults > 0 {
        notes.push_str(&format!("Page faults, written as accesses: {}\n", grouped(faults)));
    }
    for lost in exporter.lost() {
        let count =
            if lost.count > 1 { format!(", {}", grouped(lost.count)) } else { String::new() };
        notes.push_str(&format!(
            "Left out, because the format cannot hold it: {}{count}\n",
            lost.what
        ));
    }
    if to_stdout {
        output::aside(notes);
        return Ok(());
    }
    output::text(format!("{name}: {} accesses\n{notes}", grouped(report.accesses)))
}

/// Checks that there is an access to write: a text format cannot hold anything else.
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

/// Creates the file to write. It must be seekable, because its head is written last. Compressed output and
/// standard output are therefore written to a temporary file, which [`keep`] copies.
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
}

impl Writer {
    fn new(format: ExportFormat, out: BufWriter<WholeFile>) -> Self {
        let exporter = Exporter::new(format, Completeness::Complete, false);
        let mut lines = Vec::new();
        exporter.head(&mut lines);
        Self { exporter, out, lines }
    }

    fn write(&mut self) -> Result<()> {
        let written = self.out.write_all(&self.lines);
        self.lines.clear();
        written.map_err(|error| {
            let message = format!(
                "cannot write the file: {}: free some space and try again",
                why_not(&error)
            );
            Error::new(ErrorCode::TooLarge, message)
        })
    }

    /// Writes the head of the file. It is written last, because it says how complete the trace is and whether
    /// the file holds more, which is known only at the end.
    fn end(
        mut self,
        completeness: Completeness,
        part: bool,
    ) -> io::Result<(Exporter, BufWriter<WholeFile>)> {
        self.out.write_all(&self.lines)?;
        self.out.flush()?;
        let exporter = self.exporter.of(completeness, part);
        if completeness != Completeness::Complete || part {
            let mut head = Vec::new();
            exporter.head(&mut head);
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(&head)?;
        }
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

/// Writes everything that is known of a trace, in Pagewalk's own format.
fn save(input: &Input<'_>, out: &mut impl Write) -> anyhow::Result<ImportReport> {
    let mut all = All::default();
    let mut report = input.stream(&mut all)?;
    let mut trace = all.trace.finish(report.completeness)?;
    trace.part = report.part;
    report.pages_4k = trace.page_counts();
    let samples = match all.saved {
        Some(samples) => samples,
        None => all.samples.finish()?,
    };
    let sections = samples::sections(Rc::new(samples));
    let mut saver = Saver::new(Rc::new(trace), serde_json::to_string(&report)?).with(sections);
    while let Some(part) = saver.next_part() {
        out.write_all(&part)?;
    }
    out.flush()?;
    Ok(report)
}

/// Collects a trace and its samples.
#[derive(Default)]
struct All {
    trace: TraceBuilder,
    samples: SamplesBuilder,
    /// The samples of a trace that Pagewalk saved earlier.
    saved: Option<Samples>,
}

impl Sink for All {
    fn access(&mut self, access: Access) -> Result<()> {
        self.trace.push(&access)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.trace.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.samples.map(&mapping);
        self.trace.map(mapping)
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
