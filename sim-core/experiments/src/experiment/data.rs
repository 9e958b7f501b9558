//! The types of a data file, which describes one experiment. [`Expr`] is an expression, [`Text`] is a text with
//! expressions in braces.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::expression::{Clause, Expr, File, Runs, Scope, Signature, Text};
use super::result::{Axis, ExperimentInfo, SeriesKind, Setting, Source};
use super::verdict::Direction;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

/// An experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    /// The name of the file without its ending.
    #[serde(skip)]
    pub(super) id: String,
    /// The place in the list, from 1.
    pub(super) order: u32,
    title: String,
    question: String,
    sources: Vec<Source>,
    machine: Text,
    policy: Text,
    method: Text,
    pub(super) answer: Text,
    #[serde(default)]
    pub(super) differences: Vec<String>,
    #[serde(default)]
    pub(super) corrections: Vec<String>,
    /// Constants and tables of constants, as JSON.
    #[serde(default)]
    values: BTreeMap<String, Json>,
    /// Named expressions, with or without parameters.
    #[serde(default)]
    define: BTreeMap<Signature, Expr>,
    pub(super) jobs: Vec<Jobs>,
    pub(super) tables: Vec<Table>,
    #[serde(default)]
    pub(super) charts: Vec<Charted>,
}

/// A group of simulations: one for each combination of values of its loop. An expression gets a report by the
/// name of the group and the values: `warm(guest, host)`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Jobs {
    pub(super) id: String,
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    /// The varied settings, as text. Jobs with a name and a workload can be opened in the replay.
    pub(super) name: Option<Text>,
    /// Fields of the machine and of the mapping, as in a sweep. The value null does not set the field.
    pub(super) set: Map<String, Json>,
    /// The sources of the accesses, in order. If the last one is a workload, it supplies all remaining
    /// accesses.
    pub(super) accesses: Vec<Accesses>,
    /// A mapped segment of a file, as in the memory map of a recording.
    pub(super) segment: Option<Segment>,
    /// Accesses that change the machine and are not counted.
    pub(super) warmup: Option<Expr>,
    /// Accesses that are counted.
    pub(super) counted: Expr,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Accesses {
    Workload(Workload),
    Steps(Box<Steps>),
}

/// A workload, and the parameters that differ from the defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Workload {
    pub(super) id: String,
    #[serde(default)]
    pub(super) params: BTreeMap<String, Text>,
}

/// `n` accesses at `base`, `base + step` …. After `around` accesses they start at `base` again.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Steps {
    pub(super) kind: Kind,
    pub(super) base: Expr,
    pub(super) step: Expr,
    pub(super) size: u32,
    pub(super) n: Expr,
    pub(super) around: Option<Expr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Segment {
    pub(super) base: Expr,
    pub(super) bytes: Expr,
    /// The offset of the segment in the file.
    pub(super) offset: Expr,
    pub(super) is_executable: bool,
    pub(super) file: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) title: String,
    /// Whether its runs were chosen after others differed. Their verdicts are counted apart.
    #[serde(default)]
    pub(super) tests_hypothesis: bool,
    /// The titles of the case columns.
    pub(super) cases: Vec<String>,
    pub(super) rows: Vec<Block>,
}

/// Rows for each combination of values of a loop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    /// The varied settings, one text for each case column of the table. A row can replace them.
    pub(super) case: Vec<Text>,
    pub(super) rows: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// The table has the row only if this is true.
    #[serde(rename = "if")]
    pub(super) condition: Option<Expr>,
    pub(super) case: Option<Vec<Text>>,
    pub(super) quantity: Text,
    #[serde(default)]
    pub(super) unit: String,
    /// The number that runs counted. A closed form belongs to `derived`.
    pub(super) simulated: Option<Expr>,
    pub(super) derived: Option<Given<Derived>>,
    pub(super) published: Option<Given<Claimed>>,
    /// A number that the authors of this program expect, and that no source prints.
    pub(super) expectation: Option<Given<Claimed>>,
    /// A possible reason, which the row shows if a figure differs.
    pub(super) hypothesis: Option<Text>,
    /// The note; an empty text is left out.
    pub(super) note: Option<Text>,
}

/// A value that is written here, or that an expression reads from a table of `values`. If the expression is
/// null, the value is left out.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Given<T> {
    Found(Expr),
    Here(T),
}

/// A number that is computed by a closed form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Derived {
    /// The number is used only if this is true.
    #[serde(rename = "if")]
    pub(super) condition: Option<Expr>,
    /// The formula, as text.
    pub(super) text: Text,
    pub(super) value: Expr,
    pub(super) counts: Counts,
    /// The number of independent draws whose share is counted.
    pub(super) draws: Option<Expr>,
}

/// How well runs can count a number of a closed form.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Counts {
    /// Runs count exactly this number.
    Exactly,
    /// Runs draw at random, and count a share of the draws. A share whose error reaches 0 or 1 is not judged.
    ByDraws,
    /// Runs cannot be judged by this number: it needs more than its closed form, or follows from another row.
    NotJudged,
}

/// A figure as text, and what can be compared of it: a number or a direction.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claimed {
    #[serde(rename = "if")]
    pub(super) condition: Option<Expr>,
    /// The id of the source. A published figure needs it; an expectation has none.
    pub(super) source: Option<Text>,
    /// The page, section, figure or table of the source.
    pub(super) at: Option<Text>,
    /// The figure as in its source.
    pub(super) text: Text,
    pub(super) value: Option<Expr>,
    /// The error that the source gives. If the source gives none, the error is the rounding of the printed digits.
    pub(super) error: Option<Expr>,
    pub(super) direction: Option<Direction>,
    /// The simulated number of the case that the direction is against.
    pub(super) from: Option<Expr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Charted {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Lines>,
    #[serde(default)]
    pub(super) marks: Vec<Marked>,
}

/// A line for each combination of values of a loop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lines {
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    pub(super) name: Text,
    pub(super) kind: SeriesKind,
    pub(super) pages: Option<Text>,
    pub(super) points: Points,
}

/// A point for each combination of values of a loop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Points {
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    pub(super) x: Expr,
    pub(super) y: Expr,
    /// The error of a published number.
    pub(super) error: Option<Expr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Marked {
    pub(super) x: Expr,
    pub(super) label: String,
}

impl Spec {
    /// Returns the values, definitions and reports that the expressions of the file can use.
    pub(super) fn file<'a>(&'a self, runs: Runs<'a>) -> File<'a> {
        let values = self.values.iter().map(|(name, json)| (name.as_str(), json.into()));
        File { values: values.collect(), define: &self.define, runs }
    }

    /// # Errors
    /// The errors of the expressions in its texts.
    pub(super) fn info(&self) -> Result<ExperimentInfo> {
        let file = self.file(Runs::new());
        let scope = Scope::new(&file);
        Ok(ExperimentInfo {
            id: self.id.clone(),
            title: self.title.clone(),
            question: self.question.clone(),
            sources: self.sources.clone(),
            setting: Setting {
                machine: self.machine.write(&scope)?,
                policy: self.policy.write(&scope)?,
                method: self.method.write(&scope)?,
            },
        })
    }
}
