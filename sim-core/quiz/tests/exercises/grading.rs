//! Grading: verdicts and counts of mistakes.

use pagewalk_quiz::exercise::{Answers, Exercise, GivenAnswer, Grading, Keep, Report, write_line};
use pagewalk_quiz::grade;
use serde_json::json;

use crate::support::exercise;

/// Returns the line of a student who answers each question with `answer` of the right answer.
fn line(exercise: &Exercise, name: &str, answer: impl Fn(usize, String) -> String) -> String {
    let mut replay = exercise.replay().unwrap();
    let asked = exercise.questions(&mut replay, name).unwrap();
    let given = asked.iter().enumerate().map(|(number, asked)| {
        let right = grade(&mut replay, asked.posed.at, &asked.posed.ask, "").unwrap().answer;
        GivenAnswer { given: answer(number, right), tries: 2, seconds: 9, sure: None }
    });
    let (name, program) = (name.to_owned(), "0.1.0".to_owned());
    write_line(&Answers { exercise: exercise.digest(), name, program, answers: given.collect() })
        .unwrap()
}

fn report(exercise: &Exercise, text: &str) -> Report {
    let mut replay = exercise.replay().unwrap();
    let mut grading = Grading::new(exercise, &mut replay);
    grading.add("answers.csv", text);
    grading.finish(Keep::All)
}

#[test]
fn right_answers_are_right_and_mistakes_are_counted() {
    let exercise = exercise(&json!({}));
    let ada = line(&exercise, "Ada", |_, right| right);
    // The first question is asked at load 0xadd: its page number is 0x2b.
    let bob = line(&exercise, "Bob", |number, right| if number == 0 { "43".into() } else { right });
    let eve = line(&exercise, " Eve ", |_, _| "?".into());
    let text = format!(
        "id,name,answer\n1,Ada,{ada}\n\n2,Bob,{bob}\r\n3,Eve,{eve}\n4,cut,{}\n",
        &ada[..20]
    );
    let report = report(&exercise, &text);
    let students: Vec<_> = report
        .students
        .iter()
        .map(|s| (s.line, s.label.as_str(), s.name.as_str(), s.right))
        .collect();
    let expected = [(2, "1,Ada", "Ada", 4), (4, "2,Bob", "Bob", 3), (5, "3,Eve", "Eve", 0)];
    assert_eq!(students, expected);
    let counts = report.questions.iter().map(|q| {
        let mistakes = q.mistakes.iter().map(|(mistake, n)| format!("{} {n}", mistake.name()));
        (q.answers, q.right, q.unexplained, mistakes.collect::<Vec<_>>())
    });
    let counts: Vec<_> = counts.collect();
    let expected =
        [(3, 1, 1, vec!["page-for-set 1".to_owned()]), (6, 4, 2, vec![]), (3, 2, 1, vec![])];
    assert_eq!(counts, expected);
    let unread: Vec<_> =
        report.unread.iter().map(|line| (line.line, line.error.message.as_str())).collect();
    let cut =
        "the line is cut: its end with the checksum is missing; ask the student for the whole line";
    let foreign = "this line has no answers: they begin with PW1.";
    assert_eq!(unread, [(1, foreign), (6, cut)]);
}

#[test]
fn a_line_that_mail_wrapped_is_one_line() {
    let exercise = exercise(&json!({}));
    let ada = line(&exercise, "Ada", |_, right| right);
    let bob = line(&exercise, "Bob", |_, right| right);
    let wrap = |text: &str, start: &str| {
        let parts: Vec<_> =
            text.as_bytes().chunks(20).map(|part| str::from_utf8(part).unwrap()).collect();
        parts.join(start)
    };
    let text = format!(
        "from Ada\n{} seen\n> {}\nPW1.cut\n{ada}\n",
        wrap(&ada, "\r\n"),
        wrap(&bob, "\n> ")
    );
    let report = report(&exercise, &text);
    let students: Vec<_> =
        report.students.iter().map(|s| (s.name.as_str(), s.label.as_str(), s.right)).collect();
    assert_eq!(students, [("Ada", "seen", 4), ("Bob", ">", 4), ("Ada", "", 4)]);
    assert_eq!(report.unread.len(), 2);
}

#[test]
fn answers_to_another_exercise_are_not_graded() {
    let other = exercise(&json!({"title": "Another one"}));
    let exercise = exercise(&json!({}));
    let text = line(&other, "Ada", |_, right| right);
    let found = report(&exercise, &text);
    let expected =
        format!("these are answers to exercise {}, not to {}", other.digest(), exercise.digest());
    assert_eq!((found.students.len(), found.unread[0].error.message.as_str()), (0, &*expected));
    for digest in ["\u{1b}[2J\u{1b}[31m", "12345", "x23456789abc"] {
        let (name, program) = ("Ada".into(), String::new());
        let forged = Answers { exercise: digest.into(), name, program, answers: vec![] };
        let found = report(&exercise, &write_line(&forged).unwrap());
        let expected =
            format!("these are answers to another exercise, not to {}", exercise.digest());
        assert_eq!(found.unread[0].error.message, expected);
    }
    let short = Answers {
        exercise: exercise.digest(),
        name: "Ada".into(),
        program: String::new(),
        answers: vec![],
    };
    let found = report(&exercise, &write_line(&short).unwrap());
    assert_eq!(found.unread[0].error.message, "there are 0 answers to 4 questions");
}
