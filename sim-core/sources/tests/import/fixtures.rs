//! Compares recorded traces with counts of other programs.

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::read::GzDecoder;
use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::import::ImportOptions;

use super::support::{fixture, import, import_with};

/// A row of the table in the README of the fixtures.
struct Counts {
    file: &'static str,
    fetches: usize,
    loads: usize,
    stores: usize,
    modifies: usize,
    code_pages: usize,
    data_pages: usize,
}

fn counts() -> Vec<Counts> {
    let readme = String::from_utf8(fixture("README.md")).unwrap();
    let readme: &'static str = readme.leak();
    let rows = readme.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [file, numbers @ ..] = &cells[..] else { return None };
        let numbers: Vec<usize> = numbers.iter().map_while(|cell| cell.parse().ok()).collect();
        let [fetches, loads, stores, modifies, code_pages, data_pages] = numbers[..] else {
            return None;
        };
        Some(Counts { file, fetches, loads, stores, modifies, code_pages, data_pages })
    });
    rows.collect()
}

fn pages<'a>(accesses: impl Iterator<Item = &'a Access>) -> usize {
    accesses.map(|access| access.address >> 12).collect::<BTreeSet<u64>>().len()
}

#[test]
fn recorded_traces_hold_what_awk_counted() {
    let table = counts();
    assert_eq!(table.len(), 4);
    for Counts { file, fetches, loads, stores, modifies, code_pages, data_pages } in table {
        let (report, accesses) = import_with(ImportOptions::default(), &fixture(file), 1 << 16);
        let report = report.unwrap();
        let of = |kind| accesses.iter().filter(|access| access.kind == kind).count();
        assert_eq!(of(Kind::Fetch), fetches, "{file}");
        assert_eq!(of(Kind::Load), loads + modifies, "{file}");
        assert_eq!(of(Kind::Store), stores + modifies, "{file}");
        assert_eq!(report.records, (fetches + loads + stores + modifies) as u64, "{file}");
        assert_eq!(pages(accesses.iter().filter(|a| a.kind.is_fetch())), code_pages, "{file}");
        assert_eq!(pages(accesses.iter().filter(|a| !a.kind.is_fetch())), data_pages, "{file}");
        assert_eq!(report.format, "lackey");
        assert!(report.warnings.is_empty(), "{file}: {:?}", report.warnings);
        assert_eq!(report.skipped.len(), 1, "{file}");
    }
}

#[test]
fn gz_xz_and_zst_of_one_trace_are_the_same_trace() {
    let gz = import_with(ImportOptions::default(), &fixture("matmul24.full.txt.gz"), 1 << 16);
    assert!(gz == import_with(ImportOptions::default(), &fixture("matmul24.full.txt.xz"), 1 << 16));
    assert!(
        gz == import_with(ImportOptions::default(), &fixture("matmul24.full.txt.zst"), 1 << 16)
    );
    assert_eq!(gz.1.len(), 237_613 + 56_221 + 12_924 + 2 * 1477);
}

#[test]
fn chunks_of_a_packed_trace_may_have_any_size() {
    // `import` compares chunks of 1, 7 and 65,536 bytes with the whole.
    let (report, _) = import(&fixture("chase.mid.txt.xz"));
    assert_eq!(report.unwrap().records, 92_469 + 16_203 + 11_254 + 74);
}

/// Reads lines of lackey in the simplest way.
fn naive(text: &str) -> Vec<Access> {
    let mut accesses = Vec::new();
    for line in text.lines() {
        let kinds: &[Kind] = match line.get(..3) {
            Some("I  ") => &[Kind::Fetch],
            Some(" L ") => &[Kind::Load],
            Some(" S ") => &[Kind::Store],
            Some(" M ") => &[Kind::Load, Kind::Store],
            _ => continue,
        };
        let (address, size) = line[3..].split_once(',').unwrap();
        let address = u64::from_str_radix(address, 16).unwrap();
        accesses
            .extend(kinds.iter().map(|kind| Access::new(*kind, address, size.parse().unwrap())));
    }
    accesses
}

#[test]
fn a_whole_trace_is_what_a_naive_reader_makes_of_it() {
    let mut text = String::new();
    let packed = fixture("matmul24.full.txt.gz");
    GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let (_, accesses) = import_with(ImportOptions::default(), text.as_bytes(), 1000);
    assert!(accesses == naive(&text));
}
