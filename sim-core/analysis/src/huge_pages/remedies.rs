//! How a program gets its huge pages from Linux, and what each way would save.
//!
//! A way reaches certain memory: `madvise` one row, the settings of malloc all memory that malloc returns, and the linker the
//! code of the program, but not that of its libraries. What a way saves is simulated with all picks in the memory that it reaches. A trace that names heap
//! blocks shows what malloc returned. In others, all anonymous memory counts, although a program may map some itself.
//!
//! Sources: madvise(2); glibc manual, Memory Allocation Tunables (glibc.malloc.hugetlb, since 2.35); jemalloc(3)
//! (`opt.thp`); Linux, admin-guide/mm/hugetlbpage.rst and transhuge.rst (`READ_ONLY_THP_FOR_FS`); ld(1) (`max-page-size`).

use serde::Serialize;

use super::{FirstTouches, HugeRow, HugeSaving, percent_span};
use pagewalk_base::addr::PageSize;
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::RegionKind;

/// The most libraries that a sentence names.
const MOST_NAMES: usize = 3;

/// A way to get huge pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum RemedyKind {
    Madvise,
    GlibcTunables,
    MallocConf,
    Hugetlbfs,
    LinkerAlignment,
}

/// A way, the memory that it reaches, and what it would save.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct HugeRemedy {
    pub by: RemedyKind,
    /// The memory that it reaches, in words.
    pub of: String,
    /// The call, the setting or the options, one line each.
    pub commands: Vec<String>,
    /// What it saves and costs, in words.
    pub text: String,
    pub huge_pages: u32,
    pub first_touches: FirstTouches,
    /// What its huge pages alone save; `None` if they were not simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saving: Option<HugeSaving>,
}

/// Returns whether the program allocates such memory, by malloc or by a mapping of its own.
fn is_allocated(kind: RegionKind) -> bool {
    matches!(kind, RegionKind::Heap | RegionKind::Anonymous)
}

/// Returns whether malloc may have returned such memory. `has_blocks` says that the trace names heap blocks.
fn is_from_malloc(kind: RegionKind, has_blocks: bool) -> bool {
    kind == RegionKind::Heap || is_allocated(kind) && !has_blocks
}

/// Returns whether the program's own link places such memory. Libraries are linked apart.
fn is_code(kind: RegionKind) -> bool {
    kind == RegionKind::Text
}

/// Returns whether the kernel clears such memory at its first touch. Pages of a file are read instead.
pub(super) fn is_cleared(kind: RegionKind) -> bool {
    use RegionKind::{Anonymous, File, Heap, Jit, Library, Shared, Stack, Text, Vdso};
    match kind {
        Heap | Stack | Anonymous | Jit | Shared => true,
        Text | Library | File | Vdso => false,
    }
}

/// Returns the sets of rows that are reached together: the memory of malloc, and code.
pub(super) fn groups(rows: &[HugeRow], has_blocks: bool) -> [Vec<usize>; 2] {
    let of = |is_in: &dyn Fn(RegionKind) -> bool| {
        (0..rows.len()).filter(|at| is_in(rows[*at].kind)).collect()
    };
    [of(&|kind| is_from_malloc(kind, has_blocks)), of(&is_code)]
}

/// The huge pages, the first touches and the saving of a group of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reached {
    pub(super) huge_pages: u32,
    pub(super) first_touches: FirstTouches,
    pub(super) saving: Option<HugeSaving>,
}

/// Returns the ways, those for one row first. `malloc` and `code` are the groups of [`groups`].
pub(super) fn remedies(
    pages: PageSize,
    huge: PageSize,
    rows: &[HugeRow],
    [malloc, code]: [Reached; 2],
) -> Vec<HugeRemedy> {
    let is_thp = pages == PageSize::K4 && huge == PageSize::M2;
    let is_from_pool = huge > PageSize::M2;
    let remedy = |by, of: &str, commands: Vec<String>, reached: Reached| {
        let Reached { huge_pages, first_touches, saving } = reached;
        let text = text(first_touches, saving);
        HugeRemedy { by, of: of.to_owned(), commands, text, huge_pages, first_touches, saving }
    };
    let mut all = Vec::new();
    let is_listed = |row: &&HugeRow| is_allocated(row.kind) && row.alone.is_some();
    for row in rows.iter().filter(is_listed).filter(|_| !is_from_pool) {
        let reached = Reached {
            huge_pages: row.huge_pages,
            first_touches: row.first_touches,
            saving: row.alone,
        };
        all.push(remedy(RemedyKind::Madvise, &row.name, madvise(row, huge), reached));
    }
    if malloc.huge_pages > 0 {
        let of = "all memory of malloc";
        if is_thp {
            let tunable = |n: u32| format!("GLIBC_TUNABLES=glibc.malloc.hugetlb={n} ./program");
            all.push(remedy(RemedyKind::GlibcTunables, of, vec![tunable(1)], malloc));
            let conf = "MALLOC_CONF=thp:always ./program".to_owned();
            let of_jemalloc = "all memory of malloc, in programs with jemalloc";
            all.push(remedy(RemedyKind::MallocConf, of_jemalloc, vec![conf], malloc));
            let pool = format!("sysctl vm.nr_hugepages={}", malloc.huge_pages);
            all.push(remedy(RemedyKind::Hugetlbfs, of, vec![pool, tunable(2)], malloc));
        } else if is_from_pool {
            let (kb, n) = (huge.bytes() >> 10, malloc.huge_pages);
            let pool = format!("echo {n} > /sys/kernel/mm/hugepages/hugepages-{kb}kB/nr_hugepages");
            let call = format!(
                "mmap(NULL, {}, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | {} << MAP_HUGE_SHIFT, -1, 0);",
                length(u64::from(n) * huge.bytes()),
                huge.shift()
            );
            all.push(remedy(RemedyKind::Hugetlbfs, of, vec![pool, call], malloc));
        }
    }
    if code.huge_pages > 0 && is_thp {
        let commands = vec![
            "cc -Wl,-z,max-page-size=2097152 -Wl,-z,common-page-size=2097152 …".to_owned(),
            "madvise(text, length, MADV_HUGEPAGE); // needs CONFIG_READ_ONLY_THP_FOR_FS".to_owned(),
        ];
        all.push(remedy(RemedyKind::LinkerAlignment, "code", commands, code));
    }
    all
}

