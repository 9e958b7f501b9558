//! The operating system: which page size it gives to an address, and which frame.
//!
//! It knows regions and pools of frames. It does not know TLBs or walks.

use serde::{Deserialize, Serialize};

use crate::addr::{Hex, PageSize, Paging};
use crate::error::{Error, ErrorCode, Result};
use crate::page_table::{FRAMES_AT, PageTables, Table};

/// The order in which data frames are handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Frames {
    #[default]
    Sequential,
    Shuffled,
}

/// A range of virtual addresses with a page size of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, optional_fields))]
pub struct RegionConfig {
    pub start: Hex,
    /// Not part of the region.
    pub end: Hex,
    /// The largest page size; one that does not fit inside falls back to the next smaller.
    pub pages: PageSize,
    /// `heap`, `stack`, `text`, ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// How memory is mapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct OsConfig {
    /// The page size outside the regions.
    pub default: PageSize,
    pub regions: Vec<RegionConfig>,
    pub frames: Frames,
}

impl Default for OsConfig {
    fn default() -> Self {
        Self { default: PageSize::K4, regions: Vec::new(), frames: Frames::Sequential }
    }
}

/// Data frames come in blocks of at least this many bytes.
const BLOCK: u64 = 2 << 20;
/// The end of physical memory: 52 bits.
const MEMORY_END: u64 = 1 << 52;
/// Frames that `shuffled` mixes with each other.
const SHUFFLE_BITS: u32 = 12;

/// …but not over more memory than this.
const SHUFFLE_BYTES: u64 = 1 << 42;

/// The operating system of one machine.
#[derive(Clone, Debug)]
pub(crate) struct Os {
    /// From each address on, pages of this leaf level; sorted, the first starts at 0.
    segments: Vec<(u64, u8)>,
    /// The segment used last: start, last address, level.
    recent: (u64, u64, u8),
    frames: Frames,
    /// Frames handed out, by leaf level.
    pools: [Pool; 6],
    next_block: u64,
    /// Pages below 4K take the flags' bits of their entries, and so some of the 52 address bits.
    memory_end: u64,
    /// Pages mapped, by leaf level.
    n_mapped: [u64; 6],
}

#[derive(Clone, Copy, Debug, Default)]
struct Pool {
    page: u64,
    /// Address of the block in use, and the frames taken from it.
    block: u64,
    n_taken: u64,
    n_frames: u64,
}

impl Os {
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn new(config: &OsConfig, paging: &Paging) -> Result<Self> {
        let mut os = Self {
            segments: segments(config, paging)?,
            recent: (1, 0, 0),
            frames: config.frames,
            pools: [Pool::default(); 6],
            next_block: FRAMES_AT,
            memory_end: MEMORY_END >> 12u32.saturating_sub(u32::from(paging.offset_bits)),
            n_mapped: [0; 6],
        };
        for level in 1..=paging.n_levels() {
            os.pools[usize::from(level)].page = paging.size_of(level).bytes();
        }
        if os.segments.len() == 1 {
            os.recent = (0, u64::MAX, os.segments[0].1);
        }
        Ok(os)
    }

    /// The leaf level of the page that holds `address`.
    #[inline]
    pub(crate) fn leaf_of(&mut self, address: u64) -> u8 {
        let (start, last, level) = self.recent;
        if (start..=last).contains(&address) { level } else { self.find_segment(address) }
    }

    fn find_segment(&mut self, address: u64) -> u8 {
        self.recent = self.segment(address);
        self.recent.2
    }

    /// The stretch of one page size that holds `address`: start, last address, leaf level.
    pub(crate) fn segment(&self, address: u64) -> (u64, u64, u8) {
        let after = self.segments.partition_point(|(start, _)| *start <= address);
        let (start, level) = self.segments[after - 1];
        (start, self.segments.get(after).map_or(u64::MAX, |(next, _)| next - 1), level)
    }

