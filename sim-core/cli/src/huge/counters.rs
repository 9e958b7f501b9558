//! `--counters`: the share of the cycles in which a real processor walked, from the output of perf stat.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use pagewalk_analysis::huge_pages::{AB_RUNS, Between, MeasuredWalks, WalkCounters};
use pagewalk_measured::counters::{Context, Family, Measured, measured};
use pagewalk_sources::perf_stat;

use crate::stat::read_output;
use crate::table::grouped;

/// The relative deviation of counters of one run. `perf stat -r` measures it instead.
const NOISE: f64 = 0.1;
/// Counted and simulated walk cycles that differ by a larger factor are probably not those of one run.
const MOST_APART: f64 = 3.0;

/// The measured share, and what it leaves out.
pub(super) struct Share {
    pub(super) walks: MeasuredWalks,
    /// The cycles of the walks.
    walk_cycles: f64,
    pub(super) note: Option<String>,
}

/// # Errors
/// The file cannot be read, or lacks cycles or walk cycles.
pub(super) fn share(path: &Path, cpu: Option<&str>) -> anyhow::Result<Share> {
    let name = path.display().to_string();
    let stat = perf_stat::read(&read_output(path, &name)?).context(name.clone())?;
    let measured = measured(&stat, Context { model: cpu, ..Context::default() });
    let (Some(share), Some(cycles)) = (measured.walk_time(), measured.cycles()) else {
        return Err(lacking(&name, &measured, cpu.and_then(Family::of_model)));
    };
    let noise = deviation(&measured, &share.events).unwrap_or(NOISE);
    let between = Between::new(
        (share.measured * (1.0 - noise)).max(0.0),
        (share.measured * (1.0 + noise)).min(1.0),
    );
    Ok(Share {
        walks: MeasuredWalks { share: between, cycles },
        walk_cycles: share.measured * cycles,
        note: share.note.clone(),
    })
}

impl Share {
    /// Returns the warning that the counters are those of another run, if their walk cycles are far from the simulated.
    pub(super) fn unlike(&self, simulated: u64) -> Option<String> {
        #[expect(clippy::cast_precision_loss, reason = "compared by a factor")]
        let of_both = simulated as f64;
        let is_near =
            self.walk_cycles <= MOST_APART * of_both && of_both <= MOST_APART * self.walk_cycles;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cycles")]
        let counted = self.walk_cycles.round() as u64;
        (!is_near).then(|| {
            format!(
                "--counters: {} walk cycles were counted, and {} are simulated. If the counted run had another input or length than the trace, milliseconds and first touches do not fit. Count the run that was recorded",
                grouped(counted),
                grouped(simulated)
            )
        })
    }
}

/// Returns how the processor of the machine counts walk cycles.
pub(super) fn walk_counters(family: Option<Family>) -> WalkCounters {
    match family.map(Family::walk_events) {
        None => WalkCounters::Unknown,
        Some(Some(events)) => WalkCounters::Events(events),
        Some(None) => WalkCounters::Missing,
    }
}

/// Returns the error that names what the counters lack, and the events that count it. The machine has priority.
fn lacking(name: &str, measured: &Measured, machine: Option<Family>) -> anyhow::Error {
    let family = machine.or_else(|| measured.family.as_ref().map(|family| family.id));
    let what = match (measured.cycles(), measured.walk_time()) {
        (None, Some(_)) => "cycles",
        (Some(_), _) => "walk cycles",
        (None, None) => "cycles and walk cycles",
    };
    match walk_counters(family) {
        WalkCounters::Missing => anyhow!("--counters: {name} lacks {what}. {AB_RUNS}"),
        WalkCounters::Events(events) => {
            anyhow!("--counters: {name} lacks {what}: measure with `perf stat -e {events}`")
        }
        WalkCounters::Unknown => anyhow!(
            "--counters: {name} lacks {what}: measure with perf stat, cycles and the walk cycles of your processor, such as Intel's dtlb_load_misses.walk_active"
        ),
    }
}

/// Returns the relative deviation of a share of some events, if perf repeated the run: at most the sum of the largest two.
fn deviation(measured: &Measured, events: &[String]) -> Option<f64> {
    let counters = measured.counters.iter().filter(|counter| events.contains(&counter.name.full));
    let mut percents: Vec<f64> = counters.filter_map(|counter| counter.variance).collect();
    percents.sort_by(|a, b| b.total_cmp(a));
    (!percents.is_empty()).then(|| percents.iter().take(2).sum::<f64>() / 100.0)
}
