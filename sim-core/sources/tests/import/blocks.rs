//! Regions of heap blocks, compared with a map of every byte.

use std::collections::BTreeMap;
use std::ops::Range;

use cases::cases;
use expect_test::{Expect, expect};
use pagewalk_sources::import::Blocks;

/// Takes lines such as `1 + 100-120` (call 1 allocates) and `- 100` (a block is freed). Prints what changes after each, then
/// the counts.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
fn check(text: &str, expected: Expect) {
    let hex = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let mut blocks = Blocks::default();
    let mut shown = String::new();
    for line in text.lines() {
        let changed = match line.split_once(" + ") {
            Some((call, range)) => {
                let (start, end) = range.split_once('-').unwrap();
                blocks.allocated(hex(call), hex(start)..hex(end))
            }
            None => blocks.freed(hex(line.strip_prefix("- ").unwrap())),
        };
        let changed = changed.map(|Range { start, end }| format!(": {start:x}-{end:x}"));
        shown += &format!("{line}{}\n", changed.unwrap_or_default());
    }
    let counts: Vec<String> =
        blocks.counts().map(|(call, n)| format!("{n} of {call:x}\n")).collect();
    expected.assert_eq(&(shown + &counts.concat()));
}

#[test]
fn blocks_of_a_call_are_a_region_until_they_are_freed() {
    check(
        "1 + 100-120\n1 + 130-150\n1 + 160-180\n2 + 180-190\n- 130\n- 130\n3 + 130-140\n- 100",
        expect![[r"
            1 + 100-120: 100-120
            1 + 130-150: 130-1a0
            1 + 160-180
            2 + 180-190: 180-190
            - 130: 130-150
            - 130
            3 + 130-140: 130-140
            - 100: 100-120
            3 of 1
            1 of 2
            1 of 3
        "]],
    );
}

#[test]
fn a_region_ends_at_the_next_block_of_another_call() {
    check(
        "2 + 200-280\n1 + 100-180\n1 + 190-1c0\n1 + 1d0-1f0",
        expect![[r"
        2 + 200-280: 200-280
        1 + 100-180: 100-180
        1 + 190-1c0: 190-200
        1 + 1d0-1f0
        3 of 1
        1 of 2
    "]],
    );
}

#[test]
fn memory_that_was_freed_unseen_belongs_to_the_next_block() {
    check(
        "1 + 100-180\n2 + 140-160\n- 100\n- 140\n1 + 100-180",
        expect![[r"
        1 + 100-180: 100-180
        2 + 140-160: 140-160
        - 100
        - 140: 140-160
        1 + 100-180: 100-200
        2 of 1
        1 of 2
    "]],
    );
}

const BYTES: u64 = 1 << 10;

/// The call of each byte, as the changes say, and the blocks.
struct Naive {
    names: Vec<Option<u64>>,
    live: BTreeMap<u64, (u64, u64)>,
    counts: BTreeMap<u64, u64>,
    freed: BTreeMap<u64, u32>,
}

impl Naive {
    fn name(&mut self, range: Option<Range<u64>>, name: Option<u64>) {
        for at in range.into_iter().flatten().filter(|at| *at < BYTES) {
            self.names[usize::try_from(at).unwrap()] = name;
        }
    }

    fn is_named(&self, range: Range<u64>, name: Option<u64>) -> bool {
        range.into_iter().all(|at| self.names[usize::try_from(at).unwrap()] == name)
    }
}

#[test]
fn every_block_has_the_name_of_its_call_and_freed_memory_has_none() {
    cases(400).check(|u| {
        let mut blocks = Blocks::default();
        let mut naive = Naive {
            names: vec![None; usize::try_from(BYTES).unwrap()],
            live: BTreeMap::new(),
            counts: BTreeMap::new(),
            freed: BTreeMap::new(),
        };
        for _ in 0..u.int_in_range(0..=300)? {
            let start = u.int_in_range(1..=BYTES / 8 - 9)? * 8;
            let block = start..start + u.int_in_range(1..=64)?;
            let found = naive.live.iter().rev().find(|(at, _)| **at <= start);
            let found = found.map(|(at, of)| (*at, *of));
            if let Some((at, (end, call))) = found.filter(|_| u.ratio(1, 2).unwrap_or(false)) {
                let hole = blocks.freed(at);
                naive.name(hole, None);
                naive.live.remove(&at);
                let n = naive.freed.entry(call).or_default();
                *n += 1;
                assert!(*n > 64 || naive.is_named(at..end, None), "{at:x}-{end:x}");
            } else {
                // Sometimes the last owner was freed unseen.
                let overlaps = |at: &u64, end: &u64| *at < block.end && *end > block.start;
                if naive.live.iter().any(|(at, (end, _))| overlaps(at, end)) && u.ratio(9, 10)? {
                    continue;
                }
                naive.live.retain(|at, (end, _)| !overlaps(at, end));
                let call = u.int_in_range(1..=3)?;
                let region = blocks.allocated(call, block.clone());
                naive.name(region, Some(call));
                naive.live.insert(block.start, (block.end, call));
                *naive.counts.entry(call).or_default() += 1;
            }
            for (at, (end, call)) in &naive.live {
                assert!(naive.is_named(*at..*end, Some(*call)), "{at:x}-{end:x} of {call}");
            }
        }
        let mut names = vec![None; usize::try_from(BYTES).unwrap()];
        for (part, call) in blocks.within(0..BYTES) {
            part.for_each(|at| names[usize::try_from(at).unwrap()] = Some(call));
        }
        assert_eq!(names, naive.names);
        assert_eq!(blocks.counts().collect::<BTreeMap<_, _>>(), naive.counts);
        assert_eq!(blocks.freed(BYTES * 2), None);
        Ok(())
    });
}

/// A program that allocates and frees without end makes few regions; its blocks are counted all the same.
#[test]
fn a_buffer_of_a_loop_and_a_long_list_make_few_regions() {
    const N: u64 = 200_000;
    let mut blocks = Blocks::default();
    let mut n = 0;
    for _ in 0..N {
        n += usize::from(blocks.allocated(1, 0x100..0x200).is_some());
        n += usize::from(blocks.freed(0x100).is_some());
    }
    assert!(n <= 130, "{n} changes for a buffer");
    let node = |at: u64| 0x10_0000 + at * 32..0x10_0000 + at * 32 + 24;
    n = (0..N).filter(|at| blocks.allocated(2, node(*at)).is_some()).count();
    assert!(n <= 30, "{n} regions for a list");
    n = (0..N).filter(|at| blocks.freed(node(*at).start).is_some()).count();
    assert!(n <= 90, "{n} holes for a list");
    let left: u64 =
        blocks.within(0x10_0000..node(N).start).map(|(part, _)| part.end - part.start).sum();
    assert!(left < 32 * N / 2, "{left} bytes keep their name");
    assert_eq!(blocks.counts().collect::<Vec<_>>(), [(1, N), (2, N)]);
}

/// The numbers of regions and holes have a limit. Beyond it, blocks are counted.
#[test]
fn blocks_beyond_the_limit_are_counted() {
    const N: u64 = 70_000;
    let mut blocks = Blocks::default();
    let changes = |n: u64, blocks: &mut Blocks| {
        let new = blocks.allocated(n, n * 0x1000..n * 0x1000 + 16).is_some();
        (new, blocks.freed(n * 0x1000).is_some())
    };
    let all: Vec<_> = (1..=N).map(|n| changes(n, &mut blocks)).collect();
    let expected = (0..N).map(|n| (n < 1 << 16, n < 1 << 16));
    assert!(all.into_iter().eq(expected));
    assert_eq!(blocks.counts().filter(|(_, n)| *n == 1).count() as u64, N);
}
