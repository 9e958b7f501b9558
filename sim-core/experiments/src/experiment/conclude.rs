//! Makes the tables and charts of an experiment from its reports.

use serde::de::DeserializeOwned;

use super::data::{Charted, Claimed, Counts, Derived, Given, Line, Lines, Spec, Table};
use super::expression::{Clause, Expr, Runs, Scope, Text, Value, fault};
use super::result::{
    Change, Chart, Citation, ExperimentResult, Figure, Mark, Part, ResultTable, Row, Series, Source,
};
use super::verdict::{decides_nothing, rounding, sampling};
use pagewalk_base::error::Result;

/// The note of a share that chance can make 0 or 1.
const TOO_FEW: &str = "No verdict: the error of so few draws reaches 0 or 1, so a machine that always hits or always misses would agree.";

/// Returns the result of an experiment.
///
/// # Errors
/// The errors of the expressions in its file.
pub(super) fn conclude(spec: &Spec, runs: Runs<'_>, parts: Vec<Part>) -> Result<ExperimentResult> {
    let file = spec.file(runs);
    let scope = Scope::new(&file);
    let info = spec.info()?;
    Ok(ExperimentResult {
        answer: spec.answer.write(&scope)?,
        tables: spec
            .tables
            .iter()
            .map(|it| it.result(&scope, &info.sources))
            .collect::<Result<_>>()?,
        charts: spec.charts.iter().map(|chart| chart.result(&scope)).collect::<Result<_>>()?,
        differences: spec.differences.clone(),
        corrections: spec.corrections.clone(),
        parts,
        info,
    })
}

impl Table {
    fn result(&self, scope: &Scope<'_>, sources: &[Source]) -> Result<ResultTable> {
        let mut rows = Vec::new();
        for block in &self.rows {
            Clause::for_each(&block.each, scope, &mut |scope, _| {
                for line in &block.rows {
                    if holds(line.condition.as_ref(), scope)? {
                        rows.push(
                            line.row(&block.case, scope)?
                                .qualified(sources, self.tests_hypothesis)
                                .judged(),
                        );
                    }
                }
                Ok(())
            })?;
        }
        Ok(ResultTable { title: self.title.clone(), cases: self.cases.clone(), rows })
    }
}

impl Line {
    fn row(&self, case: &[Text], scope: &Scope<'_>) -> Result<Row> {
        let mut row = Row {
            case: self
                .case
                .as_deref()
                .unwrap_or(case)
                .iter()
                .map(|text| text.write(scope))
                .collect::<Result<_>>()?,
            quantity: self.quantity.write(scope)?,
            unit: self.unit.clone(),
            simulated: self.simulated.as_ref().map(|it| it.number(scope)).transpose()?,
            derived: None,
            published: None,
            expectation: None,
            hypothesis: words(self.hypothesis.as_ref(), scope)?,
            note: words(self.note.as_ref(), scope)?,
        };
        given(self.derived.as_ref(), scope, |derived: &Derived| {
            if holds(derived.condition.as_ref(), scope)? {
                let figure = derived.figure(scope)?;
                if matches!(derived.counts, Counts::ByDraws) && figure.error.is_none() {
                    row.note.get_or_insert_with(|| TOO_FEW.to_owned());
                }
                row.derived = Some(figure);
            }
            Ok(())
        })?;
        for (claimed, place_in) in
            [(&self.published, &mut row.published), (&self.expectation, &mut row.expectation)]
        {
            given(claimed.as_ref(), scope, |claimed: &Claimed| {
                if holds(claimed.condition.as_ref(), scope)? {
                    *place_in = Some(claimed.figure(scope)?);
                }
                Ok(())
            })?;
        }
        Ok(row)
    }
}

impl Derived {
    fn figure(&self, scope: &Scope<'_>) -> Result<Figure> {
        let value = self.value.number(scope)?;
        let error = match self.counts {
            Counts::Exactly => Some(0.0),
            Counts::ByDraws => {
                let draws = self.draws.as_ref().ok_or_else(|| fault("give `draws`"))?;
                let error = sampling(value, draws.number(scope)?);
                (!decides_nothing(value, error)).then_some(error)
            }
            Counts::NotJudged => None,
        };
        Ok(Figure { value: Some(value), error, ..figure(self.text.write(scope)?, None, None) })
    }
}

