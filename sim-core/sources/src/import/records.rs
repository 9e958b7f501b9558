//! Splits chunks of bytes into records of one size, so that parsers of records become parsers of bytes. Only
//! the record that the end of a chunk splits is copied.

use super::Sink;
use super::delivery::Delivery;
use super::flow::Flow;
use super::parser::{Facts, Parser};
use super::report::counted;
use super::tally::Tally;

/// Reads a format whose records all have the same size.
pub(super) trait RecordParser {
    /// Returns the size of a record in bytes.
    fn size(&self) -> usize;

    /// Reads `record`, which is complete and begins at byte `at` of the decompressed file.
    fn record<S: Sink>(
        &mut self,
        record: &[u8],
        at: u64,
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow;

    fn facts(&self) -> Facts;
}

/// A parser of records, with the record that the end of a chunk split.
#[derive(Debug)]
pub(super) struct Recorded<P> {
    rest: Vec<u8>,
    /// The position of the next record.
    at: u64,
    pub(super) parser: P,
}

impl<P: RecordParser> Recorded<P> {
    pub(super) fn new(parser: P) -> Self {
        Self::after(0, parser)
    }

    /// Makes a parser for records that begin at byte `at` of the file.
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
                "The file was cut off: its last {}, from byte {} on, are an incomplete record and were left out",
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
