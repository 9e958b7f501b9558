//! Parameters that cannot be.

use expect_test::{Expect, expect};
use pagewalk_sources::workload::{check, generator, list};

use crate::support::params;

/// Every error of some parameters, one a line.
#[track_caller]
fn wrong(id: &str, text: &str, expected: &Expect) {
    let found = check(id, &params(text));
    let lines: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    expected.assert_eq(&lines.join("\n"));
    assert_eq!((found.accesses, found.bytes), (0, 0));
    assert_eq!(generator(id, &params(text)).unwrap_err(), found.errors[0]);
}

#[test]
fn names_and_ranges_are_told() {
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
            "byte: uniform has no such parameter: it takes bytes, size, stores, accesses, seed, base"
        ],
    );
    wrong("uniform", "bytes=1M bytes=2M", &expect!["bytes: given twice: leave one out"]);
    wrong(
        "uniform",
        "bytes=0 size=8K stores=101 seed=-1 accesses=many base=80",
        &expect![[r"
        bytes: 0: must be 1 to 64T
        size: 8K: must be 1 to 4K
        stores: 101 %: must be 0 to 100 %
        accesses: `many` is no whole number: write 0 to 9007199254740991
        seed: `-1` is no whole number: write 0 to 9007199254740991"]],
    );
    wrong(
        "uniform",
        "bytes=65T base=0x800000000000",
        &expect![[r"
        bytes: 65T: must be 1 to 64T
        base: 0x800000000000: must be at most 0x7fffffffffff"]],
    );
    wrong(
        "uniform",
        "bytes=1MB base=x",
        &expect![[r"
        bytes: `1MB` is no number of bytes: write 1 to 64T, such as 64K or 1G
        base: `x` is no address: write it like 0x7f0000000000"]],
    );
    wrong(
        "zipf",
        "exponent=9 layout=none",
        &expect![[r"
        exponent: 9: must be 0 to 8
        layout: `none`: must be one of scattered, ranked"]],
    );
    wrong("zipf", "exponent=NaN", &expect!["exponent: NaN: must be 0 to 8"]);
    wrong("zipf", "exponent=big", &expect!["exponent: `big` is no number: write 0 to 8"]);
}

#[test]
fn what_does_not_fit_together_is_told_at_one_of_the_two() {
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
            "base: 0x7fffffffffff: the 1G from there end beyond 0x800000000000, where a program's addresses end"
        ],
    );
    wrong("zipf", "object=4", &expect!["object: 4: must be at least 8"]);
    wrong(
        "matmul",
        "n=100 row=399",
        &expect!["row: 399 bytes: the header and 100 numbers take 400"],
    );
    wrong(
        "tree-search",
        "fanout=64",
        &expect!["node: 256 bytes: 64 children and their separators take 1016"],
    );
    wrong("code-walk", "run=1K", &expect!["run: 1K: a function has 512 bytes only"]);
    wrong("code-walk", "function=16 run=0 fetch=32", &expect!["function: 16: must be at least 32"]);
    wrong("tlab", "object=20", &expect!["object: 20 bytes: must be a multiple of 8"]);
    wrong("tlab", "object=1K tlab=512", &expect!["tlab: 512: it holds no object of 1024 bytes"]);
    wrong(
        "tlab",
        "threads=1000 tlab=1M heap=64M",
        &expect!["heap: 64M: it has no room for 1000 buffers of 1M"],
    );
    wrong(
        "pre-touch",
        "page=2M chunk=1M",
        &expect!["chunk: 1M: must be a multiple of the page, 2M"],
    );
}

/// Each bound can be given; what is needed beside it is the one exception.
#[test]
fn every_parameter_takes_its_bounds_and_its_words() {
    for workload in list() {
        for param in &workload.params {
            let words = param.choices.iter().flatten().map(|choice| choice.value.clone());
            let bounds = [&param.min, &param.max].into_iter().flatten().cloned();
            for value in words.chain(bounds).chain([param.default.clone()]) {
                let given = [(param.name.clone(), value.clone())];
                let found = check(&workload.id, &given);
                let range = format!("{}: {value}: must be ", param.name);
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
