//! Reports the pages that accesses of chosen kinds use, in order, to an observer that counts page uses.
//!
//! A trace stores page runs with their repeats, for fetches and for data separately (`trace::runs`). The order
//! of fetches and data is only in the accesses. So page runs are sufficient if the chosen kinds are fetches
//! only or data only, and the pages are not smaller than those of the runs.

use std::ops::Range;
use std::sync::Arc;

use pagewalk::os::{PagePolicy, RegionConfig};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::{
    Access, Chunk, Head, Kind, OpRecord, PageNumber, RUN_PAGE_BITS, RunVisitor, Trace,
};

/// The uses of pages that are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Memory is taken to be mapped with pages of this size, except for `others`.
    pub pages: PageSize,
    /// Memory that is mapped with pages of another size.
    pub others: SizedRanges,
    /// Whether fetches, loads and stores are counted. Other accesses are ignored.
    pub kinds: [bool; 3],
}

impl Default for Chosen {
    fn default() -> Self {
        Self { pages: PageSize::K4, others: SizedRanges::default(), kinds: [true; 3] }
    }
}

/// Ranges of memory with page sizes of their own, by rising address and without overlaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizedRanges(Arc<[SizedRange]>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SizedRange {
    start: u64,
    end: u64,
    shift: u32,
}

impl SizedRanges {
    /// Takes the regions with pages of one size. The regions must not overlap.
    pub fn new(regions: &[RegionConfig]) -> Self {
        let sized = |region: &RegionConfig| match region.pages {
            PagePolicy::Fixed(size) => {
                let (start, end) = (region.start.0, region.end.0);
                Some(SizedRange { start, end, shift: size.shift() })
            }
            _ => None,
        };
        let mut ranges: Vec<SizedRange> = regions.iter().filter_map(sized).collect();
        sort_by_numbers(&mut ranges, |range| (range.start, 0));
        Self(ranges.into())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns log2 of the page size at an address, if a range has it.
    fn shift_at(&self, address: u64) -> Option<u32> {
        let after = self.0.partition_point(|range| range.start <= address);
        let range = self.0.get(after.checked_sub(1)?)?;
        (address < range.end).then_some(range.shift)
    }

    /// Returns the ranges as regions of a mapping.
    pub fn regions(&self) -> Vec<RegionConfig> {
        let region = |range: &SizedRange| {
            #[expect(clippy::cast_possible_truncation, reason = "it is at most 63")]
            let pages = PagePolicy::Fixed(PageSize(range.shift as u8));
            RegionConfig::new(range.start, range.end, pages)
        };
        self.0.iter().map(region).collect()
    }
}

/// An observer of page uses.
pub trait PageSink {
    /// Reports an access: its address space, the page of its first byte and the page of its last byte.
    fn access(&mut self, space: u32, first: u64, last: u64);

    /// Reports `n` more accesses to the page that was used last. None of them straddles two pages.
    fn repeats(&mut self, n: u64);
}

impl Chosen {
    /// # Errors
    /// `bad-config` at `kinds` if no kind is chosen.
    pub fn check(&self) -> Result<()> {
        if self.kinds == [false; 3] {
            return Err(Error::config("kinds", "no kind of access: name fetch, load or store"));
        }
        Ok(())
    }

    /// Returns whether a kind is chosen. Prefetches never are.
    #[inline]
    pub fn has(&self, kind: Kind) -> bool {
        kind != Kind::Prefetch && self.kinds[kind.index() % 3]
    }

    /// Reports one access, if it is of a chosen kind.
    #[inline]
    pub fn report(&self, access: &Access, sink: &mut impl PageSink) {
        if self.has(access.kind) {
            sink.access(access.pid, self.page_of(access.address), self.page_of(access.last()));
        }
    }

    /// Returns the bytes of a page; 0 if the pages have several sizes.
    pub fn page_bytes(&self) -> u64 {
        if self.others.is_empty() { self.pages.bytes() } else { 0 }
    }

    /// Returns the number of the page of an address. The highest bits tell pages of `others` from the rest.
    #[inline]
    pub fn page_of(&self, address: u64) -> u64 {
        const SIZE_AT: u32 = 58;
        let own = if self.others.is_empty() { None } else { self.others.shift_at(address) };
        match own {
            Some(shift) => address >> shift | u64::from(shift) << SIZE_AT,
            None => address >> self.pages.shift(),
        }
    }

    /// Reports all accesses of a trace, without operations.
    pub fn report_trace(&self, trace: &Trace, sink: &mut impl PageSink) {
        for chunk in trace.chunks() {
            self.report_chunk(chunk, sink);
        }
    }

    /// Reports the accesses of a chunk whose numbers are in `range`. Call it for chunks in order.
    pub(crate) fn report_part(&self, chunk: &Chunk, range: &Range<u32>, sink: &mut impl PageSink) {
        let skipped = range.start.saturating_sub(chunk.first) as usize;
        let n = range.end.saturating_sub(range.start) as usize;
        if n == chunk.n as usize {
            self.report_chunk(chunk, sink);
        } else {
            let part = chunk.accesses().skip(skipped).take(n);
            part.for_each(|access| self.report(&access, sink));
        }
    }

