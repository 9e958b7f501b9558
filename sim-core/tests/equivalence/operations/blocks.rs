//! Operations on machines with TLB blocks in a memory cache. Such machines have no host.

use super::{NATIVE, agree, seeks_agree};
use crate::common::one_test_per_row;

const MACHINE: &str = r#"{
    "l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 2}],
    "l2": [{"name": "s", "entries": 4}], "psc": {"pde": {"entries": 2}}, "victima": {"min_dram_reads": 0},
    "memory": {"data": true, "caches": [{"name": "a", "size": "1K", "ways": 2}, {"name": "b", "size": "2K", "ways": 4}]}}"#;

fn machines_with_tlb_blocks_agree_with_the_naive_simulator(system: usize) {
    agree(MACHINE, system);
}
one_test_per_row!(machines_with_tlb_blocks_agree_with_the_naive_simulator, NATIVE, [row_0 row_1 row_2 row_3 row_4]);

fn a_seek_shows_the_tlb_blocks_of_a_run(system: usize) {
    seeks_agree(MACHINE, system);
}
one_test_per_row!(a_seek_shows_the_tlb_blocks_of_a_run, NATIVE, [row_0 row_1 row_2 row_3 row_4]);
