//! `pagewalk cc` and `pagewalk c++`: compile a program with the access hooks of `-fsanitize=thread`, and link a runtime of
//! Pagewalk instead of the sanitizer's. `pagewalk record` then sees each access of the compiled code.
//!
//! ```text
//! cc ARGUMENTS ─▶ cc ARGUMENTS -fsanitize=thread … [runtime.o --wrap=malloc …]
//!                                                        └ compiled by the same compiler, kept in the cache
//! ```

mod compiler;
mod runtime;

pub(crate) use runtime::MARK;

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};

use crate::args::CcArgs;
use compiler::Compiler;
pub(crate) use compiler::Language;
use runtime::{Linked, Runtime};

/// Compiles as the compiler would. Returns its exit code.
pub(crate) fn cc(args: &CcArgs, language: Language) -> anyhow::Result<ExitCode> {
    let compiler = Compiler::find(language)?;
    let mut command = compiler.command();
    command.args(&args.arguments);
    if let Some(stage) = Stage::of(&args.arguments) {
        if args.arguments.iter().any(|word| word == "-m32") {
            bail!("-m32: only programs of 64 bits can be recorded: leave this option out");
        }
        let runtime = Runtime::of(&compiler)?;
        command.args(compiler.hooks()).arg("-isystem").arg(runtime.include());
        if stage == Stage::Link {
            command.args(runtime.link(linked(&args.arguments), language));
        }
    }
    let name = compiler.name();
    run(&mut command).with_context(|| format!("{name}: it cannot be started"))
}

/// Becomes the compiler.
#[cfg(unix)]
fn run(command: &mut Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;

    Err(command.exec())
}

#[cfg(not(unix))]
fn run(command: &mut Command) -> std::io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// How far a compiler goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Compile,
    Link,
}

impl Stage {
    /// Returns the stage that arguments ask for, or `None` if they name no file to compile or link.
    fn of(words: &[OsString]) -> Option<Self> {
        /// Options whose next word is no file.
        const WITH_WORD: [&str; 22] = [
            "-o",
            "-I",
            "-L",
            "-D",
            "-U",
            "-l",
            "-x",
            "-include",
            "-imacros",
            "-isystem",
            "-iquote",
            "-idirafter",
            "-MF",
            "-MT",
            "-MQ",
            "-T",
            "-u",
            "-z",
            "-Xlinker",
            "-Xassembler",
            "-Xpreprocessor",
            "--param",
        ];
        const NO_LINK: [&str; 6] = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];
        let (mut has_file, mut links) = (false, true);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.to_str().unwrap_or_default();
            if WITH_WORD.contains(&text) {
                words.next();
            } else if NO_LINK.contains(&text) {
                links = false;
            } else if text == "-r" {
                // The objects are linked again later.
                links = false;
            } else if text == "-" || !text.starts_with('-') {
                has_file = true;
            }
        }
        has_file.then_some(if links { Self::Link } else { Self::Compile })
    }
}

/// Returns what arguments link.
fn linked(words: &[OsString]) -> Linked {
    if words.iter().any(|word| word == "-shared") {
        Linked::Library
    } else if words.iter().any(|word| word.to_string_lossy().starts_with("-static")) {
        Linked::Static
    } else {
        Linked::Program
    }
}

/// The words of a command in a variable such as `CC`.
fn words(text: &OsStr) -> Vec<String> {
    text.to_string_lossy().split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_tell_how_far_the_compiler_goes() {
        for (line, stage) in [
            ("a.c", Some(Stage::Link)),
            ("-O2 -o a a.o b.o -lm", Some(Stage::Link)),
            ("-c a.c -o a.o", Some(Stage::Compile)),
            ("-E -", Some(Stage::Compile)),
            ("-r a.o b.o -o c.o", Some(Stage::Compile)),
            ("--version", None),
            ("-v -o name", None),
            ("-print-file-name=libc.a", None),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(Stage::of(&words), stage, "{line}");
        }
    }
}
