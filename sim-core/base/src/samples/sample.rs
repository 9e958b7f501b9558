//! One sample, as an importer hands it on.

use serde::{Deserialize, Serialize};

use crate::trace::Kind;

/// Where a translation was found, by what the processor says of the sampled access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum TlbLevel {
    /// The processor does not say.
    #[default]
    Unknown,
    L1,
    L2,
    /// Level 1 or 2: Intel does not tell them apart, Arm tells only that nothing was walked.
    NoWalk,
    /// No level: the page table was walked.
    Walk,
    /// The walk found no page, and the operating system was asked.
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

/// Who ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Mode {
    #[default]
    User,
    Kernel,
    /// A virtual machine's user or kernel, whose addresses are of another space.
    Guest,
}

impl Mode {
    pub const ALL: [Self; 3] = [Self::User, Self::Kernel, Self::Guest];

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

/// What an address is called: both parts may be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Name<'a> {
    /// Without an offset.
    pub symbol: &'a [u8],
    /// The file that holds it, or what stands for one: `[heap]`, `[kernel.kallsyms]`.
    pub file: &'a [u8],
}

/// One sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample<'a> {
    /// The event: a position in the import report's list of events.
    pub event: u32,
    pub pid: u32,
    pub tid: u32,
    /// 0 where it is not known.
    pub cpu: u32,
    /// Nanoseconds; from where on is the recording's choice.
    pub time: Option<u64>,
    pub ip: Option<u64>,
    /// The address of the data; `None` if the event has none.
    pub address: Option<u64>,
    pub kind: Option<Kind>,
    pub level: TlbLevel,
    /// Cycles; 0 where they are not known.
    pub latency: u32,
    /// 0 where it is not known.
    pub physical: u64,
    /// Bytes; 0 where it is not known.
    pub data_page: u64,
    /// Bytes; 0 where it is not known.
    pub code_page: u64,
    /// Occurrences of the event that the sample stands for; 0 where that is not known.
    pub period: u64,
    pub mode: Mode,
    /// The page size of the instruction.
    pub code: Name<'a>,
    pub data: Name<'a>,
}

impl Sample<'_> {
    /// Kind, level and mode in a byte.
    pub(super) fn class(&self) -> u64 {
        let kind = self.kind.map_or(0, |kind| kind as u64 + 1);
        kind | self.level.bits() | self.mode.bits()
    }

    /// log2 of both page sizes in twelve bits.
    pub(super) fn pages(&self) -> u64 {
        shift(self.data_page) | shift(self.code_page) << 6
    }
}

/// log2 of the bytes of a page; 0 of what is no size.
fn shift(bytes: u64) -> u64 {
    if bytes.is_power_of_two() { bytes.trailing_zeros().into() } else { 0 }
}

pub(super) fn kind_of(class: u64) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| *kind as u64 + 1 == class & 7)
}
