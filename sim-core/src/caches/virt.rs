//! The configuration of a processor's structures for virtual machines: the nested TLB, the caches of nested
//! walks, the geometry of the host's tables. `machine::host::nested` has their state.
//!
//! ```text
//! style      guest entries kept as              host entries kept as     structures
//! combined   virtual prefix → host table (psc)  guest-physical prefix    psc, ept_psc
//! pwc-1d     the entry, by its host address     –                        pwc
//! pwc-2d     the entry, by its host address     likewise                 pwc
//! ```
//! Sources: Intel SDM vol. 3C, 28.3; Bhargava et al., ASPLOS 2008.

use serde::{Deserialize, Serialize};

use crate::caches::policy::Policy;
use crate::caches::psc::{Layout, PscConfig, array_named};
use crate::caches::tlb::{Entries, Index, geometry};
use pagewalk_base::addr::{Addresses, Leaf, PageSize, Paging, PerLeaf, TableFormat};
use pagewalk_base::error::{Error, Result, add_within};
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::whole::IS_WHOLE;

/// The structures that only nested walks use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct VirtConfig {
    /// The kind of caches. Missing = `combined`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<VirtStyle>,
    /// The number of levels of the host's page table, 4 or 5. Missing = 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<u8>,
    /// The geometry of the host's page table, if it is not Intel's. Missing = the machine's geometry, if its
    /// smallest page is larger than 4K or if it has contiguous pages; otherwise Intel's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paging: Option<Paging>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pwc: Option<PwcConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nested_tlb: Option<NestedTlb>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ept_psc: Option<PscConfig>,
    /// Whether the host's tables have accessed and dirty flags (EPTP bit 6). With these flags, every read of a
    /// guest's table is a write for the host. Missing = true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ad: Option<bool>,
    /// Whether cached translations carry a VPID (AMD: an ASID). Without VPIDs, each VM exit drops the guest's
    /// translations. Missing = true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vpid: Option<bool>,
}

/// The kind of caches that a nested walk has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum VirtStyle {
    /// Intel: paging-structure caches for combined mappings, and for the EPT.
    #[default]
    Combined,
    /// AMD: a page walk cache of guest entries.
    #[serde(rename = "pwc-1d")]
    Pwc1d,
    /// AMD: a page walk cache of guest entries and of host entries.
    #[serde(rename = "pwc-2d")]
    Pwc2d,
}

/// The page walk cache of AMD: table entries by their host-physical address. It keeps no entry that maps a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct PwcConfig {
    /// The number of entries, 1 to 65,536.
    pub entries: u32,
    /// The ways of a set. Missing = fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Policy>"))]
    pub replacement: Policy,
    /// Whether the cache also keeps the host's leaf entries for the pages that hold guest tables. Only for `pwc-2d`.
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub leaf_of_tables: bool,
}

/// The place of the nested TLB's entries: a separate cache, or a level-2 TLB array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, try_from = "NestedTlbFields")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum NestedTlb {
    In(NestedInArray),
    Own(NestedTlbConfig),
}

/// A nested TLB whose entries are in a TLB array: `{"in": "L2 TLB", "pages": ["2M", "1G"]}`. They share the sets, the
/// index and the replacement of the array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct NestedInArray {
    /// The name of an `l2` array.
    #[serde(rename = "in")]
    pub array: String,
    /// The page sizes of the host that the array holds. It holds a page of another size in pieces of the next smaller
    /// listed size, and holds no page that is smaller than all of them. Missing = each size of the host's table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<Vec<PageSize>>,
    /// As in [`NestedTlbConfig`].
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub data: bool,
}

/// The fields of both kinds of nested TLBs, as a file has them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NestedTlbFields {
    #[serde(rename = "in")]
    array: Option<String>,
    pages: Option<Vec<PageSize>>,
    entries: Option<u32>,
    ways: Option<u32>,
    replacement: Option<Policy>,
    #[serde(default)]
    data: bool,
}

impl TryFrom<NestedTlbFields> for NestedTlb {
    type Error = &'static str;

    fn try_from(fields: NestedTlbFields) -> std::result::Result<Self, Self::Error> {
        match fields {
            NestedTlbFields {
                array: Some(array),
                pages,
                entries: None,
                ways: None,
                replacement: None,
                data,
            } => Ok(Self::In(NestedInArray { array, pages, data })),
            NestedTlbFields {
                array: None,
                pages: None,
                entries: Some(entries),
                ways,
                replacement,
                data,
            } => {
                let replacement = replacement.unwrap_or_default();
                Ok(Self::Own(NestedTlbConfig { entries, ways, replacement, data }))
            }
            _ => Err(
                "expected {\"entries\": n, \"ways\": n} or {\"in\": \"name of an l2 array\", \"pages\": [\"2M\"]}",
            ),
        }
    }
}

