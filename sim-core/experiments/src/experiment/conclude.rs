//! Makes the tables and charts of an experiment from its reports.

use serde::de::DeserializeOwned;

use super::data::{Charted, Given, Line, Lines, Paper, Published, Spec, Table};
use super::expression::{Clause, Expr, Runs, Scope, Text, Value, fault};
use super::result::{Chart, ExperimentResult, Mark, Part, Reference, ResultTable, Row, Series};
use pagewalk_base::error::Result;

/// Returns the result of an experiment.
///
/// # Errors
/// The errors of the expressions in its file.
pub(super) fn conclude(spec: &Spec, runs: Runs<'_>, parts: Vec<Part>) -> Result<ExperimentResult> {
    let file = spec.file(runs);
    let scope = Scope::new(&file);
    Ok(ExperimentResult {
        info: spec.info()?,
        answer: spec.answer.clone(),
        tables: spec.tables.iter().map(|table| table.result(&scope)).collect::<Result<_>>()?,
        charts: spec.charts.iter().map(|chart| chart.result(&scope)).collect::<Result<_>>()?,
        differences: spec.differences.clone(),
        corrections: spec.corrections.clone(),
        parts,
    })
}

impl Table {
    fn result(&self, scope: &Scope<'_>) -> Result<ResultTable> {
        let mut rows = Vec::new();
        for block in &self.rows {
            Clause::for_each(&block.each, scope, &mut |scope, _| {
                for line in &block.rows {
                    if holds(line.condition.as_ref(), scope)? {
                        rows.push(line.row(&block.case, scope)?);
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
        let note = self.note.as_ref().map(|note| note.write(scope)).transpose()?;
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
            simulated: self.simulated.number(scope)?,
            expected: None,
            published: None,
            tolerance: None,
            agrees: None,
            note: note.filter(|note| !note.is_empty()),
        };
        given(self.paper.as_ref(), scope, |paper: &Paper| {
            if !holds(paper.condition.as_ref(), scope)? {
                return Ok(());
            }
            let value = Some(paper.value.number(scope)?);
            let expected = Reference { text: paper.text.write(scope)?, value, range: None };
            row.expect(expected, paper.tolerance);
            Ok(())
        })?;
        given(self.published.as_ref(), scope, |published: &Published| {
            if !holds(published.condition.as_ref(), scope)? {
                return Ok(());
            }
            let value = published.value.as_ref().map(|value| value.number(scope)).transpose()?;
            let range = match &published.within {
                Some([least, most]) => Some([least.number(scope)?, most.number(scope)?]),
                None => None,
            };
            let agrees = published.agrees.as_ref().map(|agrees| agrees.is_true(scope));
            let text = published.text.write(scope)?;
            row.publish(Reference { text, value, range }, agrees.transpose()?);
            Ok(())
        })?;
        Ok(row)
    }
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
        let mut points = Vec::new();
        Clause::for_each(&self.points.each, scope, &mut |scope, _| {
            points.push([self.points.x.number(scope)?, self.points.y.number(scope)?]);
            Ok(())
        })?;
        let pages = self.pages.as_ref().map(|pages| pages.write(scope)).transpose()?;
        Ok(Series { name: self.name.write(scope)?, kind: self.kind, pages, points })
    }
}
