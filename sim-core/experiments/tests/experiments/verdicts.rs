//! Tests of the verdicts of all experiments.

use std::sync::OnceLock;

use pagewalk_experiments::experiment::{
    Caveat, Claim, ExperimentResult, Figure, Row, Verdict, judge, list,
};

use crate::support::{checked, row};

/// Returns the results of all experiments.
fn all() -> &'static [ExperimentResult] {
    static ALL: OnceLock<Vec<ExperimentResult>> = OnceLock::new();
    ALL.get_or_init(|| list().iter().map(|info| checked(&info.id)).collect())
}

fn result(id: &str) -> &'static ExperimentResult {
    all().iter().find(|result| result.info.id == id).unwrap()
}

fn rows(result: &ExperimentResult) -> impl Iterator<Item = &Row> {
    result.tables.iter().flat_map(|table| &table.rows)
}

fn figures(row: &Row) -> impl Iterator<Item = &Figure> {
    [&row.derived, &row.published, &row.expectation].into_iter().flatten()
}

/// A source has a title and a machine, and a year if one is given. If a source has no address of a page, its short
/// name says so, and stands next to its verdicts. No test checks that a page exists.
#[test]
fn every_source_has_the_address_of_a_page_or_says_that_it_has_none() {
    for info in list() {
        assert!(!info.sources.is_empty(), "{}", info.id);
        for source in &info.sources {
            let has_year = source.date.split('-').next().is_some_and(|year| {
                year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit())
            });
            assert!(has_year || source.date == "not given", "{source:?}");
            let address = source.url.as_deref();
            let has_page = address.is_some_and(|url| {
                let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
                url.starts_with("http") && path.is_some_and(|(_, path)| !path.is_empty())
            });
            assert_eq!(address.is_some(), has_page, "{source:?}: the address names no page");
            let is_told = source.id.ends_with(", source without address");
            assert_eq!(is_told, address.is_none(), "{source:?}");
            assert!(!source.title.is_empty() && !source.machine.is_empty(), "{source:?}");
        }
    }
}

#[test]
fn every_published_figure_has_a_place_and_every_difference_a_hypothesis() {
    for result in all() {
        let info = &result.info;
        for row in rows(result) {
            if let Some(published) = &row.published {
                let cited = published.cited.as_ref();
                let cited = cited.unwrap_or_else(|| panic!("{}: {row:#?}", info.id));
                assert!(info.sources.iter().any(|it| it.id == cited.source), "{cited:?}");
                assert!(!cited.at.is_empty(), "{row:#?}");
            }
            let expectation = row.expectation.as_ref();
            assert!(expectation.is_none_or(|it| it.cited.is_none()), "{row:#?}");
            // A figure that claims something is judged if there is a simulated number.
            for figure in figures(row) {
                let is_judged = figure.verdict.is_some();
                assert_eq!(is_judged, figure.claim().is_some() && row.simulated.is_some());
            }
            let differs = row.verdict() == Some(Verdict::Differs);
            assert_eq!(differs, row.hypothesis.is_some(), "{}: {row:#?}", info.id);
        }
    }
}

/// Puts other simulated numbers into each row: the verdict on each figure must change with one of them. This does
/// not show that a run can count such a number.
#[test]
fn every_verdict_changes_with_the_simulated_number() {
    for result in all() {
        for row in rows(result).filter(|row| row.simulated.is_some()) {
            let others = figures(row).filter_map(Figure::claim).flat_map(|claim| match claim {
                Claim::Number { value, error } => {
                    [value, value + 2.0 * error + 1.0, value - 2.0 * error - 1.0]
                }
                Claim::Change { from, .. } => {
                    [from, from - 1.0 - from.abs(), from + 1.0 + from.abs()]
                }
            });
            let changed: Vec<Row> = others
                .map(|simulated| Row { simulated: Some(simulated), ..row.clone() }.judged())
                .collect();
            for at in 0..figures(row).count() {
                let verdict = |row: &Row| figures(row).nth(at).and_then(|figure| figure.verdict);
                if verdict(row).is_some() {
                    assert!(changed.iter().any(|it| verdict(it) != verdict(row)), "{row:#?}");
                }
            }
        }
    }
}

