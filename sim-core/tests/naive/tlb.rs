//! A naive TLB array: the pages that it holds, and their keys.

use std::collections::BTreeMap;

use super::array::{Array, Key};
use super::geometry::Geometry;
use pagewalk::caches::tlb::{ArrayConfig, Caps};
use pagewalk::config::MachineConfig;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;

pub(super) struct Tlb {
    pub(super) array: Array,
    pub(super) serves: Vec<Kind>,
    pages: Vec<PageSize>,
    fragments: Vec<PageSize>,
    paging: Geometry,
    /// The sizes of coalesced groups, with the sizes of their pages.
    pub(super) runs: Vec<(PageSize, PageSize)>,
    ways_of: BTreeMap<PageSize, u32>,
    caps: Option<Caps>,
}

impl Tlb {
    pub(super) fn new(config: &ArrayConfig, machine: &MachineConfig, paging: &Geometry) -> Self {
        let run = |(size, n): (&PageSize, &u32)| (run_size(*size, *n), *size);
        let runs: Vec<_> = machine.coalescing.iter().map(run).collect();
        let all = paging.sizes().into_iter().chain(runs.iter().map(|(run, _)| *run)).collect();
        Self {
            array: Array::new(
                config.entries,
                config.ways,
                config.replacement,
                config.index.clone(),
            ),
            serves: config.serves.clone().unwrap_or(Kind::SERVED.to_vec()),
            pages: config.pages.clone().unwrap_or(all),
            fragments: config.fragments.clone().unwrap_or_default(),
            paging: paging.clone(),
            runs,
            ways_of: config.ways_of.iter().map(|(size, n)| (*size, *n)).collect(),
            caps: config.caps,
        }
    }

    /// Returns the key of a page, if this array can hold it.
    pub(super) fn key(&self, kind: Kind, size: PageSize, va: u64, pid: u32) -> Option<Key> {
        let kept = if self.pages.contains(&size) {
            size
        } else if self.fragments.contains(&size) {
            *self.paging.sizes().iter().filter(|p| **p < size && self.pages.contains(p)).max()?
        } else if let Some((_, page)) = self.runs.iter().find(|(run, _)| *run == size) {
            return self.key(kind, *page, va, pid);
        } else {
            // A contiguous page without its own entry size in the array is kept as single entries.
            let (entry, n) = entries_of(&self.paging, size);
            return if n > 1 { self.key(kind, entry, va, pid) } else { None };
        };
        self.serves.contains(&kind).then(|| (kept.to_string(), va >> kept.shift(), pid))
    }
}

impl Tlb {
    pub(super) fn fill(&mut self, kind: Kind, key: Key) -> Option<Key> {
        self.drop_parts(&key);
        let n = self.array.sets[0].0.len();
        if let Some(caps) = self.caps {
            let ways = |cap: Option<u32>| cap.map_or(n, |cap| cap as usize);
            let among = match kind {
                Kind::Fetch => n - ways(caps.instructions)..n,
                _ => 0..ways(caps.data),
            };
            return self.array.fill_among(key, among);
        }
        let size = PageSize::parse(&key.0).unwrap();
        let allowed = self.ways_of.get(&size).map_or(n, |ways| *ways as usize);
        let group = key.1 as usize / self.array.sets.len() % (n / allowed);
        self.array.fill_among(key, group * allowed..(group + 1) * allowed)
    }

    /// Returns whether a load of the page, or of its coalesced group, would hit.
    pub(super) fn holds(
        &self,
        (size, run): (PageSize, Option<PageSize>),
        va: u64,
        pid: u32,
    ) -> bool {
        let run = run.filter(|run| self.pages.contains(run));
        let keys =
            run.into_iter().chain([size]).filter_map(|held| self.key(Kind::Load, held, va, pid));
        keys.into_iter().any(|key| self.array.holds(&key))
    }

    /// Drops the entries of the pages of a coalesced group, because the entry of the group replaces them.
    fn drop_parts(&mut self, (name, number, pid): &Key) {
        let size = PageSize::parse(name).unwrap();
        let Some((_, page)) = self.runs.iter().find(|(run, _)| *run == size) else { return };
        let n = size.bytes() / page.bytes();
        for number in number * n..(number + 1) * n {
            let gone = self.array.remove(&(page.to_string(), number, *pid));
            self.array.invalidations += u64::from(gone);
        }
    }
}

/// Looks up a page in all arrays of a level that serve the kind. Arrays that hold coalesced groups are first
/// looked up for the group. Returns the size of the entry that hit.
pub(super) fn lookup(
    level: &mut [Tlb],
    kind: Kind,
    (size, run): (PageSize, Option<PageSize>),
    va: u64,
    pid: u32,
) -> Option<PageSize> {
    let mut hit = None;
    for tlb in level.iter_mut().filter(|t| t.serves.contains(&kind)) {
        tlb.array.lookups += 1;
        let run = run.filter(|run| tlb.pages.contains(run));
        let mut can_hold = false;
        for held in run.into_iter().chain([size]) {
            let Some(key) = tlb.key(kind, held, va, pid) else { continue };
            can_hold = true;
            if tlb.array.lookup(&key) {
                tlb.array.hits += 1;
                hit = hit.max(Some(held));
                can_hold = false;
                break;
            }
        }
        tlb.array.misses += u64::from(can_hold);
    }
    hit
}

pub(super) fn run_size(size: PageSize, n: u32) -> PageSize {
    PageSize(size.0 + n.trailing_zeros() as u8)
}

/// Returns the size of the entries that map a page, and their number.
pub(super) fn entries_of(paging: &Geometry, size: PageSize) -> (PageSize, u64) {
    for (entry, n) in &paging.contiguous {
        if entry.bytes() * u64::from(*n) == size.bytes() {
            return (*entry, u64::from(*n));
        }
    }
    (size, 1)
}
