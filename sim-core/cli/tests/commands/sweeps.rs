//! `pagewalk sweep`: threads, parts and interruptions do not change the files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use expect_test::{Expect, expect};
use pagewalk_base::csv::{cells, push_row};
use pagewalk_experiments::about::FACTS;
use serde_json::Value;

use crate::support::{check, pagewalk};

/// Makes an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sweep-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `pagewalk sweep` with the words of a line. `DIR` stands for the folder.
fn run(folder: &Path, line: &str) -> Output {
    let words: Vec<String> =
        line.split_whitespace().map(|word| word.replace("DIR", folder.to_str().unwrap())).collect();
    pagewalk(["sweep"].into_iter().chain(words.iter().map(String::as_str))).output().unwrap()
}

/// Returns the output, and the file that the sweep wrote.
#[track_caller]
fn done(folder: &Path, line: &str) -> Value {
    let output = run(folder, &format!("{line} --json"));
    let error = String::from_utf8(output.stderr).unwrap();
    let done: Value = serde_json::from_slice(&output.stdout).expect(&error);
    assert_eq!(output.status.success(), done["errors"] == 0, "{line}: {error}");
    done
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn refused(folder: &Path, line: &str, expected: Expect) {
    let output = run(folder, line);
    assert!(!output.status.success(), "{line}");
    let error = String::from_utf8(output.stderr).unwrap();
    expected.assert_eq(&error.replace(folder.to_str().unwrap(), "DIR"));
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn every_combination_is_a_line_of_json_and_one_of_csv() {
    let here = folder("rows");
    let output = run(&here, "sweep.json --out DIR/a.jsonl");
    let text = String::from_utf8(output.stdout).unwrap();
    expect![[r"
        DIR/a.jsonl, DIR/a.csv: 16 rows, 4 failed
    "]]
    .assert_eq(&text.replace(here.to_str().unwrap(), "DIR"));
    let text = read(&here, "a.csv");
    let rows: Vec<Vec<String>> = text.lines().map(cells).collect();
    let is_shown =
        |at: usize| !FACTS.contains(&rows[0][at].as_str()) && rows[0][at] != "configuration";
    let mut table = String::new();
    for row in &rows {
        let shown = row.iter().enumerate().filter(|(at, _)| is_shown(*at));
        push_row(&mut table, shown.map(|(_, cell)| cell.clone()));
    }
    expect![[r#"
        row,trace,machine.l1[0].replacement,machine.l1[0].entries,machine.l1[0].ways,pages,accesses,translations,refused,l1_hits,l2_hits,walks,fetch_walks,load_walks,store_walks,refs,guest_refs,host_refs,minor_faults,major_faults,table_pages,mapped_bytes,l2_hit_cycles,l2_miss_cycles,walk_cycles,cycles,completeness,part,error
        0,walk.lackey,lru,4,4,4K,9,10,0,4,0,6,2,2,2,24,0,0,6,0,6,24576,0,42,4800,4842,complete,false,
        1,walk.lackey,lru,4,4,2M,9,9,0,7,0,2,1,1,0,6,0,0,2,0,4,4194304,0,14,1200,1214,complete,false,
        2,walk.lackey,lru,6,6,4K,9,10,0,4,0,6,2,2,2,24,0,0,6,0,6,24576,0,42,4800,4842,complete,false,
        3,walk.lackey,lru,6,6,2M,9,9,0,7,0,2,1,1,0,6,0,0,2,0,4,4194304,0,14,1200,1214,complete,false,
        4,walk.lackey,tree-plru,4,4,4K,9,10,0,4,0,6,2,2,2,24,0,0,6,0,6,24576,0,42,4800,4842,complete,false,
        5,walk.lackey,tree-plru,4,4,2M,9,9,0,7,0,2,1,1,0,6,0,0,2,0,4,4194304,0,14,1200,1214,complete,false,
        6,walk.lackey,tree-plru,6,6,4K,,,,,,,,,,,,,,,,,,,,,,,"machine.l1[0].replacement: tree-plru needs a power of two of ways, not 6: choose 8 or lru"
        7,walk.lackey,tree-plru,6,6,2M,,,,,,,,,,,,,,,,,,,,,,,"machine.l1[0].replacement: tree-plru needs a power of two of ways, not 6: choose 8 or lru"
        8,uniform accesses=400 bytes=256K,lru,4,4,4K,400,400,0,23,22,355,0,355,0,1420,0,0,64,0,4,262144,154,2485,284000,286639,complete,false,
        9,uniform accesses=400 bytes=256K,lru,4,4,2M,400,400,0,399,0,1,0,1,0,3,0,0,1,0,3,2097152,0,7,600,607,complete,false,
        10,uniform accesses=400 bytes=256K,lru,6,6,4K,400,400,0,35,13,352,0,352,0,1408,0,0,64,0,4,262144,91,2464,281600,284155,complete,false,
        11,uniform accesses=400 bytes=256K,lru,6,6,2M,400,400,0,399,0,1,0,1,0,3,0,0,1,0,3,2097152,0,7,600,607,complete,false,
        12,uniform accesses=400 bytes=256K,tree-plru,4,4,4K,400,400,0,23,22,355,0,355,0,1420,0,0,64,0,4,262144,154,2485,284000,286639,complete,false,
        13,uniform accesses=400 bytes=256K,tree-plru,4,4,2M,400,400,0,399,0,1,0,1,0,3,0,0,1,0,3,2097152,0,7,600,607,complete,false,
        14,uniform accesses=400 bytes=256K,tree-plru,6,6,4K,,,,,,,,,,,,,,,,,,,,,,,"machine.l1[0].replacement: tree-plru needs a power of two of ways, not 6: choose 8 or lru"
        15,uniform accesses=400 bytes=256K,tree-plru,6,6,2M,,,,,,,,,,,,,,,,,,,,,,,"machine.l1[0].replacement: tree-plru needs a power of two of ways, not 6: choose 8 or lru"
    "#]].assert_eq(&table);
    let rows: Vec<Value> =
        read(&here, "a.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 16);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["row"], number);
        assert_eq!(row["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(row["machine"]["l2"][0]["entries"], 8, "the whole configuration: {row}");
        assert_ne!(row["report"].is_null(), row["error"].is_null());
    }
}

#[test]
fn failed_rows_are_an_error_each_time() {
    let here = folder("failed");
    for line in ["sweep.json --out DIR/a.jsonl", "--merge DIR/a.jsonl --out DIR/b.jsonl"] {
        for _ in 0..2 {
            let output = run(&here, line);
            let error = String::from_utf8(output.stderr).unwrap();
            let out = line.split("DIR/").last().unwrap();
            let expected = format!(
                "pagewalk: DIR/{out}: 4 of 16 rows failed: the field `error` of each says why\n"
            );
            assert_eq!(error.replace(here.to_str().unwrap(), "DIR"), expected, "{line}");
            assert_eq!(output.status.code(), Some(1), "{line}");
        }
    }
}

#[test]
fn any_number_of_threads_writes_the_same_and_so_do_parts_that_are_merged() {
    let here = folder("parts");
    for jobs in 1..=3 {
        done(&here, &format!("kill.json --jobs {jobs} --out DIR/{jobs}.jsonl"));
    }
    for part in 1..=3 {
        let done = done(&here, &format!("kill.json --shard {part}/3 --out DIR/part{part}.jsonl"));
        assert_eq!((&done["rows"], &done["csv"]), (&[14, 13, 13][part - 1].into(), &Value::Null));
    }
    done(&here, "--merge DIR/part2.jsonl DIR/part3.jsonl DIR/part1.jsonl -o DIR/merged.jsonl");
    for end in ["jsonl", "csv"] {
        let one = read(&here, &format!("1.{end}"));
        for other in ["2", "3", "merged"] {
            assert!(one == read(&here, &format!("{other}.{end}")), "{other}.{end} differs");
        }
    }
    assert_eq!(read(&here, "1.csv").lines().count(), 41);
}

#[test]
fn a_run_that_is_killed_goes_on_where_it_was() {
    let here = folder("kill");
    done(&here, "kill.json --out DIR/whole.jsonl");
    let mut lines_at_kill = Vec::new();
    for after in [0, 1, 7, 20, 38] {
        let out = here.join(format!("{after}.jsonl"));
        let mut child = pagewalk(["sweep", "kill.json", "--jobs", "2", "--out"])
            .arg(&out)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let lines = || fs::read_to_string(&out).map_or(0, |text| text.matches('\n').count());
        while lines() < after && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let before = lines();
        lines_at_kill.push(before);
        let done = done(&here, &format!("kill.json --out DIR/{after}.jsonl"));
        assert_eq!(done["simulated"], 40 - before, "what was there is not simulated again");
        for end in ["jsonl", "csv"] {
            let same =
                read(&here, &format!("{after}.{end}")) == read(&here, &format!("whole.{end}"));
            assert!(same, "{after}.{end} differs");
        }
    }
    assert!(lines_at_kill.iter().any(|lines| *lines < 40), "some were killed: {lines_at_kill:?}");
}

#[test]
fn what_is_no_sweep_is_refused() {
    check(
        "sweep",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: <FILE>... (see `pagewalk sweep --help`)
        "]],
    );
    check(
        "sweep none.json",
        expect![[r"
        exit code 1: pagewalk: none.json: there is no such file
    "]],
    );
    check(
        "sweep tiny.json",
        expect![[r"
        exit code 1: pagewalk: tiny.json: l1: unknown field `l1`, expected one of `traces`, `base`, `axes`, `cores`, `window`
    "]],
    );
    check(
        "sweep sweep.json kill.json",
        expect![[r"
        exit code 1: pagewalk: 2 files: give one sweep, or --merge to join parts
    "]],
    );
    check(
        "sweep sweep.json --shard 0/2",
        expect![[r"
            exit code 1: pagewalk: invalid value '0/2' for '--shard <I/N>': write I/N, such as 1/4 for the first of four parts (see `pagewalk sweep --help`)
        "]],
    );
    check(
        "sweep sweep.json --jobs 0",
        expect![[r"
            exit code 1: pagewalk: invalid value '0' for '--jobs <N>': give 1 to 1024 threads (see `pagewalk sweep --help`)
        "]],
    );
    check(
        "sweep sweep.json --out a.csv",
        expect![[r"
            exit code 1: pagewalk: a.csv: give a name that does not end in .csv: the .csv file is written next to the JSON lines
        "]],
    );
    check(
        "sweep --merge a.jsonl",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: --out <FILE> (see `pagewalk sweep --help`)
        "]],
    );
    check(
        "sweep --merge a.jsonl --shard 1/2 -o b.jsonl",
        expect![[r"
            exit code 1: pagewalk: the argument '--merge' cannot be used with '--shard <I/N>' (see `pagewalk sweep --help`)
        "]],
    );
}

#[test]
fn a_file_of_something_else_is_never_written_over() {
    let here = folder("else");
    fs::write(here.join("notes.jsonl"), "my notes\n").unwrap();
    refused(
        &here,
        "sweep.json --out DIR/notes.jsonl",
        expect![[r"
            pagewalk: DIR/notes.jsonl: line 1 is not a row of a sweep: give another file
        "]],
    );
    assert_eq!(read(&here, "notes.jsonl"), "my notes\n");
    fs::write(here.join("line.jsonl"), "my notes").unwrap();
    refused(
        &here,
        "sweep.json --out DIR/line.jsonl",
        expect![[r"
            pagewalk: DIR/line.jsonl: line 1 is not a row of a sweep: give another file
        "]],
    );
    assert_eq!(read(&here, "line.jsonl"), "my notes");
    let spec = r#"{"traces": [{"file": "a.csv"}], "base": {"machine": {}}, "axes": []}"#;
    fs::write(here.join("spec.jsonl"), spec).unwrap();
    fs::write(here.join("a.csv"), "load,0x1000\n").unwrap();
    refused(
        &here,
        "DIR/spec.jsonl --out DIR/spec.jsonl",
        expect![[r"
            pagewalk: DIR/spec.jsonl: this would overwrite DIR/spec.jsonl, which the sweep reads: give another --out
        "]],
    );
    refused(
        &here,
        "DIR/spec.jsonl --out DIR/a.jsonl",
        expect![[r"
            pagewalk: DIR/a.jsonl: this would overwrite DIR/a.csv, which the sweep reads: give another --out
        "]],
    );
    assert_eq!(read(&here, "spec.jsonl"), spec);
    fs::remove_file(here.join("a.csv")).unwrap();
    refused(
        &here,
        "sweep.json --out DIR/none/a.jsonl",
        expect![[r"
            pagewalk: DIR/none/a.jsonl: cannot write it: there is no such folder
        "]],
    );
    done(&here, "sweep.json --out DIR/a.jsonl");
    let text = read(&here, "a.jsonl");
    refused(
        &here,
        "kill.json --out DIR/a.jsonl",
        expect![[r"
            pagewalk: DIR/a.jsonl: line 1 is of another sweep, or of an earlier version of this one: give another --out, or delete the file to start again
        "]],
    );
    refused(
        &here,
        "sweep.json --shard 1/2 --out DIR/a.jsonl",
        expect![[r"
            pagewalk: DIR/a.jsonl: line 2: row 1 does not belong to part 1/2: give another --out, or delete the file to start again
        "]],
    );
    assert_eq!(read(&here, "a.jsonl"), text);
    let first = text.lines().next().unwrap();
    fs::write(here.join("twice.jsonl"), format!("{first}\n{first}\n")).unwrap();
    refused(
        &here,
        "sweep.json --out DIR/twice.jsonl",
        expect![[r"
            pagewalk: DIR/twice.jsonl: line 2: row 0 is repeated: give another --out, or delete the file to start again
        "]],
    );
}

#[test]
fn a_trace_that_has_changed_ends_what_was_begun_with_it() {
    let here = folder("changed");
    fs::write(here.join("a.lackey"), " L 1000,8\n L 2000,8\n").unwrap();
    let spec = r#"{"traces": [{"file": "a.lackey"}], "base": {"machine": {}}}"#;
    fs::write(here.join("s.json"), spec).unwrap();
    done(&here, "DIR/s.json --out DIR/s.jsonl");
    fs::write(here.join("a.lackey"), " L 1000,8\n L 3000,8\n").unwrap();
    let before = read(&here, "s.jsonl");
    refused(
        &here,
        "DIR/s.json --out DIR/s.jsonl",
        expect![[r"
            pagewalk: DIR/s.jsonl: a.lackey has changed since its rows were simulated: give another --out, or delete the file to start again
        "]],
    );
    assert_eq!(read(&here, "s.jsonl"), before);
    fs::remove_file(here.join("a.lackey")).unwrap();
    refused(
        &here,
        "DIR/s.json --out DIR/s.jsonl",
        expect![[r"
        pagewalk: DIR/a.lackey: there is no such file
    "]],
    );
}

#[test]
fn parts_that_do_not_make_a_whole_are_not_merged() {
    let here = folder("merge");
    for part in 1..=2 {
        done(&here, &format!("sweep.json --shard {part}/2 --out DIR/{part}.jsonl"));
    }
    done(&here, "kill.json --shard 1/40 --out DIR/other.jsonl");
    fs::write(here.join("empty.jsonl"), "").unwrap();
    fs::write(here.join("cut.jsonl"), &read(&here, "2.jsonl")[..5000]).unwrap();
    let changed = read(&here, "2.jsonl").replace("52f1", "0000");
    fs::write(here.join("changed.jsonl"), changed).unwrap();
    let merge = |parts: &str, expected: Expect| {
        refused(&here, &format!("--merge {parts} -o DIR/merged.jsonl"), expected);
        assert!(!here.join("merged.jsonl").exists());
    };
    merge(
        "DIR/1.jsonl",
        expect![[r"
            pagewalk: 8 of 16 rows are missing: 1, 3, 5, 7, 9, 11, 13, 15: run the missing parts, or give all parts
        "]],
    );
    merge(
        "DIR/1.jsonl DIR/2.jsonl DIR/1.jsonl",
        expect![[r"
        pagewalk: row 0 is in DIR/1.jsonl and in DIR/1.jsonl: give each part once
    "]],
    );
    merge(
        "DIR/1.jsonl DIR/other.jsonl",
        expect![[r"
            pagewalk: DIR/other.jsonl: line 1 is of another sweep than DIR/1.jsonl: give the parts of one sweep
        "]],
    );
    merge(
        "DIR/1.jsonl DIR/cut.jsonl",
        expect![[r"
            pagewalk: DIR/cut.jsonl: the last row is incomplete: run this part to its end first
        "]],
    );
    merge(
        "DIR/1.jsonl DIR/changed.jsonl",
        expect![[r"
            pagewalk: DIR/changed.jsonl: line 1 is of a trace that has changed since: run that part again
        "]],
    );
    merge(
        "DIR/1.jsonl sweep.json",
        expect![[r"
            pagewalk: sweep.json: line 1 is not a row of a sweep: give another file
        "]],
    );
    merge(
        "DIR/empty.jsonl",
        expect![[r"
            pagewalk: the parts have no rows
        "]],
    );
    merge(
        "DIR/none.jsonl",
        expect![[r"
        pagewalk: DIR/none.jsonl: there is no such file
    "]],
    );
}

/// Runs an example sweep of the project with fewer accesses.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn check_shipped(name: &str, expected: Expect) {
    let here = folder(name);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps").join(name);
    let text = fs::read_to_string(path).unwrap();
    let short = text.replace("\"accesses\": 1000000", "\"accesses\": 500");
    assert_ne!(short, text);
    fs::write(here.join(name), short).unwrap();
    let done = done(&here, &format!("DIR/{name} --out DIR/rows.jsonl"));
    expected.assert_eq(&format!("{} rows, {} with errors", done["rows"], done["errors"]));
}

#[test]
fn the_sweeps_that_are_shipped_run() {
    check_shipped("stlb.json", expect!["32 rows, 0 with errors"]);
    check_shipped("huge-pages.json", expect!["48 rows, 0 with errors"]);
}

#[test]
fn rows_of_a_part_of_a_file_say_so() {
    let here = folder("part");
    let output = pagewalk(["convert", "walk.lackey", "--until", "4", "--to", "pagewalk", "--out"])
        .arg(here.join("part.pagewalk"))
        .output()
        .unwrap();
    assert!(output.status.success());
    let spec = r#"{"traces": [{"file": "part.pagewalk"}], "base": {"machine": {}}, "axes": []}"#;
    fs::write(here.join("part.json"), spec).unwrap();
    done(&here, "DIR/part.json --out DIR/part.jsonl");
    let row: Value = serde_json::from_str(&read(&here, "part.jsonl")).unwrap();
    assert_eq!(row["report"]["trace"]["part"], true);
    let table = read(&here, "part.csv");
    assert!(table.contains(",complete,true,,"), "{table}");
}
