//! A sweep continues a results file that ends anywhere, and produces the same bytes as an uninterrupted run.

use std::fs;
use std::path::{Path, PathBuf};

use super::merge::merge;
use super::run;
use crate::args::SweepArgs;

fn args(folder: &Path) -> SweepArgs {
    SweepArgs {
        files: vec![folder.join("spec.json")],
        out: Some(folder.join("rows.jsonl")),
        jobs: Some(1),
        shard: None,
        merge: false,
        json: false,
    }
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("pagewalk-sweep-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn wherever_the_file_ends_the_rest_of_the_rows_is_added() {
    let folder = folder();
    fs::write(folder.join("a.lackey"), " L 1000,8\n S 2ffc,8\n L 1000,8\n").unwrap();
    fs::write(
        folder.join("spec.json"),
        r#"{
            "traces": [{"file": "a.lackey"}],
            "base": {"machine": {}},
            "axes": [{"field": "machine.l1[0].replacement", "values": ["mru3-plru4", "lru"]}]
        }"#,
    )
    .unwrap();
    let args = args(&folder);
    let (rows, table) = (folder.join("rows.jsonl"), folder.join("rows.csv"));
    let done = run(&args).unwrap();
    assert_eq!((done.rows, done.simulated, done.errors), (2, 2, 1));
    let (whole, csv) = (fs::read(&rows).unwrap(), fs::read(&table).unwrap());
    for end in 0..=whole.len() {
        fs::write(&rows, &whole[..end]).unwrap();
        let there = whole[..end].split(|byte| *byte == b'\n').count() - 1;
        let done = run(&args).unwrap();
        assert_eq!(
            (done.rows, done.simulated, done.errors),
            (2, 2 - there, 1),
            "after {end} bytes"
        );
        assert!(fs::read(&rows).unwrap() == whole, "after {end} bytes");
        assert!(fs::read(&table).unwrap() == csv, "after {end} bytes");
    }
    // Rows in another order, as two threads may write them.
    let second = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(&rows, &whole[second..]).unwrap();
    assert_eq!(run(&args).unwrap().simulated, 1);
    assert!(fs::read(&rows).unwrap() == whole);
    fs::remove_dir_all(&folder).unwrap();
}

/// The site saves runs as such lines.
#[test]
fn runs_that_the_site_saved_are_merged_and_become_a_table() {
    let folder = std::env::temp_dir().join(format!("pagewalk-saved-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let saved = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/saved-runs.jsonl");
    let done = merge(std::slice::from_ref(&saved), folder.join("rows.jsonl")).unwrap();
    assert_eq!((done.rows, done.errors), (2, 0));
    assert_eq!(fs::read(folder.join("rows.jsonl")).unwrap(), fs::read(saved).unwrap());
    let csv = fs::read_to_string(folder.join("rows.csv")).unwrap();
    let columns = csv.lines().map(|line| line.split(',').take(5).collect::<Vec<_>>().join(","));
    expect_test::expect![[r"
        row,trace,name,cpu,saved
        0,ls,a,tiny,2026-01-02T03:04:05.000Z
        1,ls,b,tiny,2026-01-02T03:04:05.000Z"]]
    .assert_eq(&columns.collect::<Vec<_>>().join("\n"));
    assert!(csv.contains(",3000,"), "{csv}");
    fs::remove_dir_all(&folder).unwrap();
}
