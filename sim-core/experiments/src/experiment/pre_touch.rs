//! A heap that is touched before use: faults and page tables.

use pagewalk::os::OsConfig;
use pagewalk::record::stats::RunReport;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;

use super::job::{Job, machine_of, without_data};
use super::paper::number;
use super::parts::{axis, chart, series, table, texts};
use super::result::{
    Chart, ExperimentInfo, ExperimentResult, Reference, Row, Scale, SeriesKind, Setting,
};

const CPU: &str = "intel-skylake-sp";
/// Bytes of the published heap.
const HEAP: u64 = 4 << 40;
/// Heaps that are simulated, to show that the closed form is what the simulation counts.
const SIMULATED: [(u64, PageSize); 5] = [
    (8 << 20, PageSize::K4),
    (256 << 20, PageSize::K4),
    (1 << 30, PageSize::K4),
    (1 << 30, PageSize::M2),
    (64 << 30, PageSize::M2),
];

/// What touching each page of a heap once counts, from its first page on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreTouchCounts {
    /// Pages, faults and walks: one each.
    pub pages: u64,
    /// Entries that the walks read: with a paging-structure cache at each level, every entry
    /// that is passed once.
    pub refs: u64,
    /// Pages of page tables, the root included.
    pub tables: u64,
}

/// Works out [`PreTouchCounts`] for a heap of `bytes` bytes, in pages of 4K or 2M of a 4-level
/// table, that begins at a multiple of 512 GiB. Nothing is simulated.
pub fn pre_touch_counts(bytes: u64, pages: PageSize) -> PreTouchCounts {
    let entries = |shift: u32| bytes.div_ceil(1 << shift);
    // Entries of the levels from the leaf to the root.
    let shifts = [12, 21, 30, 39].into_iter().filter(|shift| *shift >= pages.shift());
    let levels: Vec<u64> = shifts.map(entries).collect();
    PreTouchCounts {
        pages: levels[0],
        refs: levels.iter().sum(),
        // A table for each entry of the level above, and the root.
        tables: levels[1..].iter().sum::<u64>() + 1,
    }
}

pub(super) fn jobs() -> Result<Vec<Job>> {
    let machine = without_data(machine_of(CPU)?);
    let job = |(bytes, pages): (u64, PageSize)| -> Result<Job> {
        let params = [
            ("bytes", bytes.to_string()),
            ("page", pages.bytes().to_string()),
            ("base", "0x100000000000".to_owned()),
        ];
        let n = bytes.div_ceil(pages.bytes());
        let job = Job::workload(&machine, &OsConfig::of(pages), "pre-touch", &params, [0, n])?;
        Ok(job.named(format!("{}, {pages}", size(bytes))))
    };
    SIMULATED.into_iter().map(job).collect()
}

fn size(bytes: u64) -> String {
    if bytes < 1 << 30 { format!("{} MiB", bytes >> 20) } else { format!("{} GiB", bytes >> 30) }
}

fn proof(reports: &[RunReport]) -> Vec<Row> {
    let mut rows = Vec::new();
    for ((bytes, pages), report) in SIMULATED.into_iter().zip(reports) {
        let paper = pre_touch_counts(bytes, pages);
        let tables = report.pages.get("table_pages").copied().unwrap_or(0);
        let found = [
            ("page faults", report.faults.minor, paper.pages),
            ("references of the walks", report.walks.refs, paper.refs),
            ("page-table pages", tables, paper.tables),
        ];
        rows.extend(found.map(|(quantity, found, paper)| {
            let case = [size(bytes), pages.to_string()];
            let expected = Reference::paper("entries of each level", number(paper));
            Row::new(case, quantity, "", number(found)).exactly(expected)
        }));
    }
    rows
}

