//! Traces: what an access is, and how ten million accesses fit in memory.
//!
//! A trace is a list of chunks. Each holds the same accesses in two forms that can be read without the other chunks:
//! `codec` writes every access, `runs` only those that change the page. A third form is made when it is needed: `lines`
//! has only the accesses that change the cache line. `builder` makes a trace, many accesses of known
//! `instructions` at once; `saved` is its form in a file.

mod access;
mod builder;
mod calls;
mod codec;
mod frame_run;
mod instructions;
mod lines;
mod mapping;
mod op;
mod page_fact;
mod page_number;
mod pages;
mod places;
mod runs;
pub mod saved;
mod texts;
mod varint;

pub use access::{Access, AccessView, Completeness, Kind};
pub use builder::TraceBuilder;
use calls::CallReader;
pub use calls::{CallCursor, CallTree, CallTreeBuilder, Frame, MAX_DEPTH, MAX_NODES};
pub use codec::Decoder;
pub use frame_run::FrameRun;
pub use instructions::{
    CallChange, InstructionAccess, InstructionBatch, Instructions, LoadOrStore,
};
pub use lines::{LINE_BITS, PAGE_LINES_BITS};
pub use lines::{LineRuns, Lines, SETS};
pub use mapping::{Mapping, RegionKind};
pub use op::OpReader;
pub use op::{
    ControlBit, HostPart, InveptScope, InvpcidScope, InvvpidScope, MemoryAdvice, Op, OpRecord,
    Operands, is_op_word,
};
pub use page_fact::PageFact;
pub use page_number::PageNumber;
pub use pages::{PageCounts, PageUse};
pub use places::{Places, SourceLine, SourcePlace, SourceView};
pub use runs::RUN_PAGE_BITS;
use runs::Runs;
pub use runs::{Head, RunVisitor, SlotHead, SlotRuns, SlotVisitor, group};
pub use varint::{read_varint, write_varint};

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::addr::{AddressBits, AddressTags};
use crate::sorted::sort_by_numbers;

/// The numbers of slots for which runs are made. A machine uses the largest number of slots that its sets allow.
pub const SLOTS: [u32; 2] = [16, 4];
/// The number of accesses in a chunk; the last chunk of a trace may have fewer.
pub const CHUNK: u32 = 1 << 17;
/// The most accesses of a trace. Accesses are numbered with 32 bits, and the numbers of chunks go beyond the end.
pub const MAX_ACCESSES: u32 = u32::MAX - 2 * CHUNK;

/// A part of the trace that can be read alone.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The number of its first access.
    pub first: u32,
    pub n: u32,
    n_by_kind: [u32; 4],
    accesses: Box<[u8]>,
    /// Whether all accesses belong to one process, and none is longer than the limit of plain accesses in `codec`.
    is_plain: bool,
    /// Whether `accesses` predicts instruction pointers, as version 2 of saved traces does.
    has_ips: bool,
    runs: Runs,
    ops: Box<[u8]>,
    /// Changes of the node in the tree of calls.
    calls: Box<[u8]>,
    /// The bits that the addresses need.
    bits: AddressBits,
    /// The runs with slots, made when they are first needed; `None` inside if they would save little.
    in_slots: [OnceLock<Option<Box<SlotRuns>>>; SLOTS.len()],
    /// Set when the runs with slots are first asked for.
    was_asked: OnceLock<()>,
    /// The line runs, made when they are first needed; `None` inside if they would save nothing.
    lines: OnceLock<Option<Box<LineRuns>>>,
}

