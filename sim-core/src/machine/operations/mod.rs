//! Operations between accesses, and the work of the operating system around translations.
//!
//! `execute` runs one operation of a trace. `invalidate` drops entries on this core, `shootdown` on all cores.
//! `processes`, `kernel`, `cores` and `core_switch` switch between processes and cores. `fork`, `faults` and
//! `os_events` change mappings.

pub(crate) mod invalidate;
pub(crate) mod processes;
pub(crate) mod kernel;
pub mod cores;
pub(crate) mod core_switch;
pub(crate) mod execute;
pub(crate) mod shootdown;
pub(crate) mod fork;
pub(crate) mod faults;
pub(crate) mod os_events;
