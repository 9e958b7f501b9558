//! Page policies: the words of `--pages`, the file of `--os`, and the report of a run.

use std::path::Path;

use expect_test::expect;

use crate::support::{check, check_with_input, json, printed};

/// Every word that `--pages` accepts, and the words of the report.
#[test]
fn every_policy_has_a_word() {
    for (words, policy) in [
        ("4K", "4K"),
        ("2M", "2M"),
        ("1G", "1G"),
        ("thp", "thp"),
        ("thp-always", "thp"),
        ("thp-madvise", "thp-madvise"),
        ("thp-never", "thp-never"),
        ("hugetlb-2M", "hugetlb-2M"),
        ("hugetlb-1G", "hugetlb-1G"),
        ("hugetext", "hugetext"),
        ("hugetext-1", "hugetext-1"),
        ("hugetext-2", "hugetext-2"),
        ("hugetext-3", "hugetext"),
    ] {
        let text =
            printed(&format!("run --cpu intel-skylake-sp --trace walk.lackey --pages {words}"));
        let title = text.lines().next().unwrap();
        assert!(title.ends_with(&format!(", {policy} pages")), "{words}: {title}");
    }
}

/// A TLB does not distinguish transparent huge pages from reserved huge pages.
#[test]
fn transparent_and_reserved_huge_pages_are_the_same_to_a_tlb() {
    let run = |pages: &str| {
        let line = format!(
            "run --cpu intel-haswell --workload uniform --param bytes=100M --param accesses=20000 --pages {pages} --json"
        );
        let run = json(&line);
        [run["kinds"].clone(), run["walks"].clone(), run["pages"].clone()]
    };
    let thp = run("thp");
    assert_eq!(thp, run("hugetlb-2M"));
    assert_eq!(thp, run("2M"));
    assert!(thp != run("thp-never") && run("thp-never") == run("4K"));
}

const CODE: &str = "kind,address,size
fetch,0x400000,4
fetch,0x5ff000,4
fetch,0x800000,4
load,0x10000000,8
store,0x10200000,8
load,0x7ffc00000000,8
";

