//! Tests that a miss curve equals direct simulation at every size.

use cases::cases;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::Stats;
use pagewalk_analysis::curve::{Curve, CurveBuilder, CurveOptions};
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_base::addr::PageSize;
use pagewalk_base::narrow::low32;
use pagewalk_base::trace::{Access, Completeness, Kind};

use crate::common::program::Draws;

fn curve(options: CurveOptions, accesses: &[Access]) -> Curve {
    let mut builder = CurveBuilder::new(options).unwrap();
    for access in accesses {
        builder.push(access);
    }
    builder.finish()
}

/// Returns the walks of a machine with one array of these entries and ways.
fn misses(entries: u32, ways: u32, pages: &str, accesses: &[Access]) -> u64 {
    let config = format!(r#"{{"l1": [{{"entries": {entries}, "ways": {ways}}}]}}"#);
    let config: MachineConfig = parse_json(&config).unwrap();
    let os: OsConfig = parse_json(&format!(r#"{{"default": "{pages}"}}"#)).unwrap();
    let (mut machine, mut stats) = (Machine::new(&config, &os).unwrap(), Stats::default());
    for (index, access) in (0..).zip(accesses) {
        machine.access(index, access, &mut stats);
    }
    stats.report(&machine, Completeness::Complete).walks.walks
}

fn accesses(u: &mut cases::Unstructured<'_>) -> cases::Result<Vec<Access>> {
    let mut list = Vec::new();
    for _ in 0..u.int_in_range(0..=300)? {
        let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store, Kind::Prefetch])?;
        let page = u64::from(u.int_in_range(0..=40u32)?);
        let address = page << *u.choose(&[12, 21])? | u64::from(u.int_in_range(0..=4095u32)?);
        let pid = u32::from(u.ratio(1, 20)?);
        list.push(Access { pid, ..Access::new(kind, address, *u.choose(&[0, 8, 64])?) });
    }
    Ok(list)
}

#[test]
fn a_curve_is_the_misses_of_every_size() {
    for (pages, size) in [("4K", PageSize::K4), ("2M", PageSize::parse("2M").unwrap())] {
        for sets in [None, Some(1), Some(4)] {
            cases(550).check(|u| {
                let mut accesses = accesses(u)?;
                // A prefetch fills an array; a curve leaves prefetches out.
                accesses.retain(|access| access.kind != Kind::Prefetch);
                let options =
                    CurveOptions { chosen: Chosen { pages: size, ..Chosen::default() }, sets };
                let curve = curve(options, &accesses);
                for (ways, expected) in &curve.misses {
                    let entries = ways * sets.unwrap_or(1);
                    assert_eq!(misses(entries, *ways, pages, &accesses), *expected);
                }
                assert!(curve.misses.last().is_none_or(|(_, last)| *last == curve.cold));
                Ok(())
            });
        }
    }
}

/// Real arrays of level 2 have up to 2,048 entries.
#[test]
fn a_curve_is_the_misses_of_large_arrays_too() {
    cases(4).check(|u| {
        let mut draws = Draws::new(u.arbitrary()?);
        let spread = 2500 + draws.below(1000);
        let accesses: Vec<Access> =
            (0..12_000).map(|_| crate::common::page(draws.below(spread))).collect();
        for sets in [1, 128] {
            let options = CurveOptions { sets: Some(sets), ..CurveOptions::default() };
            let curve = curve(options, &accesses);
            for entries in [512, 640, 1536, 2048, 128 * (1 + low32(draws.below(16)))] {
                let ways = entries / sets;
                let (size, expected) = curve.misses[ways as usize - 1];
                assert_eq!(size, ways);
                assert_eq!(misses(entries, ways, "4K", &accesses), expected, "{entries} in {sets}");
            }
        }
        Ok(())
    });
}

/// The misses after a warm-up equal the misses of all accesses minus those of the warm-up, at every size.
#[test]
fn a_warm_up_fills_arrays_and_is_not_counted() {
    for sets in [None, Some(4)] {
        cases(250).check(|u| {
            let mut accesses = accesses(u)?;
            accesses.retain(|access| access.kind != Kind::Prefetch);
            let warmup = u.int_in_range(0..=accesses.len())?;
            let mut builder =
                CurveBuilder::new(CurveOptions { sets, ..CurveOptions::default() }).unwrap();
            for (at, access) in accesses.iter().enumerate() {
                builder.set_counting(at >= warmup);
                builder.push(access);
            }
            let curve = builder.finish();
            assert_eq!(curve.accesses, (accesses.len() - warmup) as u64);
            for (ways, expected) in &curve.misses {
                let of = |part| misses(ways * sets.unwrap_or(1), *ways, "4K", part);
                assert_eq!(of(&accesses) - of(&accesses[..warmup]), *expected);
            }
            assert!(curve.misses.last().is_none_or(|(_, last)| *last == curve.cold));
            Ok(())
        });
    }
}

#[test]
fn kinds_are_filtered_before_distances_are_taken() {
    cases(1900).check(|u| {
        let accesses = accesses(u)?;
        for kinds in [[true, false, false], [false, true, true], [false, true, false]] {
            let options =
                CurveOptions { chosen: Chosen { kinds, ..Chosen::default() }, sets: None };
            let kept: Vec<Access> = accesses
                .iter()
                .filter(|access| access.kind != Kind::Prefetch && kinds[access.kind.index()])
                .copied()
                .collect();
            assert_eq!(curve(options, &accesses), curve(CurveOptions::default(), &kept));
        }
        Ok(())
    });
}

#[test]
fn first_uses_alone_make_one_point() {
    let once = curve(CurveOptions::default(), &[Access::new(Kind::Load, 0xffc, 8)]);
    assert_eq!((once.accesses, once.translations, once.cold), (1, 2, 2));
    assert_eq!(once.misses, [(1, 2)]);
    assert_eq!(curve(CurveOptions::default(), &[]).misses, []);
}
