//! Scripts, which another program runs.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::lackey::found;

/// The bytes of a first line that Linux reads.
const LINE: u64 = 256;
/// The most scripts that run each other.
const DEPTH: usize = 4;

/// A program to record in the place of a script.
pub(super) struct Script {
    pub(super) program: Vec<OsString>,
    /// The name of the program that runs the script.
    interpreter: String,
}

impl Script {
    /// Finds the program that runs a script. Valgrind would record `env`, which replaces itself by that program. `None` if
    /// the program is no script.
    pub(super) fn of(program: &[OsString]) -> Option<Self> {
        let mut script: Option<Self> = None;
        for _ in 0..DEPTH {
            let words = script.as_ref().map_or(program, |script| &script.program);
            let Some(next) = run_by(words) else { break };
            script = Some(next);
        }
        script
    }

    /// Says what is recorded.
    pub(super) fn words(&self, program: &[OsString]) -> String {
        let name = program.first().map(|name| Path::new(name).display().to_string());
        format!(
            "{} is a script: the trace is that of {}, which runs it, with the functions and lines of {}",
            name.unwrap_or_default(),
            self.interpreter,
            self.interpreter
        )
    }
}

/// Returns the words that the first line of a script puts in front of it.
fn run_by(program: &[OsString]) -> Option<Script> {
    let path = found(program.first()?)?;
    let mut first = Vec::new();
    File::open(&path).ok()?.take(LINE).read_to_end(&mut first).ok()?;
    let line = first.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace().peekable();
    let mut interpreter = words.next()?;
    let mut before: Vec<OsString> = Vec::new();
    if Path::new(interpreter).file_name() == Some(OsStr::new("env")) {
        let is_of_env = |word: &&str| *word == "-S";
        interpreter = words.find(|word| !is_of_env(word))?;
        // Variables and other options are for env alone.
        if interpreter.starts_with('-') || interpreter.contains('=') {
            return None;
        }
        before.extend(words.map(OsString::from));
    } else {
        // Linux passes the rest of the line on as one word.
        let rest = line.trim().strip_prefix(interpreter)?.trim();
        before.extend((!rest.is_empty()).then(|| rest.into()));
    }
    let name = Path::new(interpreter).file_name()?.to_string_lossy().into_owned();
    let arguments = program.iter().skip(1).cloned();
    let program = [interpreter.into()].into_iter().chain(before);
    let program = program.chain([path.into_os_string()]).chain(arguments).collect();
    Some(Script { program, interpreter: name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[track_caller]
    fn check(first_line: &str, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        fs::write(&path, format!("{first_line}\nrest\n")).unwrap();
        let words = run_by(&[path.clone().into_os_string(), "-v".into()]).map(|script| {
            let words = script.program.iter().map(|word| word.to_string_lossy().into_owned());
            words.collect::<Vec<_>>().join(" ").replace(&path.display().to_string(), "SCRIPT")
        });
        assert_eq!(words.unwrap_or_default(), expected, "{first_line}");
    }

    #[test]
    fn the_first_line_says_what_runs_a_script() {
        check("#!/bin/sh", "/bin/sh SCRIPT -v");
        check("#! /usr/bin/awk -f -x ", "/usr/bin/awk -f -x SCRIPT -v");
        check("#!/usr/bin/env python3", "python3 SCRIPT -v");
        check("#!/usr/bin/env -S perl -w -T", "perl -w -T SCRIPT -v");
        for none in ["#!/usr/bin/env -i sh", "#!/usr/bin/env A=1 sh", "#!", "#!/usr/bin/env", "x"] {
            check(none, "");
        }
    }
}
