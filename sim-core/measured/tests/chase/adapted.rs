//! The machine with measured sizes in place of those of the nearest model.

use pagewalk::config::L2Hit;
use pagewalk::config::cpu::model;
use pagewalk_measured::chase::conclude;

use crate::support::timed;

#[test]
fn sizes_and_a_penalty_that_contradict_the_model_are_replaced() {
    // No model has these sizes.
    let cost = |pages: u32| match pages {
        0..=80 => 0.0,
        81..=2304 => 12.0,
        _ => 40.0,
    };
    let report = conclude(&timed(6, cost, || 1.0)).unwrap();
    let machine = report.machine.unwrap();
    let best = model(&report.fits[0].cpu).unwrap().machine;
    let l1 = machine.l1.iter().find(|array| array.entries == 80).expect("80 entries");
    assert_eq!(l1.ways, None);
    assert!(machine.l2.iter().any(|array| array.entries == 2304), "{:?}", machine.l2);
    assert!(matches!(machine.latency.l2_hit, L2Hit::ByKind(cycles) if cycles.load == 12));
    assert_eq!(machine.psc, best.psc);
    assert_eq!(machine.problems(), []);
}
