//! A checked configuration, worked out into the tables that the machine reads
//! at every access. It never changes while a machine runs.

use std::rc::Rc;

use crate::addr::Paging;
use crate::config::MachineConfig;
use crate::error::Result;
use crate::psc;
use crate::tlb::{TagLayout, TlbArray};
use crate::trace::Kind;

/// An array to probe, and the level at whose page size the page is kept there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    pub(crate) array: u8,
    pub(crate) held: u8,
}

/// Up to eight targets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Targets {
    n: u8,
    items: [Target; crate::config::MAX_ARRAYS],
}

impl Targets {
    #[inline]
    pub(crate) fn get(&self) -> &[Target] {
        &self.items[..usize::from(self.n)]
    }

    fn push(&mut self, target: Target) {
        self.items[usize::from(self.n)] = target;
        self.n += 1;
    }
}

/// What the machine does for one kind of access and one page size.
pub(crate) type ByPage = [[Targets; 8]; 4];

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) config: MachineConfig,
    pub(crate) paging: Rc<Paging>,
    pub(crate) n_levels: u8,
    pub(crate) va_mask: u64,
    /// The lowest index bit of each level; `shift[l]` is also the page shift of leaf level `l`.
    pub(crate) shift: [u32; 8],
    pub(crate) tags: TagLayout,
    /// The arrays of each level that hold the page, in file order: the first is filled.
    pub(crate) l1: ByPage,
    pub(crate) l2: ByPage,
    /// By kind and leaf level: the array, if just one holds the page, and whole; else [`SEVERAL`].
    pub(crate) only_l1: [[u8; 8]; 4],
    pub(crate) only_l2: [[u8; 8]; 4],
    /// By kind and leaf level: log2 of the piece of a page that one entry covers, in the array
    /// that is filled first. An access beyond it needs a second translation.
    pub(crate) reach: [[u32; 8]; 4],
    pub(crate) psc: psc::Layout,
    /// By kind: whether an array of level 1 serves it.
    pub(crate) has_l1: [bool; 4],
    pub(crate) l2_hit: [u64; 4],
    pub(crate) walk_overhead: u64,
    pub(crate) n_l1: usize,
    pub(crate) n_l2: usize,
    /// Whether every access must be simulated by itself whatever the pages are.
    each_access: bool,
}

impl Plan {
    /// # Errors
    /// `bad-config` with the field.
    pub(crate) fn new(config: &MachineConfig, l1: &[TlbArray], l2: &[TlbArray]) -> Result<Self> {
        let paging = config.geometry()?;
        let names: Vec<&str> = config.l2.iter().map(|array| array.name.as_str()).collect();
        let mut shift = [0; 8];
        for level in 1..=paging.n_levels() {
            shift[usize::from(level)] = paging.shift(level);
        }
        // A kind without an array at level 1 starts at level 2, where a hit is then free.
        let has_l1 = Kind::ALL.map(|kind| l1.iter().any(|array| array.serves(kind)));
        let l2_hit = Kind::ALL.map(|kind| {
            if has_l1[kind.index()] { u64::from(config.latency.l2_hit.of(kind)) } else { 0 }
        });
        let (l1_pages, l2_pages) = (by_page(l1, &paging), by_page(l2, &paging));
        let shared = l1
            .iter()
            .any(|a| a.serves(Kind::Fetch) && (a.serves(Kind::Load) || a.serves(Kind::Store)));
        Ok(Self {
            n_levels: paging.n_levels(),
            va_mask: paging.va_mask(),
            shift,
            tags: TagLayout::new(&paging),
            only_l1: l1_pages.map(|pages| only(&pages)),
            only_l2: l2_pages.map(|pages| only(&pages)),
            reach: reach(&l1_pages, &l2_pages, &shift),
            l1: l1_pages,
            l2: l2_pages,
            has_l1,
            psc: config.psc.layout(&names).map_err(|e| e.within("psc"))?,
            l2_hit,
            walk_overhead: u64::from(config.latency.walk_overhead),
            n_l1: l1.len(),
            n_l2: l2.len(),
            each_access: shared || config.memory.data || paging.offset_bits < 12,
            paging: Rc::new(paging),
            config: config.clone(),
        })
    }

    /// True if repeats on one page may be counted instead of simulated: fetches share
    /// no level-1 array with data, nothing watches each access, and for every kind
    /// each page size in use is kept, whole, in one level-1 array.
    pub(crate) fn may_skip_repeats(&self, leaf_levels: &[u8]) -> bool {
        let kept = |kind: Kind, leaf: u8| self.only_l1[kind.index()][usize::from(leaf)] != SEVERAL;
        !self.each_access
            && leaf_levels.iter().all(|leaf| Kind::SERVED.iter().all(|kind| kept(*kind, *leaf)))
    }

    /// The number of the first paging-structure cache among the structures.
    pub(crate) fn first_psc(&self) -> usize {
        self.n_l1 + self.n_l2
    }
}

/// No array has this number.
pub(crate) const SEVERAL: u8 = u8::MAX;

fn only(pages: &[Targets; 8]) -> [u8; 8] {
    let mut leaf = 0;
    pages.each_ref().map(|targets| {
        let found = match targets.get() {
            [target] if target.held == leaf => target.array,
            _ => SEVERAL,
        };
        leaf += 1;
        found
    })
}

fn reach(l1: &ByPage, l2: &ByPage, shift: &[u32; 8]) -> [[u32; 8]; 4] {
    let mut reach = [*shift; 4];
    for (kind, pages) in reach.iter_mut().enumerate() {
        for (leaf, bits) in pages.iter_mut().enumerate() {
            let first = l1[kind][leaf].get().first().or(l2[kind][leaf].get().first());
            if let Some(target) = first {
                *bits = shift[usize::from(target.held)];
            }
        }
    }
    reach
}

fn by_page(arrays: &[TlbArray], paging: &Paging) -> ByPage {
    let mut found = ByPage::default();
    for kind in Kind::ALL {
        for leaf in 1..=paging.n_levels() {
            for (number, array) in arrays.iter().enumerate() {
                if let (true, Some(held)) = (array.serves(kind), array.held_at(leaf)) {
                    let array = u8::try_from(number).expect("at most 8 arrays a level");
                    found[kind.index()][usize::from(leaf)].push(Target { array, held });
                }
            }
        }
    }
    found
}
