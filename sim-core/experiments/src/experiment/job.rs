//! One simulation of an experiment: a workload on a machine, some of it as warm-up.

use std::collections::BTreeMap;

use pagewalk::config::MachineConfig;
use pagewalk::config::cpu;
use pagewalk::machine::Machine;
use pagewalk::os::{MemoryMap, OsConfig};
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::window::Window;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::{Access, Completeness, Mapping};
use pagewalk_sources::workload::generator;

use super::result::Part;

/// Accesses on a machine.
pub(super) struct Job {
    machine: MachineConfig,
    os: OsConfig,
    /// Memory maps of the program, as a recording has them.
    mappings: Vec<Mapping>,
    accesses: Box<dyn Iterator<Item = Access>>,
    /// Where they come from, if from a workload with nothing added.
    source: Option<Source>,
    /// What is varied, in words; jobs without it are not offered as parts.
    name: Option<String>,
    /// Accesses that change the machine and are not counted, before those that are.
    warmup: u64,
    n: u64,
}

/// A workload and the parameters that it was given.
#[derive(Clone)]
struct Source {
    id: String,
    params: BTreeMap<String, String>,
}

impl Job {
    /// The first `warmup + n` accesses of a workload.
    ///
    /// # Errors
    /// Those of the workload's parameters.
    pub(super) fn workload(
        machine: &MachineConfig,
        os: &OsConfig,
        id: &str,
        params: &[(&str, String)],
        [warmup, n]: [u64; 2],
    ) -> Result<Self> {
        let length = ("accesses", (warmup + n).to_string());
        let given: Vec<(String, String)> = params
            .iter()
            .chain([&length])
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        let accesses = Box::new(generator(id, &given)?);
        let source = Some(Source { id: id.to_owned(), params: given.into_iter().collect() });
        Ok(Self { source, ..Self::of(machine, os, accesses, [warmup, n]) })
    }

    /// Any accesses.
    pub(super) fn of(
        machine: &MachineConfig,
        os: &OsConfig,
        accesses: impl Iterator<Item = Access> + 'static,
        [warmup, n]: [u64; 2],
    ) -> Self {
        let (machine, os) = (machine.clone(), os.clone());
        let accesses = Box::new(accesses);
        let mappings = Vec::new();
        Self { machine, os, mappings, accesses, source: None, name: None, warmup, n }
    }

    /// The same for a program whose memory is mapped so, if that is known.
    #[must_use]
    pub(super) fn mapped(mut self, mapping: Option<Mapping>) -> Self {
        self.mappings.extend(mapping);
        self
    }

    /// The same under a name: the replay can open it, if it is a workload.
    #[must_use]
    pub(super) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// What the replay needs to show the same.
    pub(super) fn part(&self) -> Option<Part> {
        let Source { id, params } = self.source.clone()?;
        let window = Window { warmup: self.warmup, ..Window::default() };
        Some(Part {
            name: self.name.clone()?,
            workload: id,
            params,
            machine: self.machine.clone(),
            os: self.os.clone(),
            window,
        })
    }

    /// Accesses to simulate.
    pub(super) fn len(&self) -> u64 {
        self.warmup + self.n
    }

    /// # Errors
    /// `bad-config`, if the machine cannot be.
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

/// A job under way.
pub(super) struct Running {
    machine: Machine,
    stats: Stats,
    job: Job,
    at: u64,
}

impl Running {
    /// Simulates at most `n` more accesses; gives how many, which are fewer at the end.
    ///
    /// # Errors
    /// What made the machine stop.
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

/// A CPU model's machine.
///
/// # Errors
/// `bad-config`, if there is no such model.
pub(super) fn machine_of(id: &str) -> Result<MachineConfig> {
    Ok(cpu::model(id)?.machine)
}

/// The same without data in the caches of the memory model: counts of TLBs and walks stay,
/// and runs are faster. Page-table reads have the caches to themselves.
pub(super) fn without_data(mut machine: MachineConfig) -> MachineConfig {
    machine.memory.data = false;
    machine
}
