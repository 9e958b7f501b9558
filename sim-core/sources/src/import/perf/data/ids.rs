//! Finds the event of an id. Each event has one id on each processor.

use std::collections::BTreeMap;

use pagewalk_base::narrow::index;

/// The number of ids in a fast table, found by their lowest bits, because the kernel assigns ids in sequence.
const RECENT: usize = 256;

/// The ids of a recording.
#[derive(Debug, Default)]
pub(super) struct Ids {
    events: BTreeMap<u64, usize>,
    /// Ids with their events.
    recent: Vec<Option<(u64, usize)>>,
}

impl Ids {
    /// Assigns ids to an event. An id of another event moves to this one.
    pub(super) fn add(&mut self, ids: Vec<u64>, event: usize) {
        self.events.extend(ids.into_iter().map(|id| (id, event)));
        self.recent.clear();
    }

    pub(super) fn get(&self, id: u64) -> Option<usize> {
        self.events.get(&id).copied()
    }

    /// Like [`Self::get`], for ids that occur often.
    #[inline]
    pub(super) fn find(&mut self, id: u64) -> Option<usize> {
        let slot = index(id % RECENT as u64);
        match self.recent.get(slot) {
            Some(Some((known, event))) if *known == id => Some(*event),
            _ => self.search(id, slot),
        }
    }

    fn search(&mut self, id: u64, slot: usize) -> Option<usize> {
        let event = self.get(id)?;
        self.recent.resize(RECENT, None);
        self.recent[slot] = Some((id, event));
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn what_is_found_is_what_was_added_last() {
        cases(750).check(|u| {
            let (mut ids, mut naive) = (Ids::default(), BTreeMap::new());
            for event in 0..u.int_in_range(0..=20)? {
                let added: Vec<u64> = (0..3).map_while(|_| u.int_in_range(0..=600).ok()).collect();
                naive.extend(added.iter().map(|id| (*id, event)));
                ids.add(added, event);
                for _ in 0..u.int_in_range(0..=30)? {
                    let id = u.int_in_range(0..=600)?;
                    assert_eq!(ids.find(id), naive.get(&id).copied(), "{id}");
                }
            }
            Ok(())
        });
    }
}
