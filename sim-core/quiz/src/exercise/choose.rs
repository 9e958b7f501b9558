//! The questions of one student: the seed of exercise and name chooses the accesses.

use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::record::event::MachineView;
use pagewalk::run::replay::Replay;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::hash::hash;
use pagewalk_base::random::draw;
use serde::Serialize;

use super::name::one_spelling;
use super::{Among, Exercise, Question};
use crate::ask::{Graded, Posed};
use crate::counts::Counts;
use crate::question::{self, Choices};
use crate::solution::{Solution, shuffle};

/// The most accesses of a kind at which a question is tried.
const MAX_TRIES: usize = 1000;

/// A question of a student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Asked {
    /// The number of the question in the exercise, from 1.
    pub question: usize,
    pub posed: Posed,
}

/// A question of a student that can be graded.
#[derive(Clone, Debug)]
pub struct Solved {
    pub asked: Asked,
    solution: Solution,
}

impl Solved {
    /// Grades an answer.
    pub fn grade(&self, given: &str) -> Graded {
        self.solution.grade(given)
    }
}

/// Poses the questions of students on a replay of the exercise.
pub struct Asker<'a> {
    exercise: &'a Exercise,
    replay: &'a mut Replay,
    /// The outcome of every access.
    outcomes: Vec<Outcome>,
    counts: Counts,
}

impl Exercise {
    /// Returns the questions of one student.
    ///
    /// # Errors
    /// Those of [`Asker::solved`].
    pub fn questions(&self, replay: &mut Replay, name: &str) -> Result<Vec<Asked>> {
        let solved = Asker::new(self, replay).solved(name)?;
        Ok(solved.into_iter().map(|solved| solved.asked).collect())
    }
}

impl<'a> Asker<'a> {
    pub fn new(exercise: &'a Exercise, replay: &'a mut Replay) -> Self {
        Self { exercise, outcomes: outcomes(replay), replay, counts: Counts::default() }
    }

    /// Returns the questions of the student of this name. See [`one_spelling`] for names that are equal.
    ///
    /// # Errors
    /// `bad-config` at a question that makes no sense at its access, or at too few accesses.
    pub fn solved(&mut self, name: &str) -> Result<Vec<Solved>> {
        let digest = hash(&format!("{}\n{}", self.exercise.canonical, one_spelling(name)));
        let seed = u64::from_str_radix(&digest[..16], 16).expect("a digest is hexadecimal");
        let mut all = Vec::new();
        for (at, question) in self.exercise.file.questions.iter().enumerate() {
            let own = draw(seed ^ draw(at as u64 + 1));
            let solved = self.solve(question, own);
            let solved = solved.map_err(|error| error.within(&format!("questions[{at}]")))?;
            all.extend(solved.into_iter().map(|(posed, solution)| {
                let asked = Asked { question: at + 1, posed };
                Solved { asked, solution }
            }));
        }
        Ok(all)
    }

    /// Solves a question at its access, or at accesses that the seed chooses.
    fn solve(&mut self, question: &Question, seed: u64) -> Result<Vec<(Posed, Solution)>> {
        let Self { exercise, replay, outcomes, counts } = self;
        question::check(&question.ask, &MachineView::of(replay.machine()))?;
        let mut solve_at = |access: u32| {
            let order = u32::try_from(draw(seed ^ u64::from(access)) >> 32).unwrap_or_default();
            let choices = Choices { n: exercise.file.choices, seed: order };
            question::solve_one(replay, access, &question.ask, choices, counts)
        };
        if let Some(access) = question.at {
            return Ok(vec![solve_at(access)?]);
        }
        let mut accesses = question.among.unwrap_or(Among::Accesses).of(outcomes);
        shuffle(&mut accesses, seed);
        let n = question.n.unwrap_or(1);
        let mut solved = Vec::new();
        let mut problem = None;
        for access in accesses.into_iter().take(MAX_TRIES) {
            if solved.len() == n as usize {
                break;
            }
            match solve_at(access) {
                Ok(one) => solved.push(one),
                Err(error) => problem = problem.or(Some((access, error))),
            }
        }
        if solved.len() == n as usize {
            Ok(solved)
        } else {
            Err(too_few(question, solved.len(), problem))
        }
    }
}

/// Says that a question makes sense at too few accesses, and why it makes none at one of them.
fn too_few(question: &Question, found: usize, problem: Option<(u32, Error)>) -> Error {
    let ask = serde_json::to_string(&question.ask).expect("a question is JSON");
    let why = problem.filter(|_| found == 0).map_or_else(String::new, |(access, error)| {
        format!("; at access {access}, {}", error.message)
    });
    let n = question.n.unwrap_or(1);
    let message = format!(
        "the question {ask} makes sense at {found} of the accesses that were tried, but n is {n}{why}"
    );
    Error::config("among", message)
}

/// Returns the outcome of every access.
fn outcomes(replay: &Replay) -> Vec<Outcome> {
    let trace = replay.trace();
    let mut outcomes = vec![Outcome::L1Hit; trace.len() as usize];
    let mut observe = |done: &Translation| {
        let outcome = &mut outcomes[done.index as usize];
        *outcome = done.outcome.max(*outcome);
    };
    let mut machine = replay.machine_before(0);
    replay.paths().follow(&mut machine, trace, (0, trace.len()), &mut Endings(&mut observe));
    outcomes
}

impl Among {
    /// Returns the numbers of the accesses with such an outcome.
    fn of(self, outcomes: &[Outcome]) -> Vec<u32> {
        let is_one = |outcome: Outcome| match self {
            Self::Accesses => true,
            Self::Walks => outcome.is_walk(),
            Self::Hits => matches!(outcome, Outcome::L1Hit | Outcome::L2Hit),
            Self::Faults => matches!(outcome, Outcome::Fault | Outcome::Exception),
        };
        (0..).zip(outcomes).filter(|(_, outcome)| is_one(**outcome)).map(|(at, _)| at).collect()
    }
}
