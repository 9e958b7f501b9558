//! A file that is there as a whole or not at all: it is written beside its place, and moved there at
//! the end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is being written.
pub(crate) struct WholeFile {
    file: File,
    /// Where it is now and where it is to be; `None` where it cannot be moved, such as a device.
    places: Option<[PathBuf; 2]>,
}

impl WholeFile {
    /// Begins the file at `out`, over one that is there.
    ///
    /// # Errors
    /// The operating system's.
    pub(crate) fn create(out: &Path) -> io::Result<Self> {
        // What a link stands for is written, not the link.
        let place = out.canonicalize().unwrap_or_else(|_| out.to_owned());
        let is_other = fs::metadata(&place).is_ok_and(|meta| !meta.is_file());
        if !is_other && let Ok(file) = Self::beside(&place) {
            return Ok(file);
        }
        // A device, or a file that may be written in a folder that may not.
        Ok(Self { file: File::create(&place)?, places: None })
    }

    /// Begins the file that takes the place of `out`, which may be read still: never in its place.
    ///
    /// # Errors
    /// The operating system's.
    pub(crate) fn beside(out: &Path) -> io::Result<Self> {
        let place = out.canonicalize().unwrap_or_else(|_| out.to_owned());
        let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut partial = name.to_owned();
        partial.push(format!(".{}.partial", std::process::id()));
        let beside = place.with_file_name(partial);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(&beside)?;
        Ok(Self { file, places: Some([beside, place]) })
    }

    /// Copies what was written, and takes the file away.
    ///
    /// # Errors
    /// The operating system's.
    pub(crate) fn pour(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.file, out).map(|_| ())
    }

    /// Moves the file to its place.
    ///
    /// # Errors
    /// The operating system's.
    pub(crate) fn keep(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some([beside, place]) = &self.places {
            // What was there is gone once this has its name: it must be on the disk.
            self.file.sync_all()?;
            fs::rename(beside, place)?;
        }
        self.places = None;
        Ok(())
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    /// What is not kept is taken away.
    fn drop(&mut self) {
        if let Some([beside, _]) = &self.places {
            // Nothing is left to do if that fails.
            let _ = fs::remove_file(beside);
        }
    }
}

/// Why a file cannot be written, without the operating system's number.
pub(crate) fn why_not(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to write it".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_owned()
        }
    }
}
