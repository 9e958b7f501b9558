//! Nested walks of virtual machines, from the command line.

use expect_test::expect;

use crate::support::{check, json, pagewalk, printed};

#[test]
fn a_nested_cold_walk_tells_every_reference_and_what_it_is_for() {
    let explained = json("explain --machine tiny.json --va 0x7f3a1c2b5e48 --virt ept --json");
    assert_eq!(explained["refs"], 24);
    let steps = explained["steps"].as_array().unwrap();
    let found: Vec<String> = steps
        .iter()
        .map(|step| {
            let text = |name: &str| step[name].as_str().unwrap().to_owned();
            format!("{} {} {} {}", step["n"], text("dimension"), text("entry"), text("for"))
        })
        .collect();
    assert_eq!(found[0], "1 host nL4 gL4");
    assert_eq!(found[4], "5 guest gL4 gL4");
    assert_eq!(found[19], "20 guest gL1 gL1");
    assert_eq!(found[23], "24 host nL1 data");
}

#[test]
fn host_pages_shorten_the_other_dimension() {
    for (pages, host, refs) in [("4K", "2M", 19), ("2M", "4K", 19), ("1G", "1G", 8)] {
        let explained = json(&format!(
            "explain --machine tiny.json --va 0x1000 --pages {pages} --virt ept --host-pages {host} --json"
        ));
        assert_eq!(explained["refs"], refs, "{pages} on {host}");
    }
}

