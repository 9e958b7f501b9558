//! Tests of memory that the host has unmapped and mapped again.

use std::rc::Rc;

use pagewalk::record::event::CellState;
use pagewalk::run::replay::Replay;

use crate::common;
use crate::common::ops::{items, trace};
use crate::{EPT, MACHINE, line, steps};

/// The processor ignores flags of an entry that is not present.
#[test]
fn flags_of_an_empty_entry_change_nothing() {
    let amd = r#"{"virt": {"style": "pwc-2d", "pwc": {"entries": 8}}}"#;
    let os = r#"{"virt": "ept", "host": {"default": "2M"}}"#;
    for (machine, flags) in [(MACHINE, "set=0x100"), (MACHINE, "set=0x38"), (amd, "set=0x6")] {
        let [with, without] = [flags, "clear=a"].map(|flags| {
            let text = format!(
                "load 0x1000\n host-unmap 0x1000 no-flush\n host-set-entry 0x1000 level=2 {flags}
                invept type=2\n load 0x1000\n load 0x2000"
            );
            steps(machine, os, &text).iter().map(line).collect::<String>()
        });
        assert_eq!(with, without, "{flags}");
    }
}

/// The host has moved the page with all guest tables. After the walk's first step, the nested TLB has the new place
/// of the page. The walk finds the lowest table there, not at its old place.
#[test]
fn a_table_of_the_guest_is_where_the_host_has_it_now() {
    let os = r#"{"virt": "ept", "host": {"default": "2M"}}"#;
    // The data's page takes the only entry of the nested TLB, so the second access must translate its lowest
    // table again.
    let machine = r#"{"l1": [{"entries": 16}], "psc": {"pdpte": {"entries": 4}},
        "virt": {"nested_tlb": {"entries": 1, "data": true}},
        "memory": {"caches": [{"name": "all", "size": "64K", "latency": 1}]}}"#;
    let text = "load 0x1000\n load 0x200000\n host-unmap 0x1000 for=gL1\n load 0x201000";
    let steps = steps(machine, os, text);
    let row = |at: usize| {
        let nested = steps[at].translations[0].nested.as_ref().unwrap();
        let table = nested.rows.iter().find(|row| row.name == "gL1").unwrap();
        let entry = table.guest.as_ref().unwrap();
        assert_eq!(entry.state, CellState::Read);
        (table.host_physical, entry.served_by.clone().unwrap())
    };
    assert_ne!(row(1).0, row(2).0, "the host has it somewhere else");
    // The line was read at the old place of the table. No access has read it at the new place yet.
    assert_eq!(row(2).1, "DRAM");
}

/// Returns the number of dirty flags that the host has set at the end of each line of a scenario.
fn dirty(text: &str) -> Vec<u64> {
    let all = items(text);
    let ends = 1..=all.len();
    ends.map(|end| {
        let machine = common::machine(MACHINE, EPT);
        let mut replay = Replay::new(Rc::new(trace(&all[..end])), machine, usize::MAX);
        replay.run(u32::MAX).unwrap();
        replay.report().virt.unwrap().ept_dirty
    })
    .collect()
}

/// The guest's entry is already dirty. The host's entry is new, and a store that hits the TLB sets its dirty flag.
#[test]
fn a_page_that_is_dirty_in_the_guest_may_be_clean_in_the_host() {
    let text = "store 0x1000\n host-unmap 0x1000\n load 0x1000\n store 0x1000\n store 0x1000";
    // The first store sets the flags of four guest tables and of the data. A later store sets only the flag of the
    // data.
    assert_eq!(dirty(text), [5, 5, 5, 6, 6]);
}

/// The host sees writes to the guest's tables, and clears the shadow entries of the huge page, although there
/// is no shootdown.
#[test]
fn rights_for_a_part_of_a_huge_page_take_back_what_shadows_it() {
    let os = r#"{"default": "thp", "virt": "shadow"}"#;
    let text = "load 0x200000\n mprotect 0x200000 4096 r-- no-flush\n store 0x201000";
    let last = line(steps("{}", os, text).last().unwrap());
    assert!(last.ends_with("PageTableWrite; 1 HiddenFault; Walk, 4 refs\n"), "{last}");
}

/// The guest has pages of 4K in several address spaces, which share one page of 2M of the host. The host unmaps that
/// page, so no shadow entry of the guest's pages may stay.
#[test]
fn a_page_that_the_host_unmaps_leaves_no_shadow_of_any_page_in_it() {
    let os = r#"{"virt": "shadow", "host": {"default": "2M"}}"#;
    for flush in ["", " no-flush\n invvpid type=2"] {
        let text = format!(
            "load 0x1000\n load 0x7000\n load 0x2000 pid 2\n load 0x7000\n host-unmap 0x1000{flush}
            load 0x1000\n load 0x7000\n load 0x2000 pid 2"
        );
        let steps = steps("{}", os, &text);
        let lines: Vec<String> = steps.iter().skip(4).map(line).collect();
        for line in lines {
            assert!(line.contains("1 HiddenFault; Walk"), "{flush}: {line}");
        }
        let machine = common::machine("{}", os);
        let mut replay = Replay::new(Rc::new(trace(&items(&text))), machine, usize::MAX);
        replay.run(u32::MAX).unwrap();
        assert_eq!(replay.report().system.shootdowns, u64::from(flush.is_empty()), "{flush}");
    }
}
