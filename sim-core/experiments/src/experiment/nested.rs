//! Walks in one dimension and in two, for every page size of guest and host.

use pagewalk::config::MachineConfig;
use pagewalk::os::{OsConfig, Virt};
use pagewalk::record::stats::RunReport;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::workload::generator;

use super::job::{Job, machine_of, without_data};
use super::paper::{number, per};
use super::parts::{axis, chart, grouped, series, table, texts};
use super::result::{
    Chart, ExperimentInfo, ExperimentResult, Reference, ResultTable, Row, Scale, Series,
    SeriesKind, Setting,
};

const CPU: &str = "intel-skylake-sp";
const SIZES: [PageSize; 3] = [PageSize::K4, PageSize::M2, PageSize::G1];
const BASE: u64 = 0x1000_0000_0000;
/// More than the STLB reaches with 2M pages.
const BYTES: u64 = 4 << 30;
/// Bytes of memory whose entries of a table are in one cache line, with 4K pages.
const LINE: u64 = 8 << 12;
const WARM: u64 = 20_000;
const N: u64 = 200_000;

/// Levels of the guest and of the host.
const LEVELS: [[u64; 2]; 4] = [[4, 4], [4, 5], [5, 4], [5, 5]];

/// The pages of the guest, and of the host if there is one.
type Pages = (PageSize, Option<PageSize>);

fn pages() -> impl Iterator<Item = Pages> {
    SIZES.into_iter().flat_map(|guest| {
        std::iter::once((guest, None)).chain(SIZES.map(move |host| (guest, Some(host))))
    })
}

fn os((guest, host): Pages) -> OsConfig {
    let mut os = OsConfig::of(guest);
    if let Some(host) = host {
        os.virt = Virt::Ept;
        os.host = Some(Box::new(OsConfig::of(host)));
    }
    os
}

fn cold() -> impl Iterator<Item = ([u64; 2], Pages)> {
    LEVELS.into_iter().flat_map(|levels| pages().map(move |pages| (levels, pages)))
}

/// Both ways to have a host, with pages of one size on both sides.
const MODES: [(Virt, &str); 3] =
    [(Virt::Native, "native"), (Virt::Ept, "nested"), (Virt::Shadow, "shadow")];
const BOTH: [PageSize; 2] = [PageSize::K4, PageSize::M2];
/// Memory that is touched for the first time, a store to every 4K.
const FRESH: u64 = 64 << 20;

fn modes() -> impl Iterator<Item = (Virt, &'static str, PageSize)> {
    MODES.into_iter().flat_map(|(virt, name)| BOTH.map(|pages| (virt, name, pages)))
}

fn os_of(virt: Virt, pages: PageSize) -> OsConfig {
    let host = (virt != Virt::Native).then_some(pages);
    OsConfig { virt, ..os((pages, host)) }
}

