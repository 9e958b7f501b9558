//! The functions that run a range of a trace: by the fast paths, or one access after the other.

use crate::machine::Machine;
use crate::machine::probe::Endings;
use crate::record::stats::Stats;
use crate::run::replay::run::{run, run_plain};
use pagewalk_base::trace::Trace;

/// A function that runs accesses `from..to` with one type of observer.
type RangeRunner<P> = fn(&mut Machine, &Trace, (u32, u32), &mut P);

/// The functions that a replay and its searches use to run ranges of the trace.
///
/// The functions are pointers, so that a program whose replays are all [`Paths::PLAIN`] does not contain the fast
/// paths. The small module that the site opens with is such a program.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    pub(super) silent: RangeRunner<()>,
    pub(super) stats: RangeRunner<Stats>,
    endings: for<'a> fn(&mut Machine, &Trace, (u32, u32), &mut Endings<'a>),
}

impl Paths {
    /// Whole chunks use the fast paths if the machine allows it.
    pub const FAST: Self = Self {
        silent: run,
        stats: run,
        endings: |machine, trace, part, endings| run(machine, trace, part, endings),
    };
    /// Each access is simulated alone. Counts and states are equal to those of the fast paths.
    pub const PLAIN: Self = Self {
        silent: run_plain,
        stats: run_plain,
        endings: |machine, trace, part, endings| run_plain(machine, trace, part, endings),
    };

    /// Runs accesses `from..to` without an observer.
    pub(crate) fn pass(self, machine: &mut Machine, trace: &Trace, from: u32, to: u32) {
        (self.silent)(machine, trace, (from, to), &mut ());
    }

    /// Runs accesses `from..to`, and reports the end of each translation to `endings`.
    pub fn follow(
        self,
        machine: &mut Machine,
        trace: &Trace,
        (from, to): (u32, u32),
        endings: &mut Endings<'_>,
    ) {
        (self.endings)(machine, trace, (from, to), endings);
    }
}
