//! Writes a trace section by section.

use std::rc::Rc;

use super::contents::Contents;
use super::section::write_section;
use super::{CALL_TREE, END, FRAMES, HEADER, MAGIC, META, PAGE_FACTS, VERSION};
use crate::trace::codec::Encoder;
use crate::trace::varint::write_varint;
use crate::trace::{Chunk, Completeness, FrameRun, PageFact, Trace};

/// Writes a trace in parts: the head, one part for each chunk, then the end.
pub struct Saver {
    trace: Rc<Trace>,
    /// The number of chunks that have been written. After the end of the file it is one more than the number of all
    /// chunks.
    n_chunks: usize,
    n_mappings: usize,
    /// The description, until the first part is written.
    meta: Option<String>,
    more: Option<More>,
    contents: Contents,
}

/// Sections that other modules add, one part each: their tags and payloads.
type More = Box<dyn ExactSizeIterator<Item = (u8, Vec<u8>)>>;

impl Saver {
    /// Makes a writer. `meta` is a description that readers get with the trace.
    pub fn new(trace: Rc<Trace>, meta: String) -> Self {
        Self {
            trace,
            n_chunks: 0,
            n_mappings: 0,
            meta: Some(meta),
            more: None,
            contents: Contents::default(),
        }
    }

    /// Adds sections after those of the trace. Their tags are lower-case letters, and their payloads are
    /// below 64 MB.
    #[must_use]
    pub fn with(self, more: impl ExactSizeIterator<Item = (u8, Vec<u8>)> + 'static) -> Self {
        Self { more: Some(Box::new(more)), ..self }
    }

    /// Returns the number of parts that remain.
    pub fn n_parts(&self) -> usize {
        let more = self.more.as_ref().map_or(0, ExactSizeIterator::len);
        let first = usize::from(self.meta.is_some());
        first + (self.trace.chunks().len() + 1).saturating_sub(self.n_chunks) + more
    }

    /// Returns the next part of the file, or `None` after the last one.
    pub fn next_part(&mut self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(meta) = self.meta.take() {
            self.write_head(&mut bytes, &meta);
            return Some(bytes);
        }
        let trace = Rc::clone(&self.trace);
        let at = self.n_chunks;
        self.n_chunks += 1;
        if let Some(chunk) = trace.chunks().get(at) {
            self.write_mappings(&mut bytes, chunk.first.saturating_add(chunk.n));
            self.contents.write_ops(&mut bytes, chunk.ops());
            self.contents.write_calls(&mut bytes, &chunk.calls);
            let hashed = chunk.has_ips.then(|| version_1(chunk));
            let hashed = hashed.as_deref().unwrap_or(&chunk.accesses);
            self.contents.write_accesses(&mut bytes, chunk.n, &chunk.accesses, hashed);
            return Some(bytes);
        }
        if let Some((tag, payload)) = self.more.as_mut().and_then(Iterator::next) {
            self.n_chunks = at;
            self.contents.write(&mut bytes, tag, &payload);
            return Some(bytes);
        }
        if at > trace.chunks().len() {
            return None;
        }
        self.write_mappings(&mut bytes, u32::MAX);
        self.contents.hash_page_facts(trace.page_facts());
        self.contents.hash_frames(trace.frames());
        self.contents.hash_call_tree(trace.call_tree());
        self.contents.write_places(&mut bytes, trace.places());
        let mut payload = Vec::new();
        for n in [u64::from(trace.len()), trace.n_ops(), trace.mappings().len() as u64] {
            write_varint(&mut payload, n);
        }
        write_section(&mut bytes, END, &payload);
        Some(bytes)
    }

    /// Returns a hash that identifies the contents, in hexadecimal: the first half of the SHA-256 of all accesses,
    /// operations, records of memory maps, facts about pages, frames, call paths and places in the source. The hash is
    /// complete after the last part.
    pub fn hash(&self) -> String {
        self.contents.hash()
    }

    fn write_head(&self, bytes: &mut Vec<u8>, meta: &str) {
        bytes.extend_from_slice(MAGIC);
        let mut payload = Vec::new();
        let has_ips = self.trace.chunks().iter().any(|chunk| chunk.has_ips);
        let has_places = !self.trace.places().is_empty();
        let has_calls = !self.trace.call_tree().is_empty();
        let has_names = self.trace.mappings().iter().any(|mapping| mapping.is_name);
        let is_newest = has_calls || has_names || !self.trace.frames().is_empty();
        let version = match (self.trace.page_facts(), has_places) {
            _ if is_newest => VERSION,
            ([_, ..], _) => 4,
            ([], true) => 3,
            ([], false) => 1 + u64::from(has_ips),
        };
        write_varint(&mut payload, version);
        let is_its = |other: &_| *other == self.trace.completeness;
        let completeness = Completeness::ALL.iter().position(is_its).unwrap_or_default();
        write_varint(&mut payload, completeness as u64);
        write_section(bytes, HEADER, &payload);
        write_section(bytes, META, meta.as_bytes());
        for facts in self.trace.page_facts().chunks(PageFact::SECTION) {
            write_section(bytes, PAGE_FACTS, &PageFact::save(facts));
        }
        for runs in self.trace.frames().chunks(FrameRun::SECTION) {
            write_section(bytes, FRAMES, &FrameRun::save(runs));
        }
        for payload in self.trace.call_tree().sections() {
            write_section(bytes, CALL_TREE, &payload);
        }
    }

    /// Writes the records of memory maps from before access `end`.
    fn write_mappings(&mut self, bytes: &mut Vec<u8>, end: u32) {
        let rest = &self.trace.mappings()[self.n_mappings..];
        self.n_mappings += self.contents.write_mappings(bytes, rest, end);
    }
}

/// Encodes the accesses of a chunk as version 1 does.
fn version_1(chunk: &Chunk) -> Box<[u8]> {
    let mut encoder = Encoder::without_ips();
    for access in chunk.accesses() {
        encoder.push(&access);
    }
    encoder.finish().bytes
}
