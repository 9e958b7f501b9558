//! Helpers of the core's tests: machines and traces from short texts, and observers that record translations.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each test program uses a part of this module"
)]

pub(crate) mod ops;
pub(crate) mod program;
pub(crate) mod recorded;
pub(crate) mod text;

use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Outcome, Probe, Translation};
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::record::touched::Touched;
use pagewalk_base::trace::{Access, Completeness, Kind, Trace, TraceBuilder};

/// Makes one test for each row of a table, so that the rows run in parallel. The tested function has no attribute
/// `#[test]`. Each test is named after the function and the number of its row: `function::row_0`.
macro_rules! one_test_per_row {
    ($function:ident, $table:expr, [$($row:ident)+]) => {
        mod $function {
            use super::*;

            const TESTS: &[&str] = &[$(stringify!($row)),+];

            $(
                #[test]
                fn $row() {
                    let index = TESTS.iter().position(|test| *test == stringify!($row)).unwrap();
                    super::$function($table[index]);
                }
            )+

            #[test]
            fn every_row_has_a_test() {
                assert_eq!(TESTS.len(), $table.len());
            }
        }
    };
}
pub(crate) use one_test_per_row;

/// Returns a machine with an operating system, from their JSON.
#[track_caller]
pub(crate) fn machine(machine: &str, os: &str) -> Machine {
    let config = parse_json(machine).unwrap_or_else(|e| panic!("{e} in {machine}"));
    let os = parse_json(os).unwrap_or_else(|e| panic!("{e} in {os}"));
    Machine::new(&config, &os).unwrap_or_else(|e| panic!("{e}"))
}

pub(crate) fn trace(accesses: &[Access]) -> Trace {
    let mut builder = TraceBuilder::default();
    for access in accesses {
        builder.push(access).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}

/// Asserts that two machines are equal, including every entry, its times and hits, and every table.
#[track_caller]
pub(crate) fn assert_equal_machines(left: &Machine, right: &Machine) {
    if left == right {
        return;
    }
    let [left, right] = [left, right].map(|machine| format!("{machine:#?}"));
    for (number, (line, other)) in left.lines().zip(right.lines()).enumerate() {
        assert_eq!(line, other, "line {number} of\n{right}");
    }
    panic!("the machines differ in what they do not print");
}

/// Returns a load of one byte at the start of a 4K page.
pub(crate) fn page(number: u64) -> Access {
    Access::new(Kind::Load, number << 12, 1)
}

/// Runs every access separately on a new machine, and returns the report.
#[track_caller]
pub(crate) fn report(
    json: &str,
    os: &str,
    accesses: impl IntoIterator<Item = Access>,
) -> RunReport {
    let mut machine = machine(json, os);
    let mut stats = Stats::default();
    let mut touched = Touched::for_machine(&machine);
    let seen = accesses.into_iter().inspect(|access| {
        if let Some(touched) = &mut touched {
            touched.access(access);
        }
    });
    run(&mut machine, seen, &mut stats);
    stats.report_with(&machine, Completeness::Complete, touched.as_ref())
}

/// Runs every access separately, numbered from 0.
#[track_caller]
pub(crate) fn run(
    machine: &mut Machine,
    accesses: impl IntoIterator<Item = Access>,
    probe: &mut impl Probe,
) {
    for (index, access) in (0..).zip(accesses) {
        machine.access(index, &access, probe);
    }
    assert_eq!(machine.failure(), None);
}

/// Records every translation.
#[derive(Default)]
pub(crate) struct Translations(pub(crate) Vec<Translation>);

impl Probe for Translations {
    fn translated(&mut self, translation: &Translation) {
        self.0.push(*translation);
    }
}

/// Runs accesses on a new machine, and returns the outcome of each translation.
#[track_caller]
pub(crate) fn outcomes(
    json: &str,
    os: &str,
    accesses: impl IntoIterator<Item = Access>,
) -> Vec<Outcome> {
    let mut seen = Translations::default();
    run(&mut machine(json, os), accesses, &mut seen);
    seen.0.iter().map(|translation| translation.outcome).collect()
}

/// Returns the number of level-1 hits, and the number of other outcomes.
pub(crate) fn hits_and_misses(outcomes: &[Outcome]) -> (usize, usize) {
    let hits = outcomes.iter().filter(|outcome| **outcome == Outcome::L1Hit).count();
    (hits, outcomes.len() - hits)
}
