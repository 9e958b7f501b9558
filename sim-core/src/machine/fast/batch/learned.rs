//! What walks of a batch find out too late: that pages are dirty.
//!
//! A walk fills its entry of level 2 before it is known what it reads. A later access of the batch that hits
//! this entry copies to level 1 what the entry knows, which is told here once the walk has been done.

use super::Miss;
use super::packed::Stage;
use crate::machine::plan::Plan;
use crate::machine::structures::Structures;
use crate::machine::{Machine, mark_dirty};
use pagewalk_base::trace::Kind;

/// Dirty pages that walks of this batch have read, stores apart, whose entries know it at once.
#[derive(Default)]
pub(super) struct Learned(Vec<Walk>);

struct Walk {
    /// The array of level 2 that it filled.
    array: u8,
    tag: u64,
    index: u32,
}

impl Learned {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Tells entries of a page that a walk has found to be dirty.
    #[inline(never)]
    pub(super) fn walked(&mut self, machine: &mut Machine, miss: &Miss) {
        let Machine { plan, structures: Structures { l1, l2, .. }, page_class, .. } = machine;
        let page = miss.page.page(plan, page_class);
        if page.kind != Kind::Store {
            mark_dirty(plan, l1, l2, &page, true);
            let array = array(plan, miss);
            self.0.push(Walk { array, tag: page.tag, index: miss.index });
        }
    }

    /// Tells the entry of level 1 that a miss has filled what that of level 2 knew, which it hit.
    #[inline(always)]
    pub(super) fn hit(&self, machine: &mut Machine, miss: &Miss) {
        let page = miss.page;
        let is_dirty =
            page.is_at(Stage::HitDirty) || page.is_at(Stage::HitFresh) && self.knew(machine, miss);
        if is_dirty && page.kind() != Kind::Store {
            let Machine { plan, structures: Structures { l1, l2, .. }, page_class, .. } = machine;
            mark_dirty(plan, l1, l2, &page.page(plan, page_class), false);
        }
    }

    /// Whether the entry of level 2 that a miss of level 1 has hit knows from a walk before it in this batch that its
    /// page is dirty.
    #[inline(never)]
    pub(super) fn knew(&self, machine: &Machine, miss: &Miss) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let (array, tag) =
            (array(&machine.plan, miss), miss.page.page(&machine.plan, &machine.page_class).tag);
        let walks = self.0.iter().filter(|walk| walk.tag == tag && walk.array == array);
        walks.map(|walk| walk.index).min().is_some_and(|first| first < miss.index)
    }
}

/// The array of level 2 that a page is in.
fn array(plan: &Plan, miss: &Miss) -> u8 {
    plan.only_l2[miss.page.kind().index()][miss.page.leaf()]
}
