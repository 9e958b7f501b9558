//! Fixtures of `perf.data` and perf script, and the counts that other programs made of them.

use std::collections::BTreeSet;
use std::io::Read as _;

use flate2::read::GzDecoder;
use pagewalk_base::trace::Access;
use pagewalk_sources::import::ImportReport;

use super::support::{Outcome, fixture, import, show};

/// A row of the table in the README of the fixtures.
struct Counts {
    file: String,
    samples: u64,
    accesses: u64,
    faults: u64,
    pages: usize,
    first: Option<(u64, Option<u64>)>,
}

/// Returns the rows whose file name fulfils `is_row`.
fn table(is_row: impl Fn(&str) -> bool) -> Vec<Counts> {
    let readme = String::from_utf8(fixture("perf/README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [file, samples, counted, pages, address, ip] = cells[..] else { return None };
        let hex = |text| u64::from_str_radix(text, 16).ok();
        let (accesses, faults) = match counted.strip_suffix(" faults") {
            Some(faults) => (0, faults.parse().ok()?),
            None => (counted.parse().ok()?, 0),
        };
        Some(Counts {
            file: file.to_owned(),
            samples: samples.parse().ok()?,
            accesses,
            faults,
            pages: pages.parse().ok()?,
            first: hex(address).map(|address| (address, hex(ip))),
        })
    });
    rows.filter(|row| is_row(&row.file)).collect()
}

/// Imports the files in `folder` whose name fulfils `is_row`, and compares them with the table. Returns their
/// number.
pub(crate) fn check_counts(folder: &str, format: &str, is_row: impl Fn(&str) -> bool) -> usize {
    let table = table(is_row);
    for counts in &table {
        let (report, accesses) = import(&fixture(&format!("{folder}/{}", counts.file)));
        let report = report.unwrap_or_else(|error| panic!("{}: {error}", counts.file));
        assert_eq!(report.format, format, "{}", counts.file);
        check(counts, &report, &accesses);
    }
    table.len()
}

fn check(counts: &Counts, report: &ImportReport, accesses: &[Access]) {
    let Counts { file, samples, accesses: n, faults, pages, first } = counts;
    assert_eq!((report.records, report.accesses), (*samples, *n), "{file}");
    let found: BTreeSet<u64> = accesses.iter().map(|access| access.address >> 12).collect();
    assert_eq!(found.len(), *pages, "{file}");
    let found = accesses.first().map(|access| (access.address, access.ip));
    let (address, ip) = (found.map(|found| found.0), found.and_then(|found| found.1));
    if first.is_some() {
        assert_eq!(address, first.map(|first| first.0), "{file}");
    }
    if let Some((_, Some(first_ip))) = first {
        assert_eq!(ip, Some(*first_ip), "{file}");
    }
    let sampling = report.sampling.as_ref().expect("it is of samples");
    assert_eq!(sampling.faults, *faults, "{file}");
    assert_eq!(sampling.events.iter().map(|event| event.samples).sum::<u64>(), *samples, "{file}");
    assert_eq!(sampling.events.iter().map(|event| event.accesses).sum::<u64>(), *n, "{file}");
}

/// Returns a fixture of either folder, decompressed.
pub(crate) fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let packed = fixture(&format!("perf/{name}"));
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Describes completeness, sampling, the report and the first accesses.
pub(crate) fn summary((report, accesses): Outcome, n: usize) -> String {
    let mut text = format!("{:?}\n", report.as_ref().map(|report| report.completeness));
    if let Ok(Some(sampling)) = report.as_ref().map(|report| &report.sampling) {
        text.push_str(&format!("{}\n", serde_json::to_string(sampling).unwrap()));
    }
    text + &show(&(report, accesses.into_iter().take(n).collect()))
}
