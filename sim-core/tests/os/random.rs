//! Random policies on random memory maps: every counter of the machine equals that of the naive system.

use std::rc::Rc;

use cases::{Result, Unstructured, cases};
use pagewalk::config::parse_json;
use pagewalk::machine::Machine;
use pagewalk::os::{MemoryMap, OsConfig};
use pagewalk::record::stats::RunReport;
use pagewalk::run::replay::Replay;
use pagewalk_analysis::regions::memory_map;
use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{
    Access, Completeness, Kind, Mapping, MemoryAdvice, Op, OpRecord, Trace, TraceBuilder,
};
use serde_json::{Value, json};

use crate::common::one_test_per_row;
use crate::common::ops::Item;
use crate::twin::{Counts, Twin};

/// The end of the used memory: sixteen huge pages and a part.
const END: u64 = 33 << 20;
const HUGE: u64 = 2 << 20;

#[track_caller]
fn check(os: &Value, mappings: &[Mapping], items: &[Item], entries: usize) -> Option<Counts> {
    // A system that adapts to cycles does something else where walks take other cycles.
    let follows_cycles = !os["hugetext"]["adaptive"].is_null();
    let os: OsConfig = parse_json(&os.to_string()).unwrap();
    let trace = build(mappings, items);
    let machine = format!(r#"{{"l1": [{{"entries": {entries}}}]}}"#);
    let known = memory_map(&trace, None);
    // Other tests check invalid configurations.
    let machine = Machine::with_map(&parse_json(&machine).unwrap(), &os, &known).ok()?;
    let twin = twin(&os, &known, items, entries);
    let mut replay = Replay::new(Rc::new(build(mappings, items)), machine, 0);
    let done = loop {
        match replay.run(u32::MAX) {
            Ok(false) => {}
            done => break done,
        }
    };
    assert_eq!(done.is_err(), twin.failed, "{done:?}");
    if !twin.failed {
        let report = replay.report();
        compare(&report, &twin);
        if !follows_cycles {
            compare_hashed(&os, &report, build(mappings, items), entries);
        }
    }
    Some(twin.counts)
}

fn build(mappings: &[Mapping], items: &[Item]) -> Trace {
    let mut builder = TraceBuilder::default();
    for mapping in mappings {
        builder.map(mapping.clone()).unwrap();
    }
    for item in items {
        match item {
            Item::Access(access) => builder.push(access).unwrap(),
            Item::Op(record) => builder.push_op(record).unwrap(),
        }
    }
    builder.finish(Completeness::Complete).unwrap()
}

fn twin<'a>(
    os: &'a OsConfig,
    known: &'a MemoryMap<'a>,
    items: &[Item],
    entries: usize,
) -> Twin<'a> {
    let mut twin = Twin::new(os, known, entries);
    let mut index = 0;
    for item in items {
        match item {
            Item::Access(access) => {
                twin.access(index, access);
                index += 1;
            }
            Item::Op(record) => twin.op(record),
        }
    }
    twin
}

#[track_caller]
fn compare(report: &RunReport, twin: &Twin<'_>) {
    let (faults, system, memory) = (&report.faults, &report.system, &report.memory);
    let counts = Counts {
        walks: report.walks.walks,
        faults: [
            faults.first_touch,
            faults.shared,
            faults.copy_on_write,
            faults.swap_in,
            faults.hidden,
        ],
        bus_errors: faults.bus_errors,
        promotions: system.promotions,
        promoted: system.promoted_pages,
        demotions: system.demotions,
        failed: system.failed_promotions,
        shootdowns: system.shootdowns,
        dropped: system.dropped_entries,
        pretouched: memory.pretouched_pages,
        reused: system.reused_pages,
    };
    assert_eq!(counts, twin.counts);
    assert_eq!(memory.text_cap, twin.text_cap());
    let pages = ["4K", "2M", "1G", "table_pages"].map(|name| report.pages[name]);
    assert_eq!(pages, [twin.n_pages(12), twin.n_pages(21), twin.n_pages(30), twin.n_tables()]);
    assert_eq!(memory.mapped_bytes, twin.mapped_bytes());
    assert_eq!(memory.used_bytes, Some(twin.used_bytes()));
    assert_eq!(memory.shared_bytes, twin.shared_bytes());
    assert_eq!(memory.waste_bytes, Some(twin.mapped_bytes() - twin.used_bytes()));
    for pool in &memory.hugetlb {
        assert_eq!(pool.free, twin.pools[&pool.size.shift()], "pool of {}", pool.size);
    }
    let page_faults: Vec<(String, u64)> =
        twin.page_faults.iter().map(|(code, n)| (format!("{code:#x}"), *n)).collect();
    assert_eq!(report.exceptions.page_faults, page_faults.into_iter().collect());
    let by_region: u64 = report.regions.iter().flat_map(|region| region.pages.values()).sum();
    assert!(by_region <= pages[..3].iter().sum());
}

