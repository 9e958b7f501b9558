//! Tests that a miss curve of level 2 equals direct simulation of both levels at every size.

use cases::cases;
use pagewalk::config::cpu;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::Stats;
use pagewalk_analysis::curve::CurveOptions;
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_analysis::second_level::{SecondLevelBuilder, SecondLevelCurve};
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Completeness, Kind};

use crate::common::program::{Habits, program};
use crate::common::recorded::recorded;

const SMALL: &str = r#"{"l1": [
    {"name": "i", "serves": ["fetch"], "entries": 2},
    {"name": "d", "serves": ["load", "store"], "pages": ["4K", "2M"], "entries": 8, "ways": 2, "replacement": "tree-plru"}]}"#;
const ODD: &str = r#"{"l1": [
    {"name": "load", "serves": ["load"], "entries": 4, "ways": 4, "replacement": "random"},
    {"name": "4K", "serves": ["fetch", "store"], "pages": ["4K"], "fragments": ["2M"], "entries": 6, "ways": 3, "replacement": "fifo"}],
    "l2": [{"entries": 5}], "inclusion": "exclusive", "psc": {"pde": {"entries": 4}}}"#;

fn second_level(
    config: &MachineConfig,
    options: CurveOptions,
    accesses: &[Access],
) -> SecondLevelCurve {
    let mut builder = SecondLevelBuilder::new(config, options).unwrap();
    for access in accesses {
        builder.push(access).unwrap();
    }
    builder.finish()
}

/// Returns the misses of level 1 and the walks, for a level 2 with these sets and ways.
fn direct(
    config: &MachineConfig,
    pages: PageSize,
    (sets, ways): (u32, u32),
    accesses: &[Access],
) -> (u64, u64) {
    let second = format!(r#"{{"l2": [{{"entries": {}, "ways": {ways}}}]}}"#, sets * ways);
    let second: MachineConfig = parse_json(&second).unwrap();
    let config = MachineConfig { l1: config.l1.clone(), ..second };
    let mut machine = Machine::new(&config, &OsConfig::of(pages)).unwrap();
    let mut stats = Stats::default();
    crate::common::run(&mut machine, accesses.iter().copied(), &mut stats);
    let report = stats.report(&machine, Completeness::Complete);
    let kinds = [&report.kinds.fetch, &report.kinds.load, &report.kinds.store];
    let misses = kinds.iter().map(|kind| kind.translations - kind.l1_hits).sum();
    (misses, report.walks.walks)
}

/// Removes Zen's coalescing of four pages, which curves do not support.
fn without_runs(config: &mut MachineConfig) {
    config.coalescing.clear();
    for array in &mut config.l1 {
        array.pages.iter_mut().for_each(|pages| pages.retain(|size| *size != PageSize(14)));
    }
}

/// Compares every size up to 12, and some larger ones.
#[track_caller]
fn check(config: &MachineConfig, pages: PageSize, sets: Option<u32>, accesses: &[Access]) {
    let options = CurveOptions { chosen: Chosen { pages, ..Chosen::default() }, sets };
    let curve = second_level(config, options, accesses);
    let last = curve.misses.len();
    let shown = |size: usize| size <= 12 || size.is_multiple_of(97) || size == last;
    for (ways, expected) in curve.misses.iter().filter(|(size, _)| shown(*size as usize)) {
        let found = direct(config, pages, (sets.unwrap_or(1), *ways), accesses);
        assert_eq!(found, (curve.l1_misses, *expected), "{pages:?}, {sets:?} sets, {ways}");
    }
    assert!(curve.misses.last().is_none_or(|(_, misses)| *misses == curve.cold));
}

#[test]
fn curves_of_random_accesses_are_direct_simulations() {
    for config in [SMALL, ODD] {
        let config: MachineConfig = parse_json(config).unwrap();
        cases(350).check(|u| {
            let mut accesses = Vec::new();
            for _ in 0..u.int_in_range(0..=300)? {
                let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store, Kind::Prefetch])?;
                let page = u64::from(u.int_in_range(0..=30u32)?);
                let address = page << *u.choose(&[12, 21])? | *u.choose(&[0, 4095])?;
                let pid = u32::from(u.ratio(1, 20)?);
                accesses.push(Access { pid, ..Access::new(kind, address, 8) });
            }
            check(&config, PageSize::K4, None, &accesses);
            check(&config, PageSize::M2, None, &accesses);
            check(&config, PageSize::K4, Some(4), &accesses);
            Ok(())
        });
    }
}

