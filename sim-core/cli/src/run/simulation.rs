//! The machine as the importer's sink: it simulates accesses soon after they are read, and then forgets them. If the memory
//! map matters, it keeps the trace instead and simulates it at the end.

use std::rc::Rc;

use anyhow::{Context as _, bail};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::Frames;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::Run;
use pagewalk::run::stream::Stream;
use pagewalk::run::window::{Span, Window};
use pagewalk_analysis::frames::FrameReport;
use pagewalk_analysis::regions::memory_map;
use pagewalk_analysis::uncertainty::UncertaintyReport;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::narrow::index;
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::thousands::grouped;
use pagewalk_base::trace::{
    Access, CallTree, FrameRun, MAX_ACCESSES, Mapping, OpRecord, PageFact, Places,
};
use pagewalk_sources::import::{RecordedSizes, Sink};

use super::breakdown::Breakdown;
use super::uncertainty::Runs;
use crate::args::{BreakdownBy, CountBy};
use crate::convert::All;
use crate::recorded::{Sizes, late};
use crate::setup::Setup;
use crate::source::Source;

/// The counters, the breakdown if one is asked for, and a warning about page sizes.
pub(super) struct Ended {
    pub(super) report: RunReport,
    pub(super) breakdown: Option<Breakdown>,
    pub(super) uncertainty: Option<UncertaintyReport>,
    pub(super) about_pages: Option<String>,
    /// The frames, if pages got those of the recording.
    pub(super) frames: Option<FrameReport>,
}

/// A run in progress.
pub(super) struct Simulation {
    stream: Stream,
    stats: Stats,
    window: Window,
    /// The number of accesses read until now.
    n: u64,
    /// The trace, if it must be kept.
    kept: Option<All>,
    /// The breakdown to make, which needs a trace that is kept.
    pub(super) by: Option<BreakdownBy>,
    /// Whether all call paths are needed.
    pub(super) is_folded: bool,
    /// The number of threads that vary the assumed parameters, if they vary.
    pub(super) varied: Option<usize>,
    /// The page sizes of the recording.
    sizes: Sizes,
    /// Whether a memory map or a page size came after accesses that are already simulated.
    late: bool,
}

impl Simulation {
    pub(super) fn new(
        machine: Machine,
        window: Window,
        keep: bool,
        count: CountBy,
        sizes: Sizes,
    ) -> Self {
        let kept = keep.then(All::default);
        let stats = match count {
            CountBy::Translations => Stats::default(),
            CountBy::Accesses => Stats::by_access(),
        };
        let counted_from = u32::try_from(window.warmup).unwrap_or(u32::MAX);
        Self {
            stream: Stream::new(machine, stats.clone(), counted_from),
            stats,
            window,
            n: 0,
            kept,
            by: None,
            is_folded: false,
            varied: None,
            sizes,
            late: false,
        }
    }

    /// The largest number of accesses to read.
    pub(super) fn limit(&self) -> u64 {
        if self.kept.is_some() { u64::MAX } else { self.window.end() }
    }

    /// Returns whether the run must start again, with a trace that is kept.
    pub(super) fn is_late(&self) -> bool {
        self.late
    }

    /// Ends the run. The page sizes of the recording go into the setup.
    pub(super) fn report(
        mut self,
        source: &Source,
        setup: &mut Setup,
        cores: Cores,
    ) -> anyhow::Result<Ended> {
        let completeness = source.report.completeness;
        let Some(kept) = self.kept else {
            let report = self.stream.finish(completeness);
            return Ok(Ended {
                report: report.with_context(|| source.name.clone())?,
                breakdown: None,
                uncertainty: None,
                about_pages: None,
                frames: None,
            });
        };
        let (trace, samples) = kept.finish(completeness)?;
        let trace = Rc::new(trace);
        let map = memory_map(&trace, setup.config.address_tags());
        self.sizes.used(&trace);
        let about_pages = self.sizes.map(setup, &source.name)?;
        let frames = (setup.os.frames == Frames::Recorded).then(|| FrameReport::of(&trace));
        if let Some(None) = frames {
            bail!(
                "{} has no frames of pages, which the mapping asks for: give a copy of /proc/PID/pagemap with --pagemap",
                source.name
            );
        }
        let machine = Machine::with_map(&setup.config, &setup.os, &map);
        let machine = machine.map_err(|error| setup.blame(error))?.with_cores(cores);
        let span = span(self.window, trace.len());
        let stats = &self.stats;
        let mut run = Run::new(span.clone(), &*trace, machine.clone()).with(stats.clone());
        run.go_on(u32::MAX)?;
        let report = run.report();
        let (runs_of, trace_of) = (&*setup, &*trace);
        let vary = |(cpu, jobs)| {
            let (setup, map, trace, span, report) = (runs_of, &map, trace_of, &span, &report);
            Runs { setup, cores, map, trace, span, stats, report }.vary(cpu, jobs)
        };
        let uncertainty = setup.cpu().zip(self.varied).map(vary).transpose()?;
        let by = self.by.map(|by| (by, self.is_folded));
        let breakdown = by.map(|by| Breakdown::new(by, span, (&trace, &samples), machine));
        let frames = frames.flatten();
        Ok(Ended { report, breakdown, uncertainty, about_pages, frames })
    }