    /// Every leaf level that some address gets.
    pub(crate) fn leaf_levels(&self) -> Vec<u8> {
        let mut levels: Vec<u8> = self.segments.iter().map(|(_, level)| *level).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// Gives the page of `address` a frame and maps it.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    pub(crate) fn map(
        &mut self,
        tables: &mut PageTables,
        space: u32,
        address: u64,
        leaf: u8,
    ) -> Result<()> {
        tables.root(space)?;
        let frame = self.take_frame(leaf)?;
        tables.map(space, address, leaf, frame)?;
        self.n_mapped[usize::from(leaf)] += 1;
        Ok(())
    }

    /// The same where the table that maps the page is there already.
    ///
    /// # Errors
    /// `too-large` if physical memory is used up.
    #[inline]
    pub(crate) fn map_entry(
        &mut self,
        tables: &mut PageTables,
        table: Table,
        index: usize,
        leaf: u8,
    ) -> Result<()> {
        let frame = self.take_frame(leaf)?;
        tables.map_entry(table, index, leaf, frame);
        self.n_mapped[usize::from(leaf)] += 1;
        Ok(())
    }

    pub(crate) fn n_mapped(&self, leaf: u8) -> u64 {
        self.n_mapped[usize::from(leaf)]
    }

    fn take_frame(&mut self, leaf: u8) -> Result<u64> {
        let pool = &mut self.pools[usize::from(leaf)];
        if pool.n_taken == pool.n_frames {
            let window = match self.frames {
                Frames::Sequential => 1,
                Frames::Shuffled => (pool.page << SHUFFLE_BITS).min(SHUFFLE_BYTES),
            };
            let bytes = BLOCK.max(pool.page).max(window);
            let block = self.next_block.next_multiple_of(BLOCK.max(pool.page));
            if block + bytes > self.memory_end {
                return Err(Error::new(
                    ErrorCode::TooLarge,
                    "the trace touches more than 4 PiB of pages: use a smaller page size",
                ));
            }
            self.next_block = block + bytes;
            (pool.block, pool.n_taken, pool.n_frames) = (block, 0, bytes / pool.page);
        }
        let number = match self.frames {
            Frames::Sequential => pool.n_taken,
            Frames::Shuffled => shuffle(pool.n_taken, pool.n_frames),
        };
        pool.n_taken += 1;
        Ok(pool.block + number * pool.page)
    }
}

/// A fixed permutation of 0..n, n a power of two.
fn shuffle(number: u64, n: u64) -> u64 {
    let mask = n - 1;
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x517c) & mask;
    let folded = mixed ^ mixed >> (SHUFFLE_BITS / 2);
    folded.wrapping_mul(0x2545_f491_4f6c_dd1d) & mask
}

/// Cuts the address space into stretches of one page size.
fn segments(config: &OsConfig, paging: &Paging) -> Result<Vec<(u64, u8)>> {
    let level_of = |field: String, size: PageSize| {
        let known =
            || paging.sizes().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let unknown = || format!("{size} is no page size of this machine, which has {}", known());
        paging.leaf_level(size).ok_or_else(|| Error::config(field, unknown()))
    };
    let default = level_of("default".to_owned(), config.default)?;
    let mut regions = Vec::new();
    for (at, region) in config.regions.iter().enumerate() {
        let level = level_of(format!("regions[{at}].pages"), region.pages)?;
        if region.start >= region.end {
            let message = format!("{} is not above the start, {}", region.end, region.start);
            return Err(Error::config(format!("regions[{at}].end"), message));
        }
        // Translation looks at the low bits only: both halves of the address space lie side by side there.
        let mask = paging.va_mask();
        // The last address of all cannot be written as an end: it stands for the top itself.
        let last = if region.end.0 == u64::MAX { mask } else { (region.end.0 - 1) & mask };
        let (start, end) = (region.start.0 & mask, last + 1);
        if start >= end {
            let message = format!(
                "{} is on the other side of the gap of non-canonical addresses",
                region.end
            );
            return Err(Error::config(format!("regions[{at}].end"), message));
        }
        regions.push((start, end, level, at));
    }
    regions.sort_unstable();
    if let Some(pair) = regions.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        let message = format!("overlaps with regions[{}]", pair[0].3);
        return Err(Error::config(format!("regions[{}].start", pair[1].3), message));
    }
    let mut found = Vec::new();
    let mut at = 0;
    for (start, end, level, _) in regions {
        stretch(at, start, default, paging, &mut found);
        stretch(start, end, level, paging, &mut found);
        at = end;
    }
    stretch(at, paging.va_mask() + 1, default, paging, &mut found);
    found.dedup_by_key(|(_, level)| *level);
    Ok(found)
}

