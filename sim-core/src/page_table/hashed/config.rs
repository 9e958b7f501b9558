//! The configuration of hashed page tables.

use serde::{Deserialize, Serialize};

use crate::caches::memory::check_latency;
use pagewalk_base::error::Error;

/// Hashed page tables instead of radix trees, with their walk caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EcptConfig {
    /// The ways of each table, 2 to 4. Each has a hash function of its own.
    pub ways: u8,
    /// The lines of a way at the start, a power of two of 4 to 1,048,576.
    pub entries: u32,
    /// The share of lines in use above which a table is resized, 1 to 90 per cent.
    pub load: u8,
    /// The factor by which a resize makes the ways larger: 2, 4 or 8.
    pub growth: u8,
    /// The entries of the cache for sections of 2M pages, 0 to 1,024. 0 = no such cache.
    pub pmd_cwc: u32,
    /// The entries of the cache for sections of 1G pages, 0 to 1,024. 0 = no such cache.
    pub pud_cwc: u32,
    /// The cycles of a walk before it reads lines: the walk caches and the hash functions, 0 to 100,000.
    pub cycles: u32,
    /// Whether a walk ends with the read of the line that holds the page. Otherwise it ends with the slowest read.
    pub early: bool,
}

impl Default for EcptConfig {
    fn default() -> Self {
        Self {
            ways: 3,
            entries: 16_384,
            load: 60,
            growth: 2,
            pmd_cwc: 16,
            pud_cwc: 2,
            cycles: 6,
            early: false,
        }
    }
}

/// The most lines of a way at the start.
const MAX_ENTRIES: u32 = 1 << 20;
/// The most entries of a walk cache.
pub const MAX_CWC: u32 = 1024;

impl EcptConfig {
    /// Returns all errors of the configuration.
    pub(crate) fn problems(self) -> Vec<Error> {
        let mut found = Vec::new();
        let mut add = |field: &str, is_right: bool, message: String| {
            if !is_right {
                found.push(Error::config(field, message));
            }
        };
        let Self { ways, entries, load, growth, .. } = self;
        add("ways", (2..=4).contains(&ways), format!("{ways} ways: must be 2 to 4"));
        add(
            "entries",
            entries.is_power_of_two() && (4..=MAX_ENTRIES).contains(&entries),
            format!("{entries} lines in a way: write a power of two of 4 to {MAX_ENTRIES}"),
        );
        add("load", (1..=90).contains(&load), format!("{load} per cent: must be 1 to 90"));
        add("growth", [2, 4, 8].contains(&growth), format!("factor {growth}: write 2, 4 or 8"));
        for (field, n) in [("pmd_cwc", self.pmd_cwc), ("pud_cwc", self.pud_cwc)] {
            add(field, n <= MAX_CWC, format!("{n} entries: must be 0 to {MAX_CWC}"));
        }
        found.extend(check_latency("cycles", self.cycles).err());
        found
    }

    /// Returns the same tables without walk caches.
    #[must_use]
    pub fn without_walk_caches(self) -> Self {
        Self { pmd_cwc: 0, pud_cwc: 0, ..self }
    }

    /// Returns the entries of the walk caches, for sections of 2M pages first.
    pub(crate) fn cwc_entries(self) -> [u32; 2] {
        [self.pmd_cwc, self.pud_cwc]
    }

    /// Returns whether a walk ends with the read of the line that holds the page.
    pub(crate) fn is_early(self) -> bool {
        self.early
    }

    /// Returns the cycles of a walk before it reads lines.
    pub(crate) fn cycles(self) -> u64 {
        self.cycles.into()
    }
}
