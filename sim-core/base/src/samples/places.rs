//! The place of an address. The latest record of its process's memory map decides; without a record, the file that
//! the sample names.

use std::collections::BTreeMap;

use super::names::last_word;
use crate::narrow::index;
use crate::trace::{Mapping, RegionKind};

/// The most places of a recording. Samples at further places get none.
const MAX_PLACES: usize = 1 << 16;
/// The most ranges that child processes copy from their parents. Further children start without ranges, because a
/// file can name any number of ranges and of children.
const MAX_COPIED: usize = 1 << 20;

/// A place: a range of memory that holds one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub kind: RegionKind,
    /// The name of the file, or what stands for a file: `[heap]`, `//anon`, ….
    pub name: String,
    /// The lowest address of the place, in any process.
    pub start: u64,
    /// The address after the highest one.
    pub end: u64,
}

impl Place {
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.capacity()
    }

    fn extend(&mut self, start: u64, end: u64) {
        self.start = self.start.min(start);
        self.end = self.end.max(end);
    }
}

/// All ranges that were ever mapped, by process and kind. Neighbouring ranges are joined.
#[derive(Debug, Default)]
pub(super) struct Areas {
    /// The end of each range, by its start.
    mapped: BTreeMap<(u32, RegionKind), BTreeMap<u64, u64>>,
    /// The parent of each process that another process created.
    pub(super) parents: BTreeMap<u32, u32>,
}

impl Areas {
    fn add(&mut self, pid: u32, kind: RegionKind, mut start: u64, mut end: u64) {
        let areas = self.mapped.entry((pid, kind)).or_default();
        while let Some((at, ends)) = areas.range(..=end).next_back().map(|(at, ends)| (*at, *ends))
        {
            if ends < start {
                break;
            }
            areas.remove(&at);
            (start, end) = (start.min(at), end.max(ends));
        }
        areas.insert(start, end);
    }

    /// Returns whether a process or one of its ancestors mapped a whole range for one kind of thing. Returns `None`
    /// if no record of a map covers any part of the range.
    pub(super) fn covers(&self, pid: u32, start: u64, end: u64) -> Option<bool> {
        const MAX_DEPTH: usize = 32;
        let lines = std::iter::successors(Some(pid), |pid| self.parents.get(pid).copied());
        let mut known = None;
        for pid in lines.take(MAX_DEPTH) {
            for kind in RegionKind::ALL {
                let Some(areas) = self.mapped.get(&(pid, kind)) else { continue };
                let last = areas.range(..end).next_back().filter(|(_, ends)| **ends > start);
                if let Some((at, ends)) = last {
                    known = Some(known.unwrap_or(false) || *at <= start && *ends >= end);
                }
            }
        }
        known
    }

    /// Returns the mapped areas as the numbers that a saved file holds.
    pub(super) fn save_areas(&self) -> impl Iterator<Item = [u64; 4]> + '_ {
        self.mapped.iter().flat_map(|((pid, kind), areas)| {
            let area = |(start, end): (&u64, &u64)| {
                [u64::from(*pid), *kind as u64, *start, end.saturating_sub(*start)]
            };
            areas.iter().map(area)
        })
    }

    /// Adds an area of a saved file. Returns `None` if its numbers are damaged.
    pub(super) fn restore_area(&mut self, [pid, kind, start, length]: [u64; 4]) -> Option<()> {
        let kind = *RegionKind::ALL.get(usize::try_from(kind).ok()?)?;
        self.add(u32::try_from(pid).ok()?, kind, start, start.checked_add(length)?);
        Some(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.mapped.values().map(|areas| 32 * areas.len() + 32).sum::<usize>()
    }
}

/// A range of a process. The key of the map is its start.
#[derive(Clone, Copy, Debug)]
struct Range {
    end: u64,
    place: Option<u32>,
}

type Map = BTreeMap<u64, Range>;

/// The number of recent files that are found by a hash, of code and of data each.
const RECENT_FILES: usize = 64;

/// A range of addresses in which a process has the same place, or no place.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    pid: u32,
    start: u64,
    end: u64,
    place: Option<u32>,
}

/// The places of a recording, and the current memory maps of its processes.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) list: Vec<Place>,
    /// The number of each place with its own name. Processes share a place of equal name.
    named: BTreeMap<(RegionKind, String), u32>,
    maps: BTreeMap<u32, Map>,
    pub(super) areas: Areas,
    /// The number of ranges that child processes have copied.
    copied: usize,
    /// The range of the last data access, and of the last instruction.
    last: [Extent; 2],
    /// The places of files that samples named, by a hash of the file.
    recent_files: Vec<Option<u32>>,
}

