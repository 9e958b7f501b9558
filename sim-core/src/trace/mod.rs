//! Traces: what an access is, and how ten million of them are kept in memory.
//!
//! A trace is a list of chunks. Each holds the same accesses twice, in two forms
//! that can be read without the chunks before: `codec` writes every access, `runs`
//! only those that change the page; `lines`, those that change the cache line, is made once it is needed. `saved` is the form in which a trace is kept in a file.

mod access;
mod codec;
mod lines;
mod mapping;
mod op;
mod pages;
mod runs;
pub mod saved;
mod varint;

pub(crate) use access::va_bits;
pub use access::{Access, AccessView, Completeness, Kind};
pub use codec::Decoder;
pub(crate) use lines::{LineRuns, SETS};
pub use mapping::{Mapping, RegionKind};
pub(crate) use op::OpReader;
pub use op::{
    ControlBit, HostPart, InveptScope, InvpcidScope, InvvpidScope, MemoryAdvice, Op, OpRecord,
    Operands, is_op_word,
};
pub use pages::{PageCounts, PageUse};
pub use runs::RUN_PAGE_BITS;
pub(crate) use runs::{Head, RunVisitor, group};
pub(crate) use varint::{read_varint, write_varint};

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, ErrorCode, Result};
use codec::Encoder;
use op::OpWriter;
use pages::PageMap;
use runs::RunWriter;

/// Numbers of slots that heads are left out by where only counts are wanted: the most that a machine has sets for is used.
pub(crate) const SLOTS: [u32; 2] = [16, 4];
/// Accesses of a chunk; the last one of a trace may have fewer.
pub const CHUNK: u32 = 1 << 17;

/// A stretch of the trace that can be read alone.
#[derive(Debug)]
pub struct Chunk {
    /// The number of its first access.
    pub first: u32,
    pub n: u32,
    n_by_kind: [u32; 4],
    accesses: Box<[u8]>,
    runs: Box<[u32]>,
    ops: Box<[u8]>,
    /// Bits that an address must have for the chunk's to be canonical.
    va_bits: u8,
    /// Runs with slots; made when they are first asked for, as the lines are.
    in_slots: [OnceLock<Box<[u32]>>; SLOTS.len()],
    lines: OnceLock<Option<Arc<LineRuns>>>,
}

impl Chunk {
    /// Every access, in order.
    pub fn accesses(&self) -> Decoder<'_> {
        Decoder::new(&self.accesses)
    }

    pub(crate) fn count(&self, kind: Kind) -> u32 {
        self.n_by_kind[kind.index()]
    }

    #[inline]
    pub(crate) fn visit_runs(&self, visitor: &mut impl RunVisitor) {
        self.visit(None, visitor);
    }

    /// `slots`: a number of [`SLOTS`] that heads are left out by; then only counts are right, by kind.
    #[inline]
    pub(crate) fn visit(&self, slots: Option<usize>, visitor: &mut impl RunVisitor) {
        #[cfg(feature = "fast")]
        let words = slots.map_or(&self.runs, |number| {
            let make = || runs::slots::of(&self.runs, self.ops(), SLOTS[number]);
            self.in_slots[number].get_or_init(make)
        });
        #[cfg(not(feature = "fast"))]
        let words = slots.map_or(&self.runs, |_| &self.runs);
        runs::visit(words, self.first, self.ops(), visitor);
    }

    /// The lines that its accesses touch, without repeats, where they are kept.
    pub(crate) fn lines(&self) -> Option<&Arc<LineRuns>> {
        self.lines.get_or_init(|| LineRuns::of(self).map(Arc::new)).as_ref()
    }

    /// Bytes of what is made when it is asked for.
    fn made_bytes(&self) -> usize {
        let in_slots = self.in_slots.iter().filter_map(OnceLock::get).map(|runs| 4 * runs.len());
        in_slots.sum::<usize>()
            + self.lines.get().and_then(Option::as_ref).map_or(0, |lines| lines.bytes())
    }

    /// The operations from access `from` of the trace on, each with the access that it comes before.
    pub(crate) fn ops_from(&self, from: u32) -> impl Iterator<Item = (u32, OpRecord)> + '_ {
        let ops = self.ops().map(|(at, record)| (self.first + at, record));
        ops.skip_while(move |(before, _)| *before < from)
    }

    /// Whether it has an operation of a sort.
    pub(crate) fn has_op(&self, is_one: fn(&Op) -> bool) -> bool {
        !self.ops.is_empty() && self.ops().any(|(_, record)| is_one(&record.op))
    }

    /// The operations before access `index` of the trace.
    pub(crate) fn ops_at(&self, index: u32) -> Vec<OpRecord> {
        let ops = self.ops_from(index).take_while(|(before, _)| *before == index);
        ops.map(|(_, record)| record).collect()
    }

    /// The operations, each with the number of the access of the chunk that it comes before;
    /// the last chunk's may come after its last access.
    fn ops(&self) -> OpReader<'_> {
        OpReader::new(&self.ops)
    }

    /// The fewest bits of an address with which every address of the chunk is canonical.
    pub(crate) fn va_bits(&self) -> u8 {
        self.va_bits
    }
}

