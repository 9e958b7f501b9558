//! What goes to stdout: text or JSON, in one piece.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use anyhow::Context as _;
use serde::Serialize;

/// Writes a text that ends with a line break.
pub(crate) fn text(text: impl Display) -> anyhow::Result<()> {
    write(|out| write!(out, "{text}"))
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
