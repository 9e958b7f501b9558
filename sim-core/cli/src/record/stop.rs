//! Ctrl-C and terminations while a program is recorded.

use std::io::{self, IsTerminal as _};
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Passes signals on to the program, and remembers that there was one.
pub(super) struct Stop {
    signals: Signals,
    n: u32,
}

impl Stop {
    /// # Errors
    /// Errors of the operating system.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { signals: Signals::new([SIGINT, SIGTERM])?, n: 0 })
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
            // The terminal sends Ctrl-C to the program as well.
            let has_it = signal == SIGINT && is_on_terminal();
            let number = match signal {
                _ if self.n > 1 => Signal::KILL,
                _ if has_it => continue,
                SIGINT => Signal::INT,
                _ => Signal::TERM,
            };
            // It fails only if the program has ended.
            let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
            let _ = pid.map(|pid| kill_process(pid, number));
        }
    }

    /// Returns whether there was a signal.
    pub(super) fn is_asked(&self) -> bool {
        self.n > 0
    }
}

fn is_on_terminal() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}