impl Chunk {
    /// Returns every access, in order.
    pub fn accesses(&self) -> Decoder<'_> {
        Decoder::new(&self.accesses)
    }

    /// Returns the number of accesses of a kind in the chunk.
    pub fn count(&self, kind: Kind) -> u32 {
        self.n_by_kind[kind.index()]
    }

    /// Reads the runs without slots.
    #[inline]
    pub fn visit_runs(&self, visitor: &mut impl RunVisitor) {
        runs::visit(&self.runs, self.first, self.ops(), visitor);
    }

    /// Returns the runs with slots, or `None` if they would save little. `number` is the position in [`SLOTS`] of the number
    /// of slots. The first call returns `None`, because the chunk may run only once. To make the runs takes longer than one run
    /// of the chunk saves.
    pub fn in_slots(&self, number: usize) -> Option<&SlotRuns> {
        if self.was_asked.set(()).is_ok() {
            return None;
        }
        let make = || SlotRuns::of(&self.runs, self.ops(), self.n, SLOTS[number]);
        self.in_slots[number].get_or_init(make).as_deref()
    }

    /// Reads runs with slots of this chunk.
    #[inline]
    pub fn visit_in_slots(&self, runs: &SlotRuns, visitor: &mut impl SlotVisitor) {
        runs.visit(self.first, self.ops(), visitor);
    }

    /// Returns the lines that the accesses touch, or `None` if the chunk has operations or accesses of several
    /// processes.
    pub fn lines(&self) -> Option<Lines<'_>> {
        if !self.ops.is_empty() || !self.is_plain {
            return None;
        }
        let runs = self.lines.get_or_init(|| LineRuns::of(self).map(Box::new));
        Some(runs.as_deref().map_or(Lines::Each(self), Lines::Runs))
    }

    /// Returns the memory in bytes of the forms that every chunk has.
    fn sealed_bytes(&self) -> usize {
        self.accesses.len() + self.runs.bytes() + self.ops.len() + self.calls.len()
    }

    /// Returns the memory in bytes of the forms that were made when they were needed.
    fn made_bytes(&self) -> usize {
        let in_slots = self.in_slots.iter().filter_map(|made| made.get()?.as_deref());
        in_slots.map(SlotRuns::bytes).sum::<usize>()
            + self.lines.get().and_then(Option::as_deref).map_or(0, LineRuns::bytes)
    }

    /// Returns the operations from access `from` of the trace on, each with the number of the access after
    /// it.
    pub fn ops_from(&self, from: u32) -> impl Iterator<Item = (u32, OpRecord)> + '_ {
        let ops = self.ops().map(|(at, record)| (self.first + at, record));
        ops.skip_while(move |(before, _)| *before < from)
    }

    /// Returns whether the chunk has an operation for which `is_one` holds.
    pub fn has_op(&self, is_one: fn(&Op) -> bool) -> bool {
        !self.ops.is_empty() && self.ops().any(|(_, record)| is_one(&record.op))
    }

    /// Returns the operations before access `index` of the trace.
    pub fn ops_at(&self, index: u32) -> Vec<OpRecord> {
        let ops = self.ops_from(index).take_while(|(before, _)| *before == index);
        ops.map(|(_, record)| record).collect()
    }

    /// Returns the operations, each with the number (in the chunk) of the access after it. Operations of the
    /// last chunk may come after its last access.
    fn ops(&self) -> OpReader<'_> {
        OpReader::new(&self.ops)
    }

    /// Returns where the call path changes: the number of the access in the chunk, and its node. The first access has node 0
    /// before its own change.
    pub fn call_changes(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        CallReader::new(&self.calls)
    }

    /// Returns the bits that the addresses need.
    pub fn bits(&self) -> AddressBits {
        self.bits
    }
}

/// A recorded trace. It never changes.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    chunks: Vec<Chunk>,
    n: u32,
    n_by_kind: [u64; 4],
    /// The pages, sorted by address.
    pages: Vec<PageUse>,
    n_runs: u64,
    /// The records of memory maps, in their order.
    mappings: Vec<Mapping>,
    page_facts: Vec<PageFact>,
    frames: Vec<FrameRun>,
    places: Places,
    call_tree: CallTree,
    n_ops: u64,
    n_threads: u32,
    n_cpus: u32,
    pub completeness: Completeness,
    /// Whether the file has more accesses than the trace.
    pub part: bool,
}

impl Trace {
    /// Returns the number of accesses, including prefetches.
    pub fn len(&self) -> u32 {
        self.n
    }

    /// Returns whether the trace has no access.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns the number of accesses of a kind in the trace.
    pub fn count(&self, kind: Kind) -> u64 {
        self.n_by_kind[kind.index()]
    }

    /// Returns the distinct 4 KiB pages, sorted by address.
    pub fn pages(&self) -> &[PageUse] {
        &self.pages
    }

