//! Poses a question about an access, and grades an answer.

use pagewalk::record::event::MachineView;
use pagewalk::run::replay::Replay;
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::error::{Error, Result};

use crate::address::Part;
use crate::ask::{Ask, Form, Graded, Posed};
use crate::counts::Counts;
use crate::lookup::array_of;
use crate::number::Count;
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
    Ok(solve_one(replay, at, ask, choices, &mut Counts::default())?.0)
}

/// Poses and solves a question. Questions about one replay share its counts.
pub(crate) fn solve_one(
    replay: &mut Replay,
    at: u32,
    ask: &Ask,
    choices: Choices,
    counts: &mut Counts,
) -> Result<(Posed, Solution)> {
    let n = choices.n.map(check_choices).transpose()?;
    let (scene, solution) = solve(replay, at, ask, counts)?;
    let form = if n.is_some() { Form::Choice } else { solution.form() };
    let is_choice = form == Form::Choice;
    let listed = is_choice.then(|| solution.choices(n.unwrap_or_default(), choices.seed));
    let shift = scene.page_shift().filter(|_| !solution.hides_page);
    let posed = Posed {
        ask: ask.clone(),
        at,
        address: scene.step.access.address,
        access: scene.step.access.kind,
        page: shift.map(|shift| Hex(scene.va >> shift)),
        size: shift.map(PageSize),
        array: solution.array.clone(),
        form,
        choices: listed.unwrap_or_default(),
    };
    Ok((posed, solution))
}

/// Grades an answer to a question about access `at`. The cursor of the replay moves to that access.
///
/// # Errors
/// The errors of [`pose`].
pub fn grade(replay: &mut Replay, at: u32, ask: &Ask, given: &str) -> Result<Graded> {
    Ok(solve(replay, at, ask, &mut Counts::default())?.1.grade(given))
}

/// Checks the words of a question that mean the same at each access.
///
/// # Errors
/// `bad-config` at `ask.of` for a TLB array that the machine does not have, or for an unknown part or count.
pub(crate) fn check(ask: &Ask, machine: &MachineView) -> Result<()> {
    let array = match ask {
        Ask::Set { of } | Ask::Way { of } | Ask::Victim { of } => Ok(Some(of.as_str())),
        Ask::Field { of } => Part::parse(of).map(Part::array),
        Ask::Number { of } => Count::parse(of).map(Count::array),
        _ => Ok(None),
    };
    let checked = array.and_then(|name| name.map(|name| array_of(machine, name)).transpose());
    checked.map_err(|error| error.within("ask")).map(drop)
}

pub(crate) fn check_choices(n: u32) -> Result<usize> {
    if (2..=MAX_CHOICES).contains(&n) {
        return Ok(n as usize);
    }
    Err(Error::config("choices", format!("{n} choices: must be 2 to {MAX_CHOICES}")))
}

fn solve<'a>(
    replay: &'a mut Replay,
    at: u32,
    ask: &Ask,
    counts: &mut Counts,
) -> Result<(Scene<'a>, Solution)> {
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
        Ask::Number { of } => number::number(&scene, of, counts),
    };
    Ok((scene, solution.map_err(|error| error.within("ask"))?))
}