/// Adds `start..end` with pages of `level` where a whole one fits, smaller ones at the edges.
fn stretch(start: u64, end: u64, level: u8, paging: &Paging, found: &mut Vec<(u64, u8)>) {
    if start >= end {
        return;
    }
    let smaller = (1..level).rev().find(|l| paging.leaf_levels.contains(l));
    let Some(smaller) = smaller else {
        found.push((start, level));
        return;
    };
    let size = paging.size_of(level).bytes();
    let top = end / size * size;
    match start.checked_next_multiple_of(size) {
        Some(bottom) if bottom < top => {
            stretch(start, bottom, smaller, paging, found);
            found.push((bottom, level));
            stretch(top, end, smaller, paging, found);
        }
        _ => stretch(start, end, smaller, paging, found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(json: &str, expected: &Expect) {
        let config: OsConfig = serde_json::from_str(json).unwrap();
        let text = match segments(&config, &Paging::x86(4)) {
            Ok(found) => found
                .iter()
                .map(|(start, level)| format!("{start:#x}: level {level}\n"))
                .collect::<Vec<_>>()
                .concat(),
            Err(error) => format!("{error}\n"),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn a_page_that_does_not_fit_its_region_falls_back() {
        check(
            r#"{"regions": [{"start": "0x1ff000", "end": "0x601000", "pages": "2M"}]}"#,
            &expect![[r"
                0x0: level 1
                0x200000: level 2
                0x600000: level 1
            "]],
        );
        check(
            r#"{"regions": [{"start": "0x3ff00000", "end": "0x80300000", "pages": "1G"}]}"#,
            &expect![[r"
                0x0: level 1
                0x40000000: level 3
                0x80000000: level 2
                0x80200000: level 1
            "]],
        );
    }

    #[test]
    fn a_large_default_keeps_clear_of_the_regions() {
        check(
            r#"{"default": "2M", "regions": [{"start": "0x201000", "end": "0x202000", "pages": "4K"}]}"#,
            &expect![[r"
                0x0: level 2
                0x200000: level 1
                0x400000: level 2
            "]],
        );
    }

    #[test]
    fn bad_regions_are_named() {
        check(
            r#"{"regions": [{"start": "0x2000", "end": "0x1000", "pages": "4K"}]}"#,
            &expect![[r"
                regions[0].end: 0x1000 is not above the start, 0x2000
            "]],
        );
        check(
            r#"{"regions": [{"start": "0", "end": "0x2000", "pages": "4K"}, {"start": "0x1000", "end": "0x3000", "pages": "4K"}]}"#,
            &expect![[r"
                regions[1].start: overlaps with regions[0]
            "]],
        );
        check(
            r#"{"default": "16K"}"#,
            &expect![[r"
            default: 16K is no page size of this machine, which has 4K, 2M, 1G
        "]],
        );
    }

    #[test]
    fn shuffled_frames_are_a_permutation() {
        let mut seen: Vec<u64> = (0..4096).map(|n| shuffle(n, 4096)).collect();
        assert_ne!(seen[..8], [0, 1, 2, 3, 4, 5, 6, 7]);
        seen.sort_unstable();
        assert!(seen.iter().enumerate().all(|(at, n)| at as u64 == *n));
    }
}
