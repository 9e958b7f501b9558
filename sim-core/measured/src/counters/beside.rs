//! Each counter with its meaning, and beside it what a run counted.

use super::family::Family;
use super::meaning::{Meaning, Of, Quantity, meaning};
use super::simulated::Simulated;
use super::totals::Total;
use super::{Beside, CounterView};

/// A total that is understood, or not.
#[derive(Clone, Debug)]
pub(super) struct Read<'a> {
    pub(super) total: &'a Total,
    pub(super) meaning: Option<Meaning>,
}

impl Read<'_> {
    /// Counters that may be divided by one another: one unit, one mode, one group of processes.
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

/// Gives totals their meaning on processors of the family.
pub(super) fn read(totals: &[Total], family: Option<Family>) -> Vec<Read<'_>> {
    let of = |total: &Total| {
        // Of a hybrid, the units tell the family of each counter.
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

/// What counters are set beside.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) simulated: &'a Simulated,
    /// The event family of the machine, if it is a CPU model.
    pub(super) family: Option<Family>,
}

impl Run<'_> {
    /// Returns whether a counter may be one of the program on the simulated core: not of the kernel alone, and
    /// of a hybrid those of the same kind of core.
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
            // A part of the accesses is not compared with all of them.
            beside: run
                .filter(|run| run.simulated.is_complete())
                .and_then(|run| beside(all, read, run)),
        }
    };
    all.iter().map(view).collect()
}

/// Returns whether a counter that is a rate has nothing to be divided by.
pub(super) fn lacks_base(all: &[Read<'_>], run: Option<Run<'_>>) -> bool {
    let Some(run) = run else { return false };
    all.iter().any(|read| {
        let Some(meaning) = read.meaning.filter(Meaning::is_rate) else { return false };
        let is_both = read.total.value.is_some() && run.simulated.count(&meaning).is_some();
        is_both && base(all, read, &meaning, run.simulated).is_none()
    })
}

/// What an event counts where it is not known whose it is.
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

fn beside(all: &[Read<'_>], read: &Read<'_>, run: Run<'_>) -> Option<Beside> {
    let meaning = read.meaning?;
    let count = run.simulated.count(&meaning)?;
    let value = read.total.value?;
    let mut beside = Beside {
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
        beside.base = Some(format!("1,000 {name}"));
        beside.measured_per = Some(measured_per);
        beside.simulated_per = Some(simulated_per);
        let (pmu, mode, _) = read.domain();
        let is_comparable = run.is_of(pmu, mode) && simulated_per > 0.0;
        beside.ratio = is_comparable.then(|| measured_per / simulated_per);
    } else if run.simulated.is_part() {
        // A count of a part is none of the whole.
        return None;
    }
    Some(beside)
}

/// What both sides counted and a count may be divided by: instructions, else accesses of the kind.
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
        Of::Loads => both(Q::Accesses, Of::Loads).map(|(n, count)| ("loads", n, count)),
        Of::Stores => both(Q::Accesses, Of::Stores).map(|(n, count)| ("stores", n, count)),
        Of::Data => {
            let parts = both(Q::Accesses, Of::Loads).zip(both(Q::Accesses, Of::Stores));
            let sum = parts.map(|(loads, stores)| (loads.0 + stores.0, loads.1 + stores.1));
            let sum = both(Q::Accesses, Of::Data).or(sum);
            if let Some((measured, count)) = sum {
                return Some(("loads and stores", measured, count));
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
