//! Virtual machines: the host's tables, its permissions, and its exits.
//!
//! `nested` translates guest-physical addresses, and `guest_physical` lists what a core has cached of them. `vm_state` holds what each virtual machine owns,
//! and `vm_switch` exchanges it.
//! `shadow` walks shadow tables instead of two dimensions. `permissions` checks EPT entries before
//! an access. `vmx` executes the host's operations.

mod guest_physical;
pub(crate) mod nested;
pub mod vm_state;
pub(crate) mod shadow;
pub(crate) mod vm_switch;
pub(crate) mod permissions;
pub(crate) mod vmx;
