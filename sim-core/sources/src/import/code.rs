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
mod library;

use std::ops::Range;

use pagewalk_base::error::{Error, ErrorCode, Place};
use pagewalk_base::trace::{
    Access, Completeness, InstructionAccess, Instructions, Kind, LoadOrStore, Mapping, Places,
};

use self::head::{Block, Head, Site, Words};
use self::heap::Heap;
use self::layout::{Layout, TEXT};
use self::library::Library;
use super::Sink;
use super::delivery::Delivery;
use super::flow::{Flow, Stop};
use super::framed_head::FramedHead;
use super::parser::{Facts, Parser};
use super::tally::Tally;

/// The first bytes of every such file.
pub(super) const MAGIC: &[u8] = b"PWCODE1\n";

/// The largest head in bytes.
const MAX_HEAD: usize = 1 << 25;
/// The most memory of a program. An operation on a range beyond it traps, and accesses nothing.
const MOST_MEMORY: u64 = 1 << 30;
/// Bulk operations become accesses of at most so many bytes, a line of a cache.
const PIECE: u32 = 64;
/// The mean bytes of an instruction of x86-64 with an operand in memory, rounded.
const INSTRUCTION: u32 = 4;
/// What is said about fetches.
const ESTIMATE: &str = "Fetches are an estimate: one before each access, at the place of its instruction in the WebAssembly code. The machine code that a browser makes of it is larger, and elsewhere";
/// What is said about a program whose memory could not grow.
const NO_ROOM: &str = "The program asked for more memory than it may have here, and did not get it";
/// The most accesses that are delivered at once.
const READY: usize = 1 << 11;

/// Reads the accesses of a program.
#[derive(Debug)]
pub(super) struct Code {
    head: FramedHead,
    records: Option<Box<Records>>,
}

impl Code {
    pub(super) fn new() -> Self {
        let bad = |at, message| bad(at, message);
        Self { head: FramedHead::new(MAGIC, MAX_HEAD, bad), records: None }
    }
}

fn bad(at: u64, message: impl Into<String>) -> Error {
    let message = format!(
        "this is not a valid program trace of Pagewalk: {}. Run the program again and save its trace",
        message.into()
    );
    Error::new(ErrorCode::BadTrace, message).at(Place::Byte(at))
}

impl Parser for Code {
    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { head, records } = self;
        if records.is_none() && head.take(&mut bytes)? {
            let start = head.start() as u64;
            let mut read = Head::read(head.text()).map_err(|why| bad(start, why))?;
            for mapping in read.layout.mappings(&read) {
                out.mapping(mapping)?;
            }
            out.places(std::mem::take(&mut read.places))?;
            if read.has_fetches {
                tally.note(ESTIMATE);
            }
            let at = head.len() as u64;
            *records = Some(Box::new(Records::new(read, at)));
        }
        match records {
            Some(records) => records.push(bytes, tally, out),
            None => Ok(()),
        }
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let Some(records) = &self.records else {
            return Err(bad(self.head.len() as u64, "it ends inside its head").into());
        };
        if !records.rest.is_empty() {
            tally.note(format!(
                "The file was cut off: its last record, from byte {} on, is incomplete and was left out",
                records.at
            ));
        }
        let mut places = Places::default();
        records.heap.count(&mut places);
        out.places(places)
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
    library: Library,
    /// The record that the end of a chunk split.
    rest: Vec<u8>,
    /// The position of the next record.
    at: u64,
    ready: Ready,
}

