//! The 2048³ product on a Core 2: the inner loop walks down a column of the second matrix.

use pagewalk::caches::policy::Policy;
use pagewalk::config::MachineConfig;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::RunReport;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;

use super::job::{Job, machine_of};
use super::paper::per;
use super::parts::{table, texts};
use super::result::{ExperimentInfo, ExperimentResult, Reference, Row, Setting};

/// Rows and columns.
const N: u64 = 2048;
/// Columns of the first row of the result: those before the ones that are counted, and those.
const WARM_COLUMNS: u64 = 8;
const COLUMNS: u64 = 24;
/// Accesses of the inner loop: c, a, b and c again for each k.
const INNER: u64 = 4 * N;
const GIGAHERTZ: f64 = 2.66;

/// A run: CPU, replacement, page size, bytes before each row, and on paper the L1 misses of
/// loads and the walks of 2048 iterations.
struct Case {
    cpu: &'static str,
    lru: bool,
    pages: PageSize,
    header: u64,
    on_paper: Option<[u64; 2]>,
}

const fn case(
    cpu: &'static str,
    lru: bool,
    pages: PageSize,
    header: u64,
    on_paper: Option<[u64; 2]>,
) -> Case {
    Case { cpu, lru, pages, header, on_paper }
}

const CORE_2: &str = "intel-core2";
const HASWELL: &str = "intel-haswell";

/// The first two are those of the published times: Java's rows begin with a header of 16 bytes.
const CASES: [Case; 7] = [
    case(CORE_2, true, PageSize::K4, 16, Some([2051, 2051])),
    case(CORE_2, true, PageSize::M2, 16, Some([3, 0])),
    case(CORE_2, true, PageSize::K4, 0, Some([2049, 2049])),
    case(CORE_2, true, PageSize::M2, 0, Some([0, 0])),
    case(CORE_2, false, PageSize::K4, 16, None),
    case(CORE_2, false, PageSize::M2, 16, None),
    case(HASWELL, false, PageSize::K4, 16, None),
];

fn machine(case: &Case) -> Result<MachineConfig> {
    let mut machine = machine_of(case.cpu)?;
    if case.lru {
        for array in machine.l1.iter_mut().chain(&mut machine.l2) {
            array.replacement = Policy::Lru;
        }
    }
    Ok(machine)
}

/// CPU with its replacement, page size, bytes of a row.
fn labels(case: &Case) -> [String; 3] {
    let policy = if case.lru { "LRU" } else { "tree PLRU" };
    let row = case.header + 4 * N;
    [format!("{}, {policy}", case.cpu), case.pages.to_string(), row.to_string()]
}

pub(super) fn jobs() -> Result<Vec<Job>> {
    let job = |case: &Case| -> Result<Job> {
        let params = [
            ("n", N.to_string()),
            ("header", case.header.to_string()),
            ("operands", "memory".to_owned()),
        ];
        let length = [WARM_COLUMNS * INNER, COLUMNS * INNER];
        let os = OsConfig::of(case.pages);
        let job = Job::workload(&machine(case)?, &os, "matmul", &params, length)?;
        let [cpu, pages, row] = labels(case);
        Ok(job.named(format!("{cpu}, {pages}, rows of {row} bytes")))
    };
    CASES.iter().map(job).collect()
}

/// What is simulated, and on what.
pub(super) fn setting() -> Setting {
    Setting {
        machine: "intel-core2: DTLB0 4 × 4 entries for loads, DTLB1 64 × 4 (4K) and 8 × 4 (2M). Its replacement is not documented: LRU, and tree PLRU as the model assumes. intel-haswell for comparison".to_owned(),
        policy: "All memory in 4K or in 2M pages, the three matrices one after the other".to_owned(),
        method: format!(
            "c[i][j] += a[i][k] · b[k][j] on {N} × {N} ints, all operands in memory. {COLUMNS} columns of the first row of c are counted after {WARM_COLUMNS} for warm-up, {INNER} accesses each; every later column repeats their counts, so the 2³³ iterations of the whole product are not simulated."
        ),
    }
}

pub(super) fn conclude(info: ExperimentInfo, reports: &[RunReport]) -> ExperimentResult {
    let iterations = COLUMNS * N;
    let mut rows = Vec::new();
    for (case, report) in CASES.iter().zip(reports) {
        let loads = &report.kinds.load;
        let found = [loads.l2_hits + loads.walks, report.walks.walks];
        for (at, quantity) in ["L1 misses of loads", "page walks"].into_iter().enumerate() {
            let mut row =
                Row::new(labels(case), quantity, "per iteration", per(found[at], iterations));
            if let Some(paper) = case.on_paper {
                let text = format!("{} ÷ {N}", paper[at]);
                row = row.exactly(Reference::paper(&text, per(paper[at], N)));
            }
            rows.push(match (case.pages, at, case.lru && case.header == 16) {
                (PageSize::K4, 1, true) => {
                    row.published(Reference::of("at worst one each", 1.0).within(0.99, 1.01))
                }
                (PageSize::M2, 0, true) => {
                    row.published(Reference::of("about 1 in 256", 1.0 / 256.0).within(0.0, 1.0 / 256.0)).note(
                        "1 in 256 is how often the walk crosses a 2M page, which bounds the misses from above.",
                    )
                }
                _ => row,
            });
        }
    }
    let saved = |[small, large]: [&RunReport; 2]| {
        let cycles = per(small.cycles.total, iterations) - per(large.cycles.total, iterations);
        cycles / GIGAHERTZ
    };
    let time = vec![
        Row::new(
            ["4K to 2M".to_owned()],
            "time saved",
            "ns per iteration",
            saved([&reports[0], &reports[1]]),
        )
        .published(Reference::of("3.61 (76 s to 45 s)", 3.61))
        .note("One walk each; the clock of the machine is not published, 2.66 GHz is assumed."),
    ];
    ExperimentResult {
        info,
        answer: "Yes: with 4K pages every step of the column walk misses both levels of the TLB and walks. With 2M pages no step walks, and 3 in 2048 miss the first level.".to_owned(),
        tables: vec![
            table("Misses of one inner iteration", ["CPU, replacement", "pages", "bytes of a row"], rows),
            table("Time", ["pages"], time),
        ],
        charts: Vec::new(),
        differences: texts([
            "Cycles are a model: references of a walk add up, while the processor overlaps them with other work and fetches rows ahead.",
            "Tree PLRU keeps one page of a in DTLB1 that LRU gives up: the store to c touches its neighbour in the tree each time.",
        ]),
        corrections: texts([
            "\"With 2M about one miss per 256 accesses\" is the rate at which the column walk crosses 2M pages (2 MiB ÷ 8 KiB). It would be the miss rate only if the large-page TLB were too small for the 8 or 9 pages of b.",
        ]),
        parts: Vec::new(),
    }
}
