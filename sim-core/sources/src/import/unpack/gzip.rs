//! Decompresses gzip (RFC 1952): any number of members, and zero bytes after the last one, as `gzip -d`
//! accepts them. The library's decoder for several members rejects these zeros and does not say where a
//! member begins, so each member has a decoder of its own.

use std::io::Write as _;

use flate2::write::GzDecoder;

use super::{Output, damaged};
use crate::import::flow::{Flow, Stop};

const NAME: &str = "gzip";
const MAGIC: [u8; 2] = [0x1f, 0x8b];
const FOLLOWS: &str = "other data follow";

/// The size in bytes of the checksum and the length at the end of a member.
const TRAILER: u64 = 8;

#[derive(Debug)]
pub(super) struct Gzip {
    /// `None` between members.
    member: Option<Member>,
    /// Whether only zeros may follow.
    is_padding: bool,
}

#[derive(Debug)]
struct Member {
    decoder: GzDecoder<Vec<u8>>,
    start: u64,
    /// The position of the deflate data.
    data_start: u64,
}

impl Gzip {
    pub(super) fn new() -> Self {
        Self { member: None, is_padding: false }
    }

    /// Takes `bytes`, which begin at byte `start` of the compressed data.
    pub(super) fn push(&mut self, bytes: &[u8], start: u64, out: &mut Output) -> Flow {
        let mut rest = bytes;
        while let Some(first) = rest.first() {
            let at = start + (bytes.len() - rest.len()) as u64;
            self.is_padding |= self.member.is_none() && *first == 0;
            if self.is_padding {
                let other = rest.iter().position(|byte| *byte != 0);
                return other.map_or(Ok(()), |n| Err(damaged(NAME, at + n as u64, FOLLOWS).into()));
            }
            let member = self.member.get_or_insert_with(|| Member::new(at));
            let taken = member.push(rest, at, out)?;
            if taken == 0 {
                member.end(at)?;
                self.member = None;
            }
            rest = &rest[taken..];
        }
        self.member.as_mut().map_or(Ok(()), |member| member.hand_on(out))
    }

    /// Ends the data after `end` bytes. Returns whether they may end here.
    pub(super) fn finish(&mut self, end: u64) -> Result<bool, Stop> {
        let Some(member) = &mut self.member else { return Ok(true) };
        // A decoder that has everything takes no further byte.
        let is_whole = matches!(member.decoder.write(&[0]), Ok(0));
        if is_whole {
            member.end(end)?;
        }
        Ok(is_whole)
    }
}

impl Member {
    fn new(start: u64) -> Self {
        Self { decoder: GzDecoder::new(Vec::new()), start, data_start: start }
    }

    /// Takes some of `rest`, which begins at `at`. Returns the number of bytes, which is 0 after the end.
    fn push(&mut self, rest: &[u8], at: u64, out: &mut Output) -> Result<usize, Stop> {
        let mut now = rest;
        // The decoder looks at the magic number only when it has a whole header, which may not follow.
        let place = usize::try_from(at - self.start).unwrap_or(usize::MAX);
        if let Some(magic) = MAGIC.get(place) {
            now = &rest[..1];
            if now != [*magic] {
                return Err(damaged(NAME, self.start, FOLLOWS).into());
            }
        }
        let was_header = self.decoder.header().is_none();
        let taken = self.decoder.write(now);
        // The output that precedes an error is passed on.
        self.give(out)?;
        match taken {
            Ok(taken) if was_header => {
                self.data_start = at + taken as u64;
                Ok(taken)
            }
            Ok(taken) => Ok(taken),
            Err(_) if was_header => {
                Err(damaged(NAME, self.start, "a header that gzip does not write").into())
            }
            Err(_) => {
                self.hand_on(out)?;
                let why = "the deflate data that begin here are invalid";
                Err(damaged(NAME, self.data_start, why).into())
            }
        }
    }

    /// Passes on everything that the decoder holds back.
    fn hand_on(&mut self, out: &mut Output) -> Flow {
        loop {
            // If the data are damaged, the next call returns the error again.
            let _ = self.decoder.write(&[]);
            if self.decoder.get_ref().is_empty() {
                return Ok(());
            }
            self.give(out)?;
        }
    }

    fn give(&mut self, out: &mut Output) -> Flow {
        let ready = self.decoder.get_mut();
        if !ready.is_empty() {
            out(ready)?;
            ready.clear();
        }
        Ok(())
    }

    /// Compares the checksum and the length of a member that ends at `end`.
    fn end(&mut self, end: u64) -> Flow {
        let checked = self.decoder.try_finish();
        checked.map_err(|_| damaged(NAME, end - TRAILER, "the checksum is wrong").into())
    }
}
