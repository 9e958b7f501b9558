//! Arguments of the commands that analyse page uses: `curve`, `phases`, `huge`.

use std::path::PathBuf;

use clap::Args;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;

use super::value::{count, kind, page_size};
use super::{AccessArgs, CoresBy, MachineArgs, VirtArgs};

/// Which page uses count.
#[derive(Args)]
pub(crate) struct UsesArgs {
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// The page size that all memory is taken to be mapped with: 4K, 2M or 1G
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) pages: Option<PageSize>,
    /// The kinds of access that count, others are left out: fetch,load,store
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    pub(crate) kinds: Option<Vec<Kind>>,
    /// Ends after so many accesses of the trace
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
}

#[derive(Args)]
pub(crate) struct CurveArgs {
    #[command(flatten)]
    pub(crate) uses: UsesArgs,
    /// Accesses at the beginning that are left out
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true, conflicts_with = "entries")]
    pub(crate) skip: u64,
    /// Accesses after those skipped that fill the arrays but are not counted; --limit then ends after so many that are
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true, conflicts_with = "entries")]
    pub(crate) warmup: u64,
    /// Sets: the curve is then by ways; without, arrays are fully associative
    #[arg(long, value_name = "N")]
    pub(crate) sets: Option<u32>,
    /// The misses of every array of 1 to 2048 sets and 1 to 16 ways
    #[arg(long, conflicts_with = "sets")]
    pub(crate) surface: bool,
    /// The walks with second levels of every size, behind the first level of this CPU model
    #[arg(long, value_name = "ID", conflicts_with = "surface")]
    pub(crate) cpu: Option<String>,
    /// The same behind the first level of a machine as JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["surface", "cpu"])]
    pub(crate) machine: Option<PathBuf>,
    /// One array in full: its misses by cause, and the fewest that any can have with so many entries, whatever the ways
    #[arg(long, value_name = "N", conflicts_with_all = ["sets", "surface", "cpu", "machine"])]
    pub(crate) entries: Option<u32>,
    /// The ways of --entries; without, it is fully associative
    #[arg(long, value_name = "N", requires = "entries")]
    pub(crate) ways: Option<u32>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct PhasesArgs {
    #[command(flatten)]
    pub(crate) uses: UsesArgs,
    /// Accesses of the window, and of the intervals that are compared
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = count, allow_negative_numbers = true)]
    pub(crate) window: u64,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct HugeArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// The page size of all memory that is not picked; 4K without it
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) pages: Option<PageSize>,
    /// The size of the huge pages: 2M, 1G, or what contiguous entries of Arm map, such as 64K; 2M without it
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) huge: Option<PageSize>,
    /// Huge pages at most
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) most: u32,
    /// How memory is mapped, as JSON, but for its pages and regions, which are what is asked
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
    /// Ends after so many counted accesses, prefetches among them
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}
