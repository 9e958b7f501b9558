//! Paging-structure caches hold table entries above the leaf, so that a walk can start at a lower level (Intel SDM
//! vol. 3, 4.10.3).
//!
//! The number of a cache is the level of the tables that its entries lead to: 1 for PDEs, 2 for PDPTEs, 3 for
//! PML4Es, 4 for PML5Es.

use serde::{Deserialize, Serialize};

use crate::caches::policy::Policy;
use crate::caches::set_assoc::Geometry;
use crate::caches::tlb::{Entries, Index, geometry};
use pagewalk_base::addr::{Level, PerLevel};
use pagewalk_base::error::{Error, Result};

/// A small cache of table entries: `{"entries": 32, "ways": 4}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct CacheShape {
    /// The number of entries, 1 to 65,536.
    pub entries: u32,
    /// The ways of a set. Missing = fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Policy>"))]
    pub replacement: Policy,
}

/// A place inside a TLB array: `{"in": "L2 dTLB"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct InArray {
    /// The name of an `l2` array.
    #[serde(rename = "in")]
    pub array: String,
}

/// The place of cached table entries: a separate cache, or a level-2 TLB array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected {\"entries\": n, \"ways\": n} or {\"in\": \"name of an l2 array\"}"
)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum WalkCache {
    In(InArray),
    Own(CacheShape),
}

/// The paging-structure caches of a machine. A missing field means that the machine does not have that cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct PscConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pml5e: Option<CacheShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pml4e: Option<CacheShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdpte: Option<CacheShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pde: Option<WalkCache>,
    /// One cache shared by PML4Es and PDPTEs (Zen), instead of one each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<CacheShape>,
    /// One cache for the entries of all levels, instead of separate caches (AMD K10, Jaguar). It may be inside a
    /// level-2 array (Arm since Cortex-A76).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unified: Option<WalkCache>,
}

/// The place of the cached entries that lead to the tables of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    #[default]
    Nowhere,
    /// A cache of its own, as an index in [`Layout::caches`].
    Own(u8),
    /// An array of level 2. `row` is the cache of [`Layout::caches`] under whose name the entries are reported.
    InL2 { array: u8, row: u8 },
}

/// The caches of a machine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// For each level of table: the place of the entries that lead to such a table.
    pub(crate) places: PerLevel<Place>,
    /// The caches, with the cache of the lowest level first.
    pub(crate) caches: Vec<Cache>,
    /// Whether each level has its own cache, outside the arrays of level 2.
    pub(crate) is_apart: bool,
}

/// One paging-structure cache.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cache {
    /// The field of [`PscConfig`].
    pub(crate) name: &'static str,
    pub(crate) shape: Option<CacheShape>,
    /// The number of the level-2 array that holds this cache's entries.
    pub(crate) inside: Option<u8>,
}

