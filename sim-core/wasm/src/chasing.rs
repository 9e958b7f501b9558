//! What the times of a pointer chase say about this processor.

use pagewalk::config::parse_json;
use pagewalk_base::error::Result;
use pagewalk_measured::chase::{ChaseSamples, Comparing};
use pagewalk_replay_wasm::answer::json;
use pagewalk_replay_wasm::{LongCall, Progress, State};
use serde::Deserialize;
use wasm_bindgen::JsValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    samples: ChaseSamples,
    /// A measurement of every page, to compare a larger stride with.
    every_page: Option<ChaseSamples>,
}

/// Compares the times with all models. Returns a `ChaseReport`.
pub(crate) fn compare(_: &mut State, args: &str) -> Result<Box<dyn LongCall>> {
    let Args { samples, every_page } = parse_json(args)?;
    Ok(Box::new(Chasing(Comparing::new(&samples, every_page.as_ref())?)))
}

struct Chasing(Comparing);

impl LongCall for Chasing {
    fn slice(&mut self, _: &mut State, n: u32) -> Result<bool> {
        // One part has some thousand accesses.
        for _ in 0..(n / 4096).max(1) {
            if self.0.go_on()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn progress(&self, _: &State) -> Option<Progress> {
        let (done, all) = self.0.progress();
        #[expect(clippy::cast_precision_loss, reason = "a share of some models")]
        Progress::share(done as f64 / all.max(1) as f64)
    }

    fn finish(self: Box<Self>, _: &mut State) -> Result<JsValue> {
        Ok(json(&self.0.finish()?))
    }
}
