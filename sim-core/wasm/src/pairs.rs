//! Two machines side by side on the current trace: two replays of their own, and where they differ.

use std::rc::Rc;

use pagewalk::config::parse_json;
use pagewalk::record::event::MachineView;
use pagewalk::run::lockstep::{DifferenceSearch, Lockstep};
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk::run::search::Found;
use pagewalk_analysis::attribution::Attribution;
use pagewalk_base::error::{Error, ErrorCode};
use wasm_bindgen::prelude::*;

use crate::convert::{error_to_js, to_json};
use crate::{JsResult, Session, machine_for, span, strip_machine};

/// The two replays, and the tasks under way on them.
pub(crate) struct Pair {
    sides: [Replay; 2],
    lockstep: Option<Lockstep>,
    search: Option<DifferenceSearch>,
    regions: Option<[Attribution; 2]>,
}

#[wasm_bindgen]
impl Session {
    /// Sets two machines from JSON `Setup`, beside the one of the replay. JSON `MachineView[]`.
    #[wasm_bindgen(js_name = beginPair)]
    pub fn begin_pair(&mut self, left: &str, right: &str) -> JsResult<String> {
        self.pair = None;
        let made = [self.side(left), self.side(right)];
        let [left, right] = made;
        let sides = [left.map_err(error_to_js)?, right.map_err(error_to_js)?];
        let views = sides.each_ref().map(|side| MachineView::of(side.machine()));
        self.pair = Some(Pair { sides, lockstep: None, search: None, regions: None });
        Ok(to_json(&views))
    }

    /// Runs both at least `n` more accesses; true if both runs are done.
    #[wasm_bindgen(js_name = pairSlice)]
    pub fn pair_slice(&mut self, n: u32) -> JsResult<bool> {
        let [left, right] = &mut self.pair()?.sides;
        let left_done = left.run(n).map_err(error_to_js)?;
        Ok(right.run(n).map_err(error_to_js)? && left_done)
    }

    /// JSON `RunReport[]`.
    #[wasm_bindgen(js_name = pairReports)]
    pub fn pair_reports(&mut self) -> JsResult<String> {
        Ok(to_json(&self.pair()?.sides.each_ref().map(Replay::report)))
    }

    /// Goes to an access on both; JSON `StepView[]`, `null` where it is not simulated.
    #[wasm_bindgen(js_name = pairSeek)]
    pub fn pair_seek(&mut self, index: u32) -> JsResult<String> {
        Ok(to_json(&self.pair()?.sides.each_mut().map(|side| side.seek(index))))
    }

    /// Starts to compare all accesses, counted in `bins`.
    #[wasm_bindgen(js_name = beginLockstep)]
    pub fn begin_lockstep(&mut self, bins: u32) -> JsResult<()> {
        let pair = self.pair()?;
        let [left, right] = &pair.sides;
        pair.lockstep = Some(Lockstep::new(left, right, bins));
        Ok(())
    }

    /// Compares at least `n` more accesses; true if all are compared.
    #[wasm_bindgen(js_name = lockstepSlice)]
    pub fn lockstep_slice(&mut self, n: u32) -> JsResult<bool> {
        let Pair { sides: [left, _], lockstep, .. } = self.pair()?;
        Ok(lockstep.as_mut().is_none_or(|task| task.go_on(left.trace(), n)))
    }

    /// Ends the comparison. JSON `LockstepView`.
    #[wasm_bindgen(js_name = finishLockstep)]
    pub fn finish_lockstep(&mut self) -> JsResult<String> {
        let task = self.pair()?.lockstep.take();
        Ok(task.map_or_else(|| "null".to_owned(), |task| to_json(task.view())))
    }

    /// Starts a jump to the next access that differs, or the one before.
    #[wasm_bindgen(js_name = beginDifference)]
    pub fn begin_difference(&mut self, index: u32, direction: i32) -> JsResult<()> {
        let pair = self.pair()?;
        let [left, right] = &pair.sides;
        pair.search = Some(DifferenceSearch::new(left, right, index, direction > 0));
        Ok(())
    }

    /// `undefined` = not found yet, `null` = there is none, else its number.
    #[wasm_bindgen(js_name = differenceSlice)]
    pub fn difference_slice(&mut self) -> JsResult<JsValue> {
        let Pair { sides: [left, right], search, .. } = self.pair()?;
        let found = search.as_mut().map_or(Found::Nothing, |search| search.go_on(left, right));
        Ok(match found {
            Found::NotYet => JsValue::UNDEFINED,
            Found::Nothing => JsValue::NULL,
            Found::At(index) => JsValue::from(index),
        })
    }

    /// Starts to count both by region.
    #[wasm_bindgen(js_name = beginPairRegions)]
    pub fn begin_pair_regions(&mut self) -> JsResult<()> {
        let pair = self.pair()?;
        pair.regions = Some(pair.sides.each_ref().map(Attribution::new));
        Ok(())
    }

    /// Counts at least `n` more accesses of both; true if all are counted.
    #[wasm_bindgen(js_name = pairRegionsSlice)]
    pub fn pair_regions_slice(&mut self, n: u32) -> JsResult<bool> {
        let trace = Rc::clone(&self.trace);
        let Some(regions) = &mut self.pair()?.regions else { return Ok(true) };
        let done = regions.each_mut().map(|side| side.go_on(&trace, n));
        Ok(done == [true; 2])
    }

    /// Ends the counting. JSON `AttributionTable[]`.
    #[wasm_bindgen(js_name = finishPairRegions)]
    pub fn finish_pair_regions(&mut self) -> JsResult<String> {
        let (trace, samples) = (Rc::clone(&self.trace), Rc::clone(&self.samples));
        let regions = self.pair()?.regions.take();
        Ok(to_json(&regions.map(|sides| sides.map(|side| side.view(&trace, &samples).regions))))
    }

    #[wasm_bindgen(js_name = endPair)]
    pub fn end_pair(&mut self) {
        self.pair = None;
    }
}

impl Session {
    fn pair(&mut self) -> JsResult<&mut Pair> {
        let nothing = || Error::new(ErrorCode::BadTrace, "no machines are compared");
        self.pair.as_mut().ok_or_else(|| error_to_js(nothing()))
    }

    fn side(&self, setup: &str) -> Result<Replay, Error> {
        let setup: crate::Setup = parse_json(setup).map_err(strip_machine)?;
        let machine = machine_for(&setup, &self.trace)?;
        let span = span(setup.window, &self.trace)?;
        Ok(Replay::within(span, Rc::clone(&self.trace), machine, CHECKPOINT_BYTES))
    }
}
