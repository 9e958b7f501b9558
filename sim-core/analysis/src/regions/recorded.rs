//! Regions from records of memory maps. Neighbouring pages whose records have one kind belong together. Pages
//! without a record are inferred, as in a trace without records.
//!
//! ```text
//! records   |text a|data a|        |heap|    |lib b|lib c|        |stack|
//! regions   |text  |file  |        |heap|    |libraries  |        |stack|
//! ```

use super::{GAP, MAX_REGIONS, Records, RegionView, name, region};
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::trace::{Mapping, PageUse, RegionKind};

/// Consecutive pages that one record covers, or that no record covers.
struct Stretch {
    /// The index of the first page. `end` is the index after the last page.
    start: usize,
    end: usize,
    /// The index of the record in the list of mappings.
    record: Option<usize>,
    /// The index of the record of the whole mapping; that of a part is only its name.
    whole: Option<usize>,
}

/// Returns the regions of `pages`, which must be sorted. The result has the highest addresses first.
pub(super) fn regions(pages: &[PageUse], mappings: &[Mapping]) -> Vec<RegionView> {
    let stretches = stretches(pages, mappings);
    let kind = |stretch: &Stretch| stretch.record.map(|at| mappings[at].kind);
    let mut borders: Vec<(u64, usize, usize)> = Vec::new();
    for (at, pair) in stretches.windows(2).enumerate() {
        let (below, above) = (&pair[0], &pair[1]);
        let gap = pages[above.start].page.pages_since(pages[below.end - 1].page);
        let size = (below.end - below.start).min(above.end - above.start);
        if gap >= GAP {
            borders.push((gap, size, at + 1));
        } else if kind(below) != kind(above) {
            borders.push((0, size, at + 1));
        }
    }
    // The widest gaps come first, then borders between large parts.
    borders.sort_unstable_by(|a, b| b.cmp(a));
    borders.truncate(MAX_REGIONS - 1);
    let mut starts: Vec<usize> = borders.into_iter().map(|(.., at)| at).collect();
    starts.push(0);
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([stretches.len()]);
    let mut seen_code = false;
    let mut regions: Vec<RegionView> = starts
        .iter()
        .zip(ends)
        .filter(|(start, end)| **start < *end)
        .map(|(start, end)| join(pages, mappings, &stretches[*start..end], &mut seen_code))
        .collect();
    regions.reverse();
    regions
}

/// Joins several stretches to one region. It has the kind that most of its recorded pages have.
fn join(
    pages: &[PageUse],
    mappings: &[Mapping],
    stretches: &[Stretch],
    seen_code: &mut bool,
) -> RegionView {
    let inside = &pages[stretches[0].start..stretches[stretches.len() - 1].end];
    let mut kinds: SmallMap<RegionKind, usize> = SmallMap::new();
    let mut recorded = 0;
    for stretch in stretches {
        if let Some(at) = stretch.record {
            *kinds.or_default(mappings[at].kind) += stretch.end - stretch.start;
            recorded += stretch.end - stretch.start;
        }
    }
    let most = kinds.iter().max_by_key(|(_, n)| **n).map(|(kind, _)| *kind);
    let (kind, text) = if let Some(kind) = most.filter(|_| 2 * recorded >= inside.len()) {
        *seen_code |= kind == RegionKind::Text;
        (kind, name_of(kind, mappings, stretches))
    } else {
        let (text, kind) = name(inside, seen_code);
        (kind, text.to_owned())
    };
    RegionView { recorded: recorded as u64, ..region((&text, kind), inside) }
}

/// Returns the name of the records of the kind without its folders, if they all have one name, or if the name of a part has
/// most of the pages; else the name of the whole mappings, if they have one; else the name of the kind.
fn name_of(kind: RegionKind, mappings: &[Mapping], stretches: &[Stretch]) -> String {
    let of_kind = |at: usize| Some(&mappings[at]).filter(|mapping| mapping.kind == kind);
    let parts = || stretches.iter().filter_map(|stretch| stretch.record.and_then(of_kind));
    let wholes = || stretches.iter().filter_map(|stretch| stretch.whole.and_then(of_kind));
    let found = the_one(parts().map(short))
        .or_else(|| main_part(kind, mappings, stretches))
        .or_else(|| the_one(wholes().map(short)));
    // The kernel's own names have brackets: `[heap]`.
    let found = found.filter(|name| !name.is_empty() && !name.starts_with('['));
    match kind {
        RegionKind::Text
        | RegionKind::Library
        | RegionKind::File
        | RegionKind::Heap
        | RegionKind::Anonymous
            if let Some(name) = found =>
        {
            name
        }
        RegionKind::Library => "libraries".to_owned(),
        RegionKind::File => "files".to_owned(),
        _ => kind.name().to_owned(),
    }
}

