//! `--skip`, `--warmup` and `--limit` against the core, access by access.

use std::io::Read as _;
use std::path::Path;
use std::rc::Rc;

use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::advance;
use pagewalk_base::trace::saved::Saver;
use pagewalk_base::trace::{Trace, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};
use serde_json::Value;

use crate::support::{fixtures, json, printed as printed_text, recorded};

const TRACE: &str = "sort20k.mid.txt.xz";

fn trace() -> Trace {
    let mut bytes = Vec::new();
    std::fs::File::open(recorded(TRACE)).unwrap().read_to_end(&mut bytes).unwrap();
    let mut builder = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(&bytes, &mut builder).unwrap();
    let report = importer.finish(&mut builder).unwrap();
    builder.finish(report.completeness).unwrap()
}

/// Runs the stored trace. Repeated accesses to a page are counted without simulating them.
fn expected(trace: &Trace, skip: u32, warmup: u32, limit: u32) -> Value {
    let text = std::fs::read_to_string(fixtures().join("tiny.json")).unwrap();
    let config = MachineConfig::parse(&text).unwrap();
    let mut machine = Machine::new(&config, &OsConfig::default()).unwrap();
    let mut stats = Stats::default();
    let [from, to] = [skip + warmup, skip.saturating_add(warmup).saturating_add(limit)];
    let [skip, from, to] = [skip, from, to].map(|at| at.min(trace.len()));
    advance(&mut machine, trace, skip, from, &mut ());
    advance(&mut machine, trace, from, to, &mut stats);
    let mut report = stats.report(&machine, trace.completeness);
    report.trace.part = from > 0 || to < trace.len();
    serde_json::to_value(report).unwrap()
}

fn printed(options: &str) -> Value {
    let mut run =
        json(&format!("run --machine tiny.json --json --trace {} {options}", recorded(TRACE)));
    let fields = run.as_object_mut().unwrap();
    fields.remove("skipped");
    fields.remove("warnings");
    run
}

#[test]
fn a_window_counts_what_the_core_counts() {
    let trace = trace();
    assert_eq!(printed(""), expected(&trace, 0, 0, u32::MAX));
    for (skip, warmup, limit) in [
        (0, 0, 1),
        (0, 0, 131_072),
        (1, 0, 200_000),
        (7, 131_065, 131_073),
        (300_000, 5, 999_999),
        (500_778, 0, 5),
    ] {
        let options = format!("--skip {skip} --warmup {warmup} --limit {limit}");
        assert_eq!(printed(&options), expected(&trace, skip, warmup, limit), "{options}");
    }
}

#[test]
fn a_warm_part_and_the_rest_make_the_whole() {
    let walks = |options: &str| printed(options)["walks"]["refs"].as_u64().unwrap();
    assert_eq!(walks("--limit 200000") + walks("--warmup 200000"), walks(""));
}

/// Saves `walk.lackey` up to a limit. The trace is partial, although it has no selection.
fn saved_part() -> String {
    let bytes = std::fs::read(fixtures().join("walk.lackey")).unwrap();
    let mut builder = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions { limit: 4, ..Default::default() }).unwrap();
    importer.push(&bytes, &mut builder).unwrap();
    let report = importer.finish(&mut builder).unwrap();
    let trace = builder.finish(report.completeness).unwrap();
    let mut saver = Saver::new(Rc::new(trace), serde_json::to_string(&report).unwrap());
    let parts = std::iter::from_fn(|| saver.next_part());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("part.pagewalk");
    std::fs::write(&path, parts.collect::<Vec<_>>().concat()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn what_is_of_a_part_of_the_file_says_so_with_every_number() {
    let saved = saved_part();
    let of = |line: &str| {
        let value = json(&format!("{line} --json"));
        let place = if line.starts_with("run") { &value["trace"] } else { &value };
        assert_eq!(place["completeness"], "complete", "{line}");
        place["part"].clone()
    };
    let run = "run --machine tiny.json";
    let mapped = "run --cpu intel-skylake --pages hugetext";
    let huge = "huge --machine tiny.json";
    let uniform = "--workload uniform --param accesses=9";
    for command in [run, mapped, "curve", "curve --surface", "curve --entries 4", "phases", huge] {
        for source in ["--trace walk.lackey", uniform] {
            assert_eq!(of(&format!("{command} {source}")), Value::Null, "{command}");
            assert_eq!(of(&format!("{command} {source} --limit 9")), Value::Null, "{command}");
            assert_eq!(of(&format!("{command} {source} --limit 8")), true, "{command} {source}");
        }
        assert_eq!(of(&format!("{command} --trace walk.lackey --every 1:2")), true, "{command}");
        assert_eq!(of(&format!("{command} --trace {saved}")), true, "{command}");
    }
    for command in [run, mapped, "curve"] {
        for window in ["--skip 1", "--warmup 1"] {
            assert_eq!(of(&format!("{command} --trace walk.lackey {window}")), true, "{command}");
        }
    }
    let text = printed_text(&format!("{run} --trace {saved}"));
    assert!(text.contains("\nTrace partial\n"), "{text}");
}
