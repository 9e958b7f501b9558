//! A survey: the facts about a program that samples of it can show.
//!
//! Samples are far apart, so no result depends on their order. The results are: the TLB levels that the
//! processor reported; the sampled pages and their shares; the ranges that huge pages may help; and hit rates
//! of a machine's TLB by the independent reference model.

mod arrays;
mod counts;
mod estimate;
mod irm;
mod pages;
mod ranges;
mod regions;
mod report;
mod side;
mod tables;

pub use counts::{Levels, SurveyCounts};
pub use estimate::SurveyEstimate;
pub use ranges::{Backing, SurveyRange, SurveyRanges};
pub use regions::SurveyRegion;
pub use report::{
    SurveyBins, SurveyPage, SurveyPopularity, SurveyReport, SurveyRow, SurveySide, SurveyTable,
};

use serde::Deserialize;

use pagewalk::config::MachineConfig;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::samples::{Kept, Mode, Samples};
use pagewalk_base::trace::{Completeness, Kind};
use pagewalk_sources::import::{SampleOf, SampledEvent};

use estimate::Estimator;
use side::{Of, Side};

/// The selection of samples, and the machine for estimates.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyOptions {
    /// The machine for estimates; `None` = no estimates.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub machine: Option<MachineConfig>,
    /// The page size of tables and estimates; `None` = the sizes of the machine, or 4K and 2M without a
    /// machine.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub pages: Option<PageSize>,
    /// Selects the samples of one event: its number in the list of the import.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub event: Option<u32>,
    /// Selects the samples of one process.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub pid: Option<u32>,
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Who>"))]
    pub who: Who,
}

/// The selection of samples by user and kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Who {
    #[default]
    All,
    /// Samples of user programs, without the kernel and virtual machines.
    User,
    Kernel,
}

impl Who {
    fn includes(self, mode: Mode) -> bool {
        match self {
            Self::All => true,
            Self::User => mode == Mode::User,
            Self::Kernel => mode == Mode::Kernel,
        }
    }
}

/// Computes a survey in slices.
#[derive(Debug)]
pub struct Survey {
    options: SurveyOptions,
    sizes: Vec<PageSize>,
    /// The completeness of each event.
    completeness: Vec<Completeness>,
    sides: Vec<Side>,
    /// The estimators of the sides, once all samples are read. They are processed in order; `estimates` has the
    /// results.
    estimators: Vec<Option<Estimator>>,
    estimates: Vec<Vec<SurveyEstimate>>,
    /// The chunk to read next, and the number of its first sample.
    chunk: usize,
    number: u64,
}

impl Survey {
    /// # Errors
    /// `bad-config` at `pages` or `event`.
    pub fn new(options: SurveyOptions, events: &[SampledEvent]) -> Result<Self> {
        if options.pages.is_some_and(|size| size < PageSize::K4) {
            return Err(Error::config(
                "pages",
                "samples distinguish pages of 4K, not smaller ones",
            ));
        }
        let chosen = options.event.and_then(|event| usize::try_from(event).ok());
        if chosen.is_some_and(|event| event >= events.len()) {
            let message = format!("there are {} events, from 0 on", events.len());
            return Err(Error::config("event", message));
        }
        let is_chosen = |at: usize| chosen.is_none_or(|event| event == at);
        let sizes = options
            .pages
            .map_or_else(|| arrays::page_sizes(options.machine.as_ref()), |size| vec![size]);
        Ok(Self {
            sizes,
            completeness: events.iter().map(|event| event.completeness).collect(),
            sides: sides(events, is_chosen),
            estimators: Vec::new(),
            estimates: Vec::new(),
            chunk: 0,
            number: 0,
            options,
        })
    }

    /// Does a slice of the work of some ten milliseconds. Returns true when the survey is complete.
    pub fn go_on(&mut self, samples: &Samples) -> bool {
        if self.chunk < samples.n_chunks() {
            self.read(samples);
            if self.chunk == samples.n_chunks() {
                self.begin_estimates();
            }
            return false;
        }
        if self.chunk == 0 && self.estimators.is_empty() && self.estimates.is_empty() {
            self.begin_estimates();
        }
        let Some(estimator) = self.estimators.get_mut(self.estimates.len()) else { return true };
        if estimator.as_mut().is_none_or(Estimator::go_on) {
            let done = estimator.take().map(Estimator::finish);
            self.estimates.push(done.unwrap_or_default());
        }
        self.estimates.len() == self.estimators.len()
    }

