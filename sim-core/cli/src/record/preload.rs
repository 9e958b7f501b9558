//! The library that reports heap blocks. It is compiled when a program is recorded, because it must fit the system's
//! valgrind and C library.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::lackey::found;

const SOURCE: &str = include_str!("blocks.c");
/// Says what is missing.
pub(super) const MISSING: &str = "Heap blocks have no names: that needs a C compiler, glibc and valgrind's header (`sudo apt-get install gcc libc6-dev valgrind`)";

/// A library in a folder that is removed with it.
pub(super) struct Preload {
    folder: TempDir,
}

impl Preload {
    /// Compiles the library, or returns `None` if something is missing.
    pub(super) fn new() -> Option<Self> {
        let compiler = ["cc", "gcc", "clang"].iter().find_map(|name| found(OsStr::new(name)))?;
        let preload = Self { folder: tempfile::tempdir().ok()? };
        let source = preload.folder.path().join("blocks.c");
        fs::write(&source, SOURCE).ok()?;
        let status = Command::new(compiler)
            .args(["-O2", "-w", "-shared", "-fPIC", "-o"])
            .args([preload.path().as_os_str(), source.as_os_str()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success()).then_some(preload)
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("blocks.so")
    }

    /// Returns the value of `LD_PRELOAD`, with what it has already.
    pub(super) fn variable(&self, known: Option<OsString>) -> OsString {
        let mut all = self.path().into_os_string();
        if let Some(known) = known.filter(|known| !known.is_empty()) {
            all.push(":");
            all.push(known);
        }
        all
    }
}
