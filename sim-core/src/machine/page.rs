//! The page of a translation, and its key in the TLB arrays.

use crate::caches::tlb::{Key, TlbArray};
use crate::machine::plan::{Plan, Target};
use pagewalk_base::addr::Leaf;
use pagewalk_base::trace::Kind;

/// A page to translate, and its key in arrays that hold it in one entry.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    pub(crate) kind: Kind,
    /// Which entry maps the page: a level, or a group of entries.
    pub(crate) leaf: Leaf,
    /// The address bits that translation reads.
    pub(crate) va: u64,
    pub(crate) key: Key,
}

impl Page {
    /// Returns the key of the page in an array.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn key_in(&self, target: Target, plan: &Plan) -> Key {
        if target.held == self.leaf { self.key } else { self.piece(target.held, plan) }
    }

    /// Returns the key of a piece of the page that has the size of leaf `held`.
    #[inline(never)]
    fn piece(&self, held: Leaf, plan: &Plan) -> Key {
        let class = plan.tags.page_class(held, plan.tags.owner(self.key.tag));
        Key::new(self.va >> plan.shift[held], class)
    }
}

/// Marks a page dirty in the level-1 entry that holds it, and with `both` also in the level-2 entry. It fills no
/// entry.
#[inline(never)]
pub(crate) fn mark_dirty(
    plan: &Plan,
    l1: &mut [TlbArray],
    l2: &mut [TlbArray],
    page: &Page,
    both: bool,
) {
    let (kind, leaf) = (page.kind.index(), page.leaf);
    let filled = l1.get_mut(usize::from(plan.only_l1[kind][leaf])).into_iter();
    let second = l2.get_mut(usize::from(plan.only_l2[kind][leaf])).filter(|_| both);
    for array in filled.chain(second) {
        if let Some(entry) = array.entries.known(page.key) {
            entry.mark_dirty();
        }
    }
}
