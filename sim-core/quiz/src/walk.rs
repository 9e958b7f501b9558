//! Questions about the walk: its references, the addresses of its entries, and its cycles.

use pagewalk::record::event::TranslationView;
use pagewalk_base::addr::Level;
use pagewalk_base::error::Result;

use crate::ask::Form;
use crate::mistake::Mistake;
use crate::scene::{Scene, senseless};
use crate::solution::Solution;

/// Returns the sum over the translations of the access.
fn sum(scene: &Scene<'_>, of: impl Fn(&TranslationView) -> u64) -> u64 {
    scene.step.translations.iter().map(of).sum()
}

pub(crate) fn references(scene: &Scene<'_>) -> Result<Solution> {
    let done = scene.walk()?;
    let right = sum(scene, |done| done.refs.into());
    let path = done.levels.len() as u64;
    let is_huge = done.levels.last().is_some_and(|leaf| leaf.level > Level::LOWEST);
    let nested = done.nested.as_ref();
    let levels = scene.machine.levels.into();
    let all = nested.map_or([path, levels], |nested| [nested.cold_refs.into(); 2]);
    Ok(Solution::new(Form::Decimal, right)
        .mistake(Mistake::OneTableTooMany, is_huge.then_some(right + 1))
        .mistake(Mistake::LevelsForReferences, all)
        .mistake(Mistake::GuestForNested, nested.map(|nested| u64::from(nested.guest_refs)))
        .mistake(Mistake::OneTableTooMany, [right + 1]))
}

pub(crate) fn entry_address(scene: &Scene<'_>, level: Level) -> Result<Solution> {
    if scene.step.refused.is_none() {
        scene.walk()?;
    }
    let view = scene.level(level, "level")?;
    let others = scene.levels().iter().filter(|other| other.level != level);
    Ok(Solution::new(Form::Hexadecimal, view.entry_address.0)
        .mistake(Mistake::IndexWithoutSize, view.table.0.checked_add(view.index))
        .mistake(Mistake::TableForEntry, [view.table.0])
        .mistake(Mistake::OtherLevel, others.map(|other| other.entry_address.0))
        .mistake(Mistake::IndexForAddress, [view.index])
        .mistake(Mistake::ValueForAddress, [view.value.0]))
}

pub(crate) fn cycles(scene: &Scene<'_>) -> Result<Solution> {
    scene.translation()?;
    if scene.step.exception.is_some() {
        return Err(senseless("an exception ends the access, and the model gives it no cycles"));
    }
    let right = sum(scene, |done| done.cycles.total);
    let without = |part: fn(&TranslationView) -> u64| right - sum(scene, part);
    Ok(Solution::new(Form::Decimal, right)
        .mistake(Mistake::LookupLost, [without(|done| done.cycles.l2_miss)])
        .mistake(Mistake::OverheadLost, [without(|done| done.cycles.walk_overhead)])
        .mistake(Mistake::ReferencesForCycles, [sum(scene, |done| done.refs.into())])
        .near([1, 2, 3].map(|n| right + 7 * n)))
}
