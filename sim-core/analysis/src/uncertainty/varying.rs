//! All runs of an uncertainty, one after the other, in slices. The site asks for it as a question.

use super::{Change, Combined, Outcome, Uncertainty, UncertaintyReport};
use crate::regions::memory_map;
use pagewalk::config::MachineConfig;
use pagewalk::config::cpu::{self, CpuModel};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::advance;
use pagewalk::run::window::{Span, Window};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Trace;

/// The number of runs after those with one change: the ends of the interval.
const N_ENDS: usize = 2;

/// The runs of a model, in progress.
pub struct Varying {
    model: CpuModel,
    /// The machine of the model, maybe with changes.
    machine: MachineConfig,
    os: OsConfig,
    cores: Cores,
    span: Span,
    /// The report of the model, and the plan that follows from it.
    planned: Option<(RunReport, Uncertainty)>,
    /// The changes of each run: none for the model, then one each, then those of both ends.
    lists: Vec<Vec<Change>>,
    outcomes: Vec<Outcome>,
    running: Option<Running>,
}

/// One run in progress.
struct Running {
    machine: Machine,
    stats: Stats,
    position: u32,
}

impl Varying {
    /// `machine` is the CPU model with changes; `None` is the model as it is.
    ///
    /// # Errors
    /// `bad-config` if there is no such CPU model, or at `window`.
    pub fn new(
        cpu: &str,
        machine: Option<&MachineConfig>,
        os: &OsConfig,
        cores: Cores,
        window: Window,
        trace: &Trace,
    ) -> Result<Self> {
        let span = window.within(trace.len()).map_err(|error| error.within("window"))?;
        let model = cpu::model(cpu)?;
        Ok(Self {
            machine: machine.unwrap_or(&model.machine).clone(),
            model,
            os: os.clone(),
            cores,
            span,
            planned: None,
            lists: vec![Vec::new()],
            outcomes: Vec::new(),
            running: None,
        })
    }

    /// Does a slice of a run. Returns true when all runs are done.
    ///
    /// # Errors
    /// The errors of the configuration; `too-large` if the simulated memory is used up.
    pub fn go_on(&mut self, trace: &Trace) -> Result<bool> {
        let Some(changes) = self.lists.get(self.outcomes.len()) else { return Ok(true) };
        let mut running = if let Some(running) = self.running.take() {
            running
        } else {
            let machine = self.with(changes, trace)?;
            let ran = self.planned.as_ref();
            let computed =
                ran.and_then(|(report, _)| report.at_latencies_of(&machine, &self.machine));
            if let Some(report) = computed {
                return self.add(&report);
            }
            Running { machine, stats: Stats::default(), position: self.span.simulated.start }
        };
        if running.go_on(&self.span, trace)? {
            let report = running.stats.report(&running.machine, trace.completeness);
            return self.add(&report);
        }
        self.running = Some(running);
        Ok(false)
    }

    fn with(&self, changes: &[Change], trace: &Trace) -> Result<Machine> {
        let config = match &self.planned {
            Some((_, plan)) => plan.machine(changes)?,
            None => self.machine.clone(),
        };
        let map = memory_map(trace, config.address_tags());
        Ok(Machine::with_map(&config, &self.os, &map)?.with_cores(self.cores))
    }

    /// Adds the outcome of a run, and the runs that follow from it. Returns whether there are none.
    fn add(&mut self, report: &RunReport) -> Result<bool> {
        self.outcomes.push(Outcome::of(report));
        if self.planned.is_none() {
            let plan = Uncertainty::of_machine(&self.model, &self.machine, self.os.virt, report)?;
            self.lists.extend(plan.changes().into_iter().map(|change| vec![change]));
            self.planned = Some((report.clone(), plan));
        }
        if let Some((_, plan)) = &mut self.planned
            && self.outcomes.len() == plan.n_changes() + 1
        {
            self.lists.extend(plan.combined(&self.outcomes[1..]));
        }
        Ok(self.outcomes.len() == self.lists.len())
    }

    /// Returns the part of the work that is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        let Some((_, plan)) = &self.planned else { return 0.0 };
        let share = |running: &Running| self.span.share_before(running.position);
        let running = self.running.as_ref().map_or(0.0, share);
        #[expect(clippy::cast_precision_loss, reason = "some hundred runs")]
        let (done, all) = (self.outcomes.len() as f64, (plan.n_changes() + N_ENDS + 1) as f64);
        (done + running) / all
    }

    /// Returns the report when all runs are done.
    pub fn finish(self) -> UncertaintyReport {
        let (_, plan) = self.planned.expect("the runs are done");
        let n = plan.n_changes();
        let ends = self.lists.into_iter().zip(&self.outcomes).skip(n + 1);
        let ends = ends.map(|(changes, outcome)| Combined { changes, outcome: *outcome });
        plan.report(&self.outcomes[1..=n], ends)
    }
}

impl Running {
    /// Continues to the end of the chunk or of the warm-up. Returns true at the end of the run.
    fn go_on(&mut self, span: &Span, trace: &Trace) -> Result<bool> {
        let Self { machine, stats, position } = self;
        let end = span.next_stop(*position);
        if *position < span.counted.start {
            advance(machine, trace, *position, end, &mut ());
        } else {
            advance(machine, trace, *position, end, stats);
        }
        if let Some(error) = machine.failure() {
            return Err(error.clone());
        }
        *position = end;
        Ok(end == span.simulated.end)
    }
}
