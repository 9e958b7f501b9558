//! Accesses of a program whose instructions are known before it runs. What does not change about an instruction is
//! computed once, so these accesses are packed faster than others.

use super::access::{Access, Kind};
use super::calls::CallTree;
use super::codec::Place;

/// The instructions of a program.
#[derive(Clone, Debug, Default)]
pub struct Instructions {
    pub(super) places: Vec<Place>,
}

impl Instructions {
    /// Takes the instruction pointers.
    pub fn new(ips: impl IntoIterator<Item = u64>) -> Self {
        Self { places: ips.into_iter().map(Place::after).collect() }
    }

    /// Returns an access as it is in a trace. An instruction that is not in the list has no instruction pointer.
    pub fn access(&self, access: &InstructionAccess) -> Access {
        let ip = self.places.get(access.instruction as usize).map(|place| place.ip);
        Access { ip, ..Access::new(access.kind(), access.address, access.size()) }
    }
}

/// A load or a store by an instruction of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionAccess {
    pub address: u64,
    /// The number of the instruction in the list.
    pub instruction: u32,
    pub what: LoadOrStore,
}

/// Several accesses in their order.
#[derive(Clone, Copy, Debug)]
pub struct InstructionBatch<'a> {
    pub known: &'a Instructions,
    pub accesses: &'a [InstructionAccess],
    /// The tree of the call paths. It has all nodes of `calls`.
    pub tree: &'a CallTree,
    /// Where the call path changes. Each change is at an access of its own, in their order.
    pub calls: &'a [CallChange],
}

/// A change of the call path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallChange {
    /// How many accesses of the batch come before.
    pub at: u32,
    /// The node of the accesses from here on.
    pub node: u32,
}

impl InstructionBatch<'_> {
    /// Returns each access as it is in a trace, with the new node if the call path changes before it.
    pub fn each(&self) -> impl Iterator<Item = (Option<u32>, Access)> {
        let mut calls = self.calls.iter().peekable();
        (0..).zip(self.accesses).map(move |(at, access)| {
            let change = calls.next_if(|change| change.at <= at);
            (change.map(|change| change.node), self.known.access(access))
        })
    }
}

/// The size of a load or a store. The lowest bit is 1 for a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOrStore(u32);

impl LoadOrStore {
    /// The largest size in bytes. It is less than a page.
    pub const MOST: u32 = 64;

    /// Returns nothing if there are more than [`Self::MOST`] bytes.
    pub fn new(is_store: bool, size: u32) -> Option<Self> {
        (size <= Self::MOST).then_some(Self(size << 1 | u32::from(is_store)))
    }

    /// Returns a store of as many bytes.
    #[must_use]
    pub fn as_store(self) -> Self {
        Self(self.0 | 1)
    }

    /// Returns the number of this size and kind.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns 1 for a store, 0 for a load.
    #[inline]
    pub(super) fn stores(self) -> u32 {
        self.0 & 1
    }

    #[inline]
    pub fn kind(self) -> Kind {
        if self.stores() == 1 { Kind::Store } else { Kind::Load }
    }

    #[inline]
    pub fn size(self) -> u32 {
        self.0 >> 1
    }
}

impl InstructionAccess {
    #[inline]
    pub fn kind(&self) -> Kind {
        self.what.kind()
    }

    #[inline]
    pub fn size(&self) -> u32 {
        self.what.size()
    }

    /// Returns the address of the last byte.
    #[inline]
    pub(super) fn last(&self) -> u64 {
        self.address.saturating_add(u64::from(self.size().max(1) - 1))
    }
}
