//! The known facts about a trace's address space: recorded memory maps, inferred regions, and the uses of each page.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::config::OsConfig;
use super::policy::PagePolicy;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::{FrameRun, Mapping, PageUse, RegionKind};

/// A range with known contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRegion {
    pub start: u64,
    /// The first address after the range.
    pub end: u64,
    pub kind: RegionKind,
    /// The file offset of the range, or `None` if it is unknown.
    pub offset: Option<u64>,
    /// The name of the file, or another name. It may be empty.
    pub name: String,
    /// Whether the range was inferred from the pages that the trace touches, not recorded.
    pub inferred: bool,
    /// Whether the range was inferred to hold only code.
    pub only_code: bool,
}

/// All known facts about the memory of a trace. The default is for machines without a trace.
#[derive(Clone, Debug, Default)]
pub struct MemoryMap<'a> {
    /// Whether there is a trace. Without a trace, facts that the fields below lack are not available.
    pub is_of_trace: bool,
    /// Records of memory maps, in order. A later record replaces the ranges that it overlaps, for the whole trace. Records
    /// that only name a part of a mapping do not count.
    pub mappings: &'a [Mapping],
    /// The inferred regions, by rising address.
    pub inferred: Vec<KnownRegion>,
    /// The touched 4 KiB pages, by rising address without tags.
    pub pages: Cow<'a, [PageUse]>,
    /// Where the pages were in physical memory.
    pub frames: &'a [FrameRun],
}

impl MemoryMap<'_> {
    /// Rejects settings that would have no effect without a trace.
    ///
    /// # Errors
    /// `unsupported` at the field.
    pub(super) fn check_for(&self, config: &OsConfig) -> Result<()> {
        let unsupported = |field: &str, message: &str| {
            let error = Error::new(ErrorCode::Unsupported, message.to_owned());
            Err(error.at(Place::Field(field.to_owned())))
        };
        if self.is_of_trace {
            return Ok(());
        }
        if config.default == PagePolicy::Hugetext {
            return unsupported(
                "default",
                "the addresses of the code are not known without a trace: give regions with the kind text, library or jit and the pages hugetext",
            );
        }
        if config.hugetext.is_ranked_by_trace() {
            return unsupported(
                "hugetext.max",
                "which code is hottest is not known without a trace: leave it out, or give hugetext to fewer regions",
            );
        }
        Ok(())
    }

    /// Returns the processes with recorded regions, each with its regions by rising address and without overlaps.
    pub(super) fn recorded(&self) -> Vec<(u32, Vec<KnownRegion>)> {
        let mut all = BTreeMap::new();
        for mapping in self.mappings.iter().filter(|mapping| !mapping.is_name) {
            cut(&mut all, mapping.pid, mapping.start, mapping.end);
            let region = KnownRegion {
                start: mapping.start,
                end: mapping.end,
                kind: mapping.kind,
                offset: Some(mapping.offset),
                name: mapping.name.clone(),
                inferred: false,
                only_code: false,
            };
            all.insert((mapping.pid, mapping.start), region);
        }
        let mut processes: Vec<(u32, Vec<KnownRegion>)> = Vec::new();
        for ((pid, _), region) in all {
            match processes.last_mut() {
                Some((last, regions)) if *last == pid => append(regions, region),
                _ => processes.push((pid, vec![region])),
            }
        }
        processes
    }

    /// Returns the blocks of `2^shift` bytes that seem to hold only code: a page of the block is fetched from, and
    /// no page is used as data only. Adjacent blocks are one region.
    pub(super) fn code(&self, shift: u32) -> Vec<KnownRegion> {
        let mut blocks: BTreeMap<u64, u64> = BTreeMap::new();
        for page in self.pages.iter() {
            let is_code = page.fetches > 0 || page.data == 0;
            let block = page.page.start() >> shift;
            *blocks.entry(block).or_insert(1) &= u64::from(is_code);
        }
        let code = blocks.into_iter().filter(|(_, is_code)| *is_code == 1).map(|(block, _)| {
            let start = block << shift;
            KnownRegion {
                start,
                end: start.saturating_add(1 << shift),
                kind: RegionKind::Text,
                offset: None,
                name: String::new(),
                inferred: true,
                only_code: true,
            }
        });
        join(code)
    }

    /// Returns the number of fetches in each block of `2^shift` bytes.
    pub(super) fn fetches(&self, shift: u32) -> BTreeMap<u64, u64> {
        let mut blocks = BTreeMap::new();
        for page in self.pages.iter().filter(|page| page.fetches > 0) {
            *blocks.entry(page.page.start() >> shift).or_insert(0) += u64::from(page.fetches);
        }
        blocks
    }
}

/// Extends inferred regions, by rising address, to the borders of blocks of `2^shift` bytes, unless they would
/// overlap. The touched pages do not show where a mapping ends.
pub(super) fn grown(regions: &[KnownRegion], shift: u32) -> Vec<KnownRegion> {
    let mut end = 0;
    let next = regions.iter().skip(1).map(|next| next.start).chain([u64::MAX]);
    let grown = regions.iter().zip(next).map(|(region, next)| {
        let start = (region.start >> shift << shift).max(end);
        end = region.end.checked_next_multiple_of(1 << shift).unwrap_or(u64::MAX).min(next);
        KnownRegion { start, end, ..region.clone() }
    });
    grown.collect()
}

