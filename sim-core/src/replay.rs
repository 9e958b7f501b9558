//! Running a machine over a trace, and going back in time.
//!
//! Replay = checkpoints (a clone of the machine every so often) + deterministic
//! re-running. Nothing is undone and no event is stored.

use std::rc::Rc;

use crate::error::Result;
use crate::event::StepView;
use crate::machine::Machine;
use crate::probe::Probe;
use crate::stats::{RunReport, Stats};
use crate::step::EventLog;
use crate::trace::{Access, CHUNK, Head, Kind, RUN_PAGE_BITS, RunVisitor, Trace};

/// Bytes that all checkpoints together may take.
pub const CHECKPOINT_BYTES: usize = 64 << 20;

/// Runs accesses `from..to` on a machine that stands before `from`.
pub fn advance<P: Probe>(machine: &mut Machine, trace: &Trace, from: u32, to: u32, probe: &mut P) {
    let mut at = from;
    while at < to {
        let chunk = trace.chunk_of(at);
        let end = (chunk.first + chunk.n).min(to);
        let whole = at == chunk.first && end == chunk.first + chunk.n;
        if whole && machine.may_skip() {
            let mut runner = Runner { machine, probe, pending: [0; 4] };
            chunk.visit_runs(&mut runner);
            for kind in Kind::ALL {
                runner.flush(kind);
                runner.probe.accesses(kind, u64::from(chunk.count(kind)));
            }
        } else {
            let skipped = (at - chunk.first) as usize;
            let accesses = chunk.accesses().skip(skipped).take((end - at) as usize);
            for (index, access) in (at..end).zip(accesses) {
                machine.access(index, &access, probe);
            }
        }
        at = end;
    }
}

/// Translates heads and counts repeats: those of a kind are told to the machine together,
/// before the next head that could move the entry they hit.
struct Runner<'a, P> {
    machine: &'a mut Machine,
    probe: &'a mut P,
    pending: [u32; 4],
}

impl<P: Probe> Runner<'_, P> {
    #[inline]
    fn flush(&mut self, kind: Kind) {
        let n = std::mem::take(&mut self.pending[kind.index()]);
        if n > 0 {
            self.machine.repeat(kind, n, self.probe);
        }
    }
}

impl<P: Probe> RunVisitor for Runner<'_, P> {
    #[inline]
    fn repeats(&mut self, n: [u32; 3]) {
        for (pending, n) in self.pending.iter_mut().zip(n) {
            *pending += n;
        }
    }

    fn process(&mut self, pid: u32) {
        for kind in Kind::SERVED {
            self.flush(kind);
        }
        self.machine.enter(pid);
    }

    #[inline]
    fn head(&mut self, head: Head) {
        if head.kind.is_fetch() {
            self.flush(Kind::Fetch);
        } else {
            self.flush(Kind::Load);
            self.flush(Kind::Store);
        }
        let address = head.page << RUN_PAGE_BITS;
        let leaf = self.machine.translate(head.index, head.kind, address, self.probe);
        if head.distance > 0 {
            let last = (head.page + u64::from(head.distance)) << RUN_PAGE_BITS;
            let shift = self.machine.page_shift(leaf);
            if last >> shift != address >> shift {
                self.machine.translate_end(head.index, head.kind, last, self.probe);
            }
        }
    }
}

/// A machine at a place in the trace: before access `position`.
#[derive(Clone, Debug)]
struct Point {
    position: u32,
    machine: Machine,
}

/// Clones of the machine at rising positions, the first before access 0.
#[derive(Debug)]
struct Checkpoints {
    points: Vec<Point>,
    /// Accesses between two, a multiple of a chunk.
    interval: u32,
    /// Bytes of each that the one before does not share.
    bytes: Vec<usize>,
    max_bytes: usize,
}

impl Checkpoints {
    fn new(machine: Machine, max_bytes: usize) -> Self {
        let bytes = vec![machine.bytes_apart_from(None)];
        Self { points: vec![Point { position: 0, machine }], interval: CHUNK, bytes, max_bytes }
    }

