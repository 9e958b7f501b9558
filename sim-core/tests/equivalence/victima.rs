//! Every count of machines with TLB blocks in a memory cache equals that of the naive simulator. `operations` and `cores`
//! have machines with such blocks, too.

use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, check, prefetch_some};
use crate::naive::machines::{MACHINES, SYSTEMS};
use cases::cases;

/// Returns the machine with TLB blocks in a small second cache.
fn with_blocks(config: &str, u: &mut cases::Unstructured<'_>) -> cases::Result<String> {
    let mut config: serde_json::Value = serde_json::from_str(config).unwrap();
    let fills = *u.choose(&["both", "walks", "evictions"])?;
    let replacement = *u.choose(&["lru", "tlb-aware"])?;
    let min_walks = u.int_in_range(0..=3u8)?;
    let min_dram_reads = *u.choose(&[0, 0, 1, 2, 5])?;
    config["victima"] = serde_json::json!({
        "fills": fills, "replacement": replacement,
        "min_walks": min_walks, "min_dram_reads": min_dram_reads,
    });
    config["inclusion"] = (*u.choose(&["nine", "inclusive", "exclusive"])?).into();
    let (size, ways) = *u.choose(&[("1K", 4), ("768", 2), ("4K", 16), ("9600", 50)])?;
    let mut caches = vec![
        serde_json::json!({"name": "a", "size": "512", "ways": 2, "latency": 4}),
        serde_json::json!({"name": "b", "size": size, "ways": ways, "latency": 14}),
    ];
    if u.arbitrary()? {
        caches.push(serde_json::json!({"name": "c", "size": "8K", "ways": 8, "latency": 40}));
    }
    config["memory"] = serde_json::json!({"caches": caches, "data": u.arbitrary::<bool>()?});
    Ok(config.to_string())
}

fn machines_with_tlb_blocks_agree_with_the_naive_simulator(config: &str) {
    for os in SYSTEMS {
        cases(80).check(|u| {
            let config = with_blocks(config, u)?;
            let n = u.int_in_range(0..=1500)?;
            let mut list = accesses(u, n)?;
            prefetch_some(&mut list, 8);
            check(&config, os, &list);
            Ok(())
        });
    }
}
one_test_per_row!(machines_with_tlb_blocks_agree_with_the_naive_simulator, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7 row_8 row_9]);
