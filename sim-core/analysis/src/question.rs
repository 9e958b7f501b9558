//! Questions about a trace that one run of a machine does not answer. The answers are computed in slices.

use serde::{Deserialize, Serialize};

use crate::curve::{Curve, CurveBuilder, CurveOptions};
use crate::huge_pages::{Advisor, HugeAdvice, HugeOptions, HugeSetup};
use crate::optimum::{MissSplit, SplitBuilder, SplitOptions};
use crate::page_popularity::{PagePopularity, PopularityBuilder};
use crate::page_uses::{Chosen, SizedRanges};
use crate::recorded_pages::PageEvidence;
use crate::second_level::{SecondLevelBuilder, SecondLevelCurve};
use crate::surface::{Surface, SurfaceBuilder};
use crate::uncertainty::{UncertaintyReport, Varying};
use crate::working_set::{WorkingSet, WorkingSetBuilder};
use pagewalk::config::MachineConfig;
use pagewalk::config::cpu;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::{MapSource, OsConfig, RegionConfig};
use pagewalk::run::window::{Span, Window};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Kind, Trace};

/// The uses that the optimum processes in a slice.
const USES: usize = 1 << 17;
/// The number of sizes of a curve that are reported between a power of two and the next.
const SIZES_PER_DOUBLING: u32 = 64;

/// The uses of pages that are counted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Uses {
    /// Memory is taken to be mapped with pages of this size, except for `regions`.
    pub pages: PageSize,
    /// Memory with pages of another size, such as a recording measured them.
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<RegionConfig>>"))]
    pub regions: Vec<RegionConfig>,
    /// Whether memory has the pages of the recording instead, if there are any.
    #[serde(default)]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub recorded: bool,
    /// The kinds of accesses to use. Other accesses are ignored.
    pub kinds: Vec<Kind>,
}

/// A question about a trace.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    tag = "what",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub enum Question {
    /// The misses of fully associative arrays of every size.
    Curve { uses: Uses, window: Option<Window> },
    /// The misses of every number of sets and ways.
    Surface { uses: Uses, window: Option<Window> },
    /// The walks with every size of level 2, with level 1 of a machine.
    #[serde(rename = "behind")]
    SecondLevel { uses: Uses, machine: Box<MachineConfig>, window: Option<Window> },
    /// The misses of an array by cause, and the optimum, over the whole trace.
    Split { uses: Uses, entries: u32, ways: Option<u32> },
    /// The working set over time, over the whole trace. `window` is τ in accesses.
    WorkingSet {
        uses: Uses,
        #[cfg_attr(any(test, feature = "ts"), ts(type = "number"))]
        window: u64,
    },
    /// The number of uses of each page, over the whole trace.
    Popularity { uses: Uses },
    /// The ranges that should be huge pages.
    HugePages {
        machine: Box<MachineConfig>,
        pages: PageSize,
        huge: PageSize,
        most: u32,
        /// The memory mapping; its pages and regions are ignored.
        os: Option<Box<OsConfig>>,
        /// Memory that has pages of another size already, such as a recording measured them.
        #[serde(default)]
        #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<Vec<RegionConfig>>"))]
        already: Vec<RegionConfig>,
        cores: Option<Cores>,
        window: Option<Window>,
    },
    /// The interval of the cycles, if the assumed parameters of a CPU model have other values.
    Uncertainty {
        /// The CPU model, or a variant of one.
        cpu: String,
        /// The model with changes, which are not varied. Missing = the model as it is.
        machine: Option<Box<MachineConfig>>,
        os: Box<OsConfig>,
        cores: Option<Cores>,
        window: Option<Window>,
    },
}

/// The answer to a question of the same name. Curves list all sizes up to 64, then 64 sizes between powers of
/// two.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    Curve(Curve),
    Surface(Surface),
    SecondLevel(SecondLevelCurve),
    Split(MissSplit),
    WorkingSet(WorkingSet),
    Popularity(PagePopularity),
    HugePages(Box<HugeAdvice>),
    Uncertainty(UncertaintyReport),
}

/// The answer to each question, by its `what`.
#[cfg(any(test, feature = "ts"))]
#[derive(ts_rs::TS)]
#[ts(export, rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its TypeScript twin is used")]
struct Answers {
    curve: Curve,
    surface: Surface,
    behind: SecondLevelCurve,
    split: MissSplit,
    working_set: WorkingSet,
    popularity: PagePopularity,
    huge_pages: HugeAdvice,
    uncertainty: UncertaintyReport,
}

