//! A workload in place of a trace file, with a progress bar on a terminal.

use pagewalk_base::thousands::parse_count;
use pagewalk_base::trace::{Access, Completeness};
use pagewalk_sources::import::{ImportReport, Sink};
use pagewalk_sources::workload::{Generator, generator, list};

use crate::progress::accesses_bar;

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

    /// The seed of its random choices, if it has any.
    pub(crate) fn seed(&self) -> Option<u64> {
        let given = self.params.iter().rfind(|(name, _)| name == "seed");
        let seed = given.map(|(_, seed)| seed.clone()).or_else(|| {
            let workload = list().into_iter().find(|workload| workload.id == self.id)?;
            let seed = workload.params.into_iter().find(|param| param.name == "seed")?;
            Some(seed.default)
        });
        parse_count(&seed?)
    }

    pub(crate) fn generator(&self) -> &Generator {
        &self.generator
    }

    /// # Errors
    /// If there are more accesses than can be numbered.
    pub(crate) fn check_length(&self, n: u64) -> anyhow::Result<()> {
        let checked = self.generator.check_length(n);
        checked.map_err(|error| anyhow::anyhow!(blamed(&error, &self.params)))
    }

    /// Sends at most `limit` accesses to `sink`.
    pub(crate) fn stream(self, limit: u64, sink: &mut impl Sink) -> anyhow::Result<ImportReport> {
        let n_all = self.generator.n_accesses();
        let n = limit.min(n_all);
        self.check_length(n)?;
        each(self.generator, n, |accesses| sink.accesses(accesses))?;
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

/// Passes the first `n` accesses to `take`, many at once, with a progress bar on a terminal.
pub(crate) fn each<E>(
    mut generator: Generator,
    n: u64,
    mut take: impl FnMut(&[Access]) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let bar = accesses_bar(n);
    generator.pass(n, |accesses| {
        take(accesses)?;
        bar.inc(accesses.len() as u64);
        Ok(())
    })?;
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
