//! The configuration of TLB blocks.

use serde::{Deserialize, Serialize};

use super::CACHE;
use super::costs::{MAX_DRAM_READS, MAX_WALKS};
use crate::caches::memory::{CacheConfig, LINE};
use pagewalk_base::error::Error;

/// TLB blocks in the second memory cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct VictimaConfig {
    /// The walks, 0 to 7, from which on a page is costly.
    pub min_walks: u8,
    /// The reads of these walks that DRAM served, 0 to 15, from which on a page is costly. Blocks are written for costly
    /// pages only. With 0 in both fields, every page is costly.
    pub min_dram_reads: u8,
    /// The events that write a block.
    pub fills: BlockFills,
    pub replacement: BlockReplacement,
}

/// The events that write a TLB block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum BlockFills {
    /// Walks and evictions.
    #[default]
    Both,
    /// The end of a walk.
    Walks,
    /// The eviction of a page from level 2.
    Evictions,
}

/// The replacement of the cache that holds TLB blocks and lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum BlockReplacement {
    /// Blocks and lines have one order of use.
    #[default]
    Lru,
    /// SRRIP with 2 bits that prefers TLB blocks.
    TlbAware,
}

impl Default for VictimaConfig {
    fn default() -> Self {
        Self {
            min_walks: 1,
            min_dram_reads: 1,
            fills: BlockFills::Both,
            replacement: BlockReplacement::Lru,
        }
    }
}

impl VictimaConfig {
    /// Returns all errors of the configuration, in a machine with these memory caches.
    pub(crate) fn problems(self, caches: &[CacheConfig]) -> Vec<Error> {
        let limits = [
            ("min_walks", self.min_walks, MAX_WALKS, "walks"),
            ("min_dram_reads", self.min_dram_reads, MAX_DRAM_READS, "reads"),
        ];
        let wrong = limits.into_iter().filter(|(_, n, most, _)| n > most);
        let mut found: Vec<Error> = wrong
            .map(|(field, n, most, what)| {
                Error::config(
                    field,
                    format!("{n} {what}: write 0 to {most}, the highest count of a page"),
                )
            })
            .collect();
        let message = match caches.get(CACHE) {
            None => format!(
                "the second cache of memory.caches holds the TLB blocks, but there are {}: add caches",
                caches.len()
            ),
            Some(cache) if cache.line_bytes() != LINE => format!(
                "a TLB block is a line of {LINE} bytes, but {} has lines of {}: leave out its line",
                cache.name,
                cache.line_bytes()
            ),
            Some(_) => return found,
        };
        found.push(Error::config("", message));
        found
    }

    /// Returns whether a walk writes a block.
    pub(crate) fn after_walks(self) -> bool {
        self.fills != BlockFills::Evictions
    }

    /// Returns whether an eviction from level 2 writes a block.
    pub(crate) fn after_evictions(self) -> bool {
        self.fills != BlockFills::Walks
    }

    /// Returns whether a page with this number of walks, and of their reads from DRAM, is costly.
    pub(crate) fn is_costly(self, (walks, dram_reads): (u8, u8)) -> bool {
        walks >= self.min_walks && dram_reads >= self.min_dram_reads
    }
}
