//! Hashed page tables: elastic cuckoo page tables (ECPT, Skarlatos et al., ASPLOS 2020). Each process has one table for
//! each page size. `space` has the tables of a process, `table` is one table, and `way` stores one way of it.
//!
//! ```text
//! table of 4K pages      way 0             way 1             way 2
//! line n of a way        64 bytes: a tag and the entries of 8 neighbouring pages
//! place of 8 pages       hash 0 mod n      hash 1 mod n      hash 2 mod n
//! ```
//!
//! The radix trees of [`super::PageTables`] keep the entries, as the books of the operating system. The hashed tables
//! store which pages a line holds, and where the line is. A walk reads lines only.
//!
//! The small wasm module has none (`absent`): its types have no value, so no code of them remains.

#[cfg(not(any(feature = "fast", feature = "ts")))]
mod absent;
#[cfg(any(feature = "fast", feature = "ts"))]
mod config;
#[cfg(any(feature = "fast", feature = "ts"))]
mod present;
#[cfg(any(feature = "fast", feature = "ts"))]
mod space;
#[cfg(any(feature = "fast", feature = "ts"))]
mod table;
#[cfg(any(feature = "fast", feature = "ts"))]
mod way;

#[cfg(not(any(feature = "fast", feature = "ts")))]
pub use absent::EcptConfig;
#[cfg(not(any(feature = "fast", feature = "ts")))]
pub(crate) use absent::Hashed;
#[cfg(any(feature = "fast", feature = "ts"))]
pub use config::{EcptConfig, MAX_CWC};
use pagewalk_base::addr::Level;
#[cfg(any(feature = "fast", feature = "ts"))]
pub(crate) use present::Hashed;

/// The page sizes: 4K, 2M and 1G.
pub(crate) const N_SIZES: u8 = 3;

/// One line that a walk may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The level of the entries in a radix tree: 1 for pages of 4K.
    pub(crate) level: Level,
    pub(crate) way: u32,
    /// The number of the line in its way.
    pub(crate) line: u64,
    pub(crate) address: u64,
    /// Whether the line holds the page.
    pub(crate) hit: bool,
    /// Whether the line belongs to the larger way of a resize.
    pub(crate) is_new: bool,
}

/// The state of the tables of one page size, of all processes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SizeState {
    /// The lines of all ways, in use or not. During a resize, those of the larger ways count, too.
    pub(crate) lines: u64,
    pub(crate) used: u64,
    pub(crate) resizing: u64,
}
