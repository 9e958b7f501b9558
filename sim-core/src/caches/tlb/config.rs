//! A TLB array as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::caches::policy::{MAX_WAYS, Policy};
use crate::caches::set_assoc::Geometry;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::Kind;

/// The most entries that one array may have.
pub const MAX_ENTRIES: u32 = MAX_WAYS;

/// How a page number chooses its set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Index {
    /// n mod sets.
    #[default]
    LowBits,
    /// (n mod sets) xor ((n / sets) mod sets).
    Xor,
}

/// One TLB array: a row of the machine's table. See `check` for the ranges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ArrayConfig {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<String>"))]
    pub name: String,
    /// Access kinds that probe and fill it; missing = fetch, load and store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serves: Option<Vec<Kind>>,
    /// Page sizes that it holds; missing = all of the machine. Groups of `coalescing` are
    /// sizes too; contiguous pages that are not listed are kept as the entries they consist of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<Vec<PageSize>>,
    /// Page sizes that are kept as pieces of its largest smaller size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragments: Option<Vec<PageSize>>,
    /// Entries = sets × ways, 1 to 65,536; missing = 64.
    #[serde(default = "default_entries")]
    pub entries: u32,
    /// Missing = fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    /// Ways that the pages of a size may be in, where that is not all of them: `{"4K": 8}` in an
    /// array of 16 ways. The ways of a set are parted into groups of so many, and a page may
    /// be in those of group (n / sets) mod (number of groups). So pages of the size see an array of
    /// entries / 8 sets of 8 ways, which they share with the others: what CPUID says of AMD Zen.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<BTreeMap<PageSize, u32>>"))]
    pub ways_of: BTreeMap<PageSize, u32>,
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

impl Index {
    pub fn name(self) -> &'static str {
        match self {
            Self::LowBits => "low-bits",
            Self::Xor => "xor",
        }
    }
}

impl ArrayConfig {
    /// Returns the name, or the place in the configuration (`l1[0]`) of an array without one.
    pub fn label(&self, level: u8, at: usize) -> String {
        if self.name.is_empty() { format!("l{level}[{at}]") } else { self.name.clone() }
    }
}

/// Sets × ways from what a configuration says.
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
    match policy.refuses(n_ways) {
        Some(why) => Err(Error::config("replacement", why)),
        None => Ok(Geometry { n_sets, n_ways }),
    }
}
