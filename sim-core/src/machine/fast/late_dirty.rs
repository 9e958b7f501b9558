//! Dirty flags that TLB entries get late.
//!
//! A TLB entry records whether its page is dirty, so that a store to the page needs no further walk. Level 2 is
//! filled before the walk reads the page's entry. A later access of the batch that hits this fill copies the
//! recorded flag to level 1. When the walk is done, this module writes the dirty flag to all these entries.
//!
//! Bench row: (c) recorded trace, whose loads walk to pages that earlier stores made dirty.

use super::batch::Miss;
use super::packed_page::Stage;
use crate::machine::plan::Plan;
use crate::machine::structures::Structures;
use crate::machine::{Machine, mark_dirty};
use pagewalk_base::trace::Kind;

/// The walks of this batch that found their page dirty. Walks of stores are left out, because their entries are
/// dirty from the beginning.
#[derive(Default)]
pub(super) struct LateDirty(Vec<Walk>);

struct Walk {
    /// The level-2 array that the walk filled.
    array: u8,
    tag: u64,
    index: u32,
}

impl LateDirty {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Writes the dirty flag to the entries of a page that the walk of `miss` has found to be dirty.
    #[inline(never)]
    pub(super) fn record_walk(&mut self, machine: &mut Machine, miss: &Miss) {
        let Machine { plan, structures: Structures { l1, l2, .. }, page_class, .. } = machine;
        let page = miss.page.page(plan, page_class);
        if page.kind != Kind::Store {
            mark_dirty(plan, l1, l2, &page, true);
            let array = array(plan, miss);
            self.0.push(Walk { array, tag: page.key.tag, index: miss.index });
        }
    }

    /// Copies the dirty flag of the level-2 entry that `miss` hit to the level-1 entry that `miss` filled.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn copy_to_level_1(&self, machine: &mut Machine, miss: &Miss) {
        let page = miss.page;
        let is_dirty = page.is_at(Stage::HitDirty)
            || page.is_at(Stage::HitFresh) && self.was_dirty(machine, miss);
        if is_dirty && page.kind() != Kind::Store {
            let Machine { plan, structures: Structures { l1, l2, .. }, page_class, .. } = machine;
            mark_dirty(plan, l1, l2, &page.page(plan, page_class), false);
        }
    }

    /// Returns whether a walk of this batch, before `miss`, found the page dirty and filled the level-2 entry that
    /// `miss` hit.
    #[inline(never)]
    pub(super) fn was_dirty(&self, machine: &Machine, miss: &Miss) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let (array, tag) = (
            array(&machine.plan, miss),
            miss.page.page(&machine.plan, &machine.page_class).key.tag,
        );
        let walks = self.0.iter().filter(|walk| walk.tag == tag && walk.array == array);
        walks.map(|walk| walk.index).min().is_some_and(|first| first < miss.index)
    }
}

/// Returns the level-2 array that holds the page of a miss.
fn array(plan: &Plan, miss: &Miss) -> u8 {
    plan.only_l2[miss.page.kind().index()][miss.page.leaf()]
}
