//! Tests of invalidations of an address whose page has different sizes in two processes. The map of the process
//! that owns the entry decides, not the map of the running one.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::common::ops;
use crate::support::trace;
use expect_test::{Expect, expect};
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::run::replay::Replay;
use pagewalk_analysis::regions::memory_map;

/// A machine whose TLB keeps 2M pages as pieces of 4K.
const MACHINE: &str =
    r#"{"l1": [{"name": "d", "pages": ["4K"], "fragments": ["2M"], "entries": 16}]}"#;

/// Compares the entries that each operation drops, without switches of the process.
#[track_caller]
fn check(os: &str, text: &str, expected: &Expect) {
    let os: OsConfig = parse_json(os).unwrap();
    let (trace, machine) = (trace(text), parse_json(MACHINE).unwrap());
    let machine = Machine::with_map(&machine, &os, &memory_map(&trace, None)).unwrap();
    let mut replay = Replay::new(Rc::new(trace), machine, 0);
    let mut output = String::new();
    for index in 0..replay.trace().len() {
        let step = replay.seek(index).unwrap();
        for op in step.before.iter().filter(|op| !op.is_switch) {
            let keys: Vec<String> = op
                .effects
                .entries
                .iter()
                .map(|dropped| format!("{} of PCID {}", dropped.entry.key, dropped.entry.space))
                .collect();
            let keys = if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") };
            writeln!(output, "{}: {keys}", op.text).unwrap();
        }
    }
    assert_eq!(replay.machine().failure(), None);
    expected.assert_eq(&output);
}

/// Process 7 has a page of 2M where process 9 has one of 4K. Both processes have used two addresses of their page.
const HEAPS: &str = "
    map 0x200000-0x400000 0x0 - [heap] pid 7
    map 0x200000-0x300000 0x0 - [heap] pid 9
    load 0x200000 pid 7
    load 0x201000 pid 7
    load 0x200000 pid 9
    load 0x201000 pid 9";

#[test]
fn invpcid_drops_the_page_that_the_other_process_has() {
    let with = |op: &str| format!("{HEAPS}\n{op}\nload 0x202000 pid 9");
    let os = r#"{"default": "thp"}"#;
    check(
        os,
        &with("invpcid 0x200000 type=0 pcid=0 pid 9"),
        &expect![[r"
        invpcid 0x200000 type=0 pcid=0: 0x200 of PCID 0, 0x201 of PCID 0
    "]],
    );
    check(
        os,
        &with("invpcid 0x200000 type=0 pcid=1 pid 9"),
        &expect![[r"
        invpcid 0x200000 type=0 pcid=1: 0x200 of PCID 1
    "]],
    );
    // Process 7 drops the page of the other process.
    check(
        os,
        &with("invpcid 0x200000 type=0 pcid=1 pid 7"),
        &expect![[r"
        invpcid 0x200000 type=0 pcid=1: 0x200 of PCID 1
    "]],
    );
}

#[test]
fn invvpid_drops_of_each_process_the_page_that_it_has() {
    let with = |op: &str| format!("{HEAPS}\n{op}\nload 0x202000 pid 9");
    let os = r#"{"default": "thp", "virt": "ept", "host": {"default": "2M"}}"#;
    check(
        os,
        &with("invvpid 0x200000 type=0 pid 7"),
        &expect![[r"
        invvpid 0x200000 type=0: 0x200 of PCID 0, 0x201 of PCID 0, 0x200 of PCID 1
    "]],
    );
    check(
        os,
        &with("invvpid 0x200000 type=0 pid 9"),
        &expect![[r"
        invvpid 0x200000 type=0: 0x200 of PCID 0, 0x201 of PCID 0, 0x200 of PCID 1
    "]],
    );
}

/// The kernel has a 2M page in its half, which all processes share. The memory map of a process does not apply
/// to it.
const KERNEL: &str = "
    map 0xffff800000000000-0xffff800000200000 0x0 - [heap] pid 4294967295
    map 0xffff800000000000-0xffff800000200000 0x0 x /bin/a pid 7
    load 0xffff800000000000 pid 7
    load 0xffff800000001000 pid 7";

#[test]
fn in_the_half_that_all_share_the_map_is_the_kernels() {
    let os =
        r#"{"default": "thp", "upper_half": "shared", "virt": "ept", "host": {"default": "2M"}}"#;
    let op = "invvpid 0xffff800000000000 type=0 pid 7";
    check(
        os,
        &format!("{KERNEL}\n{op}\nload 0x200000 pid 7"),
        &expect![[r"
        invvpid 0xffff800000000000 type=0: 0x800000000 of PCID 0, 0x800000001 of PCID 0
    "]],
    );
    // The operation names a virtual machine that is not running.
    let op = "vm-switch vm=2\nload 0x200000 pid 7\ninvvpid 0xffff800000000000 type=0 vpid=1 pid 7";
    check(
        os,
        &format!("{KERNEL}\n{op}\nload 0x200000 pid 7"),
        &expect![[r"
        vm-switch vm=2: nothing
        invvpid 0xffff800000000000 type=0 vpid=1: 0x800000000 of PCID 0, 0x800000001 of PCID 0
    "]],
    );
}

/// A walk that uses a stale walk-cache entry finds an empty entry in a table that has a new use. The page fault
/// drops the stale entry, and the walk starts again.
#[test]
fn a_table_that_is_gone_is_left_where_it_has_nothing() {
    const PSC: &str = r#"{"l1": [{"name": "d", "entries": 8}], "psc": {"pdpte": {"entries": 4}}}"#;
    ops::check(
        PSC,
        "{}",
        "load 0x1000
        munmap 0x1000 4096 no-flush
        load 0x10000005000
        load 0x201000
        load 0x201000",
        &expect![[r"
            load 0x1000 4K fault: d miss 0; pdpte miss 0; reads 4 3 2 1; fills pdpte 0.0, d 0.0; 800 cycles; 4 flags
            munmap 0x1000 4096 no-flush: drops nothing
            load 0x10000005000 4K fault: d miss 0; pdpte miss 0; reads 4 3 2 1; fills pdpte 0.1, d 0.1; 800 cycles; 4 flags
            load 0x201000 4K fault: d miss 0; pdpte hit 0.0; reads 4 3 2 1; fills pdpte 0.0, d 0.2; 0x0 is dropped by a page fault in pdpte 0.0; 800 cycles; 4 flags
            load 0x201000 4K L1 hit: d hit 0.2
        "]],
    );
}
