//! Pools of hugetlbfs pages.

use super::areas::Area;
use super::config::OsConfig;
use super::policy::PagePolicy;
use pagewalk_base::addr::{Leaf, PageSize, Paging, PerLeaf};

/// The number of pages left in each pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pools {
    /// The number of pages left for each leaf, or `None` if the pool never runs out.
    left: PerLeaf<Option<u64>>,
    pools: Vec<(PageSize, Leaf, u64)>,
}

impl Pools {
    pub(super) fn new(config: &OsConfig, paging: &Paging) -> Self {
        let (mut left, mut pools) = (PerLeaf::default(), Vec::new());
        for pool in &config.hugetlb {
            if let Some(leaf) = paging.leaf_level(pool.size) {
                left[leaf] = Some(pool.pages);
                pools.push((pool.size, leaf, pool.pages));
            }
        }
        Self { left, pools }
    }

    /// Returns whether a pool of an area may run out. Smaller pages at the edges of the area have pools, too.
    pub(super) fn are_limited_for(&self, area: &Area, paging: &Paging) -> bool {
        match area.pages {
            PagePolicy::Hugetlb(size) => {
                paging.sizes().into_iter().filter(|smaller| *smaller <= size).any(|size| {
                    paging.leaf_level(size).is_some_and(|leaf| self.left(leaf).is_some())
                })
            }
            _ => false,
        }
    }

    /// Takes a page from its pool. Returns false if the pool is empty.
    pub(super) fn take(&mut self, leaf: Leaf) -> bool {
        match &mut self.left[leaf] {
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
            None => true,
        }
    }

    pub(super) fn give_back(&mut self, leaf: Leaf) {
        if let Some(left) = &mut self.left[leaf] {
            *left += 1;
        }
    }

    /// Returns for each pool the page size, the number of pages, and the number of free pages.
    pub(super) fn list(&self) -> impl Iterator<Item = (PageSize, u64, u64)> + '_ {
        self.pools.iter().map(|(size, leaf, pages)| (*size, *pages, self.left(*leaf).unwrap_or(0)))
    }

    pub(super) fn left(&self, leaf: Leaf) -> Option<u64> {
        self.left[leaf]
    }
}
