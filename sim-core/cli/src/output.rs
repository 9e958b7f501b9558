//! What goes to stdout: text or JSON, in one piece; and what is said beside it, on stderr.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use anyhow::Context as _;
use serde::Serialize;

/// Writes a text that ends with a line break.
pub(crate) fn text(text: impl Display) -> anyhow::Result<()> {
    write(|out| write!(out, "{text}"))
}

/// Writes to stderr what is to be known of a result that has stdout for itself.
pub(crate) fn aside(text: impl Display) {
    // Nobody is left to tell if stderr is closed.
    let _ = write!(io::stderr().lock(), "{text}");
}

/// Writes a result as JSON.
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
    print(&mut out).and_then(|()| out.flush()).context("the output cannot be written")
}

/// A text on one line: file names and quoted input may hold anything.
pub(crate) fn one_line(text: &str) -> String {
    let words =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
