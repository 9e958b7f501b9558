//! The timeline: outcomes over time, and accesses by address and time.

use std::ops::Range;

use serde::Serialize;

use crate::attribution::{Filter, Kept};
use crate::regions::RegionView;
use crate::used_pages::UsedPages;
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::run::replay::{Paths, Replay};
use pagewalk_base::addr::{AddressTags, PageSize};
use pagewalk_base::trace::{Kind, Trace};

/// The rows and columns of the picture of addresses over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct TimelineView {
    /// First access shown.
    pub from: u32,
    /// The first access after those shown.
    pub to: u32,
    /// Columns of equal width in accesses (the last may be narrower).
    pub bins: u32,
    pub rows: u32,
    /// The size of the pages that the regions count.
    pub page_size: PageSize,
    pub regions: Vec<RegionView>,
}

/// Counts over a window of the trace. Cell `(row, bin)` is at `row * bins + bin`.
#[derive(Debug)]
pub struct Timeline {
    pub view: TimelineView,
    pub translations: Vec<u32>,
    pub l2_hits: Vec<u32>,
    pub walks: Vec<u32>,
    pub faults: Vec<u32>,
    /// Accesses that an exception ended without a translation. They are included in `translations`.
    pub exceptions: Vec<u32>,
    /// Operations before the accesses of each bin. The last bin of a trace also has the operations at its end.
    pub operations: Vec<u32>,
    pub density: Vec<u32>,
    pub cell_walks: Vec<u32>,
    pub cell_faults: Vec<u32>,
    pub cell_exceptions: Vec<u32>,
    /// The number of accesses in a bin.
    width: u32,
    rows: RowMap,
    /// The tags that the machine ignores.
    tags: Option<AddressTags>,
    at: u32,
    machine: Option<Machine>,
    paths: Paths,
    /// The accesses that are simulated. The others have only a density.
    simulated: Range<u32>,
    /// The access that was translated last, to detect the second translation of an access.
    last_index: Option<u32>,
    filter: Option<Filtered>,
}

/// A filter, and the accesses of the current chunk that it keeps.
#[derive(Debug)]
struct Filtered {
    filter: Filter,
    /// The filter on the trace, from the first look on.
    kept: Option<Kept>,
    tags: Option<AddressTags>,
    /// The address of the last fetch.
    fetched: Option<u64>,
    /// For each access being counted, from `first` on: whether it matches the filter.
    first: u32,
    fits: Vec<bool>,
}

/// The most columns that a timeline may have.
const MAX_BINS: u32 = 1 << 14;
const MAX_CELLS: u64 = 1 << 22;

impl Timeline {
    /// Creates an empty timeline of accesses `from..to` in at most `bins` columns and about `rows` rows.
    /// [`Timeline::go_on`] fills it.
    pub fn new(replay: &Replay, from: u32, to: u32, bins: u32, rows: u32) -> Self {
        let trace = replay.trace();
        let to = to.min(trace.len());
        let from = from.min(to);
        let width = (to - from).div_ceil(bins.clamp(1, MAX_BINS)).max(1);
        let bins = (to - from).div_ceil(width).max(1);
        let most = u32::try_from(MAX_CELLS / u64::from(bins)).unwrap_or(u32::MAX);
        let tags = replay.machine().address_tags();
        let rows = RowMap::new(trace, replay.machine(), rows.clamp(1, most));
        let n_cells = bins as usize * rows.n_rows as usize;
        let zeros = |n: usize| vec![0; n];
        Self {
            view: TimelineView {
                from,
                to,
                bins,
                rows: rows.n_rows,
                page_size: rows.pages.size(),
                regions: rows.regions.clone(),
            },
            translations: zeros(bins as usize),
            l2_hits: zeros(bins as usize),
            walks: zeros(bins as usize),
            faults: zeros(bins as usize),
            exceptions: zeros(bins as usize),
            operations: operations(trace, from..to, width, bins),
            density: zeros(n_cells),
            cell_walks: zeros(n_cells),
            cell_faults: zeros(n_cells),
            cell_exceptions: zeros(n_cells),
            width,
            rows,
            tags,
            at: from,
            machine: Some(replay.machine_before(from)),
            paths: replay.paths(),
            simulated: replay.span().simulated.clone(),
            last_index: None,
            filter: None,
        }
    }

    /// Shows only the accesses that the filter keeps. The machine still simulates all accesses.
    #[must_use]
    pub fn only(self, filter: Filter) -> Self {
        let filtered = Filtered {
            filter,
            kept: None,
            tags: self.tags,
            fetched: None,
            first: 0,
            fits: Vec::new(),
        };
        Self { filter: Some(filtered), ..self }
    }

    /// Counts at least `n` more accesses. Returns true if the timeline is complete.
    pub fn go_on(&mut self, trace: &Trace, n: u32) -> bool {
        let end = self.at.saturating_add(n).min(self.view.to);
        while self.at < end {
            let chunk = trace.chunk_of(self.at);
            let to = (chunk.first + chunk.n).min(self.view.to);
            if let Some(filtered) = &mut self.filter {
                filtered.look(trace, self.at, to);
            }
            self.count_accesses(trace, to);
            // The machine is moved out of `self` while the closure borrows `self`.
            let Some(mut machine) = self.machine.take() else { break };
            let Range { start, end } = self.simulated;
            let (from, until) = (self.at.max(start), to.min(end));
            let paths = self.paths;
            let mut observe = |done: &Translation| self.translated(done);
            paths.follow(&mut machine, trace, (from, until), &mut Endings(&mut observe));
            self.machine = Some(machine);
            self.at = to;
        }
        self.at == self.view.to
    }

