//! INVEPT and INVVPID, and what the host drops when it changes its tables (Intel SDM vol. 3C, 28.3.3).
//!
//! ```text
//! linear mappings          TLB, paging-structure caches, where the processor walks no EPT
//! combined mappings        the same under EPT: virtual → host
//! guest-physical mappings  nested TLB, EPT paging-structure caches, page walk cache
//! ```
//! There is one guest, which runs under VPID 1 and one EPT pointer: what names another drops nothing.

use std::rc::Rc;

use crate::addr::Hex;
use crate::entry::ADDRESS;
use crate::error::{Error, ErrorCode, Result};
use crate::machine::Machine;
use crate::nested::{GUEST, HostCaches, missing};
use crate::os::Shootdown;
use crate::probe::{DropFact, Leaving, LeftFact, Probe};
use crate::tlb::Entries;
use crate::trace::{HostPart, InveptScope, InvvpidScope, Op};

/// The VPID of the guest.
const VPID: u16 = 1;

impl Machine {
    /// An operation of the host.
    ///
    /// # Errors
    /// `unsupported` if there is no host, or none that could do it; `too-large` if memory is used up.
    pub(crate) fn perform_of_host<P: Probe>(&mut self, op: &Op, probe: &mut P) -> Result<()> {
        let is_walked = match &self.nested {
            None => {
                return Err(refusal(op, "there is no host: virtualise memory with ept or shadow"));
            }
            Some(nested) => nested.is_walked(),
        };
        match *op {
            Op::Invept { scope, eptp } => self.invept(scope, eptp, probe),
            Op::Invvpid { scope, vpid, address } => {
                if vpid.is_none_or(|vpid| vpid == VPID) || scope == InvvpidScope::All {
                    self.invvpid(scope, address.0, probe);
                }
            }
            Op::HostUnmap { address, part, flush } if !is_walked && part == HostPart::DATA => {
                self.unback(address.0, flush, probe)?;
            }
            _ if !is_walked => {
                let why = "the host's tables are not walked under shadow paging: use ept";
                return Err(refusal(op, why));
            }
            Op::HostUnmap { address, part, flush } => {
                if let (Some(place), Some(nested)) =
                    (self.place_of(address.0, part), &mut self.nested)
                    && nested.take_back(place)?
                    && flush
                {
                    self.drop_everywhere(probe);
                }
            }
            Op::HostProtect { address, part, read, write, execute, flush } => {
                if let (Some(place), Some(nested)) =
                    (self.place_of(address.0, part), &mut self.nested)
                    && nested.protect(place, [read, write, execute])
                    && flush
                {
                    self.drop_everywhere(probe);
                }
            }
            Op::HostSetEntry { address, part, level, set, clear } => {
                let place = self.place_of(address.0, part);
                let place = place.ok_or_else(|| missing(address.0, part.0))?;
                if let Some(nested) = &mut self.nested {
                    nested.set_entry(place, level, (set.0, clear.0))?;
                }
            }
            _ => return Err(refusal(op, "it is none of the host's")),
        }
        Ok(())
    }

    fn invept<P: Probe>(&mut self, scope: InveptScope, eptp: Option<Hex>, probe: &mut P) {
        let Some(nested) = self.nested.as_ref().filter(|nested| nested.is_walked()) else { return };
        let root = nested.tables.existing_root(GUEST).map(|root| nested.tables.address(root));
        let names_other = eptp.is_some_and(|eptp| Some(eptp.0 & ADDRESS) != root);
        if scope == InveptScope::All || !names_other {
            self.invalidate(probe, |_| true);
            self.invalidate_host(probe);
        }
    }

    fn invvpid<P: Probe>(&mut self, scope: InvvpidScope, address: u64, probe: &mut P) {
        let page = self.page_range(address);
        match scope {
            InvvpidScope::Address => self.invalidate(probe, |held| held.meets(page)),
            InvvpidScope::Vpid | InvvpidScope::All => self.invalidate(probe, |_| true),
            InvvpidScope::VpidButGlobal => {
                self.invalidate(probe, |held| held.table || !held.global);
            }
        }
    }

    /// Drops all guest-physical mappings.
    fn invalidate_host<P: Probe>(&mut self, probe: &mut P) {
        let Some(nested) = &mut self.nested else { return };
        for (structure, entries) in (nested.plan.tlb_at..).zip(nested.caches.all_mut()) {
            entries.sweep(|slot, tag, entry| {
                let entry = *entry;
                probe.invalidated(&DropFact {
                    structure,
                    slot,
                    tag,
                    table: true,
                    host: true,
                    entry,
                });
                true
            });
        }
    }

