//! The interface between the importer and the parsers of formats. Parsers of lines become parsers of bytes
//! here.

use pagewalk_base::trace::Completeness;

use super::Sink;
use super::delivery::Delivery;
use super::flow::Flow;
use super::lines::Lines;
use super::report::{ImportReport, Sampling};
use super::tally::Tally;

/// What a parser knows about its trace after reading all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) completeness: Completeness,
    /// What to do if the file has no access; the end of a sentence.
    pub(super) remedy: &'static str,
}

/// Reads one format from chunks of any size.
pub(super) trait Parser {
    /// Takes the next bytes.
    fn push<S: Sink>(&mut self, bytes: &[u8], tally: &mut Tally, out: &mut Delivery<'_, S>)
    -> Flow;

    /// Ends the file.
    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow;

    fn facts(&self) -> Facts;

    /// Returns how the samples were taken, for formats of samples.
    fn sampling(&self) -> Option<Sampling> {
        None
    }

    /// Delivers what waits for later parts of the file, as if there were none.
    fn flush<S: Sink>(&mut self, _tally: &mut Tally, _out: &mut Delivery<'_, S>) -> Flow {
        Ok(())
    }

    /// Returns the report of the original import, for a saved trace.
    fn report(&self) -> Option<&ImportReport> {
        None
    }
}

/// Reads a format whose records are lines.
pub(super) trait LineParser {
    /// Reads `block`, which holds whole lines. The last line of a text may lack its newline.
    fn read<S: Sink>(&mut self, block: &[u8], tally: &mut Tally, out: &mut Delivery<'_, S>)
    -> Flow;

    /// Ends the text, after every line was read.
    fn finish<S: Sink>(&mut self, _tally: &mut Tally, _out: &mut Delivery<'_, S>) -> Flow {
        Ok(())
    }

    fn facts(&self) -> Facts;

    /// Returns how the samples were taken, for formats of samples.
    fn sampling(&self) -> Option<Sampling> {
        None
    }
}

/// A parser of lines, with the line that the end of a chunk split.
#[derive(Debug)]
pub(super) struct Lined<P> {
    lines: Lines,
    pub(super) parser: P,
}

impl<P> Lined<P> {
    pub(super) fn new(parser: P) -> Self {
        Self { lines: Lines::default(), parser }
    }

    /// Makes a parser for texts whose lines may have `max` bytes.
    pub(super) fn long(parser: P, max: usize) -> Self {
        Self { lines: Lines::up_to(max), parser }
    }
}

impl<P: LineParser> Parser for Lined<P> {
    #[inline]
    fn push<S: Sink>(
        &mut self,
        bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { lines, parser } = self;
        lines.push(bytes, tally, |block, tally| parser.read(block, tally, out))
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let last = self.lines.finish();
        self.parser.read(&last, tally, out)?;
        self.parser.finish(tally, out)
    }

    fn facts(&self) -> Facts {
        self.parser.facts()
    }

    fn sampling(&self) -> Option<Sampling> {
        self.parser.sampling()
    }
}
