//! Tests that the answer to each question, computed in slices, equals that of the question's module.

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::run::window::Window;
use pagewalk_analysis::curve::{CurveBuilder, CurveOptions};
use pagewalk_analysis::huge_pages::{HugeOptions, HugeSetup, advise};
use pagewalk_analysis::optimum::{SplitBuilder, SplitOptions};
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_analysis::question::{Analysis, Answer, Question};
use pagewalk_analysis::second_level::SecondLevelBuilder;
use pagewalk_analysis::surface::SurfaceBuilder;
use pagewalk_analysis::working_set::WorkingSetBuilder;
use pagewalk_base::trace::{Access, CHUNK, Completeness, Kind, Trace, TraceBuilder};

const SMALL: &str = r#"{"l1": [{"entries": 4}], "l2": [{"entries": 16, "ways": 4}], "psc": {"pde": {"entries": 2}}}"#;

/// Returns a trace of more than two chunks: fetches, loads and stores of a few hundred pages, by a fixed
/// recurrence.
fn trace() -> Trace {
    let mut builder = TraceBuilder::default();
    let mut state = 7_u64;
    for i in 0..300_000_u64 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let page = (state >> 33) % if i % 3 == 0 { 700 } else { 40 };
        let kind = [Kind::Fetch, Kind::Load, Kind::Store][(i % 3) as usize];
        builder.push(&Access::new(kind, page << 12 | (state >> 52) & 0xff8, 8)).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}

fn machine() -> MachineConfig {
    parse_json(SMALL).unwrap()
}

fn data() -> Chosen {
    Chosen { kinds: [false, true, true], ..Chosen::default() }
}

#[track_caller]
fn ask(question: &str, trace: &Trace) -> Answer {
    let question: Question = parse_json(&question.replace("MACHINE", SMALL)).unwrap();
    let mut analysis = Analysis::new(&question, trace).unwrap();
    let mut before = 0.0;
    while !analysis.go_on(trace).unwrap() {
        let now = analysis.progress(trace);
        assert!((before..=1.0).contains(&now), "{now} after {before}");
        before = now;
    }
    analysis.finish()
}

#[test]
fn surfaces_splits_and_working_sets_are_those_of_one_pass() {
    let trace = trace();
    let mut builder = SurfaceBuilder::new(data()).unwrap();
    builder.push_trace(&trace);
    let question = r#"{"what": "surface", "uses": {"pages": "4K", "kinds": ["load", "store"]}}"#;
    assert_eq!(ask(question, &trace), Answer::Surface(builder.finish()));

    let options = SplitOptions { chosen: data(), entries: 64, ways: Some(4) };
    let mut builder = SplitBuilder::new(options).unwrap();
    builder.push_trace(&trace).unwrap();
    let question = r#"{"what": "split", "uses": {"pages": "4K", "kinds": ["load", "store"]}, "entries": 64, "ways": 4}"#;
    assert_eq!(ask(question, &trace), Answer::Split(builder.finish()));

    let mut builder = WorkingSetBuilder::new(data(), 1000).unwrap();
    builder.push_trace(&trace).unwrap();
    let question = r#"{"what": "working-set", "uses": {"pages": "4K", "kinds": ["load", "store"]}, "window": 1000}"#;
    assert_eq!(ask(question, &trace), Answer::WorkingSet(builder.finish()));
}

#[test]
fn curves_have_the_exact_misses_of_their_sizes() {
    let trace = trace();
    let options = CurveOptions { chosen: data(), sets: None };
    let mut builder = CurveBuilder::new(options.clone()).unwrap();
    builder.push_trace(&trace);
    let whole = builder.finish();
    let question = r#"{"what": "curve", "uses": {"pages": "4K", "kinds": ["load", "store"]}}"#;
    let Answer::Curve(output) = ask(question, &trace) else { panic!("another answer") };
    assert!(output.misses.iter().all(|point| whole.misses.contains(point)));
    assert_eq!(output.misses.first(), whole.misses.first());
    assert_eq!(output.misses.last(), whole.misses.last());
    for size in [1, 2, 63, 64, 65, 96, 128, 192, 384] {
        let is_reported = output.misses.iter().any(|(output, _)| *output == size);
        assert_eq!(is_reported, whole.misses.iter().any(|(all, _)| *all == size), "{size}");
    }
    assert_eq!((output.cold, output.accesses), (whole.cold, whole.accesses));

    let mut builder = SecondLevelBuilder::new(&machine(), options).unwrap();
    for access in trace.accesses_from(0) {
        builder.push(&access).unwrap();
    }
    let whole = builder.finish();
    let question = r#"{"what": "behind", "uses": {"pages": "4K", "kinds": ["load", "store"]}, "machine": MACHINE}"#;
    let Answer::SecondLevel(output) = ask(question, &trace) else { panic!("another answer") };
    assert!(output.misses.iter().all(|point| whole.misses.contains(point)));
    assert_eq!((output.cold, output.l1_misses), (whole.cold, whole.l1_misses));
}

