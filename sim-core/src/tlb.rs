//! TLB arrays, and the array of tagged entries that they share with the
//! paging-structure caches.
//!
//! An array knows page numbers and address spaces. It does not know levels,
//! cycles or page tables: [`crate::machine`] decides what is looked up and filled.

mod holds;
mod tags;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::addr::{PageSize, Paging};
use crate::error::{Error, Result};
use crate::narrow::{index, low32, small};
use crate::policy::Policy;
#[cfg(feature = "fast")]
use crate::set_assoc::Fours;
use crate::set_assoc::{EMPTY, Geometry, OnWays, SetAssoc};
use crate::trace::Kind;
pub(crate) use tags::TagLayout;

/// The most entries that one array may have.
pub const MAX_ENTRIES: u32 = 65_536;

/// How a page number chooses its set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
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
#[cfg_attr(test, derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ArrayConfig {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
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
    #[cfg_attr(test, ts(optional, as = "Option<BTreeMap<PageSize, u32>>"))]
    pub ways_of: BTreeMap<PageSize, u32>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Index>"))]
    pub index: Index,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Policy>"))]
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
    /// The name, or the place in the configuration (`l1[0]`) of an array without one.
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

/// What is remembered of an entry beside its tag. Two words, so that a fill is two stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The access that filled it, and above it the one that began its latest use.
    times: u64,
    /// Hits, and above them the owner's 32 bits.
    uses: u64,
}

const LOW_HALF: u64 = 0xffff_ffff;

impl Entry {
    #[inline]
    pub(crate) fn new(now: u32, data: u32) -> Self {
        Self { times: u64::from(now) << 32 | u64::from(now), uses: u64::from(data) << 32 }
    }

    pub(crate) fn filled_at(self) -> u32 {
        low32(self.times)
    }

    /// The access that began its latest use: repeats on the page just used do not count.
    pub(crate) fn used_at(self) -> u32 {
        low32(self.times >> 32)
    }

    #[inline]
    pub(crate) fn set_used_at(&mut self, now: u32) {
        self.times = self.times & LOW_HALF | u64::from(now) << 32;
    }

    pub(crate) fn hits(self) -> u32 {
        low32(self.uses)
    }

    /// Traces have fewer than 2^32 accesses, so hits never carry into the data.
    #[inline]
    pub(crate) fn add_hits(&mut self, n: u32) {
        self.uses += u64::from(n);
    }

    /// Translation: its lowest bit tells whether the dirty flag is known to be set.
    /// Paging-structure cache: the next table.
    #[inline]
    pub(crate) fn data(self) -> u32 {
        low32(self.uses >> 32)
    }

    /// Of a translation: whether the dirty flag is known to be set.
    #[inline]
    pub(crate) fn knows_dirty(self) -> bool {
        self.data() & 1 != 0
    }

    /// Records a hit of a translation; tells whether that is the first store to the page that the
    /// entry knows of, and whether the page is dirty.
    #[inline(always)]
    pub(crate) fn hit(&mut self, now: u32, store: bool) -> (bool, bool) {
        self.add_hits(1);
        self.set_used_at(now);
        let first_store = store && !self.knows_dirty();
        if first_store {
            self.know_dirty();
        }
        (first_store, self.knows_dirty())
    }

    #[inline]
    pub(crate) fn set_data(&mut self, data: u32) {
        self.uses = self.uses & LOW_HALF | u64::from(data) << 32;
    }

    #[inline]
    pub(crate) fn know_dirty(&mut self) {
        self.uses |= 1 << 32;
    }
}

/// A set-associative array of entries. The set is a function of the number.
#[derive(Clone, Debug)]
pub(crate) struct Entries {
    array: SetAssoc<Entry>,
    indexing: Indexing,
}

/// How numbers choose their sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indexing {
    set_mask: u64,
    /// The fold of `xor`; `low-bits` folds nothing in.
    fold: u32,
}

impl Indexing {
    /// Numbers have fewer than 63 bits.
    #[inline(always)]
    pub(crate) fn set_of(self, number: u64) -> usize {
        index((number ^ number >> self.fold) & self.set_mask)
    }
}

/// The place of an entry: set, then way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) set: u32,
    pub(crate) way: u32,
}

/// The result of a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) slot: Slot,
    /// The tag that had to leave, [`EMPTY`] if none, and its entry.
    evicted: u64,
    old: Entry,
}

impl Placed {
    #[inline]
    pub(crate) fn has_evicted(&self) -> bool {
        self.evicted != EMPTY
    }

    pub(crate) fn evicted(&self) -> Option<(u64, Entry)> {
        self.has_evicted().then_some((self.evicted, self.old))
    }
}

impl Entries {
    pub(crate) fn new(geometry: Geometry, policy: Policy, folding: Index, seed: u64) -> Self {
        let fold = if folding == Index::Xor { geometry.n_sets.trailing_zeros() } else { 63 };
        Self {
            array: SetAssoc::new(geometry, policy, seed),
            indexing: Indexing { set_mask: u64::from(geometry.n_sets - 1), fold },
        }
    }

    #[inline(always)]
    pub(crate) fn set_of(&self, number: u64) -> usize {
        self.indexing.set_of(number)
    }

    /// Does work that looks up and stores many tags.
    pub(crate) fn with<W: OnWays<Entry>>(&mut self, work: W) -> W::Done {
        self.array.with(work)
    }

