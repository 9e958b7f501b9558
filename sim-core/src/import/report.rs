//! What an import found: `pagewalk import --json`.

use serde::Serialize;

use crate::trace::{Completeness, PageCounts};

/// Records that were left out, by reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct Skipped {
    pub reason: String,
    pub count: u64,
}

/// What the file is, what it holds, what it cannot tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ImportReport {
    /// Its name: `lackey`, `csv`, `champsim`, ….
    pub format: String,
    pub completeness: Completeness,
    /// Records of the format: for lackey I, L, S and M lines.
    pub records: u64,
    /// Accesses: a modify record is two.
    pub accesses: u64,
    /// Operations between accesses: switches of address space, invalidations, system calls.
    pub operations: u64,
    pub skipped: Vec<Skipped>,
    pub pages_4k: PageCounts,
    pub warnings: Vec<String>,
}
