//! TLB blocks in the second memory cache: lookups, blocks that are written, and blocks that leave, as text.

use crate::common::text::{accesses, steps};
use crate::common::{page, report};
use std::fmt::Write as _;
use std::rc::Rc;

use expect_test::{Expect, expect};
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::record::event::BlocksView;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::Replay;
use pagewalk_base::trace::{Access, Completeness, Kind};

/// One entry of each level, and caches whose second one has 16 sets of 2 ways. Every page is costly.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 1}],
    "victima": {"min_walks": 0, "min_dram_reads": 0},
    "memory": {"caches": [{"name": "L1D", "size": "1K", "ways": 2, "latency": 4}, {"name": "L2", "size": "2K", "ways": 2, "latency": 14}]}}"#;

/// Compares what the accesses say about blocks, with the outcome and the cycles.
#[track_caller]
fn check(machine: &str, os: &str, list: &[Access], expected: &Expect) {
    let (_, steps) = steps(machine, os, list);
    let lines = steps.iter().map(|step| {
        let [done] = &step.translations[..] else { panic!("one translation") };
        let said = done.behind.as_ref().map_or("no lookup", |behind| &behind.said);
        format!("{:?}, {} cycles. {said}\n", done.outcome, done.cycles.total)
    });
    expected.assert_eq(&lines.collect::<String>());
}

