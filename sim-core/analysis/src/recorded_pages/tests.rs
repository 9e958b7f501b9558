//! Which pages are chosen, and why.

use super::*;
use cases::cases;
use pagewalk_base::narrow::index;
use pagewalk_base::trace::{Access, Completeness, Kind, TraceBuilder};

/// Samples are `size:page number:times`.
#[track_caller]
fn check(samples: &str, regions: &[&str], n_other: u64) {
    let mut evidence = PageEvidence::default();
    for sample in samples.split_whitespace() {
        let [size, number, times] = sample.split(':').collect::<Vec<_>>()[..] else { panic!() };
        let shift = PageSize::parse(size).unwrap().0;
        for _ in 0..times.parse::<u64>().unwrap() {
            evidence.add(Some(number.parse::<u64>().unwrap() << shift | 1), Some(shift));
        }
    }
    let found = evidence.pages(PageSize::K4);
    let text = |region: &RegionConfig| {
        let RegionConfig { start, end, pages, .. } = region;
        format!("{start}-{end} {pages}")
    };
    assert_eq!(found.regions.iter().map(text).collect::<Vec<_>>(), regions);
    assert_eq!(found.n_other, n_other);
}

#[test]
fn each_measured_page_that_is_large_is_a_region_and_neighbours_are_one() {
    check("4K:7:3 2M:1:1 2M:2:1 2M:4:1", &["0x200000-0x600000 2M", "0x800000-0xa00000 2M"], 0);
    check("2M:600:1 1G:0:2", &["0x0-0x40000000 1G", "0x4b000000-0x4b200000 2M"], 0);
    check("", &[], 0);
}

#[test]
fn memory_of_several_sizes_has_the_one_of_most_samples() {
    check("2M:0:3 4K:5:2", &["0x0-0x200000 2M"], 2);
    check("2M:0:2 4K:5:1 4K:6:1", &[], 2);
    check("1G:0:1 2M:3:1 4K:5:1", &["0x600000-0x800000 2M"], 1);
}

/// Facts are `start-end size huge bytes`, in MiB; `used` are 4 KiB pages by number. The result has the regions, and
/// the number of assumed pages.
#[track_caller]
fn check_facts(facts: &str, samples: &str, used: &[u64], expected: &str) {
    let mut evidence = PageEvidence::default();
    for fact in facts.split(", ") {
        let [range, size, huge] = fact.split(' ').collect::<Vec<_>>()[..] else { panic!() };
        let (start, end) = range.split_once('-').unwrap();
        let mib = |text: &str| text.parse::<u64>().unwrap() << 20;
        let size = PageSize::parse(size).unwrap();
        let (start, end, huge_bytes) = (mib(start), mib(end), mib(huge));
        let huge = PageSize::M2;
        evidence.add_facts(&[PageFact { pid: 0, start, end, size, huge, huge_bytes }]);
    }
    for sample in samples.split_whitespace() {
        let (size, number) = sample.split_once(':').unwrap();
        let shift = PageSize::parse(size).unwrap().0;
        evidence.add(Some(number.parse::<u64>().unwrap() << shift), Some(shift));
    }
    let mut builder = TraceBuilder::default();
    for page in used {
        builder.push(&Access::new(Kind::Load, page << 12, 1)).unwrap();
    }
    evidence.add_used(builder.finish(Completeness::Complete).unwrap().pages());
    let found = evidence.pages(PageSize::K4);
    let text = |region: &RegionConfig| {
        format!("{}-{} {}, ", region.start.0 >> 20, region.end.0 >> 20, region.pages)
    };
    let regions = found.regions.iter().map(text).collect::<String>();
    assert_eq!(format!("{regions}{} assumed", found.n_assumed), expected);
}

#[test]
fn a_mapping_that_is_all_huge_has_huge_pages_in_its_middle() {
    check_facts("1-9 4K 6", "", &[], "2-8 2M, 0 assumed");
    check_facts("4-8 2M 0", "", &[], "4-8 2M, 0 assumed");
    check_facts("1-9 4K 0", "", &[512], "0 assumed");
}

#[test]
fn huge_pages_in_unknown_places_are_where_the_trace_is() {
    // The pages at 4 and 6 MiB are used, the latter more. One huge page is there.
    check_facts("0-16 4K 2", "", &[1024, 1536, 1537], "6-8 2M, 1 assumed");
    check_facts("0-16 4K 4", "", &[1024, 1536, 1537], "4-8 2M, 0 assumed");
    check_facts("0-16 4K 6", "", &[1024, 1536, 1537], "0-2 2M, 4-8 2M, 0 assumed");
}

#[test]
fn samples_say_more_than_the_facts_of_a_mapping() {
    check_facts("0-8 4K 8", "4K:512", &[], "0-2 2M, 4-8 2M, 0 assumed");
    check_facts("0-8 4K 2", "2M:2", &[], "0-2 2M, 4-6 2M, 0 assumed");
}

#[test]
fn the_last_page_of_the_address_space_is_no_region() {
    check("2M:8796093022207:1", &[], 1);
}

#[test]
fn a_mapping_of_many_huge_pages_is_one_region() {
    check_facts("0-1048576 2M 0", "", &[], "0-1048576 2M, 0 assumed");
    check_facts("0-1048576 4K 1048576", "4K:512", &[], "0-2 2M, 4-1048576 2M, 0 assumed");
    let facts = ["0-1048576 4K 524288"; 1000].join(", ");
    check_facts(&facts, "", &[1024], "0-524288 2M, 0 assumed");
}

