//! What a posed question shows.

use pagewalk_quiz::Choices;

use crate::support::{On, ask, posed, replay};

/// Poses a question about the last access, and compares its JSON without the question and the access.
#[track_caller]
fn check(on: On, lines: &str, asked: &str, n: Option<u32>, expected: &str) {
    let mut replay = replay(on, lines);
    let last = replay.trace().len() - 1;
    let posed = posed(&mut replay, last, &ask(asked), Choices { n, seed: 7 }).unwrap();
    let mut json = serde_json::to_value(posed).unwrap();
    let fields = json.as_object_mut().unwrap();
    for field in ["ask", "at", "address", "access"] {
        assert!(fields.remove(field).is_some(), "{field}");
    }
    assert_eq!(json.to_string(), expected);
}

const BOOK: On = On::Model("csapp-14bit");
const HUGE: On = On::Json("{}", r#"{"default": "2M"}"#);

#[test]
fn a_typed_answer_has_a_base_and_no_choices() {
    check(
        BOOK,
        "load 0xadd",
        "set TLB",
        None,
        r#"{"array":"TLB","choices":[],"form":"decimal","page":"0x2b","size":"64"}"#,
    );
    check(
        BOOK,
        "load 0xadd",
        "physical",
        None,
        r#"{"choices":[],"form":"hexadecimal","page":"0x2b","size":"64"}"#,
    );
}

#[test]
fn what_the_answer_follows_from_is_not_shown() {
    for asked in ["field page-number", "field offset"] {
        check(BOOK, "load 0xadd", asked, None, r#"{"choices":[],"form":"hexadecimal"}"#);
    }
    let sizes = r#"{"choices":["4K","2M","1G"],"form":"choice"}"#;
    check(HUGE, "load 0xadd", "page-size", None, sizes);
}

#[test]
fn choices_are_those_of_mistakes_first_if_the_array_has_them() {
    let on = On::Json(r#"{"l1": [{"name": "d", "entries": 1}]}"#, "{}");
    check(
        on,
        "load 0x1000; load 0x2000; load 0x1000; load 0x1000",
        "number misses:d",
        Some(4),
        r#"{"choices":["1","2","0","3"],"form":"choice","page":"0x1","size":"4K"}"#,
    );
    check(
        BOOK,
        "load 0xadd",
        "set TLB",
        Some(4),
        r#"{"array":"TLB","choices":["1","2","0","3"],"form":"choice","page":"0x2b","size":"64"}"#,
    );
    // The TLB has 4 sets.
    check(
        BOOK,
        "load 0xadd",
        "set TLB",
        Some(6),
        r#"{"array":"TLB","choices":["1","2","0","3"],"form":"choice","page":"0x2b","size":"64"}"#,
    );
    // The entry that has been unused for longest is a choice where the tree of bits evicts another.
    check(
        On::Json(r#"{"l1": [{"name": "d", "entries": 4, "replacement": "tree-plru"}]}"#, "{}"),
        "load 0x1000; load 0x2000; load 0x3000; load 0x4000; load 0x1000; load 0x5000",
        "victim d",
        Some(3),
        r#"{"array":"d","choices":["0x2","0x3","0x1"],"form":"choice","page":"0x5","size":"4K"}"#,
    );
    let words = r#"{"choices":["hit","miss","fault"],"form":"choice","page":"0x2b","size":"64"}"#;
    check(BOOK, "load 0xadd", "outcome", Some(2), words);
}

#[test]
fn a_question_that_makes_no_sense_is_an_error_at_its_field() {
    let skylake = On::Model("intel-skylake");
    let lines = "load 0x1000; fetch 0x2000; prefetch 0x5000; load 0x1000";
    let mut replay = replay(skylake, lines);
    for (at, asked, n, expected) in [
        (9, "outcome", None, "at: no access 9 is simulated, but those from 0 to before 4"),
        (0, "outcome", Some(1), "choices: 1 choices: must be 2 to 8"),
        (
            0,
            "field index-7",
            None,
            "ask.of: the access reads no table of level 7: choose one of 4, 3, 2, 1",
        ),
        (
            0,
            "field vpn",
            None,
            "ask.of: `vpn` is no part of an address: choose page-number, offset, index-N for level N, or set:NAME or tag:NAME for a TLB array",
        ),
        (
            0,
            "number victims",
            None,
            "ask.of: `victims` is not counted: choose walks, faults, references, pages or cycles, or misses:NAME or hits:NAME for a TLB array",
        ),
        (2, "outcome", None, "ask.kind: the access has no translation: it ends before"),
        (3, "entry-address 1", None, "ask.kind: the access has no walk: a TLB hits"),
    ] {
        let choices = Choices { n, seed: 0 };
        let error = pagewalk_quiz::pose(&mut replay, at, &ask(asked), choices).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let unknown = pagewalk_quiz::pose(&mut replay, 0, &ask("set STLB 4K"), Choices::default());
    let unknown = unknown.unwrap_err().to_string();
    assert!(
        unknown.starts_with("ask.of: there is no TLB array `STLB 4K`: choose one of "),
        "{unknown}"
    );
    let other = pagewalk_quiz::pose(&mut replay, 1, &ask("set L1 dTLB 4K"), Choices::default());
    let other = other.unwrap_err().to_string();
    assert!(
        other.starts_with("ask.of: the access does not look in `L1 dTLB 4K`, but in "),
        "{other}"
    );
}

#[test]
fn long_and_foreign_answers_are_wrong() {
    let mut replay = replay(BOOK, "load 0xadd");
    let long = ["9".repeat(1_000_000), " ".repeat(1_000_000), "é".repeat(1_000_000)];
    for given in long.iter().map(String::as_str).chain(["-1", "∞", "0x", "\0", "3 or 4"]) {
        for asked in ["set TLB", "physical", "outcome", "field page-number"] {
            assert!(!pagewalk_quiz::grade(&mut replay, 0, &ask(asked), given).unwrap().right);
        }
    }
    let zeros = "0".repeat(1_000_000) + "3";
    assert!(pagewalk_quiz::grade(&mut replay, 0, &ask("set TLB"), &zeros).unwrap().right);
}
