//! Tests of the host's memory: khugepaged, and pages that are copied when they are written.

use crate::support::report;
use expect_test::{Expect, expect};
use pagewalk::record::stats::{FaultsReport, SystemReport};

/// Runs a scenario, and compares the nonzero counters of the host: pages, faults, other events, exits.
#[track_caller]
fn check(os: &str, text: &str, expected: &Expect) {
    let output = match report(os, text) {
        Err(error) => format!("{error}\n"),
        Ok(report) => {
            let virt = report.virt.unwrap();
            let FaultsReport { first_touch, shared, copy_on_write, swap_in, .. } = virt.host_faults;
            let SystemReport { promotions, promoted_pages, failed_promotions, .. } =
                virt.host_system;
            let SystemReport { shootdowns, dropped_entries, .. } = virt.host_system;
            let pages = virt.host_pages.iter().map(|(size, n)| (size.as_str(), *n)).collect();
            let lines = [
                ("pages", pages),
                (
                    "faults",
                    vec![
                        ("first touch", first_touch),
                        ("shared", shared),
                        ("copy on write", copy_on_write),
                        ("swap in", swap_in),
                    ],
                ),
                (
                    "system",
                    vec![
                        ("promotions", promotions),
                        ("of small pages", promoted_pages),
                        ("failed", failed_promotions),
                        ("shootdowns", shootdowns),
                        ("dropped", dropped_entries),
                    ],
                ),
                (
                    "exits",
                    vec![
                        ("violations", virt.exits.ept_violations),
                        ("flushes", virt.exits.flushes),
                        ("all", virt.exits.total),
                    ],
                ),
            ];
            let line = |(name, parts): (&str, Vec<(&str, u64)>)| {
                let parts = parts.into_iter().filter(|(_, n)| *n > 0);
                let parts: Vec<String> = parts.map(|(what, n)| format!("{what} {n}")).collect();
                (!parts.is_empty()).then(|| format!("{name}: {}\n", parts.join(", ")))
            };
            lines.into_iter().filter_map(line).collect()
        }
    };
    expected.assert_eq(&output);
}

