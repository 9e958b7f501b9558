//! Makes the tables of a side from its counts.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Completeness, PageNumber, PageUse};
use pagewalk_sources::import::process_text;

use super::counts::Tally;
use super::estimate::{SurveyEstimate, once, rounded};
use super::pages::{PAGE_BITS, PageKey, PageTally, float, is_kernel};
use super::ranges::{cover, ranges};
use super::regions::{Regions, SurveyRegion};
use super::side::{Of, Side};
use super::{SurveyBins, SurveyPage, SurveyPopularity, SurveyRow, SurveySide, SurveyTable};

/// The most rows that a table lists.
const MAX_ROWS: usize = 500;
/// The approximate number of points of a curve.
const N_POINTS: u64 = 200;

pub(super) fn side(
    side: &Side,
    samples: &Samples,
    sizes: &[PageSize],
    completeness: Completeness,
    estimates: Vec<SurveyEstimate>,
) -> SurveySide {
    let weighted = side.weighted;
    let all = side.pages.folded(PAGE_BITS);
    let regions = Regions::new(samples, &unplaced(&all, side.of));
    let first = sizes.first().copied().unwrap_or(PageSize::K4);
    let events = side.events.iter().enumerate().filter(|(_, is_its)| **is_its);
    SurveySide {
        completeness,
        events: events.filter_map(|(at, _)| u32::try_from(at).ok()).collect(),
        weighted,
        total: side.total.counts(weighted),
        without_address: side.without_address.samples,
        kernel: side.kernel.samples,
        guest: side.guest.samples,
        pages_4k: all.len() as u64,
        pages_2m: side.pages.folded(PageSize::M2.shift()).len() as u64,
        once: rounded(once(&all, weighted)),
        regions: region_table(side, &regions, &all),
        symbols: name_table(samples, &side.symbols, weighted),
        objects: name_table(samples, &side.objects, weighted),
        processes: table(&side.processes, weighted, |pid| (process_text(pid), String::new())),
        page_sizes: table(&side.sizes, weighted, |shift| {
            (shift.map_or(String::new(), |shift| PageSize(shift).to_string()), String::new())
        }),
        pages: pages(&side.pages.folded(first.shift()), first, weighted, &regions),
        popularity: sizes.iter().map(|pages| popularity(side, *pages)).collect(),
        ranges: ranges(&side.pages, samples, weighted, |start, place| regions.of(start, place)),
        bins: bins(side, samples),
        estimates,
    }
}

/// Returns the user pages without a place, with their uses.
fn unplaced(all: &[(PageKey, PageTally)], of: Of) -> Vec<PageUse> {
    let mut unplaced: Vec<PageUse> = Vec::new();
    for ((page, _), tally) in all {
        if tally.place > 0 || is_kernel(page << PAGE_BITS) {
            continue;
        }
        let n = tally.samples;
        let (fetches, data) = if of == Of::Code { (n, 0) } else { (0, n) };
        match unplaced.last_mut().filter(|last| last.page.0 == *page) {
            Some(last) => {
                last.fetches = last.fetches.saturating_add(fetches);
                last.data = last.data.saturating_add(data);
            }
            None => unplaced.push(PageUse { page: PageNumber(*page), fetches, data }),
        }
    }
    unplaced
}

fn region_table(side: &Side, regions: &Regions<'_>, all: &[(PageKey, PageTally)]) -> SurveyTable {
    let mut joined: BTreeMap<SurveyRegion, (Tally, u64)> = BTreeMap::new();
    let mut add =
        |region: SurveyRegion, tally: &Tally| joined.entry(region).or_default().0.join(tally);
    for (place, tally) in &side.places {
        add(regions.of(0, *place), tally);
    }
    for (range, tally) in &side.unplaced {
        add(regions.of(range << PAGE_BITS << 9, 0), tally);
    }
    if side.kernel.samples > 0 {
        add(regions.of(u64::MAX, 0), &side.kernel);
    }
    if side.guest.samples > 0 {
        let name = "virtual machines".to_owned();
        add(SurveyRegion { name, kind: None, inferred: false }, &side.guest);
    }
    for ((page, _), tally) in all {
        if let Some((_, pages)) = joined.get_mut(&regions.of(page << PAGE_BITS, tally.place)) {
            *pages += 1;
        }
    }
    let rows = joined.into_iter().map(|(region, (tally, pages))| SurveyRow {
        name: String::new(),
        file: String::new(),
        region: Some(region),
        counts: tally.counts(side.weighted),
        pages: Some(pages),
    });
    sorted(rows.collect())
}

