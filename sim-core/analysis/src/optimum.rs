//! The optimum: the fewest misses that any replacement policy can have in an array of a given size. Also splits
//! the misses of LRU by cause.
//!
//! The optimum evicts the page whose next use is farthest away (Belady 1966; MIN). It needs the future, so all
//! uses are kept. A first pass, from the last use to the first, finds the next use of each. A second pass keeps
//! the pages of the array in a heap by next use. Heap items for uses in the past sort below all future uses, so
//! they never become the victim.

use std::collections::BinaryHeap;

use serde::Serialize;

use crate::page_ids::PageIds;
use crate::page_uses::{Chosen, PageSink};
use crate::stack_distance::StackDistances;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::narrow::small;
use pagewalk_base::trace::{Access, Chunk, Trace};

/// The most entries of an array.
pub const MAX_ENTRIES: u32 = 1 << 26;
/// The most page uses that are kept. A use takes 4 bytes, and its next use 4 more.
const MAX_USES: usize = 1 << 27;
const NEVER: u32 = u32::MAX;

/// An array, and the uses that it serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitOptions {
    pub chosen: Chosen,
    pub entries: u32,
    /// `None` = fully associative. The sets are entries / ways, set = page number mod sets.
    pub ways: Option<u32>,
}

/// The misses of one array by cause (Hill 1987), with the optimum for comparison: `pagewalk curve --entries N
/// --json`. `misses` = `compulsory` + `capacity` + `conflict`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct MissSplit {
    pub accesses: u64,
    /// Accesses, and one more for each that straddles two pages.
    pub translations: u64,
    pub entries: u32,
    pub ways: u32,
    /// Misses of the array under LRU.
    pub misses: u64,
    /// First uses of a page: the misses of an infinite array.
    pub compulsory: u64,
    /// The other misses of a fully associative LRU array with the same number of entries.
    pub capacity: u64,
    /// The misses of the array minus those of the fully associative one. It is negative if the sets keep pages
    /// that the fully associative array evicts.
    pub conflict: i64,
    /// Misses of Belady's policy in a fully associative array with the same number of entries. No policy and no
    /// number of ways has fewer.
    pub optimum: u64,
    /// Bytes that the array can cover; 0 if the pages have several sizes.
    pub reach_bytes: u64,
    /// Bytes of all pages that are used; 0 if the pages have several sizes.
    pub footprint_bytes: u64,
}

/// Computes a split from accesses in order.
pub struct SplitBuilder {
    options: SplitOptions,
    n_ways: u32,
    counts: Counts,
    /// The second pass, after all uses are added.
    optimum: Option<Optimum>,
}

struct Counts {
    entries: u32,
    n_ways: u32,
    one_set: StackDistances,
    sets: StackDistances,
    ids: PageIds,
    /// The numbers of the used pages in order, without repeats.
    uses: Vec<u32>,
    accesses: u64,
    translations: u64,
    /// Misses of a fully associative array, and of the array of the options.
    misses: [u64; 2],
}

impl SplitBuilder {
    /// # Errors
    /// `bad-config` at `entries`, `ways` or `kinds`.
    pub fn new(options: SplitOptions) -> Result<Self> {
        options.chosen.check()?;
        let entries = options.entries;
        if !(1..=MAX_ENTRIES).contains(&entries) {
            let message = format!("{entries} entries: must be 1 to {MAX_ENTRIES}");
            return Err(Error::config("entries", message));
        }
        let n_ways = options.ways.unwrap_or(entries);
        if n_ways == 0 || !entries.is_multiple_of(n_ways) {
            let message = format!("{n_ways} ways: must divide the {entries} entries");
            return Err(Error::config("ways", message));
        }
        let n_sets = entries / n_ways;
        crate::curve::check_sets(Some(n_sets)).map_err(|_| {
            let message = format!("{n_ways} ways make {n_sets} sets: give more ways");
            Error::config("ways", message)
        })?;
        let counts = Counts {
            entries,
            n_ways,
            one_set: StackDistances::new(1),
            sets: StackDistances::new(n_sets),
            ids: PageIds::new(),
            uses: Vec::new(),
            accesses: 0,
            translations: 0,
            misses: [0; 2],
        };
        Ok(Self { options, n_ways, counts, optimum: None })
    }

    /// Adds an access, if it is of a chosen kind.
    ///
    /// # Errors
    /// `too-large` if there are more than [`MAX_USES`] uses.
    #[inline]
    pub fn push(&mut self, access: &Access) -> Result<()> {
        self.options.chosen.report(access, &mut self.counts);
        self.check()
    }

