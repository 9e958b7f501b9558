//! Prefetchers of TLB entries. Every count equals the naive simulator's.

use cases::cases;
use pagewalk_base::trace::{Access, Kind};

use crate::arrays::COALESCING;
use crate::common::one_test_per_row;
use crate::naive::compare::check;
use crate::naive::machines::{MACHINES, SYSTEMS};

/// Prefetchers of TLB entries, in every machine of the table that has the level they fill.
const PREFETCHERS: &[&str] = &[
    r#"{"method": "next-page", "rows": 3, "buffer": {"entries": 2}}"#,
    r#"{"method": "next-page", "into": "l2"}"#,
    r#"{"method": "stride", "buffer": {"entries": 4, "ways": 2, "replacement": "fifo"}}"#,
    r#"{"method": "stride", "rows": 2, "into": "l2"}"#,
    r#"{"method": "distance", "rows": 4, "distances": 3}"#,
    r#"{"method": "distance", "rows": 1, "distances": 1, "buffer": {"entries": 1}}"#,
    r#"{"method": "distance", "into": "l2"}"#,
];

/// Returns accesses that prefetchers predict: some instructions walk memory in steps, others jump.
fn predictable(u: &mut cases::Unstructured<'_>, n: usize) -> cases::Result<Vec<Access>> {
    let mut list = Vec::new();
    let mut streams = Vec::new();
    for number in 0..4u64 {
        let step = *u.choose(&[64, -64, 72, 4096, -4096, 8200, 3 << 12, 1 << 21, 40 << 12])?;
        let address = 0x60_0000 + (number << 20) + u64::from(u.arbitrary::<u8>()?) * 512;
        streams.push((address, step, 0x40_0000 + number * 16));
    }
    let (has_ips, has_fetches) = (u.arbitrary()?, u.arbitrary()?);
    while list.len() < n {
        let dice: u8 = u.arbitrary()?;
        let at = usize::from(dice % 4);
        let (address, step, ip) = &mut streams[at];
        if dice >> 3 == 0 {
            *address = 0x60_0000 + u64::from(u.arbitrary::<u16>()?) * 64;
        }
        *address = address.saturating_add_signed(*step) % (1 << 33);
        let kind = match dice >> 2 & 7 {
            0 => Kind::Store,
            1 => Kind::Prefetch,
            _ => Kind::Load,
        };
        if has_fetches {
            list.push(Access::new(Kind::Fetch, *ip, 4));
        }
        let ip = Some(*ip).filter(|_| has_ips);
        let pid = u32::from(u.ratio(1, 60)?);
        list.push(Access { ip, pid, ..Access::new(kind, *address, *u.choose(&[1, 8, 100])?) });
    }
    // Every page of the streams is mapped in some cases, so that prefetches find it.
    if u.arbitrary()? {
        let all = (0x5f0..0x720).map(|page| Access::new(Kind::Load, page << 12, 1));
        list = all.chain(list).collect();
    }
    Ok(list)
}

fn prefetchers_agree_with_the_naive_simulator(prefetcher: &str) {
    const HOSTS: &[&str] = &["", r#""virt": "ept""#, r#""virt": "ept", "host": {"default": "2M"}"#];
    for config in MACHINES.iter().chain(COALESCING) {
        if prefetcher.contains("l2") && !config.contains("l2") {
            continue;
        }
        let config = config.replacen('{', &format!(r#"{{"tlb_prefetch": {prefetcher},"#), 1);
        let config = config.replace(",}", "}");
        for inclusion in ["nine", "inclusive", "exclusive"] {
            let config = config.replace(r#""inclusion": "nine","#, "").replacen(
                '{',
                &format!(r#"{{"inclusion": "{inclusion}","#),
                1,
            );
            for os in SYSTEMS {
                cases(4).size_min(1 << 12).check(|u| {
                    let os = os.replacen('{', &format!("{{{},", u.choose(HOSTS)?), 1);
                    let os = os.replace("{,", "{").replace(",}", "}");
                    let n = u.int_in_range(0..=700)?;
                    check(&config, &os, &predictable(u, n)?);
                    Ok(())
                });
            }
        }
    }
}
one_test_per_row!(prefetchers_agree_with_the_naive_simulator, PREFETCHERS, [row_0 row_1 row_2 row_3 row_4 row_5 row_6]);
