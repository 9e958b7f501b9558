//! `pagewalk run`: the report as text and as JSON.

use expect_test::{Expect, expect, expect_file};

use crate::support::{check, json, pagewalk, printed, show, with_file};

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

            Translation cycles                 Per access
              level-2 hits                  7       0.778    1.01 %
              level-2 misses               42       4.667    6.08 %
              walks                       642      71.333   92.91 %
              total, one after the other  691      76.778  100.00 %
              at least, with overlap      642      71.333   92.91 %
            Cycles are a model, not a measurement: level-2 hits, level-2 misses and walks, each at the machine's latencies. With overlap, 1 page walker and 16 misses in flight are always busy.
        "]],
    );
}

/// Arm has two halves with tables of their own; Sv39 has 39 bits.
#[test]
fn addresses_that_the_machine_does_not_translate_are_counted_apart() {
    let trace = b"kind,address\nload,0x1000\nload,0xffff000000001000\nload,0x1234000000001000\nload,0x4000000000\n";
    for (machine, counts) in [
        ("--cpu arm-neoverse-n1", "translation fault 1, pages 3"),
        ("--machine sv39.json", "page fault 3, pages 1"),
    ] {
        let text = with_file(&format!("run {machine} --json --trace"), trace);
        let run: serde_json::Value = serde_json::from_str(&text).unwrap();
        let faults = run["exceptions"]["address_faults"].as_object().unwrap();
        let (name, n) = faults.iter().next().unwrap();
        assert_eq!(format!("{name} {n}, pages {}", run["pages"]["4K"]), counts);
        assert_eq!(
            run["warnings"][0].as_str().unwrap(),
            format!(
                "this machine does not translate the address of {n} of 4 accesses ({name}): they are counted apart"
            )
        );
    }
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
fn a_window_after_the_end_is_an_error() {
    let run = |window: &str, expected: Expect| {
        check(&format!("run --machine tiny.json --trace walk.lackey {window}"), expected);
    };
    run(
        "--skip 2000",
        expect![[r"
            exit code 1: pagewalk: --skip 2,000 leaves no access to count: walk.lackey has 9
        "]],
    );
    run(
        "--warmup 9",
        expect![[r"
            exit code 1: pagewalk: --warmup 9 leaves no access to count: walk.lackey has 9
        "]],
    );
    run(
        "--skip 1 --warmup 100 --json",
        expect![[r"
            exit code 1: pagewalk: --skip 1 and --warmup 100 leaves no access to count: walk.lackey has 9
        "]],
    );
    let text = printed("run --machine tiny.json --trace walk.lackey --limit 0");
    assert!(text.contains("\nNo access was counted: --limit is 0.\n"), "{text}");
}

#[test]
fn skipped_parts_of_the_file_are_reported() {
    let run = json("run --machine tiny.json --trace mixed.csv --json");
    assert_eq!(run["skipped"][1]["reason"], "malformed lines");
    assert_eq!(run["warnings"].as_array().unwrap().len(), 1);
}

/// Each thread walks once. The first thread maps the page for both.
#[test]
fn threads_on_cores_of_their_own() {
    let report = json("run --machine tiny.json --trace threads.csv --cores tid --json");
    expect![[r#"[{"accesses":2,"cycles":410,"id":1,"l1_hits":1,"l2_hits":0,"walks":1},{"accesses":2,"cycles":26,"id":2,"l1_hits":1,"l2_hits":0,"walks":1}]"#]]
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

/// Six first touches of 1,050 cycles. No other line changes.
#[test]
fn events_are_priced_apart_from_translation() {
    let line = "run --machine tiny.json --trace walk.lackey";
    let (free, priced) =
        (printed(line), printed(&format!("{line} --event-costs minor_fault=1050,vm_exit=1360")));
    expect![[r"

        Events, apart from translation  Number  Cycles
          minor page faults                  6   6,300
          all                                    6,300
        Each event has the cycles that you gave it. They are not among the translation cycles.
    "]]
    .assert_eq(priced.strip_prefix(&free).unwrap());
    let report = json(&format!("{line} --event-costs minor_fault=1050 --json"));
    assert_eq!(report["event_cycles"]["total"], 6_300);
    for costs in ["minor_fault", "fault=3", "vm_exit=x", "vm_exit=1000000001"] {
        let text = show(
            &pagewalk(format!("{line} --event-costs {costs}").split_whitespace()).output().unwrap(),
        );
        assert!(text.starts_with("exit code 1: "), "{text}");
    }
}
