//! The page sizes that a recording measured, as regions of a mapping.

mod chosen;
mod framed;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ops::Range;

use pagewalk::os::{Frames, MapSource, OsConfig, PagePolicy, RegionConfig};
use pagewalk_base::addr::PageSize;
use pagewalk_base::samples::Samples;
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::{FrameRun, PageFact, PageUse, Trace};
use serde::Serialize;

pub use chosen::union;
use chosen::{Chosen, without};
use framed::BySize;

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
    /// Where pages were in physical memory, by address.
    frames: BTreeMap<u64, FrameRun>,
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
    /// The number of huge pages whose frames do not lie together, or are not aligned.
    pub n_scattered: u64,
    /// Whether pages get the frames of the recording.
    pub has_frames: bool,
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

    /// Adds where pages were in physical memory. They tell which parts of a mapping can be huge.
    pub fn add_frames(&mut self, runs: &[FrameRun]) {
        self.frames.extend(runs.iter().map(|run| (run.start, *run)));
    }

    /// Returns whether frames are known.
    pub fn has_frames(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Returns the number of large pages whose frames contradict them.
    fn n_scattered(&self, regions: &[RegionConfig]) -> u64 {
        let mut sizes = BySize::default();
        let scattered = |region: &RegionConfig| {
            let PagePolicy::Fixed(size) = region.pages else { return 0 };
            let framed = sizes.framed(size.0, &self.frames);
            let numbers = region.start.0 >> size.0..region.end.0 >> size.0;
            let (fit, known) = (framed.fit(&numbers), framed.known(&numbers));
            let others = without(std::slice::from_ref(&numbers), known);
            n_of(&without(&[numbers], [others, fit].concat()))
        };
        if self.has_frames() { regions.iter().map(scattered).sum() } else { 0 }
    }

    /// Returns `n` of the free pages, and whether their places are assumed. Pages whose frames fit come first. Pages whose
    /// frames do not fit are none of them.
    fn placed(
        &self,
        shift: u8,
        free: Vec<Range<u64>>,
        n: u64,
        sizes: &mut BySize,
    ) -> (Vec<Range<u64>>, bool) {
        let (true, [first, ..], [.., last]) = (self.has_frames(), &free[..], &free[..]) else {
            return self.most_used(shift, free, n);
        };
        let framed = sizes.framed(shift, &self.frames);
        let all = first.start..last.end;
        let (fit, known) = (framed.fit(&all), framed.known(&all));
        let fitting = without(&free, without(&free, fit));
        let n_fit = n_of(&fitting);
        if n < n_fit {
            return self.most_used(shift, fitting, n);
        }
        let (more, is_assumed) = self.most_used(shift, without(&free, known), n - n_fit);
        ([fitting, more].concat(), is_assumed)
    }

    /// Adds the pages that the trace uses, sorted by address. They tell which parts of a mapping are probably huge.
    pub fn add_used(&mut self, pages: &[PageUse]) {
        let mut ranges: BTreeMap<u8, Vec<Range<u64>>> = BTreeMap::new();
        for fact in self.facts.iter().filter(|fact| fact.huge_bytes > 0) {
            ranges.entry(fact.huge.0).or_default().push(fact.start..fact.end);
        }
        for (shift, ranges) in ranges {
            for range in union(ranges) {
                let from = pages.partition_point(|used| used.page.start() < range.start);
                let inside = pages[from..].iter().take_while(|used| used.page.start() < range.end);
                for used in inside {
                    *self.used.entry((shift, used.page.start() >> shift)).or_insert(0) += 1;
                }
            }
        }
    }

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
            && self.stated.is_none()
            && self.facts.is_empty()
            && self.frames.is_empty()
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
        let regions = chosen.regions();
        let (n_scattered, has_frames) = (self.n_scattered(&regions), self.has_frames());
        RecordedPages { others, regions, n_other, n_assumed, n_scattered, has_frames }
    }

    /// Larger pages come first. A page is chosen if more than half of the samples of its memory have its size.
    fn chosen(&self, smallest: PageSize) -> Chosen {
        let sizes: BTreeSet<u8> = self.pages.keys().map(|(shift, _)| *shift).collect();
        let mut chosen = Chosen::default();
        for ((shift, number), n) in self.pages.iter().rev() {
            let (size, start) = (PageSize(*shift), number << shift);
            let smaller = sizes.range(..shift);
            let n_smaller: u64 = smaller.map(|own| self.n_inside(*own, *shift, *number)).sum();
            if size > smallest
                && start.checked_add(size.bytes()).is_some()
                && chosen.at(start).is_none()
                && *n > n_smaller
            {
                chosen.add(*shift, *number..number + 1);
            }
        }
        chosen
    }

    /// Adds the pages of facts where no sample says otherwise. Returns the number of huge pages whose place is assumed.
    fn add_chosen_facts(&self, smallest: PageSize, chosen: &mut Chosen) -> u64 {
        let mut n_assumed = 0;
        // Processes that were forked say the same.
        let mut known = BTreeSet::new();
        let mut sizes = BySize::default();
        for fact in &self.facts {
            let PageFact { start, end, size, huge, huge_bytes, .. } = *fact;
            if !known.insert((start, end, size, huge, huge_bytes)) {
                continue;
            }
            if size > smallest {
                for numbers in self.free(fact, size.0, chosen) {
                    chosen.add(size.0, numbers);
                }
            } else if huge_bytes > 0 && huge > smallest {
                let free = self.free(fact, huge.0, chosen);
                let n = huge_bytes >> huge.shift();
                let (taken, is_assumed) = self.placed(huge.0, free, n, &mut sizes);
                if is_assumed {
                    n_assumed += n;
                }
                for numbers in taken {
                    chosen.add(huge.0, numbers);
                }
            }
        }
        n_assumed
    }

    /// Returns the numbers of the pages of a size in the range of a fact about which no sample says anything.
    fn free(&self, fact: &PageFact, shift: u8, chosen: &Chosen) -> Vec<Range<u64>> {
        let numbers = fact.start.div_ceil(1 << shift)..fact.end >> shift;
        if numbers.is_empty() {
            return Vec::new();
        }
        let bytes = numbers.start << shift..numbers.end << shift;
        let taken = chosen
            .overlapping(bytes)
            .map(|range| range.start >> shift..((range.end - 1) >> shift) + 1);
        let mut taken: Vec<Range<u64>> = taken.collect();
        for own in self.sampled_sizes_below(shift) {
            let (more, inside) =
                (shift - own, numbers.start << (shift - own)..numbers.end << (shift - own));
            let samples = self.pages.range((own, inside.start)..(own, inside.end));
            taken.extend(samples.map(|((_, number), _)| number >> more..(number >> more) + 1));
        }
        without(&[numbers], taken)
    }

    /// Returns log2 of each size that samples have, if it is smaller.
    fn sampled_sizes_below(&self, shift: u8) -> impl Iterator<Item = u8> {
        let next = move |own: u8| {
            self.pages.range((own, 0)..(shift, 0)).next().map(|((found, _), _)| *found)
        };
        std::iter::successors(next(0), move |own| next(own + 1))
    }

    /// Returns those `n` of the free pages that the trace uses most, the lowest first, and whether there are more that it
    /// uses.
    fn most_used(&self, shift: u8, free: Vec<Range<u64>>, n: u64) -> (Vec<Range<u64>>, bool) {
        let n_free = free.iter().map(|numbers| numbers.end - numbers.start).sum::<u64>();
        if n >= n_free {
            return (free, false);
        }
        let inside =
            |numbers: &Range<u64>| self.used.range((shift, numbers.start)..(shift, numbers.end));
        let used = free.iter().flat_map(inside);
        let mut used: Vec<_> = used.map(|((_, number), n)| (Reverse(*n), *number)).collect();
        used.sort_unstable();
        let n_used = used.len() as u64;
        used.truncate(usize::try_from(n).unwrap_or(usize::MAX));
        let mut taken: Vec<_> = used.into_iter().map(|(_, number)| number..number + 1).collect();
        // Huge pages that the trace does not use change nothing, wherever they are.
        let mut left = n.saturating_sub(n_used);
        if left > 0 {
            for numbers in without(&free, taken.clone()) {
                let end = numbers.end.min(numbers.start.saturating_add(left));
                left -= end - numbers.start;
                taken.push(numbers.start..end);
            }
        }
        (taken, n < n_used)
    }

    /// Returns the number of samples with pages of `1 << own` bytes in a larger page.
    fn n_inside(&self, own: u8, shift: u8, number: u64) -> u64 {
        let (first, more) = (number << (shift - own), (1 << (shift - own)) - 1);
        self.pages.range((own, first)..=(own, first | more)).map(|(_, n)| n).sum()
    }
}

impl RecordedPages {
    /// Maps memory with these pages. Regions of the mapping stay, and replace the measured ones that they overlap.
    pub fn map(&self, os: &mut OsConfig) {
        os.default = PagePolicy::Fixed(self.others);
        os.regions = with(&self.regions, mem::take(&mut os.regions));
        os.map = MapSource::Trace;
        if self.has_frames {
            os.frames = Frames::Recorded;
        }
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
        let scattered = (self.n_scattered > 0).then(|| {
            format!(
                "{} huge pages have frames that do not lie together, so these pages get other frames: pages and frames were perhaps read at different times",
                grouped(self.n_scattered)
            )
        });
        let all: Vec<String> = other.into_iter().chain(assumed).chain(scattered).collect();
        (!all.is_empty()).then(|| all.join(". "))
    }
}

/// Returns the number of pages in ranges of their numbers.
fn n_of(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
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
    sort_by_numbers(&mut all, |region| (region.start.0, 0));
    all
}
