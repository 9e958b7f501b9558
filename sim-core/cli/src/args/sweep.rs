//! Arguments of `sweep`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

#[derive(Args)]
pub(crate) struct SweepArgs {
    /// The sweep as JSON; with --merge, the parts of one
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The file of the results, one JSON object a line, and beside it the same as .csv; where it is there, it is gone on
    /// with. Without it, the name of the sweep with .jsonl, in this folder
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Threads; as many as there are processors without it
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<usize>,
    /// Runs part I of N, from 1 on: every N-th row
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Joins the parts of a sweep
    #[arg(long, conflicts_with_all = ["jobs", "shard"], requires = "out")]
    pub(crate) merge: bool,
    /// Prints what was done as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A part of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1 on.
    pub(crate) part: u32,
    pub(crate) of: u32,
}

impl Shard {
    pub(crate) const WHOLE: Self = Self { part: 1, of: 1 };

    /// Neighbours are in different parts, so that each has some of what takes long.
    pub(crate) fn has(self, row: u32) -> bool {
        row % self.of == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "a part is written I/N, such as 1/4 for the first of four";
        let (part, of) = text.split_once('/').ok_or(WRONG)?;
        let (part, of) = (part.parse().map_err(|_| WRONG)?, of.parse().map_err(|_| WRONG)?);
        if (1..=of).contains(&part) { Ok(Self { part, of }) } else { Err(WRONG) }
    }
}

fn jobs(text: &str) -> Result<usize, &'static str> {
    let number = text.parse().ok().filter(|n| (1..=1024).contains(n));
    number.ok_or("a number of threads is 1 to 1024")
}
