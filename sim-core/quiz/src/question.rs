//! Poses a question about an access, and grades an answer.

use pagewalk::run::replay::Replay;
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::error::{Error, Result};

use crate::ask::{Ask, Form, Graded, Posed};
use crate::scene::Scene;
use crate::solution::Solution;
use crate::{address, array, number, outcome, walk};

/// The answers to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The number of choices. `None` = the answer is typed, unless it is a word.
    pub n: Option<u32>,
    /// The seed of their order.
    pub seed: u32,
}

/// The most choices.
const MAX_CHOICES: u32 = 8;

/// Poses a question about access `at`. The cursor of the replay moves to that access.
///
/// # Errors
/// `bad-config` at the field that makes no sense at this access; the error that stopped the machine.
pub fn pose(replay: &mut Replay, at: u32, ask: &Ask, choices: Choices) -> Result<Posed> {
    let n = choices.n.map(check_choices).transpose()?;
    let (scene, solution) = solve(replay, at, ask)?;
    let form = if n.is_some() { Form::Choice } else { solution.form() };
    let is_choice = form == Form::Choice;
    let listed = is_choice.then(|| solution.choices(n.unwrap_or_default(), choices.seed));
    let shift = scene.page_shift().filter(|_| !solution.hides_page);
    Ok(Posed {
        ask: ask.clone(),
        at,
        address: scene.step.access.address,
        access: scene.step.access.kind,
        page: shift.map(|shift| Hex(scene.va >> shift)),
        size: shift.map(PageSize),
        array: solution.array,
        form,
        choices: listed.unwrap_or_default(),
    })
}

/// Grades an answer to a question about access `at`. The cursor of the replay moves to that access.
///
/// # Errors
/// The errors of [`pose`].
pub fn grade(replay: &mut Replay, at: u32, ask: &Ask, given: &str) -> Result<Graded> {
    Ok(solve(replay, at, ask)?.1.grade(given))
}

pub(crate) fn check_choices(n: u32) -> Result<usize> {
    if (2..=MAX_CHOICES).contains(&n) {
        return Ok(n as usize);
    }
    Err(Error::config("choices", format!("{n} choices: must be 2 to {MAX_CHOICES}")))
}

fn solve<'a>(replay: &'a mut Replay, at: u32, ask: &Ask) -> Result<(Scene<'a>, Solution)> {
    let scene = Scene::new(replay, at)?;
    let solution = match ask {
        Ask::Outcome => outcome::outcome(&scene),
        Ask::Set { of } => array::set(&scene, of),
        Ask::Way { of } => array::way(&scene, of),
        Ask::Victim { of } => array::victim(&scene, of),
        Ask::Field { of } => address::field(&scene, of),
        Ask::References => walk::references(&scene),
        Ask::EntryAddress { level } => walk::entry_address(&scene, *level),
        Ask::PageSize => address::page_size(&scene),
        Ask::FaultCode => outcome::fault_code(&scene),
        Ask::Physical => address::physical(&scene),
        Ask::Cycles => walk::cycles(&scene),
        Ask::Number { of } => number::number(&scene, of),
    };
    Ok((scene, solution.map_err(|error| error.within("ask"))?))
}
