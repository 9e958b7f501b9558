//! The report of an import, which `pagewalk import --json` prints.

use std::fmt;

use serde::{Deserialize, Serialize};

use pagewalk_base::error::{Error, ErrorCode, Remedy, Result};
use pagewalk_base::json::is_false;
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::{Completeness, PageCounts};

use super::census::ProcessCount;
use super::lackey;
use super::select::Selection;

/// The number of records that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Skipped {
    pub reason: String,
    pub count: u64,
}

/// What the samples of an event are taken of, and therefore what their addresses mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum SampleOf {
    /// Page faults.
    Faults,
    /// Memory accesses.
    Accesses,
    /// Time or instructions: where the program runs, and how often.
    Execution,
    /// TLB flushes that the kernel reported.
    Flushes,
    /// Any other event. The addresses show where the event happened.
    #[default]
    Other,
}

/// An event of a sampled recording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SampledEvent {
    /// The name that the recording tool gives it.
    pub name: String,
    pub of: SampleOf,
    /// How complete the samples are, compared with what the event counts.
    pub completeness: Completeness,
    /// The number of occurrences per sample, if it is fixed and known.
    pub period: Option<u64>,
    /// The requested samples per second, if the period follows from that.
    pub frequency: Option<u64>,
    pub samples: u64,
    /// The number of samples with a known data address.
    pub accesses: u64,
}

/// The numbers of sampled accesses by what the processor reported about its TLB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct MeasuredTlb {
    /// Hits of level 1.
    pub l1: u64,
    /// Hits of level 2.
    pub l2: u64,
    /// Hits of either level, if the processor does not distinguish them.
    pub no_walk: u64,
    /// Misses of the last level: page walks.
    pub walk: u64,
    /// Accesses without a report.
    pub unknown: u64,
}

/// The number of sampled accesses to pages of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct MeasuredPages {
    pub bytes: u64,
    pub accesses: u64,
}

/// The TLB flushes for one reason, from the kernel's tracepoint. They are counted, not simulated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct TlbFlushes {
    /// The name that the kernel gives the reason.
    pub reason: String,
    pub count: u64,
    /// The number of flushes of all pages.
    pub whole: u64,
    /// The number of pages in the other flushes.
    pub pages: u64,
}

/// How a sampled recording was made, and what it measured on the real machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Sampling {
    pub events: Vec<SampledEvent>,
    /// The number of records that were lost while recording, according to the file.
    pub lost: u64,
    /// Accesses by the kernel's code, without those in guests.
    pub kernel: u64,
    /// Accesses inside virtual machines, whose addresses are of another address space.
    pub guest: u64,
    /// Accesses to addresses in the upper half, which belongs to the kernel.
    pub kernel_addresses: u64,
    /// Accesses of unknown kind, which are read as loads.
    pub unknown_kind: u64,
    /// Page faults from a tracepoint. Their samples have no data address, so they are not among the accesses.
    /// They are still simulated, as the first touches of their pages.
    pub faults: u64,
    /// Samples without a data address for which the processor reported the level of the TLB.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub levels_only: u64,
    /// TLB flushes from a tracepoint, by reason; missing if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<TlbFlushes>>"))]
    pub flushes: Vec<TlbFlushes>,
    pub tlb: MeasuredTlb,
    /// The page sizes of the accesses, in ascending order; empty if no size was recorded.
    pub page_sizes: Vec<MeasuredPages>,
}

/// How the warning about a limit begins.
pub(super) const AT_LIMIT: &str = "The import stopped at the limit";

/// A sentence about an import that the user should read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Warning {
    Text(String),
    /// The sentence, and something that the user can set if the import is not what it should be.
    WithRemedy {
        text: String,
        remedy: Remedy,
    },
}

impl Warning {
    /// Returns whether the sentence says only that the trace ends before the program or the file. Who recorded the program
    /// knows why.
    pub fn is_about_end(&self) -> bool {
        match self {
            Self::Text(text) => text.starts_with(AT_LIMIT) || text.ends_with(lackey::NO_END),
            Self::WithRemedy { .. } => false,
        }
    }

