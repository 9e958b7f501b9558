//! Page tables and TLB contents that are given before the first access, as a textbook prints them.

use serde::{Deserialize, Serialize};

use super::config::{OsConfig, UpperHalf};
use super::protect::{Protection, Rights};
use super::virt::Virt;
use super::{Os, PagePolicy};
use crate::page_table::{Frame, PageTables};
use pagewalk_base::addr::{Hex, Leaf, PageSize, Paging};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::sorted::sort_by_numbers;

/// The most pages that can be given: each is mapped separately.
const MAX_PAGES: u64 = 1 << 16;

/// What happens at an access to a page that is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Others {
    /// The operating system maps the page at its first touch.
    #[default]
    FirstTouch,
    /// A page fault ends the access.
    Fault,
}

/// One row of a page table, or a range of pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct GivenPage {
    /// The number of the page (VPN), in pages of `size`.
    pub page: Hex,
    /// The number of the frame (PPN), in pages of `size`. Missing = the system chooses a free frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<Hex>,
    /// How many pages and frames follow each other. Missing = 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Missing = the smallest page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<PageSize>,
    /// What the program may do: `r`, `rw`, `rx` or `rwx`. Missing = `rwx`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rights: Option<String>,
    /// Whether the entry is valid. Missing = it is.
    #[serde(default = "super::policy::yes", skip_serializing_if = "is_true")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub valid: bool,
}

/// One entry of a TLB array. `page` says which page it translates, or `set` and `tag` do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct GivenEntry {
    /// The name of the array. Missing = the first array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// The number of the page (VPN), in pages of `size`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<Hex>,
    /// The set (TLBI).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<Hex>,
    /// The tag (TLBT): the page number above the bits that choose the set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<Hex>,
    /// The number of the frame (PPN). Missing = that of the page table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<Hex>,
    /// Missing = the smallest page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<PageSize>,
    /// Whether the entry is valid. Missing = it is. An entry that is not valid leaves its way empty.
    #[serde(default = "super::policy::yes", skip_serializing_if = "is_true")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub valid: bool,
}

/// The state of the machine before the first access. Every process begins with the given pages; the TLB has its
/// entries when the first process runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct Given {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<GivenPage>>"))]
    pub pages: Vec<GivenPage>,
    /// The entries of a set take its ways in this order, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<GivenEntry>>"))]
    pub tlb: Vec<GivenEntry>,
    /// The frames of the page tables, in the order in which they are made: the root first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<Hex>>"))]
    pub tables: Vec<Hex>,
    /// The first frame that pages take at their first touch. Missing = the lowest free frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_frame: Option<Hex>,
    #[serde(skip_serializing_if = "super::config::is_default")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Others>"))]
    pub others: Others,
}

/// A page that is mapped before its process runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) address: u64,
    pub(crate) leaf: Leaf,
    pub(crate) frame: Option<Frame>,
    rights: Rights,
    pub(crate) valid: bool,
    /// Whether a TLB array holds the page.
    pub(crate) cached: bool,
    /// The field of the configuration that gives the page, such as `given.pages[3]`.
    pub(crate) field: String,
}

impl Row {
    /// Makes the row of a page that only a TLB entry gives.
    pub(crate) fn of_entry(address: u64, leaf: Leaf, frame: Option<Frame>, field: String) -> Self {
        Self { address, leaf, frame, rights: Rights::ALL, valid: true, cached: true, field }
    }
}

/// Returns the leaf of a page size, or an error at `field`.
pub(crate) fn leaf_of(size: Option<PageSize>, paging: &Paging, field: &str) -> Result<Leaf> {
    let Some(size) = size else { return Ok(Leaf::SMALLEST) };
    paging.leaf_level(size).ok_or_else(|| {
        let listed = paging.listed();
        let message = format!("{size} is no page size of this machine, which has {listed}");
        Error::config(format!("{field}.size"), message)
    })
}

/// Returns the first address of a page, or an error at `field`.
pub(crate) fn address_of(page: u64, leaf: Leaf, paging: &Paging, field: &str) -> Result<u64> {
    let bits = paging.va_mask().count_ones() - paging.shift(leaf);
    if page >> bits == 0 {
        return Ok(page << paging.shift(leaf));
    }
    let message = format!("{page:#x} is no page of this machine: page numbers have {bits} bits");
    Err(Error::config(field, message))
}

/// Returns the frame with a number, or an error at `field`.
pub(crate) fn frame_of(
    number: u64,
    leaf: Leaf,
    memory: u64,
    paging: &Paging,
    field: &str,
) -> Result<Frame> {
    let shift = paging.shift(leaf);
    let n = memory >> shift;
    if number < n {
        return Ok(Frame::at(number << shift));
    }
    let message = format!(
        "{number:#x} is beyond physical memory, which has {n:#x} frames of {}",
        paging.size_of(leaf)
    );
    Err(Error::config(field, message))
}

impl GivenPage {
    fn rights(&self, field: &str) -> Result<Rights> {
        Ok(match self.rights.as_deref() {
            None | Some("rwx") => Rights::ALL,
            Some("r") => Rights::new(true, false, false),
            Some("rw") => Rights::new(true, true, false),
            Some("rx") => Rights::new(true, false, true),
            Some(other) => {
                let message = format!("`{other}` are no rights: write r, rw, rx or rwx");
                return Err(Error::config(format!("{field}.rights"), message));
            }
        })
    }
}

