//! The fact about a translation that is done.

use pagewalk_base::addr::Leaf;
use pagewalk_base::trace::Kind;

/// The end of a translation, in order of rising cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Outcome {
    L1Hit,
    L2Hit,
    Walk,
    /// A walk after a first-touch fault.
    Fault,
    /// No translation: an exception that the operating system cannot handle ended the access.
    Exception,
}

impl Outcome {
    /// The number of outcomes.
    pub const N: usize = 5;

    /// Returns whether the translation ended with a walk, with or without a page fault before it.
    pub fn is_walk(self) -> bool {
        matches!(self, Self::Walk | Self::Fault)
    }
}

/// The work of a virtual machine's host for one translation. Counts are small: a translation walks at most six
/// guest-physical addresses of five levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostWork {
    /// The number of EPT violations, for pages that the host mapped.
    pub violations: u8,
    /// The number of accessed flags set in the host's tables.
    pub accessed: u8,
    /// The number of dirty flags set in the host's tables. Each takes an entry of the page-modification log.
    pub dirty: u8,
    /// The number of exits because the page-modification log was full.
    pub log_full: u8,
}

/// The flags that a store sets in the tables if its TLB entry is not dirty yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    /// The number of flags set; in a virtual machine, flags of the guest's tables.
    pub flags: u32,
    pub host: HostWork,
}

/// A translation that is done.
#[derive(Clone, Copy, Debug)]
pub struct Translation {
    pub kind: Kind,
    /// The number of the access that the translation belongs to.
    pub index: u32,
    pub address: u64,
    /// The leaf that maps the page (see [`crate::machine`]). The plan gives the level of the entry.
    pub leaf: Leaf,
    pub outcome: Outcome,
    /// The number of page-table entries that the walk read.
    pub refs: u32,
    /// The number of entries among `refs` that are the host's.
    pub host_refs: u32,
    /// The number of accessed and dirty flags set; in a virtual machine, flags of the guest's tables.
    pub ad_updates: u32,
    /// The work of a virtual machine's host.
    pub host: HostWork,
    /// The cycles of the walk: overhead and references.
    pub walk_cycles: u64,
    /// The cycles of the level-2 hit.
    pub l2_cycles: u64,
    /// The cycles of the level-2 lookup that missed before the walk.
    pub l2_miss_cycles: u64,
}

impl HostWork {
    fn add(&mut self, other: Self) {
        self.violations += other.violations;
        self.accessed += other.accessed;
        self.dirty += other.dirty;
        self.log_full += other.log_full;
    }
}

impl Updates {
    pub(crate) fn add(&mut self, other: Self) {
        self.flags += other.flags;
        self.host.add(other.host);
    }
}

impl Translation {
    /// Returns the sum of all cycles.
    pub fn cycles(&self) -> u64 {
        self.l2_cycles + self.l2_miss_cycles + self.walk_cycles
    }

    pub(crate) fn add(&mut self, updates: Updates) {
        self.ad_updates += updates.flags;
        self.host.add(updates.host);
    }

    /// Makes the end of an access without a translation.
    pub(crate) fn none(index: u32, kind: Kind, address: u64) -> Self {
        let none = Self::new(index, kind, address, Leaf::SMALLEST);
        Self { outcome: Outcome::Exception, ..none }
    }

    /// Makes a translation without any lookup yet.
    #[inline]
    pub(crate) fn new(index: u32, kind: Kind, address: u64, leaf: Leaf) -> Self {
        let outcome = Outcome::L1Hit;
        Self {
            kind,
            index,
            address,
            leaf,
            outcome,
            refs: 0,
            host_refs: 0,
            ad_updates: 0,
            host: HostWork::default(),
            walk_cycles: 0,
            l2_cycles: 0,
            l2_miss_cycles: 0,
        }
    }
}
