//! The machines and systems on which both simulators are compared.

/// Small machines, whose structures fill up soon.
pub(crate) const MACHINES: &[&str] = &[
    "{}",
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 8, "ways": 2}, {"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 4, "replacement": "tree-plru"}],
        "l2": [{"name": "s", "entries": 48, "ways": 12, "index": "xor", "replacement": "mru3-plru4"}],
        "psc": {"pml4e": {"entries": 2}, "pdpte": {"entries": 4}, "pde": {"entries": 8, "ways": 4}},
        "latency": {"l2_hit": {"fetch": 14, "load": 9, "store": 8}, "walk_overhead": 8},
        "memory": {"caches": [{"name": "a", "size": "1K", "ways": 2, "latency": 4}, {"name": "b", "size": "8K", "ways": 4, "line": 128, "latency": 14}]}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "entries": 8, "ways": 2}], "l2": [{"name": "s", "entries": 16, "ways": 4}],
        "memory": {"caches": [{"name": "a", "size": "768", "ways": 2, "latency": 4}, {"name": "b", "size": "6400", "ways": 20, "latency": 14}, {"name": "c", "size": "60K", "ways": 5, "latency": 40}]}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "ld", "serves": ["load"], "entries": 4, "replacement": "fifo"}, {"name": "st", "serves": ["store"], "entries": 2}],
        "l2": [{"name": "half a", "pages": ["4K", "2M"], "entries": 16, "ways": 4}, {"name": "half b", "pages": ["4K", "1G"], "entries": 16, "ways": 4, "replacement": "bit-plru"}],
        "psc": {"upper": {"entries": 4}, "pde": {"in": "half a"}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "ld", "serves": ["load"], "entries": 4}],
        "l2": [{"name": "d", "serves": ["load", "store"], "entries": 32, "ways": 4}], "levels": 5,
        "psc": {"pml5e": {"entries": 1}, "pdpte": {"entries": 2}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "pages": ["4K"], "fragments": ["2M", "1G"], "entries": 16, "ways": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K", "2M"], "fragments": ["1G"], "entries": 32}],
        "l2": [{"name": "s", "pages": ["2M"], "entries": 8, "ways": 2, "replacement": "fifo"}]}"#,
    r#"{"l1": [{"name": "d", "entries": 24, "replacement": "bit-plru"}], "l2": [{"name": "s", "entries": 64, "replacement": "fifo"}], "psc": {"pde": {"entries": 2}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 6}, {"name": "d", "serves": ["load", "store"], "pages": ["4K", "1G"], "fragments": ["2M"], "entries": 8, "ways": 4}],
        "l2": [{"name": "a", "serves": ["fetch", "load"], "pages": ["4K"], "fragments": ["2M", "1G"], "entries": 16, "ways": 4}, {"name": "b", "serves": ["store"], "pages": ["2M"], "fragments": ["1G"], "entries": 4}]}"#,
    r#"{"l1": [{"name": "d", "entries": 4}], "l2": [{"name": "s", "entries": 32, "ways": 4}], "psc": {"unified": {"entries": 6, "replacement": "fifo"}}}"#,
    r#"{"l1": [{"name": "i", "serves": ["fetch"], "entries": 2}, {"name": "d", "serves": ["load", "store"], "entries": 4}],
        "l2": [{"name": "s", "entries": 20, "ways": 5}], "levels": 5, "psc": {"unified": {"in": "s"}}}"#,
];

/// Systems with pages of one size, or of several.
pub(crate) const SYSTEMS: &[&str] = &[
    "{}",
    r#"{"default": "2M"}"#,
    r#"{"default": "1G"}"#,
    r#"{"regions": [{"start": "0x600000", "end": "0x650000", "pages": "2M"}, {"start": "0x7fff00000000", "end": "0x7fff00400000", "pages": "2M"}]}"#,
    r#"{"default": "2M", "regions": [{"start": "0x400000", "end": "0x480000", "pages": "4K"}, {"start": "0x40000000", "end": "0x1040000000", "pages": "1G"}]}"#,
];
