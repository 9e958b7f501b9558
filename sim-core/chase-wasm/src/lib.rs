//! The door between the pointer chase and JavaScript. A worker runs it, because a chase takes seconds.

use pagewalk_chase::{BACKING, Chase, Lines, Timing, ns_of_an_add, steps};
use wasm_bindgen::prelude::*;

/// The pages of the browser's memory. If the system has larger ones, the curve shows it.
const PAGE: usize = 4096;
/// Larger strides get up to this many times the memory of every page, and fewer pages beyond.
const MOST_MEMORY: usize = 4;
/// The least nanoseconds of a measurement. Browsers round the time to steps of 0.1 ms, some at random, so the least of many
/// measurements can be 4 % too short. Longer ones would be interrupted more often.
const LEAST: f64 = 2.5e6;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;
}

/// A chase through memory of its own.
#[wasm_bindgen]
pub struct Measurement {
    chase: Chase,
    memory: Vec<u8>,
    from: usize,
    pages: Vec<u32>,
    round: u64,
}

#[wasm_bindgen]
impl Measurement {
    /// Reserves the memory: 64 MiB, and up to 256 MiB if only every `stride`-th page is used.
    ///
    /// # Errors
    /// A text, if the stride is 0 or the browser has not enough memory.
    #[wasm_bindgen(constructor)]
    pub fn new(stride: usize) -> Result<Measurement, JsValue> {
        if stride == 0 {
            return Err(JsValue::from_str("the stride must be at least 1"));
        }
        let bytes = BACKING * stride.min(MOST_MEMORY);
        let mut memory = Vec::new();
        let reserved: Result<(), _> = memory.try_reserve_exact(bytes + PAGE);
        if reserved.is_err() {
            let text = format!(
                "the browser has no {} MB of memory for the measurement: choose a smaller stride",
                bytes >> 20
            );
            return Err(JsValue::from_str(&text));
        }
        memory.resize(bytes + PAGE, 0);
        let from = memory.as_ptr().align_offset(PAGE).min(PAGE);
        let pages = steps(bytes, PAGE, stride);
        Ok(Self { chase: Chase::new(PAGE, stride), memory, from, pages, round: 0 })
    }

    /// The numbers of pages that are measured.
    #[wasm_bindgen(getter)]
    pub fn pages(&self) -> Vec<u32> {
        self.pages.clone()
    }

    /// Returns the nanoseconds of one load with the pages number `at`: spread lines, then dense lines.
    ///
    /// # Errors
    /// A text, if there is no such number.
    pub fn times(&mut self, at: usize) -> Result<Vec<f64>, JsValue> {
        let seed = self.round * 1000 + at as u64;
        let no_number = || JsValue::from_str("there is no such number of pages");
        let pages = self.pages.get(at).copied().ok_or_else(no_number)?;
        let memory = self.memory.get_mut(self.from..).unwrap_or_default();
        let chase = &mut self.chase;
        let times = [Lines::Spread, Lines::Dense].into_iter().map(|lines| {
            let mut now = nanoseconds;
            let mut timing = Timing { now: &mut now, least: LEAST };
            chase.ns_of_a_load(memory, (lines, pages), seed, &mut timing)
        });
        let times: Option<Vec<f64>> = times.collect();
        times.ok_or_else(|| JsValue::from_str("the memory is too small for so many pages"))
    }

    /// Ends a round. Returns the nanoseconds of one addition.
    pub fn end_round(&mut self) -> f64 {
        self.round += 1;
        let mut now = nanoseconds;
        ns_of_an_add(&mut Timing { now: &mut now, least: LEAST })
    }
}

fn nanoseconds() -> f64 {
    milliseconds() * 1e6
}
