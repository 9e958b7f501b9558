//! What a text is taken to hold, from its beginning, where a line alone does not tell.

use super::columns::columns;
use super::prefix::{Place, prefix};
use crate::import::lines::first_line;

/// Lines that are looked at.
const LINES: usize = 2000;
/// Physical memory ends below this: few machines have more than 4 TiB.
const END: u64 = 1 << 42;
/// Some memory lies above this, and no program's code or data that is not moved around.
const HIGH: u64 = 1 << 32;
/// Where Go has its heap, which is low, too.
const GO: std::ops::Range<u64> = 0xc0_0000_0000..0xc1_0000_0000;

/// Whether the only column of addresses, where it is aligned as data addresses and has no name, is of physical ones, which
/// perf script aligns alike: all are low, and some above 4 GiB.
pub(super) fn is_physical(head: &[u8]) -> bool {
    let mut some = false;
    let mut rest = head;
    for _ in 0..LINES {
        let (line, after) = first_line(rest);
        // The last line may be cut.
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