fn name_table(
    samples: &Samples,
    tallies: &BTreeMap<Option<u32>, Tally>,
    weighted: bool,
) -> SurveyTable {
    table(tallies, weighted, |id| {
        let (symbol, file) = id.map_or(("", ""), |id| samples.name(id));
        (symbol.to_owned(), file.to_owned())
    })
}

/// Returns a table of counts by any key. `name` returns the name and file of a key. If all keys are unknown,
/// the table is empty.
fn table<K: Copy + Ord>(
    tallies: &BTreeMap<K, Tally>,
    weighted: bool,
    name: impl Fn(K) -> (String, String),
) -> SurveyTable {
    let row = |(key, tally): (&K, &Tally)| {
        let (name, file) = name(*key);
        SurveyRow { name, file, region: None, counts: tally.counts(weighted), pages: None }
    };
    let rows: Vec<SurveyRow> = tallies.iter().map(row).collect();
    if rows.iter().all(|row| row.name.is_empty() && row.file.is_empty()) {
        return SurveyTable::default();
    }
    sorted(rows)
}

fn sorted(mut rows: Vec<SurveyRow>) -> SurveyTable {
    rows.sort_by_key(|row| Reverse((row.counts.weight, row.counts.samples)));
    let left = rows.split_off(rows.len().min(MAX_ROWS));
    let omitted_weight = left.iter().map(|row| row.counts.weight).fold(0, u64::saturating_add);
    SurveyTable { rows, omitted: left.len() as u64, omitted_weight }
}

/// Returns the most popular pages of a size.
fn pages(
    folded: &[(PageKey, PageTally)],
    size: PageSize,
    weighted: bool,
    regions: &Regions<'_>,
) -> Vec<SurveyPage> {
    let mut order: Vec<&(PageKey, PageTally)> = folded.iter().collect();
    order.sort_by_key(|(key, tally)| (Reverse(tally.weight(weighted)), *key));
    let page = |((number, pid), tally): &&(PageKey, PageTally)| {
        let start = number << size.shift();
        let walked = f64::from(tally.walks) / f64::from(tally.measured.max(1));
        SurveyPage {
            start: Hex(start),
            pid: *pid,
            region: regions.of(start, tally.place),
            samples: tally.samples.into(),
            weight: tally.weight(weighted),
            walked: (tally.measured > 0).then(|| rounded(walked)),
        }
    };
    order.iter().take(MAX_ROWS).map(page).collect()
}

fn popularity(side: &Side, pages: PageSize) -> SurveyPopularity {
    let folded = side.pages.folded(pages.shift());
    let mut weights: Vec<u64> =
        folded.iter().map(|(_, tally)| tally.weight(side.weighted)).collect();
    weights.sort_unstable_by_key(|weight| Reverse(*weight));
    let all: f64 = weights.iter().map(|weight| float(*weight)).sum();
    let n = weights.len() as u64;
    let mut points = Vec::new();
    let (mut sum, mut next) = (0.0, 1);
    for (rank, weight) in (1..).zip(&weights) {
        sum += float(*weight);
        if rank == next || rank == n {
            points.push((rank, rounded(sum / all.max(1.0))));
            // Points are as close together as users can distinguish on a logarithmic axis.
            next = rank + (rank / (N_POINTS / 8)).max(1);
        }
    }
    SurveyPopularity { pages, total: n, points, cover: cover(&weights) }
}

fn bins(side: &Side, samples: &Samples) -> SurveyBins {
    let mut pages = 0;
    let grown = side.bins.iter().map(|(_, new)| {
        pages += new;
        pages
    });
    SurveyBins {
        by_time: samples.times().is_some(),
        pages: grown.collect(),
        samples: side.bins.iter().map(|(n, _)| *n).collect(),
    }
}
