//! Operations between two accesses of a trace: process switches, invalidations, changes of control registers,
//! and system calls that change mappings.

mod codec;
mod display;
mod words;

use serde::Serialize;

use crate::addr::Hex;

pub use codec::OpReader;
pub(super) use codec::OpWriter;
pub use words::{Operands, is_op_word};

/// An operation with its process, thread and processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpRecord {
    /// The process that executes the operation. For [`Op::MovCr3`], the process that runs afterwards. Without a
    /// meaning for [`Op::VmSwitch`].
    pub pid: u32,
    pub tid: u32,
    /// The processor, or 0 if the trace has none.
    pub cpu: u32,
    pub op: Op,
}

/// An operation. Intel SDM vol. 3, 4.10.4.1 and 28.3.3, defines which entries each one invalidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Op {
    /// A process switch. Without `pcid`, the process keeps its PCID; a process without one gets one.
    MovCr3 {
        pcid: Option<u16>,
        /// Bit 63 of the operand: the switch invalidates nothing.
        keep: bool,
    },
    Invlpg {
        address: Hex,
    },
    Invpcid {
        scope: InvpcidScope,
        /// The PCID. Missing means the PCID of the process.
        pcid: Option<u16>,
        /// The address for [`InvpcidScope::Address`]; otherwise 0.
        address: Hex,
    },
    /// A write to CR0, CR4, EFER or EFLAGS, or a change of the privilege level.
    SetControl {
        bit: ControlBit,
        on: bool,
    },
    Wrpkru {
        value: u32,
    },
    Mprotect {
        start: Hex,
        length: Hex,
        /// Whether reads are allowed. False only if the pages allow nothing.
        read: bool,
        write: bool,
        execute: bool,
        /// The protection key. Missing means that it does not change.
        key: Option<u8>,
        /// Whether the TLBs are invalidated, as a correct kernel does.
        flush: bool,
    },
    Munmap {
        start: Hex,
        length: Hex,
        flush: bool,
    },
    Madvise {
        start: Hex,
        length: Hex,
        advice: MemoryAdvice,
        flush: bool,
    },
    /// The process gets a child with the same pages. Both may only read them, until one of them writes a page
    /// and gets its own copy.
    Fork {
        child: u32,
        flush: bool,
    },
    /// Sets and clears flags of a page-table entry without a shootdown. A kernel does so to age pages, or by
    /// mistake.
    SetEntry {
        address: Hex,
        /// The level of the entry; 1 is the lowest table.
        level: u8,
        set: Hex,
        clear: Hex,
    },
    Invept {
        scope: InveptScope,
        /// The EPT pointer. Missing means the current one.
        eptp: Option<Hex>,
    },
    Invvpid {
        scope: InvvpidScope,
        /// The VPID. Missing means the current one.
        vpid: Option<u16>,
        /// The address for [`InvvpidScope::Address`]; otherwise 0.
        address: Hex,
    },
    /// The core leaves its virtual machine and continues another one where that one stopped.
    VmSwitch {
        /// Every core begins with virtual machine 1.
        vm: u16,
        /// The VPID (AMD: ASID) of the virtual machine on this core from now on. Missing means its previous
        /// VPID, at first its own number.
        vpid: Option<u16>,
    },
    /// The host unmaps a page of the guest's memory. The next use is an EPT violation, after which the host
    /// maps it again.
    HostUnmap {
        /// A virtual address of the guest.
        address: Hex,
        part: HostPart,
        /// Whether the host invalidates cached translations with INVEPT on every core.
        flush: bool,
    },
    /// The host changes the rights of a page of the guest's memory. A use without the right is an EPT
    /// violation, after which the host restores all rights.
    HostProtect {
        address: Hex,
        part: HostPart,
        read: bool,
        write: bool,
        execute: bool,
        flush: bool,
    },
    /// Sets and clears flags of one of the host's entries without a shootdown.
    HostSetEntry {
        address: Hex,
        part: HostPart,
        /// The level of the entry; 1 is the lowest table.
        level: u8,
        set: Hex,
        clear: Hex,
    },
}

/// The part of the guest's memory that an operation of the host changes, on the way to a virtual address: the
/// data page (0), or the guest's table of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HostPart(pub u8);

impl HostPart {
    /// The part that is the data page itself.
    pub const DATA: Self = Self(0);
}

/// The types 0 to 3 of INVPCID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum InvpcidScope {
    Address,
    Pcid,
    /// Every PCID, including global translations.
    All,
    AllButGlobal,
}

/// The types 1 and 2 of INVEPT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum InveptScope {
    /// One EPT pointer.
    Single,
    All,
}

/// The types 0 to 3 of INVVPID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum InvvpidScope {
    Address,
    Vpid,
    /// Every VPID except 0.
    All,
    /// One VPID, except global translations.
    VpidButGlobal,
}

