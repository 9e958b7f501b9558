//! The calls of a replay: models, machine, run, seek, find and timeline.

use std::ops::Range;

use pagewalk::config::cpu;
use pagewalk::config::parse_json;
use pagewalk::machine::structures::StructureId;
use pagewalk::record::event::MachineView;
use pagewalk::record::snapshot::Columns;
use pagewalk::run::search::{Found, Search, Target};
use pagewalk_analysis::attribution::Filter;
use pagewalk_analysis::overview::Timeline;
use pagewalk_base::error::{Error, ErrorCode, Result};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use crate::answer::{self, json};
use crate::state::{State, read_setup, span};
use crate::task::{LongCall, Progress};

/// Returns all CPU models: `CpuModel[]`.
pub(crate) fn cpus(_: &mut State, _: &str, _: &[u8]) -> Result<JsValue> {
    Ok(json(&cpu::models()?))
}

/// Sets the machine and the operating system from a `Setup`. After an error the old ones stay. Returns a
/// `MachineView`.
pub(crate) fn configure(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    state.configure(read_setup(args)?)?;
    Ok(json(&MachineView::of(state.machine())))
}

/// Panics, so that tests can check the recovery.
pub(crate) fn crash(_: &mut State, _: &str, _: &[u8]) -> Result<JsValue> {
    panic!("crashed on request");
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seek {
    index: u32,
    /// The core to show, as the number of its thread or processor in the trace; missing = the core of the
    /// access.
    core: Option<u32>,
}

#[derive(Serialize)]
struct Seen<T> {
    step: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    core: Option<u32>,
}

/// Goes to an access. Returns `{step, core}` with the columns of each structure.
pub(crate) fn seek(state: &mut State, args: &str, _: &[u8]) -> Result<JsValue> {
    let Seek { index, core } = parse_json(args)?;
    let replay = &mut state.replay;
    let step = replay.seek(index).ok_or_else(|| {
        let Range { start, end } = replay.span().simulated;
        let message =
            format!("no access {index} is simulated, but those from {start} to before {end}");
        Error::new(ErrorCode::BadTrace, message)
    })?;
    if let Some(failure) = replay.failure() {
        return Err(failure);
    }
    let machine = replay.machine();
    let mut structures = Vec::new();
    for structure in 0..MachineView::of(machine).structures.len() {
        let columns = match core {
            Some(core) => Columns::of_core(machine, core, StructureId(structure)),
            None => Columns::of(machine, StructureId(structure)),
        };
        structures.push(columns.ok_or_else(|| {
            let of = core.map(|core| format!(" on core {core}")).unwrap_or_default();
            let message = format!("the machine has no structure {structure}{of}");
            Error::new(ErrorCode::BadConfig, message)
        })?);
    }
    Ok(answer::snapshot(&Seen { step, core }, &structures))
}

/// Runs the configured window of the trace from its start. Returns a `RunReport`.
pub(crate) fn run(state: &mut State, _: &str) -> Result<Box<dyn LongCall>> {
    span(state.setup.window, &state.trace)?;
    state.restart();
    Ok(Box::new(Running))
}

struct Running;

impl LongCall for Running {
    fn slice(&mut self, state: &mut State, n: u32) -> Result<bool> {
        state.replay.run(n)
    }

    fn progress(&self, state: &State) -> Option<Progress> {
        Progress::accesses(state.replay.position(), None)
    }

    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue> {
        Ok(json(&state.replay.report()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Find {
    index: u32,
    /// Positive = forward.
    direction: i32,
    target: Target,
}

/// Searches for the nearest access of a kind. Returns its number, or `null`.
pub(crate) fn find(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Find { index, direction, target } = parse_json(args)?;
    let search = Search::new(&state.replay, index, direction > 0, target);
    Ok(Box::new(Finding { search, found: Found::NotYet }))
}

struct Finding {
    search: Search,
    found: Found,
}

impl LongCall for Finding {
    fn slice(&mut self, state: &mut State, _: u32) -> Result<bool> {
        self.found = self.search.go_on(&state.replay);
        Ok(self.found != Found::NotYet)
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(answer::found(self.found))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    from: u32,
    to: u32,
    bins: u32,
    rows: u32,
    /// The filter of the accesses that are shown; missing = all.
    only: Option<Filter>,
}

/// Counts a window of the trace in columns and rows. Returns `{view}` with the columns.
pub(crate) fn timeline(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Window { from, to, bins, rows, only } = parse_json(args)?;
    let timeline = Timeline::new(&state.replay, from, to, bins, rows);
    let timeline = match only {
        Some(filter) => timeline.only(filter),
        None => timeline,
    };
    Ok(Box::new(Counting { timeline }))
}

struct Counting {
    timeline: Timeline,
}

impl LongCall for Counting {
    fn slice(&mut self, state: &mut State, n: u32) -> Result<bool> {
        Ok(self.timeline.go_on(&state.trace, n))
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(answer::timeline(&self.timeline))
    }
}
