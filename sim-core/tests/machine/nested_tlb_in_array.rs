//! Tests of a nested TLB whose entries are in an array of level 2, as in Arm's cores since Cortex-A76.

use crate::common::ops::{check, items, run, run_on, trace};
use expect_test::{Expect, expect};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::machine::structures::StructureId;
use pagewalk::record::event::MachineView;
use pagewalk::record::snapshot::Columns;
use pagewalk::run::replay::Replay;
use std::rc::Rc;

/// A machine with a level 2 of two sets, which holds the host's pages of 2M and 1G.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 8, "ways": 4}],
    "virt": {"nested_tlb": {"in": "s", "pages": ["2M", "1G"], "data": true}}}"#;
/// The same array without the host's pages.
const WITHOUT: &str =
    r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 8, "ways": 4}]}"#;
const HOST_4K: &str = r#"{"virt": "ept"}"#;
const HOST_2M: &str = r#"{"virt": "ept", "host": {"default": "2M"}}"#;
const HOST_1G: &str = r#"{"virt": "ept", "host": {"default": "1G"}}"#;

/// Runs accesses and operations, and compares what the array `s` holds at the end: `set.way`, what it is, its number
/// and the lowest bit of it.
#[track_caller]
fn holds(json: &str, os: &str, text: &str, expected: &Expect) {
    let machine = crate::common::machine(json, os);
    let mut replay = Replay::new(Rc::new(trace(&items(text))), machine, usize::MAX);
    replay.seek(replay.trace().len() - 1).unwrap();
    let machine = replay.machine();
    assert_eq!(machine.failure(), None);
    let at = MachineView::of(machine).structures.iter().position(|view| view.name == "s").unwrap();
    let columns = Columns::of(machine, StructureId(at)).unwrap();
    let ways = columns.keys.len() / columns.next.len();
    let slots = (0..columns.keys.len()).filter(|slot| columns.key_shift[*slot] > 0);
    let lines = slots.map(|slot| {
        let what = ["page", "table", "prefetched", "host page"][usize::from(columns.table[slot])];
        let (number, shift) = (columns.keys[slot], columns.key_shift[slot]);
        format!("{}.{} {what} {number:#x} << {shift}\n", slot / ways, slot % ways)
    });
    expected.assert_eq(&lines.collect::<String>());
}

