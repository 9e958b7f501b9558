//! Runs a trace while it is read. The run keeps the chunk that is being read, and forgets those before.
//!
//! From the first operation between accesses on, each access and operation is executed alone, when it is read: an error
//! of an operation then has the place in the file where the reader is.

use crate::machine::Machine;
use crate::record::stats::{RunReport, Stats};
use crate::record::touched::Touched;
use crate::run::replay::{run_part, run_single};
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Chunk, Completeness, OpRecord, TraceBuilder};

/// Accesses that come alone are added together, so many at once.
const TOGETHER: usize = 1 << 10;

/// A run of a trace that is being read.
pub struct Stream {
    machine: Machine,
    stats: Stats,
    touched: Option<Touched>,
    builder: TraceBuilder,
    /// Accesses that are not in `builder` yet.
    waiting: Vec<Access>,
    /// The number of the first access that counts.
    counted_from: u32,
    /// The number of the next access, once accesses are executed alone.
    next: Option<u32>,
}

impl Stream {
    /// Begins a run on a machine in its first state. The accesses before number `counted_from` change the machine, but no
    /// counter.
    pub fn new(machine: Machine, stats: Stats, counted_from: u32) -> Self {
        let touched = Touched::for_machine(&machine);
        let builder = TraceBuilder::of_chunks();
        Self { machine, stats, touched, builder, waiting: Vec::new(), counted_from, next: None }
    }

    /// Takes the next access.
    ///
    /// # Errors
    /// Errors of [`Self::push_all`].
    #[inline]
    pub fn push(&mut self, access: Access) -> Result<()> {
        self.waiting.push(access);
        if self.waiting.len() < TOGETHER { Ok(()) } else { self.push_all(&[]) }
    }

    /// Takes the next accesses.
    ///
    /// # Errors
    /// `too-large` if the simulated memory is used up, or the accesses are too many to be numbered.
    pub fn push_all(&mut self, accesses: &[Access]) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.take(&waiting)?;
        self.take(accesses)?;
        self.waiting = waiting;
        self.waiting.clear();
        Ok(())
    }

    fn take(&mut self, accesses: &[Access]) -> Result<()> {
        if self.next.is_some() {
            return accesses.iter().try_for_each(|access| self.alone(access));
        }
        self.builder.push_all(accesses)?;
        self.builder.take_chunks().iter().try_for_each(|chunk| self.chunk(chunk))
    }

    /// Takes an operation, which comes before the next access.
    ///
    /// # Errors
    /// An operation that cannot be done, and errors of [`Self::push_all`].
    pub fn op(&mut self, record: &OpRecord) -> Result<()> {
        self.push_all(&[])?;
        let next = match self.next {
            Some(next) => next,
            None => self.run_chunks(Completeness::Complete)?,
        };
        self.next = Some(next);
        let Self { machine, stats, touched, counted_from, .. } = self;
        if next < *counted_from {
            machine.execute(record, &mut ());
        } else {
            machine.execute(record, stats);
        }
        if let Some(touched) = touched {
            touched.operation(record);
        }
        self.failure()
    }

    /// Ends the run.
    ///
    /// # Errors
    /// Errors of [`Self::push_all`].
    pub fn finish(mut self, completeness: Completeness) -> Result<RunReport> {
        self.push_all(&[])?;
        if self.next.is_none() {
            self.run_chunks(completeness)?;
        }
        Ok(self.stats.report_with(&self.machine, completeness, self.touched.as_ref()))
    }

    /// Runs the rest of the chunks. Returns the number of the next access.
    fn run_chunks(&mut self, completeness: Completeness) -> Result<u32> {
        let trace = std::mem::take(&mut self.builder).finish(completeness)?;
        trace.chunks().iter().try_for_each(|chunk| self.chunk(chunk))?;
        Ok(trace.len())
    }

    /// Runs a chunk: its accesses that warm up, then those that count.
    fn chunk(&mut self, chunk: &Chunk) -> Result<()> {
        let Self { machine, stats, touched, counted_from, .. } = self;
        let (start, end) = (chunk.first, chunk.first + chunk.n);
        let counted = (*counted_from).clamp(start, end);
        if start < counted {
            run_part(machine, chunk, start..counted, &mut (), false);
        }
        if counted < end {
            if stats.needs_each_translation() {
                run_single(machine, chunk, counted..end, stats, false);
            } else {
                run_part(machine, chunk, counted..end, stats, false);
            }
        }
        if let Some(touched) = touched {
            touched.part_of(chunk, start, end);
        }
        self.failure()
    }

    fn alone(&mut self, access: &Access) -> Result<()> {
        let Self { machine, stats, touched, counted_from, next, .. } = self;
        let Some(number) = next else { return Ok(()) };
        if *number < *counted_from {
            machine.access(*number, access, &mut ());
        } else {
            machine.access(*number, access, stats);
        }
        *number += 1;
        if let Some(touched) = touched {
            touched.access(access);
        }
        self.failure()
    }

    fn failure(&self) -> Result<()> {
        self.machine.failure().cloned().map_or(Ok(()), Err)
    }
}
