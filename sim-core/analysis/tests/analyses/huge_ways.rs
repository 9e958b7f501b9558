//! Tests of the lines of a program that make its memory huge.

use std::ops::Range;

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk_analysis::huge_pages::{HugeOptions, HugeSetup, RemedyKind, advise};
use pagewalk_base::trace::{
    Access, Completeness, Kind, Mapping, Places, RegionKind, Trace, TraceBuilder,
};

/// One entry for data pages of 4K, so that every change of the page is a walk, and enough for huge pages.
const ONE_ENTRY: &str = r#"{"latency": {"l2_hit": 0}, "memory": {"dram": 200},
    "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K"], "entries": 1}, {"name": "h", "serves": ["load", "store"], "pages": ["2M"], "entries": 8}]}"#;

/// An anonymous mapping that begins and ends in the middle of ranges of 2M, with one whole range between.
const MAPPED: Range<u64> = 0x7f00_0000_0000 + 0x10_0000..0x7f00_0000_0000 + 0x50_0000;

/// Makes a trace that uses all three ranges of [`MAPPED`]. A part of it may have a name.
fn trace(part: Option<Mapping>, blocks: u64) -> Trace {
    let mut builder = TraceBuilder::default();
    builder.map(Mapping::new(0, MAPPED, 0, false, "").unwrap()).unwrap();
    let mut places = Places::default();
    if let Some(part) = part {
        places.add_blocks(&part.name, blocks);
        builder.map(part).unwrap();
    }
    builder.places(&places).unwrap();
    for n in 0..300 {
        let page = MAPPED.start + 0x1000 + n % 3 * 0x18_0000 + n / 3 % 2 * 0x1000;
        builder.push(&Access::new(Kind::Load, page, 8)).unwrap();
    }
    builder.finish(Completeness::Complete).unwrap()
}

fn madvise(trace: &Trace) -> Vec<String> {
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    let advice = advise(trace, &setup, HugeOptions::default()).unwrap();
    let mut ways = advice.remedies.into_iter();
    ways.find(|way| way.by == RemedyKind::Madvise).unwrap().commands
}

/// A literal address is for a mapping. Of three ranges, one lies wholly in it.
#[test]
fn a_mapping_has_its_address_and_its_whole_ranges() {
    assert_eq!(
        madvise(&trace(None, 0)),
        [
            "madvise((void *)0x7f0000000000, 6 << 20, MADV_HUGEPAGE); // anonymous: 2 of 3 only if it is aligned to 2M"
        ]
    );
}

/// A block of 4 MiB less 16 bytes, after the header of malloc, gets two huge pages if it is aligned.
#[test]
fn a_heap_block_is_allocated_with_alignment() {
    let part = |name: &str| {
        Mapping::naming(MAPPED.start + 16..MAPPED.end, RegionKind::Heap, name).unwrap()
    };
    let (calloc, malloc) = ("table (calloc, hj.c:24)", "node (malloc, list.c:7)");
    assert_eq!(
        madvise(&trace(Some(part(calloc)), 1)),
        [
            "p = aligned_alloc(2 << 20, 4 << 20); // instead of table (calloc, hj.c:24)",
            "madvise(p, 4 << 20, MADV_HUGEPAGE);",
            "memset(p, 0, 4 << 20); // as calloc does",
        ]
    );
    assert_eq!(
        madvise(&trace(Some(part(malloc)), 4_000)),
        [
            "p = aligned_alloc(2 << 20, 6 << 20); // for the 4,000 blocks of node (malloc, list.c:7)",
            "madvise(p, 6 << 20, MADV_HUGEPAGE);",
        ]
    );
}

/// A variable keeps its name, because its address changes from run to run.
#[test]
fn a_variable_is_declared_with_alignment() {
    let part = Mapping::naming(MAPPED, RegionKind::Anonymous, "counts").unwrap();
    assert_eq!(
        madvise(&trace(Some(part), 0)),
        ["madvise(p, 4 << 20, MADV_HUGEPAGE); // p: counts, declared with _Alignas(2 << 20)"]
    );
}
