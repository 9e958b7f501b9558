//! The order of use of a nearest cache, computed late, equals that of the naive simulator. The caches are the largest that
//! allow a late order, with each number of ways that has a layout of its own.

use crate::common::one_test_per_row;
use crate::naive::compare::check;
use cases::cases;
use pagewalk_base::trace::{Access, Kind};

/// The size, the ways, and log2 of the pages after which a set comes again.
const CACHES: &[(&str, u32, u32)] = &[
    ("48K", 12, 0),
    ("384K", 12, 3),
    ("512K", 16, 3),
    ("64K", 16, 0),
    ("512K", 8, 4),
    ("32K", 8, 0),
];

/// Accesses to more lines of a few sets than a set has ways. Walks read lines of the same sets.
fn late_orders_agree_with_the_naive_simulator((size, ways, bits): (&str, u32, u32)) {
    let config = format!(
        r#"{{"l1": [{{"name": "d", "entries": 4}}], "l2": [{{"name": "s", "entries": 16, "ways": 4}}], "psc": {{"pde": {{"entries": 4}}}},
            "memory": {{"data": true, "caches": [{{"name": "a", "size": "{size}", "ways": {ways}}}, {{"name": "b", "size": "1M", "ways": 16}}]}}}}"#
    );
    for os in ["{}", r#"{"default": "2M"}"#] {
        cases(40).check(|u| {
            let n_pages = u64::from(ways + 3) << bits;
            let n = u.int_in_range(0..=1500)?;
            let list = (0..n).map(|_| {
                let (page, line) = (u.int_in_range(0..=n_pages)?, u.int_in_range(0..=1u64)?);
                let kind = *u.choose(&[Kind::Load, Kind::Load, Kind::Store, Kind::Fetch])?;
                Ok(Access::new(kind, page << 12 | line << 6, 4))
            });
            check(&config, os, &list.collect::<cases::Result<Vec<_>>>()?);
            Ok(())
        });
    }
}
one_test_per_row!(late_orders_agree_with_the_naive_simulator, CACHES, [row_0 row_1 row_2 row_3 row_4 row_5]);
