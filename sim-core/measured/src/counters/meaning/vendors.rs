//! The meaning of the vendors' event names (Linux 6.12, `tools/perf/pmu-events/arch`).

use super::{Meaning, Of, Quantity};
use crate::counters::family::Family;

/// Returns the meaning of an Intel event of any generation. No name has different meanings in two generations.
pub(super) fn intel(event: &str, family: Family) -> Option<Meaning> {
    use Quantity as Q;
    for (unit, of) in [
        ("dtlb_load_misses.", Of::Loads),
        ("dtlb_store_misses.", Of::Stores),
        ("itlb_misses.", Of::Fetches),
    ] {
        if let Some(what) = event.strip_prefix(unit) {
            return intel_misses(what, of);
        }
    }
    let plain = |quantity, of| Some(Meaning::new(quantity, of));
    match event {
        "cpu_clk_unhalted.thread"
        | "cpu_clk_unhalted.thread_p"
        | "cpu_clk_unhalted.core"
        | "cpu_clk_unhalted.core_p" => plain(Q::Cycles, Of::All),
        "cpu_clk_unhalted.thread_any" | "cpu_clk_unhalted.thread_p_any" => Some(
            Meaning::new(Q::Cycles, Of::All).note("of the core, with any of its threads running"),
        ),
        "inst_retired.any" | "inst_retired.any_p" | "inst_retired.prec_dist" => {
            plain(Q::Instructions, Of::All)
        }
        "mem_inst_retired.all_loads"
        | "mem_uops_retired.all_loads"
        | "mem_inst_retired.loads"
        | "mem_uop_retired.all_loads" => plain(Q::Accesses, Of::Loads),
        "mem_inst_retired.all_stores"
        | "mem_uops_retired.all_stores"
        | "mem_inst_retired.stores"
        | "mem_uop_retired.all_stores" => plain(Q::Accesses, Of::Stores),
        "mem_inst_retired.stlb_miss_loads" | "mem_uops_retired.stlb_miss_loads" => {
            Some(Meaning::new(Q::Walks, Of::Loads).note("retired: without speculation"))
        }
        "mem_inst_retired.stlb_miss_stores" | "mem_uops_retired.stlb_miss_stores" => {
            Some(Meaning::new(Q::Walks, Of::Stores).note("retired: without speculation"))
        }
        "ept.walk_pending" | "ept.walk_cycles" | "ept.walk_duration" => {
            plain(Q::NestedCycles, Of::All)
        }
        "itlb.miss" => plain(Q::L1Misses, Of::Fetches),
        "page_walks.walks" => plain(Q::Walks, Of::All),
        "page_walks.d_side_walks" => plain(Q::Walks, Of::Data),
        "page_walks.i_side_walks" => plain(Q::Walks, Of::Fetches),
        "page_walks.cycles" => plain(Q::WalkCycles, Of::All),
        "page_walks.d_side_cycles" => plain(Q::WalkCycles, Of::Data),
        "page_walks.i_side_cycles" => plain(Q::WalkCycles, Of::Fetches),
        "itlb.itlb_flush" | "tlb_flush.dtlb_thread" | "tlb_flush.stlb_any" => {
            plain(Q::Flushes, Of::All)
        }
        _ if event.starts_with("page_walker_loads.dtlb_") => plain(Q::TableReads, Of::Data),
        _ if event.starts_with("page_walker_loads.itlb_") => plain(Q::TableReads, Of::Fetches),
        _ => None,
    }
    .filter(|_| family.is_intel())
}

/// Returns the meaning of `dtlb_load_misses.*`, `dtlb_store_misses.*` or `itlb_misses.*`.
fn intel_misses(what: &str, of: Of) -> Option<Meaning> {
    use Quantity as Q;
    let meaning = |quantity| Meaning::new(quantity, of);
    Some(match what {
        "any" | "miss" => meaning(Q::L1Misses),
        "stlb_hit" => meaning(Q::L2Hits),
        "stlb_hit_4k" => meaning(Q::L2Hits).on("4K"),
        "stlb_hit_2m" => meaning(Q::L2Hits).on("2M"),
        "miss_causes_a_walk"
        | "causes_a_walk"
        | "miss_caused_walk"
        | "demand_ld_miss_causes_a_walk" => meaning(Q::WalksStarted),
        "walk_completed" | "demand_ld_walk_completed" => meaning(Q::Walks),
        "walk_completed_4k" => meaning(Q::Walks).on("4K"),
        "walk_completed_2m_4m" | "walk_completed_2m" | "large_walk_completed" => {
            meaning(Q::Walks).on("2M and 4M")
        }
        "walk_completed_1g" => meaning(Q::Walks).on("1G"),
        "walk_active" | "walk_duration" | "walk_cycles" | "demand_ld_walk_duration" => {
            meaning(Q::WalkCycles)
        }
        "walk_pending" => meaning(Q::WalkerCycles),
        _ => return None,
    })
}