    /// INVEPT on every core, as the host does it after a change. Of other cores nothing is told.
    fn drop_everywhere<P: Probe>(&mut self, probe: &mut P) {
        self.invalidate(probe, |_| true);
        self.invalidate_host(probe);
        let Some(parked) = &mut self.cores else { return };
        for (number, core) in parked.cores.iter_mut().enumerate() {
            if parked.active == Some(number) {
                continue;
            }
            let core = Rc::make_mut(core);
            let arrays = core.l1.iter_mut().chain(&mut core.l2).map(|array| &mut array.entries);
            let of_host = core.host.iter_mut().flat_map(HostCaches::all_mut);
            for entries in arrays.chain(&mut core.psc).chain(of_host) {
                entries.sweep(|_, _, _| true);
            }
            core.last = [crate::cores::NOWHERE; 4];
        }
    }

    /// What an EPT violation drops: combined mappings of the virtual address if its own page was meant, and
    /// guest-physical ones of the guest-physical address.
    pub(crate) fn drop_violated<P: Probe>(
        &mut self,
        va: u64,
        address: u64,
        is_data: bool,
        probe: &mut P,
    ) {
        self.last = [crate::cores::NOWHERE; 4];
        let Self { plan, l1, l2, psc, nested, pcid, .. } = self;
        if is_data {
            let arrays = l1.iter_mut().chain(l2).map(|array| &mut array.entries);
            for (structure, entries) in arrays.chain(psc).enumerate() {
                take_out(entries, structure, probe, |tag| {
                    let holder = plan.tags.space(tag);
                    let (shift, _) = plan.key_shift(tag);
                    (holder == *pcid || holder == plan.tags.global())
                        && plan.tags.number(tag) == va >> shift
                });
            }
        }
        let Some(nested) = nested else { return };
        let (host, pwc_at) = (Rc::clone(&nested.plan), nested.plan.pwc_at);
        let leads = nested.entries_to(address);
        for (structure, entries) in (host.tlb_at..).zip(nested.caches.all_mut()) {
            take_out(entries, structure, probe, |tag| {
                if structure == pwc_at && !host.is_ept {
                    return leads.contains(&(tag << 3));
                }
                let (level, table) = host.tags.class(tag);
                let shift = host.shift[usize::from(level) + usize::from(table)];
                host.tags.number(tag) == address >> shift
            });
        }
    }

    /// The guest-physical address of what an operation of the host is about, `None` if the guest has
    /// not mapped it.
    fn place_of(&self, address: u64, part: HostPart) -> Option<u64> {
        let va = address & self.plan.va_mask;
        if part == HostPart::DATA {
            return self.frame(self.space, va, self.tables.leaf_of(self.space, va)?);
        }
        let table = self.tables.table_at(self.space, va, part.0)?;
        Some(self.tables.address(table))
    }

    /// Takes the page back that backs a virtual address, under shadow paging, and what shadows it.
    fn unback<P: Probe>(&mut self, address: u64, flush: bool, probe: &mut P) -> Result<()> {
        let Some(place) = self.place_of(address, HostPart::DATA) else { return Ok(()) };
        let (first, last) = self.page_range(address);
        let space = self.space;
        let Some(nested) = &mut self.nested else { return Ok(()) };
        let Some(shadow) = &mut nested.shadow else { return Ok(()) };
        let is_own = !shadow.as_guest;
        let gone = shadow.drop(&Shootdown { space, start: first, last, freed: Vec::new() });
        if is_own {
            nested.take_back(place)?;
        }
        if flush {
            self.drop_mapping(&gone, probe);
        }
        Ok(())
    }

    /// The host sees the guest write an entry: what shadows it goes, but not what the TLB knows of it.
    pub(crate) fn unshadow_entry<P: Probe>(&mut self, va: u64, level: u8, probe: &mut P) {
        let (space, bits) = (self.space, (1 << self.plan.shift[usize::from(level)]) - 1);
        let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) else {
            return;
        };
        let (start, last) = (va & !bits, va | bits);
        let gone = shadow.drop(&Shootdown { space, start, last, freed: Vec::new() });
        self.drop_tables(gone, probe);
    }

    /// The same for a range that the guest unmaps without telling the TLBs.
    pub(crate) fn unshadow_untold<P: Probe>(&mut self, gone: &Shootdown, probe: &mut P) {
        if let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) {
            let gone = shadow.drop(gone);
            self.drop_tables(gone, probe);
        }
    }

    /// Drops what leads to tables that are gone, but no page.
    fn drop_tables<P: Probe>(&mut self, gone: Shootdown, probe: &mut P) {
        if !gone.freed.is_empty() {
            self.drop_mapping(&Shootdown { start: u64::MAX, last: 0, ..gone }, probe);
        }
    }
}

/// Takes the entries out whose tags are gone.
fn take_out<P: Probe>(
    entries: &mut Entries,
    structure: usize,
    probe: &mut P,
    is_gone: impl Fn(u64) -> bool,
) {
    entries.sweep(|slot, tag, entry| {
        let gone = is_gone(tag);
        if gone {
            let why = Leaving::ShotDown;
            probe.left(&LeftFact { structure, slot, tag, entry: *entry, why });
        }
        gone
    });
}

fn refusal(op: &Op, why: &str) -> Error {
    Error::new(ErrorCode::Unsupported, format!("`{op}` cannot be simulated: {why}"))
}
