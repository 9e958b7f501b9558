//! `pagewalk measure`: measures the TLBs of this processor, and compares them with the models.

mod memory;
mod text;
mod timed;

use anyhow::{Context as _, bail};
use pagewalk::config::parse_json;
use pagewalk_base::addr::PageSize;
use pagewalk_measured::chase::{ChaseReport, ChaseSamples, Comparing, every_page_of};
use serde::{Deserialize, Serialize};

use crate::about::{json, this_command};
use crate::args::MeasureArgs;
use crate::output;
use crate::progress::share_bar;
use crate::setup::read_text;
use crate::sheet::Sheet;

/// The result for one page size.
#[derive(Serialize)]
struct Measurement {
    samples: ChaseSamples,
    report: ChaseReport,
}

#[derive(Serialize)]
struct Measurements {
    measurements: Vec<Measurement>,
}

/// A saved result: its times alone are read.
#[derive(Deserialize)]
struct Saved {
    measurements: Vec<SavedOne>,
}

#[derive(Deserialize)]
struct SavedOne {
    samples: ChaseSamples,
}

pub(crate) fn measure(args: &MeasureArgs) -> anyhow::Result<()> {
    let all = match &args.from {
        Some(file) => {
            let saved: Saved =
                parse_json(&read_text(file)?).with_context(|| file.display().to_string())?;
            saved.measurements.into_iter().map(|it| it.samples).collect()
        }
        None => measured(args)?,
    };
    let results = all.iter().map(|samples| compared(samples, every_page_of(samples, &all)));
    let measurements =
        results.collect::<anyhow::Result<Vec<_>>>().map_err(|error| match &args.from {
            Some(file) => error.context(file.display().to_string()),
            None => error,
        })?;
    let about = this_command();
    if args.result.write_csv(&about, || sheet(&measurements))? {
        return Ok(());
    }
    if args.result.json {
        return json(about, &Measurements { measurements });
    }
    let texts: Vec<String> = measurements.iter().map(|it| text::text(&it.report)).collect();
    output::text(texts.join("\n"))
}

fn measured(args: &MeasureArgs) -> anyhow::Result<Vec<ChaseSamples>> {
    let sizes = match args.pages.as_slice() {
        [] => vec![memory::system_page()],
        sizes => sizes.to_vec(),
    };
    if let Some(size) = sizes.iter().find(|size| !memory::has_pages(**size)) {
        let has = [memory::system_page(), PageSize::M2].into_iter();
        let has: Vec<String> =
            has.filter(|size| memory::has_pages(*size)).map(|it| it.to_string()).collect();
        bail!(
            "--pages {size}: this system has no such pages to measure: give {}",
            has.join(" or ")
        );
    }
    let stop = timed::Stop::new()?;
    let mut done = Vec::new();
    let share = f64::from(args.time) / f64::from(u32::try_from(sizes.len() * args.stride.len())?);
    for size in sizes {
        for stride in &args.stride {
            done.push(timed::timed(size, *stride, share, &stop)?);
        }
    }
    Ok(done)
}

fn compared(
    samples: &ChaseSamples,
    every_page: Option<&ChaseSamples>,
) -> anyhow::Result<Measurement> {
    let mut comparing = Comparing::new(samples, every_page)?;
    let bar = share_bar(comparing.progress().1 as u64, "the models");
    while !comparing.go_on()? {
        bar.set_position(comparing.progress().0 as u64);
    }
    bar.finish_and_clear();
    let report = comparing.finish()?;
    Ok(Measurement { samples: samples.clone(), report })
}

fn sheet(measurements: &[Measurement]) -> Sheet {
    let mut sheet = Sheet::new([
        "page",
        "stride",
        "pages",
        "ns",
        "ns_low",
        "ns_high",
        "nearest",
        "nearest_cycles",
    ]);
    for Measurement { report, .. } in measurements {
        let nearest = report.fits.first();
        for cost in &report.curve {
            let cycles = nearest.and_then(|fit| text::simulated(report, fit, cost.pages));
            sheet.row([
                report.page.to_string(),
                report.stride.to_string(),
                cost.pages.to_string(),
                cost.ns.to_string(),
                cost.low.to_string(),
                cost.high.to_string(),
                nearest.map_or_else(String::new, |fit| fit.cpu.clone()),
                cycles.map_or_else(String::new, |cycles| cycles.to_string()),
            ]);
        }
    }
    sheet
}
