//! Checks of a configuration. They find page sizes that the machine lacks, policies that contradict a region's
//! contents, and pools that are too small.

use super::areas::inside;
use super::config::{OsConfig, RegionConfig};
use super::idle;
use super::policy::PagePolicy;
use pagewalk_base::addr::{Leaf, Level, PageSize, Paging};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::RegionKind;

/// The level of the entries that map transparent huge pages and hugetext.
pub(super) const HUGE_LEVEL: Level = Level::new(2);
/// The leaf of such huge pages.
pub(super) const HUGE: Leaf = Leaf::of(HUGE_LEVEL);
/// The most pages that can be touched before a run: each is mapped separately.
const MAX_PRETOUCHED: u64 = 1 << 24;

/// Returns log2 of the bytes of a huge page, or 0 if the machine has no huge pages.
pub(super) fn huge_shift(paging: &Paging) -> u32 {
    if paging.leaf_levels.contains(&HUGE_LEVEL) { paging.shift(HUGE) } else { 0 }
}

/// A region of the configuration, in the address bits that translation reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) start: u64,
    pub(super) end: u64,
    /// The position of the region in the configuration.
    pub(super) number: usize,
}

/// Checks the whole configuration, and sorts the regions by address.
///
/// # Errors
/// `bad-config` at the field that is wrong.
pub(super) fn regions(config: &OsConfig, paging: &Paging) -> Result<Vec<Region>> {
    policy("default", config.default, paging)?;
    settings(config, paging)?;
    idle::check(config)?;
    let mut regions = Vec::new();
    for (number, region) in config.regions.iter().enumerate() {
        let field = format!("regions[{number}]");
        policy(&format!("{field}.pages"), region.pages, paging)?;
        let (start, end) = bounds(region, paging).map_err(|e| e.within(&field))?;
        contradictions(config, region, paging).map_err(|e| e.within(&field))?;
        pretouched(config, region, end - start, paging).map_err(|e| e.within(&field))?;
        regions.push(Region { start, end, number });
    }
    sort_by_numbers(&mut regions, |region| (region.start, 0));
    if let Some(pair) = regions.windows(2).find(|pair| pair[0].end > pair[1].start) {
        let message = format!("overlaps with regions[{}]", pair[0].number);
        return Err(Error::config(format!("regions[{}].start", pair[1].number), message));
    }
    reservations(config)?;
    Ok(regions)
}

fn policy(field: &str, policy: PagePolicy, paging: &Paging) -> Result<()> {
    match policy {
        PagePolicy::Fixed(size) => has_size(field, size, paging),
        PagePolicy::Hugetlb(size) => {
            has_size(field, size, paging)?;
            is_huge(field, size, paging)
        }
        PagePolicy::Thp | PagePolicy::Hugetext if huge_shift(paging) == 0 => {
            let known = paging.listed();
            let message = format!(
                "{policy} needs pages that an entry of the second level maps, and this machine has only {known}"
            );
            Err(Error::config(field, message))
        }
        PagePolicy::Thp | PagePolicy::Hugetext => Ok(()),
    }
}

fn has_size(field: &str, size: PageSize, paging: &Paging) -> Result<()> {
    if paging.leaf_level(size).is_some() {
        return Ok(());
    }
    let message = format!("{size} is no page size of this machine, which has {}", paging.listed());
    Err(Error::config(field, message))
}

fn is_huge(field: &str, size: PageSize, paging: &Paging) -> Result<()> {
    if size > paging.size_of(Leaf::SMALLEST) {
        return Ok(());
    }
    let message = format!("{size} is the smallest page: hugetlbfs has larger ones only");
    Err(Error::config(field, message))
}

