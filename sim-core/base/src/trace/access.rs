//! One memory access, as an importer reports it and a machine translates it.

use serde::{Deserialize, Serialize};

use crate::addr::{AddressBits, Hex};

/// What an access does. The numbers index tables of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Kind {
    Fetch = 0,
    Load = 1,
    Store = 2,
    /// Translates as a load and fills, never faults, and is counted apart.
    Prefetch = 3,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Fetch, Self::Load, Self::Store, Self::Prefetch];
    /// The kinds that arrays serve; a prefetch is served as a load.
    pub const SERVED: [Self; 3] = [Self::Fetch, Self::Load, Self::Store];

    /// 0 for fetch, 1 for load, 2 for store, 3 for prefetch.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The kind of a number modulo 4.
    #[inline(always)]
    pub fn of_index(n: u64) -> Self {
        // Not by a table: so it is seen to be the number itself.
        match n % 4 {
            0 => Self::Fetch,
            1 => Self::Load,
            2 => Self::Store,
            _ => Self::Prefetch,
        }
    }

    #[inline]
    pub fn is_fetch(self) -> bool {
        self == Self::Fetch
    }

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
    /// Bytes; 0 = unknown, taken as 1.
    pub size: u32,
    /// Process, 0 where the trace has none.
    pub pid: u32,
    /// Thread, 0 where the trace has none.
    pub tid: u32,
    /// Processor that it happened on, 0 where the trace does not say.
    pub cpu: u32,
    /// Instruction pointer, where the trace gives one apart from its fetches.
    pub ip: Option<u64>,
}

impl Access {
    pub fn new(kind: Kind, address: u64, size: u32) -> Self {
        Self { kind, address, size, pid: 0, tid: 0, cpu: 0, ip: None }
    }

    /// The bits that the addresses of the first and of the last byte need.
    #[inline]
    pub fn bits(&self) -> AddressBits {
        AddressBits::of(self.address).max(AddressBits::of(self.last()))
    }

    /// The address of the last byte; an access at the top of the address space ends there.
    #[inline]
    pub fn last(&self) -> u64 {
        self.address.saturating_add(u64::from(self.size.max(1) - 1))
    }
}

/// An access in the form that crosses to JavaScript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct AccessView {
    pub kind: Kind,
    pub address: Hex,
    pub size: u32,
    pub pid: u32,
    pub tid: u32,
    pub cpu: u32,
    /// Instruction pointer: the trace's own, else the address of the last fetch before.
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

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Sampled => "sampled",
            Self::LatencyFiltered => "latency-filtered",
            Self::FirstTouches => "first-touches",
        }
    }
}
