//! Runs the checks of an oracle, and compares the observed values with the known answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::data::{Check, Oracle, all};
use super::observe::observe;
use crate::experiment::expression::{Clause, File, Runs, Scope, Value, fault, fill};
use crate::experiment::verdict::sampling;
use pagewalk_base::error::{Error, Result};

/// The basis of a known answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Basis {
    /// A manual states the answer as a rule.
    Manual,
    /// A book, a course or a paper prints the answer.
    Published,
    /// The answer follows from a closed form or a proof.
    Derived,
    /// The authors of this program expect the answer, and no source prints it.
    Expected,
    /// A source prints the number, and the model copies it. A check compares the two copies.
    Transcription,
}

/// An oracle before it is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct OracleInfo {
    /// The number in `docs/oracles.md`.
    pub number: u32,
    pub claim: String,
    pub basis: Basis,
    pub source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct OracleCheck {
    pub name: String,
    pub got: String,
    pub expected: String,
    /// The largest difference that agrees; missing = 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    pub agrees: bool,
    /// The address of the source, if the check has one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct OracleResult {
    #[serde(flatten)]
    pub info: OracleInfo,
    pub checks: Vec<OracleCheck>,
    /// Whether all checks agree.
    pub agrees: bool,
}

/// Returns all oracles, by number.
pub fn oracles() -> Vec<OracleInfo> {
    all().iter().map(Oracle::info).collect()
}

/// Runs the checks of an oracle.
///
/// # Errors
/// `bad-config` if no oracle has the number; the errors of the machines and traces of its file.
pub fn verify(number: u32) -> Result<OracleResult> {
    let Some(oracle) = all().iter().find(|oracle| oracle.number == number) else {
        let message = format!("there is no oracle {number}: `pagewalk verify` lists all");
        return Err(Error::config("oracle", message));
    };
    let checks = run_checks(&oracle.checks, &oracle.file())?;
    let agrees = checks.iter().all(|check| check.agrees);
    Ok(OracleResult { info: oracle.info(), checks, agrees })
}

/// Runs checks that do not belong to an oracle: a list of checks in the form of a file of oracles, as JSON.
///
/// # Errors
/// `bad-config` if the text is no such list; the errors of its machines and traces.
pub fn check_claims(json: &str) -> Result<Vec<OracleCheck>> {
    let checks: Vec<Check> =
        serde_json::from_str(json).map_err(|error| Error::config("claims", error.to_string()))?;
    let define = BTreeMap::new();
    let file = File { values: BTreeMap::new(), define: &define, runs: Runs::new() };
    run_checks(&checks, &file)
}

fn run_checks(checks: &[Check], file: &File<'_>) -> Result<Vec<OracleCheck>> {
    let mut done = Vec::new();
    for check in checks {
        Clause::for_each(&check.each, &Scope::new(file), &mut |scope, _| {
            done.push(check.run(scope)?);
            Ok(())
        })?;
    }
    Ok(done)
}

impl Oracle {
    /// Returns the constants and definitions that its expressions can use.
    fn file(&self) -> File<'_> {
        let values = self.values.iter().map(|(name, json)| (name.as_str(), json.into())).collect();
        File { values, define: &self.define, runs: Runs::new() }
    }

    fn info(&self) -> OracleInfo {
        let Self { number, claim, basis, source, url, .. } = self;
        OracleInfo {
            number: *number,
            claim: claim.clone(),
            basis: *basis,
            source: source.clone(),
            url: url.clone(),
        }
    }
}

impl Check {
    fn run(&self, scope: &Scope<'_>) -> Result<OracleCheck> {
        self.compare(observe(self, scope)?, scope)
    }

    /// Returns the largest difference that agrees. Standard errors are rounded up to the six decimals that are shown.
    fn within(&self, expected: &Value, scope: &Scope<'_>) -> Result<Option<f64>> {
        let Some(draws) = &self.draws else {
            return self.within.as_ref().map(|within| within.number(scope)).transpose();
        };
        let share = expected.number().map_err(fault)?;
        let error = (sampling(share, draws.number(scope)?) * 1e6).ceil() / 1e6;
        Ok((error > 0.0).then_some(error))
    }

    /// Compares the observed value with the known answer.
    fn compare(&self, seen: Vec<(&str, Value)>, scope: &Scope<'_>) -> Result<OracleCheck> {
        let seen = seen.into_iter().fold(scope.clone(), |all, (name, it)| all.with(name, it));
        let got = self.got.evaluate(&seen)?;
        let expected = Value::from(&fill(&self.expected, scope)?);
        let within = self.within(&expected, scope)?;
        let url = self.url.as_ref().map(|url| url.write(scope)).transpose()?;
        Ok(OracleCheck {
            name: self.name.write(scope)?,
            agrees: agree(&got, &expected, within.unwrap_or(0.0)),
            got: words(&got),
            expected: words(&expected),
            within,
            url: url.filter(|url| !url.is_empty()),
        })
    }
}

/// Returns whether two values are equal, and each number within the largest difference.
fn agree(got: &Value, expected: &Value, within: f64) -> bool {
    match (got, expected) {
        (Value::Number(got), Value::Number(expected)) => (got - expected).abs() <= within,
        (Value::List(got), Value::List(expected)) => {
            let mut pairs = got.iter().zip(expected.iter());
            got.len() == expected.len() && pairs.all(|(got, expected)| agree(got, expected, within))
        }
        _ => got == expected,
    }
}