/// Each vendor's name for nested paging, on one of its models.
#[test]
fn actions_of_the_host_are_reported_in_the_words_of_the_machine() {
    let mut found = String::new();
    for (cpu, virt) in [
        ("amd-zen2", "ept"),
        ("arm-neoverse-n1", "ept"),
        ("arm-neoverse-n1", "shadow"),
        ("intel-skylake", "ept"),
    ] {
        let out = printed(&format!("run --cpu {cpu} --trace walk.lackey --virt {virt}"));
        let start = out.find("\n\nPages mapped").unwrap();
        found += &format!("{cpu} {virt}\n");
        let words =
            ["violations", "flags set", " log ", "faults ", "CR3", "INVLPG", "TLBI", "TTBR"];
        let rows = out[start..].lines().filter(|row| words.iter().any(|word| row.contains(word)));
        for row in rows {
            found += &format!("  {}\n", row.trim().split("  ").next().unwrap());
        }
    }
    expect![[r"
        amd-zen2 ept
          Nested page faults
          NPT accessed flags set
          NPT dirty flags set
        arm-neoverse-n1 ept
          Stage 2 faults
          Stage 2 accessed flags set
          Stage 2 dirty flags set
        arm-neoverse-n1 shadow
          hidden faults
          writes of TTBR0
          TLBI of one address
        intel-skylake ept
          EPT violations
          EPT accessed flags set
          EPT dirty flags set, logged
          VM exits because that log was full
    "]]
    .assert_eq(&found);
}

#[test]
fn a_nested_run_tells_what_the_host_did() {
    check(
        "run --machine tiny.json --trace walk.lackey --virt ept --host-pages 2M",
        expect![[r"
            walk.lackey on Tiny, 4K pages, nested on 2M host pages
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
            References                    54  9.000 per walk
              of the guest's tables       12         22.22 %
              of the host's               42         77.78 %
              served by L1D               43         79.63 %
              served by DRAM              11         20.37 %
            Accessed and dirty flags set  14

            Page faults, minor            6
            Page faults, major            0
            Faults hidden from the guest  2

            Pages mapped, 4K  6
            Table pages       6

            EPT violations                      2
            EPT accessed flags set              5
            EPT dirty flags set, logged         2
            VM exits because that log was full  0
            Host pages mapped, 2M               2
            Host table pages                    4

            Translation cycles                   Per access
              level-2 hits                    7       0.778    0.52 %
              level-2 misses                 42       4.667    3.14 %
              walks                       1,290     143.333   96.34 %
              total, one after the other  1,339     148.778  100.00 %
              at least, with overlap      1,290     143.333   96.34 %
            Cycles are a model, not a measurement: level-2 hits, level-2 misses and walks, each at the machine's latencies. With overlap, 1 page walker and 16 misses in flight are always busy.
        "]],
    );
    let report = json("run --machine tiny.json --trace walk.lackey --virt ept --json");
    let walks = &report["walks"];
    let sum = walks["guest_refs"].as_u64().unwrap() + walks["host_refs"].as_u64().unwrap();
    assert_eq!(walks["refs"].as_u64(), Some(sum));
    assert_eq!(report["virt"]["ept_violations"], report["faults"]["hidden"]);
    let native = json("run --machine tiny.json --trace walk.lackey --json");
    assert_eq!(
        (&native["walks"]["guest_refs"], &native["walks"]["host_refs"]),
        (&0.into(), &0.into())
    );
    assert_eq!(native["walks"]["walks"], walks["walks"]);
}

#[test]
fn a_shadowed_run_walks_one_table_and_tells_its_exits() {
    let run =
        |more: &str| json(&format!("run --machine tiny.json --trace walk.lackey {more} --json"));
    let (native, shadowed) = (run(""), run("--virt shadow"));
    assert_eq!(native["walks"], shadowed["walks"]);
    assert_eq!(native["cycles"], shadowed["cycles"]);
    let virt = &shadowed["virt"];
    // 6 pages in 6 tables; entries point to 5 of the tables.
    let expected = serde_json::json!({"total": 17, "ept_violations": 0, "ept_misconfigurations": 0, "log_full": 0, "flushes": 0,
        "vm_switches": 0, "page_table_writes": 11, "cr3_loads": 0, "invlpg": 0, "hidden_faults": 6});
    assert_eq!((&virt["mode"], &virt["exits"]), (&"shadow".into(), &expected));
    for (pages, host, refs) in [("4K", "2M", 4), ("2M", "4K", 4), ("2M", "2M", 3), ("1G", "2M", 3)]
    {
        let explained = json(&format!(
            "explain --machine tiny.json --va 0x1000 --pages {pages} --virt shadow --host-pages {host} --json"
        ));
        assert_eq!(explained["refs"], refs, "{pages} on {host}");
    }
}

#[test]
fn a_processor_without_nested_paging_is_simulated_with_a_warning() {
    let warnings = |options: &str| {
        let run = json(&format!("run {options} --trace walk.lackey --json"));
        run["warnings"].as_array().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    expect![[r#""Core 2 has no EPT, which Intel has had since Nehalem: its walks in two dimensions are of a processor that there never was, and a host on it shadowed the tables of its guests: --virt shadow simulates that""#]]
        .assert_eq(&warnings("--cpu intel-core2 --virt ept").concat());
    assert_eq!(warnings("--cpu intel-atom-bonnell --virt ept").len(), 1);
    for options in ["intel-core2", "intel-core2 --virt shadow", "intel-nehalem --virt ept"] {
        assert_eq!(warnings(&format!("--cpu {options}")), [""; 0], "{options}");
    }
    for command in ["explain --va 0x1000", "huge --trace walk.lackey", "run --trace walk.lackey"] {
        let text = printed(&format!("{command} --cpu intel-core2 --virt ept"));
        assert!(text.contains("\nWarning: Core 2 has no EPT"), "{text}");
    }
    let explain = "explain --va 0x1000 --cpu intel-core2 --virt ept --json";
    let explained = pagewalk(explain.split_whitespace()).output().unwrap();
    let warning = String::from_utf8(explained.stderr).unwrap();
    assert!(warning.starts_with("Warning: Core 2 has no EPT"), "{warning}");
}

#[test]
fn a_model_without_walk_caches_for_want_of_a_source_warns() {
    const WHY: &str = "No source gives the sizes of the walk caches of the Cortex-A72";
    for command in ["explain --va 0x1000", "huge --trace walk.lackey", "run --trace walk.lackey"] {
        let text = printed(&format!("{command} --cpu arm-cortex-a72"));
        assert!(text.contains(&format!("\nWarning: {WHY}")), "{text}");
    }
    let warnings = |options: &str| {
        json(&format!("run {options} --trace walk.lackey --json"))["warnings"].to_string()
    };
    assert!(warnings("--cpu arm-cortex-a72:granule-64k").contains(WHY));
    assert!(warnings("--cpu huawei-kunpeng920").contains("walk caches of the Kunpeng 920"));
    assert_eq!(warnings("--cpu arm-neoverse-n1"), "[]");
    let asked = printed("explain --va 0x1000 --cpu arm-cortex-a72 --no-walk-caches");
    assert!(!asked.contains("Warning"), "{asked}");
}
