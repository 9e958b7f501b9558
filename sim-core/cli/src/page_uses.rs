//! Reads a trace as a sequence of page uses, for `curve` and `phases`.

use anyhow::anyhow;
use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk::run::window::Window;
use pagewalk_analysis::page_uses::{Chosen, SizedRanges};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::samples::{Sample, Samples};
use pagewalk_base::trace::{
    Access, Completeness, FrameRun, Kind, OpRecord, PageFact, TraceBuilder,
};
use pagewalk_sources::import::{ImportReport, RecordedSizes, Sink, Warning};
use serde::Serialize;

use crate::about::{About, json};
use crate::args::{SizePages, UsesArgs};
use crate::import::{notices, origin};
use crate::output;
use crate::recorded::{Sizes, Wanted, check_recorded, late};
use crate::sheet::{ResultArgs, Sheet};
use crate::source::{self, Source};
use crate::table::grouped;

/// An analysis of the uses of pages, after it has seen them.
pub(crate) struct Analysed<B> {
    pub(crate) builder: B,
    pub(crate) chosen: Chosen,
    pub(crate) source: Source,
}

/// Returns the uses that the arguments choose, if the recording has no page sizes.
pub(crate) fn chosen(args: &UsesArgs) -> Chosen {
    let kinds = args.kinds.as_ref().map_or([true; 3], |named| {
        [Kind::Fetch, Kind::Load, Kind::Store].map(|kind| named.contains(&kind))
    });
    let pages = match args.pages {
        Some(SizePages::Given(pages)) => pages,
        Some(SizePages::Recorded) | None => PageSize::K4,
    };
    Chosen { pages, kinds, ..Chosen::default() }
}

/// Makes an analysis, and passes the first `limit` accesses of the trace to `each`.
///
/// # Errors
/// Errors of `make`, before anything is read; errors of the trace.
pub(crate) fn stream<B>(
    (args, limit, is_cited): (&UsesArgs, u64, bool),
    make: impl Fn(&Chosen) -> anyhow::Result<B>,
    mut each: impl FnMut(&mut B, &Access) -> Result<()>,
) -> anyhow::Result<Analysed<B>> {
    let wanted = match args.pages {
        Some(SizePages::Recorded) => Wanted::Always,
        Some(SizePages::Given(_)) => Wanted::Never,
        None => Wanted::IfAny,
    };
    check_recorded(wanted, &args.accesses)?;
    let mut keep = wanted == Wanted::Always;
    loop {
        let chosen = chosen(args);
        let mut reading = Reading {
            builder: make(&chosen)?,
            each: &mut each,
            sizes: Sizes::new(wanted, chosen.pages),
            kept: keep.then(TraceBuilder::default),
            n: 0,
            is_late: false,
        };
        match source::stream(&args.accesses, limit, is_cited, &mut reading) {
            Ok(source) => return reading.finish(chosen, source, make),
            Err(_) if reading.is_late && !keep && !args.accesses.is_stdin() => keep = true,
            Err(error) => return Err(error),
        }
    }
}

/// A trace that is being read. If the recording has page sizes, its accesses wait until all sizes are known.
struct Reading<'f, B, F> {
    builder: B,
    each: &'f mut F,
    sizes: Sizes,
    kept: Option<TraceBuilder>,
    /// The number of accesses that did not wait.
    n: u64,
    /// Whether page sizes came after such accesses.
    is_late: bool,
}

impl<B, F: FnMut(&mut B, &Access) -> Result<()>> Reading<'_, B, F> {
    /// Keeps the trace from now on, if page sizes decide.
    fn keep_if(&mut self, decides: bool) -> Result<()> {
        if !decides || self.kept.is_some() {
            return Ok(());
        }
        if self.n > 0 {
            self.is_late = true;
            return Err(late("the page sizes come"));
        }
        self.kept = Some(TraceBuilder::default());
        Ok(())
    }

    fn finish(
        self,
        mut chosen: Chosen,
        mut source: Source,
        make: impl Fn(&Chosen) -> anyhow::Result<B>,
    ) -> anyhow::Result<Analysed<B>> {
        let Self { mut builder, each, mut sizes, kept, .. } = self;
        if let Some(kept) = kept {
            let trace = kept.finish(source.report.completeness)?;
            sizes.used(&trace);
            if let Some(pages) = sizes.pages(&source.name)? {
                let others = SizedRanges::new(&pages.regions);
                let recorded = Chosen { pages: pages.others, others, ..chosen.clone() };
                match make(&recorded) {
                    Ok(new) => {
                        (builder, chosen) = (new, recorded);
                        source.report.warnings.extend(pages.warning().map(Warning::from));
                    }
                    Err(error) => source.report.warnings.push(sizes.unused(error)?.into()),
                }
            }
            for access in trace.accesses_from(0) {
                each(&mut builder, &access)?;
            }
        }
        Ok(Analysed { builder, chosen, source })
    }
}

