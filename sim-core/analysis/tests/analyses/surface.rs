//! Tests that a surface has the miss curves of all its numbers of sets.

use cases::cases;
use pagewalk_analysis::curve::{CurveBuilder, CurveOptions};
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_analysis::surface::{N_SETS, Surface, SurfaceBuilder, WAYS};
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind, Trace};

use crate::common::program::{Habits, program};
use crate::common::recorded::{RECORDINGS, recorded};

fn surface(chosen: Chosen, trace: &Trace) -> Surface {
    let mut builder = SurfaceBuilder::new(chosen).unwrap();
    builder.push_trace(trace);
    builder.finish()
}

/// Compares a surface with the curve of each number of sets. Other tests check the curves.
#[track_caller]
fn check(chosen: &Chosen, trace: &Trace) {
    let surface = surface(chosen.clone(), trace);
    assert_eq!(surface.rows.len(), N_SETS * WAYS);
    let mut rows = surface.rows.iter();
    for sets in (0..N_SETS).map(|k| 1 << k) {
        let options = CurveOptions { chosen: chosen.clone(), sets: Some(sets) };
        let mut curve = CurveBuilder::new(options).unwrap();
        curve.push_trace(trace);
        let curve = curve.finish();
        assert_eq!(
            (surface.accesses, surface.translations, surface.cold),
            (curve.accesses, curve.translations, curve.cold)
        );
        let mut misses = curve.misses.iter().map(|(_, misses)| *misses);
        for (ways, row) in (1..).zip(rows.by_ref().take(WAYS)) {
            let expected = misses.next().unwrap_or(curve.cold);
            assert_eq!((row.sets, row.ways, row.misses), (sets, ways, expected), "{chosen:?}");
        }
    }
}

fn choices() -> impl Iterator<Item = Chosen> {
    let kinds = [[true; 3], [true, false, false], [false, true, true]];
    let sizes = [PageSize::K4, PageSize::M2, PageSize(6)];
    kinds
        .into_iter()
        .flat_map(move |kinds| sizes.map(|pages| Chosen { pages, kinds, ..Chosen::default() }))
}

#[test]
fn a_surface_of_random_accesses_is_made_of_curves() {
    cases(400).check(|u| {
        let spread = u.int_in_range(1..=5000u32)?;
        let mut accesses = Vec::new();
        for _ in 0..u.int_in_range(0..=1500)? {
            let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store, Kind::Prefetch])?;
            let page = u64::from(u.int_in_range(0..=spread)?);
            let address = page << *u.choose(&[12, 12, 21])? | *u.choose(&[0, 4095])?;
            let pid = u32::from(u.ratio(1, 20)?);
            accesses.push(Access { pid, ..Access::new(kind, address, 8) });
        }
        let trace = crate::common::trace(&accesses);
        choices().for_each(|chosen| check(&chosen, &trace));
        Ok(())
    });
}

#[test]
fn a_surface_of_programs_is_made_of_curves() {
    let made_up = crate::common::trace(&program(60_000, 1, Habits::default()));
    choices().for_each(|chosen| check(&chosen, &made_up));
    for name in RECORDINGS {
        check(&Chosen::default(), &recorded(name));
        check(&Chosen { kinds: [false, true, true], ..Chosen::default() }, &recorded(name));
    }
}

/// Compares a surface with a warm-up with the curve of each number of sets with that warm-up.
#[test]
fn a_warm_up_fills_arrays_and_is_not_counted() {
    let accesses = program(20_000, 4, Habits::default());
    for warmup in [1, 7000, 20_000] {
        let mut builder = SurfaceBuilder::new(Chosen::default()).unwrap();
        let options = |k: usize| CurveOptions { sets: Some(1 << k), ..CurveOptions::default() };
        let mut curves: Vec<_> =
            (0..N_SETS).map(|k| CurveBuilder::new(options(k)).unwrap()).collect();
        for (at, access) in accesses.iter().enumerate() {
            builder.set_counting(at >= warmup);
            builder.push(access);
            for curve in &mut curves {
                curve.set_counting(at >= warmup);
                curve.push(access);
            }
        }
        let surface = builder.finish();
        for (rows, curve) in surface.rows.chunks(WAYS).zip(&curves) {
            let curve = curve.finish();
            let of = |surface: &Surface| (surface.accesses, surface.translations, surface.cold);
            assert_eq!(of(&surface), (curve.accesses, curve.translations, curve.cold));
            let misses = curve.misses.iter().map(|(_, misses)| *misses);
            let misses = misses.chain(std::iter::repeat(curve.cold));
            for (row, expected) in rows.iter().zip(misses) {
                assert_eq!(row.misses, expected, "{row:?}");
            }
        }
    }
}

#[test]
fn accesses_one_by_one_make_the_same_surface() {
    let accesses = program(20_000, 3, Habits::default());
    for chosen in choices() {
        let mut builder = SurfaceBuilder::new(chosen.clone()).unwrap();
        for access in &accesses {
            builder.push(access);
        }
        assert_eq!(builder.finish(), surface(chosen, &crate::common::trace(&accesses)));
    }
}

/// Five pages at distances of 64 KiB are in one of 16 sets. Four ways always miss, five miss only at first.
#[test]
fn a_stride_that_meets_one_set_misses_until_there_are_ways_for_it() {
    let accesses: Vec<Access> = (0..5000).map(|at| crate::common::page(at % 5 * 16)).collect();
    let surface = surface(Chosen::default(), &crate::common::trace(&accesses));
    let misses = |sets, ways| {
        surface.rows.iter().find(|row| (row.sets, row.ways) == (sets, ways)).unwrap().misses
    };
    assert_eq!([misses(16, 4), misses(16, 5), misses(32, 3), misses(128, 1)], [5000, 5, 5, 5]);
}
