//! Every command treats an address by the rule of the machine's page table.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use pagewalk_base::csv::cells;
use serde_json::Value;

use crate::support::{json, pagewalk};

const LOADS: [&str; 3] = ["load,0x1000", "load,0xffff000000001000", "load,0x1234000000001000"];

/// Returns the number of refused addresses and their fault, and the number of mapped pages.
fn counted(report: &Value) -> String {
    let exceptions = &report["exceptions"];
    let faults = exceptions["address_faults"].as_object();
    let named = faults.and_then(|faults| faults.iter().next());
    let (fault, n) =
        named.map_or(("#GP", &exceptions["general_protection"]), |(fault, n)| (fault, n));
    format!("{fault} {n}, pages {}", report["pages"]["4K"])
}

/// Runs each command on loads at the three addresses.
#[track_caller]
fn check(name: &str, machine: &str, expected: Expect) {
    check_on(&LOADS, name, machine, expected);
}

/// Runs each command on accesses; `explain` explains a load at each address.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn check_on(accesses: &[&str], name: &str, machine: &str, expected: Expect) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("addresses-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let here = folder.to_str().unwrap();
    let write = |file: &str, text: &str| fs::write(folder.join(file), text).unwrap();
    write("loads.csv", &format!("kind,address\n{}\n", accesses.join("\n")));
    write("machine.json", machine);
    let axes = r#"[{"field": "pages", "values": ["4K"]}]"#;
    let traces = r#"[{"file": "loads.csv"}]"#;
    let sweep =
        format!(r#"{{"traces": {traces}, "base": {{"machine": {machine}}}, "axes": {axes}}}"#);
    write("sweep.json", &sweep);

    let run = json(&format!("run --machine {here}/machine.json --trace {here}/loads.csv --json"));
    let curve = format!("curve --machine {here}/machine.json --trace {here}/loads.csv");
    let counts = json(&format!("{curve} --json"));
    json(&format!("sweep {here}/sweep.json --out {here}/rows.jsonl --json"));
    let row: Value = serde_json::from_slice(&fs::read(folder.join("rows.jsonl")).unwrap()).unwrap();
    let table = fs::read_to_string(folder.join("rows.csv")).unwrap();
    let cell = |column: &str| {
        let [head, cells] = [0, 1].map(|line| cells(table.lines().nth(line).unwrap()));
        cells[head.iter().position(|name| name == column).unwrap()].clone()
    };
    let explained = accesses.iter().map(|access| {
        let (_, address) = access.split_once(',').unwrap();
        let line = format!("explain --machine {here}/machine.json --va {address}");
        let done = pagewalk(line.split_whitespace()).output().unwrap();
        let error = String::from_utf8(done.stderr).unwrap();
        let found = if done.status.success() { "walks" } else { error.trim() };
        format!("explain {address}: {found}\n")
    });
    let text =
        String::from_utf8(pagewalk(curve.split_whitespace()).output().unwrap().stdout).unwrap();
    let warning = text.lines().find(|line| line.starts_with("Warning")).unwrap();
    assert_eq!(warning, format!("Warning: {}", run["warnings"][0].as_str().unwrap()));
    assert_eq!(cell("refused"), counts["refused"].to_string());
    let found = format!(
        "run: {}\nsweep: {}\ncurve: refused {}, pages {}\n{warning}\n{}",
        counted(&run),
        counted(&row["report"]),
        counts["refused"],
        counts["cold"],
        explained.collect::<String>()
    );
    expected.assert_eq(&found);
}

