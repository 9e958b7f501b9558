//! `pagewalk exercise`: checks an exercise, shows the questions of a student, and grades lines of answers.

use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use pagewalk_quiz::exercise::{Asked, Exercise, GradedAnswer, Grading, Report, UnreadLine};
use pagewalk_quiz::{Ask, Mistake, grade as verdict};
use serde::Serialize;

use crate::about::{json, this_command};
use crate::args::{ExerciseAct, ExerciseArgs, GradeArgs, MakeArgs};
use crate::input::{io_error, open};
use crate::output;
use crate::setup::read_text;
use crate::sheet::{Sheet, cell};
use crate::table::{Table, listed};

/// The largest file of answers, in bytes.
const MAX_ANSWERS_BYTES: u64 = 64 << 20;

pub(crate) fn exercise(args: &ExerciseArgs) -> anyhow::Result<()> {
    match &args.act {
        ExerciseAct::Make(args) => make(args),
        ExerciseAct::Grade(args) => grade(args),
    }
}

fn read(file: &Path) -> anyhow::Result<Exercise> {
    Exercise::parse(&read_text(file)?).with_context(|| file.display().to_string())
}

/// The questions of a student.
#[derive(Serialize)]
struct Made {
    title: String,
    exercise: String,
    name: String,
    questions: Vec<Shown>,
}

/// A question with its answer.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    asked: Asked,
    answer: String,
}

fn make(args: &MakeArgs) -> anyhow::Result<()> {
    let exercise = read(&args.file)?;
    let questions = || {
        let mut replay = exercise.replay()?;
        let asked = exercise.questions(&mut replay, &args.name)?;
        let shown = asked.into_iter().map(|asked| {
            let answer = verdict(&mut replay, asked.posed.at, &asked.posed.ask, "")?.answer;
            Ok(Shown { asked, answer })
        });
        shown.collect::<pagewalk_base::error::Result<_>>()
    };
    let made = Made {
        title: exercise.title().to_owned(),
        exercise: exercise.digest(),
        name: args.name.trim().to_owned(),
        questions: questions().with_context(|| args.file.display().to_string())?,
    };
    let about = this_command();
    if args.result.write_csv(&about, || questions_sheet(&made))? {
        Ok(())
    } else if args.result.json {
        json(about, &made)
    } else {
        output::text(questions_text(&made))
    }
}

const COLUMNS: [&str; 6] = ["question", "access", "kind", "address", "asked", "answer"];

fn cells(shown: &Shown) -> [String; 6] {
    let posed = &shown.asked.posed;
    [
        shown.asked.question.to_string(),
        posed.at.to_string(),
        posed.access.name().to_owned(),
        posed.address.to_string(),
        words(&posed.ask),
        shown.answer.clone(),
    ]
}

fn questions_sheet(made: &Made) -> Sheet {
    let mut sheet = Sheet::new(COLUMNS);
    made.questions.iter().for_each(|shown| sheet.row(cells(shown)));
    sheet
}

fn questions_text(made: &Made) -> String {
    let mut table = Table::new(6, COLUMNS);
    made.questions.iter().for_each(|shown| table.row(cells(shown)));
    let name = if made.name.is_empty() { "a student without a name" } else { &made.name };
    format!("{} ({}), for {name}\n\n{table}", made.title, made.exercise)
}

/// Says what a question asks for.
fn words(ask: &Ask) -> String {
    match ask {
        Ask::Outcome => "hit, miss or fault".to_owned(),
        Ask::Set { of } => format!("set of {of}"),
        Ask::Way { of } => format!("way of {of}"),
        Ask::Victim { of } => format!("victim of {of}"),
        Ask::Field { of } => of.clone(),
        Ask::References => "references of the walk".to_owned(),
        Ask::EntryAddress { level } => format!("address of the entry of level {level}"),
        Ask::PageSize => "page size".to_owned(),
        Ask::FaultCode => "error code of the page fault".to_owned(),
        Ask::Physical => "physical address".to_owned(),
        Ask::Cycles => "cycles".to_owned(),
        Ask::Number { of } => match of.split_once(':') {
            Some((of, array)) => format!("{of} of {array} until here"),
            None => format!("{of} until here"),
        },
    }
}

