//! Tests of the entries that each operation drops, by the invalidation rules of the Intel SDM (vol. 3,
//! 4.10.4.1). `crate::common::ops` explains the format of the scenarios.

use expect_test::{Expect, expect};

/// Fully associative arrays and all walk caches, large enough to keep everything.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 16}], "l2": [{"name": "s", "entries": 16}],
    "psc": {"pml4e": {"entries": 8}, "pdpte": {"entries": 8}, "pde": {"entries": 8}}}"#;

/// Two processes with two pages each, one of them in another 1G region.
const WARM: &str = "load 0x1000 pid 7
    load 0x40001000 pid 7
    load 0x1000 pid 9
    load 0x40001000 pid 9";

/// Runs an operation of process 9 after both processes ran. Compares the dropped entries, and the later
/// accesses of both.
#[track_caller]
fn row(op: &str, expected: &Expect) {
    let after =
        "load 0x1000 pid 9\n load 0x40001000 pid 9\n load 0x1000 pid 7\n load 0x40001000 pid 7";
    let mut text = String::new();
    let scenario = format!("{WARM}\n{op} pid 9\n{after}");
    let output = run(&scenario);
    for line in output.lines().skip_while(|line| !line.starts_with(&op[..4])) {
        text += &format!("{line}\n");
    }
    expected.assert_eq(&text);
}

fn run(scenario: &str) -> String {
    crate::common::ops::run(MACHINE, "{}", scenario)
}

#[test]
fn invlpg_drops_its_page_and_every_walk_cache_entry_of_the_process() {
    row(
        "invlpg 0x1fff",
        &expect![[r"
            invlpg 0x1fff pid 9: drops d 1, s 1, pde 2, pdpte 2, pml4e 1
            load 0x1000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.2, pde 0.2, s 0.2, d 0.2; 807 cycles
            load 0x40001000 4K L1 hit: d hit 0.3
            (switch) mov-cr3 pcid=0 keep pid 7: drops nothing
            load 0x1000 4K L1 hit: d hit 0.0
            load 0x40001000 4K L1 hit: d hit 0.1
        "]],
    );
}
