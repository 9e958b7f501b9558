//! Cuts chunks of bytes into records of one size, and how parsers of such records become
//! parsers of bytes. Only the record that the end of a chunk splits is copied.

use super::Sink;
use super::delivery::{Delivery, Flow};
use super::parser::{Facts, Parser};
use super::tally::{Tally, counted};

/// Reads a format whose records are all of one size.
pub(super) trait RecordParser {
    /// Bytes of a record.
    fn size(&self) -> usize;

    /// Reads `record`, which is whole and begins at byte `at` of the unpacked file.
    fn record<S: Sink>(
        &mut self,
        record: &[u8],
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow;

    fn facts(&self) -> Facts;
}

/// A parser of records and the record that the end of a chunk split.
#[derive(Debug)]
pub(super) struct Recorded<P> {
    rest: Vec<u8>,
    /// Where the next record begins.
    at: u64,
    parser: P,
}

impl<P: RecordParser> Recorded<P> {
    pub(super) fn new(parser: P) -> Self {
        Self::after(0, parser)
    }

    /// For records that begin at byte `at` of the file.
    pub(super) fn after(at: u64, parser: P) -> Self {
        Self { rest: Vec::with_capacity(parser.size()), at, parser }
    }
}

impl<P: RecordParser> Parser for Recorded<P> {
    #[inline]
    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let size = self.parser.size();
        if !self.rest.is_empty() {
            let (head, tail) = bytes.split_at(bytes.len().min(size - self.rest.len()));
            self.rest.extend_from_slice(head);
            if self.rest.len() < size {
                return Ok(());
            }
            self.parser.record(&self.rest, self.at, tally, out)?;
            self.rest.clear();
            self.at += size as u64;
            bytes = tail;
        }
        let records = bytes.chunks_exact(size);
        self.rest.extend_from_slice(records.remainder());
        for record in records {
            self.parser.record(record, self.at, tally, out)?;
            self.at += size as u64;
        }
        Ok(())
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, _out: &mut Delivery<'_, S>) -> Flow {
        if !self.rest.is_empty() {
            tally.note(format!(
                "The file was cut off: a part of a record was left out, its last {}, from byte {} on",
                counted(self.rest.len() as u64, "byte", "bytes"),
                self.at
            ));
        }
        Ok(())
    }

    fn facts(&self) -> Facts {
        self.parser.facts()
    }
}
