//! `pagewalk experiment`.

use expect_test::expect;
use pagewalk_experiments::experiment::{list, run};
use serde_json::to_value;

use crate::support::{check, json, printed};

#[test]
fn the_list_is_that_of_the_core() {
    assert_eq!(json("experiment --list --json"), to_value(list()).unwrap());
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
    let sentences =
        result.differences.iter().chain(&result.corrections).chain(&result.info.sources);
    for sentence in
        sentences.chain([&result.answer, &result.info.setting.method, &result.info.setting.policy])
    {
        assert!(text.contains(sentence.as_str()), "{sentence}");
    }
    let tables: Vec<&str> = text.split("4 TiB, computed\n").collect();
    let table: Vec<&str> = tables[1].lines().take(4).collect();
    expect![[r"
        pages  what                     unit      simulated       on paper  from paper                agrees
        4K     page faults                    1,073,741,824  1,073,741,824           0  to the unit on paper
        4K     references of the walks        1,075,843,080
        4K     page-table pages                   2,101,257      2,101,257           0  to the unit on paper"]].assert_eq(&table.join("\n"));
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
        exit code 1: pagewalk: there is no experiment `tlabs`: choose one of byte-array, matrix, code-cache, text-padding, tlab, nested, pre-touch, granules, cliffs
    "]],
    );
    check(
        "experiment tlab --list",
        expect![[r"
            exit code 1: pagewalk: the argument '[ID]' cannot be used with '--list' (see `pagewalk experiment --help`)
        "]],
    );
}
