//! The huge pages of a process, from `/proc/PID/smaps` (proc(5)).

use std::fs;
use std::time::{Duration, Instant};

use pagewalk_base::addr::PageSize;
use pagewalk_base::trace::PageFact;
use pagewalk_sources::process;

/// The time between two looks. The kernel counts every page for a look, so looks take a fiftieth of the time at most.
const PAUSE: Duration = Duration::from_millis(100);
const SHARE: u32 = 50;

/// Watches the huge pages of a process. Those of the last look are kept.
pub(super) struct HugePages {
    path: String,
    next: Instant,
    facts: Vec<PageFact>,
}

impl HugePages {
    pub(super) fn new(pid: u32) -> Self {
        Self { path: format!("/proc/{pid}/smaps"), next: Instant::now() + PAUSE, facts: Vec::new() }
    }

    /// Looks again, if it is time. The file of a process that has ended is empty, and replaces nothing.
    pub(super) fn look(&mut self) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        self.next = now + PAUSE.max(now.elapsed() * SHARE);
        if let Ok(memory) = process::memory(&text) {
            let is_large = |of: &PageFact| of.size != PageSize::K4 || of.huge_bytes > 0;
            self.facts = memory.pages.into_iter().filter(is_large).collect();
        }
    }

    /// Returns the mappings with pages of another size than 4K.
    pub(super) fn finish(self) -> Vec<PageFact> {
        self.facts
    }
}
