//! Arguments that choose the machine and its virtualisation.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::OsConfig;

use super::value::shorthand;

/// The machine: a CPU model or a JSON file.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct MachineArgs {
    /// A CPU model, or a variant such as intel-skylake:smt-on; `pagewalk cpus` lists them. native is that of this machine
    #[arg(short, long, value_name = "ID")]
    pub(crate) cpu: Option<String>,
    /// A machine (JSON)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct VirtArgs {
    /// How memory is virtualised; native unless the --os file sets it
    #[arg(long, value_name = "MODE", value_enum)]
    pub(crate) virt: Option<Virt>,
    /// The page size or policy with which the host maps the guest's memory. Default: 4K for --virt ept, the
    /// guest's page size for --virt shadow
    #[arg(long, value_name = "PAGES", value_parser = shorthand)]
    pub(crate) host_pages: Option<OsConfig>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoresBy {
    /// A core for each thread
    Tid,
    /// A core for each processor
    Cpu,
}

impl From<CoresBy> for Cores {
    fn from(by: CoresBy) -> Self {
        match by {
            CoresBy::Tid => Self::Tid,
            CoresBy::Cpu => Self::Cpu,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Virt {
    /// No virtualisation
    Native,
    /// Nested page tables: the host's tables map the guest's memory
    Ept,
    /// Shadow paging: the host keeps one table in step with the guest's
    Shadow,
}

impl From<Virt> for pagewalk::os::Virt {
    fn from(virt: Virt) -> Self {
        match virt {
            Virt::Native => Self::Native,
            Virt::Ept => Self::Ept,
            Virt::Shadow => Self::Shadow,
        }
    }
}
