//! Paging-structure caches: they remember table entries above the leaf, so that a
//! walk can start further down (Intel SDM vol. 3, 4.10.3).
//!
//! A cache is numbered by the level of the table that its entries lead to: 1 for
//! PDEs, 2 for PDPTEs, 3 for PML4Es, 4 for PML5Es.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::policy::Policy;
use crate::tlb::{Entries, Index, geometry};

/// A small cache of table entries: `{"entries": 32, "ways": 4}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, optional_fields))]
pub struct CacheShape {
    /// 1 to 65,536.
    pub entries: u32,
    /// Missing = fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Policy>"))]
    pub replacement: Policy,
}

/// A place inside a TLB array: `{"in": "L2 dTLB"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct InArray {
    /// The name of an `l2` array.
    #[serde(rename = "in")]
    pub array: String,
}

/// Where PDEs are cached: in a cache of their own or inside a level-2 TLB array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected {\"entries\": n, \"ways\": n} or {\"in\": \"name of an l2 array\"}"
)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum PdeCache {
    In(InArray),
    Own(CacheShape),
}

/// The paging-structure caches; one that is missing does not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, optional_fields))]
pub struct PscConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pml5e: Option<CacheShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pml4e: Option<CacheShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdpte: Option<CacheShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pde: Option<PdeCache>,
    /// One cache shared by PML4Es and PDPTEs (Zen), instead of one each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<CacheShape>,
}

/// Where the entries that lead to the tables of one level are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    #[default]
    Nowhere,
    /// In this cache of [`Layout::caches`].
    Own(u8),
    /// In this array of level 2, reported as this cache.
    InL2 { array: u8, row: u8 },
}

/// The caches of a machine.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// By level of the table that the entry leads to.
    pub(crate) places: [Place; 8],
    /// The deepest first.
    pub(crate) caches: Vec<Cache>,
}

/// One paging-structure cache.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    /// `pde`, `pdpte`, `pml4e`, `pml5e` or `upper`.
    pub(crate) name: &'static str,
    pub(crate) shape: Option<CacheShape>,
    /// The array of level 2 that holds it.
    pub(crate) inside: Option<u8>,
}

impl PscConfig {
    /// Lays the caches out. `l2` lists the names of the arrays of level 2.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn layout(&self, l2: &[&str]) -> Result<Layout> {
        let mut places = [Place::Nowhere; 8];
        let mut caches = Vec::new();
        match &self.pde {
            None => {}
            Some(PdeCache::Own(shape)) => {
                places[1] = Place::Own(0);
                caches.push(Cache { name: "pde", shape: Some(*shape), inside: None });
            }
            Some(PdeCache::In(InArray { array: name })) => {
                let Some(array) = l2.iter().position(|other| other == name) else {
                    let message =
                        format!("there is no l2 array `{name}`: the l2 arrays are {}", listed(l2));
                    return Err(Error::config("pde.in", message));
                };
                let array = u8::try_from(array).expect("at most 8 arrays a level");
                places[1] = Place::InL2 { array, row: 0 };
                caches.push(Cache { name: "pde", shape: None, inside: Some(array) });
            }
        }
        if let Some(shape) = self.upper {
            if self.pdpte.is_some() || self.pml4e.is_some() {
                let message = "upper holds PML4Es and PDPTEs: leave out pml4e and pdpte, or upper";
                return Err(Error::config("upper", message));
            }
            let row = Place::Own(to_row(caches.len()));
            (places[2], places[3]) = (row, row);
            caches.push(Cache { name: "upper", shape: Some(shape), inside: None });
        }
        for (level, name, shape) in
            [(2, "pdpte", self.pdpte), (3, "pml4e", self.pml4e), (4, "pml5e", self.pml5e)]
        {
            if let Some(shape) = shape {
                places[level] = Place::Own(to_row(caches.len()));
                caches.push(Cache { name, shape: Some(shape), inside: None });
            }
        }
        for cache in &caches {
            cache.entries(1).map_err(|e| e.within(cache.name))?;
        }
        Ok(Layout { places, caches })
    }
}

impl Cache {
    /// The storage of a cache; one entry that is never used if it lives in a TLB array.
    ///
    /// # Errors
    /// `bad-config` at `entries`, `ways` or `replacement`.
    pub(crate) fn entries(&self, seed: u64) -> Result<Entries> {
        let shape =
            self.shape.unwrap_or(CacheShape { entries: 1, ways: None, replacement: Policy::Lru });
        let geometry = geometry(shape.entries, shape.ways, shape.replacement)?;
        Ok(Entries::new(geometry, shape.replacement, Index::LowBits, seed))
    }
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn to_row(n: usize) -> u8 {
    u8::try_from(n).expect("at most 4 caches")
}
