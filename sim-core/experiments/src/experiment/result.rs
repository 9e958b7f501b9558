//! The result of an experiment: tables that compare simulated with published numbers, and charts. The command
//! line, the site and the tests use these types.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use pagewalk::config::MachineConfig;
use pagewalk::os::OsConfig;
use pagewalk::run::window::Window;

/// The tolerance of a comparison with a simulated number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Tolerance {
    /// The numbers must be equal.
    Exact,
    /// The difference must be at most 1 %.
    Tight,
    /// The simulated number must be in a given range.
    Loose,
    /// Only the direction of the effect must agree.
    Sign,
}

/// A number to compare with: from a closed form or from a publication.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Reference {
    /// The number as text, as in its source.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The least and the greatest simulated number that agree with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}

/// One number of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Row {
    /// The varied settings, one text for each case column of the table.
    pub case: Vec<String>,
    /// The name of the number.
    pub quantity: String,
    pub unit: String,
    pub simulated: f64,
    /// The number from a closed form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Reference>,
    /// The tolerance of the comparison in `agrees`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// Whether the numbers agree. Missing if there is nothing to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
    /// The reason why the numbers differ, or a limit of them.
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
    Expected,
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
    /// The publications with the numbers.
    pub sources: Vec<String>,
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub setting: Setting,
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
    /// The answer to the question, in one sentence.
    pub answer: String,
    pub tables: Vec<ResultTable>,
    pub charts: Vec<Chart>,
    /// The differences between simulated and published numbers, with reasons.
    pub differences: Vec<String>,
    /// Errors in the publications. They are reported, not silently corrected.
    pub corrections: Vec<String>,
    /// The simulations that the replay can open.
    pub parts: Vec<Part>,
}

impl Row {
    /// Compares with the number of a closed form: exactly, or with a difference of at most 1 % (at most 0.001
    /// if the number is 0).
    pub(super) fn expect(&mut self, expected: Reference, tolerance: Tolerance) {
        let value = expected.value.unwrap_or(f64::NAN);
        let most = match tolerance {
            Tolerance::Exact => 1e-9 * value.abs(),
            _ if value == 0.0 => 0.001,
            _ => 0.01 * value.abs(),
        };
        self.agree(tolerance, (self.simulated - value).abs() <= most);
        self.expected = Some(expected);
    }

    /// Compares with a published number. The numbers agree if the simulated one is in the range, if there is a
    /// range, and has the direction, if there is one.
    pub(super) fn publish(&mut self, published: Reference, direction: Option<bool>) {
        if let Some([least, most]) = published.range {
            self.agree(Tolerance::Loose, (least..=most).contains(&self.simulated));
        }
        if let Some(is_same) = direction {
            self.agree(Tolerance::Sign, is_same);
        }
        self.published = Some(published);
    }

    /// Records the result of one comparison. The first comparison sets the tolerance, and all must agree.
    fn agree(&mut self, tolerance: Tolerance, agrees: bool) {
        self.tolerance.get_or_insert(tolerance);
        self.agrees = Some(self.agrees.unwrap_or(true) && agrees);
    }
}
