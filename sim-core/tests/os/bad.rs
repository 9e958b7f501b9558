//! Tests of impossible settings and accesses. Each is an error at its field, or a counted fault. No wrong setting is
//! replaced silently.

use crate::support::{check, report, report_on};
use expect_test::expect;

#[test]
fn policies_that_contradict_themselves_are_errors_at_their_field() {
    let region = |rest: &str| {
        format!(r#"{{"regions": [{{"start": "0x200000", "end": "0x600000", {rest}}}]}}"#)
    };
    for (os, error) in [
        (r#"{"default": "16K"}"#.to_owned(), "os.default: 16K is no page size of this machine"),
        (r#"{"default": "hugetlb-4K"}"#.to_owned(), "os.default: 4K is the smallest page"),
        (
            r#"{"hugetlb": [{"size": "4K", "pages": 3}]}"#.to_owned(),
            "os.hugetlb[0].size: 4K is the smallest page",
        ),
        (
            r#"{"hugetlb": [{"size": "2M", "pages": 3}, {"size": "2M", "pages": 4}]}"#.to_owned(),
            "os.hugetlb[1].size: there is already a pool of 2M pages",
        ),
        (
            r#"{"thp": {"fragmentation": 101}}"#.to_owned(),
            "os.thp.fragmentation: 101 per cent: must be 0 to 100",
        ),
        (
            r#"{"thp": {"khugepaged": {"every": 0}}}"#.to_owned(),
            "os.thp.khugepaged.every: 0: must be at least 1",
        ),
        (
            r#"{"thp": {"khugepaged": {"every": 9, "max_ptes_none": 512}}}"#.to_owned(),
            "os.thp.khugepaged.max_ptes_none: 512: a huge page of this machine has 512 small ones",
        ),
        (r#"{"hugetext": {"enabled": 4}}"#.to_owned(), "os.hugetext.enabled: 4: must be 1"),
        (
            r#"{"hugetext": {"pad_threshold": 2097152}}"#.to_owned(),
            "os.hugetext.pad_threshold: 2097152: must be 0 to 2097151",
        ),
        (
            region(r#""pages": "4K", "advice": "hugepage""#),
            "os.regions[0].advice: is for the policy thp, not 4K",
        ),
        (
            region(r#""pages": "thp", "kind": "file""#),
            "os.regions[0].pages: thp is not possible for file",
        ),
        (
            region(r#""pages": "hugetext", "kind": "heap""#),
            "os.regions[0].pages: hugetext is not possible for heap",
        ),
        (
            region(r#""pages": "hugetlb-2M", "kind": "stack""#),
            "os.regions[0].pages: hugetlb-2M is not possible for stack",
        ),
        (
            region(r#""pages": "hugetlb-1G""#),
            "os.regions[0].start: 0x200000 is no multiple of 1G",
        ),
        (
            region(r#""pages": "hugetext", "kind": "text", "offset": "0x1000""#),
            "os.regions[0].offset: 0x1000 is not congruent to the start, 0x200000, modulo 2M",
        ),
        (
            region(r#""pages": "4K", "kind": "heap", "offset": "0x1000""#),
            "os.regions[0].offset: the region has no file",
        ),
        (
            region(r#""pages": "4K", "pretouch": true, "copy_on_write": true"#),
            "os.regions[0].copy_on_write: pages that are touched before the run are copied then",
        ),
        (
            region(r#""pages": "4K", "pretouch": true, "resident": false"#),
            "os.regions[0].resident: pages that are touched before the run are in memory",
        ),
        (
            region(r#""pages": "4K", "kind": "shared", "copy_on_write": true"#),
            "os.regions[0].copy_on_write: shared memory is never copied",
        ),
        (
            r#"{"regions": [{"start": "0x800000000000", "end": "0x800000001000", "pages": "4K"}]}"#
                .to_owned(),
            "os.regions[0].start: 0x800000000000 is not canonical: bits 63 to 48 must equal bit 47",
        ),
        (
            r#"{"regions": [{"start": "0x7ffffffff000", "end": "0x800000001000", "pages": "4K"}]}"#
                .to_owned(),
            "os.regions[0].end: 0x800000001000 is beyond the addresses that the machine translates",
        ),
        (
            r#"{"hugetlb": [{"size": "2M", "pages": 1}], "regions": [{"start": "0x200000", "end": "0x600000", "pages": "hugetlb-2M"}]}"#
                .to_owned(),
            "os.regions[0].pages: needs 2 pages of 2M, and the pool has 1 left",
        ),
        (
            r#"{"hugetlb": [{"size": "2M", "pages": 1, "reserve": false}], "regions": [{"start": "0x200000", "end": "0x600000", "pages": "hugetlb-2M", "pretouch": true}]}"#
                .to_owned(),
            "os.hugetlb: the pool of 2M pages is empty before all regions are touched: at 0x400000",
        ),
    ] {
        let said = report(&os, "load 0x1000").err().unwrap_or_else(|| "accepted".to_owned());
        assert!(said.starts_with(error), "{os}\n  {said}");
    }
}

/// A setting without an effect is an error at its field, with a remedy.
#[test]
fn settings_that_decide_nothing_are_errors() {
    let region = |pages: &str| {
        format!(r#""regions": [{{"start": "0x200000", "end": "0x600000", "pages": "{pages}"}}]"#)
    };
    let with = |pages: &str, rest: &str| format!("{{{}, {rest}}}", region(pages));
    let thp = "no memory has the policy thp: make default or the pages of a region \"thp\"";
    for (os, error) in [
        (
            r#"{"thp": {"khugepaged": {"every": 9}}}"#.to_owned(),
            format!("os.thp.khugepaged: {thp}, or leave this out"),
        ),
        (with("2M", r#""thp": {"fragmentation": 50}"#), format!("os.thp: {thp}")),
        (
            with("hugetext", r#""thp": {"enabled": "madvise", "at_fault": false}"#),
            format!("os.thp: {thp}"),
        ),
        (
            with("4K", r#""default": "hugetext", "thp": {"at_fault": false}"#),
            format!("os.thp: {thp}"),
        ),
        (
            with("thp", r#""thp": {"enabled": "never", "khugepaged": {"every": 9}}"#),
            "os.thp.khugepaged: khugepaged does not run while enabled is \"never\"".to_owned(),
        ),
        (
            r#"{"default": "thp", "thp": {"at_fault": false, "fragmentation": 50}}"#.to_owned(),
            "os.thp.fragmentation: no setting makes huge pages".to_owned(),
        ),
        (
            r#"{"default": "thp", "thp": {"enabled": "never", "fragmentation": 50}}"#.to_owned(),
            "os.thp.fragmentation: no setting makes huge pages".to_owned(),
        ),
        (
            with("thp", r#""hugetlb": [{"size": "2M", "pages": 9}]"#),
            "os.hugetlb[0].size: no memory has the policy hugetlb-2M".to_owned(),
        ),
        (
            with(
                "hugetlb-2M",
                r#""hugetlb": [{"size": "2M", "pages": 9}, {"size": "1G", "pages": 1}]"#,
            ),
            "os.hugetlb[1].size: no memory has the policy hugetlb-1G".to_owned(),
        ),
        (
            with("2M", r#""hugetext": {"max": 4}"#),
            "os.hugetext: no memory has the policy hugetext".to_owned(),
        ),
        (
            r#"{"default": "hugetext", "hugetext": {"enabled": 2, "pad_threshold": 4096}}"#
                .to_owned(),
            "os.hugetext.pad_threshold: only text of files has a tail to pad".to_owned(),
        ),
        (
            r#"{"virt": "ept", "host": {"thp": {"khugepaged": {"every": 9}}}}"#.to_owned(),
            format!("os.host.thp.khugepaged: {thp}"),
        ),
        (
            r#"{"virt": "shadow", "host": {"hugetlb": [{"size": "2M", "pages": 9}]}}"#.to_owned(),
            "os.host.hugetlb[0].size: no memory has the policy hugetlb-2M".to_owned(),
        ),
    ] {
        let said = report(&os, "load 0x1000").err().unwrap_or_else(|| "accepted".to_owned());
        assert!(said.starts_with(&error), "{os}\n  {said}");
    }
}

/// Each setting has an effect if there is memory that it applies to.
#[test]
fn settings_that_decide_something_are_taken() {
    for os in [
        r#"{"default": "thp", "thp": {"at_fault": false, "fragmentation": 50, "khugepaged": {"every": 9}}}"#,
        r#"{"regions": [{"start": "0x0", "end": "0x40000000", "pages": "thp"}], "thp": {"fragmentation": 50}}"#,
        r#"{"default": "hugetlb-1G", "hugetlb": [{"size": "2M", "pages": 9}]}"#,
        r#"{"default": "hugetext", "hugetext": {"enabled": 1, "pad_threshold": 4096}}"#,
        // `enabled` may be set although no memory has a policy with huge pages.
        r#"{"default": "4K", "thp": {"enabled": "never"}, "hugetext": {"enabled": 1}}"#,
    ] {
        assert!(report(os, "load 0x1000").is_ok(), "{os}");
    }
}

/// With `MAP_NORESERVE`, a touch that finds the pool empty is a bus error without a translation.
#[test]
fn an_empty_pool_is_a_bus_error_until_a_page_comes_back() {
    check(
        r#"{"hugetlb": [{"size": "2M", "pages": 1, "reserve": false}],
            "regions": [{"start": "0x200000", "end": "0x800000", "pages": "hugetlb-2M"}]}"#,
        "load 0x200000
        load 0x400000
        store 0x5fffff 2
        load 0x201000
        munmap 0x200000 2097152
        load 0x400000",
        &expect![[r"
            pages: 2M 1, table_pages 3
            KiB: mapped 2048, waste 2040, tables 12
            faults: first touch 2, bus errors 2
            system: shootdowns 1, dropped 1
            pool of 2M: 0 of 1 free
            0x200000..0x800000 unknown [config] hugetlb-2M: 1 × 2M
        "]],
    );
}

#[test]
fn addresses_that_are_not_canonical_are_general_protection_faults() {
    let report =
        report("{}", "load 0x7fffffffffff\nload 0x800000000000\nstore 0x7fffffffffff 2\nload 0x0")
            .unwrap();
    assert_eq!(report.exceptions.general_protection, 2);
    assert_eq!((report.trace.accesses, report.trace.translations), (4, 2));
}

/// Every machine has the faults of its architecture, and distinguishes all other addresses.
#[test]
fn each_architecture_has_its_addresses() {
    const LOADS: &str = "load 0x1000
        load 0x800000001000
        load 0xffff800000001000
        load 0xffff000000001000
        load 0x1234000000001000
        load 0x4000000000
        load 0x7f3a1c2b5e48
        load 0xffffffffffffffff 8";
    for (paging, pages, faults_expected) in [
        (r#"{"index_bits": [9, 9, 9, 9]}"#, 5, "#GP 3"),
        (r#"{"index_bits": [9, 9, 9, 9], "leaf_levels": [1, 2]}"#, 5, "#GP 3"),
        (r#"{"contiguous": {"4K": 16}}"#, 7, "translation fault 1"),
        (r#"{"index_bits": [9, 9, 9]}"#, 2, "page fault 6"),
        (r#"{"leaf_levels": [1, 2, 3, 4]}"#, 5, "page fault 3"),
        (r#"{"index_bits": [10, 10]}"#, 1, "address error 7"),
    ] {
        let machine = format!(r#"{{"paging": {paging}}}"#);
        let report = report_on(&machine, "{}", LOADS).unwrap();
        let faults = report.exceptions;
        let x86 = ("#GP".to_owned(), faults.general_protection);
        let mut found = [x86].into_iter().chain(faults.address_faults).filter(|(_, n)| *n > 0);
        let (name, n) = found.next().unwrap();
        assert_eq!(
            (report.pages["4K"], format!("{name} {n}").as_str()),
            (pages, faults_expected),
            "{paging}"
        );
        assert_eq!(found.next(), None);
    }
}

#[test]
fn an_adaptive_cap_has_windows_and_steps_and_is_not_the_hosts() {
    for (os, error) in [
        (
            r#"{"hugetext": {"adaptive": {"every": 0}}}"#,
            "os.hugetext.adaptive.every: 0: must be at least 1; leave adaptive out",
        ),
        (
            r#"{"hugetext": {"adaptive": {"every": 9, "step": 0}}}"#,
            "os.hugetext.adaptive.step: 0: must be at least 1",
        ),
        (
            r#"{"virt": "ept", "host": {"hugetext": {"adaptive": {"every": 9}}}}"#,
            "os.host.hugetext.adaptive: a host does not see what its guest fetches",
        ),
    ] {
        let found = report(os, "load 0x0").unwrap_err();
        assert!(found.starts_with(error), "{os}: {found}");
    }
}