/// A machine without a TLB misses every load, and one with endless entries none.
#[test]
fn no_share_agrees_with_a_machine_that_always_hits_or_always_misses() {
    for row in all().iter().flat_map(rows) {
        let Some(Claim::Number { value, error }) = row.derived.as_ref().and_then(Figure::claim)
        else {
            continue;
        };
        for same in [0.0, 1.0] {
            let agrees = judge(same, Claim::Number { value, error }) != Verdict::Differs;
            assert_eq!(agrees, (value - same).abs() < f64::EPSILON, "{row:#?}");
        }
    }
    // 48 entries hold so little of 8 GiB that 40,000 loads cannot tell them from none.
    for (granule, pages) in [("4K", "4K"), ("4K", "64K = 16 × 4K"), ("16K", "16K"), ("64K", "64K")]
    {
        let row = row(result("granules"), &["8G", granule, pages], "L1 dTLB misses");
        assert_eq!(row.verdict(), None, "{row:#?}");
        assert!(row.note.as_ref().is_some_and(|note| note.starts_with("No verdict: ")), "{row:#?}");
    }
}

/// These differences do not depend on the cost of walks.
#[test]
fn the_known_differences_are_verdicts() {
    for (id, case, quantity) in [
        ("byte-array", &["1,000,000", "4K less THP"][..], "cycles lost by 4K pages"),
        ("byte-array", &["100,000,000", "THP"], "page walks"),
        ("nested", &["4K", "4K", "4K"][..], "references"),
    ] {
        let result = result(id);
        let differing = rows(result)
            .filter(|row| row.case == case && row.quantity == quantity)
            .any(|row| row.verdict() == Some(Verdict::Differs));
        assert!(differing, "{id}: {case:?}");
        assert_eq!(result.verdict(), Some(Verdict::Differs), "{id}: its worst row");
    }
}

#[test]
fn a_figure_has_no_verdict_if_its_source_cannot_be_looked_up() {
    let mut n = 0;
    for result in all() {
        for figure in rows(result).filter_map(|row| row.published.as_ref()) {
            let source = figure.cited.as_ref().map(|cited| &cited.source);
            let found = result.info.sources.iter().find(|it| Some(&it.id) == source).unwrap();
            let is_reported = figure.caveat == Some(Caveat::CannotBeLookedUp);
            assert_eq!(is_reported, found.url.is_none(), "{}: {figure:?}", result.info.id);
            assert!(!is_reported || figure.verdict.is_none(), "{}: {figure:?}", result.info.id);
            n += usize::from(is_reported);
        }
    }
    assert!(n > 0);
}

/// 24 references are arithmetic, 1.017 walks were measured, and smaller memory was tried after a difference.
#[test]
fn published_numbers_that_a_run_cannot_miss_are_marked() {
    for (id, case, quantity, caveat) in [
        (
            "nested",
            &["4 × 4", "4K", "4K"][..],
            "references",
            Some(Caveat::FollowsFromConfiguration),
        ),
        ("nested", &["128M", "4K", "none (native)"], "references", Some(Caveat::TestsHypothesis)),
        ("nested", &["4K", "4K", "4K"], "references", Some(Caveat::OfSimulation)),
        ("byte-array", &["100,000,000", "4K"], "page walks", None),
        ("byte-array", &["100,000,000", "THP"], "page walks", None),
    ] {
        let published = row(result(id), case, quantity).published.as_ref().unwrap();
        assert_eq!(published.caveat, caveat, "{id}: {case:?}");
        assert!(published.verdict.is_some(), "{id}: {case:?}");
    }
}

#[test]
fn an_error_as_large_as_its_number_decides_nothing() {
    let row = row(result("byte-array"), &["10,000", "4K less THP"], "cycles lost by 4K pages");
    assert_eq!(row.verdict(), Some(Verdict::Undecided));
}
