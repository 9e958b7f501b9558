//! The exceptions that end an access before it is completed, and their counters.

use serde::Serialize;

use pagewalk_base::addr::{Addresses, Hex};
use pagewalk_base::small_map::SmallMap;

/// The reason why an access was not completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// The machine does not translate the address, according to this rule. The exception is #GP on x86. It would be
    /// #SS for the stack, but a trace does not say which accesses use the stack.
    Address(Addresses),
    /// #PF: a page fault that the kernel cannot handle.
    PageFault(PageFaultCode),
    /// EPT misconfiguration: the processor does not understand an entry of the host, and the host cannot handle
    /// that.
    Misconfiguration,
}

/// The error code of a page fault (SDM vol. 3, 4.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageFaultCode(pub u32);

impl PageFaultCode {
    /// The page was present. Rights or reserved bits are the cause.
    pub const PRESENT: u32 = 1;
    pub const WRITE: u32 = 1 << 1;
    pub const USER: u32 = 1 << 2;
    /// A reserved bit was set.
    pub const RESERVED: u32 = 1 << 3;
    pub const FETCH: u32 = 1 << 4;
    /// The protection key denied the access.
    pub const KEY: u32 = 1 << 5;

    /// Returns the cause in words.
    pub fn meaning(self) -> &'static str {
        let has = |bit: u32| self.0 & bit != 0;
        if !has(Self::PRESENT) {
            "the page is not present"
        } else if has(Self::RESERVED) {
            "an entry has a reserved bit set"
        } else if has(Self::KEY) {
            "the protection key forbids the access"
        } else if has(Self::FETCH) {
            "instructions may not be fetched from the page"
        } else if has(Self::WRITE) {
            "the page may not be written"
        } else {
            "the page may not be read"
        }
    }
}

/// An exception in the form that JavaScript receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExceptionView {
    /// The name: `#GP`, `#PF`, `EPT misconfiguration`, or the fault of a machine that is not x86.
    pub name: String,
    /// The error code of a page fault.
    pub code: Option<Hex>,
    /// The address of the byte that caused the exception.
    pub address: Hex,
    pub meaning: String,
}

impl ExceptionView {
    pub(crate) fn new(exception: Exception, address: u64) -> Self {
        let (name, code, meaning) = match exception {
            Exception::Address(rule) => (rule.fault(), None, rule.meaning()),
            Exception::PageFault(code) => ("#PF", Some(Hex(code.0.into())), code.meaning()),
            Exception::Misconfiguration => (
                "EPT misconfiguration",
                None,
                "the processor does not understand an entry of the host",
            ),
        };
        Self { name: name.to_owned(), code, address: Hex(address), meaning: meaning.to_owned() }
    }
}

/// The accesses that an exception ended. They are included in `accesses`, and in no other count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct ExceptionsReport {
    /// #GP: accesses to addresses that are not canonical.
    pub general_protection: u64,
    /// Accesses to addresses that the machine does not translate, on machines that are not x86, by the name of the
    /// fault: `translation fault`.
    #[serde(skip_serializing_if = "SmallMap::is_empty")]
    #[cfg_attr(
        any(test, feature = "ts"),
        ts(optional, as = "Option<std::collections::BTreeMap<String, u64>>")
    )]
    pub address_faults: SmallMap<String, u64>,
    /// #PF that the kernel could not handle, by error code (`"0x7"`).
    #[cfg_attr(any(test, feature = "ts"), ts(as = "std::collections::BTreeMap<String, u64>"))]
    pub page_faults: SmallMap<String, u64>,
    /// EPT misconfigurations: accesses that reached an entry of the host which the processor does not understand.
    pub ept_misconfigurations: u64,
}

/// The counters of an [`ExceptionsReport`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exceptions {
    addresses: SmallMap<Addresses, u64>,
    page_faults: SmallMap<PageFaultCode, u64>,
    misconfigurations: u64,
}

impl Exceptions {
    pub(crate) fn count(&mut self, exception: Exception) {
        match exception {
            Exception::Address(rule) => *self.addresses.or_default(rule) += 1,
            Exception::PageFault(code) => *self.page_faults.or_default(code) += 1,
            Exception::Misconfiguration => self.misconfigurations += 1,
        }
    }

    pub(crate) fn report(&self) -> ExceptionsReport {
        let code = |(code, n): (&PageFaultCode, &u64)| (Hex(code.0.into()).to_string(), *n);
        let mut addresses = self.addresses.clone();
        let general_protection = addresses.remove(&Addresses::Canonical).unwrap_or_default();
        let named = |(rule, n): (Addresses, u64)| (rule.fault().to_owned(), n);
        ExceptionsReport {
            general_protection,
            address_faults: addresses.into_iter().map(named).collect(),
            page_faults: self.page_faults.iter().map(code).collect(),
            ept_misconfigurations: self.misconfigurations,
        }
    }
}
