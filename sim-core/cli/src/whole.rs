//! A file that appears complete or not at all: it is written next to its destination, and moved there at the
//! end. On Unix, Ctrl-C deletes an incomplete file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
#[cfg(unix)]
use std::{sync::Once, thread};

use tempfile::{Builder, TempPath, tempfile_in};

/// A file that is being written.
pub(crate) struct WholeFile {
    file: File,
    /// The temporary path and the destination, or `None` if the file is not moved.
    places: Option<(TempPath, PathBuf)>,
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
        let mut prefix = place.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        prefix.push(".");
        delete_at_signals();
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(".partial");
        let mut partial = PARTIAL.lock().unwrap_or_else(PoisonError::into_inner);
        // The library's own files can be read by their owner alone.
        let created = builder.make_in(folder(&place), |path| {
            OpenOptions::new().read(true).write(true).create_new(true).open(path)
        })?;
        partial.push(created.path().to_owned());
        let (file, temporary) = created.into_parts();
        Ok(Self { file, places: Some((temporary, place)) })
    }

    /// Creates a file without a name in a folder, for contents that are copied from it.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub(crate) fn without_name(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: tempfile_in(folder)?, places: None })
    }

    /// Returns the number of bytes until now.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub(crate) fn len(&self) -> io::Result<u64> {
        self.file.metadata().map(|meta| meta.len())
    }

    /// Copies the contents to `out`.
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
        if let Some((temporary, place)) = self.places {
            // The contents must be on the disk before the old file is replaced.
            self.file.sync_all()?;
            temporary.persist(place)?;
        }
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

/// The temporary paths so far. Some are no longer there.
static PARTIAL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether Ctrl-C and a termination leave the files and the program alone.
static IS_HELD: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C and a termination wait until the files are written.
pub(crate) fn hold_signals() {
    IS_HELD.store(true, Ordering::Relaxed);
}

/// Makes Ctrl-C and a termination delete the temporary files before they end the program.
#[cfg(unix)]
fn delete_at_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without the handler, a signal only ends the program.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        thread::spawn(move || {
            for signal in &mut signals {
                if IS_HELD.load(Ordering::Relaxed) {
                    continue;
                }
                // As long as the list is locked, no new file is created.
                let partial = PARTIAL.lock().unwrap_or_else(PoisonError::into_inner);
                for path in partial.iter() {
                    let _ = fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

/// On other systems, Ctrl-C leaves the temporary files in their folder.
#[cfg(not(unix))]
fn delete_at_signals() {}

/// The folder of a file.
pub(crate) fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Explains why a file cannot be written, without the error's number.
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