impl Places {
    /// Adds a record of a memory map. The record replaces the ranges that it overlaps.
    pub(super) fn map(&mut self, mapping: &Mapping) {
        self.last = Default::default();
        let Mapping { pid, start, end, kind, ref name, .. } = *mapping;
        let is_anonymous = matches!(kind, RegionKind::Anonymous | RegionKind::Jit);
        let neighbour = is_anonymous.then(|| self.neighbour(pid, start, end, kind)).flatten();
        let place = match neighbour {
            Some(id) => Some(id),
            None if is_anonymous => self.add(kind, name, start, end),
            None => self.named(kind, name, start, end),
        };
        if let Some(place) = place.and_then(|id| self.list.get_mut(id as usize)) {
            place.extend(start, end);
        }
        self.areas.add(pid, kind, start, end);
        let map = self.maps.entry(pid).or_default();
        clear(map, start, end);
        map.insert(start, Range { end, place });
    }

    /// Copies the memory map of a parent process to its child.
    pub(super) fn fork(&mut self, child: u32, parent: u32) {
        self.last = Default::default();
        self.areas.parents.insert(child, parent);
        let Some(map) = self.maps.get(&parent) else { return };
        self.copied = self.copied.saturating_add(map.len());
        if self.copied <= MAX_COPIED {
            self.maps.insert(child, map.clone());
        }
    }

    /// Returns the number of the place of an address, from 1 on, or 0 if the place is not known. `file` is the file
    /// that the sample names, or empty.
    #[inline]
    pub(super) fn find(&mut self, pid: u32, address: u64, file: &[u8], is_code: bool) -> u64 {
        let last = &mut self.last[usize::from(is_code)];
        if last.pid != pid || !(last.start..last.end).contains(&address) {
            *last = extent(&self.maps, pid, address);
        }
        match last.place {
            None if file.is_empty() => 0,
            None => self.in_file(address, file, is_code).map_or(0, |id| u64::from(id) + 1),
            Some(id) => u64::from(id) + 1,
        }
    }

    /// Returns the place of an address that no map covers, from the file that its sample names.
    fn in_file(&mut self, address: u64, file: &[u8], is_code: bool) -> Option<u32> {
        if file == b"[unknown]" {
            return None;
        }
        if self.recent_files.is_empty() {
            self.recent_files = vec![None; 2 * RECENT_FILES];
        }
        let slot = 2 * (hash(file) % RECENT_FILES) + usize::from(is_code);
        let is_it =
            |id: &u32| self.list.get(*id as usize).is_some_and(|p| p.name.as_bytes() == file);
        let id = if let Some(id) = self.recent_files[slot].filter(is_it) {
            id
        } else {
            let name = String::from_utf8_lossy(file);
            let kind = RegionKind::of_mapping(&name, is_code);
            self.named(kind, &name, address, address)?
        };
        self.recent_files[slot] = Some(id);
        self.list.get_mut(id as usize)?.extend(address, address.saturating_add(1));
        Some(id)
    }

    /// Returns the approximate memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let ranges: usize = self.maps.values().map(BTreeMap::len).sum();
        2 * self.list.iter().map(Place::bytes).sum::<usize>() + 48 * ranges + self.areas.bytes()
    }

    /// Returns a place without a file, of the same kind, that overlaps the range or lies next to it. The range then
    /// joins that place.
    fn neighbour(&self, pid: u32, start: u64, end: u64, kind: RegionKind) -> Option<u32> {
        let map = self.maps.get(&pid)?;
        let below = map.range(..=end).next_back().filter(|(_, range)| range.end >= start);
        let at = map.range(..=start).next_back().filter(|(_, range)| range.end >= start);
        let is_one = |id: &u32| self.list.get(*id as usize).is_some_and(|p| p.kind == kind);
        at.into_iter().chain(below).find_map(|(_, range)| range.place.filter(is_one))
    }

    fn named(&mut self, kind: RegionKind, name: &str, start: u64, end: u64) -> Option<u32> {
        if let Some(id) = self.named.get(&(kind, name.to_owned())) {
            return Some(*id);
        }
        let id = self.add(kind, name, start, end)?;
        self.named.insert((kind, name.to_owned()), id);
        Some(id)
    }

    fn add(&mut self, kind: RegionKind, name: &str, start: u64, end: u64) -> Option<u32> {
        let id = u32::try_from(self.list.len()).ok().filter(|_| self.list.len() < MAX_PLACES)?;
        self.list.push(Place { kind, name: name.to_owned(), start, end });
        Some(id)
    }
}

/// Returns the range around an address in which a process has the same place, from its map.
fn extent(maps: &BTreeMap<u32, Map>, pid: u32, address: u64) -> Extent {
    let Some(map) = maps.get(&pid) else {
        return Extent { pid, start: 0, end: u64::MAX, place: None };
    };
    let below = map.range(..=address).next_back();
    match below {
        Some((start, Range { end, place })) if address < *end => {
            Extent { pid, start: *start, end: *end, place: *place }
        }
        _ => {
            let above = map.range(address..).next();
            let start = below.map_or(0, |(_, range)| range.end);
            Extent { pid, start, end: above.map_or(u64::MAX, |(at, _)| *at), place: None }
        }
    }
}

