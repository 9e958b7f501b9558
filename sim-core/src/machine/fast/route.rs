//! The route of a chunk: which accesses are counted instead of simulated, and which loops simulate the others.
//!
//! Every condition for a fast path stands in this file. [`Allowed`] holds what the configuration decides once.
//! [`route`] decides for a chunk. Three conditions depend on the contents of a batch: [`of_one_sort`],
//! [`may_map_early`] and [`expects_exceptional`].
//!
//! Bench rows: every row in accesses/s, from (a) strided loads on. [`Route::Single`] is the way of everything else.

use super::line_touches::LineTouches;
use super::run_heads::{RunHead, RunHeads};
use crate::caches::memory::LINE;
use crate::caches::tlb::TlbArray;
use crate::config::Inclusion;
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::machine::plan::{NO_SINGLE, Plan};
use crate::machine::rights::changes_rights;
use crate::os::{Os, Virt};
use pagewalk_base::addr::Leaf;
use pagewalk_base::trace::{
    Chunk, Kind, LineRuns, Lines, Op, RUN_PAGE_BITS, SETS, SLOTS, SlotRuns,
};

/// How the accesses of a chunk go through the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Route<'a> {
    /// Each access goes through [`Machine::access`].
    Single,
    /// Repeats are counted, and run heads are simulated in batches.
    Runs(Runs<'a>),
}

/// The loops that simulate run heads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs<'a> {
    /// The runs with slots, which leave out more run heads.
    pub(crate) slots: Option<&'a SlotRuns>,
    pub(crate) levels: Levels,
    pub(crate) walks: Walks,
    pub(crate) touches: TouchRoute<'a>,
}

/// The TLB levels that a batch goes through stage by stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Levels {
    /// None: each run head goes through both levels by itself, because a fill may be something else than one entry
    /// in any way. Coalesced pages, for example, share an entry.
    Alone,
    /// Level 1. Each of its misses is looked up in level 2 just before its walk.
    First,
    /// Level 1, then level 2, in shorter loops if [`of_one_sort`] holds.
    Both,
}

/// The way in which the walks of a batch are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walks {
    /// Each walk looks up the paging-structure caches and reads the tables by itself.
    Single,
    /// All walks look up one paging-structure cache after the other. Then each walk reads the tables by itself.
    CachesFirst,
    /// Walks without a host read the tables many at a time, and are reported in sums.
    Native,
    /// Nested walks read the tables many at a time, and are reported in sums.
    Nested,
}

/// The way in which the accesses themselves go through the memory caches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TouchRoute<'a> {
    /// The accesses do not go through the memory caches.
    None,
    /// Repeats of lines are left out, and the order of use in the nearest cache is computed late.
    LateOrder(&'a LineRuns),
    /// Repeats of lines are left out, and every other access is simulated.
    InOrder(&'a LineRuns),
    /// Every access is simulated. Accesses are collected and go through one cache after the other.
    Single(&'a Chunk),
}

/// What the caller needs of the run of a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Whether the caller runs all accesses of the chunk.
    pub(crate) whole: bool,
    /// Whether the probe has a [`Tally`](crate::machine::probe::Tally), so that translations may be reported in
    /// sums.
    pub(crate) sums: bool,
}

/// Chooses the route of a chunk. The route stays valid until the end of the chunk.
pub(crate) fn route<'a>(machine: &Machine, chunk: &'a Chunk, wanted: Wanted) -> Route<'a> {
    if !wanted.whole || !chunk_allows_runs(machine, chunk) {
        return Route::Single;
    }
    let Some(touches) = touch_route(machine, chunk) else { return Route::Single };
    let (levels, walks) = levels_and_walks(machine, wanted.sums);
    let slots = machine.allowed.slots.and_then(|number| chunk.in_slots(number));
    Route::Runs(Runs { slots, levels, walks, touches })
}

/// The fast paths that the configuration of a machine allows. They are chosen when the machine is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Allowed {
    /// Whether repeats may be counted. An operation may end this: see [`Machine::note_stale_entries`].
    runs: bool,
    /// The result of [`slots`].
    slots: Option<usize>,
    /// The result of [`level_2_is_apart`].
    level_2_is_apart: bool,
}

impl Allowed {
    /// Decides what the configuration allows. `leaves` are the leaf levels of the pages that the TLB may hold.
    pub(crate) fn new(
        plan: &Plan,
        l1: &[TlbArray],
        leaves: &[Leaf],
        os: &Os,
        nested: Option<&Nested>,
    ) -> Self {
        let is_mixed = nested.is_some_and(Nested::is_mixed);
        let has_pages_of_runs =
            leaves == [Leaf::SMALLEST] && plan.shift[Leaf::SMALLEST] == RUN_PAGE_BITS;
        let allows_slots = has_pages_of_runs
            // The repeats of a load may be stores.
            && plan.only_l1[Kind::Load.index()][Leaf::SMALLEST]
                == plan.only_l1[Kind::Store.index()][Leaf::SMALLEST]
            && !os.adapts_text()
            && !plan.special_fills;
        Self {
            runs: !os.checks_rights()
                && !is_mixed
                && plan.config.pom_tlb.is_none()
                && plan.config.victima.is_none()
                && plan.config.ecpt.is_none()
                && allows_runs(plan, l1, leaves),
            slots: slots(l1).filter(|_| allows_slots),
            level_2_is_apart: level_2_is_apart(plan, leaves),
        }
    }
}

