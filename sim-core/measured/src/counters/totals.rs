//! Adds up the counters of each event over intervals and parts of the machine.

use std::collections::{BTreeMap, BTreeSet};

use pagewalk_sources::perf_stat::{Counter, EventName, PerfStat, State};

/// The sum of all counters of an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Total {
    pub(super) name: EventName,
    pub(super) unit: String,
    pub(super) cgroup: Option<String>,
    pub(super) state: State,
    pub(super) value: Option<f64>,
    /// The least share of the time that a counter was running, in percent.
    pub(super) running: Option<f64>,
    pub(super) variance: Option<f64>,
    /// The number of counters that were added. `missing` is the number of those without a value.
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

    /// Returns whether perf extrapolated the value from a part of the time.
    pub(super) fn is_estimate(&self) -> bool {
        self.value.is_some() && self.running.is_some_and(|running| running < 99.995)
    }
}

/// The most events that are read: more than any processor has. Later ones are left out.
pub(super) const MAX_EVENTS: usize = 4096;

/// The most times that one event may occur in one interval, because several groups have it.
const MAX_REPEATS: usize = 16;

/// The interval and the part of the machine of a printed counter.
type Spot<'a> = (Option<u64>, Option<&'a str>);

/// The event and the group of processes of a counter.
type Key<'a> = (&'a EventName, Option<&'a str>);

/// Returns the events in the order of their first counter, and the number of counters that were left out. An
/// event that occurs twice in one interval, because two groups have it, counts as two.
pub(super) fn totals(stat: &PerfStat) -> (Vec<Total>, usize) {
    // `--summary` prints the sums after the intervals.
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
        // The deviation of a sum cannot be computed from those of its parts.
        total.variance = None;
    }
}
