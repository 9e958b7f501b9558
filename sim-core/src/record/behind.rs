//! What a reader sees of one lookup behind level 2: in a POM-TLB, or in TLB blocks.

use serde::Serialize;

use pagewalk_base::addr::Hex;

/// A lookup behind level 2, and what followed a miss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct BehindView {
    /// The name of what hit, such as `POM-TLB`. It is missing after a miss.
    pub hit: Option<&'static str>,
    /// The result in two words: `POM-TLB hit`.
    pub chip: &'static str,
    /// The lookups whose cycles are level 2's, before the word `hit` or `miss`. Missing = level 2 alone.
    pub cost: Option<&'static str>,
    /// The lookup in words: `POM-TLB set 5 at 0x…140, read from L2 in 14 cycles: miss; the walk fills way 0`.
    pub said: String,
    pub set: u32,
    /// The way that hit or was filled.
    pub way: Option<u32>,
    /// The page number.
    pub key: Hex,
    pub key_shift: u8,
    /// The physical address of the set of a POM-TLB.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub address: Option<Hex>,
    /// The cache that served the read, or `DRAM`.
    pub served_by: String,
    /// The latency of the read in cycles.
    pub cycles: u64,
    /// The number of the page that the fill of a POM-TLB evicted, at the same page size.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub evicted: Option<Hex>,
}