/// A nested TLB of its own: guest-physical to host-physical pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct NestedTlbConfig {
    /// The number of entries, 1 to 65,536.
    pub entries: u32,
    /// The ways of a set. Missing = fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Policy>"))]
    pub replacement: Policy,
    /// Whether the nested TLB also translates the guest-physical address of the data, not only those of guest
    /// tables.
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub data: bool,
}

impl VirtConfig {
    /// Returns all errors of the configuration. Native runs do not use these structures, but a wrong size is an
    /// error there, too.
    pub(crate) fn problems(&self, guest: Option<&Paging>, l2: &[&str]) -> Vec<Error> {
        let mut found = Vec::new();
        found.extend(self.check_paging().err());
        found.extend(self.unused());
        let host = guest.and_then(|guest| self.host_paging(guest).ok());
        let own = match &self.nested_tlb {
            Some(NestedTlb::In(place)) if IS_WHOLE => {
                add_within(&mut found, "nested_tlb", place.problems(host.as_ref(), l2));
                None
            }
            Some(NestedTlb::Own(own)) => Some(own.shape()),
            _ => None,
        };
        let shapes = [("nested_tlb", own), ("pwc", self.pwc.map(PwcConfig::shape))];
        for (name, shape) in shapes {
            let Some((entries, ways, policy)) = shape else { continue };
            found.extend(geometry(entries, ways, policy).err().map(|error| error.within(name)));
        }
        let has_fifth = self.ept_psc.as_ref().is_some_and(|psc| psc.pml5e.is_some());
        if let (true, Some(n @ ..5)) = (has_fifth, host.map(|host| host.n_levels())) {
            let message = format!(
                "the host's page table has {n} levels, so no walk looks up this cache: leave it out, or give virt 5 levels"
            );
            found.push(Error::config("ept_psc.pml5e", message));
        }
        if let Some(psc) = &self.ept_psc {
            add_within(&mut found, "ept_psc", psc.problems(&[]));
        }
        found
    }

    /// Returns an error if the configuration has structures that no walk of this style uses.
    fn unused(&self) -> Option<Error> {
        let is_combined = self.style() == VirtStyle::Combined;
        let leaves = self.pwc.is_some_and(|pwc| pwc.leaf_of_tables);
        let (field, style) = if is_combined && self.pwc.is_some() {
            ("pwc", "pwc-1d or pwc-2d")
        } else if !is_combined && self.ept_psc.is_some() {
            ("ept_psc", "combined")
        } else if leaves && self.style() != VirtStyle::Pwc2d {
            ("pwc.leaf_of_tables", "pwc-2d")
        } else {
            return None;
        };
        let message = format!("belongs to the style {style}: leave it out, or choose that style");
        Some(Error::config(field, message))
    }

    fn check_paging(&self) -> Result<()> {
        match (&self.paging, self.levels) {
            (Some(_), Some(_)) => {
                let message = "levels is shorthand for paging: give one of the two";
                Err(Error::config("levels", message))
            }
            (Some(Paging { addresses: Some(_), .. }), None) => {
                let message = "is for virtual addresses: leave it out of the host's table";
                Err(Error::config("paging.addresses", message))
            }
            (Some(Paging { tags: Some(_), .. }), None) => {
                let message = "is for virtual addresses: leave it out of the host's table";
                Err(Error::config("paging.tags", message))
            }
            (Some(paging), None)
                if paging.physical_bits.is_some() || paging.entry_format().is_some() =>
            {
                let message =
                    "has entries or a memory of its own, which the host's table cannot have";
                Err(Error::config("paging", message))
            }
            (Some(paging), None) => paging.clone().resolve(&SmallMap::new()).map(|_| ()),
            (None, Some(levels)) if !(4..=5).contains(&levels) => {
                Err(Error::config("levels", format!("{levels} levels: must be 4 or 5")))
            }
            (None, _) => Ok(()),
        }
    }

    /// Returns the geometry of the host's page table. `paging` is the geometry of the machine's own table.
    ///
    /// # Errors
    /// `bad-config` at `paging`.
    pub(crate) fn host_paging(&self, paging: &Paging) -> Result<Paging> {
        match (&self.paging, self.levels) {
            (Some(host), _) => one_tree(host).resolve(&SmallMap::new()),
            (None, None) if paging.offset_bits > 12 || !paging.contiguous.is_empty() => {
                one_tree(paging).resolve(&SmallMap::new())
            }
            (None, levels) => Ok(Paging::x86(levels.unwrap_or(4))),
        }
    }

    /// Returns the vocabulary that names the tables of a machine with this style. AMD's styles have AMD's words.
    pub(crate) fn words(&self, tables: TableFormat) -> TableFormat {
        let is_amd = tables == TableFormat::X86 && self.style() != VirtStyle::Combined;
        if is_amd { TableFormat::Amd } else { tables }
    }

