//! Describes the command that runs, for its results.

use std::env;
use std::ffi::OsString;
use std::sync::LazyLock;

use clap::CommandFactory as _;
use clap::parser::ValueSource;
pub(crate) use pagewalk_experiments::about::{About, MachineAbout, TraceAbout};
use serde::Serialize;

use crate::args::Cli;
use crate::output;
use crate::processors;

/// The commit that the program was built from, if the build knew it. `-dirty` follows if the sources had changes.
pub(crate) fn commit() -> Option<&'static str> {
    option_env!("PAGEWALK_COMMIT").filter(|commit| !commit.is_empty())
}

/// The version, and the commit if it is known: `0.1.0 (commit 1f2e3d)`.
pub(crate) fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let commit = commit().map_or_else(String::new, |commit| format!(" (commit {commit})"));
        env!("CARGO_PKG_VERSION").to_owned() + &commit
    });
    &VERSION
}

/// Describes the command that runs.
pub(crate) fn this_command() -> About {
    command(normalised(env::args_os().collect()))
}

/// Describes a command.
pub(crate) fn command(words: Vec<String>) -> About {
    About { commit: commit(), ..About::new(words) }
}

/// Prints a result as JSON, which begins with its description.
pub(crate) fn json(about: About, result: &impl Serialize) -> anyhow::Result<()> {
    output::json(&about.cited(result))
}

/// Returns the words of a command in the order of its help. Options that choose the output are left out.
fn normalised(words: Vec<OsString>) -> Vec<String> {
    let mut cli = Cli::command();
    let Ok(matches) = cli.try_get_matches_from_mut(words) else { return Vec::new() };
    let (mut words, mut of, mut given) = (Vec::new(), &cli, &matches);
    while let Some((name, matches)) = given.subcommand() {
        let Some(command) = of.find_subcommand(name) else { break };
        words.push(name.to_owned());
        words.extend(given_words(command, matches));
        (of, given) = (command, matches);
    }
    words
}

/// Returns the options and values that were given to a command, without those of its own commands.
fn given_words(command: &clap::Command, matches: &clap::ArgMatches) -> Vec<String> {
    let mut words = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given || ["json", "csv"].contains(&id) {
            continue;
        }
        let option = arg.get_long().map(|long| format!("--{long}"));
        if !arg.get_action().takes_values() {
            words.extend(option);
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            words.extend(option.clone());
            let word = value.to_string_lossy();
            // Another machine may repeat the command.
            let is_cpu = id == "cpu";
            words.push(if is_cpu { processors::fixed(&word) } else { word.into_owned() });
        }
    }
    words
}
