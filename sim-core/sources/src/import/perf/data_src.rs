//! Decodes what the sampling hardware says about one access: `union perf_mem_data_src` (Linux 6.12,
//! `include/uapi/linux/perf_event.h`). Only the bits are read. The words that perf prints next to them change
//! from version to version.

use crate::import::report::MeasuredTlb;
use pagewalk_base::samples::TlbLevel;
use pagewalk_base::trace::Kind;

/// The `data_src` of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataSrc(pub(super) u64);

/// The decoded contents of a `data_src`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) kind: Option<Kind>,
    pub(super) level: TlbLevel,
}

const OP_LOAD: u64 = 0x02;
const OP_STORE: u64 = 0x04;
const OP_PREFETCH: u64 = 0x08;
const OP_EXEC: u64 = 0x10;
const TLB_SHIFT: u32 = 26;
const TLB_HIT: u64 = 0x02;
const TLB_MISS: u64 = 0x04;
const TLB_L1: u64 = 0x08;
const TLB_L2: u64 = 0x10;
const TLB_WALKER: u64 = 0x20;
const TLB_OS: u64 = 0x40;

impl DataSrc {
    pub(super) fn read(self) -> Source {
        Source { kind: self.kind(), level: self.level() }
    }

    /// Returns the kind of the access, or `None` if the hardware did not report it.
    fn kind(self) -> Option<Kind> {
        let has = |op| self.0 & op != 0;
        if has(OP_STORE) {
            Some(Kind::Store)
        } else if has(OP_LOAD) {
            Some(Kind::Load)
        } else if has(OP_EXEC) {
            Some(Kind::Fetch)
        } else if has(OP_PREFETCH) {
            Some(Kind::Prefetch)
        } else {
            None
        }
    }

    /// Returns the level of the TLB that served the access (Linux 6.12, `arch/x86/events/intel/ds.c`,
    /// `amd/ibs.c`, `tools/perf/util/arm-spe.c`).
    fn level(self) -> TlbLevel {
        let has = |bits| self.0 >> TLB_SHIFT & bits == bits;
        if has(TLB_OS) {
            TlbLevel::Fault
        } else if has(TLB_MISS | TLB_L2) || has(TLB_MISS | TLB_WALKER) {
            TlbLevel::Walk
        } else if has(TLB_HIT | TLB_L1 | TLB_L2) || has(TLB_HIT | TLB_WALKER) {
            // Intel does not distinguish the two levels. Arm only reports that there was no walk.
            TlbLevel::NoWalk
        } else if has(TLB_HIT | TLB_L1) {
            TlbLevel::L1
        } else if has(TLB_HIT | TLB_L2) {
            TlbLevel::L2
        } else {
            TlbLevel::Unknown
        }
    }
}

/// Counts the level of the TLB that served an access. A walk that ended in a fault counts as a walk.
pub(super) fn count_tlb(level: TlbLevel, measured: &mut MeasuredTlb) {
    let count = match level {
        TlbLevel::L1 => &mut measured.l1,
        TlbLevel::L2 => &mut measured.l2,
        TlbLevel::NoWalk => &mut measured.no_walk,
        TlbLevel::Walk | TlbLevel::Fault => &mut measured.walk,
        TlbLevel::Unknown => &mut measured.unknown,
    };
    *count += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from real recordings, each with the text that perf prints for its TLB.
    const SEEN: [(u64, Option<Kind>, &str); 12] = [
        (0x102_6810_0142, Some(Kind::Load), "no_walk"),
        (0x106_5010_0842, Some(Kind::Load), "walk"),
        (0x2_2908_0142, Some(Kind::Load), "l1"),
        (0x4908_0142, Some(Kind::Load), "l2"),
        (0x5108_0242, Some(Kind::Load), "walk"),
        (0x86_8800_0842, Some(Kind::Load), "no_walk"),
        (0x8800_0182, Some(Kind::Load), "no_walk"),
        (0x444_0002_8810_0144, Some(Kind::Store), "no_walk"),
        (0x508_0021, None, "unknown"),
        (0x1e_0508_0021, None, "unknown"),
        (0x1e_2908_0024, Some(Kind::Store), "l1"),
        (0x1a_4908_1042, Some(Kind::Load), "l2"),
    ];

    #[test]
    fn an_access_that_reads_and_writes_is_a_store() {
        let kind = |ops| DataSrc(ops).kind();
        assert_eq!(kind(OP_LOAD | OP_STORE), Some(Kind::Store));
        assert_eq!(kind(OP_LOAD | OP_PREFETCH), Some(Kind::Load));
        assert_eq!(kind(OP_PREFETCH), Some(Kind::Prefetch));
        assert_eq!(kind(OP_EXEC), Some(Kind::Fetch));
    }

    #[test]
    fn the_bits_say_what_perf_prints() {
        for (value, kind, level) in SEEN {
            let source = DataSrc(value);
            assert_eq!(source.kind(), kind, "{value:#x}");
            let mut measured = MeasuredTlb::default();
            count_tlb(source.level(), &mut measured);
            let counts = serde_json::to_value(measured).unwrap();
            assert_eq!(counts[level], 1, "{value:#x}: {counts}");
        }
    }
}
