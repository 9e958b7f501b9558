//! The source of the accesses: a trace file or a workload.

use anyhow::{Context as _, bail};
use pagewalk_sources::import::{ImportReport, Sink};

use crate::about::TraceAbout;
use crate::args::{AccessArgs, FormatArgs};
use crate::hashed::Hashed;
use crate::input::Input;
use crate::workload::Workload;

/// A source that was read.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) report: ImportReport,
    /// The description for a result, if it was asked for.
    pub(crate) about: Option<TraceAbout>,
}

impl Source {
    pub(crate) fn new(name: String, report: ImportReport, digest: Option<String>) -> Self {
        let about = digest.map(|digest| TraceAbout { name: name.clone(), digest, seed: None });
        Self { name, report, about }
    }
}

/// Sends at most `limit` accesses to `sink`. With `is_cited`, it also describes the source for a result.
///
/// # Errors
/// Errors of the file or the parameters, with their names.
pub(crate) fn stream(
    args: &AccessArgs,
    limit: u64,
    is_cited: bool,
    sink: &mut impl Sink,
) -> anyhow::Result<Source> {
    let mut sink = Hashed::new(sink, is_cited);
    match (&args.source.trace, &args.source.workload) {
        (Some(path), _) => {
            if let Some((name, _)) = args.params.first() {
                bail!(
                    "--param {name}: a trace file takes no parameters: leave --param out, or give --workload"
                );
            }
            let input = Input { path, format: &args.format, limit };
            let report = input.stream(&mut sink)?;
            if limit > 0 {
                report.check_any_access().with_context(|| input.name())?;
            }
            Ok(Source::new(input.name(), report, sink.finish()))
        }
        (None, Some(id)) => {
            if !args.format.is_plain() {
                let FormatArgs { format, maps, smaps, pagemap, .. } = &args.format;
                let what = match (format, maps, smaps, pagemap) {
                    (Some(_), ..) => "--format",
                    (_, Some(_), ..) => "--maps",
                    (_, _, Some(_), _) => "--smaps",
                    (.., Some(_)) => "--pagemap",
                    _ => "a selection",
                };
                bail!(
                    "{what}: a workload is generated, not read from a file: leave this option out"
                );
            }
            let workload = Workload::new(id, &args.params)?;
            let (name, seed) = (workload.name(), workload.seed());
            let report = workload.stream(limit, &mut sink)?;
            let mut source = Source::new(name, report, sink.finish());
            if let Some(about) = &mut source.about {
                about.seed = seed;
            }
            Ok(source)
        }
        (None, None) => bail!("give the accesses with --trace or --workload"),
    }
}
