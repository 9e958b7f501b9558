//! Imports in memory, and their results as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use expect_test::Expect;
use pagewalk_base::error::{Error, Remedy};
use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::import::{ImportOptions, ImportReport, Importer, Warning, formats};

/// The result of an import: its report or error, and the accesses until then.
pub(crate) type Outcome = (Result<ImportReport, Error>, Vec<Access>);

pub(crate) fn import_with(options: ImportOptions, bytes: &[u8], chunk: usize) -> Outcome {
    let mut accesses = Vec::new();
    let report = run(options, bytes, chunk, &mut accesses);
    (report, accesses)
}

fn run(
    options: ImportOptions,
    bytes: &[u8],
    chunk: usize,
    accesses: &mut Vec<Access>,
) -> Result<ImportReport, Error> {
    let mut importer = Importer::new(options)?;
    for piece in bytes.chunks(chunk) {
        importer.push(piece, accesses)?;
        if importer.is_full() {
            break;
        }
    }
    let counted = importer.accesses();
    let report = importer.finish(accesses)?;
    // The last line can lack its newline, so its access comes at the end.
    assert!(counted <= report.accesses, "accesses go down at the end");
    let faults = report.sampling.as_ref().map_or(0, |sampling| sampling.faults);
    assert_eq!(report.accesses + faults, accesses.len() as u64);
    Ok(report)
}

/// Imports in one piece, and checks that the size of the chunks and the file name change nothing.
pub(crate) fn import(bytes: &[u8]) -> Outcome {
    import_as(None, bytes)
}

pub(crate) fn import_as(format: Option<&str>, bytes: &[u8]) -> Outcome {
    let options = |name: &str| ImportOptions {
        name: name.to_owned(),
        format: format.map(str::to_owned),
        ..ImportOptions::default()
    };
    let whole = import_with(options("trace.txt"), bytes, usize::MAX);
    for chunk in [1, 7, 64 << 10] {
        let pieces = import_with(options("unknown"), bytes, chunk);
        assert!(whole == pieces, "chunks of {chunk} differ:\n{}\n{}", show(&whole), show(&pieces));
    }
    check_remedies(&whole.0);
    whole
}

/// Checks that remedies name ids of the list of formats.
fn check_remedies(result: &Result<ImportReport, Error>) {
    let of_warning = |warning: &Warning| match warning {
        Warning::Text(_) => None,
        Warning::WithRemedy { remedy, .. } => Some(remedy.clone()),
    };
    let remedies: Vec<Remedy> = match result {
        Ok(report) => report.warnings.iter().filter_map(of_warning).collect(),
        Err(error) => error.remedy.iter().cloned().collect(),
    };
    for id in remedies.iter().flat_map(|remedy| &remedy.to) {
        assert!(formats().any(|format| format.id == id), "there is no format {id}");
    }
}

pub(crate) fn show((report, accesses): &Outcome) -> String {
    let mut text = String::new();
    match report {
        Ok(report) => {
            let ImportReport { format, records, accesses, .. } = report;
            let format = if report.part { format!("a part of {format}") } else { format.clone() };
            writeln!(text, "{format}: {records} records, {accesses} accesses").unwrap();
            for skipped in &report.skipped {
                writeln!(text, "  skipped {} {}", skipped.count, skipped.reason).unwrap();
            }
            for warning in &report.warnings {
                writeln!(text, "  ! {warning}").unwrap();
            }
        }
        Err(error) => writeln!(text, "{:?}: {error}", error.code).unwrap(),
    }
    for access in accesses.iter().take(12) {
        let Access { kind, address, size, pid, tid, cpu, ip } = access;
        write!(text, "{} {address:#x} {size}", kind.name()).unwrap();
        if (*pid, *tid) != (0, 0) {
            write!(text, " pid {pid} tid {tid}").unwrap();
        }
        if *cpu != 0 {
            write!(text, " cpu {cpu}").unwrap();
        }
        if let Some(ip) = ip {
            write!(text, " ip {ip:#x}").unwrap();
        }
        text.push('\n');
    }
    text
}

pub(crate) fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&show(&import(text.as_bytes())));
}

pub(crate) fn check_as(format: &str, text: &str, expected: &Expect) {
    expected.assert_eq(&show(&import_as(Some(format), text.as_bytes())));
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "tests", "fixtures", "traces", name]
            .iter()
            .collect();
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Imports every file of the table in the README of a folder, and compares the numbers: fetches, loads, stores,
/// prefetches, 4K code pages, 4K data pages. Returns the number of files.
pub(crate) fn check_table(folder: &str) -> usize {
    let readme = String::from_utf8(fixture(&format!("{folder}/README.md"))).unwrap();
    let mut n = 0;
    for line in readme.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [file, numbers @ ..] = &cells[..] else { continue };
        let numbers: Vec<usize> = numbers.iter().map_while(|cell| cell.parse().ok()).collect();
        if numbers.len() != 6 {
            continue;
        }
        n += 1;
        let (report, accesses) = import(&fixture(&format!("{folder}/{file}")));
        let report = report.unwrap_or_else(|error| panic!("{file}: {error}"));
        let of = |kind| accesses.iter().filter(|access| access.kind == kind).count();
        let pages = |fetch| {
            let on = accesses.iter().filter(|access| access.kind.is_fetch() == fetch);
            on.map(|access| access.address >> 12).collect::<BTreeSet<u64>>().len()
        };
        let found = [
            of(Kind::Fetch),
            of(Kind::Load),
            of(Kind::Store),
            of(Kind::Prefetch),
            pages(true),
            pages(false),
        ];
        assert_eq!(found[..], numbers, "{file}: {}", show(&(Ok(report), Vec::new())));
    }
    n
}

/// Imports every beginning of `bytes`. Each gives a report or an error, and its accesses, except the last, are the
/// first accesses of the whole file.
pub(crate) fn check_prefixes(format: Option<&str>, bytes: &[u8]) {
    let options = || ImportOptions { format: format.map(str::to_owned), ..Default::default() };
    let (_, whole) = import_with(options(), bytes, 4096);
    for end in 0..bytes.len() {
        let (report, accesses) = import_with(options(), &bytes[..end], 4096);
        // The last access can come from a line that was cut off.
        let sure = accesses.split_last().map_or(&[][..], |(_, sure)| sure);
        assert!(whole.starts_with(sure), "{end}");
        if let Ok(report) = report {
            assert!(report.accesses > 0, "{end}");
        }
    }
}
