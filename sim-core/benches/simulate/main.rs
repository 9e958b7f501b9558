//! Times the native core. `npm run bench` starts this program and makes a table of its JSON lines.
//!
//! ```text
//! simulate measure REPETITIONS [LACKEY-TRACE]     times everything, one line for each part
//! simulate repeat SOURCE TARGET ACCESSES          writes a trace's accesses over and over, as lackey text
//! ```

mod careful;
mod plain;
mod repeat;

use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::rc::Rc;
use std::time::{Duration, Instant};

use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay, advance};
use pagewalk_base::trace::{Trace, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};
use pagewalk_sources::workload::{Generator, generator};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The machine of most measurements. The wasm module is timed on the same machine.
const MACHINE: &str = include_str!("machine.json");
/// The CPU model for nested walks and for the whole memory model, in the wasm module too.
const MODEL: &str = "intel-skylake-sp";
/// The mapping of the nested measurements: guest and host use 4K pages.
const NESTED: &str = r#"{"virt": "ept"}"#;
/// The number of loads of a generated trace.
const N_LOADS: &str = "10000000";
/// The size in bytes of the array that these loads read.
const FOOTPRINT: &str = "1G";
const STRIDE: &str = "64";
/// The size in bytes of the pieces that are imported.
const PIECE: usize = 256 << 10;
/// The number of accesses in one slice of a run that makes checkpoints.
const SLICE: u32 = 1 << 20;
/// The shortest time of a measurement. Short runs are repeated for that long, so that other load on the machine
/// disturbs at least one of them less.
const LEAST: Duration = Duration::from_millis(1500);
const N_SEEKS: u32 = 100;

fn main() -> Outcome<()> {
    // Cargo adds the argument `--bench`.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => measure(5, None),
        ["measure", repetitions] => measure(repetitions.parse()?, None),
        ["measure", repetitions, path] => measure(repetitions.parse()?, Some(path)),
        ["repeat", source, target, accesses] => repeat::repeat(source, target, accesses.parse()?),
        _ => {
            Err("usage: simulate measure REPETITIONS [TRACE] | repeat SOURCE TARGET ACCESSES"
                .into())
        }
    }
}

fn measure(repetitions: u32, path: Option<&str>) -> Outcome<()> {
    let plain = Machine::new(&MachineConfig::parse(MACHINE)?, &OsConfig::default())?;
    let strided = measure_trace(
        "a",
        generate(loads("strided", &[("stride", STRIDE)])?)?,
        &plain,
        repetitions,
    )?;
    measure_careful("a", &strided, repetitions)?;
    let uniform = Rc::new(generate(loads("uniform", &[])?)?);
    let on_plain = measure_shared("b", &uniform, &plain, repetitions)?;
    measure_careful("b", &on_plain, repetitions)?;
    drop(on_plain);
    let model = pagewalk::config::cpu::model(MODEL)?.machine;
    let mut no_data = model.clone();
    no_data.memory.data = false;
    let nested = Machine::new(&no_data, &serde_json::from_str(NESTED)?)?;
    measure_shared("n", &uniform, &nested, repetitions)?;
    let guest = Machine::new(&model, &serde_json::from_str(NESTED)?)?;
    measure_shared("e", &uniform, &guest, repetitions)?;
    let whole = Machine::new(&model, &OsConfig::default())?;
    let mut replay = measure_shared("m", &uniform, &whole, repetitions)?;
    let mut seeks = json!({ "m": measure_seeks(&mut replay)? });
    if let Some(path) = path {
        let text = std::fs::read(path)?;
        let trace = measure_import(&text, repetitions)?;
        drop(text);
        let mut replay = measure_trace("c", trace, &plain, repetitions)?;
        seeks["c"] = measure_seeks(&mut replay)?;
        measure_careful("c", &replay, repetitions)?;
        measure_shared("d", replay.trace(), &whole, repetitions)?;
    }
    print(&json!({ "seeksMs": seeks }))
}

