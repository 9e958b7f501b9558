//! Ctrl-C and terminations while a program is recorded.

use std::io;
use std::process::Child;

use rustix::process::{Pid, Signal, getpgid, getpgrp, kill_process};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithRawSiginfo;

/// Passes signals on to the program, and remembers that there was one.
pub(super) struct Stop {
    signals: SignalsInfo<WithRawSiginfo>,
    n: u32,
}

impl Stop {
    /// # Errors
    /// Errors of the operating system.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { signals: SignalsInfo::new([SIGINT, SIGTERM])?, n: 0 })
    }

    /// Takes the signals since the last call. The first one ends the program as it would without a recording; the
    /// second one ends it at once.
    pub(super) fn take(&mut self, child: &mut Child) {
        self.pass_to(child.id());
    }

    /// Takes the signals for a process that may be no child.
    pub(super) fn pass_to(&mut self, pid: u32) {
        // `timeout` sends its signal to a process and to its group: both are one request.
        let mut signals: Vec<Sent> = Vec::new();
        for info in self.signals.pending() {
            // A code above 0 is the kernel's, and those of `kill` and its like are not, on Linux.
            let sent = Sent { signal: info.si_signo, by_terminal: info.si_code > 0 };
            match signals.iter_mut().find(|before| before.signal == sent.signal) {
                Some(before) => before.by_terminal |= sent.by_terminal,
                None => signals.push(sent),
            }
        }
        let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
        for Sent { signal, by_terminal } in signals {
            self.n += 1;
            match signal {
                _ if self.n > 1 => send(pid, Signal::KILL),
                // The terminal sends Ctrl-C to the program as well. A program may count how often it comes.
                SIGINT if by_terminal && is_of_this_group(pid) => {}
                SIGINT => send(pid, Signal::INT),
                _ => send(pid, Signal::TERM),
            }
        }
    }

    /// Returns whether there was a signal.
    pub(super) fn is_asked(&self) -> bool {
        self.n > 0
    }
}

/// A signal, and whether the terminal has sent it to a whole group of processes.
struct Sent {
    signal: i32,
    by_terminal: bool,
}

/// Sends a signal, which fails only if the program has ended.
fn send(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

/// Returns whether a signal to the group of this process reaches the other process, too.
fn is_of_this_group(pid: Pid) -> bool {
    getpgid(Some(pid)).is_ok_and(|group| group == getpgrp())
}
