//! Helpers that run an experiment and find its numbers by name.

use pagewalk_experiments::experiment::{ExperimentResult, Row, Verdict, run};

/// Runs an experiment, and asserts that it is complete and that its closed forms agree.
#[track_caller]
pub(crate) fn checked(id: &str) -> ExperimentResult {
    let result = run(id).unwrap_or_else(|error| panic!("{id}: {error}"));
    for table in &result.tables {
        for row in &table.rows {
            assert_eq!(row.case.len(), table.cases.len(), "{}: {:?}", table.title, row.case);
            assert!(row.simulated.is_none_or(f64::is_finite), "{}: {row:?}", table.title);
            let derived = row.derived.as_ref().and_then(|figure| figure.verdict);
            assert_ne!(derived, Some(Verdict::Differs), "{id}: {row:#?}");
        }
    }
    for chart in &result.charts {
        for series in &chart.series {
            assert!(
                series.points.windows(2).all(|pair| pair[0][0] < pair[1][0]),
                "{}",
                chart.title
            );
        }
    }
    assert!(!result.parts.is_empty(), "{id}: the replay can open no part of it");
    let mut names: Vec<&str> = result.parts.iter().map(|part| part.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{id}: {names:?}");
    let setting = &result.info.setting;
    for text in [&result.answer, &setting.machine, &setting.policy, &setting.method] {
        assert!(!text.is_empty(), "{id}");
    }
    result
}

/// Returns the row of a case.
#[track_caller]
pub(crate) fn row<'a>(result: &'a ExperimentResult, case: &[&str], quantity: &str) -> &'a Row {
    let rows = result.tables.iter().flat_map(|table| &table.rows);
    let mut found = rows.filter(|row| row.case == case && row.quantity == quantity);
    let row = found.next().unwrap_or_else(|| panic!("no {quantity} of {case:?}"));
    assert!(found.next().is_none(), "{quantity} of {case:?} comes twice");
    row
}

/// Returns the simulated number of a case.
#[track_caller]
pub(crate) fn found(result: &ExperimentResult, case: &[&str], quantity: &str) -> f64 {
    row(result, case, quantity).simulated.unwrap_or_else(|| panic!("{quantity} is not simulated"))
}

/// Returns the number of a case that a closed form gives, and no run counts.
#[track_caller]
pub(crate) fn on_paper(result: &ExperimentResult, case: &[&str], quantity: &str) -> f64 {
    let row = row(result, case, quantity);
    assert_eq!(row.simulated, None, "{quantity} of {case:?}");
    row.derived.as_ref().and_then(|figure| figure.value).unwrap_or(f64::NAN)
}

/// Asserts that the relative error of a number is at most `share`.
#[track_caller]
pub(crate) fn near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected.abs(), "{found}, expected {expected}");
}
