//! Compares the counts of every workload on the default machine with a fixture. The tests of the site compare
//! the wasm module with the same file. `UPDATE_EXPECT=1` rewrites it.

use std::collections::BTreeMap;

use expect_test::expect_file;
use pagewalk_sources::workload::{generator, list};
use serde_json::{Value, json};

use crate::common::report;
use crate::support::params;

#[test]
fn counts_are_those_of_the_fixture() {
    let count = |id: &str| -> Value {
        let accesses = generator(id, &params("accesses=20000")).unwrap();
        let report = report("{}", "{}", accesses);
        json!({
            "kinds": report.kinds,
            "walks": report.walks.walks,
            "refs": report.walks.refs,
            "cycles": report.cycles,
        })
    };
    let counts: BTreeMap<String, Value> =
        list().into_iter().map(|workload| (workload.id.clone(), count(&workload.id))).collect();
    let text = serde_json::to_string_pretty(&counts).unwrap() + "\n";
    expect_file!["../../../tests/fixtures/workloads.json"].assert_eq(&text);
}
