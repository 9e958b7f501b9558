//! Tests of the lessons: their claims agree with the simulator, and their texts have no number that is not a claim.

use crate::lesson::{Lesson, lessons};

/// A number in a text: the value of a claim, `{=page}` or `{=page.2}`, or digits.
#[derive(Debug, PartialEq)]
enum Number<'a> {
    Claimed(&'a str),
    Digits(&'a str),
}

/// Returns the numbers of a text. Page sizes such as 4K and names such as L1 are none, and marks are left out.
fn numbers(text: &str) -> Vec<Number<'_>> {
    let mut found = Vec::new();
    let mut left = text;
    while !left.is_empty() {
        if let Some((_, rest)) = left.strip_prefix("](").and_then(|mark| mark.split_once(')')) {
            left = rest;
        } else if let Some((name, rest)) =
            left.strip_prefix("{=").and_then(|name| name.split_once('}'))
        {
            found.push(Number::Claimed(name));
            left = rest;
        } else {
            let length = left.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(left.len());
            let word = &left[..length];
            if word.starts_with(|it: char| it.is_ascii_digit()) && !is_size(word) {
                found.push(Number::Digits(word));
            }
            let other = left[length..].chars().next().filter(|_| length == 0);
            let end = length + other.map_or(0, char::len_utf8);
            if other.is_some_and(char::is_numeric) {
                found.push(Number::Digits(&left[..end]));
            }
            left = &left[end..];
        }
    }
    found
}

fn is_size(word: &str) -> bool {
    let digits = word.strip_suffix(['K', 'M', 'G']);
    digits.is_some_and(|digits| digits.bytes().all(|it| it.is_ascii_digit()))
}

#[test]
fn the_claims_of_lessons_agree() {
    let lessons = lessons();
    let problems: Vec<String> = std::thread::scope(|threads| {
        let runs: Vec<_> = lessons.iter().map(|it| threads.spawn(|| it.problems())).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_lesson_has_a_claim() {
    let lessons = lessons();
    assert!(!lessons.is_empty());
    let bare: Vec<_> =
        lessons.iter().filter(|it| it.claims().is_empty()).map(Lesson::name).collect();
    assert!(bare.is_empty(), "{bare:?}");
}

/// A claim that reads nothing of the simulator would agree with any machine. A published number has its source.
#[test]
fn claims_read_what_the_simulator_gives() {
    const GIVEN: [&str; 4] = ["steps", "run", "split", "models"];
    for lesson in lessons() {
        for claim in lesson.claims() {
            let words = claim["got"].as_str().unwrap_or_default();
            let words: Vec<&str> = words.split(|it: char| !it.is_ascii_alphanumeric()).collect();
            let (lesson, name) = (lesson.name(), &claim["name"]);
            let reads = GIVEN.iter().any(|given| words.contains(given)) || claim["url"].is_string();
            assert!(reads, "{lesson}, {name}: `got` reads none of {GIVEN:?}");
        }
    }
}

#[test]
fn every_number_in_the_texts_is_a_claim() {
    let mut problems = Vec::new();
    for lesson in lessons() {
        for (file, text) in lesson.texts() {
            for (line, text) in (1..).zip(text.lines()) {
                problems.extend(numbers(text).into_iter().filter_map(|number| {
                    match number {
                        Number::Claimed(path) => lesson
                            .value(path)
                            .is_none()
                            .then(|| format!("{file}:{line}: no claim has the value {{={path}}}")),
                        Number::Digits(digits) => Some(format!(
                            "{file}:{line}: {digits} is no claim: write {{=NAME}} and claim it"
                        )),
                    }
                }));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn claims_have_names_of_their_own_and_values_as_they_are_shown() {
    for lesson in lessons() {
        for claim in lesson.claims() {
            let name = claim["name"].as_str().unwrap();
            let same = lesson.claims().iter().filter(|other| other["name"] == name);
            assert_eq!(same.count(), 1, "{}: {name}", lesson.name());
            // Braces are expressions, which the site does not evaluate.
            let shown = claim["expected"].to_string();
            assert!(
                !shown.contains('{') && claim.get("each").is_none(),
                "{}: {name}",
                lesson.name()
            );
        }
    }
}

#[test]
fn numbers_are_claims_or_digits() {
    use Number::{Claimed, Digits};
    let cases: [(&str, &[Number<'_>]); 9] = [
        ("page {=page.2} of [4K](level-1)", &[Claimed("page.2")]),
        ("L1 and x86 are names, 2M is a size", &[]),
        ("8,192 walks", &[Digits("8"), Digits("192")]),
        ("at 0x3d4, 100MB", &[Digits("0x3d4"), Digits("100MB")]),
        ("有4个组, 4K页, 四组", &[Digits("4")]),
        ("有４个组", &[Digits("４")]),
        ("집합 4개, L1은", &[Digits("4")]),
        ("{address} = {=address}, {", &[Claimed("address")]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(numbers(text), expected, "{text}");
    }
}
