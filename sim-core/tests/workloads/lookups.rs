//! Tests of the workloads with hash tables, trees, graphs and code.

use std::collections::{BTreeMap, BTreeSet};

use pagewalk_base::trace::{Access, Kind};

use crate::support::{addresses, assert_near, load, stream};

/// Splits accesses into searches of a hash table. A search begins if the slot does not follow the previous one.
fn searches(text: &str) -> Vec<Vec<Access>> {
    let mut found: Vec<Vec<Access>> = Vec::new();
    for access in stream("hash-table", text) {
        let goes_on =
            found.last().and_then(|search| search.last()).is_some_and(|before: &Access| {
                access.kind == Kind::Store
                    || before.kind == Kind::Load && access.address == before.address + 16
            });
        if goes_on { found.last_mut().unwrap().push(access) } else { found.push(vec![access]) }
    }
    found
}

/// Slots are in use with probability `load`, so a search reads 1 / (1 − load) slots on average.
#[test]
fn a_search_reads_slots_up_to_the_first_free_one() {
    for (load, expected) in [(0, 1.0), (50, 2.0), (75, 4.0), (90, 10.0)] {
        let text = format!("bytes=16M load={load} inserts=0 accesses=200000");
        let n = f64::from(u32::try_from(searches(&text).len()).unwrap());
        let mean = 200_000.0 / n;
        assert!((mean / expected - 1.0).abs() < 0.03, "load {load}: {mean} reads");
    }
}

/// The slots in use do not change, so a free slot ends every search. In this test, each search ends with a store.
#[test]
fn a_free_slot_is_free_for_everyone() {
    let found: Vec<Access> =
        stream("hash-table", "bytes=4K load=50 inserts=100 accesses=5000").collect();
    let mut free = BTreeMap::new();
    for pair in found.windows(2).filter(|pair| pair[0].kind == Kind::Load) {
        let ends = pair[1].kind == Kind::Store;
        assert_eq!(*free.entry(pair[0].address).or_insert(ends), ends);
        let next = if ends { pair[0].address } else { (pair[0].address + 16) % 4096 };
        assert_eq!(pair[1].address, next);
    }
    assert_eq!(free.len(), 256);
    assert_near(free.values().filter(|free| **free).count() as u64, 256, 0.5);
}

#[test]
fn an_insertion_stores_where_the_search_ended() {
    let found = searches("bytes=16M load=50 inserts=25 accesses=100000");
    let stores = found.iter().filter(|search| search.last().unwrap().kind == Kind::Store);
    for search in stores.clone() {
        assert_eq!(search[search.len() - 2].address, search[search.len() - 1].address);
    }
    assert_near(stores.count() as u64, found.len() as u64, 0.25);
}

/// A table without a free slot ends a search after all of them.
#[test]
fn a_search_ends_in_a_table_of_one_slot() {
    assert_eq!(addresses("hash-table", "bytes=16 load=95 inserts=0 accesses=3"), [0, 0, 0]);
}

/// A tree of 16 keys with 4 children per node has two levels. The second level begins after the root. In each node,
/// two of three separators are compared, then one of the pointers after them is read.
#[test]
fn a_search_reads_separators_and_a_pointer_of_each_node() {
    let found: Vec<Access> =
        stream("tree-search", "keys=16 fanout=4 node=64 accesses=600").collect();
    for search in found.chunks(6) {
        let child = |accesses: &[Access], node: u64| {
            let child = (accesses[2].address - node) / 8 - 3;
            // Binary search of three separators reads the middle one, then one of its neighbours.
            let second = if child > 1 { 2 } else { 0 };
            let expected = [load(node + 8, 8), load(node + 8 * second, 8), accesses[2]];
            assert_eq!(accesses, expected);
            child
        };
        let node = child(&search[..3], 0);
        assert!(node < 4);
        assert!(child(&search[3..], 64 + 64 * node) < 4);
    }
}

/// 1,000,000 keys with 16 children per node make five levels of 1, 16, 245, 3907 and 62,500 nodes. Each node
/// takes four reads of its 15 separators and one of a pointer.
#[test]
fn a_tree_has_as_many_levels_as_its_keys_need() {
    let n_nodes = [1, 16, 245, 3907, 62_500];
    let mut begin = 0;
    let mut levels = Vec::new();
    for n in n_nodes {
        levels.push(begin..begin + n * 256);
        begin += n * 256;
    }
    let generator = stream("tree-search", "accesses=50000");
    assert_eq!(generator.bytes(), begin);
    let found: Vec<Access> = generator.collect();
    for search in found.chunks(25) {
        for (level, node) in levels.iter().zip(search.chunks(5)) {
            assert!(node.iter().all(|access| level.contains(&access.address)));
            assert!(node.iter().all(|access| access.address / 256 == node[0].address / 256));
        }
    }
}

