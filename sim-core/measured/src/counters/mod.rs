//! Counters of a real machine beside a simulated one: what each event of perf stat means on its
//! processor, what follows from several, and what a run counted of the same.
//!
//! Counts of different lengths of a program are compared for each 1,000 instructions or accesses.

mod beside;
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

/// Why events are read as those of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum FamilyFrom {
    /// The user says so.
    Asked,
    /// The names of the events show it.
    Events,
    /// The family of the simulated machine.
    Machine,
}

/// The processors whose events these are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FamilyView {
    pub id: Family,
    pub name: String,
    pub from: FamilyFrom,
}

/// What a run counted of the same. The fetches of a trace are its instructions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Beside {
    pub simulated: u64,
    /// What both are divided by: `1,000 instructions`.
    pub base: Option<String>,
    pub measured_per: Option<f64>,
    pub simulated_per: Option<f64>,
    /// Measured for each simulated, where both may be compared.
    pub ratio: Option<f64>,
}

/// One event, over all intervals and parts of the machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CounterView {
    pub name: EventName,
    pub cgroup: Option<String>,
    pub state: State,
    /// In `unit`, which is empty of a number of events.
    pub value: Option<f64>,
    pub unit: String,
    /// How much of the time it was on a counter, in percent: the least where there are several.
    pub running: Option<f64>,
    /// perf scaled the value up from that time.
    pub is_estimate: bool,
    /// ± of repeats, in percent.
    pub variance: Option<f64>,
    /// Printed counters that were added, and those of them that have no value.
    pub counters: u32,
    pub missing: u32,
    /// What it counts, in a few words.
    pub meaning: Option<String>,
    /// What the name does not say.
    pub note: Option<String>,
    pub beside: Option<Beside>,
}

/// What a share is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ShareUnit {
    /// A part of 1.
    Share,
    Cycles,
}

/// A number that follows from two or more counters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ShareView {
    pub what: String,
    /// The unit that counts, and whose mode, where they are named: `cpu_core`, `user mode`.
    pub of: String,
    pub unit: ShareUnit,
    pub measured: f64,
    pub simulated: Option<f64>,
    /// The true number is at most this.
    pub is_upper_bound: bool,
    pub is_estimate: bool,
    /// The events that it is made of.
    pub events: Vec<String>,
    pub note: Option<String>,
}

/// All that perf stat's output tells.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct Measured {
    pub form: Form,
    /// What was measured: `'ls -l'`, `system wide`.
    pub of: Option<String>,
    /// Runs whose mean the counters are.
    pub runs: Option<u32>,
    pub elapsed_s: Option<f64>,
    /// Intervals that were added up; 0 where there are none.
    pub intervals: u32,
    /// `None` = it is not known whose events they are.
    pub family: Option<FamilyView>,
    pub counters: Vec<CounterView>,
    pub shares: Vec<ShareView>,
    /// Where it was measured at intervals.
    pub over_time: Option<OverTime>,
    /// What is to be kept in mind, in sentences.
    pub notes: Vec<String>,
    pub unread: Unread,
}

/// What is known beside the counters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The family that the user names.
    pub asked: Option<Family>,
    /// The id of the CPU model that is simulated.
    pub model: Option<&'a str>,
    pub simulated: Option<Simulated>,
}

/// Interprets counters, compared with a run if there is one.
pub fn measured(stat: &PerfStat, known: Known<'_>) -> Measured {
    let family = family_of(stat, known);
    let id = family.as_ref().map(|family| family.id);
    let (totals, left_out) = totals::totals(stat);
    let read = beside::read(&totals, id);
    let run = known
        .simulated
        .as_ref()
        .map(|simulated| beside::Run { simulated, family: known.model.and_then(Family::of_model) });
    let counters = beside::counters(&read, id, run);
    let shares = shares::shares(&read, run);
    let intervals = {
        let mut times: Vec<u64> =
            stat.counters.iter().filter_map(|counter| Some(counter.interval?.to_bits())).collect();
        times.dedup();
        u32::try_from(times.len()).unwrap_or(u32::MAX)
    };
    let facts = notes::Facts {
        known,
        family: family.as_ref(),
        counters: &counters,
        lacks_base: beside::lacks_base(&read, run),
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

/// What the user says goes before what the events show, and that before the machine; of one vendor
/// the machine tells the generation.
fn family_of(stat: &PerfStat, known: Known<'_>) -> Option<FamilyView> {
    let of_events = Family::of_counters(&stat.counters);
    let of_machine = known.model.and_then(Family::of_model);
    let (id, from) = match (known.asked, of_events, of_machine) {
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
