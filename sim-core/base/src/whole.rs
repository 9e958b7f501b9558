//! Which of the two builds of the simulator this is.

/// Whether this is the whole one. The small wasm module, with which the site opens, has no prefetchers of TLB entries, no index by
/// masks, no POM-TLBs, no TLB blocks in memory caches, no hashed page tables, no nested TLBs inside TLB arrays and no costs of events:
/// the site loads the whole one for such a machine, and the small one refuses it.
pub const IS_WHOLE: bool = cfg!(any(feature = "fast", feature = "ts"));
