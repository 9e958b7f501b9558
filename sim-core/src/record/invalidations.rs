//! Counts operations and the entries that they invalidate, and reports the counts.

use serde::Serialize;

use crate::machine::probe::{DropFact, OpFact};
use pagewalk_base::small_map::SmallMap;

/// The operations between accesses, and the entries of TLBs and walk caches that they invalidated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct InvalidationsReport {
    /// The operations of the trace, by their word: `invlpg`, `mov-cr3`, ….
    #[cfg_attr(any(test, feature = "ts"), ts(as = "std::collections::BTreeMap<String, u64>"))]
    pub ops: SmallMap<String, u64>,
    /// The process changes between two accesses without an operation in the trace.
    pub switches: u64,
    /// The dropped entries of TLB arrays.
    pub tlb_entries: u64,
    /// The dropped entries of paging-structure caches.
    pub walk_cache_entries: u64,
    /// The dropped entries of the nested TLB, the EPT paging-structure caches and the page walk cache.
    pub host_entries: u64,
}

/// The counters of an [`InvalidationsReport`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Invalidations {
    ops: SmallMap<&'static str, u64>,
    switches: u64,
    translations: u64,
    tables: u64,
    of_host: u64,
}

impl Invalidations {
    pub(crate) fn executed(&mut self, op: &OpFact) {
        if op.is_switch {
            self.switches += 1;
        } else {
            *self.ops.or_default(op.record.op.word()) += 1;
        }
    }

    pub(crate) fn dropped(&mut self, entry: &DropFact) {
        if entry.host {
            self.of_host += 1;
        } else if entry.table {
            self.tables += 1;
        } else {
            self.translations += 1;
        }
    }

    pub(crate) fn report(&self) -> InvalidationsReport {
        InvalidationsReport {
            ops: self.ops.iter().map(|(word, n)| ((*word).to_owned(), *n)).collect(),
            switches: self.switches,
            tlb_entries: self.translations,
            walk_cache_entries: self.tables,
            host_entries: self.of_host,
        }
    }
}
