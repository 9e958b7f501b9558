//! The source of a recorded program: lines, functions, global variables and heap blocks with their names.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::{fixtures, json, pagewalk, printed};

/// The rows with the most miss cycles: each with what names it.
fn names(path: &str, by: &str, n: usize) -> String {
    let found = json(&format!("run -m tiny.json -t {path} --by {by} --json"));
    let rows = found["breakdown"]["rows"].as_array().unwrap().iter().take(n);
    let word = |row: &Value, key: &str| match &row[key] {
        Value::Null => String::new(),
        Value::String(text) => format!(" {text}"),
        other => format!(" {other}"),
    };
    let line = |row: &Value| {
        let keys = ["name", "text", "blocks"].map(|key| word(row, key));
        format!("{}\n", keys.concat().trim_start())
    };
    rows.map(line).collect()
}

#[track_caller]
fn check(path: &str, expected: &Expect) {
    let all = [("object", 2), ("line", 1), ("symbol", 1)].map(|(by, n)| names(path, by, n));
    expected.assert_eq(&all.concat());
}

fn has(program: &str) -> bool {
    let command = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    command.is_ok_and(|status| status.success())
}

/// The recording of join.c that is kept with the tests.
#[test]
fn a_recording_names_the_structures_and_the_line_that_miss() {
    check(
        "join.pagewalk.xz",
        &expect![[r"
            pool (malloc, join.c:25) 1
            buckets (calloc, join.c:24) 1
            join.c:18 for (struct node *at = buckets[keys[i]]; at; at = at->next)
            join
        "]],
    );
    let table = printed("run -m tiny.json -t join.pagewalk.xz --by line");
    assert!(table.contains("join.c:18"), "{table}");
}

/// Records join.c anew, where a compiler and valgrind are installed.
#[test]
fn a_program_that_is_compiled_here_gets_its_names() {
    if !has("gcc") || !has("valgrind") {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sources");
    fs::create_dir_all(&folder).unwrap();
    let (source, program) = (fixtures().join("join.c"), folder.join("join"));
    let gcc = Command::new("gcc").args(["-g", "-O1", "-o"]).args([&program, &source]).status();
    assert!(gcc.unwrap().success());
    let trace = folder.join("join.pagewalk");
    let [program, trace] = [&program, &trace].map(|path| path.to_str().unwrap());
    let output = pagewalk(["record", "-o", trace, "--", program]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "4096\n", "{output:?}");
    check(
        trace,
        &expect![[r"
            pool (malloc, join.c:25) 1
            buckets (calloc, join.c:24) 1
            join.c:18 for (struct node *at = buckets[keys[i]]; at; at = at->next)
            join
        "]],
    );
}
