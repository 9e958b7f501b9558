//! What an experiment found: tables of simulated numbers beside published ones, and charts.
//! The command line, the site and the tests read the same types.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use pagewalk::config::MachineConfig;
use pagewalk::os::OsConfig;
use pagewalk::run::window::Window;

/// How close a simulated number must come to the one that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Tolerance {
    /// To the unit.
    Exact,
    /// Within 1 %.
    Tight,
    /// A target for calibration: within the range that is given.
    Loose,
    /// The direction only.
    Sign,
}

/// A number that stands somewhere: on paper, or in a publication.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Reference {
    /// As its source writes it.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The least and the most that agree with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}

/// One number of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Row {
    /// What is varied, one text for each of the table's case columns.
    pub case: Vec<String>,
    /// What is counted or computed.
    pub quantity: String,
    pub unit: String,
    pub simulated: f64,
    /// The closed form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Reference>,
    /// How strictly `agrees` was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// Missing where nothing is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
    /// Why the numbers differ, or what they do not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Rows that vary the same things.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ResultTable {
    pub title: String,
    /// What is varied: the heads of the case columns.
    pub cases: Vec<String>,
    pub rows: Vec<Row>,
}

/// How an axis is divided.
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

/// What a line of a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum SeriesKind {
    Simulated,
    /// The closed form.
    Expected,
    Published,
}

/// Points of one line, by rising x.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Series {
    pub name: String,
    pub kind: SeriesKind,
    /// The page size that it stands for, if it is that: `4K`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    pub points: Vec<[f64; 2]>,
}

/// A place on the x axis that means something.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Mark {
    pub x: f64,
    pub label: String,
}

/// Lines over one axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Chart {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
}

/// What is known of an experiment before it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExperimentInfo {
    /// As `pagewalk experiment` takes it.
    pub id: String,
    pub title: String,
    pub question: String,
    /// Where the published numbers come from.
    pub sources: Vec<String>,
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub setting: Setting,
}

/// What is simulated, and on what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Setting {
    /// The CPU models or machines.
    pub machine: String,
    /// How memory is mapped.
    pub policy: String,
    /// What is simulated, how much of it, and what is computed instead.
    pub method: String,
}

/// One simulation of an experiment as the replay can open it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Part {
    /// What is varied: `4,096 bytes, 4K`.
    pub name: String,
    /// The workload's id.
    pub workload: String,
    /// Its parameters that are not the defaults.
    pub params: BTreeMap<String, String>,
    pub machine: MachineConfig,
    pub os: OsConfig,
    /// What of it is warm-up.
    pub window: Window,
}

/// Everything that an experiment has to say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExperimentResult {
    #[serde(flatten)]
    #[cfg_attr(any(test, feature = "ts"), ts(flatten))]
    pub info: ExperimentInfo,
    /// In one sentence.
    pub answer: String,
    pub tables: Vec<ResultTable>,
    pub charts: Vec<Chart>,
    /// Where and why the simulated numbers differ from the published ones.
    pub differences: Vec<String>,
    /// Slips of the publications, stated and not silently applied.
    pub corrections: Vec<String>,
    /// The simulations that the replay can open; the run knows them.
    pub parts: Vec<Part>,
}

impl Row {
    /// Compares with the number on paper: to the unit, or within 1 % (a thousandth where that is 0).
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

    /// Puts a published number next to the simulated one. They agree if it is in the range, and has the direction,
    /// where these are given.
    pub(super) fn publish(&mut self, published: Reference, direction: Option<bool>) {
        if let Some([least, most]) = published.range {
            self.agree(Tolerance::Loose, (least..=most).contains(&self.simulated));
        }
        if let Some(is_same) = direction {
            self.agree(Tolerance::Sign, is_same);
        }
        self.published = Some(published);
    }

    /// The strictest comparison names the tolerance; all must agree.
    fn agree(&mut self, tolerance: Tolerance, agrees: bool) {
        self.tolerance.get_or_insert(tolerance);
        self.agrees = Some(self.agrees.unwrap_or(true) && agrees);
    }
}
