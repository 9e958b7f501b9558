//! Importers: the bytes of a trace file, in chunks of any size, become accesses.
//!
//! Nothing here reads a file or a clock, and nothing here knows a machine: the
//! caller pushes bytes and gives a [`Sink`] that keeps the accesses.
//!
//! ```text
//! bytes ─▶ unpack ─▶ detect ─▶ lines ───▶ a parser ─▶ Delivery ─▶ Sink
//!                          └─▶ records ─▶    └──────▶ Tally ────▶ ImportReport
//! ```

mod census;
mod champsim;
mod csv;
mod delivery;
mod detect;
mod digits;
mod dynamorio;
mod foreign;
mod format;
mod importer;
mod lackey;
mod lines;
mod loops;
mod parser;
mod presets;
mod perf;
mod peek;
mod records;
mod report;
mod saved;
mod select;
mod tally;
mod unpack;

pub use census::{ProcessCount, ThreadCount, parse_process, process_text};
pub use csv::{ListLayout, ListView, Role as ListColumn};
pub use importer::{ImportOptions, Importer};
pub use peek::{Peek, PeekRecord, peek};
pub use perf::script::Column as LoneColumn;
pub use report::{
    ImportReport, MeasuredPages, MeasuredTlb, SampleOf, SampledEvent, Sampling, Skipped, TlbFlushes,
};
pub use saved::read_saved;
pub use select::{Bound, Every, Selection};

use pagewalk_base::error::Result;
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{Access, Mapping, OpRecord, TraceBuilder};

/// Whoever keeps the accesses of a trace.
pub trait Sink {
    /// # Errors
    /// Whatever keeps the sink from taking more, such as memory; the import ends with it.
    fn access(&mut self, access: Access) -> Result<()>;

    /// Takes an operation, which comes before the next access.
    ///
    /// # Errors
    /// As for [`Self::access`].
    fn op(&mut self, record: OpRecord) -> Result<()>;

    /// Takes the first touch of a page that the tracepoint of a page fault tells: it is no sample of an
    /// access, and not in the report's `accesses`, but may be simulated as one.
    ///
    /// # Errors
    /// As for [`Self::access`].
    fn fault(&mut self, access: Access) -> Result<()> {
        self.access(access)
    }

    /// Takes a record of a memory map, which stands before the accesses that it holds for.
    ///
    /// # Errors
    /// As for [`Self::access`].
    fn mapping(&mut self, _mapping: Mapping) -> Result<()> {
        Ok(())
    }

    /// Takes all that a recorded sample tells; where it is an access too, after that.
    ///
    /// # Errors
    /// As for [`Self::access`].
    fn sample(&mut self, _sample: &Sample<'_>) -> Result<()> {
        Ok(())
    }

    /// Takes all samples of a trace that was saved, in the place of one after the other.
    ///
    /// # Errors
    /// As for [`Self::access`].
    fn samples(&mut self, _samples: Samples) -> Result<()> {
        Ok(())
    }

    /// Takes the news that process `child` was made by `parent` and has its memory.
    ///
    /// # Errors
    /// As for [`Self::access`].
    fn fork(&mut self, _child: u32, _parent: u32) -> Result<()> {
        Ok(())
    }
}

impl Sink for Vec<Access> {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.push(access);
        Ok(())
    }

    /// A list of accesses has no place for operations.
    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }
}

impl Sink for TraceBuilder {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.push(&access)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.map(mapping)
    }
}