/// Returns the lines of a program that make a row huge. Only a mapping has a literal address: an object is elsewhere in
/// the next run, and begins in the middle of a huge page unless it is aligned.
fn madvise(row: &HugeRow, huge: PageSize) -> Vec<String> {
    let (name, size) = (&row.name, length(huge.bytes()));
    let Some(object) = row.object else {
        let call = format!(
            "madvise((void *){}, {}, MADV_HUGEPAGE); // {name}",
            row.start,
            length(row.end.0 - row.start.0)
        );
        let n_beyond = row.huge_pages.saturating_sub(row.n_inside);
        return vec![match n_beyond {
            0 => call,
            n => format!("{call}: {n} of {} only if it is aligned to {huge}", row.huge_pages),
        }];
    };
    let bytes = if object.n > 1 { row.end.0 - row.start.0 } else { object.bytes };
    let bytes = length(bytes.checked_next_multiple_of(huge.bytes()).unwrap_or(bytes));
    let call = format!("madvise(p, {bytes}, MADV_HUGEPAGE);");
    if row.kind != RegionKind::Heap {
        return vec![format!("{call} // p: {name}, declared with _Alignas({size})")];
    }
    let of = match object.n {
        0 | 1 => format!("instead of {name}"),
        n => format!("for the {} blocks of {name}", grouped(n)),
    };
    let mut lines = vec![format!("p = aligned_alloc({size}, {bytes}); // {of}"), call];
    if name.contains("calloc") {
        lines.push(format!("memset(p, 0, {bytes}); // as calloc does"));
    }
    lines
}

/// Splits the ways into those that may save time, and a sentence about the others.
pub(super) fn split(all: Vec<HugeRemedy>) -> (Vec<HugeRemedy>, Option<String>) {
    let saves = |way: &HugeRemedy| way.saving.is_some_and(|saving| saving.share.high > 0.0);
    let (useful, useless): (Vec<_>, Vec<_>) = all.into_iter().partition(saves);
    let names: Vec<String> =
        useless.iter().map(|way| format!("{} ({})", way.by.name(), way.of)).collect();
    let sentence = || format!("These ways would save nothing: {}.", names.join(", "));
    (useful, (!names.is_empty()).then(sentence))
}

/// Names the libraries whose code no way reaches, as a sentence.
pub(super) fn unreached(pages: PageSize, huge: PageSize, rows: &[HugeRow]) -> Option<String> {
    let is_thp = pages == PageSize::K4 && huge == PageSize::M2;
    let of_libraries = || rows.iter().filter(|row| row.kind == RegionKind::Library);
    let n: u32 = of_libraries().map(|row| row.huge_pages).sum();
    if n == 0 || !is_thp {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for row in of_libraries() {
        let name = row.name.rsplit('/').next().unwrap_or(&row.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(MOST_NAMES);
    names.truncate(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (noun, verb) = if n == 1 { ("page", "holds") } else { ("pages", "hold") };
    Some(format!(
        "{} huge {noun} {verb} code of libraries ({}{more}). Linking the program again does not reach them: a library must be linked with the alignment itself.",
        grouped(n.into()),
        names.join(", ")
    ))
}

impl RemedyKind {
    fn name(self) -> &'static str {
        match self {
            Self::Madvise => "madvise",
            Self::GlibcTunables => "GLIBC_TUNABLES",
            Self::MallocConf => "MALLOC_CONF",
            Self::Hugetlbfs => "hugetlbfs",
            Self::LinkerAlignment => "the linker's alignment",
        }
    }
}

fn text(first_touches: FirstTouches, saving: Option<HugeSaving>) -> String {
    let saved = saving.map_or_else(String::new, |saving| {
        let walks = grouped(saving.walks.unsigned_abs());
        let more = if saving.walks < 0 { "more" } else { "fewer" };
        format!("{walks} {more} walks, {} of the time saved; ", percent_span(saving.share))
    });
    format!("{saved}first touches {}", first_touches.words())
}

/// A size as a C expression: `1UL << 30`, `8 << 20`, `64 << 10`.
fn length(bytes: u64) -> String {
    match bytes.trailing_zeros() {
        30.. if bytes > 0 => format!("{}UL << 30", bytes >> 30),
        20.. if bytes > 0 => format!("{} << 20", bytes >> 20),
        _ => format!("{} << 10", bytes >> 10),
    }
}
