//! Compares causes of misses and working sets with naive computations from their definitions.

use cases::cases;
use std::collections::BTreeSet;

use pagewalk::os::{PagePolicy, RegionConfig};
use pagewalk_analysis::curve::{Curve, CurveBuilder, CurveOptions};
use pagewalk_analysis::optimum::{MissSplit, SplitBuilder, SplitOptions};
use pagewalk_analysis::page_uses::{Chosen, SizedRanges};
use pagewalk_analysis::working_set::{Interval, Phase, THRESHOLD, WorkingSet, WorkingSetBuilder};
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind, Trace};

use crate::common::program::{Draws, Habits, program};
use crate::common::recorded::{RECORDINGS, recorded};

const DATA: [bool; 3] = [false, true, true];

fn random(u: &mut cases::Unstructured<'_>) -> cases::Result<Trace> {
    let spread = u.int_in_range(1..=60u32)?;
    let mut accesses = Vec::new();
    for _ in 0..u.int_in_range(0..=400)? {
        let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store, Kind::Prefetch])?;
        let page = u64::from(u.int_in_range(0..=spread)?);
        let pid = u32::from(u.ratio(1, 20)?);
        // Sometimes there are many accesses to one page.
        let n = if u.ratio(1, 10)? { 30 } else { 1 };
        let address = page << *u.choose(&[12, 12, 21])? | *u.choose(&[0, 4095])?;
        accesses.extend((0..n).map(|_| Access { pid, ..Access::new(kind, address, 8) }));
    }
    Ok(crate::common::trace(&accesses))
}

fn curve(chosen: Chosen, sets: u32, trace: &Trace) -> Curve {
    let mut builder = CurveBuilder::new(CurveOptions { chosen, sets: Some(sets) }).unwrap();
    builder.push_trace(trace);
    builder.finish()
}

fn at(curve: &Curve, size: u32) -> u64 {
    let found = curve.misses.iter().find(|(at, _)| *at == size);
    found.map_or(curve.cold, |(_, misses)| *misses)
}

/// Compares a split with miss curves.
#[track_caller]
fn check_split(chosen: Chosen, entries: u32, ways: u32, trace: &Trace) -> MissSplit {
    let options = SplitOptions { chosen: chosen.clone(), entries, ways: Some(ways) };
    let mut builder = SplitBuilder::new(options).unwrap();
    builder.push_trace(trace).unwrap();
    let split = builder.finish();
    let (one, many) = (curve(chosen.clone(), 1, trace), curve(chosen, entries / ways, trace));
    assert_eq!((split.accesses, split.translations), (one.accesses, one.translations));
    assert_eq!((split.compulsory, split.misses), (one.cold, at(&many, ways)));
    assert_eq!(split.capacity, at(&one, entries) - one.cold);
    let causes = (split.compulsory + split.capacity).cast_signed() + split.conflict;
    assert_eq!(causes, split.misses.cast_signed());
    assert!(split.optimum <= at(&one, entries) && split.optimum <= split.misses);
    assert!(split.optimum >= split.compulsory);
    split
}

#[test]
fn causes_of_misses_are_differences_of_curves() {
    cases(700).check(|u| {
        let trace = random(u)?;
        for kinds in [[true; 3], DATA] {
            let chosen = Chosen { kinds, ..Chosen::default() };
            for (entries, ways) in [(1, 1), (8, 8), (8, 2), (12, 3), (32, 1)] {
                check_split(chosen.clone(), entries, ways, &trace);
            }
        }
        Ok(())
    });
    for name in RECORDINGS {
        check_split(Chosen::default(), 64, 4, &recorded(name));
    }
}

/// Real arrays of level 2 have up to 2,048 entries and 16 ways.
#[test]
fn causes_of_misses_of_large_arrays_are_differences_of_curves() {
    cases(6).check(|u| {
        let mut draws = Draws::new(u.arbitrary()?);
        let spread = 1500 + draws.below(2000);
        let accesses: Vec<Access> =
            (0..12_000).map(|_| crate::common::page(draws.below(spread))).collect();
        let trace = crate::common::trace(&accesses);
        for (entries, ways) in [(640, 640), (1024, 8), (1536, 12), (2048, 16), (2048, 2048)] {
            check_split(Chosen::default(), entries, ways, &trace);
        }
        Ok(())
    });
}

