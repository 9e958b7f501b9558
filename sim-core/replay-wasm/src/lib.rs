//! The interface between the core and JavaScript.
//!
//! ```text
//! session.call(name, JSON, bytes) ─▶ answer                short calls
//! session.start(name, JSON) ─▶ Task: slice, slice, …, finish ─▶ answer    long ones
//! ```
//!
//! An answer is JSON text or an object of typed arrays; see [`answer`]. An error is a plain object
//! `{code, message, at}`. A call is one row of a table: see [`Names`].
//!
//! This crate has the calls that a replay needs, and builds the small module that the site opens with.
//! The crate `pagewalk-wasm` adds all others.

pub mod answer;
mod opening;
mod replaying;
mod session;
mod state;
mod task;

pub use session::{Call, Names, Session, StartCall};
pub use state::{Finished, MAX_TRACE_BYTES, Recorded, Setup, State, read_setup, span};
pub use task::{LongCall, Progress, Task, Unit};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The worker sets this before the module starts: a trap alone carries no message.
    #[wasm_bindgen(js_namespace = globalThis, js_name = __pagewalkPanic)]
    fn report_panic(message: &str);
}

#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| report_panic(&info.to_string())));
}

/// The calls of this crate.
pub const REPLAY: Names = Names {
    calls: &[
        ("cpus", replaying::cpus),
        ("open", opening::open),
        ("configure", replaying::configure),
        ("seek", replaying::seek),
        ("crash", replaying::crash),
    ],
    tasks: &[("run", replaying::run), ("find", replaying::find), ("timeline", replaying::timeline)],
};