/// Returns the name that all have.
fn the_one<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = names.next()?;
    names.all(|other| other == first).then(|| first.to_owned())
}

/// Returns the name of a mapping without its folders. That of anonymous memory, as in `//anon`, is no name.
fn short(mapping: &Mapping) -> &str {
    let is_anonymous = mapping.kind == RegionKind::Anonymous && mapping.name.starts_with('/');
    if is_anonymous { "" } else { mapping.name.rsplit('/').next().unwrap_or_default() }
}

/// Returns the name of a part that has at least three quarters of the pages. The first pass finds the only name that can have
/// more than half (Boyer and Moore, MJRTY, 1991), the second counts its pages.
fn main_part(kind: RegionKind, mappings: &[Mapping], stretches: &[Stretch]) -> Option<String> {
    let named = |stretch: &Stretch| {
        let mapping = &mappings[stretch.record?];
        (mapping.is_name && mapping.kind == kind).then_some(mapping.name.as_str())
    };
    let parts = || stretches.iter().map(|part| (named(part), part.end - part.start));
    let (mut candidate, mut lead) = (None, 0);
    for (name, n) in parts() {
        if name == candidate {
            lead += n;
        } else if n > lead {
            (candidate, lead) = (name, n - lead);
        } else {
            lead -= n;
        }
    }
    let (mut n_named, mut n_all) = (0, 0);
    for (name, n) in parts() {
        n_all += n;
        n_named += if name == candidate { n } else { 0 };
    }
    candidate.filter(|_| 4 * n_named >= 3 * n_all).map(str::to_owned)
}