    /// Adds all accesses of a trace.
    ///
    /// # Errors
    /// The errors of [`Self::push`].
    pub fn push_trace(&mut self, trace: &Trace) -> Result<()> {
        self.options.chosen.report_trace(trace, &mut self.counts);
        self.check()
    }

    /// Adds the accesses of the next chunk of a trace.
    ///
    /// # Errors
    /// The errors of [`Self::push`].
    pub fn push_chunk(&mut self, chunk: &Chunk) -> Result<()> {
        self.options.chosen.report_chunk(chunk, &mut self.counts);
        self.check()
    }

    #[inline]
    fn check(&self) -> Result<()> {
        if self.counts.uses.len() > MAX_USES { Err(too_long()) } else { Ok(()) }
    }

    /// Continues the search for the optimum for at most `n` uses. Returns true when it is done. After the first
    /// call no accesses can be added.
    pub fn find_optimum(&mut self, n: usize) -> bool {
        let Self { counts, options, optimum, .. } = self;
        let uses = &counts.uses;
        optimum.get_or_insert_with(|| Optimum::new(uses, counts.ids.len())).go_on(
            uses,
            options.entries,
            n,
        )
    }

    pub fn finish(mut self) -> MissSplit {
        self.find_optimum(usize::MAX);
        let optimum = self.optimum.map_or(0, |optimum| optimum.misses);
        let Counts { ids, accesses, translations, misses, .. } = self.counts;
        let [associative, misses] = misses;
        let (compulsory, page) = (u64::from(ids.len()), self.options.chosen.page_bytes());
        MissSplit {
            accesses,
            translations,
            entries: self.options.entries,
            ways: self.n_ways,
            misses,
            compulsory,
            capacity: associative - compulsory,
            conflict: misses.cast_signed() - associative.cast_signed(),
            optimum,
            reach_bytes: page.saturating_mul(u64::from(self.options.entries)),
            footprint_bytes: page.saturating_mul(compulsory),
        }
    }
}

impl Counts {
    #[inline]
    fn touch(&mut self, space: u32, page: u64) {
        self.translations += 1;
        let id = self.ids.id(space, page);
        if self.uses.last() == Some(&id) {
            return;
        }
        // One use more than allowed is kept, so that `check` returns the error.
        if self.uses.len() <= MAX_USES {
            self.uses.push(id);
        }
        let misses = |distance: Option<u32>, most| distance.is_none_or(|distance| distance > most);
        let distances = [self.one_set.touch(space, page), self.sets.touch(space, page)];
        self.misses[0] += u64::from(misses(distances[0], self.entries));
        self.misses[1] += u64::from(misses(distances[1], self.n_ways));
    }
}

impl PageSink for Counts {
    #[inline]
    fn access(&mut self, space: u32, first: u64, last: u64) {
        self.accesses += 1;
        self.touch(space, first);
        if last != first {
            self.touch(space, last);
        }
    }

    fn repeats(&mut self, n: u64) {
        self.accesses += n;
        self.translations += n;
    }
}

/// The second pass over the uses, each the number of a page: counts the misses of Belady's policy.
struct Optimum {
    next: Vec<u32>,
    held: Vec<bool>,
    by_next: BinaryHeap<(u32, u32)>,
    n_held: u32,
    at: usize,
    misses: u64,
}

impl Optimum {
    /// Creates the second pass. The numbers of pages must be below `n_pages`.
    fn new(uses: &[u32], n_pages: u32) -> Self {
        let (next, held) = (next_uses(uses, n_pages), vec![false; n_pages as usize]);
        Self { next, held, by_next: BinaryHeap::new(), n_held: 0, at: 0, misses: 0 }
    }

    /// Processes `n` more uses in an array of `entries`. Returns true after the last.
    fn go_on(&mut self, uses: &[u32], entries: u32, n: usize) -> bool {
        let Self { next, held, by_next, n_held, .. } = self;
        let end = self.at.saturating_add(n).min(uses.len());
        for (at, page) in uses.iter().enumerate().take(end).skip(self.at) {
            let held_now = std::mem::replace(&mut held[*page as usize], true);
            if !held_now {
                self.misses += 1;
                if *n_held < entries {
                    *n_held += 1;
                } else if let Some((_, victim)) = by_next.pop() {
                    held[victim as usize] = false;
                }
            }
            by_next.push((next[at], *page));
            // Items for uses in the past are removed when they are half of the heap.
            if by_next.len() > 2 * *n_held as usize + 64 {
                by_next.retain(|(next, _): &(u32, u32)| *next as usize > at);
            }
        }
        self.at = end;
        end == uses.len()
    }
}

