//! The page sizes that a recording measured, as regions of a mapping.

use std::collections::{BTreeMap, BTreeSet};

use pagewalk::os::{OsConfig, PagePolicy, RegionConfig};
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::samples::Samples;
use pagewalk_base::thousands::grouped;

/// What a recording says about the sizes of its pages.
#[derive(Clone, Debug, Default)]
pub struct PageEvidence {
    /// The number of samples of each page, by log2 of its size and by its number.
    pages: BTreeMap<(u8, u64), u64>,
    /// The size of all pages of the recorded machine.
    stated: Option<PageSize>,
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
}

/// Returns the page size of this number of bytes, if it is one.
pub fn page_size(bytes: u64) -> Option<PageSize> {
    let shift = bytes.is_power_of_two().then(|| bytes.trailing_zeros().try_into().ok());
    shift.flatten().map(PageSize)
}

impl PageEvidence {
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

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.stated.is_none()
    }

    /// Returns whether there are pages of another size than `smallest`.
    pub fn has_others(&self, smallest: PageSize) -> bool {
        let measured = self.pages.keys().map(|(shift, _)| PageSize(*shift));
        measured.chain(self.stated).any(|size| size != smallest)
    }

    /// Returns the pages for a machine whose memory otherwise has pages of `smallest`. Memory that was measured with
    /// several sizes has the one of most samples.
    pub fn pages(&self, smallest: PageSize) -> RecordedPages {
        let others = self.stated.unwrap_or(smallest);
        let chosen = self.chosen(smallest);
        let mapped = |address: u64| chosen.at(address).unwrap_or(others.0);
        let is_other =
            |((shift, number), _): &(&(u8, u64), &u64)| mapped(number << shift) != *shift;
        let n_other = self.pages.iter().filter(is_other).map(|(_, n)| n).sum();
        RecordedPages { others, regions: joined(&chosen.pages), n_other }
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
    /// Maps memory with these pages.
    pub fn map(&self, os: &mut OsConfig) {
        os.default = PagePolicy::Fixed(self.others);
        os.regions.clone_from(&self.regions);
    }

    /// Returns a warning about samples that contradict the pages.
    pub fn warning(&self) -> Option<String> {
        (self.n_other > 0).then(|| {
            format!(
                "{} samples measured another page size than this run maps. Memory that was measured with several sizes has the one of most samples",
                grouped(self.n_other)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_last_page_of_the_address_space_is_no_region() {
        check("2M:8796093022207:1", &[], 1);
    }
}
