//! Questions about a TLB array: the set, the way, and the victim.

use pagewalk::caches::tlb::Index;
use pagewalk::record::event::FillView;
use pagewalk_base::error::{Error, Result};

use crate::ask::Form;
use crate::lookup::{Lookup, set_of};
use crate::mistake::Mistake;
use crate::scene::{Held, Scene, Set, low_bits};
use crate::solution::{Solution, Value};

/// The word for a fill that evicts no entry.
const NONE: &str = "none";

pub(crate) fn set(scene: &Scene<'_>, of: &str) -> Result<Solution> {
    let look = scene.lookup(of)?;
    let (array, page, bits) = (look.array, look.page, look.set_bits());
    let (offset, end) = (low_bits(scene.va, look.shift), u64::from(array.sets));
    let below = u32::from(look.shift).checked_sub(bits).map(|shift| offset >> shift);
    let other_sizes = scene.other_shifts(look.shift).map(|shift| set_of(array, scene.va >> shift));
    let others = scene.other_lookups(look.structure).map(|other| u64::from(other.set));
    // Where masks choose the set, no part of the page number is the tag.
    let has_tag = !matches!(array.index, Index::XorMasks(_));
    let tags = has_tag.then(|| [look.tag() & (end - 1), look.tag()]);
    Ok(Solution::new(Form::Decimal, u64::from(look.set))
        .mistake(Mistake::LowBitsForXor, [page & (end - 1)])
        .mistake(Mistake::OffsetForSet, [offset & (end - 1)].into_iter().chain(below))
        .mistake(Mistake::TagForSet, tags.into_iter().flatten())
        .mistake(Mistake::PageForSet, [page])
        .mistake(Mistake::OtherPageSize, other_sizes)
        .mistake(Mistake::OtherLevel, others)
        .mistake(Mistake::OffsetForSet, [offset])
        .near_below(end)
        .of(of))
}

/// Returns the fill of the array.
fn fill<'a>(scene: &'a Scene<'_>, look: &Lookup<'_>) -> Result<&'a FillView> {
    let mut fills = scene.translation()?.fills.iter();
    fills.find(|fill| fill.structure == look.structure).ok_or_else(|| {
        Error::config("of", format!("the access fills no entry of `{}`", look.array.name))
    })
}

pub(crate) fn way(scene: &Scene<'_>, of: &str) -> Result<Solution> {
    let look = scene.lookup(of)?;
    let others = scene.other_lookups(look.structure);
    let others = others.filter_map(|other| other.way).map(u64::from);
    let (sets, ways) = (u64::from(look.set), u64::from(look.array.ways));
    let solution = if let Some(way) = look.way {
        Solution::new(Form::Decimal, u64::from(way))
    } else {
        let fill = fill(scene, &look)?;
        let set = scene.set_before(look.structure, fill.set);
        let solution = Solution::new(Form::Decimal, u64::from(fill.way));
        by_policy(solution, &look, &set, |entry| Some(entry.way.into()))
    };
    Ok(solution
        .mistake(Mistake::SetForWay, [sets])
        .mistake(Mistake::OtherLevel, others)
        .near_below(ways)
        .of(of))
}

pub(crate) fn victim(scene: &Scene<'_>, of: &str) -> Result<Solution> {
    let look = scene.lookup(of)?;
    let fill = fill(scene, &look)?;
    let set = scene.set_before(look.structure, fill.set);
    let evicted = fill.evicted.as_ref();
    if evicted.is_some_and(|entry| entry.table) {
        let message = format!("`{of}` evicts an entry that leads to a table, which has no page");
        return Err(Error::config("of", message));
    }
    let right = evicted.map_or(Value::from(NONE), |entry| entry.key.0.into());
    let start = evicted.map(|entry| entry.key.0 << entry.key_shift);
    let fills = scene.translation()?.fills.iter().filter(|other| other.structure != fill.structure);
    let others = fills.filter_map(|other| Some(other.evicted.as_ref()?.key.0));
    let neighbour = scene.set_before(look.structure, (fill.set + 1) % look.array.sets);
    let solution = Solution::new(Form::Hexadecimal, right);
    Ok(by_policy(solution, &look, &set, |entry| entry.page.map(Value::from))
        .mistake(Mistake::EmptyForVictim, evicted.map(|_| NONE))
        .mistake(Mistake::OtherLevel, others)
        .mistake(Mistake::AddressForPage, start)
        .near(set.entries.iter().filter_map(|entry| entry.page))
        .mistake(Mistake::OtherSet, pages_not_in(&neighbour, &set))
        .of(of))
}

/// Returns the pages of one set that another does not have.
fn pages_not_in(from: &Set, set: &Set) -> Vec<u64> {
    let own: Vec<u64> = set.entries.iter().filter_map(|entry| entry.page).collect();
    from.entries.iter().filter_map(|entry| entry.page).filter(|page| !own.contains(page)).collect()
}

/// Adds the mistakes about the rule that chooses a victim.
fn by_policy(
    solution: Solution,
    look: &Lookup<'_>,
    set: &Set,
    value: impl Fn(&Held) -> Option<Value>,
) -> Solution {
    let entries = &set.entries;
    let newest = entries.iter().max_by_key(|entry| entry.used_at).and_then(&value);
    let first = entries.iter().min_by_key(|entry| entry.filled_at).and_then(&value);
    let least = entries.iter().min_by_key(|entry| entry.used_at).and_then(&value);
    if set.has_empty_way {
        return solution
            .mistake(Mistake::VictimForEmpty, least)
            .mistake(Mistake::VictimForEmpty, entries.iter().filter_map(value));
    }
    let (mistake, tempting) = match look.array.replacement.as_str() {
        "lru" => (Mistake::FirstInForLeastRecent, first),
        "fifo" => (Mistake::LeastRecentForFirstIn, least),
        _ => (Mistake::LeastRecentForPolicy, least),
    };
    solution.mistake(mistake, tempting).mistake(Mistake::NewestForOldest, newest)
}
