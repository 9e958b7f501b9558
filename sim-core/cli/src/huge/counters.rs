//! `--counters`: the share of the cycles in which a real processor walked, from the output of perf stat.

use std::path::Path;

use anyhow::{Context as _, bail};
use pagewalk_analysis::huge_pages::Between;
use pagewalk_measured::counters::{Context, Measured, measured};
use pagewalk_sources::perf_stat;

use crate::stat::read_output;

/// The relative deviation of counters of one run. `perf stat -r` measures it instead.
const NOISE: f64 = 0.1;

/// The measured share, and what it leaves out.
pub(super) struct Share {
    pub(super) between: Between,
    pub(super) note: Option<String>,
}

/// # Errors
/// The file cannot be read, or lacks cycles or walk cycles.
pub(super) fn share(path: &Path, cpu: Option<&str>) -> anyhow::Result<Share> {
    let name = path.display().to_string();
    let stat = perf_stat::read(&read_output(path, &name)?).context(name.clone())?;
    let measured = measured(&stat, Context { model: cpu, ..Context::default() });
    let Some(share) = measured.walk_time() else {
        bail!(
            "--counters: {name} lacks cycles or walk cycles: measure with `perf stat -e cycles,dtlb_load_misses.walk_active,dtlb_store_misses.walk_active,itlb_misses.walk_active`"
        );
    };
    let noise = deviation(&measured, &share.events).unwrap_or(NOISE);
    let between = Between::new(
        (share.measured * (1.0 - noise)).max(0.0),
        (share.measured * (1.0 + noise)).min(1.0),
    );
    Ok(Share { between, note: share.note.clone() })
}

/// Returns the relative deviation of a share of some events, if perf repeated the run: at most the sum of the largest two.
fn deviation(measured: &Measured, events: &[String]) -> Option<f64> {
    let counters = measured.counters.iter().filter(|counter| events.contains(&counter.name.full));
    let mut percents: Vec<f64> = counters.filter_map(|counter| counter.variance).collect();
    percents.sort_by(|a, b| b.total_cmp(a));
    (!percents.is_empty()).then(|| percents.iter().take(2).sum::<f64>() / 100.0)
}