    /// Returns the distinct 4 KiB pages that a machine uses if it ignores such tags, sorted by address.
    pub fn pages_without(&self, tags: Option<AddressTags>) -> Cow<'_, [PageUse]> {
        match tags {
            None => Cow::Borrowed(&self.pages),
            Some(tags) => Cow::Owned(PageUse::without(&self.pages, tags)),
        }
    }

    /// Returns the number of distinct 4 KiB pages with the first byte of a fetch, and of a data access.
    pub fn page_counts(&self) -> PageCounts {
        PageCounts::of(&self.pages)
    }

    /// Returns the records of the memory maps of all processes, in order. Later records replace what they
    /// overlap. The slice is empty if the file has none.
    pub fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// Returns the places of instructions in the source. The table is empty if the file has none.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Adds places of instructions in the source.
    pub fn add_places(&mut self, places: &Places) {
        self.places.extend(places);
    }

    /// Returns the tree of calls. It is empty if the file has no call paths.
    pub fn call_tree(&self) -> &CallTree {
        &self.call_tree
    }

    /// Gives records of memory maps and heap blocks other names, if `name` returns one for the old name.
    pub fn rename(&mut self, mut name: impl FnMut(&str) -> Option<String>) {
        for mapping in &mut self.mappings {
            if let Some(name) = name(&mapping.name) {
                mapping.name = name;
            }
        }
        self.places.rename_blocks(name);
    }

    /// Changes the records of memory maps. Each applies from the same access on, and they stay in that order.
    pub fn edit_mappings(&mut self, edit: impl FnOnce(Vec<Mapping>) -> Vec<Mapping>) {
        self.mappings = edit(std::mem::take(&mut self.mappings));
        sort_by_numbers(&mut self.mappings, |mapping| (mapping.from.into(), 0));
    }

    /// Returns what a system said about the pages.
    pub fn page_facts(&self) -> &[PageFact] {
        &self.page_facts
    }

    /// Replaces the records of memory maps and the facts about pages. Returns the old ones.
    pub fn replace_memory(
        &mut self,
        mappings: Vec<Mapping>,
        facts: Vec<PageFact>,
    ) -> (Vec<Mapping>, Vec<PageFact>) {
        let facts = std::mem::replace(&mut self.page_facts, facts);
        (std::mem::replace(&mut self.mappings, mappings), facts)
    }

    /// Returns where the pages were in physical memory.
    pub fn frames(&self) -> &[FrameRun] {
        &self.frames
    }

    /// Drops the records of memory maps, the facts about pages, and the frames, whose memory no access uses.
    pub fn drop_unused_mappings(&mut self) {
        let pages = &self.pages;
        let is_used = |start: u64, end: u64| {
            let first = pages.partition_point(|used| used.page.end() <= start);
            pages.get(first).is_some_and(|used| used.page.start() < end)
        };
        self.mappings.retain(|mapping| is_used(mapping.start, mapping.end));
        self.page_facts.retain(|fact| is_used(fact.start, fact.end));
        self.frames.retain(|run| is_used(run.start, run.end));
    }

    /// Returns the number of run heads: the accesses that a machine with separate fetch arrays translates.
    pub fn n_runs(&self) -> u64 {
        self.n_runs
    }

    /// Returns the number of operations between accesses.
    pub fn n_ops(&self) -> u64 {
        self.n_ops
    }

    /// Returns the number of distinct threads: 0 for an empty trace, 1 if the file names no threads.
    pub fn n_threads(&self) -> u32 {
        self.n_threads
    }

    /// Returns the number of distinct processors: 1 if the file names none.
    pub fn n_cpus(&self) -> u32 {
        self.n_cpus
    }

    /// Returns the operations, each with the number of the access after it. Operations after the last access
    /// have the number of accesses.
    pub fn ops(&self) -> impl Iterator<Item = (u32, OpRecord)> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.ops_from(chunk.first))
    }

    /// Returns the chunks, in order.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Returns the chunk of access `index`, which must exist.
    pub fn chunk_of(&self, index: u32) -> &Chunk {
        &self.chunks[(index / CHUNK) as usize]
    }

    /// Returns the accesses from number `from` on.
    pub fn accesses_from(&self, from: u32) -> impl Iterator<Item = Access> + '_ {
        let first = (from / CHUNK) as usize;
        let skipped = (from % CHUNK) as usize;
        self.chunks[first.min(self.chunks.len())..].iter().flat_map(Chunk::accesses).skip(skipped)
    }

    /// Returns the memory of the trace in bytes.
    pub fn bytes(&self) -> usize {
        let chunks = self
            .chunks
            .iter()
            .map(|c| c.sealed_bytes() + c.made_bytes() + std::mem::size_of::<Chunk>());
        chunks.sum::<usize>()
            + self.pages.capacity() * std::mem::size_of::<PageUse>()
            + self.mappings.iter().map(mapping_bytes).sum::<usize>()
            + self.frames.capacity() * std::mem::size_of::<FrameRun>()
            + self.places.bytes()
            + self.call_tree.bytes()
    }
}

/// Returns the memory of a record in bytes, including its place in the list.
fn mapping_bytes(mapping: &Mapping) -> usize {
    std::mem::size_of::<Mapping>() + mapping.name.capacity()
}
