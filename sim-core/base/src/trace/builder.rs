//! Builds a trace access by access and chunk by chunk.

mod instructions;

use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::OnceLock;

use super::calls::CallWriter;
use super::codec::{Encoded, Encoder};
use super::op::{OpReader, OpWriter};
use super::pages::PageMap;
use super::runs::{BATCH, Found, RunWriter};
use super::{
    Access, CHUNK, CallTree, Chunk, Completeness, FrameRun, MAX_ACCESSES, Mapping, OpRecord,
    PageCounts, PageFact, PageNumber, Places, SLOTS, Trace, mapping_bytes,
};
use crate::addr::BitsOfAll;
use crate::error::{Error, ErrorCode, Result};
use crate::narrow::small;

/// Collects accesses into a [`Trace`].
pub struct TraceBuilder {
    trace: Trace,
    encoder: Encoder,
    runs: RunWriter,
    /// The run heads that were found, when many accesses are added at once.
    found: Box<[Found; BATCH]>,
    ops: OpWriter,
    calls: CallWriter,
    /// The node of the next access in the tree of calls.
    call: u32,
    bits: BitsOfAll,
    pages: PageMap,
    /// Whether pages are counted.
    has_pages: bool,
    /// By group of kinds, the repeats that its page does not count yet.
    counts: [u32; 2],
    n_in_chunk: u32,
    n_by_kind: [u32; 4],
    /// The thread and processor of the last access.
    last_place: Option<(u32, u32)>,
    threads: BTreeSet<u32>,
    cpus: BTreeSet<u32>,
    sealed_bytes: usize,
    /// The allocator has memory for so many sealed bytes.
    room: usize,
    max_bytes: usize,
}

/// The number of accesses whose pages are looked up at once.
const AHEAD: usize = 64;

/// The fewest and the most bytes that are asked for at once.
const ROOM: (usize, usize) = (4 << 20, 256 << 20);

impl Default for TraceBuilder {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl TraceBuilder {
    /// Makes a builder for a trace of at most `max_bytes` of memory.
    pub fn new(max_bytes: usize) -> Self {
        Self {
            trace: Trace::default(),
            encoder: Encoder::new(),
            runs: RunWriter::default(),
            found: Box::new([Found::default(); BATCH]),
            ops: OpWriter::default(),
            calls: CallWriter::default(),
            call: 0,
            bits: BitsOfAll::default(),
            pages: PageMap::new(),
            has_pages: true,
            counts: [0; 2],
            n_in_chunk: 0,
            n_by_kind: [0; 4],
            last_place: None,
            threads: BTreeSet::new(),
            cpus: BTreeSet::new(),
            sealed_bytes: 0,
            room: 0,
            max_bytes,
        }
    }

    /// Makes a builder for a trace whose chunks are taken with [`Self::take_chunks`]. It counts no pages, because finding a
    /// page in a large table takes longer than simulating its access.
    pub fn of_chunks() -> Self {
        Self { has_pages: false, ..Self::default() }
    }

    /// Adds an access.
    ///
    /// # Errors
    /// `too-large` if the trace would exceed its memory or 2³² − 1 accesses.
    #[inline]
    pub fn push(&mut self, access: &Access) -> Result<()> {
        self.push_all(std::slice::from_ref(access))
    }

    /// Adds accesses in their order. Many at once are faster than each alone.
    ///
    /// # Errors
    /// Errors of [`Self::push`].
    #[inline(never)]
    pub fn push_all(&mut self, mut accesses: &[Access]) -> Result<()> {
        while !accesses.is_empty() {
            let room = (CHUNK - self.n_in_chunk) as usize;
            let (now, later) = accesses.split_at(room.min(accesses.len()));
            accesses = later;
            self.calls.set(self.n_in_chunk, self.call);
            for access in now {
                self.encoder.push(access);
            }
            for few in now.chunks(AHEAD) {
                if self.has_pages && few.len() > 1 {
                    self.pages.read_ahead(few.iter().map(|access| PageNumber::of(access.address)));
                }
                for access in few {
                    self.add(access);
                }
            }
            self.n_in_chunk += small(now.len());
            if self.n_in_chunk == CHUNK {
                self.seal()?;
            }
        }
        Ok(())
    }

    /// Adds an access to everything but the encoded accesses.
    #[cfg_attr(feature = "fast", inline(always))]
    fn add(&mut self, access: &Access) {
        if self.last_place != Some((access.tid, access.cpu)) {
            self.enter_place(access);
        }
        self.n_by_kind[access.kind.index()] += 1;
        let group = usize::from(!access.kind.is_fetch());
        if !self.runs.push(access) {
            self.counts[group] += 1;
            return;
        }
        self.trace.n_runs += 1;
        self.bits.add(access.address);
        self.bits.add(access.last());
        if !self.has_pages {
            return;
        }
        self.flush_page(group);
        let (page, last_page) = (PageNumber::of(access.address), PageNumber::of(access.last()));
        self.pages.enter(group, page);
        self.pages.count(group, 1);
        // The access counts for the page of its first byte. A repeat must be on the page of its last byte.
        if last_page != page {
            self.pages.enter(group, last_page);
        }
    }

    #[cold]
    fn enter_place(&mut self, access: &Access) {
        self.last_place = Some((access.tid, access.cpu));
        self.threads.insert(access.tid);
        self.cpus.insert(access.cpu);
    }

    /// Adds an operation, which comes before the next access.
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
        if self.has_pages && self.counts[group] > 0 {
            self.pages.count(group, self.counts[group]);
            self.counts[group] = 0;
        }
    }

