//! Tests of invalid parameters of workloads.

use expect_test::{Expect, expect};
use pagewalk_sources::workload::{check, generator, list};

use crate::support::params;

/// Compares the errors of some parameters, one per line.
#[track_caller]
fn wrong(id: &str, text: &str, expected: &Expect) {
    let found = check(id, &params(text));
    let lines: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    expected.assert_eq(&lines.join("\n"));
    assert_eq!((found.accesses, found.bytes), (0, 0));
    assert_eq!(generator(id, &params(text)).unwrap_err(), found.errors[0]);
}

#[test]
fn names_and_ranges_are_checked() {
    wrong(
        "unifrom",
        "",
        &expect![
            "workload: there is no workload `unifrom`: choose one of sequential, strided, uniform, zipf, pointer-chase, matmul, hash-table, tree-search, graph-walk, code-walk, tlab, gather, pre-touch"
        ],
    );
    wrong(
        "uniform",
        "byte=1M",
        &expect![
            "byte: uniform has no such parameter: give one of bytes, size, stores, accesses, seed, base"
        ],
    );
    wrong(
        "uniform",
        "bytes=1M bytes=2M",
        &expect!["bytes: the parameter is given twice: leave one out"],
    );
    wrong(
        "uniform",
        "bytes=0 size=8K stores=101 seed=-1 accesses=many base=80",
        &expect![[r"
        bytes: 0: give 1 to 64T
        size: 8K: give 1 to 4K
        stores: 101 %: give 0 to 100 %
        accesses: `many` is not a whole number: give 0 to 9007199254740991
        seed: `-1` is not a whole number: give 0 to 9007199254740991"]],
    );
    wrong(
        "uniform",
        "bytes=65T base=0x800000000000",
        &expect![[r"
        bytes: 65T: give 1 to 64T
        base: 0x800000000000: give at most 0x7fffffffffff"]],
    );
    wrong(
        "uniform",
        "bytes=1MB base=x",
        &expect![[r"
        bytes: `1MB` is not a number of bytes: give 1 to 64T, such as 64K or 1G
        base: `x` is not an address: write it like 0x7f0000000000"]],
    );
    wrong(
        "zipf",
        "exponent=9 layout=none",
        &expect![[r"
        exponent: 9: give 0 to 8
        layout: `none`: give one of scattered, ranked"]],
    );
    wrong("zipf", "exponent=NaN", &expect!["exponent: NaN: give 0 to 8"]);
    wrong("zipf", "exponent=big", &expect!["exponent: `big` is not a number: give 0 to 8"]);
}

#[test]
fn parameters_that_contradict_each_other_are_an_error_at_one_of_them() {
    wrong("uniform", "bytes=7", &expect!["bytes: 7: give at least 8"]);
    wrong(
        "uniform",
        "accesses=0",
        &expect!["accesses: 0: uniform never ends by itself: give a number"],
    );
    wrong(
        "uniform",
        "bytes=1G base=0x7fffffffffff",
        &expect![
            "base: 0x7fffffffffff: the 1G from there end above 0x800000000000, the end of a program's addresses"
        ],
    );
    wrong("zipf", "object=4", &expect!["object: 4: give at least 8"]);
    wrong(
        "matmul",
        "n=100 row=399",
        &expect!["row: 399 bytes: the header and 100 numbers need 400"],
    );
    wrong(
        "tree-search",
        "fanout=64",
        &expect!["node: 256 bytes: 64 children and their separators need 1016"],
    );
    wrong("code-walk", "run=1K", &expect!["run: 1K: a function has only 512 bytes"]);
    wrong("code-walk", "function=16 run=0 fetch=32", &expect!["function: 16: give at least 32"]);
    wrong("code-walk", "data=63", &expect!["data: 63: give 0 or at least 64 bytes"]);
    wrong("tlab", "object=20", &expect!["object: 20 bytes: give a multiple of 8"]);
    wrong(
        "tlab",
        "object=1K tlab=512",
        &expect!["tlab: 512: an object of 1024 bytes does not fit"],
    );
    wrong(
        "tlab",
        "threads=1000 tlab=1M heap=64M",
        &expect!["heap: 64M: 1000 buffers of 1M do not fit"],
    );
    wrong("pre-touch", "page=2M chunk=1M", &expect!["chunk: 1M: give a multiple of the page, 2M"]);
}

/// Each bound is a valid value, unless it needs another parameter.
#[test]
fn every_parameter_takes_its_bounds_and_its_words() {
    for workload in list() {
        for param in &workload.params {
            let words = param.choices.iter().flatten().map(|choice| choice.value.clone());
            let bounds = [&param.min, &param.max].into_iter().flatten().cloned();
            for value in words.chain(bounds).chain([param.default.clone()]) {
                let given = [(param.name.clone(), value.clone())];
                let found = check(&workload.id, &given);
                let range = format!("{}: {value}: give ", param.name);
                let own = |error: &pagewalk_base::error::Error| {
                    let text = error.to_string();
                    text.starts_with(&range) && text.contains(" to ") || text.contains('`')
                };
                assert!(
                    !found.errors.iter().any(own),
                    "{} {}={value}: {:?}",
                    workload.id,
                    param.name,
                    found.errors
                );
            }
        }
    }
}

#[test]
fn ids_and_names_are_unique_and_defaults_work() {
    let workloads = list();
    assert_eq!(workloads.len(), 13);
    for (at, workload) in workloads.iter().enumerate() {
        assert!(workloads[..at].iter().all(|other| other.id != workload.id));
        let found = check(&workload.id, &[]);
        assert_eq!(found.errors, []);
        assert!(found.accesses >= 1000 && found.bytes > 0, "{}", workload.id);
        for (at, param) in workload.params.iter().enumerate() {
            assert!(workload.params[..at].iter().all(|other| other.name != param.name));
        }
    }
}
