//! Guesses from the beginning of a text what a single line does not show.

use super::columns::columns;
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
