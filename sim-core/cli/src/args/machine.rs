//! The machine, and how it is virtualised.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::OsConfig;

use super::value::shorthand;

/// The machine: a model, or a file.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct MachineArgs {
    /// A CPU model, or a variant such as intel-skylake:smt-on; `pagewalk cpus` lists them
    #[arg(long, value_name = "ID")]
    pub(crate) cpu: Option<String>,
    /// A machine as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct VirtArgs {
    /// How memory is virtualised; native where neither this nor a file of the mapping says so
    #[arg(long, value_name = "MODE", value_enum)]
    pub(crate) virt: Option<Virt>,
    /// What the host maps the guest's memory with, for --virt ept (4K without it) and shadow (pages as large as the guest's without it): a page size or a policy
    #[arg(long, value_name = "PAGES", value_parser = shorthand)]
    pub(crate) host_pages: Option<OsConfig>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoresBy {
    /// Each thread
    Tid,
    /// Each processor
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
    /// It is not
    Native,
    /// Nested page tables: the guest's are mapped by the host's
    Ept,
    /// One page table, which the host keeps in step with the guest's
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
