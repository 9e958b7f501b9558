//! Grades answer lines: simulates again, and counts mistakes.

use std::collections::BTreeMap;

use pagewalk::run::replay::Replay;
use pagewalk_base::error::{Error, ErrorCode, Result};
use serde::Serialize;

use super::name::{self, one_spelling};
use super::{Asker, Exercise, GivenAnswer, Labelled, read_line, wrapped};
use crate::ask::{Ask, Graded};
use crate::mistake::Mistake;

/// The longest start of a line in the report of an error, in characters.
const MAX_SHOWN: usize = 60;

/// The result of an exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    /// Equal for all lines of one student. Case, spaces and the form of letters in Unicode do not change it.
    pub name_key: String,
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

/// The lines that count if a student has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    #[default]
    All,
    /// The line with the most right answers, and of those the last one.
    Best,
    Last,
}

/// Grades lines, one after the other.
pub struct Grading<'a> {
    exercise: &'a Exercise,
    asker: Asker<'a>,
    students: Vec<Student>,
    unread: Vec<UnreadLine>,
}

impl<'a> Grading<'a> {
    /// Starts with no line. The replay is that of the exercise.
    pub fn new(exercise: &'a Exercise, replay: &'a mut Replay) -> Self {
        let asker = Asker::new(exercise, replay);
        Self { exercise, asker, students: Vec::new(), unread: Vec::new() }
    }

    /// Grades all lines of a file. Empty lines are skipped. A line that cannot be graded does not stop the others. The
    /// parts of a wrapped line are one line.
    pub fn add(&mut self, file: &str, text: &str) {
        for (line, text) in wrapped::lines(text) {
            let start = |text: &str| text.trim().chars().take(MAX_SHOWN).collect::<String>();
            let (start, graded) = match read_line(&text) {
                Ok(read) => (start(&read.answers.name), self.grade(read)),
                Err(error) => (start(&text), Err(error)),
            };
            match graded {
                Ok(student) => {
                    self.students.push(Student { file: file.to_owned(), line, ..student });
                }
                Err(error) => {
                    self.unread.push(UnreadLine { file: file.to_owned(), line, start, error });
                }
            }
        }
    }

    fn grade(&mut self, Labelled { label, answers }: Labelled) -> Result<Student> {
        let wrong = |message: String| Err(Error::new(ErrorCode::BadTrace, message));
        let own = self.exercise.digest();
        if answers.exercise != own {
            let other = &answers.exercise;
            let is_digest =
                other.len() == own.len() && other.bytes().all(|c| c.is_ascii_hexdigit());
            let other =
                if is_digest { format!("exercise {other}") } else { "another exercise".to_owned() };
            return wrong(format!("these are answers to {other}, not to {own}"));
        }
        self.exercise.check_count(&answers.answers)?;
        let mut graded = Vec::new();
        for (solved, given) in self.asker.solved(&answers.name)?.iter().zip(answers.answers) {
            let Graded { right, answer, mistake } = solved.grade(&given.given);
            let (question, at) = (solved.asked.question, solved.asked.posed.at);
            graded.push(GradedAnswer { question, at, given, right, answer, mistake });
        }
        Ok(Student {
            file: String::new(),
            line: 0,
            label,
            name_key: name::key(&answers.name),
            name: one_spelling(&answers.name),
            program: answers.program,
            right: graded.iter().filter(|answer| answer.right).count(),
            answers: graded,
        })
    }

    /// Returns the report of the lines that count.
    pub fn finish(self, keep: Keep) -> Report {
        let students = kept(self.students, keep);
        let questions = self.exercise.file.questions.iter().enumerate();
        let questions = questions.map(|(at, question)| {
            let answers = students.iter().flat_map(|student| &student.answers);
            counts(at + 1, &question.ask, answers.filter(|answer| answer.question == at + 1))
        });
        Report {
            title: self.exercise.title().to_owned(),
            exercise: self.exercise.digest(),
            questions: questions.collect(),
            students,
            unread: self.unread,
        }
    }
}

/// Returns the lines that count, each student at the place of the first one.
fn kept(students: Vec<Student>, keep: Keep) -> Vec<Student> {
    if keep == Keep::All {
        return students;
    }
    let mut kept: Vec<Student> = Vec::new();
    let mut places = BTreeMap::new();
    for student in students {
        let place = *places.entry(student.name_key.clone()).or_insert(kept.len());
        match kept.get_mut(place) {
            None => kept.push(student),
            Some(other) if keep == Keep::Last || student.right >= other.right => *other = student,
            Some(_) => {}
        }
    }
    kept
}

fn counts<'a>(
    question: usize,
    ask: &Ask,
    answers: impl Iterator<Item = &'a GradedAnswer>,
) -> QuestionCounts {
    let (ask, mistakes) = (ask.clone(), BTreeMap::new());
    let mut counts =
        QuestionCounts { question, ask, answers: 0, right: 0, mistakes, unexplained: 0 };
    for answer in answers {
        counts.answers += 1;
        match answer.mistake {
            _ if answer.right => counts.right += 1,
            Some(mistake) => *counts.mistakes.entry(mistake).or_default() += 1,
            None => counts.unexplained += 1,
        }
    }
    counts
}
