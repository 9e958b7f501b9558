//! `pagewalk exercise`: the questions of a student, and graded lines.

use expect_test::expect;

use crate::support::{check, check_with_file, check_with_input, json, printed, with_file};

#[test]
fn the_questions_of_a_student_are_shown_with_their_answers() {
    check(
        "exercise make exercise.json --for Ada",
        expect![[r"
            Cut the address (5eda0dc39acc)

            Ada
            question  access  kind  address  asked               answer
            1         4       load  0xadd    set of TLB          3
            2         3       load  0x2ea    hit, miss or fault  fault
            3         2       load  0x27c    physical address    0x5fc
        "]],
    );
    let made = json("exercise make exercise.json --for Ada --json");
    let question = &made["students"][0]["questions"][0];
    assert_eq!((&question["answer"], &question["posed"]["form"]), (&"3".into(), &"decimal".into()));
}

#[test]
fn a_class_gets_one_answer_sheet() {
    check(
        "exercise make exercise.json --for Ada --for Bob",
        expect![[r"
        Cut the address (5eda0dc39acc)

        Ada
        question  access  kind  address  asked               answer
        1         4       load  0xadd    set of TLB          3
        2         3       load  0x2ea    hit, miss or fault  fault
        3         2       load  0x27c    physical address    0x5fc

        Bob
        question  access  kind  address  asked               answer
        1         4       load  0xadd    set of TLB          3
        2         2       load  0x27c    hit, miss or fault  miss
        3         2       load  0x27c    physical address    0x5fc
    "]],
    );
    check_with_input(
        "exercise make exercise.json --names - --csv -",
        "\u{feff}Ada\n\n  Bob \r\n",
        &expect![[r#"
            name,question,access,kind,address,asked,answer,about.version,about.commit,about.schema,about.command,about.machine.id,about.machine.name,about.machine.digest,about.mapping,about.trace.name,about.trace.digest,about.trace.seed
            Ada,1,4,load,0xadd,set of TLB,3,0.1.0,,1,exercise make exercise.json --names -,,,,,,,
            Ada,2,3,load,0x2ea,"hit, miss or fault",fault,0.1.0,,1,exercise make exercise.json --names -,,,,,,,
            Ada,3,2,load,0x27c,physical address,0x5fc,0.1.0,,1,exercise make exercise.json --names -,,,,,,,
            Bob,1,4,load,0xadd,set of TLB,3,0.1.0,,1,exercise make exercise.json --names -,,,,,,,
            Bob,2,2,load,0x27c,"hit, miss or fault",miss,0.1.0,,1,exercise make exercise.json --names -,,,,,,,
            Bob,3,2,load,0x27c,physical address,0x5fc,0.1.0,,1,exercise make exercise.json --names -,,,,,,,
        "#]],
    );
    check(
        "exercise make exercise.json",
        expect![[r"
        Cut the address (5eda0dc39acc)

        A student without a name
        question  access  kind  address  asked               answer
        1         4       load  0xadd    set of TLB          3
        2         1       load  0x175    hit, miss or fault  miss
        3         1       load  0x175    physical address    0x5b5
    "]],
    );
    check_with_input(
        "exercise make exercise.json --names -",
        " \n",
        &expect![[r"
        exit code 1: pagewalk: -: there is no name: give one on each line
    "]],
    );
    check_with_file(
        "exercise make exercise.json --names",
        b"Ad\xe9\n",
        &expect![[r"
        exit code 1: pagewalk: FILE: the names are not UTF-8 text: save the file as UTF-8
    "]],
    );
}

/// Links that were handed out stay readable.
const LINK: &str = "screen=learn&exercise=1ZY_NbsJADIRfJfI5lZo2FdIe22uPvRUOxmtgxbK7xA4_ivLuOBLiR9xG4288mgGo9OCABEt5a9plUKih4JqPGLd24BN3FITN3fcsGnIScP8DoNh5gG1I3jDhKZdXJv9-v2GsARVcO9YG7nJam49ELMJi3HM290p5xzA-0lP9K1o2ZwmE0dhFDRo0srk_vVa64Qq976zCUtoh8ZSLIVmjg5jRV--nT9_O01U3s6-b_pjRXTPetH2cthy4ExsOrhkv";

#[test]
fn a_link_stands_for_the_file() {
    let made = printed("exercise make exercise.json --for Ada");
    let link = printed("exercise make exercise.json --link");
    for link in [
        link.trim_end().to_owned(),
        LINK.to_owned(),
        format!("https://example.org/pagewalk/#{LINK}&lang=ko"),
    ] {
        assert_eq!(printed(&format!("exercise make {link} --for Ada")), made);
    }
    let grade = LINK.replace("exercise=", "grade=");
    check_with_input(
        &format!("exercise grade {grade} -"),
        LINES,
        &expect![[r"
        Cut the address (5eda0dc39acc)

        name  right  of  tries
        Ada       1   3      4

        question               mistakes        right  of
        1: set of TLB          page-for-set 1      0   1
        2: hit, miss or fault  unexplained 1       0   1
        3: physical address                        1   1

        Not graded:
        -, line 1 (name,answer): this line has no answers: they begin with PW1.
        -, line 3 (Bob,PW1.q1ZKrUgtSs4sTlWyU): the line is cut: its end with the checksum is missing; ask the student for the whole line
    "]],
    );
    check(
        "exercise make screen=learn&exercise=2abc",
        expect![[r"
        exit code 1: pagewalk: the link: a newer version of Pagewalk made the link: use that one to read it
    "]],
    );
    check(
        &format!("exercise make {} --for Ada", &LINK[..60]),
        expect![[r"
        exit code 1: pagewalk: the link: the link is damaged or cut: copy the whole link again
    "]],
    );
    check(
        "exercise make exercise.json --link --json",
        expect![[r"
        exit code 1: pagewalk: the argument '--link' cannot be used with '--json' (see `pagewalk exercise --help`)
    "]],
    );
}

#[test]
fn a_link_is_made_only_of_a_right_exercise() {
    let of = |trace: &str| {
        let json = format!(
            r#"{{"pagewalk": "exercise", "version": 1, "title": "T", "cpu": "csapp-14bit", "trace": {trace},
                "questions": [{{"ask": {{"kind": "outcome"}}, "at": 7}}]}}"#
        );
        with_file("exercise make --link", json.as_bytes())
    };
    expect![[r"
        exit code 1: pagewalk: FILE: questions[0].at: no access 7 is simulated, but those from 0 to before 1
    "]]
    .assert_eq(&of(r#"{"lines": "load 0x3d4"}"#));
    let of_a_loop = of(r#"{"loop": "rows"}"#);
    assert!(of_a_loop.starts_with("screen=learn&exercise=1"), "{of_a_loop}");
}

#[test]
fn control_characters_of_an_exercise_are_not_printed() {
    let json = r#"{"pagewalk": "exercise", "version": 1, "title": "Sets\u001b[2J", "cpu": "csapp-14bit",
        "trace": {"lines": "load 0x3d4"}, "questions": [{"ask": {"kind": "outcome"}, "at": 0}]}"#;
    let made = with_file("exercise make", json.as_bytes());
    assert!(made.starts_with("Sets [2J ("), "{made:?}");
}

#[test]
fn a_wrong_exercise_is_named() {
    check(
        "exercise make tiny.json",
        expect![[r#"
        exit code 1: pagewalk: tiny.json: pagewalk: this is no exercise: its field `pagewalk` must be "exercise"
    "#]],
    );
    check(
        "exercise grade exercise.json absent.csv",
        expect![[r"
        exit code 1: pagewalk: absent.csv: there is no such file
    "]],
    );
    check(
        "exercise",
        expect![[r"
            exit code 1: pagewalk: 'pagewalk exercise' requires a subcommand but one was not provided [subcommands: make, grade, help] (see `pagewalk exercise --help`)
        "]],
    );
}

/// Ada's set is the page number, her outcome is no word, and her address is right. Bob's line is cut.
const LINES: &str = "name,answer\nAda,PW1.bYxNCoMwEIXvMusgsdGFbkop9BLiYphMJVBjmWgrSO7e6aa66O79fW8DXlkoJIYWavZoPbkGicBAxPGbXjyqeco0CI7qbVEWVhOM6c2SoO02GMKLo3aV02KWwBqfDCSmKXrVlVWziN7d8ZE4mx0570R5IJrjpr5d_6_c73eWhXOfPw.f208f87d,late\nBob,PW1.q1ZKrUgtSs4sTlWyU\n";

/// Ada's right answers.
const GOOD: &str = "PW1.jYo7CoAwEAXvsnWQiKTQznOIxbJZJaBRNv5AvLtrZSXYvZk3J_DBQiExVODYo_VUlEgEBiKOj609Kswy9YKjss3yzKrBmHaWBFVzQh82jvoV6hcJrDY3kJim6HW7y7xNh-uw_OhcR19Ve90.39d00d6b";

#[test]
fn lines_are_graded_and_mistakes_counted() {
    check_with_input(
        "exercise grade exercise.json -",
        LINES,
        &expect![[r"
            Cut the address (5eda0dc39acc)

            name  right  of  tries
            Ada       1   3      4

            question               mistakes        right  of
            1: set of TLB          page-for-set 1      0   1
            2: hit, miss or fault  unexplained 1       0   1
            3: physical address                        1   1

            Not graded:
            -, line 1 (name,answer): this line has no answers: they begin with PW1.
            -, line 3 (Bob,PW1.q1ZKrUgtSs4sTlWyU): the line is cut: its end with the checksum is missing; ask the student for the whole line
        "]],
    );
    check_with_input(
        "exercise grade exercise.json - --csv -",
        LINES,
        &expect![[r#"
        file,line,label,name,question,access,given,right,answer,mistake,tries,seconds,sure,error,about.version,about.commit,about.schema,about.command,about.machine.id,about.machine.name,about.machine.digest,about.mapping,about.trace.name,about.trace.digest,about.trace.seed
        '-,2,Ada late,Ada,1,4,43,false,3,page-for-set,2,40,false,,0.1.0,,1,exercise grade exercise.json -,,,,,,,
        '-,2,Ada late,Ada,2,3,?,false,fault,,1,9,,,0.1.0,,1,exercise grade exercise.json -,,,,,,,
        '-,2,Ada late,Ada,3,2,5FC,true,0x5fc,,1,30,true,,0.1.0,,1,exercise grade exercise.json -,,,,,,,
        '-,1,"name,answer",,,,,,,,,,,this line has no answers: they begin with PW1.,0.1.0,,1,exercise grade exercise.json -,,,,,,,
        '-,3,"Bob,PW1.q1ZKrUgtSs4sTlWyU",,,,,,,,,,,the line is cut: its end with the checksum is missing; ask the student for the whole line,0.1.0,,1,exercise grade exercise.json -,,,,,,,
    "#]],
    );
    // Ada's first line has three right answers, her last one has one.
    let again = format!("Ada,{GOOD}\n{LINES}");
    check_with_input(
        "exercise grade exercise.json - --keep best",
        &again,
        &expect![[r"
        Cut the address (5eda0dc39acc)

        name  right  of  tries
        Ada       3   3      3

        question               mistakes  right  of
        1: set of TLB                        1   1
        2: hit, miss or fault                1   1
        3: physical address                  1   1

        Not graded:
        -, line 2 (name,answer): this line has no answers: they begin with PW1.
        -, line 4 (Bob,PW1.q1ZKrUgtSs4sTlWyU): the line is cut: its end with the checksum is missing; ask the student for the whole line
    "]],
    );
    check_with_input(
        "exercise grade exercise.json - --keep last",
        &again,
        &expect![[r"
        Cut the address (5eda0dc39acc)

        name  right  of  tries
        Ada       1   3      4

        question               mistakes        right  of
        1: set of TLB          page-for-set 1      0   1
        2: hit, miss or fault  unexplained 1       0   1
        3: physical address                        1   1

        Not graded:
        -, line 2 (name,answer): this line has no answers: they begin with PW1.
        -, line 4 (Bob,PW1.q1ZKrUgtSs4sTlWyU): the line is cut: its end with the checksum is missing; ask the student for the whole line
    "]],
    );
    check_with_input(
        "exercise grade exercise.json -",
        "Ada,3\n",
        &expect![[r"
        exit code 1: pagewalk: no line has answers to this exercise: -, line 1 (Ada,3): this line has no answers: they begin with PW1.
    "]],
    );
}
