//! `pagewalk run --count`: how often an access that straddles two pages counts.

use crate::support::{json, recorded};

/// Returns the translations and walks of fetches, loads and stores. The machine's level 1 is that of
/// `valgrind --tool=cachegrind --I1=131072,8,4096 --D1=262144,4,4096`, whose lines are as long as pages.
fn counted(options: &str) -> [[u64; 2]; 3] {
    let trace = recorded("straddle.lackey.xz");
    let kinds =
        &json(&format!("run --machine cachegrind.json --trace {trace} {options} --json"))["kinds"];
    ["fetch", "load", "store"]
        .map(|kind| ["translations", "walks"].map(|name| kinds[kind][name].as_u64().unwrap()))
}

/// Cachegrind 3.19 printed for the same program: Ir 156010, I1mr 1, Dr 3000, D1mr 2239, Dw 3000, D1mw 2223.
#[test]
fn counted_by_accesses_the_misses_are_those_of_cachegrind() {
    let cachegrind = [[156_010, 1], [3000, 2239], [3000, 2223]];
    assert_eq!(counted("--count accesses"), cachegrind);
    // With a memory map the trace is kept, and run in another way.
    assert_eq!(counted("--count accesses --os map-of-trace.json"), cachegrind);
}

/// By their addresses, 1,003 loads and 1,004 stores straddle two pages.
#[test]
fn counted_by_translations_each_page_counts() {
    let counts = counted("--count translations");
    assert_eq!(counts.map(|[translations, _]| translations), [156_010, 4003, 4004]);
    assert_eq!(counts, counted(""));
}