#[test]
fn canonical_addresses() {
    check(
        "canonical",
        "{}",
        expect![[r"
        run: #GP 2, pages 1
        sweep: #GP 2, pages 1
        curve: refused 2, pages 1
        Warning: this machine does not translate the address of 2 of 3 accesses (#GP): they are counted apart
        explain 0x1000: walks
        explain 0xffff000000001000: pagewalk: 0xffff000000001000 is not canonical: bits 63 to 48 must equal bit 47, as this machine translates 48 bits
        explain 0x1234000000001000: pagewalk: 0x1234000000001000 is not canonical: bits 63 to 48 must equal bit 47, as this machine translates 48 bits
    "]],
    );
}

#[test]
fn sign_extended_addresses() {
    check(
        "sign-extended",
        r#"{"paging": {"index_bits": [9, 9, 9]}}"#,
        expect![[r"
        run: page fault 2, pages 1
        sweep: page fault 2, pages 1
        curve: refused 2, pages 1
        Warning: this machine does not translate the address of 2 of 3 accesses (page fault): they are counted apart
        explain 0x1000: walks
        explain 0xffff000000001000: pagewalk: 0xffff000000001000 is no address of this machine: bits 63 to 39 must equal bit 38, as it translates 39 bits
        explain 0x1234000000001000: pagewalk: 0x1234000000001000 is no address of this machine: bits 63 to 39 must equal bit 38, as it translates 39 bits
    "]],
    );
}

#[test]
fn addresses_in_two_halves() {
    check(
        "two-halves",
        r#"{"paging": {"contiguous": {"4K": 16}}}"#,
        expect![[r"
        run: translation fault 1, pages 2
        sweep: translation fault 1, pages 2
        curve: refused 1, pages 2
        Warning: this machine does not translate the address of 1 of 3 accesses (translation fault): they are counted apart
        explain 0x1000: walks
        explain 0xffff000000001000: walks
        explain 0x1234000000001000: pagewalk: 0x1234000000001000 is no address of this machine: bits 63 to 48 must be all 0 (TTBR0) or all 1 (TTBR1)
    "]],
    );
}

#[test]
fn zero_extended_addresses() {
    check(
        "zero-extended",
        r#"{"paging": {"index_bits": [10, 10]}}"#,
        expect![[r"
        run: address error 2, pages 1
        sweep: address error 2, pages 1
        curve: refused 2, pages 1
        Warning: this machine does not translate the address of 2 of 3 accesses (address error): they are counted apart
        explain 0x1000: walks
        explain 0xffff000000001000: pagewalk: 0xffff000000001000 is no address of this machine: bits 63 to 32 must be 0, as it translates 32 bits
        explain 0x1234000000001000: pagewalk: 0x1234000000001000 is no address of this machine: bits 63 to 32 must be 0, as it translates 32 bits
    "]],
    );
}

#[test]
fn tags_that_linear_address_masking_ignores() {
    check_on(
        &[
            "load,0x1000",
            "store,0x7abc000000001000",
            "load,0x8000000000001000",
            "fetch,0x7abc000000001000",
        ],
        "lam48",
        r#"{"paging": {"tags": "lam48"}}"#,
        expect![[r"
            run: #GP 2, pages 1
            sweep: #GP 2, pages 1
            curve: refused 2, pages 1
            Warning: this machine does not translate the address of 2 of 4 accesses (#GP): they are counted apart
            explain 0x1000: walks
            explain 0x7abc000000001000: walks
            explain 0x8000000000001000: pagewalk: 0x8000000000001000 is not canonical: bit 63 must equal bit 47, as this machine translates 48 bits
            explain 0x7abc000000001000: walks
        "]],
    );
    check_on(
        &["load,0x1000", "store,0x7e00000000001000", "load,0x7f00000000001000"],
        "lam57",
        r#"{"paging": {"tags": "lam57"}}"#,
        expect![[r"
            run: #GP 1, pages 1
            sweep: #GP 1, pages 1
            curve: refused 1, pages 1
            Warning: this machine does not translate the address of 1 of 3 accesses (#GP): they are counted apart
            explain 0x1000: walks
            explain 0x7e00000000001000: walks
            explain 0x7f00000000001000: pagewalk: 0x7f00000000001000 is not canonical: bits 63 and 56 to 48 must equal bit 47, as this machine translates 48 bits
        "]],
    );
}

#[test]
fn tags_in_the_top_byte() {
    check_on(
        &[
            "load,0x1000",
            "store,0xab00000000001000",
            "fetch,0x1200000000001000",
            "load,0xabff000000001000",
            "load,0xab0f000000001000",
        ],
        "tbi",
        r#"{"paging": {"contiguous": {"4K": 16}, "tags": "tbi"}}"#,
        expect![[r"
            run: translation fault 1, pages 2
            sweep: translation fault 1, pages 2
            curve: refused 1, pages 2
            Warning: this machine does not translate the address of 1 of 5 accesses (translation fault): they are counted apart
            explain 0x1000: walks
            explain 0xab00000000001000: walks
            explain 0x1200000000001000: walks
            explain 0xabff000000001000: walks
            explain 0xab0f000000001000: pagewalk: 0xab0f000000001000 is no address of this machine: bits 55 to 48 must be all 0 (TTBR0) or all 1 (TTBR1)
        "]],
    );
}