/// Compares windows that end inside chunks and at their ends with accesses that are added one by one.
#[test]
fn curves_count_the_accesses_of_their_window() {
    let trace = trace();
    for window in [
        Window { skip: 0, warmup: 1000, limit: None },
        Window { skip: 70_000, warmup: 0, limit: Some(5) },
        Window { skip: 100, warmup: u64::from(CHUNK) - 100, limit: Some(u64::from(CHUNK) + 1) },
    ] {
        let json = serde_json::to_string(&window).unwrap();
        for kinds in [[false, true, true], [true; 3]] {
            let chosen = Chosen { kinds, ..Chosen::default() };
            let options = CurveOptions { chosen: chosen.clone(), sets: None };
            let mut curve = CurveBuilder::new(options.clone()).unwrap();
            let mut surface = SurfaceBuilder::new(chosen).unwrap();
            let mut builder = SecondLevelBuilder::new(&machine(), options).unwrap();
            let span = window.within(trace.len()).unwrap();
            let first = span.simulated.start;
            for (index, access) in (first..span.simulated.end).zip(trace.accesses_from(first)) {
                let counting = span.counted.contains(&index);
                curve.set_counting(counting);
                surface.set_counting(counting);
                builder.set_counting(counting);
                curve.push(&access);
                surface.push(&access);
                builder.push(&access).unwrap();
            }
            let fetch = if kinds[0] { r#""fetch", "# } else { "" };
            let ask = |rest: &str| {
                let uses = format!(r#"{{"pages": "4K", "kinds": [{fetch}"load", "store"]}}"#);
                ask(&format!(r#"{{"uses": {uses}, "window": {json}, {rest}}}"#), &trace)
            };
            let Answer::Curve(output) = ask(r#""what": "curve""#) else { panic!("another answer") };
            let whole = curve.finish();
            assert!(output.misses.iter().all(|point| whole.misses.contains(point)));
            assert_eq!(
                (output.accesses, output.translations),
                (whole.accesses, whole.translations)
            );
            assert_eq!((output.cold, output.misses.last()), (whole.cold, whole.misses.last()));
            assert_eq!(ask(r#""what": "surface""#), Answer::Surface(surface.finish()));
            let output = ask(r#""what": "behind", "machine": MACHINE"#);
            let Answer::SecondLevel(output) = output else { panic!("another answer") };
            let whole = builder.finish();
            assert!(output.misses.iter().all(|point| whole.misses.contains(point)));
            assert_eq!((output.cold, output.l1_misses), (whole.cold, whole.l1_misses));
            assert_eq!(
                (output.accesses, output.translations),
                (whole.accesses, whole.translations)
            );
        }
    }
}

#[test]
fn advice_in_slices_is_the_advice() {
    let trace = trace();
    let options = HugeOptions { most: 3, ..HugeOptions::default() };
    let advice = advise(&trace, &HugeSetup::from(&machine()), options).unwrap();
    assert!(!advice.picks.is_empty());
    let question =
        r#"{"what": "huge-pages", "machine": MACHINE, "pages": "4K", "huge": "2M", "most": 3}"#;
    assert_eq!(ask(question, &trace), Answer::HugePages(Box::new(advice)));
}

#[test]
fn invalid_questions_are_errors_with_their_field() {
    let trace = trace();
    for (question, field) in [
        (r#"{"what": "curve", "uses": {"pages": "4K", "kinds": []}}"#, "kinds"),
        (
            r#"{"what": "split", "uses": {"pages": "4K", "kinds": ["load"]}, "entries": 0}"#,
            "entries",
        ),
        (
            r#"{"what": "working-set", "uses": {"pages": "4K", "kinds": ["load"]}, "window": 0}"#,
            "window",
        ),
        (
            r#"{"what": "curve", "uses": {"pages": "4K", "kinds": ["load"]}, "window": {"limit": 0}}"#,
            "window.limit",
        ),
        (
            r#"{"what": "huge-pages", "machine": {}, "pages": "2M", "huge": "4K", "most": 1}"#,
            "huge",
        ),
    ] {
        let question: Question = parse_json(question).unwrap();
        let error = Analysis::new(&question, &trace).err().unwrap();
        assert_eq!(error.at.unwrap().to_string(), field);
    }
    assert!(parse_json::<Question>(r#"{"what": "why"}"#).is_err());
}
