//! Tests of accesses that end as page faults, and of mappings that change while the TLB keeps old translations.

use crate::common::ops;
use expect_test::{Expect, expect};

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 8}], "psc": {"pde": {"entries": 4}}}"#;

fn run(scenario: &str) -> String {
    ops::run(MACHINE, "{}", scenario)
}

#[track_caller]
fn check(os: &str, scenario: &str, expected: &Expect) {
    expected.assert_eq(&ops::run(MACHINE, os, scenario));
}

/// Fact O9: the error codes of Intel SDM vol. 3, 4.7. The page of 0x1000 was used before.
#[test]
fn every_page_fault_has_the_error_code_of_the_manual() {
    for (situation, scenario, code) in [
        ("user read, not present", "mprotect 0x1000 4096 none\nload 0x1000", "0x4"),
        ("user write, not present", "mprotect 0x1000 4096 none\nstore 0x1000", "0x6"),
        ("user fetch, not present", "mprotect 0x1000 4096 none\nfetch 0x1000", "0x14"),
        ("user write to a read-only page", "mprotect 0x1000 4096 r-x\nstore 0x1000", "0x7"),
        (
            "supervisor write to a read-only page, WP",
            "mprotect 0x1000 4096 r-x\nsyscall\nstore 0x1000",
            "0x3",
        ),
        ("user fetch, XD", "mprotect 0x1000 4096 rw-\nfetch 0x1000", "0x15"),
        ("user read of a supervisor page", "set-entry 0x1000 level=1 clear=u\nload 0x1000", "0x5"),
        ("supervisor fetch of a user page, SMEP", "mov-cr4 smep=1\nsyscall\nfetch 0x1000", "0x11"),
        ("supervisor read of a user page, SMAP", "mov-cr4 smap=1\nsyscall\nload 0x1000", "0x1"),
        (
            "user read, reserved bit",
            "wrmsr nxe=0\nset-entry 0x1000 level=1 set=xd\nload 0x1000",
            "0xd",
        ),
        (
            "supervisor write, reserved bit",
            "wrmsr nxe=0\nset-entry 0x1000 level=1 set=xd\nsyscall\nstore 0x1000",
            "0xb",
        ),
        (
            "user read, key with AD",
            "mov-cr4 pke=1\nmprotect 0x1000 4096 rw- key=1\nwrpkru 0x4\nload 0x1000",
            "0x25",
        ),
        (
            "user write, key with WD",
            "mov-cr4 pke=1\nmprotect 0x1000 4096 rw- key=1\nwrpkru 0x8\nstore 0x1000",
            "0x27",
        ),
    ] {
        let output = run(&format!("store 0x1000\n{scenario}"));
        let last = output.lines().last().unwrap();
        assert!(last.contains(&format!(" #PF {code}: ")), "{situation}: {last}");
    }
}

#[test]
fn an_allowed_access_has_no_fault() {
    for scenario in [
        "mprotect 0x1000 4096 r--\nload 0x1000",
        "mprotect 0x1000 4096 r--\nstore 0x2000",
        "mprotect 0x1000 4096 r--\nmprotect 0x1000 4096 rw-\nstore 0x1000",
        "mprotect 0x1000 4096 r--\nmunmap 0x1000 4096\nstore 0x1000",
        "mprotect 0x1000 4096 r--\nmov-cr0 wp=0\nsyscall\nstore 0x1000",
        "mov-cr4 smap=1\nsyscall\nstac\nload 0x1000",
        "mov-cr4 smep=1\nfetch 0x1000",
        "mov-cr4 pke=1\nmprotect 0x1000 4096 rw- key=1\nwrpkru 0x8\nload 0x1000",
        "mprotect 0x1000 4096 rw- key=1\nwrpkru 0xc\nload 0x1000",
        "mov-cr4 pke=1\nmprotect 0x1000 4096 rwx key=1\nwrpkru 0xc\nfetch 0x1000",
        "mprotect 0x1000 4096 r--\nstore 0x1000 pid 7",
        "mprotect 0x1000 4096 none\nprefetch 0x1000",
    ] {
        let output = run(&format!("store 0x1000\n{scenario}"));
        assert!(!output.contains("#PF") && !output.contains("Unsupported"), "{scenario}: {output}");
    }
}

