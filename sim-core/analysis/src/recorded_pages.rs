//! The page sizes that a recording measured, as regions of a mapping.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use pagewalk::os::{MapSource, OsConfig, PagePolicy, RegionConfig};
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::samples::Samples;
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::{PageFact, PageUse, Trace};
use serde::Serialize;

/// What a recording says about the sizes of its pages.
#[derive(Clone, Debug, Default)]
pub struct PageEvidence {
    /// The number of samples of each page, by log2 of its size and by its number.
    pages: BTreeMap<(u8, u64), u64>,
    /// The size of all pages of the recorded machine.
    stated: Option<PageSize>,
    /// What the system said about ranges of memory.
    facts: Vec<PageFact>,
    /// The number of used 4 KiB pages in each huge page that a fact may mean, by log2 of its size and by its number.
    used: BTreeMap<(u8, u64), u64>,
}

/// The pages of a recording, for a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPages {
    /// The pages of memory outside the regions.
    pub others: PageSize,
    /// The measured pages that are larger.
    pub regions: Vec<RegionConfig>,
    /// The number of samples that contradict these pages.
    pub n_other: u64,
    /// The number of huge pages whose place in a mapping is not known. They are the places that the trace uses most.
    pub n_assumed: u64,
}

/// Returns the page size of this number of bytes, if it is one.
pub fn page_size(bytes: u64) -> Option<PageSize> {
    let shift = bytes.is_power_of_two().then(|| bytes.trailing_zeros().try_into().ok());
    shift.flatten().map(PageSize)
}

/// The pages of a recording, for a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct RecordedView {
    /// The pages of memory outside the ranges.
    pub others: PageSize,
    /// The number of ranges of memory with larger pages.
    #[cfg_attr(any(test, feature = "ts"), ts(type = "number"))]
    pub n_ranges: usize,
    /// The first of these ranges.
    pub ranges: Vec<RegionConfig>,
    /// The samples that contradict these pages, and the pages whose place is assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

impl PageEvidence {
    /// Collects what a recording says: its samples, its facts about ranges, and `stated`, the bytes of all its pages, or
    /// 0 if they are unknown.
    pub fn of(trace: &Trace, samples: &Samples, stated: u64) -> Self {
        let mut evidence = Self::default();
        evidence.state(stated);
        evidence.add_all(samples);
        evidence.add_facts(trace.page_facts());
        evidence.add_used(trace.pages());
        evidence
    }

    /// Maps memory with the recorded pages, if the mapping asks for them and there are any.
    pub fn resolve(&self, os: &mut OsConfig, smallest: PageSize) {
        if os.map == MapSource::Recorded && !self.is_empty() {
            self.pages(smallest).map(os);
        }
    }

    /// Adds a sample: its address, and log2 of the bytes of its page.
    pub fn add(&mut self, address: Option<u64>, size: Option<u8>) {
        if let (Some(address), Some(shift @ 1..=63)) = (address, size) {
            *self.pages.entry((shift, address >> shift)).or_insert(0) += 1;
        }
    }

    /// Adds all samples of a recording.
    pub fn add_all(&mut self, samples: &Samples) {
        for kept in samples.iter() {
            self.add(kept.address, kept.data_page);
        }
    }

    /// Adds that all pages of the recorded machine have this number of bytes. 0 means that it is unknown.
    pub fn state(&mut self, bytes: u64) {
        self.stated = page_size(bytes).or(self.stated);
    }

    /// Adds what the system said about ranges of memory.
    pub fn add_facts(&mut self, facts: &[PageFact]) {
        self.facts.extend_from_slice(facts);
    }