impl Records {
    fn new(head: Head, at: u64) -> Self {
        Self {
            heap: Heap::new(&head),
            library: Library::new(&head),
            ready: Ready::new(head.has_fetches),
            head,
            rest: Vec::new(),
            at,
        }
    }

    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        while !self.rest.is_empty() && !bytes.is_empty() {
            let wanted = self.wanted()?;
            let (more, tail) = bytes.split_at(bytes.len().min(wanted - self.rest.len()));
            self.rest.extend_from_slice(more);
            bytes = tail;
            if self.rest.len() >= 4 && self.rest.len() == self.wanted()? {
                let record = std::mem::take(&mut self.rest);
                self.whole(&record, tally, out)?;
            }
        }
        let n = self.whole(bytes, tally, out)?;
        self.rest.extend_from_slice(bytes.get(n..).unwrap_or_default());
        Ok(())
    }

    /// Returns the bytes of the split record, as far as they are known.
    fn wanted(&self) -> Result<usize, Error> {
        let Some(&block) = self.rest.first_chunk() else { return Ok(4) };
        Ok(4 + 4 * self.block(block)?.words)
    }

    fn block(&self, number: [u8; 4]) -> Result<&Block, Error> {
        let number = u32::from_le_bytes(number);
        let found = self.head.blocks.get(number as usize);
        found.ok_or_else(|| bad(self.at, format!("there is no block {number}")))
    }

    /// Takes the whole records at the front of `bytes`; returns how many bytes they have.
    fn whole<S: Sink>(
        &mut self,
        bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Result<usize, Stop> {
        let (mut words, _) = bytes.as_chunks::<4>();
        let all = words.len();
        let taken = loop {
            let n;
            (words, n) = self.plain_blocks(words);
            tally.records += n;
            let Some((&number, rest)) = words.split_first() else { break Ok(()) };
            let block = match self.block(number) {
                Ok(block) => block,
                Err(error) => break Err(error.into()),
            };
            let Some((mine, rest)) = rest.split_at_checked(block.words) else { break Ok(()) };
            let (sites, is_plain, is_own) = (block.sites.clone(), block.is_plain, block.is_own);
            if self.ready.accesses.len() + sites.len() > READY {
                self.ready.deliver(&self.head.instructions, out)?;
            }
            if let Some((tree, node)) = self.library.changed(is_own) {
                self.ready.deliver(&self.head.instructions, out)?;
                out.call(tree, node)?;
            }
            if is_plain {
                let sites = self.head.sites[sites].iter().zip(mine);
                let layout = &self.head.layout;
                self.ready.accesses.extend(sites.map(|(site, &word)| access(layout, site, word)));
            } else {
                self.special_block(sites, mine, tally, out)?;
            }
            tally.records += 1;
            self.at += 4 * (1 + mine.len() as u64);
            words = rest;
        };
        self.ready.deliver(&self.head.instructions, out)?;
        taken.map(|()| 4 * (all - words.len()))
    }

    /// Takes the records at the front that have only loads and stores, as long as there is room and the call path stays.
    /// Returns the words after them, and the number of records.
    fn plain_blocks<'w>(&mut self, mut words: &'w [[u8; 4]]) -> (&'w [[u8; 4]], u64) {
        let Self { head, library, ready: Ready { accesses, .. }, .. } = self;
        let all = words.len();
        let mut n = 0;
        while let Some((number, rest)) = words.split_first() {
            let Some(block) = head.blocks.get(u32::from_le_bytes(*number) as usize) else { break };
            let Some((mine, rest)) = rest.split_at_checked(block.words) else { break };
            let is_next = block.is_plain && library.stays(block.is_own);
            if !is_next || accesses.len() + mine.len() > READY {
                break;
            }
            let sites = head.sites[block.sites.clone()].iter().zip(mine);
            accesses.extend(sites.map(|(site, &word)| access(&head.layout, site, word)));
            words = rest;
            n += 1;
        }
        self.at += 4 * (all - words.len()) as u64;
        (words, n)
    }

    /// Takes the words of a block that has other sites than accesses.
    fn special_block<S: Sink>(
        &mut self,
        sites: Range<usize>,
        mut words: &[[u8; 4]],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        for site in &self.head.sites[sites] {
            let (mine, rest) = words.split_at(site.words.count().min(words.len()));
            words = rest;
            let word = |at: usize| mine.get(at).map_or(0, |&word| u32::from_le_bytes(word));
            let known = &self.head.instructions;
            let mut out = Out { ready: &mut self.ready, known, delivery: out };
            let words = [word(0), word(1), word(2)];
            if site.words == Words::Grow && words[1] == u32::MAX {
                tally.note(NO_ROOM);
            }
            match site.words {
                Words::Enter => self.library.enter(site.ip),
                Words::Leave => self.library.leave(site.ip),
                _ => {
                    let caller = self.library.caller();
                    let heap = &mut self.heap;
                    special(&self.head.layout, (heap, caller), site, words, &mut out)?;
                }
            }
        }
        Ok(())
    }
}

