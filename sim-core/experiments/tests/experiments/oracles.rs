//! Tests that every oracle agrees. There is one test for each group of numbers, so that the groups run in parallel.

use pagewalk_experiments::experiment::{Basis, oracles, verify};

#[track_caller]
fn check(numbers: std::ops::Range<u32>) {
    let mut differing = String::new();
    for info in oracles().iter().filter(|info| numbers.contains(&info.number)) {
        let number = info.number;
        let result = verify(number).unwrap_or_else(|error| panic!("O{number}: {error}"));
        assert_eq!(result.agrees, result.checks.iter().all(|check| check.agrees));
        for check in result.checks.iter().filter(|check| !check.agrees) {
            differing += &format!(
                "O{number}, {}:\n  got      {}\n  expected {}\n",
                check.name, check.got, check.expected
            );
        }
    }
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn oracles_of_formats_and_walks_agree() {
    check(0..21);
}

#[test]
fn oracles_of_books_agree() {
    check(21..30);
}

#[test]
fn oracles_of_arrays_agree() {
    check(30..45);
}

#[test]
fn oracles_of_measurements_and_analyses_agree() {
    check(45..100);
}

/// Each row names its own source, so a check without an address would show that of the group.
#[test]
fn every_transcribed_number_has_the_address_of_its_source() {
    let transcribed = oracles().into_iter().filter(|info| info.basis == Basis::Transcription);
    let checks = transcribed.flat_map(|info| verify(info.number).unwrap().checks);
    let bare: Vec<_> = checks.filter(|check| check.url.is_none()).map(|check| check.name).collect();
    assert!(bare.is_empty(), "{bare:#?}");
}

#[test]
fn an_unknown_oracle_is_an_error() {
    let error = verify(38).unwrap_err().to_string();
    assert!(error.contains("there is no oracle 38"), "{error}");
}
