//! Tests of a kernel half that all processes share. Its translations are global, and some operations do not
//! drop them (Intel SDM vol. 3, 4.10.4.1 and 28.3.3). `crate::common::ops` explains the format of the
//! scenarios.

use expect_test::{Expect, expect};

/// Fully associative arrays and all walk caches, large enough to keep everything.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 16}], "l2": [{"name": "s", "entries": 16}],
    "psc": {"pml4e": {"entries": 8}, "pdpte": {"entries": 8}, "pde": {"entries": 8}}}"#;
const SHARED: &str = r#"{"upper_half": "shared"}"#;
const GUEST: &str = r#"{"upper_half": "shared", "virt": "ept"}"#;

/// Two processes with one page each, and two pages of the kernel. Process 9 has used one of these.
const WARM: &str = "load 0x1000 pid 7
    load 0xffff800000001000 pid 7
    load 0xffff800000002000 pid 7
    load 0x1000 pid 9
    load 0xffff800000001000 pid 9";

#[track_caller]
fn check(os: &str, scenario: &str, expected: &Expect) {
    expected.assert_eq(&crate::common::ops::run(MACHINE, os, scenario));
}

/// Runs an operation of process 9, and compares the dropped entries, the entries that stayed, and the later
/// accesses to the kernel's pages.
#[track_caller]
fn row(os: &str, op: &str, expected: &Expect) {
    let after = "load 0xffff800000001000 pid 9\nload 0xffff800000002000 pid 9";
    let output = crate::common::ops::run(MACHINE, os, &format!("{WARM}\n{op} pid 9\n{after}"));
    let lines = output.lines().skip_while(|line| !line.starts_with(&op[..4]));
    expected.assert_eq(&lines.flat_map(|line| [line, "\n"]).collect::<String>());
}

#[test]
fn one_process_finds_what_another_has_brought_of_the_kernel_but_not_by_its_walk_caches() {
    check(
        SHARED,
        "load 0x1000 pid 7
        load 0xffff800000001000 pid 7
        load 0x1000 pid 9
        load 0xffff800000001000 pid 9
        load 0xffff800000002000 pid 9
        load 0xffff800000002000 pid 7",
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles; 4 flags
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, s 0.1, d 0.1; 807 cycles; 4 flags
            (switch) mov-cr3 pcid=2 keep pid 9: drops nothing
            load 0x1000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.2, pdpte 0.2, pde 0.2, s 0.2, d 0.2; 807 cycles; 4 flags
            load 0xffff800000001000 4K L1 hit: d hit 0.1
            load 0xffff800000002000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.3, pdpte 0.3, pde 0.3, s 0.3, d 0.3; 807 cycles; 1 flags
            (switch) mov-cr3 pcid=0 keep pid 7: drops nothing
            load 0xffff800000002000 4K L1 hit: d hit 0.3
        "]],
    );
}

