//! `pagewalk curve`.

use expect_test::expect;

use crate::support::{check, json};

#[test]
fn a_curve_for_people() {
    check(
        "curve --trace walk.lackey",
        expect![[r"
        walk.lackey, 4K pages, LRU, fully associative
        9 accesses, 10 translations, 6 distinct pages

        Entries  Misses
        1             9  90.00 %
        2             8  80.00 %
        4             6  60.00 %
    "]],
    );
}

#[test]
fn a_curve_for_programs() {
    let curve = json("curve --trace threads.csv --kinds load --pages 2M --sets 2 --json");
    expect![[r#"{"accesses":3,"cold":1,"misses":[[1,1]],"translations":3}"#]]
        .assert_eq(&curve.to_string());
}

#[test]
fn what_a_curve_cannot_be_made_of() {
    check(
        "curve --trace walk.lackey --sets 0",
        expect![[r"
        exit code 1: pagewalk: --sets: 0 sets: must be 1 to 1048576
    "]],
    );
    check(
        "curve --trace walk.lackey --kinds load,jump",
        expect![[r"
            exit code 1: pagewalk: invalid value 'jump' for '--kinds <KINDS>': a kind is fetch, load or store (`pagewalk curve --help` shows what there is)
        "]],
    );
    check(
        "curve --trace walk.lackey --kinds prefetch",
        expect![[r"
            exit code 1: pagewalk: invalid value 'prefetch' for '--kinds <KINDS>': a kind is fetch, load or store (`pagewalk curve --help` shows what there is)
        "]],
    );
    check(
        "curve --trace walk.lackey --pages 5K",
        expect![[r"
            exit code 1: pagewalk: invalid value '5K' for '--pages <SIZE>': a page size is a power of two such as 4K, 2M or 1G (`pagewalk curve --help` shows what there is)
        "]],
    );
    check(
        "curve",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: <--trace <FILE>|--workload <ID>> (`pagewalk curve --help` shows what there is)
        "]],
    );
}
