//! Tests of fork(2): the pages that parent and child share, the copies, and the shootdowns.

use crate::common::ops;
use crate::support;
use expect_test::{Expect, expect};

const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 8}], "psc": {"pde": {"entries": 4}}}"#;

#[track_caller]
fn check(os: &str, scenario: &str, expected: &Expect) {
    expected.assert_eq(&ops::run(MACHINE, os, scenario));
}

/// Parent and child write both pages: the first writer copies each page.
#[test]
fn the_first_writer_copies_and_the_last_owner_keeps() {
    check(
        "{}",
        "store 0x1000
        store 0x2000
        fork child=7
        load 0x1000
        store 0x1000
        store 0x1000 pid 7
        store 0x2000 pid 7
        store 0x2000",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 5 flags
            store 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 200 cycles; 2 flags
            fork child=7: drops d 2
            load 0x1000 4K walk: d miss 0; pde hit 0.0; reads 1; fills d 0.0; 200 cycles
            store 0x1000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.0; 0x1 is shot down in d 0.0; 200 cycles; 2 flags
            (switch) mov-cr3 pcid=1 keep pid 7: drops nothing
            store 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.1, d 0.1; 800 cycles; 5 flags
            store 0x2000 4K fault: d miss 0; pde hit 0.1; reads 1; fills d 0.2; 200 cycles; 2 flags
            (switch) mov-cr3 pcid=0 keep: drops nothing
            store 0x2000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.3; 200 cycles; 2 flags
        "]],
    );
    support::check(
        "{}",
        "store 0x1000
        store 0x2000
        fork child=7
        store 0x1000
        store 0x1000 pid 7
        store 0x2000 pid 7
        store 0x2000",
        &expect![[r"
            pages: 4K 4, table_pages 8
            KiB: mapped 16, tables 32
            faults: first touch 2, copy on write 4
            system: reused 2, shootdowns 3, dropped 2
        "]],
    );
}

#[test]
fn a_child_that_only_reads_shares_everything() {
    support::check(
        "{}",
        "store 0x1000
        store 0x2000
        fork child=7
        load 0x1000 pid 7
        load 0x2000 pid 7
        load 0x3000 pid 7",
        &expect![[r"
            pages: 4K 5, table_pages 8
            KiB: mapped 20, shared 8, tables 32
            faults: first touch 3
            system: shootdowns 1, dropped 2
        "]],
    );
}

/// With three owners, there are two copies. The last owner keeps the page.
#[test]
fn a_grandchild_is_an_owner_of_its_own() {
    support::check(
        "{}",
        "store 0x1000
        fork child=7
        fork child=8 pid 7
        store 0x1000 pid 8
        store 0x1000 pid 7
        store 0x1000",
        &expect![[r"
            pages: 4K 3, table_pages 12
            KiB: mapped 12, tables 48
            faults: first touch 1, copy on write 3
            system: reused 1, shootdowns 4, dropped 1
        "]],
    );
}

/// After one side unmaps a page, the other side is its only owner.
#[test]
fn what_is_unmapped_has_an_owner_less() {
    support::check(
        "{}",
        "store 0x1000
        fork child=7
        munmap 0x1000 4096
        store 0x1000 pid 7",
        &expect![[r"
            pages: 4K 1, table_pages 5
            KiB: mapped 4, tables 20
            faults: first touch 1, copy on write 1
            system: reused 1, shootdowns 2, dropped 1
        "]],
    );
}

/// As in Linux, fork does not copy mappings of files and shared memory: the child maps them at its first touch.
#[test]
fn files_and_shared_memory_are_found_at_the_childs_first_touch() {
    support::check(
        r#"{"regions": [
            {"start": "0x400000", "end": "0x500000", "pages": "4K", "kind": "text"},
            {"start": "0x500000", "end": "0x600000", "pages": "4K", "kind": "shared"},
            {"start": "0x600000", "end": "0x700000", "pages": "4K", "kind": "file", "copy_on_write": true}]}"#,
        "fetch 0x400000
        store 0x500000
        load 0x600000
        store 0x601000
        fork child=7
        fetch 0x400000 pid 7
        store 0x500000 pid 7
        load 0x600000 pid 7
        store 0x601000 pid 7
        store 0x600000 pid 7
        store 0x600000",
        &expect![[r"
            pages: 4K 8, table_pages 10
            KiB: mapped 32, shared 8, tables 40
            faults: shared 5, copy on write 4
            system: shootdowns 4, dropped 5
            0x400000..0x500000 text [config] 4K: 2 × 4K
            0x500000..0x600000 shared [config] 4K: 2 × 4K
            0x600000..0x700000 file [config] 4K: 4 × 4K
        "]],
    );
}

/// Since Linux 5.8 a shared huge page is split, and a small page is copied. A huge page without other owners
/// stays whole.
#[test]
fn a_transparent_huge_page_is_split_before_a_part_is_copied() {
    let os = r#"{"default": "thp", "map": "none"}"#;
    check(
        os,
        "store 0x200000
        fork child=7
        store 0x201000
        store 0x202000
        store 0x202000 pid 7",
        &expect![[r"
            store 0x200000 2M fault: d miss 0; reads 4 3 2; fills d 0.0; 600 cycles; 4 flags
            fork child=7: drops d 1
            store 0x201000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 3 flags
            store 0x202000 4K fault: d miss 0; pde hit 0.0; reads 1; fills d 0.1; 200 cycles; 2 flags
            (switch) mov-cr3 pcid=1 keep pid 7: drops nothing
            store 0x202000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.1, d 0.2; 800 cycles; 5 flags
        "]],
    );
    support::check(
        os,
        "store 0x200000
        fork child=7
        munmap 0x200000 2097152
        store 0x203000 pid 7",
        &expect![[r"
            pages: 2M 1, table_pages 4
            KiB: mapped 2048, waste 2040, tables 16
            faults: first touch 1, copy on write 1
            system: reused 1, shootdowns 2, dropped 1
        "]],
    );
}

/// A copy takes a page of the pool, which may be empty.
#[test]
fn a_pool_gives_pages_for_copies_but_not_for_shared_pages() {
    support::check(
        r#"{"hugetlb": [{"size": "2M", "pages": 2, "reserve": false}],
            "regions": [{"start": "0x200000", "end": "0x800000", "pages": "hugetlb-2M"}]}"#,
        "store 0x200000
        fork child=7
        load 0x200000 pid 7
        fork child=8
        store 0x200000
        store 0x200000 pid 7
        munmap 0x200000 2097152
        store 0x200000 pid 7
        store 0x200000 pid 8",
        &expect![[r"
            pages: 2M 2, table_pages 7
            KiB: mapped 4096, waste 4088, tables 28
            faults: first touch 1, copy on write 3, bus errors 1
            system: reused 1, shootdowns 5, dropped 3
            pool of 2M: 0 of 2 free
            0x200000..0x800000 unknown [config] hugetlb-2M: 2 × 2M
        "]],
    );
}

#[test]
fn rights_are_inherited_and_go_before_copies() {
    check(
        "{}",
        "store 0x1000
        mprotect 0x1000 4096 r--
        fork child=7
        store 0x1000 pid 7
        mprotect 0x1000 4096 rw- pid 7
        store 0x1000 pid 7
        store 0x1000",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 5 flags
            mprotect 0x1000 4096 r--: drops d 1
            fork child=7: drops nothing
            (switch) mov-cr3 pcid=1 keep pid 7: drops nothing
            store 0x1000 #PF 0x7: the page may not be written
            mprotect 0x1000 4096 rw- pid 7: drops nothing
            store 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.1, d 0.0; 800 cycles; 5 flags
            (switch) mov-cr3 pcid=0 keep: drops nothing
            store 0x1000 #PF 0x7: the page may not be written
        "]],
    );
}

/// Without a shootdown the TLB keeps the right to write, so the parent's writes go to the shared page, as after
/// a bug in a kernel.
#[test]
fn without_a_shootdown_the_parent_writes_on_into_what_is_shared() {
    check(
        "{}",
        "store 0x1000
        fork child=7 no-flush
        store 0x1000
        invlpg 0x1000
        store 0x1000",
        &expect![[r"
            store 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 5 flags
            fork child=7 no-flush: drops nothing
            store 0x1000 4K L1 hit: d hit 0.0
            invlpg 0x1000: drops d 1, pde 1
            store 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 2 flags
        "]],
    );
}

#[test]
fn a_child_has_the_memory_map_of_its_parent() {
    support::check(
        r#"{"default": "thp"}"#,
        "map 0x400000-0x800000 0x0 - //anon pid 7
        map 0x400000-0x600000 0x0 x /bin/b pid 9
        store 0x400000 pid 7
        fork child=8 pid 7
        fork child=9 pid 7
        store 0x600000 pid 8
        load 0x400000 pid 9
        load 0x700000 pid 9",
        &expect![[r"
            pages: 2M 5, table_pages 9
            KiB: mapped 10240, waste 10220, shared 4096, tables 36
            faults: first touch 3
            system: shootdowns 2, dropped 1
            process 7 0x400000..0x800000 anonymous //anon [trace] thp: 1 × 2M
            process 8 0x400000..0x800000 anonymous //anon [trace] thp: 2 × 2M
            process 9 0x400000..0x800000 anonymous //anon [trace] thp: 2 × 2M
        "]],
    );
}

/// khugepaged copies the pages that it joins. The huge page is then not shared.
#[test]
fn a_promotion_leaves_what_is_shared_to_the_others() {
    support::check(
        r#"{"default": "thp", "map": "none", "thp": {"at_fault": false, "khugepaged": {"every": 4}}}"#,
        "store 0x200000
        store 0x201000
        fork child=7
        load 0x200000
        load 0x201000
        load 0x400000
        store 0x200000 pid 7",
        &expect![[r"
            pages: 2M 1, 4K 3, table_pages 8
            KiB: mapped 2060, waste 2040, tables 32
            faults: first touch 3, copy on write 1
            system: promotions 1, of small pages 2, reused 1, shootdowns 2, dropped 4
        "]],
    );
}

#[test]
fn a_process_with_pages_cannot_become_a_child() {
    for scenario in
        ["load 0x0\nfork child=0\nload 0x0", "load 0x0 pid 7\nload 0x0\nfork child=7\nload 0x0"]
    {
        let output = ops::run(MACHINE, "{}", scenario);
        assert!(output.contains("already has pages: give the child a new number"), "{output}");
    }
}

#[test]
fn rights_that_a_child_had_before_it_had_memory_are_its_parents_then() {
    check(
        "{}",
        "load 0x9000
        mprotect 0x1000 4096 rw- pid 7
        fork child=7
        fetch 0x1000 pid 7",
        &expect![[r"
            load 0x9000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.0, d 0.0; 800 cycles; 4 flags
            (switch) mov-cr3 pcid=1 keep pid 7: drops nothing
            mprotect 0x1000 4096 rw- pid 7: drops nothing
            (switch) mov-cr3 pcid=0 keep: drops nothing
            fork child=7: drops d 1
            (switch) mov-cr3 pcid=1 keep pid 7: drops nothing
            fetch 0x1000 4K fault: d miss 0; pde miss 0; reads 4 3 2 1; fills pde 0.1, d 0.0; 800 cycles; 4 flags
        "]],
    );
}

#[test]
fn memory_that_a_child_had_no_pages_in_is_as_its_parents() {
    let scenario = |early: &str| {
        format!(
            "load 0x9000
            {early}
            fork child=7
            load 0x40000000 pid 7
            load 0x40003000 pid 7"
        )
    };
    let with = |early| {
        support::lines(&support::report(r#"{"default": "thp"}"#, &scenario(early)).unwrap())
    };
    assert_eq!(with("mprotect 0x40000000 4096 rw- pid 7"), with(""));
}

/// A region that is copied on write was shared by a fork before the trace, so a first store splits its huge page, too.
#[test]
fn a_first_store_splits_a_huge_page_that_others_own() {
    let os = r#"{"regions": [
        {"start": "0x200000", "end": "0x400000", "pages": "thp", "kind": "heap", "copy_on_write": true}]}"#;
    support::check(
        os,
        "store 0x201000
        load 0x200000
        store 0x201008",
        &expect![[r"
            pages: 4K 512, table_pages 4
            KiB: mapped 2048, waste 2040, tables 16
            faults: copy on write 1
            0x200000..0x400000 heap [config] thp: 512 × 4K
        "]],
    );
    support::check(
        os,
        "load 0x200000
        store 0x201000",
        &expect![[r"
            pages: 4K 512, table_pages 4
            KiB: mapped 2048, waste 2040, tables 16
            faults: shared 1, copy on write 1
            system: shootdowns 1, dropped 1
            0x200000..0x400000 heap [config] thp: 512 × 4K
        "]],
    );
}

/// A munmap without a shootdown leaves an entry of another page of the block. The fault of the next first store concerns its
/// own page alone, so a later shootdown still finds the entry.
#[test]
fn a_first_store_keeps_stale_entries_of_other_pages_of_the_block() {
    support::check(
        r#"{"regions": [
        {"start": "0x200000", "end": "0x400000", "pages": "thp", "kind": "heap", "copy_on_write": true}]}"#,
        "store 0x300000
        munmap 0x200000 2097152 no-flush
        store 0x201000
        mprotect 0x200000 2097152 rw-",
        &expect![[r"
            pages: 4K 512, table_pages 4
            KiB: mapped 2048, waste 2044, tables 16
            faults: copy on write 2
            system: shootdowns 1, dropped 2
            0x200000..0x400000 heap [config] thp: 512 × 4K
        "]],
    );
}
