//! Answer lines: whole, cut, damaged, foreign and long.

use cases::cases;
use pagewalk_quiz::exercise::{Answers, GivenAnswer, read_line, write_line};

use crate::packed;

fn answers() -> Answers {
    let given = |text: &str| GivenAnswer {
        given: text.to_owned(),
        tries: 1,
        seconds: 12,
        sure: Some(true),
    };
    Answers {
        exercise: "0123456789ab".to_owned(),
        name: "Ada Lovelace 🦉".to_owned(),
        program: "0.1.0".to_owned(),
        answers: vec![given("3"), given("0x354"), GivenAnswer::default()],
    }
}

#[test]
fn a_line_is_read_as_it_was_written_and_keeps_its_label() {
    let line = write_line(&answers()).unwrap();
    for (text, label) in [
        (line.clone(), ""),
        (format!("  {line}\t"), ""),
        (format!("17,\"{line}\",2026-11-26"), "17 2026-11-26"),
        (format!("Ada; {line}; late"), "Ada late"),
        (format!("<p>{line}</p>"), "<p> </p>"),
        (format!("The line begins with PW1.: {line}"), "The line begins with PW1.:"),
        (format!("PW1.q1ZKrUgt, PW1.abc.12345678, {line}"), "PW1.q1ZKrUgt, PW1.abc.12345678"),
        (format!("{line} {line}"), line.as_str()),
    ] {
        let read = read_line(&text).unwrap();
        assert_eq!((read.answers, read.label.as_str()), (answers(), label), "{text}");
    }
}

/// The line comes from another program: zlib, Base64 and SHA-256 of Python. Lines that were handed in stay readable.
#[test]
fn a_line_of_another_program_is_read() {
    let line = "PW1.q1ZKrUgtSs4sTlWyUjIwNDI2MTUzt7BMTFLSUcpLzAWJOqYkKvjkl6XmJCanKnyYv6wTKFVQlJ9elJgL0qNnqGcAFEnMKy5PLSpWsoquVkrPLEvNA8oZA8VLijJTgaKGOkrFqcn5eSkgthGQU1oENLukqDS1VgehwaDC2NSEVE1KtbG1AA.906332d2";
    assert_eq!(read_line(line).unwrap().answers, answers());
}

#[track_caller]
fn check(line: &str, expected: &str) {
    assert_eq!(read_line(line).unwrap_err().to_string(), expected);
}

const CUT: &str =
    "the line is cut: its end with the checksum is missing; ask the student for the whole line";
const FOREIGN: &str = "this line has no answers: they begin with PW1.";
const LONG: &str = "the answers of this line are too long";

#[test]
fn a_line_that_is_cut_anywhere_is_no_line() {
    let line = write_line(&answers()).unwrap();
    for end in 0..line.len() {
        check(&line[..end], if end < 4 { FOREIGN } else { CUT });
        assert!(end == 0 || read_line(&line[end..]).is_err(), "{end}");
    }
}

#[test]
fn a_line_with_one_other_letter_is_no_line() {
    let line = write_line(&answers()).unwrap();
    for at in 0..line.len() {
        let other = if line.as_bytes()[at] == b'-' { "_" } else { "-" };
        let damaged = format!("{}{other}{}", &line[..at], &line[at + 1..]);
        assert!(read_line(&damaged).is_err(), "{damaged}");
    }
}

#[test]
fn foreign_and_long_texts_are_no_lines() {
    for text in ["", "Name,Answer", "pw1.abc.12345678", "PW2.abc.12345678", "é", "\0"] {
        check(text, FOREIGN);
    }
    check(
        "PW1..12345678",
        "the line is damaged: its checksum does not fit; ask the student for the whole line",
    );
    let million = 1_000_000;
    check(&"a".repeat(million), FOREIGN);
    check(&"é".repeat(million), FOREIGN);
    check(&format!("PW1.{}", "A".repeat(million)), LONG);
    check(&"PW1.".repeat(million / 4), CUT);
    check(&packed::line(&packed::letters(1 << 20)), LONG);
}

#[test]
fn a_line_that_cannot_be_read_is_not_written() {
    let with = |given: String| {
        let mut long = answers();
        long.answers[0].given = given;
        write_line(&long)
    };
    let fits = with("x".repeat(60_000)).unwrap();
    assert_eq!(read_line(&fits).unwrap().answers.answers[0].given.len(), 60_000);
    let error = with("x".repeat(70_000)).unwrap_err().to_string();
    assert_eq!(
        error,
        "the answers have 70220 bytes, and a line holds 65536: shorten the longest answer"
    );
}

#[test]
fn random_texts_do_not_stop_the_program() {
    let line = write_line(&answers()).unwrap();
    cases(300).size_max(4096).check(|u| {
        let from = u.choose_index(line.len())?;
        let to = u.int_in_range(from..=line.len())?;
        let text = format!("{}{}{}", &line[..from], u.arbitrary::<&str>()?, &line[to..]);
        if let Ok(read) = read_line(&text) {
            assert_eq!(read.answers, answers());
        }
        Ok(())
    });
}
