//! Joins the memory map of a recorded program with its heap blocks.

use pagewalk_analysis::regions::Records;
use pagewalk_base::trace::{Mapping, RegionKind};
use pagewalk_sources::import::{BLOCK, FREED};

/// The most records.
const MAX_RECORDS: usize = 1 << 18;

/// The memory map is looked at after blocks are reported. So a record of anonymous memory is followed by the names of the
/// blocks in it, and a file that is mapped replaces blocks. A block that is freed has the name of the map again.
pub(super) fn keep_blocks(mappings: &[Mapping]) -> Vec<Mapping> {
    let (mut blocks, mut map) = (Records::default(), Records::default());
    let mut all: Vec<Mapping> = Vec::new();
    for (number, mapping) in mappings.iter().enumerate() {
        let &Mapping { start, end, kind, .. } = mapping;
        let is_memory = matches!(kind, RegionKind::Anonymous | RegionKind::Heap | RegionKind::Jit);
        if mapping.name.starts_with(BLOCK) {
            blocks.put(start..end, number);
            all.push(mapping.clone());
        } else if mapping.name == FREED && all.len() < MAX_RECORDS {
            blocks.take_out(start..end);
            all.push(Mapping { name: "[heap]".to_owned(), ..mapping.clone() });
            for (known, at) in map.within(start..end) {
                let (start, end) = (known.start.max(start), known.end.min(end));
                let named = Mapping { is_name: true, ..mappings[at].clone() };
                all.push(Mapping { from: mapping.from, start, end, ..named });
            }
        } else if is_memory && all.len() < MAX_RECORDS {
            map.put(start..end, number);
            all.push(mapping.clone());
            for (known, at) in blocks.within(start..end) {
                let (start, end) = (known.start.max(start), known.end.min(end));
                all.push(Mapping { from: mapping.from, start, end, ..mappings[at].clone() });
            }
        } else if mapping.name != FREED {
            blocks.take_out(start..end);
            map.put(start..end, number);
            all.push(mapping.clone());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_freed_block_has_the_name_of_the_map() {
        let record = |from, range, name: &str| {
            let mapping = Mapping::new(0, range, 0, false, name).unwrap();
            Mapping { from, ..mapping }
        };
        let block = |from, range| {
            let made = Mapping::naming(range, RegionKind::Heap, format!("{BLOCK}1")).unwrap();
            Mapping { from, ..made }
        };
        let freed = |from, range| {
            let made = Mapping::naming(range, RegionKind::Heap, FREED).unwrap();
            Mapping { from, ..made }
        };
        let all = keep_blocks(&[
            block(0, 0x1100..0x1300),
            freed(1, 0x1100..0x1200),
            record(2, 0x1000..0x2000, ""),
            freed(3, 0x1200..0x1300),
            block(4, 0x1000..0x1100),
            record(5, 0x1000..0x1800, "/lib/a.so"),
            record(6, 0x1000..0x2000, "[heap]"),
        ]);
        let lines = all.iter().map(|of| {
            let what = if of.is_name { "name" } else { "map" };
            let (start, end, kind) = (of.start, of.end, of.kind.name());
            format!("{} {what} {start:x}-{end:x} {kind} {}\n", of.from, of.name)
        });
        expect![[r"
            0 name 1100-1300 heap allocated at 0x1
            1 name 1100-1200 heap [heap]
            2 map 1000-2000 anonymous 
            2 name 1200-1300 heap allocated at 0x1
            3 name 1200-1300 heap [heap]
            3 name 1200-1300 anonymous 
            4 name 1000-1100 heap allocated at 0x1
            5 map 1000-1800 library /lib/a.so
            6 map 1000-2000 heap [heap]
        "]]
        .assert_eq(&lines.collect::<String>());
    }
}