/// Checks the settings `thp`, `hugetlb` and `hugetext`.
fn settings(config: &OsConfig, paging: &Paging) -> Result<()> {
    let wrong = |field: &str, message: String| Err(Error::config(field, message));
    let percent = config.thp.fragmentation;
    if percent > 100 {
        return wrong("thp.fragmentation", format!("{percent} per cent: must be 0 to 100"));
    }
    if let Some(daemon) = config.thp.khugepaged {
        if daemon.every == 0 || daemon.pages == 0 {
            let field = if daemon.every == 0 { "every" } else { "pages" };
            let message = "0: must be at least 1; leave khugepaged out to have none".to_owned();
            return wrong(&format!("thp.khugepaged.{field}"), message);
        }
        let most = small_pages(paging) - 1;
        if let Some(n) = daemon.max_ptes_none.filter(|n| u64::from(*n) > most) {
            let message = format!(
                "{n}: a huge page of this machine has {} small ones, so at most {most} can be missing",
                most + 1
            );
            return wrong("thp.khugepaged.max_ptes_none", message);
        }
    }
    let text = config.hugetext;
    if !(1..=3).contains(&text.enabled) {
        let message = format!(
            "{}: must be 1 (text of files), 2 (anonymous executable memory) or 3 (both)",
            text.enabled
        );
        return wrong("hugetext.enabled", message);
    }
    if text.pad_threshold >> huge_shift(paging) > 0 && huge_shift(paging) > 0 {
        let most = (1u64 << huge_shift(paging)) - 1;
        let message = format!("{}: must be 0 to {most}, below a huge page", text.pad_threshold);
        return wrong("hugetext.pad_threshold", message);
    }
    if let Some(adaptive) = text.adaptive.filter(|a| a.every == 0 || a.step == 0) {
        let field = if adaptive.every == 0 { "every" } else { "step" };
        let message = "0: must be at least 1; leave adaptive out to have a fixed cap".to_owned();
        return wrong(&format!("hugetext.adaptive.{field}"), message);
    }
    for (number, pool) in config.hugetlb.iter().enumerate() {
        let field = format!("hugetlb[{number}].size");
        has_size(&field, pool.size, paging)?;
        is_huge(&field, pool.size, paging)?;
        if config.hugetlb[..number].iter().any(|other| other.size == pool.size) {
            return wrong(
                &field,
                format!("there is already a pool of {} pages: list each size once", pool.size),
            );
        }
    }
    Ok(())
}

/// Returns the number of small pages in a huge page.
fn small_pages(paging: &Paging) -> u64 {
    1 << huge_shift(paging).saturating_sub(paging.shift(Leaf::SMALLEST))
}

/// Returns the first address and the end of a region, in the address bits that translation reads. In these bits, the
/// two halves of the address space are adjacent.
fn bounds(region: &RegionConfig, paging: &Paging) -> Result<(u64, u64)> {
    let (start, end) = (region.start.0, region.end.0);
    if start >= end {
        return Err(Error::config("end", format!("{end:#x} is not above the start, {start:#x}")));
    }
    let mask = paging.va_mask();
    let rule = paging.rule();
    if !rule.accepts(start) {
        return Err(Error::config("start", rule.explain_untranslated(start)));
    }
    if end != u64::MAX && !rule.accepts(end - 1) {
        let message = format!("{end:#x} is beyond the addresses that the machine translates");
        return Err(Error::config("end", message));
    }
    // The end after the last address does not fit in 64 bits, so the last address is used instead.
    let last = if end == u64::MAX { mask } else { (end - 1) & mask };
    let (start, masked_end) = (start & mask, last + 1);
    if start >= masked_end {
        let message = format!(
            "{end:#x} is on the other side of the gap between the halves of the address space"
        );
        return Err(Error::config("end", message));
    }
    if let PagePolicy::Hugetlb(size) = region.pages {
        for (field, address) in [("start", start), ("end", masked_end)] {
            if address % size.bytes() != 0 {
                let message = format!(
                    "{address:#x} is no multiple of {size}: hugetlbfs maps whole pages only"
                );
                return Err(Error::config(field, message));
            }
        }
    }
    Ok((start, masked_end))
}

