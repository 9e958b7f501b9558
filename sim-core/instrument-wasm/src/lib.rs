//! The door between the instrumentation of programs and JavaScript.

mod about;

use wasm_bindgen::prelude::*;

use pagewalk_instrument::{instrument, source};

/// An instrumented program.
#[wasm_bindgen]
pub struct Program {
    module: Vec<u8>,
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
        self.module.clone()
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
    Ok(Program { about: about::about(&made, &source), module: made.module })
}
