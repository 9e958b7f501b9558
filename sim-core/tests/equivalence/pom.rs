//! Every count of machines with translations behind level 2 equals that of the naive simulator. `operations` and `cores`
//! have machines with such translations, too.

use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, check, prefetch_some};
use crate::naive::machines::{MACHINES, SYSTEMS};
use cases::cases;

/// Returns the machine with a POM-TLB of 1 to 16 sets in each half.
fn with_pom(config: &str, u: &mut cases::Unstructured<'_>) -> cases::Result<String> {
    let size = *u.choose(&["128", "256", "1K", "2K", "16M"])?;
    let dram = *u.choose(&["", r#", "dram": 50"#])?;
    let pom = format!(r#"{{"pom_tlb": {{"size": "{size}"{dram}}},"#);
    Ok(config.replacen('{', &pom, 1).replace(",}", "}"))
}

fn machines_with_a_pom_tlb_agree_with_the_naive_simulator(config: &str) {
    for os in SYSTEMS {
        cases(80).check(|u| {
            let config = with_pom(config, u)?;
            let inclusion = *u.choose(&["nine", "inclusive", "exclusive"])?;
            let config = config.replacen('{', &format!(r#"{{"inclusion": "{inclusion}","#), 1);
            let n = u.int_in_range(0..=1500)?;
            let mut list = accesses(u, n)?;
            prefetch_some(&mut list, 8);
            check(&config, os, &list);
            Ok(())
        });
    }
}
one_test_per_row!(machines_with_a_pom_tlb_agree_with_the_naive_simulator, MACHINES, [row_0 row_1 row_2 row_3 row_4 row_5 row_6 row_7 row_8 row_9]);

/// Systems under a host, with pages of equal and of different sizes.
const HOSTS: &[&str] = &[
    r#"{"virt": "ept"}"#,
    r#"{"virt": "ept", "host": {"default": "2M"}}"#,
    r#"{"default": "2M", "virt": "ept"}"#,
    r#"{"default": "2M", "virt": "ept", "host": {"default": "2M"}}"#,
    r#"{"virt": "shadow", "host": {"default": "4K"}}"#,
];

fn a_pom_tlb_under_a_host_agrees_with_the_naive_simulator(os: &str) {
    for config in [MACHINES[1], MACHINES[2], MACHINES[5]] {
        let config = config.replacen('{', r#"{"virt": {"nested_tlb": {"entries": 4}},"#, 1);
        cases(80).check(|u| {
            let config = with_pom(&config, u)?;
            let n = u.int_in_range(0..=1000)?;
            check(&config, os, &accesses(u, n)?);
            Ok(())
        });
    }
}
one_test_per_row!(a_pom_tlb_under_a_host_agrees_with_the_naive_simulator, HOSTS, [row_0 row_1 row_2 row_3 row_4]);
