//! Every count of nested walks and of shadow paging equals that of the naive simulator, with and without page
//! runs.

use crate::common::one_test_per_row;
use crate::naive::compare::{accesses, check};
use crate::naive::machines::{MACHINES, SYSTEMS};
use cases::cases;
use serde_json::{Value, json};

type Draws<'a> = cases::Unstructured<'a>;
type Drawn<T> = cases::Result<T>;

/// Returns a random cache of 1 to 12 entries.
fn cache(u: &mut Draws<'_>) -> Drawn<Value> {
    let ways = *u.choose(&[1, 2, 3, 4])?;
    let mut cache = json!({ "entries": ways * u.choose(&[1, 2])? });
    if u.arbitrary()? {
        cache["ways"] = json!(ways);
    }
    if u.arbitrary()? {
        cache["replacement"] = json!(u.choose(&["lru", "fifo", "bit-plru"])?);
    }
    Ok(cache)
}

/// Returns a random nested TLB inside an array of level 2, if the machine has one.
fn inside(u: &mut Draws<'_>, machine: &Value) -> Drawn<Option<Value>> {
    let Some(arrays) = machine["l2"].as_array().filter(|arrays| !arrays.is_empty()) else {
        return Ok(None);
    };
    let mut tlb = json!({ "in": u.choose(arrays)?["name"] });
    let sizes: &[&[&str]] = &[&["4K"], &["2M"], &["2M", "1G"], &["1G", "4K"], &["4K", "2M", "1G"]];
    if u.ratio(3, 4)? {
        tlb["pages"] = json!(u.choose(sizes)?);
    }
    Ok(Some(tlb))
}

/// Returns random caches for nested walks. Each cache may be missing.
fn virt(u: &mut Draws<'_>, machine: &Value) -> Drawn<Value> {
    let style = *u.choose(&["combined", "pwc-1d", "pwc-2d"])?;
    let mut virt = json!({ "style": style });
    if u.arbitrary()? {
        virt["levels"] = json!(u.choose(&[4, 5])?);
    }
    if u.ratio(2, 3)? {
        let place = if u.arbitrary()? { inside(u, machine)? } else { None };
        virt["nested_tlb"] = match place {
            Some(place) => place,
            None => cache(u)?,
        };
        virt["nested_tlb"]["data"] = json!(u.arbitrary::<bool>()?);
    }
    let sets = ["pde", "pml5e pml4e pdpte pde", "upper pde", "unified", "pdpte"];
    for name in u.choose(&sets)?.split(' ') {
        if style == "combined" && u.ratio(3, 4)? && (name != "pml5e" || virt["levels"] == 5) {
            virt["ept_psc"][name] = cache(u)?;
        }
    }
    if style != "combined" && u.ratio(3, 4)? {
        virt["pwc"] = cache(u)?;
        virt["pwc"]["leaf_of_tables"] = json!(style == "pwc-2d" && u.arbitrary()?);
    }
    if u.ratio(1, 4)? {
        virt["ad"] = json!(u.arbitrary::<bool>()?);
    }
    Ok(virt)
}

/// Hosts with khugepaged, or with pages that are copied when they are written.
const BUSY_HOSTS: &[&str] = &[
    r#"{"default": "thp", "thp": {"at_fault": false, "fragmentation": 30, "khugepaged": {"every": 50, "pages": 2}}}"#,
    r#"{"default": "thp", "thp": {"at_fault": false, "khugepaged": {"every": 20, "max_ptes_none": 508}}}"#,
    r#"{"regions": [{"start": "0x1000000000", "end": "0x2000000000", "pages": "4K", "copy_on_write": true}]}"#,
    r#"{"regions": [{"start": "0x1000000000", "end": "0x2000000000", "pages": "2M", "copy_on_write": true}]}"#,
    r#"{"thp": {"at_fault": false, "khugepaged": {"every": 50}}, "regions": [{"start": "0x1000000000", "end": "0x2000000000", "pages": "thp", "copy_on_write": true}]}"#,
];

