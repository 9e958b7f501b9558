//! The core of Pagewalk: machines that translate addresses, and runs of traces on them.
//!
//! An *access* has one *translation*, or two if it *straddles* pages. A translation looks up
//! TLB *arrays* of level 1 and level 2, then the paging-structure caches. It ends as a *hit* or
//! as a *walk*, which reads page-table entries (*references*). A *fill* puts an *entry* into a
//! *way* of a *set*, and may *evict* another entry.
//!
//! Each folder is a layer: it uses only the folders above it.

pub mod entry;
pub mod caches;
pub mod page_table;
pub mod os;
pub mod config;
pub mod machine;
pub mod record;
pub mod run;
