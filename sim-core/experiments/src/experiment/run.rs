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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::list::list;
    use super::*;
    use crate::experiment::{Figure, ResultTable, Row};

    /// Returns the value with every number changed, each in another way. `zero` takes the place of 0.
    fn perturbed(value: &Value, n: &mut f64, zero: f64) -> Value {
        match value {
            Value::Number(number) => {
                *n += 1.0;
                let number = if *number == 0.0 { zero } else { *number };
                Value::Number(number * (1.0 + (*n * 0.618).fract()))
            }
            Value::List(items) => {
                Value::List(items.iter().map(|item| perturbed(item, n, zero)).collect())
            }
            Value::Record(fields) => {
                let fields = fields.iter().map(|(k, v)| (k.clone(), perturbed(v, n, zero)));
                Value::Record(Arc::new(fields.collect()))
            }
            other => other.clone(),
        }
    }

    fn values(row: &Row) -> [Option<(Option<f64>, Option<f64>)>; 3] {
        let value = |figure: &Option<Figure>| figure.as_ref().map(|it| (it.value, it.error));
        [value(&row.derived), value(&row.published), value(&row.expectation)]
    }

    /// A closed form in the simulated column would not change with the reports. A simulated number in another
    /// column would.
    #[test]
    fn simulated_numbers_come_from_runs_and_no_other_number_does() {
        let mut stuck = Vec::new();
        for info in list() {
            let mut run = ExperimentRun::new(&info.id).unwrap();
            assert!(run.go_on(u64::MAX).unwrap());
            let rows = |reports| -> Vec<(String, Row)> {
                let tables = conclude(run.spec, reports, Vec::new()).unwrap().tables;
                let rows_of =
                    |it: ResultTable| it.rows.into_iter().map(move |row| (it.title.clone(), row));
                tables.into_iter().flat_map(rows_of).collect()
            };
            let before = rows(run.reports.clone());
            // A number such as the best of ten caps can stay the same in one of them.
            let after = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0].map(|mut n| {
                let zero = if n < 5.0 { 0.0 } else { 1e4 };
                let mut reports = run.reports.clone();
                for (_, report) in reports.values_mut().flatten() {
                    *report = perturbed(report, &mut n, zero);
                }
                rows(reports)
            });
            for (title, row) in &before {
                // A row can depend on a number that was 0.
                let is_same = |(of, it): &&(String, Row)| {
                    of == title && it.case == row.case && it.quantity == row.quantity
                };
                let others = || after.iter().flatten().filter(is_same).map(|(_, it)| it);
                assert!(others().all(|it| values(it) == values(row)), "{}: {row:#?}", info.id);
                if row.simulated.is_some() && !others().any(|it| it.simulated != row.simulated) {
                    stuck.push(format!("{}: {:?}, {}", info.id, row.case, row.quantity));
                }
            }
        }
        assert_eq!(stuck, [""; 0]);
    }
}
