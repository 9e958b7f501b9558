//! The geometry of a radix page table, as data.

use serde::{Deserialize, Deserializer, Serialize, de};

use super::groups::{self, Group};
use super::{AddressRule, AddressTags, Addresses, EntryFormat, Leaf, Level, PageSize};
use crate::error::{Error, Result};
use crate::small_map::SmallMap;

/// The levels whose entries may map a page on x86.
const X86_LEAVES: [Level; 3] = [Level::LOWEST, Level::new(2), Level::new(3)];

const NO_LEAVES: &str = "must contain 1: the lowest table maps pages";

/// The geometry of a radix page table. Level 1 is the lowest of `n` levels. The tables of level `l` are indexed by
/// `index_bits[n - l]` bits of the address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Paging {
    /// Bits of the offset in the smallest page, 1 to 16.
    pub offset_bits: u8,
    /// Index bits of each level, the root first; 1 to 5 levels of 1 to 16 bits.
    pub index_bits: Vec<u8>,
    /// The levels whose entries may map a page; level 1 is always one of them. The default is those of levels 1 to 3
    /// that exist.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "given_levels")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<Level>>"))]
    pub leaf_levels: Vec<Level>,
    /// The rule for the addresses that the machine translates. The default is `two-halves` with contiguous pages,
    /// and `canonical` for the geometry of x86. It is `sign-extended` for RISC-V: other tables of 9 bits for pages
    /// of 4K, from 3 levels on. Every other geometry has `zero-extended`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub addresses: Option<Addresses>,
    /// The highest bits of an address that the machine ignores, so that programs keep tags in them. The default is
    /// none. `lam48` and `lam57` are for `canonical` addresses, `tbi` for `two-halves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub tags: Option<AddressTags>,
    /// How many neighbouring entries the OS may map as one page, by the page size of one entry:
    /// `{"4K": 16, "2M": 16}` adds pages of 64K and 32M (Arm's contiguous bit; Linux,
    /// Documentation/arch/arm64/hugetlbpage.rst). A walk to such a page reads the entry of its own address.
    #[serde(skip_serializing_if = "SmallMap::is_empty")]
    #[cfg_attr(
        any(test, feature = "ts"),
        ts(optional, as = "Option<std::collections::BTreeMap<PageSize, u32>>")
    )]
    pub contiguous: SmallMap<PageSize, u32>,
    /// The bytes of an entry: 1, 2, 4 or 8.
    #[serde(skip_serializing_if = "is_eight")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u8>"))]
    pub entry_bytes: u8,
    /// The bits of a physical address. With this field, tables and pages share one memory of that size: each takes the
    /// lowest free frames, from frame 1 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub physical_bits: Option<u8>,
    /// The names of the tables, the root first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<String>>"))]
    pub tables: Vec<String>,
    /// The format of entries. The default is that of x86-64 or Arm for their geometries, and `simple` for a machine with
    /// entries or a memory of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub format: Option<EntryFormat>,
    /// The groups, computed by [`Paging::resolve`].
    #[serde(skip)]
    pub groups: [Option<Group>; 2],
}

impl Default for Paging {
    fn default() -> Self {
        Self {
            offset_bits: 12,
            index_bits: vec![9; 4],
            leaf_levels: Vec::new(),
            addresses: None,
            tags: None,
            contiguous: SmallMap::new(),
            entry_bytes: 8,
            physical_bits: None,
            tables: Vec::new(),
            format: None,
            groups: [None; 2],
        }
    }
}

impl Paging {
    /// Makes Intel's paging with 4 or 5 levels (SDM vol. 3, chapter 4): 9 bits a level, pages of 4K, 2M and 1G.
    pub fn x86(levels: u8) -> Self {
        Self {
            index_bits: vec![9; usize::from(levels)],
            leaf_levels: X86_LEAVES.to_vec(),
            ..Self::default()
        }
    }

