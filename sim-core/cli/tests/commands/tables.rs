//! `--csv`: every table begins with its header and has the numbers of the JSON.

use std::path::Path;

use expect_test::{Expect, expect};
use pagewalk_base::csv::{cells, push_row};
use pagewalk_experiments::about::FACTS;
use serde_json::Value;

use crate::support::{check, json, printed, recorded};

/// Returns the rows of a table, which must all be as long as its header. Some builds know their commit: it is left
/// out of a list.
#[track_caller]
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows: Vec<Vec<String>> =
        text.lines().filter(|line| !line.starts_with("about.commit,")).map(cells).collect();
    let n = rows.first().map_or(0, Vec::len);
    assert!(rows.len() > 1 && rows.iter().all(|row| row.len() == n), "{text}");
    rows
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn table(line: &str, first: Expect) {
    let text = printed(&format!("{line} --csv -"));
    let rows = rows(&text);
    let is_own = |column: &&String| !FACTS.contains(&column.as_str());
    let n = rows[0].iter().take_while(is_own).count();
    let mut head = String::new();
    for row in rows.into_iter().take(3) {
        push_row(&mut head, row.into_iter().take(n));
    }
    first.assert_eq(&head);
}

#[test]
fn an_import_is_a_list_of_the_values_in_its_json() {
    let path = recorded("perf/data/bp-touch.perf.data.gz");
    let csv = printed(&format!("import {path} --csv -"));
    let result: Value = serde_json::from_str(&printed(&format!("import {path} --json"))).unwrap();
    let value = |place: &str| {
        let row = rows(&csv).into_iter().find(|row| row[0] == place);
        row.unwrap_or_else(|| panic!("{place} is missing:\n{csv}")).swap_remove(1)
    };
    assert_eq!(value("format"), "perf.data");
    assert_eq!(value("accesses"), result["accesses"].to_string());
    assert_eq!(value("about.trace.digest"), result["about"]["trace"]["digest"]);
    assert_eq!(value("sampling.page_sizes.1.bytes"), "2097152");
    assert_eq!(value("sampling.page_sizes.1.accesses"), "81");
}

#[test]
fn every_table_begins_with_its_header() {
    let trace = "--trace walk.lackey";
    table(
        &format!("run --machine tiny.json {trace}"),
        expect![[r"
            counter,value
            about.version,0.1.0
            about.schema,1
        "]],
    );
    table(
        "import walk.lackey",
        expect![[r"
        counter,value
        about.version,0.1.0
        about.schema,1
    "]],
    );
    table(
        &format!("curve {trace}"),
        expect![[r"
        entries,misses,translations
        1,9,10
        2,8,10
    "]],
    );
    table(
        &format!("curve {trace} --sets 2"),
        expect![[r"
        ways,misses,translations
        1,8,10
        2,6,10
    "]],
    );
    table(
        &format!("curve {trace} --cpu amd-zen2"),
        expect![[r"
        entries,walks,translations
        1,6,10
    "]],
    );
    table(
        &format!("curve {trace} --surface"),
        expect![[r"
        sets,ways,misses,translations
        1,1,9,10
        1,2,8,10
    "]],
    );
    table(
        &format!("curve {trace} --entries 4"),
        expect![[r"
        counter,value
        about.version,0.1.0
        about.schema,1
    "]],
    );
    table(
        &format!("phases {trace} --window 3"),
        expect![[r"
            first,accesses,mean_pages,most_pages
            0,9,2.6666666666666665,4
        "]],
    );
    table(
        &format!("huge --machine tiny.json {trace}"),
        expect![[r"
        table,huge_pages,start,walks,walk_cycles,l2_cycles,extra_bytes,touched_bytes,name,end,saved_walks,saved_cycles,saved_share_low,saved_share_high,first_touches_more_ms_low,first_touches_more_ms_high,command
        points,0,,6,642,7,0,,,,,,,,,,
        points,1,,3,521,0,2080768,,,,,,,,,,
    "]],
    );
    let stat = "stat ../../../../tests/fixtures/perfstat/amd-zen.txt";
    let text = printed(&format!("{stat} --csv -"));
    assert!(text.starts_with("event,counts,state,value,unit,is_estimate,"), "{text}");
    let samples = recorded("perf/data/pf-matmul.perf.data.gz");
    let text = printed(&format!("samples {samples} --csv -"));
    assert!(text.starts_with("side,table,name,samples,weight,l1,l2,"), "{text}");
}

#[test]
fn a_table_has_the_numbers_of_the_json() {
    let run = "run --machine tiny.json --trace walk.lackey";
    let report = json(&format!("{run} --json"));
    let listed = rows(&printed(&format!("{run} --csv -")));
    let value = |name: &str| {
        let row = listed.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("{name}"));
        row[1].clone()
    };
    for (name, place) in [
        ("walks.walks", "/walks/walks"),
        ("kinds.load.l1_hits", "/kinds/load/l1_hits"),
        ("structures.L1 dTLB.evictions", "/structures/1/evictions"),
        ("cycles.total", "/cycles/total"),
    ] {
        assert_eq!(value(name), report.pointer(place).unwrap().to_string(), "{name}");
    }
    for (name, place) in [
        ("about.machine.name", "/machine/name"),
        ("about.machine.digest", "/machine/digest"),
        ("about.trace.digest", "/trace/digest"),
    ] {
        let of: Value = serde_json::from_str(&printed(&format!("{run} --json"))).unwrap();
        assert_eq!(value(name), of["about"].pointer(place).unwrap().as_str().unwrap(), "{name}");
    }
    assert_eq!(value("about.command"), run);
    assert!(listed.iter().all(|row| !row[1].is_empty()), "{listed:?}");
    let curve = json("curve --trace walk.lackey --json");
    let listed = rows(&printed("curve --trace walk.lackey --csv -"));
    let numbers: Vec<Value> = listed[1..]
        .iter()
        .map(|row| serde_json::from_str(&format!("[{},{}]", row[0], row[1])).unwrap())
        .collect();
    assert_eq!(Value::Array(numbers), curve["misses"]);
}

#[test]
fn a_table_goes_to_a_file_beside_the_text() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("curve-table.csv");
    let path = out.to_str().unwrap();
    let line = "curve --trace walk.lackey";
    assert_eq!(printed(&format!("{line} --csv {path}")), printed(line));
    let table = printed(&format!("{line} --csv -"));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), table);
    printed(&format!("{line} --json --csv {path}"));
    check(
        "curve --trace walk.lackey --csv - --json",
        expect![[r"
        exit code 1: pagewalk: --csv -: --json also prints to standard output: give --csv a file
    "]],
    );
    check(
        "curve --trace walk.lackey --csv none/a.csv",
        expect![[r"
        exit code 1: pagewalk: none/a.csv: cannot write it: there is no such folder
    "]],
    );
}
