//! Ctrl-C and terminations while a program is recorded.

use std::io::{self, IsTerminal as _};
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgrp, kill_process};
use rustix::termios::tcgetpgrp;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// A program that Ctrl-C has reached ends in this time, or the signal is passed on.
const GRACE: Duration = Duration::from_secs(1);

/// Passes signals on to the program, and remembers that there was one.
pub(super) struct Stop {
    signals: Signals,
    n: u32,
    /// When a Ctrl-C came that the program may have got from the terminal, too.
    shared: Option<Instant>,
}

impl Stop {
    /// # Errors
    /// Errors of the operating system.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { signals: Signals::new([SIGINT, SIGTERM])?, n: 0, shared: None })
    }

    /// Takes the signals since the last call. The first one ends the program as it would without a recording; the
    /// second one ends it at once.
    pub(super) fn take(&mut self, child: &mut Child) {
        self.pass_to(child.id());
    }

    /// Takes the signals for a process that may be no child.
    pub(super) fn pass_to(&mut self, pid: u32) {
        for signal in self.signals.pending() {
            self.n += 1;
            match signal {
                _ if self.n > 1 => send(pid, Signal::KILL),
                // The terminal sends Ctrl-C to the program as well. `kill` sends it to this process alone.
                SIGINT if is_in_foreground() => self.shared = Some(Instant::now()),
                SIGINT => send(pid, Signal::INT),
                _ => send(pid, Signal::TERM),
            }
        }
        if self.shared.is_some_and(|since| since.elapsed() > GRACE) {
            self.shared = None;
            send(pid, Signal::INT);
        }
    }

    /// Returns whether there was a signal.
    pub(super) fn is_asked(&self) -> bool {
        self.n > 0
    }
}

/// Sends a signal, which fails only if the program has ended.
fn send(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let _ = pid.map(|pid| kill_process(pid, signal));
}

/// Returns whether the terminal sends its signals to this process.
fn is_in_foreground() -> bool {
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let group = match (stdin.is_terminal(), stdout.is_terminal(), stderr.is_terminal()) {
        (true, ..) => tcgetpgrp(&stdin),
        (_, true, _) => tcgetpgrp(&stdout),
        (.., true) => tcgetpgrp(&stderr),
        _ => return false,
    };
    group.is_ok_and(|group| group == getpgrp())
}