fn without(field: &str) -> String {
    MACHINE.replace(r#""min_walks": 0, "min_dram_reads": 0"#, field)
}

/// A walk writes the block of its page. A hit costs the lookup of level 2 and a read of the cache.
#[test]
fn a_hit_in_a_block_avoids_the_walk() {
    let machine = without(r#""fills": "walks", "min_walks": 0, "min_dram_reads": 0"#);
    let list = [1, 2, 1, 9, 1].map(page);
    check(
        &machine,
        "{}",
        &list,
        &expect![[r"
        Fault, 807 cycles. No TLB block of page 0x1 in set 0 of L2 (the walk writes a block of 1 page to set 0, way 0 of L2)
        Fault, 807 cycles. No TLB block of page 0x2 in set 0 of L2 (the walk writes a block of 2 pages to set 0, way 1 of L2)
        L2Hit, 21 cycles. TLB block of pages 0x0 to 0x7 in set 0 of L2, read in 14 cycles: hit in way 1, no walk
        Fault, 807 cycles. No TLB block of page 0x9 in set 1 of L2 (the walk writes a block of 1 page to set 1, way 1 of L2)
        Walk, 807 cycles. No TLB block of page 0x1 in set 0 of L2 (the walk writes a block of 2 pages to set 0, way 1 of L2)
    "]],
    );
}

/// The view has the ways of the page's set after the access: lines of tables, blocks with their pages, and what happened. A hit of
/// level 1 looks no block up, and pages of 1G have none.
#[test]
fn the_view_has_the_set_of_the_page() {
    let machine = without(r#""fills": "walks", "min_walks": 0, "min_dram_reads": 0"#);
    let mut text = String::new();
    let mut list = [1, 2, 1, 1, 9].map(page).to_vec();
    list.push(Access::new(Kind::Load, 1 << 40, 1));
    let os = r#"{"regions": [{"start": "0x10000000000", "end": "0x10040000000", "pages": "1G"}]}"#;
    for step in steps(&machine, os, &list).1 {
        let done = &step.translations[0];
        let Some(blocks) = &done.blocks else {
            writeln!(text, "{} {:?}: no set", done.page_number, done.outcome).unwrap();
            continue;
        };
        let BlocksView { cache, n_blocks, n_ways, set, ways } = blocks;
        let (number, outcome) = (done.page_number, done.outcome);
        write!(text, "{number} {outcome:?}: {n_blocks} of {n_ways} ways of {cache}, set {set}:")
            .unwrap();
        for way in ways {
            match (way.first, way.line) {
                (Some(first), None) => {
                    write!(text, " block {first}<<{}/{:08b}", way.key_shift, way.pages).unwrap();
                }
                (None, Some(line)) => write!(text, " line {line}").unwrap(),
                _ => text.push_str(" -"),
            }
            if let Some(mark) = way.mark {
                write!(text, " ({mark:?})").unwrap();
            }
        }
        text.push('\n');
    }
    expect![[r"
        0x1 Fault: 1 of 32 ways of L2, set 0: block 0x0<<12/00000010 (Written) line 0x203000
        0x2 Fault: 1 of 32 ways of L2, set 0: line 0x203000 block 0x0<<12/00000110 (Written)
        0x1 L2Hit: 1 of 32 ways of L2, set 0: line 0x203000 block 0x0<<12/00000110 (Hit)
        0x1 L1Hit: 1 of 32 ways of L2, set 0: line 0x203000 block 0x0<<12/00000110
        0x9 Fault: 1 of 32 ways of L2, set 1: line 0x203040 block 0x8<<12/00000010 (Written)
        0x400 Fault: no set
    "]]
    .assert_eq(&text);
}

/// A block has the neighbours of its page that a walk has used before. The page that level 2 evicts gets a block, too.
#[test]
fn a_block_holds_eight_pages() {
    let machine = without(r#""fills": "evictions", "min_walks": 0, "min_dram_reads": 0"#);
    let list = [8, 9, 10, 7, 8, 9, 10, 11].map(page);
    check(
        &machine,
        "{}",
        &list,
        &expect![[r"
        Fault, 807 cycles. No TLB block of page 0x8 in set 1 of L2
        Fault, 611 cycles. No TLB block of page 0x9 in set 1 of L2 (evicted page 0x8 writes a block of 2 pages to set 1, way 1 of L2)
        Fault, 611 cycles. No TLB block of page 0xa in set 1 of L2
        Fault, 807 cycles. No TLB block of page 0x7 in set 0 of L2 (evicted page 0xa writes a block of 3 pages to set 1, way 1 of L2)
        L2Hit, 21 cycles. TLB block of pages 0x8 to 0xf in set 1 of L2, read in 14 cycles: hit in way 1, no walk (evicted page 0x7 writes a block of 1 page to set 0, way 1 of L2)
        L2Hit, 21 cycles. TLB block of pages 0x8 to 0xf in set 1 of L2, read in 14 cycles: hit in way 1, no walk
        L2Hit, 21 cycles. TLB block of pages 0x8 to 0xf in set 1 of L2, read in 14 cycles: hit in way 1, no walk
        Fault, 611 cycles. No TLB block of page 0xb in set 1 of L2
    "]],
    );
}

/// Exclusive levels move a page down after a hit of level 2, and evict another one without a lookup.
#[test]
fn a_block_that_an_eviction_wrote_alone_is_shown() {
    let machine = without(r#""fills": "evictions", "min_walks": 0, "min_dram_reads": 0"#);
    let machine = machine.replacen('{', r#"{"inclusion": "exclusive","#, 1);
    let machine = machine.replace(r#""s", "entries": 1"#, r#""s", "entries": 2, "ways": 1"#);
    let list = [1, 2, 3, 2].map(page);
    check(
        &machine,
        "{}",
        &list,
        &expect![[r"
            Fault, 807 cycles. No TLB block of page 0x1 in set 0 of L2
            Fault, 807 cycles. No TLB block of page 0x2 in set 0 of L2
            Fault, 807 cycles. No TLB block of page 0x3 in set 0 of L2
            L2Hit, 7 cycles. No lookup of a TLB block (evicted page 0x1 writes a block of 3 pages to set 0, way 0 of L2)
        "]],
    );
}

/// A teaching machine of four pages. Its only table ends before the block of eight pages does.
#[test]
fn a_block_ends_with_the_table() {
    let machine = without(r#""fills": "walks", "min_walks": 0, "min_dram_reads": 0"#);
    let paging = r#"{"paging": {"offset_bits": 12, "index_bits": [2], "leaf_levels": [1]},"#;
    let machine = machine.replacen('{', paging, 1);
    let list = [0, 1, 2, 3].map(page);
    check(
        &machine,
        "{}",
        &list,
        &expect![[r"
            Fault, 207 cycles. No TLB block of page 0x0 in set 0 of L2 (the walk writes a block of 1 page to set 0, way 1 of L2)
            Fault, 11 cycles. No TLB block of page 0x1 in set 0 of L2 (the walk writes a block of 2 pages to set 0, way 1 of L2)
            Fault, 11 cycles. No TLB block of page 0x2 in set 0 of L2 (the walk writes a block of 3 pages to set 0, way 1 of L2)
            Fault, 11 cycles. No TLB block of page 0x3 in set 0 of L2 (the walk writes a block of 4 pages to set 0, way 1 of L2)
        "]],
    );
}

/// Pages of 2M have blocks of their own. Pages of 1G have none.
#[test]
fn blocks_are_of_the_two_smallest_page_sizes() {
    let [first, second] = ["2M", "1G"].map(|size| {
        let os = format!(r#"{{"default": "{size}"}}"#);
        let loads = [0, 1, 0].map(|n| Access::new(Kind::Load, n << 30, 1));
        let victima = report(MACHINE, &os, loads).victima.unwrap();
        (victima.lookups, victima.hits)
    });
    assert_eq!((first, second), ((3, 1), (0, 0)));
}

/// The counters of a page grow with its walks, and with the reads from DRAM of these walks.
#[test]
fn only_costly_pages_get_a_block() {
    let list = [1, 0x1001, 1, 0x1001, 1, 0x1001].map(page);
    let machine = without(r#""min_walks": 2, "min_dram_reads": 2, "fills": "walks""#);
    check(
        &machine,
        "{}",
        &list,
        &expect![[r"
        Fault, 807 cycles. No TLB block of page 0x1 in set 0 of L2 (page 0x1 is not costly, so the walk writes no block)
        Fault, 807 cycles. No TLB block of page 0x1001 in set 0 of L2 (page 0x1001 is not costly, so the walk writes no block)
        Walk, 807 cycles. No TLB block of page 0x1 in set 0 of L2 (the walk writes a block of 1 page to set 0, way 1 of L2)
        Walk, 611 cycles. No TLB block of page 0x1001 in set 0 of L2 (the walk writes a block of 1 page to set 0, way 1 of L2)
        Walk, 807 cycles. No TLB block of page 0x1 in set 0 of L2 (the walk writes a block of 1 page to set 0, way 0 of L2)
        Walk, 611 cycles. No TLB block of page 0x1001 in set 0 of L2 (the walk writes a block of 1 page to set 0, way 0 of L2)
    "]],
    );
}

/// Lines of data evict blocks in the order of use. A cache that is aware of blocks keeps them.
#[test]
fn lines_of_data_evict_blocks() {
    let os = r#"{"regions": [{"start": "0x40000000", "end": "0x80000000", "pages": "1G"}]}"#;
    // The block of page 0 is in set 0 of 16, as every sixteenth line. The set has 8 ways.
    let mut lines = vec![page(0)];
    for n in 1..=10 {
        lines.push(Access::new(Kind::Load, (1 << 30) + n * 0x400, 1));
    }
    lines.push(page(0));
    let hits = ["lru", "tlb-aware"].map(|replacement| {
        let machine = without(&format!(
            r#""min_walks": 0, "min_dram_reads": 0, "fills": "walks", "replacement": "{replacement}""#
        ));
        let machine = machine.replace(r#""memory": {"#, r#""memory": {"data": true, "#);
        let machine = machine.replace(r#""2K", "ways": 2"#, r#""8K", "ways": 8"#);
        report(&machine, os, lines.clone()).victima.unwrap().hits
    });
    assert_eq!(hits, [0, 1]);
}

/// A write to a page that is shared until then changes its mapping. The blocks of all cores drop the page.
#[test]
fn shootdowns_drop_pages_from_the_blocks_of_other_cores() {
    let os =
        r#"{"regions": [{"start": "0", "end": "0x10000", "pages": "4K", "copy_on_write": true}]}"#;
    let on = |tid, kind| Access { tid, ..Access::new(kind, 0x5000, 8) };
    let list = [on(1, Kind::Load), on(2, Kind::Load), on(3, Kind::Load), on(1, Kind::Store)];
    let third = r#""latency": 14}, {"name": "L3", "size": "4K", "latency": 40}"#;
    let private = MACHINE.replace(r#""latency": 14}"#, third);
    for (machine, n) in [(MACHINE, 1), (&private, 3)] {
        let (config, os) = (parse_json(machine).unwrap(), parse_json(os).unwrap());
        let mut machine = Machine::new(&config, &os).unwrap().with_cores(Cores::Tid);
        let mut stats = Stats::default();
        for (index, access) in (0..).zip(&list) {
            machine.access(index, access, &mut stats);
        }
        let report = stats.report(&machine, Completeness::Complete);
        assert_eq!(report.victima.unwrap().invalidations, n);
        assert_eq!((report.system.shootdowns, report.system.dropped_entries), (1, 2 * 3 + n));
    }
}

/// Entries of a guest lead to guest-physical addresses, so its blocks would be no translations.
#[test]
fn tlb_blocks_have_no_host() {
    for virt in ["ept", "shadow"] {
        let os = format!(r#"{{"virt": "{virt}"}}"#);
        let error = Machine::new(&parse_json(MACHINE).unwrap(), &parse_json(&os).unwrap());
        let message = error.unwrap_err().to_string();
        assert!(message.contains("leave out victima, or os.virt"), "{message}");
    }
}

/// The view says which block was read.
#[test]
fn a_lookup_has_a_view() {
    let (_, steps) = steps(MACHINE, "{}", &accesses("load 0x9000\n load 0x1000\n store 0x9000"));
    let view = steps[2].translations[0].behind.clone().unwrap();
    let words = (view.hit, view.chip, view.cost, view.served_by.as_str());
    assert_eq!(
        words,
        (Some("TLB block"), "TLB block hit", Some("level-2 miss and TLB block"), "L2")
    );
    assert_eq!((view.set, view.key.0, view.key_shift, view.cycles), (1, 9, 12, 14));
    assert_eq!(steps[2].translations[0].ad_updates, 1);
}

/// Cores that share blocks must agree on the PCID of a process.
#[test]
fn a_trace_with_pcids_is_refused_where_cores_share_blocks() {
    let refusal = |caches: &str, cores: Option<Cores>, op: &str| {
        let machine = MACHINE.replace(r#"{"name": "L2""#, &format!(r#"{caches}{{"name": "L2""#));
        let machine = crate::common::machine(&machine, "{}");
        let machine = cores.into_iter().fold(machine, Machine::with_cores);
        let scenario = format!("{op}\nload 0x1000");
        let trace = crate::common::ops::trace(&crate::common::ops::items(&scenario));
        let mut replay = Replay::new(Rc::new(trace), machine, usize::MAX);
        replay.seek(0);
        replay.failure().map(|error| error.message)
    };
    let op = "mov-cr3 pcid=5 pid 1 tid 1";
    let third = r#"{"name": "M", "size": "2K", "ways": 2, "latency": 9}, "#;
    assert_eq!(refusal("", None, op), None);
    assert_eq!(refusal(third, Some(Cores::Tid), op), None);
    expect!["before access 0: `mov-cr3 pcid=5`: several cores share entries behind level 2, where a process has one PCID: leave the PCIDs to the simulator, or simulate one core"].assert_eq(&refusal("", Some(Cores::Tid), op).expect("blocks are shared"));
}