    /// Adds the pages that the trace uses, sorted by address. They tell which parts of a mapping are probably huge.
    pub fn add_used(&mut self, pages: &[PageUse]) {
        for fact in self.facts.iter().filter(|fact| fact.huge_bytes > 0) {
            let shift = fact.huge.shift();
            let from = pages.partition_point(|used| used.page.start() < fact.start);
            for used in pages[from..].iter().take_while(|used| used.page.start() < fact.end) {
                *self.used.entry((fact.huge.0, used.page.start() >> shift)).or_insert(0) += 1;
            }
        }
    }

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.stated.is_none() && self.facts.is_empty()
    }

    /// Returns whether there are pages of another size than `smallest`.
    pub fn has_others(&self, smallest: PageSize) -> bool {
        let measured = self.pages.keys().map(|(shift, _)| PageSize(*shift));
        let in_facts = self.facts.iter().map(|fact| fact.size);
        measured.chain(self.stated).chain(in_facts).any(|size| size != smallest)
            || self.facts.iter().any(|fact| fact.huge_bytes > 0)
    }

    /// Returns the pages for a machine whose memory otherwise has pages of `smallest`. Memory that was measured with
    /// several sizes has the one of most samples.
    pub fn pages(&self, smallest: PageSize) -> RecordedPages {
        let others = self.stated.unwrap_or(smallest);
        let mut chosen = self.chosen(smallest);
        let n_assumed = self.add_chosen_facts(smallest, &mut chosen);
        let mapped = |address: u64| chosen.at(address).unwrap_or(others.0);
        let is_other =
            |((shift, number), _): &(&(u8, u64), &u64)| mapped(number << shift) != *shift;
        let n_other = self.pages.iter().filter(is_other).map(|(_, n)| n).sum();
        RecordedPages { others, regions: joined(&chosen.pages), n_other, n_assumed }
    }

    /// Larger pages come first. A page is chosen if more than half of the samples of its memory have its size.
    fn chosen(&self, smallest: PageSize) -> Pages {
        let sizes: BTreeSet<u8> = self.pages.keys().map(|(shift, _)| *shift).collect();
        let mut chosen = Pages { sizes, pages: BTreeSet::new() };
        for ((shift, number), n) in self.pages.iter().rev() {
            let (size, start) = (PageSize(*shift), number << shift);
            let smaller = chosen.sizes.range(..shift);
            let n_smaller: u64 = smaller.map(|own| self.n_inside(*own, *shift, *number)).sum();
            if size > smallest
                && start.checked_add(size.bytes()).is_some()
                && chosen.at(start).is_none()
                && *n > n_smaller
            {
                chosen.pages.insert((*shift, *number));
            }
        }
        chosen
    }

    /// Adds the pages of facts where no sample says otherwise. Returns the number of huge pages whose place is assumed.
    fn add_chosen_facts(&self, smallest: PageSize, chosen: &mut Pages) -> u64 {
        let mut n_assumed = 0;
        for fact in &self.facts {
            if fact.size > smallest {
                let all = self.free(fact, fact.size, chosen);
                chosen.pages.extend(all);
            } else if fact.huge_bytes > 0 && fact.huge > smallest {
                let free = self.free(fact, fact.huge, chosen);
                let used = |page: &(u8, u64)| self.used.get(page).copied().unwrap_or(0);
                let n = usize::try_from(fact.huge_bytes >> fact.huge.shift()).unwrap_or(usize::MAX);
                let mut free: Vec<_> =
                    free.into_iter().map(|page| (Reverse(used(&page)), page)).collect();
                free.sort_unstable();
                // Huge pages that the trace does not use change nothing.
                let n_used = free.iter().filter(|(Reverse(n), _)| *n > 0).count();
                if n < n_used {
                    n_assumed += n as u64;
                }
                chosen.pages.extend(free.into_iter().take(n).map(|(_, page)| page));
            }
        }
        n_assumed
    }

    /// Returns the pages of a size in the range of a fact about which no sample says anything. If the range has more than
    /// a limit, only those that the trace uses are returned.
    fn free(&self, fact: &PageFact, size: PageSize, chosen: &mut Pages) -> Vec<(u8, u64)> {
        const MOST: u64 = 1 << 16;
        chosen.sizes.insert(size.0);
        let shift = size.shift();
        let first = fact.start.div_ceil(size.bytes());
        let numbers = first..(fact.end >> shift).max(first);
        let is_free = |number: &u64| {
            let smaller = chosen.sizes.range(..size.0);
            chosen.at(number << shift).is_none()
                && smaller.map(|own| self.n_inside(*own, size.0, *number)).sum::<u64>() == 0
        };
        if numbers.end - numbers.start <= MOST || size == fact.size {
            let n = usize::try_from(MOST).unwrap_or(usize::MAX);
            return numbers.filter(is_free).take(n).map(|number| (size.0, number)).collect();
        }
        let used = self.used.range((size.0, numbers.start)..(size.0, numbers.end));
        used.map(|(page, _)| *page).filter(|(_, number)| is_free(number)).collect()
    }

    /// Returns the number of samples with pages of `1 << own` bytes in a larger page.
    fn n_inside(&self, own: u8, shift: u8, number: u64) -> u64 {
        let (first, more) = (number << (shift - own), (1 << (shift - own)) - 1);
        self.pages.range((own, first)..=(own, first | more)).map(|(_, n)| n).sum()
    }
}

/// Pages by log2 of their size and by their number, and the sizes that there may be.
struct Pages {
    sizes: BTreeSet<u8>,
    pages: BTreeSet<(u8, u64)>,
}

