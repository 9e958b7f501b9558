//! Which code runs a stretch of a trace: the fast paths, or one access after the other.

use crate::machine::Machine;
use crate::machine::probe::Endings;
use crate::record::stats::Stats;
use crate::run::replay::run::{run, run_plain};
use pagewalk_base::trace::Trace;

/// Runs accesses `from..to` for one kind of observer. The flag asks for counters only.
type Stretch<P> = fn(&mut Machine, &Trace, (u32, u32), &mut P, bool);

/// The functions that a replay, and what follows it, run stretches of the trace with.
///
/// They are pointers, so that a program whose replays are all [`Paths::PLAIN`] does not contain the
/// fast paths: the small module that the site opens with is such a program.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    pub(super) silent: Stretch<()>,
    pub(super) stats: Stretch<Stats>,
    endings: for<'a> fn(&mut Machine, &Trace, (u32, u32), &mut Endings<'a>),
}

impl Paths {
    /// Whole chunks take the fast paths where they can.
    pub const FAST: Self = Self {
        silent: run,
        stats: run,
        endings: |machine, trace, part, endings| run(machine, trace, part, endings, false),
    };
    /// Each access is simulated alone. Counts and states are the same.
    pub const PLAIN: Self = Self {
        silent: run_plain,
        stats: run_plain,
        endings: |machine, trace, part, endings| run_plain(machine, trace, part, endings, false),
    };

    /// Runs accesses `from..to` without an observer.
    pub(crate) fn pass(self, machine: &mut Machine, trace: &Trace, from: u32, to: u32) {
        (self.silent)(machine, trace, (from, to), &mut (), false);
    }

    /// Runs accesses `from..to`, and passes on how each translation ends.
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
