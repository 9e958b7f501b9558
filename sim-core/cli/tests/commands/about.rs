//! The description at the beginning of every JSON, and a run that is repeated from it.

use std::path::Path;

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::{check, check_with_file, pagewalk, printed, recorded};

/// Returns the JSON that a command prints.
#[track_caller]
fn whole(line: &str) -> Value {
    serde_json::from_str(&printed(line)).unwrap()
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn about(line: &str, expected: Expect) {
    expected.assert_eq(&whole(line)["about"].to_string());
}

#[test]
fn a_result_names_its_command_machine_mapping_and_trace() {
    about(
        "run --json --trace=walk.lackey --machine tiny.json --virt ept --host-pages 2M --limit 5",
        expect![[
            r#"{"command":["run","--machine","tiny.json","--trace","walk.lackey","--virt","ept","--host-pages","2M","--limit","5"],"machine":{"digest":"afa1ceee6bc98288f23c49da1b4c9df2","name":"Tiny"},"mapping":{"default":"4K","frames":"sequential","host":{"default":"2M","frames":"sequential","regions":[]},"regions":[],"virt":"ept"},"program":"pagewalk","schema":1,"trace":{"digest":"f85b384fa47b9074939b781cce7000b8","name":"walk.lackey"},"version":"0.1.0"}"#
        ]],
    );
    about(
        "run --cpu intel-skylake:smt-on --workload uniform --param accesses=9 bytes=1M --pages 2M --json",
        expect![[
            r#"{"command":["run","--cpu","intel-skylake:smt-on","--workload","uniform","--param","accesses=9","--param","bytes=1M","--pages","2M"],"machine":{"digest":"d96fd7c9829bb63be780b0f429f96b0d","id":"intel-skylake:smt-on","name":"Skylake, Hyper-Threading on","shown_by":"pagewalk cpus intel-skylake:smt-on --json"},"mapping":{"default":"2M","frames":"sequential","regions":[]},"program":"pagewalk","schema":1,"trace":{"digest":"cd7629e2ed98af5582c50d16a681ba6d","name":"uniform accesses=9 bytes=1M","seed":1},"version":"0.1.0"}"#
        ]],
    );
    about(
        "explain --cpu amd-zen2 --va 0x1000 --json",
        expect![[
            r#"{"command":["explain","--cpu","amd-zen2","--va","0x1000"],"machine":{"digest":"d722758442913a22d186786538378dc0","id":"amd-zen2","name":"Zen 2","shown_by":"pagewalk cpus amd-zen2 --json"},"mapping":{"default":"4K","frames":"sequential","regions":[]},"program":"pagewalk","schema":1,"version":"0.1.0"}"#
        ]],
    );
    about(
        "curve --trace walk.lackey --cpu amd-zen2 --kinds load,store --json",
        expect![[
            r#"{"command":["curve","--trace","walk.lackey","--kinds","load","--kinds","store","--cpu","amd-zen2"],"machine":{"digest":"d722758442913a22d186786538378dc0","id":"amd-zen2","name":"Zen 2","shown_by":"pagewalk cpus amd-zen2 --json"},"mapping":{"default":"4K","frames":"sequential","regions":[]},"program":"pagewalk","schema":1,"trace":{"digest":"52f114c13cc7b9e73947b80215aa4f1e","name":"walk.lackey"},"version":"0.1.0"}"#
        ]],
    );
    about(
        "phases --trace walk.lackey --pages 2M --json",
        expect![[
            r#"{"command":["phases","--trace","walk.lackey","--pages","2M"],"mapping":{"default":"2M","frames":"sequential","regions":[]},"program":"pagewalk","schema":1,"trace":{"digest":"52f114c13cc7b9e73947b80215aa4f1e","name":"walk.lackey"},"version":"0.1.0"}"#
        ]],
    );
    about(
        "huge --machine tiny.json --trace walk.lackey --json",
        expect![[
            r#"{"command":["huge","--machine","tiny.json","--trace","walk.lackey"],"machine":{"digest":"afa1ceee6bc98288f23c49da1b4c9df2","name":"Tiny"},"mapping":{"default":"4K","frames":"sequential","regions":[]},"program":"pagewalk","schema":1,"trace":{"digest":"52f114c13cc7b9e73947b80215aa4f1e","name":"walk.lackey"},"version":"0.1.0"}"#
        ]],
    );
    about(
        "experiment pre-touch --json",
        expect![[
            r#"{"command":["experiment","pre-touch"],"machine":{"digest":"e0460fd09ae379d019a6baac4837b82b","name":"intel-skylake-sp, whose paging-structure caches keep the tables on the way"},"program":"pagewalk","schema":1,"version":"0.1.0"}"#
        ]],
    );
}

#[test]
fn every_result_is_described_first() {
    let stat = "stat ../../../../tests/fixtures/perfstat/intel-not-counted.txt";
    let samples = recorded("perf/data/pf-matmul.perf.data.gz");
    for line in [
        "curve --trace walk.lackey --surface".to_owned(),
        "curve --trace walk.lackey --entries 4".to_owned(),
        "import walk.lackey".to_owned(),
        format!("samples {samples} --cpu amd-zen2"),
        stat.to_owned(),
        format!("{stat} --cpu amd-zen2 --trace walk.lackey"),
        "cpus amd-zen2".to_owned(),
    ] {
        let text = printed(&format!("{line} --json"));
        assert!(text.starts_with("{\n  \"about\": {\n    \"program\": \"pagewalk\",\n"), "{line}");
        let about: Value = serde_json::from_str::<Value>(&text).unwrap()["about"].take();
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(about["command"][0], words[0], "{line}");
        let machine = if line.contains("amd-zen2") { "amd-zen2".into() } else { Value::Null };
        assert_eq!(about["machine"]["id"], machine, "{line}");
    }
}

/// The digest is that of a sweep's rows, and of the same trace in another format.
#[test]
fn a_trace_has_one_digest() {
    let trace = recorded("presets/chase.pinatrace.xz");
    let digest = |line: &str| whole(line)["about"]["trace"]["digest"].clone();
    let imported = digest(&format!("import {trace} --json"));
    assert_eq!(imported.as_str().unwrap().len(), 32);
    assert_eq!(imported, digest(&format!("run --machine tiny.json --trace {trace} --json")));
    assert_eq!(imported, digest(&format!("curve --trace {trace} --json")));
    assert_ne!(imported, digest(&format!("curve --trace {trace} --limit 99 --json")));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (csv, rows) = (place("digest.csv"), place("digest-rows.jsonl"));
    printed(&format!("convert {trace} --to csv --out {csv}"));
    assert_eq!(imported, digest(&format!("import {csv} --json")));
    let spec = place("digest.json");
    // This file also has places in the source.
    let saved = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/join.pagewalk.xz");
    let files = format!(r#"[{{"file": "digest.csv"}}, {{"file": "{saved}"}}]"#);
    let text = format!(r#"{{"traces": {files}, "base": {{"machine": {{}}}}, "axes": []}}"#);
    std::fs::write(&spec, text).unwrap();
    let _ = std::fs::remove_file(&rows);
    let done = whole(&format!("sweep {spec} --out {rows} --json"));
    assert_eq!(done["about"]["command"][0], "sweep");
    let rows = std::fs::read_to_string(rows).unwrap();
    let hashes = rows.lines().map(|row| -> Value {
        serde_json::from_str::<Value>(row).unwrap()["trace"]["hash"].take()
    });
    assert_eq!(hashes.collect::<Vec<_>>(), [imported, digest(&format!("import {saved} --json"))]);
}

/// A digest changes with any number of the machine, and `cpus` prints the one of a model.
#[test]
fn a_machine_has_one_digest() {
    let machine = |line: &str| whole(line)["about"]["machine"].clone();
    let run = |cpu: &str| machine(&format!("run --cpu {cpu} --trace walk.lackey --json"));
    assert_eq!(run("intel-skylake"), machine("cpus intel-skylake --json"));
    assert_ne!(run("intel-skylake")["digest"], run("intel-skylake:smt-on")["digest"]);
    assert_eq!(run("intel-skylake")["shown_by"], "pagewalk cpus intel-skylake --json");
}

#[test]
fn a_result_is_repeated_from_its_file() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repeat.json");
    let path = file.to_str().unwrap();
    for line in [
        "run --machine tiny.json --trace walk.lackey",
        "run --machine tiny.json --workload uniform --param accesses=900 bytes=1M",
        "curve --trace walk.lackey --kinds load,store",
        "explain --cpu amd-zen2 --va 0x7f3a1c2b5e48 --virt ept --no-walk-caches",
        "import mixed.csv",
    ] {
        std::fs::write(&file, printed(&format!("{line} --json"))).unwrap();
        let said = printed(&format!("run --repeat {path}"));
        assert!(said.contains(" are the same again\n"), "{said}");
    }
}

#[test]
fn a_result_that_differs_is_an_error() {
    let text = printed("run --machine tiny.json --trace walk.lackey --json");
    let other = text.replace("\"walks\": 6", "\"walks\": 7").replace("\"0.1.0\"", "\"0.0.9\"");
    check_with_file(
        "run --repeat",
        other.as_bytes(),
        &expect![[r"
            exit code 1: pagewalk: FILE: 1 of 104 values of `pagewalk run --machine tiny.json --trace walk.lackey` differ (version 0.0.9 then, 0.1.0 now): walks.walks was 7, is 6
        "]],
    );
    let gone = text.replace("walk.lackey", "gone.lackey");
    check_with_file(
        "run --repeat",
        gone.as_bytes(),
        &expect![[r"
        exit code 1: pagewalk: FILE: `pagewalk run --machine tiny.json --trace gone.lackey` failed: gone.lackey: there is no such file
    "]],
    );
    let stdin = text.replace("\"walk.lackey\"", "\"-\"");
    check_with_file(
        "run --repeat",
        stdin.as_bytes(),
        &expect![[r"
        exit code 1: pagewalk: FILE: the command read standard input, which cannot be read again
    "]],
    );
    check_with_file(
        "run --repeat",
        b"{}",
        &expect![[r"
        exit code 1: pagewalk: FILE: it names no command in `about`: give what a command printed with --json or --csv, or the rows of a sweep
    "]],
    );
    check_with_file(
        "run --repeat",
        b"[1",
        &expect![[r"
        exit code 1: pagewalk: FILE: EOF while parsing a list at line 1 column 2
    "]],
    );
    let sweep = br#"{"about": {"command": ["sweep", "a.json"]}}"#;
    check_with_file(
        "run --repeat",
        sweep,
        &expect![[r"
        exit code 1: pagewalk: FILE: it names no rows of the sweep: give the file of its rows
    "]],
    );
    // A result that another user made must not write a file.
    let writes = br#"{"about": {"command": ["curve", "--csv=mine.csv"]}}"#;
    check_with_file(
        "run --repeat",
        writes,
        &expect![[r"
            exit code 1: pagewalk: FILE: the command writes a file or repeats another one: give what a command printed with --json or --csv
        "]],
    );
    check(
        "run --repeat walk.run.json --cpu amd-zen2",
        expect![[r"
        exit code 1: pagewalk: the argument '--repeat <FILE>' cannot be used with one or more of the other specified arguments (see `pagewalk run --help`)
    "]],
    );
    let output = pagewalk(["run", "--repeat", "none.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}