/// Returns the seconds of the fastest of several runs of `work`. Each run gets a new result of `prepare`. All runs
/// together take at least [`LEAST`].
fn best<P, T>(repetitions: u32, prepare: impl Fn() -> P, mut work: impl FnMut(P) -> T) -> f64 {
    let begin = Instant::now();
    let mut best = f64::INFINITY;
    let mut n = 0;
    while n < repetitions || begin.elapsed() < LEAST {
        n += 1;
        let prepared = prepare();
        let start = Instant::now();
        black_box(work(prepared));
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// Generates loads of 8 bytes over [`FOOTPRINT`] bytes.
fn loads(workload: &str, params: &[(&str, &str)]) -> pagewalk_base::error::Result<Generator> {
    let common = [("accesses", N_LOADS), ("bytes", FOOTPRINT), ("base", "0x7f0000000000")];
    let pairs = common.iter().chain(params);
    let given: Vec<_> =
        pairs.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    generator(workload, &given)
}

fn generate(mut generator: Generator) -> pagewalk_base::error::Result<Trace> {
    let mut builder = TraceBuilder::default();
    generator.pass(generator.n_left(), |accesses| builder.push_all(accesses))?;
    builder.finish(pagewalk_base::trace::Completeness::Complete)
}

/// Times runs of the whole trace with all counters. Then makes the checkpoints of a replay, which is returned.
fn measure_trace(name: &str, trace: Trace, machine: &Machine, repetitions: u32) -> Outcome<Replay> {
    measure_shared(name, &Rc::new(trace), machine, repetitions)
}

fn measure_shared(
    name: &str,
    trace: &Rc<Trace>,
    machine: &Machine,
    repetitions: u32,
) -> Outcome<Replay> {
    let mut report = None;
    let fresh = || (machine.clone(), Stats::default());
    let seconds = best(repetitions, fresh, |(mut machine, mut stats)| {
        advance(&mut machine, trace, 0, trace.len(), &mut stats);
        report = Some(stats.report(&machine, trace.completeness));
    });
    let plain_seconds = plain::seconds(trace, repetitions);
    let bytes = trace.bytes();
    let mut replay = Replay::new(Rc::clone(trace), machine.clone(), CHECKPOINT_BYTES);
    while !replay.run(SLICE)? {}
    print(&json!({
        "trace": name,
        "accesses": trace.len(),
        "runs": trace.n_runs(),
        "bytes": bytes,
        "seconds": seconds,
        "plainSeconds": plain_seconds,
        "checkpointBytes": replay.checkpoint_bytes(),
        "report": report,
    }))?;
    Ok(replay)
}

/// Times the loop of a careful programmer on the trace of a replay that was run, and compares its counts with those of the
/// simulator.
fn measure_careful(name: &str, replay: &Replay, repetitions: u32) -> Outcome<()> {
    let walks = replay.report().walks;
    let ours = careful::Counts { walks: walks.walks, refs: walks.refs };
    let (seconds, theirs) = careful::seconds(replay.trace(), repetitions);
    if ours != theirs {
        return Err(format!(
            "({name}): the simulator counts {ours:?}, the careful loop {theirs:?}"
        )
        .into());
    }
    print(&json!({ "careful": name, "seconds": seconds }))
}

/// Times the import of a text to a stored trace, which is returned.
fn measure_import(text: &[u8], repetitions: u32) -> Outcome<Trace> {
    let mut trace = import(text)?;
    let mut failure = None;
    let seconds = best(
        repetitions,
        || (),
        |()| match import(text) {
            Ok(imported) => trace = imported,
            Err(error) => failure = Some(error),
        },
    );
    failure.map_or(Ok(()), Err)?;
    print(&json!({ "import": "c", "bytes": text.len(), "seconds": seconds }))?;
    Ok(trace)
}

fn import(text: &[u8]) -> pagewalk_base::error::Result<Trace> {
    let mut importer = Importer::new(ImportOptions::default())?;
    let mut builder = TraceBuilder::default();
    for piece in text.chunks(PIECE) {
        importer.push(piece, &mut builder)?;
    }
    let report = importer.finish(&mut builder)?;
    builder.finish(report.completeness)
}

/// Returns the milliseconds of each of [`N_SEEKS`] jumps in a trace that was run.
fn measure_seeks(replay: &mut Replay) -> Outcome<Value> {
    let n = u64::from(replay.trace().len());
    let mut seeks_ms = Vec::new();
    for number in 1..=N_SEEKS {
        // The multiples of 2³² / golden ratio are spread evenly, in no order.
        let fraction = u64::from(number.wrapping_mul(2_654_435_761));
        let index = u32::try_from((fraction * n) >> 32)?;
        let start = Instant::now();
        let step = replay.seek(index);
        seeks_ms.push(start.elapsed().as_secs_f64() * 1000.0);
        black_box(step.ok_or("a seek led outside the trace")?);
    }
    Ok(json!(seeks_ms))
}

fn print(line: &Value) -> Outcome<()> {
    writeln!(io::stdout(), "{line}")?;
    Ok(())
}