impl<B, F: FnMut(&mut B, &Access) -> Result<()>> Sink for Reading<'_, B, F> {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        if let Some(kept) = &mut self.kept {
            return kept.push(&access);
        }
        self.n += 1;
        (self.each)(&mut self.builder, &access)
    }

    /// Operations change nothing here: the arrays of a curve are never invalidated.
    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }

    fn recorded_pages(&mut self, sizes: RecordedSizes) -> Result<()> {
        let decides = self.sizes.decides(sizes);
        self.keep_if(decides)
    }

    fn page_facts(&mut self, facts: Vec<PageFact>) -> Result<()> {
        let decides = self.sizes.facts(&facts);
        self.keep_if(decides)
    }

    /// Frames say which memory can be huge. Their numbers change nothing here.
    fn frames(&mut self, runs: Vec<FrameRun>) -> Result<()> {
        self.sizes.evidence.add_frames(&runs);
        Ok(())
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.sizes.sample(sample);
        Ok(())
    }

    fn samples(&mut self, samples: Samples) -> Result<()> {
        self.sizes.samples(&samples);
        Ok(())
    }
}

/// Describes the chosen pages for a title.
pub(crate) fn pages_words(chosen: &Chosen) -> String {
    if chosen.others.is_empty() {
        format!("{} pages", chosen.pages)
    } else {
        "pages as recorded".to_owned()
    }
}

/// Describes the chosen pages for a result.
pub(crate) fn with_pages(about: About, chosen: &Chosen) -> About {
    let default = PagePolicy::Fixed(chosen.pages);
    about.mapped(&OsConfig { default, regions: chosen.others.regions(), ..OsConfig::default() })
}

/// Prints a result with the completeness of its trace: as JSON fields, or below the first line of the text.
/// `about` describes the machine and the mapping, and `sheet` is the table for --csv.
pub(crate) fn print<T: Serialize>(
    args: &ResultArgs,
    about: About,
    source: Source,
    found: &T,
    sheet: impl FnOnce() -> Sheet,
    text: impl FnOnce(&str) -> String,
) -> anyhow::Result<()> {
    let Source { name, report: trace, about: of } = source;
    let about = about.of(of);
    if args.write_csv(&about, sheet)? {
        return Ok(());
    }
    if args.json {
        let ImportReport { completeness, part, .. } = trace;
        return json(about, &OfTrace { completeness, part, found });
    }
    let text = text(&name);
    let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let warnings = notices(&trace).map(|warning| format!("\nWarning: {warning}\n"));
    let warnings = warnings.collect::<String>();
    output::text(format!("{title}\nTrace {}\n{rest}{warnings}", origin(&trace)))
}

#[derive(Serialize)]
struct OfTrace<'a, T> {
    completeness: Completeness,
    /// Whether the import is partial.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    part: bool,
    #[serde(flatten)]
    found: &'a T,
}

/// Describes which accesses of a trace are not counted, to print after its name: `, 2 skipped, 3 to warm up`.
pub(crate) fn left_out(Window { skip, warmup, .. }: Window) -> String {
    let parts = [("skipped", skip), ("to warm up", warmup)];
    let parts = parts.into_iter().filter(|(_, n)| *n > 0);
    let words: Vec<String> = parts.map(|(why, n)| format!(", {} {why}", grouped(n))).collect();
    words.concat()
}

/// Names the argument that caused an error: fields of the options have the names of the arguments.
#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
pub(crate) fn blame(error: Error) -> anyhow::Error {
    anyhow!("--{error}")
}

pub(crate) fn counts(accesses: u64, translations: u64, pages: u64) -> String {
    format!(
        "{} accesses, {} translations, {} distinct pages\n",
        grouped(accesses),
        grouped(translations),
        grouped(pages)
    )
}
