//! Global variables, and those of functions that are `static`.

use gimli::{AttributeValue, Dwarf, Operation, UnitRef, constants as dw};

use super::entries::{name, type_of};
use super::{Global, Slice};

/// Finds the variables that have one address and a size.
pub(super) fn find(dwarf: &Dwarf<Slice<'_>>, globals: &mut Vec<Global>) {
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let unit = unit.unit_ref(dwarf);
        let mut entries = unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            if entry.tag() != dw::DW_TAG_variable {
                continue;
            }
            let Some(AttributeValue::Exprloc(location)) = entry.attr_value(dw::DW_AT_location)
            else {
                continue;
            };
            let Some(start) = address(unit, location) else { continue };
            let Some(ty) = type_of(unit, entry) else { continue };
            let Ok(size) = u32::try_from(ty.size) else { continue };
            let Some(name) = name(unit, entry) else { continue };
            // The linker gives what it leaves out the address 0, or the last ones.
            if start > 0 && size > 0 && start.checked_add(size).is_some() {
                globals.push(Global { name, ty: ty.name, start, size });
            }
        }
    }
    globals.sort_by(|a, b| (a.start, a.size, &a.name).cmp(&(b.start, b.size, &b.name)));
    globals.dedup_by_key(|global| global.start);
}

/// Returns the address of a variable that is nowhere else.
fn address(unit: UnitRef<'_, Slice<'_>>, location: gimli::Expression<Slice<'_>>) -> Option<u32> {
    let mut operations = location.operations(unit.encoding());
    let address = match operations.next().ok()?? {
        Operation::Address { address } => address,
        Operation::AddressIndex { index } => unit.address(index).ok()?,
        _ => return None,
    };
    let is_all = operations.next().ok()?.is_none();
    is_all.then(|| u32::try_from(address).ok())?
}
