//! `pagewalk run`: a trace on a machine.
//!
//! Nothing is kept of the trace: each access is simulated when it is read.

mod simulation;
mod text;

use pagewalk::cores::Cores;
use pagewalk::import::Skipped;
use pagewalk::machine::Machine;
use pagewalk::stats::RunReport;
use pagewalk::window::Window;
use serde::Serialize;

use crate::args::{CoresBy, RunArgs};
use crate::output;
use crate::setup::Setup;
use crate::source;
use simulation::Simulation;

/// What `--json` prints: the report of the run, and what reading the trace had to say.
#[derive(Serialize)]
struct RunOutput {
    #[serde(flatten)]
    report: RunReport,
    skipped: Vec<Skipped>,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let setup = Setup::new(&args.machine, &args.virt, args.pages, args.os.as_deref())?;
    let machine = Machine::new(&setup.config, &setup.os).map_err(|error| setup.blame(error))?;
    let machine = machine.with_cores(match args.cores {
        None => Cores::One,
        Some(CoresBy::Tid) => Cores::Tid,
        Some(CoresBy::Cpu) => Cores::Cpu,
    });
    let window = Window { skip: args.skip, warmup: args.warmup, limit: args.limit };
    let mut simulation = Simulation::new(machine, window);
    let (name, import) = source::stream(&args.accesses, window.end(), &mut simulation)?;
    let report = simulation.report(import.completeness);
    if args.json {
        return output::json(&RunOutput {
            report,
            skipped: import.skipped,
            warnings: import.warnings,
        });
    }
    let title = format!("{} on {}, {}", name, setup.machine_name(), setup.os_name());
    output::text(text::text(&title, &report, &import))
}
