//! The state of a session between two calls: the trace, the configured machine, and its replay.

use std::borrow::Cow;
use std::rc::Rc;

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{MapSource, OsConfig};
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Paths, Replay};
use pagewalk::run::window::{Span, Window};
use pagewalk_analysis::recorded_pages::PageEvidence;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::{Mapping, PageFact, Trace};
use pagewalk_sources::import::ImportReport;
use serde::Deserialize;

/// The most bytes that a trace may take. Browsers give a module up to 4 GB, and machines and checkpoints need a
/// part of it.
pub const MAX_TRACE_BYTES: usize = 1 << 30;

/// The settings of a simulation, without the trace.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    pub machine: MachineConfig,
    #[serde(default)]
    pub os: OsConfig,
    /// The mapping of threads or processors of the trace to cores.
    #[serde(default)]
    pub cores: Cores,
    #[serde(default)]
    pub window: Window,
}

/// What a recording measured about its pages. Only the whole module makes it, so that the small one stays small.
pub trait Recorded {
    fn evidence(&self) -> &PageEvidence;

    /// Maps memory with the recorded pages, if the mapping asks for them.
    fn resolve(&self, os: &mut OsConfig, smallest: PageSize);
}

/// A completed run of the whole current trace.
pub struct Finished {
    pub setup: Setup,
    pub report: RunReport,
}

/// The state of a session.
pub struct State {
    pub trace: Rc<Trace>,
    /// The samples of a recording; empty for any other trace.
    pub samples: Rc<Samples>,
    /// The page sizes of a recording; `None` if it has none.
    pub recorded: Option<Rc<dyn Recorded>>,
    /// What the file of the trace says about its memory, if another file said more.
    own_memory: Option<(Vec<Mapping>, Vec<PageFact>)>,
    /// The report of the trace's import.
    pub report: ImportReport,
    pub setup: Setup,
    /// The machine of the setup, before the first access. Its mapping depends on the trace's memory map.
    machine: Machine,
    pub replay: Replay,
    /// The last whole run.
    pub last_run: Option<Finished>,
    /// The replays of two machines that are compared, or the error if there are none.
    pub pair: Result<[Replay; 2]>,
}

impl State {
    /// Creates a state with an empty trace and the default machine.
    pub(crate) fn new(paths: Paths) -> Self {
        let machine = Machine::new(&MachineConfig::default(), &OsConfig::default())
            .expect("the default is valid");
        let trace = Rc::new(Trace::default());
        let (empty, span) = (Rc::clone(&trace), Span::whole(0));
        let replay = Replay::on(paths, span, empty, machine.clone(), CHECKPOINT_BYTES);
        Self {
            trace,
            samples: Rc::default(),
            recorded: None,
            own_memory: None,
            report: ImportReport::default(),
            setup: Setup::default(),
            machine,
            replay,
            last_run: None,
            pair: Err(Error::new(ErrorCode::BadTrace, "no machines are compared")),
        }
    }

    /// Makes a trace without samples the current one, on the configured machine.
    ///
    /// # Errors
    /// `bad-config` if the machine cannot map the trace's memory. After an error the old trace stays.
    pub fn take(&mut self, trace: Trace, report: ImportReport) -> Result<()> {
        self.take_recorded(trace, report, None)
    }

    /// Makes a trace with recorded page sizes the current one. If the machine lacks these sizes, memory is mapped without
    /// them.
    ///
    /// # Errors
    /// As for [`Self::take`].
    pub fn take_recorded(
        &mut self,
        trace: Trace,
        report: ImportReport,
        recorded: Option<Rc<dyn Recorded>>,
    ) -> Result<()> {
        let machine = machine_for(&self.setup, &trace, recorded.as_deref());
        self.machine = machine.or_else(|_| machine_for(&self.setup, &trace, None))?;
        self.trace = Rc::new(trace);
        self.samples = Rc::default();
        self.recorded = recorded;
        self.own_memory = None;
        self.report = report;
        self.forget("The trace that was compared is closed.");
        self.restart();
        Ok(())
    }

    /// Drops the results that belong to the previous trace.
    fn forget(&mut self, why: &str) {
        self.last_run = None;
        self.pair = Err(Error::new(ErrorCode::Cancelled, why));
    }

