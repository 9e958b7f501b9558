//! Arguments of `open`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub(crate) struct OpenArgs {
    /// The trace file, in any format that `import` reads; - reads standard input. Without a file, the site opens with
    /// its first example
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Print the address, and open no browser
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// The port to listen on; by default a free one
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}
