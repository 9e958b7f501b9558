//! One memory access, which an importer reports and a machine translates.

use serde::{Deserialize, Serialize};

use crate::addr::{AddressBits, AddressTags, Hex};

/// The kind of an access. The numbers are indices into tables of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Kind {
    Fetch = 0,
    Load = 1,
    Store = 2,
    /// A prefetch. It translates and fills as a load does, but never faults, and is counted apart.
    Prefetch = 3,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Fetch, Self::Load, Self::Store, Self::Prefetch];
    /// The kinds that TLB arrays serve. An array serves a prefetch as a load.
    pub const SERVED: [Self; 3] = [Self::Fetch, Self::Load, Self::Store];

    /// Returns 0 for fetch, 1 for load, 2 for store, 3 for prefetch.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the kind with the number `n` modulo 4.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn of_index(n: u64) -> Self {
        // A match, not a table: the compiler then sees that the result equals the number.
        match n % 4 {
            0 => Self::Fetch,
            1 => Self::Load,
            2 => Self::Store,
            _ => Self::Prefetch,
        }
    }

    /// Returns whether the kind is an instruction fetch.
    #[inline]
    pub fn is_fetch(self) -> bool {
        self == Self::Fetch
    }

    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        ["fetch", "load", "store", "prefetch"][self.index()]
    }
}

/// One access of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub kind: Kind,
    /// The virtual address of the first byte.
    pub address: u64,
    /// The size in bytes; 0 means unknown and counts as 1.
    pub size: u32,
    /// The process, or 0 if the trace has none.
    pub pid: u32,
    /// The thread, or 0 if the trace has none.
    pub tid: u32,
    /// The processor that executed the access, or 0 if the trace does not say.
    pub cpu: u32,
    /// The instruction pointer, if the trace records it apart from fetches.
    pub ip: Option<u64>,
}

impl Access {
    pub fn new(kind: Kind, address: u64, size: u32) -> Self {
        Self { kind, address, size, pid: 0, tid: 0, cpu: 0, ip: None }
    }

    /// Returns the access at its address without the tag.
    #[must_use]
    #[inline]
    pub fn without(&self, tags: Option<AddressTags>) -> Self {
        let strip = |tags: AddressTags| tags.strip(self.kind.is_fetch(), self.address);
        Self { address: tags.map_or(self.address, strip), ..*self }
    }

    /// Returns the bits that the addresses of the first and the last byte need.
    #[inline]
    pub fn bits(&self) -> AddressBits {
        AddressBits::of(self.address).max(AddressBits::of(self.last()))
    }

    /// Returns the address of the last byte. It does not exceed the end of the address space.
    #[inline]
    pub fn last(&self) -> u64 {
        last_byte(self.address, self.size)
    }
}

/// Returns the address of the last of `size` bytes. It does not exceed the end of the address space.
#[inline]
pub(super) fn last_byte(address: u64, size: u32) -> u64 {
    address.saturating_add(u64::from(size.max(1) - 1))
}

/// An access in the form that JavaScript receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AccessView {
    pub kind: Kind,
    pub address: Hex,
    pub size: u32,
    pub pid: u32,
    pub tid: u32,
    pub cpu: u32,
    /// The instruction pointer of the trace, or otherwise the address of the last fetch.
    pub ip: Option<Hex>,
}

/// How much of the program's accesses a trace holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Completeness {
    #[default]
    Complete,
    Sampled,
    LatencyFiltered,
    FirstTouches,
}

impl Completeness {
    pub const ALL: [Self; 4] =
        [Self::Complete, Self::Sampled, Self::LatencyFiltered, Self::FirstTouches];

    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Sampled => "sampled",
            Self::LatencyFiltered => "latency-filtered",
            Self::FirstTouches => "first-touches",
        }
    }
}