/// Checks that the settings of a region do not contradict each other.
fn contradictions(config: &OsConfig, region: &RegionConfig, paging: &Paging) -> Result<()> {
    use RegionKind::{Jit, Library, Stack, Text, Vdso};
    let wrong = |field: &str, message: String| Err(Error::config(field, message));
    if let Some(kind) = region.kind {
        let name = kind.name();
        let contradiction = match region.pages {
            PagePolicy::Thp if kind.is_backed() => {
                Some("thp is for anonymous memory: use hugetext for code, or a page size")
            }
            PagePolicy::Hugetext if !matches!(kind, Text | Library | Jit) => {
                Some("hugetext is for code: the kinds text, library and jit")
            }
            PagePolicy::Hugetext if kind == Jit && config.hugetext.enabled == 1 => {
                Some("hugetext.enabled is 1, text of files only: make it 2 or 3")
            }
            PagePolicy::Hugetext if kind != Jit && config.hugetext.enabled == 2 => {
                Some("hugetext.enabled is 2, anonymous executable memory only: make it 1 or 3")
            }
            PagePolicy::Hugetlb(_) if matches!(kind, Stack | Vdso) => {
                Some("hugetlbfs cannot hold such memory: use a page size")
            }
            _ => None,
        };
        if let Some(why) = contradiction {
            return wrong("pages", format!("{} is not possible for {name}: {why}", region.pages));
        }
    }
    if region.advice.is_some() && region.pages != PagePolicy::Thp {
        let message = format!("is for the policy thp, not {}: leave one of them out", region.pages);
        return wrong("advice", message);
    }
    let in_advance = "pages that are touched before the run";
    if region.pretouch && region.copy_on_write {
        let message = format!("{in_advance} are copied then: leave pretouch or copy_on_write out");
        return wrong("copy_on_write", message);
    }
    if region.pretouch && !region.resident {
        let message = format!("{in_advance} are in memory: leave pretouch or resident out");
        return wrong("resident", message);
    }
    if region.copy_on_write && region.kind == Some(RegionKind::Shared) {
        let message = "shared memory is never copied: leave it out".to_owned();
        return wrong("copy_on_write", message);
    }
    if let Some(offset) = region.offset {
        if region.kind.is_some_and(|kind| !kind.is_backed()) {
            return wrong("offset", "the region has no file: leave it out".to_owned());
        }
        let shift = huge_shift(paging);
        let apart = region.start.0.wrapping_sub(offset.0) & ((1 << shift) - 1);
        if region.pages == PagePolicy::Hugetext && apart != 0 {
            let size = PageSize(u8::try_from(shift).expect("below 64"));
            let message = format!(
                "{offset} is not congruent to the start, {}, modulo {size}, so that no huge page can \
                 map the file: link it with -z max-page-size={:#x}, or use 4K",
                region.start,
                1u64 << shift
            );
            return wrong("offset", message);
        }
    }
    Ok(())
}

fn pretouched(config: &OsConfig, region: &RegionConfig, bytes: u64, paging: &Paging) -> Result<()> {
    if !region.pretouch {
        return Ok(());
    }
    let large = match region.pages {
        PagePolicy::Fixed(size) | PagePolicy::Hugetlb(size) => size,
        PagePolicy::Thp if config.thp.at_fault && config.thp.fragmentation == 0 => {
            paging.size_of(HUGE)
        }
        PagePolicy::Thp | PagePolicy::Hugetext => paging.size_of(Leaf::SMALLEST),
    };
    let pages = bytes >> large.shift();
    if pages <= MAX_PRETOUCHED {
        return Ok(());
    }
    let message = format!(
        "the region has {pages} pages of {large}: at most {MAX_PRETOUCHED} can be touched before a run; \
         use larger pages or a smaller region"
    );
    Err(Error::config("pretouch", message))
}

/// Checks reservations: mmap(2) of hugetlbfs memory reserves its pages, and fails if the pool has too few.
fn reservations(config: &OsConfig) -> Result<()> {
    for pool in config.hugetlb.iter().filter(|pool| pool.reserve) {
        let mut left = pool.pages;
        for (number, region) in config.regions.iter().enumerate() {
            if region.pages != PagePolicy::Hugetlb(pool.size) {
                continue;
            }
            let bytes = region.end.0.wrapping_sub(region.start.0);
            let needed = bytes.div_ceil(pool.size.bytes());
            left = left.checked_sub(needed).ok_or_else(|| {
                let message = format!(
                    "needs {needed} pages of {}, and the pool has {left} left: mapping it fails \
                     (ENOMEM); give the pool more pages, or let it map without reserving",
                    pool.size
                );
                Error::config(format!("regions[{number}].pages"), message)
            })?;
        }
    }
    Ok(())
}

/// Returns the whole blocks of `2^shift` bytes between two addresses.
pub(super) fn whole_blocks(start: u64, end: u64, shift: u32) -> std::ops::Range<u64> {
    let (bottom, top) = inside(start, end, shift).unwrap_or((0, 0));
    bottom >> shift..top >> shift
}