    fn count_accesses(&mut self, trace: &Trace, to: u32) {
        let mut bin = (self.at - self.view.from) / self.width;
        let mut bin_end = self.view.from + (bin + 1) * self.width;
        // Keeps the page and row of the last fetch and of the last data access, because most accesses stay on
        // that page.
        let mut recent = [(u64::MAX, 0); 2];
        for (index, access) in (self.at..to).zip(trace.accesses_from(self.at)) {
            if index == bin_end {
                bin += 1;
                bin_end = bin_end.saturating_add(self.width);
            }
            if self.hides(index) {
                continue;
            }
            let page = self.rows.pages.number_of(access.without(self.tags).address);
            let recent = &mut recent[usize::from(!access.kind.is_fetch())];
            if recent.0 != page {
                *recent = (page, self.rows.row_of(page));
            }
            let counts = access.kind != Kind::Prefetch && self.simulated.contains(&index);
            self.translations[bin as usize] += u32::from(counts);
            self.density[(recent.1 * self.view.bins + bin) as usize] += 1;
        }
    }
}

impl Filtered {
    /// Applies the filter to accesses `from..to`, which must be in one chunk.
    fn look(&mut self, trace: &Trace, from: u32, to: u32) {
        let chunk = trace.chunk_of(from);
        self.first = from;
        self.fits.clear();
        let Self { kept, filter, tags, .. } = self;
        let kept = kept.get_or_insert_with(|| Kept::new(filter, trace, *tags));
        for (index, access) in (chunk.first..to).zip(chunk.accesses()) {
            let access = access.without(self.tags);
            if access.kind.is_fetch() {
                self.fetched = Some(access.address);
            }
            if index >= from {
                let ip = access.ip.or(self.fetched);
                self.fits.push(kept.fits(trace, index, access.address, ip));
            }
        }
    }
}

/// Returns the number of operations in each bin.
fn operations(trace: &Trace, range: Range<u32>, width: u32, bins: u32) -> Vec<u32> {
    let mut counts = vec![0; bins as usize];
    for (before, _) in trace.ops() {
        // Operations after the last access are counted in the bin of that access.
        let at = before.min(trace.len().saturating_sub(1));
        if range.contains(&at) {
            counts[((at - range.start) / width) as usize] += 1;
        }
    }
    counts
}

impl Timeline {
    /// Returns whether the filter excludes an access.
    fn hides(&self, index: u32) -> bool {
        let fits = |filtered: &Filtered| {
            let at = index.checked_sub(filtered.first).map(|at| at as usize);
            at.and_then(|at| filtered.fits.get(at)).copied().unwrap_or(false)
        };
        self.filter.as_ref().is_some_and(|filtered| !fits(filtered))
    }

    fn translated(&mut self, done: &Translation) {
        if done.kind == Kind::Prefetch || self.hides(done.index) {
            return;
        }
        let second = self.last_index.replace(done.index) == Some(done.index);
        if done.outcome == Outcome::L1Hit && !second {
            return;
        }
        let bin = ((done.index - self.view.from) / self.width) as usize;
        self.translations[bin] += u32::from(second);
        let (column, cells) = match done.outcome {
            Outcome::L1Hit => return,
            Outcome::L2Hit => {
                self.l2_hits[bin] += 1;
                return;
            }
            Outcome::Walk => (&mut self.walks, &mut self.cell_walks),
            Outcome::Fault => (&mut self.faults, &mut self.cell_faults),
            Outcome::Exception => (&mut self.exceptions, &mut self.cell_exceptions),
        };
        let row = self.rows.row_of(self.rows.pages.number_of(done.address)) as usize;
        column[bin] += 1;
        cells[row * self.view.bins as usize + bin] += 1;
    }
}

/// Maps pages to rows of the picture. Regions are sorted from the highest address down, and pages in a region
/// by rank, so that gaps take no rows.
#[derive(Debug)]
struct RowMap {
    regions: Vec<RegionView>,
    n_rows: u32,
    pages: UsedPages,
    rows: Vec<u32>,
}

impl RowMap {
    fn new(trace: &Trace, machine: &Machine, wanted: u32) -> Self {
        let pages = UsedPages::new(trace, machine);
        let mut regions = pages.regions(trace, machine.address_tags());
        crate::regions::lay_out(&mut regions, wanted);
        let n_rows = regions.iter().map(|region| region.rows).sum::<u32>().max(1);
        let mut rows = Vec::with_capacity(pages.len());
        // Regions are sorted from the highest address down, pages from the lowest up.
        for region in regions.iter().rev() {
            for rank in 0..region.pages {
                let from_below = rank * u64::from(region.rows) / region.pages;
                let from_below = u32::try_from(from_below).expect("below the rows of the region");
                rows.push(region.first_row + region.rows - 1 - from_below);
            }
        }
        Self { regions, n_rows, pages, rows }
    }

    fn row_of(&self, page: u64) -> u32 {
        self.pages.rank_of(page).map_or(0, |rank| self.rows[rank])
    }
}