/// Splits the pages into stretches with one record. If several records cover a page, the last one counts.
fn stretches(pages: &[PageUse], mappings: &[Mapping]) -> Vec<Stretch> {
    let records = Records::new(mappings, usize::MAX);
    let mut wholes = Records::default();
    for (at, _) in mappings.iter().enumerate().filter(|(_, mapping)| !mapping.is_name) {
        wholes.put(mappings[at].start..mappings[at].end, at);
    }
    let of_page = |records: &Records, page: &PageUse| {
        records.within(page.page.start()..page.page.end()).last().map(|(_, at)| at)
    };
    let mut all: Vec<Stretch> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let [record, whole] = [&records, &wholes].map(|records| of_page(records, page));
        let apart = at > 0 && page.page.pages_since(pages[at - 1].page) >= GAP;
        match all.last_mut() {
            Some(last) if last.record == record && last.whole == whole && !apart => {
                last.end = at + 1;
            }
            _ => all.push(Stretch { start: at, end: at + 1, record, whole }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::of_trace;
    use super::*;
    use expect_test::{Expect, expect};
    use pagewalk_base::trace::PageNumber;

    /// Checks the regions of pages and records. `pages` has ranges of page numbers, with `x` before pages of
    /// code.
    #[track_caller]
    fn check(pages: &str, records: &[(u64, u64, bool, &str)], expected: &Expect) {
        let mut used = Vec::new();
        for word in pages.split(' ') {
            let fetches = u32::from(word.starts_with('x'));
            let (start, end) = word.trim_start_matches('x').split_once('-').unwrap();
            let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
            used.extend((number(start)..number(end)).map(|page| PageUse {
                page: PageNumber(page),
                fetches,
                data: 1 - fetches,
            }));
        }
        let mappings: Vec<Mapping> = records
            .iter()
            .map(|(start, end, executable, name)| {
                Mapping::new(1, start << 12..end << 12, 0, *executable, *name).unwrap()
            })
            .collect();
        let lines: Vec<String> = of_trace(&used, &mappings)
            .iter()
            .map(|r| {
                let kind = r.kind.name();
                format!(
                    "{} ({kind}) {}..{} {} of {}\n",
                    r.name, r.start, r.end, r.recorded, r.pages
                )
            })
            .collect();
        expected.assert_eq(&lines.concat());
    }

    const PROGRAM: [(u64, u64, bool, &str); 7] = [
        (0x400, 0x410, true, "/usr/bin/ls"),
        (0x410, 0x420, false, "/usr/bin/ls"),
        (0x420, 0x460, false, "[heap]"),
        (0x7f000, 0x7f100, true, "/lib/libc.so.6"),
        (0x7f100, 0x7f110, false, ""),
        (0x7f110, 0x7f130, true, "/lib/ld-linux.so.2"),
        (0x8_0000, 0x8_0010, false, "[stack]"),
    ];

    #[test]
    fn records_name_the_parts_of_a_program() {
        check(
            "x400-408 410-412 420-440 x7f000-7f040 7f100-7f104 x7f110-7f120 80000-80004",
            &PROGRAM,
            &expect![[r"
                stack (stack) 0x80000000..0x80004000 4 of 4
                ld-linux.so.2 (library) 0x7f110000..0x7f120000 16 of 16
                anonymous (anonymous) 0x7f100000..0x7f104000 4 of 4
                libc.so.6 (library) 0x7f000000..0x7f040000 64 of 64
                heap (heap) 0x420000..0x440000 32 of 32
                ls (file) 0x410000..0x412000 2 of 2
                ls (text) 0x400000..0x408000 8 of 8
            "]],
        );
    }

    #[test]
    fn what_no_record_covers_is_inferred() {
        check(
            "x400-408 420-440 x900-910 a000-a020",
            &PROGRAM,
            &expect![[r"
            data (anonymous) 0xa000000..0xa020000 0 of 32
            libraries (library) 0x900000..0x910000 0 of 16
            heap (heap) 0x420000..0x440000 32 of 32
            ls (text) 0x400000..0x408000 8 of 8
        "]],
        );
        check(
            "x400-408 a000-a020",
            &[],
            &expect![[r"
            data (anonymous) 0xa000000..0xa020000 0 of 32
            text (text) 0x400000..0x408000 0 of 8
        "]],
        );
    }

    #[test]
    fn a_later_record_takes_the_place_of_an_earlier_one() {
        check(
            "400-440",
            &[(0x400, 0x440, false, "/data/a"), (0x410, 0x420, false, "[heap]")],
            &expect![[r"
                a (file) 0x420000..0x440000 32 of 32
                heap (heap) 0x410000..0x420000 16 of 16
                a (file) 0x400000..0x410000 16 of 16
            "]],
        );
    }

    /// The importer of loops records each array as heap memory with the name of its variable.
    #[test]
    fn arrays_of_a_loop_have_the_names_of_their_variables() {
        let array = |start: u64, end: u64, name: &str| {
            let mapping = Mapping::new(0, start << 12..end << 12, 0, false, name).unwrap();
            Mapping { kind: RegionKind::Heap, ..mapping }
        };
        let mappings = [array(0x1_0000, 0x1_0400, "entries"), array(0x1_0611, 0x1_0700, "buckets")];
        let used = |page| PageUse { page: PageNumber(page), fetches: 0, data: 1 };
        let pages: Vec<PageUse> =
            (0x1_0000..0x1_0400).chain(0x1_0611..0x1_0620).map(used).collect();
        let names: Vec<String> =
            of_trace(&pages, &mappings).into_iter().map(|region| region.name).collect();
        assert_eq!(names, ["buckets", "entries"]);
    }

    /// A region has the name of the part with most of its pages, else that of the mapping.
    #[test]
    fn parts_with_names_leave_the_name_of_the_mapping_unless_one_is_large() {
        let part = |start: u64, end: u64, kind: RegionKind, name: &str| {
            Mapping::naming(start << 12..end << 12, kind, name).unwrap()
        };
        let bss = Mapping::new(0, 0x100 << 12..0x200 << 12, 0, false, "bss").unwrap();
        let bss = Mapping { kind: RegionKind::Anonymous, ..bss };
        let names = |parts: &[Mapping]| -> Vec<String> {
            let mappings = [std::slice::from_ref(&bss), parts].concat();
            let used = |page| PageUse { page: PageNumber(page), fetches: 0, data: 1 };
            let pages: Vec<PageUse> = (0x100..0x200).map(used).collect();
            of_trace(&pages, &mappings).into_iter().map(|region| region.name).collect()
        };
        let a = |end| part(0x110, end, RegionKind::Anonymous, "a");
        let b = part(0x1f0, 0x200, RegionKind::Anonymous, "b");
        assert_eq!(names(&[]), ["bss"]);
        assert_eq!(names(&[a(0x1f0), b.clone()]), ["a"]);
        assert_eq!(names(&[a(0x140), b]), ["bss"]);
    }
}
