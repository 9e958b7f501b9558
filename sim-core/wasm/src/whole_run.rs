//! A whole run of the current trace on a machine of its own: the replay is left where it is.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Run;
use pagewalk_base::error::{Error, ErrorCode};
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session, Setup, machine_for, span, strip_machine};

/// A run that was asked for, and the one that was done last.
#[derive(Default)]
pub(crate) struct WholeRun {
    setup: Setup,
    run: Option<Run>,
    /// What it reports, where that is known without it.
    told: Option<RunReport>,
    last: Option<Done>,
}

/// Of the current trace.
struct Done {
    setup: Setup,
    report: RunReport,
}

impl WholeRun {
    /// There is another trace. A run of the one before goes on.
    pub(crate) fn forget_last(&mut self) {
        self.last = None;
    }
}

/// Whether all is the same but the machine.
fn differ_in_machine(a: &Setup, b: &Setup) -> bool {
    (&a.os, a.cores, a.window) == (&b.os, b.cores, b.window)
}

#[wasm_bindgen]
impl Session {
    /// Starts a run of JSON `Setup`; gives the number of the first access that it simulates, and that of the first that it does not.
    /// Where only latencies are others than in the replay or in the run before, it is done at once.
    #[wasm_bindgen(js_name = beginWhole)]
    pub fn begin_whole(&mut self, setup: &str) -> JsResult<Vec<u32>> {
        let setup: Setup = parse_json(setup).map_err(strip_machine).map_err(error_to_js)?;
        let machine = machine_for(&setup, &self.trace).map_err(error_to_js)?;
        let span = span(setup.window, &self.trace).map_err(error_to_js)?;
        let simulated = span.simulated.clone();
        let told = self.told(&setup, &machine);
        let run = told.is_none().then(|| Run::counting(span, Rc::clone(&self.trace), machine));
        (self.whole_run.setup, self.whole_run.run, self.whole_run.told) = (setup, run, told);
        Ok(vec![simulated.start, simulated.end])
    }

    /// Runs at least `n` more accesses; true if the run is done.
    #[wasm_bindgen(js_name = wholeSlice)]
    pub fn whole_slice(&mut self, n: u32) -> JsResult<bool> {
        self.whole_run.run.as_mut().map_or(Ok(true), |run| run.go_on(n)).map_err(error_to_js)
    }

    #[wasm_bindgen(js_name = wholePosition)]
    pub fn whole_position(&self) -> u32 {
        self.whole_run.run.as_ref().map_or(0, Run::position)
    }

    /// Ends the run. JSON `RunReport` of what it counted.
    #[wasm_bindgen(js_name = finishWhole)]
    pub fn finish_whole(&mut self) -> JsResult<String> {
        let WholeRun { setup, run, told, last } = &mut self.whole_run;
        if let Some(report) = told.take() {
            return Ok(to_json(&report));
        }
        let nothing = || Error::new(ErrorCode::BadTrace, "no whole run is under way");
        let run = run.take().ok_or_else(|| error_to_js(nothing()))?;
        let report = run.report();
        let json = to_json(&report);
        // It may be of a trace that was open before.
        if run.is_done() && Rc::ptr_eq(run.trace(), &self.trace) {
            let setup = std::mem::take(setup);
            *last = Some(Done { setup, report });
        }
        Ok(json)
    }

    /// Forgets the run.
    #[wasm_bindgen(js_name = cancelWhole)]
    pub fn cancel_whole(&mut self) {
        (self.whole_run.run, self.whole_run.told) = (None, None);
    }
}

impl Session {
    /// What a run reports that differs from one which is done in latencies alone.
    fn told(&self, setup: &Setup, machine: &Machine) -> Option<RunReport> {
        let last =
            self.whole_run.last.as_ref().filter(|last| differ_in_machine(&last.setup, setup));
        let of_last =
            last.and_then(|last| last.report.at_latencies_of(machine, &last.setup.machine));
        of_last.or_else(|| {
            let is_done = self.replay.is_done() && differ_in_machine(&self.setup, setup);
            let report = is_done.then(|| self.replay.report())?;
            report.at_latencies_of(machine, &self.setup.machine)
        })
    }
}
