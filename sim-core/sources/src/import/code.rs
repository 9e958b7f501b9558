//! Reads the accesses of a WebAssembly program that the site ran. The file is little-endian:
//!
//! ```text
//! "PWCODE1\n"   u32 bytes of the head   the head, JSON   u32 words to the end of the file
//! ```
//!
//! The words are the records that `pagewalk-instrument` describes: the number of a block, then the words of its sites. The
//! head says what the sites are. A program has one linear memory from address 0 on. Its parts get the addresses that they
//! would have in a process of Linux: see [`Layout`]. The lowest 32 bits of an address are that in the linear memory.

mod head;
mod heap;
mod layout;

use pagewalk_base::error::{Error, ErrorCode, Place};
use pagewalk_base::trace::{Access, Completeness, Kind};

use self::head::{Head, Site, Words};
use self::heap::Heap;
use self::layout::Layout;
use super::Sink;
use super::delivery::Delivery;
use super::flow::Flow;
use super::parser::{Facts, Parser};
use super::tally::Tally;

/// The first bytes of every such file.
pub(super) const MAGIC: &[u8] = b"PWCODE1\n";

/// The number of bytes before the head.
const BEFORE: usize = MAGIC.len() + 4;
/// The largest head in bytes.
const MAX_HEAD: usize = 1 << 25;
/// Bulk operations become accesses of at most so many bytes, a line of a cache.
const PIECE: u32 = 64;

/// Reads the accesses of a program.
#[derive(Debug)]
pub(super) struct Code {
    /// The beginning of the file, until the head is complete.
    head: Vec<u8>,
    records: Option<Box<Records>>,
}

impl Code {
    pub(super) fn new() -> Self {
        Self { head: Vec::new(), records: None }
    }
}

fn bad(at: u64, message: impl Into<String>) -> Error {
    let message = format!(
        "this is not a valid program trace of Pagewalk: {}. Run the program again and save its trace",
        message.into()
    );
    Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at))
}

/// Returns where the head ends in the file, or `None` if there are too few bytes to know.
fn head_end(bytes: &[u8]) -> Result<Option<usize>, Error> {
    let Some(size) = bytes.get(MAGIC.len()..BEFORE) else { return Ok(None) };
    if !bytes.starts_with(MAGIC) {
        return Err(bad(0, "it does not begin with PWCODE1"));
    }
    let size = size.iter().rev().fold(0, |size, byte| size << 8 | usize::from(*byte));
    if size > MAX_HEAD {
        let message = format!("its head has {size} bytes, more than the {MAX_HEAD} allowed");
        return Err(bad(MAGIC.len() as u64, message));
    }
    Ok(Some(BEFORE + size))
}

impl Parser for Code {
    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { head, records } = self;
        while records.is_none() {
            let wanted = head_end(head)?.unwrap_or(BEFORE);
            let (more, rest) = bytes.split_at(bytes.len().min(wanted - head.len()));
            head.extend_from_slice(more);
            bytes = rest;
            if head.len() < wanted {
                return Ok(());
            }
            if head_end(head)? == Some(head.len()) {
                let mut read =
                    Head::read(&head[BEFORE..]).map_err(|why| bad(BEFORE as u64, why))?;
                let heap = Heap::new(&read);
                for mapping in read.layout.mappings(&read) {
                    out.mapping(mapping)?;
                }
                out.places(std::mem::take(&mut read.places))?;
                let at = head.len() as u64;
                *records = Some(Box::new(Records { head: read, heap, rest: Vec::new(), at }));
            }
        }
        match records {
            Some(records) => records.push(bytes, tally, out),
            None => Ok(()),
        }
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, _: &mut Delivery<'_, S>) -> Flow {
        match &self.records {
            Some(records) if records.rest.is_empty() => Ok(()),
            Some(records) => {
                tally.note(format!(
                    "The file was cut off: its last record, from byte {} on, is incomplete and was left out",
                    records.at
                ));
                Ok(())
            }
            None => Err(bad(self.head.len() as u64, "it ends inside its head").into()),
        }
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: Completeness::Complete,
            remedy: "the program must load or store in its memory",
        }
    }
}