/// khugepaged unmaps the small pages with a shootdown. The next use maps the huge page, which is already in memory.
#[test]
fn khugepaged_of_the_host_takes_small_entries_away_and_the_next_use_maps_a_huge_page() {
    let os = r#"{"virt": "ept", "host": {"default": "thp",
        "thp": {"at_fault": false, "khugepaged": {"every": 4}}}}"#;
    // Four pages of data are in one block, four guest tables in another. More walks end in the block of tables.
    let first = "load 0x1000\n load 0x2000\n load 0x3000\n load 0x4000";
    check(
        os,
        first,
        &expect![[r"
        pages: 4K 8, table_pages 6
        faults: first touch 8
        exits: violations 8, all 8
    "]],
    );
    check(
        os,
        &format!("{first}\n load 0x5000"),
        &expect![[r"
        pages: 2M 1, 4K 5, table_pages 5
        faults: first touch 9, shared 1
        system: promotions 1, of small pages 4, shootdowns 1, dropped 4
        exits: violations 10, flushes 1, all 11
    "]],
    );
    check(
        os,
        &format!("{first}\n load 0x5000\n load 0x6000\n load 0x7000\n load 0x8000\n load 0x9000"),
        &expect![[r"
            pages: 2M 2, table_pages 4
            faults: first touch 12, shared 2
            system: promotions 2, of small pages 12, shootdowns 2, dropped 8
            exits: violations 14, flushes 2, all 16
        "]],
    );
}

#[test]
fn a_host_without_free_blocks_keeps_its_small_pages() {
    let os = r#"{"virt": "ept", "host": {"default": "thp",
        "thp": {"at_fault": false, "fragmentation": 100, "khugepaged": {"every": 4}}}}"#;
    let text = "load 0x1000\n load 0x2000\n load 0x3000\n load 0x4000\n load 0x5000";
    check(
        os,
        text,
        &expect![[r"
        pages: 4K 9, table_pages 6
        faults: first touch 9
        system: failed 1
        exits: violations 9, all 9
    "]],
    );
}

/// Pages without rights are still mapped: khugepaged joins them with the others, and counts them once.
#[test]
fn khugepaged_of_the_host_joins_pages_that_have_lost_all_rights() {
    let os = r#"{"virt": "ept", "host": {"default": "thp",
        "thp": {"at_fault": false, "khugepaged": {"every": 4}}}}"#;
    let first = (1..=8).fold(String::new(), |text, n| text + &format!("load {:#x}\n", n << 12));
    for hides in ["host-protect 0x1000 --- no-flush", "host-set-entry 0x1000 level=2 clear=7"] {
        check(
            os,
            &format!("{first}\n {hides}\n load 0x9000"),
            &expect![[r"
            pages: 2M 2, table_pages 4
            faults: first touch 12, shared 2
            system: promotions 2, of small pages 12, shootdowns 2, dropped 8
            exits: violations 14, flushes 2, all 16
        "]],
        );
    }
}

/// A huge page of the guest is one TLB entry only after the host's page is huge too.
#[test]
fn huge_pages_of_the_host_make_those_of_the_guest_whole() {
    let host = |daemon: &str| {
        format!(
            r#"{{"default": "2M", "virt": "ept", "host": {{"default": "thp", "thp": {{"at_fault": false{daemon}}}}}}}"#
        )
    };
    let mut text = String::new();
    for n in 0..200 {
        text.push_str(&format!("load {:#x}\n", 0x20_0000 + n % 100 * 4096));
    }
    let walks = |os: &str| report(os, &text).unwrap().kinds.load.walks;
    assert_eq!(walks(&host("")), 200);
    let with = host(r#", "khugepaged": {"every": 20, "pages": 2}"#);
    assert_eq!(walks(&with), 20 + 1);
}

const SHARED: &str = r#"{"virt": "ept", "host": {"regions": [
    {"start": "0x1000000000", "end": "0x2000000000", "pages": "4K", "copy_on_write": true}]}}"#;

/// A page that is only read stays shared. The first store causes a VM exit, copies the page, and drops its
/// cached translations.
#[test]
fn a_page_of_the_host_that_others_have_is_copied_when_it_is_written() {
    check(
        SHARED,
        "load 0x1000\n load 0x1000",
        &expect![[r"
        pages: 4K 5, table_pages 6
        faults: first touch 4, shared 1
        exits: violations 5, all 5
    "]],
    );
    check(
        SHARED,
        "load 0x1000\n store 0x1000\n store 0x1000\n load 0x1000",
        &expect![[r"
        pages: 4K 5, table_pages 6
        faults: first touch 4, shared 1, copy on write 1
        system: shootdowns 1, dropped 1
        exits: violations 6, all 6
    "]],
    );
    check(
        SHARED,
        "store 0x1000\n load 0x1000",
        &expect![[r"
        pages: 4K 5, table_pages 6
        faults: first touch 4, copy on write 1
        exits: violations 5, all 5
    "]],
    );
}

/// A store to a new page of the guest, in a large page of the host, finds the host's page shared.
#[test]
fn a_new_page_of_the_guest_in_a_large_one_of_the_host_is_looked_at() {
    let os = SHARED.replace("4K", "2M");
    check(
        &os,
        "load 0x1000\n store 0x2000\n store 0x1000",
        &expect![[r"
        pages: 2M 1, 4K 4, table_pages 5
        faults: first touch 4, shared 1, copy on write 1
        system: shootdowns 1, dropped 1
        exits: violations 6, all 6
    "]],
    );
}

/// A huge page of the host is split, and one small page is copied, as for pages of the guest. The other small
/// pages keep the rights.
#[test]
fn a_huge_page_of_the_host_is_split_when_a_part_is_written() {
    let os = SHARED.replace("4K", "thp");
    check(
        &os,
        "load 0x1000\n host-protect 0x1000 --- no-flush\n store 0x1000\n load 0x2000",
        &expect![[r"
            pages: 4K 516, table_pages 6
            faults: first touch 4, shared 2, copy on write 1
            system: shootdowns 1, dropped 1
            exits: violations 7, all 7
        "]],
    );
    check(
        &os,
        "load 0x1000\n store 0x1000\n load 0x2000",
        &expect![[r"
        pages: 4K 516, table_pages 6
        faults: first touch 4, shared 1, copy on write 1
        system: shootdowns 1, dropped 1
        exits: violations 6, all 6
    "]],
    );
    // A page that was never mapped needs no shootdown.
    check(
        &os,
        "store 0x1000\n load 0x2000",
        &expect![[r"
            pages: 4K 516, table_pages 6
            faults: first touch 4, copy on write 1
            exits: violations 5, all 5
        "]],
    );
}

#[test]
fn under_shadow_paging_the_host_does_neither() {
    check(
        &SHARED.replace("ept", "shadow"),
        "load 0x1000",
        &expect![[r#"
        os.host.regions: the host's pages are copied on write under ept only: leave copy_on_write out of the host's regions, or make virt "ept"
    "#]],
    );
    check(
        r#"{"virt": "shadow", "host": {"default": "thp", "thp": {"khugepaged": {"every": 4}}}}"#,
        "load 0x1000",
        &expect![[r#"
            os.host.thp.khugepaged: the host's khugepaged works under ept only: leave it out, or make virt "ept"
        "#]],
    );
}

/// A setting that a host does not support is one error at its field.
#[test]
fn a_host_that_contradicts_itself_is_an_error_at_its_field() {
    let host = |rest: &str| format!(r#"{{"virt": "ept", "host": {{{rest}}}}}"#);
    for (os, error) in [
        (host(r#""default": "16K""#), "os.host.default: 16K is no page size of this machine"),
        (host(r#""virt": "ept""#), "os.host: a host has no host of its own"),
        (
            r#"{"host": {"default": "2M"}}"#.to_owned(),
            "os.host: there is no host unless virt is \"ept\" or \"shadow\"",
        ),
        (
            host(r#""thp": {"khugepaged": {"every": 0}}"#),
            "os.host.thp.khugepaged.every: 0: must be at least 1",
        ),
        (
            host(
                r#""regions": [{"start": "0x1000000000", "end": "0x1000200000", "pages": "4K", "advice": "hugepage"}]"#,
            ),
            "os.host.regions[0].advice: is for the policy thp, not 4K",
        ),
        (
            host(
                r#""regions": [{"start": "0x1000000000", "end": "0x1000200000", "pages": "4K", "pretouch": true, "copy_on_write": true}]"#,
            ),
            "os.host.regions[0].copy_on_write: pages that are touched before the run are copied then",
        ),
        (
            host(r#""default": "hugetlb-2M", "hugetlb": [{"size": "2M", "pages": 1}]"#),
            "os.host.hugetlb: the host's pool of 2M pages is empty at guest-physical 0x1000000000",
        ),
    ] {
        let said = report(&os, "load 0x1000").err().unwrap_or_else(|| "accepted".to_owned());
        assert!(said.starts_with(error), "{os}\n  {said}");
    }
}

/// One scenario for each cause of a fault: faults of the program, and hidden faults of the host.
#[test]
fn every_cause_of_a_fault_is_counted_as_what_it_is() {
    let region = |rest: &str, more: &str| {
        format!(
            r#"{{"regions": [{{"start": "0x1000", "end": "0x3000", "pages": "4K"{rest}}}]{more}}}"#
        )
    };
    let mut output = String::new();
    for (name, os) in [
        ("anonymous memory", region(r#", "kind": "heap""#, "")),
        ("a shared library", region(r#", "kind": "library""#, "")),
        ("a private page of others", region(r#", "copy_on_write": true"#, "")),
        ("a page on a disk", region(r#", "resident": false"#, "")),
        ("a page of a virtual machine", region("", r#", "virt": "ept""#)),
        ("the same under shadow paging", region("", r#", "virt": "shadow""#)),
        (
            "a page that its host has on a disk",
            region(
                "",
                r#", "virt": "ept", "host": {"regions": [{"start": "0x1000000000", "end": "0x1000200000", "pages": "4K", "resident": false}]}"#,
            ),
        ),
    ] {
        for text in ["load 0x1000\n load 0x1000", "store 0x1000", "load 0x1000\n store 0x1000"] {
            let report = report(&os, text).unwrap();
            let faults_of = |faults: &FaultsReport| {
                let parts = [
                    ("minor", faults.minor),
                    ("major", faults.major),
                    ("first touch", faults.first_touch),
                    ("shared", faults.shared),
                    ("copy on write", faults.copy_on_write),
                    ("swap in", faults.swap_in),
                    ("hidden", faults.hidden),
                ];
                let parts = parts.into_iter().filter(|(_, n)| *n > 0);
                parts.map(|(what, n)| format!("{what} {n}")).collect::<Vec<_>>().join(", ")
            };
            let of_host = report.virt.as_ref().map(|virt| faults_of(&virt.host_faults));
            let of_host = of_host.filter(|output| !output.is_empty());
            let of_host = of_host.map(|output| format!("; host: {output}")).unwrap_or_default();
            let text = text.replace('\n', ",");
            output += &format!("{name}, {text}: {}{of_host}\n", faults_of(&report.faults));
        }
    }
    expect![[r"
        anonymous memory, load 0x1000, load 0x1000: minor 1, first touch 1
        anonymous memory, store 0x1000: minor 1, first touch 1
        anonymous memory, load 0x1000, store 0x1000: minor 1, first touch 1
        a shared library, load 0x1000, load 0x1000: minor 1, shared 1
        a shared library, store 0x1000: minor 1, shared 1
        a shared library, load 0x1000, store 0x1000: minor 1, shared 1
        a private page of others, load 0x1000, load 0x1000: minor 1, shared 1
        a private page of others, store 0x1000: minor 1, copy on write 1
        a private page of others, load 0x1000, store 0x1000: minor 2, shared 1, copy on write 1
        a page on a disk, load 0x1000, load 0x1000: major 1, swap in 1
        a page on a disk, store 0x1000: major 1, swap in 1
        a page on a disk, load 0x1000, store 0x1000: major 1, swap in 1
        a page of a virtual machine, load 0x1000, load 0x1000: minor 1, first touch 1, hidden 5; host: minor 5, first touch 5
        a page of a virtual machine, store 0x1000: minor 1, first touch 1, hidden 5; host: minor 5, first touch 5
        a page of a virtual machine, load 0x1000, store 0x1000: minor 1, first touch 1, hidden 5; host: minor 5, first touch 5
        the same under shadow paging, load 0x1000, load 0x1000: minor 1, first touch 1, hidden 1
        the same under shadow paging, store 0x1000: minor 1, first touch 1, hidden 1
        the same under shadow paging, load 0x1000, store 0x1000: minor 1, first touch 1, hidden 1
        a page that its host has on a disk, load 0x1000, load 0x1000: minor 1, first touch 1, hidden 5; host: minor 4, major 1, first touch 4, swap in 1
        a page that its host has on a disk, store 0x1000: minor 1, first touch 1, hidden 5; host: minor 4, major 1, first touch 4, swap in 1
        a page that its host has on a disk, load 0x1000, store 0x1000: minor 1, first touch 1, hidden 5; host: minor 4, major 1, first touch 4, swap in 1
    "]].assert_eq(&output);
}
