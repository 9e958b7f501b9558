//! Given state: page tables and TLB contents as a textbook prints them.

use crate::common::text::accesses;
use expect_test::{Expect, expect};
use pagewalk::config::cpu;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::event::StepView;
use pagewalk::run::replay::Replay;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Completeness, TraceBuilder};
use std::rc::Rc;

fn steps(machine: &MachineConfig, os: &OsConfig, trace: &str) -> Result<Vec<StepView>> {
    let mut builder = TraceBuilder::default();
    for access in accesses(trace) {
        builder.push(&access).unwrap();
    }
    let trace = builder.finish(Completeness::Complete).unwrap();
    let mut replay = Replay::new(Rc::new(trace), Machine::new(machine, os)?, usize::MAX);
    let mut steps = Vec::new();
    for index in 0..replay.trace().len() {
        steps.push(replay.seek(index).ok_or_else(|| replay.failure().unwrap())?);
    }
    Ok(steps)
}

/// Describes each step: its outcome with the set that was looked up, the walk, and the physical address.
fn describe(steps: &[StepView]) -> String {
    let line = |step: &StepView| {
        if let Some(exception) = &step.exception {
            return format!("{} {}\n", step.access.address, exception.meaning);
        }
        let Some(done) = step.translations.first() else { return "no translation\n".to_owned() };
        let read = done.levels.iter().filter(|level| level.order.is_some());
        let walk = read.map(|level| {
            format!(
                " {}[{}] at {} = {}",
                level.table_name, level.index, level.entry_address, level.value
            )
        });
        let (set, walk) = (done.tlb[0].set, walk.collect::<String>());
        format!("{} {:?} set {set}{walk} -> {}\n", step.access.address, done.outcome, done.physical)
    };
    steps.iter().map(line).collect()
}

#[track_caller]
fn check(machine: &str, os: &str, trace: &str, expected: &Expect) {
    let (machine, os) = (parse_json(machine).unwrap(), parse_json(os).unwrap());
    match steps(&machine, &os, trace) {
        Ok(steps) => expected.assert_eq(&describe(&steps)),
        Err(error) => expected.assert_eq(&error.to_string()),
    }
}

/// Compares the error that stops a run.
#[track_caller]
fn check_stop(machine: &str, os: &str, trace: &str, expected: &Expect) {
    let mut machine =
        Machine::new(&parse_json(machine).unwrap(), &parse_json(os).unwrap()).unwrap();
    for (index, access) in (0..).zip(accesses(trace)) {
        machine.access(index, &access, &mut ());
    }
    expected.assert_eq(&machine.failure().unwrap().to_string());
}

#[track_caller]
fn check_model(id: &str, trace: &str, expected: &Expect) {
    let model = cpu::model(id).unwrap();
    let steps = steps(&model.machine, &model.mapping(), trace).unwrap();
    expected.assert_eq(&describe(&steps));
}