    pub(crate) fn style(&self) -> VirtStyle {
        self.style.unwrap_or_default()
    }

    /// Returns the storage of the nested TLB, if there is one. A nested TLB inside a TLB array gets one entry, which
    /// is never used.
    ///
    /// # Errors
    /// `bad-config` at `entries`, `ways` or `replacement`.
    pub(crate) fn new_nested_tlb(&self, seed: u64) -> Result<Option<Entries>> {
        let shape = self.nested_tlb.as_ref().map(|tlb| match tlb {
            NestedTlb::In(_) => (1, None, Policy::Lru),
            NestedTlb::Own(own) => own.shape(),
        });
        shape.map(|shape| storage(shape, seed)).transpose()
    }

    /// Returns the place of the nested TLB inside a TLB array, if it is inside one.
    pub(crate) fn nested_in_array(&self) -> Option<&NestedInArray> {
        match &self.nested_tlb {
            Some(NestedTlb::In(place)) if IS_WHOLE => Some(place),
            _ => None,
        }
    }

    /// Returns the number of the level-2 array that holds the entries of the nested TLB. `l2` lists the names of the arrays.
    ///
    /// # Errors
    /// `bad-config` at `nested_tlb.in`.
    pub(crate) fn nested_array(&self, l2: &[&str]) -> Result<Option<u8>> {
        let found = self.nested_in_array().map(|place| array_named(&place.array, l2));
        found.transpose().map_err(|error| error.within("nested_tlb"))
    }

    /// Returns whether the nested TLB serves the address of the data.
    pub(crate) fn nested_tlb_serves_data(&self) -> bool {
        match &self.nested_tlb {
            Some(
                NestedTlb::In(NestedInArray { data, .. })
                | NestedTlb::Own(NestedTlbConfig { data, .. }),
            ) => *data,
            None => false,
        }
    }

    /// Returns the storage of the page walk cache, if there is one.
    ///
    /// # Errors
    /// `bad-config` at `entries`, `ways` or `replacement`.
    pub(crate) fn new_pwc(&self, seed: u64) -> Result<Option<Entries>> {
        self.pwc.map(|pwc| storage(pwc.shape(), seed)).transpose()
    }

    /// Returns the EPT paging-structure caches.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn ept_layout(&self) -> Result<Layout> {
        self.ept_psc.clone().unwrap_or_default().layout(&[])
    }
}

/// Returns the geometry with one tree of tables, because guest-physical addresses have no halves.
fn one_tree(paging: &Paging) -> Paging {
    Paging { addresses: Some(Addresses::ZeroExtended), tags: None, ..paging.clone() }
}

/// The entries, the ways and the policy of a structure.
type Shape = (u32, Option<u32>, Policy);

impl NestedInArray {
    fn problems(&self, host: Option<&Paging>, l2: &[&str]) -> Vec<Error> {
        let held = host.map(|host| self.held_at(host).map(|_| ()));
        let found = [array_named(&self.array, l2).err(), held.and_then(Result::err)];
        found.into_iter().flatten().collect()
    }

    /// Returns for each leaf of the host the leaf at whose page size the array keeps it, or `None` if the array does
    /// not hold it.
    ///
    /// # Errors
    /// `bad-config` at `pages`.
    pub(crate) fn held_at(&self, host: &Paging) -> Result<PerLeaf<Option<Leaf>>> {
        let mut kept = Vec::new();
        for size in self.pages.clone().unwrap_or_else(|| host.sizes()) {
            let Some(leaf) = host.leaf_level(size) else {
                let message =
                    format!("{size} is no page size of the host, which has {}", host.listed());
                return Err(Error::config("pages", message));
            };
            if kept.contains(&leaf) {
                let message = format!("{size} is listed twice: list it once");
                return Err(Error::config("pages", message));
            }
            kept.push(leaf);
        }
        if kept.is_empty() {
            let message = "holds nothing: list page sizes, or leave it out for all";
            return Err(Error::config("pages", message));
        }
        let mut held = PerLeaf::default();
        for leaf in host.leaves() {
            let smaller = kept.iter().filter(|other| host.shift(**other) <= host.shift(leaf));
            held[leaf] = smaller.max_by_key(|other| host.shift(**other)).copied();
        }
        Ok(held)
    }
}

impl NestedTlbConfig {
    fn shape(self) -> Shape {
        (self.entries, self.ways, self.replacement)
    }
}

impl PwcConfig {
    fn shape(self) -> Shape {
        (self.entries, self.ways, self.replacement)
    }
}

fn storage((entries, ways, replacement): Shape, seed: u64) -> Result<Entries> {
    Ok(Entries::new(geometry(entries, ways, replacement)?, replacement, &Index::LowBits, seed))
}
