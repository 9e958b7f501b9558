//! Tests of several virtual machines on one core, and of the entries that a switch or an operation drops (Intel SDM
//! vol. 3C, 28.3).

use expect_test::{Expect, expect};

/// A machine that is large enough to evict nothing.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 32}], "psc": {"pde": {"entries": 8}},
    "virt": {"nested_tlb": {"entries": 32}, "ept_psc": {"pde": {"entries": 8}}}}"#;
const NO_VPIDS: &str = r#"{"l1": [{"name": "d", "entries": 32}], "psc": {"pde": {"entries": 8}},
    "virt": {"vpid": false, "nested_tlb": {"entries": 32}, "ept_psc": {"pde": {"entries": 8}}}}"#;
const AMD: &str = r#"{"l1": [{"name": "d", "entries": 32}],
    "virt": {"style": "pwc-2d", "nested_tlb": {"entries": 32}, "pwc": {"entries": 64}}}"#;
const EPT: &str = r#"{"virt": "ept"}"#;
const SHADOW: &str = r#"{"virt": "shadow"}"#;

/// Runs a scenario, and compares the entries that operations drop and the outcomes of accesses.
#[track_caller]
fn check(machine: &str, os: &str, text: &str, expected: &Expect) {
    let output = crate::common::ops::run(machine, os, text);
    let short = |line: &str| match line.split_once(": d ") {
        Some((access, _)) => access.to_owned(),
        None => line.to_owned(),
    };
    expected.assert_eq(&output.lines().map(|line| short(line) + "\n").collect::<String>());
}

