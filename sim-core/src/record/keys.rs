//! Decodes the tags of structures into page numbers, address prefixes or addresses of entries.

use crate::caches::tlb::TagLayout;
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::machine::structures::StructureId;
use pagewalk_base::addr::Leaf;

/// The decoded tag of an entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Key {
    /// The page number or the prefix.
    pub(crate) number: u64,
    /// The lowest address bit of the number.
    pub(crate) shift: u8,
    /// Whether the entry is a page-table entry, not a translation.
    pub(crate) table: bool,
    /// Whether the entry translates a guest-physical page, inside a TLB array.
    pub(crate) guest_physical: bool,
    pub(crate) space: u32,
}

/// log2 of the bytes of a page-table entry. The tag of the page walk cache is the address of such an entry.
const ENTRY_BITS: u8 = 3;

/// Decodes a tag of a structure.
pub(crate) fn key(machine: &Machine, structure: StructureId, tag: u64) -> Key {
    if TagLayout::is_host_page(tag) {
        return guest_physical_key(machine, tag);
    }
    // An array of level 2 may hold the entries of the nested TLB, among its own.
    let host = machine.host_of(machine.plan.inside(structure).unwrap_or(structure));
    if host.is_some_and(|host| structure == host.plan.pwc_at) {
        return Key { number: tag, shift: ENTRY_BITS, table: true, ..Key::default() };
    }
    let tags = host.map_or(machine.plan.tags, |host| host.plan.tags);
    let class = tags.class(tag);
    Key {
        number: tags.number(tag),
        shift: shift_of(host, machine, class.number_leaf()),
        table: class.is_table(),
        guest_physical: false,
        space: if host.is_some() { 0 } else { machine.contexts.of(tags.owner(tag)).pcid },
    }
}

/// Decodes the tag of a guest-physical page inside a TLB array. Its size is one of the host.
fn guest_physical_key(machine: &Machine, tag: u64) -> Key {
    let tags = machine.plan.tags;
    let leaf = tags.class(tag).number_leaf();
    Key {
        number: tags.number(tag),
        shift: shift_of(machine.nested.as_deref(), machine, leaf),
        guest_physical: true,
        ..Key::default()
    }
}

/// Returns the lowest address bit of a key of `leaf` in a structure.
pub(crate) fn key_shift_of(machine: &Machine, structure: StructureId, leaf: Leaf) -> u8 {
    match machine.host_of(structure) {
        Some(host) if structure == host.plan.pwc_at => ENTRY_BITS,
        host => shift_of(host, machine, leaf),
    }
}

/// Returns the page shift of a leaf of the host, if there is one, or of the machine.
fn shift_of(host: Option<&Nested>, machine: &Machine, leaf: Leaf) -> u8 {
    let shift = host.map_or(machine.plan.shift[leaf], |host| host.plan.shift[leaf]);
    u8::try_from(shift).expect("below 64")
}
