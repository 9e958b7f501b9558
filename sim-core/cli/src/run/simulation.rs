//! The machine as the importer's sink: it simulates each access when it is read, and keeps nothing of the
//! trace. If the memory map matters, it keeps the trace instead and simulates it at the end.

use std::rc::Rc;

use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::record::touched::Touched;
use pagewalk::run::replay::Run;
use pagewalk::run::window::{Span, Window};
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{Access, Completeness, Mapping, OpRecord, Places};
use pagewalk_sources::import::Sink;

use super::breakdown::Breakdown;
use crate::args::{BreakdownBy, CountBy};
use crate::convert::All;
use crate::setup::Setup;

/// A run in progress.
pub(super) struct Simulation {
    machine: Machine,
    stats: Stats,
    touched: Option<Touched>,
    window: Window,
    counted_from: u64,
    /// The number of accesses read until now.
    n: u64,
    /// The trace, if it must be kept.
    kept: Option<All>,
    /// The breakdown to make, which needs a trace that is kept.
    pub(super) by: Option<BreakdownBy>,
    /// Whether a memory map came after accesses that are already simulated.
    late: bool,
}

impl Simulation {
    pub(super) fn new(machine: Machine, window: Window, keep: bool, count: CountBy) -> Self {
        let (touched, counted_from) = (Touched::for_machine(&machine), window.counted_from());
        let kept = keep.then(All::default);
        let stats = match count {
            CountBy::Translations => Stats::default(),
            CountBy::Accesses => Stats::by_access(),
        };
        Self { machine, stats, touched, window, counted_from, n: 0, kept, by: None, late: false }
    }

    /// The largest number of accesses to read.
    pub(super) fn limit(&self) -> u64 {
        if self.kept.is_some() { u64::MAX } else { self.window.end() }
    }

    /// Returns whether the run must start again, with a trace that is kept.
    pub(super) fn is_late(&self) -> bool {
        self.late
    }

    /// Ends the run.
    pub(super) fn report(
        self,
        completeness: Completeness,
        setup: &Setup,
        cores: Cores,
    ) -> anyhow::Result<(RunReport, Option<Breakdown>)> {
        let Some(kept) = self.kept else {
            let touched = self.touched.as_ref();
            return Ok((self.stats.report_with(&self.machine, completeness, touched), None));
        };
        let (trace, samples) = kept.finish(completeness)?;
        let trace = Rc::new(trace);
        let map = memory_map(&trace, setup.config.address_tags());
        let machine = Machine::with_map(&setup.config, &setup.os, &map);
        let machine = machine.map_err(|error| setup.blame(error))?.with_cores(cores);
        let span = span(self.window, trace.len());
        let mut run = Run::counting(span.clone(), &*trace, machine.clone()).with(self.stats);
        run.go_on(u32::MAX)?;
        let breakdown = self.by.map(|by| Breakdown::new(by, span, (&trace, &samples), machine));
        Ok((run.report(), breakdown))
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

/// Returns the window in a trace of `len` accesses. It may count no access.
fn span(window: Window, len: u32) -> Span {
    let clip = |n: u64| u32::try_from(n).map_or(len, |n| n.min(len));
    let [start, counted, end] = [window.skip, window.counted_from(), window.end()].map(clip);
    Span { simulated: start..end, counted: counted..end }
}

impl Sink for Simulation {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        match &mut self.kept {
            Some(kept) => kept.access(access),
            None => self.simulate(&access),
        }
    }

    /// An operation belongs to the access after it.
    fn op(&mut self, record: OpRecord) -> Result<()> {
        if let Some(kept) = &mut self.kept {
            return kept.op(record);
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

    /// A memory map applies to the whole trace, so the accesses after it are kept.
    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        if self.kept.is_none() && self.n > 0 {
            self.late = true;
            let message = "the memory map comes after accesses, so the trace must be read twice: give it as a file instead of standard input";
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        self.kept.get_or_insert_default().mapping(mapping)
    }

    /// Only a breakdown needs the symbols of samples.
    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        match &mut self.kept {
            Some(kept) if self.by.is_some() => kept.sample(sample),
            _ => Ok(()),
        }
    }

    fn places(&mut self, places: Places) -> Result<()> {
        match &mut self.kept {
            Some(kept) if self.by.is_some() => kept.places(places),
            _ => Ok(()),
        }
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        match &mut self.kept {
            Some(kept) if self.by.is_some() => kept.samples(samples),
            _ => Ok(()),
        }
    }
}

/// The machine numbers accesses with 32 bits.
#[cold]
fn too_long() -> Error {
    let message = "the run has more than 4,294,967,295 accesses: shorten it with --limit or --skip";
    Error::new(ErrorCode::TooLarge, message)
}
