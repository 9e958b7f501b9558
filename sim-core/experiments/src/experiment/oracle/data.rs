//! The types of a file of oracles.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::verify::Basis;
use crate::experiment::data::{Steps, Workload};
use crate::experiment::expression::{Clause, Expr, Signature, Text};
use pagewalk::machine::operations::cores::Cores;
use pagewalk_base::sorted::sort_by_numbers;

const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/oracles.rs"));

/// A statement with a known answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Oracle {
    /// The number in `docs/oracles.md`.
    pub(super) number: u32,
    pub(super) claim: String,
    pub(super) basis: Basis,
    /// Where the answer stands: title, section or page.
    pub(super) source: String,
    pub(super) url: Option<String>,
    /// Constants, as JSON.
    #[serde(default)]
    pub(super) values: BTreeMap<String, Json>,
    #[serde(default)]
    pub(super) define: BTreeMap<Signature, Expr>,
    pub(super) checks: Vec<Check>,
}

/// A run and its known answer. There is one run for each combination of values of the loop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    #[serde(default)]
    pub(super) each: Vec<Clause>,
    pub(super) name: Text,
    /// The address of the source of this check; an empty text is none.
    pub(super) url: Option<Text>,
    /// Fields of the machine and of the mapping, as in a sweep. The value null does not set the field.
    #[serde(default)]
    pub(super) set: Map<String, Json>,
    /// Fields that replace those of `set` in a second run of the same accesses.
    pub(super) against: Option<Map<String, Json>>,
    /// What gets a core of its own; missing = there is one core.
    #[serde(default)]
    pub(super) cores: Cores,
    /// The accesses that change the machine and are not counted.
    #[serde(default)]
    pub(super) before: Vec<Stream>,
    #[serde(default)]
    pub(super) counted: Vec<Stream>,
    /// The observed value. [`observe`](super::observe) lists the names that it can use.
    pub(super) got: Expr,
    pub(super) expected: Json,
    /// The largest difference that agrees; missing = 0.
    pub(super) within: Option<Expr>,
    /// The number of independent draws whose share is expected. Four standard errors agree.
    pub(super) draws: Option<Expr>,
}

/// Accesses, and operations between them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Stream {
    /// Lines such as `load 0x1000 8 pid 7` or `invlpg 0x1000`.
    Trace(Vec<Text>),
    /// A list of lines in the form of [`Self::Trace`], which an expression computes.
    Lines(Expr),
    /// A load of one byte in each page of a list of page numbers; a page has 4K.
    Pages(Expr),
    /// A load of one byte in each page of 2^n bytes. The expressions are a list of page numbers, and n.
    SmallPages(Expr, Expr),
    Steps(Box<Steps>),
    /// A workload, and its number of accesses.
    Workload(Workload, Expr),
}

/// Returns all oracles, by number.
pub(super) fn all() -> &'static [Oracle] {
    static ORACLES: OnceLock<Vec<Oracle>> = OnceLock::new();
    ORACLES.get_or_init(|| {
        let read = |(id, json): &(&str, &str)| -> Vec<Oracle> {
            serde_json::from_str(json)
                .unwrap_or_else(|error| panic!("experiments/data/oracles/{id}.json: {error}"))
        };
        let mut oracles: Vec<Oracle> = FILES.iter().flat_map(read).collect();
        sort_by_numbers(&mut oracles, |oracle| (oracle.number.into(), 0));
        oracles
    })
}
