//! `pagewalk import`: plain and compressed files.

use std::path::Path;

use expect_test::expect;
use serde_json::{Value, json};

use crate::support::{check, check_with_input, json, printed, recorded};

#[test]
fn a_report_for_people() {
    check(
        "import walk.lackey",
        expect![[r"
            walk.lackey: lackey trace, complete: the file reports no missing accesses

            Records                     8
            Accesses                    9
            4K pages with fetches       2
            4K pages with data          3
            Skipped: valgrind messages  2

            Not recorded: which thread an access belongs to
        "]],
    );
    check(
        "import mixed.csv",
        expect![[r"
            mixed.csv: csv trace, complete: the file reports no missing accesses

            Records                   4
            Accesses                  4
            4K pages with fetches     0
            4K pages with data        4
            Skipped: header line      1
            Skipped: malformed lines  1

            Warning: 1 malformed line was skipped; it is line 5: `nonsense`
        "]],
    );
}

#[test]
fn guessed_columns_and_cut_off_traces_are_not_complete() {
    check_with_input(
        "import -",
        "R,0x1000,8\nW,0x2000,8\n",
        &expect![[r"
        standard input: csv trace, columns guessed: check the first accesses before you use the numbers

        Records                2
        Accesses               2
        4K pages with fetches  0
        4K pages with data     2

        Warning: The list has no header, so the columns are a guess: column 1 as kind, column 2 as address, column 3 as size. A first line such as kind,address,size names them
    "]],
    );
    check_with_input(
        "import -",
        "==7== Lackey, an example Valgrind tool\nI  04001000,3\n",
        &expect![[r"
            standard input: lackey trace, partial

            Records                     1
            Accesses                    1
            4K pages with fetches       1
            4K pages with data          0
            Skipped: valgrind messages  1

            Not recorded: which thread an access belongs to

            Warning: The file ends without valgrind's closing message `Exit code`: the recording was stopped or cut off at line 2, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
        "]],
    );
}

#[test]
fn cores_by_thread_need_threads() {
    let warnings =
        &json("run --cpu intel-core2 --trace walk.lackey --cores tid --json")["warnings"];
    assert_eq!(
        *warnings,
        json!([
            "A lackey trace does not say which thread an access belongs to, so --cores tid has one core for all"
        ])
    );
    assert_eq!(json("run --cpu intel-core2 --trace walk.lackey --json")["warnings"], json!([]));
}

#[test]
fn a_report_for_programs() {
    check(
        "import mixed.csv --json",
        expect![[r#"
            {
              "about": {
                "program": "pagewalk",
                "version": "0.1.0",
                "schema": 1,
                "command": [
                  "import",
                  "mixed.csv"
                ],
                "trace": {
                  "name": "mixed.csv",
                  "digest": "db51d66445553a1dc78da477ef45db7d"
                }
              },
              "format": "csv",
              "completeness": "complete",
              "records": 4,
              "accesses": 4,
              "operations": 0,
              "skipped": [
                {
                  "reason": "header line",
                  "count": 1
                },
                {
                  "reason": "malformed lines",
                  "count": 1
                }
              ],
              "pages_4k": {
                "fetch": 0,
                "data": 4
              },
              "warnings": [
                "1 malformed line was skipped; it is line 5: `nonsense`"
              ],
              "prefetch": 0
            }
        "#]],
    );
}

#[test]
fn prefetches_are_counted_apart_from_other_accesses() {
    let input = "load,0x1000\nprefetch,0x2000\nprefetch,0x3000\n";
    check_with_input(
        "import -",
        input,
        &expect![[r"
            standard input: csv trace, complete: the file reports no missing accesses

            Records                3
            Accesses               3
              of them prefetches   2
            4K pages with fetches  0
            4K pages with data     3
        "]],
    );
}

#[test]
fn standard_input_is_a_file_too() {
    check_with_input(
        "import - --format csv-hex",
        "1000\n2000\n",
        &expect![[r"
            standard input: csv trace, columns guessed: check the first accesses before you use the numbers

            Records                2
            Accesses               2
            4K pages with fetches  0
            4K pages with data     2

            Warning: The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them

            Warning: No column says what kind of access each row is, so all are read as loads
        "]],
    );
}

/// The numbers of I, L, S and M lines and of 4K pages, which other tools counted.
#[test]
fn recorded_traces_hold_what_they_hold() {
    for (file, [fetch, load, store, modify], pages) in [
        ("chase.mid.txt.xz", [92469, 16203, 11254, 74], [55, 2116]),
        ("matmul24.full.txt.xz", [237_613, 56221, 12924, 1477], [88, 161]),
        ("matmul24.full.txt.gz", [237_613, 56221, 12924, 1477], [88, 161]),
        ("matmul24.full.txt.zst", [237_613, 56221, 12924, 1477], [88, 161]),
        ("matmul48.mid.txt.xz", [311_388, 81692, 6888, 32], [43, 173]),
        ("sort20k.mid.txt.xz", [334_252, 102_814, 62155, 779], [10, 18]),
    ] {
        let report = json(&format!("import {} --json", recorded(file)));
        let records: u64 = fetch + load + store + modify;
        let counts = [&report["records"], &report["accesses"]].map(|count| count.as_u64().unwrap());
        assert_eq!(counts, [records, records + modify], "{file}");
        assert_eq!(report["pages_4k"], json!({"fetch": pages[0], "data": pages[1]}), "{file}");
        assert_eq!(
            (&report["format"], &report["completeness"]),
            (&json!("lackey"), &json!("complete"))
        );

        let run = json(&format!("run --cpu intel-core2 --trace {} --json", recorded(file)));
        let kinds = ["fetch", "load", "store"].map(|kind| run["trace"][kind].as_u64().unwrap());
        assert_eq!(kinds, [fetch, load + modify, store + modify], "{file}");
    }
}

/// The samples have no data address, so they are not accesses. The page faults can still be simulated.
#[test]
fn page_faults_of_tracepoints_are_counted_apart_and_run_as_first_touches() {
    for (file, faults) in [("tp-pagefault.perf.data.gz", 277), ("tp-pipe.perf.data.gz", 304)] {
        let file = recorded(&format!("perf/data/{file}"));
        let report = json(&format!("import {file} --json"));
        assert_eq!([&report["records"], &report["accesses"]], [&json!(faults), &json!(0)]);
        assert_eq!(report["sampling"]["faults"], faults);
        assert_eq!(report["pages_4k"], json!({"fetch": 0, "data": 0}));
        assert_eq!(report["completeness"], "first-touches");
        let run = json(&format!("run --cpu intel-core2 --trace {file} --json"));
        assert_eq!(run["trace"]["accesses"], faults);
    }
}

/// The recorded program had pages of 4K and of 2M.
#[test]
fn a_run_says_which_recorded_page_sizes_it_lacks() {
    let path = recorded("perf/data/bp-touch.perf.data.gz");
    let warnings = |pages: &str| {
        json(&format!("run --cpu intel-skylake --trace {path} --pages {pages} --json"))["warnings"]
            .clone()
    };
    assert_eq!(
        warnings("4K"),
        json!([
            "The recording measured 81 accesses to pages of 2M, and this run maps no such page. --pages recorded maps each page at its measured size"
        ])
    );
    assert_eq!(
        warnings("2M"),
        json!([
            "The recording measured 80 accesses to pages of 4K, and this run maps no such page. --pages recorded maps each page at its measured size"
        ])
    );
    assert_eq!(warnings("thp"), json!([]));
}

#[test]
fn a_run_maps_pages_at_their_recorded_sizes() {
    let path = recorded("perf/data/bp-touch.perf.data.gz");
    let run = |options: &str| -> Value {
        let text = printed(&format!("run --cpu intel-skylake --trace {path} {options} -j"));
        serde_json::from_str(&text).unwrap()
    };
    let result = run("--pages recorded");
    assert_eq!(result["warnings"], json!([]));
    let regions = &result["about"]["mapping"]["regions"];
    assert!(regions[0]["pages"] == "2M" && regions[0]["start"].is_string(), "{regions}");
    assert_eq!(
        (&result["pages"]["4K"], &result["pages"]["2M"]),
        (&json!(1), &json!(2)),
        "{}",
        result["pages"]
    );
    // The mapping of the result is a file for --os.
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recorded-os.json");
    std::fs::write(&file, result["about"]["mapping"].to_string()).unwrap();
    assert_eq!(run(&format!("--os {}", file.display()))["pages"], result["pages"]);
}

#[test]
fn recorded_pages_need_a_file_that_has_them() {
    check(
        "run -c intel-skylake -t walk.lackey --pages recorded",
        expect![[r"
            exit code 1: pagewalk: --pages recorded: walk.lackey has no page sizes: record it with `perf mem record --data-page-size`, or give a copy of /proc/PID/smaps with --smaps
        "]],
    );
    check(
        "run -c intel-skylake -w uniform --pages recorded",
        expect![[r"
        exit code 1: pagewalk: --pages recorded: a workload has no recorded page sizes: give a page size
    "]],
    );
}
