//! Tests that a workload that is written to a file and imported again is unchanged.

use pagewalk_base::trace::{Access, Completeness, Kind};
use pagewalk_sources::export::{ExportFormat, Exporter};
use pagewalk_sources::import::{ImportOptions, Importer};
use pagewalk_sources::workload::{generator, list};

use crate::support::params;

fn written(format: ExportFormat, accesses: &[Access]) -> Vec<u8> {
    let mut exporter = Exporter::new(format, Completeness::Complete, false);
    let mut bytes = Vec::new();
    exporter.head(&mut bytes);
    for access in accesses {
        exporter.access(access, &mut bytes);
    }
    exporter.finish(&mut bytes);
    bytes
}

fn read(text: &[u8]) -> Vec<Access> {
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    let mut accesses = Vec::new();
    importer.push(text, &mut accesses).unwrap();
    let report = importer.finish(&mut accesses).unwrap();
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    accesses
}

#[test]
fn files_read_as_they_were_generated() {
    for workload in list() {
        let accesses = generator(&workload.id, &params("accesses=500")).unwrap();
        let lackey = accesses.beyond_lackey().is_none();
        let accesses: Vec<Access> = accesses.collect();
        assert_eq!(read(&written(ExportFormat::Csv, &accesses)), accesses, "{}", workload.id);
        assert_eq!(lackey, workload.id != "tlab");
        if lackey {
            assert_eq!(
                read(&written(ExportFormat::Lackey, &accesses)),
                accesses,
                "{}",
                workload.id
            );
            let bare: Vec<Access> =
                accesses.iter().map(|it| Access::new(it.kind, it.address, 0)).collect();
            assert_eq!(read(&written(ExportFormat::Din, &accesses)), bare, "{}", workload.id);
            // A program of loads and stores without a fetch gets a fetch.
            let has_fetch = bare.first().is_some_and(|access| access.kind == Kind::Fetch);
            let mut held = read(&written(ExportFormat::Champsim, &accesses));
            held.retain(|access| has_fetch || access.kind != Kind::Fetch);
            assert_eq!(held, bare, "{}", workload.id);
        }
    }
}

#[test]
fn lackey_cannot_hold_prefetches_or_threads() {
    let beyond = |id, text| generator(id, &params(text)).unwrap().beyond_lackey();
    assert_eq!(beyond("tlab", ""), Some("prefetches"));
    assert_eq!(beyond("tlab", "prefetch=0"), None);
    assert_eq!(beyond("tlab", "prefetch=0 threads=2"), Some("thread numbers"));
}
