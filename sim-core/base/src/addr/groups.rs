//! Groups: aligned runs of neighbouring table entries that one TLB entry may cover. A group has its own
//! [`super::Leaf`].

use super::{Level, PageSize, Paging};
use crate::error::{Error, Result};
use crate::small_map::SmallMap;

/// The most groups of a machine.
const MAX_GROUPS: usize = 2;
/// The number of entries in one cache line, which a walk reads as a whole.
const LINE_ENTRIES: u32 = 8;

/// `2^bits` entries of the tables of `level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub level: Level,
    pub bits: u8,
    /// True if the OS maps all entries of the group at once and marks them (Arm's contiguous bit). False if the
    /// walker finds that their frames are neighbours (AMD's coalescing).
    pub mapped: bool,
}

/// Computes the groups of a machine from `paging.contiguous` and `coalescing`.
///
/// # Errors
/// `bad-config` with the field.
pub(super) fn resolve(
    paging: &Paging,
    coalescing: &SmallMap<PageSize, u32>,
) -> Result<[Option<Group>; MAX_GROUPS]> {
    let contiguous = &paging.contiguous;
    if !contiguous.is_empty() && !coalescing.is_empty() {
        return Err(Error::config(
            "coalescing",
            "paging.contiguous already defines groups of entries: leave out coalescing, or contiguous",
        ));
    }
    let (field, sizes) = if coalescing.is_empty() {
        ("paging.contiguous", contiguous)
    } else {
        ("coalescing", coalescing)
    };
    let mapped = coalescing.is_empty();
    if sizes.len() > MAX_GROUPS {
        let message = format!("{} sizes: group at most {MAX_GROUPS}", sizes.len());
        return Err(Error::config(field, message));
    }
    let mut groups = [None; MAX_GROUPS];
    for (place, (size, n)) in groups.iter_mut().zip(sizes) {
        let wrong = |message: String| Error::config(format!("{field}.{size}"), message);
        let Some(leaf) = paging.leaf_level(*size) else {
            return Err(wrong(format!(
                "{size} is no page size of this machine, which has {}",
                paging.listed()
            )));
        };
        let level = paging.entry_level(leaf);
        let most = if mapped { 1 << (paging.bits(level) - 1).min(15) } else { LINE_ENTRIES };
        if !n.is_power_of_two() || *n < 2 || *n > most {
            return Err(wrong(format!("{n} entries: must be a power of two from 2 to {most}")));
        }
        let bits = u8::try_from(n.trailing_zeros()).expect("below 16");
        *place = Some(Group { level, bits, mapped });
    }
    Ok(groups)
}
