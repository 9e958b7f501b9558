//! Every count of machines with hashed page tables equals that of the naive simulator. `operations` and `cores` have
//! machines with such tables, too. The random tests of systems compare them with radix trees.

use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, check, prefetch_some};
use crate::naive::machines::{MACHINES, SYSTEMS};
use cases::cases;

/// The machines with addresses of 48 bits.
const ROWS: &[usize] = &[0, 1, 2, 3, 5, 6, 7, 8];

/// Returns the machine with hashed page tables that are soon too small, without its paging-structure caches.
fn with_hashed_tables(config: &str, u: &mut cases::Unstructured<'_>) -> cases::Result<String> {
    let mut config: serde_json::Value = serde_json::from_str(config).unwrap();
    config["ecpt"] = serde_json::json!({
        "ways": u.int_in_range(2..=4)?,
        "entries": u.choose(&[4, 8, 64, 16_384])?,
        "load": u.choose(&[20, 40, 60, 60, 90])?,
        "growth": u.choose(&[2, 2, 4, 8])?,
        "pmd_cwc": u.choose(&[0, 1, 4, 16])?,
        "pud_cwc": u.choose(&[0, 1, 2])?,
        "cycles": u.choose(&[0, 4])?,
        "early": u.arbitrary::<bool>()?,
    });
    config["psc"] = serde_json::json!({});
    config["inclusion"] = (*u.choose(&["nine", "inclusive", "exclusive"])?).into();
    Ok(config.to_string())
}

fn machines_with_hashed_tables_agree_with_the_naive_simulator(row: usize) {
    for os in SYSTEMS {
        cases(60).check(|u| {
            let config = with_hashed_tables(MACHINES[row], u)?;
            let n = u.int_in_range(0..=1500)?;
            let mut list = accesses(u, n)?;
            prefetch_some(&mut list, 8);
            check(&config, os, &list);
            Ok(())
        });
    }
}
one_test_per_row!(machines_with_hashed_tables_agree_with_the_naive_simulator, ROWS, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7]);
