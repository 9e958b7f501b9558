//! The door between the instrumentation of programs and JavaScript.

mod about;

use wasm_bindgen::prelude::*;

use pagewalk_instrument::{Instrumented, instrument, source, stopped};

/// An instrumented program.
#[wasm_bindgen]
pub struct Program {
    original: Vec<u8>,
    made: Instrumented,
    about: String,
}

#[wasm_bindgen]
impl Program {
    /// Instruments a module, which the browser has found valid.
    ///
    /// # Errors
    /// As JSON: see `CoreError`.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Program, JsValue> {
        made(bytes)
            .map_err(|error| JsValue::from_str(&serde_json::to_string(&error).unwrap_or_default()))
    }

    /// Returns the instrumented module.
    #[wasm_bindgen(getter)]
    pub fn module(&self) -> Vec<u8> {
        self.made.module.clone()
    }

    /// Returns where the program stopped, as JSON: see `TrapPlace`. `at` are places in the instrumented module, of the innermost
    /// call first.
    pub fn place(&self, at: &[u32]) -> String {
        let place = stopped(&self.original, &self.made, at).unwrap_or_default();
        serde_json::to_string(&about::TrapPlace::from(place)).unwrap_or_default()
    }

    /// Returns what its records mean, as JSON: see `ProgramAbout`.
    #[wasm_bindgen(getter)]
    pub fn about(&self) -> String {
        self.about.clone()
    }
}

fn made(bytes: &[u8]) -> Result<Program, pagewalk_base::error::Error> {
    let made = instrument(bytes)?;
    let source = source(bytes, &made)?;
    Ok(Program { original: bytes.to_vec(), about: about::about(&made, &source), made })
}
