//! `run --repeat` of tables and of sweeps.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use crate::support::{pagewalk, printed};

/// Makes an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("repeat-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Repeats a file. `DIR` stands for its folder in the output.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn check(folder: &Path, name: &str, expected: Expect) {
    let path = folder.join(name);
    let output = pagewalk(["run", "--repeat", path.to_str().unwrap()]).output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let text = text.replace(folder.to_str().unwrap(), "DIR");
    expected.assert_eq(&format!("exit code {}: {text}", output.status.code().unwrap()));
}

/// Writes a changed copy of a file.
#[track_caller]
fn change(folder: &Path, [from, to]: [&str; 2], [before, now]: [&str; 2]) {
    let text = fs::read_to_string(folder.join(from)).unwrap();
    let changed = text.replacen(before, now, 1);
    assert_ne!(text, changed, "{before}");
    fs::write(folder.join(to), changed).unwrap();
}

#[test]
fn a_table_is_repeated_from_its_file() {
    let here = folder("tables");
    for line in [
        "run --machine tiny.json --workload uniform --param accesses=900 bytes=1M",
        "curve --trace walk.lackey --kinds load,store",
        "curve --trace walk.lackey --entries 4",
        "phases --trace walk.lackey --window 3",
        "huge --machine tiny.json --trace walk.lackey",
    ] {
        let table = here.join("table.csv");
        fs::write(&table, printed(&format!("{line} --csv -"))).unwrap();
        let said = printed(&format!("run --repeat {}", table.display()));
        assert!(said.contains(" are the same again\n"), "{said}");
    }
}

#[test]
fn the_first_cell_of_a_table_that_differs_is_named() {
    let here = folder("cells");
    fs::write(here.join("a.csv"), printed("curve --trace walk.lackey --csv -")).unwrap();
    change(&here, ["a.csv", "b.csv"], ["\n2,8,", "\n2,7,"]);
    check(
        &here,
        "b.csv",
        expect![[r"
            exit code 1: pagewalk: DIR/b.csv: 1 of 40 values of `pagewalk curve --trace walk.lackey` differ: row 1, column misses was 7, is 8
        "]],
    );
    change(&here, ["a.csv", "c.csv"], ["misses", "hits"]);
    check(
        &here,
        "c.csv",
        expect![[r"
        exit code 1: pagewalk: DIR/c.csv: the table no longer has the column `hits`
    "]],
    );
    fs::write(here.join("d.csv"), "entries,misses\n1,9\n").unwrap();
    check(
        &here,
        "d.csv",
        expect![[r"
        exit code 1: pagewalk: DIR/d.csv: it names no command in `about`: give what a command printed with --json or --csv, or the rows of a sweep
    "]],
    );
    fs::write(here.join("run.csv"), printed("run -m tiny.json -t walk.lackey --csv -")).unwrap();
    change(&here, ["run.csv", "e.csv"], ["\nwalks.walks,6", "\nwalks.walks,7"]);
    check(
        &here,
        "e.csv",
        expect![[r"
            exit code 1: pagewalk: DIR/e.csv: 1 of 101 values of `pagewalk run --machine tiny.json --trace walk.lackey` differ: walks.walks was 7, is 6
        "]],
    );
}

#[test]
fn a_sweep_is_repeated_from_its_rows_and_from_its_table() {
    let here = folder("sweep");
    let out = here.join("a.jsonl");
    let done = pagewalk(["sweep", "sweep.json", "--json", "--out"]).arg(&out).output().unwrap();
    fs::write(here.join("done.json"), done.stdout).unwrap();
    check(
        &here,
        "a.jsonl",
        expect![[r"
            exit code 0: DIR/a.jsonl: all 1,568 values of `pagewalk sweep sweep.json` are the same again
        "]],
    );
    check(
        &here,
        "a.csv",
        expect![[r"
        exit code 0: DIR/a.csv: all 592 values of `pagewalk sweep sweep.json` are the same again
    "]],
    );
    check(
        &here,
        "done.json",
        expect![[r"
            exit code 0: DIR/done.json: all 1,568 values of `pagewalk sweep sweep.json` are the same again
        "]],
    );
    change(&here, ["a.jsonl", "b.jsonl"], [r#""walks":{"walks":6,"#, r#""walks":{"walks":7,"#]);
    check(
        &here,
        "b.jsonl",
        expect![[r"
            exit code 1: pagewalk: DIR/b.jsonl: 1 of 1,568 values of `pagewalk sweep sweep.json` differ: row 0: report.walks.walks was 7, is 6
        "]],
    );
    change(
        &here,
        ["a.csv", "b.csv"],
        ["\n3,walk.lackey,lru,6,6,2M,9,9,", "\n3,walk.lackey,lru,6,6,2M,9,8,"],
    );
    check(
        &here,
        "b.csv",
        expect![[r"
        exit code 1: pagewalk: DIR/b.csv: 1 of 592 values of `pagewalk sweep sweep.json` differ: row 3, column translations was 8, is 9
    "]],
    );
    change(&here, ["a.jsonl", "c.jsonl"], ["needs a power of two", "needs a prime number"]);
    check(
        &here,
        "c.jsonl",
        expect![[r#"
            exit code 1: pagewalk: DIR/c.jsonl: 1 of 1,568 values of `pagewalk sweep sweep.json` differ: row 6: error.message was "tree-plru needs a prime number of ways, not 6: choose 8 or lru", is "tree-plru needs a power of two of ways, not 6: choose 8 or lru"
        "#]],
    );
    // A sweep that was stopped.
    let text = fs::read_to_string(&out).unwrap();
    let some: String = text.split_inclusive('\n').take(9).collect();
    fs::write(here.join("some.jsonl"), some).unwrap();
    check(
        &here,
        "some.jsonl",
        expect![[r"
        exit code 1: pagewalk: DIR/some.jsonl: it has 9 of 16 rows: run the sweep to its end, or merge its parts
    "]],
    );
    let others: String = text.split_inclusive('\n').skip(1).collect();
    fs::write(here.join("others.jsonl"), others).unwrap();
    check(
        &here,
        "others.jsonl",
        expect![[r"
        exit code 1: pagewalk: DIR/others.jsonl: row 0 is missing, or not in its place: run the sweep to its end, or merge its parts
    "]],
    );
    change(
        &here,
        ["a.jsonl", "gone.jsonl"],
        [r#"["sweep","sweep.json"]"#, r#"["sweep","gone.json"]"#],
    );
    check(
        &here,
        "gone.jsonl",
        expect![[r"
        exit code 1: pagewalk: DIR/gone.jsonl: `pagewalk sweep gone.json` failed: gone.json: there is no such file
    "]],
    );
    change(&here, ["a.jsonl", "old.jsonl"], [r#""command":["sweep","sweep.json"],"#, ""]);
    check(
        &here,
        "old.jsonl",
        expect![[r"
        exit code 1: pagewalk: DIR/old.jsonl: it names no file of the sweep in `about`: run it again with `pagewalk sweep`
    "]],
    );
}
