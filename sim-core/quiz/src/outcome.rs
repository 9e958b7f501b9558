//! Questions about how an access ends: its outcome, and the error code of a page fault.

use pagewalk::machine::exception::PageFaultCode;
use pagewalk::machine::probe::Outcome;
use pagewalk_base::addr::Hex;
use pagewalk_base::error::Result;

use crate::ask::Form;
use crate::mistake::Mistake;
use crate::scene::{Scene, low_bits, senseless};
use crate::solution::Solution;

const WORDS: [&str; 3] = ["hit", "miss", "fault"];

pub(crate) fn outcome(scene: &Scene<'_>) -> Result<Solution> {
    let step = &scene.step;
    if step.exception.is_none() && step.outcome != Outcome::Exception {
        scene.translation()?;
    }
    let (right, wrong) = match step.outcome {
        Outcome::L1Hit | Outcome::L2Hit => {
            ("hit", [(Mistake::MissForHit, "miss"), (Mistake::FaultForHit, "fault")])
        }
        Outcome::Walk => {
            let fault = if is_first_use(scene) {
                Mistake::FirstTouchForMiss
            } else {
                Mistake::FaultForMiss
            };
            ("miss", [(Mistake::HitForMiss, "hit"), (fault, "fault")])
        }
        Outcome::Fault | Outcome::Exception => {
            ("fault", [(Mistake::MissForFault, "miss"), (Mistake::HitForFault, "hit")])
        }
    };
    let solution = Solution::new(Form::Choice, right).near(WORDS);
    Ok(wrong
        .into_iter()
        .fold(solution, |solution, (mistake, word)| solution.mistake(mistake, [word])))
}

/// Returns whether no earlier access of the process is on the page of the access.
fn is_first_use(scene: &Scene<'_>) -> bool {
    let (at, pid) = (scene.step.index, scene.step.access.pid);
    let Some(shift) = scene.page_shift() else { return true };
    let machine = scene.replay.machine();
    let (tags, mask) = (machine.address_tags(), machine.va_mask());
    let page = scene.va >> shift;
    let trace = scene.replay.trace();
    let mut end = at;
    while end > 0 {
        let chunk = trace.chunk_of(end - 1);
        let mut accesses = (chunk.first..end).zip(chunk.accesses());
        let is_use = accesses.any(|(_, access)| {
            let own = access.without(tags);
            let bytes = [own.address, own.last()];
            access.pid == pid && bytes.iter().any(|byte| (byte & mask) >> shift == page)
        });
        if is_use {
            return false;
        }
        end = chunk.first;
    }
    true
}

pub(crate) fn fault_code(scene: &Scene<'_>) -> Result<Solution> {
    let code = scene.step.exception.as_ref().and_then(|exception| exception.code);
    let Hex(right) = code.ok_or_else(|| senseless("no page fault ends the access"))?;
    let flipped = |bit: u32| [right ^ u64::from(bit)];
    Ok(Solution::new(Form::Hexadecimal, right)
        .mistake(Mistake::PresentBit, flipped(PageFaultCode::PRESENT))
        .mistake(Mistake::WriteBit, flipped(PageFaultCode::WRITE))
        .mistake(Mistake::UserBit, flipped(PageFaultCode::USER))
        .mistake(Mistake::FetchBit, flipped(PageFaultCode::FETCH))
        .near((0..1 << 5).map(move |code| low_bits(right ^ code, 5))))
}
