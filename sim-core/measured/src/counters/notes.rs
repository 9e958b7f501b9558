//! Notes for the user about the limits of these counters, as sentences.

use super::family::Family;
use super::totals::MAX_EVENTS;
use super::{Context, CounterView, FamilyFrom, FamilyView, Simulated};
use pagewalk_sources::perf_stat::State;

/// The facts that the notes depend on.
pub(super) struct Facts<'a> {
    pub(super) context: Context<'a>,
    pub(super) family: Option<&'a FamilyView>,
    pub(super) counters: &'a [CounterView],
    /// Whether a count has no base that both sides have counted.
    pub(super) lacks_base: bool,
    /// The number of printed counters beyond the limit.
    pub(super) left_out: usize,
}

pub(super) fn notes(facts: &Facts<'_>) -> Vec<String> {
    let Facts { context, family, counters, left_out, .. } = facts;
    let mut notes = Vec::new();
    if *left_out > 0 {
        notes.push(format!(
            "{left_out} counters beyond the first {MAX_EVENTS} events were left out"
        ));
    }
    let estimates = counters.iter().filter(|counter| counter.is_estimate).count();
    if estimates > 0 {
        notes.push(format!(
            "{estimates} of {} counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values",
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
            "Some intervals or parts of the machine have no value of an event; its sum is over the others"
                .to_owned(),
        );
    }
    if counters.iter().any(|counter| counter.name.pmu == "cpu_core")
        && counters.iter().any(|counter| counter.name.pmu == "cpu_atom")
    {
        notes.push("cpu_core and cpu_atom are different kinds of core: perf extrapolates each counter as if the program had run on that kind alone, so do not add them up".to_owned());
    }
    let is_of_tlb = |counter: &CounterView| {
        counter.meaning.is_some() && counter.name.event.to_ascii_lowercase().contains("tlb-")
    };
    if family.is_none() && counters.iter().any(is_of_tlb) {
        notes.push("The names do not show the vendor of the processor, and dTLB-load-misses counts different things on Intel, AMD and Arm: choose the processor".to_owned());
    }
    if let (Some(family), Some(model)) = (family, context.model)
        && family.from != FamilyFrom::Machine
        && let Some(machine) = Family::of_model(model)
        && machine.vendor() != family.id.vendor()
    {
        notes.push(format!(
            "The events are those of {}, but the simulated machine is from another vendor",
            family.name
        ));
    }
    if let Some(simulated) = &context.simulated {
        add_comparison_notes(facts, simulated, &mut notes);
    }
    notes
}

/// Adds the reasons why measured and simulated numbers differ.
fn add_comparison_notes(facts: &Facts<'_>, simulated: &Simulated, notes: &mut Vec<String>) {
    let Facts { counters, lacks_base, .. } = facts;
    if !simulated.is_complete() {
        notes.push("The trace holds only a part of the program's accesses, so the simulation is not compared with the measurement".to_owned());
        return;
    }
    if simulated.is_part() {
        notes.push("The run simulates a part of the trace's file, but the measurement is of the whole program. Rates are compared, and differ if the program changes its behaviour; counts are not compared".to_owned());
    }
    if *lacks_base {
        let base = if simulated.has_fetches() {
            "instructions"
        } else {
            "loads and stores (on Intel mem_inst_retired.all_loads and all_stores)"
        };
        notes.push(format!(
            "Some counts have no base that both sides have counted: also measure {base} to compare rates"
        ));
    }
    let counts_kernel = |counter: &CounterView| {
        counter.value.is_some()
            && counter.meaning.is_some()
            && counter.unit.is_empty()
            && counter.name.mode().is_empty()
    };
    if counters.iter().any(counts_kernel) {
        notes.push("Events without :u also count the kernel, which is not in traces of valgrind, Pin, DynamoRIO and QEMU: measure with :u to compare with such a trace".to_owned());
    }
    notes.push("Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1".to_owned());
}

/// Returns `a, b and c`, or the first two and the number of the others.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] if names.len() <= 6 => format!("{} and {last}", first.join(", ")),
        [first, second, ..] => format!("{first}, {second} and {} more events", names.len() - 2),
    }
}