/// A recorded trace. It never changes.
#[derive(Debug, Default)]
pub struct Trace {
    chunks: Vec<Chunk>,
    n: u32,
    n_by_kind: [u64; 4],
    /// By rising address.
    pages: Vec<PageUse>,
    n_runs: u64,
    /// In the order of the records.
    mappings: Vec<Mapping>,
    n_ops: u64,
    n_threads: u32,
    n_cpus: u32,
    pub completeness: Completeness,
    /// The file that it is of has more.
    pub part: bool,
}

impl Trace {
    /// The number of accesses, prefetches included.
    pub fn len(&self) -> u32 {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    pub fn count(&self, kind: Kind) -> u64 {
        self.n_by_kind[kind.index()]
    }

    /// The distinct 4 KiB pages, by rising address.
    pub fn pages(&self) -> &[PageUse] {
        &self.pages
    }

    /// Distinct 4 KiB pages that hold the first byte of a fetch, and of a data access.
    pub fn page_counts(&self) -> PageCounts {
        PageCounts::of(&self.pages)
    }

    /// Records of the memory maps of its processes, in order; later ones replace what they
    /// overlap. Empty if the file has none.
    pub fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// Heads of page runs: the accesses that a machine with separate fetch arrays translates.
    pub fn n_runs(&self) -> u64 {
        self.n_runs
    }

    /// Operations between accesses.
    pub fn n_ops(&self) -> u64 {
        self.n_ops
    }

    /// Distinct threads, 0 of an empty trace; 1 too where the file names none.
    pub fn n_threads(&self) -> u32 {
        self.n_threads
    }

    /// Distinct processors that accesses happened on; 1 too where the file names none.
    pub fn n_cpus(&self) -> u32 {
        self.n_cpus
    }

    /// The operations, each with the number of the access that it comes before; those after the
    /// last access have the number of accesses.
    pub fn ops(&self) -> impl Iterator<Item = (u32, OpRecord)> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.ops_from(chunk.first))
    }

    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The chunk that holds access `index`, which must exist.
    pub fn chunk_of(&self, index: u32) -> &Chunk {
        &self.chunks[(index / CHUNK) as usize]
    }

    /// The accesses from number `from` on.
    pub fn accesses_from(&self, from: u32) -> impl Iterator<Item = Access> + '_ {
        let first = (from / CHUNK) as usize;
        let skipped = (from % CHUNK) as usize;
        self.chunks[first.min(self.chunks.len())..].iter().flat_map(Chunk::accesses).skip(skipped)
    }

    /// Bytes of memory that the trace takes.
    pub fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().map(|c| {
            c.accesses.len()
                + 4 * c.runs.len()
                + c.ops.len()
                + c.made_bytes()
                + std::mem::size_of::<Chunk>()
        });
        chunks.sum::<usize>()
            + self.pages.capacity() * std::mem::size_of::<PageUse>()
            + self.mappings.iter().map(mapping_bytes).sum::<usize>()
    }
}

/// Takes accesses one at a time and makes a [`Trace`] of them.
pub struct TraceBuilder {
    trace: Trace,
    encoder: Encoder,
    runs: RunWriter,
    ops: OpWriter,
    va_bits: u8,
    pages: PageMap,
    /// Pages of the last fetch and the last data access, in `pages`.
    current: [usize; 2],
    counts: [u32; 2],
    n_in_chunk: u32,
    n_by_kind: [u32; 4],
    /// Thread and processor of the last access.
    last_place: Option<(u32, u32)>,
    threads: BTreeSet<u32>,
    cpus: BTreeSet<u32>,
    sealed_bytes: usize,
    max_bytes: usize,
}

impl Default for TraceBuilder {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl TraceBuilder {
    /// `max_bytes` is the memory that the trace may take.
    pub fn new(max_bytes: usize) -> Self {
        Self {
            trace: Trace::default(),
            encoder: Encoder::new(),
            runs: RunWriter::default(),
            ops: OpWriter::default(),
            va_bits: 0,
            pages: PageMap::new(),
            current: [usize::MAX; 2],
            counts: [0; 2],
            n_in_chunk: 0,
            n_by_kind: [0; 4],
            last_place: None,
            threads: BTreeSet::new(),
            cpus: BTreeSet::new(),
            sealed_bytes: 0,
            max_bytes,
        }
    }

    /// # Errors
    /// `too-large` if the trace would exceed its memory or 2³² − 1 accesses.
    #[inline]
    pub fn push(&mut self, access: &Access) -> Result<()> {
        self.encoder.push(access);
        if self.last_place != Some((access.tid, access.cpu)) {
            self.enter_place(access);
        }
        let group = usize::from(!access.kind.is_fetch());
        if self.runs.push(access) {
            self.trace.n_runs += 1;
            self.va_bits = self.va_bits.max(access.va_bits());
            self.flush_page(group);
            let page = access.address >> RUN_PAGE_BITS;
            let last_page = access.last() >> RUN_PAGE_BITS;
            let at = self.pages.index_of(page);
            self.pages.count(at, group == 0, 1);
            // Repeats are on the page of the last byte; the access counts for that of the first.
            self.current[group] =
                if last_page == page { at } else { self.pages.index_of(last_page) };
        } else {
            self.counts[group] += 1;
        }
        self.n_by_kind[access.kind.index()] += 1;
        self.n_in_chunk += 1;
        if self.n_in_chunk == CHUNK { self.seal() } else { Ok(()) }
    }

