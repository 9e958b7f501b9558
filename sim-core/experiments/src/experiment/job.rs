//! One simulation of an experiment: a workload on a machine, with an optional warm-up.

use std::collections::BTreeMap;

use pagewalk::config::MachineConfig;
use pagewalk::machine::Machine;
use pagewalk::os::{MemoryMap, OsConfig};
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::window::Window;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::{Access, Completeness, Mapping};

use super::result::Part;

/// A simulation before it starts: accesses and a machine.
pub(super) struct Job {
    pub(super) machine: MachineConfig,
    pub(super) os: OsConfig,
    /// The memory map of the program, as in a recording.
    pub(super) mappings: Vec<Mapping>,
    pub(super) accesses: Box<dyn Iterator<Item = Access>>,
    /// The workload of the accesses; if there are several, the last one.
    pub(super) source: Option<Source>,
    /// The number of accesses before the first one of the source.
    pub(super) before: u64,
    /// The varied settings, as text. The replay can open jobs with a name and a source.
    pub(super) name: Option<String>,
    /// The number of accesses before the counted ones. They change the machine and are not counted.
    pub(super) warmup: u64,
    pub(super) n: u64,
}

/// A workload and its parameters.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) id: String,
    pub(super) params: BTreeMap<String, String>,
}

impl Job {
    /// Returns the settings with which the replay can show this simulation. The replay shows the last workload
    /// alone, without the accesses before it.
    pub(super) fn part(&self) -> Option<Part> {
        let Source { id, params } = self.source.clone()?;
        let warmup = self.warmup.saturating_sub(self.before);
        let window = Window { warmup, ..Window::default() };
        Some(Part {
            name: self.name.clone()?,
            workload: id,
            params,
            machine: self.machine.clone(),
            os: self.os.clone(),
            window,
        })
    }

    /// Returns the number of accesses to simulate.
    pub(super) fn len(&self) -> u64 {
        self.warmup + self.n
    }

    /// # Errors
    /// `bad-config` if the machine is not valid.
    pub(super) fn start(self) -> Result<Running> {
        let known = MemoryMap {
            is_of_trace: !self.mappings.is_empty(),
            mappings: &self.mappings,
            ..MemoryMap::default()
        };
        let machine = Machine::with_map(&self.machine, &self.os, &known)?;
        Ok(Running { machine, stats: Stats::default(), job: self, at: 0 })
    }
}

/// A simulation that has started.
pub(super) struct Running {
    machine: Machine,
    stats: Stats,
    job: Job,
    at: u64,
}

impl Running {
    /// Simulates at most `n` more accesses. Returns their number, which is smaller at the end.
    ///
    /// # Errors
    /// The error that stopped the machine.
    pub(super) fn go_on(&mut self, n: u64) -> Result<u64> {
        let end = self.job.len().min(self.at + n);
        let from = self.at;
        while self.at < end {
            let Some(access) = self.job.accesses.next() else {
                let message = "an experiment's accesses ended before it did";
                return Err(Error::new(ErrorCode::BadTrace, message));
            };
            let index = u32::try_from(self.at).unwrap_or(u32::MAX);
            if self.at < self.job.warmup {
                self.machine.access(index, &access, &mut ());
            } else {
                self.machine.access(index, &access, &mut self.stats);
            }
            self.at += 1;
        }
        self.machine.failure().cloned().map_or(Ok(self.at - from), Err)
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.job.len()
    }

    pub(super) fn report(&self) -> RunReport {
        self.stats.report(&self.machine, Completeness::Complete)
    }
}