#[test]
fn a_page_that_is_mapped_later_has_the_rights_of_its_range() {
    check(
        "{}",
        "load 0x5000
        mprotect 0x1000 8192 r--
        load 0x1000
        store 0x1000
        store 0x2000",
        &expect![[r"
            load 0x5000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            mprotect 0x1000 8192 r--: drops nothing
            load 0x1000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 200 cycles; 1 flags
            store 0x1000 #PF 0x7: the page may not be written
            store 0x2000 #PF 0x6: the page is not present
        "]],
    );
}

/// A huge page has one entry, so it has the same rights and the same protection key everywhere.
#[test]
fn khugepaged_leaves_a_block_with_several_rights_or_keys_alone() {
    let os = r#"{"default": "thp", "map": "none", "thp": {"at_fault": false, "khugepaged": {"every": 4}}}"#;
    for (change, size) in [
        ("mprotect 0x201000 4096 r-x", "4K"),
        ("mprotect 0x201000 4096 rwx key=1", "4K"),
        ("mprotect 0x200000 2097152 r-x", "2M"),
        ("mprotect 0x200000 2097152 rwx key=1", "2M"),
    ] {
        let text = format!(
            "load 0x200000\n load 0x201000\n {change}\n load 0x200000\n load 0x201000
            load 0x600000\n load 0x201000"
        );
        let output = ops::run(MACHINE, os, &text);
        let last = output.lines().last().unwrap();
        assert!(last.starts_with(&format!("load 0x201000 {size} ")), "{change}:\n{output}");
    }
}

#[test]
fn unmapping_drops_pages_and_tables_and_the_next_touch_faults() {
    check(
        "{}",
        "load 0x1000
        load 0x2000
        munmap 0x1000 4096
        load 0x2000
        load 0x1000
        munmap 0x1000 8192
        load 0x1000
        madvise 0x1000 4096 dontneed
        load 0x1000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 200 cycles; 1 flags
            munmap 0x1000 4096: drops d 1
            load 0x2000 4K L1 hit: d hit 0.1
            load 0x1000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.0; 200 cycles; 1 flags
            munmap 0x1000 8192: drops d 2, pde 1
            load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            madvise 0x1000 4096 dontneed: drops d 1
            load 0x1000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.0; 200 cycles; 1 flags
        "]],
    );
}

/// Entries that were not dropped are still used.
#[test]
fn without_a_shootdown_the_processor_uses_stale_translations() {
    check(
        "{}",
        "store 0x1000
        munmap 0x1000 4096 no-flush
        load 0x1000
        invlpg 0x1000
        load 0x1000
        mprotect 0x1000 4096 r-- no-flush
        store 0x1000
        invlpg 0x1000
        store 0x1000",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 5 flags
            munmap 0x1000 4096 no-flush: drops nothing
            load 0x1000 4K L1 hit: d hit 0.0
            invlpg 0x1000: drops d 1, pde 1
            load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            mprotect 0x1000 4096 r-- no-flush: drops nothing
            store 0x1000 4K L1 hit: d hit 0.0; 1 flags
            invlpg 0x1000: drops d 1, pde 1
            store 0x1000 #PF 0x7: the page may not be written
        "]],
    );
}

/// Intel SDM vol. 3, 4.10.4.3: a right that is added without a flush costs one fault. The fault drops the
/// entries of the page, and of no other page.
#[test]
fn a_page_fault_is_not_repeated_for_what_the_tables_say_no_more() {
    check(
        "{}",
        "load 0x1000
        load 0x2000
        load 0x200000
        mprotect 0x1000 4096 r--
        load 0x1000
        mprotect 0x1000 4096 rw- no-flush
        store 0x1000
        store 0x1000
        load 0x2000
        load 0x201000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 200 cycles; 1 flags
            load 0x200000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.1, d 0.2; 800 cycles; 2 flags
            mprotect 0x1000 4096 r--: drops d 1
            load 0x1000 4K walk: d miss 0; pde hit 0.0; reads 1; fills d 0.0; 200 cycles
            mprotect 0x1000 4096 rw- no-flush: drops nothing
            store 0x1000 #PF 0x7: the page may not be written
            store 0x1000 4K walk: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 1 flags
            load 0x2000 4K L1 hit: d hit 0.1
            load 0x201000 4K fault: d miss 0; pde hit 0.1; reads 1; fills d 0.3; 200 cycles; 1 flags
        "]],
    );
}

/// A fault at any address of a page drops all its pieces.
#[test]
fn a_page_fault_drops_every_piece_of_its_page() {
    let machine = r#"{"l1": [{"name": "d", "pages": ["4K"], "fragments": ["2M"], "entries": 16}]}"#;
    let output = ops::run(
        machine,
        r#"{"default": "2M"}"#,
        "load 0x200000
        load 0x201000
        mprotect 0x200000 2097152 r--
        load 0x200000
        load 0x201000
        mprotect 0x200000 2097152 rw- no-flush
        store 0x200000
        store 0x200000
        store 0x201000",
    );
    expect![[r"
        load 0x200000 2M fault: d miss 0; reads 4 3 2; fills d 0.0; 600 cycles; 3 flags
        load 0x201000 2M walk: d miss 0; reads 4 3 2; fills d 0.1; 600 cycles
        mprotect 0x200000 2097152 r--: drops d 2
        load 0x200000 2M walk: d miss 0; reads 4 3 2; fills d 0.0; 600 cycles
        load 0x201000 2M walk: d miss 0; reads 4 3 2; fills d 0.1; 600 cycles
        mprotect 0x200000 2097152 rw- no-flush: drops nothing
        store 0x200000 #PF 0x7: the page may not be written
        store 0x200000 2M walk: d miss 0; reads 4 3 2; fills d 0.0; 600 cycles; 1 flags
        store 0x201000 2M walk: d miss 0; reads 4 3 2; fills d 0.1; 600 cycles
    "]]
    .assert_eq(&output);
}

#[test]
fn a_transparent_huge_page_is_split_where_a_part_has_other_rights() {
    check(
        r#"{"default": "thp", "map": "none"}"#,
        "store 0x200000
        mprotect 0x201000 4096 r--
        store 0x200000
        store 0x201000
        mprotect 0x401000 4096 r--
        store 0x400000
        store 0x600000",
        &expect![[r"
            store 0x200000 2M fault: d miss 0; reads 4 3 2; fills d 0.0; 600 cycles; 4 flags
            mprotect 0x201000 4096 r--: drops d 1
            store 0x200000 4K walk: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 1 flags
            store 0x201000 #PF 0x7: the page may not be written
            mprotect 0x401000 4096 r--: drops nothing
            store 0x400000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.1; 800 cycles; 3 flags
            store 0x600000 2M fault: d miss 0; reads 4 3 2; fills d 0.2; 600 cycles; 2 flags
        "]],
    );
}

#[test]
fn a_copy_on_write_is_no_protection_fault() {
    check(
        r#"{"regions": [{"start": "0", "end": "0x10000", "pages": "4K", "copy_on_write": true}]}"#,
        "load 0x1000
        store 0x1000
        mprotect 0x2000 4096 r--
        load 0x2000
        store 0x2000
        mprotect 0x2000 4096 rw-
        store 0x2000
        syscall
        load 0x3000
        store 0x3000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            store 0x1000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.0; 0x1 is shot down in d 0.0; 200 cycles; 2 flags
            mprotect 0x2000 4096 r--: drops nothing
            load 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 200 cycles; 1 flags
            store 0x2000 #PF 0x7: the page may not be written
            mprotect 0x2000 4096 rw-: drops nothing
            store 0x2000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.1; 800 cycles; 2 flags
            syscall: drops nothing
            load 0x3000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.2; 200 cycles; 1 flags
            store 0x3000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.2; 0x3 is shot down in d 0.2; 200 cycles; 2 flags
        "]],
    );
}

#[test]
fn what_cannot_be_done_ends_the_run_with_a_reason() {
    for (os, scenario, reason) in [
        (
            r#"{"default": "2M"}"#,
            "load 0x0\nmunmap 0x1000 4096\nload 0x0",
            "BadTrace: before access 1: `munmap 0x1000 4096`: 0x1000 to 0x1fff covers the page of 2M at 0x0 in part: unmap whole pages",
        ),
        (
            r#"{"default": "2M"}"#,
            "load 0x0\nmprotect 0x1000 4096 r--\nload 0x0",
            "0x1000 to 0x1fff covers the page of 2M at 0x0 in part: give rights to whole pages",
        ),
        (
            "{}",
            "load 0x0\nset-entry 0x40000000 level=1 set=a\nload 0x0",
            "BadTrace: before access 1: `set-entry 0x40000000 level=1 set=0x20`: there is no entry of level 1 at 0x40000000 yet: access the page first, or choose another level",
        ),
        (
            "{}",
            "load 0x0\nset-entry 0x0 level=1 clear=p\nload 0x0",
            "Unsupported: before access 1: `set-entry 0x0 level=1 clear=0x1`: only the operating system changes the address, P and PS: use munmap to unmap the page",
        ),
        (
            "{}",
            "load 0x0\nmunmap 0x7ffffffff000 18446462598732849152\nload 0x0",
            "0x7ffffffff000 to 0xffff800000000fff is no range of this machine's addresses",
        ),
        (
            "{}",
            "load 0x0\nmprotect 0x800000000000 4096 r--\nload 0x0",
            "0x800000000000 to 0x800000000fff is no range of this machine's addresses",
        ),
    ] {
        let output = ops::run(MACHINE, os, scenario);
        assert!(output.contains(reason), "{scenario}: {output}");
    }
}