/// A machine without any cache, so that every reference is seen.
fn bare([guest, host]: [u64; 2]) -> Result<MachineConfig> {
    MachineConfig::parse(&format!(r#"{{"levels": {guest}, "virt": {{"levels": {host}}}}}"#))
}

pub(super) fn jobs() -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for (levels, pages) in cold() {
        let one = std::iter::once(Access::new(Kind::Load, BASE, 8));
        jobs.push(Job::of(&bare(levels)?, &os(pages), one, [0, 1]));
    }
    for (virt, _, pages) in modes() {
        let one = std::iter::once(Access::new(Kind::Load, BASE, 8));
        jobs.push(Job::of(&bare([4, 4])?, &os_of(virt, pages), one, [0, 1]));
    }
    let machine = without_data(machine_of(CPU)?);
    for (virt, _, pages) in modes() {
        let n = FRESH / PageSize::K4.bytes();
        let stores = (0..n).map(|at| Access::new(Kind::Store, BASE + at * 4096, 8));
        jobs.push(Job::of(&machine, &os_of(virt, pages), stores, [0, n]));
    }
    for os in pages().map(os).chain(BOTH.map(|pages| os_of(Virt::Shadow, pages))) {
        let params = [
            ("base", format!("{BASE:#x}")),
            ("bytes", BYTES.to_string()),
            ("accesses", (WARM + N).to_string()),
        ];
        let given = params.map(|(name, value)| (name.to_owned(), value));
        let lines = (0..BYTES / LINE).map(|at| Access::new(Kind::Load, BASE + at * LINE, 8));
        let accesses = lines.chain(generator("uniform", &given)?);
        jobs.push(Job::of(&machine, &os, accesses, [BYTES / LINE + WARM, N]));
    }
    Ok(jobs)
}

fn text(host: Option<PageSize>) -> String {
    host.map_or("none (native)".to_owned(), |host| host.to_string())
}

/// Levels that a walk goes through for a page of a size.
fn levels(n: u64, pages: PageSize) -> u64 {
    n - u64::from(pages.shift() - 12) / 9
}

fn cold_table(reports: &[RunReport]) -> ResultTable {
    let mut rows = Vec::new();
    for (([guest_levels, host_levels], (guest, host)), report) in cold().zip(reports) {
        if host.is_none() && host_levels != 4 {
            continue;
        }
        let g = levels(guest_levels, guest);
        let (dimensions, text_of, paper) = match host {
            None => (format!("{guest_levels}"), "g", g),
            Some(host) => {
                let h = levels(host_levels, host);
                (
                    format!("{guest_levels} × {host_levels}"),
                    "(g + 1)(h + 1) − 1",
                    (g + 1) * (h + 1) - 1,
                )
            }
        };
        let row = Row::new(
            [dimensions, guest.to_string(), text(host)],
            "references",
            "per cold walk",
            number(report.walks.refs),
        )
        .exactly(Reference::paper(text_of, number(paper)));
        let published = match (guest_levels, host_levels, guest, host) {
            (4, 4, PageSize::K4, Some(PageSize::K4)) => Some(24.0),
            (4, 4, PageSize::K4, None) => Some(4.0),
            (4, 4, PageSize::M2, None) => Some(3.0),
            (4, 4, PageSize::M2, Some(PageSize::M2)) => Some(15.0),
            _ => None,
        };
        rows.push(match published {
            Some(n) => row.published(Reference::of(&n.to_string(), n).within(n, n)),
            None => row,
        });
    }
    table("A walk with nothing cached", ["levels", "pages of the guest", "pages of the host"], rows)
}

/// Walks of each load, references and cycles of each walk.
fn walks(report: &RunReport) -> [f64; 3] {
    let n = report.walks.walks;
    let of_walk = |count| if n == 0 { 0.0 } else { per(count, n) };
    [
        per(n, report.kinds.load.translations),
        of_walk(report.walks.refs),
        of_walk(report.cycles.walk),
    ]
}

fn cycles(report: &RunReport) -> f64 {
    per(report.cycles.total, report.kinds.load.translations)
}

/// Returns the page that an entry of the TLB holds.
fn held((guest, host): Pages) -> PageSize {
    host.map_or(guest, |host| guest.min(host))
}

fn warm_table(reports: &[RunReport]) -> ResultTable {
    let mut rows = Vec::new();
    for (pages, report) in pages().zip(reports) {
        let case = || [pages.0.to_string(), text(pages.1), held(pages).to_string()];
        let [of_loads, refs, of_walks] = walks(report);
        let n = BYTES / held(pages).bytes();
        let reach = if held(pages) == PageSize::G1 { 16 } else { 1536 };
        let paper = number(n.saturating_sub(reach)) / number(n);
        rows.push(
            Row::new(case(), "page walks", "per load", of_loads)
                .tightly(Reference::paper("1 − STLB entries ÷ pages", paper)),
        );
        if report.walks.walks > 0 {
            let row = Row::new(case(), "references", "per walk", refs);
            rows.push(match pages {
                (PageSize::K4, None) => row.published(Reference::of("1.5", 1.5).within(1.0, 2.0)),
                (PageSize::K4, Some(PageSize::K4)) => {
                    row.published(Reference::of("4.4", 4.4).within(2.0, 6.0))
                }
                _ => row,
            });
            rows.push(Row::new(case(), "walk cycles", "per walk", of_walks));
        }
        rows.push(Row::new(case(), "translation cycles", "per load", cycles(report)));
    }
    let heads = ["pages of the guest", "pages of the host", "in the TLB"];
    table("Random loads of 4 GiB, caches warm", heads, rows)
}

/// Returns the report of some pages.
fn of(reports: &[RunReport], wanted: Pages) -> &RunReport {
    let found = pages().zip(reports).find(|(pages, _)| *pages == wanted);
    found.expect("every pair is simulated").1
}

fn sides(reports: &[RunReport]) -> ResultTable {
    let (small, large) = (PageSize::K4, PageSize::M2);
    let before = walks(of(reports, (small, Some(small))))[0];
    let row = |title: &str, pages: Pages, published: &str, falls: bool| {
        let saved = 1.0 - walks(of(reports, pages))[0] / before;
        let reference = Reference { text: published.to_owned(), value: None, range: None };
        Row::new([title.to_owned()], "walks saved", "of those with 4K on both", saved)
            .direction(reference, (saved > 0.5) == falls && (falls || saved.abs() < 0.01))
    };
    let mut rows = vec![
        row("the guest alone", (large, Some(small)), "THP of the guest alone: no effect", false),
        row("the host alone", (small, Some(large)), "THP of the host alone: no effect", false),
        row(
            "both",
            (large, Some(large)),
            "guest and host (QEMU on hugetlbfs): 26 to 32 % faster; Oracle about 30 %",
            true,
        ),
    ];
    let cost = |pages: Pages| number(of(reports, pages).cycles.walk);
    for (title, pages) in [
        ("the guest alone", (large, Some(small))),
        ("the host alone", (small, Some(large))),
        ("both", (large, Some(large))),
    ] {
        let saved = 1.0 - cost(pages) / cost((small, Some(small)));
        let unit = "of those with 4K on both";
        rows.push(Row::new([title.to_owned()], "walk cycles saved", unit, saved));
    }
    let [native, nested] =
        [(large, None), (large, Some(large))].map(|pages| walks(of(reports, pages))[2]);
    rows.push(
        Row::new(["both".to_owned()], "walk cycles, nested ÷ native", "times", nested / native)
            .direction(
                Reference {
                    text: "a modest fraction, far from 6 times".to_owned(),
                    value: None,
                    range: None,
                },
                nested > native && nested < 2.0 * native,
            ),
    );
    table("Who must use 2M pages", ["2M pages of"], rows)
}

/// Exits to the host while memory is touched for the first time, on paper.
fn exits_on_paper(virt: Virt, pages: PageSize) -> (&'static str, u64) {
    let data = FRESH / pages.bytes();
    // Tables of the guest below its root, each with an entry above it.
    let tables = if pages == PageSize::K4 { FRESH / PageSize::M2.bytes() + 2 } else { 2 };
    match virt {
        Virt::Native => ("no host", 0),
        Virt::Ept => {
            // Pages of the host: tables of 4K are in one page of 2M.
            let touched = data + if pages == PageSize::K4 { tables + 1 } else { 1 };
            ("violations: pages of the host; full logs: those ÷ 512", touched + touched / 512)
        }
        Virt::Shadow => ("entries that the guest writes + hidden faults", data + tables + data),
    }
}

/// Returns the parts of the reports: cold walks, cold walks by mode, first touches by mode, warm walks,
/// and warm walks of shadow tables.
fn parts(reports: &[RunReport]) -> [&[RunReport]; 5] {
    let (of_cold, rest) = reports.split_at(cold().count());
    let (of_modes, rest) = rest.split_at(modes().count());
    let (fresh, rest) = rest.split_at(modes().count());
    let (warm, shadow) = rest.split_at(pages().count());
    [of_cold, of_modes, fresh, warm, shadow]
}

fn shadow_table(reports: &[RunReport]) -> ResultTable {
    let [_, of_cold, fresh, warm, shadow] = parts(reports);
    let mut rows = Vec::new();
    for (at, (virt, name, pages)) in modes().enumerate() {
        let case = || [name.to_owned(), pages.to_string()];
        let row = |quantity, unit, found| Row::new(case(), quantity, unit, found);
        let g = levels(4, pages);
        let (text, paper) = match virt {
            Virt::Ept => ("(g + 1)(h + 1) − 1", (g + 1) * (g + 1) - 1),
            _ => ("g", g),
        };
        let cold = row("references of a cold walk", "", number(of_cold[at].walks.refs))
            .exactly(Reference::paper(text, number(paper)));
        rows.push(match (virt, pages) {
            (Virt::Shadow, PageSize::K4) => {
                cold.published(Reference::of("4", 4.0).within(4.0, 4.0))
            }
            (Virt::Ept, PageSize::K4) => {
                cold.published(Reference::of("24", 24.0).within(24.0, 24.0))
            }
            _ => cold,
        });
        let (text, paper) = exits_on_paper(virt, pages);
        let exits = fresh[at].virt.as_ref().map_or(0, |virt| virt.exits.total);
        let exits = row("exits at first touches of 64 MiB", "", number(exits))
            .exactly(Reference::paper(text, number(paper)));
        rows.push(exits);
        let report = match virt {
            Virt::Native => of(warm, (pages, None)),
            Virt::Ept => of(warm, (pages, Some(pages))),
            Virt::Shadow => &shadow[usize::from(pages != BOTH[0])],
        };
        rows.push(row("references of a warm walk", "", walks(report)[1]));
        rows.push(row("translation cycles", "per load, warm", cycles(report)));
    }
    table("Shadow tables: short walks, paid for by exits", ["mode", "pages of both"], rows)
}

fn refs_chart(reports: &[RunReport]) -> Chart {
    let [of_cold, .., of_warm, _] = parts(reports);
    let level = |pages: Option<PageSize>| pages.map_or(0, |pages| levels(4, pages));
    let line = |guest: PageSize, name: &str, y: &dyn Fn(Pages) -> f64| {
        let hosts =
            std::iter::once(None).chain([PageSize::G1, PageSize::M2, PageSize::K4].map(Some));
        let points = hosts.map(|host| [number(level(host)), y((guest, host))]);
        let line = series(name, SeriesKind::Simulated, points.collect());
        Series { pages: Some(guest.to_string()), ..line }
    };
    // The first of the cold ones have four levels in both dimensions.
    let cold = |wanted: Pages| number(of(of_cold, wanted).walks.refs);
    let warm = |wanted: Pages| walks(of(of_warm, wanted))[1];
    let mut lines: Vec<Series> =
        SIZES.iter().map(|guest| line(*guest, &format!("guest {guest}, cold"), &cold)).collect();
    lines.push(line(PageSize::K4, "guest 4K, warm", &warm));
    chart(
        "References of a walk by the levels of the host",
        axis("levels of the host's walk (0 = native, 2 = 1G, 3 = 2M, 4 = 4K)", Scale::Linear),
        axis("references per walk", Scale::Linear),
        lines,
    )
}

/// What is simulated, and on what.
pub(super) fn setting() -> Setting {
    Setting {
        machine: format!(
            "A machine without caches for the cold walks; {CPU} for the warm ones, with its paging-structure caches, EPT paging-structure caches and nested TLB (sizes assumed: no source gives them)"
        ),
        policy: "The guest's memory in pages of one size, the host's in pages of one size, that of the guest's page tables included: nested (EPT), and with a shadow table".to_owned(),
        method: format!(
            "Cold: one load. First touches: a store to every 4K of 64 MiB. Warm: {} uniformly random loads of 4 GiB are counted, after one load for each cache line of the page tables and {} random ones. Page-table reads have the caches to themselves.",
            grouped(N),
            grouped(WARM)
        ),
    }
}

pub(super) fn conclude(info: ExperimentInfo, reports: &[RunReport]) -> ExperimentResult {
    let [of_cold, .., of_warm, _] = parts(reports);
    ExperimentResult {
        info,
        answer: "A cold walk of a guest reads up to 24 entries where a native one reads 4; warm caches leave a few. The TLB holds the smaller page of the two sides, so only huge pages on both make its misses fewer; on one side they shorten the walks. A shadow table makes walks native again, and every change of a page table an exit.".to_owned(),
        tables: vec![
            cold_table(of_cold),
            warm_table(of_warm),
            sides(of_warm),
            shadow_table(reports),
        ],
        charts: vec![refs_chart(reports)],
        differences: texts([
            "\"No effect\" is what whole programs showed; the simulation counts. Large pages on one side alone save no walk, as published, but they do shorten each: a third of the walk cycles of these loads, which miss at every step, and little of a program that seldom misses.",
            "1.5 and 4.4 references of a walk are simulated by Park et al. (ASPLOS 2022) with their workloads; these loads go anywhere in 4 GiB, which the caches of the upper levels cannot cover.",
            "The exits follow a stated model: under EPT each missing page of the host is one, and each full page-modification log (512 entries); under shadow paging each entry of a table that the guest writes, and each page that it has mapped and the shadow table has not. Cycles of exits are not in the translation cycles.",
            "Published too, and outside translation: memory of the guest allocated beforehand instead of at first use (14 % faster with one thread, 36 % with several), remap (53 %) and mlock (6 %). A guest of 16 GiB has 8192 pages of 2M.",
            "What \"no effect\" means for transparent huge pages also depends on how much of memory they get; here all of it is mapped with one size.",
        ]),
        parts: Vec::new(),
        corrections: texts([
            "A page that is in memory but not yet mapped is a minor fault; a publication also calls a miss of the cache one, which it is not.",
        ]),
    }
}
