//! Strides, page orders and powers of two: where misses begin.

use pagewalk::caches::policy::Policy;
use pagewalk::caches::tlb::{ArrayConfig, Index};
use pagewalk::config::MachineConfig;
use pagewalk::os::{Frames, OsConfig};
use pagewalk::record::stats::RunReport;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;

use super::job::{Job, machine_of, without_data};
use super::paper::{number, per};
use super::parts::{axis, chart, grouped, series, table, texts};
use super::result::{
    Chart, ExperimentInfo, ExperimentResult, Reference, ResultTable, Row, Scale, SeriesKind,
    Setting,
};

/// Accesses of one pass over the strided array.
const PASS: u64 = 8192;
/// Strides in ints, and on paper the L1 misses and walks of each access.
const STRIDES: [(u64, f64, f64); 5] =
    [(64, 0.0625, 0.0), (128, 0.125, 0.0), (256, 0.25, 0.0), (512, 0.5, 0.5), (1024, 1.0, 1.0)];
/// Strides in bytes over 256 MB, nanoseconds measured, accesses of each new page.
const SCANS: [(u64, f64, u64); 5] =
    [(8, 1.36, 512), (64, 2.49, 64), (512, 5.38, 8), (4096, 12.51, 1), (8192, 13.31, 1)];
const SCANNED: u64 = 51_200;
const ELEMENTS: u64 = 131_072;
/// Page size, cycles measured for each load of the 1 GiB spots.
const SPOTS: [(PageSize, f64); 3] =
    [(PageSize::K4, 35.9), (PageSize::M2, 29.5), (PageSize::G1, 21.2)];
const SPOT_LOADS: [u64; 2] = [5_000, 200_000];
/// Array, index, pages, stride in pages, misses of a pass once it is warm, in parts of the pages.
const CONFLICTS: [(&str, Index, u64, u64, f64); 10] = [
    ("16 × 4", Index::LowBits, 4, 16, 0.0),
    ("16 × 4", Index::LowBits, 5, 16, 1.0),
    ("128 × 12", Index::Xor, 13, 128, 0.0),
    ("128 × 12", Index::LowBits, 13, 128, 1.0),
    ("128 × 12", Index::Xor, 128, 128, 0.0),
    ("128 × 12", Index::LowBits, 128, 128, 1.0),
    ("128 × 12", Index::Xor, 13, 129, 1.0),
    ("128 × 12", Index::LowBits, 13, 129, 0.0),
    ("128 × 12", Index::Xor, 128, 129, 1.0),
    ("128 × 12", Index::LowBits, 128, 129, 0.0),
];

fn array(name: &str, entries: u32, ways: Option<u32>, index: Index) -> ArrayConfig {
    let [first] = <[ArrayConfig; 1]>::try_from(MachineConfig::default().l1)
        .expect("the default machine has one array");
    ArrayConfig { name: name.to_owned(), entries, ways, index, replacement: Policy::Lru, ..first }
}

fn machine(l1: ArrayConfig, l2: Option<ArrayConfig>) -> MachineConfig {
    let name = l1.name.clone();
    MachineConfig { name, l1: vec![l1], l2: l2.into_iter().collect(), ..MachineConfig::default() }
}

/// Zen 2 as the closed form has it: 64 entries, then 256 × 8, all LRU.
fn zen2_on_paper() -> MachineConfig {
    let l2 = array("L2", 2048, Some(8), Index::LowBits);
    let name = "64 + 256 × 8, LRU".to_owned();
    MachineConfig { name, ..machine(array("L1", 64, None, Index::LowBits), Some(l2)) }
}

fn text(n: u64) -> String {
    n.to_string()
}