#[test]
fn the_inferred_map_is_reported() {
    check_with_input(
        "run --cpu intel-skylake-sp --trace - --pages hugetext --limit 5",
        CODE,
        &expect![[r"
            standard input on Skylake-SP, hugetext pages
            Trace partial

            Kind   Accesses  Translations  L1 hits           L2 hits          Walks
            fetch         3             3        1  33.33 %        0  0.00 %      2   66.67 %
            load          1             1        0   0.00 %        0  0.00 %      1  100.00 %
            store         1             1        0   0.00 %        0  0.00 %      1  100.00 %
            all           5             5        1  20.00 %        0  0.00 %      4   80.00 %

            Structure                Lookups  Hits           Fills  Evictions
            L1 iTLB 4K  TLB level 1        3     0   0.00 %      0          0
            L1 iTLB 2M  TLB level 1        3     1  33.33 %      2          0
            L1 dTLB 4K  TLB level 1        2     0   0.00 %      2          0
            L1 dTLB 2M  TLB level 1        2     0   0.00 %      0          0
            L1 dTLB 1G  TLB level 1        2     0   0.00 %      0          0
            STLB        TLB level 2        4     0   0.00 %      4          0
            STLB 1G     TLB level 2        2     0   0.00 %      0          0
            pde         walk cache         2     0   0.00 %
            pdpte       walk cache         4     3  75.00 %
            pml4e       walk cache         1     0   0.00 %

            Page walks                    4
            References                    8  2.000 per walk
              served by L1D               2         25.00 %
              served by L2                0          0.00 %
              served by L3                0          0.00 %
              served by DRAM              6         75.00 %
            Accessed and dirty flags set  9

            Page faults, minor                     4
              first touch of anonymous memory      2
              of a page that is already in memory  2
            Page faults, major                     0

            Pages mapped, 4K             2
            Pages mapped, 2M             2
            Table pages                  5
            KiB mapped               4,104
              of them never touched  4,084  99.51 %

            Region                                       Policy    Pages
            0x400000 to 0x600000              text       hugetext  1 × 2M
            0x800000 to 0xa00000              text       hugetext  1 × 2M
            0x10000000 to 0x10200000          anonymous  4K        1 × 4K
            0x10200000 to 0x10400000          anonymous  4K        1 × 4K
            0x7ffc00000000 to 0x7ffc00200000  stack      4K        –
            The memory map is inferred from the addresses in the trace.

            Translation cycles                   Per access
              level-2 hits                    0       0.000    0.00 %
              level-2 misses                 46       9.200    3.58 %
              walks                       1,240     248.000   96.42 %
              total, one after the other  1,286     257.200  100.00 %
              at least, with overlap        620     124.000   48.21 %
            Cycles are a model, not a measurement: level-2 hits, level-2 misses and walks, each at the machine's latencies. With overlap, 2 page walkers and 16 misses in flight are always busy.
        "]],
    );
}

#[test]
fn a_walk_without_a_trace_has_no_code_to_find() {
    check(
        "explain --cpu intel-skylake-sp --va 0x400000 --pages hugetext",
        expect![[r"
        exit code 1: pagewalk: --pages hugetext: the addresses of the code are not known without a trace: give regions with the kind text, library or jit and the pages hugetext
    "]],
    );
}

/// Wasted memory, an exhausted pool, and pages that are touched in advance.
#[test]
fn a_file_says_all_at_once() {
    check(
        "run --cpu intel-skylake-sp --trace mixed.csv --os policies.json",
        expect![[r"
            mixed.csv on Skylake-SP, memory mapped as in policies.json
            Trace complete: the file reports no missing accesses

            Kind   Accesses  Translations  L1 hits           L2 hits          Walks
            fetch         0             0        0        –        0       –      0         –
            load          3             3        1  33.33 %        0  0.00 %      2   66.67 %
            store         1             1        0   0.00 %        0  0.00 %      1  100.00 %
            all           4             4        1  25.00 %        0  0.00 %      3   75.00 %

            Structure                Lookups  Hits           Fills  Evictions
            L1 iTLB 4K  TLB level 1        0     0        –      0          0
            L1 iTLB 2M  TLB level 1        0     0        –      0          0
            L1 dTLB 4K  TLB level 1        4     0   0.00 %      2          0
            L1 dTLB 2M  TLB level 1        4     1  25.00 %      1          0
            L1 dTLB 1G  TLB level 1        4     0   0.00 %      0          0
            STLB        TLB level 2        3     0   0.00 %      3          0
            STLB 1G     TLB level 2        3     0   0.00 %      0          0
            pde         walk cache         2     0   0.00 %
            pdpte       walk cache         3     2  66.67 %
            pml4e       walk cache         1     0   0.00 %

            Page walks                    3
            References                    7  2.333 per walk
              served by L1D               2         28.57 %
              served by L2                0          0.00 %
              served by L3                0          0.00 %
              served by DRAM              5         71.43 %
            Accessed and dirty flags set  8

            Page faults, minor                     3
              first touch of anonymous memory      2
              of a page that is already in memory  1
            Page faults, major                     0

            Pages mapped, 4K              1,026
            Pages mapped, 2M                  1
            Table pages                       7
            KiB mapped                    6,152
              of them never touched       6,136  99.74 %
            Pages touched before the run  1,024
            Pool of 2M pages, free of 64     64

            Region                                               Policy      Pages
            0x0 to 0x400000                   anonymous          thp         2 × 4K
            0x400000 to 0x733000              text (given)       hugetext    1 × 2M
            0x10000000 to 0x18000000          anonymous (given)  hugetlb-2M  –
            0x20000000 to 0x20400000          heap (given)       4K          1,024 × 4K
            0x30000000 to 0x30100000          file (given)       4K          –
            0x40000000 to 0x40100000          heap (given)       4K          –
            0x7f0000000000 to 0x7f0040000000  unknown (given)    thp         –
            The memory map is inferred from the addresses in the trace.

            Translation cycles                   Per access
              level-2 hits                    0       0.000    0.00 %
              level-2 misses                 27       6.750    2.55 %
              walks                       1,032     258.000   97.45 %
              total, one after the other  1,059     264.750  100.00 %
              at least, with overlap        516     129.000   48.73 %
            Cycles are a model, not a measurement: level-2 hits, level-2 misses and walks, each at the machine's latencies. With overlap, 2 page walkers and 16 misses in flight are always busy.

            Warning: 1 malformed line was skipped; it is line 5: `nonsense`
        "]],
    );
}

/// The example in docs/memory-mapping.md is the file of this test.
#[test]
fn the_page_on_memory_mapping_shows_a_file_that_works() {
    let page = include_str!("../../../../docs/memory-mapping.md");
    let file = include_str!("../fixtures/policies.json");
    assert!(
        page.contains(&format!("```json\n{file}```")),
        "copy the file into docs/memory-mapping.md"
    );
}

/// A region can begin inside a page. Settings of an unused policy change nothing.
#[test]
fn bounds_inside_of_pages_and_settings_of_other_policies_do_what_the_page_on_machines_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let run = |name: &str, os: &str, addresses: [&str; 2]| {
        let [os_file, trace] =
            ["json", "csv"].map(|ending| folder.join(format!("{name}.{ending}")));
        std::fs::write(&os_file, os).unwrap();
        std::fs::write(&trace, addresses.map(|at| format!("store,{at}\n")).concat()).unwrap();
        let [os_file, trace] = [os_file, trace].map(|path| path.to_str().unwrap().to_owned());
        json(&format!("run --machine tiny.json --trace {trace} --os {os_file} --json"))
    };
    // Faults in the region have another cause. The start of a page decides, not the touched address.
    let os = r#"{"regions": [{"start": "0x1800", "end": "0x2800", "pages": "4K", "resident": false, "kind": "file"}]}"#;
    let major = |addresses| run("bounds", os, addresses)["faults"]["major"].clone();
    assert_eq!(major(["0x1000", "0x1900"]), 0);
    assert_eq!(major(["0x1900", "0x1000"]), 0);
    assert_eq!(major(["0x1900", "0x2900"]), 1);
    let plain = run("plain", "{}", ["0x1000", "0x202000"]);
    let with = run("with", r#"{"thp": {"enabled": "always"}}"#, ["0x1000", "0x202000"]);
    assert_eq!(plain, with);
}
