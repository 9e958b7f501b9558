//! Answers that textbooks print.

use crate::support::{On, replay, verdict};

/// Checks the verdict of each question about each access: the question, the answer of the book, and the verdict.
#[track_caller]
fn check(model: &'static str, lines: &str, rows: &[(u32, &str, &str, &str)]) {
    let mut replay = replay(On::Model(model), lines);
    for (at, asked, given, expected) in rows {
        let found = verdict(&mut replay, *at, asked, given);
        assert_eq!(found, *expected, "{asked} of access {at}: {given}");
    }
}

/// Section 9.6.4 of Bryant and O'Hallaron, its practice problem 9.4 and its homework 9.11 to 9.13.
#[test]
fn the_small_memory_system_is_asked_as_in_the_book() {
    let lines = "load 0x3d4; load 0x3d7; load 0x175; load 0x27c; load 0x3a9; load 0x40; load 0x2ea; load 0xb8f";
    let answers = [
        ["0x0f", "0x3", "0x03", "hit", "0x354"],
        ["0xf", "3", "3", "hit", "357"],
        ["5", "1", "0x01", "miss", "0x5b5"],
        ["9", "1", "2", "miss", "0x5fc"],
        ["E", "2", "3", "miss", "0x469"],
        ["1", "1", "0", "fault", ""],
        ["0x0b", "3", "0x02", "fault", ""],
        ["0x2e", "0x2", "0x0b", "fault", ""],
    ];
    let asked = ["field page-number", "field set:TLB", "field tag:TLB", "outcome", "physical"];
    let no_translation =
        "ask.kind: the access has no translation: #PF ends it before: the page is not present";
    for (at, answers) in (0..).zip(answers) {
        for (asked, given) in asked.into_iter().zip(answers) {
            let expected = if given.is_empty() { no_translation } else { "right" };
            check("csapp-14bit", lines, &[(at, asked, given, expected)]);
        }
    }
    check(
        "csapp-14bit",
        lines,
        &[
            (0, "set TLB", "3", "right"),
            (0, "field offset", "0x14", "right"),
            (2, "references", "1", "right"),
            (2, "entry-address 1", "0x60a", "right"),
            (2, "field index-1", "5", "right"),
            (6, "entry-address 1", "0x616", "right"),
            (6, "fault-code", "4", "right"),
            (0, "references", "1", "ask.kind: the access has no walk: a TLB hits"),
            (0, "fault-code", "4", "ask.kind: no page fault ends the access"),
            (0, "page-size", "64", "ask.kind: every page of this machine has 64"),
            (0, "way TLB", "0", "right"),
            (0, "victim TLB", "none", "ask.of: the access fills no entry of `TLB`"),
        ],
    );
}

/// Chapter 19 of Arpaci-Dusseau: an array of ten integers.
#[test]
fn the_array_of_ten_integers_misses_where_the_book_says() {
    let lines = "load 0x64; load 0x68; load 0x6c; load 0x70; load 0x74; load 0x78; load 0x7c; load 0x80; load 0x84; load 0x88";
    let outcomes = ["fault", "hit", "hit", "fault", "hit", "hit", "hit", "fault", "hit", "hit"];
    for (at, outcome) in (0..).zip(outcomes) {
        check("ostep-16-byte", lines, &[(at, "outcome", outcome, "right")]);
    }
    check("ostep-16-byte", lines, &[(0, "field page-number", "6", "right")]);
}

/// Belady's anomaly: the victims of the reference string of the literature, 1 2 3 4 1 2 5 1 2 3 4 5, under FIFO.
#[test]
fn a_fifo_of_three_entries_evicts_the_pages_of_the_anomaly() {
    let pages = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5];
    let lines: Vec<String> = pages.iter().map(|page| format!("load {page:#x}000")).collect();
    let on = On::Json(r#"{"l1": [{"name": "d", "entries": 3, "replacement": "fifo"}]}"#, "{}");
    let mut replay = replay(on, &lines.join("; "));
    for (at, victim) in [(2, "none"), (3, "1"), (4, "2"), (5, "3"), (6, "4"), (9, "1"), (10, "2")] {
        assert_eq!(verdict(&mut replay, at, "victim d", victim), "right", "{at}");
    }
}
