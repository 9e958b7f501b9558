//! The ranges that may become huge pages: their addresses, their used pages, and the mapping with some of them huge.

use std::collections::{BTreeMap, BTreeSet};

use super::advisor::Advisor;
use super::{HugeOptions, HugePoint, HugeSetup};
use crate::recorded_pages::with;
use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::os::{OsConfig, PagePolicy, RegionConfig};
use pagewalk::run::window::Span;
use pagewalk_base::addr::{PageSize, Paging};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Kind, RUN_PAGE_BITS, Trace};

impl Advisor {
    /// Returns a setup with the picks, and `more`, as huge pages, and a point with the counts of its memory.
    pub(super) fn setup_with(&self, more: Option<u64>) -> (HugeSetup, HugePoint) {
        self.setup_of(&self.chosen.iter().copied().chain(more).collect())
    }

    /// Returns a setup with these ranges as huge pages, and a point with the counts of its memory.
    pub(super) fn setup_of(&self, sorted: &BTreeSet<u64>) -> (HugeSetup, HugePoint) {
        let HugeOptions { pages, huge, .. } = self.options;
        let regions = sorted.iter().map(|range| {
            let start = self.start_of(*range);
            let end = start.saturating_add(huge.bytes());
            RegionConfig::new(start, end, PagePolicy::Fixed(huge))
        });
        let mut setup = self.setup.clone();
        setup.os.default = PagePolicy::Fixed(pages);
        setup.os.regions = with(&self.setup.already, regions.collect());
        let extra = |range: &u64| huge.bytes().saturating_sub(self.touched_bytes(*range));
        let point = HugePoint {
            huge_pages: u32::try_from(sorted.len()).unwrap_or(u32::MAX),
            extra_bytes: sorted.iter().map(extra).sum(),
            ..HugePoint::default()
        };
        (setup, point)
    }

    /// Returns the first address of a range as the machine translates it.
    pub(super) fn start_of(&self, range: u64) -> u64 {
        let start = range << self.options.huge.shift();
        self.setup.machine.geometry().map_or(start, |paging| paging.rule().extend(start))
    }

    /// Returns whether a range has huge pages, or larger ones, before any pick.
    pub(super) fn is_huge_already(&self, range: u64) -> bool {
        let start = self.start_of(range);
        self.setup.already.iter().any(|region| {
            matches!(region.pages, PagePolicy::Fixed(size) if size >= self.options.huge)
                && (region.start.0..region.end.0).contains(&start)
        })
    }

    pub(super) fn touched_bytes(&self, range: u64) -> u64 {
        let pages = self.touched.get(&range).copied().unwrap_or(0);
        pages << self.options.pages.shift().max(RUN_PAGE_BITS)
    }
}

/// The instructions of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Instructions {
    /// Fetches, or all accesses if the trace has no fetches.
    pub(super) n: u64,
    pub(super) are_fetches: bool,
}

/// Returns the number of counted fetches, or of all counted accesses if there are no fetches.
pub(super) fn instructions(trace: &Trace, span: &Span) -> Instructions {
    let counted = span.counted.clone();
    let fetches = if counted == (0..trace.len()) {
        trace.count(Kind::Fetch)
    } else {
        let n = (counted.end - counted.start) as usize;
        let accesses = trace.accesses_from(counted.start).take(n);
        accesses.filter(|access| access.kind.is_fetch()).count() as u64
    };
    let are_fetches = fetches > 0;
    let n = if are_fetches { fetches } else { u64::from(counted.end - counted.start) };
    Instructions { n, are_fetches }
}

/// Returns the number of distinct used pages in each range. A trace keeps pages of 4 KiB, so smaller pages are
/// counted as pages of 4 KiB.
pub(super) fn touched(trace: &Trace, options: HugeOptions, paging: &Paging) -> BTreeMap<u64, u64> {
    let (rule, mask) = (paging.rule(), paging.va_mask());
    let shift = options.pages.shift().max(RUN_PAGE_BITS) - RUN_PAGE_BITS;
    let mut ranges = BTreeMap::new();
    let mut last = None;
    let pages = trace.pages_without(rule.tags);
    for page in pages.iter().filter(|page| rule.accepts(page.page.start())) {
        let number = page.page.0 >> shift;
        if last.replace(number) != Some(number) {
            let address = number << shift << RUN_PAGE_BITS;
            let range = (address & mask) >> options.huge.shift();
            *ranges.entry(range).or_insert(0) += 1;
        }
    }
    ranges
}

pub(super) fn check_size(config: &MachineConfig, field: &str, size: PageSize) -> Result<()> {
    Machine::new(config, &OsConfig::of(size)).map(drop).map_err(|error| match error.at {
        Some(pagewalk_base::error::Place::Field(at)) if at.starts_with("os.") => {
            Error::config(field, error.message)
        }
        _ => error,
    })
}
