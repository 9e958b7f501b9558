//! What can be said of a program from samples of it, and no more.
//!
//! Samples are far apart, so nothing here depends on their order: where translations were found, as
//! the processor says; which pages are touched, and how often in proportion; which ranges huge pages
//! would help; and what the model of independent references says of a machine's TLB.

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

/// Which samples count, and what is estimated.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SurveyOptions {
    /// Estimates are made for this machine.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub machine: Option<MachineConfig>,
    /// The page size of tables and estimates; `None` = those that the machine has, 4K and 2M if there is
    /// no machine.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub pages: Option<PageSize>,
    /// Only samples of one event: its number in the list that the import has.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub event: Option<u32>,
    /// Only samples of one process.
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub pid: Option<u32>,
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Who>"))]
    pub who: Who,
}

/// The samples that count, by their owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Who {
    #[default]
    All,
    /// Not the kernel, nor virtual machines.
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

/// A survey in the making, in slices.
#[derive(Debug)]
pub struct Survey {
    options: SurveyOptions,
    sizes: Vec<PageSize>,
    /// By event.
    completeness: Vec<Completeness>,
    sides: Vec<Side>,
    /// The estimates of each side, once all samples are read; those done come first.
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
            return Err(Error::config("pages", "samples tell pages of 4K apart, not smaller ones"));
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

    /// Does a part of the work, some ten milliseconds; true if all is done.
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

    /// The part that is done, 0 to 1.
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

    /// Returns the report of a survey that is done; of one that is not, what there is.
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
                // First touches say nothing of hits.
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

/// Returns the sides of a recording: its accesses, of which several events tell together; its page faults;
/// and its time, by the one event that has the most samples of it.
fn sides(events: &[SampledEvent], is_chosen: impl Fn(usize) -> bool) -> Vec<Side> {
    let of = |wanted: SampleOf| {
        let chosen = events.iter().enumerate();
        chosen.map(|(at, event)| is_chosen(at) && event.of == wanted).collect::<Vec<bool>>()
    };
    let any = |of: &[bool]| of.contains(&true);
    let mut data = of(SampleOf::Accesses);
    if !any(&data) {
        // The addresses that samples of time have too, where they are all there is.
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