    /// Makes a warning with a remedy.
    pub(super) fn with(text: impl Into<String>, remedy: Remedy) -> Self {
        Self::WithRemedy { text: text.into(), remedy }
    }
}

impl From<String> for Warning {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Warning {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Writes the sentence with its remedy, as the command line words it.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::WithRemedy { text, remedy } => f.write_str(&remedy.after(text)),
        }
    }
}

/// What the file is, what it holds, and what it does not record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ImportReport {
    /// The name of the format: `lackey`, `csv`, `champsim`, ….
    pub format: String,
    pub completeness: Completeness,
    /// Whether the file has more accesses, or says that it is partial. A limit, a window or a selection can
    /// leave accesses out.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub part: bool,
    /// Whether the columns of a list are a guess, because no header names them. Then even a list that holds every
    /// access can be read as something else.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub guessed: bool,
    /// The number of records of the format: I, L, S and M lines for lackey, samples for perf.
    pub records: u64,
    /// The number of accesses, including prefetches. A modify record counts as two.
    pub accesses: u64,
    /// The number of operations between accesses: process switches, invalidations, system calls.
    pub operations: u64,
    pub skipped: Vec<Skipped>,
    pub pages_4k: PageCounts,
    pub warnings: Vec<Warning>,
    /// How the samples were taken, if the file is a recording of samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub sampling: Option<Sampling>,
    /// The page size in bytes of the recorded machine, if the trace states it.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub page_size: u64,
    /// The selected part of the file; missing if it is all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub selection: Option<Selection>,
    /// The number of accesses, and of samples without an access, that were read but not selected.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u64>"))]
    pub left_out: u64,
    /// The processes of the file, selected or not, sorted by count; missing if the file names none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<ProcessCount>>"))]
    pub processes: Vec<ProcessCount>,
    /// The number of processes that are not listed.
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
    /// Words the remedies of the warnings as the command line does, so that all warnings are texts.
    pub fn word_remedies(&mut self) {
        for warning in &mut self.warnings {
            *warning = Warning::Text(warning.to_string());
        }
    }

    /// Returns whether some samples are useful without a data address, because they show where the program
    /// was or which level of the TLB hit.
    pub fn is_useful_without_addresses(&self) -> bool {
        self.sampling.iter().any(|sampling| {
            let of_code = |event: &SampledEvent| {
                event.samples > 0 && matches!(event.of, SampleOf::Execution | SampleOf::Other)
            };
            sampling.levels_only > 0 || sampling.events.iter().any(of_code)
        })
    }

    /// Checks that there is something to simulate.
    ///
    /// # Errors
    /// `bad-trace` if the recording has samples but no data addresses.
    pub fn check_any_access(&self) -> Result<()> {
        let faults = self.sampling.as_ref().map_or(0, |sampling| sampling.faults);
        if self.accesses > 0 || faults > 0 || self.records == 0 {
            return Ok(());
        }
        let flushes = self.sampling.iter().flat_map(|sampling| &sampling.flushes);
        if flushes.map(|flushes| flushes.count).sum::<u64>() == self.records {
            let message = format!(
                "it has {} of the kernel but no accesses, so there is nothing to simulate: record accesses as well, with `perf mem record -e tlb:tlb_flush`, or `perf record -e page-faults,tlb:tlb_flush -c 1 -d`",
                counted(self.records, "TLB flush", "TLB flushes")
            );
            return Err(Error::new(ErrorCode::BadTrace, message));
        }
        let message = format!(
            "none of its {} has a data address, so there is nothing to simulate: {}record with `perf mem record`, or `perf record -e page-faults -c 1 -d` for the first touch of each page, and print with `perf script -F +addr`",
            counted(self.records, "sample", "samples"),
            if self.is_useful_without_addresses() {
                "see where the program was with `pagewalk samples`, or "
            } else {
                ""
            }
        );
        Err(Error::new(ErrorCode::BadTrace, message))
    }
}

/// Writes a number of things, such as `1 line` and `2,000 lines`.
pub(super) fn counted(n: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { several })
}