impl Pages {
    /// Returns log2 of the size of the page of an address.
    fn at(&self, address: u64) -> Option<u8> {
        let mut sizes = self.sizes.iter().copied();
        sizes.find(|shift| self.pages.contains(&(*shift, address >> shift)))
    }
}

/// Returns the regions of pages, sorted by address. Neighbours of one size are one region.
fn joined(chosen: &BTreeSet<(u8, u64)>) -> Vec<RegionConfig> {
    let mut regions: Vec<RegionConfig> = Vec::new();
    for (shift, number) in chosen {
        let size = PageSize(*shift);
        let (start, end) = (number << shift, (number << shift) + size.bytes());
        let pages = PagePolicy::Fixed(size);
        match regions.last_mut() {
            Some(last) if last.end == Hex(start) && last.pages == pages => last.end = Hex(end),
            _ => regions.push(RegionConfig::new(start, end, pages)),
        }
    }
    regions.sort_by_key(|region| region.start);
    regions
}

impl RecordedPages {
    /// Maps memory with these pages. Regions of the mapping stay, and replace the measured ones that they overlap.
    pub fn map(&self, os: &mut OsConfig) {
        os.default = PagePolicy::Fixed(self.others);
        os.regions = with(&self.regions, mem::take(&mut os.regions));
        os.map = MapSource::Trace;
    }

    /// Returns a description with at most `most` ranges.
    pub fn view(&self, most: usize) -> RecordedView {
        RecordedView {
            others: self.others,
            n_ranges: self.regions.len(),
            ranges: self.regions.iter().take(most).cloned().collect(),
            warning: self.warning(),
        }
    }

    /// Returns a warning about samples that contradict the pages, and about assumed pages.
    pub fn warning(&self) -> Option<String> {
        let other = (self.n_other > 0).then(|| {
            format!(
                "{} samples measured another page size than this run maps. Memory that was measured with several sizes has the one of most samples",
                grouped(self.n_other)
            )
        });
        let assumed = (self.n_assumed > 0).then(|| {
            format!(
                "smaps does not say which parts of a mapping are huge: {} huge pages are taken to be those that the trace uses most",
                grouped(self.n_assumed)
            )
        });
        let all: Vec<String> = other.into_iter().chain(assumed).collect();
        (!all.is_empty()).then(|| all.join(". "))
    }
}

