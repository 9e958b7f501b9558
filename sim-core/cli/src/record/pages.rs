//! The pages of a process while it runs: the huge ones, from `/proc/PID/smaps`, and the frames, from `/proc/PID/pagemap`
//! (proc(5)).

use std::fs::{self, File};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;
use pagewalk_base::trace::PageFact;
use pagewalk_sources::import::Sink as _;
use pagewalk_sources::process::{self, PageFrames};

use super::processor_time::timed;
use crate::convert::All;
use crate::{output, pagemap};

/// The time before the first look.
const FIRST: Duration = Duration::from_millis(10);
/// The time between two looks. The kernel counts every page for a look, so looks take a fiftieth of the time at most.
const PAUSE: Duration = Duration::from_millis(100);
const SHARE: u32 = 50;
const HIDDEN: &str = "The trace has no frames of pages, because the kernel hides them: record as root, or with the capability CAP_SYS_ADMIN\n";

/// Watches the pages of a process, in a thread: the recording waits for the symbols of libraries, and a short program
/// ends meanwhile.
pub(super) struct Pages {
    /// Ends the thread when it is dropped.
    stop: Sender<()>,
    thread: JoinHandle<Seen>,
}

/// The pages of the look at which most of them were in memory.
#[derive(Default)]
struct Seen {
    facts: Vec<PageFact>,
    frames: PageFrames,
}

impl Pages {
    pub(super) fn new(pid: u32) -> Self {
        let (stop, stopped) = channel();
        Self { stop, thread: spawn(move || Seen::until(&stopped, &format!("/proc/{pid}"))) }
    }

    /// Adds the mappings with pages of another size than 4K, and the frames, to the trace.
    pub(super) fn finish(self, all: &mut All) -> Result<()> {
        drop(self.stop);
        let Seen { facts, frames } = self.thread.join().unwrap_or_default();
        if frames.runs.is_empty() && frames.n_hidden > 0 {
            output::aside(HIDDEN.to_owned());
        }
        all.page_facts(facts)?;
        all.frames(frames.runs)
    }
}

impl Seen {
    /// Looks at the files of a process again and again, until the recording has ended.
    fn until(stopped: &Receiver<()>, folder: &str) -> Self {
        let bytes = rustix::param::page_size();
        let page = u8::try_from(bytes.trailing_zeros()).map_or(PageSize::K4, PageSize);
        let mut most = Self::default();
        let mut pause = FIRST;
        while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            let ((), took) = timed(|| most.look(folder, page));
            pause = PAUSE.max(took * SHARE);
        }
        most
    }

    /// Looks again. The files of a process that has ended are empty, and replace nothing.
    fn look(&mut self, folder: &str, page: PageSize) {
        let text = fs::read_to_string(format!("{folder}/smaps")).unwrap_or_default();
        let Ok(memory) = process::memory(&text) else { return };
        let file = File::open(format!("{folder}/pagemap"));
        let frames = file.and_then(|mut file| pagemap::read(&mut file, &memory, page));
        let frames = frames.unwrap_or_default();
        if frames.n_present() >= self.frames.n_present() {
            let is_large = |of: &PageFact| of.size != PageSize::K4 || of.huge_bytes > 0;
            self.facts = memory.pages.into_iter().filter(is_large).collect();
            self.frames = frames;
        }
    }
}
