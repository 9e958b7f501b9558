//! Files of Linux about the recorded process, beside its trace: `--maps`, `--smaps` and `--pagemap`.

use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use pagewalk_analysis::recorded_pages::union;
use pagewalk_base::error::Result;
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{Access, CallTree, FrameRun, Mapping, OpRecord, PageFact, Places};
use pagewalk_sources::import::{RecordedSizes, Sink};
use pagewalk_sources::process::{self, ProcessMemory};

use crate::args::FormatArgs;
use crate::input::{io_error, open};
use crate::pagemap;
use crate::table::{grouped, percent};

/// The largest file in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// The share of accesses in percent that may lie outside the memory map without a warning. A copy of the map is of one
/// moment, so it lacks memory that was mapped at others.
const MAX_OUTSIDE: u64 = 10;
/// The first address of the upper half, which belongs to kernels. The map of a process does not have it.
const KERNEL: u64 = 1 << 63;

/// Passes a trace on, with the memory of the process before its first access.
pub(crate) struct Beside<'s, S> {
    sink: &'s mut S,
    memory: Option<ProcessMemory>,
    /// Where its pages were in physical memory.
    frames: Vec<FrameRun>,
    warnings: Vec<String>,
    /// The ranges of the memory, in order, without gaps between neighbours.
    ranges: Vec<Range<u64>>,
    /// The range of the last access.
    last: Range<u64>,
    /// The accesses of the process to its own part of the addresses, and those that are in no range.
    n_accesses: u64,
    n_outside: u64,
    /// The process that the memory belongs to.
    pid: Option<u32>,
    /// Whether other processes access memory.
    has_others: bool,
}

impl<'s, S: Sink> Beside<'s, S> {
    /// Reads the files that the arguments name.
    ///
    /// # Errors
    /// Errors of the files, with their names.
    pub(crate) fn read(args: &FormatArgs, sink: &'s mut S) -> anyhow::Result<Self> {
        let memory = match (&args.maps, &args.smaps) {
            (None, None) => None,
            (Some(file), _) => Some(ProcessMemory { pages: Vec::new(), ..read(file)? }),
            (None, Some(file)) => Some(with_pages(file)?),
        };
        let frames = args.pagemap.as_ref().map(|file| pagemap::read_file(file, memory.as_ref()));
        let frames = frames.transpose()?.unwrap_or_default();
        let warnings = pagemap::warnings(&frames);
        let memory = memory.or_else(|| args.pagemap.as_ref().map(|_| ProcessMemory::default()));
        let mappings = memory.iter().flat_map(|memory| &memory.mappings);
        let ranges = union(mappings.map(|of| of.start..of.end).collect());
        Ok(Self {
            sink,
            memory,
            frames: frames.runs,
            warnings,
            ranges,
            last: 0..0,
            n_accesses: 0,
            n_outside: 0,
            pid: None,
            has_others: false,
        })
    }

    /// Returns a warning if the memory is that of one of several processes, one if it does not fit, and those about frames.
    pub(crate) fn warnings(self) -> Vec<String> {
        let of_one = self.pid.filter(|_| self.has_others).map(|pid| {
            format!(
                "The memory map is taken to be that of process {pid}, the first of the trace: --pid chooses another"
            )
        });
        let unfit = self.unfit();
        of_one.into_iter().chain(unfit).chain(self.warnings).collect()
    }

    /// Returns a warning if many accesses lie outside the memory map.
    fn unfit(&self) -> Option<String> {
        let is_unfit =
            self.n_outside.saturating_mul(100) > self.n_accesses.saturating_mul(MAX_OUTSIDE);
        is_unfit.then(|| {
            format!(
                "The memory map has no region for {} of the accesses ({} of {}). It may be that of another run, which has other addresses",
                percent(self.n_outside, self.n_accesses),
                grouped(self.n_outside),
                grouped(self.n_accesses)
            )
        })
    }

    /// Counts an access inside or outside the memory map.
    #[inline]
    fn count(&mut self, access: &Access) {
        if self.ranges.is_empty() || self.pid != Some(access.pid) || access.address >= KERNEL {
            return;
        }
        self.n_accesses += 1;
        if self.last.contains(&access.address) {
            return;
        }
        let after = self.ranges.partition_point(|range| range.start <= access.address);
        let range = after.checked_sub(1).and_then(|at| self.ranges.get(at));
        match range.filter(|range| range.contains(&access.address)) {
            Some(range) => self.last = range.clone(),
            None => self.n_outside += 1,
        }
    }

    #[inline]
    fn before(&mut self, access: &Access) -> Result<()> {
        if self.memory.is_some() {
            self.begin(access.pid)?;
        }
        self.has_others |= self.pid.is_some_and(|pid| pid != access.pid);
        self.count(access);
        Ok(())
    }

    #[cold]
    fn begin(&mut self, pid: u32) -> Result<()> {
        let Some(ProcessMemory { mappings, pages }) = self.memory.take() else { return Ok(()) };
        self.pid = Some(pid);
        for mapping in mappings {
            self.sink.mapping(Mapping { pid, ..mapping })?;
        }
        if !pages.is_empty() {
            let facts = pages.into_iter().map(|fact| PageFact { pid, ..fact });
            self.sink.page_facts(facts.collect())?;
        }
        let frames = std::mem::take(&mut self.frames);
        if frames.is_empty() {
            return Ok(());
        }
        self.sink.frames(frames.into_iter().map(|run| FrameRun { pid, ..run }).collect())
    }
}

/// Reads a copy of smaps.
fn with_pages(file: &Path) -> anyhow::Result<ProcessMemory> {
    let memory = read(file)?;
    if memory.pages.is_empty() {
        bail!(
            "--smaps {}: it has no page sizes: give /proc/PID/smaps, or this file with --maps",
            file.display()
        );
    }
    Ok(memory)
}

fn read(path: &Path) -> anyhow::Result<ProcessMemory> {
    let file: File = open(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| io_error(path, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(anyhow!(
            "{}: a memory map is smaller than {} MB",
            path.display(),
            MAX_BYTES >> 20
        ));
    }
    let text = String::from_utf8_lossy(&bytes);
    process::memory(&text).with_context(|| path.display().to_string())
}

impl<S: Sink> Sink for Beside<'_, S> {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.before(&access)?;
        self.sink.access(access)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.sink.op(record)
    }

    fn fault(&mut self, access: Access) -> Result<()> {
        self.before(&access)?;
        self.sink.fault(access)
    }

    fn recorded_pages(&mut self, sizes: RecordedSizes) -> Result<()> {
        self.sink.recorded_pages(sizes)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.sink.mapping(mapping)
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        self.sink.page_facts(facts)
    }

    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        self.sink.frames(runs)
    }

    fn places(&mut self, places: Places) -> Result<()> {
        self.sink.places(places)
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        self.sink.call(tree, node)
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.sink.sample(sample)
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        self.sink.samples(samples)
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        self.sink.fork(child, parent)
    }
}