/// Fact O22: figure 9.20 of Bryant and O'Hallaron.
#[test]
fn the_small_memory_system_gives_the_physical_addresses_of_the_book() {
    check_model(
        "csapp-14bit",
        "load 0x3d4\nload 0x3d7\nload 0x175\nload 0xadd\nload 0x2ea\nload 0x27c\nload 0x3a9\nload 0x40\nload 0xb8f\nload 0x20",
        &expect![[r"
        0x3d4 L1Hit set 3 -> 0x354
        0x3d7 L1Hit set 3 -> 0x357
        0x175 Walk set 1 page table[5] at 0x60a = 0x2cf -> 0x5b5
        0xadd L1Hit set 3 -> 0xd1d
        0x2ea the page is not present
        0x27c Walk set 1 page table[9] at 0x612 = 0x2ef -> 0x5fc
        0x3a9 Walk set 2 page table[14] at 0x61c = 0x22f -> 0x469
        0x40 the page is not present
        0xb8f the page is not present
        0x20 Walk set 0 page table[0] at 0x600 = 0x50f -> 0xa20
    "]],
    );
}

/// Fact O25.
#[test]
fn the_array_of_ten_integers_hits_seven_times() {
    check_model(
        "ostep-16-byte",
        "load 0x64 4\nload 0x68 4\nload 0x6c 4\nload 0x70 4\nload 0x74 4\nload 0x78 4\nload 0x7c 4\nload 0x80 4\nload 0x84 4\nload 0x88 4",
        &expect![[r"
        0x64 Fault set 0 page table[6] at 0x16 = 0x82 -> 0x24
        0x68 L1Hit set 0 -> 0x28
        0x6c L1Hit set 0 -> 0x2c
        0x70 Fault set 0 page table[7] at 0x17 = 0x83 -> 0x30
        0x74 L1Hit set 0 -> 0x34
        0x78 L1Hit set 0 -> 0x38
        0x7c L1Hit set 0 -> 0x3c
        0x80 Fault set 0 page table[8] at 0x18 = 0x84 -> 0x40
        0x84 L1Hit set 0 -> 0x44
        0x88 L1Hit set 0 -> 0x48
    "]],
    );
}

#[test]
fn two_and_three_levels_have_entries_of_their_architecture() {
    check_model(
        "x86-32",
        "load 0x8048000 4\nload 0x8049000 4\nstore 0xbffff000 4\nload 0x8048004 4\nload 0x8448000 4",
        &expect![[r"
        0x8048000 Fault set 8 PD[32] at 0x1080 = 0x3027 PT[72] at 0x3120 = 0x2027 -> 0x2000
        0x8049000 Fault set 9 PD[32] at 0x1080 = 0x3027 PT[73] at 0x3124 = 0x4027 -> 0x4000
        0xbffff000 Fault set 15 PD[767] at 0x1bfc = 0x6027 PT[1023] at 0x6ffc = 0x5067 -> 0x5000
        0x8048004 L1Hit set 8 -> 0x2004
        0x8448000 Fault set 8 PD[33] at 0x1084 = 0x8027 PT[72] at 0x8120 = 0x7027 -> 0x7000
    "]],
    );
    check_model(
        "riscv-sv39",
        "load 0x3a1c2b5e48 8\nload 0x3a1c2b5e50 8\nstore 0x3a1c2b6000 8\nload 0x3a1c400000 8\nload 0x10000 8",
        &expect![[r"
        0x3a1c2b5e48 Fault set 0 level 2[232] at 0x1740 = 0xc01 level 1[225] at 0x3708 = 0x1001 level 0[181] at 0x45a8 = 0x85f -> 0x2e48
        0x3a1c2b5e50 L1Hit set 0 -> 0x2e50
        0x3a1c2b6000 Fault set 0 level 2[232] at 0x1740 = 0xc01 level 1[225] at 0x3708 = 0x1001 level 0[182] at 0x45b0 = 0x14df -> 0x5000
        0x3a1c400000 Fault set 0 level 2[232] at 0x1740 = 0xc01 level 1[226] at 0x3710 = 0x1c01 level 0[0] at 0x7000 = 0x185f -> 0x6000
        0x10000 Fault set 0 level 2[0] at 0x1000 = 0x2401 level 1[0] at 0x9000 = 0x2801 level 0[16] at 0xa080 = 0x205f -> 0x8000
    "]],
    );
    check_model(
        "toy-4-entry",
        "load 0x1000\nload 0x2000\nload 0x3000\nload 0x4000\nload 0x1000\nload 0x2000\nload 0x5000\nload 0x1000\nload 0x2000\nload 0x3000\nload 0x4000\nload 0x5000",
        &expect![[r"
        0x1000 Fault set 0 page table[1] at 0x1002 = 0x4f -> 0x2000
        0x2000 Fault set 0 page table[2] at 0x1004 = 0x6f -> 0x3000
        0x3000 Fault set 0 page table[3] at 0x1006 = 0x8f -> 0x4000
        0x4000 Fault set 0 page table[4] at 0x1008 = 0xaf -> 0x5000
        0x1000 L1Hit set 0 -> 0x2000
        0x2000 L1Hit set 0 -> 0x3000
        0x5000 Fault set 0 page table[5] at 0x100a = 0xcf -> 0x6000
        0x1000 L1Hit set 0 -> 0x2000
        0x2000 L1Hit set 0 -> 0x3000
        0x3000 Walk set 0 page table[3] at 0x1006 = 0x8f -> 0x4000
        0x4000 Walk set 0 page table[4] at 0x1008 = 0xaf -> 0x5000
        0x5000 Walk set 0 page table[5] at 0x100a = 0xcf -> 0x6000
    "]],
    );
}

const BELADY: &str = "load 0x1000\nload 0x2000\nload 0x3000\nload 0x4000\nload 0x1000\nload 0x2000\nload 0x5000\nload 0x1000\nload 0x2000\nload 0x3000\nload 0x4000\nload 0x5000";

/// Belady's anomaly. On the seventh access FIFO evicts page 1 and LRU page 3: the next miss shows which.
#[test]
fn more_entries_miss_more_often_with_fifo() {
    let misses = |id: &str| {
        let model = cpu::model(id).unwrap();
        let steps = steps(&model.machine, &model.mapping(), BELADY).unwrap();
        describe(&steps)
            .lines()
            .map(|line| if line.contains("L1Hit") { 'h' } else { 'M' })
            .collect::<String>()
    };
    let all = ["toy-4-entry", "toy-4-entry:fifo", "toy-4-entry:fifo-3"]
        .map(|id| format!("{id} {}", misses(id)))
        .join("\n");
    expect![[r"
        toy-4-entry MMMMhhMhhMMM
        toy-4-entry:fifo MMMMhhMMMMMM
        toy-4-entry:fifo-3 MMMMMMMhhMMh"]]
    .assert_eq(&all);
}

/// Fact O21: the tables are where the example has them.
#[test]
fn a_worked_walk_has_its_tables_and_its_page() {
    check(
        "{}",
        r#"{"given": {"pages": [{"page": "0x7f3a1c2b5", "frame": "0x1388b"}], "tables": ["0x1a3c", "0x2b4d", "0x3e12", "0x5f07"]}}"#,
        "load 0x7f3a1c2b5e48",
        &expect![[r"
            0x7f3a1c2b5e48 Walk set 0 PML4[254] at 0x1a3c7f0 = 0x2b4d027 PDPT[232] at 0x2b4d740 = 0x3e12027 PD[225] at 0x3e12708 = 0x5f07027 PT[181] at 0x5f075a8 = 0x1388b027 -> 0x1388be48
        "]],
    );
}

/// Fact O26: `paging-multilevel-translate.py -s 0` of OSTEP.
#[test]
fn two_levels_of_one_byte_entries_are_those_of_the_textbook_program() {
    check(
        r#"{"paging": {"offset_bits": 5, "index_bits": [5, 5], "leaf_levels": [1], "entry_bytes": 1, "physical_bits": 12, "format": "valid-bit", "tables": ["PD", "PT"]}}"#,
        r#"{"default": "32", "given": {"pages": [{"page": "0x308", "frame": "0x35"}], "tables": ["0x6c", "0x21"], "others": "fault"}}"#,
        "load 0x611c\nload 0x3da8",
        &expect![[r"
            0x611c Walk set 0 PD[24] at 0xd98 = 0xa1 PT[8] at 0x428 = 0xb5 -> 0x6bc
            0x3da8 the page is not present
        "]],
    );
}

const SMALL: &str = r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1], "entry_bytes": 2, "physical_bits": 12, "tables": ["PT"]},
    "l1": [{"name": "TLB", "entries": 16, "ways": 4}]}"#;

#[test]
fn rights_and_ranges_are_given_too() {
    check(
        SMALL,
        r#"{"default": "64", "given": {"pages": [{"page": "0x1", "frame": "0x10", "count": 3, "rights": "r"}, {"page": "0x8", "count": 2}]}}"#,
        "load 0x40\nstore 0x80\nload 0xc4\nload 0x200\nload 0x240\nload 0x280\nfetch 0x40",
        &expect![[r"
            0x40 Walk set 1 PT[1] at 0x42 = 0x20d -> 0x400
            0x80 the page may not be written
            0xc4 Walk set 3 PT[3] at 0x46 = 0x24d -> 0x484
            0x200 Walk set 0 PT[8] at 0x50 = 0x12f -> 0x240
            0x240 Walk set 1 PT[9] at 0x52 = 0x14f -> 0x280
            0x280 Fault set 2 PT[10] at 0x54 = 0x16f -> 0x2c0
            0x40 instructions may not be fetched from the page
        "]],
    );
}

#[test]
fn pages_at_their_first_touch_take_the_frames_after_the_given_one() {
    check(
        SMALL,
        r#"{"default": "64", "given": {"pages": [{"page": "0x1", "frame": "0x10"}], "next_frame": "0x20"}}"#,
        "load 0x40\nload 0x80\nload 0xc0",
        &expect![[r"
            0x40 Walk set 1 PT[1] at 0x42 = 0x20f -> 0x400
            0x80 Fault set 2 PT[2] at 0x44 = 0x40f -> 0x800
            0xc0 Fault set 3 PT[3] at 0x46 = 0x42f -> 0x840
        "]],
    );
}

#[test]
fn a_full_memory_is_an_error() {
    let all: Vec<String> = (0..64).map(|page| format!("load {:#x}", page << 6)).collect();
    let all = all.join("\n");
    check_stop(
        SMALL,
        r#"{"default": "64"}"#,
        &all,
        &expect![
            "physical memory is full: all 64 frames of 64 bytes hold page tables and pages. Give the machine more physical_bits, or access fewer pages"
        ],
    );
    let given =
        r#"{"default": "64", "given": {"pages": [{"page": "0x0", "frame": "0x1", "count": 60}]}}"#;
    check_stop(
        SMALL,
        given,
        "load 0x0",
        &expect![
            "physical memory is full: all 64 frames of 64 bytes hold page tables and pages. Give the machine more physical_bits, or access fewer pages"
        ],
    );
}

/// Checks the error of given rows on the small machine.
fn rows(rows: &str, expected: &Expect) {
    check(SMALL, &format!(r#"{{"default": "64", "given": {{{rows}}}}}"#), "load 0x0", expected);
}

#[test]
fn rows_that_contradict_each_other_are_errors() {
    rows(
        r#""pages": [{"page": "0x1"}, {"page": "0x0", "count": 2}]"#,
        &expect!["os.given.pages[1].page: page 0x1 is also in given.pages[0]: list each page once"],
    );
    rows(
        r#""pages": [{"page": "0x100"}]"#,
        &expect![
            "os.given.pages[0].page: 0x100 is no page of this machine: page numbers have 8 bits"
        ],
    );
    rows(
        r#""pages": [{"page": "0x1", "frame": "0x40"}]"#,
        &expect![
            "os.given.pages[0].frame: 0x40 is beyond physical memory, which has 0x40 frames of 64"
        ],
    );
    rows(
        r#""pages": [{"page": "0x1", "count": 0}]"#,
        &expect!["os.given.pages[0].count: no page: give at least 1, or leave the row out"],
    );
    rows(
        r#""pages": [{"page": "0x1", "count": 70000}]"#,
        &expect!["os.given.pages: 70000 pages: at most 65536 can be given"],
    );
    rows(
        r#""pages": [{"page": "0x1", "size": "4K"}]"#,
        &expect!["os.given.pages[0].size: 4K is no page size of this machine, which has 64"],
    );
    rows(
        r#""pages": [{"page": "0x1", "rights": "w"}]"#,
        &expect!["os.given.pages[0].rights: `w` are no rights: write r, rw, rx or rwx"],
    );
    rows(
        r#""pages": [{"page": "0xf", "frame": "0xd"}], "tlb": [{"set": "0x3", "tag": "0x3", "frame": "0xe"}]"#,
        &expect![
            "os.given.tlb[0].frame: page 0xf has frame 0xe here and frame 0xd in given.pages[0]: make them equal"
        ],
    );
    rows(
        r#""pages": [{"page": "0xf", "valid": false}], "tlb": [{"page": "0xf", "frame": "0xe"}]"#,
        &expect![
            "os.given.tlb[0]: page 0xf is in the TLB here and not valid in given.pages[0]: change one of them"
        ],
    );
    rows(
        r#""tlb": [{"page": "0xf"}, {"set": "0x3", "tag": "0x3"}]"#,
        &expect!["os.given.tlb[1]: page 0xf is also in given.tlb[0]: list it once"],
    );
    rows(
        r#""tlb": [{"page": "0xf", "set": "0x2"}]"#,
        &expect!["os.given.tlb[0].set: page 0xf belongs to set 0x3: leave one of them out"],
    );
    rows(
        r#""tlb": [{"page": "0xf", "set": "0x3", "tag": "0x2"}]"#,
        &expect!["os.given.tlb[0].page: 0xf has another set or tag: leave one of them out"],
    );
    rows(
        r#""tlb": [{"tag": "0x2"}]"#,
        &expect!["os.given.tlb[0].set: a tag needs the set of the entry: give it"],
    );
    rows(
        r#""tlb": [{"set": "0x4", "tag": "0x2"}]"#,
        &expect!["os.given.tlb[0].set: 0x4 is no set: there are 0x4"],
    );
    rows(
        r#""tlb": [{"set": "0x0", "tag": "0xffffffffffffffff"}]"#,
        &expect!["os.given.tlb[0].tag: 0xffffffffffffffff is too large for a tag"],
    );
    rows(r#""tlb": [{}]"#, &expect!["os.given.tlb[0].page: which page? Give page, or set and tag"]);
    rows(
        r#""tlb": [{"array": "L2", "page": "0x1"}]"#,
        &expect!["os.given.tlb[0].array: there is no array `L2`: the TLB has TLB"],
    );
    rows(
        r#""tlb": [{"page": "0x0"}, {"page": "0x4"}, {"page": "0x8"}, {"page": "0xc"}, {"page": "0x10"}]"#,
        &expect!["os.given.tlb[4]: set 0 has 4 ways, and all are given already"],
    );
    rows(
        r#""tables": ["0x40"]"#,
        &expect!["os.given.tables[0]: 0x40 is beyond physical memory, which has 0x40 frames of 64"],
    );
    rows(
        r#""tables": ["0x3c"]"#,
        &expect!["os.given.tables[0]: a table of 512 bytes there ends beyond physical memory"],
    );
    rows(
        r#""pages": [{"page": "0x0", "frame": "0x12"}], "tables": ["0x10"]"#,
        &expect![
            "os.given.tables[0]: a table of 512 bytes there meets the frame of given.pages[0]: move one"
        ],
    );
}

#[test]
fn tables_and_frames_that_do_not_fit_into_memory_are_errors() {
    rows(
        r#""tables": ["0x10", "0x17"]"#,
        &expect![
            "os.given.tables[1]: a table of 512 bytes there meets the frame of given.tables[0]: move one"
        ],
    );
    rows(
        r#""next_frame": "0x40""#,
        &expect![
            "os.given.next_frame: 0x40 is beyond physical memory, which has 0x40 frames of 64"
        ],
    );
}

#[test]
fn settings_that_do_not_fit_given_state_are_errors() {
    let os = |fields: &str, expected: &Expect| check("{}", fields, "load 0x0", expected);
    os(
        r#"{"given": {}, "virt": "ept"}"#,
        &expect![[r#"os.given: only a native machine has given state: make virt "native""#]],
    );
    os(
        r#"{"given": {}, "upper_half": "shared"}"#,
        &expect![[r#"os.given: given state is of processes: make upper_half "own""#]],
    );
    os(
        r#"{"given": {}, "default": "thp"}"#,
        &expect!["os.given: given pages need a page size as default: write one"],
    );
    os(
        r#"{"given": {}, "frames": "shuffled"}"#,
        &expect![[
            r#"os.frames: this machine gives the lowest free frame to each page: make frames "sequential""#
        ]],
    );
    os(
        r#"{"given": {"pages": [{"page": "0x1", "size": "2M"}]}}"#,
        &expect![
            "os.given.pages[0].page: memory at 0x200000 is not mapped with pages of 2M: give the row, default or a region another size"
        ],
    );
    check(
        SMALL,
        r#"{"default": "64", "virt": "ept"}"#,
        "load 0x0",
        &expect![[
            r#"os.virt: a machine with entries or a memory of its own has no virtual machines: make virt "native""#
        ]],
    );
    let exclusive = r#"{"inclusion": "exclusive", "l2": [{"name": "S"}]}"#;
    check(
        exclusive,
        r#"{"given": {"tlb": [{"page": "0x1"}]}}"#,
        "load 0x0",
        &expect![[
            r#"os.given.tlb: given entries need a TLB with inclusion "nine", without coalescing, ways_of, caps, tlb_prefetch and victima: leave them out"#
        ]],
    );
}
