//! Tests of sweeps: the rows of a specification, the run of each row, and errors.

use std::fmt::Write as _;
use std::rc::Rc;

use expect_test::{Expect, expect};
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::run::replay::Replay;
use pagewalk::run::window::Window;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::trace::{Completeness, Trace, TraceBuilder};
use pagewalk_experiments::about::About;
use pagewalk_experiments::sweep::{RowTrace, Sweep, SweepSpec};
use pagewalk_sources::workload::generator;
use serde_json::Value;

fn sweep(json: &str) -> Sweep {
    Sweep::new(SweepSpec::parse(json).unwrap()).unwrap()
}

fn uniform() -> Trace {
    let params = [("bytes", "1M"), ("accesses", "3000")];
    let params = params.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut builder = TraceBuilder::default();
    for access in generator("uniform", &params).unwrap() {
        builder.push(&access).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}

/// Returns the lines of a sweep, all on one trace.
fn lines(sweep: &Sweep, trace: &Trace) -> Vec<Value> {
    let known = RowTrace { name: "uniform".to_owned(), hash: "0".to_owned(), seed: None };
    let map = memory_map(trace, None);
    let line = |number| {
        let row = sweep.row(number);
        row.line(About::new(Vec::new()), &known, row.run(trace, &map, &mut |_| true))
    };
    (0..sweep.n_rows()).map(|number| serde_json::from_str(&line(number)).unwrap()).collect()
}

/// Compares the rows: their numbers, traces and values, and some paths of their configuration.
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn check_rows(json: &str, places: &[&str], expected: Expect) {
    let sweep = sweep(json);
    let mut text = String::new();
    for (number, line) in (0..).zip(lines(&sweep, &uniform())) {
        write!(text, "trace {}, {}", sweep.trace_of(number), sweep.row(number)).unwrap();
        for place in places {
            let value = line.pointer(place).cloned().unwrap_or_default();
            write!(text, "; {place} {value}").unwrap();
        }
        let error = &line["error"];
        if !error.is_null() {
            write!(text, "; {}: {}", error["at"]["field"], error["message"]).unwrap();
        }
        text.push('\n');
    }
    expected.assert_eq(&text);
}

#[test]
fn rows_are_the_product_of_traces_and_axes_and_the_last_changes_fastest() {
    check_rows(
        r#"{
            "traces": [{"workload": "uniform"}, {"file": "a.lackey"}],
            "base": {"machine": {}},
            "axes": [
                {"field": "machine.seed", "values": [1, 2]},
                {"fields": ["machine.l1[0].entries", "machine.l1[0].ways"], "values": [[16, 4], [24, 24]]}
            ]
        }"#,
        &["/machine/l1/0/entries", "/machine/l1/0/ways", "/machine/seed"],
        expect![[r"
            trace 0, row 0: machine.seed 1, machine.l1[0].entries 16, machine.l1[0].ways 4; /machine/l1/0/entries 16; /machine/l1/0/ways 4; /machine/seed 1
            trace 0, row 1: machine.seed 1, machine.l1[0].entries 24, machine.l1[0].ways 24; /machine/l1/0/entries 24; /machine/l1/0/ways 24; /machine/seed 1
            trace 0, row 2: machine.seed 2, machine.l1[0].entries 16, machine.l1[0].ways 4; /machine/l1/0/entries 16; /machine/l1/0/ways 4; /machine/seed 2
            trace 0, row 3: machine.seed 2, machine.l1[0].entries 24, machine.l1[0].ways 24; /machine/l1/0/entries 24; /machine/l1/0/ways 24; /machine/seed 2
            trace 1, row 4: machine.seed 1, machine.l1[0].entries 16, machine.l1[0].ways 4; /machine/l1/0/entries 16; /machine/l1/0/ways 4; /machine/seed 1
            trace 1, row 5: machine.seed 1, machine.l1[0].entries 24, machine.l1[0].ways 24; /machine/l1/0/entries 24; /machine/l1/0/ways 24; /machine/seed 1
            trace 1, row 6: machine.seed 2, machine.l1[0].entries 16, machine.l1[0].ways 4; /machine/l1/0/entries 16; /machine/l1/0/ways 4; /machine/seed 2
            trace 1, row 7: machine.seed 2, machine.l1[0].entries 24, machine.l1[0].ways 24; /machine/l1/0/entries 24; /machine/l1/0/ways 24; /machine/seed 2
        "]],
    );
}

#[test]
fn a_range_has_steps_or_a_factor_and_what_is_missing_on_the_way_is_made() {
    check_rows(
        r#"{
            "traces": [{"workload": "uniform"}],
            "base": {"cpu": "intel-skylake", "machine.psc": {}, "pages": "thp"},
            "axes": [
                {"field": "machine.psc.pde.entries", "range": {"from": 4, "to": 17, "times": 2}},
                {"field": "os.thp.fragmentation", "range": {"from": 0, "to": 100, "step": 60}}
            ]
        }"#,
        &["/machine/name", "/machine/psc", "/os/default", "/os/thp/fragmentation"],
        expect![[r#"
            trace 0, row 0: machine.psc.pde.entries 4, os.thp.fragmentation 0; /machine/name "Skylake"; /machine/psc {"pde":{"entries":4,"replacement":"lru"}}; /os/default "thp"; /os/thp/fragmentation null
            trace 0, row 1: machine.psc.pde.entries 4, os.thp.fragmentation 60; /machine/name "Skylake"; /machine/psc {"pde":{"entries":4,"replacement":"lru"}}; /os/default "thp"; /os/thp/fragmentation 60
            trace 0, row 2: machine.psc.pde.entries 8, os.thp.fragmentation 0; /machine/name "Skylake"; /machine/psc {"pde":{"entries":8,"replacement":"lru"}}; /os/default "thp"; /os/thp/fragmentation null
            trace 0, row 3: machine.psc.pde.entries 8, os.thp.fragmentation 60; /machine/name "Skylake"; /machine/psc {"pde":{"entries":8,"replacement":"lru"}}; /os/default "thp"; /os/thp/fragmentation 60
            trace 0, row 4: machine.psc.pde.entries 16, os.thp.fragmentation 0; /machine/name "Skylake"; /machine/psc {"pde":{"entries":16,"replacement":"lru"}}; /os/default "thp"; /os/thp/fragmentation null
            trace 0, row 5: machine.psc.pde.entries 16, os.thp.fragmentation 60; /machine/name "Skylake"; /machine/psc {"pde":{"entries":16,"replacement":"lru"}}; /os/default "thp"; /os/thp/fragmentation 60
        "#]],
    );
}

#[test]
fn a_setting_is_crossed_with_policies_that_do_without_it() {
    check_rows(
        r#"{
            "traces": [{"workload": "uniform"}],
            "base": {"cpu": "intel-skylake", "os": {"default": "thp", "thp": {"khugepaged": {"every": 9}}}},
            "axes": [
                {"field": "pages", "values": ["4K", "thp", "thp-never"]},
                {"field": "os.thp.fragmentation", "values": [0, 50]}
            ]
        }"#,
        &["/os/default", "/os/thp/enabled", "/os/thp/fragmentation", "/os/thp/khugepaged/every"],
        expect![[r#"
            trace 0, row 0: pages "4K", os.thp.fragmentation 0; /os/default "4K"; /os/thp/enabled null; /os/thp/fragmentation null; /os/thp/khugepaged/every null
            trace 0, row 1: pages "4K", os.thp.fragmentation 50; /os/default "4K"; /os/thp/enabled null; /os/thp/fragmentation null; /os/thp/khugepaged/every null
            trace 0, row 2: pages "thp", os.thp.fragmentation 0; /os/default "thp"; /os/thp/enabled "always"; /os/thp/fragmentation 0; /os/thp/khugepaged/every 9
            trace 0, row 3: pages "thp", os.thp.fragmentation 50; /os/default "thp"; /os/thp/enabled "always"; /os/thp/fragmentation 50; /os/thp/khugepaged/every 9
            trace 0, row 4: pages "thp-never", os.thp.fragmentation 0; /os/default "thp"; /os/thp/enabled "never"; /os/thp/fragmentation 0; /os/thp/khugepaged/every null
            trace 0, row 5: pages "thp-never", os.thp.fragmentation 50; /os/default "thp"; /os/thp/enabled "never"; /os/thp/fragmentation 0; /os/thp/khugepaged/every null
        "#]],
    );
}

#[test]
fn models_pages_and_virtualisation_are_axes_and_what_cannot_be_is_a_row_with_its_error() {
    check_rows(
        r#"{
            "traces": [{"workload": "uniform"}],
            "axes": [
                {"field": "cpu", "values": ["amd-zen2", "arm-neoverse-n1:granule-64k"]},
                {"fields": ["virt", "host_pages"], "values": [["native", "4K"], ["native", null], ["ept", "2M"]]},
                {"field": "pages", "values": ["2M", "thp-madvise"]}
            ]
        }"#,
        &["/machine/name", "/os"],
        expect![[r#"
            trace 0, row 0: cpu "amd-zen2", virt "native", host_pages "4K", pages "2M"; /machine/name "Zen 2"; /os {"default":"2M","frames":"sequential","regions":[]}; "host_pages": "there is no host without virtualisation: set virt to ept or shadow"
            trace 0, row 1: cpu "amd-zen2", virt "native", host_pages "4K", pages "thp-madvise"; /machine/name "Zen 2"; /os {"default":"thp","frames":"sequential","regions":[],"thp":{"at_fault":true,"enabled":"madvise","fragmentation":0,"seed":1}}; "host_pages": "there is no host without virtualisation: set virt to ept or shadow"
            trace 0, row 2: cpu "amd-zen2", virt "native", host_pages null, pages "2M"; /machine/name "Zen 2"; /os {"default":"2M","frames":"sequential","regions":[]}
            trace 0, row 3: cpu "amd-zen2", virt "native", host_pages null, pages "thp-madvise"; /machine/name "Zen 2"; /os {"default":"thp","frames":"sequential","regions":[],"thp":{"at_fault":true,"enabled":"madvise","fragmentation":0,"seed":1}}
            trace 0, row 4: cpu "amd-zen2", virt "ept", host_pages "2M", pages "2M"; /machine/name "Zen 2"; /os {"default":"2M","frames":"sequential","host":{"default":"2M","frames":"sequential","regions":[]},"regions":[],"virt":"ept"}
            trace 0, row 5: cpu "amd-zen2", virt "ept", host_pages "2M", pages "thp-madvise"; /machine/name "Zen 2"; /os {"default":"thp","frames":"sequential","host":{"default":"2M","frames":"sequential","regions":[]},"regions":[],"thp":{"at_fault":true,"enabled":"madvise","fragmentation":0,"seed":1},"virt":"ept"}
            trace 0, row 6: cpu "arm-neoverse-n1:granule-64k", virt "native", host_pages "4K", pages "2M"; /machine/name "Neoverse N1, 64K granule"; /os {"default":"2M","frames":"sequential","regions":[]}; "host_pages": "there is no host without virtualisation: set virt to ept or shadow"
            trace 0, row 7: cpu "arm-neoverse-n1:granule-64k", virt "native", host_pages "4K", pages "thp-madvise"; /machine/name "Neoverse N1, 64K granule"; /os {"default":"thp","frames":"sequential","regions":[],"thp":{"at_fault":true,"enabled":"madvise","fragmentation":0,"seed":1}}; "host_pages": "there is no host without virtualisation: set virt to ept or shadow"
            trace 0, row 8: cpu "arm-neoverse-n1:granule-64k", virt "native", host_pages null, pages "2M"; /machine/name "Neoverse N1, 64K granule"; /os {"default":"2M","frames":"sequential","regions":[]}
            trace 0, row 9: cpu "arm-neoverse-n1:granule-64k", virt "native", host_pages null, pages "thp-madvise"; /machine/name "Neoverse N1, 64K granule"; /os {"default":"thp","frames":"sequential","regions":[],"thp":{"at_fault":true,"enabled":"madvise","fragmentation":0,"seed":1}}
            trace 0, row 10: cpu "arm-neoverse-n1:granule-64k", virt "ept", host_pages "2M", pages "2M"; /machine/name "Neoverse N1, 64K granule"; /os {"default":"2M","frames":"sequential","host":{"default":"2M","frames":"sequential","regions":[]},"regions":[],"virt":"ept"}
            trace 0, row 11: cpu "arm-neoverse-n1:granule-64k", virt "ept", host_pages "2M", pages "thp-madvise"; /machine/name "Neoverse N1, 64K granule"; /os {"default":"thp","frames":"sequential","host":{"default":"2M","frames":"sequential","regions":[]},"regions":[],"thp":{"at_fault":true,"enabled":"madvise","fragmentation":0,"seed":1},"virt":"ept"}
        "#]],
    );
    check_rows(
        r#"{
            "traces": [{"workload": "uniform"}],
            "base": {"machine": {"l2": [{"entries": 48, "ways": 12}]}},
            "axes": [
                {"field": "machine.l2[0].replacement", "values": ["lru", "tree-plru", "mru3-plru4", "best"]}
            ]
        }"#,
        &[],
        expect![[r#"
            trace 0, row 0: machine.l2[0].replacement "lru"
            trace 0, row 1: machine.l2[0].replacement "tree-plru"; "machine.l2[0].replacement": "tree-plru needs a power of two of ways, not 12: choose 16 or lru"
            trace 0, row 2: machine.l2[0].replacement "mru3-plru4"
            trace 0, row 3: machine.l2[0].replacement "best"; "machine.l2[0].replacement": "unknown variant `best`, expected one of `lru`, `fifo`, `random`, `tree-plru`, `bit-plru`, `mru3-plru4`"
        "#]],
    );
    check_rows(
        r#"{
            "traces": [{"workload": "uniform"}],
            "base": {"machine": {}},
            "axes": [{"fields": ["machine.l1[1].entries"], "values": [[4]]}]
        }"#,
        &[],
        expect![[r#"
            trace 0, row 0: machine.l1[1].entries 4; "machine.l1[1]": "there is no such place"
        "#]],
    );
}

#[test]
fn a_row_counts_what_a_run_of_its_configuration_counts() {
    let sweep = sweep(
        r#"{
            "traces": [{"workload": "uniform"}],
            "base": {"cpu": "intel-skylake"},
            "axes": [
                {"field": "machine.l2[0].replacement", "values": ["lru", "random"]},
                {"field": "virt", "values": ["native", "ept", "shadow"]},
                {"field": "pages", "values": ["4K", "thp"]}
            ],
            "window": {"skip": 10, "warmup": 500, "limit": 2000}
        }"#,
    );
    let trace = Rc::new(uniform());
    let lines = lines(&sweep, &trace);
    assert_eq!(lines.len(), 12);
    for line in &lines {
        let machine: MachineConfig = parse_json(&line["machine"].to_string()).unwrap();
        let os: OsConfig = parse_json(&line["os"].to_string()).unwrap();
        let window: Window = parse_json(&line["window"].to_string()).unwrap();
        let machine = Machine::with_map(&machine, &os, &memory_map(&trace, None)).unwrap();
        let span = window.within(trace.len()).unwrap();
        let mut replay = Replay::within(span, Rc::clone(&trace), machine, 1 << 20);
        while !replay.run(1000).unwrap() {}
        let mut expected = replay.report();
        expected.regions.clear();
        assert_eq!(line["report"], serde_json::to_value(&expected).unwrap(), "{}", line["axes"]);
        assert_eq!(line["report"]["trace"]["accesses"], 2000);
    }
}

#[test]
fn a_row_ends_when_its_caller_stops_it() {
    let sweep = sweep(r#"{"traces": [{"workload": "uniform"}], "base": {"machine": {}}}"#);
    let trace = uniform();
    let error = sweep.row(0).run(&trace, &memory_map(&trace, None), &mut |_| false).unwrap_err();
    assert_eq!(error.to_string(), "the run was cancelled");
}

#[test]
fn a_sweep_is_the_same_whatever_its_white_space_and_another_with_any_other_value() {
    let id = |json: &str| sweep(json).id().to_owned();
    let one =
        r#"{"traces": [{"workload": "uniform"}], "base": {"cpu": "amd-zen2", "pages": "4K"}}"#;
    assert_eq!(id(one), id(&one.replace(' ', "\n  ")));
    assert_eq!(id(one).len(), 16);
    for (from, to) in [("zen2", "zen3"), ("4K", "2M"), ("uniform", "zipf")] {
        assert_ne!(id(one), id(&one.replace(from, to)), "{to}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of errors")]
fn what_is_wrong_with_a_sweep_has_a_place() {
    let check = |json: &str, expected: Expect| {
        let json = json.replace("TRACES", r#""traces": [{"workload": "uniform"}]"#);
        let error = SweepSpec::parse(&json).and_then(Sweep::new).and_then(|sweep| sweep.check());
        expected.assert_eq(&error.unwrap_err().to_string());
    };
    check("{", expect!["line 1: EOF while parsing an object"]);
    check("{}", expect!["line 1: missing field `traces`"]);
    check(r#"{"traces": []}"#, expect!["traces: there are none: give at least one"]);
    check(r#"{"traces": [{}]}"#, expect!["traces[0]: give a `file` or a `workload`"]);
    check(
        r#"{"traces": [{"file": "a", "workload": "b"}]}"#,
        expect!["traces[0].workload: give a file or a workload, not both"],
    );
    check(
        r#"{"traces": [{"file": "a", "params": {"n": 1}}]}"#,
        expect!["traces[0].params: a file has no parameters: leave them out, or give a workload"],
    );
    check(
        r#"{"traces": [{"workload": "uniform", "format": "csv"}]}"#,
        expect!["traces[0].format: a workload is generated, not read: leave it out"],
    );
    check(
        r#"{"traces": [{"workload": "no"}]}"#,
        expect![
            "traces[0].workload: there is no workload `no`: choose one of sequential, strided, uniform, zipf, pointer-chase, matmul, hash-table, tree-search, graph-walk, code-walk, tlab, gather, pre-touch"
        ],
    );
    check(
        r#"{"traces": [{"workload": "uniform", "params": {"bytes": "no"}}]}"#,
        expect![
            "traces[0].params.bytes: `no` is not a number of bytes: give 1 to 64T, such as 64K or 1G"
        ],
    );
    check(
        r#"{"traces": [{"workload": "uniform", "params": {"bytes": []}}]}"#,
        expect!["traces[0].params.bytes: []: a parameter is a text or a number"],
    );
    check(
        r#"{TRACES, "axis": []}"#,
        expect![
            "axis: unknown field `axis`, expected one of `traces`, `base`, `axes`, `cores`, `window`"
        ],
    );
    check(
        "{TRACES}",
        expect!["base: it says no machine: give `cpu`, or `machine`, which may be {}"],
    );
    check(
        r#"{TRACES, "base": {"cpu": "intel-8086"}}"#,
        expect![
            "base.cpu: there is no CPU `intel-8086`: choose one of amd-bulldozer, amd-jaguar, amd-k10, amd-zen1, amd-zen2, amd-zen3, amd-zen4, amd-zen5, apple-avalanche, apple-firestorm, apple-m4, arm-cortex-a55, arm-cortex-a72, arm-neoverse-n1, arm-neoverse-n2, arm-neoverse-v1, arm-neoverse-v2, csapp-14bit, huawei-kunpeng920, hygon-dhyana, ibm-power9, intel-atom-bonnell, intel-broadwell, intel-core2, intel-goldencove, intel-goldmont, intel-gracemont, intel-haswell, intel-ivybridge, intel-lioncove, intel-nehalem, intel-sandybridge, intel-skylake, intel-skylake-sp, intel-sunnycove, intel-westmere, ostep-16-byte, qualcomm-falkor, qualcomm-oryon, riscv-sv39, sifive-u54, toy-4-entry, x86-32, xiangshan-kunminghu"
        ],
    );
    check(
        r#"{TRACES, "base": {"cpu": "amd-zen2", "machine": {}}}"#,
        expect!["base.machine: a model and a whole machine: give `cpu` or `machine`, not both"],
    );
    check(
        r#"{TRACES, "base": {"l2[0].ways": 4}}"#,
        expect![
            "base.l2[0].ways: `l2[0].ways` is no field: choose cpu, machine, a place in it such as machine.l2[0].entries, pages, os, a place in it such as os.frames, virt or host_pages"
        ],
    );
    check(
        r#"{TRACES, "base": {"machine.l2[x]": 4}}"#,
        expect![
            "base.machine.l2[x]: `machine.l2[x]` is no field: choose cpu, machine, a place in it such as machine.l2[0].entries, pages, os, a place in it such as os.frames, virt or host_pages"
        ],
    );
    check(
        r#"{TRACES, "base": {"machine": {}, "pages": "5K"}}"#,
        expect![
            "base.pages: `5K` is neither a page size, a power of two such as 4K, 2M or 1G, nor a policy such as thp or hugetlb-2M"
        ],
    );
    check(
        r#"{TRACES, "base": {"machine": {"l3": []}}}"#,
        expect![
            "machine.l3: unknown field `l3`, expected one of `name`, `levels`, `paging`, `coalescing`, `l1`, `l2`, `inclusion`, `tlb_prefetch`, `pom_tlb`, `victima`, `ecpt`, `psc`, `virt`, `control`, `latency`, `walkers`, `outstanding_misses`, `event_costs`, `memory`, `seed`"
        ],
    );
    check(
        r#"{TRACES, "base": {"machine": {}, "machine.l1[0].wais": 4}}"#,
        expect![
            "machine.l1[0].wais: unknown field `wais`, expected one of `name`, `serves`, `pages`, `fragments`, `entries`, `ways`, `ways_of`, `caps`, `index`, `replacement`"
        ],
    );
    check(
        r#"{TRACES, "base": {"machine": {}, "os.virt": "no"}}"#,
        expect!["os.virt: unknown variant `no`, expected one of `native`, `ept`, `shadow`"],
    );
    check(
        r#"{TRACES, "base": {"machine": {}}, "axes": [{}]}"#,
        expect!["axes[0].field: say which field of a row is varied"],
    );
    check(
        r#"{TRACES, "axes": [{"field": "cpu"}]}"#,
        expect!["axes[0].values: give values, or a `range`"],
    );
    check(
        r#"{TRACES, "axes": [{"field": "cpu", "values": []}]}"#,
        expect!["axes[0].values: there are none: give at least one"],
    );
    check(
        r#"{TRACES, "axes": [{"field": "cpu", "values": ["amd-zen2", 7]}]}"#,
        expect!["axes[0].values[1]: 7: expected a text"],
    );
    check(
        r#"{TRACES, "axes": [{"fields": ["cpu", "pages"], "values": [["amd-zen2"]]}]}"#,
        expect![[r#"axes[0].values[0]: ["amd-zen2"]: give a list of 2 values"#]],
    );
    check(
        r#"{TRACES, "axes": [{"fields": ["cpu", "virt"], "values": [["amd-zen2", "no"]]}]}"#,
        expect![
            "axes[0].values[0]: unknown variant `no`, expected one of `native`, `ept`, `shadow`"
        ],
    );
    check(
        r#"{TRACES, "base": {"machine": {}}, "axes": [{"field": "cpu", "values": ["amd-zen2"]}]}"#,
        expect!["axes[0]: a model and a whole machine: give `cpu` or `machine`, not both"],
    );
    check(
        r#"{TRACES, "base": {"cpu": "amd-zen2"}, "axes": [{"field": "cpu", "values": ["amd-zen2"]}]}"#,
        expect!["axes[0]: `cpu` is set twice: leave one of them out"],
    );
    let range = |text: &str| {
        format!(r#"{{TRACES, "axes": [{{"field": "machine.seed", "range": {text}}}]}}"#)
    };
    check(
        &range(r#"{"from": 2, "to": 1, "step": 1}"#),
        expect!["axes[0].range.to: 1 is less than `from`, 2: give the smaller one first"],
    );
    check(
        &range(r#"{"from": 0, "to": 9, "times": 2}"#),
        expect!["axes[0].range.from: 0 stays 0, whatever it is multiplied with"],
    );
    check(
        &range(r#"{"from": 1, "to": 9, "times": 1}"#),
        expect!["axes[0].range.times: 1: must be 2 or more"],
    );
    check(
        &range(r#"{"from": 1, "to": 9, "step": 0}"#),
        expect!["axes[0].range.step: 0: must be 1 or more"],
    );
    check(
        &range(r#"{"from": 1, "to": 9}"#),
        expect!["axes[0].range: give a `step`, or `times` such as 2: one of them"],
    );
    check(
        &range(r#"{"from": 1, "to": 200000, "step": 1}"#),
        expect![
            "axes[0].range: the sweep has more than 100000 rows: give fewer values, or divide it"
        ],
    );
    let long = r#"{"field": "machine.seed", "range": {"from": 1, "to": 400, "step": 1}}"#;
    let other = long.replace("machine.seed", "machine.walkers");
    check(
        &format!(r#"{{TRACES, "axes": [{long}, {other}]}}"#),
        expect!["the sweep has more than 100000 rows: give fewer values, or divide it"],
    );
}
