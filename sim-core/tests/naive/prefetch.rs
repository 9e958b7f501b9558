//! A naive prefetcher of TLB entries. It keeps the whole history of a core, and searches it for what a table of the
//! least recently used rows would still hold.

use std::collections::BTreeSet;

use super::Naive;
use super::array::{Array, Key};
use super::tlb::{entries_of, run_size};

use pagewalk::caches::policy::Policy;
use pagewalk::caches::tlb::Index;
use pagewalk::caches::tlb_prefetch::{PrefetchInto, PrefetchMethod, TlbPrefetchConfig};
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::{Access, Kind};

pub(crate) struct Prefetcher {
    config: TlbPrefetchConfig,
    pub(crate) buffer: Option<Array>,
    /// The entries of the buffer that are known to be dirty.
    dirty: BTreeSet<Key>,
    /// The prefetched entries of level 2 that no access has used, by array.
    unused: BTreeSet<(usize, Key)>,
    /// Pages with the accessed line, instructions with the missed page, or missed pages.
    history: Vec<(u64, u64)>,
    missed: Vec<u64>,
    fetched: Option<u64>,
    /// The numbers of the report: issued, useful, useless, unmapped, without instruction, references, cycles.
    pub(crate) counts: [u64; 7],
}

const ISSUED: usize = 0;
const USEFUL: usize = 1;
const USELESS: usize = 2;
const UNMAPPED: usize = 3;
const WITHOUT_IP: usize = 4;
const REFS: usize = 5;
const CYCLES: usize = 6;

impl Prefetcher {
    pub(super) fn new(config: &TlbPrefetchConfig) -> Self {
        let buffer = match (config.into, config.buffer) {
            (PrefetchInto::L2, _) => None,
            (_, None) => Some(Array::new(16, None, Policy::Lru, Index::LowBits)),
            (_, Some(s)) => Some(Array::new(s.entries, s.ways, s.replacement, Index::LowBits)),
        };
        Self {
            config: *config,
            buffer,
            dirty: BTreeSet::new(),
            unused: BTreeSet::new(),
            history: Vec::new(),
            missed: Vec::new(),
            fetched: None,
            counts: [0; 7],
        }
    }

    fn rows(&self) -> usize {
        self.config.rows.unwrap_or(64) as usize
    }

    /// Returns the addresses to prefetch after an access to a page.
    fn after_access(&mut self, page: u64, size: PageSize, address: u64) -> Vec<u64> {
        if self.config.method != PrefetchMethod::NextPage {
            return Vec::new();
        }
        let line = (address - page) / 64;
        let before = uses(&self.history, page, self.rows()).first().map(|at| self.history[*at].1);
        self.history.push((page, line));
        let n_lines = size.bytes() / 64;
        match before {
            Some(before) if line == n_lines - 1 && line == before + 1 => {
                Vec::from_iter(page.checked_add(size.bytes()))
            }
            Some(1) if line == 0 => Vec::from_iter(page.checked_sub(size.bytes())),
            _ => Vec::new(),
        }
    }

    /// Returns the addresses to prefetch after a miss.
    fn after_miss(&mut self, page: u64, ip: Option<u64>) -> Vec<u64> {
        let add = |step: u64| page.checked_add_signed(step as i64);
        match self.config.method {
            PrefetchMethod::NextPage => Vec::new(),
            PrefetchMethod::Stride => {
                let Some(ip) = ip else {
                    self.counts[WITHOUT_IP] += 1;
                    return Vec::new();
                };
                let known: Vec<u64> = uses(&self.history, ip, self.rows())
                    .iter()
                    .map(|at| self.history[*at].1)
                    .collect();
                self.history.push((ip, page));
                match known[..] {
                    [last, earlier, ..]
                        if page != last
                            && page.wrapping_sub(last) == last.wrapping_sub(earlier) =>
                    {
                        Vec::from_iter(add(page.wrapping_sub(last)))
                    }
                    _ => Vec::new(),
                }
            }
            PrefetchMethod::Distance => {
                // The history has (distance, page) of each miss. The first miss has no distance.
                let Some((_, last)) = self.history.last().copied() else {
                    self.history.push((0, page));
                    return Vec::new();
                };
                let now = page.wrapping_sub(last);
                let distances = &self.history[1..];
                let mut follow: Vec<u64> = Vec::new();
                for at in uses(distances, now, self.rows()) {
                    let Some((next, _)) = distances.get(at + 1) else { continue };
                    if !follow.contains(next) {
                        follow.push(*next);
                    }
                }
                follow.truncate(self.config.distances.unwrap_or(2) as usize);
                self.history.push((now, page));
                follow.into_iter().filter_map(add).collect()
            }
        }
    }
}

/// Returns the places of a key in the history, the latest first, as far as a table of `rows` rows has kept its row.
fn uses(history: &[(u64, u64)], key: u64, rows: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut others = BTreeSet::new();
    for (at, (other, _)) in history.iter().enumerate().rev() {
        if *other == key {
            found.push(at);
            others.clear();
        } else {
            others.insert(*other);
            if others.len() == rows {
                break;
            }
        }
    }
    found
}

impl Naive {
    /// Records a miss of level 2, and looks up the buffer. Returns whether an entry there was dirty.
    pub(super) fn miss_l2(
        &mut self,
        kind: Kind,
        address: u64,
        size: PageSize,
        (va, tag): (u64, u32),
    ) -> Option<bool> {
        if let (Some(own), Kind::Load | Kind::Store, false) =
            (&mut self.prefetcher, kind, self.is_prefetching)
        {
            own.missed.push(address >> size.shift() << size.shift());
        }
        self.take_from_buffer(kind, size, va, tag)
    }

