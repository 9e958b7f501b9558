//! Hashes a trace whose accesses arrive one by one, without keeping it.

use super::contents::Contents;
use crate::trace::calls::CallWriter;
use crate::trace::codec::Encoder;
use crate::trace::op::OpWriter;
use crate::trace::{
    Access, CHUNK, CallTree, FrameRun, Mapping, OpReader, OpRecord, PageFact, Places,
};

/// Computes the same hash of a trace as [`super::Saver`].
pub struct TraceHasher {
    contents: Contents,
    encoder: Encoder,
    /// The number of accesses before this chunk, and in this chunk. A full chunk stays until the next access.
    first: u32,
    n: u32,
    ops: OpWriter,
    /// The operations after the last access of a full chunk. If another chunk follows, it gets these operations.
    late_ops: OpWriter,
    calls: CallWriter,
    /// The node of the next access in the tree of calls.
    call: u32,
    call_tree: CallTree,
    mappings: Vec<Mapping>,
    places: Places,
    page_facts: Vec<PageFact>,
    frames: Vec<FrameRun>,
    /// The sections, which are only hashed.
    bytes: Vec<u8>,
}

impl Default for TraceHasher {
    fn default() -> Self {
        Self {
            contents: Contents::default(),
            // The hash of a trace is that of version 1.
            encoder: Encoder::without_ips(),
            first: 0,
            n: 0,
            ops: OpWriter::default(),
            late_ops: OpWriter::default(),
            calls: CallWriter::default(),
            call: 0,
            call_tree: CallTree::default(),
            mappings: Vec::new(),
            places: Places::default(),
            page_facts: Vec::new(),
            frames: Vec::new(),
            bytes: Vec::new(),
        }
    }
}

impl TraceHasher {
    /// Adds the next access.
    pub fn access(&mut self, access: &Access) {
        if self.n == CHUNK {
            self.end_chunk();
            std::mem::swap(&mut self.ops, &mut self.late_ops);
        }
        self.calls.set(self.n, self.call);
        self.encoder.push(access);
        self.n += 1;
    }

    /// Sets the call path of the next accesses: a node of a tree that only grows.
    pub fn call(&mut self, tree: &CallTree, node: u32) {
        self.call = node;
        self.call_tree.catch_up(tree);
    }

    /// Adds an operation before the next access.
    pub fn op(&mut self, record: &OpRecord) {
        if self.n == CHUNK {
            self.late_ops.push(0, record);
        } else {
            self.ops.push(self.n, record);
        }
    }

    /// Adds a record of a memory map.
    pub fn mapping(&mut self, mapping: &Mapping) {
        let from = self.first.saturating_add(self.n);
        self.mappings.push(Mapping { from, ..mapping.clone() });
    }

    /// Adds what a system said about the pages.
    pub fn page_facts(&mut self, facts: &[PageFact]) {
        self.page_facts.extend_from_slice(facts);
    }

    /// Adds where pages were in physical memory.
    pub fn frames(&mut self, runs: &[FrameRun]) {
        self.frames.extend_from_slice(runs);
    }

    /// Adds places of instructions in the source.
    pub fn places(&mut self, places: &Places) {
        self.places.extend(places);
    }

    /// Returns the hash of the whole trace.
    pub fn finish(mut self) -> String {
        let late = self.late_ops.finish();
        for (_, record) in OpReader::new(&late) {
            self.ops.push(CHUNK, &record);
        }
        if self.n > 0 {
            self.end_chunk();
        }
        self.contents.write_mappings(&mut self.bytes, &self.mappings, u32::MAX);
        self.contents.hash_page_facts(&self.page_facts);
        self.contents.hash_frames(&self.frames);
        self.contents.hash_call_tree(&self.call_tree);
        self.contents.write_places(&mut self.bytes, &self.places);
        self.contents.hash()
    }

    fn end_chunk(&mut self) {
        self.bytes.clear();
        self.first = self.first.saturating_add(self.n);
        let n = self.contents.write_mappings(&mut self.bytes, &self.mappings, self.first);
        self.mappings.drain(..n);
        let ops = self.ops.finish();
        self.contents.write_ops(&mut self.bytes, OpReader::new(&ops));
        let calls = self.calls.finish();
        self.contents.write_calls(&mut self.bytes, &calls);
        let accesses = self.encoder.finish().bytes;
        self.contents.write_accesses(&mut self.bytes, self.n, &accesses, &accesses);
        self.n = 0;
    }
}
