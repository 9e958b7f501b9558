//! Prints the report on samples. Each part says which samples it is based on.

use pagewalk_base::trace::{Completeness, RegionKind};
use pagewalk_measured::survey::{
    Backing, SurveyBins, SurveyCounts, SurveyEstimate, SurveyRanges, SurveyRegion, SurveyReport,
    SurveyRow, SurveySide, SurveyTable,
};
use pagewalk_sources::import::{ImportReport, SampledEvent};

use crate::import::{meaning, sampling_rows};
use crate::table::{Table, grouped, listed, percent};

/// The largest number of rows of each table; the JSON has all rows.
const MAX_ROWS: usize = 10;
/// Above this share of samples on pages with a single sample, the estimates miss too many pages.
const FEW: f64 = 0.1;

pub(super) fn text(
    name: &str,
    import: &ImportReport,
    survey: &SurveyReport,
    machine: Option<&str>,
) -> String {
    let mut table = Table::bare(1);
    if let Some(sampling) = &import.sampling {
        sampling_rows(sampling, &mut table);
    }
    for skipped in &import.skipped {
        table.row([format!("Skipped: {}", skipped.reason), grouped(skipped.count)]);
    }
    table.row(["Samples kept".to_owned(), grouped(survey.samples)]);
    table.row(["Bytes of memory for the samples".to_owned(), grouped(survey.bytes)]);
    let completeness = meaning(import.completeness);
    let mut text = format!("{name}: {} recording, {completeness}\n\n{table}", import.format);
    for warning in &import.warnings {
        text.push_str(&format!("\nWarning: {warning}\n"));
    }
    let events = import.sampling.as_ref().map_or(&[][..], |sampling| &sampling.events);
    let sides = [("Data", &survey.data), ("Page faults", &survey.faults), ("Code", &survey.code)];
    for (title, side) in sides {
        if let Some(side) = side {
            text.push_str(&side_text(title, side, events, machine));
        }
    }
    text
}

fn side_text(
    title: &str,
    side: &SurveySide,
    events: &[SampledEvent],
    machine: Option<&str>,
) -> String {
    let names = side.events.iter().filter_map(|at| events.get(*at as usize));
    let names = names.filter(|event| event.samples > 0).map(|event| event.name.as_str());
    let names = names.map(|name| if name.is_empty() { "an event without a name" } else { name });
    let mut text = format!(
        "\n{title}, {}: {} samples of {}\n",
        tag(side.completeness),
        grouped(side.total.samples),
        listed(names)
    );
    text.push_str(&format!(
        "They touch {} 4K pages in {} 2M ranges.\n",
        grouped(side.pages_4k),
        grouped(side.pages_2m)
    ));
    if side.without_address > 0 {
        text.push_str(&format!("{} have no address.\n", grouped(side.without_address)));
    }
    let weights = if side.weighted { "events, by the samples' periods" } else { "samples" };
    text.push_str(&format!("Shares are of {weights}.\n"));
    let sections = [
        ("Region", &side.regions),
        ("Function", &side.symbols),
        ("Data by name", &side.objects),
        ("Page size", &side.page_sizes),
        ("Process", &side.processes),
    ];
    for (head, table) in sections {
        // A table of processes with a single row says nothing.
        if table.rows.len() > usize::from(head == "Process") {
            text.push_str(&format!("\n{}", counts_table(head, table, &side.total)));
        }
    }
    if side.completeness == Completeness::FirstTouches {
        text.push_str(&format!("\n{}", growth(&side.bins)));
    } else {
        text.push_str(&format!("\n{}", popularity(side)));
    }
    if !side.ranges.rows.is_empty() {
        text.push_str(&format!("\n{}", ranges(&side.ranges)));
    }
    if let (false, Some(machine)) = (side.estimates.is_empty(), machine) {
        text.push_str(&format!("\n{}", estimates(side, machine)));
    }
    text
}

/// The completeness of the samples of one side, in a word.
fn tag(completeness: Completeness) -> &'static str {
    match completeness {
        Completeness::Complete => "complete",
        Completeness::Sampled => "sampled",
        Completeness::LatencyFiltered => "filtered by latency",
        Completeness::FirstTouches => "first touches",
    }
}

fn region(region: &SurveyRegion) -> String {
    let kind = region.kind.map(RegionKind::name).filter(|kind| *kind != region.name);
    let guess = if region.inferred && region.kind.is_some() { ", guessed" } else { "" };
    match kind {
        Some(kind) => format!("{} ({kind}{guess})", region.name),
        None => region.name.clone(),
    }
}

fn row_name(row: &SurveyRow) -> String {
    match (&row.region, row.name.as_str(), row.file.as_str()) {
        (Some(of), _, _) => region(of),
        (None, "", "") => "not known".to_owned(),
        (None, "", file) => format!("in {file}"),
        (None, name, "") => name.to_owned(),
        (None, name, file) => format!("{name} in {file}"),
    }
}

/// A function that returns the number a column shows for a row.
type Of = fn(&SurveyCounts) -> u64;