/// The size of each of the first 4 KiB pages, as log2, where it is larger than 4 KiB.
type Units = Vec<Option<u8>>;
const N_UNITS: u64 = 64;

fn units(pages: &RecordedPages) -> Units {
    let mut units = vec![None; index(N_UNITS)];
    for RegionConfig { start, end, pages, .. } in &pages.regions {
        let PagePolicy::Fixed(size) = pages else { panic!("{pages:?}") };
        assert!(start.0 % size.bytes() == 0 && end.0 % size.bytes() == 0 && start.0 < end.0);
        for at in start.0 >> 12..end.0 >> 12 {
            assert_eq!(units[index(at)].replace(size.0), None, "regions overlap");
        }
    }
    units
}

/// Adds the pages of a fact one by one, as the documentation says. Returns the number of assumed pages.
fn add_fact(
    units: &mut Units,
    fact: &PageFact,
    samples: &[(u8, u64)],
    used: &BTreeSet<u64>,
) -> u64 {
    let is_large = fact.size > PageSize::K4;
    let size = if is_large { fact.size } else { fact.huge };
    let n = if is_large { u64::MAX } else { fact.huge_bytes >> size.shift() };
    let per_page = size.bytes() >> 12;
    let mut free = Vec::new();
    for page in 0..N_UNITS / per_page {
        let inside = page * per_page..(page + 1) * per_page;
        let is_free = page << size.shift() >= fact.start
            && (page + 1) << size.shift() <= fact.end
            && inside.clone().all(|at| units[index(at)].is_none())
            && !samples.iter().any(|(own, at)| *own < size.0 && inside.contains(at));
        if is_free {
            free.push((Reverse(used.iter().filter(|at| inside.contains(at)).count()), page));
        }
    }
    free.sort_unstable();
    let n_used = free.iter().filter(|(Reverse(n), _)| *n > 0).count() as u64;
    for (_, page) in free.into_iter().take(usize::try_from(n).unwrap_or(usize::MAX)) {
        for at in page * per_page..(page + 1) * per_page {
            units[index(at)] = Some(size.0);
        }
    }
    if n < n_used { n } else { 0 }
}

#[test]
fn ranges_are_the_pages_that_are_chosen_one_by_one() {
    cases(2000).size_max(256).check(|random| {
        let mut evidence = PageEvidence::default();
        let (mut samples, mut facts) = (Vec::new(), Vec::new());
        for _ in 0..random.int_in_range(0..=8)? {
            let (shift, at) =
                (random.int_in_range(12..=15)?, random.int_in_range(0..=N_UNITS - 1)?);
            evidence.add(Some(at << 12), Some(shift));
            samples.push((shift, at));
        }
        let without_facts = evidence.clone();
        for _ in 0..random.int_in_range(0..=6)? {
            let start = random.int_in_range(0..=N_UNITS - 1)?;
            let end = random.int_in_range(start..=N_UNITS)?;
            let fact = PageFact {
                pid: 0,
                start: start << 12,
                end: end << 12,
                size: PageSize(*random.choose(&[12, 12, 13, 14])?),
                huge: PageSize(random.int_in_range(13..=16)?),
                huge_bytes: random.int_in_range(0..=N_UNITS)? << 12,
            };
            facts.push(fact);
        }
        evidence.add_facts(&facts);
        let mut builder = TraceBuilder::default();
        let mut used = BTreeSet::new();
        for _ in 0..random.int_in_range(0..=12)? {
            let page = random.int_in_range(0..=N_UNITS - 1)?;
            builder.push(&Access::new(Kind::Load, page << 12, 1)).unwrap();
            used.insert(page);
        }
        evidence.add_used(builder.finish(Completeness::Complete).unwrap().pages());
        let mut expected = units(&without_facts.pages(PageSize::K4));
        let mut n_assumed = 0;
        for (at, fact) in facts.iter().enumerate() {
            let is_used = !facts[..at].contains(fact);
            if is_used && (fact.size > PageSize::K4 || fact.huge_bytes > 0) {
                n_assumed += add_fact(&mut expected, fact, &samples, &used);
            }
        }
        let found = evidence.pages(PageSize::K4);
        assert_eq!((units(&found), found.n_assumed), (expected, n_assumed));
        Ok(())
    });
}

#[test]
fn a_mapping_that_asks_for_it_has_the_recorded_pages_around_its_own_regions() {
    let mut evidence = PageEvidence::default();
    for page in [1, 2] {
        evidence.add(Some(page << 21), Some(21));
    }
    let own = RegionConfig::new(2 << 20, 4 << 20, PagePolicy::Fixed(PageSize::K4));
    let mut os = OsConfig { regions: vec![own], ..OsConfig::of(PageSize::M2) };
    let before = os.clone();
    evidence.resolve(&mut os, PageSize::K4);
    assert_eq!(os, before, "it does not ask");
    os.map = MapSource::Recorded;
    let asking = os.clone();
    PageEvidence::default().resolve(&mut os, PageSize::K4);
    assert_eq!(os, asking, "nothing is known");
    evidence.resolve(&mut os, PageSize::K4);
    let text = |region: &RegionConfig| {
        format!("{}-{} {}", region.start.0 >> 20, region.end.0 >> 20, region.pages)
    };
    let regions: Vec<_> = os.regions.iter().map(text).collect();
    assert_eq!(regions, ["2-4 4K", "4-6 2M"]);
    assert_eq!((os.name(), os.map), ("4K".to_owned(), MapSource::Trace));
}
