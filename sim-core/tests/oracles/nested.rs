//! Compares the references of nested walks with the closed forms of papers and manuals.

use crate::common::{page, report, run, text};
use expect_test::expect;
use pagewalk::config::cpu::model;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::os::OsConfig;
use pagewalk::record::event::CellState;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::explain::{Explanation, explain};
use pagewalk_base::trace::{Access, Completeness, Kind};
use pagewalk_sources::workload::generator;

/// Returns uniformly random loads.
fn uniform(n: u32, bytes: u64) -> impl Iterator<Item = Access> {
    let given = [("accesses", n.to_string()), ("bytes", bytes.to_string())];
    generator("uniform", &given.map(|(name, value)| (name.to_owned(), value))).unwrap()
}

const ADDRESS: u64 = 0x7f3a_1c2b_5e48;

#[track_caller]
fn cold(machine: &str, os: &str) -> Explanation {
    let config = MachineConfig::parse(machine).unwrap();
    let os: OsConfig = parse_json(os).unwrap();
    explain(&config, &os, ADDRESS).unwrap()
}

fn ept(guest: &str, host: &str) -> String {
    format!(r#"{{"default": "{guest}", "virt": "ept", "host": {{"default": "{host}"}}}}"#)
}

/// Bhargava et al., ASPLOS 2008, figure 1.
#[test]
fn a_cold_walk_reads_24_entries_in_the_order_of_the_figure() {
    let steps = cold("{}", &ept("4K", "4K")).steps;
    let output: Vec<String> =
        steps.iter().map(|s| format!("{} {} for {}", s.n, s.entry, s.purpose)).collect();
    expect![[r"
        1 nL4 for gL4, 2 nL3 for gL4, 3 nL2 for gL4, 4 nL1 for gL4, 5 gL4 for gL4
        6 nL4 for gL3, 7 nL3 for gL3, 8 nL2 for gL3, 9 nL1 for gL3, 10 gL3 for gL3
        11 nL4 for gL2, 12 nL3 for gL2, 13 nL2 for gL2, 14 nL1 for gL2, 15 gL2 for gL2
        16 nL4 for gL1, 17 nL3 for gL1, 18 nL2 for gL1, 19 nL1 for gL1, 20 gL1 for gL1
        21 nL4 for data, 22 nL3 for data, 23 nL2 for data, 24 nL1 for data
    "]]
    .assert_eq(&output.chunks(5).map(|row| row.join(", ") + "\n").collect::<String>());
}

/// A cold walk reads (g + 1)(h + 1) − 1 entries, where g and h are the numbers of walked levels.
#[test]
fn the_references_of_a_cold_walk_follow_from_both_page_sizes() {
    let mut table = String::new();
    for (guest_levels, host_levels) in [(4, 4), (4, 5), (5, 4), (5, 5)] {
        let machine =
            format!(r#"{{"levels": {guest_levels}, "virt": {{"levels": {host_levels}}}}}"#);
        for guest in ["4K", "2M", "1G"] {
            let row = ["4K", "2M", "1G"].map(|host| cold(&machine, &ept(guest, host)).refs);
            table += &format!("{guest_levels} x {host_levels}, {guest}: {row:?}\n");
        }
    }
    expect![[r"
        4 x 4, 4K: [24, 19, 14]
        4 x 4, 2M: [19, 15, 11]
        4 x 4, 1G: [14, 11, 8]
        4 x 5, 4K: [29, 24, 19]
        4 x 5, 2M: [23, 19, 15]
        4 x 5, 1G: [17, 14, 11]
        5 x 4, 4K: [29, 23, 17]
        5 x 4, 2M: [24, 19, 14]
        5 x 4, 1G: [19, 15, 11]
        5 x 5, 4K: [35, 29, 23]
        5 x 5, 2M: [29, 24, 19]
        5 x 5, 1G: [23, 19, 15]
    "]]
    .assert_eq(&table);
}

/// A cold walk reads g·(h1 + 1) + h2 entries. h1 is the number of the host's levels for guest tables, and h2 for
/// data. Guest tables are in the first 64 GiB.
#[test]
fn tables_and_data_of_the_guest_may_have_pages_of_different_sizes() {
    let host = |tables: &str, data: &str| {
        format!(
            r#"{{"virt": "ept", "host": {{"default": "{data}", "regions": [{{"start": "0", "end": "0x1000000000", "pages": "{tables}"}}]}}}}"#
        )
    };
    assert_eq!(cold("{}", &host("4K", "2M")).refs, 4 * 5 + 3);
    assert_eq!(cold("{}", &host("2M", "4K")).refs, 4 * 4 + 4);
}

/// The guest's entries of a nested walk are those of the native walk, at the same indices.
#[test]
fn without_the_host_a_nested_walk_is_the_native_one() {
    for pages in ["4K", "2M", "1G"] {
        let native = cold("{}", &format!(r#"{{"default": "{pages}"}}"#)).steps;
        let nested = cold("{}", &ept(pages, "4K")).steps;
        let guest: Vec<_> = nested.iter().filter(|step| step.entry.starts_with('g')).collect();
        assert_eq!(guest.len(), native.len());
        for (guest, native) in guest.iter().zip(&native) {
            assert_eq!(guest.entry[1..], native.entry);
            assert_eq!(guest.address.0 % 4096, native.address.0 % 4096);
        }
    }
}

/// Returns the report of the last access alone.
#[track_caller]
fn last_walk(machine: &str, os: &str, accesses: &[Access]) -> RunReport {
    let mut machine = crate::common::machine(machine, os);
    let (last, before) = accesses.split_last().unwrap();
    run(&mut machine, before.iter().copied(), &mut ());
    let mut stats = Stats::default();
    machine.access(u32::try_from(before.len()).unwrap(), last, &mut stats);
    stats.report(&machine, Completeness::Complete)
}

/// Returns a machine with a TLB of one entry, so that every change of page misses.
fn one_entry_tlb(more: &str) -> String {
    format!(r#"{{"l1": [{{"entries": 1}}], {more}}}"#)
}

/// Returns accesses to a page, to its neighbour, which evicts it from the TLB, and to the page again.
fn revisit() -> [Access; 3] {
    [page(0), page(1), page(0)]
}

/// After a combined hit, r entries of the guest remain to be read. Without cached EPT entries, they take r·(h + 1)
/// references.
#[test]
fn a_combined_hit_leaves_a_host_walk_for_every_entry() {
    for (levels, cache, r) in [(4, "pde", 1), (4, "pdpte", 2), (4, "pml4e", 3), (5, "pml5e", 4)] {
        for (host, h) in [("4K", 4), ("2M", 3)] {
            let more = format!(r#""levels": {levels}, "psc": {{"{cache}": {{"entries": 4}}}}"#);
            let walk = last_walk(&one_entry_tlb(&more), &ept("4K", host), &revisit()).walks;
            assert_eq!((walk.refs, walk.guest_refs), (r * (h + 1), r), "{cache} on {host}");
        }
    }
}

const PSC: &str = r#"{"pml4e": {"entries": 2}, "pdpte": {"entries": 4}, "pde": {"entries": 32}}"#;

#[test]
fn with_everything_warm_two_entries_are_read() {
    let both = one_entry_tlb(&format!(r#""psc": {PSC}, "virt": {{"ept_psc": {PSC}}}"#));
    assert_eq!(last_walk(&both, &ept("4K", "4K"), &revisit()).walks.refs, 2);
    let far = [page(0), page(1 << 9), page(0)];
    assert_eq!(last_walk(&both, &ept("2M", "2M"), &far).walks.refs, 2);
    let host_only = one_entry_tlb(&format!(r#""virt": {{"ept_psc": {PSC}}}"#));
    assert_eq!(last_walk(&host_only, &ept("4K", "4K"), &revisit()).walks.refs, 4 * 2 + 1);
}

/// Bhargava et al., ASPLOS 2008: a page walk cache of guest entries, one of guest and host entries, and one with a
/// nested TLB.
#[test]
fn page_walk_caches_leave_what_the_paper_says() {
    let walk = |virt: &str| {
        let machine = one_entry_tlb(&format!(r#""virt": {{{virt}}}"#));
        let RunReport { walks, .. } = last_walk(&machine, &ept("4K", "4K"), &revisit());
        let pwc = walks.pwc.map_or(0, |pwc| pwc.lookups);
        (walks.refs, pwc)
    };
    let pwc = r#""pwc": {"entries": 64}"#;
    let leaves = r#""pwc": {"entries": 64, "leaf_of_tables": true}"#;
    assert_eq!(walk(&format!(r#""style": "pwc-1d", {pwc}"#)), (24 - 3, 3));
    assert_eq!(walk(&format!(r#""style": "pwc-2d", {pwc}"#)), (6, 3 + 5 * 3));
    assert_eq!(walk(&format!(r#""style": "pwc-2d", {leaves}"#)), (2, 3 + 5 * 4));
    let nested = r#""nested_tlb": {"entries": 16}"#;
    assert_eq!(walk(&format!(r#""style": "pwc-2d", {leaves}, {nested}"#)), (2, 4 + 3));
    assert_eq!(walk(&format!(r#""style": "pwc-2d", {pwc}, {nested}"#)), (2, 3 + 3));
}

/// The entries of each row that a page walk cache serves (`C`) and that are read (`R`).
#[test]
fn the_grid_shows_which_entries_a_page_walk_cache_serves() {
    let mut output = String::new();
    for style in ["pwc-1d", "pwc-2d"] {
        let virt = format!(r#""virt": {{"style": "{style}", "pwc": {{"entries": 64}}}}"#);
        let (_, steps) = text::steps(&one_entry_tlb(&virt), &ept("4K", "4K"), &revisit());
        let walk = &steps.last().unwrap().translations[0];
        output += style;
        for row in &walk.nested.as_ref().unwrap().rows {
            let cells = row.host.iter().chain(&row.guest).map(|cell| match cell.state {
                CellState::Read => 'R',
                CellState::SkippedByPwc => 'C',
                _ => '-',
            });
            output += &format!(" {}:{}", row.name, cells.collect::<String>());
        }
        output += "\n";
    }
    expect![[r"
        pwc-1d gL4:RRRRC gL3:RRRRC gL2:RRRRC gL1:RRRRR data:RRRR
        pwc-2d gL4:CCCRC gL3:CCCRC gL2:CCCRC gL1:CCCRR data:CCCR
    "]]
    .assert_eq(&output);
}

/// Splintering: the TLB holds the smaller of the two pages.
#[test]
fn only_large_pages_on_both_sides_make_large_entries() {
    let machine = r#"{"l1": [{"entries": 1024}]}"#;
    let sweep = || (0..512).map(page);
    let fills = |guest: &str, host: &str| {
        let report = report(machine, &ept(guest, host), sweep());
        (report.structures[0].fills, report.faults.minor, report.walks.refs)
    };
    assert_eq!(fills("2M", "4K"), (512, 1, 512 * 19));
    assert_eq!(fills("4K", "2M"), (512, 512, 512 * 19));
    assert_eq!(fills("2M", "2M"), (1, 1, 15));
    assert_eq!(fills("4K", "4K"), (512, 512, 512 * 24));
}

/// Merrifield and Taheri, VEE 2016: six times the lookups take far less than six times the cycles. The TLB is too
/// small for the 32 pages, so walks take place even when all caches are warm.
#[test]
fn large_pages_and_walk_caches_keep_nested_walks_cheap() {
    let mut config = pagewalk::config::cpu::model("intel-skylake-sp").unwrap().machine;
    config.memory.data = false;
    config.l1 = parse_json::<MachineConfig>(r#"{"l1": [{"entries": 16}]}"#).unwrap().l1;
    config.l2.clear();
    let walks = |os: &str| {
        let os = parse_json(os).unwrap();
        let mut machine = pagewalk::machine::Machine::new(&config, &os).unwrap();
        let mut stats = Stats::default();
        run(&mut machine, uniform(200_000, 64 << 20), &mut stats);
        let report = stats.report(&machine, Completeness::Complete);
        (report.walks.walks, report.cycles.walk)
    };
    let (native, nested) = (walks(r#"{"default": "2M"}"#), walks(&ept("2M", "2M")));
    assert_eq!(native.0, nested.0);
    assert!(native.0 > 50_000, "{native:?}");
    assert!(native.1 < nested.1 && nested.1 < 2 * native.1, "{native:?} native, {nested:?} nested");
}

/// Published simulators find 2 to 6 references per walk with walk caches (Park et al., ASPLOS 2022: 4.4).
#[test]
fn with_walk_caches_a_nested_walk_reads_few_entries() {
    let mut config = pagewalk::config::cpu::model("intel-skylake-sp").unwrap().machine;
    config.memory.data = false;
    let os = parse_json(&ept("4K", "4K")).unwrap();
    let mut machine = pagewalk::machine::Machine::new(&config, &os).unwrap();
    let mut stats = Stats::default();
    run(&mut machine, uniform(500_000, 1 << 30), &mut stats);
    let walks = stats.report(&machine, Completeness::Complete).walks;
    assert!((2 * walks.walks..6 * walks.walks).contains(&walks.refs), "{walks:?}");
}

/// Host tables with two levels of 16 index bits take (4 + 1)·(2 + 1) − 1 references. Shadow paging takes the
/// native 4.
#[test]
fn flatter_host_tables_and_shadow_tables_shorten_walks() {
    let flat =
        r#"{"virt": {"paging": {"offset_bits": 12, "index_bits": [16, 16], "leaf_levels": [1]}}}"#;
    assert_eq!(cold(flat, &ept("4K", "4K")).refs, 14);
    for (guest, refs) in [("4K", 4), ("2M", 3), ("1G", 2)] {
        let os = format!(r#"{{"default": "{guest}", "virt": "shadow"}}"#);
        assert_eq!(cold("{}", &os).refs, refs, "{guest}");
        let os =
            format!(r#"{{"default": "{guest}", "virt": "shadow", "host": {{"default": "4K"}}}}"#);
        assert_eq!(cold("{}", &os).refs, 4, "{guest} on 4K");
    }
}

/// The 24 references of a cold walk read few different entries. A cache of entries by host-physical address hits for
/// the repeated ones. The guest's tables are in one 2M region, its data in another 1G region: 4 entries of the
/// guest, and 1 + 2 + 2 + 5 of the host.
#[test]
fn entries_are_read_again_within_one_walk() {
    let steps = cold("{}", &ept("4K", "4K")).steps;
    let places: std::collections::BTreeSet<u64> = steps.iter().map(|s| s.address.0).collect();
    assert_eq!((steps.len(), places.len()), (24, 4 + 1 + 2 + 2 + 5));
    let of_tables = steps.iter().filter(|step| step.purpose != "data");
    let places: std::collections::BTreeSet<u64> = of_tables.map(|s| s.address.0).collect();
    assert_eq!(places.len(), 4 + 1 + 1 + 1 + 4);
}

/// Intel SDM vol. 3C, 28.2.4 and 28.2.5: a read of a guest's table is a write for the host, and is logged.
#[test]
fn accessed_and_dirty_flags_are_set_and_logged_as_the_manual_counts() {
    let first = |kind: Kind| {
        let access = Access::new(kind, ADDRESS, 1);
        let report = report("{}", &ept("4K", "4K"), [access, access]);
        let virt = report.virt.unwrap();
        (report.walks.ad_updates, virt.ept_accessed, virt.ept_dirty, virt.pml_entries)
    };
    // The host has one root table and two tables of each other level, because the data is in another 1G region.
    assert_eq!(first(Kind::Load), (4, 1 + 2 + 2 + 5, 4, 4));
    assert_eq!(first(Kind::Store), (5, 1 + 2 + 2 + 5, 5, 5));
    let native = |kind| report("{}", "{}", [Access::new(kind, ADDRESS, 1)]).walks.ad_updates;
    assert_eq!((native(Kind::Load), native(Kind::Store)), (4, 5));
}

/// The log has 512 entries. The next dirty flag causes a VM exit.
#[test]
fn the_page_modification_log_exits_when_it_is_full() {
    let stores = |n| (0..n).map(|at| Access::new(Kind::Store, at << 12, 1));
    let exits = |n| report("{}", &ept("4K", "4K"), stores(n)).virt.unwrap();
    let tables = 4;
    assert_eq!(exits(512 - tables).pml_full_exits, 0);
    let full = exits(513 - tables);
    assert_eq!((full.pml_entries, full.pml_full_exits, full.exits.log_full), (513, 1, 1));
    // From the 513th page on, the guest has a second table of level 1.
    assert_eq!([1024, 1025].map(|n| exits(n - tables - 1).pml_full_exits), [1, 2]);
}

/// The manuals of AMD and Arm describe no such log.
#[test]
fn only_intel_processors_log_what_is_written() {
    for cpu in ["intel-skylake-sp", "amd-zen2", "arm-neoverse-n1"] {
        let stores = (0..600).map(|at| Access::new(Kind::Store, at << 12, 1));
        let machine = serde_json::to_string(&model(cpu).unwrap().machine).unwrap();
        let virt = report(&machine, &ept("4K", "4K"), stores).virt.unwrap();
        assert!(virt.ept_dirty > 600, "{cpu}");
        let logged = if cpu.starts_with("intel") { (virt.ept_dirty, 1) } else { (0, 0) };
        assert_eq!((virt.pml_entries, virt.pml_full_exits), logged, "{cpu}");
    }
}

/// The physical address is host(guest(address)), computed from the entries, for every pair of page sizes.
#[test]
fn the_physical_address_is_that_of_one_table_after_the_other() {
    for guest in ["4K", "2M", "1G"] {
        for host in ["4K", "2M", "1G"] {
            let (_, steps) = crate::common::text::steps(
                "{}",
                &ept(guest, host),
                &[Access::new(Kind::Load, ADDRESS, 1), Access::new(Kind::Load, 0x60_1234, 1)],
            );
            for done in steps.into_iter().flat_map(|step| step.translations) {
                let nested = done.nested.unwrap();
                let frame = |value: u64, shift: u8| value & 0x000f_ffff_ffff_f000 >> shift << shift;
                let page = |value: u64, shift: u8, address: u64| {
                    frame(value, shift) | address & ((1 << shift) - 1)
                };
                let mut mapped = nested.rows.iter().filter_map(|row| row.guest.as_ref());
                let leaf = mapped.rfind(|cell| cell.leaf).unwrap();
                let data = page(leaf.value.0, leaf.shift, done.address.0);
                let of_data =
                    nested.rows.last().unwrap().host.iter().find(|cell| cell.leaf).unwrap();
                let place = page(of_data.value.0, of_data.shift, data);
                assert_eq!(done.physical.0, place, "{guest} on {host}");
            }
        }
    }
}