/// Prints the measurements of rows, without columns that are empty everywhere.
fn counts_table(head: &str, table: &SurveyTable, total: &SurveyCounts) -> Table {
    let levels = &total.levels;
    let is_measured = total.weight > levels.unknown;
    let columns: Vec<(&str, Of)> = if is_measured {
        let all: [(&str, u64, Of); 6] = [
            ("L1 hit", levels.l1, |row| row.levels.l1),
            ("L2 hit", levels.l2, |row| row.levels.l2),
            ("L1 or L2 hit", levels.no_walk, |row| row.levels.no_walk),
            ("Walk", levels.walk, |row| row.levels.walk),
            ("Fault", levels.fault, |row| row.levels.fault),
            ("Unknown", levels.unknown, |row| row.levels.unknown),
        ];
        all.into_iter().filter(|(_, n, _)| *n > 0).map(|(name, _, of)| (name, of)).collect()
    } else {
        Vec::new()
    };
    let has_latency = total.latency.is_some();
    let has_pages = table.rows.iter().any(|row| row.pages.is_some());
    let mut shown = Table::bare(1);
    let mut heads = vec![head.to_owned(), "Samples".to_owned(), "Share".to_owned()];
    heads.extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    heads.extend(has_latency.then(|| "Mean cycles".to_owned()));
    heads.extend(has_pages.then(|| "4K pages".to_owned()));
    shown.add(heads);
    for row in table.rows.iter().take(MAX_ROWS) {
        let counts = &row.counts;
        let share = percent(counts.weight, total.weight);
        let mut cells = vec![row_name(row), grouped(counts.samples), share];
        cells.extend(columns.iter().map(|(_, of)| percent(of(counts), counts.weight)));
        let latency = counts.latency.map_or("–".to_owned(), grouped);
        cells.extend(has_latency.then_some(latency));
        cells.extend(has_pages.then(|| row.pages.map_or(String::new(), grouped)));
        shown.add(cells);
    }
    let rest = table.rows.get(MAX_ROWS..).unwrap_or_default();
    let more = table.omitted + rest.len() as u64;
    if more > 0 {
        let weight = rest
            .iter()
            .map(|row| row.counts.weight)
            .fold(table.omitted_weight, u64::saturating_add);
        shown.add([
            format!("{} more", grouped(more)),
            String::new(),
            percent(weight, total.weight),
        ]);
    }
    shown
}

fn popularity(side: &SurveySide) -> Table {
    let mut table =
        Table::new(1, ["Pages", "Of all processes", "With 50 %", "With 90 %", "With 99 %"]);
    for of in &side.popularity {
        let [half, most, all] = of.cover.map(grouped);
        table.row([of.pages.to_string(), grouped(of.total), half, most, all]);
    }
    table
}

/// Prints how the footprint grew, by quarters.
fn growth(bins: &SurveyBins) -> Table {
    let of = if bins.by_time { "Share of time" } else { "Share of samples" };
    let mut table = Table::new(1, [of, "Page faults", "4K pages touched"]);
    let n = bins.samples.len();
    for quarter in 1..=4 {
        let until = n * quarter / 4;
        let faults: u64 = bins.samples.iter().take(until).sum();
        let pages = until.checked_sub(1).and_then(|at| bins.pages.get(at)).copied().unwrap_or(0);
        table.row([format!("{} %", 25 * quarter), grouped(faults), grouped(pages)]);
    }
    table
}

fn ranges(ranges: &SurveyRanges) -> String {
    let by = if ranges.by_walks { "walks" } else { "samples" };
    let mut table = Table::new(
        2,
        ["2M range", "Region", "Samples", "Walked", "4K pages of 512", "Is", "Mapped"],
    );
    for row in ranges.rows.iter().take(MAX_ROWS) {
        let walked = row.walked.map_or("–".to_owned(), |share| format!("{:.2} %", 100.0 * share));
        let is = match row.backing {
            Backing::Huge => "huge",
            Backing::Mixed => "partly huge",
            Backing::Small => "small",
            Backing::InOneFrame => "in one frame",
            Backing::Scattered => "scattered",
            Backing::Unknown => "–",
        };
        let mapped = match row.mapped {
            Some(true) => "whole",
            Some(false) => "a part",
            None => "–",
        };
        table.row([
            row.start.to_string(),
            region(&row.region),
            grouped(row.samples),
            walked,
            row.touched.to_string(),
            is.to_owned(),
            mapped.to_owned(),
        ]);
    }
    let [half, most, all] = ranges.cover.map(grouped);
    format!(
        "Huge pages: 2M ranges by their {by}; ranges that are already huge pages come last. {} ranges are touched. Of the {by} outside huge pages, 50, 90 and 99 % are in {half}, {most} and {all} ranges.\n{table}",
        grouped(ranges.total)
    )
}

fn estimates(side: &SurveySide, machine: &str) -> String {
    let mut table =
        Table::new(2, ["Pages", "Hit in", "Entries", "Hit rate", "95 % interval", "Uncorrected"]);
    let share = |share: f64| format!("{:.2} %", 100.0 * share);
    for estimate in &side.estimates {
        let SurveyEstimate { pages, level, entries, hit_rate, low, high, .. } = estimate;
        let levels = if *level == 1 { "L1" } else { "L1 or L2" };
        table.row([
            pages.to_string(),
            format!("{levels}: {}", listed(&estimate.arrays)),
            grouped((*entries).into()),
            if estimate.all_fit && side.once > FEW {
                "not known".to_owned()
            } else {
                share(*hit_rate)
            },
            format!("{} to {}", share(*low), share(*high)),
            share(estimate.uncorrected),
        ]);
    }
    let mut text = format!(
        "Hit rates of {machine}, estimated and not measured. The model is Che's approximation: independent references, fully associative LRU, one TLB per process. Most programs reuse pages sooner than by chance, so they hit more often.\n{table}"
    );
    if side.estimates.iter().any(|estimate| estimate.all_fit) {
        text.push_str("A rate of 100 % means that all sampled pages fit; there may be pages without a sample.\n");
    }
    if side.once > FEW {
        text.push_str(&format!(
            "Too few samples: {:.0} % are the only sample of their page, so about the same share of accesses goes to pages without a sample. The true rates may lie below the interval.\n",
            100.0 * side.once
        ));
    }
    if side.completeness == Completeness::LatencyFiltered {
        text.push_str("Only slow accesses were sampled, and TLB misses are more frequent among slow accesses than among all.\n");
    }
    text
}
