//! One side of a recording, such as its data: the counts of its samples.

use std::collections::BTreeMap;

use pagewalk_base::samples::{Kept, Mode, Samples, TlbLevel};

use super::counts::Tally;
use super::pages::{PAGE_BITS, Pages, is_kernel};

/// The number of bins over time.
pub(super) const N_BINS: usize = 100;

/// The events of a side, and the address of their samples that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Samples of accesses, by data address.
    Data,
    /// Samples of page faults, by faulting address.
    Faults,
    /// Samples of time, by instruction pointer.
    Code,
}

/// The counts of the samples of one side.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) of: Of,
    /// For each event: whether its samples belong to this side.
    pub(super) events: Vec<bool>,
    pub(super) total: Tally,
    pub(super) pages: Pages,
    pub(super) kernel: Tally,
    pub(super) guest: Tally,
    pub(super) without_address: Tally,
    /// The counts of each place, numbered from 1. `unplaced` has the counts of each 2M range of samples without
    /// a place.
    pub(super) places: BTreeMap<u32, Tally>,
    pub(super) unplaced: BTreeMap<u64, Tally>,
    pub(super) symbols: BTreeMap<Option<u32>, Tally>,
    pub(super) objects: BTreeMap<Option<u32>, Tally>,
    pub(super) sizes: BTreeMap<Option<u8>, Tally>,
    pub(super) processes: BTreeMap<u32, Tally>,
    /// For each bin over time: the number of samples, and of pages that no earlier sample has.
    pub(super) bins: Vec<(u64, u64)>,
    /// Whether all samples have a period.
    pub(super) weighted: bool,
}

impl Side {
    pub(super) fn new(of: Of, events: Vec<bool>) -> Self {
        Self {
            of,
            events,
            total: Tally::default(),
            pages: Pages::default(),
            kernel: Tally::default(),
            guest: Tally::default(),
            without_address: Tally::default(),
            places: BTreeMap::new(),
            unplaced: BTreeMap::new(),
            symbols: BTreeMap::new(),
            objects: BTreeMap::new(),
            sizes: BTreeMap::new(),
            processes: BTreeMap::new(),
            bins: vec![(0, 0); N_BINS],
            weighted: true,
        }
    }

    /// Counts a sample, if it belongs to this side. `bin` is its bin over time.
    pub(super) fn add(&mut self, sample: &Kept, bin: usize) {
        let is_its = usize::try_from(sample.event).ok().and_then(|event| self.events.get(event));
        if is_its != Some(&true) {
            return;
        }
        let (address, size, place) = match self.of {
            Of::Data | Of::Faults => (sample.address, sample.data_page, sample.data_place),
            Of::Code => (sample.ip, sample.code_page, sample.code_place),
        };
        // The level, latency and physical address that the processor reports belong to the data address.
        let sample = match self.of {
            Of::Data => *sample,
            Of::Faults | Of::Code => {
                Kept { level: TlbLevel::Unknown, latency: None, physical: None, ..*sample }
            }
        };
        if address.is_none() && (self.of != Of::Data || sample.level == TlbLevel::Unknown) {
            self.without_address.add(&sample);
            return;
        }
        self.weighted &= sample.period.is_some();
        self.total.add(&sample);
        self.symbols.entry(sample.code_name).or_default().add(&sample);
        if self.of != Of::Code {
            self.objects.entry(sample.data_name).or_default().add(&sample);
        }
        self.processes.entry(sample.pid).or_default().add(&sample);
        self.sizes.entry(size).or_default().add(&sample);
        let mut is_new = false;
        match address {
            Some(address) => {
                is_new = self.pages.add(&sample, address, size, place);
                if sample.mode == Mode::Guest {
                    self.guest.add(&sample);
                } else if is_kernel(address) {
                    self.kernel.add(&sample);
                } else if let Some(place) = place {
                    self.places.entry(place + 1).or_default().add(&sample);
                } else {
                    self.unplaced.entry(address >> PAGE_BITS >> 9).or_default().add(&sample);
                }
            }
            None => self.without_address.add(&sample),
        }
        if let Some((n, new)) = self.bins.get_mut(bin) {
            *n += 1;
            *new += u64::from(is_new);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.total.samples == 0
    }
}

/// Returns the bin of a sample: by its time, or by its number if samples have no times.
pub(super) fn bin(samples: &Samples, time: Option<u64>, number: u64) -> usize {
    let part = |at: u64, of: u64| {
        usize::try_from(u128::from(at) * N_BINS as u128 / u128::from(of.max(1))).unwrap_or(0)
    };
    match (samples.times(), time) {
        (Some((first, last)), Some(time)) => {
            part(time.saturating_sub(first), last.saturating_sub(first).saturating_add(1))
        }
        _ => part(number, samples.len()),
    }
}
