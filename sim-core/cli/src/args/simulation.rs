//! Arguments of the commands that simulate: `run`, `explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pagewalk::config::EventCosts;
use pagewalk::os::OsConfig;
use serde::Serialize;

use super::value::{address, count, event_costs, jobs, run_pages, shorthand};
use super::{AccessArgs, CoresBy, MachineArgs, VirtArgs};
use crate::sheet::ResultArgs;

#[derive(Args)]
pub(crate) struct RunArgs {
    /// Run the command of a result again, and compare all its values. A result is JSON, CSV, or the rows of a
    /// sweep
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub(super) _repeat: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    #[command(flatten)]
    pub(crate) accesses: AccessArgs,
    /// The page size of all memory, such as 4K, 2M or 1G, or a page policy: thp, thp-madvise, thp-never,
    /// hugetlb-2M, hugetlb-1G, hugetext, hugetext-1 (text of files only), hugetext-2 (code made at run time
    /// only); or recorded: each page has the size that the recording measured, other memory the smallest pages
    #[arg(long, value_name = "PAGES", value_parser = run_pages, conflicts_with = "os")]
    pub(crate) pages: Option<RunPages>,
    /// How memory is mapped, as JSON: {"default": "4K", "regions": [...]}
    #[arg(long, value_name = "FILE")]
    pub(crate) os: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Give each thread, or each processor named in the trace, a core with its own TLBs and walk caches
    #[arg(long, value_name = "BY", value_enum)]
    pub(crate) cores: Option<CoresBy>,
    /// Do not simulate this number of accesses at the beginning
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) skip: u64,
    /// Then let this number of accesses change the machine without counting them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count, allow_negative_numbers = true)]
    pub(crate) warmup: u64,
    /// Stop after this number of counted accesses, including prefetches
    #[arg(short = 'n', long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// How often an access that straddles two pages counts
    #[arg(long, value_name = "BY", value_enum, default_value_t = CountBy::Translations)]
    pub(crate) count: CountBy,
    /// Price events outside of translation, in cycles: `minor_fault`, `major_fault`, `vm_exit` and `shootdown`, such as
    /// `minor_fault=1050,vm_exit=1360`. Their cycles are printed apart
    #[arg(long, value_name = "COSTS", value_parser = event_costs)]
    pub(crate) event_costs: Option<EventCosts>,
    /// Print where the misses are instead of the counters. A breakdown needs the whole trace in memory; it counts
    /// an access that straddles two pages for both
    #[arg(long, value_name = "BY", value_enum)]
    pub(crate) by: Option<BreakdownBy>,
    /// With --by stack, print one line for each call path, such as `main;join;probe 1234`, with one of its counts: the form
    /// that flamegraph.pl, inferno and speedscope read. Without a value, the count is walk-cycles
    #[arg(
        long,
        value_name = "COUNT",
        value_enum,
        num_args = 0..=1,
        default_missing_value = "walk-cycles",
        requires = "by",
        conflicts_with_all = ["json", "csv"]
    )]
    pub(crate) folded: Option<FoldedCount>,
    /// Run again with other plausible values of each number that the CPU model assumes, one at a time and then
    /// together. Print the interval of the cycles, and the parameters by their effect
    #[arg(long, conflicts_with_all = ["by", "machine"])]
    pub(crate) uncertainty: bool,
    /// The number of threads; by default one per processor
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true, requires = "uncertainty")]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}

/// The rows of a breakdown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BreakdownBy {
    /// Regions of the memory map; without a map, regions inferred from the use of pages
    Region,
    /// Pages of 4 KiB
    Page,
    /// Data structures: global variables, the heap blocks of a line, stacks, files, code
    Object,
    /// Instructions
    Instruction,
    /// Lines of the source, with their text where the source was at hand
    Line,
    /// Functions
    Symbol,
    /// Call paths: a function with its callers
    Stack,
}

/// What a line of the folded form counts: of the function's own accesses, not of those that it calls.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FoldedCount {
    /// Cycles of page walks
    WalkCycles,
    /// Page walks
    Walks,
    /// Misses of level 1
    Misses,
    /// Accesses
    Accesses,
}

/// The value of --pages.
#[derive(Clone)]
pub(crate) enum RunPages {
    Given(Box<OsConfig>),
    /// The sizes that the recording measured.
    Recorded,
}

/// What the kinds of accesses count.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountBy {
    /// Twice, once for each page, as in DynamoRIO's simulator
    Translations,
    /// Once, with the worse of both outcomes, as in cachegrind
    Accesses,
}

#[derive(Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// The virtual address, in hexadecimal
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) va: u64,
    /// The page size or policy that maps it: 4K, 2M, 1G, thp, hugetlb-2M or hugetlb-1G
    #[arg(long, value_name = "PAGES", value_parser = shorthand)]
    pub(crate) pages: Option<OsConfig>,
    #[command(flatten)]
    pub(crate) virt: VirtArgs,
    /// Leave out the paging-structure caches
    #[arg(long)]
    pub(crate) no_walk_caches: bool,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}