/// Compares a machine with small hashed page tables: its TLB, its pages and its faults are those of radix trees. A walk
/// that finds no line of its page is an error.
#[track_caller]
fn compare_hashed(os: &OsConfig, radix: &RunReport, trace: Trace, entries: usize) {
    let machine = format!(r#"{{"l1": [{{"entries": {entries}}}], "ecpt": {{"entries": 4}}}}"#);
    let known = memory_map(&trace, None);
    let machine = Machine::with_map(&parse_json(&machine).unwrap(), os, &known).unwrap();
    let mut replay = Replay::new(Rc::new(trace), machine, 0);
    while !replay.run(u32::MAX).unwrap() {}
    let hashed = replay.report();
    assert_eq!(hashed.kinds, radix.kinds);
    assert_eq!(hashed.structures, radix.structures);
    assert_eq!((hashed.faults, hashed.system), (radix.faults, radix.system));
    assert_eq!(hashed.regions, radix.regions);
    for size in ["4K", "2M", "1G"] {
        assert_eq!(hashed.pages[size], radix.pages[size]);
    }
}

/// Returns a page of the used memory, most often near the border of a huge page.
fn page(u: &mut Unstructured<'_>) -> Result<u64> {
    let block = u.int_in_range(0..=END / HUGE)?;
    let inside = *u.choose(&[0, 1, 2, 3, 255, 256, 510, 511])?;
    Ok(block * HUGE + inside * 4096)
}

/// Returns up to `n` ranges without overlaps.
fn ranges(u: &mut Unstructured<'_>, n: usize) -> Result<Vec<(u64, u64)>> {
    let mut cuts = Vec::new();
    for _ in 0..2 * u.int_in_range(0..=n)? {
        cuts.push(page(u)?);
    }
    cuts.sort_unstable();
    cuts.dedup();
    Ok(cuts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

fn region(u: &mut Unstructured<'_>, (start, end): (u64, u64), os: &Value) -> Result<Value> {
    let mut region = json!({ "start": Hex(start), "end": Hex(end) });
    let policies = ["4K", "2M", "1G", "thp", "thp", "hugetlb-2M", "hugetext", "hugetext"];
    let policy = *u.choose(&policies)?;
    region["pages"] = json!(policy);
    match policy {
        "thp" => {
            if u.arbitrary()? {
                region["advice"] = json!(u.choose(&["hugepage", "nohugepage"])?);
            }
            region["pretouch"] = json!(u.ratio(1, 8)?);
        }
        "hugetlb-2M" => {
            let [start, end] = [start, end.next_multiple_of(HUGE)].map(|at| at / HUGE * HUGE);
            region["start"] = json!(Hex(start));
            region["end"] = json!(Hex(end));
        }
        "hugetext" => {
            let kinds: &[&str] = match os["hugetext"]["enabled"].as_u64() {
                Some(1) => &["text", "library"],
                Some(2) => &["jit"],
                _ => &["text", "library", "jit"],
            };
            region["kind"] = json!(u.choose(kinds)?);
        }
        _ => {
            if u.arbitrary()? {
                region["kind"] = json!(u.choose(&["heap", "file", "shared", "text", "stack"])?);
            }
            region["pretouch"] = json!(u.ratio(1, 8)?);
        }
    }
    if region["pretouch"] != json!(true) {
        region["copy_on_write"] = json!(u.ratio(1, 3)?);
    }
    if region["pretouch"] != json!(true) {
        region["resident"] = json!(u.ratio(4, 5)?);
    }
    Ok(region)
}

fn system(u: &mut Unstructured<'_>) -> Result<Value> {
    let defaults = ["4K", "2M", "thp", "thp", "hugetlb-2M", "hugetlb-1G", "hugetext", "hugetext"];
    let mut os = json!({ "default": u.choose(&defaults)? });
    os["thp"] = json!({
        "enabled": u.choose(&["always", "always", "madvise", "never"])?,
        "at_fault": u.ratio(2, 3)?,
        "fragmentation": u.choose(&[0, 0, 20, 50, 100])?,
        "seed": u.arbitrary::<u16>()?,
    });
    if u.arbitrary()? {
        let mut daemon =
            json!({ "every": u.int_in_range(1..=60)?, "pages": u.int_in_range(1..=3)? });
        if u.arbitrary()? {
            daemon["max_ptes_none"] = json!(u.choose(&[0, 508, 510, 511])?);
        }
        os["thp"]["khugepaged"] = daemon;
    }
    os["hugetext"] = json!({
        "enabled": u.int_in_range(1..=3)?,
        "pad_threshold": u.choose(&[0, 0, 4095, 4096, 1 << 20])?,
    });
    if u.ratio(1, 3)? {
        os["hugetext"]["max"] = json!(u.int_in_range(0..=5)?);
    }
    if u.ratio(1, 2)? {
        os["hugetext"]["adaptive"] =
            json!({ "every": u.int_in_range(1..=40)?, "step": u.int_in_range(1..=4)? });
    }
    if u.arbitrary()? {
        os["hugetlb"] =
            json!([{ "size": "2M", "pages": u.int_in_range(0..=6)?, "reserve": u.ratio(1, 4)? }]);
    }
    os["map"] = json!(u.choose(&["trace", "trace", "inferred", "none"])?);
    let mut regions = Vec::new();
    for range in ranges(u, 4)? {
        let region = region(u, range, &os)?;
        regions.push(region);
    }
    os["regions"] = json!(regions);
    leave_out_idle(&mut os);
    Ok(os)
}

/// Removes settings without an effect, because they are errors.
fn leave_out_idle(os: &mut Value) {
    let regions = os["regions"].as_array().unwrap();
    let policies: Vec<Value> = regions.iter().map(|region| region["pages"].clone()).collect();
    let has = |os: &Value, name: &str| {
        os["default"].as_str().unwrap().starts_with(name)
            || policies.iter().any(|pages| pages.as_str().unwrap().starts_with(name))
    };
    for policy in ["thp", "hugetext", "hugetlb"] {
        if !has(os, policy) {
            os.as_object_mut().unwrap().remove(policy);
        }
    }
    if let Some(thp) = os.get_mut("thp").and_then(Value::as_object_mut) {
        let is_never = thp["enabled"] == "never";
        if is_never {
            thp.remove("khugepaged");
        }
        if is_never || thp["at_fault"] == false && !thp.contains_key("khugepaged") {
            thp.remove("fragmentation");
        }
    }
    if os["hugetext"]["enabled"] == 2 {
        os["hugetext"]["pad_threshold"] = json!(0);
    }
    if os["hugetext"].is_null() {
        os.as_object_mut().unwrap().remove("hugetext");
    }
}

fn mappings(u: &mut Unstructured<'_>) -> Result<Vec<Mapping>> {
    let mut list = Vec::new();
    for _ in 0..u.int_in_range(0..=6)? {
        let (from, to) = (page(u)?, page(u)?);
        let name = *u.choose(&["/bin/a", "/lib/x.so", "[heap]", "//anon", "/dev/shm/x", ""])?;
        let offset = *u.choose(&[0, 0, from % HUGE, from % HUGE, 4096])?;
        let pid = u.int_in_range(0..=1)?;
        list.extend(Mapping::new(pid, from..to, offset, u.arbitrary()?, name));
    }
    Ok(list)
}

fn items(u: &mut Unstructured<'_>, with_ops: bool) -> Result<Vec<Item>> {
    // A trace needs at least one access.
    let mut items = vec![Item::Access(Access::new(Kind::Load, page(u)?, 1))];
    let (mut pid, mut n_children) = (0, 0);
    for _ in 0..u.int_in_range(0..=300)? {
        if with_ops && !u.ratio(29, 30)? {
            // If the random data is used up, accesses follow. Sometimes the child exists already.
            n_children += u32::from(u.ratio(15, 16)?);
            let (child, flush) = (2 + n_children, u.ratio(4, 5)?);
            let op = Op::Fork { child, flush };
            items.push(Item::Op(OpRecord { pid, tid: 0, cpu: 0, op }));
        }
        if u.ratio(1, 10)? {
            pid = u.int_in_range(0..=2 + n_children)?;
        }
        // Related processes often use the same pages.
        let address = if n_children > 0 && u.arbitrary()? {
            u.int_in_range(0..=3)? * HUGE / 2 + u.int_in_range(0..=1)? * 4096
        } else {
            page(u)?
        };
        if with_ops && !u.ratio(24, 25)? {
            let op = taken_back(u, address)?;
            items.push(Item::Op(OpRecord { pid, tid: 0, cpu: 0, op }));
            continue;
        }
        let kinds =
            [Kind::Fetch, Kind::Fetch, Kind::Load, Kind::Store, Kind::Store, Kind::Prefetch];
        let size = *u.choose(&[1, 8, 4096, 5000])?;
        let access = Access::new(*u.choose(&kinds)?, address + u.int_in_range(0..=4095)?, size);
        items.push(Item::Access(Access { pid, ..access }));
    }
    Ok(items)
}

fn taken_back(u: &mut Unstructured<'_>, address: u64) -> Result<Op> {
    let (address, length) = match u.int_in_range(0..=3)? {
        0 => (address, u.int_in_range(1..=700)? * 4096),
        _ => (address / HUGE * HUGE, u.int_in_range(1..=3)? * HUGE),
    };
    let (start, length, flush) = (Hex(address), Hex(length), u.ratio(4, 5)?);
    if u.ratio(1, 3)? {
        let [read, write, execute] = [u.ratio(3, 4)?, u.arbitrary()?, u.arbitrary()?];
        return Ok(Op::Mprotect { start, length, read, write, execute, key: None, flush: true });
    }
    Ok(if u.arbitrary()? {
        Op::Munmap { start, length, flush }
    } else {
        Op::Madvise { start, length, advice: MemoryAdvice::Dontneed, flush }
    })
}

/// Traces without operations, and traces with operations.
const WITH_OPS: &[bool] = &[false, true];

fn any_policies_agree_with_the_naive_system(with_ops: bool) {
    let (mut n, mut sum) = ([0; 2], Counts::default());
    cases(4500).size_max(1 << 14).check(|u| {
        let os = system(u)?;
        let mappings = mappings(u)?;
        let items = items(u, with_ops)?;
        let entries = u.int_in_range(1..=6)?;
        let counts = check(&os, &mappings, &items, entries);
        n[usize::from(counts.is_some())] += 1;
        sum.add(&counts.unwrap_or_default());
        Ok(())
    });
    // Every kind of event must happen at least once.
    assert!(n[1] > n[0], "most are valid: {n:?}");
    assert_eq!(with_ops, sum.reused > 0);
    assert!(sum.everything_but_hidden_faults_happened(), "{sum:?}");
}
one_test_per_row!(any_policies_agree_with_the_naive_system, WITH_OPS, [row_0 row_1]);
