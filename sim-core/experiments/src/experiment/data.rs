//! A data file: what it says of an experiment. [`Expr`] is an expression, [`Text`] a text with expressions in braces.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::expression::{Clause, Expr, File, Runs, Scope, Signature, Text};
use super::result::{Axis, ExperimentInfo, SeriesKind, Setting, Tolerance};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

/// An experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    /// The name of the file.
    #[serde(skip)]
    pub(super) id: String,
    /// The place in the list, from 1.
    pub(super) order: u32,
    title: String,
    question: String,
    sources: Vec<String>,
    machine: Text,
    policy: Text,
    method: Text,
    pub(super) answer: String,
    #[serde(default)]
    pub(super) differences: Vec<String>,
    #[serde(default)]
    pub(super) corrections: Vec<String>,
    /// Constants, and tables of them: JSON as it is.
    #[serde(default)]
    values: BTreeMap<String, Json>,
    /// Expressions with a name, with parameters or without.
    #[serde(default)]
    define: BTreeMap<Signature, Expr>,
    pub(super) jobs: Vec<Jobs>,
    pub(super) tables: Vec<Table>,
    #[serde(default)]
    pub(super) charts: Vec<Charted>,
}

/// Simulations that differ in what their loop varies. An expression has a report by the name of the group and the
/// values of the loop: `warm(guest, host)`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Jobs {
    pub(super) id: String,
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    /// What is varied, in words. Jobs with a name and one workload can be opened in the replay.
    pub(super) name: Option<Text>,
    /// Fields of the machine and of the mapping, as in a sweep; null leaves a field as it is.
    pub(super) set: Map<String, Json>,
    /// One after the other. If the last is a workload, it is as long as is needed.
    pub(super) accesses: Vec<Accesses>,
    /// A segment of a file, as a recording has it.
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

/// A workload and its parameters that are not the defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Workload {
    pub(super) id: String,
    #[serde(default)]
    pub(super) params: BTreeMap<String, Text>,
}

/// Accesses at `base`, `base + step` …, `around` of them and then from the beginning, `n` in all.
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
    /// In the file.
    pub(super) offset: Expr,
    pub(super) is_executable: bool,
    pub(super) file: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) title: String,
    /// The heads of the case columns.
    pub(super) cases: Vec<String>,
    pub(super) rows: Vec<Block>,
}

/// Rows for each turn of a loop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    /// What is varied, one text for each of the table's case columns; a row can have its own.
    pub(super) case: Vec<Text>,
    pub(super) rows: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// The row is there if this is true.
    #[serde(rename = "if")]
    pub(super) condition: Option<Expr>,
    pub(super) case: Option<Vec<Text>>,
    pub(super) quantity: Text,
    #[serde(default)]
    pub(super) unit: String,
    pub(super) simulated: Expr,
    pub(super) paper: Option<Given<Paper>>,
    pub(super) published: Option<Given<Published>>,
    /// Left out where it is empty.
    pub(super) note: Option<Text>,
}

/// Something that stands here, or in a table of `values` where an expression finds it; it is left out where that
/// gives null.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Given<T> {
    Found(Expr),
    Here(T),
}

/// The number that follows on paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Paper {
    /// It is there if this is true.
    #[serde(rename = "if")]
    pub(super) condition: Option<Expr>,
    /// How it follows.
    pub(super) text: Text,
    pub(super) value: Expr,
    pub(super) tolerance: Tolerance,
}

/// A published number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Published {
    #[serde(rename = "if")]
    pub(super) condition: Option<Expr>,
    /// As its source writes it.
    pub(super) text: Text,
    pub(super) value: Option<Expr>,
    /// The least and the most that agree with it.
    pub(super) within: Option<[Expr; 2]>,
    /// Whether the simulation has the published direction.
    pub(super) agrees: Option<Expr>,
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

/// A line for each turn of a loop.
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

/// A point for each turn of a loop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Points {
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    pub(super) x: Expr,
    pub(super) y: Expr,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Marked {
    pub(super) x: Expr,
    pub(super) label: String,
}

impl Spec {
    /// Returns what the expressions of the file see.
    pub(super) fn file<'a>(&'a self, runs: Runs<'a>) -> File<'a> {
        let values = self.values.iter().map(|(name, json)| (name.as_str(), json.into()));
        File { values: values.collect(), define: &self.define, runs }
    }

    /// # Errors
    /// Those of the expressions in its texts.
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
