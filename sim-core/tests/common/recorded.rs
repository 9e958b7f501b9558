//! The traces that the site ships: recordings of real programs.

use pagewalk::import::{ImportOptions, Importer};
use pagewalk::trace::{Trace, TraceBuilder};

pub(crate) const RECORDINGS: [&str; 2] = ["chase", "matmul24"];

/// All accesses of a recording, by its name.
pub(crate) fn recorded(name: &str) -> Trace {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/traces");
    let bytes = std::fs::read(format!("{folder}/{name}.pagewalk.gz")).unwrap();
    let mut builder = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(&bytes, &mut builder).unwrap();
    let report = importer.finish(&mut builder).unwrap();
    builder.finish(report.completeness).unwrap()
}
