//! Makes the [`NestedView`] of one translation: every entry of the guest's and the host's tables on the way, with
//! the observed references and lookups. The entries are read after the access.

use crate::entry::ept;
use crate::entry::{self, FieldView, Modes};
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::machine::probe::{FlagFact, ReferenceFact, RowFact, Translation, ViolationFact};
use crate::record::event::{
    CellState, Dimension, HostFormat, LookupView, NestedCellView, NestedRowView, NestedView,
    ViolationView,
};
use pagewalk_base::addr::{Hex, Leaf, Level, TableFormat};

/// The observed facts about the translation of one guest-physical address.
pub(crate) struct RowDraft {
    pub(crate) row: RowFact,
    pub(crate) lookups: Vec<LookupView>,
}

/// The observed facts about one nested walk.
#[derive(Default)]
pub(crate) struct GridDraft {
    pub(crate) rows: Vec<RowDraft>,
    /// The references in order, each with the number of its row.
    pub(crate) references: Vec<(Option<Level>, ReferenceFact)>,
    /// The entries whose flags the walk set, each with the number of its row.
    pub(crate) flags: Vec<(Option<Level>, FlagFact)>,
    /// The lookups in the page walk cache. Each has its row, whether the entry is the host's, the level of the
    /// entry, and the lookup.
    pub(crate) pwc: Vec<(Option<Level>, bool, Level, LookupView)>,
    pub(crate) violations: Vec<ViolationFact>,
}

/// The inputs of the grid, and a counter of its cells.
struct Grid<'a> {
    machine: &'a Machine,
    nested: &'a Nested,
    draft: &'a GridDraft,
    walked: bool,
    /// The paging-structure cache that hit, if the walk started below the root.
    psc: Option<usize>,
    n: u32,
}

/// Returns the grid of a translation. `psc` has its lookups in the paging-structure caches.
pub(crate) fn view(
    machine: &Machine,
    nested: &Nested,
    done: &Translation,
    psc: &[LookupView],
    draft: &GridDraft,
) -> NestedView {
    let va = done.address & machine.plan.va_mask;
    let leaf = machine.os.leaf_at(machine.space, va);
    let mut grid = Grid {
        machine,
        nested,
        draft,
        walked: done.outcome.is_walk(),
        psc: psc.iter().find(|look| look.hit).map(|look| look.structure),
        n: 0,
    };
    let data = machine.locate(machine.space, va, leaf).unwrap_or_default();
    let rows = grid.rows(va, leaf, data);
    NestedView {
        guest_page: machine.plan.paging.size_of(leaf),
        host_page: nested.plan.paging.size_of(nested.os.leaf_at(nested.vm, data)),
        guest_levels: machine.plan.root_level.number(),
        host_levels: nested.plan.root_level.number(),
        host_format: host_format(nested),
        rows,
        guest_refs: done.refs - done.host_refs,
        host_refs: done.host_refs,
        cold_refs: grid.n,
        violations: draft.violations.iter().map(violation).collect(),
        host_accessed: u32::from(done.host.accessed),
        host_dirty: u32::from(done.host.dirty),
    }
}

fn host_format(nested: &Nested) -> HostFormat {
    match (nested.plan.is_ept, nested.plan.paging.table_format()) {
        (true, TableFormat::Arm) => HostFormat::Stage2,
        (true, _) => HostFormat::Ept,
        (false, _) => HostFormat::Npt,
    }
}

/// Returns the name of a row: `gL4` … `gL1`, or `data` for row 0.
fn row_name(row: Option<Level>) -> String {
    row.map_or_else(|| "data".to_owned(), |level| format!("gL{level}"))
}

pub(crate) fn violation(fact: &ViolationFact) -> ViolationView {
    ViolationView {
        guest_physical: Hex(fact.address),
        purpose: row_name(fact.row),
        qualification: Hex(fact.qualification),
    }
}

