//! The accesses that the modes of the processor and the bits of entries allow (Intel SDM vol. 3, 4.6 and 4.7).

use crate::entry::{NO_EXECUTE, USER, WRITABLE};
use crate::machine::exception::PageFaultCode;
use pagewalk_base::trace::{ControlBit, Kind, Op};

/// The bits of control registers, and the privilege level. A trace begins in user mode, until SYSCALL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a bit of a register")]
pub(crate) struct Modes {
    supervisor: bool,
    ac: bool,
    wp: bool,
    smep: bool,
    smap: bool,
    nxe: bool,
    pke: bool,
    /// PKRU: for each key a bit that disables access, then one that disables writes.
    pub(crate) pkru: u32,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            supervisor: false,
            ac: false,
            wp: true,
            smep: false,
            smap: false,
            nxe: true,
            pke: false,
            pkru: 0,
        }
    }
}

impl Modes {
    /// Sets a bit of a control register. Returns false if the bit is none of these.
    pub(crate) fn set(&mut self, bit: ControlBit, on: bool) -> bool {
        let place = match bit {
            ControlBit::Supervisor => &mut self.supervisor,
            ControlBit::Ac => &mut self.ac,
            ControlBit::Wp => &mut self.wp,
            ControlBit::Smep => &mut self.smep,
            ControlBit::Smap => &mut self.smap,
            ControlBit::Nxe => &mut self.nxe,
            ControlBit::Pke => &mut self.pke,
            ControlBit::Pge | ControlBit::Pcide | ControlBit::Pg => return false,
        };
        *place = on;
        true
    }

    /// Returns the modes that change the meaning of entries.
    pub(crate) fn of_entries(&self) -> crate::entry::Modes {
        crate::entry::Modes {
            no_execute: self.nxe,
            keys: self.pke,
            ..crate::entry::Modes::default()
        }
    }

    /// Returns whether the supervisor may write read-only pages.
    pub(crate) fn ignores_read_only(&self) -> bool {
        self.supervisor && !self.wp
    }

    /// Returns the bits of the error code that depend only on the access and the modes.
    pub(crate) fn code(&self, kind: Kind) -> u32 {
        let fetch = kind.is_fetch() && (self.smep || self.nxe);
        [
            (!self.supervisor, PageFaultCode::USER),
            (kind == Kind::Store, PageFaultCode::WRITE),
            (fetch, PageFaultCode::FETCH),
        ]
        .into_iter()
        .filter_map(|(is_set, bit)| is_set.then_some(bit))
        .sum()
    }

    /// Returns the error code of the page fault of an access to a present page, or `None` if the access is allowed.
    /// `path` has the entries from the root's entry to the leaf entry.
    pub(crate) fn page_fault(
        &self,
        kind: Kind,
        path: &[u64],
        reserved: bool,
    ) -> Option<PageFaultCode> {
        let base = self.code(kind) | PageFaultCode::PRESENT;
        if reserved {
            return Some(PageFaultCode(base | PageFaultCode::RESERVED));
        }
        let all = |bit: u64| path.iter().all(|entry| entry & bit != 0);
        let (user, writable) = (all(USER), all(WRITABLE));
        let no_execute = self.nxe && path.iter().any(|entry| entry & NO_EXECUTE != 0);
        let by_owner = match (self.supervisor, kind.is_fetch()) {
            (false, _) => !user,
            (true, true) => user && self.smep,
            (true, false) => user && self.smap && !self.ac,
        };
        let by_rights = match kind {
            Kind::Fetch => no_execute,
            Kind::Store => !writable && !self.ignores_read_only(),
            Kind::Load | Kind::Prefetch => false,
        };
        let by_key = user && !kind.is_fetch() && self.key_forbids(kind, path);
        let key = if by_key { PageFaultCode::KEY } else { 0 };
        (by_owner || by_rights || by_key).then_some(PageFaultCode(base | key))
    }

    fn key_forbids(&self, kind: Kind, path: &[u64]) -> bool {
        let Some(leaf) = path.last().filter(|_| self.pke) else { return false };
        let bits = self.pkru >> (2 * (leaf >> 59 & 0xf));
        bits & 1 != 0 || bits & 2 != 0 && kind == Kind::Store && !self.ignores_read_only()
    }
}

/// Returns whether an operation changes the rights of accesses, so that they no longer depend on addresses alone.
pub(crate) fn changes_rights(op: &Op) -> bool {
    match op {
        Op::Mprotect { .. } | Op::Wrpkru { .. } | Op::SetEntry { .. } | Op::Fork { .. } => true,
        Op::SetControl { bit, .. } => {
            !matches!(bit, ControlBit::Pge | ControlBit::Pcide | ControlBit::Pg)
        }
        _ => op.is_of_host(),
    }
}
