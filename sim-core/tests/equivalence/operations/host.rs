//! Tests of operations of the host on its tables, compared with the naive simulator.

use super::{MACHINES, check, with_virt};
use crate::common::ops::Item;
use crate::naive::Naive;
use cases::{Result, Unstructured, cases};
use pagewalk::config::parse_json;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Access, HostPart, Kind, Op, OpRecord};

/// Returns an operation of the host on its tables, for a data page or for a guest table.
fn op_of_tables(u: &mut Unstructured<'_>, address: u64) -> Result<Op> {
    let (address, flush) = (Hex(address), u.ratio(2, 3)?);
    let part = HostPart(*u.choose(&[0, 0, 0, 1, 2, 4])?);
    Ok(match u.int_in_range(0..=3)? {
        0 | 1 => Op::HostUnmap { address, part, flush },
        2 => {
            let none = (false, false, false);
            let rights = [none, (true, false, false), (true, false, true), (true, true, false)];
            let (read, write, execute) = *u.choose(&rights)?;
            Op::HostProtect { address, part, read, write, execute, flush }
        }
        _ => {
            // Some entries lose all rights, and some become misconfigured.
            let clear = Hex(*u.choose(&[0, 1, 2, 4, 5, 7, 0x38, 0x3a])?);
            let set = Hex(if clear.0 < 8 && u.ratio(1, 4)? { 0x3f } else { 7 });
            let level = u.int_in_range(1..=4)?;
            Op::HostSetEntry { address, part, level, set, clear }
        }
    })
}

/// The host unmaps pages, removes rights and changes entries, with and without a flush.
#[test]
fn operations_of_the_host_on_its_tables_agree_with_the_naive_simulator() {
    const HOSTS: &[&str] = &[
        r#"{"virt": "ept"}"#,
        r#"{"virt": "ept", "host": {"default": "2M"}}"#,
        r#"{"default": "2M", "virt": "ept"}"#,
    ];
    const VIRTS: &[&str] = &[
        "{}",
        r#"{"nested_tlb": {"entries": 4, "data": true}, "ept_psc": {"pde": {"entries": 2}, "upper": {"entries": 2}}}"#,
        r#"{"nested_tlb": {"entries": 8}, "ad": false}"#,
        r#"{"vpid": false, "nested_tlb": {"entries": 8}, "ept_psc": {"pde": {"entries": 4}}}"#,
        r#"{"nested_tlb": {"in": "s", "data": true}, "ept_psc": {"pde": {"entries": 2}}}"#,
        r#"{"vpid": false, "nested_tlb": {"in": "s", "pages": ["4K"]}}"#,
    ];
    let mut seen = [0; 3];
    for os in HOSTS {
        cases(185).size_min(4096).check(|u| {
            let of_levels = MACHINES.iter().filter(|config| !config.contains("exclusive"));
            let machines: Vec<_> = of_levels.collect();
            let config = with_virt(u.choose(&machines)?, u.choose(VIRTS)?);
            let mut naive = Naive::new(&parse_json(&config).unwrap(), &parse_json(os).unwrap());
            let (mut list, mut pid, mut page) = (Vec::new(), 0, 0);
            for _ in 0..u.int_in_range(0..=400)? {
                pid = if u.ratio(1, 12)? { u.int_in_range(0..=1)? } else { pid };
                if u.ratio(1, 3)? {
                    page = u64::from(u.int_in_range(0..=5u8)?) << u.choose(&[0, 0, 9])?;
                }
                let address = page << 12 | u64::from(u.arbitrary::<u16>()? & 0xfff);
                let kind = *u.choose(&[Kind::Fetch, Kind::Load, Kind::Store])?;
                let access = Access { pid, ..Access::new(kind, address, *u.choose(&[1, 8])?) };
                let mut item = Item::Access(access);
                if u.ratio(1, 8)? {
                    let op = op_of_tables(u, address)?;
                    if naive.may(pid, &op) {
                        item = Item::Op(OpRecord { pid, tid: 0, cpu: 0, op });
                    }
                }
                match &item {
                    Item::Access(access) => naive.access(access),
                    Item::Op(record) => naive.op(record),
                }
                list.push(item);
            }
            check(&config, os, &list);
            let host = naive.host.as_ref().unwrap();
            for (seen, n) in
                seen.iter_mut().zip([naive.misconfigurations, host.done.exits, host.done.in_memory])
            {
                *seen += n;
            }
            Ok(())
        });
    }
    // Every kind of event must happen at least once.
    assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
}
