//! What nested walks know of the tables of a span: the part of an address space that one last table maps.
//!
//! All walks into a span read the same entries above the last table. So their lines are computed once. Spans stay known
//! until an entry that they depend on may have changed, or until they are too many.
//!
//! Bench row: (b) on nested 4K pages.

use super::query::Query;
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use pagewalk_base::addr::{Level, PerLevel};
use pagewalk_base::narrow::{index, small};

/// The fewest places for spans.
const PLACES: usize = 1 << 10;
/// The most spans that stay known between two batches.
const MOST: usize = 1 << 14;

/// The physical addresses that every walk into a span needs. For a guest, they are host-physical, as are all lines.
#[derive(Clone, Copy)]
pub(super) struct Span {
    /// The address of the last table.
    pub(super) home: u64,
    /// The line of the entry that leads to the last table.
    pub(super) upper_line: u64,
}

/// A span that is known.
#[derive(Clone, Copy)]
pub(super) struct KnownSpan {
    number: u64,
    /// The place of the span in all lists.
    pub(super) span: u32,
    /// The number of the last table.
    pub(super) table: u32,
}

/// Marks a place without a span. No span has its number.
const NONE: KnownSpan = KnownSpan { number: u64::MAX, span: 0, table: 0 };

/// What only walks need that start further up. Every value is by level, from the last table's level up.
#[derive(Clone, Copy, Default)]
pub(super) struct Above {
    /// The numbers of the tables on the way.
    pub(super) tables: PerLevel<u32>,
    /// The lines of the entries that lead on. The last level has none.
    pub(super) lines: PerLevel<u64>,
    /// For a guest: the lookups of the tables in the host, and the tables' host-physical addresses.
    pub(super) mapped: PerLevel<Query>,
    pub(super) homes: PerLevel<u64>,
}

/// The spans of one dimension. Each stage needs one of the lists, and reads places of it in any order. Small lists stay in
/// the nearest cache of the simulating processor.
#[derive(Default)]
pub(super) struct Spans {
    /// For each remainder of a number by the number of places: the latest span. The number of places is 0 or a power of
    /// two, at least twice the number of spans.
    latest: Vec<KnownSpan>,
    list: Vec<Span>,
    /// For each span of a guest: the lookup of the last table in the host, and whether the host keeps the home of this table.
    mapped: Vec<(Query, bool)>,
    above: Vec<Above>,
}

impl Spans {
    /// Returns a span, if it is known.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn find(&self, number: u64) -> Option<KnownSpan> {
        let found = *self.latest.get(index(number) & self.latest.len().wrapping_sub(1))?;
        (found.number == number).then_some(found)
    }

    /// Adds a span, given its number and its last table, and returns it. Only a guest has `mapped`.
    pub(super) fn add(
        &mut self,
        (number, table): (u64, u32),
        span: Span,
        mapped: Option<(Query, bool)>,
        above: &Above,
    ) -> KnownSpan {
        let found = KnownSpan { number, span: small(self.list.len()), table };
        self.list.push(span);
        self.mapped.extend(mapped);
        self.above.push(*above);
        if self.latest.len() < 2 * self.list.len() {
            self.grow();
        }
        self.place(found);
        found
    }

    /// Doubles the number of places. A span that has lost its place to another is added again at its next walk.
    #[cold]
    fn grow(&mut self) {
        let n_places = (2 * self.latest.len()).max(PLACES);
        let before = std::mem::replace(&mut self.latest, vec![NONE; n_places]);
        for found in before.into_iter().filter(|found| found.number != NONE.number) {
            self.place(found);
        }
    }

    fn place(&mut self, found: KnownSpan) {
        let n_places = self.latest.len();
        self.latest[index(found.number) & (n_places - 1)] = found;
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn at(&self, span: u32) -> Span {
        self.list[span as usize]
    }

    /// Returns the lookup of the last table in the host, and whether the host keeps the home of this table.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn mapped(&self, span: u32) -> (Query, bool) {
        self.mapped[span as usize]
    }

    pub(super) fn above(&self, span: u32) -> &Above {
        &self.above[span as usize]
    }

    /// Returns the number of the table of a level on the way to an address.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn table(&self, query: &Query, level: Level) -> u32 {
        if level == query.lowest { query.table } else { self.upper_table(query, level) }
    }

    #[inline(never)]
    fn upper_table(&self, query: &Query, level: Level) -> u32 {
        self.above(query.span).tables[level]
    }

    /// Records that the host keeps the home of the last table.
    pub(super) fn keep_home(&mut self, span: u32) {
        self.mapped[span as usize].1 = true;
    }

    fn clear(&mut self) {
        self.latest.clear();
        self.list.clear();
        self.mapped.clear();
        self.above.clear();
    }
}

/// The known spans of both dimensions.
#[derive(Default)]
pub(in super::super) struct Known {
    pub(super) guest: Spans,
    pub(super) host: Spans,
    since: Option<Since>,
}

/// The state of a machine that spans depend on.
#[derive(Clone, Copy, PartialEq)]
struct Since {
    /// The address space and the virtual machine.
    running: (u32, u32),
    /// The numbers of replaced entries in both dimensions.
    replaced: [u64; 2],
}

impl Since {
    fn now(machine: &Machine, host: &Nested) -> Self {
        Self {
            running: (machine.space, host.vm),
            replaced: [machine.tables.n_replaced(), host.tables.n_replaced()],
        }
    }
}

impl Known {
    /// Begins a batch: forgets all spans if one of them may have changed, or if they are too many. The walks of a batch keep
    /// places of spans, so none is forgotten before its end.
    pub(super) fn begin(&mut self, machine: &Machine, host: &Nested) {
        let since = Some(Since::now(machine, host));
        if self.since != since || self.guest.list.len().max(self.host.list.len()) > MOST {
            self.forget();
            self.since = since;
        }
    }

    /// Returns whether all spans are as they were when they were added.
    pub(super) fn is_valid(&self, machine: &Machine, host: &Nested) -> bool {
        self.since == Some(Since::now(machine, host))
    }

    /// Forgets all spans.
    pub(in super::super) fn forget(&mut self) {
        self.guest.clear();
        self.host.clear();
    }
}