/// Returns whether repeats on one page may be counted instead of simulated. Fetches must share no level-1 array with
/// data, nothing may depend on every access (a prefetcher does), no masks may choose sets, and one level-1 array must hold every page whole.
fn allows_runs(plan: &Plan, l1: &[TlbArray], leaves: &[Leaf]) -> bool {
    let is_shared =
        l1.iter().any(|a| a.serves(Kind::Fetch) && (a.serves(Kind::Load) || a.serves(Kind::Store)));
    // If the levels depend on each other, a fetch may evict a page of data from level 1.
    let levels_depend = plan.inclusion != Inclusion::Nine;
    let is_kept = |kind: Kind, leaf: Leaf| plan.is_in_one_l1(kind, leaf);
    !is_shared
        && plan.prefetches_into().is_none()
        && plan.config.l1.iter().chain(&plan.config.l2).all(|array| array.index.masks().is_none())
        && !levels_depend
        && lines_allow_runs(plan)
        && plan.paging.offset_bits >= 12
        && leaves.iter().all(|leaf| Kind::SERVED.iter().all(|kind| is_kept(*kind, *leaf)))
}

/// Returns whether accesses that go through the memory caches allow repeats of lines to be left out. A trace
/// knows only which line of [`LINE`] bytes an access touches.
fn lines_allow_runs(plan: &Plan) -> bool {
    let nearest = plan.config.memory.caches.first().filter(|cache| cache.line_bytes() == LINE);
    let n_sets = nearest.and_then(|cache| Some(cache.geometry().ok()?.n_sets));
    let is_split = n_sets.is_some_and(|n_sets: u32| n_sets.is_multiple_of(SETS));
    !plan.caches_data() || plan.virt != Virt::Shadow && is_split
}

/// Returns the index in [`SLOTS`] of the most slots that are at most the number of sets of every level-1 array, for
/// pages of 4 KiB. Such slots may leave out run heads.
fn slots(l1: &[TlbArray]) -> Option<usize> {
    let arrays = l1.iter().filter(|array| array.held_at(Leaf::SMALLEST).is_some());
    let n_sets = arrays.map(|array| array.entries.plain_sets()).min()?;
    SLOTS.iter().position(|slots| n_sets >= *slots)
}

/// Returns whether the contents of level 2 follow from the misses of level 1 alone. One level-2 array, or none, must
/// hold each page whole, and level 2 must hold only pages.
fn level_2_is_apart(plan: &Plan, leaves: &[Leaf]) -> bool {
    let is_simple = |kind: Kind, leaf: Leaf| {
        let kind = kind.index();
        plan.only_l2[kind][leaf] != NO_SINGLE || plan.l2[kind][leaf].get().is_empty()
    };
    plan.inclusion == Inclusion::Nine
        && !plan.special_fills
        && plan.psc.caches.iter().all(|cache| cache.inside.is_none())
        && plan.nested_in().is_none()
        && leaves.iter().all(|leaf| Kind::SERVED.iter().all(|kind| is_simple(*kind, *leaf)))
}

/// Returns whether the contents of each paging-structure cache follow from the misses of level 2 alone. While a shadow
/// table is filled, the caches may lose entries.
fn walk_caches_are_apart(plan: &Plan) -> bool {
    plan.psc.is_apart && plan.virt != Virt::Shadow
}

/// Returns the leaf level of all pages of the host, if nested walks that change nothing may be executed many at a
/// time: the contents of each cache of the host must follow from the lookups in it alone.
pub(super) fn host_leaf(nested: &Nested) -> Option<Leaf> {
    let is_plain = nested.is_walked()
        && nested.plan.psc.is_apart
        && nested.caches.pwc.is_none()
        && !nested.plan.tlb_serves_data
        && !nested.os.counts_walks();
    nested.plan.only_leaf.filter(|_| is_plain)
}

/// Returns whether the machine in its current state may count the repeats of a whole chunk. No operation of the
/// chunk may depend on single accesses, and khugepaged must not be due before the end of the chunk.
fn chunk_allows_runs(machine: &Machine, chunk: &Chunk) -> bool {
    let watches_vms = machine.vms.as_ref().is_some_and(|vms| vms.are_watched());
    machine.allowed.runs
        && !machine.os.checks_rights()
        && !chunk.has_op(changes_rights)
        && !chunk.has_op(leaves_stale_entries)
        && machine.cores.is_none()
        && !machine.checks_permissions()
        && !machine.plan.untagged
        && !(chunk.has_op(|op| matches!(op, Op::VmSwitch { .. })) && watches_vms)
        && chunk.first + chunk.n <= machine.khugepaged_due()
        && machine.plan.rule.is_one_tree(chunk.bits())
}

