//! Arguments of the commands that analyse page uses: `curve`, `phases`, `huge`.

use std::path::PathBuf;

use clap::Args;
use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::Kind;

use super::value::{FirstTouch, count, first_touch, ghz, jobs, kind, page_size, size_pages};
use super::{AccessArgs, CoresBy, MachineArgs, VirtArgs};
use crate::sheet::ResultArgs;

/// Selects the page uses that an analysis counts.
#[derive(Args)]
pub(crate) struct UsesArgs {
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// Assume that all memory is mapped with this page size: 4K, 2M or 1G; or recorded: each page has the size that
    /// the recording measured, which is the default if it measured any
    #[arg(long, value_name = "SIZE", value_parser = size_pages)]
    pub(crate) pages: Option<SizePages>,
    /// Count only these kinds of access: fetch,load,store
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    pub(crate) kinds: Option<Vec<Kind>>,
    /// Stop after this number of accesses of the trace
    #[arg(short = 'n', long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
}

/// A page size for all memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizePages {
    Given(PageSize),
    /// The sizes that the recording measured.
    Recorded,
}

#[derive(Args)]
pub(crate) struct CurveArgs {
    #[command(flatten)]
    pub(crate) uses: UsesArgs,
    /// Leave out this number of accesses at the beginning
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true, conflicts_with = "entries")]
    pub(crate) skip: u64,
    /// Then let this number of accesses fill the arrays without counting them; --limit counts only the
    /// accesses after them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true, conflicts_with = "entries")]
    pub(crate) warmup: u64,
    /// Vary the ways of an array with this number of sets; without it, arrays are fully associative
    #[arg(long, value_name = "N")]
    pub(crate) sets: Option<u32>,
    /// Count the misses of every array of 1 to 2048 sets and 1 to 16 ways
    #[arg(long, conflicts_with = "sets")]
    pub(crate) surface: bool,
    /// Count the walks for every size of a second level behind the first level of this CPU model
    #[arg(short, long, value_name = "ID", conflicts_with = "surface")]
    pub(crate) cpu: Option<String>,
    /// Count the walks for every size of a second level behind the first level of this machine (JSON)
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["surface", "cpu"])]
    pub(crate) machine: Option<PathBuf>,
    /// Show one array in full: its misses by cause, and the fewest misses possible with this number of
    /// entries
    #[arg(long, value_name = "N", conflicts_with_all = ["sets", "surface", "cpu", "machine"])]
    pub(crate) entries: Option<u32>,
    /// The ways of --entries; without it, the array is fully associative
    #[arg(long, value_name = "N", requires = "entries")]
    pub(crate) ways: Option<u32>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Args)]
pub(crate) struct PhasesArgs {
    #[command(flatten)]
    pub(crate) uses: UsesArgs,
    /// The number of accesses in the window, and in the intervals that are compared
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = count, allow_negative_numbers = true)]
    pub(crate) window: u64,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

#[derive(Args)]
pub(crate) struct HugeArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// The page size of memory without huge pages, 4K by default; or recorded: each page has the size that the
    /// recording measured, which is the default if it measured any
    #[arg(long, value_name = "SIZE", value_parser = size_pages)]
    pub(crate) pages: Option<SizePages>,
    /// The size of the huge pages: 2M, 1G, or a size of Arm's contiguous entries such as 64K; 2M by default
    #[arg(long, value_name = "SIZE", value_parser = page_size)]
    pub(crate) huge: Option<PageSize>,
    /// The largest number of huge pages
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) most: u32,
    /// How memory is mapped (JSON); its page policy and its regions are not used, because the analysis
    /// chooses the pages
    #[arg(long, value_name = "FILE")]
    pub(crate) os: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Give each thread, or each processor named in the trace, a core with its own TLBs and walk caches
    #[arg(long, value_name = "BY", value_enum)]
    pub(crate) cores: Option<CoresBy>,
    /// The number of threads; by default one per processor. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<usize>,
    /// Microseconds of a page fault that maps and clears a page of 4K, then of 2M, each a number or two: 3,500 or
    /// 2.7-3.8,295-10400
    #[arg(long, value_name = "4K,2M", value_parser = first_touch)]
    pub(crate) first_touch: Option<FirstTouch>,
    /// The clock of the processor, which turns cycles into time; 3 by default
    #[arg(long, value_name = "GHZ", value_parser = ghz)]
    pub(crate) ghz: Option<f64>,
    /// What perf stat counted for this program, with cycles and walk cycles: the time in walks is then measured
    #[arg(long, value_name = "FILE")]
    pub(crate) counters: Option<PathBuf>,
    /// Do not simulate this number of accesses at the beginning
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) skip: u64,
    /// Then let this number of accesses change the machine without counting them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) warmup: u64,
    /// Stop after this number of counted accesses, including prefetches
    #[arg(short = 'n', long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}
