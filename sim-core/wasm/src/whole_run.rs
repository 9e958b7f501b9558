//! A whole run of the current trace on a machine of its own: the replay stays where it is.

use std::rc::Rc;

use pagewalk::machine::Machine;
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Run;
use pagewalk_base::error::Result;
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{Finished, Progress, Setup, State, Work, machine_for, read_setup, span};
use wasm_bindgen::JsValue;

use crate::sweeping::progress_of;

/// Runs the trace that is open now on `Setup`. `RunReport`.
///
/// It is done at once where only latencies differ from those of the replay, or of the whole run before.
pub(crate) fn run_whole(state: &mut State, args: &str) -> Result<Box<dyn Work>> {
    let setup = read_setup(args)?;
    let machine = machine_for(&setup, &state.trace)?;
    let span = span(setup.window, &state.trace)?;
    if let Some(report) = known(state, &setup, &machine) {
        return Ok(Box::new(Known(report)));
    }
    let run = Run::counting(span, Rc::clone(&state.trace), machine);
    Ok(Box::new(Running { setup, run }))
}

/// The report, where it differs in latencies alone from one that is there.
fn known(state: &State, setup: &Setup, machine: &Machine) -> Option<RunReport> {
    let last = state.last_run.as_ref().filter(|last| differ_in_machine(&last.setup, setup));
    let of_last = last.and_then(|last| last.report.at_latencies_of(machine, &last.setup.machine));
    of_last.or_else(|| {
        let is_done = state.replay.is_done() && differ_in_machine(&state.setup, setup);
        let report = is_done.then(|| state.replay.report())?;
        report.at_latencies_of(machine, &state.setup.machine)
    })
}

/// Whether all is the same but the machine.
fn differ_in_machine(a: &Setup, b: &Setup) -> bool {
    (&a.os, a.cores, a.window) == (&b.os, b.cores, b.window)
}

struct Known(RunReport);

impl Work for Known {
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

impl Work for Running {
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
        // The run may be of a trace that was open before.
        if run.is_done() && Rc::ptr_eq(run.trace(), &state.trace) {
            state.last_run = Some(Finished { setup, report });
        }
        Ok(answer)
    }
}
