//! Machines with entries and a memory of their own, and random given states, against the naive simulator.

use crate::common::one_test_per_row;
use crate::naive::compare::check;
use cases::{Result, Unstructured, cases};
use pagewalk_base::addr::{PageSize, Paging};
use pagewalk_base::trace::{Access, Kind};
use serde_json::{Map, Value, json};

const TLB: &str = r#""l1": [{"name": "a", "entries": 8, "ways": 2}], "l2": [{"name": "b", "entries": 16, "ways": 4, "index": "xor"}],
    "memory": {"caches": [{"name": "c", "size": "1K", "ways": 2, "latency": 4}]}"#;

/// The page tables: one and two levels of small entries, x86 with 32 bits, Sv39, and x86-64 in limited memory.
const PAGING: &[&str] = &[
    r#"{"offset_bits": 6, "index_bits": [8], "entry_bytes": 2, "physical_bits": 16}"#,
    r#"{"offset_bits": 5, "index_bits": [5, 5], "leaf_levels": [1], "entry_bytes": 2, "physical_bits": 16, "format": "valid-bit"}"#,
    r#"{"offset_bits": 4, "index_bits": [3, 4], "entry_bytes": 4, "physical_bits": 20}"#,
    r#"{"index_bits": [10, 10], "entry_bytes": 4, "physical_bits": 32, "format": "x86-32"}"#,
    r#"{"index_bits": [9, 9, 9], "physical_bits": 56, "format": "risc-v"}"#,
    r#"{"physical_bits": 36}"#,
    "{}",
];

/// A random state, in which no rows contradict each other.
fn state(u: &mut Unstructured<'_>, paging: &Paging) -> Result<Value> {
    let size = paging.sizes()[0];
    let n_pages = (paging.va_mask() >> size.shift()).min(200) + 1;
    let mut pages = Vec::new();
    let mut frame = 1;
    let mut next = 0;
    while next < n_pages && u.ratio(9, 10)? {
        let count = u.int_in_range(1..=3u64)?.min(n_pages - next);
        let mut row = json!({"page": hex(next), "count": count});
        match u.int_in_range(0..=3)? {
            0 => row["valid"] = json!(false),
            1 => {}
            _ => {
                frame += u.int_in_range(0..=2u64)?;
                row["frame"] = json!(hex(frame));
                frame += count;
            }
        }
        next += count + u.int_in_range(0..=2u64)?;
        pages.push(row);
    }
    let mut given = Map::from_iter([("pages".to_owned(), Value::from(pages.clone()))]);
    if u.arbitrary()? {
        given.insert("others".to_owned(), "fault".into());
    }
    if u.arbitrary()? {
        given.insert("next_frame".to_owned(), hex(frame + 3).into());
    }
    if u.ratio(1, 3)? {
        // Tables above all given frames, the largest with 64 frames each.
        let at: Vec<String> = (0..2).map(|n| hex(0x200 + 64 * n)).collect();
        given.insert("tables".to_owned(), at.into());
    }
    given.insert("tlb".to_owned(), entries(u, &pages, n_pages)?.into());
    Ok(given.into())
}

/// At most one entry for each page of an array, and at most one for each set.
fn entries(u: &mut Unstructured<'_>, pages: &[Value], n_pages: u64) -> Result<Vec<Value>> {
    let invalid = |page: u64| {
        pages.iter().any(|row| {
            let first = number(&row["page"]);
            row["valid"] == json!(false)
                && (first..first + row["count"].as_u64().unwrap()).contains(&page)
        })
    };
    let mut rows = Vec::new();
    for (array, n_sets) in [("a", 4u64), ("b", 4)] {
        for set in 0..n_sets {
            let tag = u.int_in_range(0..=(n_pages - 1) / n_sets)?;
            let low = if array == "b" { set ^ (tag % n_sets) } else { set };
            let page = (tag * n_sets) | low;
            if page >= n_pages || invalid(page) || !u.ratio(2, 3)? {
                continue;
            }
            rows.push(match u.int_in_range(0..=2)? {
                0 => json!({"array": array, "page": hex(page)}),
                1 => json!({"array": array, "set": hex(set), "tag": hex(tag)}),
                _ => json!({"array": array, "page": hex(page), "set": hex(set)}),
            });
        }
    }
    Ok(rows)
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}

fn number(hex: &Value) -> u64 {
    pagewalk_base::addr::parse_hex(hex.as_str().unwrap()).unwrap()
}

/// Accesses to few pages, some beyond the addresses of the machine.
fn accesses(u: &mut Unstructured<'_>, n: usize, size: PageSize) -> Result<Vec<Access>> {
    let mut list = Vec::new();
    for _ in 0..n {
        let page = u64::from(u.arbitrary::<u8>()?) * if u.ratio(1, 20)? { 300 } else { 1 };
        let kind =
            *u.choose(&[Kind::Load, Kind::Load, Kind::Store, Kind::Fetch, Kind::Prefetch])?;
        let address = page * size.bytes() + u.int_in_range(0..=size.bytes() - 1)?;
        let pid = u32::from(u.ratio(1, 50)?);
        list.push(Access { pid, ..Access::new(kind, address, *u.choose(&[0, 1, 4, 8])?) });
    }
    Ok(list)
}

fn given_states_agree_with_the_naive_simulator(paging: &str) {
    let geometry: Paging = serde_json::from_str(paging).unwrap();
    let geometry = geometry.resolve(&pagewalk_base::small_map::SmallMap::default()).unwrap();
    let machine = format!(r#"{{"paging": {paging}, {TLB}}}"#);
    cases(300).check(|u| {
        let size = geometry.sizes()[0];
        let os = json!({"default": size.to_string(), "given": state(u, &geometry)?});
        let n = u.int_in_range(0..=300)?;
        check(&machine, &os.to_string(), &accesses(u, n, size)?);
        Ok(())
    });
}
one_test_per_row!(given_states_agree_with_the_naive_simulator, PAGING, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);

/// The same machines without a given state: only their memory and entries are their own.
fn machines_with_a_memory_of_their_own_agree_with_the_naive_simulator(paging: &str) {
    let geometry: Paging = serde_json::from_str(paging).unwrap();
    let geometry = geometry.resolve(&pagewalk_base::small_map::SmallMap::default()).unwrap();
    let machine = format!(r#"{{"paging": {paging}, {TLB}, "psc": {{"pde": {{"entries": 2}}}}}}"#);
    for size in geometry.sizes() {
        let os = format!(r#"{{"default": "{size}"}}"#);
        cases(100).check(|u| {
            let n = u.int_in_range(0..=300)?;
            check(&machine, &os, &accesses(u, n, geometry.sizes()[0])?);
            Ok(())
        });
    }
}
one_test_per_row!(machines_with_a_memory_of_their_own_agree_with_the_naive_simulator, PAGING, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);
