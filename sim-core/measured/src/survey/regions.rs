//! The names of the memory regions of samples.

use serde::Serialize;

use pagewalk_analysis::regions::{RegionView, infer};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{PageUse, RegionKind};

use super::pages::{PAGE_BITS, is_kernel};

/// A part of memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyRegion {
    /// The file, `[heap]`, `//anon`, …; `kernel`; or a name inferred from the use of its pages.
    pub name: String,
    /// The kind; `None` for the kernel and for unknown memory.
    pub kind: Option<RegionKind>,
    /// Whether the region is inferred from gaps between pages and from their use, because no memory map and no
    /// file names it.
    pub inferred: bool,
}

/// The regions of places, and inferred regions for pages without a place.
#[derive(Debug)]
pub(super) struct Regions<'a> {
    samples: &'a Samples,
    inferred: Vec<RegionView>,
}

impl<'a> Regions<'a> {
    /// Creates the regions. `unplaced` has the pages without a place, by rising number.
    pub(super) fn new(samples: &'a Samples, unplaced: &[PageUse]) -> Self {
        Self { samples, inferred: infer(unplaced) }
    }

    /// Returns the region of an address. `place` is the number of its place, from 1 on; 0 = none.
    pub(super) fn of(&self, address: u64, place: u32) -> SurveyRegion {
        if is_kernel(address) {
            return plain("kernel", None);
        }
        let place = place.checked_sub(1).and_then(|at| self.samples.places().get(at as usize));
        if let Some(place) = place {
            // Memory without a file is named by its addresses.
            let is_anonymous = matches!(place.kind, RegionKind::Anonymous | RegionKind::Jit);
            let has_name = place.name.starts_with('[') || place.name.starts_with('/');
            if is_anonymous && (!has_name || place.name.starts_with("//anon")) {
                return plain(&format!("{:#x}–{:#x}", place.start, place.end), Some(place.kind));
            }
            return plain(&place.name, Some(place.kind));
        }
        let page = address >> PAGE_BITS << PAGE_BITS;
        let inferred = self.inferred.iter().find(|region| {
            // A range of 2M may begin before its first page.
            region.start.0 < page.saturating_add(1 << 21) && page < region.end.0
        });
        match inferred {
            Some(region) => {
                SurveyRegion { name: region.name.clone(), kind: Some(region.kind), inferred: true }
            }
            None => SurveyRegion { name: "unknown".to_owned(), kind: None, inferred: true },
        }
    }
}

fn plain(name: &str, kind: Option<RegionKind>) -> SurveyRegion {
    SurveyRegion { name: name.to_owned(), kind, inferred: false }
}
