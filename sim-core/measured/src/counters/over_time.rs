//! The counts of each event over time, from intervals (`perf stat -I`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::totals::MAX_EVENTS;
use pagewalk_sources::perf_stat::{Counter, EventName};

/// The most points of a line. If there are more intervals, neighbours are added up.
const MAX_POINTS: usize = 1000;

/// Counts at intervals, as columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct OverTime {
    /// The end of each point in seconds since the start. The first point begins at 0.
    pub ends: Vec<f64>,
    /// The number of intervals in each point. The last point may have fewer.
    pub intervals_per_point: u32,
    /// The events in the order of their first counter, without events that never had a value.
    pub events: Vec<EventOverTime>,
}

/// The counts of one event, added up over the parts of the machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EventOverTime {
    /// The name as perf printed it, with its cgroup if there is one.
    pub name: String,
    /// The unit; empty for a number of events.
    pub unit: String,
    /// The count in each point; `None` = the event was not counted.
    pub values: Vec<Option<f64>>,
    /// Whether perf extrapolated any value from a part of the time.
    pub is_estimate: bool,
}

/// The event and the group of processes of a counter.
type Key<'a> = (&'a EventName, Option<&'a str>);

/// The line of an event, and the place of its last counter. An event in two groups is printed twice in an
/// interval, but counts once.
struct Line<'a> {
    event: EventOverTime,
    last: Option<(u64, Option<&'a str>)>,
}

/// Returns the counts over time; `None` if there are no intervals.
pub(super) fn over_time(counters: &[Counter]) -> Option<OverTime> {
    let times: BTreeSet<u64> =
        counters.iter().filter_map(|counter| Some(counter.interval?.to_bits())).collect();
    let mut ends: Vec<f64> = times.into_iter().map(f64::from_bits).collect();
    ends.sort_by(f64::total_cmp);
    let per_point = ends.len().div_ceil(MAX_POINTS).max(1);
    let mut at: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    let mut lines: Vec<Line<'_>> = Vec::new();
    let n_points = ends.len().div_ceil(per_point);
    for counter in counters {
        let Some(interval) = counter.interval else { continue };
        let key = (&counter.name, counter.cgroup.as_deref());
        let line = match at.get(&key) {
            Some(line) => *line,
            // The number of lines is limited, so that lines × points do not take too much memory.
            None if lines.len() < MAX_EVENTS.min((1 << 20) / n_points) => {
                at.insert(key, lines.len());
                lines.push(Line { event: named(counter, n_points), last: None });
                lines.len() - 1
            }
            None => continue,
        };
        let Line { event, last } = &mut lines[line];
        let spot = (interval.to_bits(), counter.part.as_deref());
        let Some(value) = counter.value.filter(|_| last.replace(spot) != Some(spot)) else {
            continue;
        };
        let point = ends.partition_point(|end| *end < interval) / per_point;
        let sum = &mut event.values[point];
        *sum = Some(sum.unwrap_or(0.0) + value);
        event.is_estimate |= counter.running.is_some_and(|running| running < 99.995);
    }
    let last_of = |points: &[f64]| points.last().copied();
    let ends: Vec<f64> = ends.chunks(per_point).filter_map(last_of).collect();
    let events: Vec<EventOverTime> = lines.into_iter().map(|line| line.event).collect();
    let with_value = |event: &EventOverTime| event.values.iter().any(Option::is_some);
    let events: Vec<EventOverTime> = events.into_iter().filter(with_value).collect();
    let intervals_per_point = u32::try_from(per_point).unwrap_or(u32::MAX);
    (!events.is_empty()).then_some(OverTime { ends, intervals_per_point, events })
}

fn named(counter: &Counter, n_points: usize) -> EventOverTime {
    let full = &counter.name.full;
    let name = match &counter.cgroup {
        Some(cgroup) => format!("{full} {cgroup}"),
        None => full.clone(),
    };
    EventOverTime {
        name,
        unit: counter.unit.clone(),
        values: vec![None; n_points],
        is_estimate: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use pagewalk_sources::perf_stat::read;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let over_time = over_time(&read(text).unwrap().counters);
        let text = over_time.map_or("none".to_owned(), |OverTime { ends, events, .. }| {
            let line = |event: &EventOverTime| {
                let mark = if event.is_estimate { "~" } else { "" };
                let value = |value: &Option<f64>| value.map_or("-".into(), |n| n.to_string());
                let values: Vec<String> = event.values.iter().map(value).collect();
                format!("{mark}{} {}: {}\n", event.name, event.unit, values.join(" "))
            };
            format!("{ends:?}\n{}", events.iter().map(line).collect::<String>())
        });
        expected.assert_eq(&text);
    }

    #[test]
    fn each_event_has_a_value_for_each_interval() {
        check(
            "1.000000000,5,,page-faults,1,100.00,,\n1.000000000,<not counted>,,dTLB-load-misses,0,0.00,,\n\
             2.000000000,7,,page-faults,1,100.00,,\n2.000000000,30,,dTLB-load-misses,1,50.00,,\n",
            &expect![[r"
                [1.0, 2.0]
                page-faults : 5 7
                ~dTLB-load-misses : - 30
            "]],
        );
    }

    #[test]
    fn parts_are_added_and_a_second_group_is_not() {
        check(
            "1.000000000,S0,1,5,,cycles,1,100.00,,\n1.000000000,S1,1,6,,cycles,1,100.00,,\n\
             1.000000000,S1,1,6,,cycles,1,100.00,,\n2.000000000,S0,1,1,,cycles,1,100.00,,\n",
            &expect![[r"
                [1.0, 2.0]
                cycles : 11 1
            "]],
        );
    }

    #[test]
    fn without_intervals_there_is_nothing() {
        check("5,,page-faults,1,100.00,,\n", &expect!["none"]);
        check("1.000000000,<not counted>,,cycles,0,0.00,,\n", &expect!["none"]);
    }

    #[test]
    fn many_intervals_are_added_up() {
        let mut lines = String::new();
        for at in 1..=2500 {
            lines.push_str(&format!("{at}.000000000,1,,page-faults,1,100.00,,\n"));
        }
        let found = over_time(&read(&lines).unwrap().counters).unwrap();
        assert_eq!(found.intervals_per_point, 3);
        assert_eq!(found.ends.len(), 834);
        assert_eq!(found.events[0].values[0], Some(3.0));
        // Sums of small whole numbers are exact.
        let sum: f64 = found.events[0].values.iter().flatten().sum();
        assert_eq!(sum.to_bits(), 2500_f64.to_bits());
    }
}
