//! Tests of the meaning of events on different processors.

use expect_test::{Expect, expect};
use pagewalk_measured::counters::{Context, Family, measured};
use pagewalk_sources::perf_stat::read;

use super::support::{fixture, names};

/// Compares the meaning of each event on processors of the family.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(events: &str, family: Option<Family>, expected: Expect) {
    let lines: Vec<String> =
        events.split_whitespace().map(|event| format!("  7  {event}\n")).collect();
    let stat = read(&lines.concat()).unwrap();
    let measured = measured(&stat, Context { asked: family, ..Context::default() });
    let line = |counter: &pagewalk_measured::counters::CounterView| {
        let meaning = counter.meaning.as_deref().unwrap_or("–");
        let note = counter.note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
        format!("{}: {meaning}{note}\n", counter.name.full)
    };
    expected.assert_eq(&measured.counters.iter().map(line).collect::<String>());
}

const GENERIC: &str = "dTLB-loads dTLB-load-misses dTLB-store-misses iTLB-loads iTLB-load-misses";

#[test]
fn perf_s_own_names_count_other_things_on_each_vendor() {
    check(
        GENERIC,
        Some(Family::IntelNehalem),
        expect![[r"
        dTLB-loads: loads
        dTLB-load-misses: level-1 TLB misses of loads (including hits of level 2)
        dTLB-store-misses: level-1 TLB misses of stores (including hits of level 2)
        iTLB-loads: instructions
        iTLB-load-misses: level-1 TLB misses of instruction fetches (including hits of level 2)
    "]],
    );
    check(
        GENERIC,
        Some(Family::IntelSandyBridge),
        expect![[r"
        dTLB-loads: loads
        dTLB-load-misses: page walks of loads, started (misses of both levels, without hits of level 2)
        dTLB-store-misses: page walks of stores, started (misses of both levels, without hits of level 2)
        iTLB-loads: level-2 TLB hits of instruction fetches (these are not fetches, so perf's percentage may be above 100)
        iTLB-load-misses: page walks of instruction fetches, started (misses of both levels, without hits of level 2)
    "]],
    );
    check(
        GENERIC,
        Some(Family::IntelSkylake),
        expect![[r"
        dTLB-loads: loads
        dTLB-load-misses: page walks of loads (misses of both levels, without hits of level 2)
        dTLB-store-misses: page walks of stores (misses of both levels, without hits of level 2)
        iTLB-loads: level-2 TLB hits of instruction fetches (these are not fetches, so perf's percentage may be above 100)
        iTLB-load-misses: page walks of instruction fetches (misses of both levels, without hits of level 2)
    "]],
    );
    check(
        GENERIC,
        Some(Family::IntelAtom),
        expect![[r"
        dTLB-loads: loads
        dTLB-load-misses: page walks of loads (misses of both levels, without hits of level 2)
        dTLB-store-misses: page walks of stores (misses of both levels, without hits of level 2)
        iTLB-loads: instructions
        iTLB-load-misses: level-1 TLB misses of instruction fetches
    "]],
    );
    check(
        GENERIC,
        Some(Family::AmdZen),
        expect![[r"
        dTLB-loads: level-1 TLB misses of loads and stores (lookups of level 2, not loads: each is a miss of level 1)
        dTLB-load-misses: page walks of loads and stores (misses of both levels)
        dTLB-store-misses: –
        iTLB-loads: level-2 TLB hits of instruction fetches (misses of level 1, not fetches)
        iTLB-load-misses: page walks of instruction fetches
    "]],
    );
    check(
        GENERIC,
        Some(Family::AmdK10),
        expect![[r"
        dTLB-loads: loads and stores
        dTLB-load-misses: page walks of loads and stores (misses of both levels)
        dTLB-store-misses: –
        iTLB-loads: –
        iTLB-load-misses: page walks of instruction fetches (misses of both levels)
    "]],
    );
    check(
        GENERIC,
        Some(Family::Arm),
        expect![[r"
        dTLB-loads: level-1 TLB lookups of loads and stores (lookups, not loads alone)
        dTLB-load-misses: level-1 TLB misses of loads and stores (refills of level 1, including hits of level 2)
        dTLB-store-misses: level-1 TLB misses of stores (refills of level 1, including hits of level 2)
        iTLB-loads: level-1 TLB lookups of instruction fetches
        iTLB-load-misses: level-1 TLB misses of instruction fetches (refills of level 1, including hits of level 2)
    "]],
    );
    check(
        "dTLB-load-misses page-faults",
        None,
        expect![[r"
        dTLB-load-misses: Intel: page walks of loads; AMD: page walks of loads and stores; Arm: level-1 TLB misses of loads and stores
        page-faults: page faults
    "]],
    );
}

#[test]
fn names_of_a_vendor_show_whose_they_are() {
    check(
        "dtlb_load_misses.stlb_hit DTLB_LOAD_MISSES.WALK_COMPLETED dtlb_store_misses.walk_completed_2m_4m itlb_misses.walk_active dtlb_load_misses.walk_pending dtlb_load_misses.walk_duration ept.walk_pending page_walker_loads.dtlb_l1 mem_inst_retired.stlb_miss_loads cpu_clk_unhalted.thread_any",
        None,
        expect![[r"
            dtlb_load_misses.stlb_hit: level-2 TLB hits of loads
            DTLB_LOAD_MISSES.WALK_COMPLETED: page walks of loads
            dtlb_store_misses.walk_completed_2m_4m: page walks of stores, 2M and 4M pages
            itlb_misses.walk_active: cycles with a page walk of instruction fetches under way
            dtlb_load_misses.walk_pending: cycles of page walkers for loads, each walker's
            dtlb_load_misses.walk_duration: cycles with a page walk of loads under way
            ept.walk_pending: cycles of page walkers in the host's tables
            page_walker_loads.dtlb_l1: page-table reads for loads and stores
            mem_inst_retired.stlb_miss_loads: page walks of loads (retired: without speculation)
            cpu_clk_unhalted.thread_any: cycles (of the core, with any of its threads running)
        "]],
    );
    check(
        "ls_l1_d_tlb_miss.all ls_l1_d_tlb_miss.tlb_reload_2m_l2_hit ls_l1_d_tlb_miss.tlb_reload_coalesced_page_miss bp_l1_tlb_miss_l2_tlb_hit bp_l1_tlb_miss_l2_tlb_miss.if1g ls_dispatch.ld_dispatch ls_tlb_flush.all",
        None,
        expect![[r"
            ls_l1_d_tlb_miss.all: level-1 TLB misses of loads and stores
            ls_l1_d_tlb_miss.tlb_reload_2m_l2_hit: level-2 TLB hits of loads and stores, 2M pages
            ls_l1_d_tlb_miss.tlb_reload_coalesced_page_miss: page walks of loads and stores, coalesced 16K pages
            bp_l1_tlb_miss_l2_tlb_hit: level-2 TLB hits of instruction fetches
            bp_l1_tlb_miss_l2_tlb_miss.if1g: page walks of instruction fetches, 1G pages
            ls_dispatch.ld_dispatch: loads (dispatched, some of them speculatively)
            ls_tlb_flush.all: TLB flushes
        "]],
    );
    check(
        "l1d_tlb l1d_tlb_refill_rd armv8_pmuv3_0/dtlb_walk/ itlb_walk:u dtlb_walk_percyc itlb_walk_percyc l2d_tlb_refill cpu_cycles inst_retired",
        None,
        expect![[r"
            l1d_tlb: level-1 TLB lookups of loads and stores
            l1d_tlb_refill_rd: level-1 TLB misses of loads
            armv8_pmuv3_0/dtlb_walk/: page walks of loads and stores
            itlb_walk:u: page walks of instruction fetches
            dtlb_walk_percyc: cycles of page walkers for loads and stores, each walker's
            itlb_walk_percyc: cycles of page walkers for instruction fetches, each walker's
            l2d_tlb_refill: page walks of loads and stores (including fetches, if level 2 serves both)
            cpu_cycles: cycles
            inst_retired: instructions
        "]],
    );
}

#[test]
fn raw_numbers_are_named() {
    check(
        "r0108 r0e08:u cpu/event=0x08,umask=0x20/ r1000108",
        Some(Family::IntelSkylake),
        expect![[r"
        r0108: page walks of loads, started
        r0e08:u: page walks of loads
        cpu/event=0x08,umask=0x20/: level-2 TLB hits of loads
        r1000108: –
    "]],
    );
    check(
        "cpu_core/r0e12/ cpu_atom/dTLB-loads/",
        None,
        expect![[r"
        cpu_core/r0e12/: page walks of loads
        cpu_atom/dTLB-loads/: loads
    "]],
    );
    check(
        "rff45 rf045",
        Some(Family::AmdZen),
        expect![[r"
        rff45: level-1 TLB misses of loads and stores
        rf045: page walks of loads and stores
    "]],
    );
    check(
        "r34",
        Some(Family::Arm),
        expect![[r"
        r34: page walks of loads and stores
    "]],
    );
}

#[test]
fn events_or_the_machine_show_the_family() {
    let family = |name: &str, model| {
        let stat = read(&fixture(name)).unwrap();
        let family = measured(&stat, Context { model, ..Context::default() }).family;
        family.map(|family| (family.id, format!("{:?}", family.from)))
    };
    let check = |name, model, expected: Option<(Family, &str)>| {
        let expected = expected.map(|(id, from)| (id, from.to_owned()));
        assert_eq!(family(name, model), expected, "{name} {model:?}");
    };
    check("intel-kbl-page-walks.txt", None, Some((Family::IntelSkylake, "Events")));
    check("intel-hybrid.txt", None, Some((Family::IntelGoldenCove, "Events")));
    check("amd-zen.txt", None, Some((Family::AmdZen, "Events")));
    check("locale-dots-and-commas.txt", None, Some((Family::IntelSkylake, "Events")));
    check("arm64-interval.txt", None, None);
    check("arm64-interval.txt", Some("arm-neoverse-n1"), Some((Family::Arm, "Machine")));
    // The machine determines the generation, but not the vendor.
    check(
        "intel-kbl-page-walks.txt",
        Some("intel-haswell"),
        Some((Family::IntelSandyBridge, "Machine")),
    );
    check("intel-kbl-page-walks.txt", Some("amd-zen4"), Some((Family::IntelSkylake, "Events")));
}

#[test]
fn every_model_has_a_family() {
    let models = pagewalk::config::cpu::models().unwrap().into_iter();
    // A small machine of a textbook has no counters. No source is read for those of RISC-V and POWER.
    let without = ["xiangshan-kunminghu", "sifive-u54", "ibm-power9"];
    for model in models.filter(|model| model.group.is_none()) {
        if without.contains(&model.id.as_str()) {
            assert_eq!(Family::of_model(&model.id), None, "{}", model.id);
            continue;
        }
        let family = Family::of_model(&model.id).unwrap_or_else(|| panic!("{}", model.id));
        let vendor = family.name().split([',', ' ']).next().unwrap().to_lowercase();
        let is_own = model.id.starts_with(&vendor);
        let is_like = model.id.starts_with("hygon-") && vendor == "amd"
            || ["apple-", "huawei-", "qualcomm-"].iter().any(|of| model.id.starts_with(of));
        assert!(is_own || is_like, "{}: {family:?}", model.id);
    }
}

#[test]
fn fixtures_have_few_notes_and_no_empty_ones() {
    for name in names() {
        let measured = measured(&read(&fixture(&name)).unwrap(), Context::default());
        assert!(measured.notes.len() <= 4, "{name}: {:?}", measured.notes);
        assert!(measured.notes.iter().all(|note| note.len() > 20), "{name}: {:?}", measured.notes);
    }
}

#[test]
fn the_site_has_the_families() {
    let doc = "The families of processors whose events are known, by vendor and age.";
    cases::typescript("eventFamilies.ts", &["FamilyName"])
        .value(doc, "EVENT_FAMILIES", "readonly FamilyName[]", &Family::names())
        .write();
}
