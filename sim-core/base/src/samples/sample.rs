//! One sample, as an importer reports it.

use serde::{Deserialize, Serialize};

use crate::trace::Kind;

/// The level at which a sampled access found its translation, as the processor reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum TlbLevel {
    /// The processor does not report the level.
    #[default]
    Unknown,
    L1,
    L2,
    /// Level 1 or 2. Intel does not report which one; Arm reports only that no walk took place.
    NoWalk,
    /// No level: the processor walked the page table.
    Walk,
    /// The walk found no page, and the operating system handled a page fault.
    Fault,
}

impl TlbLevel {
    pub const ALL: [Self; 6] =
        [Self::Unknown, Self::L1, Self::L2, Self::NoWalk, Self::Walk, Self::Fault];

    fn bits(self) -> u64 {
        (self as u64) << 3
    }

    pub(super) fn of_bits(class: u64) -> Self {
        Self::ALL.into_iter().find(|level| level.bits() == class & 0x38).unwrap_or_default()
    }
}

/// The privilege mode in which the sampled instruction ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Mode {
    #[default]
    User,
    Kernel,
    /// User or kernel mode of a virtual machine, whose addresses belong to another address space.
    Guest,
}

impl Mode {
    pub const ALL: [Self; 3] = [Self::User, Self::Kernel, Self::Guest];

    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        ["user", "kernel", "guest"][self as usize]
    }

    fn bits(self) -> u64 {
        (self as u64) << 6
    }

    pub(super) fn of_bits(class: u64) -> Self {
        Self::ALL.into_iter().find(|mode| mode.bits() == class & 0xc0).unwrap_or_default()
    }
}

/// The symbol and the file of an address. Both may be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Name<'a> {
    /// The symbol without an offset.
    pub symbol: &'a [u8],
    /// The file that holds the symbol, or what stands for a file: `[heap]`, `[kernel.kallsyms]`.
    pub file: &'a [u8],
}

/// A sample of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample<'a> {
    /// The event: a position in the import report's list of events.
    pub event: u32,
    pub pid: u32,
    pub tid: u32,
    /// The processor, or 0 if it is not known.
    pub cpu: u32,
    /// The time in nanoseconds. The recording chooses the origin.
    pub time: Option<u64>,
    pub ip: Option<u64>,
    /// The address of the data; `None` if the event has none.
    pub address: Option<u64>,
    pub kind: Option<Kind>,
    pub level: TlbLevel,
    /// The latency in cycles, or 0 if it is not known.
    pub latency: u32,
    /// The physical address, or 0 if it is not known.
    pub physical: u64,
    /// The size of the data page in bytes, or 0 if it is not known.
    pub data_page: u64,
    /// The size of the code page in bytes, or 0 if it is not known.
    pub code_page: u64,
    /// The number of events that the sample stands for, or 0 if it is not known.
    pub period: u64,
    pub mode: Mode,
    /// The page size of the instruction.
    pub code: Name<'a>,
    pub data: Name<'a>,
}

impl Sample<'_> {
    /// Returns the kind, the level and the mode in one byte.
    pub(super) fn class(&self) -> u64 {
        let kind = self.kind.map_or(0, |kind| kind as u64 + 1);
        kind | self.level.bits() | self.mode.bits()
    }

    /// Returns log2 of both page sizes in twelve bits.
    pub(super) fn pages(&self) -> u64 {
        shift(self.data_page) | shift(self.code_page) << 6
    }
}

/// Returns log2 of the bytes of a page, or 0 if the number is no page size.
fn shift(bytes: u64) -> u64 {
    if bytes.is_power_of_two() { bytes.trailing_zeros().into() } else { 0 }
}

pub(super) fn kind_of(class: u64) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| *kind as u64 + 1 == class & 7)
}
