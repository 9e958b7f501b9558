//! A workload in place of a trace file, with a progress bar on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use pagewalk_base::trace::{Access, Completeness};
use pagewalk_sources::import::{ImportReport, Sink};
use pagewalk_sources::workload::{Generator, generator};

/// The number of accesses between two updates of the progress bar.
const PIECE: u64 = 1 << 20;

/// A workload with its parameters.
pub(crate) struct Workload {
    id: String,
    params: Vec<(String, String)>,
    generator: Generator,
}

impl Workload {
    /// Makes the workload `id`.
    ///
    /// # Errors
    /// Errors of the parameters, with the option that gave them.
    pub(crate) fn new(id: &str, params: &[(String, String)]) -> anyhow::Result<Self> {
        let generator =
            generator(id, params).map_err(|error| anyhow::anyhow!(blamed(&error, params)))?;
        Ok(Self { id: id.to_owned(), params: params.to_vec(), generator })
    }

    /// The name of the workload in a title: its id and the given parameters.
    pub(crate) fn name(&self) -> String {
        let params = self.params.iter().map(|(name, value)| format!(" {name}={value}"));
        format!("{}{}", self.id, params.collect::<String>())
    }

    pub(crate) fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Sends at most `limit` accesses to `sink`.
    pub(crate) fn stream(self, limit: u64, sink: &mut impl Sink) -> anyhow::Result<ImportReport> {
        let n_all = self.generator.n_accesses();
        let n = limit.min(n_all);
        each(self.generator, n, |access| sink.access(access))?;
        Ok(ImportReport {
            format: "workload".to_owned(),
            completeness: Completeness::Complete,
            part: n < n_all,
            records: n,
            accesses: n,
            ..ImportReport::default()
        })
    }
}

/// Passes the first `n` accesses to `take`, with a progress bar on a terminal.
pub(crate) fn each<E>(
    mut generator: Generator,
    n: u64,
    mut take: impl FnMut(Access) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let bar = ProgressBar::new(n);
    let template = "{wide_bar} {human_pos}/{human_len} accesses {per_sec} {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
    let mut done = 0;
    while done < n {
        let piece = PIECE.min(n - done);
        for access in generator.by_ref().take(usize::try_from(piece).unwrap_or(usize::MAX)) {
            take(access)?;
        }
        done += piece;
        bar.set_position(done);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Words an error of the core with the option that caused it.
fn blamed(error: &pagewalk_base::error::Error, params: &[(String, String)]) -> String {
    use pagewalk_base::error::Place;
    match &error.at {
        Some(Place::Field(field)) if field == "workload" => error.message.clone(),
        Some(Place::Field(field)) => {
            let given = params.iter().any(|(name, _)| name == field);
            let option = if given { "--param " } else { "" };
            format!("{option}{field}: {}", error.message)
        }
        _ => error.to_string(),
    }
}
