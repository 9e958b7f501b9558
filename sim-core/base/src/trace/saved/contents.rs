//! Writes the sections of accesses, operations and memory maps, and computes their hash.

use sha2::{Digest as _, Sha256};

use super::section::write_section;
use super::{
    ACCESSES, CALL_TREE, CALLS, FRAMES, FULL_SECTION, MAPPINGS, NAMES, OPS, PAGE_FACTS, PLACES,
};
use crate::hash::in_hexadecimal;
use crate::trace::op::OpWriter;
use crate::trace::varint::write_varint;
use crate::trace::{CallTree, FrameRun, Mapping, OpRecord, PageFact, Places, RegionKind};

/// Writes sections, and hashes their contents.
#[derive(Clone, Default)]
pub(super) struct Contents {
    digest: Sha256,
}

impl Contents {
    /// Returns the hash of the sections so far.
    pub(super) fn hash(&self) -> String {
        in_hexadecimal(self.digest.clone())
    }

    pub(super) fn write(&mut self, bytes: &mut Vec<u8>, tag: u8, payload: &[u8]) {
        self.hash_section(tag, payload);
        write_section(bytes, tag, payload);
    }

    fn hash_section(&mut self, tag: u8, payload: &[u8]) {
        self.digest.update([tag]);
        self.digest.update((payload.len() as u64).to_le_bytes());
        self.digest.update(payload);
    }

    /// Writes `accesses`, and hashes `hashed`, the same accesses as version 1 encodes them.
    pub(super) fn write_accesses(
        &mut self,
        bytes: &mut Vec<u8>,
        n: u32,
        accesses: &[u8],
        hashed: &[u8],
    ) {
        let payload = |accesses: &[u8]| {
            let mut payload = Vec::with_capacity(accesses.len() + 4);
            write_varint(&mut payload, n.into());
            payload.extend_from_slice(accesses);
            payload
        };
        self.hash_section(ACCESSES, &payload(hashed));
        write_section(bytes, ACCESSES, &payload(accesses));
    }

    pub(super) fn write_ops(
        &mut self,
        bytes: &mut Vec<u8>,
        ops: impl Iterator<Item = (u32, OpRecord)>,
    ) {
        let mut writer = OpWriter::default();
        for (at, record) in ops {
            writer.push(at, &record);
            if writer.len() >= FULL_SECTION {
                let payload = writer.finish();
                self.write(bytes, OPS, &payload);
            }
        }
        if writer.len() > 0 {
            let payload = writer.finish();
            self.write(bytes, OPS, &payload);
        }
    }

    /// Writes the records of memory maps from before access `end`; after the last chunk, all records that remain.
    /// Returns their number.
    pub(super) fn write_mappings(
        &mut self,
        bytes: &mut Vec<u8>,
        mappings: &[Mapping],
        end: u32,
    ) -> usize {
        let is_before = |mapping: &&Mapping| mapping.from < end || end == u32::MAX;
        let n = mappings.iter().take_while(is_before).count();
        let mut payload = Vec::new();
        for mapping in &mappings[..n] {
            write_mapping(&mut payload, mapping);
            if payload.len() >= FULL_SECTION {
                self.write(bytes, MAPPINGS, &std::mem::take(&mut payload));
            }
        }
        if !payload.is_empty() {
            self.write(bytes, MAPPINGS, &payload);
        }
        n
    }

    /// Hashes facts about pages, which the head of the file has.
    pub(super) fn hash_page_facts(&mut self, facts: &[PageFact]) {
        for facts in facts.chunks(PageFact::SECTION) {
            self.hash_section(PAGE_FACTS, &PageFact::save(facts));
        }
    }

    /// Hashes the tree of calls, which the head of the file has.
    pub(super) fn hash_call_tree(&mut self, tree: &CallTree) {
        for payload in tree.sections() {
            self.hash_section(CALL_TREE, &payload);
        }
    }

    /// Writes the nodes of the accesses of a chunk, if any has one.
    pub(super) fn write_calls(&mut self, bytes: &mut Vec<u8>, calls: &[u8]) {
        if !calls.is_empty() {
            self.write(bytes, CALLS, calls);
        }
    }

    /// Hashes frames, which the head of the file has.
    pub(super) fn hash_frames(&mut self, runs: &[FrameRun]) {
        for runs in runs.chunks(FrameRun::SECTION) {
            self.hash_section(FRAMES, &FrameRun::save(runs));
        }
    }

    pub(super) fn write_places(&mut self, bytes: &mut Vec<u8>, places: &Places) {
        for payload in places.sections() {
            self.write(bytes, PLACES, &payload);
        }
    }
}

fn write_mapping(bytes: &mut Vec<u8>, mapping: &Mapping) {
    let Mapping { pid, from, start, end, offset, kind, ref name, is_name } = *mapping;
    let kind = RegionKind::ALL.iter().position(|other| *other == kind).unwrap_or_default();
    let kind = kind as u64 | if is_name { NAMES } else { 0 };
    for number in [pid.into(), from.into(), start, end - start, offset, kind] {
        write_varint(bytes, number);
    }
    write_varint(bytes, name.len() as u64);
    bytes.extend_from_slice(name.as_bytes());
}
