//! Importers: the bytes of a trace file, in chunks of any size, become accesses.
//!
//! Nothing here reads a file or a clock, and nothing here knows a machine: the
//! caller pushes bytes and gives a [`Sink`] that keeps the accesses.
//!
//! ```text
//! bytes ─▶ unpack ─▶ detect ─▶ lines ───▶ a parser ─▶ Delivery ─▶ Sink
//!                          └─▶ records ─▶    └──────▶ Tally ────▶ ImportReport
//! ```

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
mod parser;
mod presets;
mod perf;
mod records;
mod report;
mod tally;
mod unpack;

pub use importer::{ImportOptions, Importer};
pub use report::{ImportReport, MeasuredPages, MeasuredTlb, SampledEvent, Sampling, Skipped};

use crate::error::Result;
use crate::trace::{Access, Mapping, OpRecord, TraceBuilder};

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

    /// Takes a record of a memory map, which stands before the accesses that it holds for.
    ///
    /// # Errors
    /// As for [`Self::access`].
    fn mapping(&mut self, _mapping: Mapping) -> Result<()> {
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
