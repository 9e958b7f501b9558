//! Counters of one event added up over intervals and parts of the machine.

use std::collections::{BTreeMap, BTreeSet};

use pagewalk_sources::perf_stat::{Counter, EventName, PerfStat, State};

/// All counters of an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Total {
    pub(super) name: EventName,
    pub(super) unit: String,
    pub(super) cgroup: Option<String>,
    pub(super) state: State,
    pub(super) value: Option<f64>,
    /// The least of all, in percent.
    pub(super) running: Option<f64>,
    pub(super) variance: Option<f64>,
    /// Counters that were added, and those of them without a value.
    pub(super) counters: u32,
    pub(super) missing: u32,
}

impl Total {
    fn new(counter: &Counter) -> Self {
        Self {
            name: counter.name.clone(),
            unit: counter.unit.clone(),
            cgroup: counter.cgroup.clone(),
            state: counter.state,
            value: None,
            running: None,
            variance: counter.variance,
            counters: 0,
            missing: 0,
        }
    }

    /// Returns whether perf scaled the value up from a part of the time.
    pub(super) fn is_estimate(&self) -> bool {
        self.value.is_some() && self.running.is_some_and(|running| running < 99.995)
    }
}

/// More events than any processor has; those beyond are left out.
pub(super) const MAX_EVENTS: usize = 4096;

/// How often one event may stand in one interval: a group or two have it.
const MAX_REPEATS: usize = 16;

/// Where a counter is printed: in which interval, of which part.
type Spot<'a> = (Option<u64>, Option<&'a str>);

/// An event of a group of processes.
type Key<'a> = (&'a EventName, Option<&'a str>);

/// Returns the events in the order of their first counter, and how many counters were left out. An event that
/// stands twice in one interval, as in two groups, is two.
pub(super) fn totals(stat: &PerfStat) -> (Vec<Total>, usize) {
    // `--summary` prints the sums behind the intervals.
    let name_of = |counter: &'_ Counter| (counter.name.clone(), counter.cgroup.clone());
    let sums: BTreeSet<_> =
        stat.counters.iter().filter(|counter| counter.interval.is_none()).map(name_of).collect();
    let counts = |counter: &&Counter| {
        counter.interval.is_none() || sums.is_empty() || !sums.contains(&name_of(counter))
    };
    let mut totals: Vec<Total> = Vec::new();
    let mut by_name: BTreeMap<Key<'_>, Vec<(usize, Spot<'_>)>> = BTreeMap::new();
    let mut left_out = 0;
    for counter in stat.counters.iter().filter(counts) {
        let spot = (counter.interval.map(f64::to_bits), counter.part.as_deref());
        let known = by_name.entry((&counter.name, counter.cgroup.as_deref())).or_default();
        let next = known.iter().position(|(_, last)| *last != spot);
        if let Some((at, last)) = next.and_then(|next| known.get_mut(next)) {
            *last = spot;
            add(&mut totals[*at], counter);
        } else if totals.len() < MAX_EVENTS && known.len() < MAX_REPEATS {
            known.push((totals.len(), spot));
            let mut total = Total::new(counter);
            add(&mut total, counter);
            totals.push(total);
        } else {
            left_out += 1;
        }
    }
    (totals, left_out)
}

fn add(total: &mut Total, counter: &Counter) {
    total.counters += 1;
    let Some(value) = counter.value else {
        total.missing += 1;
        return;
    };
    total.state = State::Counted;
    total.value = Some(total.value.unwrap_or(0.0) + value);
    total.running = match (total.running, counter.running) {
        (Some(least), Some(running)) => Some(least.min(running)),
        (least, running) => least.or(running),
    };
    if total.counters > 1 {
        // The ± of parts says nothing of their sum.
        total.variance = None;
    }
}
