//! The interval of a result: runs in which the assumed parameters of a CPU model have other plausible values.
//!
//! ```text
//! model, its run ─▶ Uncertainty ─▶ machines: one parameter changed ─▶ their outcomes
//!                                  └▶ combined: all that lower, all that raise ─▶ their outcomes ─▶ report
//! ```
//!
//! The caller runs the machines, in any order and on any number of threads.

mod parameters;
mod ranges;
mod varying;

use serde::Serialize;
use serde_json::Value;

use pagewalk::config::MachineConfig;
use pagewalk::config::cpu::CpuModel;
use pagewalk::os::Virt;
use pagewalk::record::stats::RunReport;
use pagewalk_base::error::Result;

pub use parameters::{Change, LeftOut, Parameter, changed};
pub use varying::Varying;

/// The numbers of a run that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "VariedOutcome"))]
pub struct Outcome {
    pub walks: u64,
    /// The translation cycles, one after the other.
    pub cycles: u64,
    /// The bound of the cycles with overlap.
    pub overlapped: u64,
}

impl Outcome {
    pub fn of(report: &RunReport) -> Self {
        let (walks, cycles) = (report.walks.walks, report.cycles);
        Self { walks, cycles: cycles.total, overlapped: cycles.overlapped }
    }

    fn rank(&self) -> (u64, u64, u64) {
        (self.cycles, self.overlapped, self.walks)
    }
}

/// A run with another value of one parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "VariedRun"))]
pub struct Varied {
    #[cfg_attr(any(test, feature = "ts"), ts(type = "boolean | number | string"))]
    pub value: Value,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// A parameter with its runs, fewest cycles first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ParameterReport {
    pub path: String,
    /// The value of the model.
    #[cfg_attr(any(test, feature = "ts"), ts(type = "boolean | number | string"))]
    pub value: Value,
    /// The reason for the other values.
    pub reason: String,
    pub runs: Vec<Varied>,
    /// The cycles between the ends of the runs, the model's own among them.
    pub effect: u64,
    /// The difference between the largest and the smallest bound with overlap.
    pub overlapped_effect: u64,
}

/// A run with several parameters changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, rename = "CombinedRun"))]
pub struct Combined {
    pub changes: Vec<Change>,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The interval of a result, and what drives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct UncertaintyReport {
    /// The run of the model.
    pub model: Outcome,
    /// The run with the fewest cycles: all changes that lower them, or one change if it lowers them more.
    pub low: Combined,
    /// The run with the most cycles.
    pub high: Combined,
    /// The parameters, the largest effect first.
    pub parameters: Vec<ParameterReport>,
    pub left_out: Vec<LeftOut>,
}

/// The runs that a model needs.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    machine: MachineConfig,
    model: Outcome,
    parameters: Vec<Parameter>,
    left_out: Vec<LeftOut>,
}

impl Uncertainty {
    /// Finds the assumed parameters of a model. `report` is the run of the model.
    ///
    /// # Errors
    /// `bad-config` if the list of ranges is not valid. A test reads it, so this cannot happen.
    pub fn new(model: &CpuModel, virt: Virt, report: &RunReport) -> Result<Self> {
        Self::of_machine(model, &model.machine, virt, report)
    }

    /// Finds the assumed parameters of a model that was changed. A change is a choice: it is not varied. `report` is
    /// the run of `machine`.
    ///
    /// # Errors
    /// Those of [`Self::new`].
    pub fn of_machine(
        model: &CpuModel,
        machine: &MachineConfig,
        virt: Virt,
        report: &RunReport,
    ) -> Result<Self> {
        let (parameters, left_out) = parameters::of(model, machine, virt, report)?;
        let machine = machine.clone();
        Ok(Self { machine, model: Outcome::of(report), parameters, left_out })
    }

    /// Returns the changes to run, each by itself.
    pub fn changes(&self) -> Vec<Change> {
        let values = self.parameters.iter().flat_map(|Parameter { path, others, .. }| {
            others.iter().map(|value| Change { path: path.clone(), value: value.clone() })
        });
        values.collect()
    }

