//! Counts from the start of the trace. The questions of a class share them, so that each access is counted once.

use std::collections::BTreeSet;
use std::ops::{AddAssign, Range};
use std::rc::Rc;

use pagewalk::machine::Machine;
use pagewalk::machine::probe::Outcome;
use pagewalk::machine::probe::{Endings, Translation};
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::{Replay, Run};
use pagewalk::run::window::Span;
use pagewalk_base::error::Result;
use pagewalk_base::trace::Kind;

/// The fewest accesses between two kept machines.
const MIN_STRIDE: u32 = 1 << 13;
/// The most machines that are kept.
const MAX_POINTS: u32 = 16;

/// The numbers of a report that questions ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) accesses: u64,
    pub(crate) walks: u64,
    pub(crate) references: u64,
    /// Page faults, whether the operating system serves them or not.
    pub(crate) faults: u64,
    pub(crate) cycles: u64,
    /// The cycles without those of the level-2 lookups that missed.
    pub(crate) cycles_without_lookup: u64,
    pub(crate) l1_misses: u64,
    /// For each structure.
    pub(crate) hits: Vec<u64>,
    pub(crate) misses: Vec<u64>,
}

impl Tally {
    fn of(report: &RunReport) -> Self {
        let kinds = [report.kinds.fetch, report.kinds.load, report.kinds.store];
        let ended: u64 = report.exceptions.page_faults.values().sum();
        Self {
            accesses: report.trace.accesses,
            walks: report.walks.walks,
            references: report.walks.refs,
            faults: report.faults.minor + report.faults.major + ended,
            cycles: report.cycles.total,
            cycles_without_lookup: report.cycles.total - report.cycles.l2_miss,
            l1_misses: kinds.iter().map(|kind| kind.translations - kind.l1_hits).sum(),
            hits: report.structures.iter().map(|structure| structure.hits).collect(),
            misses: report.structures.iter().map(|structure| structure.misses).collect(),
        }
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.accesses += other.accesses;
        self.walks += other.walks;
        self.references += other.references;
        self.faults += other.faults;
        self.cycles += other.cycles;
        self.cycles_without_lookup += other.cycles_without_lookup;
        self.l1_misses += other.l1_misses;
        for (own, other) in [(&mut self.hits, &other.hits), (&mut self.misses, &other.misses)] {
            own.resize(other.len(), 0);
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
    }
}

/// A count until an access, of this access alone, and of the access after it.
pub(crate) struct Counted<T> {
    pub(crate) total: T,
    pub(crate) here: T,
    /// `None` at the last access.
    pub(crate) next: Option<T>,
}

/// The counts of one replay. They grow as far as questions need them.
#[derive(Default)]
pub(crate) struct Counts {
    /// At rising positions. The first is the start of the simulated accesses.
    points: Vec<Point>,
    pages: Pages,
}

/// A machine before access `position`, and the counts of all accesses before.
#[derive(Clone)]
struct Point {
    position: u32,
    machine: Machine,
    total: Tally,
}

impl Point {
    /// Counts the accesses until before `to`, and returns their counts.
    fn go_to(&mut self, replay: &Replay, to: u32) -> Result<Tally> {
        let span = Span { simulated: self.position..to, counted: self.position..to };
        let mut run = Run::new(span, Rc::clone(replay.trace()), self.machine.clone());
        while !run.go_on(u32::MAX)? {}
        let counted = Tally::of(&run.report());
        self.total += &counted;
        self.machine = run.machine().clone();
        self.position = to;
        Ok(counted)
    }
}

impl Counts {
    /// Counts until access `at`.
    ///
    /// # Errors
    /// The error that stopped the machine.
    pub(crate) fn until(&mut self, replay: &Replay, at: u32) -> Result<Counted<Tally>> {
        let mut point = self.before(replay, at)?;
        point.go_to(replay, at)?;
        let here = point.go_to(replay, at + 1)?;
        let total = point.total.clone();
        let is_last = at + 1 == replay.span().simulated.end;
        let next = (!is_last).then(|| point.go_to(replay, at + 2)).transpose()?;
        Ok(Counted { total, here, next })
    }

    /// Returns the last point at or before access `at`.
    fn before(&mut self, replay: &Replay, at: u32) -> Result<Point> {
        let Range { start, end } = replay.span().simulated.clone();
        if self.points.is_empty() {
            let machine = replay.machine_before(start);
            self.points.push(Point { position: start, machine, total: Tally::default() });
        }
        let stride = MIN_STRIDE.max((end - start).div_ceil(MAX_POINTS));
        while let Some(last) = self.points.last()
            && at - start >= last.position - start + stride
        {
            let mut point = last.clone();
            point.go_to(replay, last.position + stride)?;
            self.points.push(point);
        }
        let after = self.points.partition_point(|point| point.position <= at);
        Ok(self.points[after - 1].clone())
    }

    /// Counts the different pages that accesses use until access `at`. Prefetches do not count.
    pub(crate) fn pages(&mut self, replay: &Replay, at: u32) -> Counted<u64> {
        let Range { start, end } = replay.span().simulated.clone();
        self.pages.go_to(replay, end.min(at + 2));
        let firsts = &self.pages.firsts;
        let before = |to: u32| firsts.partition_point(|first| *first < to) as u64;
        let within = |range: Range<u32>| before(range.end) - before(range.start);
        Counted {
            total: within(start..at + 1),
            here: within(at..at + 1),
            next: (end > at + 1).then(|| within(at + 1..at + 2)),
        }
    }
}

/// The accesses that are the first ones on their page.
#[derive(Default)]
struct Pages {
    /// The machine before the next access, and the number of that access.
    reached: Option<(Machine, u32)>,
    /// The process, log2 of the bytes, and the number of each page.
    seen: BTreeSet<(u32, u32, u64)>,
    /// Sorted; one number for each page.
    firsts: Vec<u32>,
}

impl Pages {
    fn go_to(&mut self, replay: &Replay, end: u32) {
        let start = replay.span().simulated.start;
        let (machine, from) =
            self.reached.get_or_insert_with(|| (replay.machine_before(start), start));
        if *from >= end {
            return;
        }
        let trace = replay.trace();
        let pids = trace.accesses_from(*from).take((end - *from) as usize).map(|access| access.pid);
        let pids: Vec<u32> = pids.collect();
        let mut uses = Vec::new();
        let mut observe = |done: &Translation| {
            if done.kind != Kind::Prefetch && done.outcome != Outcome::Exception {
                uses.push((done.leaf, done.address, done.index));
            }
        };
        replay.paths().follow(machine, trace, (*from, end), &mut Endings(&mut observe));
        let uses = uses.into_iter().map(|(leaf, address, index)| {
            let shift = machine.page_shift(leaf);
            let page = (address & machine.va_mask()) >> shift;
            ((pids[(index - *from) as usize], shift, page), index)
        });
        let mut uses: Vec<_> = uses.collect();
        // Of the uses of a page, the first one stays.
        uses.sort_unstable();
        uses.dedup_by_key(|(page, _)| *page);
        self.firsts
            .extend(uses.into_iter().filter(|(page, _)| self.seen.insert(*page)).map(|(_, at)| at));
        self.firsts.sort_unstable();
        *from = end;
    }
}
