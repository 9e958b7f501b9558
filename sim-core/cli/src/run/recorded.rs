//! `--pages recorded`: maps each page at the size that the recording measured.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;
use pagewalk::os::{PagePolicy, RegionConfig};
use pagewalk_base::addr::{Hex, PageSize};
use pagewalk_base::error::Result;
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{Access, OpRecord};
use pagewalk_sources::import::{ImportReport, Sink};

use crate::args::AccessArgs;
use crate::input::Input;
use crate::table::grouped;

/// The pages of a recording.
pub(super) struct Recorded {
    /// The pages of memory outside the regions.
    pub(super) others: PageSize,
    /// The measured pages that are larger.
    pub(super) regions: Vec<RegionConfig>,
    /// The number of samples whose memory has another size in the run.
    n_other: u64,
}

impl Recorded {
    /// Reads the page sizes of a recording, for memory that otherwise has pages of `smallest`.
    ///
    /// # Errors
    /// A workload, standard input, or a file without page sizes.
    pub(super) fn read(args: &AccessArgs, smallest: PageSize) -> anyhow::Result<Self> {
        let Some(path) = &args.source.trace else {
            bail!("--pages recorded: a workload has no recorded page sizes: give a page size");
        };
        if args.is_stdin() {
            bail!("--pages recorded: the file is read twice: give a file instead of -");
        }
        let input = Input { path, format: &args.format, limit: u64::MAX };
        let mut measured = Measured::default();
        let report = input.stream(&mut measured)?;
        let stated = size(report.page_size);
        if measured.pages.is_empty() && stated.is_none() {
            bail!(
                "--pages recorded: {} has no page sizes: record it with `perf mem record --data-page-size`",
                input.name()
            );
        }
        Ok(Self { others: stated.unwrap_or(smallest), ..measured.regions(smallest) })
    }

    /// Returns a warning about samples that measured another size than the run maps.
    pub(super) fn warning(&self) -> Option<String> {
        (self.n_other > 0).then(|| {
            format!(
                "{} samples measured another page size than this run maps. Memory that was measured with several sizes has the one of most samples",
                grouped(self.n_other)
            )
        })
    }
}

/// Returns the page size of this number of bytes, if it is one.
pub(super) fn size(bytes: u64) -> Option<PageSize> {
    let shift = bytes.is_power_of_two().then(|| bytes.trailing_zeros().try_into().ok());
    shift.flatten().map(PageSize)
}

/// Returns whether a recording measured or states pages of another size than `smallest`.
pub(super) fn has_others(import: &ImportReport, smallest: PageSize) -> bool {
    let measured = import.sampling.iter().flat_map(|sampling| &sampling.page_sizes);
    let all = measured.map(|pages| pages.bytes).chain([import.page_size]);
    all.filter_map(size).any(|size| size != smallest)
}

/// The number of samples of each page, by log2 of its size and by its number.
#[derive(Default)]
struct Measured {
    pages: BTreeMap<(u8, u64), u64>,
}

impl Measured {
    fn add(&mut self, address: Option<u64>, size: Option<u8>) {
        if let (Some(address), Some(shift @ 1..=63)) = (address, size) {
            *self.pages.entry((shift, address >> shift)).or_insert(0) += 1;
        }
    }

    /// Larger pages come first. A page becomes a region if more than half of the samples of its memory have its size.
    fn regions(&self, smallest: PageSize) -> Recorded {
        let sizes: BTreeSet<u8> = self.pages.keys().map(|(shift, _)| *shift).collect();
        let mut chosen: BTreeSet<(u8, u64)> = BTreeSet::new();
        let mapped = |chosen: &BTreeSet<(u8, u64)>, address: u64| {
            let mut sizes = sizes.iter().copied();
            sizes.find(|shift| chosen.contains(&(*shift, address >> shift)))
        };
        for ((shift, number), n) in self.pages.iter().rev() {
            let (size, start) = (PageSize(*shift), number << shift);
            let n_smaller = || -> u64 {
                sizes.range(..shift).map(|own| self.n_inside(*own, *shift, *number)).sum()
            };
            if size > smallest
                && start.checked_add(size.bytes()).is_some()
                && mapped(&chosen, start).is_none()
                && *n > n_smaller()
            {
                chosen.insert((*shift, *number));
            }
        }
        let is_other = |((shift, number), _): &(&(u8, u64), &u64)| {
            mapped(&chosen, number << shift).unwrap_or(smallest.0) != *shift
        };
        let n_other = self.pages.iter().filter(is_other).map(|(_, n)| n).sum();
        Recorded { others: smallest, regions: joined(&chosen), n_other }
    }

    /// Returns the number of samples with pages of `1 << own` bytes in a larger page.
    fn n_inside(&self, own: u8, shift: u8, number: u64) -> u64 {
        let (first, more) = (number << (shift - own), (1 << (shift - own)) - 1);
        self.pages.range((own, first)..=(own, first | more)).map(|(_, n)| n).sum()
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

impl Sink for Measured {
    fn access(&mut self, _access: Access) -> Result<()> {
        Ok(())
    }

    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.add(sample.address, size(sample.data_page).map(|size| size.0));
        Ok(())
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        for kept in samples.iter() {
            self.add(kept.address, kept.data_page);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples are `size:page number:times`.
    #[track_caller]
    fn check(samples: &str, regions: &[&str], n_other: u64) {
        let mut measured = Measured::default();
        for sample in samples.split_whitespace() {
            let [size, number, times] = sample.split(':').collect::<Vec<_>>()[..] else { panic!() };
            let shift = PageSize::parse(size).unwrap().0;
            for _ in 0..times.parse::<u64>().unwrap() {
                measured.add(Some(number.parse::<u64>().unwrap() << shift | 1), Some(shift));
            }
        }
        let found = measured.regions(PageSize::K4);
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
