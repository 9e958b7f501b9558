//! Replays that have run to the end of their trace, and the attribution of all their misses.

use std::rc::Rc;

use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Replay};
use pagewalk_analysis::attribution::Attribution;
use pagewalk_base::trace::{Completeness, Trace, TraceBuilder};

/// Returns a whole replay on a machine with the usual pages.
pub(crate) fn whole_replay(builder: TraceBuilder, config: &MachineConfig) -> Replay {
    let trace = builder.finish(Completeness::Complete).unwrap();
    run_to_end(Rc::new(trace), Machine::new(config, &OsConfig::default()).unwrap())
}

/// Returns a whole replay on a machine.
pub(crate) fn run_to_end(trace: Rc<Trace>, machine: Machine) -> Replay {
    let mut replay = Replay::new(trace, machine, CHECKPOINT_BYTES);
    while !replay.run(1 << 20).unwrap() {}
    replay
}

/// Counts the misses of all accesses. `slice` accesses are counted at a time.
pub(crate) fn counted(replay: &Replay, slice: u32) -> Attribution {
    let mut counting = Attribution::new(replay);
    while !counting.go_on(replay.trace(), slice) {}
    counting
}
