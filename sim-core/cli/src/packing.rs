//! How a file that is written is packed: its name tells it.

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
    /// The packing that a name tells.
    ///
    /// # Errors
    /// If it tells one that is read only.
    pub(crate) fn of(out: &Path) -> anyhow::Result<Self> {
        Ok(match extension(out).as_str() {
            "gz" => Self::Gzip,
            "xz" => Self::Xz,
            "zst" | "bz2" | "zip" | "7z" => {
                bail!("{}: it can be packed as .gz or .xz only", out.display())
            }
            _ => Self::None,
        })
    }

    /// The name without what tells the packing.
    pub(crate) fn inner(self, out: &Path) -> PathBuf {
        if self == Self::None { out.to_owned() } else { out.with_extension("") }
    }

    /// Packs what `write` writes.
    ///
    /// # Errors
    /// Those of `out` and of `write`.
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

/// What follows the last dot of a name, in small letters.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).unwrap_or_default()
}

pub(crate) fn is_stdout(out: &Path) -> bool {
    out.as_os_str() == "-"
}

/// What a file is called in sentences.
pub(crate) fn name(out: &Path) -> String {
    if is_stdout(out) { "standard output".to_owned() } else { out.display().to_string() }
}
