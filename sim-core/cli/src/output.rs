//! Prints results to stdout as text or JSON, and remarks to stderr.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use anyhow::Context as _;
use serde::Serialize;

/// Prints a text, which ends with a line break.
pub(crate) fn text(text: impl Display) -> anyhow::Result<()> {
    write(|out| write!(out, "{text}"))
}

/// Prints a remark to stderr, so that stdout holds only the result.
pub(crate) fn aside(text: impl Display) {
    // If stderr is closed, there is no way to report the error.
    let _ = write!(io::stderr().lock(), "{text}");
}

/// Prints a result as JSON.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    write(|out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        writeln!(out)
    })
}

fn write(
    print: impl FnOnce(&mut BufWriter<io::StdoutLock<'static>>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    print(&mut out).and_then(|()| out.flush()).context("cannot write the output")
}

/// Puts a text on one line, because file names and quoted input can contain line breaks and control
/// characters.
pub(crate) fn one_line(text: &str) -> String {
    let words =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
