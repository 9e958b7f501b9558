//! TLB blocks in a memory cache (Victima, Kanellopoulos et al., MICRO 2023): blocks of the second cache hold translations
//! of eight neighbouring pages. `config` says which blocks are written, `sets` stores them among the lines of data, and
//! `costs` counts the walks of each page.
//!
//! The small wasm module has none (`absent`): its types have no value, so no code of them remains.

#[cfg(not(any(feature = "fast", feature = "ts")))]
mod absent;
#[cfg(any(feature = "fast", feature = "ts"))]
mod config;
#[cfg(any(feature = "fast", feature = "ts"))]
mod costs;
#[cfg(any(feature = "fast", feature = "ts"))]
mod sets;

#[cfg(not(any(feature = "fast", feature = "ts")))]
pub use absent::VictimaConfig;
#[cfg(not(any(feature = "fast", feature = "ts")))]
pub(crate) use absent::{BlockSets, Costs, SetNumber};
#[cfg(any(feature = "fast", feature = "ts"))]
pub use config::{BlockFills, BlockReplacement, VictimaConfig};
#[cfg(any(feature = "fast", feature = "ts"))]
pub(crate) use costs::Costs;
#[cfg(any(feature = "fast", feature = "ts"))]
pub(crate) use sets::{BlockSets, SetNumber};

/// The number of the memory cache that holds the blocks: the second one.
pub(crate) const CACHE: usize = 1;
/// log2 of the pages of a block: a line of 64 bytes has eight entries of 8 bytes.
pub(crate) const PAGES_BITS: u32 = 3;

/// The content of a block: one bit for each page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    /// The pages whose translation the block holds.
    pub(crate) pages: u8,
    /// The pages whose dirty flag is known to be set.
    pub(crate) dirty: u8,
}

/// What a way of a cache with blocks holds.
#[cfg_attr(
    not(any(feature = "fast", feature = "ts")),
    allow(dead_code, reason = "no cache of this module holds blocks")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayContent {
    Nothing,
    /// The number of a line.
    Line(u64),
    /// The tag of the first page, and one bit for each page.
    Block(u64, u8),
}

/// The hit of a page in a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockHit {
    pub(crate) way: u32,
    /// Whether this is the first store to a page that was not known to be dirty.
    pub(crate) first_store: bool,
    /// Whether the page is known to be dirty now.
    pub(crate) dirty: bool,
}

/// Returns the tag of a block, and the bit of a page in it, from the tag of the page.
pub(crate) fn split(tag: u64) -> (u64, u8) {
    let at = tag & ((1 << PAGES_BITS) - 1);
    (tag - at, 1 << at)
}
