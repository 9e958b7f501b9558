//! Wrong geometries of page tables, groups and walk caches.

use super::check_machines;

#[test]
fn a_geometry_that_no_walk_can_follow_is_an_error() {
    check_machines(
        r#"
        levels: must be 4 or 5; use paging
            {"levels": 6}
        levels: must be 4 or 5
            {"levels": 3}
        levels: -4
            {"levels": -4}
        levels: one of the two
            {"levels": 4, "paging": {"offset_bits": 12, "index_bits": [9, 9, 9, 9], "leaf_levels": [1]}}
        paging.offset_bits: 1 to 16
            {"paging": {"offset_bits": 0, "index_bits": [8], "leaf_levels": [1]}}
        paging.index_bits: 1 to 5
            {"paging": {"offset_bits": 6, "index_bits": [], "leaf_levels": [1]}}
        paging.index_bits[1]: 1 to 16
            {"paging": {"offset_bits": 6, "index_bits": [8, 0], "leaf_levels": [1]}}
        paging.index_bits: 57 bits
            {"paging": {"offset_bits": 16, "index_bits": [16, 16, 16], "leaf_levels": [1]}}
        paging.leaf_levels: must contain 1
            {"paging": {"offset_bits": 6, "index_bits": [8, 8], "leaf_levels": [2]}}
        paging.leaf_levels: level 2 does not exist; from 1 to 1
            {"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1, 2]}}
        paging.leaf_levels: must contain 1
            {"paging": {"leaf_levels": []}}
        paging.addresses: `canonical`; `two-halves`
            {"paging": {"addresses": "signed"}}
        paging.tags: `lam48`; `tbi`
            {"paging": {"tags": "uai"}}
        paging.tags: choose lam57
            {"paging": {"index_bits": [9, 9, 9, 9, 9], "tags": "lam48"}}
        paging.tags: set addresses to two-halves
            {"paging": {"tags": "tbi"}}
        paging.index_bits: 52 bits
            {"paging": {"index_bits": [9, 9, 9, 9, 9], "contiguous": {"4K": 16}}}
        "#,
    );
}

#[test]
fn groups_of_entries_that_a_table_cannot_have_are_errors() {
    check_machines(
        r#"
        paging.contiguous.16K: no page size; 4K, 2M, 1G
            {"paging": {"contiguous": {"16K": 4}}}
        paging.contiguous.4K: 24 entries; power of two from 2 to 256
            {"paging": {"contiguous": {"4K": 24}}}
        paging.contiguous.4K: power of two from 2 to 8
            {"paging": {"offset_bits": 12, "index_bits": [4, 9, 4], "contiguous": {"4K": 16}}}
        coalescing.4K: from 2 to 8
            {"coalescing": {"4K": 16}}
        l1[0].pages: 16K is a group of 4K pages; also list 4K
            {"coalescing": {"4K": 4}, "l1": [{"pages": ["16K", "2M"]}]}
        l1[1].pages: 8K is no page size; 4K, 16K, 2M, 1G
            {"coalescing": {"4K": 4}, "l1": [{"pages": ["4K"], "fragments": ["2M"]}, {"pages": ["8K"]}]}
        coalescing.4k!: `4k!` is no page size
            {"coalescing": {"4k!": 4}}
        coalescing: paging.contiguous already defines groups
            {"paging": {"contiguous": {"4K": 16}}, "coalescing": {"4K": 4}}
        paging.contiguous: 3 sizes; at most 2
            {"paging": {"offset_bits": 12, "index_bits": [9, 4, 9], "contiguous": {"4K": 2, "2M": 4, "32M": 4}}}
        "#,
    );
}

#[test]
fn groups_of_ways_that_an_array_cannot_have_are_errors() {
    check_machines(
        r#"
        l1[0].ways_of.4K: 3 ways; divide the 8 ways
            {"l1": [{"entries": 16, "ways": 8, "ways_of": {"4K": 3}}]}
        l1[0].ways_of.4K: 0 ways
            {"l1": [{"entries": 16, "ways_of": {"4K": 0}}]}
        l2[0].ways_of.2M: no pages of 2M; list it in pages
            {"l2": [{"pages": ["4K"], "entries": 16, "ways_of": {"2M": 4}}]}
        l2[0].replacement: bit-plru cannot choose; choose lru or tree-plru
            {"l2": [{"entries": 16, "ways": 8, "ways_of": {"4K": 4}, "replacement": "bit-plru"}]}
        l2[0].replacement: bit-plru cannot choose; choose lru or tree-plru
            {"l2": [{"entries": 16, "ways": 8, "caps": {"data": 4}, "replacement": "bit-plru"}]}
        l2[0].caps.data: 9 ways; 1 to 8
            {"l2": [{"entries": 16, "ways": 8, "caps": {"data": 9}}]}
        l1[0].caps.instructions: 0 ways; 1 to 64
            {"l1": [{"caps": {"instructions": 0}}]}
        l1[0].caps: serves fetches and loads; leave it out
            {"l1": [{"serves": ["load"], "caps": {"data": 4}}]}
        l2[0].caps: ways_of divides; one of the two
            {"l2": [{"entries": 16, "ways": 8, "ways_of": {"4K": 4}, "caps": {"data": 4}}]}
        "#,
    );
}

#[test]
fn masks_that_leave_sets_without_pages_are_errors() {
    check_machines(
        r#"
        l1[0].index.xor-masks: 1 masks for 4 sets; give 2
            {"l1": [{"entries": 4, "ways": 1, "index": {"xor-masks": ["0x1"]}}]}
        l1[0].index.xor-masks: one set; leave index out
            {"l1": [{"entries": 4, "index": {"xor-masks": ["0x1"]}}]}
        l1[0].index.xor-masks[1]: 0x0 has no bit; give a bit
            {"l1": [{"entries": 4, "ways": 1, "index": {"xor-masks": ["0x1", "0x0"]}}]}
        l1[0].index.xor-masks[1]: 0x3 is the xor of earlier masks; choose another
            {"l1": [{"entries": 8, "ways": 1, "index": {"xor-masks": ["0x3", "0x3", "0x1"]}}]}
        l1[0].index.xor-masks[2]: 0x6 is the xor of earlier masks
            {"l1": [{"entries": 8, "ways": 1, "index": {"xor-masks": ["0x3", "0x5", "0x6"]}}]}
        l1[0].index.xor-masks[0]: 0x1000000000 has bits above the 36 bits
            {"l1": [{"entries": 2, "ways": 1, "index": {"xor-masks": ["0x1000000000"]}}]}
        l2[0].index.xor-masks[0]: 0x8000000 has bits above the 27 bits
            {"l2": [{"entries": 2, "ways": 1, "pages": ["2M", "1G"], "index": {"xor-masks": ["0x8000000"]}}]}
        "#,
    );
}

#[test]
fn walkers_and_walk_caches_that_no_core_has_are_errors() {
    check_machines(
        r#"
        walkers: 0 walkers; 1 to 64
            {"walkers": 0}
        walkers: 1 to 64
            {"walkers": 65}
        outstanding_misses: 0 outstanding misses; 1 to 1024
            {"outstanding_misses": 0}
        outstanding_misses: 1 to 1024
            {"outstanding_misses": 1025}
        psc.unified: leave out the others
            {"psc": {"unified": {"entries": 4}, "pde": {"entries": 4}}}
        psc.unified.in: no l2 array `s`; none
            {"psc": {"unified": {"in": "s"}}}
        psc.unified.ways: 3 sets
            {"psc": {"unified": {"entries": 12, "ways": 4}}}
        "#,
    );
}
