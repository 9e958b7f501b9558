//! The chase on each CPU model: the sizes and the penalty that its curve shows are those of the model.

use pagewalk::caches::tlb::ArrayConfig;
use pagewalk::config::cpu::{model, models};
use pagewalk::config::{L2Hit, MachineConfig};
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;
use pagewalk_measured::chase::{ChaseReport, conclude, simulated};

use crate::support::{ADD, levels_of, timed};

/// Returns the entries for loads of 4K pages in the arrays of a level.
fn entries(arrays: &[ArrayConfig], page: PageSize) -> u32 {
    let serves = |it: &&ArrayConfig| {
        it.serves.as_ref().is_none_or(|kinds| kinds.contains(&Kind::Load))
            && it.pages.as_ref().is_none_or(|pages| pages.contains(&page))
    };
    arrays.iter().filter(serves).map(|array| array.entries).sum()
}

fn report_of(machine: &MachineConfig, page: PageSize, most: u32) -> ChaseReport {
    let pages: Vec<u32> = pages().into_iter().filter(|pages| *pages <= most).collect();
    let curve = simulated(machine, page, 1, false, &pages).unwrap();
    let cost = |of: u32| match pages.iter().position(|pages| *pages == of) {
        Some(at) => curve[at] * ADD,
        None => *curve.last().unwrap(),
    };
    levels_of(&timed(6, cost, || 1.0))
}

fn pages() -> Vec<u32> {
    pagewalk_chase::steps(pagewalk_chase::BACKING, 4096, 1)
}

#[test]
fn the_curve_of_each_model_shows_its_sizes_and_its_penalty() {
    let mut n = 0;
    for model in models().unwrap().into_iter().filter(|model| model.group.is_none()) {
        let machine = &model.machine;
        let page = machine.smallest_pages().unwrap();
        let sizes = [&machine.l1, &machine.l2].map(|arrays| entries(arrays, page));
        let report = report_of(machine, page, sizes[0].max(sizes[1]) * 3);
        // SiFive's U54 has one level, and Oryon's second reaches as far as the chase.
        let most = pages().last().copied().unwrap();
        let n_seen = sizes.iter().filter(|size| **size > 0 && 2 * **size <= most).count();
        assert_eq!((report.levels.len(), &report.refused), (n_seen, &None), "{}", model.id);
        for (level, size) in report.levels.iter().zip(sizes) {
            let [from, to] = level.reach;
            assert!((from..=to).contains(&size), "{}: {size}, not {from} to {to}", model.id);
            // An interval is no wider than two steps of the measured numbers.
            assert!(to <= from + from / 3 + 4, "{}: {from} to {to}", model.id);
        }
        let hit = match machine.latency.l2_hit {
            L2Hit::All(cycles) => cycles,
            L2Hit::ByKind(by_kind) => by_kind.load,
        };
        let cycles = report.levels[0].cycles.unwrap();
        // Without a second level, a miss is a walk.
        let is_hit = sizes[1] == 0 || (cycles - f64::from(hit)).abs() < 0.05;
        assert!(is_hit, "{}: {cycles}, not {hit}", model.id);
        n += 1;
    }
    assert!(n > 25, "{n} models");
}

#[test]
fn the_nearest_model_of_a_models_curve_is_that_model() {
    let zen4 = model("amd-zen4").unwrap().machine;
    let curve = simulated(&zen4, PageSize::K4, 1, true, &pages()).unwrap();
    let cost = |of: u32| curve[pages().iter().position(|pages| *pages == of).unwrap()] * ADD;
    let report = conclude(&timed(6, cost, || 1.0)).unwrap();
    let best = &report.fits[0];
    assert_eq!((best.cpu.as_str(), best.nested), ("amd-zen4", true));
    assert!((best.factor - 1.0).abs() < 0.01, "{}", best.factor);
    assert!(best.agrees);
    assert!(report.fits[1].factor > 1.05, "{}", report.fits[1].factor);
    // The measurement contradicts nothing, so the machine is that of the model.
    let expected = MachineConfig { name: "Zen 4, as measured".to_owned(), ..zen4 };
    assert_eq!(report.machine, Some(expected));
}

#[test]
fn noise_below_the_step_does_not_let_a_smaller_model_agree() {
    // A little more time from 63 pages on, and the step at 72, as a browser measures.
    for noise in [0.07, 0.3] {
        let cost = |pages: u32| match pages {
            0..=62 => 0.0,
            63..=72 => noise,
            73..=3072 => 7.0,
            _ => 60.0,
        };
        let report = conclude(&timed(6, cost, || 1.0)).unwrap();
        assert_eq!(report.levels[0].reach, [72, 72], "{noise}");
        let agree = |cpu: &str| report.fits.iter().any(|fit| fit.cpu == cpu && fit.agrees);
        assert!(agree("amd-zen4") && !agree("intel-sunnycove"), "{noise}");
    }
}