impl Grid<'_> {
    fn rows(&mut self, va: u64, leaf: Leaf, data: u64) -> Vec<NestedRowView> {
        let (tables, plan) = (&self.machine.tables, &self.machine.plan);
        let mut rows = Vec::new();
        let mut next = tables.existing_root(self.machine.space, va);
        let lowest = plan.entry_level[leaf];
        for level in lowest.up_to(plan.root_level).rev() {
            let Some(table) = next else { break };
            let at = tables.index(va, level);
            let value = tables.read(table, at);
            let address = tables.address(table);
            let mut row = self.row(Some(level), address);
            let place = row.host_physical.0 + 8 * at as u64;
            let cell =
                self.cell((Some(level), false, level), (at as u64, place, value), level == lowest);
            row.guest = Some(cell);
            rows.push(row);
            let present = value & tables.format.present != 0;
            next = (level > lowest && present).then(|| tables.next(value));
        }
        rows.push(self.row(None, data));
        rows
    }

    /// Returns the host's entries for a guest-physical address.
    fn row(&mut self, row: Option<Level>, address: u64) -> NestedRowView {
        let tables = &self.nested.tables;
        let leaf = self.nested.os.leaf_at(self.nested.vm, address);
        let lowest = self.nested.plan.entry_level[leaf];
        let mut host = Vec::new();
        let mut next = tables.existing_root(self.nested.vm, address);
        for level in lowest.up_to(self.nested.plan.root_level).rev() {
            let Some(table) = next else { break };
            let at = tables.index(address, level);
            let value = tables.read(table, at);
            let place = tables.entry_address(table, at);
            host.push(self.cell((row, true, level), (at as u64, place, value), level == lowest));
            let present = value & tables.format.present != 0;
            next = (level > lowest && present).then(|| tables.next(value));
        }
        let seen = self.draft.rows.iter().find(|seen| seen.row.row == row);
        NestedRowView {
            name: row_name(row),
            guest_physical: Hex(address),
            host_physical: Hex(self.nested.locate(address).unwrap_or_default()),
            lookups: seen.map_or_else(Vec::new, |seen| seen.lookups.clone()),
            host,
            guest: None,
        }
    }

    /// Returns the cell of one entry. `of` is its row, whether the entry is the host's, and its level.
    fn cell(
        &mut self,
        of: (Option<Level>, bool, Level),
        (index, address, value): (u64, u64, u64),
        leaf: bool,
    ) -> NestedCellView {
        let (row, host, level) = of;
        self.n += 1;
        let is_it = |(at, fact): &(Option<Level>, ReferenceFact)| {
            (*at, fact.host, fact.level) == (row, host, level)
        };
        let order = self.draft.references.iter().position(is_it);
        let fact = order.map(|order| self.draft.references[order].1);
        let held =
            self.draft.pwc.iter().find(|(at, of_host, of_level, _)| {
                (*at, *of_host, *of_level) == (row, host, level)
            });
        let lookup = held.map(|held| held.3.clone());
        let (state, skipped_by) = match &lookup {
            _ if order.is_some() => (CellState::Read, None),
            Some(look) if look.hit => (CellState::SkippedByPwc, Some(look.structure)),
            _ => self.skipped(row, host),
        };
        let flagged = self
            .draft
            .flags
            .iter()
            .find(|(at, fact)| (*at, fact.host, fact.level) == (row, host, level));
        let was = flagged.map(|(_, fact)| self.shown(host, level, fact.was));
        let now = self.shown(host, level, value);
        let paging = if host { &self.nested.plan.paging } else { &self.machine.plan.paging };
        NestedCellView {
            n: self.n,
            order: order.map(|order| u32::try_from(order + 1).expect("at most 35 references")),
            dimension: if host { Dimension::Host } else { Dimension::Guest },
            level,
            entry: format!("{}L{level}", if host { "n" } else { "g" }),
            purpose: row_name(row),
            index,
            shift: u8::try_from(paging.shift(Leaf::of(level))).expect("below 64"),
            bits: u8::try_from(paging.bits(level)).expect("at most 16"),
            address: Hex(address),
            value: Hex(now),
            was: was.filter(|was| *was != now).map(Hex),
            fields: self.fields(host, level, value),
            leaf,
            state,
            skipped_by,
            lookup,
            served_by: fact.map(|fact| self.machine.server_name(fact.server).to_owned()),
            cycles: fact.map(|fact| fact.cycles),
        }
    }

    /// Returns the value of an entry in the format of the processor.
    fn shown(&self, host: bool, level: Level, value: u64) -> u64 {
        let paging = if host { &self.nested.plan.paging } else { &self.machine.plan.paging };
        if host && self.nested.plan.is_ept {
            ept::Format::new(paging, level, ept::Modes::default()).shown(value)
        } else {
            entry::Format::new(paging, level, Modes::default()).shown(value)
        }
    }

    fn fields(&self, host: bool, level: Level, value: u64) -> Vec<FieldView> {
        let paging = &self.nested.plan.paging;
        match host {
            true if self.nested.plan.is_ept => {
                ept::Format::new(paging, level, ept::Modes::default()).fields(value)
            }
            true => entry::Format::new(paging, level, Modes::default()).fields(value),
            false => {
                let paging = &self.machine.plan.paging;
                entry::Format::new(paging, level, Modes::default()).fields(value)
            }
        }
    }

    /// Returns the reason why an entry that no page walk cache holds was not read, and the structure that hit.
    fn skipped(&self, row: Option<Level>, host: bool) -> (CellState, Option<usize>) {
        if !self.walked {
            return (CellState::SkippedByTlb, None);
        }
        let seen = self.draft.rows.iter().find(|seen| seen.row.row == row);
        let Some(seen) = seen.filter(|_| host) else { return (CellState::SkippedByPsc, self.psc) };
        let hit = seen.lookups.iter().find(|look| look.hit).map(|look| look.structure);
        if self.nested.caches.tlb.is_some() && hit == Some(self.nested.plan.tlb_at.index()) {
            (CellState::SkippedByNestedTlb, hit)
        } else {
            (CellState::SkippedByEptPsc, hit)
        }
    }
}
