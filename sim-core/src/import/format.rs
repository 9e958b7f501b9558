//! The formats that are read, each with its parser.

use super::Sink;
use super::csv::Csv;
use super::delivery::{Delivery, Flow};
use super::lackey::Lackey;
use super::parser::{Facts, Lined, Parser};
use super::tally::Tally;

/// A file's parser.
#[derive(Debug)]
pub(super) enum Format {
    Lackey(Lined<Lackey>),
    Csv(Box<Lined<Csv>>),
}

impl Format {
    pub(super) fn lackey() -> Self {
        Self::Lackey(Lined::new(Lackey::default()))
    }

    pub(super) fn csv(csv: Csv) -> Self {
        Self::Csv(Box::new(Lined::new(csv)))
    }
}

/// Calls the parser of whatever format it is.
macro_rules! parser {
    ($format:expr, $parser:ident => $call:expr) => {
        match $format {
            Format::Lackey($parser) => $call,
            Format::Csv($parser) => $call,
        }
    };
}

impl Parser for Format {
    fn push<S: Sink>(
        &mut self,
        bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        parser!(self, parser => parser.push(bytes, tally, out))
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        parser!(self, parser => parser.finish(tally, out))
    }

    fn facts(&self) -> Facts {
        parser!(self, parser => parser.facts())
    }
}
