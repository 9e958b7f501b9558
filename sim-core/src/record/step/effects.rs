//! The effects of operations and of acts of the system: the observed facts, and their views.

use super::translation::entry_view;
use crate::entry;
use crate::entry::ept;
use crate::machine::Machine;
use crate::machine::probe::{
    ActFact, DropFact, LeftFact, OpFact, ShootdownFact, SystemAct, WriteFact,
};
use crate::os::{FaultCause, KERNEL};
use crate::record::event::{
    ActView, ChangeView, DroppedView, EffectsView, NotifiedCoreView, OpView,
};
use crate::record::snapshot::in_use;
use pagewalk_base::addr::{Hex, Leaf};

/// The most dropped entries that are listed. Further entries are only counted.
const MAX_ENTRIES: usize = 64;

/// The most changed page-table entries that are listed.
const MAX_CHANGES: usize = 16;

/// The facts observed since the last operation or act.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub(super) dropped: Vec<DropFact>,
    pub(super) stayed: Vec<DropFact>,
    pub(super) notified: Vec<ShootdownFact>,
    pub(super) wrote: Vec<WriteFact>,
}

/// An act of the system. `address` is `None` until the translation that caused the act is done.
#[derive(Clone, Debug)]
pub(super) struct ActDraft {
    act: SystemAct,
    address: Option<u64>,
    effects: Effects,
}

impl Effects {
    /// Adds the entries that left their structures by a shootdown to the dropped ones.
    pub(super) fn shot<'a>(&mut self, left: impl IntoIterator<Item = &'a LeftFact>) {
        self.dropped.extend(left.into_iter().map(|fact| {
            let LeftFact { structure, slot, tag, entry, .. } = *fact;
            DropFact { structure, slot, tag, table: false, host: false, entry }
        }));
    }

    /// Adds later writes. An entry that is written twice is listed once, with its first and its last value.
    fn write_on(&mut self, later: Vec<WriteFact>) {
        for fact in later {
            let (host, place) = (fact.host, fact.written.address);
            let is_same = |w: &&mut WriteFact| (w.host, w.written.address) == (host, place);
            match self.wrote.iter_mut().find(is_same) {
                Some(first) => first.written.now = fact.written.now,
                None => self.wrote.push(fact),
            }
        }
        self.wrote.retain(|fact| fact.written.was != fact.written.now);
    }

    fn view(&self, machine: &Machine) -> EffectsView {
        let n = in_use(machine).len();
        let own = self.wrote.iter().filter(|fact| fact.host || is_own(machine, fact));
        let n_own = own.clone().count();
        let stayed = if self.stayed.is_empty() { 0 } else { n };
        EffectsView {
            dropped: by_structure(n, &self.dropped),
            entries: first_of(machine, &self.dropped),
            stayed: by_structure(stayed, &self.stayed),
            stayed_entries: first_of(machine, &self.stayed),
            cores: self.notified.iter().map(|core| shootdown_view(machine, n, core)).collect(),
            changes: own.take(MAX_CHANGES).map(|fact| change_view(machine, fact)).collect(),
            n_changes: count(self.wrote.len()),
            n_of_others: count(self.wrote.len() - n_own),
        }
    }
}

impl ActDraft {
    /// Adds an act with its address. A page that is copied or kept is first unmapped, and then mapped by the walk.
    /// [`Self::fault`] joins both to one act.
    pub(super) fn add(all: &mut Vec<Self>, fact: &ActFact, effects: Effects) {
        all.push(Self { act: fact.act, address: Some(fact.address), effects });
    }

