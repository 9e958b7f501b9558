//! Starts a program under lackey, which writes the trace into a pipe. The program keeps its own stdin, stdout and
//! stderr.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, PipeReader, Read as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::preload::Preload;

/// The size in bytes of the pieces that are read.
const PIECE: usize = 256 << 10;
/// The size in bytes of the pipe: Linux's usual limit for ordinary users.
const PIPE: usize = 1 << 20;
/// The time for which the pipe gathers the trace. Lackey needs some 20 ms to fill the pipe.
const GATHER: Duration = Duration::from_millis(2);
/// The number of pieces that may wait for the importer.
const WAITING: usize = 16;

/// A program that runs under lackey.
pub(super) struct Traced {
    pub(super) child: Child,
    /// The pieces of the trace.
    pub(super) pieces: Receiver<Vec<u8>>,
    /// The library that reports heap blocks.
    pub(super) preload: Option<Preload>,
}

/// Starts a program.
///
/// # Errors
/// Valgrind is missing, or there is no such program.
pub(super) fn start(program: &[OsString]) -> anyhow::Result<Traced> {
    let valgrind = found(OsStr::new("valgrind")).with_context(missing)?;
    let [name, ..] = program else { bail!("give the program to record") };
    check(name)?;
    let (reader, writer) = io::pipe().context("cannot make a pipe")?;
    // Only this end of the pipe is inherited. Valgrind hides it from the program.
    rustix::io::fcntl_setfd(&writer, rustix::io::FdFlags::empty()).context("cannot make a pipe")?;
    // Linux refuses if the user has many large pipes. The pipe stays small then, and the recording takes longer.
    let is_large = rustix::pipe::fcntl_setpipe_size(&writer, PIPE).is_ok();
    let preload = Preload::new();
    let variable =
        preload.as_ref().map(|of| ("LD_PRELOAD", of.variable(env::var_os("LD_PRELOAD"))));
    let child = Command::new(valgrind)
        .envs(variable)
        // The importer ignores lackey's counts, which take up to a tenth of its time.
        .args(["--tool=lackey", "--trace-mem=yes", "--basic-counts=no"])
        .arg("--child-silent-after-fork=yes")
        .arg(format!("--log-fd={}", writer.as_raw_fd()))
        .arg("--")
        .args(program)
        .spawn()
        .context("valgrind cannot be started")?;
    drop(writer);
    Ok(Traced { child, pieces: read(reader, is_large), preload })
}

/// Reads the pipe on a thread of its own, so that the program does not wait for the importer. A large pipe has room for
/// several pieces.
fn read(mut reader: PipeReader, is_large: bool) -> Receiver<Vec<u8>> {
    let full = if is_large { PIECE } else { PIECE / 4 };
    let (sender, pieces) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut piece = vec![0; PIECE];
        loop {
            let n = match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            if sender.send(piece[..n].to_vec()).is_err() {
                break;
            }
            // Lackey makes one system call for each line, which would wake a reader that waits for lines.
            if n < full {
                thread::sleep(GATHER);
            }
        }
    });
    pieces
}

/// Checks that a program can be run.
pub(super) fn check(name: &OsStr) -> anyhow::Result<()> {
    let shown = Path::new(name).display();
    if Path::new(name).is_dir() {
        bail!("{shown} is a folder: give a program");
    }
    let Some(file) = found(name) else { bail!("{shown}: there is no such program") };
    let mode = file.metadata().map_or(0o111, |facts| facts.permissions().mode());
    if mode & 0o111 == 0 {
        bail!("{shown} cannot be run: if it is a program, run `chmod +x {shown}`");
    }
    Ok(())
}

/// Returns the file that a shell would run.
pub(super) fn found(program: &OsStr) -> Option<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Names the command that installs valgrind.
fn missing() -> String {
    const INSTALLERS: [(&str, &str); 6] = [
        ("apt-get", "sudo apt-get install valgrind"),
        ("dnf", "sudo dnf install valgrind"),
        ("pacman", "sudo pacman -S valgrind"),
        ("zypper", "sudo zypper install valgrind"),
        ("apk", "sudo apk add valgrind"),
        ("pkg", "sudo pkg install valgrind"),
    ];
    let has = |(name, _): &&(&str, &str)| found(OsStr::new(name)).is_some();
    let (_, command) = INSTALLERS.iter().find(has).unwrap_or(&INSTALLERS[0]);
    format!("valgrind is not installed: install it with `{command}`")
}
