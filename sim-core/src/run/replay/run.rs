//! Runs a machine over a trace in one direction: a range of accesses, or a whole run with its report.

use std::iter;
use std::ops::{Deref, Range};
use std::rc::Rc;

use crate::machine::Machine;
use crate::machine::fast;
use crate::machine::fast::route::{Route, Wanted, route};
use crate::machine::probe::Probe;
use crate::record::stats::{RunReport, Stats};
use crate::record::touched::Touched;
use crate::run::replay::Paths;
use crate::run::window::Span;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{CHUNK, Chunk, OpRecord, Trace};

/// Runs accesses `from..to`, and the operations before each, on a machine in its state before `from`. At the end of
/// the trace, also runs the operations after the last access.
pub fn advance<P: Probe>(machine: &mut Machine, trace: &Trace, from: u32, to: u32, probe: &mut P) {
    run(machine, trace, (from, to), probe);
}

/// Runs accesses `from..to`, chunk by chunk, on the fast paths if the machine allows it.
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    trace: &Trace,
    (from, to): (u32, u32),
    probe: &mut P,
) {
    let mut at = from;
    while at < to {
        let chunk = trace.chunk_of(at);
        let end = (chunk.first + chunk.n).min(to);
        run_part(machine, chunk, at..end, probe, end == trace.len());
        at = end;
    }
}

/// Runs accesses of one chunk. With `ends`, they are the last ones of the trace.
pub(in crate::run) fn run_part<P: Probe>(
    machine: &mut Machine,
    chunk: &Chunk,
    part: Range<u32>,
    probe: &mut P,
    ends: bool,
) {
    let sums = probe.tally().is_some();
    let whole = part == (chunk.first..chunk.first + chunk.n);
    match route(machine, chunk, Wanted { whole, sums }) {
        Route::Runs(runs) => fast::run(machine, chunk, &runs, probe),
        Route::Single => run_single(machine, chunk, part, probe, ends),
    }
}

/// Runs accesses `from..to` one after the other. The observer is dynamic, so that the code of the machine is
/// compiled once for all observers.
pub(super) fn run_plain<P: Probe>(
    machine: &mut Machine,
    trace: &Trace,
    (from, to): (u32, u32),
    probe: &mut P,
) {
    let mut probe: &mut dyn Probe = probe;
    let mut at = from;
    while at < to {
        let chunk = trace.chunk_of(at);
        let end = (chunk.first + chunk.n).min(to);
        run_single(machine, chunk, at..end, &mut probe, end == trace.len());
        at = end;
    }
}

/// The accesses that are decoded at a time. An access that is used right after it is decoded makes the simulating
/// processor wait until all its fields are stored.
const AHEAD: usize = 1 << 6;

/// Runs accesses of one chunk one after the other, and the operations before each. With `ends`, also runs the operations
/// after the last access.
pub(in crate::run) fn run_single<P: Probe>(
    machine: &mut Machine,
    chunk: &Chunk,
    Range { start, end }: Range<u32>,
    probe: &mut P,
    ends: bool,
) {
    let n_skipped = (start - chunk.first) as usize;
    let mut ops = chunk.ops_from(start).peekable();
    let mut encoded = chunk.accesses();
    encoded.by_ref().take(n_skipped).for_each(drop);
    let mut decoded = Vec::with_capacity(AHEAD);
    for first in (start..end).step_by(AHEAD) {
        let n = (end - first) as usize;
        decoded.clear();
        decoded.extend(iter::from_fn(|| encoded.read()).take(n.min(AHEAD)));
        for (index, access) in (first..end).zip(&decoded) {
            while let Some((before, record)) = ops.peek()
                && *before == index
            {
                machine.execute(record, probe);
                ops.next();
            }
            machine.access(index, access, probe);
        }
    }
    if ends {
        execute(machine, &chunk.ops_at(end), probe);
    }
}

pub(super) fn execute(machine: &mut Machine, ops: &[OpRecord], probe: &mut dyn Probe) {
    for record in ops {
        machine.execute(record, probe);
    }
}

