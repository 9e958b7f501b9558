//! The compression of an output file, which its name decides.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    Gzip,
    Xz,
}

impl Packing {
    /// Returns the compression that a file name asks for.
    ///
    /// # Errors
    /// A compression that Pagewalk can only read.
    pub(crate) fn of(out: &Path) -> anyhow::Result<Self> {
        Ok(match extension(out).as_str() {
            "gz" => Self::Gzip,
            "xz" => Self::Xz,
            "zst" | "bz2" | "zip" | "7z" => {
                bail!("{}: cannot write this compression: name the file .gz or .xz", out.display())
            }
            _ => Self::None,
        })
    }

    /// Returns the file name without the extension of the compression.
    pub(crate) fn inner(self, out: &Path) -> PathBuf {
        if self == Self::None { out.to_owned() } else { out.with_extension("") }
    }

    /// Compresses what `write` writes to `out`.
    ///
    /// # Errors
    /// Errors of `out` and of `write`.
    pub(crate) fn pack(
        self,
        out: impl Write,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        match self {
            Self::None => write(&mut out)?,
            Self::Gzip => {
                let mut packed = GzEncoder::new(&mut out, Compression::default());
                write(&mut packed)?;
                packed.finish()?;
            }
            Self::Xz => {
                let mut packed = XzWriter::new(&mut out, XzOptions::with_preset(3))?;
                write(&mut packed)?;
                packed.finish()?;
            }
        }
        out.flush()
    }
}

/// The extension of a file name, in lower case.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).unwrap_or_default()
}

pub(crate) fn is_stdout(out: &Path) -> bool {
    out.as_os_str() == "-"
}

/// The name of a file in sentences.
pub(crate) fn name(out: &Path) -> String {
    if is_stdout(out) { "standard output".to_owned() } else { out.display().to_string() }
}
