//! A random byte of an array on an i7-4790K: 4K pages against huge ones.

use crate::addr::PageSize;
use crate::error::Result;
use crate::os::OsConfig;
use crate::stats::RunReport;

use super::job::{Job, machine_of, without_data};
use super::paper::{array_miss, number, per};
use super::parts::{axis, by_pages, chart, grouped, series, table, texts};
use super::result::{
    Chart, ExperimentInfo, ExperimentResult, Reference, ResultTable, Row, Scale, SeriesKind,
    Setting,
};

const CPU: &str = "intel-haswell";
/// Bytes of the array, and nanoseconds that a read took longer with 4K pages than with huge ones.
const SIZES: [(u64, f64); 5] = [
    (1_000, 0.005),
    (10_000, 0.026),
    (1_000_000, 0.638),
    (10_000_000, 2.452),
    (100_000_000, 3.840),
];
const LARGEST: u64 = 100_000_000;
const POLICIES: [PageSize; 2] = [PageSize::K4, PageSize::M2];
/// A Java array's header: the first byte lies 16 bytes behind the start of a page.
const BASE: &str = "0x100000000010";
const HEADER: u64 = 16;
/// 123.207 cycles in 33.575 ns.
const GIGAHERTZ: f64 = 3.67;
/// Reads that are counted, and those of the run with data in the caches.
const N: u64 = 500_000;
/// As many will do where all pages fit.
const N_SMALL: u64 = 50_000;
const N_WITH_DATA: u64 = 200_000;

fn counted(bytes: u64) -> u64 {
    if bytes < 1_000_000 { N_SMALL } else { N }
}

/// Reads before those: every page must have been touched.
fn warmup(bytes: u64) -> u64 {
    20_000 + 10 * (bytes / 4096)
}

/// Sizes and policies in the order of the jobs.
fn cases() -> impl Iterator<Item = (u64, PageSize)> {
    SIZES.iter().flat_map(|(bytes, _)| POLICIES.map(|pages| (*bytes, pages)))
}

pub(super) fn jobs() -> Result<Vec<Job>> {
    let with_data = machine_of(CPU)?;
    let machine = without_data(with_data.clone());
    let job = |machine, bytes: u64, pages, n| -> Result<Job> {
        let params =
            [("bytes", bytes.to_string()), ("size", "1".to_owned()), ("base", BASE.to_owned())];
        let window = [warmup(bytes), n];
        let job = Job::workload(machine, &OsConfig::of(pages), "uniform", &params, window)?;
        Ok(job.named(format!("{} bytes, {pages}", grouped(bytes))))
    };
    let counted = cases().map(|(bytes, pages)| job(&machine, bytes, pages, counted(bytes)));
    let shared = job(&with_data, LARGEST, PageSize::K4, N_WITH_DATA)?;
    let shared = shared.named(format!("{} bytes, 4K, caches shared with data", grouped(LARGEST)));
    counted.chain([Ok(shared)]).collect()
}

/// Misses of level 1, and walks, of each read.
fn misses(report: &RunReport) -> [f64; 2] {
    let load = &report.kinds.load;
    [load.l2_hits + load.walks, load.walks].map(|n| per(n, load.translations))
}

/// The same on paper: the L1 dTLB has 16 × 4 entries for 4K and 8 × 4 for 2M pages, the STLB
/// 128 × 8 for both.
fn on_paper(bytes: u64, pages: PageSize) -> [f64; 2] {
    let n_sets = if pages == PageSize::K4 { 16 } else { 8 };
    let miss = |n_sets, ways| array_miss(HEADER, bytes, pages.bytes(), n_sets, ways);
    [miss(n_sets, 4), miss(128, 8)]
}

fn counts(reports: &[RunReport]) -> ResultTable {
    let mut rows = Vec::new();
    for ((bytes, pages), report) in cases().zip(reports) {
        let case = || [grouped(bytes), pages.to_string()];
        let (found, paper) = (misses(report), on_paper(bytes, pages));
        let [l1, walks] = [("L1 dTLB misses", 0), ("page walks", 1)].map(|(quantity, at)| {
            Row::new(case(), quantity, "per read", found[at])
                .tightly(Reference::paper("1 − ways ÷ pages, by set", paper[at]))
        });
        rows.push(l1);
        rows.push(match (bytes, pages) {
            (LARGEST, PageSize::K4) => {
                walks.published(Reference::of("1.017 ± 0.244", 1.017).within(0.773, 1.261))
            }
            (LARGEST, _) => walks.published(Reference::of("≈ 10⁻³", 0.001).within(0.0, 0.01)),
            _ => walks,
        });
    }
    table("TLB misses of each read", ["bytes", "pages"], rows)
}

