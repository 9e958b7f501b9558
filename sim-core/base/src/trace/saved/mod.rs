//! A trace as a file: the compact form of the trace in memory, which is faster to read than the file it was
//! imported from.
//!
//! ```text
//! file      PWTRACE\0, then sections: H M (F|N)* T* (O|R|C)* A … (a … z)* (O|R)* P* E
//! section   tag, length of the payload (varint), payload, CRC-32 of tag and payload (4 bytes)
//! H         version, completeness
//! M         a description from the caller, as text
//! O         operations, each with the access of the next A that it comes before (op::codec)
//! R         records of memory maps: pid, from, start, length, offset, kind, name; the kind is 16 more if the record only
//!           names a part of a mapping
//! F         what a system said about pages (page_fact)
//! T         nodes of the tree of calls (calls::tree)
//! C         the nodes of the accesses of the next A (calls::changes)
//! N         where pages were in physical memory (frame_run)
//! A         number of accesses, then those (codec)
//! P         places of instructions in the source (places)
//! a … z     data of other modules about the trace
//! E         numbers of accesses, operations and records of memory maps
//! ```
//!
//! Numbers are varints. Anything that does not fit is an error at a byte of the file. The reader reserves no
//! memory because of a size that the file states.

mod contents;
mod hasher;
mod read;
mod section;
mod write;

pub use hasher::TraceHasher;
pub use read::{Item, SavedReader};
pub use write::Saver;

/// The first bytes of a saved trace.
pub const MAGIC: &[u8] = b"PWTRACE\0";
/// The newest version of the format. Readers also read older versions. A trace is written as the oldest version that holds it:
/// version 2 predicts instruction pointers, version 3 has their places in the source, version 4 facts about pages, and
/// version 5 frames, call paths, or names of parts of mappings.
const VERSION: u64 = 5;
/// What the kind of a record has if the record only names a part of a mapping.
const NAMES: u64 = 16;
/// The largest payload of a section in bytes, eight times that of a chunk of unpredictable accesses.
const MAX_SECTION: usize = 64 << 20;
/// The payload in bytes at which operations and records of memory maps begin another section.
const FULL_SECTION: usize = 1 << 20;

const HEADER: u8 = b'H';
const META: u8 = b'M';
const OPS: u8 = b'O';
const MAPPINGS: u8 = b'R';
const ACCESSES: u8 = b'A';
const PLACES: u8 = b'P';
const PAGE_FACTS: u8 = b'F';
const CALL_TREE: u8 = b'T';
const CALLS: u8 = b'C';
const FRAMES: u8 = b'N';
const END: u8 = b'E';
