//! Lines against lists in order of use, and the borders of their tags.

use super::{Lines, Shards};
use crate::caches::set_assoc::Geometry;
use cases::cases;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Compares with one list per set in order of use. The sizes cover all layouts. The test also checks that clones
/// do not change each other.
#[test]
fn lines_are_held_as_by_lists_in_order_of_use() {
    for (n_parts, n_sets, n_ways) in [
        (1, 1, 1),
        (1, 4, 8),
        (1, 2, 8),
        (1, 2, 9),
        (1, 2, 16),
        (1, 2, 17),
        (1, 1 << 10, 8),
        (1, 1 << 12, 8),
        (1, 1 << 15, 11),
        (1, 1 << 15, 16),
        (1, 3, 2),
        (1, 12, 20),
        (1, 40_960, 12),
        (2, 4, 8),
        (4, 1 << 10, 16),
        (64, 3, 2),
    ] {
        cases(800).check(|u| {
            let mut lines = Lines::new(Geometry { n_sets, n_ways }, n_parts);
            let before = lines.clone();
            let mut at_once = lines.clone();
            let (mut all, mut missed) = (Vec::new(), Vec::new());
            // A few sets, anywhere in the cache, so that several lines share one.
            let mut sets = Vec::new();
            for _ in 0..4 {
                sets.push(u.int_in_range(0..=u64::from(n_sets) - 1)?);
            }
            let mut twin: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
            for _ in 0..u.int_in_range(0..=200)? {
                let set = *u.choose(&sets)?;
                let tag = u.int_in_range(0..=40u64)? << u.choose_index(31)?;
                let list = twin.entry(set).or_default();
                let held = list.iter().position(|other| *other == tag);
                held.map(|at| list.remove(at));
                list.push(tag);
                if list.len() > n_ways as usize {
                    list.remove(0);
                }
                let part = u.int_in_range(0..=n_parts - 1)?;
                let line = (tag * u64::from(n_sets) + set) * n_parts + part;
                assert_eq!(lines.read(line), held.is_some());
                all.push(line);
                missed.extend(held.is_none().then_some(line));
            }
            let any = all.iter().fold(0, |any, line| any | line);
            let n = at_once.keep_missing(&mut all, any);
            assert_eq!(all[..n], missed);
            assert_eq!(at_once, lines, "both ways widen the tags alike");
            let list_of_shards = before.bytes_apart_from(Some(&before));
            let own = lines.bytes_apart_from(Some(&before)) - list_of_shards;
            assert_eq!(own > 0, !all.is_empty(), "a shard that was written is no longer shared");
            assert_eq!(lines.bytes_apart_from(Some(&lines)), list_of_shards);
            Ok(())
        });
    }
}

/// Returns a line of set 0 whose tag has all bits set, as that of an empty place: with folded lines of 16 bits, and with
/// 32 bits.
fn lines_like_empty_places(set_bits: u32) -> [u64; 2] {
    let folded = 1 << 30 | 0x1ff_ffff;
    [folded >> set_bits << set_bits, 0xffff_ffff << set_bits]
}

/// An empty place has a tag of its own, so a line with that tag needs wider tags.
#[test]
fn a_line_with_the_tag_of_an_empty_place_is_not_there_before_it_is_read() {
    for (n_sets, n_ways) in [(1 << 10, 8), (1 << 10, 16), (4, 8), (4, 16)] {
        for line in lines_like_empty_places(u32::trailing_zeros(n_sets)) {
            let mut lines = Lines::new(Geometry { n_sets, n_ways }, 1);
            let mut at_once = lines.clone();
            assert_eq!([0, line, line, 0].map(|line| lines.read(line)), [false, false, true, true]);
            assert_eq!(at_once.keep_missing(&mut [0, line, line, 0], line), 2);
            assert_eq!(at_once, lines);
        }
    }
}

/// Wider tags of a large cache need no memory for sets that nothing has used.
#[test]
fn unused_shards_stay_shared_when_tags_become_wider() {
    let n_distinct = |lines: &Lines| {
        fn count<T>(shards: &[Rc<[T]>]) -> usize {
            let mut at: Vec<*const T> = shards.iter().map(|shard| shard.as_ptr()).collect();
            at.sort_unstable();
            at.dedup();
            at.len()
        }
        match &lines.shards {
            Shards::Short(shards) => count(shards),
            Shards::Sixteen(shards) => count(shards),
            Shards::Wide(shards) => count(shards),
            _ => 0,
        }
    };
    let mut lines = Lines::new(Geometry { n_sets: 1 << 20, n_ways: 16 }, 1);
    assert_eq!(n_distinct(&lines), 1);
    // The first line is in another shard than the lines that need wider tags.
    for line in [1 << 10, 1 << 45, 1 << 57] {
        lines.read(line);
    }
    assert_eq!(n_distinct(&lines), 3);
}