/// The computation of an answer.
pub struct Analysis {
    /// The next chunk of the trace.
    chunk: usize,
    /// The range of accesses that is analysed.
    span: Span,
    work: Computation,
}

enum Computation {
    Curve(CurveBuilder),
    Surface(Box<SurfaceBuilder>),
    SecondLevel(Box<SecondLevelBuilder>),
    Split(Box<SplitBuilder>),
    WorkingSet(Box<WorkingSetBuilder>),
    Popularity(Box<PopularityBuilder>),
    HugePages(Box<Advisor>),
    Uncertainty(Box<Varying>),
}

impl Analysis {
    /// # Errors
    /// `bad-config` at the field of the question.
    pub fn new(question: &Question, trace: &Trace) -> Result<Self> {
        let within = |window: Option<Window>| {
            window.unwrap_or_default().within(trace.len()).map_err(|error| error.within("window"))
        };
        let span = match question {
            Question::Curve { window, .. }
            | Question::Surface { window, .. }
            | Question::SecondLevel { window, .. } => within(*window)?,
            _ => Span::whole(trace.len()),
        };
        let work = match question {
            Question::Curve { uses, .. } => {
                let options = CurveOptions { chosen: uses.chosen(), sets: None };
                Computation::Curve(CurveBuilder::new(options)?)
            }
            Question::Surface { uses, .. } => {
                Computation::Surface(Box::new(SurfaceBuilder::new(uses.chosen())?))
            }
            Question::SecondLevel { uses, machine, .. } => {
                let options = CurveOptions { chosen: uses.chosen(), sets: None };
                Computation::SecondLevel(Box::new(SecondLevelBuilder::new(machine, options)?))
            }
            Question::Split { uses, entries, ways } => {
                let options =
                    SplitOptions { chosen: uses.chosen(), entries: *entries, ways: *ways };
                Computation::Split(Box::new(SplitBuilder::new(options)?))
            }
            Question::WorkingSet { uses, window } => {
                let builder = WorkingSetBuilder::new(uses.chosen(), *window)?;
                Computation::WorkingSet(Box::new(builder))
            }
            Question::Popularity { uses } => {
                Computation::Popularity(Box::new(PopularityBuilder::new(uses.chosen())?))
            }
            Question::HugePages { machine, pages, huge, most, os, already, cores, window } => {
                let options = HugeOptions {
                    pages: *pages,
                    huge: *huge,
                    most: *most,
                    ..HugeOptions::default()
                };
                let setup = HugeSetup {
                    machine: (**machine).clone(),
                    os: os.as_deref().cloned().unwrap_or_default(),
                    already: already.clone(),
                    cores: cores.unwrap_or_default(),
                    window: window.unwrap_or_default(),
                };
                Computation::HugePages(Box::new(Advisor::new(trace, &setup, options)?))
            }
            Question::Uncertainty { cpu, machine, os, cores, window } => {
                let (cores, window) = (cores.unwrap_or_default(), window.unwrap_or_default());
                let machine = machine.as_deref();
                let varying = Varying::new(cpu, machine, os, cores, window, trace)?;
                Computation::Uncertainty(Box::new(varying))
            }
        };
        Ok(Self { chunk: 0, span, work })
    }

    /// Does a slice of some milliseconds. Returns true when the answer is complete. `trace` must be the one
    /// that [`Self::new`] got.
    ///
    /// # Errors
    /// `too-large` if the computation needs too much memory; `bad-config` at `window` if the trace has too many
    /// windows of that size.
    pub fn go_on(&mut self, trace: &Trace) -> Result<bool> {
        match &mut self.work {
            Computation::HugePages(advisor) => return advisor.go_on(trace),
            Computation::Uncertainty(varying) => return varying.go_on(trace),
            _ => {}
        }
        let Some(chunk) = trace.chunks().get(self.chunk) else {
            return Ok(match &mut self.work {
                Computation::Split(builder) => builder.find_optimum(USES),
                _ => true,
            });
        };
        self.chunk += 1;
        let [warms, counts] = self.span.parts(&(chunk.first..chunk.first + chunk.n));
        let parts =
            [(warms, false), (counts, true)].into_iter().filter(|(part, _)| !part.is_empty());
        match &mut self.work {
            Computation::Curve(builder) => {
                for (range, counting) in parts {
                    builder.set_counting(counting);
                    builder.push_part(chunk, &range);
                }
            }
            Computation::Surface(builder) => {
                for (range, counting) in parts {
                    builder.set_counting(counting);
                    builder.push_part(chunk, &range);
                }
            }
            Computation::SecondLevel(builder) => {
                for (range, counting) in parts {
                    builder.set_counting(counting);
                    builder.push_part(chunk, &range)?;
                }
            }
            Computation::Split(builder) => builder.push_chunk(chunk)?,
            Computation::WorkingSet(builder) => builder.push_chunk(chunk)?,
            Computation::Popularity(builder) => builder.push_chunk(chunk),
            Computation::HugePages(_) | Computation::Uncertainty(_) => {}
        }
        Ok(false)
    }

