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
const PLACES: usize = 1 << 12;
/// The most spans that stay known between two batches.
const MOST: usize = 1 << 14;

/// What every walk into a span needs.
#[derive(Clone, Copy, Default)]
pub(super) struct Span {
    pub(super) number: u64,
    /// The physical address of the last table. For a guest, it is host-physical, as are all lines.
    pub(super) home: u64,
    /// The line of the entry that leads to the last table.
    pub(super) upper_line: u64,
    /// The number of the last table.
    pub(super) table: u32,
    /// For a guest: whether the host keeps the home of the last table.
    pub(super) is_kept: bool,
}

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

/// The spans of one dimension.
#[derive(Default)]
pub(super) struct Spans {
    list: Vec<Span>,
    above: Vec<Above>,
    /// For each span of a guest: the lookup of the last table in the host, after the read of the entry above it.
    mapped: Vec<Query>,
    /// For each remainder of a number by the number of places: the latest span. Its number tells whether it is the right one.
    /// The number of places is 0 or a power of two, at least twice the number of spans.
    latest: Vec<u32>,
}

impl Spans {
    /// Returns the place of a span, and the span, if it is known.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn find(&self, number: u64) -> Option<(u32, &Span)> {
        let at = *self.latest.get(index(number) & self.latest.len().wrapping_sub(1))?;
        let span = self.list.get(at as usize)?;
        (span.number == number).then_some((at, span))
    }

    /// Adds a span, and returns its place.
    pub(super) fn add(&mut self, span: Span, above: &Above, mapped: Query) -> u32 {
        let at = small(self.list.len());
        self.list.push(span);
        self.above.push(*above);
        self.mapped.push(mapped);
        if self.latest.len() < 2 * self.list.len() {
            self.grow();
        } else {
            self.place(at);
        }
        at
    }

    /// Doubles the number of places.
    #[cold]
    fn grow(&mut self) {
        let n_places = (2 * self.latest.len()).max(PLACES);
        self.latest = vec![0; n_places];
        for at in 0..small(self.list.len()) {
            self.place(at);
        }
    }

    fn place(&mut self, at: u32) {
        let n_places = self.latest.len();
        self.latest[index(self.list[at as usize].number) & (n_places - 1)] = at;
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn at(&self, place: u32) -> &Span {
        &self.list[place as usize]
    }

    pub(super) fn above(&self, place: u32) -> &Above {
        &self.above[place as usize]
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

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn mapped(&self, place: u32) -> &Query {
        &self.mapped[place as usize]
    }

    /// Records that the host keeps the home of the last table.
    pub(super) fn keep_home(&mut self, place: u32) {
        self.list[place as usize].is_kept = true;
    }

    fn clear(&mut self) {
        self.list.clear();
        self.above.clear();
        self.mapped.clear();
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
