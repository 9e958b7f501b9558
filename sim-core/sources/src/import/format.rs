//! The parsers of the formats that are read. [`super::formats`] lists the formats.

use super::Sink;
use super::champsim::{ChampSim, Layout};
use super::csv::{Csv, ListView};
use super::delivery::{Delivery, Flow};
use super::dynamorio::{Drmemtrace, Memtrace, View};
use super::lackey::Lackey;
use super::loops::Loops;
use super::parser::{Facts, Lined, Parser};
use super::perf::data::PerfData;
use super::perf::mem::Mem;
use super::perf::script::{self, Column, Script};
use super::presets::Preset;
use super::records::Recorded;
use super::report::{ImportReport, Sampling};
use super::saved::Saved;
use super::tally::Tally;

/// Declares the parsers, and calls whichever parser a file has.
macro_rules! parsers {
    ($($name:ident($parser:ty),)*) => {
        /// The parser of a file.
        #[derive(Debug)]
        pub(super) enum Format {
            $($name($parser),)*
        }

        impl Parser for Format {
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

parsers! {
    Lackey(Lined<Lackey>),
    Csv(Box<Lined<Csv>>),
    ChampSim(Recorded<ChampSim>),
    Drmemtrace(Box<Recorded<Drmemtrace>>),
    Memtrace(Lined<Memtrace>),
    Preset(Lined<Preset>),
    View(Lined<View>),
    PerfScript(Box<Lined<Script>>),
    PerfMem(Box<Lined<Mem>>),
    PerfData(Box<PerfData>),
    Saved(Box<Saved>),
    Loops(Box<Loops>),
}

impl Format {
    pub(super) fn lackey() -> Self {
        Self::Lackey(Lined::new(Lackey::default()))
    }

    pub(super) fn csv(csv: Csv) -> Self {
        Self::Csv(Box::new(Lined::new(csv)))
    }

    pub(super) fn champsim(layout: Layout) -> Self {
        Self::ChampSim(Recorded::new(ChampSim::new(layout)))
    }

    pub(super) fn drmemtrace(parser: Drmemtrace) -> Self {
        Self::Drmemtrace(Box::new(Recorded::new(parser)))
    }

    pub(super) fn preset(preset: Preset) -> Self {
        Self::Preset(Lined::new(preset))
    }

    pub(super) fn memtrace(sample: Memtrace) -> Self {
        Self::Memtrace(Lined::new(sample))
    }

    pub(super) fn view() -> Self {
        Self::View(Lined::new(View::default()))
    }

    pub(super) fn saved() -> Self {
        Self::Saved(Box::new(Saved::new()))
    }

    pub(super) fn loops() -> Self {
        Self::Loops(Box::new(Loops::new()))
    }

    pub(super) fn perf_data() -> Self {
        Self::PerfData(Box::new(PerfData::new()))
    }

    pub(super) fn perf_mem() -> Self {
        Self::PerfMem(Box::new(Lined::new(Mem::new())))
    }

    pub(super) fn perf_script(column: Option<Column>, head: &[u8]) -> Self {
        Self::PerfScript(Box::new(Lined::long(Script::new(column, head), script::MAX_LINE)))
    }
}

impl Format {
    /// Returns how a list is read, with its first rows; `None` for other formats.
    pub(super) fn list(&self, head: &[u8]) -> Option<ListView> {
        match self {
            Self::Csv(csv) => Some(csv.parser.view(head)),
            _ => None,
        }
    }

    /// Returns whether the file itself says that it is partial.
    pub(super) fn is_part(&self) -> bool {
        matches!(self, Self::Csv(csv) if csv.parser.is_part())
    }

    /// Returns how the only column of addresses of a perf script is read, if the user did not choose.
    pub(super) fn lone_column(&self) -> Option<Column> {
        match self {
            Self::PerfScript(script) => script.parser.lone_column(),
            _ => None,
        }
    }
}
