//! Rules of a virtual machine: violations, misconfigurations and page faults in their order, what the
//! processor drops, what its flags count. Intel SDM vol. 3C, 28.2 and 28.3.

mod common;

use std::rc::Rc;

use common::ops::{items, trace};
use expect_test::{Expect, expect};
use pagewalk::addr::Hex;
use pagewalk::event::StepView;
use pagewalk::replay::Replay;
use pagewalk::stats::Stats;
use pagewalk::trace::{Access, Completeness, HostPart, Kind, Op, OpRecord};

/// Keeps everything.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 16}], "psc": {"pde": {"entries": 8}},
    "virt": {"nested_tlb": {"entries": 16}, "ept_psc": {"pde": {"entries": 8}}}}"#;
const WITHOUT_FLAGS: &str = r#"{"virt": {"ad": false}}"#;
const EPT: &str = r#"{"virt": "ept"}"#;

fn steps(machine: &str, os: &str, text: &str) -> Vec<StepView> {
    let machine = common::machine(machine, os);
    let mut replay = Replay::new(Rc::new(trace(&items(text))), machine, usize::MAX);
    let steps = (0..replay.trace().len()).map(|index| replay.seek(index).unwrap()).collect();
    if let Some(error) = replay.machine().failure() {
        panic!("{error}");
    }
    steps
}

/// How an access ended, after which exits.
fn line(step: &StepView) -> String {
    let mut parts = Vec::new();
    for exit in &step.exits {
        parts.push(match &exit.violation {
            Some(found) => format!("violation for {} {}", found.purpose, found.qualification),
            None => format!("{} {:?}", exit.n, exit.reason),
        });
    }
    parts.extend(
        step.translations.iter().map(|done| format!("{:?}, {} refs", done.outcome, done.refs)),
    );
    if let Some(exception) = &step.exception {
        let code = exception.code.map(|code| format!(" {code}")).unwrap_or_default();
        parts.push(format!("{}{code}", exception.name));
    }
    format!("{} {}: {}\n", step.access.kind.name(), step.access.address, parts.join("; "))
}

/// The last access of a scenario.
#[track_caller]
fn last(machine: &str, text: &str, expected: &Expect) {
    expected.assert_eq(&line(steps(machine, EPT, text).last().unwrap()));
}

