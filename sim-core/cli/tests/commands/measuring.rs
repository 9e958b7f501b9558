//! `pagewalk measure`: a saved measurement, its errors, and a measurement of this computer.

use expect_test::expect;
use serde_json::Value;

use crate::support::{check, check_with_file, json, printed};

#[test]
fn a_saved_measurement_is_shown_with_its_levels_and_the_nearest_models() {
    check(
        "measure --from chase.json",
        expect![[r"
            One load per page of 4K, 6 rounds

            The first level reaches 72 pages of 4K. A page beyond costs 7.0 cycles more (7.0 to 7.0), 1.90 ns.
            The second level reaches 2,048 to 2,559 pages of 4K. At twice as many pages, the cost is 76 cycles higher, and rises.
            Beyond it, translations need page walks.
            The clock ran at 3.68 GHz, if an addition takes one cycle.
            The nearest model is Zen 4 in a virtual machine: its cycles differ by a factor of 1.44.

              pages  cycles  ▆ measured, | Zen 4 in a virtual machine
                  4     0.0  |
                  8     0.0  |
                 16     0.0  |
                 32     0.0  |
                 64     0.0  |
                 72     0.0  |
                 73     0.7  ▆▆▆▆           |
                 76     6.5  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|
                 80     7.0  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|
                128     7.0  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|
                256     7.0  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|
                512     6.6  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|
              1,024     8.0  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆
              2,048     8.2  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|
              2,304     8.8  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆
              2,560    17.5  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|▆▆▆▆▆
              2,816    36.3  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆
              3,072    50.1  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|▆▆▆▆▆▆▆▆▆▆▆▆▆
              3,328    59.2  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆
              4,096    70.5  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆
              8,192   123.3  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆|▆▆▆▆▆▆▆
             16,384   246.6  ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆

            Nearest models                   --cpu            First level  Factor
            Zen 4 in a virtual machine       amd-zen4         agrees         1.44
            Zen 4                            amd-zen4         agrees         1.52
            Sunny Cove in a virtual machine  intel-sunnycove  differs        1.43
            Broadwell in a virtual machine   intel-broadwell  differs        1.51
            Sunny Cove                       intel-sunnycove  differs        1.52

            What this does not show:
            - A hit of the first level costs nothing here: it is part of every load.
            - The reach of the second level can be below its entries: entries of page tables and a hypervisor's pages may share it.
            - Nothing is measured about fetches, stores, the instruction TLB, or other strides than the one given.
            - A hypervisor may keep large pages of this system as pages of 4K; they then behave as such.
        "]],
    );
}

#[test]
fn the_json_of_a_measurement_can_be_read_again() {
    let first = json("measure --from chase.json --json");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("measured-again.json");
    std::fs::write(&path, printed("measure --from chase.json --json")).unwrap();
    let again = json(&format!("measure --json --from {}", path.display()));
    assert_eq!(first, again);
    let report = &first["measurements"][0]["report"];
    assert_eq!(report["levels"][0]["reach"], serde_json::json!([72, 72]));
}

#[test]
fn options_that_cannot_be_measured_are_refused() {
    check(
        "measure --time 0",
        expect![[r"
        exit code 1: pagewalk: invalid value '0' for '--time <S>': 0 is not in 1..=60 (see `pagewalk measure --help`)
    "]],
    );
    check(
        "measure --pages 1G",
        expect![[r"
        exit code 1: pagewalk: --pages 1G: this system has no such pages to measure: give 4K or 2M
    "]],
    );
    check(
        "measure --stride 1,0",
        expect![[r"
        exit code 1: pagewalk: invalid value '0' for '--stride <N>': 0 is not in 1..=1024 (see `pagewalk measure --help`)
    "]],
    );
    check(
        "measure --from chase.json --stride 2",
        expect![[r"
        exit code 1: pagewalk: the argument '--from <FILE>' cannot be used with '--stride <N>' (see `pagewalk measure --help`)
    "]],
    );
    check_with_file(
        "measure --from",
        b"{\"measurements\": 3}",
        &expect![[r"
        exit code 1: pagewalk: FILE: measurements: 3: must be a list […]
    "]],
    );
}

/// A file with the measurements of two strides says what the second one means.
#[test]
fn two_strides_of_a_file_are_compared() {
    let mut file = json("measure --from chase.json --json");
    let mut eighth = file["measurements"][0].clone();
    eighth["samples"]["stride"] = 8.into();
    file["measurements"].as_array_mut().unwrap().push(eighth);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("measured-strides.json");
    std::fs::write(&path, file.to_string()).unwrap();
    let text = printed(&format!("measure --from {}", path.display()));
    let (every, eighth) = text.split_once("one page of every 8").unwrap();
    let said = "The first level reaches as many pages as with every page: the lowest 3 bits";
    assert!(eighth.contains(said) && !every.contains(said), "{text}");
}

/// Noise can hide every step, so only the shape of the result is checked.
#[test]
fn this_computer_is_measured() {
    let result = json("measure --time 1 --json");
    let measurement = &result["measurements"][0];
    let points = measurement["samples"]["points"].as_array().unwrap();
    assert!(points.len() > 80, "{} points", points.len());
    let rounds = measurement["samples"]["adds"].as_array().unwrap().len();
    assert!(rounds >= 4, "{rounds} rounds");
    let is_time = |ns: &Value| ns.as_f64().is_some_and(|ns| ns > 0.0);
    for point in points {
        for lines in ["spread", "dense"] {
            let times = point[lines].as_array().unwrap();
            assert!(times.len() == rounds && times.iter().all(is_time), "{point}");
        }
    }
    let report = &measurement["report"];
    let has_levels = !report["levels"].as_array().unwrap().is_empty();
    assert_ne!(has_levels, report["refused"].is_string(), "{report}");
}
