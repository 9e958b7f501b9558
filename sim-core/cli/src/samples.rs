//! `pagewalk samples`: shows what the samples of a recording say about its program.

mod sheet;
mod text;

use anyhow::Context as _;
use pagewalk_analysis::recorded_pages::page_size;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::Result;
use pagewalk_base::samples::{Sample, Samples, SamplesBuilder};
use pagewalk_base::trace::{Access, Mapping, OpRecord};
use pagewalk_measured::survey::{Survey, SurveyOptions, SurveyReport};
use pagewalk_sources::import::{ImportReport, Sampling, Sink};
use serde::Serialize;

use crate::about::{MachineAbout, TraceAbout, json, this_command};
use crate::args::{SamplesArgs, SizePages};
use crate::hashed::Hashed;
use crate::import::Census;
use crate::input::Input;
use crate::recorded::no_sizes;
use crate::{output, processors};

/// The JSON that `--json` prints.
#[derive(Serialize)]
struct Report {
    import: ImportReport,
    survey: SurveyReport,
}

pub(crate) fn samples(args: &SamplesArgs) -> anyhow::Result<()> {
    // The model is checked before the file is read, because reading can take long.
    let machine = args.cpu.as_deref().map(processors::model).transpose()?;
    let input = Input { path: &args.file, format: &args.format, limit: u64::MAX };
    let mut recording = Recording::default();
    let mut hashed = Hashed::new(&mut recording, args.result.is_cited());
    let mut import = input.stream(&mut hashed)?;
    let digest = hashed.finish();
    (import.pages_4k, _) = recording.census.finish()?;
    let samples = recording.samples.finish()?;
    let Some(sampling) = &import.sampling else {
        anyhow::bail!(
            "{}: this {} trace holds accesses, not samples: simulate it with `pagewalk run`",
            input.name(),
            import.format
        );
    };
    let pages = match args.pages {
        None => None,
        Some(SizePages::Given(size)) => Some(size),
        Some(SizePages::Recorded) => Some(of_most(sampling, &input.name())?),
    };
    let options = SurveyOptions {
        machine: machine.as_ref().map(|model| model.machine.clone()),
        pages,
        ..SurveyOptions::default()
    };
    let survey = Survey::new(options, &sampling.events);
    let survey = survey.map_err(|error| anyhow::anyhow!("--{error}"))?;
    let survey = finish(survey, &samples);
    let trace = digest.map(|digest| TraceAbout { name: input.name(), digest, seed: None });
    let mut about = this_command().of(trace);
    if let Some(model) = &machine {
        about = about.on(MachineAbout::new(Some(&model.id), model.name.clone(), &model.machine));
    }
    if args.result.write_csv(&about, || sheet::sheet(&survey))? {
        return Ok(());
    }
    if args.result.json {
        import.word_remedies();
        return json(about, &Report { import, survey });
    }
    let machine = machine.as_ref().map(|model| &model.machine);
    output::text(text::text(
        &input.name(),
        &import,
        &survey,
        machine.map(|machine| machine.name.as_str()),
    ))
}

/// Returns the page size that most samples measured.
fn of_most(sampling: &Sampling, name: &str) -> anyhow::Result<PageSize> {
    let most = sampling.page_sizes.iter().max_by_key(|pages| pages.accesses);
    most.and_then(|pages| page_size(pages.bytes)).with_context(|| no_sizes(name))
}

fn finish(mut survey: Survey, samples: &Samples) -> SurveyReport {
    while !survey.go_on(samples) {}
    survey.report(samples)
}

/// Collects the samples, and counts the pages of the accesses that can be simulated.
#[derive(Default)]
struct Recording {
    census: Census,
    samples: SamplesBuilder,
}

impl Sink for Recording {
    fn access(&mut self, access: Access) -> Result<()> {
        self.census.access(access)
    }

    fn op(&mut self, record: OpRecord) -> Result<()> {
        self.census.op(record)
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.samples.map(&mapping);
        Ok(())
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.samples.push(sample)
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        self.samples.fork(child, parent);
        Ok(())
    }
}
