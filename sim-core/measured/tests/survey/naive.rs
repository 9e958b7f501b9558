//! Compares every table with one that is computed from a list of samples.

use cases::cases;
use std::collections::{BTreeMap, BTreeSet};

use pagewalk_base::samples::{Mode, Name, Sample, SamplesBuilder, TlbLevel};
use pagewalk_base::trace::{Kind, Mapping};
use pagewalk_measured::survey::{Backing, SurveyOptions, SurveyReport, SurveySide, SurveyTable};

use super::support::{loads, samples, survey};

const BASE: u64 = 0x5555_0000_0000;

/// The fields of one sample.
#[derive(Clone, Copy, Debug)]
struct One {
    pid: u32,
    /// The page; by the memory map it is in the heap, in a file, or unmapped.
    page: u64,
    level: TlbLevel,
    symbol: &'static str,
    period: u64,
    size: u64,
}

fn list(u: &mut cases::Unstructured<'_>) -> cases::Result<Vec<One>> {
    let weighted: bool = u.arbitrary()?;
    (0..u.int_in_range(1..=80)?)
        .map(|_| {
            Ok(One {
                pid: u.int_in_range(1..=2)?,
                page: u.int_in_range(0..=3)? * 400 + u.int_in_range(0..=5)?,
                level: *u.choose(&TlbLevel::ALL)?,
                symbol: u.choose(&["main", "f", "g", ""])?,
                period: if weighted { u.int_in_range(1..=9)? } else { 0 },
                size: *u.choose(&[0, 4096, 2 << 20])?,
            })
        })
        .collect()
}

fn report(list: &[One]) -> SurveyReport {
    let mut builder = SamplesBuilder::default();
    for pid in [1, 2] {
        let heap = BASE..BASE + (500 << 12);
        builder.map(&Mapping::new(pid, heap, 0, false, "[heap]").unwrap());
        let file = BASE + (500 << 12)..BASE + (1000 << 12);
        builder.map(&Mapping::new(pid, file, 0, false, "/data").unwrap());
    }
    for one in list {
        let sample = Sample {
            pid: one.pid,
            address: Some(BASE + (one.page << 12) + 8),
            kind: Some(Kind::Load),
            level: one.level,
            period: one.period,
            data_page: one.size,
            mode: Mode::User,
            code: Name { symbol: one.symbol.as_bytes(), file: b"" },
            ..Sample::default()
        };
        builder.push(&sample).unwrap();
    }
    survey(&builder.finish().unwrap(), &loads(), SurveyOptions::default())
}

/// Returns the weight and the walks of each group of samples with equal `key`.
fn groups(list: &[One], key: impl Fn(&One) -> String) -> BTreeMap<String, (u64, u64)> {
    let weighted = list.iter().all(|one| one.period > 0);
    let mut groups: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for one in list {
        let weight = if weighted { one.period } else { 1 };
        let group = groups.entry(key(one)).or_default();
        group.0 += weight;
        group.1 += if one.level == TlbLevel::Walk { weight } else { 0 };
    }
    groups
}

fn rows(table: &SurveyTable) -> BTreeMap<String, (u64, u64)> {
    let weights: Vec<u64> = table.rows.iter().map(|row| row.counts.weight).collect();
    assert!(weights.is_sorted_by(|a, b| a >= b));
    let row = |row: &pagewalk_measured::survey::SurveyRow| {
        let name = row.region.as_ref().map_or(row.name.clone(), |region| region.name.clone());
        (name, (row.counts.weight, row.counts.levels.walk))
    };
    table.rows.iter().map(row).collect()
}

fn region(one: &One) -> String {
    match one.page {
        0..500 => "[heap]",
        500..1000 => "/data",
        _ => "data",
    }
    .to_owned()
}

fn ratio(part: u64, whole: u64) -> f64 {
    let float = |n: u64| f64::from(u32::try_from(n).unwrap());
    float(part) / float(whole)
}

