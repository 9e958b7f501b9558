//! Runs a trace while it is read. The run keeps the last chunks, and forgets those before.

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
}

impl Stream {
    /// Begins a run on a machine in its first state. The accesses before number `counted_from` change the machine, but no
    /// counter.
    pub fn new(machine: Machine, stats: Stats, counted_from: u32) -> Self {
        let touched = Touched::for_machine(&machine);
        let builder = TraceBuilder::of_chunks();
        Self { machine, stats, touched, builder, waiting: Vec::new(), counted_from }
    }

    /// Takes the next access.
    ///
    /// # Errors
    /// Those of [`Self::push_all`].
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
        self.builder.push_all(&self.waiting)?;
        self.waiting.clear();
        self.builder.push_all(accesses)?;
        for chunk in self.builder.take_chunks() {
            self.chunk(&chunk, false)?;
        }
        Ok(())
    }

    /// Takes an operation, which comes before the next access.
    ///
    /// # Errors
    /// Those of [`Self::push_all`].
    pub fn op(&mut self, record: &OpRecord) -> Result<()> {
        self.push_all(&[])?;
        self.builder.push_op(record)
    }

    /// Ends the run.
    ///
    /// # Errors
    /// Those of [`Self::push_all`].
    pub fn finish(mut self, completeness: Completeness) -> Result<RunReport> {
        self.push_all(&[])?;
        let trace = std::mem::take(&mut self.builder).finish(completeness)?;
        for (at, chunk) in trace.chunks().iter().enumerate() {
            self.chunk(chunk, at + 1 == trace.chunks().len())?;
        }
        Ok(self.stats.report_with(&self.machine, completeness, self.touched.as_ref()))
    }

    /// Runs a whole chunk: its accesses that warm up, then those that count.
    fn chunk(&mut self, chunk: &Chunk, is_last: bool) -> Result<()> {
        let Self { machine, stats, touched, counted_from, .. } = self;
        let (start, end) = (chunk.first, chunk.first + chunk.n);
        let counted = (*counted_from).clamp(start, end);
        if start < counted {
            let is_end = is_last && counted == end;
            run_part(machine, chunk, start..counted, &mut (), true, is_end);
        }
        if counted < end {
            if stats.needs_each_translation() {
                run_single(machine, chunk, counted..end, stats, is_last);
            } else {
                run_part(machine, chunk, counted..end, stats, true, is_last);
            }
        }
        if let Some(touched) = touched {
            touched.part_of(chunk, start, end);
        }
        machine.failure().cloned().map_or(Ok(()), Err)
    }
}
