//! Tests of the workloads with scans, random accesses, matrices and allocation.

use pagewalk_base::trace::{Access, Kind};

use crate::support::{addresses, assert_near, load, page_switches, store, stream};

#[test]
fn a_scan_starts_over_at_the_end() {
    let found = addresses("sequential", "bytes=20 size=8 accesses=5");
    assert_eq!(found, [0, 8, 0, 8, 0]);
    assert_eq!(addresses("sequential", "bytes=32 size=8 accesses=0"), [0, 8, 16, 24]);
}

#[test]
fn a_stride_wraps_at_the_end_of_the_array() {
    let found = addresses("strided", "bytes=64K stride=12K accesses=40");
    let expected: Vec<u64> = (0..40).map(|i| i * (12 << 10) % (64 << 10)).collect();
    assert_eq!(found, expected);
}

/// The first byte comes again after bytes / gcd(bytes, stride) accesses.
#[test]
fn a_pass_of_a_stride_ends_before_the_first_byte_comes_again() {
    for (bytes, stride) in [(64, 8), (64, 12), (100, 7), (4096, 4096), (10, 25)] {
        let found =
            addresses("strided", &format!("bytes={bytes} stride={stride} accesses=0 size=1"));
        let n_steps = (1..=bytes).find(|i| i * stride % bytes == 0).unwrap();
        assert_eq!(found.len() as u64, n_steps, "{bytes} by {stride}");
        assert_eq!(found.iter().filter(|address| **address == 0).count(), 1);
    }
}

/// The published stride table: strides of 8 B to 8 KB in 256 MB, with the accesses per new page.
#[test]
fn a_stride_meets_a_new_page_as_often_as_it_fits_a_page() {
    for (stride, per_page) in [(8, 512), (64, 64), (512, 8), (4096, 1), (8192, 1)] {
        let found = addresses("strided", &format!("bytes=256M stride={stride} accesses=51201"));
        assert_eq!(page_switches(&found), 51_200 / per_page, "stride {stride}");
    }
}

#[test]
fn uniform_accesses_reach_all_elements_equally_often() {
    let n = 40_000;
    let mut counts = [0; 16];
    for access in stream("uniform", &format!("bytes=64K size=16 accesses={n}")) {
        assert_eq!((access.kind, access.address % 16), (Kind::Load, 0));
        counts[usize::try_from(access.address >> 12).unwrap()] += 1;
    }
    for count in counts {
        assert_near(count, n, 1.0 / 16.0);
    }
}

#[test]
fn the_share_of_stores_moves_no_address() {
    let with = stream("uniform", "stores=30 accesses=20000").collect::<Vec<_>>();
    let without = addresses("uniform", "accesses=20000");
    let stores = with.iter().filter(|access| access.kind == Kind::Store).count();
    assert_near(stores as u64, 20_000, 0.3);
    assert!(with.iter().map(|access| access.address).eq(without));
}

#[test]
fn seeds_give_different_traces_and_equal_seeds_equal_ones() {
    for id in ["uniform", "zipf", "pointer-chase", "hash-table", "tree-search", "code-walk"] {
        let of = |seed| addresses(id, &format!("accesses=200 seed={seed}"));
        assert_eq!(of(5), of(5), "{id}");
        assert_ne!(of(5), of(6), "{id}");
    }
}

/// The share of rank k is 1 / (k^s · H). In the layout by rank, the first object is at the first address.
#[test]
fn popular_objects_come_first_or_anywhere() {
    let n = 50_000;
    let text = format!("bytes=64K object=64 exponent=1 accesses={n}");
    let mut counts = vec![0u64; 1024];
    for address in addresses("zipf", &format!("{text} layout=ranked")) {
        counts[usize::try_from(address / 64).unwrap()] += 1;
    }
    let harmonic: f64 = (1..=1024).map(|k| 1.0 / f64::from(k)).sum();
    for k in [1, 2, 3, 10, 100] {
        assert_near(counts[k - 1], n, 1.0 / (harmonic * f64::from(u32::try_from(k).unwrap())));
    }
    let mut scattered = vec![0u64; 1024];
    for address in addresses("zipf", &format!("{text} layout=scattered")) {
        scattered[usize::try_from(address / 64).unwrap()] += 1;
    }
    assert_ne!(scattered, counts);
    scattered.sort_unstable();
    counts.sort_unstable();
    assert_eq!(scattered, counts, "the same popularity in other places");
}

