//! What an import found: `pagewalk import --json`.

use serde::{Deserialize, Serialize};

use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::json::is_false;
use pagewalk_base::trace::{Completeness, PageCounts};

use super::census::ProcessCount;
use super::select::Selection;
use super::tally::counted;

/// Records that were left out, by reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Skipped {
    pub reason: String,
    pub count: u64,
}

/// What the samples of an event are of, and so what their places say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum SampleOf {
    /// Page faults.
    Faults,
    /// Accesses to memory.
    Accesses,
    /// Time or instructions: where the program is, and how often.
    Execution,
    /// Flushes of the TLB that the kernel told of.
    Flushes,
    /// Anything else: where that happened.
    #[default]
    Other,
}

/// An event of a sampled recording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SampledEvent {
    /// As the recording tool calls it.
    pub name: String,
    pub of: SampleOf,
    /// How much of what the event counts its samples hold.
    pub completeness: Completeness,
    /// Occurrences per sample, where that is fixed and known.
    pub period: Option<u64>,
    /// Samples per second that were asked for, where the period was left to follow from that.
    pub frequency: Option<u64>,
    pub samples: u64,
    /// Samples of which the data address is known.
    pub accesses: u64,
}

/// Sampled accesses by what the processor says of its TLB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct MeasuredTlb {
    /// Hits of level 1.
    pub l1: u64,
    /// Hits of level 2.
    pub l2: u64,
    /// Hits of either level, where the processor does not tell them apart.
    pub no_walk: u64,
    /// Misses of the last level: page walks.
    pub walk: u64,
    /// The processor said nothing.
    pub unknown: u64,
}

/// Sampled accesses to pages of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct MeasuredPages {
    pub bytes: u64,
    pub accesses: u64,
}

/// Flushes of the TLB for one reason, as the kernel's tracepoint tells them. They are counted only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct TlbFlushes {
    /// As the kernel calls it.
    pub reason: String,
    pub count: u64,
    /// Those of all pages.
    pub whole: u64,
    /// Pages of the others, together.
    pub pages: u64,
}

/// How a sampled recording was made, and what it measured of the real machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Sampling {
    pub events: Vec<SampledEvent>,
    /// Records that were lost while recording, as the file says.
    pub lost: u64,
    /// Accesses by the kernel's code, those of guests apart.
    pub kernel: u64,
    /// Accesses in virtual machines, whose addresses are of another space.
    pub guest: u64,
    /// Accesses to addresses in the upper half, where the kernel is.
    pub kernel_addresses: u64,
    /// Accesses of which the recording does not say what they do: taken as loads.
    pub unknown_kind: u64,
    /// Page faults that a tracepoint tells. Its samples have no data address, so they are none of the
    /// accesses; they are simulated all the same, as the first touches of their pages.
    pub faults: u64,
    /// Samples without a data address of which the processor said which level of the TLB had the translation.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub levels_only: u64,
    /// Flushes of the TLB that a tracepoint tells, by reason; missing where none does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<TlbFlushes>>"))]
    pub flushes: Vec<TlbFlushes>,
    pub tlb: MeasuredTlb,
    /// By rising size; empty where no size was recorded.
    pub page_sizes: Vec<MeasuredPages>,
}

/// What the file is, what it holds, what it cannot tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ImportReport {
    /// Its name: `lackey`, `csv`, `champsim`, ….
    pub format: String,
    pub completeness: Completeness,
    /// The file has more, or says that it is a part: the limit or the end of the window stopped an import, or a selection left some out.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub part: bool,
    /// Records of the format: for lackey I, L, S and M lines, for perf samples.
    pub records: u64,
    /// Accesses, prefetches among them: a modify record is two.
    pub accesses: u64,
    /// Operations between accesses: switches of address space, invalidations, system calls.
    pub operations: u64,
    pub skipped: Vec<Skipped>,
    pub pages_4k: PageCounts,
    pub warnings: Vec<String>,
    /// Where the recording is of samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub sampling: Option<Sampling>,
    /// What was picked of the file; missing = all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub selection: Option<Selection>,
    /// Accesses that were read and not picked, or samples without one.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub left_out: u64,
    /// Whose accesses the file holds, picked or not, by falling count; missing where it does not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<ProcessCount>>"))]
    pub processes: Vec<ProcessCount>,
    /// Processes that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub more_processes: u64,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference, which some targets have larger than the number"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl ImportReport {
    /// Whether there are samples that say something without a data address too: of where the program was, or
    /// of the level of the TLB that had a translation.
    pub fn tells_without_addresses(&self) -> bool {
        self.sampling.iter().any(|sampling| {
            let of_code = |event: &SampledEvent| {
                event.samples > 0 && matches!(event.of, SampleOf::Execution | SampleOf::Other)
            };
            sampling.levels_only > 0 || sampling.events.iter().any(of_code)
        })
    }

    /// # Errors
    /// `bad-trace` if there is nothing to simulate: the recording has samples, but no data addresses.
    pub fn check_any_access(&self) -> Result<()> {
        let faults = self.sampling.as_ref().map_or(0, |sampling| sampling.faults);
        if self.accesses > 0 || faults > 0 || self.records == 0 {
            return Ok(());
        }
        let flushes = self.sampling.iter().flat_map(|sampling| &sampling.flushes);
        if flushes.map(|flushes| flushes.count).sum::<u64>() == self.records {
            let message = format!(
                "it tells {} of the kernel and no access, so there is nothing to simulate: record accesses beside them, with `perf mem record -e tlb:tlb_flush`, or `perf record -e page-faults,tlb:tlb_flush -c 1 -d`",
                counted(self.records, "TLB flush", "TLB flushes")
            );
            return Err(Error::new(ErrorCode::BadTrace, message));
        }
        let message = format!(
            "none of its {} has a data address, so there is nothing to simulate: record with `perf mem record`, or `perf record -e page-faults -c 1 -d` for the first touch of each page, and print with `perf script -F +addr`",
            counted(self.records, "sample", "samples")
        );
        Err(Error::new(ErrorCode::BadTrace, message))
    }
}