/// The counts after a warm-up equal the counts of all accesses minus those of the warm-up, at both levels.
#[test]
fn a_warm_up_fills_both_levels_and_is_not_counted() {
    let config: MachineConfig = parse_json(SMALL).unwrap();
    let accesses = program(3000, 8, Habits { prefetches: true, ..Habits::default() });
    for warmup in [0, 1, 1500, 3000] {
        let mut builder = SecondLevelBuilder::new(&config, CurveOptions::default()).unwrap();
        for (at, access) in accesses.iter().enumerate() {
            builder.set_counting(at >= warmup);
            builder.push(access).unwrap();
        }
        let curve = builder.finish();
        let counted = accesses[warmup..].iter().filter(|access| access.kind != Kind::Prefetch);
        let pages = |access: &Access| 1 + u64::from(access.last() >> 12 != access.address >> 12);
        assert_eq!(curve.accesses, counted.clone().count() as u64);
        assert_eq!(curve.translations, counted.map(pages).sum::<u64>());
        for (ways, expected) in &curve.misses {
            let of = |part| direct(&config, PageSize::K4, (1, *ways), part);
            let ((l1, walks), (warm_l1, warm_walks)) = (of(&accesses), of(&accesses[..warmup]));
            assert_eq!((l1 - warm_l1, walks - warm_walks), (curve.l1_misses, *expected));
        }
        assert!(curve.misses.last().is_none_or(|(_, misses)| *misses == curve.cold));
    }
}

#[test]
fn untranslated_accesses_of_a_warm_up_are_not_counted() {
    // The address is not canonical.
    let untranslated = Access::new(Kind::Load, 1 << 60, 8);
    for (warmup, expected) in [(0, 2), (1, 1), (3, 0)] {
        let config = parse_json(SMALL).unwrap();
        let mut builder = SecondLevelBuilder::new(&config, CurveOptions::default()).unwrap();
        for (at, access) in [untranslated, crate::common::page(1), untranslated].iter().enumerate()
        {
            builder.set_counting(at >= warmup);
            builder.push(access).unwrap();
        }
        assert_eq!(builder.finish().refused, expected);
    }
}

#[test]
fn curves_of_programs_on_real_processors_are_direct_simulations() {
    let habits = Habits { prefetches: true, ..Habits::default() };
    let made_up = program(30_000, 5, habits);
    let recorded: Vec<Access> = recorded("chase").accesses_from(0).take(60_000).collect();
    for id in ["intel-skylake", "amd-zen2"] {
        let mut config = cpu::model(id).unwrap().machine;
        let options = CurveOptions::default();
        let as_it_is = second_level(&config, options.clone(), &made_up);
        without_runs(&mut config);
        assert_eq!(as_it_is, second_level(&config, options, &made_up));
        for accesses in [&made_up, &recorded] {
            check(&config, PageSize::K4, None, accesses);
            check(&config, PageSize::K4, Some(128), accesses);
            check(&config, PageSize::M2, None, accesses);
        }
    }
}

#[test]
fn kinds_are_filtered_before_level_1() {
    let config: MachineConfig = parse_json(SMALL).unwrap();
    let accesses = program(20_000, 7, Habits::default());
    let chosen = Chosen { kinds: [false, true, false], ..Chosen::default() };
    let kept: Vec<Access> =
        accesses.iter().filter(|access| access.kind == Kind::Load).copied().collect();
    let of = |chosen, accesses: &[Access]| {
        second_level(&config, CurveOptions { chosen, sets: None }, accesses)
    };
    assert_eq!(of(chosen, &accesses), of(Chosen::default(), &kept));
}

#[test]
fn sizes_that_a_machine_does_not_have_are_errors() {
    let chosen = Chosen { pages: PageSize(14), ..Chosen::default() };
    let options = CurveOptions { chosen, sets: None };
    let error = SecondLevelBuilder::new(&MachineConfig::default(), options).err().unwrap();
    assert!(error.to_string().starts_with("os.default"), "{error}");
}
