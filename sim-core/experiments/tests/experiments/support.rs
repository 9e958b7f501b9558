//! Helpers that run an experiment and find its numbers by name.

use pagewalk_experiments::experiment::{ExperimentResult, Row, run};

/// Runs an experiment, and asserts that every comparison agrees.
#[track_caller]
pub(crate) fn agreed(id: &str) -> ExperimentResult {
    let result = run(id).unwrap_or_else(|error| panic!("{id}: {error}"));
    let rows = || result.tables.iter().flat_map(|table| &table.rows);
    let wrong: Vec<&Row> = rows().filter(|row| row.agrees == Some(false)).collect();
    assert!(wrong.is_empty(), "{id}: {wrong:#?}");
    assert!(rows().any(|row| row.agrees.is_some()), "{id} compares nothing");
    for table in &result.tables {
        for row in &table.rows {
            assert_eq!(row.case.len(), table.cases.len(), "{}: {:?}", table.title, row.case);
            assert!(row.simulated.is_finite(), "{}: {row:?}", table.title);
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
    let mut names: Vec<&str> = result.parts.iter().map(|part| part.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{id}: {names:?}");
    let setting = &result.info.setting;
    for text in [&result.answer, &setting.machine, &setting.policy, &setting.method] {
        assert!(!text.is_empty(), "{id}");
    }
    result
}

/// Returns the simulated number of a case.
#[track_caller]
pub(crate) fn found(result: &ExperimentResult, case: &[&str], quantity: &str) -> f64 {
    let rows = result.tables.iter().flat_map(|table| &table.rows);
    let mut found = rows.filter(|row| row.case == case && row.quantity == quantity);
    let row = found.next().unwrap_or_else(|| panic!("no {quantity} of {case:?}"));
    assert!(found.next().is_none(), "{quantity} of {case:?} comes twice");
    row.simulated
}

/// Asserts that the relative error of a number is at most `share`.
#[track_caller]
pub(crate) fn near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected.abs(), "{found}, expected {expected}");
}
