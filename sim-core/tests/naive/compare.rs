//! Runs the machine and the naive simulator on equal accesses, and compares every count.

use super::host::Counted;
use super::host_os::HostEvents;
use super::shadow::Shadow;
use super::{Naive, ecpt};
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::machine::exits::ExitsReport;
use pagewalk::os::OsConfig;
use pagewalk::record::stats::{
    CyclesReport, RunReport, Stats, StructureReport, VictimaReport, WalkCacheReport,
};
use pagewalk::run::replay::advance;
use pagewalk_base::trace::{Access, Completeness, Kind, Trace, TraceBuilder};

pub(crate) fn build(accesses: &[Access]) -> Trace {
    let mut builder = TraceBuilder::default();
    for access in accesses {
        builder.push(access).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}

/// Runs a trace by page runs, if the machine allows it.
pub(crate) fn fast(config: &MachineConfig, os: &OsConfig, trace: &Trace) -> RunReport {
    let mut machine = Machine::new(config, os).unwrap();
    let mut stats = Stats::default();
    advance(&mut machine, trace, 0, trace.len(), &mut stats);
    stats.report(&machine, Completeness::Complete)
}

/// Runs every access separately.
pub(crate) fn plain(config: &MachineConfig, os: &OsConfig, accesses: &[Access]) -> RunReport {
    let mut machine = Machine::new(config, os).unwrap();
    let mut stats = Stats::default();
    for (index, access) in (0..).zip(accesses) {
        machine.access(index, access, &mut stats);
    }
    stats.report(&machine, Completeness::Complete)
}

/// Returns the counts of an array in the order of [`Naive::counts_of_all_cores`].
pub(crate) fn counts_of(row: &StructureReport) -> [u64; 6] {
    [row.lookups, row.hits, row.misses, row.fills, row.evictions, row.invalidations]
}

#[track_caller]
pub(crate) fn check(config: &str, os: &str, accesses: &[Access]) {
    let config: MachineConfig = parse_json(config).unwrap();
    let os: OsConfig = parse_json(os).unwrap();
    let trace = build(accesses);
    let report = plain(&config, &os, accesses);
    assert_eq!(fast(&config, &os, &trace), report, "page runs differ from plain accesses");
    let mut naive = Naive::new(&config, &os);
    naive.enter_core(0);
    for access in accesses {
        naive.access(access);
    }
    let kinds = &report.kinds;
    for (kind, counts) in
        [&kinds.fetch, &kinds.load, &kinds.store, &kinds.prefetch].into_iter().zip(&naive.kinds)
    {
        let naive = (counts.translations, counts.l1_hits, counts.l2_hits, counts.walks);
        assert_eq!((kind.translations, kind.l1_hits, kind.l2_hits, kind.walks), naive);
    }
    for (row, naive) in report.structures.iter().zip(naive.counts_of_all_cores()) {
        assert_eq!(counts_of(row), naive, "{}", row.name);
    }
    let psc: Vec<_> =
        report.walks.psc.iter().map(|c| (c.name.clone(), c.lookups, c.hits)).collect();
    assert_eq!(psc, naive.psc_counts);
    let served: Vec<u64> = report.walks.served_by.iter().map(|s| s.refs).collect();
    assert_eq!(served, naive.served);
    check_behind(&report, &naive);
    let CyclesReport { l2_hit, l2_miss, walk, total, .. } = report.cycles;
    let counts = (
        report.walks.refs,
        report.faults.minor,
        report.walks.ad_updates,
        report.pages["table_pages"],
    );
    assert_eq!(counts, (naive.refs, naive.faults, naive.ad_updates, naive.n_tables()));
    let cycles = (naive.l2_cycles, naive.l2_miss_cycles, naive.walk_cycles);
    assert_eq!((l2_hit, l2_miss, walk), cycles);
    assert_eq!(total, cycles.0 + cycles.1 + cycles.2);
    check_prefetches(&report, &naive);
    let exceptions = &report.exceptions;
    let untranslated =
        exceptions.general_protection + exceptions.address_faults.values().sum::<u64>();
    assert_eq!(untranslated, naive.untranslated);
    assert_eq!(exceptions.page_faults.values().sum::<u64>(), naive.ended);
    check_host(&report, &naive);
}

/// Compares the prefetches of TLB entries.
#[track_caller]
fn check_prefetches(report: &RunReport, naive: &Naive) {
    let counts = report.tlb_prefetch.as_ref().map(|own| {
        let fates = [own.issued, own.useful, own.useless, own.unmapped];
        let rest = [own.without_ip, own.refs, own.cycles];
        let buffer =
            own.buffer.as_ref().map(|row| [row.lookups, row.hits, row.fills, row.evictions]);
        (fates.into_iter().chain(rest).collect(), buffer)
    });
    let expected = naive.prefetcher.as_ref().map(|own| {
        let buffer =
            own.buffer.as_ref().map(|row| [row.lookups, row.hits, row.fills, row.evictions]);
        (own.counts.to_vec(), buffer)
    });
    assert_eq!(counts, expected);
}

/// Compares the counters of the translations behind level 2, if there are any.
#[track_caller]
pub(crate) fn check_behind(report: &RunReport, naive: &Naive) {
    let seen = report.pom_tlb.as_ref().map(|seen| {
        let served = seen.served_by.iter().map(|served| served.refs).collect();
        let counts = [seen.lookups, seen.hits, seen.fills, seen.evictions, seen.invalidations];
        (counts, served, seen.cycles)
    });
    assert_eq!(seen, naive.pom_tlb.as_ref().map(|pom_tlb| pom_tlb.counts()));
    let seen = report.victima.as_ref().map(|seen| {
        let VictimaReport { lookups, hits, after_walks, after_evictions, not_costly, .. } = *seen;
        let written = [after_walks, after_evictions, not_costly, seen.invalidations];
        ([[lookups, hits].as_slice(), &written].concat(), seen.cycles)
    });
    assert_eq!(seen, naive.victima.as_ref().map(|own| (own.counted.to_vec(), own.cycles)));
    let seen = report.ecpt.as_ref().map(|seen| {
        let walks = seen.walks;
        let walks = [walks.direct, walks.size, walks.partial, walks.complete];
        let tables = seen.tables.iter().map(|of| [of.lines, of.used, of.resizing]);
        (walks, tables.collect(), [seen.moves, seen.resizes])
    });
    assert_eq!(seen, naive.ecpt.as_ref().map(ecpt::Tables::state));
}

/// Compares the VM exits of shadow paging. The walks of shadow paging are native walks.
#[track_caller]
pub(crate) fn check_shadow(report: &RunReport, naive: &Naive, shadow: &Shadow) {
    let virt = report.virt.as_ref().unwrap();
    let exits = ExitsReport {
        total: shadow.writes
            + shadow.cr3_loads
            + shadow.invlpg
            + shadow.hidden
            + naive.vm_switches(),
        vm_switches: naive.vm_switches(),
        page_table_writes: shadow.writes,
        cr3_loads: shadow.cr3_loads,
        invlpg: shadow.invlpg,
        hidden_faults: shadow.hidden,
        ..ExitsReport::default()
    };
    assert_eq!(virt.exits, exits);
    assert_eq!(report.faults.hidden, shadow.hidden);
    assert_eq!((report.walks.guest_refs, report.walks.host_refs), (0, 0));
    assert_eq!(virt.host_pages["table_pages"], naive.n_shadow_tables());
}

/// Compares the report of the host, if there is one.
#[track_caller]
pub(crate) fn check_host(report: &RunReport, naive: &Naive) {
    if let Some(shadow) = &naive.shadow {
        return check_shadow(report, naive, shadow);
    }
    let (walks, Some(host)) = (&report.walks, &naive.host) else {
        let nothing = (0, 0, None);
        return assert_eq!(
            (report.walks.guest_refs, report.walks.host_refs, report.virt.as_ref()),
            nothing
        );
    };
    assert_eq!((walks.guest_refs, walks.host_refs), (naive.refs - host.refs, host.refs));
    let row = |c: &WalkCacheReport| (c.name.clone(), [c.lookups, c.hits, c.fills, c.evictions]);
    assert_eq!(walks.nested_tlb.as_ref().map(row), host.tlb.as_ref().map(Counted::row));
    assert_eq!(walks.pwc.as_ref().map(row), host.pwc.as_ref().map(Counted::row));
    let psc: Vec<_> = host.psc.iter().map(Counted::row).collect();
    assert_eq!(walks.ept_psc.iter().map(row).collect::<Vec<_>>(), psc);
    let virt = report.virt.as_ref().unwrap();
    assert_eq!(report.faults.hidden, host.violations);
    let counts = (virt.ept_violations, virt.ept_accessed, virt.ept_dirty, virt.pml_full_exits);
    assert_eq!(counts, (host.violations, host.flags[0], host.flags[1], host.log_full));
    assert_eq!(virt.host_pages["table_pages"], host.n_tables());
    let (faults, system) = (&virt.host_faults, &virt.host_system);
    let done = HostEvents {
        first_touches: faults.first_touch,
        in_memory: faults.shared,
        copies: faults.copy_on_write,
        promotions: system.promotions,
        promoted: system.promoted_pages,
        failed: system.failed_promotions,
        flushes: system.shootdowns,
        dropped: system.dropped_entries,
        exits: virt.exits.flushes,
    };
    assert_eq!(done, host.done);
}

/// Bits that move an address to another half, or out of the addresses that a machine translates.
const HIGH: &[u64] = &[
    0xffff << 48,
    0xffff_8000 << 32,
    0xffff_ffc0 << 32,
    0xff00_0000 << 32,
    0x1234 << 48,
    1 << 63,
    1 << 56,
    1 << 48,
    1 << 47,
    1 << 39,
    1 << 38,
    1 << 32,
    u64::MAX,
];

/// Returns random accesses: fetches with jumps, and loads and stores on a few pages. Some are far away, and some
/// straddle a page border.
pub(crate) fn accesses(u: &mut cases::Unstructured<'_>, n: usize) -> cases::Result<Vec<Access>> {
    let mut list = Vec::new();
    // Some traces have addresses of upper halves, and addresses that some machines do not translate.
    let has_high = u.ratio(1, 3)?;
    let mut pc: u64 = 0x40_0000;
    let mut pid = 0;
    for _ in 0..n {
        let dice: u8 = u.arbitrary()?;
        if dice == 255 {
            pid = u.int_in_range(0..=2)?;
        }
        let near = u64::from(u.arbitrary::<u16>()?);
        let (kind, address) = match dice % 8 {
            0..4 => (Kind::Fetch, pc),
            4 => {
                pc = 0x40_0000 + near * 16;
                (Kind::Fetch, pc)
            }
            5 => (Kind::Load, 0x7fff_0000_0000 + near),
            6 => (Kind::Store, 0x60_0000 + near * 8),
            _ => (if dice > 128 { Kind::Load } else { Kind::Store }, near << 24 | near << 8),
        };
        let is_high = has_high && u.ratio(1, 8)?;
        let address = if is_high { address ^ *u.choose(HIGH)? } else { address };
        let size = *u.choose(&[0, 1, 4, 8, 16, 64, 5000])?;
        if kind.is_fetch() {
            pc += 4;
        }
        list.push(Access {
            pid,
            ..Access::new(kind, address, if kind.is_fetch() { size.min(16) } else { size })
        });
    }
    Ok(list)
}

/// Makes about one load in `n` a prefetch of the same address.
pub(crate) fn prefetch_some(list: &mut [Access], n: u64) {
    for access in list {
        if access.kind == Kind::Load && (access.address >> 3).is_multiple_of(n) {
            access.kind = Kind::Prefetch;
        }
    }
}
