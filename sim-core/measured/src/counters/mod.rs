//! Counters of a real machine compared with a simulated one: the meaning of each event of perf stat on its
//! processor, shares computed from several events, and the counts of a run for comparison.
//!
//! A measurement and a run have different lengths, so their counts are compared per 1,000 instructions or
//! accesses.

mod compare;
mod family;
mod meaning;
mod notes;
mod over_time;
mod shares;
mod simulated;
mod totals;

use serde::Serialize;

use pagewalk_sources::perf_stat::{EventName, Form, PerfStat, State, Unread};

pub use family::{Family, FamilyName};
pub use over_time::{EventOverTime, OverTime};
pub use simulated::Simulated;

/// The reason for the family of the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum FamilyFrom {
    /// The user chose it.
    Asked,
    /// The names of the events show it.
    Events,
    /// The events show at most the vendor, so the simulated machine determines the family.
    Machine,
}

/// The family of processors that the events belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FamilyView {
    pub id: Family,
    pub name: String,
    pub from: FamilyFrom,
}

/// The comparison of a counter with a run. The fetches of a trace are its instructions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Comparison {
    pub simulated: u64,
    /// The unit that both counts are divided by: `1,000 instructions`.
    pub base: Option<String>,
    pub measured_per: Option<f64>,
    pub simulated_per: Option<f64>,
    /// Measured / simulated, if both may be compared.
    pub ratio: Option<f64>,
}

/// The total of one event over all intervals and parts of the machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CounterView {
    pub name: EventName,
    pub cgroup: Option<String>,
    pub state: State,
    /// The value in `unit`, which is empty for a number of events.
    pub value: Option<f64>,
    pub unit: String,
    /// The share of the time that the event was on a hardware counter, in percent. For several counters it is
    /// the least.
    pub running: Option<f64>,
    /// Whether perf extrapolated the value from a part of the time.
    pub is_estimate: bool,
    /// The deviation (±) over repeated runs, in percent.
    pub variance: Option<f64>,
    /// The number of printed counters that were added. `missing` is the number of those without a value.
    pub counters: u32,
    pub missing: u32,
    /// The meaning of the event in a few words.
    pub meaning: Option<String>,
    /// A note about the meaning that the name does not show.
    pub note: Option<String>,
    pub beside: Option<Comparison>,
}

/// The unit of a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ShareUnit {
    /// A fraction of 1.
    Share,
    Cycles,
}

/// A number that is computed from two or more counters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ShareView {
    pub what: String,
    /// The unit and mode of the counters, if they are named: `cpu_core`, `user mode`.
    pub of: String,
    pub unit: ShareUnit,
    pub measured: f64,
    pub simulated: Option<f64>,
    /// Whether the true number is at most this.
    pub is_upper_bound: bool,
    pub is_estimate: bool,
    /// The events that the share is computed from.
    pub events: Vec<String>,
    pub note: Option<String>,
}

/// Everything that is read from the output of perf stat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Measured {
    pub form: Form,
    /// The measured program or system: `'ls -l'`, `system wide`.
    pub of: Option<String>,
    /// The number of runs, if the counters are means over several runs.
    pub runs: Option<u32>,
    pub elapsed_s: Option<f64>,
    /// The number of intervals that were added up; 0 if perf did not measure at intervals.
    pub intervals: u32,
    /// The family of the events; `None` = unknown.
    pub family: Option<FamilyView>,
    pub counters: Vec<CounterView>,
    pub shares: Vec<ShareView>,
    /// The counts over time, if perf measured at intervals.
    pub over_time: Option<OverTime>,
    /// Notes for the user about the limits of the numbers, as sentences.
    pub notes: Vec<String>,
    pub unread: Unread,
}

impl Measured {
    /// Returns the share of the cycles in which walks were active, if it was measured. If there are several kinds of
    /// cores or modes, it is that of the first.
    pub fn walk_time(&self) -> Option<&ShareView> {
        self.shares.iter().find(|share| share.what == shares::WALK_TIME)
    }
}

impl Measured {
    /// Returns the cycles that the share of walks is of, or all cycles if no walks were counted.
    pub fn cycles(&self) -> Option<f64> {
        let of_share = self.walk_time().and_then(|share| share.events.last());
        let is_it = |counter: &&CounterView| match (of_share, &self.family) {
            (Some(name), _) => counter.name.full == *name,
            (None, Some(family)) => {
                let family = family.id.of_counter(&counter.name);
                meaning::meaning(&counter.name.event, family)
                    .is_some_and(|meaning| meaning.quantity == meaning::Quantity::Cycles)
            }
            (None, None) => counter.name.event == "cycles",
        };
        self.counters.iter().filter(is_it).find_map(|counter| counter.value)
    }
}

/// The information in addition to the counters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The family that the user chose.
    pub asked: Option<Family>,
    /// The id of the CPU model that is simulated.
    pub model: Option<&'a str>,
    pub simulated: Option<Simulated>,
}

/// Interprets counters, compared with a run if there is one.
pub fn measured(stat: &PerfStat, context: Context<'_>) -> Measured {
    let family = family_of(stat, context);
    let id = family.as_ref().map(|family| family.id);
    let (totals, left_out) = totals::totals(stat);
    let read = compare::read(&totals, id);
    let run = context.simulated.as_ref().map(|simulated| compare::Run {
        simulated,
        family: context.model.and_then(Family::of_model),
    });
    let counters = compare::counters(&read, id, run);
    let shares = shares::shares(&read, run);
    let intervals = {
        let mut times: Vec<u64> =
            stat.counters.iter().filter_map(|counter| Some(counter.interval?.to_bits())).collect();
        times.dedup();
        u32::try_from(times.len()).unwrap_or(u32::MAX)
    };
    let facts = notes::Facts {
        context,
        family: family.as_ref(),
        counters: &counters,
        lacks_base: compare::lacks_base(&read, run),
        left_out,
    };
    let notes = notes::notes(&facts);
    Measured {
        form: stat.form,
        of: stat.of.clone(),
        runs: stat.runs,
        elapsed_s: stat.elapsed_s,
        intervals,
        family,
        counters,
        shares,
        over_time: over_time::over_time(&stat.counters),
        notes,
        unread: stat.unread.clone(),
    }
}

/// Returns the family of the events. The user's choice comes first, then the names of the events, then the
/// machine. If the events show only the vendor of the machine, the machine determines the generation.
fn family_of(stat: &PerfStat, context: Context<'_>) -> Option<FamilyView> {
    let of_events = Family::of_counters(&stat.counters);
    let of_machine = context.model.and_then(Family::of_model);
    let (id, from) = match (context.asked, of_events, of_machine) {
        (Some(asked), _, _) => (asked, FamilyFrom::Asked),
        (None, Some(shown), Some(machine)) if shown.vendor() == machine.vendor() => {
            (machine, FamilyFrom::Machine)
        }
        (None, Some(shown), _) => (shown, FamilyFrom::Events),
        (None, None, Some(machine)) => (machine, FamilyFrom::Machine),
        (None, None, None) => return None,
    };
    Some(FamilyView { id, name: id.name().to_owned(), from })
}