/// Removes `start..end` from the regions of a process.
fn cut(regions: &mut BTreeMap<(u32, u64), KnownRegion>, pid: u32, start: u64, end: u64) {
    let before = regions.range((pid, 0)..=(pid, start)).next_back();
    let first = before.map_or((pid, start), |(at, _)| *at);
    let touched: Vec<(u32, u64)> = regions.range(first..(pid, end)).map(|(at, _)| *at).collect();
    for at in touched {
        let Some(region) = regions.remove(&at) else { continue };
        for piece in without(region, start, end) {
            regions.insert((pid, piece.start), piece);
        }
    }
}

/// Returns a region without `start..end`: up to two pieces.
pub(super) fn without(region: KnownRegion, start: u64, end: u64) -> Vec<KnownRegion> {
    if region.end <= start || end <= region.start {
        return vec![region];
    }
    let mut pieces = Vec::new();
    if region.start < start {
        pieces.push(KnownRegion { end: start, ..region.clone() });
    }
    if end < region.end {
        let skipped = end - region.start;
        let offset = region.offset.map(|offset| offset.wrapping_add(skipped));
        pieces.push(KnownRegion { start: end, offset, ..region });
    }
    pieces
}

/// Joins adjacent regions that the system treats as one: anonymous memory of one kind, or adjacent parts of a file.
fn join(regions: impl Iterator<Item = KnownRegion>) -> Vec<KnownRegion> {
    let mut joined: Vec<KnownRegion> = Vec::new();
    regions.for_each(|region| append(&mut joined, region));
    joined
}

/// Appends a region, or lets the last one continue with it.
fn append(regions: &mut Vec<KnownRegion>, region: KnownRegion) {
    match regions.last_mut() {
        Some(last) if continues(last, &region) => last.end = region.end,
        _ => regions.push(region),
    }
}

fn continues(last: &KnownRegion, next: &KnownRegion) -> bool {
    let length = last.end - last.start;
    let goes_on = last.offset.map(|offset| offset.wrapping_add(length)) == next.offset;
    last.end == next.start
        && (last.kind, &last.name) == (next.kind, &next.name)
        && (goes_on || !last.kind.is_backed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use pagewalk_base::trace::PageNumber;

    /// Reads records of the form `start-end offset name`, in pages of 4K. `x` before the name means executable, `=` that the
    /// record only names a part.
    #[track_caller]
    fn check(records: &str, expected: &Expect) {
        let mappings: Vec<Mapping> = records
            .lines()
            .map(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                let number = |text: &str| u64::from_str_radix(text, 16).unwrap() << 12;
                let (start, end) = words[0].split_once('-').unwrap();
                let range = number(start)..number(end);
                let is_name = words[2].starts_with('=');
                let name = words[2].trim_start_matches(['x', '=']);
                let is_code = words[2].starts_with('x');
                let made = Mapping::new(7, range, number(words[1]), is_code, name).unwrap();
                Mapping { is_name, ..made }
            })
            .collect();
        let map = MemoryMap { mappings: &mappings, ..MemoryMap::default() };
        let lines = map.recorded().into_iter().flat_map(|(_, regions)| regions).map(|region| {
            let KnownRegion { start, end, kind, offset, name, .. } = region;
            let offset = offset.unwrap() >> 12;
            format!("{:x}-{:x} {offset:x} {} {name}\n", start >> 12, end >> 12, kind.name())
        });
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn later_records_replace_what_they_overlap() {
        check(
            "10-20 0 /bin/a\n14-18 4 x/bin/a\n1c-24 0 [heap]",
            &expect![[r"
                10-14 0 file /bin/a
                14-18 4 text /bin/a
                18-1c 8 file /bin/a
                1c-24 0 heap [heap]
            "]],
        );
        check(
            "10-20 0 /bin/a\n8-30 0 //anon",
            &expect![[r"
                8-30 0 anonymous //anon
            "]],
        );
    }

    #[test]
    fn names_of_parts_do_not_cut_a_mapping() {
        check(
            "10-20 0 [heap]\n14-18 0 =table\n1c-24 0 =node",
            &expect![[r"
                10-20 0 heap [heap]
            "]],
        );
    }

    #[test]
    fn neighbours_are_joined_where_the_system_would() {
        check(
            "10-20 0 //anon\n20-30 0 //anon\n30-38 0 /lib/x.so\n38-40 8 /lib/x.so\n40-44 0 /lib/x.so",
            &expect![[r"
                10-30 0 anonymous //anon
                30-40 0 library /lib/x.so
                40-44 0 library /lib/x.so
            "]],
        );
    }

    #[test]
    fn blocks_with_data_pages_are_no_code() {
        let used = |page, fetches, data| PageUse { page: PageNumber(page), fetches, data };
        let pages =
            [used(0, 5, 0), used(511, 1, 7), used(512, 1, 0), used(1024, 3, 0), used(1100, 0, 1)];
        let map = MemoryMap { pages: Cow::Borrowed(&pages), ..MemoryMap::default() };
        let code: Vec<_> = map.code(21).into_iter().map(|r| (r.start, r.end)).collect();
        assert_eq!(code, [(0, 0x40_0000)]);
        assert_eq!(map.fetches(21), BTreeMap::from([(0, 6), (1, 1), (2, 3)]));
    }
}
