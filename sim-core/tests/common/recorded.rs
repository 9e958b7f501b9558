//! The traces that the site ships: recordings of real programs.

use std::path::Path;

use pagewalk_base::trace::{Trace, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};

pub(crate) const RECORDINGS: [&str; 2] = ["chase", "matmul24"];

/// Returns all accesses of a recording, by its name.
pub(crate) fn recorded(name: &str) -> Trace {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = crates.into_iter().find(|folder| folder.join("package.json").exists()).unwrap();
    let bytes = std::fs::read(root.join(format!("public/traces/{name}.pagewalk.gz"))).unwrap();
    let mut builder = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(&bytes, &mut builder).unwrap();
    let report = importer.finish(&mut builder).unwrap();
    builder.finish(report.completeness).unwrap()
}
