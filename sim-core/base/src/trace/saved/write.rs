//! Writes a trace section by section.

use std::fmt::Write as _;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};

use super::section::write_section;
use super::{ACCESSES, END, FULL_SECTION, HEADER, MAGIC, MAPPINGS, META, OPS, VERSION};
use crate::trace::op::OpWriter;
use crate::trace::varint::write_varint;
use crate::trace::{Completeness, Mapping, OpReader, RegionKind, Trace};

/// Writes a trace in parts: the head, one part for each chunk, then the end.
pub struct Saver {
    trace: Rc<Trace>,
    /// The number of chunks that are written; one more than all of them at the end.
    n_chunks: usize,
    n_mappings: usize,
    /// The description, until the first part is written.
    meta: Option<String>,
    more: Option<More>,
    digest: Sha256,
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
            digest: Sha256::new(),
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
            self.write_ops(&mut bytes, chunk.ops());
            let mut payload = Vec::with_capacity(chunk.accesses.len() + 4);
            write_varint(&mut payload, chunk.n.into());
            payload.extend_from_slice(&chunk.accesses);
            self.write_content(&mut bytes, ACCESSES, &payload);
            return Some(bytes);
        }
        if let Some((tag, payload)) = self.more.as_mut().and_then(Iterator::next) {
            self.n_chunks = at;
            self.write_content(&mut bytes, tag, &payload);
            return Some(bytes);
        }
        if at > trace.chunks().len() {
            return None;
        }
        self.write_mappings(&mut bytes, u32::MAX);
        let mut payload = Vec::new();
        for n in [u64::from(trace.len()), trace.n_ops(), trace.mappings().len() as u64] {
            write_varint(&mut payload, n);
        }
        write_section(&mut bytes, END, &payload);
        Some(bytes)
    }

    /// Returns a hash that identifies the contents, in hexadecimal: the first half of the SHA-256 of all
    /// accesses, operations and records of memory maps. It is complete after the last part.
    pub fn hash(&self) -> String {
        let digest = self.digest.clone().finalize();
        digest[..16].iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    fn write_head(&self, bytes: &mut Vec<u8>, meta: &str) {
        bytes.extend_from_slice(MAGIC);
        let mut payload = Vec::new();
        write_varint(&mut payload, VERSION);
        let is_its = |other: &_| *other == self.trace.completeness;
        let completeness = Completeness::ALL.iter().position(is_its).unwrap_or_default();
        write_varint(&mut payload, completeness as u64);
        write_section(bytes, HEADER, &payload);
        write_section(bytes, META, meta.as_bytes());
    }

    fn write_content(&mut self, bytes: &mut Vec<u8>, tag: u8, payload: &[u8]) {
        self.digest.update([tag]);
        self.digest.update((payload.len() as u64).to_le_bytes());
        self.digest.update(payload);
        write_section(bytes, tag, payload);
    }

    fn write_ops(&mut self, bytes: &mut Vec<u8>, ops: OpReader<'_>) {
        let mut writer = OpWriter::default();
        for (at, record) in ops {
            writer.push(at, &record);
            if writer.len() >= FULL_SECTION {
                let payload = writer.finish();
                self.write_content(bytes, OPS, &payload);
            }
        }
        if writer.len() > 0 {
            let payload = writer.finish();
            self.write_content(bytes, OPS, &payload);
        }
    }

    /// Writes the records of memory maps from before access `end`.
    fn write_mappings(&mut self, bytes: &mut Vec<u8>, end: u32) {
        let trace = Rc::clone(&self.trace);
        let mut payload = Vec::new();
        let rest = &trace.mappings()[self.n_mappings..];
        for mapping in rest.iter().take_while(|mapping| mapping.from < end || end == u32::MAX) {
            write_mapping(&mut payload, mapping);
            self.n_mappings += 1;
            if payload.len() >= FULL_SECTION {
                self.write_content(bytes, MAPPINGS, &std::mem::take(&mut payload));
            }
        }
        if !payload.is_empty() {
            self.write_content(bytes, MAPPINGS, &payload);
        }
    }
}

fn write_mapping(bytes: &mut Vec<u8>, mapping: &Mapping) {
    let Mapping { pid, from, start, end, offset, kind, ref name } = *mapping;
    let kind = RegionKind::ALL.iter().position(|other| *other == kind).unwrap_or_default();
    for number in [pid.into(), from.into(), start, end - start, offset, kind as u64] {
        write_varint(bytes, number);
    }
    write_varint(bytes, name.len() as u64);
    bytes.extend_from_slice(name.as_bytes());
}
