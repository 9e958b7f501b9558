//! `pagewalk gen`, and `pagewalk run` with a workload.

use std::path::{Path, PathBuf};

use expect_test::expect;
use serde_json::to_value;

use crate::support::{check, check_with_input, json, pagewalk, printed};

/// Returns the path of a file that no other test writes.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_workload_is_written_in_either_format() {
    let text = printed("gen strided --out - --param accesses=3 --param base=0x1000");
    assert_eq!(text, " L 00001000,8\n L 00002000,8\n L 00003000,8\n");
    assert_eq!(printed("gen strided --param accesses=3 base=0x1000 --out -"), text);
    assert_eq!(printed("gen --param accesses=3 --out - strided base=0x1000"), text);
    check(
        "gen tlab --out - --format csv --param accesses=4 --param base=1000 --param threads=2",
        expect![[r"
            kind,address,size,pid,tid,cpu,ip,operands
            prefetch,0x10d0,1,0,0,0,,
            store,0x1000,8,0,0,0,,
            store,0x1008,4,0,0,0,,
            store,0x100c,4,0,0,0,,
        "]],
    );
}

/// A generated workload gives the same report as its file in any format.
#[test]
fn a_run_on_a_workload_is_a_run_on_its_file() {
    let params = "--param accesses=5000 --param stores=20 --param bytes=1M";
    let machine = "--machine tiny.json --skip 100 --warmup 400 --limit 3000 --json";
    let direct = json(&format!("run --workload zipf {params} {machine}"));
    assert_eq!(direct["trace"]["accesses"], 3000);
    for name in ["zipf.lackey", "zipf.csv", "zipf.txt.gz", "zipf.csv.xz"] {
        let path = file(name);
        let path = path.to_str().unwrap();
        assert_eq!(printed(&format!("gen zipf {params} --out {path}")), "");
        let read = json(&format!("run --trace {path} {machine}"));
        for part in ["trace", "kinds", "structures", "walks", "faults", "pages", "cycles"] {
            assert_eq!(read[part], direct[part], "{name}: {part}");
        }
    }
}

#[test]
fn the_ending_names_the_format() {
    let params = "--param accesses=500 stores=20";
    let direct = json(&format!("run --workload uniform {params} --machine tiny.json --json"));
    for (ending, format, left_out) in [
        ("txt", "lackey", ""),
        ("din", "din", "sizes, 500"),
        (
            "champsim.gz",
            "champsim",
            "sizes, 500|that loads and stores have no fetch: fetches were added, 500",
        ),
    ] {
        let path = file(&format!("ending.{ending}"));
        let path = path.to_str().unwrap();
        let line = format!("gen uniform {params} --out {path}");
        let output = pagewalk(line.split_whitespace()).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{ending}");
        let message = String::from_utf8(output.stderr).unwrap();
        let message = message.replace("Left out, because the format cannot hold it: ", "");
        assert_eq!(message.trim_end().replace('\n', "|"), left_out, "{ending}");
        assert_eq!(json(&format!("import {path} --json"))["format"], format);
        let read = json(&format!("run --trace {path} --machine tiny.json --json"));
        for kind in ["load", "store"] {
            assert_eq!(read["trace"][kind], direct["trace"][kind], "{ending}: {kind}");
        }
        assert_eq!(
            read["faults"]["minor"],
            direct["faults"]["minor"].as_u64().unwrap() + u64::from(format == "champsim"),
            "{ending}"
        );
    }
    check(
        "gen uniform --out uniform.parquet",
        expect![[r"
            exit code 1: pagewalk: uniform.parquet: no format has the ending .parquet: name the file .lackey, .txt, .csv, .din or .champsim, or give --format
        "]],
    );
}

#[test]
fn several_parameters_follow_one_option() {
    let workload = "--workload uniform --param accesses=900 bytes=1M";
    let one_by_one = "--workload uniform --param accesses=900 --param bytes=1M";
    for command in [
        "run --machine tiny.json",
        "curve",
        "curve --surface",
        "phases --window 100",
        "huge --machine tiny.json",
        "stat ../../../../tests/fixtures/perfstat/intel-not-counted.txt --machine tiny.json",
    ] {
        let text = printed(&format!("{command} {workload}"));
        assert_eq!(text, printed(&format!("{command} {one_by_one}")), "{command}");
    }
}

#[test]
fn what_is_written_to_standard_output_can_be_read_from_standard_input() {
    let text = printed("gen pointer-chase --out - --param bytes=4K --param accesses=0");
    assert_eq!(text.lines().count(), 64);
    check_with_input(
        "import -",
        &text,
        &expect![[r"
            standard input: lackey trace, complete: the file reports no missing accesses

            Records                64
            Accesses               64
            4K pages with fetches   0
            4K pages with data      1

            Not recorded: which thread an access belongs to
        "]],
    );
}

#[test]
fn a_run_on_a_workload_says_so() {
    let output = printed("run --workload uniform --param accesses=9 --machine tiny.json");
    let head: Vec<&str> = output.lines().take(2).collect();
    assert_eq!(head, ["uniform accesses=9 on Tiny, 4K pages", "Trace generated"]);
}

#[test]
fn more_accesses_than_can_be_numbered_are_rejected_at_once() {
    let long = "--param accesses=4294967300";
    for command in ["run --machine tiny.json --workload", "curve --workload", "gen --out -"] {
        check(
            &format!("{command} uniform {long}"),
            expect![[r"
            exit code 1: pagewalk: --param accesses: 4294967300 accesses: a trace has at most 4294705151: give fewer, or smaller parameters
        "]],
        );
    }
    let part = format!("run --machine tiny.json --workload uniform {long} --limit 9 --json");
    assert_eq!(json(&part)["trace"]["accesses"], 9);
}

#[test]
fn the_list_is_that_of_the_core() {
    assert_eq!(
        json("gen --list --json")["workloads"],
        to_value(pagewalk_sources::workload::list()).unwrap()
    );
    let all = printed("gen --list");
    for workload in pagewalk_sources::workload::list() {
        let own = printed(&format!("gen {} --list", workload.id));
        assert!(all.contains(&own));
        for param in workload.params {
            assert!(own.contains(&format!("    {}={} ", param.name, param.default)));
        }
    }
    check(
        "gen uniform --list",
        expect![[r"
            uniform: Uniformly random. Reads elements of an array at random, all equally often (GUPS, ByteArrayTouch).
                bytes=64M            1 to 64T bytes         size of the accessed memory
                size=8               1 to 4K bytes          size of each access
                stores=0             0 to 100 %             share of accesses that are stores, chosen at random; the others are loads
                accesses=1000000     0 to 9007199254740991  length of the trace; 0 means one pass, if the workload has an end
                seed=1               0 to 9007199254740991  seed of all random choices; equal seeds give equal traces
                base=0x100000000000  up to 0x7fffffffffff   first address
        "]],
    );
}

#[test]
fn bad_requests_say_which_option_is_wrong() {
    check(
        "gen",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: --out <FILE> <WORKLOAD> (see `pagewalk gen --help`)
        "]],
    );
    check(
        "gen uniform",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: --out <FILE> (see `pagewalk gen --help`)
        "]],
    );
    check(
        "gen walk --out -",
        expect![[r"
        exit code 1: pagewalk: there is no workload `walk`: choose one of sequential, strided, uniform, zipf, pointer-chase, matmul, hash-table, tree-search, graph-walk, code-walk, tlab, gather, pre-touch
    "]],
    );
    check(
        "gen walk --list",
        expect![[r"
        exit code 1: pagewalk: there is no workload `walk`: choose one of sequential, strided, uniform, zipf, pointer-chase, matmul, hash-table, tree-search, graph-walk, code-walk, tlab, gather, pre-touch
    "]],
    );
    check(
        "gen --list --out x",
        expect![[r"
            exit code 1: pagewalk: the argument '--list' cannot be used with '--out <FILE>' (see `pagewalk gen --help`)
        "]],
    );
    check(
        "gen uniform --out - --param bytes",
        expect![[r"
            exit code 1: pagewalk: invalid value 'bytes' for '--param <NAME=VALUE>': write it as NAME=VALUE (see `pagewalk gen --help`)
        "]],
    );
    check(
        "gen uniform --out - --param bytes=0",
        expect![[r"
            exit code 1: pagewalk: --param bytes: 0: give 1 to 64T
        "]],
    );
    check(
        "gen uniform --out - --param byte=1",
        expect![[r"
            exit code 1: pagewalk: --param byte: uniform has no such parameter: give one of bytes, size, stores, accesses, seed, base
        "]],
    );
    check(
        "gen uniform --out - --param accesses=0",
        expect![[r"
            exit code 1: pagewalk: --param accesses: 0: uniform never ends by itself: give a number
        "]],
    );
    check(
        "gen uniform --out nowhere/uniform.csv",
        expect![[r"
        exit code 1: pagewalk: nowhere/uniform.csv: there is no such folder
    "]],
    );
    check(
        "gen uniform --out uniform.csv.zst",
        expect![[r"
            exit code 1: pagewalk: uniform.csv.zst: cannot write this compression: name the file .gz or .xz
        "]],
    );
    check(
        "gen tlab --out tlab.lackey",
        expect![[r"
            exit code 1: pagewalk: tlab.lackey: this format cannot hold prefetches: name the file .csv, or give --format csv
        "]],
    );
    check(
        "gen tlab --out - --param prefetch=0 --param threads=2",
        expect![[r"
            exit code 1: pagewalk: standard output: this format cannot hold thread numbers: name the file .csv, or give --format csv
        "]],
    );
}

#[test]
fn a_run_has_one_source_of_accesses() {
    check(
        "run --workload uniform --trace walk.lackey --cpu amd-zen2",
        expect![[r"
            exit code 1: pagewalk: the argument '--workload <ID>' cannot be used with '--trace <FILE>' (see `pagewalk run --help`)
        "]],
    );
    check(
        "run --workload uniform --format csv --cpu amd-zen2",
        expect![[r"
            exit code 1: pagewalk: --format: a workload is generated, not read from a file: leave this option out
        "]],
    );
    check(
        "run --trace walk.lackey --param bytes=1 --cpu amd-zen2",
        expect![[r"
            exit code 1: pagewalk: --param bytes: a trace file takes no parameters: leave --param out, or give --workload
        "]],
    );
    check(
        "run --workload uniform --param bytes=3 --cpu amd-zen2",
        expect![[r"
            exit code 1: pagewalk: --param bytes: 3: give at least 8
        "]],
    );
}

#[test]
fn nothing_is_left_of_a_workload_that_was_rejected() {
    let path = file("refused.lackey");
    let output = pagewalk(["gen", "tlab", "--out", path.to_str().unwrap()]).output().unwrap();
    assert!(!output.status.success());
    assert!(!path.exists());
}