/// Returns for each use the index of the next use of its page, or [`NEVER`].
fn next_uses(uses: &[u32], n_pages: u32) -> Vec<u32> {
    let mut next = vec![NEVER; uses.len()];
    let mut seen = vec![NEVER; n_pages as usize];
    for (at, page) in uses.iter().enumerate().rev() {
        next[at] = std::mem::replace(&mut seen[*page as usize], small(at));
    }
    next
}

#[cold]
fn too_long() -> Error {
    let message = format!(
        "the optimum needs all uses of pages, and the trace has more than {MAX_USES}: end it with --limit"
    );
    Error::new(ErrorCode::TooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use pagewalk_base::narrow::low32;
    use pagewalk_base::random::xorshift;

    /// Returns the misses of the optimum, computed in slices of 7 uses.
    fn optimum(uses: &[u32], n_pages: u32, entries: u32) -> u64 {
        let mut optimum = Optimum::new(uses, n_pages);
        while !optimum.go_on(uses, entries, 7) {}
        optimum.misses
    }

    /// Applies the definition: compares the next uses of all held pages at every miss.
    fn naive(uses: &[u32], entries: usize) -> u64 {
        let mut held: Vec<(u32, usize)> = Vec::new();
        let mut misses = 0;
        for (at, page) in uses.iter().enumerate() {
            let next = uses[at + 1..].iter().position(|other| other == page);
            let next = next.map_or(usize::MAX, |distance| at + 1 + distance);
            if let Some(own) = held.iter_mut().find(|(other, _)| other == page) {
                own.1 = next;
                continue;
            }
            misses += 1;
            if held.len() == entries {
                let farthest = (0..held.len()).max_by_key(|way| held[*way].1).unwrap();
                held.swap_remove(farthest);
            }
            held.push((*page, next));
        }
        misses
    }

    /// Returns the fewest misses by trying every victim.
    fn fewest(uses: &[u32], held: &[u32], entries: usize) -> u64 {
        let Some((page, rest)) = uses.split_first() else { return 0 };
        if held.contains(page) {
            return fewest(rest, held, entries);
        }
        if held.len() < entries {
            return 1 + fewest(rest, &[held, &[*page]].concat(), entries);
        }
        let replaced = (0..held.len()).map(|way| {
            let mut after = held.to_vec();
            after[way] = *page;
            fewest(rest, &after, entries)
        });
        1 + replaced.min().unwrap_or(0)
    }

    #[test]
    fn the_optimum_evicts_the_page_that_is_used_last() {
        cases(2200).check(|u| {
            let n_pages = u.int_in_range(1..=60)?;
            let n = u.int_in_range(0..=500)?;
            let uses: Vec<u32> =
                (0..n).map(|_| u.int_in_range(0..=n_pages - 1)).collect::<Result<_, _>>()?;
            for entries in [1, 2, 3, 7, 16, 64] {
                assert_eq!(optimum(&uses, n_pages, entries), naive(&uses, entries as usize));
            }
            Ok(())
        });
    }

    /// Real arrays of level 2 have up to 2,048 entries.
    #[test]
    fn the_optimum_of_a_large_array_evicts_that_page_too() {
        cases(4).check(|u| {
            let (mut state, n_pages) = (u.arbitrary::<u64>()? | 1, u.int_in_range(1500..=3500)?);
            let uses: Vec<u32> = (0..8000)
                .map(|_| {
                    state = xorshift(state);
                    low32(state >> 20) % n_pages
                })
                .collect();
            for entries in [513, 1536, 2048] {
                assert_eq!(optimum(&uses, n_pages, entries), naive(&uses, entries as usize));
            }
            Ok(())
        });
    }

    #[test]
    fn no_choice_of_victims_has_fewer_misses() {
        cases(3600).check(|u| {
            let n = u.int_in_range(0..=12)?;
            let uses: Vec<u32> = (0..n).map(|_| u.int_in_range(0..=5)).collect::<Result<_, _>>()?;
            for entries in 1..=3u32 {
                let best = fewest(&uses, &[], entries as usize);
                assert_eq!(optimum(&uses, 6, entries), best, "{uses:?}");
            }
            Ok(())
        });
    }

    /// A cycle over k pages in W entries: after the first round, k − W of every k − 1 uses miss.
    #[test]
    fn a_cycle_larger_than_the_array_keeps_most_of_it() {
        let uses: Vec<u32> = (0..9 * 8 * 100).map(|at| at % 9).collect();
        let (misses, expected) = (optimum(&uses, 9, 8), 7200 / 8);
        assert!(misses.abs_diff(expected) <= 9, "{misses}");
    }
}
