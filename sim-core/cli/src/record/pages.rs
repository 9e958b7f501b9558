//! The pages of a process while it runs: the huge ones, from `/proc/PID/smaps`, and the frames, from `/proc/PID/pagemap`
//! (proc(5)).

use std::fs::{self, File};
use std::time::{Duration, Instant};

use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;
use pagewalk_base::trace::PageFact;
use pagewalk_sources::import::Sink as _;
use pagewalk_sources::process::{self, PageFrames};

use crate::convert::All;
use crate::{output, pagemap};

/// The time before the first look.
const FIRST: Duration = Duration::from_millis(10);
/// The time between two looks. The kernel counts every page for a look, so looks take a fiftieth of the time at most.
const PAUSE: Duration = Duration::from_millis(100);
const SHARE: u32 = 50;
const HIDDEN: &str = "The trace has no frames of pages, because the kernel hides them: record as root, or with the capability CAP_SYS_ADMIN\n";

/// Watches the pages of a process. Those of the look at which most of them were in memory are kept.
pub(super) struct Pages {
    folder: String,
    next: Instant,
    facts: Vec<PageFact>,
    frames: PageFrames,
    page: PageSize,
}

impl Pages {
    pub(super) fn new(pid: u32) -> Self {
        let bytes = rustix::param::page_size();
        Self {
            folder: format!("/proc/{pid}"),
            next: Instant::now() + FIRST,
            facts: Vec::new(),
            frames: PageFrames::default(),
            page: u8::try_from(bytes.trailing_zeros()).map_or(PageSize::K4, PageSize),
        }
    }

    /// Looks again, if it is time. The files of a process that has ended are empty, and replace nothing.
    pub(super) fn look(&mut self) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.take();
        self.next = now + PAUSE.max(now.elapsed() * SHARE);
    }

    fn take(&mut self) {
        let text = fs::read_to_string(format!("{}/smaps", self.folder)).unwrap_or_default();
        let Ok(memory) = process::memory(&text) else { return };
        let file = File::open(format!("{}/pagemap", self.folder));
        let frames = file.and_then(|mut file| pagemap::read(&mut file, &memory, self.page));
        let frames = frames.unwrap_or_default();
        if frames.n_present() >= self.frames.n_present() {
            let is_large = |of: &PageFact| of.size != PageSize::K4 || of.huge_bytes > 0;
            self.facts = memory.pages.into_iter().filter(is_large).collect();
            self.frames = frames;
        }
    }

    /// Adds the mappings with pages of another size than 4K, and the frames, to the trace.
    pub(super) fn finish(self, all: &mut All) -> Result<()> {
        if self.frames.runs.is_empty() && self.frames.n_hidden > 0 {
            output::aside(HIDDEN.to_owned());
        }
        all.page_facts(self.facts)?;
        all.frames(self.frames.runs)
    }
}
