//! The contents of structures as columns, for pictures.

use crate::machine::Machine;
use crate::machine::contents::Contents;
use crate::machine::structures::StructureId;
use crate::record::event::CoreView;
use crate::record::keys::{Key, key};
use pagewalk_base::whole::IS_WHOLE;

/// The contents of one structure as columns. The index of a slot is `set * ways + way`. A `key_shift` of 0 means an
/// empty slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    pub keys: Vec<u64>,
    /// The lowest address bit of the key.
    pub key_shift: Vec<u8>,
    /// 1 if the slot holds a table entry inside a TLB array, 2 if it holds a prefetched translation that no access has
    /// used yet, 3 if it holds the translation of a guest-physical page inside a TLB array, otherwise 0.
    pub table: Vec<u8>,
    pub filled_at: Vec<u32>,
    pub used_at: Vec<u32>,
    pub hits: Vec<u32>,
    /// For each set: the way that the next fill takes.
    pub next: Vec<u16>,
}

impl Columns {
    /// Reads a structure of the active core. Returns `None` if there is no such structure.
    pub fn of(machine: &Machine, structure: StructureId) -> Option<Self> {
        Self::read(machine, machine.contents(), structure)
    }

    /// Reads a structure of the core that has the number `core` in the trace. Until the trace uses that core, the
    /// structure is empty. Returns `None` if there is no such structure, or if all accesses happen on one core.
    pub fn of_core(machine: &Machine, core: u32, structure: StructureId) -> Option<Self> {
        Self::read(machine, machine.contents_of(core)?, structure)
    }

    fn read(machine: &Machine, contents: Contents<'_>, structure: StructureId) -> Option<Self> {
        let entries = contents.get(&machine.plan, structure)?;
        let geometry = entries.geometry();
        let mut columns = Self::default();
        for set in 0..geometry.n_sets as usize {
            columns.next.push(u16::try_from(entries.next_way(set)).unwrap_or(u16::MAX));
            for way in 0..geometry.n_ways {
                let slot = entries.at(set, way);
                let (tag, entry) = slot.unwrap_or_default();
                let key = slot.map_or(Key::default(), |_| key(machine, structure, tag));
                columns.keys.push(key.number);
                columns.key_shift.push(key.shift);
                let is_prefetched = IS_WHOLE && !key.table && entry.is_prefetched();
                let guest_physical = 3 * u8::from(IS_WHOLE && key.guest_physical);
                columns
                    .table
                    .push(u8::from(key.table) + 2 * u8::from(is_prefetched) + guest_physical);
                columns.filled_at.push(entry.filled_at());
                columns.used_at.push(entry.used_at());
                columns.hits.push(entry.hits());
            }
        }
        Some(columns)
    }
}

/// Returns the number of entries in use on the active core, for each structure.
pub(crate) fn in_use(machine: &Machine) -> Vec<u32> {
    machine.contents().in_use(&machine.plan)
}

/// Returns the cores that the trace has used until now, in order of first use. The list is empty if the trace has
/// only one core.
pub(crate) fn core_views(machine: &Machine) -> Vec<CoreView> {
    let Some(parked) = &machine.cores else { return Vec::new() };
    let views = parked.ids().into_iter().enumerate().filter_map(|(number, core)| {
        let active = parked.active == Some(number);
        let pid = if active { machine.pid } else { parked.cores[number].pid };
        let in_use = machine.contents_of(core)?.in_use(&machine.plan);
        Some(CoreView { core, active, pid, in_use })
    });
    views.collect()
}
