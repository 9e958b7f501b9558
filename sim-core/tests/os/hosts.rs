//! What the host of a virtual machine does with its memory: khugepaged, and pages that are copied when they
//! are written.

use crate::support::report;
use expect_test::{Expect, expect};
use pagewalk::stats::{FaultsReport, SystemReport};

/// Everything of the host's that is not 0: pages, faults, other events, exits.
#[track_caller]
fn check(os: &str, text: &str, expected: &Expect) {
    let told = match report(os, text) {
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
    expected.assert_eq(&told);
}

/// Small pages go, and all cores are told; the next use maps the huge page, which is in memory.
#[test]
fn khugepaged_of_the_host_takes_small_entries_away_and_the_next_use_maps_a_huge_page() {
    let os = r#"{"virt": "ept", "host": {"default": "thp",
        "thp": {"at_fault": false, "khugepaged": {"every": 4}}}}"#;
    // Four pages of data in one block, four tables of the guest in another: more walks end in that.
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

/// The guest's huge page is one entry of the TLB only once the host's is one, too.
#[test]
fn huge_pages_of_the_host_make_those_of_the_guest_whole() {
    let host = |daemon: &str| {
        format!(
            r#"{{"default": "2M", "virt": "ept", "host": {{"default": "thp", "thp": {{"at_fault": false{daemon}}}}}}}"#
        )
    };
    let text: String =
        (0..200).map(|n| format!("load {:#x}\n", 0x20_0000 + n % 100 * 4096)).collect();
    let walks = |os: &str| report(os, &text).unwrap().kinds.load.walks;
    assert_eq!(walks(&host("")), 200);
    let with = host(r#", "khugepaged": {"every": 20, "pages": 2}"#);
    assert_eq!(walks(&with), 20 + 1);
}

const SHARED: &str = r#"{"virt": "ept", "host": {"regions": [
    {"start": "0x1000000000", "end": "0x2000000000", "pages": "4K", "copy_on_write": true}]}}"#;

/// What is only read stays shared; the first store exits, copies, and all that is known is dropped.
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

/// A store to a part of a large page that the guest has not touched before finds it shared, too.
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

/// As for the guest's own: one small page of it is copied, after it was split.
#[test]
fn a_huge_page_of_the_host_is_split_when_a_part_is_written() {
    let os = SHARED.replace("4K", "thp");
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
