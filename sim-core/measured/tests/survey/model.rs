//! Tests that estimates are near the truth, and that the truth is in their intervals as often as it should be.

use pagewalk_base::addr::PageSize;
use pagewalk_base::samples::Sample;
use pagewalk_measured::survey::{SurveyEstimate, SurveyOptions};

use super::support::{loads, options, samples, survey};

/// Returns a number from 0 to 1 by xorshift64*.
fn unit(state: &mut u64) -> f64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    let drawn = u32::try_from(state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32).unwrap();
    f64::from(drawn) / 2f64.powi(32)
}

/// Returns the shares of accesses of each page by Zipf's law.
fn zipf(n: u32, s: f64) -> Vec<f64> {
    let weights: Vec<f64> = (1..=n).map(|k| f64::from(k).powf(-s)).collect();
    let all: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / all).collect()
}

/// Returns the hit rate of the model for the true shares, by bisection.
fn truth(shares: &[f64], entries: u32) -> f64 {
    let used = |time: f64| -> f64 { shares.iter().map(|p| 1.0 - (-p * time).exp()).sum() };
    let (mut low, mut high) = (0.0, 1e9);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let half = if used(middle) < f64::from(entries) { &mut low } else { &mut high };
        *half = middle;
    }
    shares.iter().map(|p| p * (1.0 - (-p * low).exp())).sum()
}

fn estimates(shares: &[f64], n: u32, state: &mut u64, period: u64) -> Vec<SurveyEstimate> {
    let mut sum = 0.0;
    let sums: Vec<f64> = shares
        .iter()
        .map(|p| {
            sum += p;
            sum
        })
        .collect();
    let drawn = (0..n).map(|_| {
        let drawn = unit(state);
        let page = sums.partition_point(|sum| *sum < drawn).min(shares.len() - 1) as u64;
        Sample { pid: 1, address: Some((page + 1) << 12), period, ..Sample::default() }
    });
    let samples = samples(drawn.collect::<Vec<_>>());
    let options = SurveyOptions { pages: Some(PageSize::K4), ..options() };
    survey(&samples, &loads(), options).data.unwrap().estimates
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let mut state = 88_172_645_463_325_252;
    for (pages, exponent, n) in [(3000, 0.8, 3000), (3000, 1.0, 20_000), (4000, 0.0, 8000)] {
        let shares = zipf(pages, exponent);
        let truth = [64, 512].map(|entries| truth(&shares, entries));
        let (mut held, mut near) = (0, 0.0);
        let runs = 10;
        for _ in 0..runs {
            let estimates = estimates(&shares, n, &mut state, 1);
            for (estimate, truth) in estimates.iter().zip(truth) {
                assert!(estimate.low <= estimate.hit_rate && estimate.hit_rate <= estimate.high);
                assert!(!estimate.all_fit);
                held += u32::from((estimate.low..=estimate.high).contains(&truth));
                near += (estimate.hit_rate - truth).abs();
                // Few samples show too few pages, so the uncorrected rate is too high.
                assert!(estimate.uncorrected > truth - 0.03, "{estimate:?} {truth}");
            }
        }
        assert!(held >= 2 * runs * 9 / 10, "{held} of {} at {pages} {exponent} {n}", 2 * runs);
        let mean = near / f64::from(2 * runs);
        assert!(mean < 0.02, "{mean} off at {pages} {exponent} {n}");
    }
}

#[test]
fn more_samples_are_more_sure() {
    let shares = zipf(2000, 0.9);
    let widths = [2000, 8000, 32_000].map(|n| {
        let estimate = &estimates(&shares, n, &mut 7, 1)[1];
        estimate.high - estimate.low
    });
    assert!(widths[0] > 1.5 * widths[1] && widths[1] > 1.5 * widths[2], "{widths:?}");
}

/// Equal periods do not change the estimate. One sample of weight 1,000 gives less information than 1,000
/// samples.
#[test]
fn periods_are_weights() {
    let shares = zipf(500, 0.9);
    assert_eq!(estimates(&shares, 4000, &mut 9, 1), estimates(&shares, 4000, &mut 9, 10_007));
    let sample =
        |page: u64, period| Sample { address: Some((page + 1) << 12), period, ..Sample::default() };
    let even: Vec<Sample<'_>> = (0..1000).map(|n| sample(n % 200, 1)).collect();
    let one = [sample(0, 1_000_000)];
    let options = || SurveyOptions { pages: Some(PageSize::K4), ..options() };
    let alone = survey(&samples(even.clone()), &loads(), options()).data.unwrap();
    let heavy = survey(&samples(even.into_iter().chain(one)), &loads(), options()).data.unwrap();
    assert!(alone.estimates[0].hit_rate < 0.4 && heavy.estimates[0].hit_rate > 0.9);
    assert!(heavy.weighted && heavy.estimates[0].low < 0.5, "{:?}", heavy.estimates[0]);
}

#[test]
fn where_all_pages_fit_nothing_is_sure() {
    let shares = zipf(3000, 0.8);
    let estimates = estimates(&shares, 300, &mut 3, 1);
    assert!(estimates[1].all_fit && estimates[1].hit_rate > 0.999_999, "{:?}", estimates[1]);
    assert!(estimates[1].low < truth(&shares, 512), "{:?}", estimates[1]);
}

#[test]
fn each_process_has_an_array_of_its_own() {
    // Each process has 50 pages, so 64 entries are enough for one process but not for both.
    let of = |pid: u32| {
        (0..4000u64).map(move |n| Sample {
            pid,
            address: Some((n % 50 + 1) << 12),
            ..Sample::default()
        })
    };
    let both = samples(of(1).chain(of(2)));
    let report = survey(&both, &loads(), options()).data.unwrap();
    assert!(report.estimates[0].all_fit);
    assert_eq!((report.pages_4k, report.once), (100, 0.0));
}

#[test]
fn pages_of_the_kernel_compete_with_those_of_the_process() {
    const KERNEL: u64 = 0xffff_8880_0000_0000;
    let of = |pid: u32| {
        (0..128 * 50u64).map(move |n| {
            let page = (n % 128) << 12;
            let address = if n % 128 < 64 { page + 4096 } else { KERNEL + page };
            Sample { pid, address: Some(address), ..Sample::default() }
        })
    };
    let options = || SurveyOptions { pages: Some(PageSize::K4), ..options() };
    let one = survey(&samples(of(1)), &loads(), options()).data.unwrap();
    let estimate = &one.estimates[0];
    assert!(!estimate.all_fit && estimate.high < 0.6, "{estimate:?}");
    assert!((one.pages_4k, one.estimates[1].all_fit) == (128, true));
    // The kernel's pages are counted once, and compete for entries in each process.
    let two = survey(&samples(of(1).chain(of(2))), &loads(), options()).data.unwrap();
    assert_eq!(
        (two.pages_4k, two.popularity[0].total, two.bins.pages.last()),
        (192, 192, Some(&192))
    );
    assert!((two.estimates[0].uncorrected - estimate.uncorrected).abs() < 1e-5);
    assert!(!two.estimates[0].all_fit);
}