    /// Returns the part that is done, 0 to 1.
    pub fn progress(&self, samples: &Samples) -> f64 {
        let part =
            |done: usize, of: usize| pages::float(done as u64) / pages::float(of.max(1) as u64);
        let read = part(self.chunk, samples.n_chunks());
        let current = self.estimators.get(self.estimates.len()).and_then(Option::as_ref);
        let current = current.map_or(0.0, Estimator::progress);
        let n = pages::float(self.estimators.len().max(1) as u64);
        let estimated = part(self.estimates.len(), self.estimators.len()) + current / n;
        0.5 * read + 0.5 * estimated.min(1.0)
    }

    /// Returns the report with the results so far.
    pub fn report(&self, samples: &Samples) -> SurveyReport {
        let side = |of: Of| {
            let at = self.sides.iter().position(|side| side.of == of && !side.is_empty())?;
            let estimates = self.estimates.get(at).cloned().unwrap_or_default();
            let side = &self.sides[at];
            let completeness = self.completeness_of(side);
            Some(tables::side(side, samples, &self.sizes, completeness, estimates))
        };
        SurveyReport {
            samples: samples.len(),
            bytes: samples.bytes() as u64,
            nanoseconds: samples.times().map(|(first, last)| last - first),
            data: side(Of::Data),
            faults: side(Of::Faults),
            code: side(Of::Code),
        }
    }

    fn read(&mut self, samples: &Samples) {
        for sample in samples.chunk(self.chunk) {
            let bin = side::bin(samples, sample.time, self.number);
            self.number += 1;
            if self.counts(&sample) {
                for side in &mut self.sides {
                    side.add(&sample, bin);
                }
            }
        }
        self.chunk += 1;
    }

    fn counts(&self, sample: &Kept) -> bool {
        let Kept { pid, mode, .. } = *sample;
        self.options.pid.is_none_or(|only| only == pid) && self.options.who.includes(mode)
    }

    fn begin_estimates(&mut self) {
        let machine = self.options.machine.as_ref();
        let estimator = |side: &Side| {
            let kind = match side.of {
                Of::Data => Kind::Load,
                // Samples of first touches have no information about hits.
                Of::Faults => return None,
                Of::Code => Kind::Fetch,
            };
            let of = |size: &PageSize| (*size, side.pages.of_each_process(size.shift()));
            let pages: Vec<_> = self.sizes.iter().map(of).collect();
            Some(Estimator::new(machine?, kind, side.weighted, &pages))
        };
        self.estimators = self.sides.iter().map(estimator).collect();
    }

    /// The completeness of the least complete event.
    fn completeness_of(&self, side: &Side) -> Completeness {
        let events = side.events.iter().zip(&self.completeness).filter(|(is_its, _)| **is_its);
        let all: Vec<Completeness> = events.map(|(_, completeness)| *completeness).collect();
        if all.contains(&Completeness::LatencyFiltered) {
            Completeness::LatencyFiltered
        } else if !all.is_empty() && all.iter().all(|one| *one == Completeness::FirstTouches) {
            Completeness::FirstTouches
        } else {
            Completeness::Sampled
        }
    }
}

/// Returns the sides of a recording: its accesses, with the samples of all events of accesses; its page faults;
/// and its time, with the samples of the one time event that has the most.
fn sides(events: &[SampledEvent], is_chosen: impl Fn(usize) -> bool) -> Vec<Side> {
    let of = |wanted: SampleOf| {
        let chosen = events.iter().enumerate();
        chosen.map(|(at, event)| is_chosen(at) && event.of == wanted).collect::<Vec<bool>>()
    };
    let any = |of: &[bool]| of.contains(&true);
    let mut data = of(SampleOf::Accesses);
    if !any(&data) {
        // Without events of accesses, the addresses in samples of time are used.
        data = of(SampleOf::Execution);
    }
    let code = [SampleOf::Execution, SampleOf::Other].into_iter().find_map(|wanted| {
        let candidates = events.iter().enumerate();
        let candidates =
            candidates.filter(|(at, e)| is_chosen(*at) && e.of == wanted && e.samples > 0);
        let (most, _) =
            candidates.max_by_key(|(at, event)| (event.samples, std::cmp::Reverse(*at)))?;
        Some((0..events.len()).map(|at| at == most).collect::<Vec<bool>>())
    });
    let mut sides = vec![Side::new(Of::Data, data), Side::new(Of::Faults, of(SampleOf::Faults))];
    sides.extend(code.map(|code| Side::new(Of::Code, code)));
    sides
}