/// The naive twin: c[i][j] += a[i][k] * b[k][j].
fn naive_matrix(n: u64, tile: u64, order: &str, in_register: bool) -> Vec<Access> {
    let tile = if tile == 0 { n } else { tile };
    let row = 16 + 4 * n;
    let at = |matrix: u64, r: u64, c: u64| matrix * n * row + r * row + 16 + 4 * c;
    let [first, second, third]: [usize; 3] =
        [0, 1, 2].map(|place| "ijk".find(&order[place..=place]).unwrap());
    let tiles: Vec<u64> = (0..n).step_by(usize::try_from(tile).unwrap()).collect();
    let span = |from: u64| from..(from + tile).min(n);
    let mut found = Vec::new();
    for &t1 in &tiles {
        for &t2 in &tiles {
            for &t3 in &tiles {
                for x in span(t1) {
                    for y in span(t2) {
                        for z in span(t3) {
                            let mut index = [0; 3];
                            (index[first], index[second], index[third]) = (x, y, z);
                            let [i, j, k] = index;
                            let inner = &order[2..];
                            let begins = !in_register || z == t3;
                            let ends = !in_register || z + 1 == span(t3).end;
                            if inner != "k" || begins {
                                found.push(load(at(0, i, j), 4));
                            }
                            if inner != "j" || begins {
                                found.push(load(at(1, i, k), 4));
                            }
                            if inner != "i" || begins {
                                found.push(load(at(2, k, j), 4));
                            }
                            if inner != "k" || ends {
                                found.push(store(at(0, i, j), 4));
                            }
                        }
                    }
                }
            }
        }
    }
    found
}

#[test]
fn matrices_are_multiplied_in_every_order_and_tiling() {
    for order in ["ijk", "ikj", "jik", "jki", "kij", "kji"] {
        for (n, tile) in [(1, 0), (4, 0), (5, 2), (6, 3), (7, 7), (3, 100)] {
            for in_register in [true, false] {
                let operands = if in_register { "register" } else { "memory" };
                let text = format!(
                    "n={n} tile={tile} order={order} operands={operands} header=16 accesses=0"
                );
                let found: Vec<Access> = stream("matmul", &text).collect();
                assert_eq!(found, naive_matrix(n, tile.min(n), order, in_register), "{text}");
            }
        }
    }
}

#[test]
fn a_product_starts_over_when_it_is_done() {
    let once = addresses("matmul", "n=3 accesses=0");
    let twice = addresses("matmul", &format!("n=3 accesses={}", 2 * once.len()));
    assert_eq!(twice, [once.clone(), once].concat());
}

/// Fact S2.1: `prefetchnta 0xc0(%r10)`, then stores of the header at +0, the class at +8 and zeros at +12.
#[test]
fn an_object_of_16_bytes_is_three_stores_and_a_prefetch() {
    let prefetch = |address| Access::new(Kind::Prefetch, address, 1);
    let found: Vec<Access> = stream("tlab", "accesses=8").collect();
    let object = |at| [prefetch(at + 16 + 0xc0), store(at, 8), store(at + 8, 4), store(at + 12, 4)];
    assert_eq!(found, [object(0), object(16)].concat());
    let large: Vec<Access> = stream("tlab", "object=40 prefetch=0 accesses=6").collect();
    let expected =
        [store(0, 8), store(8, 4), store(12, 4), store(16, 8), store(24, 8), store(32, 8)];
    assert_eq!(large, expected);
}

/// Fact S2.5: the prefetched address, 192 bytes after the new top, is 13 objects of 16 bytes after the object.
#[test]
fn the_prefetch_enters_a_page_12_objects_before_the_end_of_the_last() {
    let accesses: Vec<Access> = stream("tlab", "accesses=1024").collect();
    let enters = accesses
        .iter()
        .position(|access| access.kind == Kind::Prefetch && access.address >> 12 == 1);
    let object = enters.unwrap() / 4;
    assert_eq!(256 - object - 1, 12, "objects that follow in the page");
}

#[test]
fn threads_allocate_in_turn_each_in_its_buffer() {
    let text = "threads=3 tlab=256 object=128 prefetch=0 heap=1K accesses=200";
    let mut stores = stream("tlab", text).filter(|access| access.address % 128 == 0);
    let objects: Vec<(u32, u64)> = stores.by_ref().map(|a| (a.tid, a.address)).take(10).collect();
    // The heap has four buffers. Thread 0 gets the fourth buffer, then the first is used again.
    let places = [(0, 0), (1, 2), (2, 4), (0, 1), (1, 3), (2, 5), (0, 6), (1, 0), (2, 2), (0, 7)];
    assert_eq!(objects, places.map(|(thread, place)| (thread, 128 * place)));
}

#[test]
fn references_to_the_objects_lie_after_the_heap() {
    let text = "heap=8K tlab=4K prefetch=0 references=2 accesses=12";
    let references: Vec<u64> =
        stream("tlab", text).filter(|a| a.address >= 8 << 10).map(|a| a.address).collect();
    assert_eq!(references, [0x3000, 0x3004, 0x3000]);
}
