//! Curves on paper: a fully associative LRU array hits always or never.

use cases::cases;

use crate::support::{levels_of, timed};

/// Returns the cost of a load by the closed form.
fn naive([first, second]: [u32; 2], [l2, walk]: [f64; 2], pages: u32) -> f64 {
    match pages {
        _ if pages <= first => 0.0,
        _ if pages <= second => l2,
        _ => l2 + walk,
    }
}

#[test]
fn inferred_intervals_contain_the_sizes_and_the_penalty_of_noisy_curves() {
    cases(300).check(|random| {
        let first = random.int_in_range(12..=256_u32)?;
        let second = random.int_in_range(first * 4..=6_000)?;
        let l2 = f64::from(random.int_in_range(10..=90_u32)?) / 10.0;
        let walk = l2 * f64::from(random.int_in_range(5..=40_u32)?) / 10.0;
        let most = f64::from(random.int_in_range(0..=100_u32)?) / 1000.0;
        let cost = |pages| naive([first, second], [l2, walk], pages);
        // Other programs only add time, most of them little.
        let mut state: u32 = random.int_in_range(1..=u32::MAX)?;
        let noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            1.0 + most * (f64::from(state >> 8) / f64::from(1 << 24)).powi(3)
        };
        let report = levels_of(&timed(12, cost, noise));
        if report.refused.is_some() {
            assert!(most > 0.005, "{first} {second} {l2} {walk} {most}: {:?}", report.refused);
            return Ok(());
        }
        let what = format!("{first} {second} {l2} {walk} {most}: {:#?}", report.levels);
        assert!((report.levels[0].reach[0]..=report.levels[0].reach[1]).contains(&first), "{what}");
        assert!((report.levels[0].ns - l2).abs() < 0.03 * l2 + 0.1, "{what}");
        let [low, high] = report.levels[0].ns_range;
        assert!(low - 0.1 <= l2 && l2 <= high + 0.1, "{what}");
        let [from, to] = report.levels[1].reach;
        assert!((from..=to).contains(&second), "{what}");
        Ok(())
    });
}

#[test]
fn sizes_between_two_measured_numbers_are_exact() {
    let report = levels_of(&timed(8, |pages| naive([72, 1536], [7.0, 20.0], pages), || 1.0));
    assert_eq!(report.levels[0].reach, [72, 72]);
    assert_eq!(report.levels[1].reach, [1536, 1663]);
    assert_eq!(report.levels[0].cycles, Some(7.0));
    assert!((report.levels[1].ns - 20.0).abs() < 1e-9);
}
