//! A session: it finds a call by its name, and runs it on the state.

use std::cell::RefCell;
use std::rc::Rc;

use pagewalk::run::replay::Paths;
use pagewalk_base::error::{Error, ErrorCode, Result};
use wasm_bindgen::prelude::*;

use crate::answer::error_to_js;
use crate::state::State;
use crate::task::{LongCall, Task};

/// A short call: arguments as JSON, and the bytes of a file if the call takes one.
pub type Call = fn(&mut State, &str, &[u8]) -> Result<JsValue>;
/// A long call: it checks its JSON arguments and returns the work, which is done in slices.
pub type StartCall = fn(&mut State, &str) -> Result<Box<dyn LongCall>>;

/// A table of calls by name.
pub struct Names {
    pub calls: &'static [(&'static str, Call)],
    pub tasks: &'static [(&'static str, StartCall)],
}

/// A trace and a machine, and the calls that JavaScript can make on them.
#[wasm_bindgen]
pub struct Session {
    state: Rc<RefCell<State>>,
    names: &'static [Names],
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

#[wasm_bindgen]
impl Session {
    /// Creates a session with the calls of a replay, an empty trace and the default machine.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::with(&[crate::REPLAY], Paths::PLAIN)
    }

    /// Runs a short call and returns its answer.
    pub fn call(&self, name: &str, args: &str, bytes: &[u8]) -> Result<JsValue, JsValue> {
        let call = self.find(name, |names| names.calls)?;
        call(&mut self.state.borrow_mut(), args, bytes).map_err(error_to_js)
    }

    /// Starts a long call. The task belongs to this session.
    pub fn start(&self, name: &str, args: &str) -> Result<Task, JsValue> {
        let start = self.find(name, |names| names.tasks)?;
        let work = start(&mut self.state.borrow_mut(), args).map_err(error_to_js)?;
        Ok(Task::new(Rc::clone(&self.state), work))
    }
}

impl Session {
    /// Creates a session with the calls of these tables. Its replay uses these paths.
    pub fn with(names: &'static [Names], paths: Paths) -> Self {
        Self { state: Rc::new(RefCell::new(State::new(paths))), names }
    }

    fn find<T: Copy>(
        &self,
        name: &str,
        rows: fn(&Names) -> &'static [(&'static str, T)],
    ) -> Result<T, JsValue> {
        let found = self.names.iter().flat_map(rows).find(|(known, _)| *known == name);
        found.map(|(_, call)| *call).ok_or_else(|| {
            let message = format!("this module has no call named {name}");
            error_to_js(Error::new(ErrorCode::Unsupported, message))
        })
    }
}