pub(super) fn jobs() -> Result<Vec<Job>> {
    let small = OsConfig::of(PageSize::K4);
    // Frames as a machine in use has them: neighbours in order would coalesce on Zen 2.
    let scattered = OsConfig { frames: Frames::Shuffled, ..small.clone() };
    let zen2 = without_data(machine_of("amd-zen2")?);
    let skylake = without_data(machine_of("intel-skylake-sp")?);
    let sandy = without_data(machine_of("intel-sandybridge")?);
    let mut jobs = Vec::new();
    for machine in [zen2_on_paper(), zen2.clone()] {
        for (ints, ..) in STRIDES {
            let bytes = 4 * ints;
            let params =
                [("bytes", text(PASS * bytes)), ("stride", text(bytes)), ("size", text(4))];
            let window = [2 * PASS, 2 * PASS];
            let job = Job::workload(&machine, &scattered, "strided", &params, window)?;
            jobs.push(job.named(format!("stride of {ints} ints, {}", machine.name)));
        }
    }
    for (stride, ..) in SCANS {
        let params = [("bytes", text(256 << 20)), ("stride", text(stride))];
        let job = Job::workload(&skylake, &small, "strided", &params, [0, SCANNED])?;
        jobs.push(job.named(format!("scan by {stride} bytes, Skylake-SP")));
    }
    for (machine, order) in [
        (&machine(array("one entry", 1, None, Index::LowBits), None), "random"),
        (&machine(array("one entry", 1, None, Index::LowBits), None), "sorted-pages"),
        (&zen2, "random"),
        (&zen2, "sorted-pages"),
    ] {
        let params = [("elements", text(ELEMENTS)), ("order", order.to_owned())];
        let job = Job::workload(machine, &small, "gather", &params, [0, ELEMENTS])?;
        jobs.push(job.named(format!("gather, {order}, {}", machine.name)));
    }
    for (pages, _) in SPOTS {
        let spot = text(1 << 30);
        let params = [
            ("bytes", text(24 << 30)),
            ("object", spot),
            ("exponent", text(0)),
            ("layout", "ranked".to_owned()),
        ];
        let job = Job::workload(&sandy, &OsConfig::of(pages), "zipf", &params, SPOT_LOADS)?;
        jobs.push(job.named(format!("spots 1 GiB apart, {pages}")));
    }
    for (name, index, pages, stride, _) in CONFLICTS {
        let (entries, ways) = if name == "16 × 4" { (64, 4) } else { (1536, 12) };
        let machine = machine(array(name, entries, Some(ways), index), None);
        let stride = stride << 12;
        let params = [("bytes", text(pages * stride)), ("stride", text(stride))];
        let window = [10 * pages, 10 * pages];
        let job = Job::workload(&machine, &small, "strided", &params, window)?;
        let index = index_name(index);
        jobs.push(job.named(format!("{pages} pages {} KiB apart, {name}, {index}", stride >> 10)));
    }
    Ok(jobs)
}

/// The reports of each part, in the order of the jobs.
struct Parts<'a> {
    strides: &'a [RunReport],
    scans: &'a [RunReport],
    gathers: &'a [RunReport],
    spots: &'a [RunReport],
    conflicts: &'a [RunReport],
}

fn parts(reports: &[RunReport]) -> Parts<'_> {
    let (strides, rest) = reports.split_at(2 * STRIDES.len());
    let (scans, rest) = rest.split_at(SCANS.len());
    let (gathers, rest) = rest.split_at(4);
    let (spots, conflicts) = rest.split_at(SPOTS.len());
    Parts { strides, scans, gathers, spots, conflicts }
}

fn misses(report: &RunReport) -> [f64; 2] {
    let load = &report.kinds.load;
    [load.l2_hits + load.walks, load.walks].map(|n| per(n, load.translations))
}

fn strides(reports: &[RunReport]) -> ResultTable {
    let mut rows = Vec::new();
    for (at, machine) in ["64 + 256 × 8, LRU", "amd-zen2"].into_iter().enumerate() {
        for ((ints, l1, walks), report) in STRIDES.iter().zip(&reports[at * STRIDES.len()..]) {
            let found = misses(report);
            let quantities = [("L1 misses", found[0], *l1), ("page walks", found[1], *walks)];
            for (quantity, found, paper) in quantities {
                let row = Row::new(
                    [machine.to_owned(), ints.to_string(), grouped(8 * ints)],
                    quantity,
                    "per access",
                    found,
                );
                rows.push(if at == 0 {
                    row.exactly(Reference::paper("closed form", paper))
                } else {
                    row
                });
            }
        }
    }
    table("8192 accesses by a stride of D ints", ["machine", "D", "4K pages"], rows)
}

fn scans(reports: &[RunReport]) -> ResultTable {
    let rows = SCANS.iter().zip(reports).map(|((stride, ns, each), report)| {
        Row::new([grouped(*stride)], "TLB misses", "per access", misses(report)[1])
            .exactly(Reference::paper(&format!("1 ÷ {each}"), 1.0 / number(*each)))
            .published(Reference { text: format!("{ns} ns"), value: None, range: None })
    });
    table("Scans of 256 MB", ["stride, bytes"], rows.collect())
}

fn gathers(reports: &[RunReport]) -> ResultTable {
    let misses = |report: &RunReport| report.kinds.load.walks + report.kinds.load.l2_hits;
    let row = |order: &str, machine: &str, quantity: &str, unit: &str, found: f64| {
        Row::new([order.to_owned(), machine.to_owned()], quantity, unit, found)
    };
    let switches = |at: usize| number(misses(&reports[at]) - 1);
    let rows = vec![
        row("random", "one entry", "changes of page", "", switches(0))
            .tightly(Reference::paper("131,071 · (1 − 1023 ÷ 131,071)", 130_048.0)),
        row("sorted by page", "one entry", "changes of page", "", switches(1))
            .exactly(Reference::paper("128 pages − 1", 127.0)),
        row("random", "amd-zen2", "L1 misses", "per access", per(misses(&reports[2]), ELEMENTS))
            .tightly(Reference::paper("1 − 64 ÷ 128", 0.5)),
        row(
            "sorted by page",
            "amd-zen2",
            "L1 misses",
            "per access",
            per(misses(&reports[3]), ELEMENTS),
        )
        .exactly(Reference::paper("1 ÷ 1024", 1.0 / 1024.0)),
    ];
    table("131,072 ints gathered in an order", ["order", "machine"], rows)
}