fn hash(file: &[u8]) -> usize {
    index(last_word(file).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
}

/// Removes `start..end` from a map.
fn clear(map: &mut Map, start: u64, end: u64) {
    let below = map.range(..start).next_back().map(|(at, range)| (*at, *range));
    if let Some((at, range)) = below.filter(|(_, range)| range.end > start) {
        map.insert(at, Range { end: start, ..range });
        if range.end > end {
            map.insert(end, range);
        }
    }
    let inside: Vec<(u64, Range)> =
        map.range(start..end).map(|(at, range)| (*at, *range)).collect();
    for (at, range) in inside {
        map.remove(&at);
        if range.end > end {
            map.insert(end, range);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    fn mapping(pid: u32, start: u64, end: u64, executable: bool, name: &str) -> Mapping {
        Mapping::new(pid, start..end, 0, executable, name).unwrap()
    }

    /// Compares `find` with the definition: the last record that holds an address decides.
    #[test]
    fn the_last_record_holds() {
        cases(700).check(|u| {
            let mut places = Places::default();
            let mut records: Vec<(u64, u64, String)> = Vec::new();
            for _ in 0..u.int_in_range(0..=12)? {
                let start = u.int_in_range(0..=30)?;
                let end = start + u.int_in_range(1..=12)?;
                let name = format!("/{}", u.int_in_range(0..=3)?);
                places.map(&mapping(1, start, end, true, &name));
                records.push((start, end, name));
                for _ in 0..u.int_in_range(0..=44)? {
                    let address = u.int_in_range(0..=44)?;
                    let last = records.iter().rev().find(|(s, e, _)| (*s..*e).contains(&address));
                    let found = usize::try_from(places.find(1, address, b"", true)).unwrap();
                    let found = found.checked_sub(1).map(|id| &places.list[id].name);
                    assert_eq!(found, last.map(|(_, _, name)| name), "{address} of {records:?}");
                }
            }
            Ok(())
        });
    }

    #[test]
    fn memory_without_a_file_is_one_place_where_it_touches() {
        let mut places = Places::default();
        places.map(&mapping(1, 100, 200, false, "//anon"));
        places.map(&mapping(1, 200, 300, false, ""));
        places.map(&mapping(1, 400, 500, false, "//anon"));
        places.map(&mapping(1, 300, 310, true, ""));
        places.map(&mapping(1, 50, 100, false, ""));
        let all: Vec<(&str, u64, u64)> =
            places.list.iter().map(|p| (p.kind.name(), p.start, p.end)).collect();
        assert_eq!(all, [("anonymous", 50, 300), ("anonymous", 400, 500), ("jit", 300, 310)]);
    }

    #[test]
    fn what_was_ever_mapped_is_joined() {
        let mut places = Places::default();
        assert_eq!(places.areas.covers(1, 100, 200), None);
        places.map(&mapping(1, 100, 150, false, "//anon"));
        places.map(&mapping(1, 300, 400, false, "//anon"));
        places.map(&mapping(1, 160, 170, true, "/bin/sh"));
        let asked = |places: &Places| {
            [(100, 150), (100, 200), (150, 160), (300, 350), (165, 170)]
                .map(|(start, end)| places.areas.covers(1, start, end))
        };
        assert_eq!(asked(&places), [Some(true), Some(false), None, Some(true), Some(true)]);
        places.map(&mapping(1, 140, 300, false, "//anon"));
        assert_eq!(asked(&places), [Some(true); 5]);
        places.fork(2, 1);
        assert_eq!(places.areas.covers(2, 100, 400), Some(true));
        assert_eq!(places.areas.covers(2, 100, 401), Some(false));
    }

    #[test]
    fn forks_copy_no_more_than_real_ones_would() {
        let mut places = Places::default();
        for n in 0..5000 {
            places.map(&mapping(1, 100 * n, 100 * n + 50, false, "/dev/shm/x"));
        }
        for child in 2..1000 {
            places.fork(child, 1);
        }
        let ranges: usize = places.maps.values().map(BTreeMap::len).sum();
        assert_eq!(ranges, 5000 + MAX_COPIED / 5000 * 5000);
    }

    #[test]
    fn a_child_has_the_memory_of_its_parent_until_it_has_its_own() {
        let mut places = Places::default();
        places.map(&mapping(1, 100, 200, false, "[heap]"));
        places.fork(2, 1);
        places.map(&mapping(2, 100, 150, true, "/bin/sh"));
        let found = [(1, 120), (2, 120), (2, 170), (3, 170)];
        assert_eq!(found.map(|(pid, at)| places.find(pid, at, b"", false)), [1, 2, 1, 0]);
        // Without a map, the file of the sample decides, and only then.
        assert_eq!(places.find(3, 170, b"/lib/libm.so.6", true), 3);
        assert_eq!(places.find(3, 999, b"/lib/libm.so.6", true), 3);
        assert_eq!(places.find(1, 120, b"/lib/libm.so.6", true), 1);
        assert_eq!(places.find(3, 1, b"[unknown]", true), 0);
        let library = &places.list[2];
        assert_eq!((library.kind, library.start, library.end), (RegionKind::Library, 170, 1000));
    }
}
