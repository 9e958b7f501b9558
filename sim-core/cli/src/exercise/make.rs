//! `pagewalk exercise make`: the questions of students with their answers, or the link of an exercise.

use std::path::Path;

use anyhow::{anyhow, bail};
use pagewalk_base::error::{ErrorCode, Result};
use pagewalk_quiz::exercise::{Asked, Asker, one_spelling};
use serde::Serialize;

use super::{Source, read_bytes, words};
use crate::about::{json, this_command};
use crate::args::MakeArgs;
use crate::output;
use crate::sheet::Sheet;
use crate::table::Table;

/// The answer sheet of an exercise.
#[derive(Serialize)]
struct Made {
    title: String,
    exercise: String,
    students: Vec<Student>,
}

/// The questions of a student.
#[derive(Serialize)]
struct Student {
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

pub(super) fn make(args: &MakeArgs) -> anyhow::Result<()> {
    let source = Source::read(&args.file)?;
    if args.link {
        return link(&source);
    }
    let mut names: Vec<String> = args.names.iter().map(|name| one_spelling(name)).collect();
    if let Some(file) = &args.names_file {
        names.extend(read_names(file)?);
    }
    if names.is_empty() {
        names.push(String::new());
    }
    let made = Made {
        title: source.exercise.title().to_owned(),
        exercise: source.exercise.digest(),
        students: source.named(students(&source, &names))?,
    };
    let about = this_command();
    if args.result.write_csv(&about, || sheet(&made))? {
        Ok(())
    } else if args.result.json {
        json(about, &made)
    } else {
        output::text(text(&made))
    }
}

/// Prints the part of the link after `#`. Only the site can make some traces, so their questions are not checked.
fn link(source: &Source) -> anyhow::Result<()> {
    source.named(source.exercise.view())?;
    match students(source, &[String::new()]) {
        Err(error) if error.code == ErrorCode::Unsupported => {}
        checked => drop(source.named(checked)?),
    }
    output::text(source.named(source.exercise.link())? + "\n")
}

fn students(source: &Source, names: &[String]) -> Result<Vec<Student>> {
    let mut replay = source.exercise.replay()?;
    let mut asker = Asker::new(&source.exercise, &mut replay);
    let student = |name: &String| {
        let questions = asker.solved(name)?.into_iter();
        let questions =
            questions.map(|solved| Shown { answer: solved.grade("").answer, asked: solved.asked });
        Ok(Student { name: name.clone(), questions: questions.collect() })
    };
    names.iter().map(student).collect()
}

/// Reads a list of names, one a line. Other bytes than UTF-8 would be other names than the students type.
fn read_names(file: &Path) -> anyhow::Result<Vec<String>> {
    let text = String::from_utf8(read_bytes(file)?);
    let text = text.map_err(|_| {
        anyhow!("{}: the names are not UTF-8 text: save the file as UTF-8", file.display())
    })?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(one_spelling);
    let names: Vec<String> = lines.filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        bail!("{}: there is no name: give one on each line", file.display());
    }
    Ok(names)
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

/// One row for each question of each student.
fn sheet(made: &Made) -> Sheet {
    let [question, access, kind, address, asked, answer] = COLUMNS;
    let mut sheet = Sheet::new(["name", question, access, kind, address, asked, answer]);
    for student in &made.students {
        for shown in &student.questions {
            let [question, access, kind, address, asked, answer] = cells(shown);
            sheet.row([student.name.clone(), question, access, kind, address, asked, answer]);
        }
    }
    sheet
}

fn text(made: &Made) -> String {
    let mut text = format!("{} ({})\n", output::one_line(&made.title), made.exercise);
    for Student { name, questions } in &made.students {
        let mut table = Table::new(6, COLUMNS);
        for shown in questions {
            table.row(cells(shown));
        }
        let name = output::one_line(name);
        let name = if name.is_empty() { "A student without a name" } else { &name };
        text += &format!("\n{name}\n{table}");
    }
    text
}
