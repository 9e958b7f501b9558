//! The source of the accesses: a trace file or a workload.

use anyhow::{Context as _, bail};
use pagewalk_sources::import::{ImportReport, Sink};

use crate::args::AccessArgs;
use crate::input::Input;
use crate::workload::Workload;

/// Sends at most `limit` accesses to `sink`. Returns the name of the source and the report of the import.
///
/// # Errors
/// Errors of the file or the parameters, with their names.
pub(crate) fn stream(
    args: &AccessArgs,
    limit: u64,
    sink: &mut impl Sink,
) -> anyhow::Result<(String, ImportReport)> {
    match (&args.source.trace, &args.source.workload) {
        (Some(path), _) => {
            if let Some((name, _)) = args.params.first() {
                bail!(
                    "--param {name}: a trace file takes no parameters: leave --param out, or give --workload"
                );
            }
            let input = Input { path, format: &args.format, limit };
            let report = input.stream(sink)?;
            if limit > 0 {
                report.check_any_access().with_context(|| input.name())?;
            }
            Ok((input.name(), report))
        }
        (None, Some(id)) => {
            if !args.format.is_plain() {
                let what = if args.format.format.is_some() { "--format" } else { "a selection" };
                bail!(
                    "{what}: a workload is generated, not read from a file: leave this option out"
                );
            }
            let workload = Workload::new(id, &args.params)?;
            Ok((workload.name(), workload.stream(limit, sink)?))
        }
        (None, None) => bail!("give the accesses with --trace or --workload"),
    }
}
