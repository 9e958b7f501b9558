//! Questions about a trace that a run on one machine does not answer, each worked out in slices.

use serde::{Deserialize, Serialize};

use crate::addr::PageSize;
use crate::behind::{BehindBuilder, BehindCurve};
use crate::config::MachineConfig;
use crate::curve::{Curve, CurveBuilder, CurveOptions};
use crate::error::Result;
use crate::huge_pages::{Advisor, HugeAdvice, HugeOptions};
use crate::optimum::{MissSplit, SplitBuilder, SplitOptions};
use crate::page_uses::Chosen;
use crate::surface::{Surface, SurfaceBuilder};
use crate::trace::{Kind, Trace};
use crate::working_set::{WorkingSet, WorkingSetBuilder};

/// Uses that the optimum looks at in a slice.
const USES: usize = 1 << 17;
/// Sizes of a curve that are told between a power of two and the next.
const SIZES_PER_DOUBLING: u32 = 64;

/// Which uses of pages count.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct Uses {
    /// All memory is taken to be mapped with pages of this size.
    pub pages: PageSize,
    /// Those that are left out are as if they were not in the trace.
    pub kinds: Vec<Kind>,
}

/// What is asked of a trace.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    tag = "what",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, optional_fields))]
pub enum Question {
    /// The misses of fully associative arrays of every size.
    Curve { uses: Uses },
    /// The misses of every number of sets and ways.
    Surface { uses: Uses },
    /// The walks with every size of a second level behind a machine's first.
    Behind { uses: Uses, machine: Box<MachineConfig> },
    /// The misses of an array by cause, and the fewest possible.
    Split { uses: Uses, entries: u32, ways: Option<u32> },
    /// The pages that are worked with over time; a window of so many accesses.
    WorkingSet {
        uses: Uses,
        #[cfg_attr(test, ts(type = "number"))]
        window: u64,
    },
    /// Which ranges should be huge pages.
    HugePages { machine: Box<MachineConfig>, pages: PageSize, huge: PageSize, most: u32 },
}

/// As the question was. Curves tell some sizes only: all up to 64, then 64 from each power of two to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    Curve(Curve),
    Surface(Surface),
    Behind(BehindCurve),
    Split(MissSplit),
    WorkingSet(WorkingSet),
    HugePages(HugeAdvice),
}

/// An answer in the making.
pub struct Analysis {
    /// The next chunk of the trace.
    chunk: usize,
    work: Work,
}

enum Work {
    Curve(CurveBuilder),
    Surface(Box<SurfaceBuilder>),
    Behind(Box<BehindBuilder>),
    Split(Box<SplitBuilder>),
    WorkingSet(Box<WorkingSetBuilder>),
    HugePages(Box<Advisor>, u32),
}

impl Analysis {
    /// # Errors
    /// `bad-config` at the field of the question.
    pub fn new(question: &Question, trace: &Trace) -> Result<Self> {
        let work = match question {
            Question::Curve { uses } => {
                let options = CurveOptions { chosen: uses.chosen(), sets: None };
                Work::Curve(CurveBuilder::new(options)?)
            }
            Question::Surface { uses } => {
                Work::Surface(Box::new(SurfaceBuilder::new(uses.chosen())?))
            }
            Question::Behind { uses, machine } => {
                let options = CurveOptions { chosen: uses.chosen(), sets: None };
                Work::Behind(Box::new(BehindBuilder::new(machine, options)?))
            }
            Question::Split { uses, entries, ways } => {
                let options =
                    SplitOptions { chosen: uses.chosen(), entries: *entries, ways: *ways };
                Work::Split(Box::new(SplitBuilder::new(options)?))
            }
            Question::WorkingSet { uses, window } => {
                let builder = WorkingSetBuilder::new(uses.chosen(), *window)?;
                Work::WorkingSet(Box::new(builder))
            }
            Question::HugePages { machine, pages, huge, most } => {
                let options = HugeOptions { pages: *pages, huge: *huge, most: *most };
                let advisor = Advisor::new(trace, machine, options)?;
                Work::HugePages(Box::new(advisor), *most)
            }
        };
        Ok(Self { chunk: 0, work })
    }

    /// Does a slice of some milliseconds, on the trace that it was made for; true once the answer is there.
    ///
    /// # Errors
    /// `too-large` where the work needs more memory than there is; `bad-config` at `window` where there
    /// would be too many.
    pub fn go_on(&mut self, trace: &Trace) -> Result<bool> {
        if let Work::HugePages(advisor, _) = &mut self.work {
            return advisor.go_on(trace);
        }
        let Some(chunk) = trace.chunks().get(self.chunk) else {
            return Ok(match &mut self.work {
                Work::Split(builder) => builder.settle(USES),
                _ => true,
            });
        };
        self.chunk += 1;
        match &mut self.work {
            Work::Curve(builder) => builder.push_chunk(chunk),
            Work::Surface(builder) => builder.push_chunk(chunk),
            Work::Behind(builder) => builder.push_chunk(chunk)?,
            Work::Split(builder) => builder.push_chunk(chunk)?,
            Work::WorkingSet(builder) => builder.push_chunk(chunk)?,
            Work::HugePages(..) => {}
        }
        Ok(false)
    }

    /// The part that is done, 0 to 1; of an advice, which may end before all huge pages are used, at least that.
    pub fn progress(&self, trace: &Trace) -> f64 {
        let share = |done: usize, all: usize| {
            #[expect(clippy::cast_precision_loss, reason = "chunks and huge pages")]
            let share = done as f64 / all.max(1) as f64;
            share.min(1.0)
        };
        match &self.work {
            Work::HugePages(advisor, most) => share(advisor.n_chosen(), *most as usize),
            _ => share(self.chunk, trace.chunks().len()),
        }
    }

    pub fn finish(self) -> Answer {
        match self.work {
            Work::Curve(builder) => {
                let curve = builder.finish();
                Answer::Curve(Curve { misses: thinned(curve.misses), ..curve })
            }
            Work::Behind(builder) => {
                let curve = builder.finish();
                Answer::Behind(BehindCurve { misses: thinned(curve.misses), ..curve })
            }
            Work::Surface(builder) => Answer::Surface(builder.finish()),
            Work::Split(builder) => Answer::Split(builder.finish()),
            Work::WorkingSet(builder) => Answer::WorkingSet(builder.finish()),
            Work::HugePages(advisor, _) => Answer::HugePages(advisor.finish()),
        }
    }
}

impl Uses {
    fn chosen(&self) -> Chosen {
        let kinds = [Kind::Fetch, Kind::Load, Kind::Store].map(|kind| self.kinds.contains(&kind));
        Chosen { pages: self.pages, kinds }
    }
}

/// The sizes that a picture can tell apart, and the last.
fn thinned(mut misses: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    let last = misses.last().map_or(0, |(size, _)| *size);
    misses.retain(|(size, _)| {
        let step = (1 << size.ilog2()) / SIZES_PER_DOUBLING;
        *size == last || step == 0 || size.is_multiple_of(step)
    });
    misses
}