fn heap() -> Vec<Row> {
    let mut rows = Vec::new();
    for pages in [PageSize::K4, PageSize::M2] {
        let counts = pre_touch_counts(HEAP, pages);
        let shift = HEAP.trailing_zeros() - pages.shift();
        let row =
            |quantity: &str, unit: &str, n: f64| Row::new([pages.to_string()], quantity, unit, n);
        let exact = |text: String, n: u64| Reference::paper(&text, number(n));
        rows.push(
            row("page faults", "", number(counts.pages))
                .exactly(exact(format!("2^{shift}"), 1 << shift)),
        );
        rows.push(row("references of the walks", "", number(counts.refs)));
        let (text, tables) = match pages {
            PageSize::K4 => ("2,097,152 + 4,096 + 8 + 1", 2_101_257),
            _ => ("4,096 + 8 + 1", 4_105),
        };
        rows.push(
            row("page-table pages", "", number(counts.tables))
                .exactly(exact(text.to_owned(), tables)),
        );
        rows.push(row("page tables", "MiB", number(counts.tables) / 256.0));
    }
    rows
}

/// Seconds of the published runs, with pages of 4K and of 2M: elapsed, in the program, and in the
/// kernel.
const ELAPSED: [f64; 2] = [838.167, 134.758];
const IN_PROGRAM: [f64; 2] = [2_617.519, 116.488];
const IN_KERNEL: [f64; 2] = [60_685.740, 4_439.046];

fn times() -> Vec<Row> {
    let [small, large] =
        [PageSize::K4, PageSize::M2].map(|pages| pre_touch_counts(HEAP, pages).pages);
    let fewer = number(small) / number(large);
    let ratio = |quantity: &str, [a, b]: [f64; 2]| {
        Row::new(["4K ÷ 2M".to_owned()], quantity, "times", fewer)
            .direction(Reference::of(&format!("{:.2} ({a} s to {b} s)", a / b), a / b), a / b > 1.0)
    };
    vec![
        ratio("faults, beside elapsed time", ELAPSED),
        ratio("faults, beside time in the program", IN_PROGRAM),
        ratio("faults, beside time in the kernel", IN_KERNEL).note(
            "A fault of 2M zeroes 512 times as much memory: 2.117 ms of kernel time each, against 56.5 µs for one of 4K, most of which is contention of its many threads.",
        ),
    ]
}

fn tables_chart() -> Chart {
    let points = |pages| {
        let sizes = (30..=42).map(|shift| 1u64 << shift);
        sizes
            .map(|bytes| [number(bytes), number(pre_touch_counts(bytes, pages).tables << 12)])
            .collect()
    };
    let line = |pages: PageSize| {
        let mut line = series(&format!("{pages} computed"), SeriesKind::Expected, points(pages));
        line.pages = Some(pages.to_string());
        line
    };
    chart(
        "Bytes of page tables",
        axis("bytes of the heap", Scale::Log2),
        axis("bytes of page tables", Scale::Log2),
        vec![line(PageSize::K4), line(PageSize::M2)],
    )
}

/// What is simulated, and on what.
pub(super) fn setting() -> Setting {
    Setting {
        machine: format!("{CPU}, whose paging-structure caches keep the tables on the way"),
        policy: "All memory in 4K or in 2M pages, mapped at the first touch".to_owned(),
        method: "One store to each page in order. The 4 TiB are computed, not simulated: each entry of each level is read once, and has a table below it. The last table shows that simulations of smaller heaps count exactly what the same formula gives.".to_owned(),
    }
}

pub(super) fn conclude(info: ExperimentInfo, reports: &[RunReport]) -> ExperimentResult {
    ExperimentResult {
        info,
        answer: "2³⁰ faults and 8 GiB of page tables with 4K pages; 2²¹ faults and 16 MiB with 2M pages.".to_owned(),
        tables: vec![
            table("4 TiB, computed", ["pages"], heap()),
            table("Beside the measured times", ["pages"], times()),
            table("The formula against simulations", ["heap", "pages"], proof(reports)),
        ],
        charts: vec![tables_chart()],
        differences: texts([
            "Times are the kernel's: zeroing pages, locks and memory bandwidth, which are not simulated. They fell 6.2 and 13.7 times while the faults fell 512 times.",
        ]),
        corrections: Vec::new(),
        parts: Vec::new(),
    }
}
