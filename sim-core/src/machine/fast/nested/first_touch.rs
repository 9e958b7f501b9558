//! The host's part of a first touch: a page of the guest that the host has not mapped yet.
//!
//! Bench row: (b) on nested 4K pages, whose first touches are a fifth of the time.

use super::super::route;
use crate::machine::host::nested::{Needs, Nested, qualification};
use crate::machine::probe::{HostWork, Probe, Updates, ViolationFact};
use crate::os::FaultCause;
use crate::page_table::Table;
use pagewalk_base::trace::Kind;

/// Maps the page of a guest-physical address after an EPT violation, and sets the flags of its entry in the last table,
/// as [`Nested::translate`] does. Returns false if the page is not there and must not be mapped (`may_map`), or if the
/// simulated memory is used up.
#[inline(never)]
pub(super) fn write_entry<P: Probe>(
    nested: &mut Nested,
    (table, address): (Table, u64),
    kind: Kind,
    may_map: bool,
    probe: &mut P,
) -> bool {
    let Some(leaf) = route::host_leaf(nested) else { return false };
    let at = nested.tables.index(address, nested.plan.entry_level[leaf]);
    let (store, fetch) = (kind == Kind::Store, kind == Kind::Fetch);
    let mut host = HostWork::default();
    if nested.tables.read(table, at) & nested.tables.format.present == 0 {
        if !may_map {
            return false;
        }
        nested.os.leaf_of(nested.vm, address, true);
        let Ok(cause) = nested.map_missing(address, leaf, store, Some((table, at))) else {
            return false;
        };
        probe.host_fault(cause);
        probe.fault(FaultCause::Hidden);
        let needs = Needs { read: !store && !fetch, write: store, fetch };
        let qualification = qualification(true, needs);
        probe.violation(&ViolationFact { address, row: None, qualification });
        host.violations = 1;
    }
    if nested.plan.has_flags {
        let format = nested.tables.format;
        let was = nested.tables.read(table, at);
        let wanted = if store { format.accessed | format.dirty } else { format.accessed };
        nested.tables.set_page_flags(table, at, leaf, wanted);
        host.accessed = u8::from(was & format.accessed == 0);
        if store && was & format.dirty == 0 {
            host.dirty = 1;
            host.log_full = nested.log();
        }
    }
    probe.updates(Updates { flags: 0, host });
    true
}
