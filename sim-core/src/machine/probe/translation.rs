//! The fact about one translation when it is done.

use pagewalk_base::addr::Leaf;
use pagewalk_base::trace::Kind;

/// How a translation ended, in order of rising cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Outcome {
    L1Hit,
    L2Hit,
    Walk,
    /// A walk after a first-touch fault.
    Fault,
}

/// What one translation makes the host of a virtual machine do. Counts are small: a
/// translation walks at most six guest-physical addresses of five levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostWork {
    /// EPT violations: pages that the host mapped.
    pub violations: u8,
    /// Accessed flags set in the host's tables.
    pub accessed: u8,
    /// Dirty flags set in the host's tables; each takes an entry of the page-modification log.
    pub dirty: u8,
    /// Exits because the page-modification log was full.
    pub log_full: u8,
}

/// The flags that a store sets in the tables, when its TLB entry is not dirty yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    /// Flags set; in a virtual machine, flags of the guest's tables.
    pub flags: u32,
    pub host: HostWork,
}

/// One translation when it is done.
#[derive(Clone, Copy, Debug)]
pub struct Translation {
    pub kind: Kind,
    /// The access it belongs to.
    pub index: u32,
    pub address: u64,
    /// How the page is mapped (see [`crate::machine`]); the plan gives the level of the entry.
    pub leaf: Leaf,
    pub outcome: Outcome,
    /// Page-table entries read.
    pub refs: u32,
    /// The entries among `refs` that are the host's.
    pub host_refs: u32,
    /// Accessed and dirty flags set; in a virtual machine, flags of the guest's tables.
    pub ad_updates: u32,
    /// What the host of a virtual machine had to do.
    pub host: HostWork,
    /// Cycles of the walk: overhead and references.
    pub walk_cycles: u64,
    /// Cycles of the level-2 hit.
    pub l2_cycles: u64,
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
    pub(crate) fn add(&mut self, updates: Updates) {
        self.ad_updates += updates.flags;
        self.host.add(updates.host);
    }

    /// Makes a translation to which nothing has happened yet.
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
        }
    }
}
