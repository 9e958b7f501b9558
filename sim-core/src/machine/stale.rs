//! Mappings that changed without a shootdown, so this core's TLB may still hold the old translation.
//!
//! An entry filled before the change keeps its old rights until its core drops it. Each core has its own record,
//! because a fill on one core says nothing about the TLBs of another.

use std::collections::BTreeMap;

use crate::os::Rights;

/// Changes for which a core has had no shootdown. A change matters only while a TLB holds an old entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stale {
    /// The pages with changed rights. Key: page table and first address. Value: last address and old rights.
    rights: BTreeMap<(u32, u64), (u64, Rights)>,
    /// The ranges that a fork has made read-only, without overlaps. Key: page table and first address. Value: last
    /// address.
    pub(crate) writable: BTreeMap<(u32, u64), u64>,
}

impl Stale {
    pub(crate) fn is_empty(&self) -> bool {
        self.rights.is_empty() && self.writable.is_empty()
    }

    /// Records the old rights of the page from `first` to `last`. The first of several changes counts, because a
    /// cached entry is older than all of them.
    pub(crate) fn keep(&mut self, space: u32, (first, last): (u64, u64), rights: Rights) {
        self.rights.entry((space, first)).or_insert((last, rights));
    }

    /// Returns the old rights of a page, if they have changed.
    pub(crate) fn rights_at(&self, space: u32, address: u64) -> Option<Rights> {
        Some(self.page_at(space, address)?.1)
    }

    /// Removes the old rights of a page: a new fill has the current rights.
    pub(crate) fn remove_rights(&mut self, space: u32, address: u64) {
        if let Some((key, _)) = self.page_at(space, address) {
            self.rights.remove(&key);
        }
    }

    fn page_at(&self, space: u32, address: u64) -> Option<((u32, u64), Rights)> {
        let (key, (last, rights)) = self.rights.range(..=(space, address)).next_back()?;
        (key.0 == space && address <= *last).then_some((*key, *rights))
    }

    /// Records that memory from `first` to `last` was writable until now.
    pub(crate) fn keep_writable(&mut self, space: u32, (first, last): (u64, u64)) {
        self.remove_writable(space, (first, last));
        self.writable.insert((space, first), last);
    }

    /// Returns whether an address was writable and no longer is.
    pub(crate) fn was_writable(&self, space: u32, address: u64) -> bool {
        self.writable_below(space, address).is_some_and(|(_, last)| address <= last)
    }

    /// Removes a range from the memory that was writable: a new fill has the current rights.
    pub(crate) fn remove_writable(&mut self, space: u32, (first, last): (u64, u64)) {
        while let Some((start, end)) = self.writable_below(space, last).filter(|at| first <= at.1) {
            self.writable.remove(&(space, start));
            if start < first {
                self.writable.insert((space, start), first - 1);
            }
            if last < end {
                self.writable.insert((space, last + 1), end);
            }
        }
    }

    /// Returns the first and last address of the last range that begins at or below an address.
    fn writable_below(&self, space: u32, address: u64) -> Option<(u64, u64)> {
        let ((of, first), last) = self.writable.range(..=(space, address)).next_back()?;
        (*of == space).then_some((*first, *last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::{Result, Unstructured, cases};
    use std::collections::BTreeSet;

    /// Draws a range of up to 8 addresses in a small space, or at its upper end.
    fn range(u: &mut Unstructured<'_>) -> Result<(u64, u64)> {
        let base = *u.choose(&[0, u64::MAX - 31])?;
        let first = base + u64::from(u.int_in_range(0..=31u8)?);
        Ok((first, first.saturating_add(u.int_in_range(0..=7)?)))
    }

    #[test]
    fn ranges_hold_what_a_set_of_addresses_does() {
        cases(1500).check(|u| {
            let (mut stale, mut set) = (Stale::default(), BTreeSet::new());
            for _ in 0..u.int_in_range(0..=40)? {
                let (space, (first, last)) = (u.int_in_range(0..=1)?, range(u)?);
                let addresses = (first..=last).map(|address| (space, address));
                if u.arbitrary()? {
                    stale.keep_writable(space, (first, last));
                    set.extend(addresses);
                } else {
                    stale.remove_writable(space, (first, last));
                    set.retain(|(of, at)| *of != space || !(first..=last).contains(at));
                }
                for address in (0..40).chain(u64::MAX - 40..=u64::MAX) {
                    for space in 0..=1 {
                        let expected = set.contains(&(space, address));
                        assert_eq!(stale.was_writable(space, address), expected, "{address:#x}");
                    }
                }
                assert_eq!(stale.is_empty(), set.is_empty());
            }
            Ok(())
        });
    }
}
