//! What to call the memory that samples are in.

use serde::Serialize;

use pagewalk_analysis::regions::{RegionView, infer};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{PageUse, RegionKind};

use super::pages::{PAGE_BITS, is_kernel};

/// A part of memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyRegion {
    /// The file, `[heap]`, `//anon`, …; `kernel`; or what the use of its pages lets guess.
    pub name: String,
    /// `None` of the kernel, and where nothing is known.
    pub kind: Option<RegionKind>,
    /// No map and no file told it: it is guessed from gaps between pages and from how they are used.
    pub inferred: bool,
}

/// The names of places, and guesses where there is none.
#[derive(Debug)]
pub(super) struct Regions<'a> {
    samples: &'a Samples,
    inferred: Vec<RegionView>,
}

impl<'a> Regions<'a> {
    /// `unplaced` are the pages of which nothing is known, by rising number.
    pub(super) fn new(samples: &'a Samples, unplaced: &[PageUse]) -> Self {
        Self { samples, inferred: infer(unplaced) }
    }

    /// Returns the region of an address, whose place has number `place`, from 1 on; 0 is none.
    pub(super) fn of(&self, address: u64, place: u32) -> SurveyRegion {
        if is_kernel(address) {
            return plain("kernel", None);
        }
        let place = place.checked_sub(1).and_then(|at| self.samples.places().get(at as usize));
        if let Some(place) = place {
            // Memory without a file is told by where it is.
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