fn spots(reports: &[RunReport]) -> ResultTable {
    let mut rows = Vec::new();
    let costs: Vec<f64> =
        reports.iter().map(|report| per(report.cycles.total, SPOT_LOADS[1])).collect();
    for (at, ((pages, cycles), report)) in SPOTS.iter().zip(reports).enumerate() {
        let case = || [pages.to_string()];
        let hits = 1.0 - misses(report)[0];
        rows.push(
            Row::new(case(), "L1 dTLB hits", "per load", hits)
                .tightly(Reference::paper("4 ways of one set ÷ 24 pages", 1.0 / 6.0)),
        );
        let refs = per(report.walks.refs, report.walks.walks.max(1));
        rows.push(Row::new(case(), "references", "per walk", refs));
        let falls = costs[..at].iter().all(|before| *before > costs[at]);
        rows.push(Row::new(case(), "translation cycles", "per load", costs[at]).direction(
            Reference::of(&format!("{cycles} cycles for the whole load"), *cycles),
            falls,
        ));
    }
    table("Random loads of 24 spots, 1 GiB apart, on intel-sandybridge", ["pages"], rows)
}

fn index_name(index: Index) -> &'static str {
    if index == Index::Xor { "xor" } else { "low bits" }
}

fn conflicts(reports: &[RunReport]) -> ResultTable {
    let rows =
        CONFLICTS.iter().zip(reports).map(|((name, index, pages, stride, paper), report)| {
            let case = [
                format!("{name}, {}", index_name(*index)),
                pages.to_string(),
                format!("{} KiB", grouped(4 * stride)),
            ];
            let text = if *paper > 0.0 { "more pages than ways in a set" } else { "they fit" };
            Row::new(case, "misses", "per access", misses(report)[0])
                .exactly(Reference::paper(text, *paper))
        });
    table("Pages in a cycle against the index", ["array", "pages", "stride"], rows.collect())
}

fn stride_chart(reports: &[RunReport]) -> Chart {
    let line = |name: &str, from: usize, at: usize| {
        let points = STRIDES.iter().zip(&reports[from..]);
        let points = points.map(|((ints, ..), report)| [number(*ints), misses(report)[at]]);
        series(name, SeriesKind::Simulated, points.collect())
    };
    let n = STRIDES.len();
    chart(
        "Misses by stride",
        axis("stride in ints (D)", Scale::Log2),
        axis("misses per access", Scale::Linear),
        vec![
            line("L1, closed form's machine", 0, 0),
            line("walks, closed form's machine", 0, 1),
            line("walks, amd-zen2", n, 1),
        ],
    )
    .mark(256.0, "2048 pages = L2 reach")
}

/// What is simulated, and on what.
pub(super) fn setting() -> Setting {
    Setting {
        machine: "Arrays with LRU as the closed forms assume; amd-zen2, intel-skylake-sp and intel-sandybridge".to_owned(),
        policy: "4K pages, for the strides in scattered frames; for the spots also 2M and 1G".to_owned(),
        method: format!(
            "Strides: two passes of {} loads counted after two. Scans: {} loads from a cold start. Gathers: one pass. Spots: {} loads. Cycles: ten passes after ten.",
            grouped(PASS),
            grouped(SCANNED),
            grouped(SPOT_LOADS[1])
        ),
    }
}

pub(super) fn conclude(info: ExperimentInfo, reports: &[RunReport]) -> ExperimentResult {
    let parts = parts(reports);
    ExperimentResult {
        info,
        answer: "Misses begin when the pages of a pass exceed the reach, or the ways of the one set that a power of two maps them to; a hashed index moves the bad strides, it does not end them.".to_owned(),
        tables: vec![
            strides(parts.strides),
            scans(parts.scans),
            gathers(parts.gathers),
            spots(parts.spots),
            conflicts(parts.conflicts),
        ],
        charts: vec![stride_chart(parts.strides)],
        differences: texts([
            "Zen 2 keeps four neighbouring pages whose frames are neighbours too as one entry. The published cliff has pages whose frames are scattered, so the strides have them here; with frames in order it comes four times later.",
            "The model of Zen 2 has an L2 dTLB of 16 ways with tree PLRU that also holds page-directory entries, so it walks a little where the closed form's 256 × 8 LRU array does not yet.",
            "The publication of the 1 GiB spots says Xeon E5; Sandy Bridge is taken, whose STLB holds 4K pages only. Its cycles are those of the whole load with its data.",
            "Nanoseconds of the scans grow with cache misses and prefetching too; the misses are only the TLB's part.",
        ]),
        corrections: texts([
            "\"64 × 4K = 512K\" of the strided array is 256 KiB.",
        ]),
        parts: Vec::new(),
    }
}
