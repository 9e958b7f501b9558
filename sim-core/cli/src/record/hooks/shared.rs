//! The memory that a program shares with the recorder. The runtime of the program maps it; the recorder reads it as a
//! file, and writes single bytes. `cc/runtime/ring.h` has its layout.

use std::env::temp_dir;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;

use rustix::fs::statvfs;
use rustix::io::{FdFlags, fcntl_setfd};
use tempfile::Builder;

/// The most threads at one time.
pub(super) const RINGS: u32 = 1024;
pub(super) const SEGMENT: u64 = 128 << 10;
pub(super) const RING_BYTES: u64 = 8 * SEGMENT;
/// The segments that a thread fills before it waits.
pub(super) const SEGMENTS_IN_USE: u64 = 7;
const RINGS_AT: u64 = 256;
const RING: u64 = 256;
/// Where a ring says how many segments were read.
const READ: u64 = 128;
const ENTRIES_AT: u64 = 512 << 10;
const MAGIC: &[u8; 8] = b"PWRING01";
const VERSION: u32 = 1;

/// Which accesses of each thread are recorded: the first `keep` of every `of`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) keep: u64,
    pub(crate) of: u64,
}

pub(super) struct Shared(File);

/// What the program says at its end.
pub(super) struct Facts {
    pub(super) forks: u32,
    pub(super) lost: u64,
    pub(super) later: bool,
}

/// Where a thread writes, as the program sees it.
pub(super) struct Place {
    pub(super) at: u64,
    pub(super) base: u64,
}

impl Shared {
    /// What its name in the memory map of a program contains.
    pub(super) const NAME: &str = "pagewalk-ring-";

    pub(super) fn create(window: Option<Window>) -> io::Result<Self> {
        let file = in_memory().or_else(|_| in_folder())?;
        // Without the flag that closes it, the program inherits the file.
        fcntl_setfd(&file, FdFlags::empty())?;
        file.set_len(ENTRIES_AT + u64::from(RINGS) * RING_BYTES)?;
        let shared = Self(file);
        let window = window.unwrap_or(Window { keep: 0, of: 0 });
        shared.0.write_all_at(MAGIC, 0)?;
        shared.0.write_all_at(&VERSION.to_ne_bytes(), 8)?;
        shared.0.write_all_at(&std::process::id().to_ne_bytes(), 16)?;
        shared.0.write_all_at(&window.keep.to_ne_bytes(), 40)?;
        shared.0.write_all_at(&window.of.to_ne_bytes(), 48)?;
        shared.0.write_all_at(&space().to_ne_bytes(), 64)?;
        Ok(shared)
    }

    /// The number of the file, which the program inherits.
    pub(super) fn number(&self) -> String {
        self.0.as_raw_fd().to_string()
    }

    fn u32(&self, at: u64) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.0.read_exact_at(&mut bytes, at)?;
        Ok(u32::from_ne_bytes(bytes))
    }

    fn u64(&self, at: u64) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, at)?;
        Ok(u64::from_ne_bytes(bytes))
    }

    /// The process that is recorded, as soon as it runs.
    pub(super) fn process(&self) -> io::Result<Option<u32>> {
        self.u32(12).map(|pid| (pid != 0).then_some(pid))
    }

    /// The number of rings that were ever used.
    pub(super) fn rings(&self) -> io::Result<u32> {
        self.u32(20).map(|n| n.min(RINGS))
    }

    /// Whether the program ran in another PID namespace.
    pub(super) fn is_elsewhere(&self) -> io::Result<bool> {
        self.u32(60).map(|n| n > 0)
    }

    pub(super) fn facts(&self) -> io::Result<Facts> {
        Ok(Facts { forks: self.u32(28)?, lost: self.u64(32)?, later: self.u32(56)? != 0 })
    }

    pub(super) fn place(&self, ring: u32) -> io::Result<Place> {
        let mut bytes = [[0; 8]; 4];
        self.0.read_exact_at(bytes.as_flattened_mut(), RINGS_AT + RING * u64::from(ring))?;
        let [at, _, _, base] = bytes.map(u64::from_ne_bytes);
        Ok(Place { at, base })
    }

    /// Reads entries from a place in a ring.
    pub(super) fn read(&self, ring: u32, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(bytes, ENTRIES_AT + u64::from(ring) * RING_BYTES + at)
    }

    /// Gives segments back to the writer. A single byte cannot be half written.
    pub(super) fn give_back(&self, ring: u32, segments: u8) -> io::Result<()> {
        self.0.write_all_at(&[segments], RINGS_AT + RING * u64::from(ring) + READ)
    }
}

/// The PID namespace of this process, or 0 if the system has none: numbers of processes mean something only in it.
fn space() -> u64 {
    std::fs::metadata("/proc/self/ns/pid").map_or(0, |facts| facts.ino())
}

/// A file in memory. `/dev/shm` of a container may be too small for the rings, and then the program would get SIGBUS.
fn in_memory() -> io::Result<File> {
    let folder = Path::new("/dev/shm");
    let room = statvfs(folder)?;
    let needed = ENTRIES_AT + u64::from(RINGS) * RING_BYTES;
    if room.f_bavail.saturating_mul(room.f_frsize) < needed {
        return Err(io::ErrorKind::StorageFull.into());
    }
    without_name(folder)
}

/// A file in the folder for temporary files.
fn in_folder() -> io::Result<File> {
    without_name(&temp_dir())
}

/// Makes a file that has no name any more when the program starts.
fn without_name(folder: &Path) -> io::Result<File> {
    let (file, path) = Builder::new().prefix(Shared::NAME).tempfile_in(folder)?.into_parts();
    path.close()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_name_that_the_map_of_a_program_is_searched_for() {
        for file in [in_memory(), in_folder()].into_iter().flatten() {
            let link = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
            // Only Linux has such links.
            let Ok(name) = link else { continue };
            assert!(name.to_string_lossy().contains(Shared::NAME), "{}", name.display());
        }
    }
}
