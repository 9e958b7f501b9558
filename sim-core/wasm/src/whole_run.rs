//! Runs the whole current trace on another machine. The replay does not change.

use std::rc::Rc;

use pagewalk::machine::Machine;
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Run;
use pagewalk_base::error::Result;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{Finished, LongCall, Progress, Setup, State, read_setup, span};
use wasm_bindgen::JsValue;

use crate::sweeping::progress_of;

/// Runs the current trace on a `Setup`. Returns a `RunReport`.
///
/// If the setup differs only in latencies from the replay, or from the previous whole run, the report is
/// computed without a run.
pub(crate) fn run_whole(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let setup = read_setup(args)?;
    let machine = state.machine_for(&setup)?;
    let span = span(setup.window, &state.trace)?;
    if let Some(report) = report_without_run(state, &setup, &machine) {
        return Ok(Box::new(Computed(report)));
    }
    let run = Run::new(span, Rc::clone(&state.trace), machine);
    Ok(Box::new(Running { setup, run }))
}

/// Returns the report without a run, if the setup differs only in latencies from a completed run.
fn report_without_run(state: &State, setup: &Setup, machine: &Machine) -> Option<RunReport> {
    let last = state.last_run.as_ref().filter(|last| differ_in_machine_only(&last.setup, setup));
    let of_last = last.and_then(|last| last.report.at_latencies_of(machine, &last.setup.machine));
    of_last.or_else(|| {
        let is_done = state.replay.is_done() && differ_in_machine_only(&state.setup, setup);
        let report = is_done.then(|| state.replay.report())?;
        report.at_latencies_of(machine, &state.setup.machine)
    })
}

/// Returns whether two setups are equal except for the machine.
fn differ_in_machine_only(a: &Setup, b: &Setup) -> bool {
    (&a.os, a.cores, a.window) == (&b.os, b.cores, b.window)
}

struct Computed(RunReport);

impl LongCall for Computed {
    fn slice(&mut self, _: &mut State, _: u32) -> Result<bool> {
        Ok(true)
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(&self.0))
    }
}

struct Running {
    setup: Setup,
    run: Run,
}

impl LongCall for Running {
    fn slice(&mut self, _: &mut State, n: u32) -> Result<bool> {
        self.run.go_on(n)
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        progress_of(&self.run)
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        let Self { setup, run } = *self;
        let report = run.report();
        let answer = json(&report);
        // Another trace may have been opened since the run started. Then the run is not kept.
        if run.is_done() && Rc::ptr_eq(run.trace(), &state.trace) {
            state.last_run = Some(Finished { setup, report });
        }
        Ok(answer)
    }
}