    /// Reports the accesses of one chunk. Call it for chunks in order.
    pub fn report_chunk(&self, chunk: &Chunk, sink: &mut impl PageSink) {
        let [fetch, load, store] = self.kinds;
        let one_group = !(fetch && (load || store));
        if one_group && self.pages.shift() >= RUN_PAGE_BITS && self.others.is_empty() {
            let shift = self.pages.shift() - RUN_PAGE_BITS;
            chunk.visit_runs(&mut Runs { chosen: self, shift, pid: 0, sink });
        } else {
            chunk.accesses().for_each(|access| self.report(&access, sink));
        }
    }
}

/// Converts page runs of 4 KiB pages to uses of the chosen page size.
struct Runs<'a, S> {
    chosen: &'a Chosen,
    shift: u32,
    pid: u32,
    sink: &'a mut S,
}

impl<S: PageSink> RunVisitor for Runs<'_, S> {
    /// Reports repeats of the last page of the chosen group. Only accesses of other kinds can have used another
    /// page since.
    #[inline]
    fn repeats(&mut self, n: [u32; 3]) {
        let chosen = n.iter().zip(self.chosen.kinds).filter(|(_, chosen)| *chosen);
        let n = chosen.map(|(n, _)| u64::from(*n)).sum();
        if n > 0 {
            self.sink.repeats(n);
        }
    }

    fn process(&mut self, pid: u32) {
        self.pid = pid;
    }

    fn op(&mut self, _: &OpRecord) {}

    #[inline]
    fn run_head(&mut self, _: u32, kind: Kind, PageNumber(page): PageNumber) {
        if self.chosen.has(kind) {
            self.sink.access(self.pid, page >> self.shift, page >> self.shift);
        }
    }

    fn special_head(&mut self, Head { kind, page: PageNumber(page), distance, .. }: Head) {
        if self.chosen.has(kind) {
            let last = (page + u64::from(distance)) >> self.shift;
            self.sink.access(self.pid, page >> self.shift, last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use pagewalk_base::trace::{Completeness, TraceBuilder};

    /// Lists every use, with repeats one by one.
    #[derive(Default, Debug, PartialEq)]
    struct List(Vec<(u32, u64, u64)>);

    impl PageSink for List {
        fn access(&mut self, space: u32, first: u64, last: u64) {
            self.0.push((space, first, last));
        }

        fn repeats(&mut self, n: u64) {
            let (space, _, last) = *self.0.last().expect("something is repeated");
            self.0.extend((0..n).map(|_| (space, last, last)));
        }
    }

    #[test]
    fn runs_report_the_pages_of_single_accesses() {
        let kinds = [
            [true, false, false],
            [false, true, false],
            [false, true, true],
            [true, false, true],
            [true; 3],
        ];
        cases(2200).check(|u| {
            let mut builder = TraceBuilder::default();
            let mut accesses = Vec::new();
            for _ in 0..u.int_in_range(0..=400)? {
                let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store, Kind::Prefetch])?;
                let page = u64::from(u.int_in_range(0..=3u32)?) << *u.choose(&[12, 21])?;
                let address = page | *u.choose(&[0, 64, 4090, 4095])?;
                let pid = u32::from(u.ratio(1, 30)?);
                let size = *u.choose(&[0, 1, 8, 64, 9000])?;
                accesses.push(Access { pid, ..Access::new(kind, address, size) });
            }
            for access in &accesses {
                builder.push(access).unwrap();
            }
            let trace = builder.finish(Completeness::Complete).unwrap();
            for kinds in kinds {
                for pages in [6, 12, 13, 21].map(PageSize) {
                    let chosen = Chosen { pages, kinds, ..Chosen::default() };
                    let (mut single, mut whole) = (List::default(), List::default());
                    for access in &accesses {
                        chosen.report(access, &mut single);
                    }
                    chosen.report_trace(&trace, &mut whole);
                    assert_eq!(whole, single, "{chosen:?}");
                }
            }
            Ok(())
        });
    }

    #[test]
    fn pages_of_other_sizes_have_numbers_of_their_own() {
        let region = |start, end, size| RegionConfig::new(start, end, PagePolicy::Fixed(size));
        let others = [
            region(0x20_0000, 0x60_0000, PageSize::M2),
            region(0x4000_0000, 0x8000_0000, PageSize::G1),
        ];
        let chosen = Chosen { others: SizedRanges::new(&others), ..Chosen::default() };
        assert_eq!(chosen.others.regions(), others);
        let mut list = List::default();
        for (address, size) in [
            (0x1000, 8),
            (0x1f_fffc, 8),
            (0x20_0000, 8),
            (0x3f_ffff, 1),
            (0x3f_ffff, 2),
            (0x5f_ffff, 2),
            (0x7fff_ffff, 1),
        ] {
            chosen.report(&Access::new(Kind::Load, address, size), &mut list);
        }
        let (m2, g1) = (21 << 58, 30 << 58);
        let pairs = [
            (1, 1),
            (0x1ff, m2 | 1),
            (m2 | 1, m2 | 1),
            (m2 | 1, m2 | 1),
            (m2 | 1, m2 | 2),
            (m2 | 2, 0x600),
            (g1 | 1, g1 | 1),
        ];
        assert_eq!(list.0, pairs.map(|(first, last)| (0, first, last)));
    }
}