fn hosts_that_change_their_tables_agree_with_the_naive_simulator(host: &str) {
    cases(450).check(|u| {
        let mut machine: Value = serde_json::from_str(u.choose(MACHINES)?).unwrap();
        let virt = virt(u, &machine)?;
        machine["virt"] = virt;
        machine["virt"]["vpid"] = json!(u.arbitrary::<bool>()?);
        machine["inclusion"] = json!(u.choose(&["nine", "inclusive", "exclusive"])?);
        let mut os: Value = serde_json::from_str(u.choose(SYSTEMS)?).unwrap();
        os["virt"] = json!("ept");
        os["host"] = serde_json::from_str(host).unwrap();
        let n = u.int_in_range(0..=900)?;
        let list = accesses(u, n)?;
        check(&machine.to_string(), &os.to_string(), &list);
        Ok(())
    });
}
one_test_per_row!(hosts_that_change_their_tables_agree_with_the_naive_simulator, BUSY_HOSTS, [row_0 row_1 row_2 row_3 row_4]);

/// Hosts with one page size, or with other sizes for guest tables and parts of the data.
const HOSTS: &[&str] = &[
    "{}",
    r#"{"default": "2M"}"#,
    r#"{"default": "1G"}"#,
    r#"{"regions": [{"start": "0", "end": "0x40000000", "pages": "2M"}]}"#,
    r#"{"default": "2M", "regions": [{"start": "0x200000", "end": "0x400000", "pages": "4K"}]}"#,
    r#"{"regions": [{"start": "0x1000010000", "end": "0x1001000000", "pages": "2M"}, {"start": "0x1040000000", "end": "0x2000000000", "pages": "1G"}]}"#,
];

const INCLUSIONS: &[&str] = &["nine", "inclusive", "exclusive"];

/// The usual inclusion is tested with twice as many cases.
const INCLUSIONS_TWICE: &[&str] = &["nine", "nine", "inclusive", "exclusive"];

fn nested_walks_agree_with_the_naive_simulator(inclusion: &str) {
    cases(1400).check(|u| {
        let mut machine: Value = serde_json::from_str(u.choose(MACHINES)?).unwrap();
        let virt = virt(u, &machine)?;
        machine["virt"] = virt;
        machine["inclusion"] = json!(inclusion);
        let mut os: Value = serde_json::from_str(u.choose(SYSTEMS)?).unwrap();
        os["virt"] = json!("ept");
        os["host"] = serde_json::from_str(u.choose(HOSTS)?).unwrap();
        let n = u.int_in_range(0..=900)?;
        let list = accesses(u, n)?;
        check(&machine.to_string(), &os.to_string(), &list);
        Ok(())
    });
}
one_test_per_row!(nested_walks_agree_with_the_naive_simulator, INCLUSIONS_TWICE, [row_0 row_1 row_2 row_3]);

fn shadow_paging_agrees_with_the_naive_simulator(inclusion: &str) {
    cases(850).check(|u| {
        let mut machine: Value = serde_json::from_str(u.choose(MACHINES)?).unwrap();
        // Under shadow paging the processor uses none of these caches.
        let virt = virt(u, &machine)?;
        machine["virt"] = virt;
        machine["virt"]["levels"] = json!(4);
        if let Some(psc) = machine["virt"].get_mut("ept_psc") {
            psc.as_object_mut().unwrap().remove("pml5e");
        }
        machine["inclusion"] = json!(inclusion);
        let mut os: Value = serde_json::from_str(u.choose(SYSTEMS)?).unwrap();
        os["virt"] = json!("shadow");
        if u.ratio(3, 4)? {
            os["host"] = serde_json::from_str(u.choose(HOSTS)?).unwrap();
        }
        let n = u.int_in_range(0..=900)?;
        let list = accesses(u, n)?;
        check(&machine.to_string(), &os.to_string(), &list);
        Ok(())
    });
}
one_test_per_row!(shadow_paging_agrees_with_the_naive_simulator, INCLUSIONS, [row_0 row_1 row_2]);