/// Returns the meaning of an event of AMD since Zen.
pub(super) fn amd(event: &str) -> Option<Meaning> {
    use Quantity as Q;
    let plain = |quantity, of| Some(Meaning::new(quantity, of));
    if let Some(what) = event.strip_prefix("ls_l1_d_tlb_miss.") {
        let quantity = match what {
            "all" => Q::L1Misses,
            "all_l2_miss" => Q::Walks,
            _ if what.ends_with("_hit") => Q::L2Hits,
            _ if what.ends_with("_miss") => Q::Walks,
            _ => return None,
        };
        let meaning = Meaning::new(quantity, Of::Data);
        return Some(pages_in(what).map_or(meaning, |pages| meaning.on(pages)));
    }
    if let Some(what) = event.strip_prefix("bp_l1_tlb_") {
        let quantity = match what.split('.').next()? {
            "miss_l2_hit" | "miss_l2_tlb_hit" => Q::L2Hits,
            "miss_l2_miss" | "miss_l2_tlb_miss" => Q::Walks,
            _ => return None,
        };
        let meaning = Meaning::new(quantity, Of::Fetches);
        return Some(pages_in(what).map_or(meaning, |pages| meaning.on(pages)));
    }
    match event {
        "ls_not_halted_cyc" => plain(Q::Cycles, Of::All),
        "ex_ret_instr" => plain(Q::Instructions, Of::All),
        "l1_dtlb_misses" => plain(Q::L1Misses, Of::Data),
        "l2_dtlb_misses" | "ls_tablewalker.dside" => plain(Q::Walks, Of::Data),
        "l2_itlb_misses" | "ls_tablewalker.iside" => plain(Q::Walks, Of::Fetches),
        "ls_dispatch.ld_dispatch" => Some(
            Meaning::new(Q::Accesses, Of::Loads).note("dispatched, some of them speculatively"),
        ),
        "ls_dispatch.store_dispatch" => Some(
            Meaning::new(Q::Accesses, Of::Stores).note("dispatched, some of them speculatively"),
        ),
        "ls_tlb_flush"
        | "ls_tlb_flush.all"
        | "ls_tlb_flush.all_tlb_flushes"
        | "all_tlbs_flushed" => plain(Q::Flushes, Of::All),
        _ => None,
    }
}

fn pages_in(what: &str) -> Option<&'static str> {
    let sizes = [
        ("coalesced", "coalesced 16K"),
        ("32k", "coalesced 32K"),
        ("4k", "4K"),
        ("2m", "2M"),
        ("1g", "1G"),
    ];
    sizes.iter().find(|(part, _)| what.contains(part)).map(|(_, pages)| *pages)
}

/// Returns the meaning of a common event of Arm's PMU version 3 (Arm ARM, D13.12).
pub(super) fn arm(event: &str) -> Option<Meaning> {
    use Quantity as Q;
    let (quantity, of) = match event {
        "cpu_cycles" => (Q::Cycles, Of::All),
        "inst_retired" => (Q::Instructions, Of::All),
        "ld_retired" | "mem_access_rd" => (Q::Accesses, Of::Loads),
        "st_retired" | "mem_access_wr" => (Q::Accesses, Of::Stores),
        "mem_access" => (Q::Accesses, Of::Data),
        "l1d_tlb" => (Q::L1Lookups, Of::Data),
        "l1d_tlb_rd" => (Q::L1Lookups, Of::Loads),
        "l1d_tlb_wr" => (Q::L1Lookups, Of::Stores),
        "l1d_tlb_refill" => (Q::L1Misses, Of::Data),
        "l1d_tlb_refill_rd" => (Q::L1Misses, Of::Loads),
        "l1d_tlb_refill_wr" => (Q::L1Misses, Of::Stores),
        "l1i_tlb" => (Q::L1Lookups, Of::Fetches),
        "l1i_tlb_refill" => (Q::L1Misses, Of::Fetches),
        "dtlb_walk" => (Q::Walks, Of::Data),
        "dtlb_walk_rd" => (Q::Walks, Of::Loads),
        "dtlb_walk_wr" => (Q::Walks, Of::Stores),
        "itlb_walk" => (Q::Walks, Of::Fetches),
        "dtlb_walk_percyc" => (Q::WalkerCycles, Of::Data),
        "itlb_walk_percyc" => (Q::WalkerCycles, Of::Fetches),
        "l2d_tlb_refill" => {
            return Some(
                Meaning::new(Q::Walks, Of::Data).note("including fetches, if level 2 serves both"),
            );
        }
        _ => return None,
    };
    Some(Meaning::new(quantity, of))
}
