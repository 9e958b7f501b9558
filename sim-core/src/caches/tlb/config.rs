//! A TLB array as JSON.

use serde::{Deserialize, Serialize};

use super::index::Index;
use crate::caches::policy::{MAX_WAYS, Policy};
use crate::caches::set_assoc::Geometry;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::trace::Kind;

/// The most entries that one array may have.
pub const MAX_ENTRIES: u32 = MAX_WAYS;

/// The most ways of a set that translations of instructions and of data may be in. Missing = all ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Caps {
    /// Translations of fetches are in the ways with the highest numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u32>,
    /// Translations of loads, stores and prefetches are in the ways with the lowest numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<u32>,
}

/// One TLB array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ArrayConfig {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<String>"))]
    pub name: String,
    /// The kinds of access that look up and fill the array. Missing = fetch, load and store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serves: Option<Vec<Kind>>,
    /// The page sizes that the array holds; missing = all sizes of the machine. The groups of `coalescing` are
    /// sizes, too. A contiguous page whose size is not listed is kept as the smaller pages that it consists of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<Vec<PageSize>>,
    /// Page sizes that the array keeps as pieces. A piece has the largest size in `pages` that is smaller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragments: Option<Vec<PageSize>>,
    /// The number of entries, sets × ways, 1 to 65,536. Missing = 64.
    #[serde(default = "default_entries")]
    pub entries: u32,
    /// The ways of a set. Missing = fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    /// The number of ways that pages of a size may be in, if they may not be in all ways: `{"4K": 8}` in an array of
    /// 16 ways. Then the ways of a set form groups of 8. Page n may be in the ways of group (n / sets) mod (number
    /// of groups). So for pages of that size the array has entries / 8 sets of 8 ways, shared with the other sizes.
    /// CPUID describes AMD Zen this way.
    #[serde(default, skip_serializing_if = "SmallMap::is_empty")]
    #[cfg_attr(
        any(test, feature = "ts"),
        ts(optional, as = "Option<std::collections::BTreeMap<PageSize, u32>>")
    )]
    pub ways_of: SmallMap<PageSize, u32>,
    /// The ways for instructions and for data, in an array that serves both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caps: Option<Caps>,
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Index>"))]
    pub index: Index,
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Policy>"))]
    pub replacement: Policy,
}

fn default_entries() -> u32 {
    64
}

impl ArrayConfig {
    /// Returns the name of the array. An array without a name is called by its place in the configuration: `l1[0]`.
    pub fn label(&self, level: u8, at: usize) -> String {
        if self.name.is_empty() { format!("l{level}[{at}]") } else { self.name.clone() }
    }
}

/// Returns the numbers of sets and ways of a configuration. Without `ways`, there is one set.
///
/// # Errors
/// `bad-config` at `entries`, `ways` or `replacement`.
pub(crate) fn geometry(entries: u32, ways: Option<u32>, policy: Policy) -> Result<Geometry> {
    if !(1..=MAX_ENTRIES).contains(&entries) {
        return Err(Error::config(
            "entries",
            format!("{entries} entries: must be 1 to {MAX_ENTRIES}"),
        ));
    }
    let n_ways = ways.unwrap_or(entries);
    if n_ways == 0 {
        return Err(Error::config(
            "ways",
            "0 ways: must be at least 1; leave it out for a fully associative array",
        ));
    }
    if n_ways > entries || !entries.is_multiple_of(n_ways) {
        return Err(Error::config(
            "ways",
            format!("{n_ways} ways do not divide {entries} entries into sets"),
        ));
    }
    let n_sets = entries / n_ways;
    if !n_sets.is_power_of_two() {
        return Err(Error::config(
            "ways",
            format!(
                "{entries} entries in {n_ways} ways are {n_sets} sets: the sets must be a power of two"
            ),
        ));
    }
    match policy.ways_error(n_ways) {
        Some(why) => Err(Error::config("replacement", why)),
        None => Ok(Geometry { n_sets, n_ways }),
    }
}
