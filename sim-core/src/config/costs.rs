//! The cycles of events outside of translation: page faults, VM exits and shootdowns.
//!
//! They are no part of the translation cycles. No event costs anything unless the configuration says so.

use serde::{Deserialize, Serialize};

use pagewalk_base::error::Error;

/// The most cycles of one event: a third of a second at 3 GHz.
const MAX_COST: u32 = 1_000_000_000;

/// The cycles of each event. 0 = it is not priced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct EventCosts {
    /// A page fault that the kernel resolves in memory, whatever the size of the page.
    pub minor_fault: u32,
    /// A page fault that waits for a disk.
    pub major_fault: u32,
    /// A VM exit, with the work of the hypervisor and the way back.
    pub vm_exit: u32,
    /// A shootdown, until all cores have answered.
    pub shootdown: u32,
}

impl EventCosts {
    /// The fields with their names, in order.
    pub fn named(self) -> [(&'static str, u32); 4] {
        let Self { minor_fault, major_fault, vm_exit, shootdown } = self;
        [
            ("minor_fault", minor_fault),
            ("major_fault", major_fault),
            ("vm_exit", vm_exit),
            ("shootdown", shootdown),
        ]
    }

    /// Returns the errors of the fields.
    pub(super) fn problems(self) -> Vec<Error> {
        let too_many = self.named().into_iter().filter(|(_, cycles)| *cycles > MAX_COST);
        let error = |(field, cycles): (&str, u32)| {
            Error::config(field, format!("{cycles} cycles: must be 0 to {MAX_COST}"))
        };
        too_many.map(error).collect()
    }
}
