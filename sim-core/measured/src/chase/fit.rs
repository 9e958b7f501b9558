//! Compares the measured curve with those of all CPU models.

use serde::Serialize;

use pagewalk::config::MachineConfig;
use pagewalk::config::cpu::{CpuModel, models};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;

use super::curve::ChaseCost;
use super::levels::levels;
use super::model::Model;

/// Added to measured and simulated cycles before the logarithm, so that hits of the first level count as equal.
const FLOOR: f64 = 1.0;

/// The curve of a model, compared with the measured one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ChaseFit {
    /// The id of the model.
    pub cpu: String,
    pub name: String,
    /// Whether the model runs a virtual machine, whose host has pages of 4K.
    pub nested: bool,
    /// Whether the first level of the simulated curve reaches as many pages as the measured one. Such models come first.
    pub agrees: bool,
    /// The factor between measured and simulated cycles plus 1: the exponential of the root of the mean square of the
    /// logarithms. 1 is equal.
    pub factor: f64,
    /// The simulated cycles at each number of pages of [`super::ChaseReport::simulated`].
    pub cycles: Vec<f64>,
}

/// A model that is still to be compared.
pub(super) struct Candidate {
    cpu: String,
    name: String,
    machine: MachineConfig,
    nested: bool,
}

/// Returns all models of real processors with pages of this size, each native and, if it can be, as a host.
pub(super) fn candidates(page: PageSize) -> Result<Vec<Candidate>> {
    let real = models()?.into_iter().filter(|model| model.group.is_none());
    let both = real.flat_map(|CpuModel { id, name, no_nested, machine, .. }| {
        [false, true].into_iter().filter(move |nested| !nested || no_nested.is_none()).map(
            move |nested| Candidate {
                cpu: id.clone(),
                name: name.clone(),
                machine: machine.clone(),
                nested,
            },
        )
    });
    let can = |it: &Candidate| Model::new(&it.machine, page, 1, it.nested).is_ok();
    Ok(both.filter(can).collect())
}

impl Candidate {
    pub(super) fn model(&self, page: PageSize, stride: u32) -> Result<Model> {
        Model::new(&self.machine, page, stride, self.nested)
    }

    /// Compares the cycles with the costs at the same numbers of pages. `reach` is the measured span of the first level.
    pub(super) fn fit(
        self,
        cycles: Vec<f64>,
        costs: &[ChaseCost],
        ghz: f64,
        reach: Option<[u32; 2]>,
    ) -> ChaseFit {
        let factor = factor(&cycles, costs, ghz);
        let agrees = reach.is_some_and(|reach| agrees(&cycles, costs, ghz, reach));
        ChaseFit { cpu: self.cpu, name: self.name, nested: self.nested, agrees, factor, cycles }
    }
}

/// Returns whether the first level of the simulated curve can hold as many pages as the measured one.
fn agrees(cycles: &[f64], costs: &[ChaseCost], ghz: f64, [from, to]: [u32; 2]) -> bool {
    let simulated = cycles.iter().zip(costs).map(|(cycles, cost)| {
        let ns = cycles / ghz;
        ChaseCost { pages: cost.pages, ns, halves: [ns; 2], low: ns, high: ns }
    });
    let found = levels(&simulated.collect::<Vec<_>>());
    let first = found.ok().and_then(|levels| levels.first().map(|level| level.reach));
    // Browsers see a page or two more than an array with sets holds.
    first.is_some_and(|[least, most]| least <= to && from <= most + most / 16)
}

/// Compares simulated cycles with the measured `costs` at the same numbers of pages. Leaves out the points where the halves of the rounds differ by half or more.
fn factor(cycles: &[f64], costs: &[ChaseCost], ghz: f64) -> f64 {
    let log = |cycles: f64| libm::log(cycles.max(0.0) + FLOOR);
    let squares: Vec<f64> = cycles
        .iter()
        .zip(costs)
        .filter(|(_, cost)| {
            let [a, b] = cost.halves.map(|ns| log(ns * ghz));
            (a - b).abs() < libm::log(1.5)
        })
        .map(|(cycles, cost)| (log(*cycles) - log(cost.ns * ghz)).powi(2))
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let mean = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
    libm::exp(mean.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chase::levels::ChaseLevel;
    use crate::chase::model::simulated;

    fn cost(ns: f64, halves: [f64; 2]) -> ChaseCost {
        ChaseCost { pages: 8, ns, halves, low: ns, high: ns }
    }

    /// Returns the numbers of pages up to 1024 that a chase measures.
    fn pages() -> Vec<u32> {
        let steps = pagewalk_chase::steps(pagewalk_chase::BACKING, 4096, 1);
        steps.into_iter().filter(|pages| *pages <= 1024).collect()
    }

    /// In an array with sets, the cost rises slowly from the first page too many.
    #[test]
    fn the_first_level_of_each_model_agrees_with_its_own_curve() {
        let pages = pages();
        for model in models().unwrap().into_iter().filter(|model| model.group.is_none()) {
            let page = model.machine.smallest_pages().unwrap();
            let cycles = simulated(&model.machine, page, 1, false, &pages).unwrap();
            let costs: Vec<ChaseCost> = (pages.iter().zip(&cycles))
                .map(|(pages, ns)| ChaseCost { pages: *pages, ..cost(*ns, [*ns; 2]) })
                .collect();
            let found = levels(&costs).unwrap();
            let own = found.first().map(ChaseLevel::span).unwrap();
            assert!(agrees(&cycles, &costs, 1.0, own), "{}: {own:?}", model.id);
        }
    }

    #[test]
    fn a_few_pages_more_than_an_array_with_sets_agree_with_it() {
        let pages = pages();
        let machine = pagewalk::config::cpu::model("intel-skylake-sp").unwrap().machine;
        let cycles = simulated(&machine, PageSize::K4, 1, true, &pages).unwrap();
        let costs: Vec<ChaseCost> =
            pages.iter().map(|pages| ChaseCost { pages: *pages, ..cost(0.0, [0.0; 2]) }).collect();
        assert!(agrees(&cycles, &costs, 1.0, [66, 73]));
        assert!(!agrees(&cycles, &costs, 1.0, [72, 73]));
    }

    #[test]
    fn twice_the_cycles_plus_1_are_a_factor_of_2() {
        let costs = [cost(1.0, [1.0; 2]), cost(3.5, [3.5; 2])];
        let halved = [0.5, 3.0];
        let found = factor(&halved, &costs, 2.0);
        assert!((found - 2.0).abs() < 1e-9, "{found}");
    }

    #[test]
    fn a_point_whose_halves_differ_does_not_count() {
        let costs = [cost(1.0, [1.0; 2]), cost(50.0, [50.0, 100.0])];
        assert!((factor(&[2.0, 1.0], &costs, 2.0) - 1.0).abs() < 1e-9);
    }
}
