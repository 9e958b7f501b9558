//! The counters of the prefetcher of TLB entries.

use serde::Serialize;

use super::{Row, Rows, WalkCacheReport};
use crate::machine::Machine;
use crate::machine::probe::PrefetchFact;

/// The prefetches of TLB entries. None of these walks, references and cycles is part of the counters of the program.
/// An entry that is neither useful nor useless is still cached, or an operation invalidated it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct TlbPrefetchReport {
    /// The walks that prefetched a translation.
    pub issued: u64,
    /// The prefetched translations that an access used.
    pub useful: u64,
    /// The prefetched translations that were evicted before any access used them.
    pub useless: u64,
    /// The predictions of pages that are not mapped. They cause no walk and no fault.
    pub unmapped: u64,
    /// The misses that taught the prefetcher nothing, because the trace does not name their instruction.
    pub without_ip: u64,
    /// The page-table entries that the walks of prefetches read.
    pub refs: u64,
    /// The cycles of these walks. No access waits for them.
    pub cycles: u64,
    /// The buffer, looked up after each miss of level 2 by a load or store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<WalkCacheReport>,
}

impl TlbPrefetchReport {
    pub(super) fn count(&mut self, fact: &PrefetchFact) {
        match fact {
            PrefetchFact::Issued(done) => {
                self.issued += 1;
                self.refs += u64::from(done.refs);
                self.cycles += done.walk_cycles;
            }
            PrefetchFact::Unmapped => self.unmapped += 1,
            PrefetchFact::Useful => self.useful += 1,
            PrefetchFact::Useless => self.useless += 1,
            PrefetchFact::WithoutIp => self.without_ip += 1,
        }
    }

    /// Returns the report, if the machine has a prefetcher.
    pub(super) fn report(&self, machine: &Machine, rows: &Rows) -> Option<Self> {
        machine.plan.prefetches_into()?;
        let Row { hits, misses, fills, evictions, .. } = rows[machine.plan.buffer_id()];
        let buffer = machine.structures.buffer().map(|_| WalkCacheReport {
            name: "prefetch buffer".to_owned(),
            lookups: hits + misses,
            hits,
            fills,
            evictions,
        });
        Some(Self { buffer, ..self.clone() })
    }
}
