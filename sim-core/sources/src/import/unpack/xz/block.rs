//! Decompresses the data of a block of xz: LZMA2, then the filters, then the check.
//!
//! ```text
//! LZMA2 chunk ─▶ Lzma2Stream ─▶ filter ─▶ filter ─▶ check, size ─▶ out
//! ```

use lzma_rust2::filter::StreamFilter;
use lzma_rust2::{Action, Lzma2Stream, Status};

use super::check::Check;
use super::header::BlockHeader;
use crate::import::flow::{Flow, Stop};
use crate::import::unpack::Output;

/// A block whose header was read.
pub(super) struct Block {
    header: BlockHeader,
    header_size: u64,
    lzma2: Lzma2Stream,
    /// The bytes that each filter still holds back.
    held: Vec<Vec<u8>>,
    unpacked: u64,
    check: Check,
}

/// The state of a block's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    More,
    End,
    /// The data are invalid.
    Wrong,
}

impl Block {
    /// Begins a block after a header of `header_size` bytes. The caller has checked the size of its window.
    pub(super) fn new(header: BlockHeader, header_size: usize, check: Check) -> Self {
        let window = u32::try_from(header.window).unwrap_or(u32::MAX);
        Self {
            held: header.filters.iter().map(|_| Vec::new()).collect(),
            header,
            header_size: header_size as u64,
            lzma2: Lzma2Stream::new(window),
            unpacked: 0,
            check,
        }
    }

    /// Returns the size in bytes of the chunk of LZMA2 data that begins with `head`, if `head` shows it. An
    /// invalid chunk ends where that shows.
    pub(super) fn chunk_size(head: &[u8]) -> usize {
        let size = |high: u8, low: u8| usize::from(u16::from_be_bytes([high, low])) + 1;
        match *head {
            [] | [0 | 3..0x80, ..] => 1,
            // An uncompressed chunk.
            [1 | 2, high, low, ..] => 3 + size(high, low),
            [1 | 2, ..] => 3,
            [control, _, _, high, low, ..] => {
                let properties = usize::from(control >= 0xc0);
                5 + properties + size(high, low)
            }
            [_, ..] => 5,
        }
    }

    /// Decompresses a chunk, or what there is of a chunk that is cut off. A chunk is taken at once, so that
    /// the output before an error does not depend on how the file was divided.
    pub(super) fn push(
        &mut self,
        chunk: &[u8],
        is_cut: bool,
        piece: &mut [u8],
        out: &mut Output,
    ) -> Result<Progress, Stop> {
        let mut rest = chunk;
        loop {
            // The decoder holds back the last bytes until it knows that none follow.
            let is_last = is_cut && rest.is_empty();
            let action = if is_last { Action::Finish } else { Action::Run };
            let (taken_before, given_before) = (self.lzma2.total_in(), self.lzma2.total_out());
            let result = self.lzma2.process(rest, piece, action);
            // Both numbers are at most the length of a slice. The output that precedes an error is passed on.
            let taken = usize::try_from(self.lzma2.total_in() - taken_before).unwrap_or(0);
            let given = usize::try_from(self.lzma2.total_out() - given_before).unwrap_or(0);
            rest = &rest[taken..];
            let is_end = matches!(&result, Ok(result) if result.status == Status::StreamEnd);
            self.hand_on(&piece[..given], is_end, out)?;
            if result.is_err() {
                return Ok(Progress::Wrong);
            }
            if is_end {
                return Ok(if rest.is_empty() { Progress::End } else { Progress::Wrong });
            }
            if rest.is_empty() && given < piece.len() && is_last == is_cut {
                return Ok(Progress::More);
            }
            if taken == 0 && given == 0 && !rest.is_empty() {
                return Ok(Progress::Wrong);
            }
        }
    }

    fn hand_on(&mut self, bytes: &[u8], is_end: bool, out: &mut Output) -> Flow {
        let Self { header, held, unpacked, check, .. } = self;
        unfilter(&mut header.filters, held, bytes, is_end, &mut |bytes| {
            *unpacked += bytes.len() as u64;
            check.update(bytes);
            out(bytes)
        })
    }

    /// Returns the number of zeros after the data, which fill four bytes. The check follows them.
    pub(super) fn padding(&self) -> usize {
        // The remainder is less than 4.
        usize::try_from(self.lzma2.total_in().wrapping_neg() % 4).unwrap_or(0)
    }

    pub(super) fn check_len(&self) -> usize {
        self.check.len()
    }

    /// Returns the sizes as the index has them: compressed without padding, and decompressed.
    pub(super) fn sizes(&self) -> (u64, u64) {
        (self.header_size + self.lzma2.total_in() + self.check.len() as u64, self.unpacked)
    }

    /// Compares the block with its header and its check.
    ///
    /// # Errors
    /// What is wrong.
    pub(super) fn end(self, check: &[u8]) -> Result<(), &'static str> {
        let is = |stated: Option<u64>, size| stated.is_none_or(|stated| stated == size);
        if !is(self.header.packed, self.lzma2.total_in())
            || !is(self.header.unpacked, self.unpacked)
        {
            return Err("the block before that does not have the size in its header");
        }
        if self.check.is(check) { Ok(()) } else { Err("the checksum is wrong") }
    }
}

/// Sends bytes through the filters, one after the other.
fn unfilter(
    filters: &mut [StreamFilter],
    held: &mut [Vec<u8>],
    bytes: &[u8],
    is_end: bool,
    out: &mut Output,
) -> Flow {
    let (Some((filter, filters)), Some((first, held))) =
        (filters.split_first_mut(), held.split_first_mut())
    else {
        return if bytes.is_empty() { Ok(()) } else { out(bytes) };
    };
    let mut settled = 0;
    if !bytes.is_empty() {
        first.extend_from_slice(bytes);
        settled = filter.decode(first);
    }
    if is_end {
        // No more bytes follow, so the filter can release what it holds.
        filter.finish();
        settled = first.len();
    }
    unfilter(filters, held, &first[..settled], is_end, out)?;
    first.drain(..settled);
    Ok(())
}
