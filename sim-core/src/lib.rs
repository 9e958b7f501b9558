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
mod float;
pub mod grouped;
pub mod error;
mod json;
pub mod addr;
pub mod entry;
mod ept;
pub mod trace;
pub mod samples;
pub mod perf_stat;
pub mod export;
pub mod import;
pub mod policy;
pub mod workload;
mod set_assoc;
pub mod tlb;
pub mod psc;
pub mod virt;
pub mod memory;
pub mod control;
mod page_table;
pub mod os;
pub mod config;
pub mod cpu;
mod pcids;
pub mod exception;
pub mod exits;
mod rights;
mod stale;
pub mod probe;
mod plan;
mod context;
mod nested;
pub mod guests;
pub mod cores;
pub mod machine;
mod guest;
mod levels;
mod coalesce;
mod inclusion;
mod placing;
mod walk;
mod shadow;
mod invalidate;
mod processes;
mod kernel;
mod switch;
mod vms;
mod guard;
mod vmx;
mod perform;
mod batch;
mod shootdown;
mod fork;
mod refuse;
mod system;
pub mod event;
mod keys;
mod grid;
mod step;
pub mod snapshot;
pub mod touched;
pub mod invalidations;
pub mod stats;
pub mod measured;
pub mod window;
pub mod replay;
pub mod explain;
pub mod search;
pub mod lockstep;
pub mod regions;
pub mod attribution;
pub mod overview;
pub mod trace_info;
mod page_ids;
pub mod stack_distance;
pub mod page_uses;
pub mod curve;
pub mod surface;
pub mod behind;
pub mod optimum;
pub mod working_set;
pub mod huge_pages;
pub mod analysis;
pub mod survey;
pub mod sweep;
pub mod experiment;
