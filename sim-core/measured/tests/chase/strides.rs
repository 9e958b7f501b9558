//! One page of every 2^k: the sentences say how the model's arrays choose their sets.

use pagewalk::config::cpu::model;
use pagewalk_base::addr::PageSize;
use pagewalk_measured::chase::{ChaseReport, ChaseSamples, Comparing, every_page_of, simulated};

use crate::support::{ADD, pages_of, timed, timed_with_stride};

/// Returns the times of the simulated chase on a model.
fn times(cpu: &str, stride: u32) -> ChaseSamples {
    let pages = pages_of(stride);
    let machine = model(cpu).unwrap().machine;
    let curve = simulated(&machine, PageSize::K4, stride, false, &pages).unwrap();
    let cost = |of: u32| curve[pages.iter().position(|pages| *pages == of).unwrap()] * ADD;
    timed_with_stride(stride, 6, cost, || 1.0)
}

/// Returns the report of a stride after that of every page, without the comparison with models.
fn report(cpu: &str, stride: u32) -> ChaseReport {
    let all = [times(cpu, 1), times(cpu, stride)];
    let every_page = every_page_of(&all[1], &all);
    Comparing::new(&all[1], every_page).unwrap().finish().unwrap()
}

#[track_caller]
fn check(cpu: &str, stride: u32, words: [&str; 2]) {
    let said = report(cpu, stride).sentences.join("\n");
    for words in words {
        assert!(said.contains(words), "{cpu} {stride}: {words}\n{said}");
    }
}

#[test]
fn an_array_that_uses_the_lowest_bits_reaches_as_much_less_as_the_stride_is_larger() {
    // Haswell: 64 entries of 4 ways, and 1,024 of 8.
    let lowest = "reaches 1/8 of the pages that it reaches with every page: the lowest 3 bits of the page number choose its sets.";
    check(
        "intel-haswell",
        8,
        [&format!("The first level {lowest}"), &format!("The second level {lowest}")],
    );
}

#[test]
fn beyond_the_bits_that_choose_sets_the_ways_are_left() {
    check(
        "intel-haswell",
        64,
        [
            "The first level reaches 1/16 of the pages that it reaches with every page, and not 1/64: 4 of the lowest 6 bits choose its sets. Without a hash, it has 16 sets of 4 ways.",
            "The second level reaches 1/64 of the pages",
        ],
    );
}

#[test]
fn hashed_sets_keep_their_reach() {
    check(
        "intel-skylake",
        8,
        [
            "The first level reaches 1/8 of",
            "The second level reaches as many pages as with every page",
        ],
    );
}

#[test]
fn a_level_that_is_larger_than_the_pages_says_how_many_were_measured() {
    check(
        "intel-skylake",
        64,
        [
            "The first level reaches 1/16",
            "The second level shows no step up to 1,024 pages with this stride.",
        ],
    );
}

#[test]
fn an_array_of_one_set_reaches_as_many_pages_with_every_stride() {
    check(
        "amd-zen4",
        16,
        [
            "The first level reaches as many pages as with every page: the lowest 4 bits of the page number alone do not choose its sets.",
            "The second level",
        ],
    );
}

#[test]
fn a_stride_needs_the_measurement_of_every_page_to_say_something_about_bits() {
    let report = Comparing::new(&times("intel-skylake", 8), None).unwrap().finish().unwrap();
    let said = report.sentences.join("\n");
    assert!(said.contains("A measurement of every page is needed, too"), "{said}");
    assert!(!said.contains("choose its sets"), "{said}");
}

#[test]
fn a_stride_that_is_no_power_of_two_says_nothing_about_bits() {
    for report in [
        Comparing::new(&times("intel-skylake", 3), None).unwrap().finish().unwrap(),
        report("intel-skylake", 3),
    ] {
        let said = report.sentences.join("\n");
        assert!(said.contains("The stride is no power of two, so it does not show"), "{said}");
        assert!(!said.contains("every page"), "{said}");
    }
}

#[test]
fn a_larger_stride_sizes_no_machine() {
    let all = [times("intel-skylake", 1), times("intel-skylake", 8)];
    let compared = |samples: &ChaseSamples| {
        let mut comparing = Comparing::new(samples, every_page_of(samples, &all)).unwrap();
        while !comparing.go_on().unwrap() {}
        comparing.finish().unwrap()
    };
    let [every, eighth] = [0, 1].map(|at| compared(&all[at]));
    assert!(every.machine.is_some() && eighth.machine.is_none());
    assert!(eighth.fits[0].factor < 1.01, "{:?}", eighth.fits[0]);
}

#[test]
fn every_page_must_be_a_measurement_of_every_page() {
    let eighth = timed_with_stride(8, 6, |_| 0.0, || 1.0);
    let error = Comparing::new(&eighth, Some(&eighth)).err().expect("refused");
    assert_eq!(error.at.unwrap().to_string(), "every_page");
    let mut huge = timed(6, |_| 0.0, || 1.0);
    huge.page = PageSize::M2;
    assert!(Comparing::new(&eighth, Some(&huge)).is_err());
    assert_eq!(every_page_of(&eighth, &[huge]), None);
}
