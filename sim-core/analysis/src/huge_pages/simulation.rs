//! One run with some ranges as huge pages, a chunk of the trace at a time. It counts either all walks, or the
//! walks in each range.

use std::collections::{BTreeMap, BTreeSet};

use super::HugePoint;
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::record::stats::{CyclesReport, Stats};
use pagewalk::run::replay::advance;
use pagewalk::run::window::Span;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Kind, Trace};

/// The walks for the small pages of a range.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RangeWalks {
    pub(super) walks: u64,
    /// Cycles of the level-2 lookups before the walks.
    pub(super) l2_miss_cycles: u64,
    pub(super) walk_cycles: u64,
}

impl RangeWalks {
    /// Returns all cycles and the walks: a huge page saves at most these.
    pub(super) fn cost(self) -> (u64, u64) {
        (self.l2_miss_cycles + self.walk_cycles, self.walks)
    }
}

/// The walks that follow a page fault: those of first touches. They happen once, however often a program repeats its
/// work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FirstWalks {
    pub(super) walks: u64,
    /// All cycles of these walks, with the level-2 lookups before them.
    pub(super) cycles: u64,
    /// The cycles without these lookups.
    pub(super) walk_cycles: u64,
}

/// What a simulation counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    pub(super) point: HugePoint,
    /// Only [`Simulation::watched`] counts the rest.
    pub(super) first: FirstWalks,
    pub(super) by_range: ByRange,
}

pub(super) type ByRange = BTreeMap<u64, RangeWalks>;

pub(super) struct Simulation {
    machine: Machine,
    span: Span,
    position: u32,
    seen: Seen,
    point: HugePoint,
}

enum Seen {
    Counts(Box<Stats>),
    Walks { huge: BTreeSet<u64>, shift: u32, first: FirstWalks, by_range: ByRange },
}

impl Simulation {
    /// Creates a simulation that counts all walks. It adds its counts to `point`.
    pub(super) fn counted(machine: Machine, span: Span, point: HugePoint) -> Self {
        let seen = Seen::Counts(Box::default());
        Self { position: span.simulated.start, machine, span, seen, point }
    }

    /// Creates a simulation that counts the walks of first touches, and those in ranges of `1 << shift` bytes that are
    /// not `huge`.
    pub(super) fn watched(
        machine: Machine,
        span: Span,
        point: HugePoint,
        huge: BTreeSet<u64>,
        shift: u32,
    ) -> Self {
        let first = FirstWalks::default();
        let seen = Seen::Walks { huge, shift, first, by_range: ByRange::new() };
        Self { position: span.simulated.start, machine, span, seen, point }
    }

    /// Creates a simulation that counts all walks; with `splits`, those of first touches also apart, which takes longer.
    pub(super) fn of_group(machine: Machine, span: Span, point: HugePoint, splits: bool) -> Self {
        if splits {
            // Two ranges have all addresses, because only the sums are needed.
            Self::watched(machine, span, point, BTreeSet::new(), u64::BITS - 1)
        } else {
            Self::counted(machine, span, point)
        }
    }

    /// Continues to the end of the chunk or of the warm-up. Returns true at the end of the run.
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up.
    pub(super) fn go_on(&mut self, trace: &Trace) -> Result<bool> {
        let Self { machine, span, position, seen, point } = self;
        let end = span.next_stop(*position);
        if *position < span.counted.start {
            advance(machine, trace, *position, end, &mut ());
        } else {
            match seen {
                Seen::Counts(stats) => advance(machine, trace, *position, end, stats.as_mut()),
                Seen::Walks { huge, shift, first, by_range } => {
                    let mask = machine.va_mask();
                    let mut count = |done: &Translation| {
                        let range = (done.address & mask) >> *shift;
                        count_translation(
                            done,
                            (&mut *point, &mut *first),
                            (!huge.contains(&range)).then_some((range, &mut *by_range)),
                        );
                    };
                    advance(machine, trace, *position, end, &mut Endings(&mut count));
                }
            }
        }
        if let Some(error) = machine.failure() {
            return Err(error.clone());
        }
        *position = end;
        Ok(end == span.simulated.end)
    }

    /// Returns the part of the run that is done, 0 to 1.
    pub(super) fn progress(&self) -> f64 {
        self.span.share_before(self.position)
    }

    /// Returns the counts.
    pub(super) fn finish(self, trace: &Trace) -> Counted {
        let Self { machine, seen, mut point, .. } = self;
        match seen {
            Seen::Counts(stats) => {
                let report = stats.report(&machine, trace.completeness);
                point.walks = report.walks.walks;
                let CyclesReport { l2_hit, l2_miss, walk, .. } = report.cycles;
                (point.l2_cycles, point.l2_miss_cycles, point.walk_cycles) =
                    (l2_hit, l2_miss, walk);
                Counted { point, ..Counted::default() }
            }
            Seen::Walks { first, by_range, .. } => Counted { point, first, by_range },
        }
    }
}

fn count_translation(
    done: &Translation,
    (point, first): (&mut HugePoint, &mut FirstWalks),
    small: Option<(u64, &mut ByRange)>,
) {
    if done.kind == Kind::Prefetch {
        return;
    }
    point.l2_cycles += done.l2_cycles;
    if !done.outcome.is_walk() {
        return;
    }
    point.walks += 1;
    point.l2_miss_cycles += done.l2_miss_cycles;
    point.walk_cycles += done.walk_cycles;
    if done.outcome == Outcome::Fault {
        first.walks += 1;
        first.cycles += done.l2_miss_cycles + done.walk_cycles;
        first.walk_cycles += done.walk_cycles;
    }
    if let Some((range, by_range)) = small {
        let own = by_range.entry(range).or_default();
        own.walks += 1;
        own.l2_miss_cycles += done.l2_miss_cycles;
        own.walk_cycles += done.walk_cycles;
    }
}
