//! Runs an experiment: its jobs, one after the other, in slices of any length.

use serde_json::to_value;

use pagewalk::config::MachineConfig;
use pagewalk_base::error::{Error, Result};

use super::conclude::conclude;
use super::data::Spec;
use super::expression::{Runs, Value, fault};
use super::job::Running;
use super::jobs::{Keyed, jobs};
use super::list::spec;
use super::result::{ExperimentResult, Part};

/// The simulations of an experiment, and its conclusion when they are done.
pub struct ExperimentRun {
    spec: &'static Spec,
    waiting: std::vec::IntoIter<Keyed>,
    /// The group and the key of a job, and the job.
    running: Option<(&'static str, Vec<Value>, Running)>,
    reports: Runs<'static>,
    parts: Vec<Part>,
    done: u64,
    total: u64,
}

impl ExperimentRun {
    /// # Errors
    /// `bad-config` if there is no experiment `id`; the message lists the existing ones.
    pub fn new(id: &str) -> Result<Self> {
        let spec = spec(id)?;
        let jobs = jobs(spec)?;
        let total = jobs.iter().map(|keyed| keyed.job.len()).sum();
        let parts = jobs.iter().filter_map(|keyed| keyed.job.part()).collect();
        let waiting = jobs.into_iter();
        Ok(Self { spec, waiting, running: None, reports: Runs::new(), parts, done: 0, total })
    }

    /// Returns the machines of the simulations that have not begun.
    pub fn machines(&self) -> impl Iterator<Item = &MachineConfig> {
        self.waiting.as_slice().iter().map(|keyed| &keyed.job.machine)
    }

    /// Returns the number of accesses of all jobs.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the number of accesses simulated so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Simulates at most `n` more accesses. Returns true if the experiment is done.
    ///
    /// # Errors
    /// The error that stopped a machine.
    pub fn go_on(&mut self, n: u64) -> Result<bool> {
        let mut left = n;
        loop {
            if self.running.is_none() {
                let Some(Keyed { group, key, job }) = self.waiting.next() else { return Ok(true) };
                self.running = Some((group, key, job.start()?));
            }
            if let Some((group, key, running)) = &mut self.running {
                let did = running.go_on(left)?;
                self.done += did;
                left -= did;
                if !running.is_done() {
                    return Ok(false);
                }
                let report = to_value(running.report()).map_err(|e| fault(e.to_string()))?;
                let of_group = self.reports.entry(group).or_default();
                of_group.push((std::mem::take(key), Value::from(&report)));
                self.running = None;
            }
        }
    }

    /// Returns the result, after [`Self::go_on`] has returned true.
    ///
    /// # Errors
    /// `bad-config` if the experiment is not done.
    pub fn finish(self) -> Result<ExperimentResult> {
        if self.running.is_some() || self.waiting.len() > 0 {
            return Err(Error::config("experiment", "it is not done yet"));
        }
        conclude(self.spec, self.reports, self.parts)
    }
}

/// Runs an experiment from beginning to end.
///
/// # Errors
/// The errors of [`ExperimentRun::new`] and [`ExperimentRun::go_on`].
pub fn run(id: &str) -> Result<ExperimentResult> {
    let mut run = ExperimentRun::new(id)?;
    while !run.go_on(u64::MAX)? {}
    run.finish()
}