/// Translation cycles of each read.
fn cost(report: &RunReport) -> f64 {
    per(report.cycles.total, report.kinds.load.translations)
}

fn costs(reports: &[RunReport]) -> ResultTable {
    let mut rows = Vec::new();
    for ((bytes, ns), pair) in SIZES.iter().zip(reports.chunks(2)) {
        let cycles = cost(&pair[0]) - cost(&pair[1]);
        let lost =
            Row::new([grouped(*bytes)], "time lost by 4K pages", "ns per read", cycles / GIGAHERTZ);
        rows.push(lost.published(Reference::of(&ns.to_string(), *ns)));
    }
    let of_walk = |report: &RunReport| per(report.cycles.walk, report.walks.walks);
    let [alone, shared] = [&reports[2 * SIZES.len() - 2], &reports[2 * SIZES.len()]].map(of_walk);
    let row = |quantity, cycles| Row::new([grouped(LARGEST)], quantity, "cycles", cycles);
    let published = || Reference::of("18.7 (counters), 14.7 (times)", 18.7);
    rows.push(row("cost of a walk", alone).published(published().within(10.0, 25.0)));
    rows.push(row("cost of a walk, caches shared with data", shared).published(published()).note(
        "The random reads of the array evict page-table lines from L2. A real core overlaps what the model adds up.",
    ));
    table("What they cost", ["bytes"], rows)
}

fn charts(reports: &[RunReport]) -> Vec<Chart> {
    let points = |pages: PageSize, at: usize| {
        let of_size = cases().zip(reports).filter(|((_, other), _)| *other == pages);
        of_size.map(|((bytes, _), report)| [number(bytes), misses(report)[at]]).collect()
    };
    let lines = |at| POLICIES.map(|pages| by_pages(&pages.to_string(), points(pages, at)));
    let bytes = || axis("bytes of the array", Scale::Log10);
    let [walks, l1] = ["walks per read", "L1 misses per read"].map(|y| axis(y, Scale::Linear));
    let measured = series("measured, 4K", SeriesKind::Published, vec![[1e8, 1.017]]);
    let reach = |pages: u64| number(pages << 12);
    vec![
        chart("Page walks", bytes(), walks, lines(1).into_iter().chain([measured]).collect())
            .mark(reach(1024), "STLB reach, 4K"),
        chart("L1 dTLB misses", bytes(), l1, lines(0).into())
            .mark(reach(64), "L1 reach, 4K")
            .mark(reach(32 << 9), "L1 reach, 2M"),
    ]
}

/// What is simulated, and on what.
pub(super) fn setting() -> Setting {
    Setting {
        machine: format!("{CPU}: L1 dTLB 16 × 4 (4K) and 8 × 4 (2M), STLB 128 × 8 for both"),
        policy: "All memory in 4K pages, or all in 2M pages: for this array transparent huge pages (always) and hugetlbfs come to the same".to_owned(),
        method: format!(
            "Uniformly random 1-byte loads from an array that begins {HEADER} bytes behind a page boundary. {} are counted (a tenth where all pages fit level 1), after a warm-up that touches every page (20,000 reads, and ten for each page). Page-table reads have the caches to themselves, but for the last row. Times are translation cycles with 4K pages less those with 2M, at {GIGAHERTZ} GHz.",
            grouped(N)
        ),
    }
}

pub(super) fn conclude(info: ExperimentInfo, reports: &[RunReport]) -> ExperimentResult {
    ExperimentResult {
        info,
        answer: "With 4K pages a read of 100 MB walks 0.96 times, with huge pages never. Up to what the STLB reaches no read walks either way.".to_owned(),
        tables: vec![counts(reports), costs(reports)],
        charts: charts(reports),
        differences: texts([
            "Linux counts as dTLB-load-misses on Haswell the loads that cause a walk (event 0x108), not the L1 misses: the ≈ 10⁻³ that was measured with huge pages stands beside 0 walks, not beside 0.33 L1 misses.",
            "A measured read also draws a random number, misses data caches, and makes some 16 other loads; only the difference between page sizes is the TLB's, and a core that executes out of order hides a part of it.",
        ]),
        corrections: Vec::new(),
        parts: Vec::new(),
    }
}
