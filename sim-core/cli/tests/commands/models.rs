//! `pagewalk cpus` and `pagewalk explain`.

use std::collections::BTreeSet;

use expect_test::expect;
use pagewalk::config::cpu::models;
use serde_json::json;

use crate::support::{check, json, pagewalk};

#[test]
fn every_model_is_listed() {
    let output = pagewalk(["cpus"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let listed: Vec<&str> =
        text.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
    let models = models().unwrap();
    let mut known = vec!["ID".to_owned()];
    known.extend(models.iter().map(|model| model.id.clone()));
    known.extend([String::new(), "Variant".to_owned()]);
    for model in &models {
        known.extend(model.variants.iter().map(|variant| format!("{}:{}", model.id, variant.id)));
    }
    known.extend([String::new(), "ID".to_owned()]);
    for model in &models {
        let ids: BTreeSet<String> =
            model.aliases.iter().map(|alias| alias.stands_for(&model.id)).collect();
        known.extend(ids);
    }
    known.extend(["", "native:", "Numbers"].map(str::to_owned));
    assert_eq!(listed, known);
    let core2 = text.lines().find(|line| line.starts_with("intel-core2")).unwrap();
    let words: Vec<&str> = core2.split_whitespace().collect();
    expect!["intel-core2 Core 2 Intel 1 128 × 4K, 8 × 2M 16 × 4K (load), 16 × 2M (load) 256 × 4K (data), 32 × 2M (data)"]
        .assert_eq(&words.join(" "));
}

#[test]
fn a_model_shows_every_number_with_its_source() {
    for model in models().unwrap() {
        let output = pagewalk(["cpus", &model.id]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for row in &model.provenance {
            let value = text.lines().find_map(|line| line.strip_prefix(&format!("{}: ", row.path)));
            assert!(value.is_some_and(|value| !value.is_empty()), "{}: {}", model.id, row.path);
            assert!(text.contains(&row.source), "{}: {}", model.id, row.source);
        }
    }
}

#[test]
fn a_variant_is_shown_and_simulated_like_a_model() {
    let sheet = |id: &str| {
        let output = pagewalk(["cpus", id]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let model = sheet("intel-skylake");
    assert!(model.contains("\nVariant intel-skylake:smt-on: Hyper-Threading on\n"), "{model}");
    assert!(model.contains("\n    l1[0].entries: 64\n"), "{model}");
    let variant = sheet("intel-skylake:smt-on");
    assert!(variant.starts_with("Skylake, Hyper-Threading on (intel-skylake:smt-on), Intel\n"));
    assert!(variant.contains("\nl1[0].entries: 64\n    documented: CPUID leaf 2"), "{variant}");
    let json = json("cpus arm-neoverse-n1:granule-64k --json");
    assert_eq!(json["machine"]["paging"]["offset_bits"], 16);
    check(
        "explain --cpu arm-neoverse-n1:granule-64k --va 0x7f3a1c2b5e48",
        expect![[r"
            A load at 0x7f3a1c2b5e48 on Neoverse N1, 64K granule, 64K pages, with cold caches

            Read  Entry  For   Address   Served by  Cycles
            1     L3     data  0x2000f8  DRAM          200
            2     L2     data  0x21ce80  DRAM          200
            3     L1     data  0x22e158  DRAM          200

            3 references, 615 cycles (a model, not a measurement): 5 level-2 miss, 10 walk overhead, 600 references
        "]],
    );
    check(
        "explain --cpu intel-skylake:smt --va 0",
        expect![[r"
        exit code 1: pagewalk: there is no variant `smt` of `intel-skylake`: choose one of intel-skylake:smt-on
    "]],
    );
    check(
        "cpus amd-zen2:smt-on",
        expect![[r"
        exit code 1: pagewalk: there is no variant `smt-on` of `amd-zen2`: `amd-zen2` has no variants
    "]],
    );
}

#[test]
fn numbers_of_products_name_a_model() {
    let by_number = |name: &str| {
        let output = pagewalk(["cpus", name]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        (String::from_utf8(output.stdout).unwrap(), errors)
    };
    let (sheet, note) = by_number("EPYC 7763");
    assert!(sheet.starts_with("Zen 3 (amd-zen3), AMD\n"), "{sheet}");
    expect![[r"
        EPYC 7763 is a Milan (the number of the product, as its vendor counts generations). It is simulated as amd-zen3.
    "]]
    .assert_eq(&note);
    let (sheet, _) = by_number("Xeon Gold 6248:smt-on");
    assert!(sheet.starts_with("Skylake-SP, Hyper-Threading on (intel-skylake-sp:smt-on), Intel\n"));
    let (sheet, note) = by_number("i3-8121U");
    assert_eq!(sheet, "");
    expect![[r"
        pagewalk: there is no CPU model of Cannon Lake, which `i3-8121U` is: `pagewalk cpus` lists all
    "]]
    .assert_eq(&note);
    let (_, note) = by_number("AMD EPYC");
    expect![[r"
        pagewalk: `AMD EPYC` names no generation: give the number of the product, such as EPYC 7763, or native for this machine
    "]]
    .assert_eq(&note);
}

/// The tests of `processors` check which model a processor has. Here, any machine must get a model or a clear error.
#[test]
fn the_processor_of_this_machine_has_a_model_or_an_error() {
    for name in ["native", "host", "Native"] {
        let output = pagewalk(["explain", "--cpu", name, "--va", "0x1000"]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        if output.status.success() {
            assert!(errors.starts_with("This machine has "), "{errors}");
            let (_, id) = errors.trim_end().split_once(" It is simulated as ").unwrap();
            let id = id.split('.').next().unwrap();
            let line = ["explain", "--cpu", name, "--va", "0x1000", "--json"];
            let result = pagewalk(line).output().unwrap().stdout;
            let about = &serde_json::from_slice::<serde_json::Value>(&result).unwrap()["about"];
            assert_eq!(about["command"], json!(["explain", "--cpu", id, "--va", "0x1000"]));
        } else {
            let expected = format!("pagewalk: --cpu {name}: ");
            assert!(errors.starts_with(&expected) && errors.contains("model"), "{errors}");
        }
    }
}

#[test]
fn models_as_json_are_those_of_the_core() {
    assert_eq!(json("cpus --json")["cpus"], serde_json::to_value(models().unwrap()).unwrap());
    assert_eq!(json("cpus amd-zen2 --json")["machine"]["name"], "Zen 2");
}

#[test]
fn a_cold_walk_lists_its_references() {
    check(
        "explain --machine tiny.json --va 0x7f3a1c2b5e48",
        expect![[r"
            A load at 0x7f3a1c2b5e48 on Tiny, 4K pages, with cold caches

            Read  Entry  For   Address   Served by  Cycles
            1     L4     data  0x2007f0  DRAM          100
            2     L3     data  0x201740  DRAM          100
            3     L2     data  0x202708  DRAM          100
            4     L1     data  0x2035a8  DRAM          100

            4 references, 410 cycles (a model, not a measurement): 7 level-2 miss, 3 walk overhead, 400 references
        "]],
    );
    check(
        "explain --machine tiny.json --va 7f3a1c2b5e48 --pages 1G --no-walk-caches",
        expect![[r"
            A load at 0x7f3a1c2b5e48 on Tiny, 1G pages, with cold caches

            Read  Entry  For   Address   Served by  Cycles
            1     L4     data  0x2007f0  DRAM          100
            2     L3     data  0x201740  DRAM          100

            2 references, 210 cycles (a model, not a measurement): 7 level-2 miss, 3 walk overhead, 200 references
        "]],
    );
}

/// The walk reads all lines at once, so its reads take the time of one.
#[test]
fn a_cold_walk_of_hashed_tables_lists_the_lines() {
    check(
        "explain --machine hashed.json --va 0x1000 --no-walk-caches",
        expect![[r"
            A load at 0x1000 on Hashed, 4K pages, with cold caches

            Read  Entry       For   Address   Served by  Cycles
            1     PTE-ECPT 0  data  0x200bc0  DRAM          200
            2     PTE-ECPT 1  data  0x201d00  DRAM          200
            3     PMD-ECPT 0  data  0x202bc0  DRAM          200
            4     PMD-ECPT 1  data  0x203d00  DRAM          200
            5     PUD-ECPT 0  data  0x204bc0  DRAM          200
            6     PUD-ECPT 1  data  0x205d00  DRAM          200

            6 references, 206 cycles (a model, not a measurement): 0 level-2 miss, 6 walk overhead, 200 references
            Without headers, the complete walk read 6 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once. PTE-ECPT 0 holds the page. The slowest read ends the walk.
        "]],
    );
}

#[test]
fn a_cold_walk_as_json() {
    let explained = json("explain --machine tiny.json --va 0x7f3a1c2b5e48 --json");
    assert_eq!(explained["refs"], 4);
    let first = &explained["steps"][0];
    let expected = json!({
        "n": 1, "dimension": "native", "level": 4, "entry": "L4", "for": "data",
        "address": first["address"], "value": first["value"], "fields": first["fields"],
        "served_by": "DRAM", "cycles": 100,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(first[name], *value, "{name}");
    }
    assert!(first["address"].as_str().unwrap().ends_with("7f0"));
    let table = &first["fields"][3];
    assert_eq!(table["name"], "table 51:12");
    assert_eq!(first["value"], format!("{}027", table["value"].as_str().unwrap()));
}

#[test]
fn other_architectures_do_not_translate_other_addresses() {
    check(
        "explain --cpu arm-neoverse-n1 --va 0x1234000000001000",
        expect![[r"
        exit code 1: pagewalk: 0x1234000000001000 is no address of this machine: bits 63 to 48 must be all 0 (TTBR0) or all 1 (TTBR1)
    "]],
    );
}

#[test]
fn an_address_that_no_processor_takes_is_rejected() {
    check(
        "explain --machine tiny.json --va 0x800000000000",
        expect![[r"
        exit code 1: pagewalk: 0x800000000000 is not canonical: bits 63 to 48 must equal bit 47, as this machine translates 48 bits
    "]],
    );
}
