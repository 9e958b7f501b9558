//! A file that appears complete or not at all: it is written next to its destination, and moved there at the
//! end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is being written.
pub(crate) struct WholeFile {
    file: File,
    /// The temporary path and the destination, or `None` if the file is written in place, as a device is.
    places: Option<[PathBuf; 2]>,
}

impl WholeFile {
    /// Creates the file that will replace `out`.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub(crate) fn create(out: &Path) -> io::Result<Self> {
        // If `out` is a link, its target is written, not the link.
        let place = out.canonicalize().unwrap_or_else(|_| out.to_owned());
        let is_other = fs::metadata(&place).is_ok_and(|meta| !meta.is_file());
        if !is_other && let Ok(file) = Self::create_next_to(&place) {
            return Ok(file);
        }
        // A device, or a writable file in a folder that is not writable, is written in place.
        Ok(Self { file: File::create(&place)?, places: None })
    }

    /// Creates a file that replaces `out` when it is complete. Until then `out` can still be read.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub(crate) fn create_next_to(out: &Path) -> io::Result<Self> {
        let place = out.canonicalize().unwrap_or_else(|_| out.to_owned());
        let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut partial = name.to_owned();
        partial.push(format!(".{}.partial", std::process::id()));
        let temporary = place.with_file_name(partial);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(&temporary)?;
        Ok(Self { file, places: Some([temporary, place]) })
    }

    /// Copies the contents to `out`, and deletes the file.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub(crate) fn pour(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.file, out).map(|_| ())
    }

    /// Moves the file to its destination.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub(crate) fn keep(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some([temporary, place]) = &self.places {
            // The contents must be on the disk before the old file is replaced.
            self.file.sync_all()?;
            fs::rename(temporary, place)?;
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
    /// Deletes a file that was not kept.
    fn drop(&mut self) {
        if let Some([temporary, _]) = &self.places {
            // If deleting fails, there is nothing else to do.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Says why a file cannot be written, without the error's number.
pub(crate) fn why_not(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::PermissionDenied => "you have no permission to write it".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_owned()
        }
    }
}