    /// Adds the effects of a page fault in the current translation.
    pub(super) fn fault(all: &mut Vec<Self>, cause: FaultCause, mut effects: Effects) {
        let begun = all.last_mut().filter(|last| {
            cause == FaultCause::CopyOnWrite
                && matches!(last.act, SystemAct::Copy | SystemAct::Keep)
                && last.address.is_some()
        });
        if let Some(last) = begun {
            last.effects.write_on(std::mem::take(&mut effects.wrote));
            return;
        }
        let act = match cause {
            FaultCause::FirstTouch => SystemAct::Map,
            FaultCause::Shared => SystemAct::MapShared,
            FaultCause::CopyOnWrite => SystemAct::Copy,
            FaultCause::SwapIn => SystemAct::SwapIn,
            // The view shows this fault as a VM exit.
            FaultCause::Hidden => return,
        };
        all.push(Self { act, address: None, effects });
    }

    /// Assigns the address of the translation to its acts.
    pub(super) fn assign_address(all: &mut [Self], address: u64) {
        for act in all.iter_mut().filter(|act| act.address.is_none()) {
            act.address = Some(address);
        }
    }

    pub(super) fn view(&self, machine: &Machine) -> ActView {
        ActView {
            act: self.act,
            address: Hex(self.address.unwrap_or_default()),
            effects: self.effects.view(machine),
        }
    }
}

pub(super) fn op_view(machine: &Machine, op: &OpFact, effects: &Effects) -> OpView {
    OpView {
        op: op.record.op,
        text: op.record.op.to_string(),
        pid: op.record.pid,
        is_switch: op.is_switch,
        effects: effects.view(machine),
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn by_structure(n: usize, facts: &[DropFact]) -> Vec<u32> {
    let mut all = vec![0; n];
    for fact in facts {
        if let Some(count) = all.get_mut(fact.structure.index()) {
            *count += 1;
        }
    }
    all
}

/// Returns the views of the first [`MAX_ENTRIES`] entries.
fn first_of(machine: &Machine, facts: &[DropFact]) -> Vec<DroppedView> {
    let views = facts.iter().take(MAX_ENTRIES).map(|fact| DroppedView {
        structure: fact.structure.index(),
        set: fact.slot.set,
        way: fact.slot.way,
        entry: entry_view(machine, fact.structure, fact.tag, &fact.entry),
    });
    views.collect()
}

fn shootdown_view(machine: &Machine, n: usize, core: &ShootdownFact) -> NotifiedCoreView {
    NotifiedCoreView {
        core: core.core,
        runs: core.runs,
        dropped: by_structure(n, &core.dropped),
        entries: first_of(machine, &core.dropped),
    }
}

/// Returns whether an entry is in the tables of the running process, or in the kernel's tables, which all
/// processes share.
fn is_own(machine: &Machine, fact: &WriteFact) -> bool {
    let space = fact.written.place.space;
    let mut own =
        machine.pid.into_iter().chain([KERNEL]).filter_map(|pid| machine.spaces.get(&pid));
    space == machine.space || own.any(|own| *own == space)
}

fn change_view(machine: &Machine, fact: &WriteFact) -> ChangeView {
    let (host, written) = (fact.host, &fact.written);
    let level = written.place.level;
    let nested = machine.nested.as_ref().filter(|_| host);
    let paging = nested.map_or(&machine.plan.paging, |nested| &nested.plan.paging);
    let is_ept = nested.is_some_and(|nested| nested.plan.is_ept);
    let of_ept = ept::Format::new(paging, level, ept::Modes::default());
    let of_tables = entry::Format::new(paging, level, entry::Modes::default());
    let seen =
        |value| if host { value } else { machine.tables.seen(value, of_tables.is_leaf(value)) };
    let shown = |value| if is_ept { of_ept.shown(value) } else { of_tables.shown(seen(value)) };
    let fields = |value| if is_ept { of_ept.fields(value) } else { of_tables.fields(seen(value)) };
    ChangeView {
        host,
        level,
        table_name: if host { format!("nL{level}") } else { paging.table_name(level) },
        index: written.index,
        entry_address: Hex(written.address),
        address: Hex(written.place.base | written.index << paging.shift(Leaf::of(level))),
        was: Hex(shown(written.was)),
        now: Hex(shown(written.now)),
        was_fields: fields(written.was),
        now_fields: fields(written.now),
    }
}
