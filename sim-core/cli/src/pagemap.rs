//! Reads `/proc/PID/pagemap`, or a copy of it, where memory is mapped. Such a file has eight bytes for each page of the
//! address space, so nearly all of it is empty.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, bail};
use pagewalk_base::addr::PageSize;
use pagewalk_sources::process::{PAGEMAP_ENTRY, PAGEMAP_TEXT, PageFrames, ProcessMemory};

use crate::input::{io_error, open};
use crate::table::grouped;

/// The largest text in bytes.
const MAX_TEXT: u64 = 256 << 20;
/// The most pages whose entries are read: 256 GiB of memory with pages of 4 KiB.
const MAX_PAGES: u64 = 1 << 26;
/// The entries that are read at once.
const PIECE: u64 = 1 << 13;

/// Reads the entries of the mapped pages. Reserved address space can be huge and empty, so the smallest mappings come first.
///
/// # Errors
/// Errors of the file. A file that ends before says nothing about the rest.
pub(crate) fn read(
    file: &mut (impl Read + Seek),
    memory: &ProcessMemory,
    page: PageSize,
) -> io::Result<PageFrames> {
    let mut frames = PageFrames::default();
    let mut ranges: Vec<Range<u64>> =
        memory.mappings.iter().map(|of| of.start >> page.shift()..of.end >> page.shift()).collect();
    ranges.sort_by_key(|range| (range.end.saturating_sub(range.start), range.start));
    let mut left = MAX_PAGES;
    let mut bytes = Vec::new();
    for range in ranges {
        let mut at = range.start;
        while at < range.end && left > 0 {
            let n = (range.end - at).min(PIECE).min(left);
            let Some(place) = at.checked_mul(PAGEMAP_ENTRY) else { break };
            bytes.clear();
            file.seek(SeekFrom::Start(place))?;
            file.by_ref().take(n * PAGEMAP_ENTRY).read_to_end(&mut bytes)?;
            let (entries, _) = bytes.as_chunks::<8>();
            for (number, entry) in (at..).zip(entries) {
                frames.add(number << page.shift(), u64::from_ne_bytes(*entry), page);
            }
            if entries.len() as u64 != n {
                break;
            }
            (at, left) = (at + n, left - n);
        }
    }
    frames.runs.sort_by_key(|run| run.start);
    Ok(frames)
}

/// Reads the file that an option names: the text form, or a copy of `/proc/PID/pagemap` together with a memory map.
///
/// # Errors
/// Errors of the file, with its name.
pub(crate) fn read_file(path: &Path, memory: Option<&ProcessMemory>) -> anyhow::Result<PageFrames> {
    let named = || format!("--pagemap {}", path.display());
    let mut file: File = open(path)?;
    let mut head = Vec::new();
    let n = PAGEMAP_TEXT.len() as u64;
    file.by_ref().take(n).read_to_end(&mut head).map_err(|error| io_error(path, &error))?;
    if head == PAGEMAP_TEXT.as_bytes() {
        file.take(MAX_TEXT).read_to_end(&mut head).map_err(|error| io_error(path, &error))?;
        if head.len() as u64 >= MAX_TEXT {
            bail!("{}: such a text is smaller than {} MB", named(), MAX_TEXT >> 20);
        }
        let text = String::from_utf8_lossy(&head);
        return PageFrames::parse(&text).with_context(named);
    }
    let Some(memory) = memory else {
        bail!(
            "{}: a copy of /proc/PID/pagemap is read where memory is mapped: give --maps or --smaps, too",
            named()
        );
    };
    // Huge mappings state a larger size, but their entries are those of small pages.
    let page = memory.pages.iter().map(|fact| fact.size).min().unwrap_or(PageSize::K4);
    let frames = read(&mut file, memory, page).map_err(|error| io_error(path, &error))?;
    if frames.n_present() == 0 {
        bail!(
            "{}: it has no page of the mapped memory: give the copy of /proc/PID/pagemap that belongs to the memory map",
            named()
        );
    }
    Ok(frames)
}

/// Words what is missing.
pub(crate) fn warnings(frames: &PageFrames) -> Vec<String> {
    let hidden = (frames.n_hidden > 0).then(|| {
        format!(
            "The kernel hid the frames of {} pages: read pagemap as root, or with the capability CAP_SYS_ADMIN",
            grouped(frames.n_hidden)
        )
    });
    let left_out = (frames.n_left_out > 0).then(|| {
        format!(
            "The frames of {} pages are left out: there are too many",
            grouped(frames.n_left_out)
        )
    });
    hidden.into_iter().chain(left_out).collect()
}
