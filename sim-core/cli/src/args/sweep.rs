//! Arguments of `sweep`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::value::jobs;

#[derive(Args)]
pub(crate) struct SweepArgs {
    /// The sweep (JSON); with --merge, the parts of one sweep
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The file for the results, one JSON object per line; a .csv file with the same rows is written next to
    /// it. If the file exists, the sweep continues it. Default: the name of the sweep with .jsonl, in this
    /// folder
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The number of threads; by default one per processor
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<usize>,
    /// Run part I of N (counted from 1): every N-th row
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Join the parts of a sweep
    #[arg(long, conflicts_with_all = ["jobs", "shard"], requires = "out")]
    pub(crate) merge: bool,
    /// Print what was done as JSON
    #[arg(short, long)]
    pub(crate) json: bool,
}

/// One part of the rows, of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// The number of this part, from 1.
    pub(crate) part: u32,
    pub(crate) of: u32,
}

impl Shard {
    pub(crate) const WHOLE: Self = Self { part: 1, of: 1 };

    /// Returns whether this part runs row `row`. Neighbouring rows go to different parts, because they take
    /// similar time.
    pub(crate) fn has(self, row: u32) -> bool {
        row % self.of == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "write I/N, such as 1/4 for the first of four parts";
        let (part, of) = text.split_once('/').ok_or(WRONG)?;
        let (part, of) = (part.parse().map_err(|_| WRONG)?, of.parse().map_err(|_| WRONG)?);
        if (1..=of).contains(&part) { Ok(Self { part, of }) } else { Err(WRONG) }
    }
}
