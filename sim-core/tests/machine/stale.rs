//! Tests of stale translations. The rights of a page change without a shootdown, and each core keeps the rights that
//! it cached.

use crate::common::ops::run_on;
use expect_test::{Expect, expect};
use pagewalk::machine::operations::cores::Cores;

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 8}]}"#;

/// Runs a scenario in which each thread has its own core.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let machine = crate::common::machine(MACHINE, "{}").with_cores(Cores::Tid);
    expected.assert_eq(&run_on(machine, text));
}

/// Core 2 walks, and finds the page read-only. Core 1 still has the old translation.
#[test]
fn a_fault_on_one_core_leaves_stale_translations_on_others() {
    check(
        "store 0x1000 pid 7 tid 1
        mprotect 0x1000 4096 r-- no-flush pid 7 tid 2
        store 0x1000 pid 7 tid 2
        store 0x1000 pid 7 tid 1
        invlpg 0x1000 pid 7 tid 1
        store 0x1000 pid 7 tid 1",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 5 flags
            mprotect 0x1000 4096 r-- no-flush pid 7: drops nothing
            store 0x1000 #PF 0x7: the page may not be written
            store 0x1000 4K L1 hit: d hit 0.0
            invlpg 0x1000 pid 7: drops d 1
            store 0x1000 #PF 0x7: the page may not be written
        "]],
    );
}

/// Core 2 has cached the rights that were valid between the two changes.
#[test]
fn each_core_has_the_rights_of_the_time_when_it_cached_the_page() {
    check(
        "store 0x1000 pid 7 tid 1
        mprotect 0x1000 4096 r-- no-flush pid 7 tid 1
        load 0x1000 pid 7 tid 2
        mprotect 0x1000 4096 none no-flush pid 7 tid 1
        load 0x1000 pid 7 tid 3
        store 0x1000 pid 7 tid 1
        load 0x1000 pid 7 tid 2
        store 0x1000 pid 7 tid 2",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 5 flags
            mprotect 0x1000 4096 r-- no-flush pid 7: drops nothing
            load 0x1000 4K walk: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles
            mprotect 0x1000 4096 --- no-flush pid 7: drops nothing
            load 0x1000 #PF 0x4: the page is not present
            store 0x1000 4K L1 hit: d hit 0.0
            load 0x1000 4K L1 hit: d hit 0.0
            store 0x1000 #PF 0x7: the page may not be written
        "]],
    );
}

/// Core 2 gets a copy of the page. Core 1 still writes to the page that the child shares.
#[test]
fn a_copy_on_one_core_leaves_stale_translations_on_others() {
    check(
        "store 0x1000 pid 7 tid 1
        fork child=8 no-flush pid 7 tid 2
        load 0x1000 pid 7 tid 2
        store 0x1000 pid 7 tid 1
        invlpg 0x1000 pid 7 tid 1
        store 0x1000 pid 7 tid 1",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 5 flags
            fork child=8 no-flush pid 7: drops nothing
            load 0x1000 4K walk: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles
            store 0x1000 4K L1 hit: d hit 0.0
            invlpg 0x1000 pid 7: drops d 1
            store 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 2 flags
        "]],
    );
}

#[test]
fn what_a_prefetch_caches_has_the_rights_of_now() {
    check(
        "store 0x1000 pid 7 tid 1
        mprotect 0x1000 4096 r-- no-flush pid 7 tid 1
        store 0x1000 pid 7 tid 1
        invlpg 0x1000 pid 7 tid 1
        prefetch 0x1000 pid 7 tid 1
        store 0x1000 pid 7 tid 1",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles; 5 flags
            mprotect 0x1000 4096 r-- no-flush pid 7: drops nothing
            store 0x1000 4K L1 hit: d hit 0.0
            invlpg 0x1000 pid 7: drops d 1
            prefetch 0x1000 4K walk: d miss 0; reads 4 3 2 1; fills d 0.0; 800 cycles
            store 0x1000 #PF 0x7: the page may not be written
        "]],
    );
}
