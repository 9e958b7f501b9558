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

#[cfg(test)]
mod tests {
    use super::*;

    /// An allocator that ends the program if it frees a block of another.
    const ALLOCATOR: &str = r"
#include <stdlib.h>
#include <string.h>
static _Alignas(16) char arena[1 << 20];
static size_t used;
void *malloc(size_t bytes) {
  size_t *block = (size_t *)(arena + used);
  used += 16 + (bytes + 15) / 16 * 16;
  if (used > sizeof arena) return NULL;
  *block = bytes;
  return block + 2;
}
void free(void *block) {
  if (block && ((char *)block < arena || (char *)block >= arena + sizeof arena)) abort();
}
void *calloc(size_t n, size_t bytes) { return malloc(n * bytes); }
void *realloc(void *old, size_t bytes) {
  void *block = malloc(bytes);
  size_t before = old ? ((size_t *)old)[-2] : 0;
  if (block && old) memcpy(block, old, before < bytes ? before : bytes);
  free(old);
  return block;
}";
    const PROGRAM: &str = r"
#include <stdlib.h>
int main(void) {
  char *volatile a = malloc(100), *volatile b = calloc(3, 5);
  a[99] = 7;
  a = realloc(a, 1000);
  int is_kept = a[99] == 7;
  free(a);
  free(b);
  return is_kept ? 3 : 4;
}";

    #[test]
    fn a_program_keeps_its_own_allocator() {
        let Some(preload) = Preload::new() else { return };
        let compile = |source: &str, words: &[&str]| {
            fs::write(preload.folder.path().join("source.c"), source).unwrap();
            let mut command = Command::new("cc");
            command.current_dir(preload.folder.path()).args(["-fno-builtin", "source.c"]);
            assert!(command.args(words).status().unwrap().success());
        };
        compile(ALLOCATOR, &["-shared", "-fPIC", "-o", "liballocator.so"]);
        compile(PROGRAM, &["-o", "program", "-L.", "-lallocator", "-Wl,-rpath,$ORIGIN"]);
        let mut program = Command::new(preload.folder.path().join("program"));
        let status = program.env("LD_PRELOAD", preload.variable(None)).status().unwrap();
        assert_eq!(status.code(), Some(3), "{status}");
    }
}
