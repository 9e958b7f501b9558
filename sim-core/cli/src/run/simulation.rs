//! The machine as the importer's sink.

use pagewalk::error::{Error, ErrorCode, Result};
use pagewalk::import::Sink;
use pagewalk::machine::Machine;
use pagewalk::stats::{RunReport, Stats};
use pagewalk::trace::{Access, Completeness, OpRecord};
use pagewalk::window::Window;

/// A run under way.
pub(super) struct Simulation {
    machine: Machine,
    stats: Stats,
    window: Window,
    counted_from: u64,
    /// Accesses read so far.
    n: u64,
}

impl Simulation {
    pub(super) fn new(machine: Machine, window: Window) -> Self {
        Self { machine, stats: Stats::default(), window, counted_from: window.counted_from(), n: 0 }
    }

    pub(super) fn report(&self, completeness: Completeness) -> RunReport {
        self.stats.report(&self.machine, completeness)
    }
}

impl Sink for Simulation {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        let number = self.n;
        self.n += 1;
        if number < self.window.skip {
            return Ok(());
        }
        let index = u32::try_from(number - self.window.skip).map_err(|_| too_long())?;
        if number < self.counted_from {
            self.machine.access(index, &access, &mut ());
        } else {
            self.machine.access(index, &access, &mut self.stats);
        }
        self.machine.failure().cloned().map_or(Ok(()), Err)
    }

    /// An operation belongs to the access that follows it.
    fn op(&mut self, record: OpRecord) -> Result<()> {
        if self.n < self.window.skip {
            return Ok(());
        }
        if self.n < self.counted_from {
            self.machine.perform(&record, &mut ());
        } else {
            self.machine.perform(&record, &mut self.stats);
        }
        self.machine.failure().cloned().map_or(Ok(()), Err)
    }
}

/// The machine numbers accesses with 32 bits.
#[cold]
fn too_long() -> Error {
    let message = "the run has more than 4,294,967,295 accesses: end it with --limit, or leave some out with --skip";
    Error::new(ErrorCode::TooLarge, message)
}