/// The guest's tables share one page of the host, and its data another. A cold walk translates each of both pages once,
/// with 3 references, and takes 10 references instead of 19. Later walks read the guest's 4 entries alone.
#[test]
fn the_host_s_pages_are_in_the_array_next_to_the_guest_s() {
    let text = "load 0x1000\n load 0x2000\n load 0x1000";
    check(
        MACHINE,
        HOST_2M,
        text,
        &expect![[r"
            load 0x1000 4K fault: d miss 0, s miss 1; reads 4 3 2 1; fills s 1.0, s 0.0, s 1.1, d 0.0; 2007 cycles; 4 flags
            load 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, d 0.0 (0x1 leaves); 807 cycles; 1 flags
            load 0x1000 4K L2 hit: d miss 0, s hit 1.1; fills d 0.0 (0x2 leaves); 7 cycles
        "]],
    );
    holds(
        MACHINE,
        HOST_2M,
        text,
        &expect![[r"
        0.0 host page 0x8000 << 21
        0.1 page 0x2 << 12
        1.0 host page 0x1 << 21
        1.1 page 0x1 << 12
    "]],
    );
}

/// No page of the host is as large as a listed size, so that walks are those of a machine without a nested TLB.
#[test]
fn a_page_of_the_host_that_is_smaller_than_every_listed_size_is_not_held() {
    let text = "load 0x1000\n load 0x2000\n load 0x40000000";
    let [with, without] = [MACHINE, WITHOUT].map(|machine| run(machine, HOST_4K, text));
    assert_eq!(with, without);
    holds(
        MACHINE,
        HOST_4K,
        text,
        &expect![[r"
        0.0 page 0x2 << 12
        0.1 page 0x40000 << 12
        1.0 page 0x1 << 12
    "]],
    );
}

/// Without 1G among the sizes, the array holds such a page in pieces of 2M, and each piece misses on its own.
#[test]
fn a_larger_page_of_the_host_is_held_in_pieces() {
    let pieces = MACHINE.replace(r#""2M", "1G""#, r#""2M""#);
    let text = "load 0x1000\n load 0x80000000";
    holds(
        MACHINE,
        HOST_1G,
        text,
        &expect![[r"
        0.0 host page 0x0 << 30
        0.1 host page 0x40 << 30
        0.2 page 0x80000 << 12
        1.0 page 0x1 << 12
    "]],
    );
    holds(
        &pieces,
        HOST_1G,
        text,
        &expect![[r"
        0.0 host page 0x8000 << 21
        0.1 page 0x80000 << 12
        1.0 host page 0x1 << 21
        1.1 page 0x1 << 12
    "]],
    );
}

/// Tags keep a page of the host apart from the guest's page with the same number.
#[test]
fn an_entry_of_the_host_serves_no_access_of_the_guest() {
    // The data has the guest-physical address 64G, which the program then uses as a virtual address.
    let text = "load 0x1000\n load 0x1000000000";
    let os = r#"{"default": "2M", "virt": "ept", "host": {"default": "2M"}}"#;
    check(
        MACHINE,
        os,
        text,
        &expect![[r"
        load 0x1000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 1.0, s 0.0, s 0.1, d 0.0; 1807 cycles; 3 flags
        load 0x1000000000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 1.1, s 0.2, d 0.0 (0x0 leaves); 1207 cycles; 2 flags
    "]],
    );
    holds(
        MACHINE,
        os,
        text,
        &expect![[r"
        0.0 host page 0x8000 << 21
        0.1 page 0x0 << 21
        0.2 page 0x8000 << 21
        1.0 host page 0x1 << 21
        1.1 host page 0x8001 << 21
    "]],
    );
}

/// One way for all: the page of the host evicts the guest's page, and an inclusive level 1 loses it.
#[test]
fn a_page_of_the_host_evicts_one_of_the_guest() {
    let small = r#"{"l1": [{"name": "d", "entries": 4}], "l2": [{"name": "s", "entries": 1}], "inclusion": "inclusive",
        "virt": {"nested_tlb": {"in": "s"}}}"#;
    check(
        small,
        HOST_2M,
        "load 0x1000\n load 0x2000\n load 0x1000",
        &expect![[r"
        load 0x1000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0, s 0.0 (0x1 leaves), d 0.0; 2007 cycles; 4 flags
        load 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0 (0x1 leaves), s 0.0 (0x1 leaves), d 0.0; 0x1 is invalidated in d 0.0; 2007 cycles; 1 flags
        load 0x1000 4K walk: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.0 (0x2 leaves), s 0.0 (0x1 leaves), d 0.0; 0x2 is invalidated in d 0.0; 2007 cycles
    "]],
    );
}

/// Operations of the guest drop what belongs to it; those of the host drop its pages, too. The second line has another
/// virtual machine.
#[test]
fn operations_drop_the_host_s_pages_by_their_rules() {
    let mut output = String::new();
    for op in [
        "invlpg 0x1000",
        "mov-cr3",
        "invvpid type=2",
        "munmap 0x1000 4096",
        "invept type=1",
        "invept type=2",
        "host-unmap 0x1000",
    ] {
        let text = format!("load 0x1000\n vm-switch vm=2\n load 0x1000\n {op}\n load 0x40000000");
        let lines = run(MACHINE, HOST_2M, &text);
        output +=
            lines.lines().find(|line| !line.starts_with("vm-") && line.contains(": drop")).unwrap();
        output += "\n";
    }
    expect![[r"
        invlpg 0x1000: drops d 1, s 1
        mov-cr3: drops d 1, s 1
        invvpid type=2: drops d 1, s 2
        munmap 0x1000 4096: drops d 1, s 1
        invept type=1: drops d 1, s 3
        invept type=2: drops d 1, s 6
        host-unmap 0x1000 for=data: drops d 1, s 3
    "]]
    .assert_eq(&output);
}

/// Every exit drops the entries of the guest. The page of the host stays.
#[test]
fn without_vpids_an_exit_spares_the_host_s_pages() {
    let machine = MACHINE.replace(r#""virt": {"#, r#""virt": {"vpid": false, "#);
    let text = "load 0x1000\n load 0x2000\n vm-switch vm=2\n vm-switch vm=1\n load 0x1000";
    check(
        &machine,
        HOST_2M,
        text,
        &expect![[r"
        load 0x1000 4K fault: d miss 0, s miss 1; reads 4 3 2 1; fills s 1.0, s 0.0, s 1.1, d 0.0; 2007 cycles; 4 flags
        load 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 0.1, d 0.0 (0x1 leaves); 807 cycles; 1 flags
        vm-switch vm=2: drops d 1, s 2
        vm-switch vm=1: drops nothing
        load 0x1000 4K walk: d miss 0, s miss 1; reads 4 3 2 1; fills s 1.1, d 0.0; 807 cycles
    "]],
    );
    holds(
        &machine,
        HOST_2M,
        text,
        &expect![[r"
        0.0 host page 0x8000 << 21
        1.0 host page 0x1 << 21
        1.1 page 0x1 << 12
    "]],
    );
}

/// The host unmaps the page without a flush. The violation of the next access drops the page's entry alone.
#[test]
fn a_violation_drops_the_host_s_page_of_its_address() {
    let text =
        "load 0x1000\n load 0x40001000\n host-unmap 0x1000 no-flush\n invvpid type=2\n load 0x1000";
    check(
        MACHINE,
        HOST_2M,
        text,
        &expect![[r"
        load 0x1000 4K fault: d miss 0, s miss 1; reads 4 3 2 1; fills s 1.0, s 0.0, s 1.1, d 0.0; 2007 cycles; 4 flags
        load 0x40001000 4K fault: d miss 0, s miss 1; reads 4 3 2 1; fills s 1.2, d 0.0 (0x1 leaves); 807 cycles; 3 flags
        host-unmap 0x1000 for=data no-flush: drops nothing
        invvpid type=2: drops d 1, s 2
        load 0x1000 4K walk: d miss 0, s miss 1; reads 4 3 2 1; fills s 0.0, s 1.1, d 0.0; 0x8000 is shot down in s 0.0; 1407 cycles
    "]],
    );
}

/// The host's page and the guest's have the same number and owner. The violation drops the host's page, and the second
/// access to the guest's page hits.
#[test]
fn a_violation_spares_the_guest_s_page_with_the_same_number() {
    let text = "load 0x1000\n load 0x1000000000\n host-unmap 0x1000 no-flush\n invlpg 0x1000\n load 0x1000\n load 0x1000000000";
    let os = r#"{"default": "2M", "virt": "ept", "host": {"default": "2M"}}"#;
    check(
        MACHINE,
        os,
        text,
        &expect![[r"
        load 0x1000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 1.0, s 0.0, s 0.1, d 0.0; 1807 cycles; 3 flags
        load 0x1000000000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 1.1, s 0.2, d 0.0 (0x0 leaves); 1207 cycles; 2 flags
        host-unmap 0x1000 for=data no-flush: drops nothing
        invlpg 0x1000: drops s 1
        load 0x1000 2M walk: d miss 0, s miss 0; reads 4 3 2; fills s 0.0, s 0.1, d 0.0 (0x8000 leaves); 0x8000 is shot down in s 0.0; 1207 cycles
        load 0x1000000000 2M L2 hit: d miss 0, s hit 0.2; fills d 0.0 (0x0 leaves); 7 cycles
    "]],
    );
}

/// The sizes of the host's pages are not those of the guest's: its page of 2M has the leaf of the guest's 32M.
#[test]
fn the_geometry_of_the_host_gives_the_size_of_its_pages() {
    let machine = r#"{"paging": {"offset_bits": 14, "index_bits": [11, 11], "leaf_levels": [1, 2]},
        "l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 8, "ways": 4}],
        "virt": {"levels": 4, "nested_tlb": {"in": "s", "data": true}}}"#;
    let os = r#"{"default": "16K", "virt": "ept", "host": {"default": "2M"}}"#;
    holds(
        machine,
        os,
        "load 0x4000",
        &expect![[r"
        0.0 host page 0x8000 << 21
        1.0 host page 0x1 << 21
        1.1 page 0x1 << 14
    "]],
    );
    check(
        machine,
        os,
        "load 0x4000\n host-unmap 0x4000 no-flush\n invvpid type=2\n load 0x4000",
        &expect![[r"
            load 0x4000 16K fault: d miss 0, s miss 1; reads 2 1; fills s 1.0, s 0.0, s 1.1, d 0.0; 1607 cycles; 2 flags
            host-unmap 0x4000 for=data no-flush: drops nothing
            invvpid type=2: drops d 1, s 1
            load 0x4000 16K walk: d miss 0, s miss 1; reads 2 1; fills s 0.0, s 1.1, d 0.0; 0x8000 is shot down in s 0.0; 1007 cycles
        "]],
    );
}

/// INVEPT on one core reaches the entries of the others.
#[test]
fn a_change_of_the_host_s_tables_drops_its_pages_on_every_core() {
    let machine = crate::common::machine(MACHINE, HOST_2M).with_cores(Cores::Tid);
    let text =
        "load 0x1000 tid 1\n load 0x2000 tid 2\n host-unmap 0x1000 tid 2\n load 0x1000 tid 1";
    expect![[r"
        load 0x1000 4K fault: d miss 0, s miss 1; reads 4 3 2 1; fills s 1.0, s 0.0, s 1.1, d 0.0; 2007 cycles; 4 flags
        load 0x2000 4K fault: d miss 0, s miss 0; reads 4 3 2 1; fills s 1.0, s 0.0, s 0.1, d 0.0; 2007 cycles; 1 flags
        host-unmap 0x1000 for=data: drops d 1, s 3
        load 0x1000 4K walk: d miss 0, s miss 1; reads 4 3 2 1; fills s 1.0, s 0.0, s 1.1, d 0.0; 2007 cycles
    "]].assert_eq(&run_on(machine, text));
}

/// Native walks and walks of shadow tables ask no host, so that the nested TLB has no part in them.
#[test]
fn without_walks_of_the_host_s_tables_it_has_no_effect() {
    for os in ["{}", r#"{"virt": "shadow"}"#, r#"{"virt": "shadow", "host": {"default": "2M"}}"#] {
        let text = "load 0x1000\n load 0x2000\n load 0x40000000\n load 0x1000";
        let [with, without] = [MACHINE, WITHOUT].map(|machine| run(machine, os, text));
        assert_eq!(with, without, "{os}");
        let machine: Machine = crate::common::machine(MACHINE, os);
        let names = MachineView::of(&machine).structures;
        assert!(names.iter().all(|view| view.name != "nested TLB"), "{os}");
    }
}

/// The host's addresses may be longer than the guest's: their numbers keep all their bits.
#[test]
fn long_addresses_of_the_host_fit_beside_short_ones_of_the_guest() {
    let machine = r#"{"paging": {"offset_bits": 12, "index_bits": [9, 9], "leaf_levels": [1]},
        "l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 8, "ways": 4}],
        "virt": {"levels": 4, "nested_tlb": {"in": "s", "data": true}}}"#;
    holds(
        machine,
        HOST_4K,
        "load 0x1000",
        &expect![[r"
        0.0 host page 0x200 << 12
        0.1 host page 0x1000000 << 12
        1.0 host page 0x201 << 12
        1.1 page 0x1 << 12
    "]],
    );
}
