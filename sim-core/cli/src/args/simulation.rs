//! Arguments of the commands that simulate: `run`, `explain`.

use std::path::PathBuf;

use clap::Args;
use pagewalk::os::OsConfig;

use super::value::{address, count, shorthand};
use super::{AccessArgs, CoresBy, MachineArgs, VirtArgs};

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// What all memory is mapped with: a page size such as 4K, 2M or 1G, or a policy: thp, thp-madvise, thp-never,
    /// hugetlb-2M, hugetlb-1G, hugetext, hugetext-1 (text of files), hugetext-2 (code made at run time)
    #[arg(long, value_name = "PAGES", value_parser = shorthand, conflicts_with = "os")]
    pub(crate) pages: Option<OsConfig>,
    /// How memory is mapped, as JSON: {"default": "4K", "regions": [...]}
    #[arg(long, value_name = "FILE")]
    pub(crate) os: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Gives each thread, or each processor that the trace names, a core: TLBs and walk caches of its own
    #[arg(long, value_name = "BY", value_enum)]
    pub(crate) cores: Option<CoresBy>,
    /// Accesses at the beginning that are not simulated
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) skip: u64,
    /// Accesses after those skipped that change the machine but are not counted
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) warmup: u64,
    /// Ends the run after so many counted accesses, prefetches among them
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// The virtual address, in hexadecimal
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) va: u64,
    /// What it is mapped with: a page size such as 4K, 2M or 1G, or a policy: thp, hugetlb-2M, hugetlb-1G
    #[arg(long, value_name = "PAGES", value_parser = shorthand)]
    pub(crate) pages: Option<OsConfig>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Leaves out the paging-structure caches
    #[arg(long)]
    pub(crate) no_walk_caches: bool,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}
