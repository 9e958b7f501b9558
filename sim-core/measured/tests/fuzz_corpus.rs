//! Runs the checks of the fuzzers on the inputs that were kept: `fuzz/README.md`.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
pub mod pagewalk_fuzz;

/// There is only one test in this program, because it measures the memory of the whole program.
#[test]
fn every_kept_input_of_the_fuzzers_gives_a_report_or_an_error() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for target in pagewalk_fuzz::targets() {
        for input in inputs(&corpus.join(&target)) {
            pagewalk_fuzz::check(&target, &input);
            pagewalk_fuzz::check("detect", &input);
        }
    }
    for input in inputs(&corpus.join("perf_stat")) {
        pagewalk_fuzz::check_stat(&input);
    }
}

/// Returns the contents of the files in a folder, which must not be empty.
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no inputs", folder.display());
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}
