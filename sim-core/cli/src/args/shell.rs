//! Arguments of the commands that help in a shell: `completions`, `man`.

use clap::Args;
use clap_complete::Shell;

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that reads the completions
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// The command to describe; without it, the program
    pub(crate) command: Option<String>,
}
