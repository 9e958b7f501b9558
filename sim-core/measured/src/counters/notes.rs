//! What is to be kept in mind with these counters, in sentences.

use super::family::Family;
use super::totals::MAX_EVENTS;
use super::{CounterView, FamilyFrom, FamilyView, Known, Simulated};
use pagewalk_sources::perf_stat::State;

/// What the sentences follow from.
pub(super) struct Facts<'a> {
    pub(super) known: Known<'a>,
    pub(super) family: Option<&'a FamilyView>,
    pub(super) counters: &'a [CounterView],
    /// A count has nothing that both sides may be divided by.
    pub(super) lacks_base: bool,
    /// Printed counters that were too many.
    pub(super) left_out: usize,
}

pub(super) fn notes(facts: &Facts<'_>) -> Vec<String> {
    let Facts { known, family, counters, left_out, .. } = facts;
    let mut notes = Vec::new();
    if *left_out > 0 {
        notes.push(format!(
            "{left_out} counters beyond the first {MAX_EVENTS} events were left out"
        ));
    }
    let estimates = counters.iter().filter(|counter| counter.is_estimate).count();
    if estimates > 0 {
        notes.push(format!(
            "{estimates} of {} counters shared the processor's: perf scaled their values up from the part of the time shown, so they are estimates. Measure fewer events at once for exact ones",
            counters.len()
        ));
    }
    for (state, one, several) in [
        (
            State::NotCounted,
            "was never counted: the program was too short, or other events, such as the kernel's NMI watchdog, held the processor's counters",
            "were never counted: the program was too short, or other events, such as the kernel's NMI watchdog, held the processor's counters",
        ),
        (
            State::NotSupported,
            "is not supported there: the processor, its kernel or the virtual machine does not have it",
            "are not supported there: the processor, its kernel or the virtual machine does not have them",
        ),
    ] {
        let names: Vec<&str> = counters
            .iter()
            .filter(|counter| counter.state == state)
            .map(|counter| counter.name.full.as_str())
            .collect();
        if !names.is_empty() {
            let what = if names.len() == 1 { one } else { several };
            notes.push(format!("{} {what}", listed(&names)));
        }
    }
    if counters.iter().any(|counter| counter.missing > 0 && counter.value.is_some()) {
        notes.push(
            "Some intervals or parts have no value of an event: its sum is of the others"
                .to_owned(),
        );
    }
    if counters.iter().any(|counter| counter.name.pmu == "cpu_core")
        && counters.iter().any(|counter| counter.name.pmu == "cpu_atom")
    {
        notes.push("cpu_core and cpu_atom are different cores: each counter is scaled up to the whole time as if the program had run on its kind alone, so their sum is no total".to_owned());
    }
    let is_of_tlb = |counter: &CounterView| {
        counter.meaning.is_some() && counter.name.event.to_ascii_lowercase().contains("tlb-")
    };
    if family.is_none() && counters.iter().any(is_of_tlb) {
        notes.push("The names do not show whose processor it is, and dTLB-load-misses counts different things on Intel, AMD and Arm: say which".to_owned());
    }
    if let (Some(family), Some(model)) = (family, known.model)
        && family.from != FamilyFrom::Machine
        && let Some(machine) = Family::of_model(model)
        && machine.vendor() != family.id.vendor()
    {
        notes.push(format!(
            "The events are those of {}, the simulated machine is another vendor's",
            family.name
        ));
    }
    if let Some(simulated) = &known.simulated {
        beside(facts, simulated, &mut notes);
    }
    notes
}

/// What keeps a measured number from being the simulated one.
fn beside(facts: &Facts<'_>, simulated: &Simulated, notes: &mut Vec<String>) {
    let Facts { counters, lacks_base, .. } = facts;
    if !simulated.is_complete() {
        notes.push("The trace holds a part of the program's accesses only, so what was simulated of it is not compared with what was measured".to_owned());
        return;
    }
    if simulated.is_part() {
        notes.push("What was simulated is a part of the trace's file, what was measured is the whole program: rates of the one stand beside rates of the other, which differ where the program does not always do the same, and counts alone are not compared".to_owned());
    }
    if *lacks_base {
        let base = if simulated.has_fetches() {
            "instructions"
        } else {
            "loads and stores (on Intel mem_inst_retired.all_loads and all_stores)"
        };
        notes.push(format!(
            "Some counts have nothing beside them that both sides may be divided by: measure {base} as well to compare rates"
        ));
    }
    let counts_kernel = |counter: &CounterView| {
        counter.value.is_some()
            && counter.meaning.is_some()
            && counter.unit.is_empty()
            && counter.name.mode().is_empty()
    };
    if counters.iter().any(counts_kernel) {
        notes.push("Events without :u count the kernel too, which traces of valgrind, Pin, DynamoRIO and QEMU do not hold: measure with :u to compare with one of those".to_owned());
    }
    notes.push("Processors also walk for speculative and prefetched accesses, which no trace holds: a ratio somewhat above 1 is to be expected".to_owned());
}

/// `a, b and c`, or how many where there are more.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] if names.len() <= 6 => format!("{} and {last}", first.join(", ")),
        [first, second, ..] => format!("{first}, {second} and {} more events", names.len() - 2),
    }
}