/// Five pages at distances of 64 KiB in 16 sets of 4 ways have only conflict misses. A cycle of 9 pages in 8
/// entries has only capacity misses; the optimum has an eighth of them.
#[test]
fn conflicts_and_capacity_are_distinguished() {
    let stride: Vec<Access> = (0..5000).map(|at| crate::common::page(at % 5 * 16)).collect();
    let split = check_split(Chosen::default(), 64, 4, &crate::common::trace(&stride));
    assert_eq!((split.compulsory, split.capacity, split.conflict, split.optimum), (5, 0, 4995, 5));
    assert_eq!((split.reach_bytes, split.footprint_bytes), (64 << 12, 5 << 12));
    let ring: Vec<Access> = (0..9000).map(|at| crate::common::page(at % 9)).collect();
    let split = check_split(Chosen::default(), 8, 8, &crate::common::trace(&ring));
    assert_eq!((split.compulsory, split.capacity, split.conflict), (9, 8991, 0));
    assert!(split.optimum.abs_diff(9000 / 8) <= 9, "{}", split.optimum);
    // The cycle does not fit into the array, but direct-mapped sets keep some of its pages.
    let split = check_split(Chosen::default(), 8, 1, &crate::common::trace(&ring));
    assert!(split.conflict < 0, "{}", split.conflict);
}

#[test]
fn arrays_that_cannot_be_are_errors_at_their_field() {
    for (entries, ways, said) in [
        (0, None, "entries: 0 entries: must be 1 to 67108864"),
        (10, Some(4), "ways: 4 ways: must divide the 10 entries"),
        (10, Some(0), "ways: 0 ways: must divide the 10 entries"),
        (1 << 22, Some(1), "ways: 1 ways make 4194304 sets: give more ways"),
    ] {
        let options = SplitOptions { chosen: Chosen::default(), entries, ways };
        assert_eq!(SplitBuilder::new(options).err().unwrap().to_string(), said);
    }
}

