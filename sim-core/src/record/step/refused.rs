//! The walk of an access that ended with a page fault: the entries down to the one that refused it.

use super::hashed::refused_level;
use super::translation::{LevelOf, level_view};
use crate::entry::{self, Format, NO_EXECUTE, PRESENT, USER, WRITABLE};
use crate::machine::Machine;
use crate::machine::exception::{Exception, PageFaultCode};
use crate::machine::probe::RefusedLinesFact;
use crate::page_table::PageTables;
use crate::record::event::RefusedView;
use crate::record::hashed::refused_view;
use pagewalk_base::addr::{Level, TableFormat};
use pagewalk_base::trace::Kind;
use pagewalk_base::whole::IS_WHOLE;

/// The reason why an entry refuses an access.
#[derive(Clone, Copy)]
enum Bit {
    Present,
    Writable,
    User,
    NoExecute,
    Key,
    Reserved,
}

/// Returns the walk of an access of `kind` that `exception` ended at `address`. `None` without a page fault, and if no
/// entry of the tables refuses the access: a TLB entry with old rights did. Under shadow paging the tables of the
/// guest are not walked. `lines` are those of hashed tables, which have the last entry alone.
pub(super) fn view(
    machine: &Machine,
    exception: Exception,
    (kind, address): (Kind, u64),
    lines: Option<&RefusedLinesFact>,
) -> Option<RefusedView> {
    let Exception::PageFault(code) = exception else { return None };
    if machine.nested.as_ref().is_some_and(|nested| !nested.is_walked()) {
        return None;
    }
    let (va, tables) = (address & machine.plan.va_mask, &machine.tables);
    let path = path(machine, tables, va);
    let format = |level| Format::new(&machine.plan.paging, level, machine.modes.of_entries());
    let (last, bit) = path.iter().enumerate().find_map(|(at, of)| {
        let is_last = at + 1 == path.len();
        refusal(&format(of.level), tables.read(of.table, of.index), (code, kind), is_last)
            .map(|bit| (at, bit))
    })?;
    let refused = path.get(last)?;
    let hashed = if IS_WHOLE { tables.hashed().zip(lines) } else { None };
    let levels: Vec<_> = match hashed {
        Some((hashed, fact)) => {
            refused_level(machine, hashed, va, (refused, fact)).into_iter().collect()
        }
        None => path[..=last]
            .iter()
            .enumerate()
            .map(|(at, of)| level_view(machine, tables, of, None, Some(at + 1)))
            .collect(),
    };
    let format = format(refused.level);
    let fields = format.fields(tables.read(refused.table, refused.index));
    let reserved = fields.iter().find(|field| field.violated).map(|field| field.name.clone());
    let field = match bit {
        Bit::Reserved => reserved.unwrap_or_default(),
        bit => field_name(bit, format.tables).to_owned(),
    };
    let hashed = hashed.map(|(_, fact)| refused_view(fact));
    Some(RefusedView { levels, field, hashed })
}

/// Returns the entries that a walk to `va` reads, the root's first. The last one maps the page or is not present.
fn path(machine: &Machine, tables: &PageTables, va: u64) -> Vec<LevelOf> {
    let mut path = Vec::new();
    let mut next = tables.existing_root(machine.space, va);
    for level in Level::LOWEST.up_to(machine.plan.root_level).rev() {
        let Some(table) = next else { break };
        let index = tables.index(va, level);
        let value = tables.read(table, index);
        let format = Format::new(&machine.plan.paging, level, entry::Modes::default());
        let leaf = level == Level::LOWEST || value & PRESENT != 0 && format.is_leaf(value);
        let leads_on = value & PRESENT != 0 && !leaf && tables.leads_on(value);
        path.push(LevelOf { table, level, index, leaf });
        next = leads_on.then(|| tables.next(value));
    }
    path
}

/// Returns why an entry refuses an access with this error code, if it does. `is_last`: it maps the page.
fn refusal(
    format: &Format,
    entry: u64,
    (code, kind): (PageFaultCode, Kind),
    is_last: bool,
) -> Option<Bit> {
    let has = |bit: u32| code.0 & bit != 0;
    if entry & PRESENT == 0 {
        return Some(Bit::Present);
    }
    if !has(PageFaultCode::PRESENT) {
        return None;
    }
    if has(PageFaultCode::RESERVED) {
        return (format.reserved(entry) & entry != 0).then_some(Bit::Reserved);
    }
    if has(PageFaultCode::KEY) {
        return is_last.then_some(Bit::Key);
    }
    let (by_user, is_user) = (has(PageFaultCode::USER), entry & USER != 0);
    if by_user && !is_user {
        return Some(Bit::User);
    }
    if kind == Kind::Store && entry & WRITABLE == 0 {
        return Some(Bit::Writable);
    }
    if kind.is_fetch() && entry & NO_EXECUTE != 0 {
        return Some(Bit::NoExecute);
    }
    // SMEP and SMAP: the system must not use a page of programs.
    (is_last && !by_user && is_user).then_some(Bit::User)
}

/// Returns the name of a bit's field in the entries of an architecture.
fn field_name(bit: Bit, tables: TableFormat) -> &'static str {
    let is_arm = tables == TableFormat::Arm;
    match bit {
        Bit::Present if is_arm => "V",
        Bit::Present => "P",
        Bit::Writable if is_arm => "AP2",
        Bit::Writable => "W",
        Bit::User if is_arm => "AP1",
        Bit::User => "U",
        Bit::NoExecute if is_arm => "UXN",
        Bit::NoExecute => "XD",
        Bit::Key => "key",
        Bit::Reserved => "",
    }
}