/// Writes a value: numbers with at most six decimals, the items of a list with spaces between.
fn words(value: &Value) -> String {
    match value {
        Value::Number(number) if number.fract() != 0.0 => {
            format!("{number:.6}").trim_end_matches('0').to_owned()
        }
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(words).collect();
            items.join(" ")
        }
        other => match other.to_json() {
            Json::String(text) => text,
            json => json.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::experiment::verdict::decides_nothing;

    /// Calls `then` with each check of all oracles, for each combination of values of its loop.
    fn for_each_check(mut then: impl FnMut(&Oracle, &Check, &Scope<'_>) -> Result<()>) {
        for oracle in all() {
            let file = oracle.file();
            for check in &oracle.checks {
                let mut then = |scope: &Scope<'_>, _: &[Value]| then(oracle, check, scope);
                Clause::for_each(&check.each, &Scope::new(&file), &mut then).unwrap();
            }
        }
    }

    /// Changes every number, address and text that was observed, each number by another step. With `keeps_names`, the
    /// numbers of structures stay, so that a check can still look up their names.
    fn changed(value: &Value, step: &mut f64, keeps_names: bool) -> Value {
        match value {
            Value::Null => Value::Null,
            Value::Bool(is) => Value::Bool(!is),
            Value::Number(number) => {
                *step *= -1.01;
                // Whole numbers add up exactly.
                Value::Number((number + *step).round())
            }
            Value::Text(text) => match text.strip_prefix("0x") {
                Some(_) => Value::text("0x1"),
                None => Value::text(&format!("{text}?")),
            },
            Value::List(items) => {
                Value::List(items.iter().map(|it| changed(it, step, keeps_names)).collect())
            }
            Value::Record(fields) => {
                let fields = fields.iter().map(|(name, it)| {
                    let stays = keeps_names && name == "structure";
                    (name.clone(), if stays { it.clone() } else { changed(it, step, keeps_names) })
                });
                Value::Record(Arc::new(fields.collect()))
            }
        }
    }

    /// The numbers of a report that are sums of others: the path of the sum, and the paths of its parts.
    const SUMS: [(&str, &[&str]); 9] = [
        (
            "kinds.fetch.translations",
            &["kinds.fetch.l1_hits", "kinds.fetch.l2_hits", "kinds.fetch.walks"],
        ),
        (
            "kinds.load.translations",
            &["kinds.load.l1_hits", "kinds.load.l2_hits", "kinds.load.walks"],
        ),
        (
            "kinds.store.translations",
            &["kinds.store.l1_hits", "kinds.store.l2_hits", "kinds.store.walks"],
        ),
        ("walks.walks", &["kinds.fetch.walks", "kinds.load.walks", "kinds.store.walks"]),
        ("trace.accesses", &["trace.fetch", "trace.load", "trace.store"]),
        ("faults.minor", &["faults.first_touch", "faults.shared", "faults.copy_on_write"]),
        ("faults.major", &["faults.swap_in"]),
        ("walks.refs", &["walks.guest_refs", "walks.host_refs"]),
        ("cycles.total", &["cycles.l2_hit", "cycles.l2_miss", "cycles.walk"]),
    ];

    fn at(value: &Value, path: &str) -> Option<f64> {
        let found = path.split('.').try_fold(value, |it, name| match it {
            Value::Record(fields) => fields.get(name),
            _ => None,
        });
        found?.number().ok()
    }

    fn with(value: &Value, path: &str, number: f64) -> Value {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, it)| (name, Some(it)));
        let Value::Record(fields) = value else { return value.clone() };
        let mut fields = BTreeMap::clone(fields);
        if let Some(field) = fields.get_mut(name) {
            *field = rest.map_or(Value::Number(number), |rest| with(field, rest, number));
        }
        Value::Record(Arc::new(fields))
    }

    /// Lets the sums of a changed report follow their parts, as in a report of the simulator. `before` is the report
    /// without the change: what is no sum there, such as the references of native walks, stays as it is.
    fn summed(changed: Value, before: &Value) -> Value {
        SUMS.into_iter().fold(changed, |it, (path, parts)| {
            let sum = |of: &Value| parts.iter().map(|part| at(of, part)).sum::<Option<f64>>();
            match sum(&it) {
                Some(number) if at(before, path) == sum(before) => with(&it, path, number),
                _ => it,
            }
        })
    }

    #[test]
    fn every_check_fails_if_the_simulator_counts_otherwise() {
        let mut blind = Vec::new();
        for_each_check(|oracle, check, scope| {
            let seen = observe(check, scope)?;
            let ways = [(1e3, false), (-1e3, false), (1e9, false), (1e3, true)];
            let fails = |follows: fn(Value, &Value) -> Value| {
                ways.into_iter().any(|(mut step, keeps)| {
                    let seen = seen
                        .iter()
                        .map(|(name, it)| (*name, follows(changed(it, &mut step, keeps), it)));
                    check.compare(seen.collect(), scope).is_ok_and(|done| !done.agrees)
                })
            };
            // A check of a sum against its own parts fails without this rule, and never in a run.
            if !fails(|changed, _| changed) || !fails(summed) {
                blind.push(format!("O{}, {}", oracle.number, check.name.write(scope)?));
            }
            Ok(())
        });
        assert_eq!(blind, [""; 0]);
    }

    #[test]
    fn no_share_agrees_with_a_machine_that_always_hits_or_always_misses() {
        let mut blind = Vec::new();
        for_each_check(|oracle, check, scope| {
            let expected = Value::from(&fill(&check.expected, scope)?);
            let Some(within) = check.within(&expected, scope)? else { return Ok(()) };
            let is_blind = |share: f64| share <= 1.0 && decides_nothing(share, within);
            if expected.number().is_ok_and(is_blind) {
                blind.push(format!("O{}, {}", oracle.number, check.name.write(scope)?));
            }
            Ok(())
        });
        assert_eq!(blind, [""; 0]);
    }
}
