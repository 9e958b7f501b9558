//! Hashed page tables: walks, walk caches, resizes and refusals, as text.

use crate::common::text::{accesses, steps};
use crate::common::{ops, page, report};
use std::fmt::Write as _;
use std::rc::Rc;

use expect_test::{Expect, expect};
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::record::event::HashedLineView;
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Replay;
use pagewalk_base::trace::{Access, Kind};

/// One TLB entry, so that almost every access walks, and tables of 64 lines in each of three ways.
const MACHINE: &str = r#"{"l1": [{"name": "d", "entries": 1}], "ecpt": {"entries": 64},
    "memory": {"caches": [{"name": "L1D", "size": "32K", "ways": 8, "latency": 4}]}}"#;

fn without(field: &str) -> String {
    MACHINE.replace(r#""entries": 64"#, &format!(r#""entries": 64, {field}"#))
}

/// Compares the walk caches and the lines of each walk. A line that holds the page has a star.
#[track_caller]
fn check(machine: &str, os: &str, list: &[Access], expected: &Expect) {
    let (view, steps) = steps(machine, os, list);
    let mut text = String::new();
    for step in &steps {
        let [done] = &step.translations[..] else { panic!("one translation") };
        write!(text, "{} {:?}", done.page_number, done.outcome).unwrap();
        for look in &done.psc {
            let name = &view.structures[look.structure].name;
            write!(text, ", {name} {}", if look.hit { "hit" } else { "miss" }).unwrap();
        }
        let Some(walk) = &done.hashed else {
            text.push('\n');
            continue;
        };
        writeln!(text, ", {} cycles. {}", done.cycles.total, walk.said).unwrap();
        for line in &walk.lines {
            let (star, new) =
                (if line.hit { "*" } else { "" }, if line.resized { "new " } else { "" });
            write!(
                text,
                "  {} {}: {new}{}@{}{star}",
                line.table,
                line.way,
                line.line,
                line.read.as_ref().unwrap().served_by
            )
            .unwrap();
            writeln!(text, " at {}", line.address).unwrap();
        }
    }
    expected.assert_eq(&text);
}

/// Without knowledge, a walk reads all ways of all tables at the same time. Then the walk caches know that only pages of 4K
/// are near, and the walk reads the ways of one table. Page 2 is in the line of page 1.
#[test]
fn a_walk_reads_the_lines_that_may_hold_the_page() {
    check(
        MACHINE,
        "{}",
        &[1, 2, 2, 8].map(page),
        &expect![[r"
            0x1 Fault, PMD walk cache miss, PUD walk cache miss, 206 cycles. Without headers, the complete walk read 9 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once
              PTE-ECPT 0: 47@DRAM* at 0x200bc0
              PTE-ECPT 1: 52@DRAM at 0x201d00
              PTE-ECPT 2: 15@DRAM at 0x2023c0
              PMD-ECPT 0: 47@DRAM at 0x203bc0
              PMD-ECPT 1: 52@DRAM at 0x204d00
              PMD-ECPT 2: 15@DRAM at 0x2053c0
              PUD-ECPT 0: 47@DRAM at 0x206bc0
              PUD-ECPT 1: 52@DRAM at 0x207d00
              PUD-ECPT 2: 15@DRAM at 0x2083c0
            0x2 Fault, PMD walk cache hit, PUD walk cache hit, 10 cycles. With both headers, the size walk read 3 lines of PTE-ECPT at once
              PTE-ECPT 0: 47@L1D* at 0x200bc0
              PTE-ECPT 1: 52@L1D at 0x201d00
              PTE-ECPT 2: 15@L1D at 0x2023c0
            0x2 L1Hit
            0x8 Fault, PMD walk cache hit, PUD walk cache hit, 206 cycles. With both headers, the size walk read 3 lines of PTE-ECPT at once
              PTE-ECPT 0: 1@DRAM at 0x200040
              PTE-ECPT 1: 39@DRAM* at 0x2019c0
              PTE-ECPT 2: 30@DRAM at 0x202780
        "]],
    );
}

/// The header of a section says in which way a huge page is, so the walk reads one line.
#[test]
fn a_walk_to_a_huge_page_reads_one_line() {
    for (size, expected) in [
        (
            "2M",
            expect![[r"
        0x0 Fault, PMD walk cache miss, PUD walk cache miss, 206 cycles. Without headers, the complete walk read 9 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once
          PTE-ECPT 0: 47@DRAM at 0x200bc0
          PTE-ECPT 1: 52@DRAM at 0x201d00
          PTE-ECPT 2: 15@DRAM at 0x2023c0
          PMD-ECPT 0: 47@DRAM* at 0x203bc0
          PMD-ECPT 1: 52@DRAM at 0x204d00
          PMD-ECPT 2: 15@DRAM at 0x2053c0
          PUD-ECPT 0: 47@DRAM at 0x206bc0
          PUD-ECPT 1: 52@DRAM at 0x207d00
          PUD-ECPT 2: 15@DRAM at 0x2083c0
        0x200 Fault, PMD walk cache miss, PUD walk cache hit, 206 cycles. With headers of PUD walk cache, the size walk read 3 lines of PMD-ECPT at once
          PMD-ECPT 0: 3@DRAM at 0x2030c0
          PMD-ECPT 1: 29@DRAM* at 0x204740
          PMD-ECPT 2: 38@DRAM at 0x205980
        0x0 Walk, PMD walk cache hit, PUD walk cache hit, 10 cycles. With both headers, the direct walk read one line of PMD-ECPT
          PMD-ECPT 0: 47@L1D* at 0x203bc0
    "]],
        ),
        (
            "1G",
            expect![[r"
        0x0 Fault, PMD walk cache miss, PUD walk cache miss, 206 cycles. Without headers, the complete walk read 9 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once
          PTE-ECPT 0: 47@DRAM at 0x200bc0
          PTE-ECPT 1: 52@DRAM at 0x201d00
          PTE-ECPT 2: 15@DRAM at 0x2023c0
          PMD-ECPT 0: 47@DRAM at 0x203bc0
          PMD-ECPT 1: 52@DRAM at 0x204d00
          PMD-ECPT 2: 15@DRAM at 0x2053c0
          PUD-ECPT 0: 47@DRAM* at 0x206bc0
          PUD-ECPT 1: 52@DRAM at 0x207d00
          PUD-ECPT 2: 15@DRAM at 0x2083c0
        0x1 Fault, PMD walk cache miss, PUD walk cache hit, 10 cycles. With headers of PUD walk cache, the direct walk read one line of PUD-ECPT
          PUD-ECPT 0: 47@L1D* at 0x206bc0
        0x0 Walk, PMD walk cache hit, PUD walk cache hit, 10 cycles. With both headers, the direct walk read one line of PUD-ECPT
          PUD-ECPT 0: 47@L1D* at 0x206bc0
    "]],
        ),
    ] {
        let os = format!(r#"{{"default": "{size}"}}"#);
        let list = [0, 1, 0].map(|n| Access::new(Kind::Load, n << 30, 1));
        check(MACHINE, &os, &list, &expected);
    }
}

/// A section with pages of two sizes needs the line of the huge page and all ways of the small ones.
#[test]
fn a_section_with_two_page_sizes_needs_a_partial_walk() {
    let os = r#"{"regions": [{"start": "0", "end": "0x200000", "pages": "2M"}]}"#;
    let list = [0, 0x200, 0].map(page);
    check(
        MACHINE,
        os,
        &list,
        &expect![[r"
        0x0 Fault, PMD walk cache miss, PUD walk cache miss, 206 cycles. Without headers, the complete walk read 9 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once
          PTE-ECPT 0: 47@DRAM at 0x200bc0
          PTE-ECPT 1: 52@DRAM at 0x201d00
          PTE-ECPT 2: 15@DRAM at 0x2023c0
          PMD-ECPT 0: 47@DRAM* at 0x203bc0
          PMD-ECPT 1: 52@DRAM at 0x204d00
          PMD-ECPT 2: 15@DRAM at 0x2053c0
          PUD-ECPT 0: 47@DRAM at 0x206bc0
          PUD-ECPT 1: 52@DRAM at 0x207d00
          PUD-ECPT 2: 15@DRAM at 0x2083c0
        0x200 Fault, PMD walk cache hit, PUD walk cache hit, 206 cycles. With both headers, the partial walk read 4 lines of PTE-ECPT, PMD-ECPT at once
          PTE-ECPT 0: 3@DRAM* at 0x2000c0
          PTE-ECPT 1: 29@DRAM at 0x201740
          PTE-ECPT 2: 38@DRAM at 0x202980
          PMD-ECPT 0: 47@L1D at 0x203bc0
        0x0 Walk, PMD walk cache hit, PUD walk cache hit, 10 cycles. With both headers, the partial walk read 4 lines of PTE-ECPT, PMD-ECPT at once
          PTE-ECPT 0: 47@L1D at 0x200bc0
          PTE-ECPT 1: 52@L1D at 0x201d00
          PTE-ECPT 2: 15@L1D at 0x2023c0
          PMD-ECPT 0: 47@L1D* at 0x203bc0
    "]],
    );
}

/// The cache of sections of 1G pages knows less than that of sections of 2M pages, and still leaves tables out.
#[test]
fn each_walk_cache_alone_leaves_lines_out() {
    let reads = |caches: &str, (size, shift): (&str, u32)| {
        let os = format!(r#"{{"default": "{size}"}}"#);
        let loads = [0, 1, 0, 1].map(|n| Access::new(Kind::Load, n << shift, 1));
        let (_, steps) = steps(&without(caches), &os, &loads);
        steps[3].translations[0].refs
    };
    let of = |caches: &str| [("4K", 12), ("2M", 21), ("1G", 30)].map(|size| reads(caches, size));
    assert_eq!(of(r#""pmd_cwc": 0, "pud_cwc": 0"#), [9, 9, 9]);
    // The header of a section of 2M pages has no way of a page of 1G. It says whether there is one.
    assert_eq!(of(r#""pmd_cwc": 2, "pud_cwc": 0"#), [3, 1, 3]);
    assert_eq!(of(r#""pmd_cwc": 0, "pud_cwc": 1"#), [3, 3, 1]);
    assert_eq!(of(r#""pmd_cwc": 2, "pud_cwc": 1"#), [3, 1, 1]);
}

/// A walk takes the time of the slowest read, or that of the line with the page, as the machine says.
#[test]
fn a_walk_may_end_with_the_line_of_the_page() {
    // A cache of four lines keeps the line of page 8, and loses another one to the walk of page 0.
    let list: Vec<Access> = [8, 0, 8].map(page).to_vec();
    let cycles = |early: bool| {
        let machine = without(&format!(r#""early": {early}"#));
        let machine = machine.replace("32K", "256").replace(r#""ways": 8"#, r#""ways": 1"#);
        let (_, steps) = steps(&machine, "{}", &list);
        let walks = steps.iter().map(|step| {
            let done = &step.translations[0];
            let lines = &done.hashed.as_ref().unwrap().lines;
            let cycles = |line: &HashedLineView| line.read.as_ref().unwrap().cycles;
            let slowest = lines.iter().map(cycles).max().unwrap();
            let own = lines.iter().find(|line| line.hit).map(cycles).unwrap();
            let waited = if early { own } else { slowest };
            assert_eq!(done.cycles.references, waited);
            assert_eq!(done.levels[0].cycles, Some(waited));
            done.cycles.total
        });
        walks.sum::<u64>()
    };
    assert_eq!((cycles(true), cycles(false)), (206 + 206 + 10, 3 * 206));
}

fn tables(report: &RunReport) -> Vec<[u64; 3]> {
    let tables = &report.ecpt.as_ref().unwrap().tables;
    tables.iter().map(|of| [of.lines, of.used, of.resizing]).collect()
}

/// A line has eight pages. 60 per cent of 192 lines are 115.
#[test]
fn a_table_above_its_load_is_resized() {
    let after = |n: u64| {
        let report = report(MACHINE, "{}", (0..n).map(|line| page(8 * line + 3)));
        (tables(&report)[0], report.ecpt.unwrap().resizes)
    };
    assert_eq!(after(1), ([192, 1, 0], 0));
    assert_eq!(after(115), ([192, 115, 0], 0));
    // Both sizes exist while lines move. Each insertion moves one line of each way.
    assert_eq!(after(116), ([3 * 192, 116, 1], 1));
    assert_eq!(after(178), ([3 * 192, 178, 1], 1));
    assert_eq!(after(179), ([2 * 192, 179, 0], 1));
    assert_eq!(after(230), ([2 * 192, 230, 0], 1));
    assert_eq!(after(231), ([6 * 192, 231, 1], 2));
    let eight_pages = report(MACHINE, "{}", (0..80).map(page));
    assert_eq!(tables(&eight_pages)[0], [192, 10, 0]);
}

/// During a resize, a walk reads the larger way where the line has moved.
#[test]
fn walks_find_pages_during_a_resize() {
    let list: Vec<Access> = (0..140).chain(0..140).map(|line| page(8 * line)).collect();
    let (_, steps) = steps(MACHINE, "{}", &list);
    let second = steps[140..].iter().map(|step| step.translations[0].hashed.as_ref().unwrap());
    let hits: Vec<bool> = second
        .map(|walk| {
            let hits: Vec<bool> =
                walk.lines.iter().filter(|line| line.hit).map(|line| line.resized).collect();
            assert_eq!(hits.len(), 1);
            hits[0]
        })
        .collect();
    assert!(hits.contains(&true) && hits.contains(&false));
}

/// Each process has its own tables: three ways of 64 lines for each of three page sizes.
#[test]
fn each_process_has_its_own_tables() {
    let of = |pids: &[u32]| {
        let list: Vec<Access> = pids.iter().map(|pid| Access { pid: *pid, ..page(1) }).collect();
        report(MACHINE, "{}", list)
    };
    let (one, two) = (of(&[1, 1]), of(&[1, 2]));
    assert_eq!(tables(&one), [[192, 1, 0], [192, 0, 0], [192, 0, 0]]);
    assert_eq!(tables(&two), [[384, 2, 0], [384, 0, 0], [384, 0, 0]]);
    assert_eq!((one.memory.table_bytes, two.memory.table_bytes), (36_864, 73_728));
    assert_eq!((one.pages["table_pages"], two.pages["table_pages"]), (9, 18));
}

fn run(text: &str) -> Result<RunReport, String> {
    let trace = ops::trace(&ops::items(text));
    let machine = crate::common::machine(MACHINE, "{}");
    let mut replay = Replay::new(Rc::new(trace), machine, usize::MAX);
    loop {
        match replay.run(u32::MAX) {
            Ok(false) => {}
            Ok(true) => return Ok(replay.report()),
            Err(error) => return Err(error.message),
        }
    }
}

/// munmap(2) takes pages out of their line, and empty lines out of the table. A later page gets a line again.
#[test]
fn unmapped_pages_leave_their_lines() {
    let used = |text: &str| tables(&run(text).unwrap())[0][1];
    let both = "load 0x1000\n load 0x2000\n load 0x8000";
    assert_eq!(used(both), 2);
    assert_eq!(used(&format!("{both}\n munmap 0x1000 4096\n load 0x2000")), 2);
    assert_eq!(used(&format!("{both}\n munmap 0x1000 8192\n load 0x8000")), 1);
    assert_eq!(used(&format!("{both}\n munmap 0x1000 8192\n load 0x2000")), 2);
}

/// A child of fork(2) has lines for all pages of its parent.
#[test]
fn a_child_gets_the_pages_of_its_parent() {
    let report =
        run("store 0x1000 pid 1\n store 0x9000 pid 1\n fork child=2 pid 1\n load 0x1000 pid 2")
            .unwrap();
    assert_eq!(tables(&report)[0], [384, 4, 0]);
}

/// A page fault ends a walk after the lines that it reads. The page fault drops the headers, so that the next walk reads
/// all lines. Page 5 has no page, but an entry in the line of page 1. Page 8 has no line.
#[test]
fn a_page_fault_ends_a_walk_after_its_lines() {
    let scenario = "store 0x1000\n mprotect 0x1000 4096 r--\n store 0x1000\n store 0x1000\n load 0x2000\n \
        mprotect 0x5000 4096 none\n load 0x5000\n load 0x2000\n mprotect 0x8000 4096 none\n load 0x8000";
    let machine = crate::common::machine(MACHINE, "{}");
    let mut replay = Replay::new(Rc::new(ops::trace(&ops::items(scenario))), machine, usize::MAX);
    let mut text = String::new();
    for index in 0..replay.trace().len() {
        let step = replay.seek(index).unwrap();
        let Some(refused) = step.refused else { continue };
        let walk = refused.hashed.unwrap();
        writeln!(text, "{}: {}. Refused by {}", step.access.address, walk.said, refused.field)
            .unwrap();
        for level in &refused.levels {
            let at = level.entry_address.0 - level.table.0;
            writeln!(text, "  {}[{}] at +{at}: {}", level.table_name, level.index, level.value)
                .unwrap();
        }
        for line in &walk.lines {
            assert_eq!(line.read, None);
            writeln!(text, "  {} {}: {}", line.table, line.way, line.said).unwrap();
        }
    }
    expect![[r"
        0x1000: With both headers, the size walk read 3 lines of PTE-ECPT at once. Refused by W
          PTE-ECPT[1] at +8: 0x8000001000000065
          PTE-ECPT 0: line 47 at 0x200bc0: holds the page
          PTE-ECPT 1: line 52 at 0x201d00: not the page
          PTE-ECPT 2: line 15 at 0x2023c0: not the page
        0x1000: Without headers, the complete walk read 9 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once. Refused by W
          PTE-ECPT[1] at +8: 0x8000001000000065
          PTE-ECPT 0: line 47 at 0x200bc0: holds the page
          PTE-ECPT 1: line 52 at 0x201d00: not the page
          PTE-ECPT 2: line 15 at 0x2023c0: not the page
          PMD-ECPT 0: line 47 at 0x203bc0: not the page
          PMD-ECPT 1: line 52 at 0x204d00: not the page
          PMD-ECPT 2: line 15 at 0x2053c0: not the page
          PUD-ECPT 0: line 47 at 0x206bc0: not the page
          PUD-ECPT 1: line 52 at 0x207d00: not the page
          PUD-ECPT 2: line 15 at 0x2083c0: not the page
        0x5000: With both headers, the size walk read 3 lines of PTE-ECPT at once. Refused by P
          PTE-ECPT[5] at +40: 0x0
          PTE-ECPT 0: line 47 at 0x200bc0: not the page
          PTE-ECPT 1: line 52 at 0x201d00: not the page
          PTE-ECPT 2: line 15 at 0x2023c0: not the page
        0x8000: Without headers, the complete walk read 9 lines of PTE-ECPT, PMD-ECPT, PUD-ECPT at once. Refused by P
          PTE-ECPT 0: line 1 at 0x200040: not the page
          PTE-ECPT 1: line 39 at 0x2019c0: not the page
          PTE-ECPT 2: line 30 at 0x202780: not the page
          PMD-ECPT 0: line 47 at 0x203bc0: not the page
          PMD-ECPT 1: line 52 at 0x204d00: not the page
          PMD-ECPT 2: line 15 at 0x2053c0: not the page
          PUD-ECPT 0: line 47 at 0x206bc0: not the page
          PUD-ECPT 1: line 52 at 0x207d00: not the page
          PUD-ECPT 2: line 15 at 0x2083c0: not the page
    "]].assert_eq(&text);
    // The machine counts no walks of such accesses.
    let walks = run(scenario).unwrap().ecpt.unwrap().walks;
    assert_eq!((walks.direct, walks.size, walks.partial, walks.complete), (0, 0, 0, 2));
}

/// What is not simulated is refused with a remedy.
#[test]
fn combinations_that_are_not_simulated_are_refused() {
    expect![[r"
        before access 1: `set-entry 0x1000 level=1 clear=0x2`: hashed page tables have no entries above those of pages: leave out set-entry, or ecpt in the machine"]]
    .assert_eq(&run("load 0x1000\n set-entry 0x1000 level=1 clear=0x2\n load 0x1000").unwrap_err());
    let new = |os: &str| {
        let made = Machine::new(&parse_json(MACHINE).unwrap(), &parse_json(os).unwrap());
        made.unwrap_err().to_string()
    };
    for virt in ["ept", "shadow"] {
        let message = new(&format!(r#"{{"virt": "{virt}"}}"#));
        assert!(message.contains("not simulated with os.virt"), "{message}");
    }
}

/// A store to a clean page sets its dirty flag in the line of the page, which the view shows as the only level.
#[test]
fn the_view_has_the_entry_in_its_line() {
    let (_, steps) = steps(MACHINE, "{}", &accesses("load 0x3000\n store 0x3000\n load 0x5000"));
    let [first, second, third] = [0, 1, 2].map(|at: usize| &steps[at].translations[0]);
    let level = &first.levels[0];
    assert_eq!((first.levels.len(), level.table_name.as_str(), level.index), (1, "PTE-ECPT", 3));
    assert_eq!(level.entry_address.0, level.table.0 + 24);
    assert_eq!((level.n_entries, level.bits, level.shift), (8, 3, 12));
    assert_eq!((first.ad_updates, second.ad_updates, second.refs), (1, 1, 0));
    // The line is in the nearest cache by now.
    assert_eq!(third.levels[0].served_by.as_deref(), Some("L1D"));
    assert_eq!(third.levels[0].table, level.table);
    assert_eq!(third.levels[0].neighbours.len(), 4);
}
