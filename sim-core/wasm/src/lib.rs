//! The boundary between the core and JavaScript: one class, JSON text for small
//! results, typed arrays for columns, and plain objects `{code, message, at}` for errors.
//!
//! Long tasks go in slices (`begin…`, `…Slice`): the caller has the clock.

#[cfg(feature = "whole")]
mod analysing;
mod convert;
#[cfg(feature = "whole")]
mod attributing;
#[cfg(feature = "whole")]
mod experiments;
#[cfg(feature = "whole")]
mod exporting;
#[cfg(feature = "whole")]
mod importing;
#[cfg(feature = "whole")]
mod measuring;
#[cfg(feature = "whole")]
mod pairs;
mod saving;
#[cfg(feature = "whole")]
mod surveys;
#[cfg(feature = "whole")]
mod sweeping;
#[cfg(feature = "whole")]
mod whole_run;
#[cfg(feature = "whole")]
mod workloads;

use std::ops::Range;
use std::rc::Rc;

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::machine::structures::StructureId;
use pagewalk::os::OsConfig;
use pagewalk::record::event::MachineView;
use pagewalk::record::snapshot::Columns;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk::run::search::{Found, Search};
use pagewalk::run::window::{Span, Window};
#[cfg(feature = "whole")]
use pagewalk_analysis::attribution::Attribution;
use pagewalk_analysis::overview::Timeline;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode};
#[cfg(feature = "whole")]
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::Trace;
use pagewalk_base::trace::saved::Saver;
#[cfg(feature = "whole")]
use pagewalk_experiments::experiment::ExperimentRun;
use pagewalk_sources::import::ImportReport;
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use convert::{columns_to_js, error_to_js, timeline_to_js, to_json};

type JsResult<T> = Result<T, JsValue>;

/// Memory that a trace may take: browsers give a module up to 4 GB, of which the
/// machines and checkpoints need a part.
const MAX_TRACE_BYTES: usize = 1 << 30;
/// Memory that the samples beside a trace may take.
#[cfg(feature = "whole")]
const MAX_SAMPLES_BYTES: usize = 1 << 30;

#[wasm_bindgen]
extern "C" {
    /// Set by the worker before the module starts: a trap alone carries no message.
    #[wasm_bindgen(js_namespace = globalThis, js_name = __pagewalkPanic)]
    fn report_panic(message: &str);
}

#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| report_panic(&info.to_string())));
}

/// What `configure` reads.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    machine: MachineConfig,
    #[serde(default)]
    os: OsConfig,
    /// What has a core of its own.
    #[serde(default)]
    cores: Cores,
    #[serde(default)]
    window: Window,
}

/// A trace, a machine, and the tasks under way on them.
#[wasm_bindgen]
pub struct Session {
    #[cfg(feature = "whole")]
    import: Option<importing::Import>,
    #[cfg(feature = "whole")]
    export: Option<exporting::Export>,
    trace: Rc<Trace>,
    /// What a recording of samples tells beside it; none of any other trace.
    #[cfg(feature = "whole")]
    samples: Rc<Samples>,
    /// What is known of where the trace is from.
    report: ImportReport,
    setup: Setup,
    /// Of the setup, for the trace: what is known of its memory decides how it is mapped.
    machine: Machine,
    replay: Replay,
    search: Option<Search>,
    timeline: Option<Timeline>,
    #[cfg(feature = "whole")]
    attribution: Option<Attribution>,
    #[cfg(feature = "whole")]
    generation: Option<workloads::Generation>,
    #[cfg(feature = "whole")]
    experiment: Option<ExperimentRun>,
    #[cfg(feature = "whole")]
    survey: Option<surveys::SurveyTask>,
    #[cfg(feature = "whole")]
    whole_run: whole_run::WholeRun,
    #[cfg(feature = "whole")]
    row_task: Option<sweeping::RowTask>,
    #[cfg(feature = "whole")]
    pair: Option<pairs::Pair>,
    saver: Option<Saver>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

#[wasm_bindgen]
impl Session {
    /// An empty trace on the default machine.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        let machine = Machine::new(&MachineConfig::default(), &OsConfig::default())
            .expect("the default is valid");
        let trace = Rc::new(Trace::default());
        let replay = Replay::new(Rc::clone(&trace), machine.clone(), CHECKPOINT_BYTES);
        Self {
            #[cfg(feature = "whole")]
            import: None,
            #[cfg(feature = "whole")]
            export: None,
            trace,
            #[cfg(feature = "whole")]
            samples: Rc::default(),
            report: ImportReport::default(),
            setup: Setup::default(),
            machine,
            replay,
            search: None,
            timeline: None,
            #[cfg(feature = "whole")]
            attribution: None,
            #[cfg(feature = "whole")]
            generation: None,
            #[cfg(feature = "whole")]
            experiment: None,
            #[cfg(feature = "whole")]
            survey: None,
            #[cfg(feature = "whole")]
            whole_run: whole_run::WholeRun::default(),
            #[cfg(feature = "whole")]
            row_task: None,
            #[cfg(feature = "whole")]
            pair: None,
            saver: None,
        }
    }

