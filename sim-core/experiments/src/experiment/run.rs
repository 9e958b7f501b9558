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
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::{Arc, OnceLock};

    use super::super::list::list;
    use super::*;
    use crate::experiment::{Figure, ResultTable, Row};

    /// Returns the value with every number changed, each in another way. `zero` takes the place of 0.
    fn perturbed(value: &Value, n: &mut f64, zero: f64) -> Value {
        match value {
            Value::Number(number) => {
                *n += 1.0;
                let number = if *number == 0.0 { zero } else { *number };
                Value::Number(number * (1.5 + 0.5 * n.powi(2).sin()))
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

    /// Changes the numbers of every report. Runs that are equal stay equal, by their settings and their numbers.
    fn perturbed_runs(run: &ExperimentRun, change: f64) -> Runs<'static> {
        let zero = if change < 5.0 { 0.0 } else { 1e4 };
        let mut n = change * 1e4;
        let mut settings = jobs(run.spec).unwrap().into_iter().map(|Keyed { job, .. }| {
            let params = job.source.as_ref().map(|source| &source.params);
            to_value((&job.machine, &job.os, params, job.warmup, job.n)).unwrap().to_string()
        });
        let mut seen = BTreeMap::new();
        let mut reports = Runs::new();
        for group in &run.spec.jobs {
            for (key, report) in run.reports.get(group.id.as_str()).into_iter().flatten() {
                let settings = settings.next().unwrap();
                let same = seen.entry((settings, report.to_json().to_string()));
                let after = same.or_insert_with(|| perturbed(report, &mut n, zero));
                let of_group: &mut Vec<_> = reports.entry(group.id.as_str()).or_default();
                of_group.push((key.clone(), after.clone()));
            }
        }
        reports
    }

    fn values(row: &Row) -> [Option<(Option<f64>, Option<f64>)>; 3] {
        let value = |figure: &Option<Figure>| figure.as_ref().map(|it| (it.value, it.error));
        [value(&row.derived), value(&row.published), value(&row.expectation)]
    }

    /// The rows of the tables, each with the title of its table.
    type Titled = Vec<(String, Row)>;

    /// Returns the rows of an experiment, and those after each of eight changes of all reports.
    fn rows(id: &str) -> (Titled, [Titled; 8]) {
        let mut run = ExperimentRun::new(id).unwrap();
        assert!(run.go_on(u64::MAX).unwrap());
        let rows = |reports| -> Titled {
            let tables = conclude(run.spec, reports, Vec::new()).unwrap().tables;
            let rows_of =
                |it: ResultTable| it.rows.into_iter().map(move |row| (it.title.clone(), row));
            tables.into_iter().flat_map(rows_of).collect()
        };
        // A number such as the best of ten caps can stay the same in one of them.
        let after = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        (rows(run.reports.clone()), after.map(|n| rows(perturbed_runs(&run, n))))
    }

    /// Returns the rows of all experiments, by their ids.
    fn all() -> &'static BTreeMap<String, (Titled, [Titled; 8])> {
        static ALL: OnceLock<BTreeMap<String, (Titled, [Titled; 8])>> = OnceLock::new();
        ALL.get_or_init(|| list().into_iter().map(|it| (it.id.clone(), rows(&it.id))).collect())
    }

    fn is_same((title, row): &(String, Row), (other, it): &(String, Row)) -> bool {
        title == other && it.case == row.case && it.quantity == row.quantity
    }

    /// The simulated numbers of one row after each change.
    type Numbers = [f64; 8];

    /// Returns whether there are three different numbers. All pairs of two numbers are in line.
    fn vary(of: &Numbers) -> bool {
        of.iter().map(|number| number.to_bits()).collect::<BTreeSet<_>>().len() > 2
    }

    /// Returns whether each number follows from the other by one factor and one summand.
    fn are_one(a: &Numbers, b: &Numbers) -> bool {
        let step = |of: &Numbers, at: usize| of[at] - of[0];
        let are_equal = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        let is_in_line = |at| are_equal(step(a, at) * step(b, 7), step(b, at) * step(a, 7));
        vary(a) && vary(b) && (1..7).all(is_in_line)
    }

    /// A number derived on paper is judged once. A row that is another judged row times a constant or plus a constant
    /// is no further evidence, and neither is a quotient of two.
    #[test]
    fn no_judged_row_follows_from_others() {
        let mut repeated = Vec::new();
        for (id, (before, after)) in all() {
            let judged = before.iter().filter(|(_, row)| {
                row.derived.as_ref().is_some_and(|figure| figure.verdict.is_some())
            });
            let numbers = |row| {
                after.each_ref().map(|rows| {
                    rows.iter().find(|it| is_same(row, it)).unwrap().1.simulated.unwrap()
                })
            };
            let judged: Vec<(&Row, Numbers)> = judged.map(|it| (&it.1, numbers(it))).collect();
            for (at, (row, numbers)) in judged.iter().enumerate().filter(|it| vary(&it.1.1)) {
                let others = || judged.iter().enumerate().filter(|(other, _)| *other != at);
                let product = |by: &Numbers| std::array::from_fn(|n| numbers[n] * by[n]);
                let is_one = others().any(|(other, it)| other < at && are_one(numbers, &it.1));
                let is_quotient = || {
                    others().any(|(by_at, (_, by))| {
                        let product = product(by);
                        vary(by) && others().any(|(at, it)| at != by_at && are_one(&it.1, &product))
                    })
                };
                if is_one || is_quotient() {
                    repeated.push(format!("{id}: {:?}, {}", row.case, row.quantity));
                }
            }
        }
        assert_eq!(repeated, [""; 0]);
    }

    /// A closed form in the simulated column would not change with the reports. A simulated number in another
    /// column would.
    #[test]
    fn simulated_numbers_come_from_runs_and_no_other_number_does() {
        let mut stuck = Vec::new();
        for (id, (before, after)) in all() {
            for before in before {
                let row = &before.1;
                // A row can depend on a number that was 0.
                let others =
                    || after.iter().flatten().filter(|it| is_same(it, before)).map(|(_, it)| it);
                assert!(others().all(|it| values(it) == values(row)), "{id}: {row:#?}");
                if row.simulated.is_some() && !others().any(|it| it.simulated != row.simulated) {
                    stuck.push(format!("{id}: {:?}, {}", row.case, row.quantity));
                }
            }
        }
        assert_eq!(stuck, [""; 0]);
    }
}
