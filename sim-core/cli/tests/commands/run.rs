//! `pagewalk run`: the report as text and as JSON.

use expect_test::{expect, expect_file};

use crate::support::{check, json, printed};

#[test]
fn a_run_for_people() {
    check(
        "run --machine tiny.json --trace walk.lackey",
        expect![[r"
            walk.lackey on Tiny, 4K pages
            Trace complete: the file reports no missing accesses

            Kind   Accesses  Translations  L1 hits           L2 hits           Walks
            fetch         3             3        1  33.33 %        0   0.00 %      2  66.67 %
            load          4             4        1  25.00 %        1  25.00 %      2  50.00 %
            store         2             3        1  33.33 %        0   0.00 %      2  66.67 %
            all           9            10        3  30.00 %        1  10.00 %      6  60.00 %

            Structure               Lookups  Hits           Fills  Evictions
            L1 iTLB    TLB level 1        3     1  33.33 %      2          0
            L1 dTLB    TLB level 1        7     2  28.57 %      5          3
            L2 TLB     TLB level 2        7     1  14.29 %      6          2
            pde        walk cache         6     4  66.67 %

            Page walks                     6
            References                    12  2.000 per walk
              served by L1D                6         50.00 %
              served by DRAM               6         50.00 %
            Accessed and dirty flags set  14

            Page faults, minor  6
            Page faults, major  0

            Pages mapped, 4K  6
            Table pages       6

            Translation cycles       Per access
              level-2 hits        7       0.778    1.08 %
              walks             642      71.333   98.92 %
              total             649      72.111  100.00 %
            Cycles are a model, not a measurement: level-2 hits and walks at the machine's latencies.
        "]],
    );
}

#[test]
fn a_run_for_programs() {
    let text = printed("run --machine tiny.json --trace walk.lackey --json");
    expect_file!["../fixtures/walk.run.json"].assert_eq(&text);
}

#[test]
fn a_mapping_gives_regions_their_own_pages() {
    let run = json("run --cpu intel-skylake-sp --trace mixed.csv --os heap-2m.json --json");
    assert_eq!(run["pages"]["4K"], 1);
    assert_eq!(run["pages"]["2M"], 2);
    let run = json("run --cpu intel-skylake-sp --trace mixed.csv --pages 1G --json");
    assert_eq!(run["pages"]["1G"], 1);
}

#[test]
fn a_window_behind_the_end_counts_nothing_and_says_so() {
    check(
        "run --machine tiny.json --trace walk.lackey --skip 100",
        expect![[r"
            walk.lackey on Tiny, 4K pages
            Trace partial

            No access was counted: --skip and --warmup leave out all 9 of the trace.

            Kind   Accesses  Translations  L1 hits     L2 hits     Walks
            fetch         0             0        0  –        0  –      0  –
            load          0             0        0  –        0  –      0  –
            store         0             0        0  –        0  –      0  –
            all           0             0        0  –        0  –      0  –

            Structure               Lookups  Hits     Fills  Evictions
            L1 iTLB    TLB level 1        0     0  –      0          0
            L1 dTLB    TLB level 1        0     0  –      0          0
            L2 TLB     TLB level 2        0     0  –      0          0
            pde        walk cache         0     0  –

            Page walks                    0
            References                    0  – per walk
              served by L1D               0           –
              served by DRAM              0           –
            Accessed and dirty flags set  0

            Page faults, minor  0
            Page faults, major  0

            Table pages  0

            Translation cycles     Per access
              level-2 hits      0           –  –
              walks             0           –  –
              total             0           –  –
            Cycles are a model, not a measurement: level-2 hits and walks at the machine's latencies.
        "]],
    );
}

#[test]
fn a_run_that_counts_nothing_tells_why() {
    let check = |window: &str, why: &str| {
        let text = printed(&format!("run --machine tiny.json --trace walk.lackey {window}"));
        let line = text.lines().find(|line| line.starts_with("No access was counted"));
        assert_eq!(line, Some(&*format!("No access was counted: {why}.")), "{window}");
    };
    check("--limit 0", "--limit is 0");
    check("--warmup 9", "--skip and --warmup leave out all 9 of the trace");
    check("--skip 1 --warmup 100", "--skip and --warmup leave out all 9 of the trace");
}

#[test]
fn what_was_skipped_in_the_file_is_told() {
    let run = json("run --machine tiny.json --trace mixed.csv --json");
    assert_eq!(run["skipped"][1]["reason"], "malformed lines");
    assert_eq!(run["warnings"].as_array().unwrap().len(), 1);
}

/// Each thread walks once. The first thread maps the page for both.
#[test]
fn threads_on_cores_of_their_own() {
    let report = json("run --machine tiny.json --trace threads.csv --cores tid --json");
    expect![[r#"[{"accesses":2,"cycles":403,"id":1,"l1_hits":1,"l2_hits":0,"walks":1},{"accesses":2,"cycles":19,"id":2,"l1_hits":1,"l2_hits":0,"walks":1}]"#]]
        .assert_eq(&report["cores"].to_string());
    assert_eq!(report["faults"]["minor"], 1);
    let by_cpu = json("run --machine tiny.json --trace threads.csv --cores cpu --json");
    let accesses: Vec<_> =
        by_cpu["cores"].as_array().unwrap().iter().map(|core| &core["accesses"]).collect();
    assert_eq!(accesses, [3, 1]);
    check(
        "run --machine tiny.json --trace threads.csv --cores thread",
        expect![[r"
            exit code 1: pagewalk: invalid value 'thread' for '--cores <BY>' [possible values: tid, cpu] (see `pagewalk run --help`)
        "]],
    );
}