#[test]
fn without_a_shared_half_each_process_has_pages_of_its_own_there() {
    check(
        "{}",
        "load 0xffff800000001000 pid 7\nload 0xffff800000001000 pid 9",
        &expect![[r"
        load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles; 4 flags
        (switch) mov-cr3 pcid=1 keep pid 9: drops nothing
        load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, s 0.1, d 0.1; 807 cycles; 4 flags
    "]],
    );
}

#[test]
fn a_switch_spares_them_with_and_without_a_flush() {
    row(
        SHARED,
        "mov-cr3",
        &expect![[r"
        mov-cr3 pid 9: drops d 1, s 1, pde 1, pdpte 1, pml4e 1; global d 2, s 2
        load 0xffff800000001000 4K L1 hit: d hit 0.1
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
    row(
        SHARED,
        "mov-cr3 keep",
        &expect![[r"
        mov-cr3 keep pid 9: drops nothing
        load 0xffff800000001000 4K L1 hit: d hit 0.1
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
}

#[test]
fn invlpg_drops_them_at_its_address_and_spares_them_at_others() {
    row(
        SHARED,
        "invlpg 0xffff800000001fff",
        &expect![[r"
            invlpg 0xffff800000001fff pid 9: drops d 1, s 1, pde 1, pdpte 1, pml4e 1; global d 1, s 1
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.2, pdpte 0.2, pde 0.2, s 0.1, d 0.1; 807 cycles
            load 0xffff800000002000 4K L1 hit: d hit 0.2
        "]],
    );
    row(
        SHARED,
        "invlpg 0x1000",
        &expect![[r"
        invlpg 0x1000 pid 9: drops d 1, s 1, pde 1, pdpte 1, pml4e 1; global d 2, s 2
        load 0xffff800000001000 4K L1 hit: d hit 0.1
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
}

#[test]
fn only_the_second_type_of_invpcid_drops_them() {
    row(
        SHARED,
        "invpcid 0xffff800000001000 type=0",
        &expect![[r"
        invpcid 0xffff800000001000 type=0 pid 9: drops nothing; global d 2, s 2
        load 0xffff800000001000 4K L1 hit: d hit 0.1
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
    row(
        SHARED,
        "invpcid type=1",
        &expect![[r"
        invpcid type=1 pid 9: drops d 1, s 1, pde 1, pdpte 1, pml4e 1; global d 2, s 2
        load 0xffff800000001000 4K L1 hit: d hit 0.1
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
    row(
        SHARED,
        "invpcid type=2",
        &expect![[r"
            invpcid type=2 pid 9: drops d 4, s 4, pde 3, pdpte 3, pml4e 3
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles
            load 0xffff800000002000 4K walk: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1, d 0.1; 207 cycles
        "]],
    );
    row(
        SHARED,
        "invpcid type=3",
        &expect![[r"
        invpcid type=3 pid 9: drops d 2, s 2, pde 3, pdpte 3, pml4e 3; global d 2, s 2
        load 0xffff800000001000 4K L1 hit: d hit 0.1
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
}

#[test]
fn switching_global_pages_or_pcids_off_drops_them() {
    row(
        SHARED,
        "mov-cr4 pge=0",
        &expect![[r"
            mov-cr4 pge=0 pid 9: drops d 4, s 4, pde 3, pdpte 3, pml4e 3
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles
            load 0xffff800000002000 4K walk: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1, d 0.1; 207 cycles
        "]],
    );
    row(
        SHARED,
        "mov-cr4 pcide=0",
        &expect![[r"
            mov-cr4 pcide=0 pid 9: drops d 4, s 4, pde 3, pdpte 3, pml4e 3
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles
            load 0xffff800000002000 4K walk: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1, d 0.1; 207 cycles
        "]],
    );
}

#[test]
fn only_the_fourth_type_of_invvpid_spares_them() {
    row(
        GUEST,
        "invvpid 0xffff800000001000 type=0",
        &expect![[r"
        invvpid 0xffff800000001000 type=0 pid 9: drops d 1, s 1, pde 1, pdpte 1, pml4e 1; global d 1, s 1
        load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, s 0.1, d 0.1; 4807 cycles
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
    row(
        GUEST,
        "invvpid type=1",
        &expect![[r"
        invvpid type=1 pid 9: drops d 4, s 4, pde 3, pdpte 3, pml4e 3
        load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 4807 cycles
        load 0xffff800000002000 4K walk: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1, d 0.1; 1007 cycles
    "]],
    );
    row(
        GUEST,
        "invvpid type=2",
        &expect![[r"
        invvpid type=2 pid 9: drops d 4, s 4, pde 3, pdpte 3, pml4e 3
        load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 4807 cycles
        load 0xffff800000002000 4K walk: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.1, d 0.1; 1007 cycles
    "]],
    );
    row(
        GUEST,
        "invvpid type=3",
        &expect![[r"
        invvpid type=3 pid 9: drops d 2, s 2, pde 3, pdpte 3, pml4e 3; global d 2, s 2
        load 0xffff800000001000 4K L1 hit: d hit 0.1
        load 0xffff800000002000 4K L1 hit: d hit 0.2
    "]],
    );
}

/// While global pages are off, processes still share the kernel's page tables.
#[test]
fn while_global_pages_are_off_each_process_brings_its_own() {
    check(
        SHARED,
        "load 0xffff800000001000 pid 7
        mov-cr4 pge=0 pid 7
        load 0xffff800000001000 pid 7
        load 0xffff800000001000 pid 9
        mov-cr4 pge=1 pid 9
        load 0xffff800000001000 pid 9
        load 0xffff800000001000 pid 7",
        &expect![[r"
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles; 4 flags
            mov-cr4 pge=0 pid 7: drops d 1, s 1, pde 1, pdpte 1, pml4e 1
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles
            (switch) mov-cr3 pcid=2 keep pid 9: drops nothing
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, s 0.1, d 0.1; 807 cycles
            mov-cr4 pge=1 pid 9: drops d 2, s 2, pde 2, pdpte 2, pml4e 2
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles
            (switch) mov-cr3 pcid=0 keep pid 7: drops nothing
            load 0xffff800000001000 4K L1 hit: d hit 0.0
        "]],
    );
}

#[test]
fn what_is_unmapped_of_the_kernel_is_dropped_under_every_pcid() {
    row(
        SHARED,
        "munmap 0xffff800000001000 4096",
        &expect![[r"
            munmap 0xffff800000001000 4096 pid 9: drops d 1, s 1
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.3, pdpte 0.3, pde 0.3, s 0.1, d 0.1; 807 cycles; 1 flags
            load 0xffff800000002000 4K L1 hit: d hit 0.2
        "]],
    );
    row(
        SHARED,
        "munmap 0xffff800000001000 8192",
        &expect![[r"
            munmap 0xffff800000001000 8192 pid 9: drops d 2, s 2, pde 1, pdpte 1, pml4e 1
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, s 0.1, d 0.1; 807 cycles; 4 flags
            load 0xffff800000002000 4K fault: d miss 0, s miss 0; pde hit 0.1; reads 1; fills s 0.2, d 0.2; 207 cycles; 1 flags
        "]],
    );
}

#[test]
fn each_virtual_machine_has_a_kernel_of_its_own() {
    check(
        GUEST,
        "load 0xffff800000001000 pid 7
        vm-switch vm=2
        load 0xffff800000001000 pid 7
        load 0xffff800000001000 pid 9
        invvpid type=1 vpid=2
        load 0xffff800000001000 pid 9
        vm-switch vm=1
        load 0xffff800000001000 pid 8",
        &expect![[r"
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 4807 cycles; 4 flags
            vm-switch vm=2: drops nothing
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, s 0.1, d 0.1; 4807 cycles; 4 flags
            (switch) mov-cr3 pcid=4 keep pid 9: drops nothing
            load 0xffff800000001000 4K L1 hit: d hit 0.1
            (switch) mov-cr3 pcid=5 keep: drops nothing
            invvpid type=1 vpid=2: drops d 1, s 1, pde 1, pdpte 1, pml4e 1; global d 1, s 1
            (switch) mov-cr3 pcid=4 keep pid 9: drops nothing
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, s 0.1, d 0.1; 4807 cycles
            vm-switch vm=1: drops nothing
            (switch) mov-cr3 pcid=6 keep pid 8: drops nothing
            load 0xffff800000001000 4K L1 hit: d hit 0.0
        "]],
    );
}

/// A right that is added without a flush costs one fault, which drops the global translation.
#[test]
fn a_page_fault_drops_what_is_known_of_a_page_of_the_kernel() {
    check(
        SHARED,
        "load 0xffff800000001000 pid 7
        mprotect 0xffff800000001000 4096 r-- pid 7
        load 0xffff800000001000 pid 7
        mprotect 0xffff800000001000 4096 rw- no-flush pid 7
        store 0xffff800000001000 pid 7
        store 0xffff800000001000 pid 7",
        &expect![[r"
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles; 4 flags
            mprotect 0xffff800000001000 4096 r-- pid 7: drops d 1, s 1
            load 0xffff800000001000 4K walk: d miss 0, s miss 0; pde hit 0.0; reads 1; fills s 0.0, d 0.0; 207 cycles
            mprotect 0xffff800000001000 4096 rw- no-flush pid 7: drops nothing
            store 0x800000001000 #PF 0x7: the page may not be written
            store 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 807 cycles; 1 flags
        "]],
    );
}

/// The EPT violation of a store drops the global translation of its page.
#[test]
fn an_ept_violation_drops_what_is_known_of_a_page_of_the_kernel() {
    check(
        GUEST,
        "load 0xffff800000001000 pid 7
        host-protect 0xffff800000001000 r-- no-flush pid 7
        store 0xffff800000001000 pid 7",
        &expect![[r"
            load 0xffff800000001000 4K fault: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 4807 cycles; 4 flags
            host-protect 0xffff800000001000 r-- for=data no-flush pid 7: drops nothing
            store 0xffff800000001000 4K walk: d miss 0, s miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, s 0.0, d 0.0; 0x800000001 is shot down in d 0.0, 0x800000001 is shot down in s 0.0, 0x4000000 is shot down in pde 0.0, 0x20000 is shot down in pdpte 0.0, 0x100 is shot down in pml4e 0.0; 4807 cycles; 1 flags
        "]],
    );
}
