//! A page that is translated, as the arrays know it.

use crate::caches::tlb::TlbArray;
use crate::machine::plan::{Plan, Target};
use pagewalk_base::trace::Kind;

/// A page to translate, and its key.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    pub(crate) kind: Kind,
    /// What maps it: the level of one entry, or a group of entries.
    pub(crate) leaf: u8,
    /// The address, without the bits that translation does not look at.
    pub(crate) va: u64,
    pub(crate) number: u64,
    pub(crate) tag: u64,
}

impl Page {
    /// The number and tag under which a target keeps the page.
    #[inline(always)]
    pub(crate) fn key(&self, target: Target, plan: &Plan) -> (u64, u64) {
        if target.held == self.leaf {
            (self.number, self.tag)
        } else {
            self.piece(target.held, plan)
        }
    }

    /// The key of a piece of the page, of the size of leaf `held`.
    #[inline(never)]
    fn piece(&self, held: u8, plan: &Plan) -> (u64, u64) {
        let number = self.va >> plan.shift[usize::from(held)];
        (number, number | plan.tags.page_class(held, plan.tags.space(self.tag)))
    }
}

/// Tells the entries of level 1, and of level 2 too if `both`, that have been filled for a page
/// and are still there that it is dirty.
#[inline(never)]
pub(crate) fn mark_dirty(
    plan: &Plan,
    l1: &mut [TlbArray],
    l2: &mut [TlbArray],
    page: &Page,
    both: bool,
) {
    let (kind, leaf) = (page.kind.index(), usize::from(page.leaf) % 8);
    let filled = l1.get_mut(usize::from(plan.only_l1[kind][leaf])).into_iter();
    let second = l2.get_mut(usize::from(plan.only_l2[kind][leaf])).filter(|_| both);
    for array in filled.chain(second) {
        if let Some(entry) = array.entries.known(page.number, page.tag) {
            entry.mark_dirty();
        }
    }
}