    /// Keeps a clone of the machine if it is time for one.
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

    /// Drops every second one, and doubles the interval.
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

    /// The last one at or before `position`.
    fn before(&self, position: u32) -> &Point {
        let after = self.points.partition_point(|point| point.position <= position);
        &self.points[after - 1]
    }
}

/// A trace on a machine, with a cursor that can go anywhere.
#[derive(Debug)]
pub struct Replay {
    trace: Rc<Trace>,
    checkpoints: Checkpoints,
    cursor: Point,
    /// The run that lays the checkpoints.
    run: Point,
    stats: Stats,
}

impl Replay {
    pub fn new(trace: Rc<Trace>, machine: Machine, max_bytes: usize) -> Self {
        let start = Point { position: 0, machine };
        Self {
            trace,
            checkpoints: Checkpoints::new(start.machine.clone(), max_bytes),
            cursor: start.clone(),
            run: start,
            stats: Stats::default(),
        }
    }

    pub fn trace(&self) -> &Rc<Trace> {
        &self.trace
    }

    /// The machine where the cursor stands.
    pub fn machine(&self) -> &Machine {
        &self.cursor.machine
    }

    /// Runs on to the end of the chunk in which `n` more accesses end; true if the trace is done.
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up.
    pub fn run(&mut self, n: u32) -> Result<bool> {
        let end = self
            .run
            .position
            .saturating_add(n)
            .div_ceil(CHUNK)
            .saturating_mul(CHUNK)
            .min(self.trace.len());
        while self.run.position < end {
            let to = (self.run.position + CHUNK).min(end);
            advance(&mut self.run.machine, &self.trace, self.run.position, to, &mut self.stats);
            self.run.position = to;
            if let Some(error) = self.run.machine.failure() {
                return Err(error.clone());
            }
            self.checkpoints.offer(to, &self.run.machine);
        }
        Ok(self.run.position == self.trace.len())
    }

    /// Accesses run so far.
    pub fn position(&self) -> u32 {
        self.run.position
    }

    /// Counters of the accesses run so far.
    pub fn report(&self) -> RunReport {
        self.stats.report(&self.run.machine, self.trace.completeness)
    }

    /// Bytes of all checkpoints, what they share counted once.
    pub fn checkpoint_bytes(&self) -> usize {
        self.checkpoints.bytes.iter().sum()
    }

    /// Goes to access `index` and tells what happens there; `None` if the trace has no such access.
    pub fn seek(&mut self, index: u32) -> Option<StepView> {
        let (access, ip) = self.access_at(index)?;
        self.go_before(index);
        let mut log = EventLog::default();
        self.cursor.machine.access(index, &access, &mut log);
        self.cursor.position = index + 1;
        Some(log.into_view(&self.cursor.machine, index, &access, ip))
    }

    /// Puts the cursor before access `index`.
    fn go_before(&mut self, index: u32) {
        let start = self.checkpoints.before(index);
        if self.cursor.position > index || self.cursor.position < start.position {
            self.cursor = start.clone();
        }
        let Point { position, machine } = &mut self.cursor;
        advance(machine, &self.trace, *position, index, &mut ());
        *position = index;
    }

    /// The access, and its instruction pointer: its own, else the last fetch at or before it.
    fn access_at(&self, index: u32) -> Option<(Access, Option<u64>)> {
        if index >= self.trace.len() {
            return None;
        }
        let chunk = self.trace.chunk_of(index);
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

    /// A machine before access `position`, made from the nearest checkpoint.
    pub(crate) fn machine_before(&self, position: u32) -> Machine {
        let near = if self.cursor.position == position {
            &self.cursor
        } else {
            self.checkpoints.before(position)
        };
        let mut machine = near.machine.clone();
        advance(&mut machine, &self.trace, near.position, position, &mut ());
        machine
    }

    /// The last checkpoint at or before `position`.
    pub(crate) fn checkpoint_before(&self, position: u32) -> (u32, &Machine) {
        let point = self.checkpoints.before(position);
        (point.position, &point.machine)
    }
}
