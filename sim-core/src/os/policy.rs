//! What decides the size of an address's page.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use pagewalk_base::addr::PageSize;

/// What gives an address its page: written `"4K"`, `"2M"`, `"1G"`, `"thp"`, `"hugetlb-2M"`,
/// `"hugetlb-1G"` or `"hugetext"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, type = "string"))]
pub enum PagePolicy {
    /// A first touch maps one page of this size, or of the next smaller where it does not fit.
    Fixed(PageSize),
    /// Transparent huge pages: of anonymous memory, as `thp` says.
    Thp,
    /// hugetlbfs: pages of this size from a pool, and no others.
    Hugetlb(PageSize),
    /// Huge pages for code, as `hugetext` says; the rest is mapped with the smallest pages.
    Hugetext,
}

impl PagePolicy {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "thp" => Some(Self::Thp),
            "hugetext" => Some(Self::Hugetext),
            _ => match text.strip_prefix("hugetlb-") {
                Some(size) => PageSize::parse(size).map(Self::Hugetlb),
                None => PageSize::parse(text).map(Self::Fixed),
            },
        }
    }
}

impl fmt::Display for PagePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(size) => size.fmt(f),
            Self::Thp => f.write_str("thp"),
            Self::Hugetlb(size) => write!(f, "hugetlb-{size}"),
            Self::Hugetext => f.write_str("hugetext"),
        }
    }
}

impl Serialize for PagePolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PagePolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            de::Error::custom(format!(
                "`{text}` is neither a page size, such as \"4K\", \"2M\" or \"1G\", nor \"thp\", \
                 \"hugetlb-2M\", \"hugetlb-1G\" or \"hugetext\""
            ))
        })
    }
}

/// `/sys/kernel/mm/transparent_hugepage/enabled`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ThpEnabled {
    /// All anonymous memory, but regions with the advice `nohugepage`.
    #[default]
    Always,
    /// Regions with the advice `hugepage`.
    Madvise,
    Never,
}

/// What the program told the system of a region: madvise(2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Advice {
    Hugepage,
    Nohugepage,
}

/// Transparent huge pages: Linux, Documentation/admin-guide/mm/transhuge.rst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ThpConfig {
    pub enabled: ThpEnabled,
    /// Whether a fault maps a huge page where a whole one fits its region and nothing of it is
    /// mapped yet. If not, only khugepaged makes huge pages.
    pub at_fault: bool,
    /// Per cent of the attempts that find no free block of memory for a huge page; 0 to 100.
    pub fragmentation: u8,
    /// Seed of the draws that `fragmentation` takes, one for every attempt.
    pub seed: u64,
    /// Missing = no khugepaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub khugepaged: Option<KhugepagedConfig>,
}

impl Default for ThpConfig {
    fn default() -> Self {
        let enabled = ThpEnabled::Always;
        Self { enabled, at_fault: true, fragmentation: 0, seed: 1, khugepaged: None }
    }
}

/// The daemon that makes huge pages of small ones.
///
/// Every `every` accesses it wakes up, and does its work before the first translation after
/// that which misses level 1. It takes the huge-page-sized blocks that page walks have ended in since it
/// last worked, those with the most walks first (of equal ones the lower process number, then
/// the lower address), and tries up to `pages` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct KhugepagedConfig {
    /// Accesses from one time to the next, at least 1.
    pub every: u32,
    /// Blocks that it tries each time, at least 1.
    #[serde(default = "one")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u32>"))]
    pub pages: u32,
    /// It leaves a block alone in which more small pages than this are not mapped;
    /// missing = all but one (Linux's 511).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ptes_none: Option<u32>,
}

fn one() -> u32 {
    1
}

/// A pool of hugetlbfs pages: `nr_hugepages` of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PoolConfig {
    pub size: PageSize,
    /// Pages in the pool when the run begins.
    pub pages: u64,
    /// Whether mapping a region sets its pages aside: one that needs more than the pool has is an
    /// error then. If not (`MAP_NORESERVE`), a touch that finds the pool empty is a bus error.
    #[serde(default = "yes")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub reserve: bool,
}

pub(super) fn yes() -> bool {
    true
}

/// Huge pages for code, as Alibaba Cloud Linux has them ("hugetext").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct HugetextConfig {
    /// 1 = text of files, 2 = anonymous executable memory, 3 = both.
    pub enabled: u8,
    /// The tail of file text beyond the last whole huge page gets one too, padded, if it has
    /// more bytes than this; 0 = never. Below the huge page's size.
    pub pad_threshold: u64,
    /// Huge pages for code at most, in each process: those with the most fetches in the trace get
    /// them (of equal ones the lower address). Missing = no limit. With `adaptive`, no cap is above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// How many get one is found while the program runs. Missing = `max` says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<AdaptiveConfig>,
}

/// A cap on the huge pages for code of all processes that is found while the program runs, by hill
/// climbing.
///
/// Code begins in small pages, with a cap of 0. After every window of `every` accesses, from the first in which
/// code is fetched, the cap moves by
/// `step`: up at first, on in the same direction as long as a window takes no more cycles of translation
/// (hits of level 2, and walks) than the one before, else back, by half as much, but at least 1. At 0, at
/// `max`, and where every block of code that was fetched has a huge page, it turns round. Then the blocks
/// with the most fetches in that window get huge pages, up to the cap (of equal ones those that have one,
/// then the lower process number, then the lower address); all others are split. Cores are told of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct AdaptiveConfig {
    /// Accesses of a window, at least 1.
    pub every: u32,
    /// Huge pages by which the cap moves at first, at least 1.
    #[serde(default = "eight")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u32>"))]
    pub step: u32,
}

fn eight() -> u32 {
    8
}

impl HugetextConfig {
    /// Returns whether the fetches of a whole trace say which code gets huge pages.
    pub(super) fn is_ranked_by_trace(&self) -> bool {
        self.max.is_some() && self.adaptive.is_none()
    }
}

impl Default for HugetextConfig {
    fn default() -> Self {
        Self { enabled: 3, pad_threshold: 0, max: None, adaptive: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read_and_written_as_people_do() {
        for text in ["4K", "2M", "64", "thp", "hugetlb-2M", "hugetlb-1G", "hugetext"] {
            assert_eq!(PagePolicy::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "THP", "hugetlb", "hugetlb-", "hugetlb-3M", "hugetext-4", "2"] {
            let read = PagePolicy::parse(text).map(|policy| policy.to_string());
            assert!(read.is_none() || read.as_deref() == Some(text), "{text}");
        }
        assert_eq!(PagePolicy::parse("hugetlb-3M"), None);
    }
}
