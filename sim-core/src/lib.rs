//! The core of Pagewalk: machines that translate addresses, traces of memory
//! accesses, and importers that read them.
//!
//! The words, used alike in Rust, TypeScript, texts and pictures: an *access* has
//! one *translation*, or two if it *straddles* pages. A translation asks the
//! *structures*: TLB *arrays* of level 1 and 2, then paging-structure caches. It ends
//! as a *hit* or a *walk*, which reads table entries (*references*). A *fill* puts
//! an *entry* into a *way* of a *set*, and may *evict* another.
//!
//! Modules stand in layer order: each uses only those above it.

mod narrow;
pub mod error;
pub mod addr;
pub mod trace;
pub mod import;
pub mod policy;
pub mod workload;
mod set_assoc;
pub mod tlb;
pub mod psc;
pub mod memory;
mod page_table;
pub mod os;
pub mod config;
pub mod cpu;
pub mod probe;
mod plan;
pub mod machine;
mod levels;
mod walk;
pub mod event;
mod step;
pub mod snapshot;
pub mod stats;
pub mod replay;
pub mod explain;
pub mod search;
pub mod regions;
pub mod overview;
pub mod trace_info;