/// The naive twin: computes every window as a set of pages, and every interval.
fn naive(chosen: &Chosen, window: usize, trace: &Trace) -> Vec<(u64, u32, u32, u32, f64)> {
    let others = chosen.others.regions();
    let page = |address: u64| {
        let own = others.iter().find(|one| (one.start.0..one.end.0).contains(&address));
        let size = match own.map(|one| one.pages) {
            Some(PagePolicy::Fixed(size)) => size,
            _ => chosen.pages,
        };
        (size, address >> size.shift())
    };
    let pages = |access: &Access| {
        [access.address, access.last()].map(|address| (access.pid, page(address)))
    };
    let kept: Vec<_> =
        trace.accesses_from(0).filter(|a| chosen.has(a.kind)).map(|a| pages(&a)).collect();
    let distinct = |from: usize, to: usize| -> BTreeSet<_> {
        kept[from..to].iter().flatten().copied().collect()
    };
    let sizes: Vec<u32> = (1..=kept.len())
        .map(|end| u32::try_from(distinct(end.saturating_sub(window), end).len()).unwrap())
        .collect();
    let mut before = BTreeSet::new();
    let mut intervals = Vec::new();
    for (at, sizes) in sizes.chunks(window).enumerate() {
        let now = distinct(at * window, at * window + sizes.len());
        let either = f64::from(u32::try_from(now.union(&before).count()).unwrap());
        let both = f64::from(u32::try_from(now.intersection(&before).count()).unwrap());
        let change = if at == 0 { 0.0 } else { (either - both) / either };
        let sum = sizes.iter().map(|size| u64::from(*size)).sum();
        let (least, most) = (*sizes.iter().min().unwrap(), *sizes.iter().max().unwrap());
        intervals.push((sum, least, most, u32::try_from(now.len()).unwrap(), change));
        before = now;
    }
    intervals
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
#[track_caller]
fn check_working_set(chosen: &Chosen, window: u64, trace: &Trace) -> WorkingSet {
    let mut builder = WorkingSetBuilder::new(chosen.clone(), window).unwrap();
    builder.push_trace(trace).unwrap();
    let found = builder.finish();
    let mut one_by_one = WorkingSetBuilder::new(chosen.clone(), window).unwrap();
    trace.accesses_from(0).for_each(|access| one_by_one.push(&access).unwrap());
    assert_eq!(one_by_one.finish(), found);

    let expected = naive(chosen, usize::try_from(window).unwrap(), trace);
    assert_eq!(found.intervals.len(), expected.len());
    let mut n = 0;
    for (interval, (sum, least, most, pages, change)) in found.intervals.iter().zip(expected) {
        assert_eq!(interval.first, n);
        assert_eq!(interval.mean.to_bits(), (sum as f64 / interval.accesses as f64).to_bits());
        assert_eq!((interval.least, interval.most, interval.pages), (least, most, pages));
        assert_eq!(interval.change.to_bits(), change.to_bits());
        n += interval.accesses;
    }
    assert_eq!(found.accesses, n);
    check_phases(&found);
    assert_eq!(found.phases.iter().map(|phase| phase.accesses).sum::<u64>(), n);
    found
}

/// Whether the pages stay inside a phase, or change at each of its intervals while their number stays alike. A
/// phase of one interval is both. A shorter last interval belongs to any phase.
fn stays_and_moves(intervals: &[Interval], window: u64) -> (bool, bool) {
    let pairs = intervals.iter().zip(intervals.iter().skip(1));
    let pairs: Vec<_> = pairs.filter(|(_, next)| next.accesses == window).collect();
    let stays = pairs.iter().all(|(_, next)| next.change <= THRESHOLD);
    let moves = pairs.iter().all(|(last, next)| {
        let (few, many) = (last.pages.min(next.pages), last.pages.max(next.pages));
        next.change > THRESHOLD && many <= 2 * few
    });
    (stays, moves)
}

/// Checks that every phase is one, and that no two neighbours are one together.
fn check_phases(found: &WorkingSet) {
    let of = |from: &Phase, to: &Phase| -> Vec<Interval> {
        let range = from.first..to.first + to.accesses;
        found.intervals.iter().filter(|one| range.contains(&one.first)).copied().collect()
    };
    for phase in &found.phases {
        let (stays, moves) = stays_and_moves(&of(phase, phase), found.window);
        assert!(stays || moves, "{phase:?}");
    }
    for (phase, next) in found.phases.iter().zip(found.phases.iter().skip(1)) {
        let (stays, moves) = stays_and_moves(&of(phase, next), found.window);
        assert!(!stays && !moves, "{phase:?} {next:?}");
    }
}

/// Regions of random sizes around some accesses of a trace, one behind the other.
fn own_sizes(u: &mut cases::Unstructured<'_>, trace: &Trace) -> cases::Result<Vec<RegionConfig>> {
    let mut addresses: Vec<u64> = trace.accesses_from(0).map(|access| access.address).collect();
    addresses.sort_unstable();
    let mut regions = Vec::new();
    let mut free = 0;
    for address in addresses {
        let size = *u.choose(&[PageSize::K4, PageSize::M2, PageSize(16)])?;
        let start = address & !(size.bytes() - 1);
        if start >= free && u.ratio(1, 3)? {
            let end = start.saturating_add(size.bytes() * u.int_in_range(1..=3)?);
            regions.push(RegionConfig::new(start, end, PagePolicy::Fixed(size)));
            free = end;
        }
    }
    Ok(regions)
}

#[test]
fn working_sets_are_the_pages_of_windows() {
    cases(550).check(|u| {
        let trace = random(u)?;
        let window = u.int_in_range(1..=50)?;
        for kinds in [[true; 3], DATA] {
            for pages in [PageSize::K4, PageSize::M2] {
                check_working_set(&Chosen { pages, kinds, ..Chosen::default() }, window, &trace);
                let others = SizedRanges::new(&own_sizes(u, &trace)?);
                check_working_set(&Chosen { pages, others, kinds }, window, &trace);
            }
        }
        Ok(())
    });
    let trace = crate::common::trace(&program(6000, 9, Habits::default()));
    check_working_set(&Chosen::default(), 500, &trace);
    check_working_set(&Chosen { kinds: DATA, ..Chosen::default() }, 170, &trace);
}

/// A trace of ten pages for 1,000 accesses, then 20 other pages, then the first ten again.
#[test]
fn a_phase_begins_where_the_pages_change() {
    let pages = |first: u64, n: u64| (0..1000).map(move |at| crate::common::page(first + at % n));
    let accesses: Vec<Access> = pages(0, 10).chain(pages(100, 20)).chain(pages(0, 10)).collect();
    let found = check_working_set(&Chosen::default(), 100, &crate::common::trace(&accesses));
    let phases: Vec<_> =
        found.phases.iter().map(|phase| (phase.first, phase.accesses, phase.most)).collect();
    assert_eq!(phases, [(0, 1000, 10), (1000, 1000, 30), (2000, 1000, 30)]);
    assert_eq!(found.pages, 30);
}

/// The pages of a scan and of random accesses change at every interval, which is what makes each of them a phase.
#[test]
fn a_scan_random_accesses_and_a_loop_are_three_phases() {
    let scan = (0..5000).map(|at| at / 10);
    let random = (0..5000).map(|at| 10_000 + at * 7919 % 4999);
    let repeated = (0..5000).map(|at| 90_000 + at % 20);
    let pages = scan.chain(random).chain(repeated);
    let accesses: Vec<Access> = pages.map(crate::common::page).collect();
    let found = check_working_set(&Chosen::default(), 200, &crate::common::trace(&accesses));
    let phases: Vec<_> = found.phases.iter().map(|phase| (phase.first, phase.accesses)).collect();
    assert_eq!(phases, [(0, 5000), (5000, 5000), (10_000, 5000)]);
}

#[test]
fn windows_that_cannot_be_are_errors() {
    let error = WorkingSetBuilder::new(Chosen::default(), 0).err().unwrap();
    assert_eq!(error.to_string(), "window: 0 accesses: must be at least 1");
    let long = (1 << 20) + 2;
    let mut builder = WorkingSetBuilder::new(Chosen::default(), 1).unwrap();
    let error = (0..long).find_map(|_| builder.push(&crate::common::page(1)).err()).unwrap();
    assert!(error.to_string().starts_with("window: windows of 1 accesses"), "{error}");
}