    /// Adds records of memory maps and facts about pages to those of the trace's own file. `recorded` finds the page sizes
    /// that the trace then has.
    ///
    /// # Errors
    /// `bad-config` if the machine cannot map the memory. After an error nothing has changed.
    pub fn describe(
        &mut self,
        mut mappings: Vec<Mapping>,
        mut facts: Vec<PageFact>,
        recorded: impl FnOnce(&Trace) -> Option<Rc<dyn Recorded>>,
    ) -> Result<()> {
        // Without its replays, nothing else holds the trace, so it is changed without a copy.
        self.forget("The memory of the trace has changed: compare the machines again.");
        let (none, span) = (Rc::default(), Span::whole(0));
        let paths = self.replay.paths();
        self.replay = Replay::on(paths, span, none, self.machine.clone(), CHECKPOINT_BYTES);
        let trace = Rc::make_mut(&mut self.trace);
        let (own_mappings, own_facts) = self
            .own_memory
            .clone()
            .unwrap_or_else(|| (trace.mappings().to_vec(), trace.page_facts().to_vec()));
        mappings.extend_from_slice(&own_mappings);
        facts.extend_from_slice(&own_facts);
        let (old_mappings, old_facts) = trace.replace_memory(mappings, facts);
        let found = recorded(trace);
        let machine = machine_for(&self.setup, trace, found.as_deref());
        match machine.or_else(|_| machine_for(&self.setup, trace, None)) {
            Ok(machine) => {
                self.machine = machine;
                self.recorded = found;
                self.own_memory = Some((own_mappings, own_facts));
                self.restart();
                Ok(())
            }
            Err(error) => {
                trace.replace_memory(old_mappings, old_facts);
                self.restart();
                Err(error)
            }
        }
    }

    /// Sets the machine, and restarts the replay.
    pub(crate) fn configure(&mut self, setup: Setup) -> Result<()> {
        self.machine = self.machine_for(&setup)?;
        self.setup = setup;
        self.restart();
        Ok(())
    }

    /// Returns the machine of a setup for the current trace.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub fn machine_for(&self, setup: &Setup) -> Result<Machine> {
        machine_for(setup, &self.trace, self.recorded.as_deref())
    }

    /// Returns the machine in its state before the first access.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Restarts the replay.
    pub(crate) fn restart(&mut self) {
        let span = span(self.setup.window, &self.trace);
        let span = span.unwrap_or_else(|_| Span::whole(self.trace.len()));
        let (trace, machine) = (Rc::clone(&self.trace), self.machine.clone());
        self.replay = Replay::on(self.replay.paths(), span, trace, machine, CHECKPOINT_BYTES);
    }
}

/// Reads a setup from JSON. Errors name fields of the machine as its file does, without `machine.`.
///
/// # Errors
/// `bad-config` at the field that is wrong.
pub fn read_setup(json: &str) -> Result<Setup> {
    parse_json(json).map_err(|error| {
        let at = match error.at {
            Some(Place::Field(field)) => {
                let short = field.strip_prefix("machine.").map(str::to_owned);
                Some(Place::Field(short.unwrap_or(field)))
            }
            other => other,
        };
        Error { at, ..error }
    })
}

/// Returns the machine of a setup, with the memory map of a trace and its recorded pages.
fn machine_for(setup: &Setup, trace: &Trace, recorded: Option<&dyn Recorded>) -> Result<Machine> {
    let map = memory_map(trace, setup.machine.address_tags());
    let mut os = Cow::Borrowed(&setup.os);
    if let Some(recorded) = recorded.filter(|_| os.map == MapSource::Recorded) {
        let smallest = setup.machine.smallest_pages().unwrap_or(PageSize::K4);
        recorded.resolve(os.to_mut(), smallest);
    }
    let machine = Machine::with_map(&setup.machine, &os, &map)?;
    Ok(machine.with_cores(setup.cores))
}

/// Returns the part of a trace that a window selects.
///
/// # Errors
/// `bad-config` at a field of `window`.
pub fn span(window: Window, trace: &Trace) -> Result<Span> {
    window.within(trace.len()).map_err(|error| error.within("window"))
}