    /// Returns the number of [`Self::changes`].
    pub fn n_changes(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.others.len()).sum()
    }

    /// Returns the machine with changes.
    ///
    /// # Errors
    /// `bad-config` if they do not fit each other.
    pub fn machine(&self, changes: &[Change]) -> Result<MachineConfig> {
        changed(&self.machine, changes)
    }

    /// Returns the changes that lower the cycles, and those that raise them: of each parameter at most one. `outcomes`
    /// are those of [`Self::changes`]. A change that does not fit those with a larger effect is left out.
    pub fn combined(&mut self, outcomes: &[Outcome]) -> [Vec<Change>; 2] {
        let reports = self.sorted(outcomes);
        let model = self.model.rank();
        let low = reports.iter().filter_map(|report| {
            let lowest = report.runs.first().filter(|run| run.outcome.rank() < model)?;
            Some(Change { path: report.path.clone(), value: lowest.value.clone() })
        });
        let high = reports.iter().filter_map(|report| {
            let highest = report.runs.last().filter(|run| run.outcome.rank() > model)?;
            Some(Change { path: report.path.clone(), value: highest.value.clone() })
        });
        let (low, high): (Vec<_>, Vec<_>) = (low.collect(), high.collect());
        [low, high].map(|changes| self.fitting(changes))
    }

    /// Returns the report. `outcomes` are those of [`Self::changes`], `ends` the changes of [`Self::combined`] with
    /// their outcomes.
    pub fn report(
        self,
        outcomes: &[Outcome],
        ends: impl IntoIterator<Item = Combined>,
    ) -> UncertaintyReport {
        let parameters = self.sorted(outcomes);
        let single = parameters.iter().flat_map(|ParameterReport { path, runs, .. }| {
            runs.iter().map(|Varied { value, outcome }| {
                let change = Change { path: path.clone(), value: value.clone() };
                Combined { changes: vec![change], outcome: *outcome }
            })
        });
        let own = Combined { changes: Vec::new(), outcome: self.model };
        let all: Vec<Combined> = ends.into_iter().chain([own]).chain(single).collect();
        // Both take the first of equal runs, which is the combined one.
        let low = all.iter().min_by_key(|run| run.outcome.rank()).cloned();
        let high = all.iter().rev().max_by_key(|run| run.outcome.rank()).cloned();
        let (low, high) = (low.expect("there are runs"), high.expect("there are runs"));
        UncertaintyReport { model: self.model, low, high, parameters, left_out: self.left_out }
    }

    /// Returns the parameters with their runs, the largest effect first.
    fn sorted(&self, outcomes: &[Outcome]) -> Vec<ParameterReport> {
        let mut outcomes = outcomes.iter();
        let reports = self.parameters.iter().map(|Parameter { path, value, reason, others }| {
            let runs = others.iter().zip(outcomes.by_ref());
            let mut runs: Vec<Varied> = runs
                .map(|(value, outcome)| Varied { value: value.clone(), outcome: *outcome })
                .collect();
            runs.sort_by_key(|run| run.outcome.rank());
            let spread = |of: fn(&Outcome) -> u64| {
                let all = runs.iter().map(|run| of(&run.outcome)).chain([of(&self.model)]);
                let (least, most) = all.fold((u64::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
                most - least
            };
            let effect = spread(|outcome| outcome.cycles);
            let overlapped_effect = spread(|outcome| outcome.overlapped);
            let (path, value, reason) = (path.clone(), value.clone(), reason.clone());
            ParameterReport { path, value, reason, runs, effect, overlapped_effect }
        });
        let mut reports: Vec<ParameterReport> = reports.collect();
        reports.sort_by(|a, b| {
            let rank = |it: &ParameterReport| (it.effect, it.overlapped_effect);
            rank(b).cmp(&rank(a)).then_with(|| a.path.cmp(&b.path))
        });
        reports
    }

    /// Returns the changes that fit each other, and notes the others.
    fn fitting(&mut self, changes: Vec<Change>) -> Vec<Change> {
        let mut fitting: Vec<Change> = Vec::with_capacity(changes.len());
        for change in changes {
            let with = fitting.iter().chain([&change]);
            match changed(&self.machine, with) {
                Ok(_) => fitting.push(change),
                Err(error) => {
                    let Change { path, value } = change;
                    let why = format!("with the other changes: {}", error.message);
                    self.left_out.push(LeftOut { path, value: Some(value), why });
                }
            }
        }
        fitting
    }
}
