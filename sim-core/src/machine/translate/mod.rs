//! One translation: TLB lookups, fills, and the page walk.
//!
//! `levels` looks up and fills the TLB levels. `inclusion` keeps inclusive and exclusive levels
//! consistent. `coalesce` lets several pages share an entry. `special_fill` handles the fills of
//! machines with exclusive levels, coalescing or way partitions. `pom` looks up translations behind level 2,
//! `victima` those in a memory cache.
//! `walk` reads the page tables, `hashed` hashed ones. `prefetch` fills entries before an access needs them.

pub(crate) mod levels;
pub(crate) mod coalesce;
pub(crate) mod inclusion;
pub(crate) mod special_fill;
pub(crate) mod prefetch;
pub(crate) mod walk;
pub(crate) mod hashed;
pub(crate) mod pom;
#[cfg_attr(
    not(any(feature = "fast", feature = "ts")),
    allow(unreachable_code, unused_variables, reason = "facts of blocks have no value")
)]
pub(crate) mod victima;
