//! The result of an experiment: tables that compare simulated with published numbers, and charts. The command
//! line, the site and the tests use these types.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use pagewalk::config::MachineConfig;
use pagewalk::os::OsConfig;
use pagewalk::run::window::Window;

use super::verdict::{Claim, Direction, Verdict, deviation, judge};

/// A number or a direction to compare a simulated number with, and the verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Figure {
    /// The figure as text, as in its source.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The largest difference that agrees with the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// Where a published figure stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cited: Option<Citation>,
    /// The reason why the figure says less than a measurement would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caveat: Option<Caveat>,
    /// The verdict on the simulated number, if there is something to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The difference of the simulated number as a share of the value, or of the number that it changes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
}

/// A reason why a published figure says less than a measurement would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Caveat {
    /// The source is reported and has no address, so nobody can look the figure up. It gets no verdict.
    CannotBeLookedUp,
    /// The source simulated the figure, and measured nothing.
    OfSimulation,
    /// A closed form gives this number before any run, so agreement says nothing about hardware.
    FollowsFromConfiguration,
    /// The run was chosen after another one differed, to test a hypothesis about the reason.
    TestsHypothesis,
}

/// A published direction, and the simulated number of the other case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Change {
    pub from: f64,
    pub direction: Direction,
}

/// A place in a publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Citation {
    /// The id of the source.
    pub source: String,
    /// The page, section, figure or table.
    pub at: String,
}

/// One number of an experiment. Its three figures are kept apart: simulated, derived on paper, and published.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Row {
    /// The varied settings, one text for each case column of the table.
    pub case: Vec<String>,
    /// The name of the number.
    pub quantity: String,
    pub unit: String,
    /// The number that simulations counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated: Option<f64>,
    /// The number from a closed form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Figure>,
    /// A figure that the authors of this program expect, and that no source prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Figure>,
    /// A possible reason of the difference, if a figure differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypothesis: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A table of rows with the same varied settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ResultTable {
    pub title: String,
    /// The varied settings: the titles of the case columns.
    pub cases: Vec<String>,
    pub rows: Vec<Row>,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Scale {
    Linear,
    /// By powers of ten.
    Log10,
    /// By powers of two.
    Log2,
}

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Axis {
    pub label: String,
    pub scale: Scale,
}

/// The source of the numbers of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum SeriesKind {
    Simulated,
    /// The number from a closed form.
    Derived,
    Published,
}

/// One line of a chart. Its points are sorted by rising x.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Series {
    pub name: String,
    pub kind: SeriesKind,
    /// The page size of the line, if it belongs to one: `4K`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    pub points: Vec<[f64; 2]>,
    /// The error of each point, if the points have one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(as = "Option<Vec<f64>>"))]
    pub errors: Vec<f64>,
}

/// A labelled position on the x axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Mark {
    pub x: f64,
    pub label: String,
}

/// A chart: lines over one x axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Chart {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
}

/// The description of an experiment, available before it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExperimentInfo {
    /// The name for `pagewalk experiment`.
    pub id: String,
    pub title: String,
    pub question: String,
    pub sources: Vec<Source>,
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub setting: Setting,
}

/// A publication with numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Source {
    /// The short name that rows use.
    pub id: String,
    /// Author and title.
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The date or the year.
    pub date: String,
    /// The processor or the simulator of the measurement.
    pub machine: String,
    /// Whether its figures come from a simulation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(any(test, feature = "ts"), ts(as = "Option<bool>"))]
    pub is_simulation: bool,
}

/// The machine, the mapping and the method of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Setting {
    /// The CPU models or machines.
    pub machine: String,
    /// The policy that maps memory.
    pub policy: String,
    /// The simulated accesses, their number, and the numbers that are computed instead.
    pub method: String,
}

/// One simulation of an experiment that the replay can open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Part {
    /// The varied settings: `4,096 bytes, 4K`.
    pub name: String,
    /// The workload's id.
    pub workload: String,
    /// The parameters that differ from the defaults.
    pub params: BTreeMap<String, String>,
    pub machine: MachineConfig,
    pub os: OsConfig,
    /// The window, with the warm-up.
    pub window: Window,
}

/// The result of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExperimentResult {
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub info: ExperimentInfo,
    /// The answer to the question.
    pub answer: String,
    pub tables: Vec<ResultTable>,
    pub charts: Vec<Chart>,
    /// The parts that the simulation leaves out, and other published numbers.
    pub differences: Vec<String>,
    /// Errors in the publications. They are reported, not silently corrected.
    pub corrections: Vec<String>,
    /// The simulations that the replay can open.
    pub parts: Vec<Part>,
}

impl Figure {
    /// Returns what this figure claims about a simulated number, if it claims anything that can be looked up.
    pub fn claim(&self) -> Option<Claim> {
        match (self.value, self.error, self.change) {
            _ if self.caveat == Some(Caveat::CannotBeLookedUp) => None,
            (_, _, Some(Change { from, direction })) => Some(Claim::Change { from, direction }),
            (Some(value), Some(error), None) => Some(Claim::Number { value, error }),
            _ => None,
        }
    }
}

impl Row {
    /// Finds the caveat of the published figure. `sources` are the publications of the experiment.
    #[must_use]
    pub fn qualified(mut self, sources: &[Source], tests_hypothesis: bool) -> Self {
        let exact =
            self.derived.as_ref().filter(|it| it.error == Some(0.0)).and_then(|it| it.value);
        let Some(published) = &mut self.published else { return self };
        let source = published.cited.as_ref().map(|cited| &cited.source);
        let source = sources.iter().find(|it| Some(&it.id) == source);
        let follows = || match (exact, published.claim()) {
            (Some(exact), Some(claim @ Claim::Number { .. })) => {
                judge(exact, claim) == Verdict::Agrees
            }
            _ => false,
        };
        published.caveat = if source.is_none_or(|it| it.url.is_none()) {
            Some(Caveat::CannotBeLookedUp)
        } else if tests_hypothesis {
            Some(Caveat::TestsHypothesis)
        } else if follows() {
            Some(Caveat::FollowsFromConfiguration)
        } else {
            source.is_some_and(|it| it.is_simulation).then_some(Caveat::OfSimulation)
        };
        self
    }

    /// Compares the simulated number with each figure. A hypothesis stays only if a figure differs.
    #[must_use]
    pub fn judged(mut self) -> Self {
        for figure in [&mut self.derived, &mut self.published, &mut self.expectation] {
            let Some(figure) = figure else { continue };
            let compared = self.simulated.zip(figure.claim());
            figure.verdict = compared.map(|(simulated, claim)| judge(simulated, claim));
            figure.deviation = compared.and_then(|(simulated, claim)| deviation(simulated, claim));
        }
        if self.verdict() != Some(Verdict::Differs) {
            self.hypothesis = None;
        }
        self
    }

    /// Returns the worst verdict on the simulated number.
    pub fn verdict(&self) -> Option<Verdict> {
        let figures = [&self.derived, &self.published, &self.expectation];
        figures.into_iter().flatten().filter_map(|figure| figure.verdict).max()
    }
}

impl ExperimentResult {
    /// Returns the verdict of the worst row.
    pub fn verdict(&self) -> Option<Verdict> {
        self.tables.iter().flat_map(|table| &table.rows).filter_map(Row::verdict).max()
    }
}