    /// Keeps the trace from now on, because `what` decides how all of it is mapped.
    fn keep(&mut self, what: &str) -> Result<&mut All> {
        if self.kept.is_none() && self.n > 0 {
            self.late = true;
            return Err(late(what));
        }
        Ok(self.kept.get_or_insert_default())
    }

    /// Counts `n` more accesses; returns how many of them are skipped.
    fn skipped(&mut self, n: usize) -> Result<usize> {
        let skipped = self.window.skip.saturating_sub(self.n).min(n as u64);
        self.n += n as u64;
        let is_too_long = self.n.saturating_sub(self.window.skip) > MAX_ACCESSES.into();
        if is_too_long { Err(too_long()) } else { Ok(index(skipped)) }
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
        if let Some(kept) = &mut self.kept {
            return kept.access(access);
        }
        if self.skipped(1)? == 0 { self.stream.push(access) } else { Ok(()) }
    }

    fn accesses(&mut self, accesses: &[Access]) -> Result<()> {
        if let Some(kept) = &mut self.kept {
            return kept.accesses(accesses);
        }
        let skipped = self.skipped(accesses.len())?;
        self.stream.push_all(accesses.get(skipped..).unwrap_or_default())
    }

    /// An operation belongs to the access after it.
    fn op(&mut self, record: OpRecord) -> Result<()> {
        if let Some(kept) = &mut self.kept {
            return kept.op(record);
        }
        if self.n < self.window.skip {
            return Ok(());
        }
        self.stream.op(&record)
    }

    /// A memory map applies to the whole trace, so the accesses after it are kept.
    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.keep("the memory map comes")?.mapping(mapping)
    }

    fn recorded_pages(&mut self, sizes: RecordedSizes) -> Result<()> {
        if self.sizes.decides(sizes) && self.kept.is_none() {
            self.keep("the page sizes come")?;
        }
        Ok(())
    }

    /// Only a breakdown needs the symbols of samples.
    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.sizes.sample(sample);
        match &mut self.kept {
            Some(kept) if self.by.is_some() => kept.sample(sample),
            _ => Ok(()),
        }
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        if self.sizes.facts(&facts) {
            self.keep("the facts about pages come")?;
        }
        Ok(())
    }

    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        if self.sizes.frames(&runs) {
            self.keep("the frames of pages come")?;
        }
        match &mut self.kept {
            Some(kept) => kept.frames(runs),
            None => Ok(()),
        }
    }

    fn places(&mut self, places: Places) -> Result<()> {
        match &mut self.kept {
            Some(kept) if self.by.is_some() => kept.places(places),
            _ => Ok(()),
        }
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        match &mut self.kept {
            Some(kept) if self.by.is_some() => kept.call(tree, node),
            _ => Ok(()),
        }
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        self.sizes.samples(&samples);
        match &mut self.kept {
            Some(kept) if self.by.is_some() => kept.samples(samples),
            _ => Ok(()),
        }
    }
}

/// The machine numbers accesses with 32 bits.
#[cold]
fn too_long() -> Error {
    let message = format!(
        "the run has more than {} accesses: shorten it with --limit or --skip",
        grouped(MAX_ACCESSES.into())
    );
    Error::new(ErrorCode::TooLarge, message)
}
