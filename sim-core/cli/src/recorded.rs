//! `--pages recorded`: maps each page at the size that the recording measured. It is the default where nothing else says
//! how memory is mapped, and the recording has sizes.

use anyhow::bail;
use pagewalk::machine::Machine;
use pagewalk::os::MemoryMap;
use pagewalk_analysis::recorded_pages::{PageEvidence, RecordedPages, page_size};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{
    Access, Completeness, FrameRun, Mapping, OpRecord, PageFact, Trace, TraceBuilder,
};
use pagewalk_sources::import::{RecordedSizes, Sink};

use crate::args::AccessArgs;
use crate::setup::Setup;

/// Whether the page sizes of the recording are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Never,
    /// If there are any.
    IfAny,
    /// They are asked for.
    Always,
}

impl Wanted {
    pub(crate) fn new(is_asked: bool, setup: &Setup) -> Self {
        match (is_asked, setup.is_mapping_open()) {
            (true, _) => Self::Always,
            (false, true) => Self::IfAny,
            (false, false) => Self::Never,
        }
    }
}

/// # Errors
/// A workload, which has no recorded page sizes.
pub(crate) fn check_recorded(wanted: Wanted, args: &AccessArgs) -> anyhow::Result<()> {
    if wanted == Wanted::Always && args.source.trace.is_none() {
        bail!("--pages recorded: a workload has no recorded page sizes: give a page size");
    }
    Ok(())
}

/// The error that a recording has no page sizes.
pub(crate) fn no_sizes(name: &str) -> String {
    format!(
        "--pages recorded: {name} has no page sizes: record it with `perf mem record --data-page-size`, or give a copy of /proc/PID/smaps with --smaps"
    )
}

/// The error that something which decides about the whole trace comes after accesses.
#[cold]
pub(crate) fn late(what: &str) -> Error {
    let message = format!(
        "{what} after accesses, so the trace must be read twice: give it as a file instead of standard input"
    );
    Error::new(ErrorCode::Unsupported, message)
}

/// The page sizes of a recording that is being read.
#[derive(Clone)]
pub(crate) struct Sizes {
    wanted: Wanted,
    smallest: PageSize,
    pub(crate) evidence: PageEvidence,
    /// Whether frames of the recording decide, too.
    has_frames: bool,
}

impl Sizes {
    /// `smallest` is the size of the pages of memory that nothing says more about.
    pub(crate) fn new(wanted: Wanted, smallest: PageSize) -> Self {
        Self { wanted, smallest, evidence: PageEvidence::default(), has_frames: false }
    }

    /// Takes how the file says which sizes its pages had. Returns whether they decide how memory is mapped.
    pub(crate) fn decides(&mut self, sizes: RecordedSizes) -> bool {
        if let RecordedSizes::All(bytes) = sizes {
            self.evidence.state(bytes);
        }
        let is_other = match sizes {
            RecordedSizes::OfSamples => true,
            RecordedSizes::All(bytes) => page_size(bytes).is_some_and(|size| size != self.smallest),
        };
        is_other && self.wanted != Wanted::Never
    }

    pub(crate) fn sample(&mut self, sample: &Sample<'_>) {
        if self.wanted != Wanted::Never {
            let size = page_size(sample.data_page).map(|size| size.0);
            self.evidence.add(sample.address, size);
        }
    }

    pub(crate) fn samples(&mut self, samples: &Samples) {
        if self.wanted != Wanted::Never {
            self.evidence.add_all(samples);
        }
    }

    /// Takes what a system said about the pages. Returns whether it decides how memory is mapped.
    pub(crate) fn facts(&mut self, facts: &[PageFact]) -> bool {
        if self.wanted != Wanted::Never {
            self.evidence.add_facts(facts);
        }
        self.wanted != Wanted::Never && self.evidence.has_others(self.smallest)
    }

    /// Takes where pages were in physical memory. Returns whether that decides how memory is mapped.
    pub(crate) fn frames(&mut self, runs: &[FrameRun]) -> bool {
        if self.wanted != Wanted::Never {
            self.evidence.add_frames(runs);
            self.has_frames |= self.evidence.has_frames();
        }
        self.has_frames
    }

    /// Takes the pages that the trace uses.
    pub(crate) fn used(&mut self, trace: &Trace) {
        self.evidence.add_used(trace.pages());
    }

    /// Returns the pages of the recording, if they are used.
    ///
    /// # Errors
    /// They are asked for, and there are none.
    pub(crate) fn pages(&self, name: &str) -> anyhow::Result<Option<RecordedPages>> {
        let is_used = match self.wanted {
            Wanted::Never => false,
            Wanted::IfAny => self.has_frames || self.evidence.has_others(self.smallest),
            Wanted::Always if self.evidence.is_empty() => bail!(no_sizes(name)),
            Wanted::Always => true,
        };
        Ok(is_used.then(|| self.evidence.pages(self.smallest)))
    }

    /// Words an error about the page sizes of the recording as a warning, unless they are asked for.
    ///
    /// # Errors
    /// The error, if they are asked for.
    pub(crate) fn unused(&self, error: anyhow::Error) -> anyhow::Result<String> {
        match self.wanted {
            Wanted::Always => Err(error),
            _ => Ok(format!("The run does not use the page sizes of the recording: {error:#}")),
        }
    }

    /// Maps memory with the page sizes of the recording, if they are used. Returns a warning if they contradict each
    /// other, or if the machine does not have them.
    ///
    /// # Errors
    /// They are asked for, and there are none, or the machine does not have them.
    pub(crate) fn map(&self, setup: &mut Setup, name: &str) -> anyhow::Result<Option<String>> {
        let Some(pages) = self.pages(name)? else { return Ok(None) };
        let mut mapped = setup.clone();
        mapped.map_recorded(&pages);
        let known = MemoryMap { is_of_trace: true, ..MemoryMap::default() };
        match Machine::with_map(&mapped.config, &mapped.os, &known) {
            Ok(_) => {
                *setup = mapped;
                Ok(pages.warning())
            }
            Err(error) => self.unused(mapped.blame(error)).map(Some),
        }
    }
}

/// A whole trace with the page sizes of its recording.
pub(crate) struct Sized {
    trace: TraceBuilder,
    sizes: Sizes,
}

impl Sized {
    pub(crate) fn new(wanted: Wanted, smallest: PageSize) -> Self {
        Self { trace: TraceBuilder::default(), sizes: Sizes::new(wanted, smallest) }
    }

    /// # Errors
    /// Too many accesses.
    pub(crate) fn finish(mut self, completeness: Completeness) -> Result<(Trace, Sizes)> {
        let trace = self.trace.finish(completeness)?;
        self.sizes.used(&trace);
        Ok((trace, self.sizes))
    }
}

impl Sink for Sized {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.trace.push(&access)
    }

    fn accesses(&mut self, accesses: &[Access]) -> Result<()> {
        self.trace.push_all(accesses)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.trace.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.trace.map(mapping)
    }

    fn recorded_pages(&mut self, sizes: RecordedSizes) -> Result<()> {
        self.sizes.decides(sizes);
        Ok(())
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        self.sizes.facts(&facts);
        Ok(())
    }

    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        self.sizes.frames(&runs);
        self.trace.frames(&runs)
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.sizes.sample(sample);
        Ok(())
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        self.sizes.samples(&samples);
        Ok(())
    }
}
