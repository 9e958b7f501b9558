//! Tests of the order of faults and exits, and of the entries that are dropped.

use expect_test::expect;

use crate::common;
use crate::{EPT, MACHINE, WITHOUT_FLAGS, last, line, steps};

/// Intel SDM vol. 3C, 28.2.3.3: six cases.
#[test]
fn page_faults_and_violations_come_in_the_order_of_the_walk() {
    // The guest table is not in the host's memory, so the violation comes before the page fault of its entry.
    last(
        MACHINE,
        "load 0x1000\n mprotect 0x1000 4096 none\n host-unmap 0x1000 for=gL1\n load 0x1000",
        &expect![[r"
            load 0x1000: 1 Flush; violation for gL1 0x83; #PF 0x4
        "]],
    );
    last(
        MACHINE,
        "load 0x1000\n mprotect 0x1000 4096 none\n load 0x1000",
        &expect![[r"
            load 0x1000: #PF 0x4
        "]],
    );
    // The guest's rights are checked before the host translates the data's address.
    last(
        MACHINE,
        "load 0x1000\n host-unmap 0x1000\n mprotect 0x1000 4096 r--\n store 0x1000",
        &expect![[r"
            store 0x1000: 1 Flush; #PF 0x7
        "]],
    );
    last(
        MACHINE,
        "load 0x1000\n host-unmap 0x1000\n store 0x1000",
        &expect![[r"
            store 0x1000: 1 Flush; violation for data 0x182; Walk, 15 refs
        "]],
    );
    // An entry with a reserved bit is never followed.
    last(
        MACHINE,
        "load 0x1000\n host-unmap 0x1000 for=gL2\n set-entry 0x1000 level=3 set=xd\n wrmsr nxe=0\n load 0x1000",
        &expect![[r"
            load 0x1000: 1 Flush; #PF 0xd
        "]],
    );
    let lines: String = steps(
        MACHINE,
        EPT,
        "load 0x1000 pid 7\n load 0x1000 pid 9\n host-unmap 0x1000 for=gL4 pid 7\n mov-cr3 pid 9
        mov-cr3 pid 7\n load 0x5000 pid 7",
    )
    .iter()
    .map(line)
    .collect();
    expect![[r"
        load 0x1000: Fault, 15 refs
        load 0x1000: Fault, 9 refs
        load 0x5000: 1 Flush; violation for gL4 0x83; violation for data 0x181; Fault, 15 refs
    "]]
    .assert_eq(&lines);
}

/// Intel SDM vol. 3C, table 27-7: the kind of access, the rights in the entries, whether there is a linear
/// address, and whether the violation is at its page.
#[test]
fn the_exit_qualification_says_what_was_tried_and_what_is_allowed() {
    let mut output = String::new();
    for (change, access) in [
        ("host-unmap 0x1000", "load"),
        ("host-unmap 0x1000", "store"),
        ("host-unmap 0x1000", "fetch"),
        ("host-protect 0x1000 none", "load"),
        ("host-protect 0x1000 r--", "load"),
        ("host-protect 0x1000 r--", "store"),
        ("host-protect 0x1000 rw-", "fetch"),
        ("host-protect 0x1000 --x", "load"),
        ("host-protect 0x1000 r-- for=gL1", "load"),
        ("host-unmap 0x1000 for=gL3", "load"),
    ] {
        let text = format!("load 0x1000\n {change}\n {access} 0x1000\n {access} 0x1000");
        for (machine, flags) in [(MACHINE, "with"), (WITHOUT_FLAGS, "without")] {
            let steps = steps(machine, EPT, &text);
            let (first, second) = (line(&steps[1]), line(&steps[2]));
            assert!(!second.contains("violation"), "{second}");
            output += &format!("{change} {flags} A/D, {first}");
        }
    }
    expect![[r"
        host-unmap 0x1000 with A/D, load 0x1000: 1 Flush; violation for data 0x181; Walk, 15 refs
        host-unmap 0x1000 without A/D, load 0x1000: 1 Flush; violation for data 0x181; Walk, 24 refs
        host-unmap 0x1000 with A/D, store 0x1000: 1 Flush; violation for data 0x182; Walk, 15 refs
        host-unmap 0x1000 without A/D, store 0x1000: 1 Flush; violation for data 0x182; Walk, 24 refs
        host-unmap 0x1000 with A/D, fetch 0x1000: 1 Flush; violation for data 0x184; Walk, 15 refs
        host-unmap 0x1000 without A/D, fetch 0x1000: 1 Flush; violation for data 0x184; Walk, 24 refs
        host-protect 0x1000 none with A/D, load 0x1000: 1 Flush; violation for data 0x181; Walk, 15 refs
        host-protect 0x1000 none without A/D, load 0x1000: 1 Flush; violation for data 0x181; Walk, 24 refs
        host-protect 0x1000 r-- with A/D, load 0x1000: 1 Flush; Walk, 15 refs
        host-protect 0x1000 r-- without A/D, load 0x1000: 1 Flush; Walk, 24 refs
        host-protect 0x1000 r-- with A/D, store 0x1000: 1 Flush; violation for data 0x18a; Walk, 15 refs
        host-protect 0x1000 r-- without A/D, store 0x1000: 1 Flush; violation for data 0x18a; Walk, 24 refs
        host-protect 0x1000 rw- with A/D, fetch 0x1000: 1 Flush; violation for data 0x19c; Walk, 15 refs
        host-protect 0x1000 rw- without A/D, fetch 0x1000: 1 Flush; violation for data 0x19c; Walk, 24 refs
        host-protect 0x1000 --x with A/D, load 0x1000: 1 Flush; violation for data 0x1a1; Walk, 15 refs
        host-protect 0x1000 --x without A/D, load 0x1000: 1 Flush; violation for data 0x1a1; Walk, 24 refs
        host-protect 0x1000 r-- for=gL1 with A/D, load 0x1000: 1 Flush; violation for gL1 0x8b; Walk, 15 refs
        host-protect 0x1000 r-- for=gL1 without A/D, load 0x1000: 1 Flush; Walk, 24 refs
        host-unmap 0x1000 for=gL3 with A/D, load 0x1000: 1 Flush; violation for gL3 0x83; Walk, 15 refs
        host-unmap 0x1000 for=gL3 without A/D, load 0x1000: 1 Flush; violation for gL3 0x81; Walk, 24 refs
    "]]
    .assert_eq(&output);
}

/// Reading a table of the guest is a write for the host only if the host's tables have flags.
#[test]
fn a_first_touch_writes_tables_of_the_guest_only_where_the_host_has_flags() {
    let mut output = String::new();
    for machine in [MACHINE, WITHOUT_FLAGS] {
        let step = steps(machine, EPT, "store 0x1000").remove(0);
        let violations = &step.translations[0].nested.as_ref().unwrap().violations;
        let codes = violations.iter().map(|v| format!("{} {}", v.purpose, v.qualification));
        output += &(codes.collect::<Vec<_>>().join(", ") + "\n");
    }
    expect![[r"
        gL4 0x83, gL3 0x83, gL2 0x83, gL1 0x83, data 0x182
        gL4 0x81, gL3 0x81, gL2 0x81, gL1 0x81, data 0x182
    "]]
    .assert_eq(&output);
}

/// Intel SDM vol. 3C, 28.2.4: if the host's tables have no flags, a read-only guest table can be read. It
/// causes a violation when a flag must be set in it.
#[test]
fn a_flag_of_the_guest_is_a_write_for_the_host() {
    let before = "load 0x1000\n host-protect 0x1000 r-- for=gL1";
    last(
        WITHOUT_FLAGS,
        &format!("{before}\n load 0x1000"),
        &expect![[r"
            load 0x1000: 1 Flush; Walk, 24 refs
        "]],
    );
    last(
        WITHOUT_FLAGS,
        &format!("{before}\n set-entry 0x1000 level=1 clear=a\n load 0x1000"),
        &expect![[r"
            load 0x1000: 1 Flush; violation for gL1 0x8a; Walk, 24 refs
        "]],
    );
    last(
        WITHOUT_FLAGS,
        &format!("{before}\n store 0x1000"),
        &expect![[r"
            store 0x1000: 1 Flush; violation for gL1 0x8a; Walk, 24 refs
        "]],
    );
}

/// Intel SDM vol. 3C, 28.2.3.1: a walk checks presence and format of each entry first, and the rights of all
/// entries at the end.
#[test]
fn a_misconfiguration_further_down_comes_before_a_right_that_lacks_above() {
    let both = "load 0x1000\n host-set-entry 0x1000 level=3 clear=w\n host-set-entry 0x1000 level=1 clear=r
        invept type=2\n store 0x1000";
    last(
        MACHINE,
        both,
        &expect![[r"
            store 0x1000: 1 EptMisconfiguration; EPT misconfiguration
        "]],
    );
    let right =
        "load 0x1000\n host-set-entry 0x1000 level=3 clear=w\n invept type=2\n store 0x1000";
    last(
        MACHINE,
        right,
        &expect![[r"
            store 0x1000: violation for data 0x1aa; Walk, 15 refs
        "]],
    );
    // The entry has an undefined memory type.
    let kind = "load 0x1000\n host-set-entry 0x1000 level=1 set=0x38\n invept type=2\n load 0x1000";
    last(
        MACHINE,
        kind,
        &expect![[r"
            load 0x1000: 1 EptMisconfiguration; EPT misconfiguration
        "]],
    );
}

/// A TLB has the rights that its walk found, in native and in nested walks.
#[test]
fn rights_are_stale_until_an_operation_drops_the_entries() {
    let text = "store 0x1000\n mprotect 0x1000 4096 r-- no-flush\n store 0x1000\n invlpg 0x1000
        store 0x1000\n load 0x1000";
    for (os, n) in [(EPT, 24), ("{}", 4)] {
        let output: String = steps("{}", os, text).iter().map(line).collect();
        assert_eq!(
            output,
            format!(
                "store 0x1000: Fault, {n} refs\nstore 0x1000: L1Hit, 0 refs\nstore 0x1000: #PF 0x7\nload 0x1000: Walk, {n} refs\n"
            )
        );
    }
}

/// Intel SDM vol. 3C, 28.3.3: the linear, combined and guest-physical mappings that each operation drops.
#[test]
fn operations_drop_what_the_manual_says_of_each_kind_of_mapping() {
    let warm = "load 0x1000\n load 0x40001000";
    let mut output = String::new();
    for (name, os) in [("linear", r#"{"virt": "shadow"}"#), ("combined and guest-physical", EPT)] {
        output += &format!("{name}\n");
        for op in [
            "invlpg 0x1000",
            "mov-cr3",
            "invpcid type=2",
            "invvpid 0x1000 type=0",
            "invvpid type=1",
            "invvpid type=1 vpid=2",
            "invvpid type=2",
            "invvpid type=3",
            "invept type=1",
            "invept type=1 eptp=0xffff000",
            "invept type=2",
            "host-unmap 0x1000",
            "host-unmap 0x1000 no-flush",
        ] {
            let lines = common::ops::run(MACHINE, os, &format!("{warm}\n {op}\n load 0x1000"));
            output += lines.lines().find(|line| line.contains("drops")).unwrap();
            output += "\n";
        }
    }
    expect![[r"
        linear
        invlpg 0x1000: drops d 1, pde 2
        mov-cr3: drops d 2, pde 2
        invpcid type=2: drops d 2, pde 2
        invvpid 0x1000 type=0: drops d 1, pde 1
        invvpid type=1: drops d 2, pde 2
        invvpid type=1 vpid=2: drops nothing
        invvpid type=2: drops d 2, pde 2
        invvpid type=3: drops d 2, pde 2
        invept type=1: drops nothing
        invept type=1 eptp=0xffff000: drops nothing
        invept type=2: drops nothing
        host-unmap 0x1000 for=data: drops d 1, pde 1
        host-unmap 0x1000 for=data no-flush: drops nothing
        combined and guest-physical
        invlpg 0x1000: drops d 1, pde 2
        mov-cr3: drops d 2, pde 2
        invpcid type=2: drops d 2, pde 2
        invvpid 0x1000 type=0: drops d 1, pde 1
        invvpid type=1: drops d 2, pde 2
        invvpid type=1 vpid=2: drops nothing
        invvpid type=2: drops d 2, pde 2
        invvpid type=3: drops d 2, pde 2
        invept type=1: drops d 2, pde 2, nested TLB 6, EPT pde 2
        invept type=1 eptp=0xffff000: drops nothing
        invept type=2: drops d 2, pde 2, nested TLB 6, EPT pde 2
        host-unmap 0x1000 for=data: drops d 2, pde 2, nested TLB 6, EPT pde 2
        host-unmap 0x1000 for=data no-flush: drops nothing
    "]]
    .assert_eq(&output);
}

/// A violation drops the mappings of its address, and no others.
#[test]
fn a_violation_drops_the_mappings_of_its_addresses_only() {
    let text =
        "load 0x1000\n load 0x2000\n host-protect 0x1000 r-- no-flush\n store 0x1000\n load 0x2000";
    expect![[r"
        load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills EPT pde 0.0, nested TLB 0.0, nested TLB 0.1, nested TLB 0.2, nested TLB 0.3, pde 0.0, EPT pde 0.1, d 0.0; 3000 cycles; 4 flags
        load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 400 cycles; 1 flags
        host-protect 0x1000 r-- for=data no-flush: drops nothing
        store 0x1000 4K walk: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, EPT pde 0.1, d 0.0; 0x1 is shot down in d 0.0, 0x0 is shot down in pde 0.0, 0x8000 is shot down in EPT pde 0.1; 1600 cycles; 1 flags
        load 0x2000 4K L1 hit: d hit 0.1
    "]]
    .assert_eq(&common::ops::run(MACHINE, EPT, text));
}
