//! Checks that hold for every input of the importers, whatever its bytes are.
//!
//! Each target of libFuzzer is one line that calls [`check`]. A test calls it with the inputs in `corpus/`. A panic
//! is a finding.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter;

use pagewalk_base::error::{Error, Result};
use pagewalk_base::samples::{Sample, SamplesBuilder};
use pagewalk_base::trace::{Access, CallTree, Completeness, Mapping, OpRecord, TraceBuilder};
use pagewalk_measured::counters::{Context, Family, measured as meaning};
use pagewalk_sources::import::{FormatInfo, ImportOptions, ImportReport, Importer, Sink, formats};
use pagewalk_sources::perf_stat;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The formats that an input of one target is imported as, and the memory that an import may need.
struct Target {
    /// Ids as in [`ImportOptions::format`]; `None` detects the format.
    formats: Vec<Option<&'static str>>,
    /// In bytes, in addition to the memory for each byte of the input.
    memory: usize,
}

/// The memory of an importer that decompresses nothing: its tables and buffers.
const PLAIN: usize = 1 << 20;
/// The memory of a decoder of xz or zstd, which keeps up to 128 MiB of its output if the file asks for that.
const WINDOW: usize = 132 << 20;
/// The memory of a decoder of bzip2: four bytes for each byte of a block of 900 kB.
const BLOCK: usize = 4 << 20;
/// The memory of the smallest stored trace with samples.
const KEPT: usize = 4 << 20;
/// The memory for each byte of input and decompressed text.
const PER_BYTE: usize = 64;

/// Returns the names of the targets: one for each format with all its ids, and two that detect the format.
pub fn targets() -> BTreeSet<String> {
    let others = ["detect", "unpack"].map(str::to_owned);
    formats().map(name_of).chain(others).collect()
}

/// Returns the name of a format's target, which is its main id as the name of a file.
fn name_of(format: &FormatInfo) -> String {
    let main = formats().find(|other| other.name == format.name).unwrap_or(format);
    main.id.replace('-', "_")
}

fn target(name: &str) -> Target {
    let ids = formats().filter(|format| name_of(format) == name).map(|format| Some(format.id));
    let formats: Vec<_> = match name {
        "detect" | "unpack" => vec![None],
        _ => ids.collect(),
    };
    assert!(!formats.is_empty(), "there is no target {name}");
    let memory = match name {
        // The records of perf.data may be compressed with zstd.
        "perf_data" | "detect" | "unpack" => WINDOW,
        _ => PLAIN,
    };
    Target { formats, memory }
}

/// Imports `data` as the formats of target `name`: whole, in chunks of changing sizes, with a limit, and into a
/// stored trace.
///
/// # Panics
/// If the import panics, needs more memory than a multiple of the input, or gives different results for different
/// chunks.
pub fn check(name: &str, data: &[u8]) {
    let Target { formats, memory: fixed } = target(name);
    for format in formats {
        let options = ImportOptions { format: format.map(str::to_owned), ..Default::default() };
        let (whole, memory) = measured(|| {
            let mut digest = Digest::default();
            let end = import(options.clone(), data, &mut iter::repeat(usize::MAX), &mut digest);
            (end, digest)
        });
        let (end, digest) = whole;
        let bytes = data.len().saturating_add(end.unpacked);
        let fixed = fixed + end.unpackers;
        let allowed = fixed.saturating_add(PER_BYTE.saturating_mul(bytes));
        assert!(memory <= allowed, "{memory} bytes of memory for {bytes} bytes of input");

        let mut chunks = chunk_sizes(data);
        let mut pieces = Digest::default();
        let report = import(options.clone(), data, &mut chunks, &mut pieces).report;
        assert_eq!(end.report, report, "chunks make a difference");
        assert_eq!(digest.sum(), pieces.sum(), "chunks make a difference");

        let Ok(report) = report else { continue };
        let counted = (report.accesses, report.operations);
        assert_eq!(counted, (digest.accesses, digest.operations), "the report counts otherwise");
        let limit = digest.picked() / 2;
        let mut half = Digest::default();
        let _ = import(ImportOptions { limit, ..options.clone() }, data, &mut chunks, &mut half);
        assert_eq!(half.picked(), limit, "the limit does not end the import");

        let ((), memory) = measured(|| {
            let mut kept = Kept::default();
            let end = import(options, data, &mut chunks, &mut kept);
            kept.finish().expect("it is as long as before");
            drop(end);
        });
        let allowed = allowed.saturating_add(KEPT);
        assert!(memory <= allowed, "{memory} bytes are kept of {bytes} bytes of input");
    }
}