#[test]
fn all_keys_are_searched() {
    let found = addresses("tree-search", "keys=7 fanout=2 node=32 accesses=3000");
    // Three levels have 1, 2 and 4 nodes. Each takes a read of the separator, then of one of two pointers.
    let mut leaves = BTreeMap::new();
    for search in found.chunks(6) {
        *leaves.entry(search[5]).or_insert(0) += 1;
    }
    assert_eq!(leaves.len(), 7);
    for count in leaves.into_values() {
        assert_near(count, 500, 1.0 / 7.0);
    }
}

/// Offsets, edges and values are three arrays. An edge always leads to the same vertex.
#[test]
fn a_walk_follows_the_edges_of_the_graph() {
    let text = "vertices=500 degree=4 jumps=0 accesses=40000";
    let (edges, values) = (4096, 4096 + 8192);
    let found: Vec<Access> = stream("graph-walk", text).collect();
    let mut vertex = 0;
    let mut ends = BTreeMap::new();
    for step in found.chunks(4) {
        assert_eq!(step[..2], [load(8 * vertex, 8), load(8 * vertex + 8, 8)]);
        let edge = (step[2].address - edges) / 4;
        assert_eq!(edge / 4, vertex);
        vertex = (step[3].address - values) / 8;
        assert!(vertex < 500);
        assert_eq!(*ends.entry(edge).or_insert(vertex), vertex);
    }
    assert!(ends.len() > 1000, "{} edges of 2000", ends.len());
}

#[test]
fn a_walk_that_jumps_reaches_all_vertices_equally_often() {
    let text = "vertices=16 degree=1 jumps=100 accesses=64000";
    let mut counts = BTreeMap::new();
    for step in stream("graph-walk", text).collect::<Vec<_>>().chunks(4) {
        *counts.entry(step[3].address).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 16);
    for count in counts.into_values() {
        assert_near(count, 16_000, 1.0 / 16.0);
    }
}

#[test]
fn a_call_fetches_its_function_from_the_start() {
    let text = "bytes=64K function=256 run=64 fetch=16 accesses=8000";
    let found: Vec<Access> = stream("code-walk", text).collect();
    for call in found.chunks(4) {
        let start = call[0].address;
        assert_eq!(start % 256, 0);
        for (at, fetch) in (0..).zip(call) {
            assert_eq!(*fetch, Access::new(Kind::Fetch, start + 16 * at, 16));
        }
    }
}

/// The data begins at the first multiple of 2M after the code. The fetches are of the same calls.
#[test]
fn a_load_of_data_follows_each_fetch() {
    let text = "bytes=64K function=256 run=64 fetch=16 hot=100 data=1M accesses=8000";
    let found: Vec<Access> = stream("code-walk", text).collect();
    let data = (2 << 20)..(3 << 20);
    for pair in found.chunks(2) {
        assert_eq!((pair[0].kind, pair[1].kind), (Kind::Fetch, Kind::Load));
        assert!(pair[0].address < 64 << 10 && data.contains(&pair[1].address), "{pair:?}");
        assert_eq!(pair[1].address % 64, 0);
    }
    for call in found.chunks(8) {
        assert!(
            call.iter().step_by(2).zip(0..).all(|(it, at)| it.address == call[0].address + 16 * at)
        );
    }
    let objects: BTreeSet<u64> = found.iter().skip(1).step_by(2).map(|it| it.address).collect();
    assert!((1000..3500).contains(&objects.len()), "{}", objects.len());
}

/// One tenth of the 1000 functions gets 90 % of the calls.
#[test]
fn hot_functions_get_their_share_packed_or_scattered() {
    let text = "bytes=1000K function=1K run=16 hot=10 weight=90 accesses=50000";
    let packed = addresses("code-walk", &format!("{text} layout=packed"));
    let hot = packed.iter().filter(|address| **address < 100 << 10).count();
    assert_near(hot as u64, 50_000, 0.9);
    let mut counts = vec![0; 1000];
    for address in addresses("code-walk", &format!("{text} layout=scattered")) {
        counts[usize::try_from(address >> 10).unwrap()] += 1;
    }
    // A hot function is called 450 times on average, another one 5.6 times.
    let hot: Vec<usize> = (0..1000).filter(|at| counts[*at] > 200).collect();
    assert_eq!(hot.len(), 100);
    assert!(hot.iter().filter(|at| **at < 100).count() < 25, "{hot:?}");
}

#[test]
fn code_that_is_all_hot_is_called_uniformly() {
    for hot in [0, 100] {
        let text = format!("bytes=16K function=1K run=16 hot={hot} accesses=32000");
        let mut counts = BTreeMap::new();
        for address in addresses("code-walk", &text) {
            *counts.entry(address).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 16);
        for count in counts.into_values() {
            assert_near(count, 32_000, 1.0 / 16.0);
        }
    }
}
