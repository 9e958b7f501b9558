//! Gives each counter its meaning, and compares it with a run.

use super::family::Family;
use super::meaning::{Meaning, Of, Quantity, meaning};
use super::simulated::Simulated;
use super::totals::Total;
use super::{Comparison, CounterView};

/// A total with its meaning, if that is known.
#[derive(Clone, Debug)]
pub(super) struct Read<'a> {
    pub(super) total: &'a Total,
    pub(super) meaning: Option<Meaning>,
}

impl Read<'_> {
    /// Returns the domain of the counter: its unit, mode and group of processes. Only counters of one domain
    /// may be divided by each other.
    pub(super) fn domain(&self) -> (&str, &str, Option<&str>) {
        let name = &self.total.name;
        (&name.pmu, name.mode(), self.total.cgroup.as_deref())
    }

    fn is(&self, quantity: Quantity, of: Of) -> bool {
        let is_it = |meaning: &Meaning| {
            meaning.quantity == quantity && meaning.of == of && meaning.pages.is_none()
        };
        self.meaning.as_ref().is_some_and(is_it)
    }
}

/// Returns the totals with their meaning on processors of the family.
pub(super) fn read(totals: &[Total], family: Option<Family>) -> Vec<Read<'_>> {
    let of = |total: &Total| {
        // On a hybrid processor the unit of a counter names its family.
        let known = family.map(|family| family.of_counter(&total.name));
        known.and_then(|family| meaning(&total.name.event, family))
    };
    totals.iter().map(|total| Read { total, meaning: of(total) }).collect()
}

/// Returns the first counter with a value of a quantity in a domain.
pub(super) fn find<'a>(
    all: &'a [Read<'a>],
    domain: (&str, &str, Option<&str>),
    quantity: Quantity,
    of: Of,
) -> Option<(f64, &'a Total)> {
    let fits = |read: &&Read<'_>| read.domain() == domain && read.is(quantity, of);
    let with_value = |read: &'a Read<'a>| Some((read.total.value?, read.total));
    all.iter().filter(fits).find_map(with_value)
}

/// The run that counters are compared with.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) simulated: &'a Simulated,
    /// The event family of the machine, if it is a CPU model.
    pub(super) family: Option<Family>,
}

impl Run<'_> {
    /// Returns whether a counter may be compared with the run. It must not count the kernel only, and on a
    /// hybrid processor it must belong to the simulated kind of core.
    pub(super) fn is_of(&self, pmu: &str, mode: &str) -> bool {
        let is_other_core = match (pmu, self.family) {
            ("cpu_atom", Some(family)) => family != Family::IntelAtom,
            ("cpu_core", Some(family)) => family == Family::IntelAtom,
            _ => false,
        };
        self.simulated.is_complete() && mode != "k" && !is_other_core
    }
}

pub(super) fn counters(
    all: &[Read<'_>],
    family: Option<Family>,
    run: Option<Run<'_>>,
) -> Vec<CounterView> {
    let view = |read: &Read<'_>| {
        let Total { name, unit, cgroup, state, value, running, variance, counters, missing } =
            read.total;
        let (meaning, note) = match (&read.meaning, family) {
            (Some(meaning), _) => (Some(meaning.words()), meaning.note.map(str::to_owned)),
            (None, Some(_)) => (None, None),
            (None, None) => (on_each_vendor(&name.event), None),
        };
        CounterView {
            name: name.clone(),
            cgroup: cgroup.clone(),
            state: *state,
            value: *value,
            unit: unit.clone(),
            running: *running,
            is_estimate: read.total.is_estimate(),
            variance: *variance,
            counters: *counters,
            missing: *missing,
            meaning,
            note,
            // A trace with a part of the accesses is not compared with counts of all.
            beside: run
                .filter(|run| run.simulated.is_complete())
                .and_then(|run| compare(all, read, run)),
        }
    };
    all.iter().map(view).collect()
}

