//! Policies, which decide the page size of an address.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use pagewalk_base::addr::PageSize;

/// The policy of a range of memory. JSON holds it as text: `"4K"`, `"2M"`, `"1G"`, `"thp"`, `"hugetlb-2M"`,
/// `"hugetlb-1G"` or `"hugetext"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, type = "string"))]
pub enum PagePolicy {
    /// A first touch maps one page of this size, or of the next smaller size if it does not fit.
    Fixed(PageSize),
    /// Transparent huge pages of anonymous memory, with the settings `thp`.
    Thp,
    /// Only pages of this size, from a hugetlbfs pool.
    Hugetlb(PageSize),
    /// Huge pages for code, with the settings `hugetext`; other memory gets the smallest pages.
    Hugetext,
}

impl PagePolicy {
    /// Reads the text that [`fmt::Display`] writes.
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

/// The values of `/sys/kernel/mm/transparent_hugepage/enabled`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ThpEnabled {
    /// All anonymous memory may have huge pages, except regions with the advice `nohugepage`.
    #[default]
    Always,
    /// Only regions with the advice `hugepage` may have huge pages.
    Madvise,
    Never,
}

/// The advice that the program gives for a region with madvise(2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Advice {
    Hugepage,
    Nohugepage,
}

/// The settings of transparent huge pages (Linux, Documentation/admin-guide/mm/transhuge.rst).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ThpConfig {
    pub enabled: ThpEnabled,
    /// Whether a fault maps a huge page if it fits its region and no part of it is mapped yet. If not, only
    /// khugepaged makes huge pages.
    pub at_fault: bool,
    /// The share of attempts that find no free block for a huge page, in per cent.
    pub fragmentation: u8,
    /// The seed of the draws for `fragmentation`. Each attempt takes one draw.
    pub seed: u64,
    /// The settings of khugepaged. Missing = no khugepaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub khugepaged: Option<KhugepagedConfig>,
}

impl Default for ThpConfig {
    fn default() -> Self {
        let enabled = ThpEnabled::Always;
        Self { enabled, at_fault: true, fragmentation: 0, seed: 1, khugepaged: None }
    }
}

/// The daemon that collapses small pages into huge pages.
///
/// khugepaged wakes up every `every` accesses, and runs before the next translation that misses level 1. Its
/// candidates are the blocks of a huge page's size in which page walks have ended since its last run. Blocks with
/// the most walks come first (ties: the lower process number, then the lower address). khugepaged tries up to
/// `pages` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct KhugepagedConfig {
    /// The number of accesses between two runs, at least 1.
    pub every: u32,
    /// The number of blocks that khugepaged tries in each run, at least 1.
    #[serde(default = "one")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u32>"))]
    pub pages: u32,
    /// The most small pages of a block that may be unmapped. A block with more is skipped. Missing = all but one
    /// (Linux's 511).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ptes_none: Option<u32>,
}

fn one() -> u32 {
    1
}

/// A pool of hugetlbfs pages. `pages` is `nr_hugepages` of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct PoolConfig {
    pub size: PageSize,
    /// The number of pages in the pool at the start of the run.
    pub pages: u64,
    /// Whether mapping a region reserves its pages. Then a region that needs more pages than the pool has is an
    /// error. Without a reservation (`MAP_NORESERVE`), a touch that finds the pool empty is a bus error.
    #[serde(default = "yes")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub reserve: bool,
}

pub(super) fn yes() -> bool {
    true
}

/// Huge pages for code, as in Alibaba Cloud Linux ("hugetext").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct HugetextConfig {
    /// The kinds of code with huge pages: 1 = text of files, 2 = anonymous executable memory, 3 = both.
    pub enabled: u8,
    /// The bytes that the tail of file text must exceed to get a padded huge page. The tail is the text after the
    /// last whole huge page. 0 = never. Must be less than the size of a huge page.
    pub pad_threshold: u64,
    /// The most huge pages for code in each process. The blocks with the most fetches in the trace get them (ties: the
    /// lower address). Missing = no limit. With `adaptive`, it is the highest cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The search for the number of huge pages while the program runs. Missing = `max` is the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<AdaptiveConfig>,
}

/// A cap on the huge pages for code of all processes, found by hill climbing while the program runs.
///
/// Code starts in small pages, with a cap of 0. The cap moves after every window of `every` accesses, from the first
/// window with a fetch on. It first moves up by `step`. The cap keeps its direction while a window takes no more
/// cycles of translation (level-2 hits and walks) than the previous window. Otherwise the cap goes back by half as
/// much, but at least by 1. The direction also reverses at 0, at `max`, and when every fetched block of code has a
/// huge page.
///
/// The blocks with the most fetches in the window then get huge pages, up to the cap. Ties go to blocks that have a
/// huge page, then to the lower process number, then to the lower address. All other blocks are split. Both changes
/// cause shootdowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct AdaptiveConfig {
    /// The number of accesses in a window, at least 1.
    pub every: u32,
    /// The first step of the cap in huge pages, at least 1.
    #[serde(default = "eight")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<u32>"))]
    pub step: u32,
}

fn eight() -> u32 {
    8
}

impl HugetextConfig {
    /// Returns whether the fetches of the whole trace decide which code gets huge pages.
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