/// Reads the records after the head.
#[derive(Debug)]
struct Records {
    head: Head,
    heap: Heap,
    /// The record that the end of a chunk split.
    rest: Vec<u8>,
    /// The position of the next record.
    at: u64,
}

impl Records {
    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        while !self.rest.is_empty() && !bytes.is_empty() {
            let wanted = self.size(&self.rest)?.unwrap_or(4);
            let (more, tail) = bytes.split_at(bytes.len().min(wanted - self.rest.len()));
            self.rest.extend_from_slice(more);
            bytes = tail;
            if self.size(&self.rest)? == Some(self.rest.len()) {
                let record = std::mem::take(&mut self.rest);
                self.record(&record, tally, out)?;
            }
        }
        while let Some(size) = self.size(bytes)? {
            let Some((record, tail)) = bytes.split_at_checked(size) else { break };
            self.record(record, tally, out)?;
            bytes = tail;
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    /// Returns the bytes of the record that begins here, or `None` if there are too few bytes to know.
    #[inline]
    fn size(&self, bytes: &[u8]) -> Result<Option<usize>, Error> {
        let Some(&block) = bytes.first_chunk() else { return Ok(None) };
        let block = u32::from_le_bytes(block);
        match self.head.blocks.get(block as usize) {
            Some(block) => Ok(Some(4 + 4 * block.words)),
            None => Err(bad(self.at, format!("there is no block {block}"))),
        }
    }

    #[inline]
    fn record<S: Sink>(
        &mut self,
        record: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let (words, _) = record.as_chunks::<4>();
        let Some((&block, mut words)) = words.split_first() else { return Ok(()) };
        let block = &self.head.blocks[u32::from_le_bytes(block) as usize];
        let layout = &self.head.layout;
        for site in &self.head.sites[block.sites.clone()] {
            match site.words {
                Words::Access(kind) => {
                    let Some((&word, rest)) = words.split_first() else { break };
                    words = rest;
                    out.access(access(layout, site, kind, u32::from_le_bytes(word)))?;
                }
                other => {
                    let (mine, rest) = words.split_at(other.count().min(words.len()));
                    words = rest;
                    let word = |at: usize| mine.get(at).map_or(0, |&word| u32::from_le_bytes(word));
                    special(layout, &mut self.heap, site, [word(0), word(1), word(2)], out)?;
                }
            }
        }
        tally.records += 1;
        self.at += record.len() as u64;
        Ok(())
    }
}

#[inline]
fn access(layout: &Layout, site: &Site, kind: Kind, word: u32) -> Access {
    let address = layout.address(u64::from(word) + u64::from(site.offset));
    Access { ip: Some(site.ip), ..Access::new(kind, address, site.size) }
}

/// Delivers what is not one access.
fn special<S: Sink>(
    layout: &Layout,
    heap: &mut Heap,
    site: &Site,
    words: [u32; 3],
    out: &mut Delivery<'_, S>,
) -> Flow {
    let [first, second, third] = words;
    let mut piece = |kind, start: u32, at: u32, size: u32| {
        let address = layout.address(u64::from(start) + u64::from(at));
        out.access(Access { ip: Some(site.ip), ..Access::new(kind, address, size) })
    };
    let pieces =
        |size: u32| (0..size).step_by(PIECE as usize).map(move |at| (at, PIECE.min(size - at)));
    match site.words {
        Words::Modify => {
            out.access(access(layout, site, Kind::Load, first))?;
            out.access(access(layout, site, Kind::Store, first))?;
        }
        Words::Fill => {
            for (at, size) in pieces(second) {
                piece(Kind::Store, first, at, size)?;
            }
        }
        Words::Copy => {
            for (at, size) in pieces(third) {
                piece(Kind::Load, second, at, size)?;
                piece(Kind::Store, first, at, size)?;
            }
        }
        Words::Grow => {
            if let Some(mapping) = Layout::grown(first, second) {
                out.mapping(mapping)?;
            }
        }
        Words::Call(bytes) => heap.call(site.ip, bytes.of(first, second)),
        Words::Access(_) | Words::Free => {}
        Words::Return => {
            if let Some(mapping) = heap.returned(layout, site.ip, first) {
                out.mapping(mapping)?;
            }
        }
    }
    Ok(())
}