/// Reads `data` as the output of perf stat, and interprets its counters for each family of processors.
///
/// # Panics
/// If that panics, needs more memory than a multiple of the input, or names lines that do not exist.
pub fn check_stat(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (stat, memory) = measured(|| perf_stat::read(text));
    let allowed = PLAIN.saturating_add(PER_BYTE.saturating_mul(data.len()));
    assert!(memory <= allowed, "{memory} bytes of memory for {} bytes of input", data.len());
    let Ok(stat) = stat else { return };
    let lines = 1..=text.lines().count() as u64;
    assert!(stat.counters.iter().all(|counter| lines.contains(&counter.line)));
    for asked in Family::ALL.into_iter().map(Some).chain([None]) {
        meaning(&stat, Context { asked, model: None, simulated: None });
    }
}

/// Returns the result of `work`, and the most memory that it used at a time.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (result, MEMORY.peak_usage().saturating_sub(before))
}

/// Returns sizes of 1 to 32768 bytes that depend on `data`. Small sizes are as frequent as large ones.
fn chunk_sizes(data: &[u8]) -> impl Iterator<Item = usize> {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    let mut state = hasher.finish();
    iter::repeat_with(move || {
        // The generator of Knuth's MMIX.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (length, bits) = (state >> 60, state >> 40);
        usize::try_from(1 + bits % (1 << length)).expect("at most 2^15")
    })
}

/// The result of an import.
struct End {
    report: Result<ImportReport, Error>,
    /// The number of decompressed bytes that were read.
    unpacked: usize,
    /// The memory in bytes that the decoders may need.
    unpackers: usize,
}

fn import(
    options: ImportOptions,
    data: &[u8],
    chunks: &mut dyn Iterator<Item = usize>,
    sink: &mut impl Sink,
) -> End {
    let mut importer = Importer::new(options).expect("a format that is known");
    let mut rest = data;
    let mut failed = None;
    while !rest.is_empty() && failed.is_none() {
        let size = chunks.next().unwrap_or(usize::MAX).min(rest.len());
        let (chunk, later) = rest.split_at(size);
        failed = importer.push(chunk, sink).err();
        rest = later;
    }
    let unpacked = usize::try_from(importer.bytes_unpacked()).unwrap_or(usize::MAX);
    let unpackers = importer.packed().into_iter().map(unpacker).sum();
    let report = failed.map_or_else(|| importer.finish(sink), Err);
    End { report, unpacked, unpackers }
}

/// Returns the memory in bytes that a decoder may need. A file of any format may be compressed.
fn unpacker(name: &str) -> usize {
    match name {
        "xz" | "zstd" => WINDOW,
        "bzip2" => BLOCK,
        _ => PLAIN,
    }
}

/// Keeps only a hash of everything that it receives, so that all measured memory belongs to the importer.
#[derive(Default)]
struct Digest {
    accesses: u64,
    faults: u64,
    operations: u64,
    /// The number of samples without an access.
    silent: u64,
    hasher: DefaultHasher,
}

impl Digest {
    fn take(&mut self, access: Access) {
        let Access { kind, address, size, pid, tid, cpu, ip } = access;
        (kind.index(), address, size, pid, tid, cpu, ip).hash(&mut self.hasher);
    }

    /// Returns the number of items that count for the limit.
    fn picked(&self) -> u64 {
        self.accesses + self.faults + self.silent
    }

    fn sum(&self) -> (u64, u64, u64, u64) {
        (self.accesses, self.faults, self.operations, self.hasher.finish())
    }
}

impl Sink for Digest {
    fn access(&mut self, access: Access) -> Result<()> {
        self.accesses += 1;
        self.take(access);
        Ok(())
    }

    fn fault(&mut self, access: Access) -> Result<()> {
        self.faults += 1;
        self.take(access);
        Ok(())
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.operations += 1;
        format!("{record:?}").hash(&mut self.hasher);
        Ok(())
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        format!("{mapping:?}").hash(&mut self.hasher);
        Ok(())
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        (tree.frame(node), tree.depth(node)).hash(&mut self.hasher);
        Ok(())
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.silent += u64::from(sample.address.is_none());
        format!("{sample:?}").hash(&mut self.hasher);
        Ok(())
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        (child, parent).hash(&mut self.hasher);
        Ok(())
    }
}

/// A sink that stores accesses and samples, as the program does.
#[derive(Default)]
struct Kept {
    trace: TraceBuilder,
    samples: SamplesBuilder,
}

impl Kept {
    fn finish(self) -> Result<()> {
        self.trace.finish(Completeness::Complete)?;
        self.samples.finish()?;
        Ok(())
    }
}

impl Sink for Kept {
    fn access(&mut self, access: Access) -> Result<()> {
        self.trace.push(&access)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.trace.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.samples.map(&mapping);
        self.trace.map(mapping)
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        self.trace.call(tree, node)
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.samples.push(sample)
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        self.samples.fork(child, parent);
        Ok(())
    }
}
