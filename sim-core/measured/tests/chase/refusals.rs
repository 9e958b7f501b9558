//! Measurements without a result say why.

use pagewalk_measured::chase::{ChasePlace, ChaseSamples, Comparing};

use crate::support::{levels_of, timed};

/// Makes a measurement wrong.
type Change = fn(&mut ChaseSamples);

#[track_caller]
fn check_refused(samples: &ChaseSamples, words: &str) {
    let report = levels_of(samples);
    let refused = report.refused.expect("refused");
    assert!(refused.contains(words), "{refused}");
    assert!(report.levels.is_empty() && report.fits.is_empty() && report.machine.is_none());
    assert_eq!(report.sentences, [refused]);
}

#[test]
fn a_flat_curve_has_no_levels() {
    check_refused(&timed(8, |_| 0.0, || 1.0), "No step stands out");
}

#[test]
fn halves_that_differ_are_too_noisy() {
    let mut n = 0;
    let noise = || {
        n += 1;
        if n % 2 == 0 { 1.0 } else { 1.5 }
    };
    check_refused(&timed(8, |pages| if pages > 64 { 6.0 } else { 0.0 }, noise), "Too noisy");
}

#[test]
fn a_clock_that_changes_gives_no_cycles() {
    let mut samples = timed(8, |pages| if pages > 64 { 6.0 } else { 0.0 }, || 1.0);
    samples.adds.iter_mut().step_by(2).for_each(|ns| *ns *= 1.2);
    let report = levels_of(&samples);
    assert_eq!((report.clock, report.levels[0].cycles), (None, None));
    assert_eq!(report.levels[0].reach, [64, 64]);
}

#[test]
fn times_that_no_chase_makes_are_errors() {
    let good = || timed(8, |_| 0.0, || 1.0);
    let wrong: [(&str, Change); 7] = [
        ("adds", |it| it.adds.clear()),
        ("stride", |it| it.stride = 0),
        ("points", |it| it.points.reverse()),
        ("points", |it| it.points[0].pages = 0),
        ("points", |it| it.points.last_mut().unwrap().pages = 1 << 20),
        ("points", |it| it.points[3].spread[2] = f64::NAN),
        ("points", |it| it.points[3].dense.truncate(2)),
    ];
    for (field, change) in wrong {
        let mut samples = good();
        change(&mut samples);
        let error = Comparing::new(&samples, None).err().expect(field);
        assert_eq!(error.at.unwrap().to_string(), field);
    }
}

#[test]
fn a_browser_may_hold_two_pages_more_than_the_chase_has() {
    let mut samples = timed(8, |pages| if pages > 70 { 6.0 } else { 0.0 }, || 1.0);
    assert_eq!(levels_of(&samples).levels[0].reach, [70, 70]);
    samples.place = ChasePlace::Browser;
    assert_eq!(levels_of(&samples).levels[0].reach, [70, 72]);
}

#[test]
fn halves_that_show_different_sizes_are_too_noisy() {
    let mut samples = timed(8, |pages| if pages > 64 { 6.0 } else { 0.0 }, || 1.0);
    // The even rounds show a step at 112 pages.
    for point in samples.points.iter_mut().filter(|point| (65..=112).contains(&point.pages)) {
        point.spread.iter_mut().step_by(2).for_each(|ns| *ns -= 6.0);
    }
    check_refused(&samples, "could reach 64 to 119 pages");
}