impl Claimed {
    fn figure(&self, scope: &Scope<'_>) -> Result<Figure> {
        let text = self.text.write(scope)?;
        let number = match (&self.value, &self.error) {
            (None, _) => None,
            (Some(value), Some(error)) => Some((value.number(scope)?, error.number(scope)?)),
            (Some(value), None) => {
                let error = rounding(&text).ok_or_else(|| {
                    fault(format!("`{text}` begins with no number: give `error`"))
                })?;
                Some((value.number(scope)?, error))
            }
        };
        let number = number.map(|(value, error)| (rounded(value), rounded(error)));
        let change = match (self.direction, &self.from) {
            (Some(direction), Some(from)) => Some(Change { from: from.number(scope)?, direction }),
            (None, None) => None,
            _ => return Err(fault(format!("`{text}`: give both `direction` and `from`"))),
        };
        let cited = self.source.as_ref().zip(self.at.as_ref());
        let cited = cited.map(|(source, at)| {
            Ok(Citation { source: source.write(scope)?, at: at.write(scope)? })
        });
        let cited = cited.transpose()?;
        Ok(Figure { cited, ..figure(text, number, change) })
    }
}

/// Returns a number without the digits that only arithmetic with `f64` adds.
fn rounded(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

fn figure(text: String, number: Option<(f64, f64)>, change: Option<Change>) -> Figure {
    let (value, error) = number.unzip();
    Figure { text, value, error, change, cited: None, verdict: None, deviation: None, caveat: None }
}

/// Returns a text that is not empty.
fn words(text: Option<&Text>, scope: &Scope<'_>) -> Result<Option<String>> {
    let text = text.map(|text| text.write(scope)).transpose()?;
    Ok(text.filter(|text| !text.is_empty()))
}

/// Returns whether a condition holds, if there is one.
fn holds(condition: Option<&Expr>, scope: &Scope<'_>) -> Result<bool> {
    condition.map_or(Ok(true), |condition| condition.is_true(scope))
}

/// Calls `then` with the given value, if there is one.
fn given<T: DeserializeOwned>(
    given: Option<&Given<T>>,
    scope: &Scope<'_>,
    mut then: impl FnMut(&T) -> Result<()>,
) -> Result<()> {
    match given {
        None => Ok(()),
        Some(Given::Here(it)) => then(it),
        Some(Given::Found(expr)) => match expr.evaluate(scope)? {
            Value::Null => Ok(()),
            found => {
                then(&serde_json::from_value(found.to_json()).map_err(|e| fault(e.to_string()))?)
            }
        },
    }
}

impl Charted {
    fn result(&self, scope: &Scope<'_>) -> Result<Chart> {
        let mut series = Vec::new();
        for lines in &self.series {
            Clause::for_each(&lines.each, scope, &mut |scope, _| {
                series.push(lines.line(scope)?);
                Ok(())
            })?;
        }
        let mut marks = Vec::new();
        for mark in &self.marks {
            marks.push(Mark { x: mark.x.number(scope)?, label: mark.label.clone() });
        }
        Ok(Chart { title: self.title.clone(), x: self.x.clone(), y: self.y.clone(), series, marks })
    }
}

impl Lines {
    fn line(&self, scope: &Scope<'_>) -> Result<Series> {
        let (mut points, mut errors) = (Vec::new(), Vec::new());
        Clause::for_each(&self.points.each, scope, &mut |scope, _| {
            points.push([self.points.x.number(scope)?, self.points.y.number(scope)?]);
            let error = self.points.error.as_ref().map(|error| error.number(scope)).transpose()?;
            errors.extend(error);
            Ok(())
        })?;
        let pages = self.pages.as_ref().map(|pages| pages.write(scope)).transpose()?;
        Ok(Series { name: self.name.write(scope)?, kind: self.kind, pages, points, errors })
    }
}
