//! Puts measured sizes and latencies into the machine of a model.

use pagewalk::caches::policy::Policy;
use pagewalk::caches::tlb::{ArrayConfig, Index};
use pagewalk::config::{ByKind, L2Hit, MachineConfig};
use pagewalk_base::addr::PageSize;
use pagewalk_base::small_map::SmallMap;
use pagewalk_base::trace::Kind;

use super::levels::ChaseLevel;

/// Returns the model's machine, with the sizes and the latency that the measurement contradicts replaced. A number of
/// the model that lies in the measured interval stays. Returns `None` if the result is no valid machine.
pub(super) fn adapted(
    model: &MachineConfig,
    levels: &[ChaseLevel],
    page: PageSize,
) -> Option<MachineConfig> {
    let mut machine = model.clone();
    machine.name = format!("{}, as measured", model.name);
    for (arrays, level) in [&mut machine.l1, &mut machine.l2].into_iter().zip(levels) {
        for array in arrays.iter_mut().filter(|array| holds_loads(array, page)).take(1) {
            resize(array, level);
        }
    }
    if let Some(cycles) =
        levels.first().filter(|level| level.is_flat).and_then(|it| it.cycles_range)
        && !machine.l2.is_empty()
    {
        replace_latency(&mut machine, cycles);
    }
    machine.problems().is_empty().then_some(machine)
}

fn holds_loads(array: &ArrayConfig, page: PageSize) -> bool {
    let serves = array.serves.as_ref().is_none_or(|kinds| kinds.contains(&Kind::Load));
    serves && array.pages.as_ref().is_none_or(|pages| pages.contains(&page))
}

fn resize(array: &mut ArrayConfig, level: &ChaseLevel) {
    let [from, to] = [level.reach[0], level.reach[1].max(level.half[1])];
    if (from..=to).contains(&array.entries) {
        return;
    }
    let sets = array.ways.filter(|ways| *ways > 0).map(|ways| (ways, from / ways));
    match sets {
        Some((ways, sets)) if sets.is_power_of_two() && sets * ways == from => array.entries = from,
        // The ways of an array of another size are not known, and some policies need certain numbers of ways.
        _ => {
            array.entries = from;
            array.ways = None;
            array.ways_of = SmallMap::default();
            array.caps = None;
            array.index = Index::default();
            array.replacement = Policy::Lru;
        }
    }
}

fn replace_latency(machine: &mut MachineConfig, [low, high]: [f64; 2]) {
    let mut by_kind = match machine.latency.l2_hit {
        L2Hit::All(n) => ByKind { fetch: n, load: n, store: n },
        L2Hit::ByKind(by_kind) => by_kind,
    };
    let now = f64::from(by_kind.load);
    if now < low - 0.5 || now > high + 0.5 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float converts to the nearest number of this size"
        )]
        let measured = f64::midpoint(low, high).round() as u32;
        (by_kind.load, by_kind.store) = (measured, measured);
        machine.latency.l2_hit = L2Hit::ByKind(by_kind);
    }
}
