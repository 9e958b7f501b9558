//! Compares nested walks with native ones, and shows what a page walk cache serves and what is logged.

use crate::common::{page, report, text};
use expect_test::expect;
use pagewalk::config::cpu::model;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::record::event::CellState;
use pagewalk::run::explain::{Explanation, explain};
use pagewalk_base::trace::{Access, Kind};

const ADDRESS: u64 = 0x7f3a_1c2b_5e48;

#[track_caller]
fn cold(machine: &str, os: &str) -> Explanation {
    let config = MachineConfig::parse(machine).unwrap();
    explain(&config, &parse_json(os).unwrap(), ADDRESS).unwrap()
}

fn ept(guest: &str, host: &str) -> String {
    format!(r#"{{"default": "{guest}", "virt": "ept", "host": {{"default": "{host}"}}}}"#)
}

/// Bhargava et al., ASPLOS 2008, figure 1: what `explain` lists.
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

/// Returns a machine with a TLB of one entry, so that every change of page misses.
fn one_entry_tlb(more: &str) -> String {
    format!(r#"{{"l1": [{{"entries": 1}}], {more}}}"#)
}

/// Returns accesses to a page, to its neighbour, which evicts it from the TLB, and to the page again.
fn revisit() -> [Access; 3] {
    [page(0), page(1), page(0)]
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

/// AMD's and Arm's manuals have no such log.
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
