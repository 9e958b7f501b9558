//! The page sizes that the recording of the current trace measured.

use std::cell::RefCell;
use std::rc::Rc;

use pagewalk::os::{MapSource, OsConfig};
use pagewalk_analysis::recorded_pages::{PageEvidence, RecordedPages, RecordedView};
use pagewalk_base::addr::PageSize;
use pagewalk_base::samples::Samples;
use pagewalk_base::trace::Trace;
use pagewalk_replay_wasm::{Recorded, State};

/// The most ranges that a description lists.
const SHOWN: usize = 50;

/// The evidence of a trace, and its pages for the smallest size that was last asked for.
struct Pages {
    evidence: PageEvidence,
    last: RefCell<Option<(PageSize, RecordedPages)>>,
}

/// Returns what a recording says about its pages; `stated` are the bytes of all pages, or 0.
pub(crate) fn of(trace: &Trace, samples: &Samples, stated: u64) -> Option<Rc<dyn Recorded>> {
    let evidence = PageEvidence::of(trace, samples, stated);
    (!evidence.is_empty()).then(|| Rc::new(Pages { evidence, last: RefCell::default() }) as _)
}

/// Returns the description of the pages, if some are larger than the smallest of the machine.
pub(crate) fn view(state: &State) -> Option<RecordedView> {
    let smallest = state.setup.machine.smallest_pages().unwrap_or(PageSize::K4);
    let evidence = state.recorded.as_ref()?.evidence();
    evidence.has_others(smallest).then(|| evidence.pages(smallest).view(SHOWN))
}

impl Recorded for Pages {
    fn evidence(&self) -> &PageEvidence {
        &self.evidence
    }

    fn resolve(&self, os: &mut OsConfig, smallest: PageSize) {
        if os.map != MapSource::Recorded {
            return;
        }
        let mut last = self.last.borrow_mut();
        let (_, pages) = match last.take() {
            Some(known) if known.0 == smallest => last.insert(known),
            _ => last.insert((smallest, self.evidence.pages(smallest))),
        };
        pages.map(os);
    }
}