    /// The entries, if sets have up to 4 ways.
    #[cfg(feature = "fast")]
    pub(crate) fn fours(&mut self) -> Option<Fours<'_, Entry>> {
        self.array.fours()
    }

    /// What makes sets of numbers.
    pub(crate) fn indexing(&self) -> Indexing {
        self.indexing
    }

    /// Looks a number up by its tag; records a hit and returns its way.
    #[inline(always)]
    pub(crate) fn lookup(&mut self, number: u64, tag: u64) -> Option<(u32, &mut Entry)> {
        self.array.lookup(self.set_of(number), tag)
    }

    #[inline(always)]
    pub(crate) fn entry(&mut self, slot: Slot) -> &mut Entry {
        self.array.data(slot.set as usize, slot.way)
    }

    /// Stores a tag that is known not to be there, because its lookup just missed.
    #[inline(always)]
    pub(crate) fn fill(&mut self, number: u64, tag: u64, now: u32, data: u32) -> Placed {
        let set = self.set_of(number);
        let filled = self.array.insert_absent(set, tag, Entry::new(now, data));
        Placed {
            slot: Slot { set: small(set), way: filled.way },
            evicted: filled.evicted,
            old: filled.old,
        }
    }

    /// The same in one of `n` of the set's ways only: those of group (number / sets) mod (ways / n).
    pub(crate) fn fill_among(
        &mut self,
        number: u64,
        tag: u64,
        now: u32,
        data: u32,
        n: u32,
    ) -> Placed {
        let Geometry { n_sets, n_ways } = self.geometry();
        let group = number / u64::from(n_sets) % u64::from(n_ways / n);
        let first = low32(group) * n;
        let set = self.set_of(number);
        let filled = self.array.insert_among(set, tag, Entry::new(now, data), (first, n));
        Placed {
            slot: Slot { set: small(set), way: filled.way },
            evicted: filled.evicted,
            old: filled.old,
        }
    }

    /// The entry of a tag, if it is there; no policy is told.
    pub(crate) fn known(&mut self, number: u64, tag: u64) -> Option<&mut Entry> {
        self.array.known(self.set_of(number), tag)
    }

    /// Takes the entry of a tag out; returns where it was, and the entry.
    pub(crate) fn take(&mut self, number: u64, tag: u64) -> Option<(Slot, Entry)> {
        let set = self.set_of(number);
        let (way, entry) = self.array.take(set, tag)?;
        Some((Slot { set: small(set), way }, entry))
    }

    /// Shows `visit` every entry with its place and tag; removes those that it says yes to.
    pub(crate) fn sweep(&mut self, mut visit: impl FnMut(Slot, u64, &mut Entry) -> bool) {
        self.array.sweep(|set, way, tag, entry| visit(Slot { set: small(set), way }, tag, entry));
    }

    pub(crate) fn geometry(&self) -> Geometry {
        self.array.geometry()
    }

    pub(crate) fn n_used(&self) -> u32 {
        self.array.n_used()
    }

    pub(crate) fn next_way(&self, set: usize) -> u32 {
        self.array.next_way(set)
    }

    /// The tag and entry in a way, `None` if it is empty.
    pub(crate) fn at(&self, set: usize, way: u32) -> Option<(u64, Entry)> {
        let (tag, entry) = self.array.at(set, way);
        (tag != EMPTY).then_some((tag, entry))
    }

    /// The tags of all entries.
    pub(crate) fn tags(&self) -> impl Iterator<Item = u64> {
        let Geometry { n_sets, n_ways } = self.geometry();
        let slots =
            (0..n_sets as usize).flat_map(move |set| (0..n_ways).map(move |way| (set, way)));
        slots.filter_map(|(set, way)| self.at(set, way)).map(|(tag, _)| tag)
    }

    /// Bytes that a clone takes.
    pub(crate) fn bytes(&self) -> usize {
        self.array.bytes()
    }
}

/// A TLB array of a machine: its entries, and what it serves and holds.
#[derive(Clone, Debug)]
pub(crate) struct TlbArray {
    pub(crate) entries: Entries,
    /// For each leaf, the leaf at whose page size it is kept; 0 = not held.
    held_at: [u8; 8],
    /// By leaf as it is kept: the ways of a set that it may be in, 0 = all.
    ways_of: [u32; 8],
    serves: [bool; 4],
}

impl TlbArray {
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn new(config: &ArrayConfig, paging: &Paging, seed: u64) -> Result<Self> {
        let geometry = geometry(config.entries, config.ways, config.replacement)?;
        Ok(Self {
            entries: Entries::new(geometry, config.replacement, config.index, seed),
            held_at: holds::held_at(config, paging)?,
            ways_of: holds::ways_of(config, geometry.n_ways, paging)?,
            serves: holds::serves(config)?,
        })
    }

    pub(crate) fn serves(&self, kind: Kind) -> bool {
        self.serves[kind.index()]
    }

    /// Stores a page that is kept as one of `held`, and that is not there.
    pub(crate) fn place(
        &mut self,
        held: u8,
        (number, tag): (u64, u64),
        now: u32,
        data: u32,
    ) -> Placed {
        match self.ways_of[usize::from(held)] {
            0 => self.entries.fill(number, tag, now, data),
            n => self.entries.fill_among(number, tag, now, data, n),
        }
    }

    /// Whether some pages may not be in every way of their set.
    pub(crate) fn has_groups(&self) -> bool {
        self.ways_of != [0; 8]
    }

    /// The leaves at whose page sizes it keeps entries.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u8> + use<> {
        let held_at = self.held_at;
        (1..8).filter(move |leaf| held_at[usize::from(*leaf)] == *leaf)
    }

    /// The leaf at whose page size a page of `leaf` is kept, `None` = not held.
    #[inline]
    pub(crate) fn held_at(&self, leaf: u8) -> Option<u8> {
        let level = self.held_at[usize::from(leaf)];
        (level > 0).then_some(level)
    }
}
