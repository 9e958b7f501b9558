//! `run --uncertainty`: the table, its forms, and what it refuses.

use expect_test::expect;
use serde_json::Value;

use crate::support::{check, json, printed};

const RUN: &str = "run --cpu intel-skylake --workload uniform --param accesses=4000 bytes=64M";

#[test]
fn the_interval_names_the_parameter_that_drives_it() {
    check(
        &format!("{RUN} --uncertainty"),
        expect![[r"
            uniform accesses=4000 bytes=64M on Skylake, 4K pages
            Trace generated

            Run             Cycles            With overlap  Walks
            the CPU model  445,303                 204,719  3,686
            fewest cycles  314,817  -29.30 %       139,476  3,686
            most cycles    887,002  +99.19 %       425,569  3,686

            The interval is 314,817 to 887,002 cycles, one after the other. memory.dram has the largest effect.

            Assumed parameter         Model  Instead   Cycles            With overlap  Walks
            memory.dram               200    150      356,753  -19.89 %       160,444  3,686
                                             400      799,503  +79.54 %       381,819  3,686
            latency.walk_overhead     8      0        415,815   -6.62 %       189,975  3,686
                                             18       482,163   +8.28 %       223,149  3,686
            memory.caches[1].size     256K   512K     440,263   -1.13 %       202,199  3,686
                                             128K     462,133   +3.78 %       213,134  3,686
            memory.caches[1].latency  12     9        441,178   -0.93 %       202,657  3,686
                                             18       453,553   +1.85 %       208,844  3,686
            psc.pde.entries           32     64       445,303                 204,719  3,686
                                             16       452,567   +1.63 %       208,351  3,686
            memory.caches[2].latency  42     32       443,473   -0.41 %       203,804  3,686
                                             63       449,146   +0.86 %       206,641  3,686
            memory.caches[0].size     32K    64K      443,047   -0.51 %       203,591  3,686
                                             16K      446,817   +0.34 %       205,476  3,686
            memory.caches[1].ways     4      8        444,373   -0.21 %       204,254  3,686
                                             2        445,663   +0.08 %       204,899  3,686
            memory.caches[0].latency  4      3        444,912   -0.09 %       204,524  3,686
                                             6        446,085   +0.18 %       205,110  3,686
            memory.caches[0].ways     8      4        445,307   +0.00 %       204,721  3,686
                                             16       445,325   +0.00 %       204,730  3,686

            No effect: latency.l2_hit.fetch, latency.l2_hit.store, memory.caches[2].size, memory.caches[2].ways, outstanding_misses, psc.pde.replacement, psc.pdpte.entries, psc.pdpte.replacement, psc.pml4e.entries, psc.pml4e.replacement
            Left out, it says what the array holds, not how much: l1[1].fragments
            Left out, the run has no nested walks: virt.ept_psc.pde.entries, virt.ept_psc.pdpte.entries, virt.ept_psc.pml4e.entries, virt.nested_tlb.data, virt.nested_tlb.entries
            Left out, the run has no page that the array holds: l1[1].replacement, l1[3].index, l1[3].replacement, l1[4].replacement, l2[1].index, l2[1].replacement
        "]],
    );
}

#[test]
fn a_machine_that_is_no_model_has_no_assumed_numbers() {
    check(
        "run --machine tiny.json --trace walk.lackey --uncertainty",
        expect![[r"
        exit code 1: pagewalk: the argument '--machine <FILE>' cannot be used with '--uncertainty' (see `pagewalk run --help`)
    "]],
    );
    check(
        "run --cpu intel-skylake --trace walk.lackey --jobs 2",
        expect![[r"
        exit code 1: pagewalk: the following required arguments were not provided: --uncertainty (see `pagewalk run --help`)
    "]],
    );
}

/// The counters of the JSON are those of a run without the option, and so is the row of the model.
#[test]
fn the_json_has_the_counters_and_the_interval() {
    let own = json(&format!("{RUN} --json"));
    let mut varied = json(&format!("{RUN} --uncertainty --json"));
    let uncertainty = varied.as_object_mut().unwrap().remove("uncertainty").unwrap();
    assert_eq!(varied, own);
    assert_eq!(uncertainty["model"]["cycles"], own["cycles"]["total"]);
    assert_eq!(uncertainty["model"]["overlapped"], own["cycles"]["overlapped"]);
    let cycles = |end: &str| uncertainty[end]["cycles"].as_u64().unwrap();
    assert!(cycles("low") < cycles("model") && cycles("model") < cycles("high"));
    let effects = uncertainty["parameters"].as_array().unwrap();
    assert!(effects.is_sorted_by_key(|it| std::cmp::Reverse(it["effect"].as_u64().unwrap())));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let of = |jobs: &str| printed(&format!("{RUN} --uncertainty --jobs {jobs}"));
    assert_eq!(of("1"), of("5"));
}

/// The end of the interval is the run of a machine file with these changes.
#[test]
fn an_end_of_the_interval_is_a_run_that_a_user_can_repeat() {
    let varied = json(&format!("{RUN} --uncertainty --json"));
    let model = json("cpus intel-skylake --json");
    let mut machine = model["machine"].clone();
    let high = &varied["uncertainty"]["high"];
    for change in high["changes"].as_array().unwrap() {
        let path = change["path"].as_str().unwrap().replace('[', ".").replace(']', "");
        let (around, last) = path.rsplit_once('.').unwrap_or(("", &path));
        let around = if around.is_empty() { String::new() } else { format!("/{around}") };
        match machine.pointer_mut(&around.replace('.', "/")).unwrap() {
            Value::Object(fields) => drop(fields.insert(last.to_owned(), change["value"].clone())),
            other => panic!("{other}"),
        }
    }
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("high.json");
    std::fs::write(&file, machine.to_string()).unwrap();
    let line = RUN.replace("--cpu intel-skylake", &format!("--machine {}", file.display()));
    let direct = json(&format!("{line} --json"));
    assert_eq!(direct["cycles"]["total"], high["cycles"]);
    assert_eq!(direct["cycles"]["overlapped"], high["overlapped"]);
    assert_eq!(direct["walks"]["walks"], high["walks"]);
}

#[test]
fn the_table_has_a_row_for_each_run() {
    let sheet = printed(&format!("{RUN} --uncertainty --csv -"));
    let lines: Vec<&str> = sheet.lines().collect();
    assert!(lines[0].starts_with("parameter,model,value,walks,cycles,overlapped,effect,reason"));
    assert!(lines[1].starts_with("the CPU model,,,"), "{}", lines[1]);
    assert!(lines.iter().any(|line| line.starts_with("latency.walk_overhead,8,18,")), "{sheet}");
}
