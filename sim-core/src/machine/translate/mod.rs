//! One translation: TLB lookups, fills, and the page walk.
//!
//! `levels` looks up and fills the TLB levels. `inclusion` keeps inclusive and exclusive levels
//! consistent. `coalesce` lets several pages share an entry. `special_fill` handles the fills of
//! machines with exclusive levels, coalescing or way partitions. `pom` looks up translations behind level 2.
//! `walk` reads the page tables. `prefetch` fills entries before an access needs them.

pub(crate) mod levels;
pub(crate) mod coalesce;
pub(crate) mod inclusion;
pub(crate) mod special_fill;
pub(crate) mod prefetch;
pub(crate) mod walk;
pub(crate) mod pom;
