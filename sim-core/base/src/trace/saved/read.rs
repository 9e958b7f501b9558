//! Reads a saved trace from bytes that arrive in pieces of any size.

use super::section::{Frame, Framed, read_section};
use super::{
    ACCESSES, CALL_TREE, CALLS, END, FRAMES, HEADER, MAGIC, MAPPINGS, META, NAMES, OPS, PAGE_FACTS,
    PLACES, VERSION,
};
use crate::error::{Error, ErrorCode, Place, Result};
use crate::trace::calls::CallReader;
use crate::trace::varint::read_varint;
use crate::trace::{
    Access, CHUNK, CallTree, Completeness, Decoder, FrameRun, Mapping, Op, OpReader, OpRecord,
    PageFact, Places, RegionKind,
};

/// An item of a saved trace. Items come in the order of the file.
#[derive(Debug)]
pub enum Item<'a> {
    /// The description from the writer.
    Meta(&'a str),
    Access(Access),
    Op(OpRecord),
    Mapping(Mapping),
    Places(Places),
    PageFacts(Vec<PageFact>),
    /// The node of the next accesses in the tree of calls.
    Call(&'a CallTree, u32),
    Frames(Vec<FrameRun>),
    /// A section of another module: its tag, a lower-case letter, and its payload.
    Other(u8, &'a [u8]),
}

/// The part of the file that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Magic,
    Header,
    Meta,
    Content,
    Ended,
}

#[derive(Debug)]
pub struct SavedReader {
    /// The bytes of a section that is not complete yet.
    rest: Vec<u8>,
    /// The offset in the file of the bytes in `rest`.
    at: u64,
    stage: Stage,
    completeness: Completeness,
    n: u32,
    n_ops: u64,
    n_mappings: u64,
    /// The operations of the next chunk.
    ops: Vec<(u32, OpRecord)>,
    /// Records of memory maps that apply from later accesses, the next one last.
    mappings: Vec<Mapping>,
    call_tree: CallTree,
    /// The changes of the node in the next chunk.
    calls: Vec<(u32, u32)>,
    /// The node of the last access.
    call: u32,
}

impl Default for SavedReader {
    fn default() -> Self {
        Self {
            rest: Vec::new(),
            at: 0,
            stage: Stage::Magic,
            completeness: Completeness::Complete,
            n: 0,
            n_ops: 0,
            n_mappings: 0,
            ops: Vec::new(),
            mappings: Vec::new(),
            call_tree: CallTree::default(),
            calls: Vec::new(),
            call: 0,
        }
    }
}

impl SavedReader {
    /// Returns how complete the trace is. The header of the file says so.
    pub fn completeness(&self) -> Completeness {
        self.completeness
    }

    /// Reads the next bytes and passes every complete item to `each`.
    ///
    /// # Errors
    /// `bad-trace` if the file is damaged, `unsupported` if a newer version wrote it, or an error of `each`.
    pub fn push<E: From<Error>>(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut kept = std::mem::take(&mut self.rest);
        kept.extend_from_slice(bytes);
        let mut bytes = &kept[..];
        if self.stage == Stage::Magic {
            let Some(rest) = bytes.strip_prefix(MAGIC) else {
                if bytes.len() >= MAGIC.len() {
                    return Err(self.damaged("its first bytes are wrong").into());
                }
                self.rest = kept;
                return Ok(());
            };
            self.advance(MAGIC.len(), Stage::Header);
            bytes = rest;
        }
        loop {
            match read_section(bytes) {
                Frame::Part => break,
                Frame::Damaged => return Err(self.damaged("a checksum differs").into()),
                Frame::Whole(section) => {
                    self.section(&section, each)?;
                    self.at += section.size as u64;
                    bytes = &bytes[section.size..];
                }
            }
        }
        self.rest = bytes.to_vec();
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// `bad-trace` if the end of the file is missing.
    pub fn finish(&self) -> Result<()> {
        if self.stage == Stage::Ended && self.rest.is_empty() {
            return Ok(());
        }
        let what =
            if self.stage == Stage::Ended { "more bytes follow its end" } else { "it is cut off" };
        Err(self.damaged(what))
    }

    fn advance(&mut self, bytes: usize, stage: Stage) {
        self.at += bytes as u64;
        self.stage = stage;
    }

    fn section<E: From<Error>>(
        &mut self,
        section: &Framed<'_>,
        each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Framed { tag, payload, .. } = *section;
        match (self.stage, tag) {
            (Stage::Header, HEADER) => {
                self.header(payload)?;
                self.stage = Stage::Meta;
                Ok(())
            }
            (Stage::Meta, META) => {
                let text = std::str::from_utf8(payload);
                let text = text.map_err(|_| self.foreign("its description is not text"))?;
                self.stage = Stage::Content;
                each(Item::Meta(text))
            }
            (Stage::Content, OPS) => Ok(self.keep_ops(payload)?),
            (Stage::Content, MAPPINGS) => Ok(self.keep_mappings(payload)?),
            (Stage::Content, ACCESSES) => self.accesses(payload, each),
            (Stage::Content, PAGE_FACTS) if self.n == 0 => {
                let facts = PageFact::restore(payload);
                let wrong = || self.foreign("facts about pages are wrong");
                each(Item::PageFacts(facts.ok_or_else(wrong)?))
            }
            (Stage::Content, CALL_TREE) if self.n == 0 => {
                let is_right = self.call_tree.restore(payload).is_some();
                is_right.then_some(()).ok_or_else(|| self.foreign("the tree of calls is wrong"))?;
                each(Item::Call(&self.call_tree, 0))
            }
            (Stage::Content, CALLS) if self.calls.is_empty() => Ok(self.keep_calls(payload)?),
            (Stage::Content, FRAMES) if self.n == 0 => {
                let runs = FrameRun::restore(payload);
                let wrong = || self.foreign("frames of pages are wrong");
                each(Item::Frames(runs.ok_or_else(wrong)?))
            }
            (Stage::Content, PLACES) => {
                let places = Places::restore(payload);
                let wrong = || self.foreign("places in the source are wrong");
                each(Item::Places(places.ok_or_else(wrong)?))
            }
            (Stage::Content, END) => {
                self.end(payload, each)?;
                self.stage = Stage::Ended;
                Ok(())
            }
            (Stage::Content, tag) if tag.is_ascii_lowercase() => each(Item::Other(tag, payload)),
            _ => Err(self.foreign("a part is in the wrong place").into()),
        }
    }

    fn header(&mut self, mut payload: &[u8]) -> Result<()> {
        let version = self.number(&mut payload)?;
        if version > VERSION {
            let message = format!(
                "a newer version of Pagewalk saved this trace (format {version}, this one reads {VERSION}): reload the page or update the program"
            );
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        let completeness = usize::try_from(self.number(&mut payload)?).ok();
        let found = completeness.and_then(|number| Completeness::ALL.get(number));
        self.completeness = *found.ok_or_else(|| self.foreign("its header is wrong"))?;
        Ok(())
    }

    fn keep_ops(&mut self, payload: &[u8]) -> Result<()> {
        let mut reader = OpReader::new(payload);
        let mut before = self.ops.last().map_or(0, |(at, _)| *at);
        for (at, record) in &mut reader {
            // Only operations that text can express are valid.
            let is_valid = record.op.to_string().parse::<Op>().as_ref() == Ok(&record.op);
            if at < before || at > CHUNK || !is_valid {
                return Err(self.foreign("an operation is wrong"));
            }
            before = at;
            self.ops.push((at, record));
        }
        if reader.is_whole() { Ok(()) } else { Err(self.foreign("an operation is cut off")) }
    }

    fn keep_mappings(&mut self, mut payload: &[u8]) -> Result<()> {
        let mut from = self.mappings.first().map_or(self.n, |mapping| mapping.from);
        let mut mappings = Vec::new();
        while !payload.is_empty() {
            let mapping = read_mapping(&mut payload).filter(|mapping| mapping.from >= from);
            let wrong = || self.foreign("a record of a memory map is wrong");
            let mapping = mapping.ok_or_else(wrong)?;
            from = mapping.from;
            mappings.push(mapping);
        }
        self.n_mappings += mappings.len() as u64;
        mappings.reverse();
        mappings.append(&mut self.mappings);
        self.mappings = mappings;
        Ok(())
    }

    fn keep_calls(&mut self, payload: &[u8]) -> Result<()> {
        let mut reader = CallReader::new(payload);
        let max_node = self.call_tree.len();
        for (at, node) in &mut reader {
            if at >= CHUNK || node as usize > max_node {
                return Err(self.foreign("a call path is wrong"));
            }
            self.calls.push((at, node));
        }
        if reader.is_whole() { Ok(()) } else { Err(self.foreign("a call path is cut off")) }
    }

    /// Passes on the accesses of a chunk, each after the operations and records before it.
    fn accesses<E: From<Error>>(
        &mut self,
        mut payload: &[u8],
        each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let n = self.number(&mut payload)?;
        let wrong = "the accesses of a part are wrong";
        let n = u32::try_from(n).ok().filter(|n| (1..=CHUNK).contains(n));
        let n = n.filter(|n| self.n.checked_add(*n).is_some());
        let n = n.ok_or_else(|| self.foreign(wrong))?;
        let mut ops = std::mem::take(&mut self.ops).into_iter().peekable();
        let mut decoder = Decoder::new(payload);
        let calls = std::mem::take(&mut self.calls);
        // A chunk begins without a call path.
        let mut calls = no_call(self.call, &calls).chain(calls.iter().copied()).peekable();
        for at in 0..n {
            let access = decoder.next().ok_or_else(|| self.foreign(wrong))?;
            self.n_ops += pass_ops(&mut ops, at, each)?;
            self.pass_mappings(self.n + at, each)?;
            if let Some((_, node)) = calls.next_if(|(change, _)| *change == at) {
                self.call = node;
                each(Item::Call(&self.call_tree, node))?;
            }
            each(Item::Access(access))?;
        }
        self.n_ops += pass_ops(&mut ops, n, each)?;
        self.n += n;
        if ops.next().is_some() || calls.next().is_some() || !decoder.is_whole() {
            return Err(self.foreign(wrong).into());
        }
        Ok(())
    }

    /// Passes on the records of memory maps that apply from access `at` or an earlier one on.
    #[inline]
    fn pass_mappings<E>(
        &mut self,
        at: u32,
        each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some(mapping) = self.mappings.pop_if(|mapping| mapping.from <= at) {
            each(Item::Mapping(mapping))?;
        }
        Ok(())
    }

    fn end<E: From<Error>>(
        &mut self,
        mut payload: &[u8],
        each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.pass_mappings(self.n, each)?;
        let found = [u64::from(self.n), self.n_ops, self.n_mappings];
        for found in found {
            let stated = self.number(&mut payload)?;
            if stated != found {
                return Err(self.damaged("parts of it are missing").into());
            }
        }
        let is_used = self.mappings.is_empty() && self.ops.is_empty() && self.calls.is_empty();
        if !(is_used && payload.is_empty()) {
            return Err(self.damaged("its end is wrong").into());
        }
        Ok(())
    }

    fn number(&self, payload: &mut &[u8]) -> Result<u64> {
        read_varint(payload).ok_or_else(|| self.foreign("a number is cut off"))
    }

    /// Makes the error of a part that is whole, as its checksum says, and has contents that this version does not know.
    pub fn foreign(&self, what: &str) -> Error {
        let message = format!(
            "another version of Pagewalk wrote this trace: {what}. Update the older one, the program or the site, or import the original file again"
        );
        Error::new(ErrorCode::BadTrace, message).at(Place::Byte(self.at))
    }

    /// Makes the error of a damaged file.
    fn damaged(&self, what: &str) -> Error {
        let message =
            format!("this saved trace is damaged: {what}. Import the original file again");
        Error::new(ErrorCode::BadTrace, message).at(Place::Byte(self.at))
    }
}

/// Passes on the operations before access `at` of the chunk. Returns their number.
#[inline]
fn pass_ops<E>(
    ops: &mut std::iter::Peekable<impl Iterator<Item = (u32, OpRecord)>>,
    at: u32,
    each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
) -> Result<u64, E> {
    let mut n = 0;
    while let Some((_, record)) = ops.next_if(|(before, _)| *before == at) {
        each(Item::Op(record))?;
        n += 1;
    }
    Ok(n)
}

/// Returns the change that the beginning of a chunk is, after a node.
fn no_call(before: u32, calls: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> + use<> {
    let is_change = before != 0 && calls.first().is_none_or(|(at, _)| *at > 0);
    is_change.then_some((0, 0)).into_iter()
}

fn read_mapping(bytes: &mut &[u8]) -> Option<Mapping> {
    let mut numbers = [0; 7];
    for number in &mut numbers {
        *number = read_varint(bytes)?;
    }
    let [pid, from, start, length, offset, kind, name] = numbers;
    let (name, rest) = bytes.split_at_checked(usize::try_from(name).ok()?)?;
    *bytes = rest;
    Some(Mapping {
        pid: u32::try_from(pid).ok()?,
        from: u32::try_from(from).ok()?,
        start,
        end: start.checked_add(length).filter(|end| *end > start)?,
        offset,
        kind: *RegionKind::ALL.get(usize::try_from(kind & !NAMES).ok()?)?,
        is_name: kind & NAMES != 0,
        name: std::str::from_utf8(name).ok()?.to_owned(),
    })
}
