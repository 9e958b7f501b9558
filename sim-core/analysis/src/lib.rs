//! Analyses of a trace: the causes of its misses, and the effect of other TLB sizes, shapes and page sizes.
//!
//! Each module uses only the modules above it.

pub mod regions;
pub mod attribution;
pub mod overview;
mod used_pages;
pub mod frames;
pub mod recorded_pages;
pub mod page_ids;
pub mod stack_distance;
pub mod page_uses;
pub mod curve;
pub mod surface;
pub mod second_level;
pub mod optimum;
pub mod working_set;
pub mod page_popularity;
pub mod huge_pages;
pub mod uncertainty;
pub mod question;