    /// Takes a page out of the buffer. Returns whether its entry was dirty.
    fn take_from_buffer(&mut self, kind: Kind, size: PageSize, va: u64, tag: u32) -> Option<bool> {
        let own = self.prefetcher.as_mut()?;
        let buffer = own.buffer.as_mut().filter(|_| kind != Kind::Fetch)?;
        buffer.lookups += 1;
        let key = (size.to_string(), va >> size.shift(), tag);
        if !buffer.remove(&key) {
            return None;
        }
        buffer.hits += 1;
        own.counts[USEFUL] += 1;
        Some(own.dirty.remove(&key))
    }

    /// Records the use of an entry of level 2.
    pub(super) fn used_in_l2(&mut self, kind: Kind, held: PageSize, va: u64, tag: u32) {
        let Some(own) = &mut self.prefetcher else { return };
        for (at, tlb) in self.l2.iter().enumerate() {
            if let Some(key) = tlb.key(kind, held, va, tag) {
                own.counts[USEFUL] += u64::from(own.unused.remove(&(at, key)));
            }
        }
    }

    /// Records a victim of level 2.
    pub(super) fn evicted_from_l2(&mut self, from: usize, victim: &Key) {
        if let Some(own) = &mut self.prefetcher {
            own.counts[USELESS] += u64::from(own.unused.remove(&(from, victim.clone())));
        }
    }

    /// Forgets that an entry of level 2 was prefetched, because another one replaces it.
    pub(super) fn filled_by_walk(&mut self, array: usize, key: &Key) {
        if let Some(own) = &mut self.prefetcher {
            own.unused.remove(&(array, key.clone()));
        }
    }

    /// Learns from an access to a page of `size`, and prefetches.
    pub(super) fn prefetch_translations(&mut self, access: &Access, size: PageSize) {
        let Some(own) = &mut self.prefetcher else { return };
        let missed = std::mem::take(&mut own.missed);
        match access.kind {
            Kind::Prefetch => return,
            Kind::Fetch => {
                own.fetched = Some(access.address);
                return;
            }
            Kind::Load | Kind::Store => {}
        }
        let page = access.address >> size.shift() << size.shift();
        let mut targets = own.after_access(page, size, access.address);
        for page in missed {
            targets.extend(own.after_miss(page, access.ip.or(own.fetched)));
        }
        for target in targets {
            self.prefetch_translation(target, access);
        }
    }

    fn prefetch_translation(&mut self, target: u64, access: &Access) {
        if self.paging.is_upper(target) != self.paging.is_upper(access.address)
            || !self.paging.has(target)
        {
            return;
        }
        let pid = access.pid;
        let guest = self.size_at(target);
        let va = target & self.paging.va_mask();
        let page = self.mapped.get(&(pid, va >> guest.shift(), guest.shift()));
        let data = page.map(|page| page.address + va % guest.bytes());
        let data = data.filter(|data| self.host.as_ref().is_none_or(|host| host.has(*data)));
        let size = match (&self.host, data) {
            (Some(host), Some(data)) => guest.min(host.size_at(data)),
            _ => guest,
        };
        let tag = self.page_tag(target);
        let run = self.config.coalescing.get(&size).map(|n| run_size(size, *n));
        let key = (size.to_string(), va >> size.shift(), tag);
        let buffer = self.prefetcher.as_ref().unwrap().buffer.as_ref();
        let has_place = buffer.is_some()
            || self.l2.iter().any(|tlb| tlb.key(Kind::Load, size, va, tag).is_some());
        let is_cached = buffer.is_some_and(|buffer| buffer.holds(&key))
            || self.l1.iter().chain(&self.l2).any(|tlb| tlb.holds((size, run), va, tag));
        if is_cached {
            return;
        }
        if data.is_none() {
            self.prefetcher.as_mut().unwrap().counts[UNMAPPED] += 1;
            return;
        }
        if !has_place {
            return;
        }
        let before = (self.refs, self.ad_updates, self.walk_cycles, self.served.clone());
        let host_refs = self.host.as_ref().map(|host| host.refs);
        let (entry, _) = entries_of(&self.paging, guest);
        let leaf = (1..=self.paging.n_levels()).find(|l| self.paging.size_of(*l) == entry).unwrap();
        let is_known = if self.host.is_some() {
            self.walk_nested(Kind::Load, va, pid, leaf, guest)
        } else {
            self.walk(va, pid, leaf, guest);
            true
        };
        let (refs, cycles) = (self.refs - before.0, self.walk_cycles - before.2);
        (self.refs, self.ad_updates, self.walk_cycles, self.served) = before;
        if let (Some(host), Some(refs)) = (&mut self.host, host_refs) {
            host.refs = refs;
        }
        let is_dirty = is_known && self.mapped[&(pid, va >> guest.shift(), guest.shift())].dirty;
        let own = self.prefetcher.as_mut().unwrap();
        own.counts[ISSUED] += 1;
        own.counts[REFS] += refs;
        own.counts[CYCLES] += cycles;
        if let Some(buffer) = &mut own.buffer {
            if let Some(victim) = buffer.fill(key.clone()) {
                own.counts[USELESS] += 1;
                own.dirty.remove(&victim);
            }
            if is_dirty {
                own.dirty.insert(key);
            }
            return;
        }
        let held = run.filter(|run| self.lies_together(va, pid, leaf, size, *run)).unwrap_or(size);
        self.fill_l2(Kind::Load, held, va, tag);
        self.filled(2, Kind::Load, va, held, is_dirty);
        let own = self.prefetcher.as_mut().unwrap();
        for (at, tlb) in self.l2.iter().enumerate() {
            let key = tlb.key(Kind::Load, held, va, tag);
            own.unused.extend(key.filter(|key| tlb.array.holds(key)).map(|key| (at, key)));
        }
    }
}
