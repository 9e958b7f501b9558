//! Reads entries of debug information: names and types.

use gimli::{AttributeValue, DebuggingInformationEntry, DwAt, UnitRef, constants as dw};

use super::Slice;

type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// Types in types, and references from one entry to another, that are followed.
const MOST_DEEP: u32 = 24;
/// The longest name of a type.
const MOST_LETTERS: usize = 200;
/// The longest name of a variable or a function in bytes. Many entries can refer to one long text.
const MOST_BYTES: usize = 1 << 12;
/// The most dimensions of an array.
const MOST_DIMENSIONS: usize = 32;

/// Returns the entry that an attribute refers to, in the same unit.
fn referred<'a>(unit: UnitRef<'_, Slice<'a>>, entry: &Entry<'a>, at: DwAt) -> Option<Entry<'a>> {
    match entry.attr_value(at)? {
        AttributeValue::UnitRef(offset) => unit.entry(offset).ok(),
        AttributeValue::DebugInfoRef(offset) => {
            unit.entry(offset.to_unit_offset(&unit.header)?).ok()
        }
        _ => None,
    }
}

/// Returns the attribute of an entry, or of the declaration that it completes.
fn attribute<'a>(
    unit: UnitRef<'_, Slice<'a>>,
    entry: &Entry<'a>,
    at: DwAt,
) -> Option<(Entry<'a>, AttributeValue<Slice<'a>>)> {
    let mut entry = entry.clone();
    for _ in 0..MOST_DEEP {
        if let Some(value) = entry.attr_value(at) {
            return Some((entry, value));
        }
        entry = referred(unit, &entry, dw::DW_AT_specification)
            .or_else(|| referred(unit, &entry, dw::DW_AT_abstract_origin))?;
    }
    None
}

/// Returns the name of a variable, a function or a type.
pub(super) fn name<'a>(unit: UnitRef<'_, Slice<'a>>, entry: &Entry<'a>) -> Option<String> {
    let (_, value) = attribute(unit, entry, dw::DW_AT_name)?;
    let name = unit.attr_string(value).ok()?;
    let bytes = name.slice();
    Some(String::from_utf8_lossy(bytes.get(..MOST_BYTES).unwrap_or(bytes)).into_owned())
}

/// A type: how C writes it, and its bytes.
pub(super) struct Type {
    pub(super) name: String,
    pub(super) size: u64,
}

/// Returns the type of a variable.
pub(super) fn type_of<'a>(unit: UnitRef<'_, Slice<'a>>, entry: &Entry<'a>) -> Option<Type> {
    typed(unit, entry, 0)
}

fn typed<'a>(unit: UnitRef<'_, Slice<'a>>, entry: &Entry<'a>, depth: u32) -> Option<Type> {
    let (entry, _) = attribute(unit, entry, dw::DW_AT_type)?;
    let ty = referred(unit, &entry, dw::DW_AT_type)?;
    described(unit, &ty, depth + 1)
}

fn described<'a>(unit: UnitRef<'_, Slice<'a>>, ty: &Entry<'a>, depth: u32) -> Option<Type> {
    if depth > MOST_DEEP {
        return None;
    }
    let own = ty.attr_value(dw::DW_AT_byte_size).and_then(|size| size.udata_value());
    let inner = || typed(unit, ty, depth);
    let named = |word: &str| {
        let name = name(unit, ty).unwrap_or_else(|| "(unnamed)".to_owned());
        format!("{word}{name}")
    };
    let mut found = match ty.tag() {
        dw::DW_TAG_array_type => {
            let of = inner()?;
            let counts = counts(unit, ty)?;
            let items = counts.iter().try_fold(1u64, |all, &count| all.checked_mul(count))?;
            let brackets =
                counts.iter().fold(String::new(), |text, count| format!("{text}[{count}]"));
            // The dimensions of an array of arrays are in the order of C.
            let at = of.name.find('[').unwrap_or(of.name.len());
            let (base, rest) = of.name.split_at(at);
            Type { name: format!("{base}{brackets}{rest}"), size: of.size.checked_mul(items)? }
        }
        dw::DW_TAG_pointer_type => {
            let of = inner().map_or_else(|| "void".to_owned(), |of| of.name);
            Type { name: format!("{of} *"), size: own.unwrap_or(4) }
        }
        dw::DW_TAG_const_type | dw::DW_TAG_volatile_type | dw::DW_TAG_atomic_type => inner()?,
        dw::DW_TAG_typedef => Type { name: named(""), size: inner()?.size },
        dw::DW_TAG_structure_type => Type { name: named("struct "), size: own? },
        dw::DW_TAG_union_type => Type { name: named("union "), size: own? },
        dw::DW_TAG_enumeration_type => Type { name: named("enum "), size: own? },
        _ => Type { name: named(""), size: own? },
    };
    if let Some((end, _)) = found.name.char_indices().nth(MOST_LETTERS) {
        found.name.truncate(end);
    }
    Some(found)
}

/// Returns the number of elements in each dimension of an array.
fn counts<'a>(unit: UnitRef<'_, Slice<'a>>, array: &Entry<'a>) -> Option<Vec<u64>> {
    let mut tree = unit.entries_tree(Some(array.offset())).ok()?;
    let mut children = tree.root().ok()?.children();
    let mut counts = Vec::new();
    while let Ok(Some(child)) = children.next() {
        let entry = child.entry();
        if entry.tag() != dw::DW_TAG_subrange_type {
            continue;
        }
        let value = |at| entry.attr_value(at).and_then(|value| value.udata_value());
        let last = || value(dw::DW_AT_upper_bound)?.checked_add(1);
        if counts.len() == MOST_DIMENSIONS {
            return None;
        }
        counts.push(value(dw::DW_AT_count).or_else(last)?);
    }
    Some(counts)
}
