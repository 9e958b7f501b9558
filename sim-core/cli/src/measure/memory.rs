//! The memory of a chase, in pages of one size.

use std::fs;

use anyhow::{Context as _, anyhow, bail};
use memmap2::MmapMut;
use pagewalk_base::addr::PageSize;

/// The most bytes of huge pages, which all become real memory.
const MOST_HUGE: usize = 1 << 30;
/// The share of the available memory that huge pages may take.
const SHARE: usize = 4;

/// Memory that begins at a page.
pub(super) struct Memory {
    map: MmapMut,
    from: usize,
    page: PageSize,
}

/// Returns the size of the system's smallest pages.
pub(super) fn system_page() -> PageSize {
    #[cfg(unix)]
    let found = PageSize::parse(&rustix::param::page_size().to_string());
    #[cfg(not(unix))]
    let found = None;
    found.unwrap_or(PageSize::K4)
}

/// Returns whether pages of this size can be measured here.
pub(super) fn has_pages(size: PageSize) -> bool {
    size == system_page() || size == PageSize::M2 && cfg!(target_os = "linux")
}

impl Memory {
    /// Reserves memory. Huge pages get at most a fourth of the available memory.
    ///
    /// # Errors
    /// The system has not enough memory, or refuses the pages.
    pub(super) fn new(page: PageSize, wanted: usize) -> anyhow::Result<Self> {
        let is_huge = page != system_page();
        let bytes = if is_huge { wanted.min(MOST_HUGE).min(available() / SHARE) } else { wanted };
        let size = usize::try_from(page.bytes()).unwrap_or(usize::MAX);
        let all = bytes.checked_add(size).ok_or_else(|| anyhow!("the stride is too large"))?;
        let map = MmapMut::map_anon(all).with_context(|| {
            format!("cannot reserve {} MB of memory: give a smaller --stride", all >> 20)
        })?;
        #[cfg(target_os = "linux")]
        advise(&map, is_huge);
        let from = map.as_ptr().align_offset(size).min(all);
        Ok(Self { map, from, page })
    }

    pub(super) fn bytes(&mut self) -> &mut [u8] {
        self.map.get_mut(self.from..).unwrap_or_default()
    }

    /// Checks that memory which was touched is in huge pages, if such pages were asked for.
    ///
    /// # Errors
    /// The system kept smaller pages.
    pub(super) fn check(&self, touched: usize) -> anyhow::Result<()> {
        if self.page == system_page() {
            return Ok(());
        }
        let huge = huge_bytes(self.map.as_ptr() as usize, self.map.len()).unwrap_or(0);
        if huge < touched / 10 * 9 {
            bail!(
                "--pages {}: the system gave huge pages for {} of {} MB: see /sys/kernel/mm/transparent_hugepage/enabled, or free memory",
                self.page,
                huge >> 20,
                touched >> 20
            );
        }
        Ok(())
    }
}

/// A system without huge pages refuses the advice. Then small pages are small anyway, and [`Memory::check`] finds
/// missing huge pages.
#[cfg(target_os = "linux")]
fn advise(map: &MmapMut, is_huge: bool) {
    let advice = if is_huge { memmap2::Advice::HugePage } else { memmap2::Advice::NoHugePage };
    let _ = map.advise(advice);
}

/// Returns the available bytes, or 0 if the system does not say.
fn available() -> usize {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text.lines().find_map(|line| kilobytes(line, "MemAvailable:"));
    kilobytes.unwrap_or(0).saturating_mul(1024)
}

/// Returns the bytes of huge pages in the mappings that overlap these addresses.
fn huge_bytes(from: usize, len: usize) -> Option<usize> {
    let text = fs::read_to_string("/proc/self/smaps").ok()?;
    let (mut is_ours, mut sum) = (false, 0_usize);
    for line in text.lines() {
        if let Some((start, end)) = range(line) {
            is_ours = start < from.saturating_add(len) && from < end;
        } else if is_ours {
            sum += kilobytes(line, "AnonHugePages:").unwrap_or(0).saturating_mul(1024);
        }
    }
    Some(sum)
}

fn range(line: &str) -> Option<(usize, usize)> {
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    Some((usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?))
}

fn kilobytes(line: &str, name: &str) -> Option<usize> {
    line.strip_prefix(name)?.trim().strip_suffix("kB")?.trim().parse().ok()
}