    /// The CPU models, as JSON.
    pub fn cpus() -> JsResult<String> {
        let models = pagewalk::config::cpu::models().map_err(error_to_js)?;
        Ok(to_json(&models))
    }

    /// Sets machine and operating system from JSON `Setup`; on failure the old ones stay. JSON `MachineView`.
    pub fn configure(&mut self, setup: &str) -> JsResult<String> {
        let setup: Setup = parse_json(setup).map_err(strip_machine).map_err(error_to_js)?;
        self.machine = machine_for(&setup, &self.trace).map_err(error_to_js)?;
        self.setup = setup;
        self.restart();
        Ok(to_json(&MachineView::of(&self.machine)))
    }

    /// Starts the trace over on the machine, or the window of it that is configured.
    #[wasm_bindgen(js_name = beginRun)]
    pub fn begin_run(&mut self) -> JsResult<()> {
        span(self.setup.window, &self.trace).map_err(error_to_js)?;
        self.restart();
        Ok(())
    }

    /// Runs at least `n` more accesses; true if the trace is done.
    #[wasm_bindgen(js_name = runSlice)]
    pub fn run_slice(&mut self, n: u32) -> JsResult<bool> {
        self.replay.run(n).map_err(error_to_js)
    }

    #[wasm_bindgen(js_name = runPosition)]
    pub fn run_position(&self) -> u32 {
        self.replay.position()
    }

    /// JSON `RunReport` of the accesses run so far.
    pub fn report(&self) -> String {
        to_json(&self.replay.report())
    }

    /// Goes to an access; JSON `StepView`.
    pub fn seek(&mut self, index: u32) -> JsResult<String> {
        let step = self.replay.seek(index).ok_or_else(|| {
            let Range { start, end } = self.replay.span().simulated;
            let message =
                format!("no access {index} is simulated, but those from {start} to before {end}");
            error_to_js(Error::new(ErrorCode::BadTrace, message))
        })?;
        match self.replay.machine().failure() {
            Some(failure) => Err(error_to_js(failure.clone())),
            None => Ok(to_json(&step)),
        }
    }

    /// The contents of a structure where the last seek went: an object of typed arrays. `core`: the trace's
    /// number of a thread or processor that has a core of its own; without it the core of the access.
    pub fn columns(&self, structure: usize, core: Option<u32>) -> JsResult<JsValue> {
        let machine = self.replay.machine();
        let columns = match core {
            Some(core) => Columns::of_core(machine, core, StructureId(structure)),
            None => Columns::of(machine, StructureId(structure)),
        };
        let columns = columns.ok_or_else(|| {
            let of = core.map(|core| format!(" on core {core}")).unwrap_or_default();
            let message = format!("the machine has no structure {structure}{of}");
            error_to_js(Error::new(ErrorCode::BadConfig, message))
        })?;
        Ok(columns_to_js(&columns))
    }

    /// Starts a jump from access `index`, forward if `direction` is positive, to JSON `Target`.
    #[wasm_bindgen(js_name = beginFind)]
    pub fn begin_find(&mut self, index: u32, direction: i32, target: &str) -> JsResult<()> {
        let target = parse_json(target).map_err(error_to_js)?;
        self.search = Some(Search::new(&self.replay, index, direction > 0, target));
        Ok(())
    }

    /// `undefined` = not found yet, `null` = there is none, else its number.
    #[wasm_bindgen(js_name = findSlice)]
    pub fn find_slice(&mut self) -> JsValue {
        let found =
            self.search.as_mut().map_or(Found::Nothing, |search| search.go_on(&self.replay));
        match found {
            Found::NotYet => JsValue::UNDEFINED,
            Found::Nothing => JsValue::NULL,
            Found::At(index) => JsValue::from(index),
        }
    }

