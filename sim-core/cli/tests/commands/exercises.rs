//! `pagewalk exercise`: the questions of a student, and graded lines.

use expect_test::expect;

use crate::support::{check, check_with_input, json};

#[test]
fn the_questions_of_a_student_are_shown_with_their_answers() {
    check(
        "exercise make exercise.json --for Ada",
        expect![[r"
        Cut the address (5eda0dc39acc), for Ada

        question  access  kind  address  asked               answer
        1         4       load  0xadd    set of TLB          3
        2         3       load  0x2ea    hit, miss or fault  fault
        3         2       load  0x27c    physical address    0x5fc
    "]],
    );
    let made = json("exercise make exercise.json --for Ada --json");
    assert_eq!(made["questions"][0]["answer"], "3");
    assert_eq!(made["questions"][0]["posed"]["form"], "decimal");
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
            2: hit, miss or fault  other 1             0   1
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
    check_with_input(
        "exercise grade exercise.json -",
        "Ada,3\n",
        &expect![[r"
        exit code 1: pagewalk: no line has answers to this exercise: -, line 1 (Ada,3): this line has no answers: they begin with PW1.
    "]],
    );
}