    /// Fills the defaults in and computes the groups; `coalescing` is the field of the machine.
    ///
    /// # Errors
    /// `bad-config` with the field, below `paging` or `coalescing`.
    pub fn resolve(mut self, coalescing: &SmallMap<PageSize, u32>) -> Result<Self> {
        if self.leaf_levels.is_empty() {
            let is_there = |level: &Level| usize::from(level.number()) <= self.index_bits.len();
            self.leaf_levels = X86_LEAVES.into_iter().filter(is_there).collect();
        }
        self.groups = [None; 2];
        self.check().map_err(|e| e.within("paging"))?;
        self.groups = groups::resolve(&self, coalescing)?;
        let sizes: Vec<PageSize> = self.held_leaves().iter().map(|l| self.size_of(*l)).collect();
        match sizes.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let field = if coalescing.is_empty() { "paging.contiguous" } else { "coalescing" };
                let message =
                    format!("makes a second page size of {}: choose another number", pair[0]);
                Err(Error::config(field, message))
            }
            None => Ok(self),
        }
    }

    /// Checks the numbers of the geometry.
    ///
    /// # Errors
    /// `bad-config` if a number is out of range, or if an address would have more than 57 bits.
    pub fn check(&self) -> Result<()> {
        if !(1..=16).contains(&self.offset_bits) {
            return Err(Error::config("offset_bits", "must be 1 to 16"));
        }
        if !(1..=5).contains(&self.index_bits.len()) {
            return Err(Error::config("index_bits", "must list 1 to 5 levels, the root first"));
        }
        if let Some(at) = self.index_bits.iter().position(|bits| !(1..=16).contains(bits)) {
            return Err(Error::config(format!("index_bits[{at}]"), "must be 1 to 16"));
        }
        let most = if self.addresses() == Addresses::TwoHalves { 52 } else { 57 };
        if self.va_bits() > most {
            let message = format!("offset and indices must not exceed {most} bits");
            return Err(Error::config("index_bits", message));
        }
        if let Some(tags) = self.tags {
            tags.check(self.addresses(), self.va_bits())?;
        }
        if !self.leaf_levels.contains(&Level::LOWEST) {
            return Err(Error::config("leaf_levels", NO_LEAVES));
        }
        let n = self.index_bits.len();
        let is_no_level = |level: &&Level| !(1..=n).contains(&usize::from(level.number()));
        if let Some(level) = self.leaf_levels.iter().find(is_no_level) {
            return Err(Error::config(
                "leaf_levels",
                format!("level {level} does not exist: give levels from 1 to {n}"),
            ));
        }
        self.check_entries()
    }

    /// Returns the number of levels, 1 to 5.
    pub fn n_levels(&self) -> u8 {
        u8::try_from(self.index_bits.len()).expect("at most 5 levels")
    }

    /// Returns the level of the root table.
    pub fn root_level(&self) -> Level {
        Level::new(self.n_levels())
    }

    /// Returns all levels, the lowest first.
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = Level> + use<> {
        Level::LOWEST.up_to(self.root_level())
    }

    /// Returns log2 of the bytes of a page of `leaf`. If the leaf is one entry of a table, this is also the lowest
    /// address bit that indexes the table.
    pub fn shift(&self, leaf: Leaf) -> u32 {
        let below = usize::from(self.entry_level(leaf).below().number());
        u32::from(self.offset_bits)
            + self.index_bits.iter().rev().take(below).map(|b| u32::from(*b)).sum::<u32>()
            + self.group_bits(leaf)
    }

    /// Returns the number of index bits at `level`.
    pub fn bits(&self, level: Level) -> u32 {
        u32::from(self.index_bits[self.index_bits.len() - usize::from(level.number())])
    }

    /// Returns the index of an address in the table of `level`.
    pub fn index(&self, address: u64, level: Level) -> u64 {
        address >> self.shift(Leaf::of(level)) & ((1 << self.bits(level)) - 1)
    }

    /// Returns the rule for the addresses that the machine translates, with its numbers.
    pub fn rule(&self) -> AddressRule {
        let bits = u8::try_from(self.va_bits()).expect("at most 57");
        AddressRule::new(self.addresses(), bits, self.tags)
    }

    fn addresses(&self) -> Addresses {
        self.addresses.unwrap_or_else(|| Addresses::of(self))
    }

    /// Returns the number of bits of a virtual address that the tables translate.
    pub fn va_bits(&self) -> u32 {
        u32::from(self.offset_bits) + self.index_bits.iter().map(|b| u32::from(*b)).sum::<u32>()
    }

    /// Returns the mask of the bits of a virtual address that translation reads. With two halves this
    /// includes the bit that chooses the half.
    pub fn va_mask(&self) -> u64 {
        (1 << self.rule().width()) - 1
    }

    /// Returns the group of a leaf, or `None` if the leaf is a single entry.
    pub fn group(&self, leaf: Leaf) -> Option<Group> {
        *self.groups.get(leaf.group_number()?)?
    }

    /// Returns the level of the entries that map a page of `leaf`.
    pub fn entry_level(&self, leaf: Leaf) -> Level {
        self.group(leaf).map_or(Level::new(leaf.number()), |group| group.level)
    }

    /// Returns log2 of the number of entries that map a page of `leaf`.
    pub fn group_bits(&self, leaf: Leaf) -> u32 {
        self.group(leaf).map_or(0, |group| u32::from(group.bits))
    }

    /// Returns the group of `level` that the OS maps as one page, if the machine has one.
    pub fn mapped_group(&self, level: Level) -> Option<Leaf> {
        let found = |leaf: &Leaf| self.group(*leaf).is_some_and(|g| g.mapped && g.level == level);
        Leaf::groups().find(found)
    }

    /// Returns the group of `level` whose entries the walker coalesces, if the machine has one.
    pub fn coalesced(&self, level: Level) -> Option<Leaf> {
        let found = |leaf: &Leaf| self.group(*leaf).is_some_and(|g| !g.mapped && g.level == level);
        Leaf::groups().find(found)
    }

    /// Returns the size of a page of `leaf`.
    pub fn size_of(&self, leaf: Leaf) -> PageSize {
        PageSize(u8::try_from(self.shift(leaf)).expect("below 64"))
    }

    /// Returns the leaves that the OS can map as one page, the smallest first.
    pub fn leaves(&self) -> Vec<Leaf> {
        self.sorted(|group| group.mapped)
    }

    /// Returns the leaves that one TLB entry can cover, the smallest first: those of [`Self::leaves`] and the
    /// coalesced groups.
    pub fn held_leaves(&self) -> Vec<Leaf> {
        self.sorted(|_| true)
    }

    fn sorted(&self, with: impl Fn(Group) -> bool) -> Vec<Leaf> {
        let groups = Leaf::groups().filter(|leaf| self.group(*leaf).is_some_and(&with));
        let levels = self.levels().filter(|level| self.leaf_levels.contains(level));
        let mut leaves: Vec<Leaf> = levels.map(Leaf::of).chain(groups).collect();
        leaves.sort_by_key(|leaf| self.shift(*leaf));
        leaves
    }

    /// Returns the leaf of pages of `size`, if the OS can map pages of this size.
    pub fn leaf_level(&self, size: PageSize) -> Option<Leaf> {
        self.leaves().into_iter().find(|leaf| self.size_of(*leaf) == size)
    }

    /// Returns the leaf of `size`, if one TLB entry can cover this size.
    pub fn held_leaf(&self, size: PageSize) -> Option<Leaf> {
        self.held_leaves().into_iter().find(|leaf| self.size_of(*leaf) == size)
    }

    /// Returns the leaf of the next smaller page that the OS can map.
    pub fn smaller(&self, leaf: Leaf) -> Option<Leaf> {
        self.leaves().into_iter().rev().find(|other| self.shift(*other) < self.shift(leaf))
    }

    /// Returns the page sizes that the OS can map, the smallest first.
    pub fn sizes(&self) -> Vec<PageSize> {
        self.leaves().into_iter().map(|leaf| self.size_of(leaf)).collect()
    }

    /// Returns the page sizes as text: `4K, 2M, 1G`.
    pub fn listed(&self) -> String {
        self.sizes().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    /// Returns the sizes that one TLB entry can cover, the smallest first.
    pub fn held_sizes(&self) -> Vec<PageSize> {
        self.held_leaves().into_iter().map(|leaf| self.size_of(leaf)).collect()
    }

    /// Returns whether the geometry is Intel's. Then Intel's rules apply: canonical addresses, reserved bits.
    pub fn is_x86(&self) -> bool {
        self.has_x86_tables() && self.leaf_levels == X86_LEAVES
    }

    pub(super) fn has_x86_tables(&self) -> bool {
        self.format.is_none()
            && self.offset_bits == 12
            && self.n_levels() >= 4
            && self.index_bits.iter().all(|bits| *bits == 9)
            && self.contiguous.is_empty()
    }

    /// Returns the architecture of the page tables. The geometry decides: only Arm's entries have a contiguous bit.
    pub fn table_format(&self) -> TableFormat {
        if self.has_x86_tables() {
            TableFormat::X86
        } else if self.contiguous.is_empty() {
            TableFormat::Plain
        } else {
            TableFormat::Arm
        }
    }

    /// Returns the name of the table of `level`: that of the configuration, or the usual one. Intel's geometry has PT,
    /// PD, PDPT, PML4 and PML5. Arm's has `L3` for the lowest table, and `L0` for the root of four levels. Every other
    /// geometry has `L1` for the lowest, then `L2` and so on.
    pub fn table_name(&self, level: Level) -> String {
        let from_root = self.tables.len().checked_sub(usize::from(level.number()));
        if let Some(name) = from_root.and_then(|at| self.tables.get(at)) {
            return name.clone();
        }
        match self.table_format() {
            TableFormat::X86 | TableFormat::Amd => {
                ["PT", "PD", "PDPT", "PML4", "PML5"][usize::from(level.below().number())].to_owned()
            }
            TableFormat::Arm => format!("L{}", 4 - i16::from(level.number())),
            TableFormat::Plain => format!("L{level}"),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
fn is_eight(bytes: &u8) -> bool {
    *bytes == 8
}

/// Reads a list of levels that is present in JSON. An empty list is an error: it would mean the same as no list.
fn given_levels<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Level>, D::Error> {
    let levels = Vec::deserialize(from)?;
    if levels.is_empty() {
        return Err(de::Error::custom(NO_LEAVES));
    }
    Ok(levels)
}

/// The vocabulary for a machine's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum TableFormat {
    X86,
    /// The x86 tables with AMD's nested paging. The geometry does not show the vendor; only the words differ.
    Amd,
    Arm,
    /// The tables of a teaching machine. Their levels have numbers; 1 is the lowest.
    Plain,
}

#[cfg(test)]
mod tests;
