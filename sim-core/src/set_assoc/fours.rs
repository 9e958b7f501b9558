//! Sets of up to 4 ways, for work on several arrays at once, where there is no layout to choose.

use super::set::Set;
use super::{Filled, SetAssoc, Sets};
use crate::policy::Replacement;

/// The sets of one array.
pub(crate) struct Fours<'a, T> {
    sets: &'a mut [Set<T, 4, 0>],
    policy: &'a mut Replacement,
}

impl<T: Copy + Default> SetAssoc<T> {
    /// The sets, if they are in the layout for up to 4 ways.
    pub(crate) fn fours(&mut self) -> Option<Fours<'_, T>> {
        match &mut self.sets {
            Sets::Four(sets) => Some(Fours { sets, policy: &mut self.replacement }),
            _ => None,
        }
    }
}

impl<T: Copy + Default> Fours<'_, T> {
    /// As [`SetAssoc::lookup`].
    #[inline(always)]
    pub(crate) fn lookup(&mut self, set: usize, tag: u64) -> Option<(u32, &mut T)> {
        self.sets[set].lookup(tag, self.policy)
    }

    /// As [`SetAssoc::insert_absent`].
    #[inline(always)]
    pub(crate) fn insert_absent(&mut self, set: usize, tag: u64, data: T) -> Filled<T> {
        self.sets[set].insert_absent(tag, data, self.policy)
    }
}
