//! TLB blocks in the second memory cache (Victima). A miss of level 2 looks its page up there, while a walk would begin.
//!
//! ```text
//! miss of level 2 ─▶ block with the page ─hit─▶ no walk: the cycles of level 2 and of one read of the cache
//!                          └miss─▶ walk ─▶ the page is costly? ─▶ write the block of its eight pages
//! level 2 evicts a page of the running process ─▶ not in a block, and costly? ─▶ write its block
//! ```
//!
//! A block holds the pages that are mapped at their size and have the accessed flag, as the page table says when the block
//! is written. Writing takes no cycles and reads nothing. A page is costly by the counts of its walks (`caches/victima`).

use crate::caches::memory::Memory;
use crate::caches::tlb::{Class, Key};
use crate::caches::victima::{BlockSets, Content, Costs, PAGES_BITS, VictimaConfig, split};
use crate::machine::probe::{BlockEvent, BlockFact, Outcome, Probe, Translation};
use crate::machine::{Machine, Page};
use crate::page_table::{ACCESSED, DIRTY, PRESENT};
use pagewalk_base::addr::{Leaf, Paging, PerLeaf};
use pagewalk_base::trace::Kind;

/// The two smallest page sizes have blocks.
const N_SIZES: usize = 2;

/// The costs of pages, and which pages have blocks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Victima {
    config: VictimaConfig,
    costs: Costs,
    has_blocks: PerLeaf<bool>,
}

impl Victima {
    pub(crate) fn new(config: VictimaConfig, paging: &Paging) -> Self {
        let mut has_blocks = PerLeaf::default();
        for leaf in paging.leaves().into_iter().take(N_SIZES) {
            has_blocks[leaf] = true;
        }
        Self { config, costs: Costs::new(config), has_blocks }
    }

    /// Returns whether pages of a leaf have blocks.
    pub(crate) fn has_blocks(&self, leaf: Leaf) -> bool {
        self.has_blocks[leaf]
    }

    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        self.costs.bytes_apart_from(other.map(|other| &other.costs))
    }
}

impl Machine {
    /// Looks up the block of a page, and walks on a miss. Returns whether the page is known to be dirty.
    #[inline(never)]
    pub(crate) fn look_up_block_or_walk(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut dyn Probe,
    ) -> Option<bool> {
        // One copy of the code serves all observers.
        let probe = &mut { probe };
        if !self.victima.as_ref().is_some_and(|victima| victima.has_blocks[page.leaf]) {
            return self.walk_checked(page, done, probe);
        }
        if let Some(dirty) = self.look_up_block(page, done, probe) {
            return Some(dirty);
        }
        let n_from_dram = |memory: &Memory| memory.blocks().map_or(0, BlockSets::n_from_dram);
        let before = n_from_dram(&self.memory);
        let dirty = self.walk_checked(page, done, probe)?;
        let n_from_dram = n_from_dram(&self.memory).wrapping_sub(before);
        if let Some(victima) = &mut self.victima {
            victima.costs.count((self.space, page.leaf, page.key.number), n_from_dram);
            if victima.config.after_walks() {
                self.write_block(page, Some(dirty), probe);
            }
        }
        Some(dirty)
    }

    fn look_up_block<P: Probe>(
        &mut self,
        page: &Page,
        done: &mut Translation,
        probe: &mut P,
    ) -> Option<bool> {
        let (sets, cycles) = self.memory.blocks_mut()?;
        let (set, hit) = sets.look_up(page.key, page.kind == Kind::Store);
        let event = hit.map_or(BlockEvent::Miss, |hit| BlockEvent::Hit { way: hit.way, cycles });
        let Page { kind, leaf, key: Key { number, .. }, .. } = *page;
        probe.block(&BlockFact { kind, number, leaf, set, event });
        let hit = hit?;
        done.outcome = Outcome::L2Hit;
        done.l2_cycles = self.plan.l2_miss[kind.index()] + cycles;
        if hit.first_store {
            done.add(self.set_dirty(page));
        }
        Some(hit.dirty)
    }

    /// Writes the block of a page that a fill for an access of `kind` evicted from level 2. Only tables of the running
    /// process can be read.
    #[inline(never)]
    pub(crate) fn write_evicted(&mut self, tag: u64, kind: Kind, probe: &mut dyn Probe) {
        let tags = self.plan.tags;
        let Class::Page(held) = tags.class(tag) else { return };
        let Some(victima) = &self.victima else { return };
        let runs = tags.owner(tag) == tags.owner(self.page_class[held]);
        if !runs || !victima.config.after_evictions() {
            return;
        }
        let va = tags.number(tag) << self.plan.shift[held];
        let leaf = self.os.leaf_at(self.space, va);
        let key = Key::new(va >> self.plan.shift[leaf], self.page_class[leaf]);
        if victima.has_blocks[leaf] && !self.memory.blocks().is_some_and(|sets| sets.holds(key)) {
            self.write_block(&Page { kind, leaf, va, key }, None, probe);
        }
    }

    /// Writes the block of a costly page. After a walk, `walked` says whether the page is known to be dirty.
    fn write_block(&mut self, page: &Page, walked: Option<bool>, probe: &mut dyn Probe) {
        let Page { kind, leaf, key, .. } = *page;
        let Some(victima) = &self.victima else { return };
        let costs = victima.costs.of((self.space, leaf, key.number));
        let is_costly = victima.config.is_costly(costs);
        let content = self.content_of_block(page, walked);
        let Some((sets, _)) = self.memory.blocks_mut() else { return };
        let evicted = walked.is_none();
        let (set, event) = if !is_costly {
            (sets.set_number(key), BlockEvent::NotCostly { evicted })
        } else if content.pages == 0 {
            return;
        } else {
            let (set, way) = sets.write(key, content);
            (set, BlockEvent::Written { way, n_pages: content.pages.count_ones(), evicted })
        };
        probe.block(&BlockFact { kind, number: key.number, leaf, set, event });
    }

    /// Returns the pages that the block of a page holds: those with an entry that a walk has used.
    fn content_of_block(&self, page: &Page, walked: Option<bool>) -> Content {
        let (shift, level) = (self.plan.shift[page.leaf], self.plan.entry_level[page.leaf]);
        let first = page.key.number >> PAGES_BITS << PAGES_BITS;
        let mut content = Content::default();
        for at in 0..1 << PAGES_BITS {
            let address = (first + at) << shift;
            // A table of fewer than eight pages may end before the block does.
            if address & !self.plan.va_mask != 0 {
                break;
            }
            let Some((table, index)) = self.tables.entry_at(self.space, address, level) else {
                continue;
            };
            let entry = self.tables.read(table, index);
            let is_used = entry & (PRESENT | ACCESSED) == PRESENT | ACCESSED;
            if is_used && self.tables.is_leaf(entry, level) {
                content.pages |= 1 << at;
                content.dirty |= u8::from(entry & DIRTY != 0) << at;
            }
        }
        if let Some(dirty) = walked {
            let bit = split(page.key.tag).1;
            content.pages |= bit;
            content.dirty = content.dirty & !bit | if dirty { bit } else { 0 };
        }
        content
    }
}

/// Takes the pages out of TLB blocks whose tags are gone, and returns their number.
pub(crate) fn take_out_of_blocks(
    sets: Option<&mut BlockSets>,
    probe: &mut dyn Probe,
    is_gone: &dyn Fn(u64) -> bool,
) -> u32 {
    let Some(sets) = sets else { return 0 };
    let n = sets.take_out(is_gone);
    probe.blocks_left(n);
    n
}