    #[cold]
    fn enter_place(&mut self, access: &Access) {
        self.last_place = Some((access.tid, access.cpu));
        self.threads.insert(access.tid);
        self.cpus.insert(access.cpu);
    }

    /// Adds an operation; it comes before the next access.
    ///
    /// # Errors
    /// `too-large` if the trace would exceed its memory.
    pub fn push_op(&mut self, record: &OpRecord) -> Result<()> {
        self.ops.push(self.n_in_chunk, record);
        self.runs.push_op();
        self.trace.n_ops += 1;
        if self.sealed_bytes + self.ops.len() > self.max_bytes {
            return Err(self.too_large());
        }
        Ok(())
    }

    #[inline]
    fn flush_page(&mut self, group: usize) {
        if self.counts[group] > 0 {
            self.pages.count(self.current[group], group == 0, self.counts[group]);
            self.counts[group] = 0;
        }
    }

    /// Adds a record of a memory map; it holds from the next access on.
    ///
    /// # Errors
    /// `too-large` if the trace would exceed its memory.
    pub fn map(&mut self, mapping: Mapping) -> Result<()> {
        self.sealed_bytes += mapping_bytes(&mapping);
        self.trace.mappings.push(Mapping { from: self.len(), ..mapping });
        self.check_memory()
    }

    /// Accesses so far.
    pub fn len(&self) -> u32 {
        self.trace.n + self.n_in_chunk
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Distinct 4 KiB pages so far, as [`Trace::page_counts`] has them.
    pub fn page_counts(&self) -> PageCounts {
        self.pages.counts()
    }

    fn seal(&mut self) -> Result<()> {
        let chunk = Chunk {
            first: self.trace.n,
            n: self.n_in_chunk,
            n_by_kind: std::mem::take(&mut self.n_by_kind),
            accesses: self.encoder.finish(),
            runs: self.runs.finish(),
            ops: self.ops.finish(),
            va_bits: std::mem::take(&mut self.va_bits),
            in_slots: [const { OnceLock::new() }; SLOTS.len()],
            lines: OnceLock::new(),
        };
        self.sealed_bytes += chunk.accesses.len() + 4 * chunk.runs.len() + chunk.ops.len();
        for (total, n) in self.trace.n_by_kind.iter_mut().zip(chunk.n_by_kind) {
            *total += u64::from(n);
        }
        self.trace.n += self.n_in_chunk;
        self.n_in_chunk = 0;
        self.trace.chunks.push(chunk);
        self.check_memory()?;
        if self.trace.n > u32::MAX - 2 * CHUNK {
            return Err(Error::new(
                ErrorCode::TooLarge,
                "a trace may hold 4.29 billion accesses: import fewer with a limit",
            ));
        }
        Ok(())
    }

    fn check_memory(&self) -> Result<()> {
        let bytes = self.sealed_bytes + self.pages.bytes();
        if bytes > self.max_bytes {
            return Err(self.too_large());
        }
        Ok(())
    }

    /// Operations after the last access of a full chunk belong to that.
    #[cold]
    fn append_last_ops(&mut self) {
        let Some(chunk) = self.trace.chunks.last_mut() else { return };
        let mut ops = OpWriter::default();
        for (at, record) in chunk.ops() {
            ops.push(at, &record);
        }
        let bytes = self.ops.finish();
        for (_, record) in OpReader::new(&bytes) {
            ops.push(chunk.n, &record);
        }
        chunk.ops = ops.finish();
        chunk.runs = [&*chunk.runs, &self.runs.finish()].concat().into();
    }

    fn too_large(&self) -> Error {
        let megabytes = self.max_bytes >> 20;
        let message = format!(
            "the trace needs more than {megabytes} MB after {} accesses: import fewer with a limit",
            self.trace.n
        );
        Error::new(ErrorCode::TooLarge, message)
    }

    /// # Errors
    /// `too-large`, as for [`Self::push`].
    pub fn finish(mut self, completeness: Completeness) -> Result<Trace> {
        if self.n_in_chunk > 0 {
            self.seal()?;
        } else if self.ops.len() > 0 {
            self.append_last_ops();
        }
        self.flush_page(0);
        self.flush_page(1);
        self.trace.pages = self.pages.into_sorted();
        self.trace.n_threads = u32::try_from(self.threads.len()).unwrap_or(u32::MAX);
        self.trace.n_cpus = u32::try_from(self.cpus.len()).unwrap_or(u32::MAX);
        self.trace.completeness = completeness;
        self.trace.chunks.shrink_to_fit();
        Ok(self.trace)
    }
}

/// Bytes that a record takes, in the list too.
fn mapping_bytes(mapping: &Mapping) -> usize {
    std::mem::size_of::<Mapping>() + mapping.name.capacity()
}
