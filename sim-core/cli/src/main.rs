//! The command line of Pagewalk: the simulator of the site, for scripts and large traces.
//!
//! The exit code is 0, or 1 with one line on stderr that says what is wrong and where.

mod about;
mod args;
mod beside;
mod cc;
mod convert;
mod cpus;
mod curve;
mod exercise;
mod experiment;
mod explain;
mod generate;
mod hashed;
mod huge;
mod import;
mod input;
mod measure;
mod open;
mod output;
mod packing;
mod page_uses;
mod phases;
mod processors;
mod progress;
mod record;
mod pagemap;
mod recorded;
mod repeat;
mod run;
mod samples;
mod setup;
mod sheet;
mod shell;
mod source;
mod stat;
mod sweep;
mod table;
mod verify;
mod whole;
mod workload;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Command};
use cc::Language;

fn main() -> ExitCode {
    match start() {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let line = output::one_line(&format!("pagewalk: {error:#}"));
            // If stderr is closed, too, there is no way to report the error.
            let _ = writeln!(io::stderr().lock(), "{line}");
            ExitCode::FAILURE
        }
    }
}

/// The licences of the libraries in this program.
const NOTICES: &str = include_str!("../../THIRD-PARTY.txt");

/// Returns the exit code, which is that of the program if one was recorded.
fn start() -> anyhow::Result<ExitCode> {
    // `--licenses` needs no command, like `--version`, but the parser would require one.
    if std::env::args_os().nth(1).is_some_and(|word| word == "--licenses") {
        return output::text(NOTICES).map(success);
    }
    if std::env::args_os().len() <= 1 {
        return output::text(Cli::command().render_help()).map(success);
    }
    // `--repeat` needs no machine and no trace, but the parser would require both.
    if let Some(file) = file_to_repeat(&std::env::args_os().collect::<Vec<_>>()) {
        return repeat::repeat(&file).map(success);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.exit_code() == 0 => {
            return output::text(error.render()).map(success);
        }
        Err(error) => {
            let word = std::env::args_os().nth(1);
            return Err(args::usage_error(&error, word.as_deref().and_then(OsStr::to_str)));
        }
    };
    let done = match &cli.command {
        Command::Record(args) => return record::record(args),
        Command::Cc(args) => return cc::cc(args, Language::C),
        Command::Cxx(args) => return cc::cc(args, Language::Cxx),
        Command::Open(args) => open::open(args),
        Command::Run(args) => run::run(args),
        Command::Explain(args) => explain::explain(args),
        Command::Curve(args) => curve::curve(args),
        Command::Phases(args) => phases::phases(args),
        Command::Huge(args) => huge::huge(args),
        Command::Import(args) => import::import(args),
        Command::Samples(args) => samples::samples(args),
        Command::Convert(args) => convert::convert(args),
        Command::Stat(args) => stat::stat(args),
        Command::Measure(args) => measure::measure(args),
        Command::Sweep(args) => sweep::sweep(args),
        Command::Gen(args) => generate::generate(args),
        Command::Experiment(args) => experiment::experiment(args),
        Command::Verify(args) => verify::verify(args),
        Command::Exercise(args) => exercise::exercise(args),
        Command::Cpus(args) => cpus::cpus(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
        Command::Version => output::text(Cli::command().render_version()),
    };
    done.map(success)
}

fn success(_done: ()) -> ExitCode {
    ExitCode::SUCCESS
}

/// Returns the file of `pagewalk run --repeat FILE`.
fn file_to_repeat(words: &[OsString]) -> Option<PathBuf> {
    let [_, run, rest @ ..] = words else { return None };
    let file = match rest {
        [option, file] if option == "--repeat" => Some(file.into()),
        [option] => option.to_str()?.strip_prefix("--repeat=").map(PathBuf::from),
        _ => None,
    };
    file.filter(|_| run == "run")
}

/// Returns whether the reader of the output closed the pipe, as `head` does in `pagewalk cpus | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_broken))
}
