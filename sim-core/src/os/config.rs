//! The configuration of an operating system as JSON: `--os FILE.json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::given::Given;
use super::policy::{Advice, HugetextConfig, PagePolicy, PoolConfig, ThpConfig, ThpEnabled, yes};
use super::virt::{Virt, is_native};
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::error::Result;
use pagewalk_base::json::read_tree;
use pagewalk_base::trace::RegionKind;

/// The order in which frames are assigned to pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Frames {
    #[default]
    Sequential,
    /// A fixed permutation of every 4096 pages.
    Shuffled,
    /// Each page has the frame that the trace recorded for it. Other pages get frames in order.
    Recorded,
}

/// The source of regions that the configuration does not list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum MapSource {
    /// The memory map of the trace. A trace without a map has the regions inferred from its addresses, if the policy
    /// depends on the contents of memory.
    #[default]
    Trace,
    /// The page sizes that the recording measured. A trace without them has the policy, and its memory map.
    Recorded,
    /// Regions inferred from the addresses that the trace touches, even if the trace has a memory map.
    Inferred,
    /// No regions.
    None,
}

/// The owner of the upper half of the address space: the addresses whose highest bit is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum UpperHalf {
    /// Each process has its own tables and pages.
    #[default]
    Own,
    /// All processes share the kernel's tables and pages, and its translations are global. The half has its own root
    /// table, as with Arm's `TTBR1_EL1`. On a processor whose root tables cover both halves, each root has the same
    /// entries for the upper half.
    Shared,
}

/// A range of virtual addresses with its own policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct RegionConfig {
    pub start: Hex,
    /// The first address after the region.
    pub end: Hex,
    pub pages: PagePolicy,
    /// The contents of the region. Missing = unknown; such memory is mapped like anonymous memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<RegionKind>,
    /// The file offset at which the region starts. Huge pages of file text need an address that is congruent to the
    /// offset modulo their size. Missing = congruent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
    /// Whether every page is mapped when its process first runs: `MAP_POPULATE`, `-mem-prealloc`, `AlwaysPreTouch`.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub pretouch: bool,
    /// Whether the pages are private and shared until written, as after fork(2). The first store to a page copies
    /// it.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub copy_on_write: bool,
    /// Whether the contents are in memory. If not, they are in a swap area or in a file that is not cached, so the
    /// first touch of a page is a major fault.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub resident: bool,
}

impl RegionConfig {
    /// Creates a region with a policy and defaults for everything else.
    pub fn new(start: u64, end: u64, pages: PagePolicy) -> Self {
        Self {
            start: Hex(start),
            end: Hex(end),
            pages,
            kind: None,
            offset: None,
            advice: None,
            pretouch: false,
            copy_on_write: false,
            resident: true,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
fn is_true(value: &bool) -> bool {
    *value
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The configuration of an operating system, and of the host of a virtual machine: how memory is mapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct OsConfig {
    /// The policy outside the regions.
    pub default: PagePolicy,
    pub regions: Vec<RegionConfig>,
    pub frames: Frames,
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<MapSource>"))]
    pub map: MapSource,
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<UpperHalf>"))]
    pub upper_half: UpperHalf,
    /// The settings of the policy `thp`.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<ThpConfig>"))]
    pub thp: ThpConfig,
    /// The pools of the policies `hugetlb-*`. A size without a pool never runs out of pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<PoolConfig>>"))]
    pub hugetlb: Vec<PoolConfig>,
    /// The settings of the policy `hugetext`.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<HugetextConfig>"))]
    pub hugetext: HugetextConfig,
    /// The virtualisation. With `ept` or `shadow`, the fields above describe the guest.
    #[serde(skip_serializing_if = "is_native")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Virt>"))]
    pub virt: Virt,
    /// The configuration of the host, which maps the guest's memory. Its addresses are guest-physical. Missing =
    /// pages of 4K under `ept`, and pages as large as the guest's under `shadow`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<Box<OsConfig>>,
    /// The page table and the TLB before the first access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<Given>,
}

impl Default for OsConfig {
    fn default() -> Self {
        Self::of(PageSize::K4)
    }
}

impl OsConfig {
    /// Reads a configuration from a tree.
    ///
    /// # Errors
    /// `bad-config` with the field.
    #[inline(never)]
    pub fn from_tree(tree: &Value) -> Result<Self> {
        read_tree(tree)
    }

    /// Creates a configuration with pages of one size everywhere.
    pub fn of(size: PageSize) -> Self {
        Self {
            default: PagePolicy::Fixed(size),
            regions: Vec::new(),
            frames: Frames::Sequential,
            map: MapSource::Trace,
            upper_half: UpperHalf::Own,
            thp: ThpConfig::default(),
            hugetlb: Vec::new(),
            hugetext: HugetextConfig::default(),
            virt: Virt::Native,
            host: None,
            given: None,
        }
    }

    /// Returns whether the memory map and the addresses of a trace decide how its memory is mapped. If so, the whole
    /// trace must be read before a run.
    pub fn needs_map(&self) -> bool {
        let by_kind = !matches!(self.default, PagePolicy::Fixed(_)) && self.map != MapSource::None;
        by_kind || self.map == MapSource::Inferred || self.hugetext.is_ranked_by_trace()
    }

    /// Reads a policy for all memory: a policy of [`PagePolicy::parse`], or `thp-always`, `thp-madvise`,
    /// `thp-never`, `hugetext-1`, `hugetext-2`, `hugetext-3`.
    pub fn shorthand(text: &str) -> Option<Self> {
        use ThpEnabled::{Always, Madvise, Never};
        let mut os = Self::default();
        os.default = match text {
            "thp-always" | "thp-madvise" | "thp-never" => {
                os.thp.enabled = match text {
                    "thp-always" => Always,
                    "thp-madvise" => Madvise,
                    _ => Never,
                };
                PagePolicy::Thp
            }
            "hugetext-1" | "hugetext-2" | "hugetext-3" => {
                os.hugetext.enabled = text.as_bytes()[text.len() - 1] - b'0';
                PagePolicy::Hugetext
            }
            _ => PagePolicy::parse(text)?,
        };
        Some(os)
    }

    /// Replaces the policy for memory outside the regions by that of `word`, which [`Self::shorthand`] has made.
    /// Removes the settings that then have no effect, and the page sizes of the recording.
    pub fn map_with(&mut self, word: &Self) {
        self.default = word.default;
        if self.map == MapSource::Recorded {
            self.map = MapSource::Trace;
        }
        (self.thp.enabled, self.hugetext.enabled) = (word.thp.enabled, word.hugetext.enabled);
        self.remove_idle();
    }

    /// Returns the policy for memory outside the regions, as [`Self::shorthand`] reads it.
    pub fn name(&self) -> String {
        match self.default {
            PagePolicy::Thp if self.thp.enabled == ThpEnabled::Madvise => "thp-madvise".to_owned(),
            PagePolicy::Thp if self.thp.enabled == ThpEnabled::Never => "thp-never".to_owned(),
            PagePolicy::Hugetext if self.hugetext.enabled != 3 => {
                format!("hugetext-{}", self.hugetext.enabled)
            }
            policy => policy.to_string(),
        }
    }
}
