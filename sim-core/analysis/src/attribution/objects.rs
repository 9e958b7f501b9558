//! Misses by data structure: a global variable, the heap blocks of one line, a stack, a file, code.
//!
//! A row of a data structure counts by address, not by page, and by the memory map at the time of the access: memory that
//! was freed and allocated again belongs to two structures.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ranges::ranges;
use super::{AttributionRow, AttributionTable, Counts, row, table};
use crate::regions::Records;
use pagewalk_base::trace::{PageUse, RegionKind, Trace};

/// The most ranges at a time. Later records of the memory map are left out.
const MAX_RANGES: usize = 1 << 20;

#[derive(Clone, Debug)]
struct Object {
    name: String,
    inferred: bool,
    /// From the lowest to the highest address.
    range: Range<u64>,
    counts: Counts,
}

/// The data structures of a trace, at one access of it.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    all: Vec<Object>,
    numbers: BTreeMap<String, usize>,
    /// The number of the structure of each address.
    ranges: Records,
    /// The record of the memory map that comes next.
    next: usize,
    /// The ranges that were found last. Most accesses alternate between few of them.
    recent: [(Range<u64>, usize); 2],
}

impl Objects {
    /// Finds the structures. Before a record of the memory map applies, the last one for its addresses does.
    pub(crate) fn new(trace: &Trace, used: &[PageUse]) -> Self {
        let mut objects = Self {
            all: Vec::new(),
            numbers: BTreeMap::new(),
            ranges: Records::default(),
            next: 0,
            recent: [(0..0, 0), (0..0, 0)],
        };
        for named in ranges(trace, used) {
            let kind = (!named.inferred).then_some(named.kind);
            let number = objects.add(&named.name, kind, named.start..named.end);
            objects.ranges.put(named.start..named.end, number);
        }
        for mapping in trace.mappings() {
            objects.add(&mapping.name, Some(mapping.kind), mapping.start..mapping.end);
        }
        objects
    }

    fn add(&mut self, name: &str, kind: Option<RegionKind>, range: Range<u64>) -> usize {
        let name = object_name(name, kind);
        if let Some(number) = self.numbers.get(name) {
            let known = &mut self.all[*number].range;
            *known = known.start.min(range.start)..known.end.max(range.end);
            return *number;
        }
        let (name, number) = (name.to_owned(), self.all.len());
        self.numbers.insert(name.clone(), number);
        self.all.push(Object { name, inferred: kind.is_none(), range, counts: Counts::default() });
        number
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Applies the records of the memory map that come before access `index`.
    #[inline]
    pub(crate) fn advance(&mut self, trace: &Trace, index: u32) {
        while let Some(mapping) = trace.mappings().get(self.next)
            && mapping.from <= index
        {
            self.next += 1;
            if self.ranges.len() < MAX_RANGES {
                let name = object_name(&mapping.name, Some(mapping.kind));
                let number = self.numbers.get(name).copied().unwrap_or(0);
                self.ranges.put(mapping.start..mapping.end, number);
                self.recent = [(0..0, 0), (0..0, 0)];
            }
        }
    }

    /// Returns the number of the structure of an address.
    #[inline]
    pub(crate) fn at(&mut self, address: u64) -> Option<usize> {
        if self.recent[0].0.contains(&address) {
            return Some(self.recent[0].1);
        }
        self.recent.swap(0, 1);
        if !self.recent[0].0.contains(&address) {
            self.recent[0] = self.ranges.at(address)?;
        }
        Some(self.recent[0].1)
    }

    #[inline]
    pub(super) fn count(&mut self, address: u64, counts: Counts) {
        if let Some(number) = self.at(address) {
            self.all[number].counts.add(counts);
        }
    }

    pub(super) fn table(&self, trace: &Trace) -> AttributionTable {
        let used = self.all.iter().filter(|object| object.counts != Counts::default());
        let rows = used.map(|Object { name, inferred, range, counts }| AttributionRow {
            inferred: *inferred,
            blocks: trace.places().blocks(name),
            ..row(name, "", range.clone(), *counts)
        });
        table(rows.collect())
    }
}

/// Returns the name of the structure that a record of the memory map belongs to.
fn object_name(name: &str, kind: Option<RegionKind>) -> &str {
    match kind {
        // Its symbols have a table of their own.
        Some(RegionKind::Text) => "text",
        Some(kind) if name.is_empty() => kind.name(),
        _ => name,
    }
}
