//! `pagewalk completions` and `pagewalk man`: the completions of a shell, and manual pages.

use anyhow::anyhow;
use clap::CommandFactory as _;
use clap_complete::generate;
use clap_mangen::Man;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::output;

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "pagewalk", &mut script);
    output::text(String::from_utf8(script)?)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let mut cli = Cli::command();
    // Gives the commands their full names.
    cli.build();
    let described = match &args.command {
        None => cli,
        Some(name) => cli.find_subcommand(name).cloned().ok_or_else(|| {
            let names = cli.get_subcommands().map(clap::Command::get_name);
            let names = names.collect::<Vec<_>>().join(", ");
            anyhow!("there is no command `{name}`: choose one of {names}")
        })?,
    };
    let mut page = Vec::new();
    Man::new(described).render(&mut page)?;
    output::text(String::from_utf8(page)?)
}
