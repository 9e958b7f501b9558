//! Every result carries the facts that cite it: the program, the command, the machine, the mapping and the trace.

use std::fs;
use std::path::Path;

use pagewalk_base::csv::cells;
use pagewalk_experiments::about::{FACTS, facts};
use serde_json::Value;

use crate::support::{counted, printed, recorded};

/// A command line, and the facts that its result has.
type Row = (&'static str, &'static [&'static str]);

const MACHINE: &str = "machine.digest";
const MAPPING: &str = "mapping";
const TRACE: &str = "trace.digest";
const SEED: &str = "trace.seed";

/// At least one row for every command with `--json`. SAMPLES and STAT stand for recorded files.
const RESULTS: [Row; 22] = [
    ("run -m tiny.json -t walk.lackey", &[MACHINE, MAPPING, TRACE]),
    ("run -c amd-zen2 -w uniform -p accesses=9", &[MACHINE, MAPPING, TRACE, SEED]),
    ("explain -c amd-zen2 --va 0x1000", &[MACHINE, MAPPING]),
    ("curve -t walk.lackey", &[MAPPING, TRACE]),
    ("curve -w uniform -p accesses=9", &[MAPPING, TRACE, SEED]),
    ("curve -t walk.lackey --surface", &[MAPPING, TRACE]),
    ("curve -t walk.lackey --entries 4", &[MAPPING, TRACE]),
    ("curve -t walk.lackey -c amd-zen2", &[MACHINE, MAPPING, TRACE]),
    ("phases -t walk.lackey", &[MAPPING, TRACE]),
    ("huge -m tiny.json -t walk.lackey", &[MACHINE, MAPPING, TRACE]),
    ("import walk.lackey", &[TRACE]),
    ("samples SAMPLES", &[TRACE]),
    ("samples SAMPLES -c amd-zen2", &[MACHINE, TRACE]),
    ("stat STAT", &[]),
    ("stat STAT -c amd-zen2 -t walk.lackey", &[MACHINE, MAPPING, TRACE]),
    ("measure --from chase.json", &[]),
    ("gen --list", &[]),
    ("experiment --list", &[]),
    ("experiment pre-touch", &[MACHINE]),
    ("verify 30", &[]),
    ("cpus", &[]),
    ("cpus amd-zen2", &[MACHINE]),
];

/// `sweep` writes files: [`every_row_of_a_sweep_carries_its_facts`].
const SWEEP: &str = "sweep";

/// Returns the commands that have an option.
fn commands_with(option: &str) -> Vec<String> {
    let help = printed("--help");
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let has = |name: &&str| printed(&format!("help {name}")).contains(option);
    names
        .filter(|name| !name.is_empty() && *name != "help")
        .filter(has)
        .map(str::to_owned)
        .collect()
}

/// Returns the lines of the commands in `names`, each of which must have one.
#[track_caller]
fn lines_of(names: &[String]) -> Vec<(String, &'static [&'static str])> {
    let (samples, stat) = (recorded("perf/data/pf-matmul.perf.data.gz"), counted("amd-zen.txt"));
    let of = |line: &str, name: &String| line.split(' ').next() == Some(name);
    for name in names.iter().filter(|name| *name != SWEEP) {
        assert!(RESULTS.iter().any(|(line, _)| of(line, name)), "`{name}` has no row in RESULTS");
    }
    let rows = RESULTS.into_iter().filter(|(line, _)| names.iter().any(|name| of(line, name)));
    rows.map(|(line, has)| (line.replace("SAMPLES", &samples).replace("STAT", &stat), has))
        .collect()
}

/// Checks the description of a result, which has the facts `has` and no others.
#[track_caller]
fn check_about(line: &str, about: &Value, has: &[&str]) {
    let fact = |place: &str| about.pointer(&format!("/{}", place.replace('.', "/")));
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"), "{line}");
    assert_eq!(about["schema"], 1, "{line}");
    assert_eq!(about["command"][0], *line.split(' ').next().unwrap(), "{line}");
    for place in [MACHINE, MAPPING, TRACE, SEED] {
        let found = fact(place).is_some_and(|value| !value.is_null() && *value != "");
        assert_eq!(found, has.contains(&place), "{place} of `{line}`: {about}");
    }
}

/// Checks a table: its header comes first, all rows are as long, and it has the facts of a description.
#[track_caller]
fn check_table(line: &str, text: &str, about: &Value) {
    let rows: Vec<Vec<String>> = text.lines().map(cells).collect();
    let (head, rows) = rows.split_first().unwrap();
    assert!(rows.iter().all(|row| row.len() == head.len()), "{line}: {text}");
    let is_list = head[0] == "counter";
    for (place, expected) in FACTS.iter().zip(facts(about)) {
        let found = if is_list {
            rows.iter().find(|row| row[0] == *place).map(|row| &row[1])
        } else {
            let at = head.iter().position(|column| column == place);
            Some(&rows[0][at.unwrap_or_else(|| panic!("{line}: no column {place}: {text}"))])
        };
        // Only some builds know their commit.
        if *place != "about.commit" {
            assert_eq!(found.map_or("", String::as_str), expected, "{place} of `{line} --csv -`");
        }
    }
}

#[test]
fn every_json_carries_its_facts() {
    let names = commands_with("--json");
    assert!(names.len() > 10 && names.contains(&SWEEP.to_owned()), "{names:?}");
    for (line, has) in lines_of(&names) {
        let result: Value = serde_json::from_str(&printed(&format!("{line} --json"))).unwrap();
        check_about(&line, &result["about"], has);
    }
}

#[test]
fn every_table_carries_the_facts_of_its_json() {
    let names = commands_with("--csv");
    assert!(names.len() > 9, "{names:?}");
    for (line, _) in lines_of(&names) {
        let result: Value = serde_json::from_str(&printed(&format!("{line} --json"))).unwrap();
        check_table(&line, &printed(&format!("{line} --csv -")), &result["about"]);
    }
}

#[test]
fn every_row_of_a_sweep_carries_its_facts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("facts-of-a-sweep");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let traces = r#"[{"workload": "uniform", "params": {"accesses": 9}}]"#;
    let spec = format!(r#"{{"traces": {traces}, "base": {{"cpu": "amd-zen2"}}, "axes": []}}"#);
    fs::write(folder.join("s.json"), spec).unwrap();
    let here = folder.to_str().unwrap();
    let line = format!("sweep {here}/s.json");
    let done = printed(&format!("{line} --out {here}/s.jsonl --json"));
    check_about(&line, &serde_json::from_str::<Value>(&done).unwrap()["about"], &[]);
    let row: Value = serde_json::from_slice(&fs::read(folder.join("s.jsonl")).unwrap()).unwrap();
    check_about(&line, &row["about"], &[MACHINE, TRACE, SEED]);
    // The mapping and all numbers of the machine are in the row itself.
    assert_eq!(row["os"]["default"], "4K");
    assert_eq!(row["machine"]["name"], "Zen 2");
    let table = fs::read_to_string(folder.join("s.csv")).unwrap();
    check_table(&line, &table, &row["about"]);
    assert!(table.lines().next().unwrap().contains(",refused,"), "{table}");
}
