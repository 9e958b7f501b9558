//! The machine as the importer's sink: each access is simulated when it is read, and nothing is
//! kept of it. Where the memory map decides what happens, it is kept instead, to be
//! simulated when all of it is known.

use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::record::touched::Touched;
use pagewalk::run::replay::Run;
use pagewalk::run::window::{Span, Window};
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::{Access, Completeness, Mapping, OpRecord, Trace, TraceBuilder};
use pagewalk_sources::import::Sink;

use crate::setup::Setup;

/// A run under way.
pub(super) struct Simulation {
    machine: Machine,
    stats: Stats,
    touched: Option<Touched>,
    window: Window,
    counted_from: u64,
    /// Accesses read so far.
    n: u64,
    /// The trace, if it has to be kept.
    kept: Option<TraceBuilder>,
    /// The memory map came too late for what was simulated already.
    late: bool,
}

impl Simulation {
    pub(super) fn new(machine: Machine, window: Window, keep: bool) -> Self {
        let (touched, counted_from) = (Touched::for_machine(&machine), window.counted_from());
        let kept = keep.then(TraceBuilder::default);
        let stats = Stats::default();
        Self { machine, stats, touched, window, counted_from, n: 0, kept, late: false }
    }

    /// Accesses to read at most.
    pub(super) fn limit(&self) -> u64 {
        if self.kept.is_some() { u64::MAX } else { self.window.end() }
    }

    /// Whether the run has to begin again, with a trace that is kept.
    pub(super) fn is_late(&self) -> bool {
        self.late
    }

    /// The end of the run.
    pub(super) fn report(
        self,
        completeness: Completeness,
        setup: &Setup,
        cores: Cores,
    ) -> anyhow::Result<RunReport> {
        let Some(kept) = self.kept else {
            return Ok(self.stats.report_with(&self.machine, completeness, self.touched.as_ref()));
        };
        let trace = kept.finish(completeness)?;
        let machine = Machine::with_map(&setup.config, &setup.os, &memory_map(&trace));
        let machine = machine.map_err(|error| setup.blame(error))?.with_cores(cores);
        Ok(run(&trace, machine, self.window)?)
    }

    fn simulate(&mut self, access: &Access) -> Result<()> {
        let number = self.n;
        self.n += 1;
        if number < self.window.skip {
            return Ok(());
        }
        let index = u32::try_from(number - self.window.skip).map_err(|_| too_long())?;
        if number < self.counted_from {
            self.machine.access(index, access, &mut ());
        } else {
            self.machine.access(index, access, &mut self.stats);
        }
        if let Some(touched) = &mut self.touched {
            touched.access(access);
        }
        self.machine.failure().cloned().map_or(Ok(()), Err)
    }
}

/// The window of a whole trace; one that counts nothing gives an empty report.
fn run(trace: &Trace, machine: Machine, window: Window) -> Result<RunReport> {
    let clip = |n: u64| u32::try_from(n).map_or(trace.len(), |n| n.min(trace.len()));
    let [start, counted, end] = [window.skip, window.counted_from(), window.end()].map(clip);
    let span = Span { simulated: start..end, counted: counted..end };
    let mut run = Run::counting(span, trace, machine);
    run.go_on(u32::MAX)?;
    Ok(run.report())
}

impl Sink for Simulation {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        match &mut self.kept {
            Some(kept) => kept.push(&access),
            None => self.simulate(&access),
        }
    }

    /// An operation belongs to the access that follows it.
    fn op(&mut self, record: OpRecord) -> Result<()> {
        if let Some(kept) = &mut self.kept {
            return kept.push_op(&record);
        }
        if self.n < self.window.skip {
            return Ok(());
        }
        if self.n < self.counted_from {
            self.machine.execute(&record, &mut ());
        } else {
            self.machine.execute(&record, &mut self.stats);
        }
        if let Some(touched) = &mut self.touched {
            touched.operation(&record);
        }
        self.machine.failure().cloned().map_or(Ok(()), Err)
    }

    /// A memory map holds for the whole trace, so what follows it is kept.
    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        if self.kept.is_none() && self.n > 0 {
            self.late = true;
            let message = "the memory map comes after accesses: give the trace as a file instead of standard input";
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        self.kept.get_or_insert_default().map(mapping)
    }
}

/// The machine numbers accesses with 32 bits.
#[cold]
fn too_long() -> Error {
    let message = "the run has more than 4,294,967,295 accesses: end it with --limit, or leave some out with --skip";
    Error::new(ErrorCode::TooLarge, message)
}
