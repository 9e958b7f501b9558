//! Many reads at a time, one cache after the other: what a cache holds follows from the reads that those
//! before it did not serve.

use super::{MAX_CACHES, Memory};
use crate::narrow::{index, small};

impl Memory {
    /// Reads lines, given their numbers with the kind of an access at `kind_at` and above, which may be `only` one
    /// kind. Adds how many each cache served, DRAM after the last, and by kind what that cost. Nothing
    /// without caches.
    pub(crate) fn read_lines(
        &mut self,
        lines: &mut [u64],
        (kind_at, only): (u32, Option<usize>),
        served: &mut [u32; MAX_CACHES + 1],
        cycles: &mut [u64; 4],
    ) {
        if self.caches.is_empty() {
            return;
        }
        let mut lines = lines;
        let mut left = by_kind(lines, kind_at, only);
        for (server, cache) in self.caches.iter_mut().enumerate() {
            let n = cache.lines.keep_missing(lines, (1 << kind_at) - 1);
            lines = &mut lines[..n];
            let missed = by_kind(lines, kind_at, only);
            for (kind, n) in left.iter().enumerate() {
                served[server] += n - missed[kind];
                cycles[kind] += u64::from(n - missed[kind]) * cache.latency;
            }
            left = missed;
        }
        for (kind, n) in left.iter().enumerate() {
            served[self.caches.len()] += n;
            cycles[kind] += u64::from(*n) * self.dram;
        }
    }
}

/// How many lines are read for accesses of each kind.
fn by_kind(lines: &[u64], kind_at: u32, only: Option<usize>) -> [u32; 4] {
    let mut n = [0; 4];
    if let Some(kind) = only {
        n[kind % 4] = small(lines.len());
        return n;
    }
    for line in lines {
        n[index(line >> kind_at) % 4] += 1;
    }
    n
}
