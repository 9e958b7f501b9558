//! Storage that a processor looks up by tag: TLB arrays, paging-structure caches, memory caches.
//!
//! `policy` chooses the victim of a full set by way numbers. `set_assoc` stores entries in sets and ways. `tlb`,
//! `psc`, `virt`, `memory`, `pom` and `victima` define what the entries hold. `tlb_prefetch` predicts pages.

pub mod policy;
pub mod set_assoc;
pub mod tlb;
pub mod psc;
pub mod tlb_prefetch;
pub mod virt;
pub mod memory;
pub mod pom;
pub mod victima;
