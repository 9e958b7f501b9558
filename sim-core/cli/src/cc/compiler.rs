//! The compiler behind `pagewalk cc`, and its options for the hooks.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use super::words;

/// Otherwise, headers call other functions than memcpy, memmove and memset, which have no hooks.
const UNCHECKED: &str = "-Wp,-U_FORTIFY_SOURCE";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Cxx,
}

/// A compiler that knows the hooks.
pub(super) struct Compiler {
    /// The program and its first arguments: `ccache gcc`.
    words: Vec<String>,
    /// What it says of itself.
    pub(super) version: String,
}

impl Compiler {
    /// Finds the compiler that `CC` or `CXX` names, or the system's.
    ///
    /// # Errors
    /// There is none, or it is neither gcc nor clang.
    pub(super) fn find(language: Language) -> anyhow::Result<Self> {
        let (variable, usual) = match language {
            Language::C => ("CC", "cc"),
            Language::Cxx => ("CXX", "c++"),
        };
        // `make CC="pagewalk cc"` sets the variable to this program.
        let named = env::var_os(variable).map(|text| words(&text)).filter(|words| !is_this(words));
        let words = named.filter(|words| !words.is_empty());
        let words = words.unwrap_or_else(|| vec![usual.to_owned()]);
        let mut compiler = Self { words, version: String::new() };
        let name = compiler.name();
        let output = compiler.command().arg("--version").output().with_context(|| {
            format!(
                "{name}: there is no such compiler: install gcc or clang, or name one in {variable}"
            )
        })?;
        compiler.version = String::from_utf8_lossy(&output.stdout).into_owned();
        if !compiler.is_clang() && compiler.gcc_version().is_none() {
            bail!("{name}: it is neither gcc nor clang: name one of them in {variable}");
        }
        Ok(compiler)
    }

    pub(super) fn name(&self) -> String {
        self.words.join(" ")
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    fn is_clang(&self) -> bool {
        self.version.contains("clang")
    }

    /// Returns the major version of gcc. Its first line ends with the version, such as `gcc (Debian 12.2.0-14) 12.2.0`.
    fn gcc_version(&self) -> Option<u32> {
        if !self.version.contains("Free Software Foundation") {
            return None;
        }
        let line = self.version.lines().next()?;
        let (_, after) = line.rsplit_once(") ")?;
        after.split('.').next()?.parse().ok()
    }

    /// The options that make it call the hooks, without the sanitizer's library.
    pub(super) fn hooks(&self) -> Vec<&'static str> {
        if self.is_clang() {
            return vec![
                "-fsanitize=thread",
                "-fno-sanitize-link-runtime",
                UNCHECKED,
                "-Wno-unused-command-line-argument",
                // Otherwise, a load before a store to the same place has no hook.
                "-mllvm",
                "-tsan-instrument-read-before-write=1",
                // Wider accesses have no hooks.
                "-mprefer-vector-width=128",
                "-fno-lto",
            ];
        }
        // The option of the driver would link the library. The compiler proper takes the same one, but forgets it in
        // optimisations at link time.
        vec![
            "-Wp,-fsanitize=thread",
            "-U__SANITIZE_THREAD__",
            UNCHECKED,
            "-fno-lto",
            // gcc would expand calls of these functions, which then have no hooks.
            "-fno-builtin-memcpy",
            "-fno-builtin-memmove",
            "-fno-builtin-memset",
        ]
    }
}

/// Returns whether a command is this program.
fn is_this(words: &[String]) -> bool {
    let this = env::current_exe().unwrap_or_default();
    let name = |path: &Path| path.file_stem().map(OsStr::to_owned);
    words.first().is_some_and(|word| {
        let of_word = name(Path::new(word));
        of_word.is_some() && of_word == name(&this)
    })
}