/// 28.2.3.3: six cases.
#[test]
fn page_faults_and_violations_come_in_the_order_of_the_walk() {
    // The table is not in the host's memory: what its entry says is not known before.
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
    // The guest's rights are looked at before the data is asked for.
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

/// Table 27-7: what was tried, what the entries allow, whether there is a linear address, and whether its
/// own page was meant.
#[test]
fn the_exit_qualification_says_what_was_tried_and_what_is_allowed() {
    let mut told = String::new();
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
            told += &format!("{change} {flags} A/D, {first}");
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
    .assert_eq(&told);
}

/// 28.2.4: without flags of the host a table may be read where it may not be written, until a flag of
/// the guest must be set in it.
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

/// 28.2.3.1: presence and form are asked of each entry, rights of all together at the end.
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
    // A memory type that there is none of.
    let kind = "load 0x1000\n host-set-entry 0x1000 level=1 set=0x38\n invept type=2\n load 0x1000";
    last(
        MACHINE,
        kind,
        &expect![[r"
            load 0x1000: 1 EptMisconfiguration; EPT misconfiguration
        "]],
    );
}

/// What a TLB knows of rights is what a walk found, in one dimension and in two.
#[test]
fn rights_are_those_of_before_until_somebody_drops_what_is_known() {
    let text = "store 0x1000\n mprotect 0x1000 4096 r-- no-flush\n store 0x1000\n invlpg 0x1000
        store 0x1000\n load 0x1000";
    for (os, n) in [(EPT, 24), ("{}", 4)] {
        let told: String = steps("{}", os, text).iter().map(line).collect();
        assert_eq!(
            told,
            format!(
                "store 0x1000: Fault, {n} refs\nstore 0x1000: L1Hit, 0 refs\nstore 0x1000: #PF 0x7\nload 0x1000: Walk, {n} refs\n"
            )
        );
    }
}

/// 28.3.3: what each operation drops of linear, combined and guest-physical mappings.
#[test]
fn operations_drop_what_the_manual_says_of_each_kind_of_mapping() {
    let warm = "load 0x1000\n load 0x40001000";
    let mut told = String::new();
    for (name, os) in [("linear", r#"{"virt": "shadow"}"#), ("combined and guest-physical", EPT)] {
        told += &format!("{name}\n");
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
            told += lines.lines().find(|line| line.contains("drops")).unwrap();
            told += "\n";
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
    .assert_eq(&told);
}

/// A violation drops what stands for the address, and leaves the rest.
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

/// The processor follows an entry without rights no more; the host knows where it leads.
#[test]
fn the_host_takes_back_and_protects_what_has_lost_all_rights() {
    let mut told = String::new();
    for (hides, changes) in [
        ("host-protect 0x1000 --- no-flush", "host-unmap 0x1000"),
        ("host-set-entry 0x1000 level=1 clear=7", "host-unmap 0x1000"),
        ("host-set-entry 0x1000 level=3 clear=7", "host-unmap 0x1000 no-flush"),
        ("host-set-entry 0x1000 level=2 clear=7", "host-protect 0x1000 r--"),
    ] {
        let text = format!("load 0x1000\n {hides}\n {changes}\n invept type=2\n load 0x1000");
        let [kept, taken] = [1, 2].map(|n| {
            let text: String = text
                .lines()
                .filter(|line| n == 2 || !line.contains(changes))
                .fold(String::new(), |all, line| all + line + "\n");
            line(steps(MACHINE, EPT, &text).last().unwrap())
        });
        told += &format!("{hides}: {kept}{changes}: {taken}");
        let lines = common::ops::run(MACHINE, EPT, &text);
        let word = changes.split(' ').next().unwrap();
        told += lines.lines().rfind(|line| line.starts_with(word)).unwrap();
        told += "\n";
    }
    expect![[r"
        host-protect 0x1000 --- no-flush: load 0x1000: violation for data 0x181; Walk, 15 refs
        host-unmap 0x1000: load 0x1000: 1 Flush; violation for data 0x181; Walk, 15 refs
        host-unmap 0x1000 for=data: drops d 1, pde 1, nested TLB 4, EPT pde 2
        host-set-entry 0x1000 level=1 clear=7: load 0x1000: violation for data 0x181; Walk, 15 refs
        host-unmap 0x1000: load 0x1000: 1 Flush; violation for data 0x181; Walk, 15 refs
        host-unmap 0x1000 for=data: drops d 1, pde 1, nested TLB 4, EPT pde 2
        host-set-entry 0x1000 level=3 clear=7: load 0x1000: violation for data 0x181; Walk, 15 refs
        host-unmap 0x1000 no-flush: load 0x1000: violation for data 0x181; Walk, 15 refs
        host-unmap 0x1000 for=data no-flush: drops nothing
        host-set-entry 0x1000 level=2 clear=7: load 0x1000: violation for data 0x181; Walk, 15 refs
        host-protect 0x1000 r--: load 0x1000: 1 Flush; violation for data 0x181; Walk, 15 refs
        host-protect 0x1000 r-- for=data: drops d 1, pde 1, nested TLB 4, EPT pde 2
    "]]
    .assert_eq(&told);
}

/// An entry that leads to a table has lost all rights: a page that is new below it gets the table back, and
/// with it its neighbours are there still.
#[test]
fn a_new_page_below_an_entry_without_rights_is_mapped_in_the_table_that_is_there() {
    let mut told = String::new();
    for level in 2..=4 {
        let text = format!(
            "load 0x1000\n host-set-entry 0x1000 level={level} clear=7\n load 0x2000\n invept type=2\n load 0x1000"
        );
        told += &format!("level {level}\n");
        told.extend(steps(MACHINE, EPT, &text).iter().map(line));
        let machine = common::machine(MACHINE, EPT);
        let mut replay = Replay::new(Rc::new(trace(&items(&text))), machine, 0);
        while !replay.run(u32::MAX).unwrap() {}
        told += &format!("{:?}\n", replay.report().virt.unwrap().host_pages);
    }
    expect![[r#"
        level 2
        load 0x1000: Fault, 15 refs
        load 0x2000: violation for data 0x181; Fault, 2 refs
        load 0x1000: Walk, 15 refs
        {"1G": 0, "2M": 0, "4K": 6, "table_pages": 6}
        level 3
        load 0x1000: Fault, 15 refs
        load 0x2000: violation for data 0x181; Fault, 2 refs
        load 0x1000: Walk, 15 refs
        {"1G": 0, "2M": 0, "4K": 6, "table_pages": 6}
        level 4
        load 0x1000: Fault, 15 refs
        load 0x2000: violation for gL4 0x83; violation for data 0x181; Fault, 2 refs
        load 0x1000: Walk, 15 refs
        {"1G": 0, "2M": 0, "4K": 6, "table_pages": 6}
    "#]]
    .assert_eq(&told);
}

/// What a page of the host does not allow is found by a page of the guest that is new, too.
#[test]
fn a_new_page_of_the_guest_meets_what_the_host_allows_of_its_page() {
    let os = r#"{"virt": "ept", "host": {"default": "2M"}}"#;
    let mut told = String::new();
    for (change, access) in [
        ("host-protect 0x1000 r--", "load"),
        ("host-protect 0x1000 r--", "store"),
        ("host-protect 0x1000 r--", "fetch"),
        ("host-unmap 0x1000", "load"),
        ("host-set-entry 0x1000 level=2 clear=r\n invept type=2", "load"),
    ] {
        let text = format!("load 0x1000\n {change}\n {access} 0x2000");
        told += &format!("{}, {}", change.replace('\n', ","), line(&steps(MACHINE, os, &text)[1]));
    }
    expect![[r"
        host-protect 0x1000 r--, load 0x2000: 1 Flush; Fault, 10 refs
        host-protect 0x1000 r--, store 0x2000: 1 Flush; violation for data 0x18a; Fault, 10 refs
        host-protect 0x1000 r--, fetch 0x2000: 1 Flush; violation for data 0x18c; Fault, 10 refs
        host-unmap 0x1000, load 0x2000: 1 Flush; violation for data 0x181; Fault, 10 refs
        host-set-entry 0x1000 level=2 clear=r, invept type=2, load 0x2000: 1 EptMisconfiguration; EPT misconfiguration
    "]].assert_eq(&told);
}

/// 4.10.3.3: one entry is read four times, and the page is the table itself.
#[test]
fn a_table_that_leads_to_itself_is_read_at_every_level() {
    let text = "load 0x8000000000\n set-entry 0x0 level=4 set=0x200007\n load 0x0";
    let walk = steps("{}", "{}", text).pop().unwrap().translations.remove(0);
    assert_eq!(walk.refs, 4);
    let places: Vec<Hex> = walk.levels.iter().map(|level| level.entry_address).collect();
    assert_eq!(places, [Hex(0x20_0000); 4]);
    assert_eq!(walk.physical, Hex(0x20_0000));
    let psc =
        r#"{"psc": {"pml4e": {"entries": 2}, "pdpte": {"entries": 2}, "pde": {"entries": 2}}}"#;
    expect![[r"
        load 0x8000000000 4K fault: L1 TLB miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, L1 TLB 0.0; 800 cycles; 4 flags
        set-entry 0x0 level=4 set=0x200007: drops nothing
        load 0x0 4K walk: L1 TLB miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.1, pdpte 0.1, pde 0.1, L1 TLB 0.1; 800 cycles; 1 flags
        load 0x8000001000 4K fault: L1 TLB miss 0; pde hit 0.0; reads 1; fills L1 TLB 0.2; 200 cycles; 1 flags
        invlpg 0x0: drops L1 TLB 1, pde 2, pdpte 2, pml4e 2
        load 0x0 4K walk: L1 TLB miss 0; pde miss 0, pdpte miss 0, pml4e miss 0; reads 4 3 2 1; fills pml4e 0.0, pdpte 0.0, pde 0.0, L1 TLB 0.1; 800 cycles
    "]]
    .assert_eq(&common::ops::run(
        psc,
        "{}",
        &format!("{text}\n load 0x8000001000\n invlpg 0x0\n load 0x0"),
    ));
}

#[test]
fn what_cannot_be_done_is_told() {
    let mut told = String::new();
    for (os, op) in [
        ("{}", "host-unmap 0x1000"),
        ("{}", "invept type=2"),
        (r#"{"virt": "shadow"}"#, "host-protect 0x1000 r--"),
        (EPT, "host-set-entry 0x1000 level=5 clear=r"),
        (EPT, "host-set-entry 0x1000 level=2 set=0x40000000"),
        ("{}", "set-entry 0x1000 level=2 set=0x40000000"),
        (r#"{"default": "2M"}"#, "set-entry 0x1000 level=2 clear=ps"),
        ("{}", "set-entry 0x40001000 level=1 clear=a"),
    ] {
        let lines = common::ops::run("{}", os, &format!("load 0x1000\n {op}\n load 0x1000"));
        told += lines.lines().last().unwrap();
        told += "\n";
    }
    expect![[r"
        Unsupported: `host-unmap 0x1000 for=data` cannot be simulated: there is no host: virtualise memory with ept or shadow
        Unsupported: `invept type=2` cannot be simulated: there is no host: virtualise memory with ept or shadow
        Unsupported: `host-protect 0x1000 r-- for=data` cannot be simulated: the host's tables are not walked under shadow paging: use ept
        Unsupported: 0x1000000000: there is no table of level 5 on the way to it yet
        Unsupported: the entry would be 0x40205107: it leads where no table is
        Unsupported: `set-entry 0x1000 level=2 set=0x40000000`: the address, P and PS are the system's: use munmap
        Unsupported: `set-entry 0x1000 level=2 clear=0x80`: the address, P and PS are the system's: use munmap
        BadTrace: `set-entry 0x40001000 level=1 clear=0x20`: there is no entry of level 1 at 0x40001000 yet
    "]]
    .assert_eq(&told);
}

/// What an access ends with where the host's memory is from a pool.
#[test]
fn a_pool_of_the_host_that_is_empty_ends_the_virtual_machine() {
    let run = |pages: u64| {
        let os = format!(
            r#"{{"virt": "ept", "host": {{"default": "hugetlb-2M", "hugetlb": [{{"size": "2M", "pages": {pages}}}]}}}}"#
        );
        let mut machine = common::machine("{}", &os);
        let mut stats = Stats::default();
        machine.access(0, &common::page(1), &mut stats);
        let left = stats.report(&machine, Completeness::Complete).virt.unwrap().host_hugetlb;
        (machine.failure().map(ToString::to_string), left)
    };
    // One page for the guest's tables, one for its data.
    let (failure, left) = run(2);
    assert_eq!((failure, left[0].free), (None, 0));
    expect!["os.host.hugetlb: the host's pool of 2M pages is empty at guest-physical 0x1000000000, which ends the virtual machine: give it more pages"]
        .assert_eq(&run(1).0.unwrap());
}

/// Memory of the guest that the host has before it runs makes no violations.
#[test]
fn what_the_host_touches_before_makes_no_violations() {
    let os = |pretouch: bool| {
        format!(
            r#"{{"virt": "ept", "host": {{"regions": [{{"start": "0x200000", "end": "0x400000", "pages": "4K", "pretouch": {pretouch}}}]}}}}"#
        )
    };
    let violations = |pretouch| {
        let accesses = (0..16).map(common::page);
        let virt = common::report("{}", &os(pretouch), accesses).virt.unwrap();
        (virt.ept_violations, virt.host_pretouched_pages)
    };
    assert_eq!(violations(false), (4 + 16, 0));
    assert_eq!(violations(true), (16, 512));
}

#[test]
fn looking_at_accesses_first_changes_no_count() {
    for os in [EPT, r#"{"default": "2M", "virt": "ept"}"#] {
        let accesses = (0..600u64).map(|n| {
            let kind = [Kind::Load, Kind::Store, Kind::Fetch][(n % 3) as usize];
            Access::new(kind, n * 7919 * 4096 % (1 << 26) + n, 8)
        });
        let run = |is_guarded: bool| {
            let mut machine = common::machine(MACHINE, os);
            let (mut stats, mut index) = (Stats::default(), 0);
            for access in accesses.clone() {
                machine.access(index, &access, &mut stats);
                if is_guarded && index == 0 {
                    // Of a page that the guest does not have.
                    let (address, part) = (Hex(0x7000_0000_0000), HostPart::DATA);
                    let op = Op::HostUnmap { address, part, flush: true };
                    machine.perform(&OpRecord { pid: 0, tid: 0, cpu: 0, op }, &mut ());
                }
                index += 1;
            }
            assert_eq!(machine.failure(), None);
            stats.report(&machine, Completeness::Complete)
        };
        assert_eq!(run(true), run(false), "{os}");
    }
}