    /// Adds a record of a memory map, which applies from the next access on.
    ///
    /// # Errors
    /// `too-large` if the trace would exceed its memory.
    pub fn map(&mut self, mapping: Mapping) -> Result<()> {
        self.sealed_bytes += mapping_bytes(&mapping);
        self.trace.mappings.push(Mapping { from: self.len(), ..mapping });
        self.check_memory()
    }

    /// Adds what a system said about the pages.
    ///
    /// # Errors
    /// `too-large` if the trace needs too much memory.
    pub fn page_facts(&mut self, facts: &[PageFact]) -> Result<()> {
        self.trace.page_facts.extend_from_slice(facts);
        self.check_memory()
    }

    /// Adds where pages were in physical memory.
    ///
    /// # Errors
    /// `too-large` if the trace needs too much memory.
    pub fn frames(&mut self, runs: &[FrameRun]) -> Result<()> {
        self.trace.frames.extend_from_slice(runs);
        self.check_memory()
    }

    /// Adds places of instructions in the source.
    ///
    /// # Errors
    /// `too-large` if the trace would exceed its memory.
    pub fn places(&mut self, places: &Places) -> Result<()> {
        self.trace.places.extend(places);
        self.check_memory()
    }

    /// Sets the call path of the next accesses: a node of a tree that only grows from call to call.
    ///
    /// # Errors
    /// `too-large` if the trace needs too much memory.
    pub fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        self.call = node;
        self.catch_up(tree)
    }

    /// Takes the new nodes of a tree of calls.
    fn catch_up(&mut self, tree: &CallTree) -> Result<()> {
        if tree.len() == self.trace.call_tree.len() {
            return Ok(());
        }
        self.trace.call_tree.catch_up(tree);
        self.check_memory()
    }

    /// Returns the number of accesses until now.
    pub fn len(&self) -> u32 {
        self.trace.n + self.n_in_chunk
    }

    /// Returns the bytes of the accesses in a file, without those of the last chunk.
    pub fn packed_bytes(&self) -> usize {
        self.trace.chunks.iter().map(|chunk| chunk.accesses.len()).sum()
    }

    /// Returns whether no access was added yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of distinct 4 KiB pages until now, as [`Trace::page_counts`] counts them.
    pub fn page_counts(&self) -> PageCounts {
        self.pages.counts()
    }

    fn seal(&mut self) -> Result<()> {
        let Encoded { bytes: accesses, is_plain, has_ips } = self.encoder.finish();
        let chunk = Chunk {
            first: self.trace.n,
            n: self.n_in_chunk,
            n_by_kind: std::mem::take(&mut self.n_by_kind),
            accesses,
            is_plain,
            has_ips,
            runs: self.runs.finish(),
            ops: self.ops.finish(),
            calls: self.calls.finish(),
            bits: std::mem::take(&mut self.bits).bits(),
            in_slots: [const { OnceLock::new() }; SLOTS.len()],
            was_asked: OnceLock::new(),
            lines: OnceLock::new(),
        };
        self.sealed_bytes += chunk.sealed_bytes();
        for (total, n) in self.trace.n_by_kind.iter_mut().zip(chunk.n_by_kind) {
            *total += u64::from(n);
        }
        self.trace.n += self.n_in_chunk;
        self.n_in_chunk = 0;
        self.trace.chunks.push(chunk);
        self.check_memory()?;
        self.make_room();
        if self.trace.n > MAX_ACCESSES {
            return Err(Error::new(
                ErrorCode::TooLarge,
                "a trace holds at most 4.29 billion accesses: import fewer with a limit",
            ));
        }
        Ok(())
    }

    /// Takes the full chunks out of the trace. The trace at the end lacks them, so its accesses cannot be found by number, and no
    /// operation may come after the last one.
    pub fn take_chunks(&mut self) -> Vec<Chunk> {
        let taken = std::mem::take(&mut self.trace.chunks);
        self.sealed_bytes -= taken.iter().map(Chunk::sealed_bytes).sum::<usize>();
        taken
    }

    /// Makes the allocator ask for the memory of many chunks at once. The memory of a WebAssembly module grows by what is
    /// missing, and each time a browser may collect garbage. With a growth for each chunk, an import took 1.6 times as long.
    fn make_room(&mut self) {
        if self.sealed_bytes < self.room {
            return;
        }
        let step = (self.sealed_bytes / 2).clamp(ROOM.0, ROOM.1).min(self.max_bytes);
        let mut room = Vec::<u8>::new();
        // If there is not so much memory, the next chunk may still fit.
        if room.try_reserve_exact(step).is_ok() {
            drop(black_box(room));
        }
        self.room = self.sealed_bytes.saturating_add(step);
    }

    fn check_memory(&self) -> Result<()> {
        let bytes = self.sealed_bytes
            + self.pages.bytes()
            + self.trace.places.bytes()
            + self.trace.call_tree.bytes()
            + self.trace.page_facts.len() * size_of::<PageFact>()
            + self.trace.frames.len() * size_of::<FrameRun>();
        if bytes > self.max_bytes {
            return Err(self.too_large());
        }
        Ok(())
    }

    /// Adds operations after the last access of a full chunk to that chunk.
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
        chunk.runs.append(&self.runs.finish());
    }

    fn too_large(&self) -> Error {
        let megabytes = self.max_bytes >> 20;
        let message = format!(
            "the trace needs more than {megabytes} MB after {} accesses: import fewer with a limit",
            self.trace.n
        );
        Error::new(ErrorCode::TooLarge, message)
    }

    /// Ends the trace.
    ///
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
