//! The runtime of compiled programs: C in this binary, compiled once by each compiler and kept in the cache.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};

use super::compiler::{Compiler, Language};

/// The text by which `pagewalk record` recognises a program, with the version of the ring.
pub(crate) const MARK: &str = "pagewalk hooks, version 1";

const FILES: [(&str, &str); 9] = [
    ("pagewalk.h", include_str!("runtime/pagewalk.h")),
    ("ring.h", include_str!("runtime/ring.h")),
    ("ring.c", include_str!("runtime/ring.c")),
    ("calls.h", include_str!("runtime/calls.h")),
    ("calls.c", include_str!("runtime/calls.c")),
    ("hooks.c", include_str!("runtime/hooks.c")),
    ("atomics.c", include_str!("runtime/atomics.c")),
    ("allocations.c", include_str!("runtime/allocations.c")),
    ("runtime.c", include_str!("runtime/runtime.c")),
];
/// The hooks of a program serve the libraries that it loads. Of the runtimes of both, only this one is used.
const EXPORTS: &str = "{ __tsan_*; __wrap_*; pagewalk_runtime_*; };\n";
const OBJECT: &str = "runtime.o";
const LIST: &str = "exports.list";
const OPTIONS: [&str; 9] = [
    "-O2",
    "-fPIC",
    "-fexceptions",
    "-std=gnu11",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-lto",
    "-w",
    "-c",
];

/// What the compiler links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linked {
    Program,
    Static,
    Library,
}

/// The folder with the runtime.
pub(super) struct Runtime {
    folder: PathBuf,
}

impl Runtime {
    /// Returns the runtime for a compiler, and makes it if it is not there yet.
    ///
    /// # Errors
    /// It cannot be compiled or written.
    pub(super) fn of(compiler: &Compiler) -> anyhow::Result<Self> {
        let mut hasher = DefaultHasher::new();
        (FILES, EXPORTS, OPTIONS, compiler.name(), &compiler.version).hash(&mut hasher);
        let place = cache()?.join("pagewalk");
        let folder = place.join(format!("runtime-{:016x}", hasher.finish()));
        if !folder.join(OBJECT).is_file() {
            make(compiler, &place, &folder)?;
        }
        Ok(Self { folder })
    }

    /// The folder of `pagewalk.h`.
    pub(super) fn include(&self) -> &Path {
        &self.folder
    }

    /// The words that link it. A static program must be told which functions it needs, because those that the runtime
    /// wraps are no longer called by name. A library exports all functions; a list would bind them to its own. It stays
    /// loaded after `dlclose`, because threads that end later call the runtime.
    pub(super) fn link(&self, kind: Linked, language: Language) -> Vec<OsString> {
        let mut list = OsString::from("-Wl,--dynamic-list=");
        list.push(self.folder.join(LIST));
        let by_kind = if kind == Linked::Library { "-Wl,-z,nodelete".into() } else { list };
        // After `-x c`, an object would be taken for a source.
        let first =
            ["-x".into(), "none".into(), self.folder.join(OBJECT).into(), "-pthread".into()];
        let wraps = wrapped().map(|name| format!("-Wl,--wrap={name}").into());
        let is_known = |name: &&str| language == Language::Cxx || !name.starts_with('_');
        let needed = wrapped().filter(|_| kind == Linked::Static).filter(is_known);
        let needed = needed.map(|name| format!("-Wl,-u,{name}").into());
        first.into_iter().chain([by_kind]).chain(wraps).chain(needed).collect()
    }
}

/// The functions of other libraries that the runtime wraps: it defines `__wrap_` and their name.
fn wrapped() -> impl Iterator<Item = &'static str> {
    const MACROS: [&str; 9] = [
        "BLOCK_OF(",
        "MOVED_OF(",
        "FREED_OF(",
        "OF_ONE(",
        "OF_TWO(",
        "OF_THREE(",
        "OF_FOUR(",
        "WAITS(",
        "COPIES(__wrap_",
    ];
    const PLAIN: [&str; 2] = ["FILLS(__wrap_", "int __wrap_"];
    let lines = FILES.iter().flat_map(|(_, text)| text.lines());
    lines.filter_map(|line| {
        let after = MACROS.iter().chain(&PLAIN).find_map(|start| line.strip_prefix(start))?;
        after.split([',', ')', '(']).next()
    })
}

/// The user's folder for files that can be made again.
fn cache() -> anyhow::Result<PathBuf> {
    let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .ok_or_else(|| anyhow!("there is no folder for the runtime: set HOME or XDG_CACHE_HOME"))
}

/// Compiles the runtime next to its place, so that another process never finds half of it.
fn make(compiler: &Compiler, place: &Path, folder: &Path) -> anyhow::Result<()> {
    let unwritten = || format!("{}: the runtime cannot be written", place.display());
    fs::create_dir_all(place).with_context(unwritten)?;
    let draft =
        tempfile::Builder::new().prefix("draft-").tempdir_in(place).with_context(unwritten)?;
    for (name, text) in FILES.into_iter().chain([(LIST, EXPORTS)]) {
        fs::write(draft.path().join(name), text).with_context(unwritten)?;
    }
    let mut command = compiler.command();
    command.args(["-x", "c"]).args(OPTIONS).arg(draft.path().join("runtime.c"));
    if cfg!(target_arch = "x86_64") {
        command.arg("-mcx16");
    }
    let output = command.arg("-o").arg(draft.path().join(OBJECT)).output()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|line| line.contains("error")).unwrap_or_default();
        bail!("{} cannot compile the runtime: {line}", compiler.name());
    }
    match fs::rename(draft.path(), folder) {
        Ok(()) => {
            let _ = draft.keep();
            Ok(())
        }
        // Another process was first.
        Err(error) if is_there(&error) && folder.join(OBJECT).is_file() => Ok(()),
        Err(error) => Err(error).with_context(unwritten),
    }
}

fn is_there(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_is_marked_and_its_wrapped_functions_are_known() {
        assert!(FILES.iter().any(|(_, text)| text.contains(MARK)));
        let names: Vec<_> = wrapped().collect();
        for name in [
            "malloc",
            "realloc",
            "free",
            "posix_memalign",
            "_Znwm",
            "_ZdlPv",
            "memcpy",
            "memset",
            "pthread_join",
            "pthread_cond_clockwait",
        ] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        assert!(!names.contains(&"name"), "{names:?}");
    }
}