/// Returns how the accesses of a chunk touch lines, or `None` if they must go through the caches one by one.
fn touch_route<'a>(machine: &Machine, chunk: &'a Chunk) -> Option<TouchRoute<'a>> {
    if !machine.plan.caches_data() {
        return Some(TouchRoute::None);
    }
    let host_adapts = machine.nested.as_ref().is_some_and(|nested| nested.os.adapts_text());
    let moves_pages = machine.os.adapts_text() || machine.os.shares_kernel() || host_adapts;
    if moves_pages {
        return None;
    }
    Some(match chunk.lines()? {
        Lines::Each(chunk) => TouchRoute::Single(chunk),
        Lines::Runs(runs) => {
            let is_late = machine.memory.allows_late_order();
            if is_late { TouchRoute::LateOrder(runs) } else { TouchRoute::InOrder(runs) }
        }
    })
}

/// Returns the stages of the TLB and of the walks. With `sums`, translations may be reported in sums.
fn levels_and_walks(machine: &Machine, sums: bool) -> (Levels, Walks) {
    if machine.plan.special_fills {
        return (Levels::Alone, Walks::Single);
    }
    if !machine.allowed.level_2_is_apart {
        return (Levels::First, Walks::Single);
    }
    if !walk_caches_are_apart(&machine.plan) {
        return (Levels::Both, Walks::Single);
    }
    let in_sums = sums && !machine.os.counts_walks();
    let walks = match &machine.nested {
        None if in_sums => Walks::Native,
        Some(nested) if in_sums && host_leaf(nested).is_some() => Walks::Nested,
        _ => Walks::CachesFirst,
    };
    (Levels::Both, walks)
}

/// Returns all run heads of a batch if they are of one sort, which one array of each level holds. [`Levels::Both`] must be
/// the route.
#[inline]
pub(super) fn of_one_sort<'a>(machine: &Machine, heads: &'a RunHeads) -> Option<&'a [RunHead]> {
    let heads = heads.of_one_sort()?;
    let first = heads.first()?;
    debug_assert!(
        heads.iter().all(|head| head.page.sort() == first.page.sort()),
        "the sorts are those of the run heads"
    );
    let (kind, leaf) = (first.page.kind().index(), first.page.leaf());
    let [l1_array, l2_array] = [machine.plan.only_l1, machine.plan.only_l2].map(|o| o[kind][leaf]);
    let arrays = &machine.structures;
    let are_there =
        arrays.l1.len() > usize::from(l1_array) && arrays.l2.len() > usize::from(l2_array);
    are_there.then_some(heads)
}

/// Returns whether walks may map pages before the touches of earlier accesses are executed. No access may be a
/// prefetch: a prefetch does nothing if it finds no page yet.
#[inline]
pub(super) fn may_map_early(machine: &Machine, touches: Option<&LineTouches<'_>>) -> bool {
    let is_allowed = match touches {
        None => true,
        Some(LineTouches::InRuns(_)) => false,
        Some(LineTouches::Single(accesses)) => !accesses.has_prefetches,
    };
    is_allowed && !machine.os.checks_rights()
}

/// Returns whether the rest of a batch should be translated one by one: fewer than 3 ordinary misses came before
/// each exceptional one. New tables come together, so a search for ordinary misses among them finds few. The first exceptional miss has less weight.
#[inline]
pub(super) fn expects_exceptional(n_ordinary: usize, n_exceptional: usize) -> bool {
    const ORDINARY_FOR_EACH: usize = 3;
    const GRANTED: usize = 4;
    n_ordinary + GRANTED < ORDINARY_FOR_EACH * n_exceptional
}

impl Machine {
    /// Ends [`Route::Runs`] for the rest of the trace, if an operation may leave stale entries.
    pub(crate) fn note_stale_entries(&mut self, op: &Op) {
        self.allowed.runs &= !leaves_stale_entries(op);
    }
}

/// Returns whether an operation may leave entries that do not match the page tables.
///
/// Under a PCID or VPID, paging-structure caches may keep tables of another process, or freed tables. Then each walk
/// must look up the caches before it reads. A munmap may free tables that walk caches of other contexts keep, even
/// with a flush. Without a flush, the TLB may keep unmapped pages. An access that hits such a page reads nothing. So
/// the order matters: which accesses come before the page is mapped again.
fn leaves_stale_entries(op: &Op) -> bool {
    matches!(
        op,
        Op::Munmap { .. }
            | Op::Madvise { flush: false, .. }
            | Op::MovCr3 { pcid: Some(_), .. }
            | Op::VmSwitch { vpid: Some(_), .. }
    )
}