/// # Errors
/// If no line can be graded.
fn grade(args: &GradeArgs) -> anyhow::Result<()> {
    let exercise = read(&args.file)?;
    let mut replay = exercise.replay().with_context(|| args.file.display().to_string())?;
    let mut grading = Grading::new(&exercise, &mut replay);
    for file in &args.answers {
        grading.add(&file.display().to_string(), &read_answers(file)?);
    }
    let report = grading.finish();
    if report.students.is_empty() {
        let first = report.unread.first();
        let why = first.map_or_else(String::new, |unread| format!(": {}", sentence(unread)));
        bail!("no line has answers to this exercise{why}");
    }
    let about = this_command();
    if args.result.write_csv(&about, || answers_sheet(&report))? {
        // Standard output has the table.
    } else if args.result.json {
        json(about, &report)?;
    } else {
        output::text(report_text(&report))?;
    }
    Ok(())
}

/// Reads a file of answers. Bytes that are no UTF-8 are replaced, because tables of platforms have them in names.
fn read_answers(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == "-" {
        io::stdin().lock().take(MAX_ANSWERS_BYTES + 1).read_to_end(&mut bytes)
    } else {
        open(file)?.take(MAX_ANSWERS_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(|error| io_error(file, &error))?;
    if bytes.len() as u64 > MAX_ANSWERS_BYTES {
        bail!("{}: the file is larger than {} MB", file.display(), MAX_ANSWERS_BYTES >> 20);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn mistake(answer: &GradedAnswer) -> String {
    answer.mistake.map_or_else(String::new, Mistake::name)
}

const ANSWER_COLUMNS: [&str; 14] = [
    "file", "line", "label", "name", "question", "access", "given", "right", "answer", "mistake",
    "tries", "seconds", "sure", "error",
];

/// One row for each answer, and one for each line that cannot be graded.
fn answers_sheet(report: &Report) -> Sheet {
    let mut sheet = Sheet::new(ANSWER_COLUMNS);
    for student in &report.students {
        for answer in &student.answers {
            sheet.row([
                student.file.clone(),
                student.line.to_string(),
                student.label.clone(),
                student.name.clone(),
                answer.question.to_string(),
                answer.at.to_string(),
                answer.given.given.clone(),
                answer.right.to_string(),
                answer.answer.clone(),
                mistake(answer),
                answer.given.tries.to_string(),
                answer.given.seconds.to_string(),
                cell(answer.given.sure),
                String::new(),
            ]);
        }
    }
    for unread in &report.unread {
        let UnreadLine { file, line, start, error } = unread;
        let mut row = [const { String::new() }; ANSWER_COLUMNS.len()];
        row[..3].clone_from_slice(&[file.clone(), line.to_string(), start.clone()]);
        row[ANSWER_COLUMNS.len() - 1].clone_from(&error.message);
        sheet.row(row);
    }
    sheet
}

fn report_text(report: &Report) -> String {
    let mut students = Table::new(1, ["name", "right", "of", "tries"]);
    for student in &report.students {
        let tries: u64 = student.answers.iter().map(|answer| u64::from(answer.given.tries)).sum();
        let name = output::one_line(&student.name);
        let counts = [student.right, student.answers.len()].map(|n| n.to_string());
        let [right, of] = counts;
        students.row([name, right, of, tries.to_string()]);
    }
    let mut questions = Table::new(2, ["question", "mistakes", "right", "of"]);
    for counts in &report.questions {
        let mistakes = counts.mistakes.iter().map(|(mistake, n)| format!("{} {n}", mistake.name()));
        let unexplained = (counts.unexplained > 0).then(|| format!("other {}", counts.unexplained));
        questions.row([
            format!("{}: {}", counts.question, words(&counts.ask)),
            listed(mistakes.chain(unexplained)),
            counts.right.to_string(),
            counts.answers.to_string(),
        ]);
    }
    format!("{} ({})\n\n{students}\n{questions}{}", report.title, report.exercise, unread(report))
}

/// Lists the lines that cannot be graded.
fn unread(report: &Report) -> String {
    let lines: String = report.unread.iter().map(|line| sentence(line) + "\n").collect();
    if lines.is_empty() { lines } else { format!("\nNot graded:\n{lines}") }
}

fn sentence(UnreadLine { file, line, start, error }: &UnreadLine) -> String {
    format!("{file}, line {line} ({}): {}", output::one_line(start), error.message)
}