/// A control bit that changes how addresses are translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ControlBit {
    /// CR4.PGE: global pages.
    Pge,
    /// CR4.PCIDE: process-context identifiers.
    Pcide,
    /// CR4.SMEP: the supervisor cannot fetch from user pages.
    Smep,
    /// CR4.SMAP: the supervisor cannot read or write user pages unless EFLAGS.AC is set.
    Smap,
    /// CR4.PKE: protection keys.
    Pke,
    /// CR0.WP: the supervisor cannot write read-only pages.
    Wp,
    /// CR0.PG: paging, switched off and on again.
    Pg,
    /// EFER.NXE: bit 63 of an entry forbids fetches.
    Nxe,
    /// EFLAGS.AC, changed by STAC and CLAC.
    Ac,
    /// The privilege level, changed by SYSCALL and SYSRET. The kernel executes the accesses that follow SYSCALL.
    Supervisor,
}

/// The advice of MADVISE about a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum MemoryAdvice {
    /// The kernel drops the pages, and maps them again at the next touch.
    Dontneed,
}

impl Op {
    /// Returns the address of the operation, or the first address of its range.
    pub fn address(&self) -> Option<u64> {
        match *self {
            Self::Invlpg { address }
            | Self::Invpcid { address, .. }
            | Self::SetEntry { address, .. }
            | Self::HostUnmap { address, .. }
            | Self::HostProtect { address, .. }
            | Self::HostSetEntry { address, .. } => Some(address.0),
            Self::Mprotect { start, .. }
            | Self::Munmap { start, .. }
            | Self::Madvise { start, .. } => Some(start.0),
            Self::MovCr3 { .. }
            | Self::SetControl { .. }
            | Self::Wrpkru { .. }
            | Self::Fork { .. }
            | Self::Invept { .. }
            | Self::Invvpid { .. }
            | Self::VmSwitch { .. } => None,
        }
    }

    /// Returns the word for the operation in texts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::MovCr3 { .. } => "mov-cr3",
            Self::Invlpg { .. } => "invlpg",
            Self::Invpcid { .. } => "invpcid",
            Self::SetControl { bit, on } => bit.word(*on),
            Self::Wrpkru { .. } => "wrpkru",
            Self::Mprotect { .. } => "mprotect",
            Self::Munmap { .. } => "munmap",
            Self::Madvise { .. } => "madvise",
            Self::Fork { .. } => "fork",
            Self::SetEntry { .. } => "set-entry",
            Self::Invept { .. } => "invept",
            Self::Invvpid { .. } => "invvpid",
            Self::VmSwitch { .. } => "vm-switch",
            Self::HostUnmap { .. } => "host-unmap",
            Self::HostProtect { .. } => "host-protect",
            Self::HostSetEntry { .. } => "host-set-entry",
        }
    }

    /// Returns whether the operation changes the host's entries.
    pub fn is_of_host(&self) -> bool {
        matches!(
            self,
            Self::HostUnmap { .. } | Self::HostProtect { .. } | Self::HostSetEntry { .. }
        )
    }
}

impl ControlBit {
    const ALL: [Self; 10] = [
        Self::Pge,
        Self::Pcide,
        Self::Smep,
        Self::Smap,
        Self::Pke,
        Self::Wp,
        Self::Pg,
        Self::Nxe,
        Self::Ac,
        Self::Supervisor,
    ];

    fn word(self, on: bool) -> &'static str {
        match (self, on) {
            (Self::Pge | Self::Pcide | Self::Smep | Self::Smap | Self::Pke, _) => "mov-cr4",
            (Self::Wp | Self::Pg, _) => "mov-cr0",
            (Self::Nxe, _) => "wrmsr",
            (Self::Ac, true) => "stac",
            (Self::Ac, false) => "clac",
            (Self::Supervisor, true) => "syscall",
            (Self::Supervisor, false) => "sysret",
        }
    }

    /// Returns the name of the bit in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pge => "pge",
            Self::Pcide => "pcide",
            Self::Smep => "smep",
            Self::Smap => "smap",
            Self::Pke => "pke",
            Self::Wp => "wp",
            Self::Pg => "pg",
            Self::Nxe => "nxe",
            Self::Ac => "ac",
            Self::Supervisor => "supervisor",
        }
    }
}

impl InvpcidScope {
    const ALL: [Self; 4] = [Self::Address, Self::Pcid, Self::All, Self::AllButGlobal];
}

impl InveptScope {
    const ALL: [Self; 2] = [Self::Single, Self::All];
}

impl InvvpidScope {
    const ALL: [Self; 4] = [Self::Address, Self::Vpid, Self::All, Self::VpidButGlobal];
}

impl MemoryAdvice {
    const ALL: [Self; 1] = [Self::Dontneed];
}
