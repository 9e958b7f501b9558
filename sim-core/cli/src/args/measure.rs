//! Arguments of `measure`.

use std::path::PathBuf;

use clap::Args;
use pagewalk_base::addr::PageSize;

use super::value::page_size;
use crate::sheet::ResultArgs;

#[derive(Args)]
pub(crate) struct MeasureArgs {
    /// The seconds to measure, 1 to 60; more make the result surer
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(crate) time: u32,
    /// The page sizes to measure; without the option, that of the system. 2M needs Linux
    #[arg(long, value_name = "SIZES", value_parser = page_size, value_delimiter = ',')]
    pub(crate) pages: Vec<PageSize>,
    /// Use only every N-th page; 1,8 compares both, and says which bits of the page number choose a set
    #[arg(long, value_name = "N", default_values_t = [1], value_parser = clap::value_parser!(u32).range(1..=1024), value_delimiter = ',')]
    pub(crate) stride: Vec<u32>,
    /// Show a saved measurement, of --json or of the browser, instead of measuring
    #[arg(long, value_name = "FILE", conflicts_with_all = ["time", "pages", "stride"])]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
}
