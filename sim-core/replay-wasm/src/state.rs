//! The state of a session between two calls: the trace, the configured machine, and its replay.

use std::rc::Rc;

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::{CHECKPOINT_BYTES, Paths, Replay};
use pagewalk::run::window::{Span, Window};
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::Trace;
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
            report: ImportReport::default(),
            setup: Setup::default(),
            machine,
            replay,
            last_run: None,
            pair: Err(Error::new(ErrorCode::BadTrace, "no machines are compared")),
        }
    }

    /// Makes a trace the current one, on the configured machine.
    ///
    /// # Errors
    /// `bad-config` if the machine cannot map the trace's memory. After an error the old trace stays.
    pub fn take(&mut self, trace: Trace, report: ImportReport) -> Result<()> {
        self.machine = machine_for(&self.setup, &trace)?;
        self.trace = Rc::new(trace);
        self.samples = Rc::default();
        self.report = report;
        self.last_run = None;
        let closed = "The trace that was compared is closed.";
        self.pair = Err(Error::new(ErrorCode::Cancelled, closed));
        self.restart();
        Ok(())
    }

    /// Sets the machine, and restarts the replay.
    pub(crate) fn configure(&mut self, setup: Setup) -> Result<()> {
        self.machine = machine_for(&setup, &self.trace)?;
        self.setup = setup;
        self.restart();
        Ok(())
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

/// Returns the machine of a setup, with the memory map of a trace.
///
/// # Errors
/// `bad-config` at the field that is wrong.
pub fn machine_for(setup: &Setup, trace: &Trace) -> Result<Machine> {
    let map = memory_map(trace, setup.machine.address_tags());
    let machine = Machine::with_map(&setup.machine, &setup.os, &map)?;
    Ok(machine.with_cores(setup.cores))
}

/// Returns the part of a trace that a window selects.
///
/// # Errors
/// `bad-config` at a field of `window`.
pub fn span(window: Window, trace: &Trace) -> Result<Span> {
    window.within(trace.len()).map_err(|error| error.within("window"))
}
