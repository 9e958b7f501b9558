//! What the entries of a nested TLB inside an array of level 2 count, mark and evict.

use crate::common::machine;
use crate::common::ops::{check, items, trace};
use expect_test::expect;
use pagewalk::machine::structures::StructureId;
use pagewalk::record::event::MachineView;
use pagewalk::record::snapshot::Columns;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::{Replay, advance};
use pagewalk_base::trace::Completeness;
use std::rc::Rc;

/// One set in level 2, which holds the host's pages of 2M and 1G.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 4}],
    "virt": {"nested_tlb": {"in": "s", "pages": ["2M", "1G"], "data": true}}}"#;
const HOST_2M: &str = r#"{"virt": "ept", "host": {"default": "2M"}}"#;
const ALL_2M: &str = r#"{"default": "2M", "virt": "ept", "host": {"default": "2M"}}"#;

fn report(json: &str, os: &str, text: &str) -> RunReport {
    let (mut machine, mut stats) = (machine(json, os), Stats::default());
    let trace = trace(&items(text));
    advance(&mut machine, &trace, 0, trace.len(), &mut stats);
    stats.report(&machine, Completeness::Complete)
}

/// The counters of the array contain the host's fills and evictions, but only the guest's lookups.
#[test]
fn the_array_counts_what_the_host_fills_and_evicts() {
    let all = report(MACHINE, ALL_2M, "load 0x1000\n load 0x200000\n load 0x400000");
    let [_, s] = &all.structures[..] else { panic!("two arrays") };
    let tlb = all.walks.nested_tlb.unwrap();
    let lines = format!(
        "{}: {} lookups, {} fills, {} evictions\n{}: {} lookups, {} hits, {} fills, {} evictions\n",
        s.name,
        s.lookups,
        s.fills,
        s.evictions,
        tlb.name,
        tlb.lookups,
        tlb.hits,
        tlb.fills,
        tlb.evictions
    );
    expect![[r"
        s: 3 lookups, 7 fills, 3 evictions
        nested_tlb: 12 lookups, 8 hits, 4 fills, 1 evictions
    "]]
    .assert_eq(&lines);
}

/// The page of the host, which leaves, has the number and the owner of a page of the guest in level 1.
#[test]
fn the_host_s_page_leaves_an_inclusive_level_1_alone() {
    let inclusive = r#"{"l1": [{"name": "d", "entries": 4}], "l2": [{"name": "s", "entries": 5}], "inclusion": "inclusive",
        "virt": {"nested_tlb": {"in": "s", "data": true}}}"#;
    check(
        inclusive,
        ALL_2M,
        "load 0x1000\n load 0x1000000000\n load 0x40000000\n load 0x1000000000",
        &expect![[r"
            load 0x1000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.0, s 0.1, s 0.2, d 0.0; 1807 cycles; 3 flags
            load 0x1000000000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.3, s 0.4, d 0.1; 1207 cycles; 2 flags
            load 0x40000000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.1 (0x8000 leaves), s 0.2 (0x0 leaves), d 0.0; 0x0 is invalidated in d 0.0; 1207 cycles; 2 flags
            load 0x1000000000 2M L1 hit: d hit 0.1
        "]],
    );
}

/// A page of the host evicts a prefetched page that no access has used.
#[test]
fn a_prefetch_is_useless_if_a_page_of_the_host_evicts_it() {
    let prefetching = r#"{"l1": [{"name": "d", "entries": 1}], "l2": [{"name": "s", "entries": 6}],
        "tlb_prefetch": {"method": "next-page", "into": "l2"},
        "virt": {"nested_tlb": {"in": "s", "data": true}}}"#;
    let text = "load 0x200000\n load 0x0\n invlpg 0x200000\n load 0x1fff80\n load 0x1fffc0\n load 0x400000\n load 0x600000\n load 0x800000";
    check(
        prefetching,
        ALL_2M,
        text,
        &expect![[r"
        load 0x200000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.0, s 0.1, s 0.2, d 0.0; 1807 cycles; 3 flags
        load 0x0 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.3, s 0.4, d 0.0 (0x1 leaves); 1207 cycles; 1 flags
        invlpg 0x200000: drops s 1
        load 0x1fff80 2M L1 hit: d hit 0.0
        load 0x1fffc0 2M L1 hit: d hit 0.0
        load 0x400000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.5, s 0.3 (0x8001 leaves), d 0.0 (0x0 leaves); 1207 cycles; 1 flags
        load 0x600000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.4 (0x0 leaves), s 0.1 (0x8000 leaves), d 0.0 (0x2 leaves); 1207 cycles; 1 flags
        load 0x800000 2M fault: d miss 0, s miss 0; reads 4 3 2; fills s 0.2 (0x1 leaves), s 0.5 (0x8002 leaves), d 0.0 (0x3 leaves); 1207 cycles; 1 flags
    "]],
    );
    let found = report(prefetching, ALL_2M, text).tlb_prefetch.unwrap();
    assert_eq!((found.issued, found.useful, found.useless), (1, 0, 1));
}

/// The entry remembers that the page is dirty. So the walk does not set the flag again, after the host has cleared it
/// without a flush.
#[test]
fn an_entry_of_a_dirty_page_sets_the_flag_only_once() {
    let mut lines = String::new();
    for text in [
        "store 0x1000\n host-set-entry 0x1000 level=2 clear=d\n store 0x2000",
        "load 0x1000\n store 0x2000\n host-set-entry 0x1000 level=2 clear=d\n store 0x3000",
    ] {
        let mut replay =
            Replay::new(Rc::new(trace(&items(text))), machine(MACHINE, HOST_2M), usize::MAX);
        for index in 0..replay.trace().len() {
            let step = replay.seek(index).unwrap();
            let nested = step.translations[0].nested.as_ref().unwrap();
            lines += &format!(
                "{} {}: {} dirty flags\n",
                step.access.kind.name(),
                step.access.address,
                nested.host_dirty
            );
        }
        assert_eq!(replay.machine().failure(), None);
    }
    expect![[r"
        store 0x1000: 2 dirty flags
        store 0x2000: 0 dirty flags
        load 0x1000: 1 dirty flags
        store 0x2000: 1 dirty flags
        store 0x3000: 0 dirty flags
    "]]
    .assert_eq(&lines);
}

/// The picture of the array shows when the walks used the host's page, and how often.
#[test]
fn a_walk_uses_the_entries_of_the_host() {
    let text = "load 0x1000\n load 0x2000\n load 0x3000\n load 0x2000";
    let mut replay =
        Replay::new(Rc::new(trace(&items(text))), machine(MACHINE, HOST_2M), usize::MAX);
    replay.seek(replay.trace().len() - 1).unwrap();
    let columns = Columns::of(replay.machine(), StructureId(1)).unwrap();
    let slots = (0..columns.keys.len()).filter(|slot| columns.table[*slot] == 3);
    let lines = slots.map(|slot| {
        let (number, filled, used) =
            (columns.keys[slot], columns.filled_at[slot], columns.used_at[slot]);
        format!("{number:#x}: filled at {filled}, used at {used}, {} hits\n", columns.hits[slot])
    });
    expect![[r"
        0x1: filled at 0, used at 2, 11 hits
        0x8000: filled at 0, used at 2, 2 hits
    "]]
    .assert_eq(&lines.collect::<String>());
}

/// The nested TLB is a structure of its own, with the geometry of the array, and its fills are marked.
#[test]
fn pictures_show_the_nested_tlb_inside_its_array() {
    let machine = machine(MACHINE, HOST_2M);
    let structures = MachineView::of(&machine).structures;
    let view = structures.iter().find(|view| view.name == "nested TLB").unwrap();
    let inside = &structures[view.inside.unwrap()].name;
    let pages: Vec<String> = view.pages.iter().map(ToString::to_string).collect();
    let mut lines =
        format!("{} in {inside}: {} × {}, {}\n", view.name, view.sets, view.ways, pages.join(" "));
    let mut replay = Replay::new(Rc::new(trace(&items("load 0x1000"))), machine, usize::MAX);
    for fill in &replay.seek(0).unwrap().translations[0].fills {
        let whose = if fill.guest_physical { "host" } else { "guest" };
        lines += &format!(
            "{} {}: {whose} {} << {}\n",
            structures[fill.structure].name, fill.way, fill.key, fill.key_shift
        );
    }
    expect![[r"
        nested TLB in s: 1 × 4, 2M 1G
        s 0: host 0x1 << 21
        s 1: host 0x8000 << 21
        s 2: guest 0x1 << 12
        d 0: guest 0x1 << 12
    "]]
    .assert_eq(&lines);
}