impl PscConfig {
    /// The caches with entries of one level, the one whose entries lead to the lowest tables first.
    pub const OF_ONE_LEVEL: [&'static str; 4] = ["pde", "pdpte", "pml4e", "pml5e"];

    /// Returns all errors of the configuration. While the places contradict each other, the shapes are not checked.
    pub(crate) fn problems(&self, l2: &[&str]) -> Vec<Error> {
        let layout = match self.layout(l2) {
            Ok(layout) => layout,
            Err(error) => return vec![error],
        };
        let mut found = Vec::new();
        for cache in &layout.caches {
            if let Err(error) = cache.geometry() {
                found.push(error.within(cache.name));
            }
        }
        found
    }

    /// Returns the place of the entries of each level, and the list of caches. `l2` lists the names of the
    /// arrays of level 2.
    ///
    /// # Errors
    /// `bad-config` at the field whose place is wrong.
    pub(crate) fn layout(&self, l2: &[&str]) -> Result<Layout> {
        let mut places = PerLevel::default();
        let [pde, pdpte, pml4e, pml5e] = [1, 2, 3, 4].map(Level::new);
        let [of_pdes, of_pdptes, of_pml4es, of_pml5es] = Self::OF_ONE_LEVEL;
        let mut caches = Vec::new();
        if let Some(cache) = &self.unified {
            let others = [self.pml5e, self.pml4e, self.pdpte, self.upper];
            if self.pde.is_some() || others.iter().any(Option::is_some) {
                let message = "unified holds the entries of all levels: leave out the others";
                return Err(Error::config("unified", message));
            }
            let (place, cache) = cache.place("unified", l2)?;
            for level in [pde, pdpte, pml4e, pml5e] {
                places[level] = place;
            }
            caches.push(cache);
        }
        if let Some(cache) = &self.pde {
            let (place, cache) = cache.place(of_pdes, l2)?;
            places[pde] = place;
            caches.push(cache);
        }
        if let Some(shape) = self.upper {
            if self.pdpte.is_some() || self.pml4e.is_some() {
                let message = "upper holds PML4Es and PDPTEs: leave out pml4e and pdpte, or upper";
                return Err(Error::config("upper", message));
            }
            let row = Place::Own(to_row(caches.len()));
            (places[pdpte], places[pml4e]) = (row, row);
            caches.push(Cache { name: "upper", shape: Some(shape), inside: None });
        }
        for (level, name, shape) in [
            (pdpte, of_pdptes, self.pdpte),
            (pml4e, of_pml4es, self.pml4e),
            (pml5e, of_pml5es, self.pml5e),
        ] {
            if let Some(shape) = shape {
                places[level] = Place::Own(to_row(caches.len()));
                caches.push(Cache { name, shape: Some(shape), inside: None });
            }
        }
        let is_apart = places.iter().all(|(level, place)| match place {
            Place::Nowhere => true,
            Place::Own(_) => !places.iter().any(|(other, held)| other < level && held == place),
            Place::InL2 { .. } => false,
        });
        Ok(Layout { places, caches, is_apart })
    }
}

/// The names of the walk caches of hashed page tables: for sections of 2M pages, and for sections of 1G pages.
pub(crate) const OF_SECTIONS: [&str; 2] = ["PMD walk cache", "PUD walk cache"];

impl Layout {
    /// Returns the walk caches of hashed page tables, given the number of entries of each. An entry has the headers of 64
    /// sections: the memory below one entry of level 2 (1G) or of level 3 (512G) of a radix tree.
    pub(crate) fn of_sections(entries: [u32; 2]) -> Self {
        let mut layout = Self { places: PerLevel::default(), caches: Vec::new(), is_apart: true };
        for ((level, name), entries) in [2, 3].into_iter().zip(OF_SECTIONS).zip(entries) {
            if entries > 0 {
                let shape = CacheShape { entries, ways: None, replacement: Policy::Lru };
                layout.places[Level::new(level)] = Place::Own(to_row(layout.caches.len()));
                layout.caches.push(Cache { name, shape: Some(shape), inside: None });
            }
        }
        layout
    }
}

impl WalkCache {
    /// Returns the place of the first cache of a machine, and the cache.
    ///
    /// # Errors
    /// `bad-config` at `in`, below the name, if there is no such array.
    fn place(&self, name: &'static str, l2: &[&str]) -> Result<(Place, Cache)> {
        match self {
            Self::Own(shape) => {
                Ok((Place::Own(0), Cache { name, shape: Some(*shape), inside: None }))
            }
            Self::In(InArray { array: wanted }) => {
                let array = array_named(wanted, l2).map_err(|error| error.within(name))?;
                let inside = Some(array);
                Ok((Place::InL2 { array, row: 0 }, Cache { name, shape: None, inside }))
            }
        }
    }
}

impl Cache {
    /// Returns the storage of this cache. A cache inside a TLB array gets one entry, which is never used.
    ///
    /// # Errors
    /// `bad-config` at `entries`, `ways` or `replacement`.
    pub(crate) fn entries(&self, seed: u64) -> Result<Entries> {
        let policy = self.shape.map(|shape| shape.replacement).unwrap_or_default();
        Ok(Entries::new(self.geometry()?, policy, &Index::LowBits, seed))
    }

    fn geometry(&self) -> Result<Geometry> {
        let one = CacheShape { entries: 1, ways: None, replacement: Policy::Lru };
        let CacheShape { entries, ways, replacement } = self.shape.unwrap_or(one);
        geometry(entries, ways, replacement)
    }
}

/// Returns the number of the level-2 array of a name. `l2` lists the names of the arrays of level 2.
///
/// # Errors
/// `bad-config` at `in`, if there is no such array.
pub(crate) fn array_named(wanted: &str, l2: &[&str]) -> Result<u8> {
    let Some(array) = l2.iter().position(|other| *other == wanted) else {
        let listed = if l2.is_empty() { "none".to_owned() } else { l2.join(", ") };
        let message = format!("there is no l2 array `{wanted}`: the l2 arrays are {listed}");
        return Err(Error::config("in", message));
    };
    Ok(u8::try_from(array).expect("at most 8 arrays a level"))
}

fn to_row(n: usize) -> u8 {
    u8::try_from(n).expect("at most 4 caches")
}
