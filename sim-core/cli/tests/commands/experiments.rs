//! `pagewalk experiment`.

use expect_test::expect;
use pagewalk_experiments::experiment::{list, run};
use serde_json::to_value;

use crate::support::{check, json, printed};

#[test]
fn the_list_is_that_of_the_core() {
    assert_eq!(json("experiment --list --json")["experiments"], to_value(list()).unwrap());
    let text = printed("experiment --list");
    for info in list() {
        assert!(text.contains(&format!("{}: {}\n    {}\n", info.id, info.title, info.question)));
    }
}

#[test]
fn a_result_as_json_is_that_of_the_core() {
    let found = json("experiment pre-touch --json");
    assert_eq!(found, to_value(run("pre-touch").unwrap()).unwrap());
}

#[test]
fn a_result_says_everything_that_the_core_says() {
    let text = printed("experiment pre-touch");
    let result = run("pre-touch").unwrap();
    let sentences = result.differences.iter().chain(&result.corrections);
    let sources = result.info.sources.iter().flat_map(|source| [&source.title, &source.machine]);
    let sentences = sentences.chain(sources).chain(result.info.sources[0].url.as_ref());
    for sentence in
        sentences.chain([&result.answer, &result.info.setting.method, &result.info.setting.policy])
    {
        assert!(text.contains(sentence.as_str()), "{sentence}");
    }
    let tables: Vec<&str> = text.split("4 TiB, on paper\n").collect();
    let table: Vec<&str> = tables[1].lines().take(4).collect();
    expect![[r"
        pages  what                     unit        derived
        4K     page faults                    1,073,741,824
        4K     references of the walks        1,075,843,080
        4K     page-table pages                   2,101,257"]]
    .assert_eq(&table.join("\n"));
}

/// Hypotheses stand below the table of the rows that differ.
#[test]
fn a_row_that_differs_says_so_and_has_a_hypothesis() {
    let text = printed("experiment byte-array");
    let row = text.lines().find(|line| line.contains("printed as a power of ten"));
    assert!(row.is_some_and(|row| row.ends_with("DIFFERS")), "{text}");
    assert!(text.contains("100,000,000, THP, page walks: hypothesis: "), "{text}");
}

/// The mark of an experiment is the verdict of its worst row. Columns keep the kinds of claims apart.
#[test]
fn all_experiments_run_and_each_has_the_mark_of_its_worst_row() {
    let text = printed("experiment --all");
    let line = |id: &str| text.lines().find(|line| line.starts_with(&format!("{id} "))).unwrap();
    for info in list() {
        let line = line(&info.id);
        let differ = line.split(" / ").skip(2).step_by(2).any(|it| !it.starts_with('0'));
        assert_eq!(line.contains("DIFFERS"), differ, "{line}");
    }
    let found: Vec<&str> = ["experiment", "byte-array", "matrix", "pre-touch", "faults", "all"]
        .map(line)
        .into_iter()
        .map(str::trim_end)
        .collect();
    expect![[r"
        experiment    worst row           published number  published direction  another simulation  follows from the configuration  test of a hypothesis      derived  our expectation
        byte-array    DIFFERS                    2 / 3 / 3                                                                                      1 / 0 / 2   35 / 0 / 0
        matrix        agrees                     1 / 0 / 0                                                                1 / 0 / 0             1 / 0 / 0    8 / 0 / 0
        pre-touch     agrees                                                                                                                                15 / 0 / 0
        faults        agrees                                                                                                                                26 / 0 / 0
        all                                      3 / 3 / 3                                0 / 0 / 2                       5 / 0 / 0             3 / 0 / 9  290 / 0 / 0        5 / 0 / 1"]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn bad_requests_are_one_line() {
    check(
        "experiment",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: <ID> (see `pagewalk experiment --help`)
        "]],
    );
    check(
        "experiment tlabs",
        expect![[r"
            exit code 1: pagewalk: there is no experiment `tlabs`: choose one of byte-array, matrix, code-cache, text-padding, tlab, nested, pre-touch, granules, cliffs, code-layout, thp-cost, faults, chases
        "]],
    );
    check(
        "experiment tlab --list",
        expect![[r"
            exit code 1: pagewalk: the argument '[ID]' cannot be used with '--list' (see `pagewalk experiment --help`)
        "]],
    );
}
