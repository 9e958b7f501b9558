//! Compares two machines on the current trace: two replays, and the accesses that differ.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk::record::event::MachineView;
use pagewalk::record::stats::RunReport;
use pagewalk::run::lockstep::{DifferenceSearch, Lockstep};
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk::run::search::Found;
use pagewalk_analysis::attribution::Attribution;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_replay_wasm::answer::{found, json};
use pagewalk_replay_wasm::{LongCall, Progress, Setup, State, span};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setups {
    left: Setup,
    right: Setup,
}

/// Sets up two machines in addition to that of the replay, and runs both. Returns a `PairView`.
pub(crate) fn open(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    state.pair = Err(Error::new(ErrorCode::BadTrace, "no machines are compared"));
    let Setups { left, right } = parse_json(args).map_err(without_side)?;
    let sides = [side(state, &left)?, side(state, &right)?];
    let machines = sides.each_ref().map(|side| MachineView::of(side.machine()));
    state.pair = Ok(sides);
    Ok(Box::new(Running { machines, done: 0 }))
}

fn side(state: &State, setup: &Setup) -> Result<Replay> {
    let machine = state.machine_for(setup)?;
    let span = span(setup.window, &state.trace)?;
    Ok(Replay::within(span, Rc::clone(&state.trace), machine, CHECKPOINT_BYTES))
}

/// Removes the prefixes of a field in an error, so that it is named as in the machine's file.
fn without_side(error: Error) -> Error {
    let at = error.at.map(|place| match place {
        Place::Field(field) => {
            let mut short = field.as_str();
            for prefix in ["left.", "right.", "machine."] {
                short = short.strip_prefix(prefix).unwrap_or(short);
            }
            Place::Field(short.to_owned())
        }
        other => other,
    });
    Error { at, ..error }
}

fn sides(state: &mut State) -> Result<&mut [Replay; 2]> {
    state.pair.as_mut().map_err(|error| error.clone())
}

struct Running {
    machines: [MachineView; 2],
    done: u64,
}

#[derive(Serialize)]
struct PairView {
    machines: [MachineView; 2],
    reports: [RunReport; 2],
}

impl LongCall for Running {
    fn slice(&mut self, state: &mut State, n: u32) -> Result<bool> {
        self.done += u64::from(n);
        let [left, right] = sides(state)?;
        let left_done = left.run(n)?;
        Ok(right.run(n)? && left_done)
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::accesses(self.done, None)
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        let reports = sides(state)?.each_ref().map(Replay::report);
        Ok(json(&PairView { machines: self.machines, reports }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seek {
    index: u32,
}

/// Goes to an access on both machines. Returns two `StepView`s; `null` if a machine does not simulate the
/// access.
pub(crate) fn seek(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Seek { index } = parse_json(args)?;
    Ok(json(&sides(state)?.each_mut().map(|side| side.seek(index))))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Find {
    index: u32,
    /// Positive = forward.
    direction: i32,
}

/// Searches for the nearest access that ends differently. Returns its number, or `null`.
pub(crate) fn find(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Find { index, direction } = parse_json(args)?;
    let [left, right] = sides(state)?;
    let search = DifferenceSearch::new(left, right, index, direction > 0);
    Ok(Box::new(Finding { search, found: Found::NotYet }))
}

struct Finding {
    search: DifferenceSearch,
    found: Found,
}

impl LongCall for Finding {
    fn slice(&mut self, state: &mut State, _: u32) -> Result<bool> {
        let [left, right] = sides(state)?;
        self.found = self.search.go_on(left, right);
        Ok(self.found != Found::NotYet)
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(found(self.found))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Compare {
    bins: u32,
}

/// Compares all accesses, and counts differences in columns. Returns a `LockstepView`.
pub(crate) fn compare(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Compare { bins } = parse_json(args)?;
    let [left, right] = sides(state)?;
    Ok(Box::new(Comparing(Lockstep::new(left, right, bins))))
}

struct Comparing(Lockstep);

impl LongCall for Comparing {
    fn slice(&mut self, state: &mut State, n: u32) -> Result<bool> {
        let [left, _] = sides(state)?;
        Ok(self.0.go_on(left.trace(), n))
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        Progress::accesses(self.0.position(), None)
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(self.0.view()))
    }
}

/// Counts the misses of both machines by region. Returns two `AttributionTable`s.
pub(crate) fn regions(state: &mut State, _: &str) -> Result<Box<dyn LongCall>> {
    Ok(Box::new(Counting(sides(state)?.each_ref().map(Attribution::new))))
}

struct Counting([Attribution; 2]);

impl LongCall for Counting {
    fn slice(&mut self, state: &mut State, n: u32) -> Result<bool> {
        let done = self.0.each_mut().map(|side| side.go_on(&state.trace, n));
        Ok(done == [true; 2])
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        Ok(json(&self.0.map(|side| side.view(&state.trace, &state.samples).regions)))
    }
}
