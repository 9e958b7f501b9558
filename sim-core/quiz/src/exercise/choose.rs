//! The questions of one student: the seed of exercise and name chooses the accesses.

use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::run::replay::Replay;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::hash::hash;
use pagewalk_base::random::draw;
use serde::Serialize;

use super::{Among, Exercise};
use crate::ask::{Ask, Graded, Posed};
use crate::question::{Choices, grade, pose};
use crate::solution::shuffle;

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

/// Poses the questions of students on a replay of the exercise.
pub struct Asker<'a> {
    exercise: &'a Exercise,
    replay: &'a mut Replay,
    /// The outcome of every access.
    outcomes: Vec<Outcome>,
}

impl Exercise {
    /// Returns the questions of one student, as [`Asker::questions`] does.
    ///
    /// # Errors
    /// Those of [`Asker::questions`].
    pub fn questions(&self, replay: &mut Replay, name: &str) -> Result<Vec<Asked>> {
        Asker::new(self, replay).questions(name)
    }
}

impl<'a> Asker<'a> {
    pub fn new(exercise: &'a Exercise, replay: &'a mut Replay) -> Self {
        Self { exercise, outcomes: outcomes(replay), replay }
    }

    /// Grades an answer to a question.
    ///
    /// # Errors
    /// The error that stopped the machine.
    pub fn grade(&mut self, asked: &Asked, given: &str) -> Result<Graded> {
        grade(self.replay, asked.posed.at, &asked.posed.ask, given)
    }

    /// Returns the questions of the student of this name. Outer spaces of the name do not count.
    ///
    /// # Errors
    /// `bad-config` at a question that makes no sense at its access, or at too few accesses.
    pub fn questions(&mut self, name: &str) -> Result<Vec<Asked>> {
        let Self { exercise, replay, outcomes } = self;
        let digest = hash(&format!("{}\n{}", exercise.canonical, name.trim()));
        let seed = u64::from_str_radix(&digest[..16], 16).expect("a digest is hexadecimal");
        let mut all = Vec::new();
        for (at, question) in exercise.file.questions.iter().enumerate() {
            let within = |error: Error| error.within(&format!("questions[{at}]"));
            let own = draw(seed ^ draw(at as u64 + 1));
            let pose_at = |replay: &mut Replay, access: u32| {
                let order = u32::try_from(draw(own ^ u64::from(access)) >> 32).unwrap_or_default();
                let choices = Choices { n: exercise.file.choices, seed: order };
                pose(replay, access, &question.ask, choices)
            };
            let posed = match (question.at, question.among) {
                (Some(access), _) => vec![pose_at(replay, access).map_err(within)?],
                (None, among) => {
                    let mut accesses = among.unwrap_or(Among::Accesses).of(outcomes);
                    shuffle(&mut accesses, own);
                    let tried = accesses.into_iter().take(MAX_TRIES);
                    let n = question.n.unwrap_or(1);
                    let posed = tried.filter_map(|access| pose_at(replay, access).ok());
                    let posed: Vec<Posed> = posed.take(n as usize).collect();
                    enough(&posed, n, &question.ask).map_err(within)?;
                    posed
                }
            };
            all.extend(posed.into_iter().map(|posed| Asked { question: at + 1, posed }));
        }
        Ok(all)
    }
}

/// Checks that a question makes sense at enough accesses.
fn enough(posed: &[Posed], n: u32, ask: &Ask) -> Result<()> {
    if posed.len() == n as usize {
        return Ok(());
    }
    let ask = serde_json::to_string(ask).expect("a question is JSON");
    let message = format!(
        "the question {ask} makes sense at {} of the accesses that were tried, but n is {n}",
        posed.len()
    );
    Err(Error::config("among", message))
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