    /// Returns the part of the work that is done, 0 to 1. For [`Question::HugePages`] it is a lower bound,
    /// because the advice may end before all huge pages are used.
    pub fn progress(&self, trace: &Trace) -> f64 {
        match &self.work {
            Computation::HugePages(advisor) => return advisor.progress(),
            Computation::Uncertainty(varying) => return varying.progress(),
            _ => {}
        }
        let n_chunks = trace.chunks().len().max(1);
        #[expect(clippy::cast_precision_loss, reason = "chunks")]
        let share = self.chunk as f64 / n_chunks as f64;
        share.min(1.0)
    }

    pub fn finish(self) -> Answer {
        match self.work {
            Computation::Curve(builder) => {
                let curve = builder.finish();
                Answer::Curve(Curve { misses: thinned(curve.misses), ..curve })
            }
            Computation::SecondLevel(builder) => {
                let curve = builder.finish();
                Answer::SecondLevel(SecondLevelCurve { misses: thinned(curve.misses), ..curve })
            }
            Computation::Surface(builder) => Answer::Surface(builder.finish()),
            Computation::Split(builder) => Answer::Split(builder.finish()),
            Computation::WorkingSet(builder) => Answer::WorkingSet(builder.finish()),
            Computation::Popularity(builder) => Answer::Popularity(builder.finish()),
            Computation::HugePages(advisor) => Answer::HugePages(Box::new(advisor.finish())),
            Computation::Uncertainty(varying) => Answer::Uncertainty(varying.finish()),
        }
    }
}

impl Question {
    /// Fills in the pages of the recording where the question asks for them.
    pub fn resolve(&mut self, evidence: &PageEvidence) {
        if evidence.is_empty() {
            return;
        }
        if let Self::Curve { uses, .. }
        | Self::Surface { uses, .. }
        | Self::SecondLevel { uses, .. }
        | Self::Split { uses, .. }
        | Self::WorkingSet { uses, .. }
        | Self::Popularity { uses } = self
            && uses.recorded
        {
            let found = evidence.pages(uses.pages);
            (uses.pages, uses.regions) = (found.others, found.regions);
        } else if let Self::HugePages { pages, os: Some(os), already, .. } = self
            && os.map == MapSource::Recorded
        {
            let found = evidence.pages(*pages);
            (*pages, *already) = (found.others, found.regions);
            os.map = MapSource::Trace;
        } else if let Self::Uncertainty { cpu, machine, os, .. } = self
            && os.map == MapSource::Recorded
        {
            let machine = machine.as_deref().cloned();
            let machine = machine.or_else(|| cpu::model(cpu).ok().map(|model| model.machine));
            let smallest = machine.and_then(|machine| machine.smallest_pages());
            evidence.resolve(os, smallest.unwrap_or(PageSize::K4));
            os.map = MapSource::Trace;
        }
    }
}

impl Uses {
    fn chosen(&self) -> Chosen {
        let kinds = [Kind::Fetch, Kind::Load, Kind::Store].map(|kind| self.kinds.contains(&kind));
        Chosen { pages: self.pages, others: SizedRanges::new(&self.regions), kinds }
    }
}

/// Returns the sizes that a picture can show as different points, and the last size.
fn thinned(mut misses: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    let last = misses.last().map_or(0, |(size, _)| *size);
    misses.retain(|(size, _)| {
        let step = (1 << size.ilog2()) / SIZES_PER_DOUBLING;
        *size == last || step == 0 || size.is_multiple_of(step)
    });
    misses
}