impl Given {
    /// Returns one row for each given page, in the order of the configuration.
    ///
    /// # Errors
    /// `bad-config` at the row that is wrong.
    pub(crate) fn rows(&self, paging: &Paging, memory: u64, os: &Os) -> Result<Vec<Row>> {
        let total: u64 = self.pages.iter().map(|row| u64::from(row.count.unwrap_or(1))).sum();
        if total > MAX_PAGES {
            let message = format!("{total} pages: at most {MAX_PAGES} can be given");
            return Err(Error::config("given.pages", message));
        }
        let mut rows: Vec<Row> = Vec::new();
        for (number, given) in self.pages.iter().enumerate() {
            let field = format!("given.pages[{number}]");
            let leaf = leaf_of(given.size, paging, &field)?;
            let rights = given.rights(&field)?;
            let count = given.count.unwrap_or(1);
            if count == 0 {
                let message = "no page: give at least 1, or leave the row out";
                return Err(Error::config(format!("{field}.count"), message));
            }
            for n in 0..u64::from(count) {
                let after = |first: Hex| first.0.saturating_add(n);
                let at = format!("{field}.page");
                let address = address_of(after(given.page), leaf, paging, &at)?;
                let size = paging.size_of(leaf);
                if !os.maps_as(address, leaf) {
                    let message = format!(
                        "memory at {address:#x} is not mapped with pages of {size}: give the row, default or a region another size"
                    );
                    return Err(Error::config(at, message));
                }
                let frame = given.frame.filter(|_| given.valid).map(|frame| {
                    frame_of(after(frame), leaf, memory, paging, &format!("{field}.frame"))
                });
                rows.push(Row {
                    address,
                    leaf,
                    frame: frame.transpose()?,
                    rights,
                    valid: given.valid,
                    cached: false,
                    field: field.clone(),
                });
            }
        }
        let mut sorted: Vec<&Row> = rows.iter().collect();
        sort_by_numbers(&mut sorted, |row| (row.address, 0));
        if let Some([first, second]) =
            sorted.windows(2).find(|pair| pair[0].address == pair[1].address)
        {
            let page = second.address >> paging.shift(second.leaf);
            let message = format!("page {page:#x} is also in {}: list each page once", first.field);
            return Err(Error::config(format!("{}.page", second.field), message));
        }
        Ok(rows)
    }
}

impl OsConfig {
    /// Checks that given state fits the other settings.
    ///
    /// # Errors
    /// `bad-config` at the setting that does not.
    pub(crate) fn check_given(&self, paging: &Paging) -> Result<()> {
        let wrong = |field: &str, message: &str| Err(Error::config(field, message));
        let has_memory = paging.physical_bits.is_some();
        if self.virt != Virt::Native && (has_memory || paging.entry_format().is_some()) {
            return wrong(
                "virt",
                "a machine with entries or a memory of its own has no virtual machines: make virt \"native\"",
            );
        }
        if self.host.as_ref().is_some_and(|host| host.given.is_some()) {
            return wrong("host.given", "only a native machine has given state: leave it out");
        }
        if self.frames != super::Frames::Sequential && (has_memory || self.given.is_some()) {
            return wrong(
                "frames",
                "this machine gives the lowest free frame to each page: make frames \"sequential\"",
            );
        }
        if self.given.is_none() {
            return Ok(());
        }
        if self.virt != Virt::Native {
            return wrong("given", "only a native machine has given state: make virt \"native\"");
        }
        if self.upper_half == UpperHalf::Shared {
            return wrong("given", "given state is of processes: make upper_half \"own\"");
        }
        if !matches!(self.default, PagePolicy::Fixed(_)) {
            return wrong("given", "given pages need a page size as default: write one");
        }
        Ok(())
    }
}

impl Os {
    /// Returns whether memory at an address gets pages of `leaf` in every process.
    fn maps_as(&self, address: u64, leaf: Leaf) -> bool {
        self.maps.all().all(|map| {
            let segment = map.pages(address);
            segment.leaf == leaf && !segment.by_block
        })
    }

    /// Says which pages every process begins with, and what happens at other pages.
    pub(crate) fn give(&mut self, rows: Vec<Row>, others: Others) {
        self.others = others;
        self.checks_rights |=
            others == Others::Fault || rows.iter().any(|row| row.rights != Rights::ALL);
        self.given = rows.into_iter().filter(|row| row.valid).collect();
    }

    /// Returns whether an access to a page that is not mapped ends as a page fault. The page of a copy in progress is
    /// mapped by the next walk.
    pub(crate) fn ends_access(&self, tables: &PageTables, space: u32, address: u64) -> bool {
        self.others == Others::Fault
            && !self.is_copying()
            && self.known_frame(tables, space, address, self.leaf_at(space, address)).is_none()
    }

    /// Maps the given pages in an address space.
    ///
    /// # Errors
    /// `too-large` if memory is used up.
    pub(super) fn map_given(&mut self, tables: &mut PageTables, space: u32) -> Result<()> {
        let rows = std::rc::Rc::clone(&self.given);
        for row in rows.iter() {
            tables.root(space, row.address)?;
            let frame = match row.frame {
                Some(frame) => frame,
                None => self.take_frame(tables, row.leaf)?,
            };
            tables.map(space, row.address, row.leaf, frame)?;
            self.n_mapped[row.leaf] += 1;
            self.n_pretouched += 1;
            if row.rights != Rights::ALL {
                let last = row.address | ((1 << self.paging.shift(row.leaf)) - 1);
                let (start, rights) = (row.address, row.rights);
                self.protections.push(Protection { space, start, last, rights, key: None });
                self.apply_rights(tables, space, start, row.leaf);
            }
            if row.cached {
                tables.set_accessed(space, row.address, row.leaf);
            }
        }
        Ok(())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
fn is_true(value: &bool) -> bool {
    *value
}
