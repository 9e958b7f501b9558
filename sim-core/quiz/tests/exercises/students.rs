//! Five students, each with a mistake of their own. The report names every one.

use pagewalk_quiz::Mistake;
use pagewalk_quiz::exercise::{Asked, Asker, Exercise, GivenAnswer, Grading, Keep, Report};
use pagewalk_quiz::grade;
use serde_json::json;

use crate::support::exercise;

/// A student, the question that they get wrong, their mistake, and the answer that it leads to: of the address, and
/// of the right answers at the access and at the one before it.
type Planted = (&'static str, usize, &'static str, fn(u64, &str, &str) -> String);

/// Pages have 4096 bytes, and the array has 16 sets.
const STUDENTS: [Planted; 5] = [
    ("Ada", 1, "offset-for-set", |address, _, _| (address & 0xfff).to_string()),
    ("Bob", 2, "tag-for-page", |address, _, _| format!("{:#x}", address >> 16)),
    ("Cem", 3, "hexadecimal-for-decimal", |address, _, _| format!("{:x}", address >> 12 & 0x1ff)),
    ("Dee", 4, "first-touch-for-miss", |_, _, _| "fault".to_owned()),
    ("Eve", 5, "one-access-short", |_, _, before| before.to_owned()),
];

/// Thirty loads of different pages that are mapped before, each of which is loaded again.
fn five_questions() -> Exercise {
    let addresses: Vec<u64> = (1..=30).map(|n| 0x7f3a_0000_0123 + n * 0x1_3008).collect();
    let lines: Vec<String> =
        addresses.iter().map(|at| format!("load {at:#x}\nload {at:#x}")).collect();
    let pages: Vec<_> =
        addresses.iter().map(|at| json!({"page": format!("{:#x}", at >> 12)})).collect();
    exercise(&json!({
        "cpu": "intel-skylake",
        "os": {"default": "4K", "given": {"pages": pages}},
        "trace": {"lines": lines.join("\n")},
        "questions": [
            {"ask": {"kind": "set", "of": "L1 dTLB 4K"}, "among": "accesses"},
            {"ask": {"kind": "field", "of": "page-number"}, "among": "accesses"},
            {"ask": {"kind": "field", "of": "index-1"}, "among": "accesses"},
            {"ask": {"kind": "outcome"}, "among": "walks"},
            {"ask": {"kind": "number", "of": "walks"}, "among": "walks"}
        ]
    }))
}

/// Returns the line of a student, whose other answers are right.
fn line(exercise: &Exercise, (name, wrong, _, answer): Planted) -> String {
    let mut replay = exercise.replay().unwrap();
    let mut asker = Asker::new(exercise, &mut replay);
    let questions = asker.solved(name).unwrap();
    let answers = questions.iter().map(|solved| {
        let right = solved.grade("").answer;
        let Asked { question, posed } = &solved.asked;
        if *question != wrong {
            return right;
        }
        let earlier = grade(&mut replay, posed.at.saturating_sub(1), &posed.ask, "");
        let before = earlier.map(|graded| graded.answer);
        answer(posed.address.0, &right, &before.unwrap_or_default())
    });
    let answers = answers.map(|given| GivenAnswer { given, tries: 1, ..GivenAnswer::default() });
    exercise.line(name, &answers.collect::<Vec<_>>()).unwrap()
}

fn report(exercise: &Exercise) -> Report {
    let mut replay = exercise.replay().unwrap();
    let mut grading = Grading::new(exercise, &mut replay);
    let lines: Vec<String> = STUDENTS.iter().map(|student| line(exercise, *student)).collect();
    grading.add("class.csv", &lines.join("\n"));
    grading.finish(Keep::All)
}

#[test]
fn the_report_names_the_mistake_of_each_student() {
    let report = report(&five_questions());
    assert_eq!(report.unread, []);
    for ((name, wrong, mistake, _), student) in STUDENTS.iter().zip(&report.students) {
        let answers = student.answers.iter();
        let missed: Vec<_> = answers
            .filter(|answer| !answer.right)
            .map(|answer| (answer.question, answer.mistake.map(Mistake::name)))
            .collect();
        assert_eq!(
            (student.name.as_str(), missed),
            (*name, vec![(*wrong, Some((*mistake).to_owned()))])
        );
    }
    for ((_, wrong, mistake, _), question) in STUDENTS.iter().zip(&report.questions) {
        let counts = question.mistakes.iter().map(|(mistake, n)| format!("{} {n}", mistake.name()));
        let found = (question.question, question.right, counts.collect::<Vec<_>>());
        assert_eq!(found, (*wrong, 4, vec![format!("{mistake} 1")]));
        assert_eq!((question.answers, question.unexplained), (5, 0));
    }
}