/// Returns regions with the picked ones, which replace what they overlap.
pub(crate) fn with(before: &[RegionConfig], picked: Vec<RegionConfig>) -> Vec<RegionConfig> {
    let mut all = Vec::new();
    for region in before {
        let mut rest = region.clone();
        for pick in picked.iter().filter(|pick| pick.start < region.end && region.start < pick.end)
        {
            if rest.start < pick.start {
                all.push(RegionConfig { end: pick.start, ..rest.clone() });
            }
            rest.start = rest.start.max(pick.end);
        }
        if rest.start < rest.end {
            all.push(rest);
        }
    }
    all.extend(picked);
    all.sort_by_key(|region| region.start);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use pagewalk_base::trace::{Access, Completeness, Kind, TraceBuilder};

    /// Samples are `size:page number:times`.
    #[track_caller]
    fn check(samples: &str, regions: &[&str], n_other: u64) {
        let mut evidence = PageEvidence::default();
        for sample in samples.split_whitespace() {
            let [size, number, times] = sample.split(':').collect::<Vec<_>>()[..] else { panic!() };
            let shift = PageSize::parse(size).unwrap().0;
            for _ in 0..times.parse::<u64>().unwrap() {
                evidence.add(Some(number.parse::<u64>().unwrap() << shift | 1), Some(shift));
            }
        }
        let found = evidence.pages(PageSize::K4);
        let text = |region: &RegionConfig| {
            let RegionConfig { start, end, pages, .. } = region;
            format!("{start}-{end} {pages}")
        };
        assert_eq!(found.regions.iter().map(text).collect::<Vec<_>>(), regions);
        assert_eq!(found.n_other, n_other);
    }

    #[test]
    fn each_measured_page_that_is_large_is_a_region_and_neighbours_are_one() {
        check("4K:7:3 2M:1:1 2M:2:1 2M:4:1", &["0x200000-0x600000 2M", "0x800000-0xa00000 2M"], 0);
        check("2M:600:1 1G:0:2", &["0x0-0x40000000 1G", "0x4b000000-0x4b200000 2M"], 0);
        check("", &[], 0);
    }

    #[test]
    fn memory_of_several_sizes_has_the_one_of_most_samples() {
        check("2M:0:3 4K:5:2", &["0x0-0x200000 2M"], 2);
        check("2M:0:2 4K:5:1 4K:6:1", &[], 2);
        check("1G:0:1 2M:3:1 4K:5:1", &["0x600000-0x800000 2M"], 1);
    }

    /// Facts are `start-end size huge bytes`, in MiB; `used` are 4 KiB pages by number. The result has the regions, and
    /// the number of assumed pages.
    #[track_caller]
    fn check_facts(facts: &str, samples: &str, used: &[u64], expected: &str) {
        let mut evidence = PageEvidence::default();
        for fact in facts.split(", ") {
            let [range, size, huge] = fact.split(' ').collect::<Vec<_>>()[..] else { panic!() };
            let (start, end) = range.split_once('-').unwrap();
            let mib = |text: &str| text.parse::<u64>().unwrap() << 20;
            let size = PageSize::parse(size).unwrap();
            let (start, end, huge_bytes) = (mib(start), mib(end), mib(huge));
            let huge = PageSize::M2;
            evidence.add_facts(&[PageFact { pid: 0, start, end, size, huge, huge_bytes }]);
        }
        for sample in samples.split_whitespace() {
            let (size, number) = sample.split_once(':').unwrap();
            let shift = PageSize::parse(size).unwrap().0;
            evidence.add(Some(number.parse::<u64>().unwrap() << shift), Some(shift));
        }
        let mut builder = TraceBuilder::default();
        for page in used {
            builder.push(&Access::new(Kind::Load, page << 12, 1)).unwrap();
        }
        evidence.add_used(builder.finish(Completeness::Complete).unwrap().pages());
        let found = evidence.pages(PageSize::K4);
        let text = |region: &RegionConfig| {
            format!("{}-{} {}, ", region.start.0 >> 20, region.end.0 >> 20, region.pages)
        };
        let regions = found.regions.iter().map(text).collect::<String>();
        assert_eq!(format!("{regions}{} assumed", found.n_assumed), expected);
    }

    #[test]
    fn a_mapping_that_is_all_huge_has_huge_pages_in_its_middle() {
        check_facts("1-9 4K 6", "", &[], "2-8 2M, 0 assumed");
        check_facts("4-8 2M 0", "", &[], "4-8 2M, 0 assumed");
        check_facts("1-9 4K 0", "", &[512], "0 assumed");
    }

    #[test]
    fn huge_pages_in_unknown_places_are_where_the_trace_is() {
        // The pages at 4 and 6 MiB are used, the latter more. One huge page is there.
        check_facts("0-16 4K 2", "", &[1024, 1536, 1537], "6-8 2M, 1 assumed");
        check_facts("0-16 4K 4", "", &[1024, 1536, 1537], "4-8 2M, 0 assumed");
        check_facts("0-16 4K 6", "", &[1024, 1536, 1537], "0-2 2M, 4-8 2M, 0 assumed");
    }

    #[test]
    fn samples_say_more_than_the_facts_of_a_mapping() {
        check_facts("0-8 4K 8", "4K:512", &[], "0-2 2M, 4-8 2M, 0 assumed");
        check_facts("0-8 4K 2", "2M:2", &[], "0-2 2M, 4-6 2M, 0 assumed");
    }

    #[test]
    fn a_mapping_that_asks_for_it_has_the_recorded_pages_around_its_own_regions() {
        let mut evidence = PageEvidence::default();
        for page in [1, 2] {
            evidence.add(Some(page << 21), Some(21));
        }
        let own = RegionConfig::new(2 << 20, 4 << 20, PagePolicy::Fixed(PageSize::K4));
        let mut os = OsConfig { regions: vec![own], ..OsConfig::of(PageSize::M2) };
        let before = os.clone();
        evidence.resolve(&mut os, PageSize::K4);
        assert_eq!(os, before, "it does not ask");
        os.map = MapSource::Recorded;
        let asking = os.clone();
        PageEvidence::default().resolve(&mut os, PageSize::K4);
        assert_eq!(os, asking, "nothing is known");
        evidence.resolve(&mut os, PageSize::K4);
        let text = |region: &RegionConfig| {
            format!("{}-{} {}", region.start.0 >> 20, region.end.0 >> 20, region.pages)
        };
        let regions: Vec<_> = os.regions.iter().map(text).collect();
        assert_eq!(regions, ["2-4 4K", "4-6 2M"]);
        assert_eq!((os.name(), os.map), ("4K".to_owned(), MapSource::Trace));
    }

    #[test]
    fn the_last_page_of_the_address_space_is_no_region() {
        check("2M:8796093022207:1", &[], 1);
    }
}
