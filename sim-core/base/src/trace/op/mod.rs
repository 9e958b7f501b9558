//! What a trace may hold between two accesses: switches of address space, invalidations,
//! control registers, and system calls that change how memory is mapped.

mod codec;
mod display;
mod words;

use serde::Serialize;

use crate::addr::Hex;

pub use codec::OpReader;
pub(super) use codec::OpWriter;
pub use words::{Operands, is_op_word};

/// An operation, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpRecord {
    /// The process that runs it; of [`Op::MovCr3`], the process that runs from then on. Of no meaning
    /// for [`Op::VmSwitch`].
    pub pid: u32,
    pub tid: u32,
    /// The processor, 0 where the trace has none.
    pub cpu: u32,
    pub op: Op,
}

/// An operation. What each drops from TLBs and paging-structure caches: Intel SDM vol. 3, 4.10.4.1 and 28.3.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Op {
    /// A switch of address space. Without `pcid`, the process keeps the one it has or gets one.
    MovCr3 {
        pcid: Option<u16>,
        /// Bit 63 of the operand: nothing is dropped.
        keep: bool,
    },
    Invlpg {
        address: Hex,
    },
    Invpcid {
        scope: InvpcidScope,
        /// Missing = that of the process.
        pcid: Option<u16>,
        /// Of [`InvpcidScope::Address`]; else 0.
        address: Hex,
    },
    /// A write to CR0, CR4, EFER or EFLAGS, or a change of privilege.
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
        /// False only if nothing is allowed.
        read: bool,
        write: bool,
        execute: bool,
        /// The protection key; missing = as before.
        key: Option<u8>,
        /// Whether what TLBs know of the pages is dropped, as it must be.
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
    /// The process gets a child with the same pages, which both may only read until one of
    /// them writes, and then has a copy of its own.
    Fork {
        child: u32,
        flush: bool,
    },
    /// Sets and clears flags of a page-table entry and drops nothing, as a kernel does that
    /// ages pages, or one that forgets to.
    SetEntry {
        address: Hex,
        /// 1 = the lowest table.
        level: u8,
        set: Hex,
        clear: Hex,
    },
    Invept {
        scope: InveptScope,
        /// The EPT pointer; missing = the current one.
        eptp: Option<Hex>,
    },
    Invvpid {
        scope: InvvpidScope,
        /// Missing = the current one.
        vpid: Option<u16>,
        /// Of [`InvvpidScope::Address`]; else 0.
        address: Hex,
    },
    /// The core leaves the virtual machine that it runs, and goes on with another, where that was.
    VmSwitch {
        /// 1 = the one that every core begins with.
        vm: u16,
        /// The VPID (AMD: ASID) under which it runs on this core from now on. Missing = the one it
        /// had; at first the number of the virtual machine.
        vpid: Option<u16>,
    },
    /// The host takes a page of the guest's memory back. A later use is a violation, and the host maps it anew.
    HostUnmap {
        /// Virtual.
        address: Hex,
        part: HostPart,
        /// Whether the host drops what the processor keeps of it, by INVEPT on every core.
        flush: bool,
    },
    /// The host changes the rights of a page of the guest's memory. A use that lacks one is a violation,
    /// and the host gives all of them back.
    HostProtect {
        address: Hex,
        part: HostPart,
        read: bool,
        write: bool,
        execute: bool,
        flush: bool,
    },
    /// Sets and clears flags of one of the host's entries and drops nothing.
    HostSetEntry {
        address: Hex,
        part: HostPart,
        /// 1 = the lowest table.
        level: u8,
        set: Hex,
        clear: Hex,
    },
}

/// What of the guest's memory an operation of the host is about, on the way to a virtual address:
/// the page of the data (0), or that of the guest's table of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct HostPart(pub u8);

impl HostPart {
    /// The page of the data.
    pub const DATA: Self = Self(0);
}

/// The types of INVPCID, 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum InvpcidScope {
    Address,
    Pcid,
    /// Every PCID, global translations included.
    All,
    AllButGlobal,
}

/// The types of INVEPT, 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum InveptScope {
    /// One EPT pointer.
    Single,
    All,
}

/// The types of INVVPID, 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum InvvpidScope {
    Address,
    Vpid,
    /// Every VPID but 0.
    All,
    /// One VPID, global translations excepted.
    VpidButGlobal,
}

/// Bits that change how memory is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum ControlBit {
    /// CR4: global pages.
    Pge,
    /// CR4: process-context identifiers.
    Pcide,
    /// CR4: the supervisor does not fetch from user pages.
    Smep,
    /// CR4: the supervisor does not read and write user pages, but with EFLAGS.AC.
    Smap,
    /// CR4: protection keys.
    Pke,
    /// CR0: the supervisor respects read-only pages.
    Wp,
    /// CR0: paging. It is switched off and on again.
    Pg,
    /// EFER: bit 63 of an entry forbids fetches.
    Nxe,
    /// EFLAGS, by STAC and CLAC.
    Ac,
    /// The accesses that follow are the kernel's: SYSCALL and SYSRET.
    Supervisor,
}

/// What MADVISE says of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum MemoryAdvice {
    /// The pages are dropped; the next touch of each maps it anew.
    Dontneed,
}

impl Op {
    /// The address that it is about, or the first of a range.
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

    /// The word that stands for the operation in texts.
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

    /// Whether the host of a virtual machine changes what its entries allow.
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

    /// The bit's name in lower case.
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