/// A run with counters, chunk by chunk, that cannot go back. `T` is a shared or a borrowed trace.
#[derive(Debug)]
pub struct Run<T = Rc<Trace>> {
    trace: T,
    span: Span,
    position: u32,
    machine: Machine,
    stats: Stats,
    touched: Option<Touched>,
    paths: Paths,
}

impl<T: Deref<Target = Trace>> Run<T> {
    /// Creates a run. `machine` must be in its state before the first simulated access of `span`.
    pub fn new(span: Span, trace: T, machine: Machine) -> Self {
        Self::on(Paths::FAST, span, trace, machine)
    }

    /// Creates a run that uses these paths.
    pub(super) fn on(paths: Paths, span: Span, trace: T, machine: Machine) -> Self {
        let touched = Touched::for_machine(&machine);
        let (position, stats) = (span.simulated.start, Stats::default());
        Self { trace, span, position, machine, stats, touched, paths }
    }

    /// Uses other counters. Counters [by access](Stats::by_access) need each access alone.
    #[must_use]
    pub fn with(self, stats: Stats) -> Self {
        let paths = if stats.needs_each_translation() { Paths::PLAIN } else { self.paths };
        Self { stats, paths, ..self }
    }

    /// Returns the ranges of accesses that are simulated and counted.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Returns the trace of the run.
    pub fn trace(&self) -> &T {
        &self.trace
    }

    /// Returns the machine before access `position`.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Returns the number of the next access.
    pub fn position(&self) -> u32 {
        self.position
    }

    /// Returns whether the run has reached the end of the simulated accesses.
    pub fn is_done(&self) -> bool {
        self.position == self.span.simulated.end
    }

    /// Continues the run for `n` more accesses, and on to the end of their chunk. Returns true if the run is
    /// done.
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up.
    pub fn go_on(&mut self, n: u32) -> Result<bool> {
        let end = self.end_of(n);
        while self.position < end {
            self.chunk(end)?;
        }
        Ok(self.is_done())
    }

    /// Returns the report of the accesses counted until now.
    pub fn report(&self) -> RunReport {
        let Self { stats, machine, trace, touched, .. } = self;
        let mut report = stats.report_with(machine, trace.completeness, touched.as_ref());
        report.trace.part = trace.part || self.span.counted != (0..trace.len());
        report
    }

    /// Returns the number of the access after the chunk in which `n` more accesses end.
    pub(super) fn end_of(&self, n: u32) -> u32 {
        let chunks = self.position.saturating_add(n).div_ceil(CHUNK);
        chunks.saturating_mul(CHUNK).min(self.span.simulated.end)
    }

    /// Continues to the end of the chunk, to the end of the warm-up, or to `end`, whichever comes first.
    pub(super) fn chunk(&mut self, end: u32) -> Result<()> {
        let Self { trace, position, machine, .. } = self;
        let to = self.span.next_stop(*position).min(end);
        let part = (*position, to);
        if *position < self.span.counted.start {
            (self.paths.silent)(machine, trace, part, &mut ());
        } else {
            (self.paths.stats)(machine, trace, part, &mut self.stats);
        }
        if let Some(touched) = &mut self.touched {
            touched.part(trace, *position, to);
        }
        *position = to;
        failure(machine, trace, self.span.simulated.start).map_or(Ok(()), Err)
    }
}

/// Returns the reason why a machine stopped that has run a trace from access `first` on. If an operation is the
/// cause, the error names the access that it comes before.
pub(super) fn failure(machine: &Machine, trace: &Trace, first: u32) -> Option<Error> {
    let mut error = machine.failure()?.clone();
    let number = machine.failed_operation().map(|number| number as usize);
    let mut executed = trace.ops().skip_while(|(before, _)| *before < first);
    if let Some((before, _)) = number.and_then(|number| executed.nth(number)) {
        error.message = format!("before access {before}: {}", error.message);
    }
    Some(error)
}
