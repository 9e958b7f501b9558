//! Names of students: spellings of one name, and lines of one student.

use pagewalk_quiz::exercise::{
    Answers, Exercise, GivenAnswer, Grading, Keep, one_spelling, write_line,
};
use serde_json::json;

use crate::support::exercise;

/// The letter é, the letters e and ◌́, and a Korean syllable as one letter and as three.
const PAIRS: [(&str, &str); 4] = [
    ("Ada Lovelace", "  Ada\t Lovelace\u{a0}"),
    ("Zo\u{e9}", "Zoe\u{301}"),
    ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}"),
    ("Nguy\u{1ec5}n", "Nguye\u{302}\u{303}n"),
];

#[test]
fn spellings_of_one_name_get_the_same_accesses() {
    let exercise = exercise(&json!({}));
    let asked = |name| exercise.questions(&mut exercise.replay().unwrap(), name).unwrap();
    for (name, other) in PAIRS {
        assert_eq!(one_spelling(other), name);
        assert_eq!(asked(name), asked(other), "{name}");
    }
    assert_ne!(one_spelling("ada"), one_spelling("Ada"));
}

fn line(exercise: &Exercise, name: &str) -> String {
    let (name, program) = (name.to_owned(), String::new());
    let answers = vec![GivenAnswer::default(); 4];
    write_line(&Answers { exercise: exercise.digest(), name, program, answers }).unwrap()
}

#[test]
fn lines_of_one_student_have_one_key() {
    let exercise = exercise(&json!({}));
    let names = ["ZO\u{c9}  K", " zoe\u{301} k", "Zo\u{e9} L"];
    let text = names.map(|name| line(&exercise, name)).join("\n");
    let mut replay = exercise.replay().unwrap();
    let mut kept = |keep| {
        let mut grading = Grading::new(&exercise, &mut replay);
        grading.add("a.csv", &text);
        let students = grading.finish(keep).students.into_iter();
        students.map(|student| (student.name, student.name_key)).collect::<Vec<_>>()
    };
    let all =
        [("ZO\u{c9} K", "zo\u{e9} k"), ("zo\u{e9} k", "zo\u{e9} k"), ("Zo\u{e9} L", "zo\u{e9} l")];
    let all = all.map(|(name, key)| (name.to_owned(), key.to_owned()));
    assert_eq!(kept(Keep::All), all);
    assert_eq!(kept(Keep::Last), all[1..]);
}
