//! Tests that a workload that is written as text and imported again is unchanged.

use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::import::{ImportOptions, Importer};
use pagewalk_sources::workload::{TextFormat, generator, list, write_access};

use crate::support::params;

fn written(format: TextFormat, accesses: &[Access]) -> Vec<u8> {
    let mut text = format.header().as_bytes().to_vec();
    for access in accesses {
        write_access(format, access, &mut text).unwrap();
    }
    text
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
        assert_eq!(read(&written(TextFormat::Csv, &accesses)), accesses, "{}", workload.id);
        assert_eq!(lackey, workload.id != "tlab");
        if lackey {
            assert_eq!(read(&written(TextFormat::Lackey, &accesses)), accesses, "{}", workload.id);
        }
    }
}

#[test]
fn lackey_cannot_hold_prefetches_or_threads() {
    let beyond = |id, text| generator(id, &params(text)).unwrap().beyond_lackey();
    assert_eq!(beyond("tlab", ""), Some("prefetches"));
    assert_eq!(beyond("tlab", "prefetch=0"), None);
    assert_eq!(beyond("tlab", "prefetch=0 threads=2"), Some("thread numbers"));
    let prefetch = Access::new(Kind::Prefetch, 0, 1);
    assert!(write_access(TextFormat::Lackey, &prefetch, &mut Vec::new()).is_err());
}
