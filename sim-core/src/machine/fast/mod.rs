//! Fast paths: the same results as one access after the other, in fewer steps.
//!
//! [`route::route`] chooses the route of a chunk (131,072 accesses) through the machine. [`run`] executes the route
//! [`Route::Runs`](route::Route). On [`Route::Single`](route::Route), each access goes through [`Machine::access`].
//!
//! # Runs
//!
//! Fetches are one group, loads and stores the other. A *repeat* is an access to the page that the last access of its
//! kind used, while its group has used no other page since. Every other access is a *run head*. A repeat hits the
//! level-1 entry of its run head, so it only counts. Run heads are translated.
//!
//! ```text
//! access      0    1    2    3    4    5    6    7    8        F fetch, L load, S store
//!             F a  F a  L x  F a  L x  S x  F b  L y  L x      a, b, x, y: 4 KiB pages, x and y in two slots
//!
//! run heads   F a       L x            S x  F b  L y  L x      repeats: access 1 and 3 of F a, 4 of L x
//! slots       F a       L x            S x  F b  L y  ·        x is still the latest page of its slot: L x only counts
//! ```
//!
//! # Slots
//!
//! A *slot* holds the pages whose numbers are equal modulo 16 or 4. In a level-1 array with at least as many sets, the
//! latest page of a slot is the most recent page of its set. An access that returns to this page changes only when and
//! how often the entry was used. These run heads are left out, too: the latest run head of the slot says both. In the picture,
//! each kind has run heads before access 0. The first run head of a kind gets no returns to its page, because only the
//! machine knows which page the kind used before.
//!
//! # Lines
//!
//! If the accesses themselves go through memory caches, repeats of lines of 64 bytes are left out, too. A *touch* is an
//! access that may change the nearest cache. An access to the latest line of its group is a repeat.
//!
//! ```text
//! access      0    1    2    3    4    5    6
//!             F i  F i  L p  F i  L p  F j  L q                i, j, p, q: lines
//! touches     F i       L p            F j  L q                repeats: access 1 and 3 of line i, 4 of line p
//! ```
//!
//! # Batches
//!
//! Fetches, loads and stores are the parts of a batch: loads and stores are one part if one level-1 array serves both.
//! Up to 256 run heads of each part form a batch. A batch goes through the machine stage by stage:
//!
//! ```text
//! run heads ─▶ fetches ─▶ level 1 ─┐ misses,
//!           └▶ data ────▶ level 1 ─┴ in order ─▶ level 2 ─▶ walk caches, tables, memory caches
//! ```
//!
//! Every miss fills level 1. So the contents of level 1 depend on the run heads alone, and need not wait for the walks.
//! A level-2 array that holds only pages depends on the misses of level 1 alone. Each stage is a short loop over one array. Its
//! steps hardly depend on each other, and processors run such loops fast. Only the dirty flag of an entry comes from
//! the walk, so it is written afterwards (`late_dirty`).
//!
//! ```text
//! batch of run heads             L x   L y   S x   L z
//! level 1    (`level_1`)         miss  miss  hit   miss        misses: L x, L y, L z; S x sets the dirty flag
//! level 2    (`level_2`)         miss  hit         miss        misses: L x, L z; the hit needs no walk and is counted last
//! walks      (`walks`)           pages of x and z are read, the walk caches are looked up and filled
//! ```
//!
//! `one_sort` has levels 1 and 2 for batches of one kind of access and one page size. `nested` has the
//! walks of virtual machines, `walks` all others. A miss that changes a table above the last one, of a guest or
//! of its host, is exceptional: the machine's own code translates it (`exceptional`). `line_touches` executes the accesses
//! of lines between the reads of walks.
//!
//! Each file names the rows of `sim-core/benches/README.md` that it makes faster; (a) to (c) are the traces there. A *slot*
//! here is a class of pages. Elsewhere, `Slot` is a set and a way of an array.

mod batch;
mod exceptional;
mod kind_counts;
mod late_dirty;
mod level_1;
mod level_2;
mod line_touches;
mod list;
mod lookups;
mod nested;
mod one_sort;
mod packed_page;
mod references;
pub(crate) mod route;
mod run_heads;
mod single_accesses;
mod table_reads;
mod walk_caches;
mod walks;

use crate::machine::Machine;
use crate::machine::probe::Probe;
use batch::Batch;
use pagewalk_base::trace::{Chunk, Kind};
use route::Runs;

/// Takes a whole chunk through the machine, along a route of [`route::route`] for this machine and chunk.
pub(crate) fn run<P: Probe>(machine: &mut Machine, chunk: &Chunk, route: &Runs<'_>, probe: &mut P) {
    let mut batch = Batch::new(machine, probe, chunk, route);
    match route.slots {
        Some(slots) => chunk.visit_in_slots(slots, &mut batch),
        None => chunk.visit_runs(&mut batch),
    }
    batch.finish();
    for kind in Kind::ALL {
        probe.accesses(kind, u64::from(chunk.count(kind)));
    }
}
