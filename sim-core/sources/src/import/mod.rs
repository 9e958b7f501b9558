//! Importers: they turn the bytes of a trace file, in chunks of any size, into accesses.
//!
//! No code here reads a file or a clock, or knows a machine. The caller pushes bytes and provides a [`Sink`]
//! that receives the accesses.
//!
//! ```text
//! bytes ─▶ unpack ─▶ detect ─▶ lines ───▶ a parser ─▶ Delivery ─▶ Sink
//!                          └─▶ records ─▶    └──────▶ Tally ────▶ ImportReport
//! ```

mod any;
mod blocks;
mod census;
pub(crate) mod champsim;
mod code;
mod csv;
mod delivery;
mod detect;
mod digits;
mod directory;
mod dynamorio;
mod flow;
mod foreign;
mod format;
mod formats;
mod framed_head;
mod importer;
mod lackey;
mod lines;
mod lookalikes;
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

pub use blocks::{BLOCK, Blocks, FREED, named, unnamed};
pub use census::{ProcessCount, ThreadCount, parse_process, process_text};
pub use csv::{ListLayout, ListView, Role as ListColumn};
pub use format::{FormatField, FormatInfo, FormatLimit};
pub use formats::formats;
pub use importer::{ImportOptions, Importer};
pub use peek::{Peek, PeekRecord, peek};
pub use report::{
    ImportReport, MeasuredPages, MeasuredTlb, SampleOf, SampledEvent, Sampling, Skipped,
    TlbFlushes, Warning,
};
pub use saved::read_saved;
pub use select::{Bound, Every, Selection};
pub use unpack::ENDINGS;

use pagewalk_base::error::Result;
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{
    Access, CallTree, FrameRun, InstructionBatch, Mapping, OpRecord, PageFact, Places, TraceBuilder,
};

/// How a file says which sizes its pages had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedSizes {
    /// Each sample may have the size of its page.
    OfSamples,
    /// All pages of the recorded machine have this number of bytes.
    All(u64),
}

/// Receives the accesses of a trace.
pub trait Sink {
    /// Takes an access.
    ///
    /// # Errors
    /// The reason why the sink takes no more, such as memory. The import ends with it.
    fn access(&mut self, access: Access) -> Result<()>;

    /// Takes several accesses in their order.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    #[inline]
    fn accesses(&mut self, accesses: &[Access]) -> Result<()> {
        accesses.iter().try_for_each(|access| self.access(*access))
    }

    /// Takes loads and stores by known instructions and changes of their call path, in their order.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    #[inline]
    fn instructions(&mut self, batch: &InstructionBatch<'_>) -> Result<()> {
        batch.each().try_for_each(|(node, access)| {
            node.map_or(Ok(()), |node| self.call(batch.tree, node))?;
            self.access(access)
        })
    }

    /// Takes an operation, which comes before the next access.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn op(&mut self, record: OpRecord) -> Result<()>;

    /// Takes the first touch of a page, from the tracepoint of a page fault. It is not a sampled access and
    /// not one of the report's `accesses`, but it can be simulated as one.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn fault(&mut self, access: Access) -> Result<()> {
        self.access(access)
    }

    /// Takes what the file says about the sizes of all its pages, before the first access. It may say so again.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn recorded_pages(&mut self, _sizes: RecordedSizes) -> Result<()> {
        Ok(())
    }

    /// Takes a record of a memory map, which comes before the accesses that it applies to.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn mapping(&mut self, _mapping: Mapping) -> Result<()> {
        Ok(())
    }

    /// Takes what a system said about the pages, before the first access.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn page_facts(&mut self, _facts: Vec<PageFact>) -> Result<()> {
        Ok(())
    }

    /// Takes where pages were in physical memory, before the first access.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn frames(&mut self, _runs: Vec<FrameRun>) -> Result<()> {
        Ok(())
    }

    /// Takes places of instructions in the source. They may come before or after the accesses, and in parts.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn places(&mut self, _places: Places) -> Result<()> {
        Ok(())
    }

    /// Takes the call path of the next accesses: a node of a tree that only grows from call to call.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    #[inline]
    fn call(&mut self, _tree: &CallTree, _node: u32) -> Result<()> {
        Ok(())
    }

    /// Takes the contents of a recorded sample. If the sample is an access, the access comes first.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn sample(&mut self, _sample: &Sample<'_>) -> Result<()> {
        Ok(())
    }

    /// Takes all samples of a saved trace at once.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
    fn samples(&mut self, _samples: Samples) -> Result<()> {
        Ok(())
    }

    /// Takes the event that process `parent` created process `child`, which shares its memory.
    ///
    /// # Errors
    /// Errors of [`Self::access`].
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

    /// A list of accesses cannot hold operations, so they are dropped.
    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }
}

impl Sink for TraceBuilder {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.push(&access)
    }

    #[inline]
    fn accesses(&mut self, accesses: &[Access]) -> Result<()> {
        self.push_all(accesses)
    }

    #[inline]
    fn instructions(&mut self, batch: &InstructionBatch<'_>) -> Result<()> {
        self.push_instructions(batch)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.push_op(&record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.map(mapping)
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        Self::page_facts(self, &facts)
    }

    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        Self::frames(self, &runs)
    }

    fn places(&mut self, places: Places) -> Result<()> {
        Self::places(self, &places)
    }

    fn call(&mut self, tree: &CallTree, node: u32) -> Result<()> {
        Self::call(self, tree, node)
    }
}
