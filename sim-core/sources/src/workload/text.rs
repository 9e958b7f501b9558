//! Writes accesses as the text of a trace file.

use std::io::{self, Write};

use pagewalk_base::trace::{Access, Kind};

/// A text format that traces are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// The output of valgrind's lackey with `--trace-mem=yes`, without prefetches and threads.
    Lackey,
    /// `kind,address,size,tid` with a header.
    Csv,
}

impl TextFormat {
    /// Returns the first line, if the format has one.
    pub fn header(self) -> &'static str {
        match self {
            Self::Lackey => "",
            Self::Csv => "kind,address,size,tid\n",
        }
    }
}

/// Writes one access as a line.
///
/// # Errors
/// Errors of the writer; `InvalidInput` for a prefetch in the lackey format.
pub fn write_access(format: TextFormat, access: &Access, out: &mut impl Write) -> io::Result<()> {
    let Access { kind, address, size, tid, .. } = *access;
    match format {
        TextFormat::Lackey => {
            let mark = match kind {
                Kind::Fetch => "I ",
                Kind::Load => " L",
                Kind::Store => " S",
                Kind::Prefetch => {
                    let message = "the lackey format has no prefetches";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
            };
            writeln!(out, "{mark} {address:08x},{size}")
        }
        TextFormat::Csv => writeln!(out, "{},{address:#x},{size},{tid}", kind.name()),
    }
}
