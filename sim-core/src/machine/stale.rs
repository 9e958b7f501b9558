//! What the TLBs of a core know still of mappings that have changed while nothing was dropped.
//!
//! An entry that was filled before the change keeps the rights of before, on each core by itself, until that
//! core drops it: what another core has come to know says nothing of this one.

use std::collections::BTreeMap;

use crate::os::Rights;

/// Changes that a core has not been told of. Where its TLBs hold no entry, there is nothing to be stale.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// Pages, by page table and first address: the last address, and the rights before.
    rights: BTreeMap<(u32, u64), (u64, Rights)>,
    /// Memory that may be written no more since a fork, in ranges that have no address in common: the last
    /// address, by page table and first.
    pub(crate) writable: BTreeMap<(u32, u64), u64>,
}

impl Stale {
    pub(crate) fn is_empty(&self) -> bool {
        self.rights.is_empty() && self.writable.is_empty()
    }

    /// The page, from `first` to `last`, had these rights until now. Of several changes the first counts: what
    /// is cached is older than all of them.
    pub(crate) fn keep(&mut self, space: u32, (first, last): (u64, u64), rights: Rights) {
        self.rights.entry((space, first)).or_insert((last, rights));
    }

    /// The rights of before, if those of the page have changed.
    pub(crate) fn rights_at(&self, space: u32, address: u64) -> Option<Rights> {
        Some(self.page_at(space, address)?.1)
    }

    /// What is filled from now on has the rights of now.
    pub(crate) fn forget_rights(&mut self, space: u32, address: u64) {
        if let Some((key, _)) = self.page_at(space, address) {
            self.rights.remove(&key);
        }
    }

    fn page_at(&self, space: u32, address: u64) -> Option<((u32, u64), Rights)> {
        let (key, (last, rights)) = self.rights.range(..=(space, address)).next_back()?;
        (key.0 == space && address <= *last).then_some((*key, *rights))
    }

    /// Memory from `first` to `last` could be written until now.
    pub(crate) fn keep_writable(&mut self, space: u32, (first, last): (u64, u64)) {
        self.forget_writable(space, (first, last));
        self.writable.insert((space, first), last);
    }

    /// Whether memory could be written before, and may not be now.
    pub(crate) fn was_writable(&self, space: u32, address: u64) -> bool {
        self.writable_below(space, address).is_some_and(|(_, last)| address <= last)
    }

    /// What is filled from now on knows what may be written now.
    pub(crate) fn forget_writable(&mut self, space: u32, (first, last): (u64, u64)) {
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

    /// First and last address of the last range that begins at an address or below it.
    fn writable_below(&self, space: u32, address: u64) -> Option<(u64, u64)> {
        let ((of, first), last) = self.writable.range(..=(space, address)).next_back()?;
        (*of == space).then_some((*first, *last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbitrary::{Result, Unstructured};
    use std::collections::BTreeSet;

    /// First and last of up to 8 addresses in a small space, or its upper end.
    fn range(u: &mut Unstructured<'_>) -> Result<(u64, u64)> {
        let base = *u.choose(&[0, u64::MAX - 31])?;
        let first = base + u64::from(u.int_in_range(0..=31u8)?);
        Ok((first, first.saturating_add(u.int_in_range(0..=7)?)))
    }

    #[test]
    fn ranges_hold_what_a_set_of_addresses_does() {
        arbtest::arbtest(|u| {
            let (mut stale, mut set) = (Stale::default(), BTreeSet::new());
            for _ in 0..u.int_in_range(0..=40)? {
                let (space, (first, last)) = (u.int_in_range(0..=1)?, range(u)?);
                let addresses = (first..=last).map(|address| (space, address));
                if u.arbitrary()? {
                    stale.keep_writable(space, (first, last));
                    set.extend(addresses);
                } else {
                    stale.forget_writable(space, (first, last));
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
        })
        .budget_ms(300);
    }
}