/// Both virtual machines have a page at the same address, and tables at the same guest-physical addresses.
#[test]
fn each_virtual_machine_has_its_own_memory_after_a_switch_back() {
    let text =
        "load 0x1000\n vm-switch vm=2\n load 0x1000\n load 0x1000\n vm-switch vm=1\n load 0x1000";
    let expected = expect![[r"
        load 0x1000 4K fault
        vm-switch vm=2: drops nothing
        load 0x1000 4K fault
        load 0x1000 4K L1 hit
        vm-switch vm=1: drops nothing
        load 0x1000 4K L1 hit
    "]];
    for os in [EPT, SHADOW, r#"{"virt": "shadow", "host": {"default": "4K"}}"#] {
        check(MACHINE, os, text, &expected);
    }
    check(AMD, EPT, text, &expected);
}

/// Two processes in virtual machine 1, and one in virtual machine 2, which is running.
const WARM: &str = "load 0x1000 pid 7
    load 0x1000 pid 9
    vm-switch vm=2
    load 0x1000 pid 7
    load 0x40001000 pid 7";

/// Compares the number of entries that each operation drops, for each structure.
#[track_caller]
fn drops(machine: &str, os: &str, ops: &[&str], expected: &Expect) {
    let mut output = String::new();
    for op in ops {
        let lines = crate::common::ops::run(
            machine,
            os,
            &format!("{WARM}\n {op} pid 7\n load 0x1000 pid 7"),
        );
        let line = lines.lines().find(|line| {
            line.contains(": drops") && !line.starts_with("vm-") && !line.starts_with('(')
        });
        output += line.unwrap_or_else(|| lines.lines().last().unwrap());
        output += "\n";
    }
    expected.assert_eq(&output);
}

/// An operation of the guest drops entries with its VPID. An operation of the host drops entries with the VPID
/// or EPT pointer that it names.
#[test]
fn an_operation_drops_what_is_under_the_vpid_or_the_ept_pointer_that_it_names() {
    let ops = [
        "invlpg 0x1000",
        "mov-cr3",
        "invpcid type=2",
        "mov-cr4 pge=0",
        "invvpid 0x1000 type=0",
        "invvpid 0x1000 type=0 vpid=1",
        "invvpid type=1",
        "invvpid type=1 vpid=1",
        "invvpid type=1 vpid=3",
        "invvpid type=2",
        "invvpid type=3 vpid=1",
        "invept type=1",
        "invept type=1 eptp=0x200000",
        "invept type=1 eptp=0x2000000",
        "invept type=2",
        "host-unmap 0x1000",
    ];
    drops(
        MACHINE,
        EPT,
        &ops,
        &expect![[r"
        invlpg 0x1000 pid 7: drops d 1, pde 2
        mov-cr3 pid 7: drops d 2, pde 2
        invpcid type=2 pid 7: drops d 2, pde 2
        mov-cr4 pge=0 pid 7: drops d 2, pde 2
        invvpid 0x1000 type=0 pid 7: drops d 1, pde 1
        invvpid 0x1000 type=0 vpid=1 pid 7: drops d 2, pde 2
        invvpid type=1 pid 7: drops d 2, pde 2
        invvpid type=1 vpid=1 pid 7: drops d 2, pde 2
        invvpid type=1 vpid=3 pid 7: drops nothing
        invvpid type=2 pid 7: drops d 4, pde 4
        invvpid type=3 vpid=1 pid 7: drops d 2, pde 2
        invept type=1 pid 7: drops d 2, pde 2, nested TLB 6, EPT pde 2
        invept type=1 eptp=0x200000 pid 7: drops d 2, pde 2, nested TLB 8, EPT pde 2
        invept type=1 eptp=0x2000000 pid 7: drops nothing
        invept type=2 pid 7: drops d 4, pde 4, nested TLB 14, EPT pde 4
        host-unmap 0x1000 for=data pid 7: drops d 2, pde 2, nested TLB 6, EPT pde 2
    "]],
    );
    drops(
        AMD,
        EPT,
        &ops[4..],
        &expect![[r"
        invvpid 0x1000 type=0 pid 7: drops d 1
        invvpid 0x1000 type=0 vpid=1 pid 7: drops d 2
        invvpid type=1 pid 7: drops d 2
        invvpid type=1 vpid=1 pid 7: drops d 2
        invvpid type=1 vpid=3 pid 7: drops nothing
        invvpid type=2 pid 7: drops d 4
        invvpid type=3 vpid=1 pid 7: drops d 2
        invept type=1 pid 7: drops d 2, nested TLB 6, page walk cache 21
        invept type=1 eptp=0x200000 pid 7: drops d 2, nested TLB 8, page walk cache 21
        invept type=1 eptp=0x2000000 pid 7: drops nothing
        invept type=2 pid 7: drops d 4, nested TLB 14, page walk cache 21
        host-unmap 0x1000 for=data pid 7: drops d 2, nested TLB 6, page walk cache 21
    "]],
    );
    drops(
        MACHINE,
        SHADOW,
        &ops[..12],
        &expect![[r"
        invlpg 0x1000 pid 7: drops d 1, pde 2
        mov-cr3 pid 7: drops d 2, pde 2
        invpcid type=2 pid 7: drops d 2, pde 2
        mov-cr4 pge=0 pid 7: drops d 2, pde 2
        invvpid 0x1000 type=0 pid 7: drops d 1, pde 1
        invvpid 0x1000 type=0 vpid=1 pid 7: drops d 2, pde 2
        invvpid type=1 pid 7: drops d 2, pde 2
        invvpid type=1 vpid=1 pid 7: drops d 2, pde 2
        invvpid type=1 vpid=3 pid 7: drops nothing
        invvpid type=2 pid 7: drops d 4, pde 4
        invvpid type=3 vpid=1 pid 7: drops d 2, pde 2
        invept type=1 pid 7: drops nothing
    "]],
    );
}

/// The VPID of a virtual machine may change. Entries with the old VPID do not hit any more, and must be dropped
/// before the VPID is used again.
#[test]
fn entries_are_found_under_the_vpid_that_they_were_filled_under() {
    check(
        MACHINE,
        EPT,
        "load 0x1000\n vm-switch vm=1 vpid=5\n load 0x1000\n invvpid type=1 vpid=1\n vm-switch vm=1 vpid=1\n load 0x1000",
        &expect![[r"
            load 0x1000 4K fault
            vm-switch vm=1 vpid=5: drops nothing
            load 0x1000 4K walk
            invvpid type=1 vpid=1: drops d 1, pde 1
            vm-switch vm=1 vpid=1: drops nothing
            load 0x1000 4K walk
        "]],
    );
}

/// INVVPID and changes of the tables drop all pieces of a page.
#[test]
fn a_large_page_of_another_virtual_machine_is_dropped_in_all_its_pieces() {
    check(
        MACHINE,
        r#"{"virt": "ept", "default": "2M"}"#,
        "load 0x1000\n load 0x2000\n load 0x200000\n vm-switch vm=2\n invvpid 0x1fffff type=0 vpid=1\n load 0x0",
        &expect![[r"
            load 0x1000 4K fault
            load 0x2000 4K walk
            load 0x200000 4K fault
            vm-switch vm=2: drops nothing
            invvpid 0x1fffff type=0 vpid=1: drops d 2
            load 0x0 4K fault
        "]],
    );
}

/// Every VM exit drops entries, also exits for first touches of the host's memory.
#[test]
fn without_vpids_an_exit_drops_all_but_guest_physical_mappings() {
    let text = "load 0x1000\n load 0x2000\n load 0x1000\n load 0x2000\n vm-switch vm=2\n vm-switch vm=1\n load 0x1000";
    let output = crate::common::ops::run(NO_VPIDS, EPT, text);
    expect![[r"
        load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills EPT pde 0.0, nested TLB 0.0, nested TLB 0.1, nested TLB 0.2, nested TLB 0.3, pde 0.0, EPT pde 0.1, d 0.0; 3000 cycles; 4 flags
        load 0x2000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 0x1 is dropped by an exit in d 0.0, 0x0 is dropped by an exit in pde 0.0; 1000 cycles; 1 flags
        load 0x1000 4K walk: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 400 cycles
        load 0x2000 4K L1 hit: d hit 0.0
        vm-switch vm=2: drops d 2, pde 1
        vm-switch vm=1: drops nothing
        load 0x1000 4K walk: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 1000 cycles
    "]].assert_eq(&output);
    check(
        NO_VPIDS,
        SHADOW,
        text,
        &expect![[r"
        load 0x1000 4K fault
        load 0x2000 4K fault
        load 0x1000 4K walk
        load 0x2000 4K L1 hit
        vm-switch vm=2: drops d 2, pde 1
        vm-switch vm=1: drops nothing
        load 0x1000 4K walk
    "]],
    );
}

#[test]
fn impossible_operations_are_errors() {
    let mut output = String::new();
    for (machine, os, text) in [
        (MACHINE, "{}", "vm-switch vm=2"),
        (NO_VPIDS, EPT, "vm-switch vm=2 vpid=2"),
        (NO_VPIDS, EPT, "invvpid type=2"),
        (MACHINE, SHADOW, "vm-switch vm=2 vpid=1"),
        (AMD, EPT, "vm-switch vm=2 asid=1"),
        (MACHINE, EPT, "vm-switch vm=1 vpid=5\n vm-switch vm=1 vpid=1"),
        // Here the EPT pointer distinguishes the entries, or there are none left.
        (MACHINE, EPT, "vm-switch vm=2 vpid=1"),
        (MACHINE, SHADOW, "invvpid type=1\n vm-switch vm=2 vpid=1"),
    ] {
        let lines =
            crate::common::ops::run(machine, os, &format!("load 0x1000\n {text}\n load 0x1000"));
        output += lines.lines().last().unwrap();
        output += "\n";
    }
    expect![[r"
        Unsupported: before access 1: `vm-switch vm=2` cannot be simulated: there is no host: virtualise memory with ept or shadow
        Unsupported: before access 1: `vm-switch vm=2 vpid=2` cannot be simulated: the machine has no VPIDs (virt.vpid is false)
        Unsupported: before access 1: `invvpid type=2` cannot be simulated: the machine has no VPIDs (virt.vpid is false)
        Unsupported: before access 1: `vm-switch vm=2 vpid=1` cannot be simulated: VPID 1 still has entries of another owner, which would hit: give another vpid, or execute invvpid first
        Unsupported: before access 1: `vm-switch vm=2 vpid=1` cannot be simulated: VPID 1 still has entries of another owner, which would hit: give another vpid, or execute invvpid first
        Unsupported: before access 1: `vm-switch vm=1 vpid=1` cannot be simulated: VPID 1 still has entries of another owner, which would hit: give another vpid, or execute invvpid first
        load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills EPT pde 0.2, nested TLB 0.4, nested TLB 0.5, nested TLB 0.6, nested TLB 0.7, pde 0.1, EPT pde 0.3, d 0.1; 3000 cycles; 4 flags
        load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
    "]].assert_eq(&output);
}
