//! The result of a chase: its curve, its levels, and the models that fit.

use serde::Serialize;

use pagewalk::config::MachineConfig;
use pagewalk::config::cpu::model;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;

use super::adapt::adapted;
use super::curve::{ChaseCost, costs, least};
use super::fit::{Candidate, ChaseFit, candidates};
use super::levels::{ChaseLevel, levels};
use super::model::{Model, is_simulated};
use super::said;
use super::samples::{ChasePlace, ChaseSamples};
use super::strides;

/// The pages that the loop needs besides those of the chase: a browser looks whether it has to stop.
const PAGES_OF_A_BROWSER: u32 = 2;
/// The halves of the rounds may differ by this share. Otherwise, the clock is not known.
const CLOCK_DIFFERENCE: f64 = 0.03;

/// The clock of the processor, if one addition takes one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ChaseClock {
    pub ghz: f64,
    /// From each half of the rounds.
    pub halves: [f64; 2],
}

/// What a chase says about the processor.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ChaseReport {
    pub place: ChasePlace,
    pub page: PageSize,
    pub stride: u32,
    pub rounds: u32,
    /// Missing if the clock changed during the measurement. Then there are no cycles and no fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ChaseClock>,
    pub curve: Vec<ChaseCost>,
    pub levels: Vec<ChaseLevel>,
    /// The reason why there are no levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The numbers of pages of the curve that are also simulated.
    pub simulated: Vec<u32>,
    /// The models, the nearest first: those whose first level agrees, by their factor. Empty before the comparison.
    pub fits: Vec<ChaseFit>,
    /// The machine of the nearest model, with what the measurement contradicts replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineConfig>,
    /// The results in words.
    pub sentences: Vec<String>,
    /// What the measurement cannot know.
    pub limits: Vec<String>,
}

/// A comparison with all models, in slices.
pub struct Comparing {
    report: ChaseReport,
    waiting: Vec<Candidate>,
    total: usize,
    running: Option<(Candidate, Model, Vec<f64>)>,
    /// The levels that a measurement of every page has found.
    every_page: Option<Vec<ChaseLevel>>,
}

impl Comparing {
    /// Reads the times, and finds the levels. The comparison has not begun. A measurement of every page shows what a
    /// larger stride changes.
    ///
    /// # Errors
    /// `bad-config` if no chase makes these times, or if `every_page` is no such measurement of the same pages.
    pub fn new(samples: &ChaseSamples, every_page: Option<&ChaseSamples>) -> Result<Self> {
        samples.check()?;
        let every_page = every_page.map(|of| strides::levels_of_every_page(samples, of));
        let every_page = every_page.transpose()?;
        let report = measured(samples);
        let fits = report.clock.is_some() && report.refused.is_none();
        let waiting = if fits { candidates(samples.page)? } else { Vec::new() };
        Ok(Self { report, total: waiting.len(), waiting, running: None, every_page })
    }

    /// Simulates one more number of pages on one model. Returns true if all is done.
    ///
    /// # Errors
    /// The error that stopped a machine.
    pub fn go_on(&mut self) -> Result<bool> {
        let Some(clock) = self.report.clock else { return Ok(true) };
        let Some((candidate, mut model, mut cycles)) = self.running.take() else {
            let Some(next) = self.waiting.pop() else { return Ok(true) };
            let model = next.model(self.report.page, self.report.stride)?;
            self.running = Some((next, model, Vec::new()));
            return Ok(false);
        };
        let Some(pages) = self.report.simulated.get(cycles.len()) else {
            let simulated = &self.report.simulated;
            let costs = self.report.curve.iter().filter(|cost| simulated.contains(&cost.pages));
            let costs: Vec<ChaseCost> = costs.copied().collect();
            let reach = self.report.levels.first().map(ChaseLevel::span);
            self.report.fits.push(candidate.fit(cycles, &costs, clock.ghz, reach));
            return Ok(self.waiting.is_empty());
        };
        cycles.push(model.cycles(*pages)?);
        self.running = Some((candidate, model, cycles));
        Ok(false)
    }

    /// Returns the number of compared models, and that of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.report.fits.len(), self.total)
    }

    /// Returns the result.
    ///
    /// # Errors
    /// `bad-config` if a model is not valid. A test reads all models, so this cannot happen.
    pub fn finish(mut self) -> Result<ChaseReport> {
        let order = |a: &ChaseFit, b: &ChaseFit| {
            b.agrees.cmp(&a.agrees).then(a.factor.total_cmp(&b.factor))
        };
        self.report.fits.sort_by(order);
        // With a larger stride, a level may reach less than its size.
        let best = self.report.fits.first().filter(|_| self.report.stride == 1);
        if let Some(best) = best {
            let levels = &self.report.levels;
            self.report.machine = adapted(&model(&best.cpu)?.machine, levels, self.report.page);
        }
        self.report.sentences = said::sentences(&self.report, self.every_page.as_deref());
        self.report.limits = said::limits(&self.report);
        Ok(self.report)
    }
}

/// Reads the times, and compares them with all models.
///
/// # Errors
/// `bad-config` if no chase makes these times.
pub fn conclude(samples: &ChaseSamples) -> Result<ChaseReport> {
    let mut comparing = Comparing::new(samples, None)?;
    while !comparing.go_on()? {}
    comparing.finish()
}

pub(super) fn measured(samples: &ChaseSamples) -> ChaseReport {
    let curve = costs(samples);
    let clock = clock(&samples.adds);
    let (levels, refused) = match levels(&curve) {
        Ok(levels) => (levels, None),
        Err(reason) => (Vec::new(), Some(reason)),
    };
    let own = if samples.place == ChasePlace::Browser { PAGES_OF_A_BROWSER } else { 0 };
    let with_own = |level: ChaseLevel| level.with_own_pages(own);
    let simulated = curve.iter().enumerate().filter(|(at, cost)| is_simulated(*at, cost.pages));
    let simulated = simulated.map(|(_, cost)| cost.pages).collect();
    let with_cycles = |level: ChaseLevel| match clock {
        Some(clock) => level.at_clock(clock.ghz),
        None => level,
    };
    ChaseReport {
        place: samples.place,
        page: samples.page,
        stride: samples.stride,
        rounds: u32::try_from(samples.adds.len()).unwrap_or(u32::MAX),
        clock,
        curve,
        simulated,
        levels: levels.into_iter().map(with_own).map(with_cycles).collect(),
        refused,
        fits: Vec::new(),
        machine: None,
        sentences: Vec::new(),
        limits: Vec::new(),
    }
}

fn clock(adds: &[f64]) -> Option<ChaseClock> {
    let halves = [0, 1].map(|from| 1.0 / least(adds.iter().skip(from).step_by(2)));
    let ghz = 1.0 / least(adds.iter());
    let differ = (halves[0] - halves[1]).abs() > CLOCK_DIFFERENCE * ghz;
    (!differ).then_some(ChaseClock { ghz, halves })
}
