//! A trace as a file of its own: the compact form in which it stands in memory, to be read again
//! faster than what it was imported from.
//!
//! ```text
//! file      PWTRACE\0, then sections: H M (O|R)* A … (a … z)* (O|R)* E
//! section   tag, length of the payload (varint), payload, CRC-32 of tag and payload (4 bytes)
//! H         version, completeness
//! M         what the caller has to say of the trace, as text
//! O         operations, each with the access of the next A that it comes before (op::codec)
//! R         records of memory maps: pid, from, start, length, offset, kind, name
//! A         number of accesses, then those (codec)
//! a … z     what other modules keep beside the trace
//! E         numbers of accesses, operations and records of memory maps
//! ```
//!
//! Numbers are varints. Whatever does not fit is an error at a byte of the file; nothing is
//! reserved by a size that the file states.

mod read;
mod section;
mod write;

pub use read::{Item, SavedReader};
pub use write::Saver;

/// How a saved trace begins.
pub const MAGIC: &[u8] = b"PWTRACE\0";
/// The version that is written. A reader of a later one reads this too.
const VERSION: u64 = 1;
/// Longest payload of a section in bytes: that of a chunk of accesses that nothing predicts is an eighth.
const MAX_SECTION: usize = 64 << 20;
/// Operations and records of memory maps begin another section after so many bytes.
const FULL_SECTION: usize = 1 << 20;

const HEADER: u8 = b'H';
const META: u8 = b'M';
const OPS: u8 = b'O';
const MAPPINGS: u8 = b'R';
const ACCESSES: u8 = b'A';
const END: u8 = b'E';