fn check_tables(list: &[One], side: &SurveySide) {
    assert_eq!(rows(&side.regions), groups(list, region), "{list:?}");
    if list.iter().any(|one| !one.symbol.is_empty()) {
        assert_eq!(rows(&side.symbols), groups(list, |one| one.symbol.to_owned()));
    }
    assert_eq!(rows(&side.processes), groups(list, |one| one.pid.to_string()));
    if list.iter().any(|one| one.size > 0) {
        let name = |one: &One| match one.size {
            0 => String::new(),
            4096 => "4K".to_owned(),
            _ => "2M".to_owned(),
        };
        assert_eq!(rows(&side.page_sizes), groups(list, name));
    }
}

fn check_footprint(list: &[One], side: &SurveySide) {
    let pages: BTreeSet<(u32, u64)> = list.iter().map(|one| (one.pid, one.page)).collect();
    let ranges: BTreeSet<(u32, u64)> =
        list.iter().map(|one| (one.pid, ((BASE >> 12) + one.page) >> 9)).collect();
    assert_eq!((side.pages_4k, side.pages_2m), (pages.len() as u64, ranges.len() as u64));
    assert_eq!(side.bins.pages.last(), Some(&side.pages_4k));
    assert_eq!(side.bins.samples.iter().sum::<u64>(), list.len() as u64);
    let by_page = groups(list, |one| format!("{} {}", one.pid, one.page));
    let count = |key: &String| {
        list.iter().filter(|one| format!("{} {}", one.pid, one.page) == **key).count()
    };
    let all: u64 = by_page.values().map(|(weight, _)| weight).sum();
    let once = by_page.iter().filter(|(key, _)| count(key) == 1).map(|(_, (weight, _))| weight);
    let once = ratio(once.sum(), all);
    assert!((side.once - once).abs() < 1e-5);
    // The most popular pages come first.
    let mut weights: Vec<u64> = by_page.values().map(|(weight, _)| *weight).collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    let popularity = &side.popularity[0];
    for (n, share) in &popularity.points {
        let first: u64 = weights.iter().take(usize::try_from(*n).unwrap()).sum();
        assert!((share - ratio(first, all)).abs() < 1e-5);
    }
    assert_eq!(popularity.points.last().unwrap().0, popularity.total);
    for (part, covered) in [(50, 0), (90, 1), (99, 2)] {
        let n = (1..=weights.len()).find(|n| {
            let first: u64 = weights.iter().take(*n).sum();
            100 * first >= part * all
        });
        assert_eq!(popularity.cover[covered], n.unwrap() as u64, "{part} % of {weights:?}");
    }
    for page in &side.pages {
        let at = (page.start.0 - BASE) >> 12;
        assert_eq!(page.weight, by_page[&format!("{} {at}", page.pid)].0);
    }
    assert_eq!(side.pages.len(), by_page.len());
}

fn check_ranges(list: &[One], side: &SurveySide) {
    let ranges = &side.ranges;
    assert_eq!(ranges.rows.len() as u64, ranges.total);
    for row in &ranges.rows {
        let is_in = |one: &&One| {
            one.pid == row.pid && (BASE + (one.page << 12)) & !0x1f_ffff == row.start.0
        };
        let inside: Vec<&One> = list.iter().filter(is_in).collect();
        let touched: BTreeSet<u64> =
            inside.iter().map(|one| ((BASE >> 12) + one.page) % 512).collect();
        let strip: String = (0..128)
            .map(|digit| {
                let bit = |at: u64| u32::from(touched.contains(&(4 * digit + at)));
                let value = 8 * bit(0) + 4 * bit(1) + 2 * bit(2) + bit(3);
                char::from_digit(value, 16).unwrap()
            })
            .collect();
        assert_eq!((row.touched as usize, &row.strip), (touched.len(), &strip));
        let [sized, huge] =
            [4096, 2 << 20].map(|least| inside.iter().filter(|one| one.size >= least).count());
        let backing = match (sized, huge) {
            (0, _) => Backing::Unknown,
            (_, 0) => Backing::Small,
            (a, b) if a == b => Backing::Huge,
            _ => Backing::Mixed,
        };
        assert_eq!(row.backing, backing);
        let walked = |one: &&&One| matches!(one.level, TlbLevel::Walk | TlbLevel::Fault);
        let known = inside.iter().filter(|one| one.level != TlbLevel::Unknown).count();
        let walks = inside.iter().filter(walked).count();
        let share = (known > 0).then(|| ratio(walks as u64, known as u64));
        assert!((row.walked.unwrap_or(-1.0) - share.unwrap_or(-1.0)).abs() < 1e-5);
        // The heap ends inside a range, after 500 of its 512 pages.
        let end = (row.start.0 - BASE) / (2 << 20);
        assert_eq!(
            row.mapped,
            [Some(false), Some(false), None, None][usize::try_from(end).unwrap()]
        );
    }
    let order: Vec<(bool, u64)> =
        ranges.rows.iter().map(|row| (row.backing == Backing::Huge, row.gain)).collect();
    assert!(order.is_sorted_by(|a, b| (a.0, b.1) <= (b.0, a.1)));
}

