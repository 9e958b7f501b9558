//! Tests of operations of the host, and of operations that are errors.

use std::rc::Rc;

use expect_test::expect;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::Replay;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Access, Completeness, HostPart, Kind, Op, OpRecord};

use crate::common;
use crate::common::ops::{items, trace};
use crate::{EPT, MACHINE, line, steps};

/// The processor does not follow an entry without rights, but the host can still use it.
#[test]
fn the_host_takes_back_and_protects_what_has_lost_all_rights() {
    let mut output = String::new();
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
        output += &format!("{hides}: {kept}{changes}: {taken}");
        let lines = common::ops::run(MACHINE, EPT, &text);
        let word = changes.split(' ').next().unwrap();
        output += lines.lines().rfind(|line| line.starts_with(word)).unwrap();
        output += "\n";
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
    .assert_eq(&output);
}

/// An entry that leads to a table has lost all rights. Mapping a new page below it restores the entry, and with
/// it the neighbouring pages.
#[test]
fn a_new_page_below_an_entry_without_rights_is_mapped_in_the_table_that_is_there() {
    let mut output = String::new();
    for level in 2..=4 {
        let text = format!(
            "load 0x1000\n host-set-entry 0x1000 level={level} clear=7\n load 0x2000\n invept type=2\n load 0x1000"
        );
        output += &format!("level {level}\n");
        output.extend(steps(MACHINE, EPT, &text).iter().map(line));
        let machine = common::machine(MACHINE, EPT);
        let mut replay = Replay::new(Rc::new(trace(&items(&text))), machine, 0);
        while !replay.run(u32::MAX).unwrap() {}
        output += &format!("{:?}\n", replay.report().virt.unwrap().host_pages);
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
    .assert_eq(&output);
}

/// A new page of the guest also finds the missing rights of the host's page.
#[test]
fn a_new_page_of_the_guest_meets_what_the_host_allows_of_its_page() {
    let os = r#"{"virt": "ept", "host": {"default": "2M"}}"#;
    let mut output = String::new();
    for (change, access) in [
        ("host-protect 0x1000 r--", "load"),
        ("host-protect 0x1000 r--", "store"),
        ("host-protect 0x1000 r--", "fetch"),
        ("host-unmap 0x1000", "load"),
        ("host-set-entry 0x1000 level=2 clear=r\n invept type=2", "load"),
    ] {
        let text = format!("load 0x1000\n {change}\n {access} 0x2000");
        output +=
            &format!("{}, {}", change.replace('\n', ","), line(&steps(MACHINE, os, &text)[1]));
    }
    expect![[r"
        host-protect 0x1000 r--, load 0x2000: 1 Flush; Fault, 10 refs
        host-protect 0x1000 r--, store 0x2000: 1 Flush; violation for data 0x18a; Fault, 10 refs
        host-protect 0x1000 r--, fetch 0x2000: 1 Flush; violation for data 0x18c; Fault, 10 refs
        host-unmap 0x1000, load 0x2000: 1 Flush; violation for data 0x181; Fault, 10 refs
        host-set-entry 0x1000 level=2 clear=r, invept type=2, load 0x2000: 1 EptMisconfiguration; EPT misconfiguration
    "]].assert_eq(&output);
}

/// Intel SDM 4.10.3.3: one entry is read four times, and the page is the table itself.
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
fn impossible_operations_of_the_host_are_errors() {
    const HUGE: &str = r#"{"virt": "ept", "host": {"default": "1G"}}"#;
    let mut output = String::new();
    for (os, op) in [
        ("{}", "host-unmap 0x1000"),
        ("{}", "invept type=2"),
        (r#"{"virt": "shadow"}"#, "host-protect 0x1000 r--"),
        (EPT, "host-set-entry 0x1000 level=5 clear=r"),
        (EPT, "host-set-entry 0x1000 level=2 set=0x40000000"),
        (EPT, "host-set-entry 0x1000 level=3 set=0x1000"),
        (
            EPT,
            "host-set-entry 0x1000 level=3 clear=r+w+x\n host-set-entry 0x1000 level=3 set=0x1000",
        ),
        (EPT, "host-set-entry 0x1000 level=1 set=0x1000"),
        (HUGE, "host-set-entry 0x1000 level=3 clear=ps"),
        (EPT, "load 0x2000\n host-unmap 0x1000\n host-set-entry 0x1000 level=1 set=r+w+x"),
        ("{}", "set-entry 0x1000 level=2 set=0x40000000"),
        (r#"{"default": "2M"}"#, "set-entry 0x1000 level=2 clear=ps"),
        ("{}", "set-entry 0x40001000 level=1 clear=a"),
    ] {
        let lines = common::ops::run("{}", os, &format!("load 0x1000\n {op}\n load 0x1000"));
        output += lines.lines().last().unwrap();
        output += "\n";
    }
    expect![[r"
        Unsupported: before access 1: `host-unmap 0x1000 for=data` cannot be simulated: there is no host: virtualise memory with ept or shadow
        Unsupported: before access 1: `invept type=2` cannot be simulated: there is no host: virtualise memory with ept or shadow
        Unsupported: before access 1: `host-protect 0x1000 r-- for=data` cannot be simulated: the host's tables are not walked under shadow paging: use ept
        Unsupported: before access 1: `host-set-entry 0x1000 for=data level=5 clear=0x1`: 0x1000000000: there is no table of level 5 on the way to this address yet: access the page first, or choose another level
        Unsupported: before access 1: `host-set-entry 0x1000 for=data level=2 set=0x40000000`: the entry would be 0x40205107: its address and whether it maps a page are the host's: use host-unmap
        Unsupported: before access 1: `host-set-entry 0x1000 for=data level=3 set=0x1000`: the entry would be 0x205107: its address and whether it maps a page are the host's: use host-unmap
        Unsupported: before access 1: `host-set-entry 0x1000 for=data level=3 set=0x1000`: the entry would be 0x205100: its address and whether it maps a page are the host's: use host-unmap
        Unsupported: before access 1: `host-set-entry 0x1000 for=data level=1 set=0x1000`: the entry would be 0x1000005137: its address and whether it maps a page are the host's: use host-unmap
        Unsupported: before access 1: `host-set-entry 0x1000 for=data level=3 clear=0x80`: the entry would be 0x1040000137: its address and whether it maps a page are the host's: use host-unmap
        Unsupported: before access 2: `host-set-entry 0x1000 for=data level=1 set=0x7`: 0x1000000000: the host's entry of level 1 for this address is empty, and flags alone would map the host's memory at address 0: access the page first, so that the host maps it
        Unsupported: before access 1: `set-entry 0x1000 level=2 set=0x40000000`: only the operating system changes the address, P and PS: use munmap to unmap the page
        Unsupported: before access 1: `set-entry 0x1000 level=2 clear=0x80`: only the operating system changes the address, P and PS: use munmap to unmap the page
        BadTrace: before access 1: `set-entry 0x40001000 level=1 clear=0x20`: there is no entry of level 1 at 0x40001000 yet: access the page first, or choose another level
    "]]
    .assert_eq(&output);
}

/// Runs accesses under a host whose memory comes from a pool.
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
    // The guest's tables need one page, its data another.
    let (failure, left) = run(2);
    assert_eq!((failure, left[0].free), (None, 0));
    expect!["os.host.hugetlb: the host's pool of 2M pages is empty at guest-physical 0x1000000000, which ends the virtual machine: give it more pages"]
        .assert_eq(&run(1).0.unwrap());
}

/// Memory that the host maps before the guest runs causes no violations.
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
        let run = |checks_permissions: bool| {
            let mut machine = common::machine(MACHINE, os);
            let (mut stats, mut index) = (Stats::default(), 0);
            for access in accesses.clone() {
                machine.access(index, &access, &mut stats);
                if checks_permissions && index == 0 {
                    // The operation unmaps a page that the guest does not have.
                    let (address, part) = (Hex(0x7000_0000_0000), HostPart::DATA);
                    let op = Op::HostUnmap { address, part, flush: true };
                    machine.execute(&OpRecord { pid: 0, tid: 0, cpu: 0, op }, &mut ());
                }
                index += 1;
            }
            assert_eq!(machine.failure(), None);
            stats.report(&machine, Completeness::Complete)
        };
        assert_eq!(run(true), run(false), "{os}");
    }
}
