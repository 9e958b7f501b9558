//! Runs a machine over a trace, and goes back to any access.
//!
//! A replay keeps checkpoints: clones of the machine at regular intervals. To reach an access, the replay runs the
//! trace again from the last checkpoint before it, or from its own position. It undoes nothing and stores no event.

mod paths;
mod run;
#[cfg(test)]
mod routes;

use std::rc::Rc;

use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::record::event::StepView;
use crate::record::stats::RunReport;
use crate::record::step::EventLog;
use crate::run::window::Span;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, CHUNK, Trace};

pub use paths::Paths;
use run::execute;
pub use run::{Run, advance};
pub(super) use run::{run_part, run_single};

/// The most bytes that all checkpoints together may take.
pub const CHECKPOINT_BYTES: usize = 64 << 20;

/// A machine in its state before access `position`.
#[derive(Clone, Debug)]
struct Point {
    position: u32,
    machine: Machine,
}

/// Clones of the machine at rising positions. The first has the state before the first simulated access.
#[derive(Debug)]
struct Checkpoints {
    points: Vec<Point>,
    /// The number of accesses between two checkpoints, a multiple of a chunk.
    interval: u32,
    /// For each checkpoint: the bytes that it does not share with the previous one.
    bytes: Vec<usize>,
    max_bytes: usize,
}

impl Checkpoints {
    fn new(start: Point, max_bytes: usize) -> Self {
        let bytes = vec![start.machine.bytes_apart_from(None)];
        Self { points: vec![start], interval: CHUNK, bytes, max_bytes }
    }

    /// Keeps a clone of the machine if `position` is at least `interval` accesses after the last checkpoint.
    fn offer(&mut self, position: u32, machine: &Machine) {
        let last = self.points.last().expect("there is always the first");
        if position < last.position.saturating_add(self.interval) {
            return;
        }
        self.bytes.push(machine.bytes_apart_from(Some(&last.machine)));
        self.points.push(Point { position, machine: machine.clone() });
        while self.bytes.iter().sum::<usize>() > self.max_bytes && self.points.len() > 2 {
            self.thin_out();
        }
    }

    /// Drops every second checkpoint, and doubles the interval.
    fn thin_out(&mut self) {
        let mut number = 0;
        self.points.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        self.interval = self.interval.saturating_mul(2);
        let others = std::iter::once(None).chain(self.points.iter().map(Some));
        let pairs = self.points.iter().zip(others);
        self.bytes = pairs
            .map(|(p, before)| p.machine.bytes_apart_from(before.map(|b| &b.machine)))
            .collect();
    }

    /// Returns the position and the machine of the last checkpoint at or before `position`.
    fn before(&self, position: u32) -> &Point {
        let after = self.points.partition_point(|point| point.position <= position);
        &self.points[after - 1]
    }
}

/// A trace on a machine, with a cursor that can go to any access.
#[derive(Debug)]
pub struct Replay {
    checkpoints: Checkpoints,
    cursor: Point,
    /// The run that makes the checkpoints.
    run: Run,
    paths: Paths,
}

impl Replay {
    /// Creates a replay of the whole trace.
    pub fn new(trace: Rc<Trace>, machine: Machine, max_bytes: usize) -> Self {
        let span = Span::whole(trace.len());
        Self::within(span, trace, machine, max_bytes)
    }

    /// Creates a replay of a part of the trace. Accesses outside of it are not simulated.
    pub fn within(span: Span, trace: Rc<Trace>, machine: Machine, max_bytes: usize) -> Self {
        Self::on(Paths::FAST, span, trace, machine, max_bytes)
    }

    /// Creates a replay of a part of the trace that uses these paths.
    pub fn on(
        paths: Paths,
        span: Span,
        trace: Rc<Trace>,
        machine: Machine,
        max_bytes: usize,
    ) -> Self {
        let start = Point { position: span.simulated.start, machine: machine.clone() };
        Self {
            checkpoints: Checkpoints::new(start.clone(), max_bytes),
            cursor: start,
            run: Run::on(paths, span, trace, machine),
            paths,
        }
    }

    /// Returns the ranges of accesses that are simulated and counted.
    pub fn span(&self) -> &Span {
        self.run.span()
    }

