//! What the tests of the core share: machines and traces from short texts, and
//! observers that remember how translations ended.

#![allow(dead_code, reason = "each test program uses a part of this module")]

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

/// A machine and an operating system from their JSON.
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

/// Compares all that two machines hold: every entry, what is remembered of it, and every table.
#[track_caller]
pub(crate) fn assert_alike(left: &Machine, right: &Machine) {
    if left == right {
        return;
    }
    let [left, right] = [left, right].map(|machine| format!("{machine:#?}"));
    for (number, (line, other)) in left.lines().zip(right.lines()).enumerate() {
        assert_eq!(line, other, "line {number} of\n{right}");
    }
    panic!("the machines differ in what they do not print");
}

/// A load of one byte at the start of a 4K page.
pub(crate) fn page(number: u64) -> Access {
    Access::new(Kind::Load, number << 12, 1)
}

/// Runs every access by itself on a new machine.
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

/// Runs every access by itself, numbered from 0.
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

/// Remembers every translation.
#[derive(Default)]
pub(crate) struct Translations(pub(crate) Vec<Translation>);

impl Probe for Translations {
    fn translated(&mut self, translation: &Translation) {
        self.0.push(*translation);
    }
}

/// How each translation ended, on a new machine.
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

/// Hits of level 1 and the rest.
pub(crate) fn hits_and_misses(outcomes: &[Outcome]) -> (usize, usize) {
    let hits = outcomes.iter().filter(|outcome| **outcome == Outcome::L1Hit).count();
    (hits, outcomes.len() - hits)
}
