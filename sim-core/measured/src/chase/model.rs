//! Simulates the chase on a CPU model: the same lines in a random order, with cycles instead of time.

use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::os::{Frames, OsConfig, Virt};
use pagewalk::record::stats::Stats;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Completeness, Kind};
use pagewalk_chase::{Chase, Lines, shuffle};

/// Where the first page is. Every machine with pages of 4K and at least 39 bits translates the address.
const BASE: u64 = 0x20_0000_0000;
/// The fewest loads that warm a machine up, and that are counted.
const LEAST_LOADS: u32 = 256;

/// Returns how the memory of the chase is mapped. Its frames have no order, so no entries coalesce.
pub(super) fn mapping(page: PageSize, nested: bool) -> OsConfig {
    let frames = Frames::Shuffled;
    let host = || Box::new(OsConfig { frames, ..OsConfig::of(PageSize::K4) });
    let virt = if nested { Virt::Ept } else { Virt::Native };
    OsConfig { frames, virt, host: nested.then(host), ..OsConfig::of(page) }
}

/// Returns the translation cycles of one load at each number of pages.
///
/// # Errors
/// As [`Model::new`] and [`Model::cycles`].
pub fn simulated(
    config: &MachineConfig,
    page: PageSize,
    stride: u32,
    nested: bool,
    pages: &[u32],
) -> Result<Vec<f64>> {
    let mut model = Model::new(config, page, stride, nested)?;
    pages.iter().map(|pages| model.cycles(*pages)).collect()
}

/// Returns whether a number of pages is simulated. Above 512, every other one is enough to compare curves, and the
/// measured times of very many pages depend on the data caches.
pub(super) fn is_simulated(at: usize, pages: u32) -> bool {
    pages <= 512 || at.is_multiple_of(2) && pages <= 8192
}

/// A chase on a model. It remembers the machine from one number of pages to the next.
pub(super) struct Model {
    machine: Machine,
    chase: Chase,
    order: Vec<u32>,
    index: u32,
}

impl Model {
    /// # Errors
    /// `bad-config` if the machine has no pages of this size.
    pub(super) fn new(
        config: &MachineConfig,
        page: PageSize,
        stride: u32,
        nested: bool,
    ) -> Result<Self> {
        let machine = Machine::new(config, &mapping(page, nested))?;
        let of = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let chase = Chase::new(of(page.bytes()), of(stride.into()));
        Ok(Self { machine, chase, order: Vec::new(), index: 0 })
    }

    /// Returns the translation cycles of one load.
    ///
    /// # Errors
    /// The error that stopped the machine, or an address that it does not translate.
    pub(super) fn cycles(&mut self, pages: u32) -> Result<f64> {
        shuffle(&mut self.order, pages, pages.into());
        let laps = LEAST_LOADS.div_ceil(pages);
        let mut stats = Stats::default();
        for counted in [false, true] {
            for _ in 0..laps {
                self.lap(counted.then_some(&mut stats));
            }
        }
        if let Some(error) = self.machine.failure() {
            return Err(error.clone());
        }
        let report = stats.report(&self.machine, Completeness::Complete);
        let n = report.kinds.load.translations;
        if n != u64::from(laps) * u64::from(pages) {
            return Err(Error::config(
                "paging",
                "the machine does not translate the addresses of the chase",
            ));
        }
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        Ok(report.cycles.total as f64 / n as f64)
    }

    fn lap(&mut self, mut stats: Option<&mut Stats>) {
        for n in &self.order {
            let byte = self.chase.byte(Lines::Spread, *n).unwrap_or(0);
            let access = Access::new(Kind::Load, BASE + byte as u64, 4);
            match &mut stats {
                Some(stats) => self.machine.access(self.index, &access, *stats),
                None => self.machine.access(self.index, &access, &mut ()),
            }
            self.index = self.index.wrapping_add(1);
        }
    }
}
