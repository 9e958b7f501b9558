//! Writes the current trace as a file, in parts: in Pagewalk's own format, or as text for other programs.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_base::samples::sections;
use pagewalk_base::trace::Trace;
use pagewalk_base::trace::saved::Saver;
use pagewalk_replay_wasm::answer::{json, to_json};
use pagewalk_replay_wasm::{LongCall, Progress, State, Unit};
use pagewalk_sources::export::{ExportFormat, Exporter};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// Saves the trace with its samples and the report of its import. Returns `{hash}`, a hash of the contents.
pub(crate) fn save(state: &mut State, _: &str) -> Result<Box<dyn LongCall>> {
    let saver = Saver::new(Rc::clone(&state.trace), to_json(&state.report));
    let saver = saver.with(sections(Rc::clone(&state.samples)));
    let total = saver.n_parts();
    Ok(Box::new(Saving { saver, part: None, done: 0, total }))
}

struct Saving {
    saver: Saver,
    part: Option<Vec<u8>>,
    done: usize,
    total: usize,
}

#[derive(Serialize)]
struct Saved {
    hash: String,
}

impl LongCall for Saving {
    fn slice(&mut self, _: &mut State, _: u32) -> Result<bool> {
        self.part = self.saver.next_part();
        self.done += usize::from(self.part.is_some());
        Ok(self.part.is_none())
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        parts(self.done, self.total)
    }

    fn part(&mut self) -> Option<Vec<u8>> {
        self.part.take()
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(&Saved { hash: self.saver.hash() }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    format: ExportFormat,
}

/// Writes the trace as text. Returns `{lost}`: the information that the format cannot hold.
pub(crate) fn export(state: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Args { format } = parse_json(args)?;
    let trace = Rc::clone(&state.trace);
    let exporter = Exporter::new(format, trace.completeness, trace.part);
    Ok(Box::new(Writing { trace, exporter, part: None, done: 0 }))
}

struct Writing {
    trace: Rc<Trace>,
    exporter: Exporter,
    part: Option<Vec<u8>>,
    /// The number of chunks written so far.
    done: usize,
}

#[derive(Serialize)]
struct Exported<T> {
    lost: T,
}

impl LongCall for Writing {
    fn slice(&mut self, _: &mut State, _: u32) -> Result<bool> {
        let Some(chunk) = self.trace.chunks().get(self.done) else { return Ok(true) };
        let mut lines = Vec::new();
        if self.done == 0 {
            self.exporter.head(&mut lines);
        }
        self.exporter.chunk(chunk, &mut lines);
        self.done += 1;
        if self.done == self.trace.chunks().len() {
            self.exporter.finish(&mut lines);
        }
        self.part = Some(lines);
        Ok(false)
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        parts(self.done, self.trace.chunks().len())
    }

    fn part(&mut self) -> Option<Vec<u8>> {
        self.part.take()
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(&Exported { lost: self.exporter.lost() }))
    }
}

/// Returns the progress in parts of a file.
fn parts(done: usize, total: usize) -> Option<Progress> {
    Some(Progress { done: done as u64, total: Some(total as u64), unit: Unit::Parts })
}