    /// Returns the reason why the machine stopped, if it did.
    pub fn failure(&self) -> Option<Error> {
        run::failure(self.machine(), self.trace(), self.span().simulated.start)
    }

    /// Returns the functions that run ranges of the trace.
    pub fn paths(&self) -> Paths {
        self.paths
    }

    /// Returns the trace of the replay.
    pub fn trace(&self) -> &Rc<Trace> {
        self.run.trace()
    }

    /// Returns the machine at the cursor.
    pub fn machine(&self) -> &Machine {
        &self.cursor.machine
    }

    /// Continues the run for `n` more accesses, and on to the end of their chunk. Returns true if the run is
    /// done.
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up.
    pub fn run(&mut self, n: u32) -> Result<bool> {
        let end = self.run.end_of(n);
        while self.run.position() < end {
            self.run.chunk(end)?;
            self.checkpoints.offer(self.run.position(), self.run.machine());
        }
        Ok(self.run.is_done())
    }

    /// Returns the number of the next access of the run.
    pub fn position(&self) -> u32 {
        self.run.position()
    }

    /// Returns whether the run has reached the end of the simulated accesses.
    pub fn is_done(&self) -> bool {
        self.run.is_done()
    }

    /// Returns the report of the accesses counted until now.
    pub fn report(&self) -> RunReport {
        self.run.report()
    }

    /// Returns the bytes of all checkpoints. Memory that they share is counted once.
    pub fn checkpoint_bytes(&self) -> usize {
        self.checkpoints.bytes.iter().sum()
    }

    /// Goes to access `index`, runs it and returns all its events. Returns `None` if the access is not simulated.
    pub fn seek(&mut self, index: u32) -> Option<StepView> {
        if !self.span().simulated.contains(&index) {
            return None;
        }
        let (access, ip) = self.access_at(index)?;
        self.go_before(index);
        let trace = self.run.trace();
        let chunk = trace.chunk_of(index);
        let machine = &mut self.cursor.machine;
        let mut log = EventLog::default();
        execute(machine, &chunk.ops_at(index), &mut log);
        let mut probe: &mut dyn Probe = &mut log;
        machine.access(index, &access, &mut probe);
        self.cursor.position = index + 1;
        if self.cursor.position == trace.len() {
            execute(machine, &chunk.ops_at(index + 1), &mut log);
        }
        // The view shows the tables that served the access, so the kernel's half is entered again.
        let own = access.without(machine.address_tags());
        let user = machine.enter_kernel_for(own.address);
        let view = log.into_view(machine, index, &access, ip);
        machine.leave_kernel(user);
        Some(view)
    }

    /// Puts the cursor before access `index`.
    fn go_before(&mut self, index: u32) {
        let start = self.checkpoints.before(index);
        if self.cursor.position > index || self.cursor.position < start.position {
            self.cursor = start.clone();
        }
        let Point { position, machine } = &mut self.cursor;
        self.paths.pass(machine, self.run.trace(), *position, index);
        *position = index;
    }

    /// Returns the access and its instruction pointer: the one in the trace, otherwise the address of the last fetch
    /// at or before it.
    fn access_at(&self, index: u32) -> Option<(Access, Option<u64>)> {
        if index >= self.trace().len() {
            return None;
        }
        let chunk = self.trace().chunk_of(index);
        let mut fetched = None;
        for (number, access) in (chunk.first..).zip(chunk.accesses()) {
            if access.kind.is_fetch() {
                fetched = Some(access.address);
            }
            if number == index {
                return Some((access, access.ip.or(fetched)));
            }
        }
        None
    }

    /// Returns a machine in its state before access `position`, which is first clamped to the simulated
    /// accesses. It runs from the nearest checkpoint.
    pub fn machine_before(&self, position: u32) -> Machine {
        let Span { simulated, .. } = self.span();
        let position = position.clamp(simulated.start, simulated.end);
        let near = if self.cursor.position == position {
            &self.cursor
        } else {
            self.checkpoints.before(position)
        };
        let mut machine = near.machine.clone();
        self.paths.pass(&mut machine, self.run.trace(), near.position, position);
        machine
    }

    /// Returns the position and the machine of the last checkpoint at or before `position`.
    pub(crate) fn checkpoint_before(&self, position: u32) -> (u32, &Machine) {
        let point = self.checkpoints.before(position);
        (point.position, &point.machine)
    }
}
