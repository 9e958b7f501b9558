//! Inclusive and exclusive TLB levels. Inclusive: a page that leaves level 2 leaves level 1 too. Exclusive:
//! level 2 holds the victims of level 1.
//!
//! ```text
//! inclusive   walk ─▶ fill level 2 ─victim─▶ leaves level 1
//!                └──▶ fill level 1 ─victim─▶ dropped: level 2 has it
//!
//! exclusive   walk ────────────────────▶ fill level 1 ─victim─▶ level 2
//!             level-2 hit ─moves up────▶ fill level 1 ─victim─▶ level 2
//! ```
//!
//! Level 1 may hold a page in pieces (`fragments`) that level 2 holds whole. A victim that is a piece then
//! enters level 2 as its page. An entry that moves up leaves level 2 before level 1 is filled. If the
//! victim is another piece of the same page, level 2 holds the page again.
//!
//! Both rules apply only to pages that level 1 and level 2 can hold for the kind of access. Table
//! entries that live in a level-2 array are exempt, but a page that a table entry evicts has left level 2.

use crate::caches::tlb::{Class, Entry, Key};
use crate::machine::plan::Plan;
use crate::machine::probe::{Leaving, LeftFact, Probe};
use crate::machine::structures::{StructureId, Structures};
use crate::machine::{Machine, Page};
use pagewalk_base::addr::Leaf;
use pagewalk_base::trace::Kind;

impl Structures {
    /// Drops from level 1 every entry that covers a byte of a page evicted from level-2 array `from`. Only
    /// level-1 arrays that serve a kind of access which `from` serves are affected.
    #[inline(never)]
    pub(crate) fn back_invalidate<P: Probe>(
        &mut self,
        plan: &Plan,
        from: u8,
        tag: u64,
        probe: &mut P,
    ) {
        let tags = plan.tags;
        let Class::Page(leaf) = tags.class(tag) else { return };
        let shift = plan.shift[leaf];
        let (first, owner) = (tags.number(tag) << shift, tags.owner(tag));
        let last = first | ((1 << shift) - 1);
        for array in 0..self.l1.len() {
            let shares = |kind: &Kind| {
                self.l1[array].serves(*kind) && self.l2[usize::from(from)].serves(*kind)
            };
            if !Kind::SERVED.iter().any(shares) {
                continue;
            }
            for held in self.l1[array].sizes() {
                let class = tags.page_class(held, owner);
                if plan.shift[held] >= shift {
                    let number = first >> plan.shift[held];
                    self.drop_l1(array, Key::new(number, class), probe);
                } else {
                    for number in self.pieces_in_l1(plan, array, (held, owner), (first, last)) {
                        self.drop_l1(array, Key::new(number, class), probe);
                    }
                }
            }
        }
    }

    /// Drops the entry of a key from a level-1 array, if there is such an entry.
    fn drop_l1<P: Probe>(&mut self, array: usize, key: Key, probe: &mut P) {
        let Some((slot, entry)) = self.l1[array].entries.take(key) else {
            return;
        };
        let why = Leaving::BackInvalidated;
        let structure = StructureId(array);
        probe.left(&LeftFact { structure, slot, tag: key.tag, entry, why });
        self.clear_last_if(structure, key.tag);
    }

    /// Returns the page numbers of all entries of leaf `held` in a level-1 array that lie in `first..=last`.
    fn pieces_in_l1(
        &self,
        plan: &Plan,
        array: usize,
        (held, owner): (Leaf, u32),
        (first, last): (u64, u64),
    ) -> Vec<u64> {
        let (tags, shift) = (plan.tags, plan.shift[held]);
        let entries = &self.l1[array].entries;
        let geometry = entries.geometry();
        let slots = (0..geometry.n_sets as usize)
            .flat_map(|set| (0..geometry.n_ways).map(move |way| (set, way)));
        slots
            .filter_map(|(set, way)| entries.at(set, way))
            .filter(|(tag, _)| tags.class(*tag) == Class::Page(held) && tags.owner(*tag) == owner)
            .map(|(tag, _)| tags.number(tag))
            .filter(|number| (first..=last).contains(&(number << shift)))
            .collect()
    }
}

impl Machine {
    /// Removes the entries of a page from level 2.
    pub(crate) fn take_from_l2<P: Probe>(&mut self, page: &Page, probe: &mut P) {
        for target in self.plan.l2[page.kind.index()][page.leaf].get() {
            let key = page.key_in(*target, &self.plan);
            let entries = &mut self.structures.l2[usize::from(target.array)].entries;
            let Some((slot, entry)) = entries.take(key) else { continue };
            let structure = self.plan.l2_id(target.array);
            probe.left(&LeftFact { structure, slot, tag: key.tag, entry, why: Leaving::MovedUp });
        }
    }

    /// Fills level 2 with a victim of level 1, at the time of the access that evicted it. A page that level 2
    /// already holds counts as used.
    pub(crate) fn move_down<P: Probe>(
        &mut self,
        kind: Kind,
        tag: u64,
        entry: Entry,
        index: u32,
        probe: &mut P,
    ) {
        let tags = self.plan.tags;
        let Class::Page(held) = tags.class(tag) else { return };
        let owner = tags.owner(tag);
        let va = tags.number(tag) << self.plan.shift[held];
        // Level 2 holds a piece of a larger page as the whole page.
        let (vm, space) = self.space_under(owner, va);
        let is_run = self.plan.coalesced.iter().any(|(_, run)| *run == Some(held));
        let leaf = if is_run {
            held
        } else {
            space.and_then(|space| self.mapped_leaf_in(vm, space, va)).unwrap_or(held)
        };
        let key = Key::new(va >> self.plan.shift[leaf], tags.page_class(leaf, owner));
        let victim = Page { kind, leaf, va, key };
        let Some(target) = self.l2_target(&victim) else { return };
        let key = victim.key_in(target, &self.plan);
        let entries = &mut self.structures.l2[usize::from(target.array)].entries;
        if let Some((_, present)) = entries.lookup(key) {
            present.set_data(present.data() | entry.data());
            return;
        }
        self.place_l2(target, &victim, (index, entry.data()), probe);
    }
}
