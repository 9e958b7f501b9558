//! Searches for the nearest access of a kind, forward or backward. The work is done in slices, so that the
//! caller can stop it.

use std::ops::Range;

use serde::Deserialize;

use crate::machine::Machine;
use crate::machine::probe::{Endings, Outcome, Translation};
use crate::run::replay::Replay;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Access, Kind};

/// The kind of access that a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Target {
    /// An access that does not hit at the first level that is looked up.
    L1Miss,
    L2Hit,
    /// A page walk, with or without a page fault.
    Walk,
    /// A page fault, or another exception that ended the access.
    Fault,
    /// An access whose first byte is on the same page as `address`. The page has the size of its mapping. If `exact`,
    /// the first byte is at `address`.
    Page {
        address: Hex,
        #[serde(default)]
        exact: bool,
    },
    /// An access with operations before it, or after it at the end of the trace.
    Operation,
}

/// The result of a slice of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    NotYet,
    Nothing,
    At(u32),
}

/// A search. Each call of [`Search::go_on`] examines a slice of the trace.
pub struct Search {
    forward: bool,
    target: Target,
    /// Forward: the start of the next slice. Backward: the start of the last slice.
    at: u32,
    /// Forward: the machine before access `at`.
    machine: Option<Machine>,
}

impl Search {
    /// Starts a search next to access `index`. The access itself is not examined.
    pub fn new(replay: &Replay, index: u32, forward: bool, target: Target) -> Self {
        let at = if forward { index.saturating_add(1) } else { index };
        let Range { start, end } = replay.span().simulated;
        Self { forward, target, at: at.clamp(start, end), machine: None }
    }

    /// Examines the next slice of the trace.
    pub fn go_on(&mut self, replay: &Replay) -> Found {
        let Range { start, end } = replay.span().simulated;
        if self.at == if self.forward { end } else { start } {
            return Found::Nothing;
        }
        let found = match (self.target, self.forward) {
            (Target::Operation, _) => {
                return self.find_operation(replay).map_or(Found::Nothing, Found::At);
            }
            (Target::Page { address, exact }, _) => self.scan_chunk(replay, address.0, exact),
            (_, true) => self.go_forward(replay),
            (_, false) => self.go_backward(replay),
        };
        found.map_or(Found::NotYet, Found::At)
    }

    fn go_forward(&mut self, replay: &Replay) -> Option<u32> {
        let trace = replay.trace();
        let machine = self.machine.get_or_insert_with(|| replay.machine_before(self.at));
        let chunk = trace.chunk_of(self.at);
        let end = (chunk.first + chunk.n).min(replay.span().simulated.end);
        let mut finder = Finder::new(self.target, machine, self.at..end);
        let mut observe = |done: &Translation| finder.translated(done);
        replay.paths().follow(machine, trace, (self.at, end), &mut Endings(&mut observe));
        self.at = end;
        finder.first
    }

    fn go_backward(&mut self, replay: &Replay) -> Option<u32> {
        let (position, checkpoint) = replay.checkpoint_before(self.at - 1);
        let mut machine = checkpoint.clone();
        let mut finder = Finder::new(self.target, &machine, position..self.at);
        let mut observe = |done: &Translation| finder.translated(done);
        let (trace, paths) = (replay.trace(), replay.paths());
        paths.follow(&mut machine, trace, (position, self.at), &mut Endings(&mut observe));
        self.at = position;
        finder.last
    }

    /// Returns the nearest access with an operation. A trace has few operations, so one call examines all of
    /// them.
    fn find_operation(&self, replay: &Replay) -> Option<u32> {
        let (trace, simulated) = (replay.trace(), &replay.span().simulated);
        let last = trace.len().saturating_sub(1);
        let mut places = trace.ops().map(|(before, _)| before.min(last));
        if self.forward {
            places.find(|at| (self.at..simulated.end).contains(at))
        } else {
            places.filter(|at| (simulated.start..self.at).contains(at)).last()
        }
    }

    /// Searches one chunk for an access to `address` or to its page. The machine only gives the size of the page.
    fn scan_chunk(&mut self, replay: &Replay, address: u64, exact: bool) -> Option<u32> {
        let (trace, machine) = (replay.trace(), replay.machine());
        let simulated = &replay.span().simulated;
        let tags = machine.address_tags();
        let shift = if exact { 0 } else { machine.page_shift_of(address) };
        let page = Access::new(Kind::Load, address, 1).without(tags).address >> shift;
        let chunk = trace.chunk_of(if self.forward { self.at } else { self.at - 1 });
        let start = chunk.first.max(simulated.start);
        let end = (chunk.first + chunk.n).min(simulated.end);
        let range = if self.forward { self.at..end } else { start..self.at };
        self.at = if self.forward { end } else { start };
        let mut hits = (chunk.first..)
            .zip(chunk.accesses())
            .filter(|(index, access)| {
                range.contains(index) && access.without(tags).address >> shift == page
            })
            .map(|(index, _)| index);
        if self.forward { hits.next() } else { hits.last() }
    }
}

/// Keeps the first and the last access of the kind that the search looks for.
struct Finder {
    target: Target,
    /// For each kind of access: whether level 1 serves it. If not, level 2 is looked up first, and a hit there is no
    /// miss.
    has_l1: [bool; 4],
    range: Range<u32>,
    first: Option<u32>,
    last: Option<u32>,
}

impl Finder {
    fn new(target: Target, machine: &Machine, range: Range<u32>) -> Self {
        Self { target, has_l1: machine.plan.has_l1, range, first: None, last: None }
    }
}

impl Finder {
    fn translated(&mut self, done: &Translation) {
        let fits = match self.target {
            Target::L1Miss => match done.outcome {
                Outcome::L1Hit | Outcome::Exception => false,
                Outcome::L2Hit => self.has_l1[done.kind.index()],
                Outcome::Walk | Outcome::Fault => true,
            },
            Target::L2Hit => done.outcome == Outcome::L2Hit,
            Target::Walk => done.outcome.is_walk(),
            Target::Fault => done.outcome >= Outcome::Fault,
            Target::Page { .. } | Target::Operation => false,
        };
        if fits && self.range.contains(&done.index) {
            // A batch reports misses after the hits of later accesses.
            self.first = Some(self.first.map_or(done.index, |first| first.min(done.index)));
            self.last = self.last.max(Some(done.index));
        }
    }
}
