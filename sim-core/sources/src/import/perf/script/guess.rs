//! Guesses from the beginning of a text what a single line does not show.

use super::columns::{columns, name};
use super::frame;
use super::prefix::{Place, prefix};
use crate::import::lines::first_line;

/// The number of lines that are examined.
const LINES: usize = 2000;
/// Physical memory ends below this address: few machines have more than 4 TiB.
const END: u64 = 1 << 42;
/// Some physical memory is above this address, but no code or data of a program that is not relocated.
const HIGH: u64 = 1 << 32;
/// The heap of Go programs, which has low virtual addresses, too.
const GO: std::ops::Range<u64> = 0xc0_0000_0000..0xc1_0000_0000;

/// No program maps memory below this address, so a lower instruction pointer is an offset.
const LOWEST: u64 = 1 << 16;
/// No shared library is below this address, and most are smaller.
const LOWEST_LIBRARY: u64 = 1 << 28;

/// Returns whether the instruction pointers of callchains are offsets in their files, as perf prints them since
/// Linux 5.10. Older versions print addresses.
pub(super) fn is_relative(head: &[u8]) -> bool {
    let mut rest = head;
    let lines = std::iter::from_fn(|| {
        let (line, after) = first_line(rest);
        rest = after;
        // The last line may be cut off.
        (!after.is_empty()).then_some(line)
    });
    lines.take(LINES).filter_map(|line| frame(line, false)).any(|(ip, rest)| {
        let file = name(rest).0.file;
        let is_library = memchr::memmem::find(file, b".so").is_some();
        is_mapped(file) && (ip < LOWEST || is_library && ip < LOWEST_LIBRARY)
    })
}

/// Returns whether code is in a file, so that perf can print its offset. Anonymous memory has names that look like
/// files.
pub(super) fn is_mapped(file: &[u8]) -> bool {
    const ANONYMOUS: [&[u8]; 5] =
        [b"//anon", b"/anon_hugepage", b"/dev/zero", b"/SYSV", b"/tmp/perf-"];
    let is_anonymous = ANONYMOUS.iter().any(|start| file.starts_with(start));
    file == b"[vdso]" || file.starts_with(b"/") && !is_anonymous
}

/// Returns whether the only column of addresses holds physical ones. perf script aligns physical and data
/// addresses alike. Physical addresses are all low, and some are above 4 GiB.
pub(super) fn is_physical(head: &[u8]) -> bool {
    let mut some = false;
    let mut rest = head;
    for _ in 0..LINES {
        let (line, after) = first_line(rest);
        // The last line may be cut off.
        if after.is_empty() {
            break;
        }
        rest = after;
        let Some(columns) = prefix(line.trim_ascii_end()).map(|prefix| columns(&prefix)) else {
            continue;
        };
        let is_it = columns.lone && !columns.named && columns.place == Some(Place::Data);
        let Some(address) = columns.address.filter(|address| *address > 0) else { continue };
        if !is_it || columns.data_src.is_some() || address >= END || GO.contains(&address) {
            return false;
        }
        some |= address >= HIGH;
    }
    some
}
