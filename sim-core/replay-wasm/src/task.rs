//! Long calls: their work is done in slices, so that the caller can cancel it, or do other work between two
//! slices.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Uint8Array;
use pagewalk_base::error::{Error, ErrorCode, Result};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::answer::{error_to_js, to_json};
use crate::state::State;

/// The progress of a task; `total` is missing if it is unknown.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Progress {
    pub done: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    pub unit: Unit,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Accesses,
    Parts,
}

impl Progress {
    /// Returns the progress in accesses of the trace.
    pub fn accesses(done: impl Into<u64>, total: Option<u64>) -> Option<Self> {
        Some(Self { done: done.into(), total, unit: Unit::Accesses })
    }

    /// Returns a share from 0 to 1 as progress in thousandths.
    pub fn share(share: f64) -> Option<Self> {
        const PARTS: u64 = 1000;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share is from 0 to 1"
        )]
        let done = (share * PARTS as f64) as u64;
        Some(Self { done, total: Some(PARTS), unit: Unit::Parts })
    }
}

/// The work of a long call. Each slice gets the session's current state, which other calls may have changed.
pub trait LongCall {
    /// Processes about `n` accesses, or works for some milliseconds if the work does not count accesses.
    /// Returns true if all is done.
    ///
    /// # Errors
    /// Any error of the trace or the machine. It ends the task.
    fn slice(&mut self, state: &mut State, n: u32) -> Result<bool>;

    /// Returns the progress, if it is known.
    fn progress(&self, _state: &State) -> Option<Progress> {
        None
    }

    /// Reads the next bytes of a file. Returns true if the rest of the file is not needed.
    ///
    /// # Errors
    /// `bad-trace` if the work reads no file, or the file is damaged.
    fn push(&mut self, _bytes: &[u8]) -> Result<bool> {
        Err(Error::new(ErrorCode::BadTrace, "this task reads no file"))
    }

    /// Returns the part of a file that the last slice made, if the work makes a file.
    fn part(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Returns the answer, after all is done.
    ///
    /// # Errors
    /// Any error of the result. Then the session is unchanged.
    fn finish(self: Box<Self>, state: &mut State) -> Result<JsValue>;
}

/// A long call that is under way. JavaScript cancels it by freeing it.
#[wasm_bindgen]
pub struct Task {
    state: Rc<RefCell<State>>,
    work: Option<Box<dyn LongCall>>,
}

impl Task {
    pub(crate) fn new(state: Rc<RefCell<State>>, work: Box<dyn LongCall>) -> Self {
        Self { state, work: Some(work) }
    }
}

#[wasm_bindgen]
impl Task {
    /// Does a slice of about `n` accesses. Returns true if all is done.
    pub fn slice(&mut self, n: u32) -> Result<bool, JsValue> {
        let work = self.work.as_mut().ok_or_else(over)?;
        work.slice(&mut self.state.borrow_mut(), n).map_err(error_to_js)
    }

    /// Reads the next bytes of a file. Returns true if the rest is not needed.
    pub fn push(&mut self, bytes: &[u8]) -> Result<bool, JsValue> {
        self.work.as_mut().ok_or_else(over)?.push(bytes).map_err(error_to_js)
    }

    /// Returns the part of a file that the last slice made.
    pub fn part(&mut self) -> Option<Uint8Array> {
        let part = self.work.as_mut()?.part()?;
        Some(Uint8Array::from(part.as_slice()))
    }

    /// Returns the `Progress` as JSON, or `null`.
    pub fn progress(&self) -> String {
        to_json(&self.work.as_ref().and_then(|work| work.progress(&self.state.borrow())))
    }

    /// Ends the task and returns its answer.
    pub fn finish(&mut self) -> Result<JsValue, JsValue> {
        let work = self.work.take().ok_or_else(over)?;
        work.finish(&mut self.state.borrow_mut()).map_err(error_to_js)
    }
}

fn over() -> JsValue {
    error_to_js(Error::new(ErrorCode::BadTrace, "the task is over"))
}
