//! Counts the accesses of each process and thread in a file.

use std::collections::BTreeMap;

use pagewalk_base::sorted::sort_by_numbers;
use serde::{Deserialize, Serialize};

/// The largest number of threads that are counted separately; the others are counted together.
const MAX_THREADS: usize = 1 << 16;

/// The largest number of processes, and of threads of each, that a report lists.
const MAX_LISTED: usize = 200;

/// The accesses of one process of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ProcessCount {
    /// The process. Bit 31 is set for a virtual machine that the process runs.
    pub pid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of accesses, and of samples without an access, whether they are selected or not.
    pub accesses: u64,
    /// The threads, sorted by count, the largest first.
    pub threads: Vec<ThreadCount>,
}

/// Set in the process number of a guest's accesses, because its addresses are of another address space.
pub(super) const GUEST_PID: u32 = 1 << 31;

/// The process and thread number of a task that had ended before it was recorded; perf prints −1.
const GONE: u32 = u32::MAX;

/// Reads the number of a process: `7`, or `guest:7` for the virtual machine that process 7 ran, which lists
/// write as `2147483655`.
pub fn parse_process(text: &str) -> Option<u32> {
    if text == "-1" {
        return Some(GONE);
    }
    match text.strip_prefix("guest:") {
        Some(number) => number.parse::<u32>().ok()?.checked_add(GUEST_PID),
        None => text.parse().ok(),
    }
}

/// Writes the number of a process for users: `7`, or `7 (guest)` for the virtual machine that process 7 ran.
pub fn process_text(pid: u32) -> String {
    match pid & !GUEST_PID {
        _ if pid == GONE => thread_text(pid),
        number if number == pid => number.to_string(),
        number => format!("{number} (guest)"),
    }
}

/// Writes the number of a thread for users.
pub(super) fn thread_text(tid: u32) -> String {
    if tid == GONE { "-1".to_owned() } else { tid.to_string() }
}

/// The accesses of one thread of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ThreadCount {
    pub tid: u32,
    pub accesses: u64,
}

/// Counts accesses by process and thread.
#[derive(Debug, Default)]
pub(super) struct Census {
    last: (u32, u32),
    /// The number of accesses of the last thread that are not in the map yet.
    n: u64,
    threads: BTreeMap<(u32, u32), u64>,
    others: u64,
    names: BTreeMap<u32, String>,
    /// The last process and thread that got a name, and that name.
    last_named: (u32, u32, Vec<u8>),
}

impl Census {
    #[inline]
    pub(super) fn see(&mut self, pid: u32, tid: u32) {
        self.see_all(pid, tid, 1);
    }

    /// Counts `n` accesses of a thread.
    #[inline]
    pub(super) fn see_all(&mut self, pid: u32, tid: u32, n: u64) {
        if (pid, tid) != self.last {
            self.enter((pid, tid));
        }
        self.n += n;
    }

    #[cold]
    fn enter(&mut self, thread: (u32, u32)) {
        let n = std::mem::take(&mut self.n);
        let last = std::mem::replace(&mut self.last, thread);
        if n == 0 {
            return;
        }
        if self.threads.len() < MAX_THREADS || self.threads.contains_key(&last) {
            *self.threads.entry(last).or_default() += n;
        } else {
            self.others += n;
        }
    }

    /// Names a process and thread. A process has the name of its first thread.
    pub(super) fn name(&mut self, pid: u32, tid: u32, name: &[u8]) {
        let last = &mut self.last_named;
        if (last.0, last.1) == (pid, tid) && last.2 == name {
            return;
        }
        (last.0, last.1) = (pid, tid);
        last.2.clear();
        last.2.extend_from_slice(name);
        let is_new = !self.names.contains_key(&pid);
        let is_full = is_new && self.names.len() == MAX_THREADS;
        if name.is_empty() || !(is_new || pid == tid) || is_full {
            return;
        }
        self.names.insert(pid, String::from_utf8_lossy(name).into_owned());
    }

    /// Gives process `child` the name of `parent`, unless it has one.
    pub(super) fn inherit_name(&mut self, child: u32, parent: u32) {
        if self.names.len() < MAX_THREADS
            && !self.names.contains_key(&child)
            && let Some(name) = self.names.get(&parent)
        {
            self.names.insert(child, name.clone());
        }
    }

    /// Returns the processes sorted by count, or none if the file names none, and the number of processes
    /// that are not listed.
    pub(super) fn processes(&self) -> (Vec<ProcessCount>, u64) {
        let mut all = self.threads.clone();
        if self.n > 0 {
            *all.entry(self.last).or_default() += self.n;
        }
        if all.keys().all(|thread| *thread == (0, 0)) {
            return (Vec::new(), 0);
        }
        let mut processes: Vec<ProcessCount> = Vec::new();
        for ((pid, tid), accesses) in all {
            if processes.last().is_none_or(|last| last.pid != pid) {
                let name = self.names.get(&pid).cloned();
                processes.push(ProcessCount { pid, name, ..ProcessCount::default() });
            }
            if let Some(process) = processes.last_mut() {
                process.accesses += accesses;
                process.threads.push(ThreadCount { tid, accesses });
            }
        }
        // The sort is stable: equal counts stay in the order of process numbers.
        sort_by_numbers(&mut processes, |process| (u64::MAX - process.accesses, 0));
        let more = processes.len().saturating_sub(MAX_LISTED);
        processes.truncate(MAX_LISTED);
        for process in &mut processes {
            sort_by_numbers(&mut process.threads, |thread| (u64::MAX - thread.accesses, 0));
            process.threads.truncate(MAX_LISTED);
        }
        (processes, more as u64 + u64::from(self.others > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_shown_by_the_process_that_runs_it_and_a_task_that_is_gone_as_perf_does() {
        assert_eq!(process_text(7), "7");
        assert_eq!(process_text(GUEST_PID | 7), "7 (guest)");
        assert_eq!(["7", "guest:7"].map(parse_process), [Some(7), Some(GUEST_PID | 7)]);
        assert_eq!(
            (process_text(u32::MAX), parse_process("-1")),
            ("-1".to_owned(), Some(u32::MAX))
        );
        assert_eq!(
            ["2147483655", "4294967295"].map(parse_process),
            [Some(GUEST_PID | 7), Some(u32::MAX)]
        );
        assert_eq!(["guest:", "guest:2147483648", "4294967296"].map(parse_process), [None; 3]);
    }
}
