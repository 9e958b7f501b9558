//! Grades answer lines: simulates again, and counts mistakes.

use std::collections::BTreeMap;

use pagewalk::machine::probe::Outcome;
use pagewalk::run::replay::Replay;
use pagewalk_base::error::{Error, ErrorCode, Result};
use serde::Serialize;

use super::choose::outcomes;
use super::{Asked, Exercise, GivenAnswer, Labelled, read_line};
use crate::ask::Ask;
use crate::mistake::Mistake;
use crate::question::grade;

/// The longest start of a line in the report of an error, in characters.
const MAX_SHOWN: usize = 60;

/// The result of an exercise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Report {
    pub title: String,
    /// The digest of the exercise.
    pub exercise: String,
    pub students: Vec<Student>,
    /// The questions of the exercise, in their order.
    pub questions: Vec<QuestionCounts>,
    pub unread: Vec<UnreadLine>,
}

/// The graded line of a student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Student {
    /// The file of the line, and its number there, from 1.
    pub file: String,
    pub line: u64,
    /// The text around the answers in the line.
    pub label: String,
    pub name: String,
    /// The version of the program that made the line.
    pub program: String,
    /// The number of right answers.
    pub right: usize,
    pub answers: Vec<GradedAnswer>,
}

/// A graded answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct GradedAnswer {
    /// The number of the question in the exercise, from 1.
    pub question: usize,
    /// The access that the student was asked about.
    pub at: u32,
    #[serde(flatten)]
    pub given: GivenAnswer,
    pub right: bool,
    /// The right answer.
    pub answer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<Mistake>,
}

/// The answers of all students to one question of the exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct QuestionCounts {
    /// The number of the question in the exercise, from 1.
    pub question: usize,
    pub ask: Ask,
    pub answers: usize,
    pub right: usize,
    /// How often each mistake was made.
    pub mistakes: BTreeMap<Mistake, usize>,
    /// The number of wrong answers that no mistake explains.
    pub unexplained: usize,
}

/// A line that cannot be graded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct UnreadLine {
    pub file: String,
    pub line: u64,
    /// The name of the student if the line can be read, otherwise the start of the line.
    pub start: String,
    pub error: Error,
}

/// Grades lines, one after the other.
pub struct Grading<'a> {
    exercise: &'a Exercise,
    replay: &'a mut Replay,
    outcomes: Vec<Outcome>,
    report: Report,
}

impl<'a> Grading<'a> {
    /// Starts with no line. The replay is that of the exercise.
    pub fn new(exercise: &'a Exercise, replay: &'a mut Replay) -> Self {
        let questions = exercise.file.questions.iter().enumerate();
        let questions = questions.map(|(at, question)| QuestionCounts {
            question: at + 1,
            ask: question.ask.clone(),
            answers: 0,
            right: 0,
            mistakes: BTreeMap::new(),
            unexplained: 0,
        });
        let report = Report {
            title: exercise.title().to_owned(),
            exercise: exercise.digest(),
            questions: questions.collect(),
            ..Report::default()
        };
        Self { exercise, outcomes: outcomes(replay), replay, report }
    }

    /// Grades all lines of a file. Empty lines are skipped. A line that cannot be graded does not stop the others.
    pub fn add(&mut self, file: &str, text: &str) {
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let start = |text: &str| text.trim().chars().take(MAX_SHOWN).collect::<String>();
            let (start, graded) = match read_line(text) {
                Ok(read) => (start(&read.answers.name), self.grade(read)),
                Err(error) => (start(text), Err(error)),
            };
            match graded {
                Ok(student) => self.count(Student { file: file.to_owned(), line, ..student }),
                Err(error) => {
                    let unread = UnreadLine { file: file.to_owned(), line, start, error };
                    self.report.unread.push(unread);
                }
            }
        }
    }

    fn grade(&mut self, Labelled { label, answers }: Labelled) -> Result<Student> {
        let wrong = |message: String| Err(Error::new(ErrorCode::BadTrace, message));
        let own = &self.report.exercise;
        if answers.exercise != *own {
            return wrong(format!(
                "these are answers to exercise {}, not to {own}",
                answers.exercise.chars().take(12).collect::<String>()
            ));
        }
        self.exercise.check_count(&answers.answers)?;
        let asked = self.exercise.choose(&self.outcomes, self.replay, &answers.name)?;
        let mut graded = Vec::new();
        for (Asked { question, posed }, given) in asked.into_iter().zip(answers.answers) {
            let verdict = grade(self.replay, posed.at, &posed.ask, &given.given)?;
            let (right, answer, mistake) = (verdict.right, verdict.answer, verdict.mistake);
            graded.push(GradedAnswer { question, at: posed.at, given, right, answer, mistake });
        }
        Ok(Student {
            file: String::new(),
            line: 0,
            label,
            name: answers.name.trim().to_owned(),
            program: answers.program,
            right: graded.iter().filter(|answer| answer.right).count(),
            answers: graded,
        })
    }

    fn count(&mut self, student: Student) {
        for answer in &student.answers {
            let counts = &mut self.report.questions[answer.question - 1];
            counts.answers += 1;
            match answer.mistake {
                _ if answer.right => counts.right += 1,
                Some(mistake) => *counts.mistakes.entry(mistake).or_default() += 1,
                None => counts.unexplained += 1,
            }
        }
        self.report.students.push(student);
    }

    /// Returns the report of all lines.
    pub fn finish(self) -> Report {
        self.report
    }
}