/// Accesses that are not delivered yet. They are delivered many at once.
#[derive(Debug)]
struct Ready {
    accesses: Vec<InstructionAccess>,
    /// Accesses with their fetches; `None` if the trace gets none.
    with_fetches: Option<Vec<Access>>,
}

impl Ready {
    fn new(has_fetches: bool) -> Self {
        Self { accesses: Vec::with_capacity(READY), with_fetches: has_fetches.then(Vec::new) }
    }

    fn deliver<S: Sink>(&mut self, known: &Instructions, out: &mut Delivery<'_, S>) -> Flow {
        let done = match &mut self.with_fetches {
            None => out.instructions(known, &self.accesses),
            Some(both) => {
                both.clear();
                let accesses = self.accesses.iter().map(|access| known.access(access));
                both.extend(accesses.flat_map(|access| [fetch(&access), access]));
                out.accesses(both)
            }
        };
        self.accesses.clear();
        done
    }
}

/// Returns the estimated fetch of the instruction of an access.
fn fetch(access: &Access) -> Access {
    let at = access.ip.unwrap_or(TEXT);
    Access { ip: access.ip, ..Access::new(Kind::Fetch, at, INSTRUCTION) }
}

#[inline(always)]
fn access(layout: &Layout, site: &Site, word: [u8; 4]) -> InstructionAccess {
    let address = layout.address(u64::from(u32::from_le_bytes(word)) + u64::from(site.offset));
    InstructionAccess { address, instruction: site.number, what: site.what }
}

/// Collects accesses before it delivers them; delivers them before a mapping.
struct Out<'a, 'd, S> {
    ready: &'a mut Ready,
    known: &'a Instructions,
    delivery: &'a mut Delivery<'d, S>,
}

impl<S: Sink> Out<'_, '_, S> {
    fn access(&mut self, access: InstructionAccess) -> Flow {
        if self.ready.accesses.len() == READY {
            self.ready.deliver(self.known, self.delivery)?;
        }
        self.ready.accesses.push(access);
        Ok(())
    }

    fn mapping(&mut self, mapping: Option<Mapping>) -> Flow {
        let Some(mapping) = mapping else { return Ok(()) };
        self.ready.deliver(self.known, self.delivery)?;
        self.delivery.mapping(mapping)
    }
}

/// Takes the words of one site.
fn special<S: Sink>(
    layout: &Layout,
    (heap, caller): (&mut Heap, Option<u64>),
    site: &Site,
    words: [u32; 3],
    out: &mut Out<'_, '_, S>,
) -> Flow {
    let [first, second, third] = words;
    let mut piece = |kind: Kind, start: u32, at: u32, size: u32| {
        let address = layout.address(u64::from(start) + u64::from(at));
        let what = LoadOrStore::new(kind == Kind::Store, size).unwrap_or(site.what);
        out.access(InstructionAccess { address, instruction: site.number, what })
    };
    let fits = |start: u32, size: u32| u64::from(start) + u64::from(size) <= MOST_MEMORY;
    let pieces =
        |size: u32| (0..size).step_by(PIECE as usize).map(move |at| (at, PIECE.min(size - at)));
    match site.words {
        Words::Access => out.access(access(layout, site, first.to_le_bytes()))?,
        Words::Modify => {
            let access = access(layout, site, first.to_le_bytes());
            out.access(access)?;
            out.access(InstructionAccess { what: access.what.as_store(), ..access })?;
        }
        Words::Fill if fits(first, second) => {
            for (at, size) in pieces(second) {
                piece(Kind::Store, first, at, size)?;
            }
        }
        Words::Copy if fits(first, third) && fits(second, third) => {
            for (at, size) in pieces(third) {
                piece(Kind::Load, second, at, size)?;
                piece(Kind::Store, first, at, size)?;
            }
        }
        Words::Fill | Words::Copy | Words::Enter | Words::Leave => {}
        Words::Grow => out.mapping(Layout::grown(first, second))?,
        Words::Call(bytes) => heap.call(site.ip, caller, 0, bytes.of(first, second)),
        Words::Realloc => heap.call(site.ip, caller, first, second.into()),
        Words::Free => out.mapping(heap.freed(layout, first))?,
        Words::Return => {
            for mapping in heap.returned(layout, site.ip, first) {
                out.mapping(mapping)?;
            }
        }
    }
    Ok(())
}
