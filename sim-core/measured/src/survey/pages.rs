//! The pages of samples, with the number of samples on each.

use std::collections::BTreeMap;

use pagewalk_base::samples::{Kept, Mode, TlbLevel};

/// log2 of the smallest page that is distinguished: 4K.
pub(super) const PAGE_BITS: u32 = 12;

/// The number of a page, and its process.
pub(super) type PageKey = (u64, u32);

/// The counts of the samples on one page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageTally {
    pub(super) samples: u32,
    /// Samples that walked.
    pub(super) walks: u32,
    /// Samples with a known TLB level.
    pub(super) measured: u32,
    /// Samples with a known page size. `huge` counts those with 2M or more.
    pub(super) sized: u32,
    pub(super) huge: u32,
    /// The sum of periods. `walk_weight` is the sum over walks, `squares` the sum of the squared periods.
    weight: u64,
    walk_weight: u64,
    squares: f64,
    /// The frame of the last sample; 0 = unknown.
    pub(super) frame: u64,
    /// The place of the last sample, from 1 on; 0 = unknown.
    pub(super) place: u32,
}

impl PageTally {
    /// Adds a sample. `size` is log2 of the page size that the processor reported.
    pub(super) fn add(&mut self, sample: &Kept, size: Option<u8>, place: Option<u32>) {
        const HUGE: u8 = 21;
        let period = sample.period.unwrap_or(0);
        let walked = matches!(sample.level, TlbLevel::Walk | TlbLevel::Fault);
        let add = |count: &mut u32, one: bool| *count = count.saturating_add(u32::from(one));
        add(&mut self.samples, true);
        add(&mut self.walks, walked);
        add(&mut self.measured, sample.level != TlbLevel::Unknown);
        add(&mut self.sized, size.is_some());
        add(&mut self.huge, size.is_some_and(|size| size >= HUGE));
        self.weight = self.weight.saturating_add(period);
        self.walk_weight = self.walk_weight.saturating_add(if walked { period } else { 0 });
        let period = float(period);
        self.squares += period * period;
        self.place = place.map_or(0, |place| place + 1);
        self.frame = sample.physical.map_or(self.frame, |address| address >> PAGE_BITS);
    }

    pub(super) fn join(&mut self, other: &Self) {
        let add = |mine: &mut u32, theirs: u32| *mine = mine.saturating_add(theirs);
        add(&mut self.samples, other.samples);
        add(&mut self.walks, other.walks);
        add(&mut self.measured, other.measured);
        add(&mut self.sized, other.sized);
        add(&mut self.huge, other.huge);
        self.weight = self.weight.saturating_add(other.weight);
        self.walk_weight = self.walk_weight.saturating_add(other.walk_weight);
        self.squares += other.squares;
        self.place = if self.place == 0 { other.place } else { self.place };
        self.frame = if self.frame == 0 { other.frame } else { self.frame };
    }

    pub(super) fn weight(&self, weighted: bool) -> u64 {
        if weighted { self.weight } else { self.samples.into() }
    }

    pub(super) fn walk_weight(&self, weighted: bool) -> u64 {
        if weighted { self.walk_weight } else { self.walks.into() }
    }

    /// Returns the number and the weight of equal samples that are statistically equivalent to these: they have
    /// the same sum and the same sum of squares.
    pub(super) fn equal_samples(&self, weighted: bool) -> (f64, f64) {
        if !weighted || self.squares <= 0.0 {
            return (f64::from(self.samples), 1.0);
        }
        let weight = float(self.weight);
        (weight * weight / self.squares, self.squares / weight)
    }
}

/// The pages of samples, by rising page number.
#[derive(Debug, Default)]
pub(super) struct Pages {
    own: BTreeMap<PageKey, PageTally>,
    /// Pages of the kernel, which all processes share, for each process that used them.
    shared: BTreeMap<PageKey, PageTally>,
}

impl Pages {
    /// Adds a sample at an address. Returns whether it is the first on its page.
    pub(super) fn add(
        &mut self,
        sample: &Kept,
        address: u64,
        size: Option<u8>,
        place: Option<u32>,
    ) -> bool {
        let is_shared = is_kernel(address) && sample.mode != Mode::Guest;
        let pages = if is_shared { &mut self.shared } else { &mut self.own };
        let number = address >> PAGE_BITS;
        let page = pages.entry((number, sample.pid)).or_default();
        page.add(sample, size, place);
        page.samples == 1
            && (!is_shared || pages.range((number, 0)..=(number, u32::MAX)).count() == 1)
    }

    /// Returns the pages joined to pages of 2^`shift` bytes, with `shift` at least [`PAGE_BITS`]. A page of the
    /// kernel is listed once, under process 0.
    pub(super) fn folded(&self, shift: u32) -> Vec<(PageKey, PageTally)> {
        let shared = self.shared.iter().map(|((page, _), tally)| ((*page, 0), tally));
        folded(self.own.iter().map(|(key, tally)| (*key, tally)).chain(shared), shift)
    }

    /// Returns the pages of 2^`shift` bytes of each process, including the pages of the kernel that it used.
    pub(super) fn of_each_process(&self, shift: u32) -> Vec<(PageKey, PageTally)> {
        let all = self.own.iter().chain(&self.shared);
        folded(all.map(|(key, tally)| (*key, tally)), shift)
    }
}

fn folded<'a>(
    pages: impl Iterator<Item = (PageKey, &'a PageTally)>,
    shift: u32,
) -> Vec<(PageKey, PageTally)> {
    let mut folded: Vec<(PageKey, PageTally)> = Vec::new();
    // Pages of several processes alternate, so the last page of each process is kept.
    let mut open: BTreeMap<u32, usize> = BTreeMap::new();
    for ((page, pid), tally) in pages {
        let number = page >> (shift - PAGE_BITS);
        match open.get(&pid).map(|at| &mut folded[*at]) {
            Some(((last, _), sum)) if *last == number => sum.join(tally),
            _ => {
                open.insert(pid, folded.len());
                folded.push(((number, pid), *tally));
            }
        }
    }
    folded
}

/// Returns whether an address is in the upper half, where the kernel is.
pub(super) fn is_kernel(address: u64) -> bool {
    address >> 63 == 1
}

/// Converts a count. The lost bits matter far less than the sampling error.
#[expect(clippy::cast_precision_loss, reason = "53 bits of a weight are more than enough")]
pub(super) fn float(n: u64) -> f64 {
    n as f64
}
