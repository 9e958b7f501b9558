//! One type for the parsers of all formats. [`super::formats`] lists them.

use super::csv::ListView;
use super::formats::AnyParser;
use super::perf::script::Column;

/// Declares `AnyParser`, which calls whichever parser a file has.
macro_rules! any_parser {
    ($($name:ident($parser:ty),)*) => {
        /// The parser of a file.
        #[derive(Debug)]
        pub(super) enum AnyParser {
            $($name(Box<$parser>),)*
        }

        $(impl From<$parser> for AnyParser {
            fn from(parser: $parser) -> Self {
                Self::$name(Box::new(parser))
            }
        })*

        impl Parser for AnyParser {
            fn push<S: Sink>(
                &mut self,
                bytes: &[u8],
                tally: &mut Tally,
                out: &mut Delivery<'_, S>,
            ) -> Flow {
                match self { $(Self::$name(parser) => parser.push(bytes, tally, out),)* }
            }

            fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
                match self { $(Self::$name(parser) => parser.finish(tally, out),)* }
            }

            fn facts(&self) -> Facts {
                match self { $(Self::$name(parser) => parser.facts(),)* }
            }

            fn sampling(&self) -> Option<Sampling> {
                match self { $(Self::$name(parser) => parser.sampling(),)* }
            }

            fn flush<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
                match self { $(Self::$name(parser) => parser.flush(tally, out),)* }
            }

            fn report(&self) -> Option<&ImportReport> {
                match self { $(Self::$name(parser) => parser.report(),)* }
            }
        }
    };
}

pub(super) use any_parser;

impl AnyParser {
    /// Returns how a list is read, with its first rows; `None` for other formats.
    pub(super) fn list(&self, head: &[u8]) -> Option<ListView> {
        match self {
            Self::Csv(csv) => Some(csv.parser.view(head)),
            _ => None,
        }
    }

    /// Returns whether the columns of a list are a guess.
    pub(super) fn is_guess(&self) -> bool {
        matches!(self, Self::Csv(csv) if csv.parser.is_guess())
    }

    /// Returns the page size in bytes of the recorded machine; 0 if the file does not state it.
    pub(super) fn page_size(&self) -> u64 {
        match self {
            Self::Drmemtrace(trace) => trace.parser.page_size(),
            Self::View(view) => view.parser.page_size(),
            _ => 0,
        }
    }

    /// Returns whether the file itself shows that it is partial.
    pub(super) fn is_part(&self) -> bool {
        match self {
            Self::Csv(csv) => csv.parser.is_part(),
            Self::Lackey(lackey) => lackey.parser.is_part(),
            _ => false,
        }
    }

    /// For a perf script with only one column of addresses, returns the id of the format that reads this column in
    /// the same way.
    pub(super) fn lone_column(&self) -> Option<&'static str> {
        match self {
            Self::PerfScript(script) => script.parser.lone_column().map(Column::id),
            _ => None,
        }
    }
}
