//! Ctrl-C and terminations while a program is recorded.

use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgid, getpgrp, kill_process};
use signal_hook::consts::{SIGINT, SIGKILL, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithRawSiginfo;

/// Signals that come so soon after the first one are the same request. `timeout` sends its signal twice: to a process and
/// to its group. The recorder may look for signals between the two.
const SAME: Duration = Duration::from_millis(500);

/// Passes signals on to the program, and remembers that there was one.
pub(super) struct Stop {
    signals: SignalsInfo<WithRawSiginfo>,
    /// When the first signal was taken.
    asked: Option<Instant>,
}

impl Stop {
    /// # Errors
    /// Errors of the operating system.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { signals: SignalsInfo::new([SIGINT, SIGTERM])?, asked: None })
    }

    /// Takes the signals since the last call. The first one ends the program as it would without a recording. A
    /// signal at least half a second after the first one kills the program.
    pub(super) fn take(&mut self, child: &mut Child) {
        self.pass_to(child.id());
    }

    /// Takes the signals for a tool that writes its file when the program has ended. A later
    /// signal kills the tool's children (the program) instead of the tool, so that the tool can write its file. Without
    /// children, it kills the tool.
    pub(super) fn take_for_tool(&mut self, tool: &mut Child) {
        self.pass(tool.id(), children);
    }

    /// Takes the signals for a process that may be no child.
    pub(super) fn pass_to(&mut self, pid: u32) {
        self.pass(pid, |_| Vec::new());
    }

    /// Takes the signals for a process. A later signal kills the processes that `instead` returns; if there are none, the
    /// process itself.
    fn pass(&mut self, pid: u32, instead: fn(Pid) -> Vec<Pid>) {
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
            let since_first = self.asked.map(|first| first.elapsed());
            self.asked.get_or_insert_with(Instant::now);
            match signal {
                _ if since_first.is_some_and(|since| since < SAME) => {}
                _ if since_first.is_some() => match instead(pid).as_slice() {
                    [] => send(pid, Signal::KILL),
                    all => all.iter().for_each(|pid| send(*pid, Signal::KILL)),
                },
                // The terminal sends Ctrl-C to the program as well. A program may count how often it comes.
                SIGINT if by_terminal && is_of_this_group(pid) => {}
                SIGINT => send(pid, Signal::INT),
                _ => send(pid, Signal::TERM),
            }
        }
    }

    /// Returns whether a signal was taken.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Returns whether a signal that was taken here ended the program. One that handles Ctrl-C ends by itself.
    pub(super) fn has_ended(&self, status: ExitStatus) -> bool {
        self.is_asked() && matches!(status.signal(), Some(SIGINT | SIGTERM | SIGKILL))
    }
}

/// A signal, and whether the terminal has sent it to a whole group of processes.
struct Sent {
    signal: i32,
    by_terminal: bool,
}

/// Returns the processes that a process has started; none where the kernel does not tell.
fn children(pid: Pid) -> Vec<Pid> {
    let pid = pid.as_raw_nonzero();
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    numbers.filter_map(Pid::from_raw).collect()
}

/// Sends a signal, which fails only if the program has ended.
fn send(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

/// Returns whether a signal to the group of this process reaches the other process, too.
fn is_of_this_group(pid: Pid) -> bool {
    getpgid(Some(pid)).is_ok_and(|group| group == getpgrp())
}
