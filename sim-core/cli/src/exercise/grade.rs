//! `pagewalk exercise grade`: graded lines of answers.

use anyhow::bail;
use pagewalk_quiz::Mistake;
use pagewalk_quiz::exercise::{GradedAnswer, Grading, Report, UnreadLine};

use super::{Source, read_bytes, words};
use crate::about::{json, this_command};
use crate::args::GradeArgs;
use crate::output;
use crate::sheet::{Sheet, cell};
use crate::table::{Table, listed};

/// # Errors
/// If no line can be graded.
pub(super) fn grade(args: &GradeArgs) -> anyhow::Result<()> {
    let source = Source::read(&args.file)?;
    let mut replay = source.named(source.exercise.replay())?;
    let mut grading = Grading::new(&source.exercise, &mut replay);
    for file in &args.answers {
        // Tables of platforms have bytes that are no UTF-8 in names; they are replaced.
        let bytes = read_bytes(file)?;
        grading.add(&file.display().to_string(), &String::from_utf8_lossy(&bytes));
    }
    let report = grading.finish(args.keep.into());
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
        let unexplained =
            (counts.unexplained > 0).then(|| format!("unexplained {}", counts.unexplained));
        questions.row([
            format!("{}: {}", counts.question, words(&counts.ask)),
            listed(mistakes.chain(unexplained)),
            counts.right.to_string(),
            counts.answers.to_string(),
        ]);
    }
    let title = output::one_line(&report.title);
    format!("{title} ({})\n\n{students}\n{questions}{}", report.exercise, unread(report))
}

/// Lists the lines that cannot be graded.
fn unread(report: &Report) -> String {
    let lines: String = report.unread.iter().map(|line| sentence(line) + "\n").collect();
    if lines.is_empty() { lines } else { format!("\nNot graded:\n{lines}") }
}

fn sentence(UnreadLine { file, line, start, error }: &UnreadLine) -> String {
    output::one_line(&format!("{file}, line {line} ({start}): {}", error.message))
}
