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
mod ready;
mod site;

use pagewalk_base::error::{Error, ErrorCode, Place};
use pagewalk_base::trace::{CallTree, Completeness, InstructionAccess, Mapping, Places};

use self::head::{Block, Head};
use self::heap::Heap;
use self::layout::Layout;
use self::library::Library;
use self::ready::Ready;
use self::site::{Site, Words};
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
/// What is said about fetches.
const ESTIMATE: &str = "Fetches are an estimate: one before each access, at the place of its instruction in the WebAssembly code. The machine code that a browser makes of it is larger, and elsewhere";
/// What is said about a program whose memory could not grow.
const NO_ROOM: &str = "The program asked for more memory than it may have here, and did not get it";

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
        Ok(4 + 4 * self.block(block)?.words as usize)
    }

    fn block(&self, number: [u8; 4]) -> Result<Block, Error> {
        self.head.block(number).ok_or_else(|| {
            bad(self.at, format!("there is no block {}", u32::from_le_bytes(number)))
        })
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
            let (plain, n) = self.ready.take(&self.head, &mut self.library, words);
            words = words.get(plain..).unwrap_or_default();
            self.at += 4 * plain as u64;
            tally.records += n;
            let Some((&number, rest)) = words.split_first() else { break Ok(()) };
            let block = match self.block(number) {
                Ok(block) => block,
                Err(error) => break Err(error.into()),
            };
            let Some((mine, rest)) = rest.split_at_checked(block.words as usize) else {
                break Ok(());
            };
            let node = self.library.nodes()[usize::from(block.is_own)];
            if node != self.library.node() {
                self.change_call(node, out)?;
            }
            self.block_of_any(block, mine, tally, out)?;
            tally.records += 1;
            self.at += 4 * (1 + mine.len() as u64);
            words = rest;
        };
        self.ready.deliver(&self.head, self.library.tree(), out)?;
        taken.map(|()| 4 * (all - words.len()))
    }

    /// Sets the call path of the next accesses.
    fn change_call<S: Sink>(&mut self, node: u32, out: &mut Delivery<'_, S>) -> Flow {
        if !self.library.has_grown() {
            self.library.change(node);
            self.ready.change_call(node);
            return Ok(());
        }
        self.ready.deliver(&self.head, self.library.tree(), out)?;
        self.ready.clear_call();
        out.call(self.library.deliver(node), node)
    }

    /// Takes the words of any block: one that has other sites than accesses, or for which there was no room.
    fn block_of_any<S: Sink>(
        &mut self,
        block: Block,
        mut words: &[[u8; 4]],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        for site in self.head.sites(block) {
            let (mine, rest) = words.split_at(site.words.count().min(words.len()));
            words = rest;
            let tree = self.library.tree();
            let mut out = Out { ready: &mut self.ready, head: &self.head, tree, delivery: out };
            let layout = &self.head.layout;
            if let Some(done) = site.accesses(layout, mine, |access| out.access(access)) {
                done?;
                continue;
            }
            let word = |at: usize| mine.get(at).map_or(0, |&word| u32::from_le_bytes(word));
            let words = [word(0), word(1)];
            match site.words {
                Words::Enter => self.library.enter(site.ip),
                Words::Leave => self.library.leave(site.ip),
                Words::Grow if words[1] == u32::MAX => tally.note(NO_ROOM),
                _ => {
                    let caller = self.library.caller();
                    other(layout, (&mut self.heap, caller), site, words, &mut out)?;
                }
            }
        }
        Ok(())
    }
}

/// Collects accesses before it delivers them; delivers them before a mapping.
struct Out<'a, 'd, S> {
    ready: &'a mut Ready,
    head: &'a Head,
    tree: &'a CallTree,
    delivery: &'a mut Delivery<'d, S>,
}

impl<S: Sink> Out<'_, '_, S> {
    fn access(&mut self, access: InstructionAccess) -> Flow {
        if self.ready.is_full() {
            self.ready.deliver(self.head, self.tree, self.delivery)?;
        }
        self.ready.push(access);
        Ok(())
    }

    fn mapping(&mut self, mapping: Option<Mapping>) -> Flow {
        let Some(mapping) = mapping else { return Ok(()) };
        self.ready.deliver(self.head, self.tree, self.delivery)?;
        self.delivery.mapping(mapping)
    }
}

/// Takes the words of a site that makes no accesses.
fn other<S: Sink>(
    layout: &Layout,
    (heap, caller): (&mut Heap, Option<u64>),
    site: &Site,
    [first, second]: [u32; 2],
    out: &mut Out<'_, '_, S>,
) -> Flow {
    match site.words {
        Words::Grow => out.mapping(Layout::grown(first, second))?,
        Words::Call(bytes) => heap.call(site.ip, caller, 0, bytes.of(first, second)),
        Words::Realloc => heap.call(site.ip, caller, first, second.into()),
        Words::Free => out.mapping(heap.freed(layout, first))?,
        Words::Return => {
            for mapping in heap.returned(layout, site.ip, first) {
                out.mapping(mapping)?;
            }
        }
        _ => {}
    }
    Ok(())
}