    /// `filter`: JSON `Filter`, of the accesses that are shown; without it all are.
    #[wasm_bindgen(js_name = beginTimeline)]
    pub fn begin_timeline(
        &mut self,
        from: u32,
        to: u32,
        bins: u32,
        rows: u32,
        filter: Option<String>,
    ) -> JsResult<()> {
        let timeline = Timeline::new(&self.replay, from, to, bins, rows);
        let filter = filter.map(|json| parse_json(&json)).transpose().map_err(error_to_js)?;
        self.timeline = Some(match filter {
            Some(filter) => timeline.only(filter),
            None => timeline,
        });
        Ok(())
    }

    /// Counts at least `n` more accesses; true if the window is done.
    #[wasm_bindgen(js_name = timelineSlice)]
    pub fn timeline_slice(&mut self, n: u32) -> bool {
        self.timeline.as_mut().is_none_or(|timeline| timeline.go_on(&self.trace, n))
    }

    /// The timeline as far as it is counted: `{view, translations, …}`.
    pub fn timeline(&self) -> JsValue {
        self.timeline.as_ref().map_or(JsValue::NULL, timeline_to_js)
    }

    /// Traps, so that recovery can be tested.
    pub fn crash(&self) {
        panic!("crashed on request");
    }

    /// Bytes of the checkpoints laid so far.
    #[wasm_bindgen(js_name = checkpointBytes)]
    pub fn checkpoint_bytes(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let bytes = self.replay.checkpoint_bytes() as f64;
        bytes
    }

    /// Makes a trace the current one.
    fn take(&mut self, trace: Trace, report: ImportReport) -> Result<(), Error> {
        self.machine = machine_for(&self.setup, &trace)?;
        self.trace = Rc::new(trace);
        #[cfg(feature = "whole")]
        {
            self.samples = Rc::default();
        }
        self.report = report;
        self.saver = None;
        #[cfg(feature = "whole")]
        {
            self.pair = None;
            self.whole_run.forget_last();
        }
        self.restart();
        Ok(())
    }

    fn restart(&mut self) {
        self.search = None;
        self.timeline = None;
        #[cfg(feature = "whole")]
        {
            self.attribution = None;
        }
        let span = span(self.setup.window, &self.trace);
        let span = span.unwrap_or_else(|_| Span::whole(self.trace.len()));
        let (trace, machine) = (Rc::clone(&self.trace), self.machine.clone());
        self.replay = Replay::within(span, trace, machine, CHECKPOINT_BYTES);
    }
}

/// What benches measure by.
#[wasm_bindgen]
impl Session {
    /// Runs the whole trace at once, from the start, without checkpoints.
    #[wasm_bindgen(js_name = runThrough)]
    pub fn run_through(&self) -> String {
        let mut machine = self.machine.clone();
        let mut stats = pagewalk::record::stats::Stats::default();
        pagewalk::run::replay::advance(&mut machine, &self.trace, 0, self.trace.len(), &mut stats);
        let mut report = stats.report(&machine, self.trace.completeness);
        report.trace.part = self.trace.part;
        to_json(&report)
    }

    /// `[accesses, page runs, retained bytes]`.
    #[wasm_bindgen(js_name = traceSize)]
    pub fn trace_size(&self) -> Vec<f64> {
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let sizes = [u64::from(self.trace.len()), self.trace.n_runs(), self.trace.bytes() as u64]
            .map(|n| n as f64);
        sizes.to_vec()
    }
}

fn machine_for(setup: &Setup, trace: &Trace) -> Result<Machine, Error> {
    let machine = Machine::with_map(&setup.machine, &setup.os, &memory_map(trace))?;
    Ok(machine.with_cores(setup.cores))
}

/// The window on a trace; errors are at fields of `window`.
fn span(window: Window, trace: &Trace) -> Result<Span, Error> {
    window.within(trace.len()).map_err(|error| error.within("window"))
}

/// Errors name fields of the machine as the configuration file does, without `machine.`.
fn strip_machine(error: Error) -> Error {
    use pagewalk_base::error::Place;
    let at = match error.at {
        Some(Place::Field(field)) => {
            let short = field.strip_prefix("machine.").map(str::to_owned);
            Some(Place::Field(short.unwrap_or(field)))
        }
        other => other,
    };
    Error { at, ..error }
}