#[test]
fn tables_are_those_that_a_list_gives() {
    cases(170).check(|u| {
        let list = list(u)?;
        let side = report(&list).data.unwrap();
        assert_eq!(side.total.samples, list.len() as u64);
        check_tables(&list, &side);
        check_footprint(&list, &side);
        check_ranges(&list, &side);
        Ok(())
    });
}

#[test]
fn a_page_of_the_kernel_is_one_page_whichever_processes_are_on_it() {
    let mut builder = SamplesBuilder::default();
    for (pid, mode) in [(1, Mode::Kernel), (2, Mode::User), (1 << 31 | 1, Mode::Guest)] {
        let address = Some(0xffff_8880_0000_1000);
        builder.push(&Sample { pid, mode, address, ..Sample::default() }).unwrap();
    }
    let report = survey(&builder.finish().unwrap(), &loads(), SurveyOptions::default());
    let side = report.data.unwrap();
    let pids: Vec<u32> = side.pages.iter().map(|page| page.pid).collect();
    assert_eq!(pids, [0, 1 << 31 | 1]);
    assert_eq!((side.pages_4k, side.pages_2m, side.popularity[0].total), (2, 2, 2));
    assert_eq!(side.bins.pages.last(), Some(&2));
    let processes: Vec<&str> = side.processes.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(processes, ["1", "2", "1 (guest)"]);
}

/// Each sample is on a page of a 2M range, and has a frame. A huge page has its frames in the order of its pages,
/// the first at a multiple of 512.
#[test]
fn frames_show_what_backs_a_range() {
    for (frames, backing) in [
        (&[(3, 0)][..], Backing::Unknown),
        (&[(3, 515)], Backing::Unknown),
        (&[(3, 515), (9, 521)], Backing::InOneFrame),
        (&[(3, 515), (9, 1033)], Backing::Scattered),
        (&[(3, 516), (9, 522)], Backing::Scattered),
        (&[(3, 700)], Backing::Scattered),
    ] {
        let sample = |(page, frame): &(u64, u64)| Sample {
            address: Some((1 << 21) + (page << 12)),
            physical: frame << 12,
            ..Sample::default()
        };
        let samples = samples(frames.iter().map(sample));
        let side = survey(&samples, &loads(), SurveyOptions::default()).data.unwrap();
        assert_eq!(side.ranges.rows[0].backing, backing, "{frames:?}");
    }
}

#[test]
fn bins_divide_the_time_from_the_first_sample_to_the_last() {
    let sample = |time| Sample { time: Some(time), address: Some(1 << 12), ..Sample::default() };
    for (times, bins) in [
        (&[500, 500][..], &[(0, 2)][..]),
        (&[500, 501], &[(0, 1), (50, 1)]),
        (&[500, 599], &[(0, 1), (99, 1)]),
        (&[500, 750, 1500], &[(0, 1), (24, 1), (99, 1)]),
    ] {
        let samples = samples(times.iter().map(|time| sample(*time)));
        let side = survey(&samples, &loads(), SurveyOptions::default()).data.unwrap();
        assert!(side.bins.by_time);
        let filled = side.bins.samples.iter().copied().enumerate().filter(|(_, n)| *n > 0);
        assert_eq!(filled.collect::<Vec<_>>(), bins, "{times:?}");
    }
}