/// Returns whether any counter that is a rate has no base to be divided by.
pub(super) fn lacks_base(all: &[Read<'_>], run: Option<Run<'_>>) -> bool {
    let Some(run) = run else { return false };
    all.iter().any(|read| {
        let Some(meaning) = read.meaning.filter(Meaning::is_rate) else { return false };
        let is_both = read.total.value.is_some() && run.simulated.count(&meaning).is_some();
        is_both && base(all, read, &meaning, run.simulated).is_none()
    })
}

/// Returns the meaning of an event on each vendor's processors, if the processor is not known.
fn on_each_vendor(event: &str) -> Option<String> {
    let vendors = [Family::IntelSkylake, Family::AmdZen, Family::Arm];
    let words = vendors.map(|family| Some((family, meaning(event, family)?.words())));
    let known: Vec<&(Family, String)> = words.iter().flatten().collect();
    let (_, first) = known.first()?;
    if known.len() == vendors.len() && known.iter().all(|(_, words)| words == first) {
        return Some(first.clone());
    }
    let each = known.iter().map(|(family, words)| format!("{}: {words}", family.vendor()));
    Some(each.collect::<Vec<_>>().join("; "))
}

fn compare(all: &[Read<'_>], read: &Read<'_>, run: Run<'_>) -> Option<Comparison> {
    let meaning = read.meaning?;
    let count = run.simulated.count(&meaning)?;
    let value = read.total.value?;
    let mut comparison = Comparison {
        simulated: count,
        base: None,
        measured_per: None,
        simulated_per: None,
        ratio: None,
    };
    if let Some((name, measured_base, simulated_base)) = base(all, read, &meaning, run.simulated) {
        #[expect(clippy::cast_precision_loss, reason = "a rate is shown with a few digits")]
        let simulated_per = 1000.0 * count as f64 / simulated_base as f64;
        let measured_per = 1000.0 * value / measured_base;
        comparison.base = Some(format!("1,000 {name}"));
        comparison.measured_per = Some(measured_per);
        comparison.simulated_per = Some(simulated_per);
        let (pmu, mode, _) = read.domain();
        let is_comparable = run.is_of(pmu, mode) && simulated_per > 0.0;
        comparison.ratio = is_comparable.then(|| measured_per / simulated_per);
    } else if run.simulated.is_part() {
        // The count of a partial run is not comparable with the count of the whole program.
        return None;
    }
    Some(comparison)
}

/// Returns the base that both sides have counted, by which counts are divided: instructions, else accesses of
/// the kind.
fn base(
    all: &[Read<'_>],
    read: &Read<'_>,
    meaning: &Meaning,
    simulated: &Simulated,
) -> Option<(&'static str, f64, u64)> {
    use Quantity as Q;
    if !meaning.is_rate() && meaning.quantity != Q::Accesses {
        return None;
    }
    let both = |quantity, of| {
        let (measured, _) = find(all, read.domain(), quantity, of)?;
        let count = simulated.count(&Meaning { quantity, of, pages: None, note: None })?;
        (measured > 0.0 && count > 0).then_some((measured, count))
    };
    if let Some((measured, count)) = both(Q::Instructions, Of::All) {
        return Some(("instructions", measured, count));
    }
    if meaning.quantity == Q::Accesses {
        return None;
    }
    match meaning.of {
        of @ (Of::Loads | Of::Stores) => {
            both(Q::Accesses, of).map(|(n, count)| (of.short_words(), n, count))
        }
        Of::Data => {
            let parts = both(Q::Accesses, Of::Loads).zip(both(Q::Accesses, Of::Stores));
            let sum = parts.map(|(loads, stores)| (loads.0 + stores.0, loads.1 + stores.1));
            let sum = both(Q::Accesses, Of::Data).or(sum);
            if let Some((measured, count)) = sum {
                return Some((Of::Data.short_words(), measured, count));
            }
            let lookups = both(Q::L1Lookups, Of::Data).filter(|_| meaning.quantity != Q::L1Lookups);
            lookups.map(|(n, count)| ("lookups", n, count))
        }
        Of::Fetches => {
            let lookups =
                both(Q::L1Lookups, Of::Fetches).filter(|_| meaning.quantity != Q::L1Lookups);
            lookups.map(|(n, count)| ("lookups", n, count))
        }
        Of::All => None,
    }
}
