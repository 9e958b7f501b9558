//! Wrong configurations: each gives one error with a code, the field, and what to do.

mod geometry;

use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk_base::error::{Error, ErrorCode, Place};

fn config_error(machine: &str, os: &str) -> Option<Error> {
    let made =
        || Machine::new(&parse_json::<MachineConfig>(machine)?, &parse_json::<OsConfig>(os)?);
    made().err()
}

/// The list of problems starts with the error of the machine, and is empty for a machine that can be made.
fn first_problem(machine: &str) -> Option<Error> {
    let error = config_error(machine, "{}");
    if let Ok(config) = parse_json::<MachineConfig>(machine) {
        assert_eq!(config.problems().first(), error.as_ref(), "{machine}");
    }
    error
}

/// Reads rows of a table. Each is a line with the field of the error and the words that the message must have, then the
/// configuration in the next line: `l1[0].ways: 0 ways; at least 1`.
fn rows(table: &str) -> impl Iterator<Item = (&str, Vec<&str>, &str)> {
    let mut lines = table.lines().map(str::trim).filter(|line| !line.is_empty());
    std::iter::from_fn(move || {
        let (place, words) = lines.next()?.split_once(':').expect("a field, then a colon");
        let words = words.split(';').map(str::trim).filter(|word| !word.is_empty());
        Some((place, words.collect(), lines.next().expect("a configuration")))
    })
}

/// Describes what is wrong with the error of a configuration, if anything.
fn difference(json: &str, error: Option<Error>, place: &str, words: &[&str]) -> Option<String> {
    let Some(error) = error else { return Some(format!("accepted: {json}")) };
    let at = error.at.as_ref().map_or(String::new(), ToString::to_string);
    let is_expected = error.code == ErrorCode::BadConfig
        && at == place
        && words.iter().all(|word| error.message.contains(word));
    (!is_expected).then(|| format!("{json}\n  {:?} at {at}: {}", error.code, error.message))
}

#[track_caller]
fn check(table: &str, error_of: impl Fn(&str) -> Option<Error>) {
    let wrong: Vec<String> = rows(table)
        .filter_map(|(place, words, json)| difference(json, error_of(json), place, &words))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn check_machines(table: &str) {
    check(table, first_problem);
}

#[test]
fn sizes_that_make_no_array_name_the_field() {
    check_machines(
        r#"
        l1[0].ways: 0 ways; at least 1; leave it out
            {"l1": [{"entries": 64, "ways": 0}]}
        l1[0].ways: 3 sets; power of two
            {"l1": [{"entries": 12, "ways": 4}]}
        l1[0].ways: 4 ways do not divide 10 entries
            {"l1": [{"entries": 10, "ways": 4}]}
        l1[0].ways: 8 ways do not divide 4
            {"l1": [{"entries": 4, "ways": 8}]}
        l1[0].entries: 1 to 65536
            {"l1": [{"entries": 0}]}
        l1[0].entries: 1 to 65536
            {"l1": [{"entries": 65537}]}
        l2[1].ways: 3 sets
            {"l2": [{"entries": 8}, {"entries": 24, "ways": 8}]}
        psc.pdpte.ways: 3 sets
            {"psc": {"pdpte": {"entries": 6, "ways": 2}}}
        psc.pde.entries: 1 to 65536
            {"psc": {"pde": {"entries": 0}}}
        psc.pml5e: has 4 levels; give 5 levels
            {"psc": {"pml5e": {"entries": 2}}}
        virt.ept_psc.pml5e: has 4 levels; no walk looks up; give virt 5 levels
            {"levels": 5, "virt": {"ept_psc": {"pml5e": {"entries": 2}}}}
        memory.caches[1].ways: 12 ways; size must be sets × ways × 64 B
            {"memory": {"caches": [{"name": "L1D", "size": "32K", "ways": 8, "latency": 4}, {"name": "L2", "size": "1M", "ways": 12, "latency": 14}]}}
        memory.caches[0].size: `large`; such as "32K"
            {"memory": {"caches": [{"name": "L1D", "size": "large", "latency": 4}]}}
        memory.caches[0].line: 48 bytes; power of two of 64 to 4096
            {"memory": {"caches": [{"line": 48}]}}
        memory.caches[0].line: 32 bytes; power of two of 64 to 4096
            {"memory": {"caches": [{"line": 32}]}}
        memory.caches[0].line: 8192 bytes; power of two of 64 to 4096
            {"memory": {"caches": [{"line": 8192}]}}
        memory.caches[0].size: `64`; write 128 to 1G
            {"memory": {"caches": [{"size": "64", "line": 128}]}}
        memory.caches[0].ways: 16 ways; sets × ways × 128 B
            {"memory": {"caches": [{"size": "1K", "ways": 16, "line": 128}]}}
        memory.caches[1].line: 64 bytes are less than the 128 of near
            {"memory": {"caches": [{"name": "near", "line": 128}, {"name": "far"}]}}
        "#,
    );
}

#[test]
fn translations_behind_level_2_name_what_they_are_not_simulated_with() {
    check_machines(
        r#"
        pom_tlb.size: `12M`; power of two; "16M"
            {"pom_tlb": {"size": "12M"}}
        pom_tlb.size: `2G`; 128 to 1G
            {"pom_tlb": {"size": "2G"}}
        pom_tlb.size: `64`
            {"pom_tlb": {"size": "64"}}
        pom_tlb.dram: 100001 cycles; 0 to 100000
            {"pom_tlb": {"dram": 100001}}
        pom_tlb.ways: unknown field `ways`; `size`; `dram`
            {"pom_tlb": {"ways": 4}}
        pom_tlb: share an entry; leave out pom_tlb, or coalescing
            {"pom_tlb": {}, "coalescing": {"4K": 4}}
        pom_tlb: contiguous pages; leave out pom_tlb, or paging.contiguous
            {"pom_tlb": {}, "paging": {"contiguous": {"4K": 16}}}
        pom_tlb: limited size; leave out pom_tlb, or paging.physical_bits
            {"pom_tlb": {}, "paging": {"physical_bits": 30, "index_bits": [9], "leaf_levels": [1]}}
        pom_tlb: PCIDs; leave out pom_tlb, or control.pcids
            {"pom_tlb": {}, "control": {"pcids": 6}}
        pom_tlb: prefetches; leave out pom_tlb, or tlb_prefetch
            {"pom_tlb": {}, "tlb_prefetch": {"method": "next-page"}}
        victima: second cache; there are 1
            {"victima": {}, "memory": {"caches": [{}]}}
        victima: lines of 128; leave out its line
            {"victima": {}, "memory": {"caches": [{}, {"name": "b", "line": 128}]}}
        victima.min_walks: 8 walks; 0 to 7
            {"victima": {"min_walks": 8}, "memory": {"caches": [{}, {}]}}
        victima.min_dram_reads: 16 reads; 0 to 15
            {"victima": {"min_dram_reads": 16}, "memory": {"caches": [{}, {}]}}
        victima.fills: `all`; `both`; `evictions`
            {"victima": {"fills": "all"}, "memory": {"caches": [{}, {}]}}
        victima: TLB blocks; leave out victima, or coalescing
            {"victima": {}, "coalescing": {"4K": 4}, "memory": {"caches": [{}, {}]}}
        victima: a POM-TLB; leave out victima, or pom_tlb
            {"victima": {}, "pom_tlb": {}, "memory": {"caches": [{}, {}]}}
        "#,
    );
}

#[test]
fn hashed_page_tables_name_what_they_are_not_simulated_with() {
    check_machines(
        r#"
        ecpt.ways: 5 ways; 2 to 4
            {"ecpt": {"ways": 5}}
        ecpt.entries: 1000 lines; power of two; 1048576
            {"ecpt": {"entries": 1000}}
        ecpt.entries: 2097152 lines; power of two
            {"ecpt": {"entries": 2097152}}
        ecpt.load: 91 per cent; 1 to 90
            {"ecpt": {"load": 91}}
        ecpt.growth: factor 3; 2, 4 or 8
            {"ecpt": {"growth": 3}}
        ecpt.pud_cwc: 1025 entries; 0 to 1024
            {"ecpt": {"pud_cwc": 1025}}
        ecpt.cycles: 100001 cycles; 0 to 100000
            {"ecpt": {"cycles": 100001}}
        ecpt.way: unknown field `way`; `ways`; `growth`
            {"ecpt": {"way": 3}}
        ecpt: 5 levels; leave out ecpt, or levels
            {"ecpt": {}, "levels": 5}
        ecpt: other pages; leave out ecpt, or paging
            {"ecpt": {}, "paging": {"contiguous": {"4K": 16}}}
        ecpt: other pages; leave out ecpt, or paging
            {"ecpt": {}, "paging": {"index_bits": [9, 9, 9]}}
        ecpt: share an entry; leave out ecpt, or coalescing
            {"ecpt": {}, "coalescing": {"4K": 4}}
        ecpt: paging-structure caches; leave out ecpt, or psc
            {"ecpt": {}, "psc": {"pde": {"entries": 4}}}
        ecpt: prefetches; leave out ecpt, or tlb_prefetch
            {"ecpt": {}, "tlb_prefetch": {"method": "next-page"}}
        ecpt: a POM-TLB; leave out ecpt, or pom_tlb
            {"ecpt": {}, "pom_tlb": {}}
        ecpt: TLB blocks; leave out ecpt, or victima
            {"ecpt": {}, "victima": {}, "memory": {"caches": [{}, {}]}}
        "#,
    );
}

#[test]
fn a_policy_that_cannot_manage_the_ways_says_which_can() {
    check_machines(
        r#"
        l1[0].replacement: power of two; not 12; 16 or lru
            {"l1": [{"entries": 12, "replacement": "tree-plru"}]}
        l2[0].replacement: 12 ways; not 8; choose 12 or lru
            {"l2": [{"entries": 64, "ways": 8, "replacement": "mru3-plru4"}]}
        psc.pde.replacement: not 24; 32 or lru
            {"psc": {"pde": {"entries": 24, "replacement": "tree-plru"}}}
        l1[0].replacement: `LRU`; `lru`; `tree-plru`
            {"l1": [{"entries": 4, "replacement": "LRU"}]}
        l1[0].index: "hash"; "low-bits"; "xor"; {"xor-masks": ["0x11", "0x22"]}
            {"l1": [{"entries": 4, "index": "hash"}]}
        l1[0].index: 5; "low-bits"; "xor"; {"xor-masks": ["0x11", "0x22"]}
            {"l1": [{"entries": 4, "index": 5}]}
        l1[0].index: "xor-masks"; {"xor-masks": ["0x11", "0x22"]}
            {"l1": [{"entries": 4, "index": "xor-masks"}]}
        l1[0].index.masks: unknown field `masks`; `xor-masks`
            {"l1": [{"entries": 4, "index": {"masks": ["0x1"]}}]}
        l1[0].index: missing field `xor-masks`
            {"l1": [{"entries": 4, "index": {}}]}
        l1[0].index.xor-masks: "0x1"; a list
            {"l1": [{"entries": 4, "index": {"xor-masks": "0x1"}}]}
        l1[0].index.xor-masks[1]: 2; text in quotes
            {"l1": [{"entries": 4, "index": {"xor-masks": ["0x1", 2]}}]}
        "#,
    );
}

#[test]
fn an_unknown_field_is_named_with_its_path_and_the_known_ones() {
    check_machines(
        r#"
        l3: unknown field `l3`; `l1`; `l2`
            {"l3": []}
        l1[1].entrys: unknown field `entrys`; `entries`
            {"l1": [{"entries": 4}, {"entrys": 4}]}
        psc.pdpe: unknown field `pdpe`; `pdpte`
            {"psc": {"pdpe": {"entries": 4}}}
        latency.l2hit: unknown field `l2hit`; `l2_hit`
            {"latency": {"l2hit": 7}}
        memory.ram: unknown field `ram`; `dram`
            {"memory": {"ram": 100}}
        psc.pde: expected
            {"psc": {"pde": {"ways": 4}}}
        virt.pwc: the style pwc-1d or pwc-2d; leave it out
            {"virt": {"pwc": {"entries": 8}}}
        virt.ept_psc: the style combined
            {"virt": {"style": "pwc-2d", "ept_psc": {"pde": {"entries": 8}}}}
        virt.pwc.leaf_of_tables: the style pwc-2d
            {"virt": {"style": "pwc-1d", "pwc": {"entries": 8, "leaf_of_tables": true}}}
        virt.paging.addresses: leave it out
            {"virt": {"paging": {"addresses": "canonical"}}}
        virt.paging.tags: leave it out
            {"virt": {"paging": {"tags": "lam48"}}}
        virt.nested_tlb.ways: 3 sets
            {"virt": {"nested_tlb": {"entries": 12, "ways": 4}}}
        virt.nested_tlb.in: no l2 array `stlb`; the l2 arrays are s
            {"l2": [{"name": "s", "entries": 8}], "virt": {"nested_tlb": {"in": "stlb"}}}
        virt.nested_tlb.in: no l2 array `s`; none
            {"virt": {"nested_tlb": {"in": "s"}}}
        virt.nested_tlb.pages: 64K; the host, which has 4K, 2M, 1G
            {"l2": [{"name": "s", "entries": 8}], "virt": {"nested_tlb": {"in": "s", "pages": ["64K"]}}}
        virt.nested_tlb.pages: 2M is listed twice; list it once
            {"l2": [{"name": "s", "entries": 8}], "virt": {"nested_tlb": {"in": "s", "pages": ["2M", "2M"]}}}
        virt.nested_tlb.pages: list page sizes
            {"l2": [{"name": "s", "entries": 8}], "virt": {"nested_tlb": {"in": "s", "pages": []}}}
        virt.nested_tlb: {"in": "name of an l2 array"
            {"l2": [{"name": "s", "entries": 8}], "virt": {"nested_tlb": {"in": "s", "entries": 8}}}
        memory.caches: at most 7
            {"memory": {"caches": [{}, {}, {}, {}, {}, {}, {}, {}]}}
        "#,
    );
}

#[test]
fn numbers_that_do_not_fit_name_the_field() {
    check_machines(
        r#"
        l1[0].entries: -64
            {"l1": [{"entries": -64}]}
        l1[0].entries: 1e
            {"l1": [{"entries": 1e99}]}
        l1[0].entries: 6.5
            {"l1": [{"entries": 6.5}]}
        l1[0].entries: "64"
            {"l1": [{"entries": "64"}]}
        memory.dram: -1
            {"memory": {"dram": -1}}
        memory.dram: 0 to 100000
            {"memory": {"dram": 100001}}
        latency.walk_overhead: 0 to 100000
            {"latency": {"walk_overhead": 100001}}
        latency.l2_hit.load: 0 to 100000
            {"latency": {"l2_hit": {"fetch": 1, "load": 100001, "store": 1}}}
        latency.l2_hit: a number of cycles or
            {"latency": {"l2_hit": -7}}
        seed: -1
            {"seed": -1}
        "#,
    );
}

#[test]
fn arrays_that_serve_or_hold_nothing_are_errors() {
    check_machines(
        r#"
        l1: at least one array; leave out l1 for the default array
            {"l1": []}
        l1[0].serves: list fetch, load or store
            {"l1": [{"entries": 4, "serves": []}]}
        l1[0].serves: served as a load; list fetch
            {"l1": [{"entries": 4, "serves": ["prefetch"]}]}
        l1[0].serves[0]: `write`; `store`
            {"l1": [{"entries": 4, "serves": ["write"]}]}
        l1[0].pages: list page sizes
            {"l1": [{"entries": 4, "pages": []}]}
        l1[0].pages: 16K; 4K, 2M, 1G
            {"l1": [{"entries": 4, "pages": ["16K"]}]}
        l1[0].pages: 4K is listed twice; list it once
            {"l1": [{"entries": 4, "pages": ["4K", "2M", "4K"]}]}
        l1[0].pages[0]: `4k5`; "4K"
            {"l1": [{"entries": 4, "pages": ["4k5"]}]}
        l1[0].fragments: 2M; choose one
            {"l1": [{"entries": 4, "pages": ["4K", "2M"], "fragments": ["2M"]}]}
        l1[0].fragments: no smaller page size; pieces of 4K
            {"l1": [{"entries": 4, "pages": ["2M"], "fragments": ["4K"]}]}
        "#,
    );
}

#[test]
fn every_problem_of_a_machine_is_listed_at_its_field() {
    let machine = r#"{
        "l1": [{"name": "d", "entries": 0, "serves": []}, {"name": "d", "entries": 12, "replacement": "tree-plru"}],
        "l2": [{"entries": 64, "pages": ["16K"]}],
        "walkers": 0,
        "psc": {"pde": {"entries": 6, "ways": 2}, "pdpte": {"entries": 0}},
        "virt": {"levels": 3, "nested_tlb": {"entries": 0}, "pwc": {"entries": 24, "ways": 5}, "ept_psc": {"pde": {"entries": 0}}},
        "control": {"pcids": 5000},
        "latency": {"l2_hit": {"fetch": 100001, "load": 1, "store": 100001}, "walk_overhead": 100001},
        "memory": {"caches": [{"size": "lots", "latency": 100001}], "dram": 100001}
    }"#;
    let problems = parse_json::<MachineConfig>(machine).unwrap().problems();
    let fields = problems.iter().map(|error| error.at.as_ref().unwrap().to_string());
    expect_test::expect![[r"
        l1[1].name
        walkers
        virt.levels
        virt.pwc
        virt.nested_tlb.entries
        virt.pwc.ways
        virt.ept_psc.pde.entries
        control.pcids
        latency.walk_overhead
        latency.l2_hit.fetch
        latency.l2_hit.store
        l1[0].entries
        l1[0].serves
        l1[1].replacement
        l2[0].pages
        psc.pde.ways
        psc.pdpte.entries
        memory.caches[0].size
        memory.caches[0].latency
        memory.dram"]]
    .assert_eq(&fields.collect::<Vec<_>>().join("\n"));
}

#[test]
fn parts_that_do_not_fit_together_are_named() {
    check_machines(
        r#"
        l1[1].name: another array has the name `d`
            {"l1": [{"name": "d", "entries": 4}, {"name": "d", "entries": 8}]}
        l2[1].name: another array has the name `d`
            {"l1": [{"name": "d", "entries": 4}], "l2": [{"entries": 8}, {"name": "d", "entries": 8}]}
        psc.pde.in: no l2 array `L2 dTLB`; STLB
            {"l2": [{"name": "STLB", "entries": 8}], "psc": {"pde": {"in": "L2 dTLB"}}}
        psc.pde.in: the l2 arrays are none
            {"psc": {"pde": {"in": "STLB"}}}
        psc.pde: {"entries": n; {"in":
            {"psc": {"pde": {"size": 4}}}
        psc.upper: leave out pml4e and pdpte, or upper
            {"psc": {"upper": {"entries": 64}, "pdpte": {"entries": 4}}}
        psc.upper: leave out
            {"psc": {"upper": {"entries": 64}, "pml4e": {"entries": 4}}}
        inclusion: `both`; `nine`
            {"inclusion": "both"}
        "#,
    );
}

#[test]
fn more_than_eight_arrays_of_a_level_are_errors() {
    let array = r#"{"entries": 4}"#;
    for (level, n, unsupported) in
        [("l1", 8, false), ("l1", 9, true), ("l2", 8, false), ("l2", 9, true)]
    {
        let json = format!(r#"{{"{level}": [{}]}}"#, vec![array; n].join(", "));
        let error = config_error(&json, "{}");
        assert_eq!(error.is_some(), unsupported, "{n} arrays");
        if let Some(error) = error {
            assert_eq!(error.at, Some(Place::Field(level.to_owned())));
            assert!(error.message.contains("at most 8"), "{error}");
        }
    }
}

#[test]
fn a_system_that_the_machine_cannot_have_is_an_error() {
    check(
        r#"
        os.default: 16K; 4K, 2M, 1G
            {"default": "16K"}
        region: unknown field; `regions`
            {"default": "4K", "region": []}
        os.regions[0].pages: 512G; 4K, 2M, 1G
            {"regions": [{"start": "0x1000", "end": "0x3000", "pages": "512G"}]}
        os.regions[0].end: not above the start
            {"regions": [{"start": "0x3000", "end": "0x3000", "pages": "4K"}]}
        os.regions[2].start: overlaps with regions[0]
            {"regions": [{"start": "0x1000", "end": "0x3000", "pages": "4K"}, {"start": "0x5000", "end": "0x6000", "pages": "4K"}, {"start": "0x2000", "end": "0x4000", "pages": "4K"}]}
        regions[0].start: no address; "0x7f3a1c2b5e48"
            {"regions": [{"start": "0x10000000000000000", "end": "0x3000", "pages": "4K"}]}
        frames: `sequential`; `shuffled`
            {"frames": "random"}
        "#,
        |os| config_error("{}", os),
    );
    let teaching = r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]}}"#;
    let error = config_error(teaching, "{}").expect("4K pages on a machine of 64-byte pages");
    assert_eq!(error.at, Some(Place::Field("os.default".to_owned())));
    assert!(error.message.contains("4K is no page size of this machine, which has 64"), "{error}");
}

#[test]
fn text_that_is_no_json_names_the_line() {
    for (json, place, word) in [
        ("{\"l1\": [\n  {\"entries\": 64,\n", "line 3", "EOF"),
        ("", "line 1", "EOF"),
        ("{\n  l1: []\n}", "line 2", "key must be a string"),
        ("{}\n{}", "line 2", "more text follows"),
        ("{\"seed\": 1,\n \"seed\": 2}", "line 2", "duplicate field `seed`"),
        ("{\"l1\": [{\"ways\": 1,\n\"ways\": 1}]}", "line 2", "duplicate field `ways`"),
        ("\n5\n", "line 2", "5: must be an object {…}"),
        ("{\"l1\": [{\"entries\": 64}\n}", "line 2", "expected `,` or `]`"),
    ] {
        let wrong = difference(json, first_problem(json), place, &[word]);
        assert_eq!(wrong, None);
    }
}

#[test]
fn a_list_is_no_machine_and_no_system() {
    check_machines(
        r#"
        line 1: {…}, not a list
            []
        l1[0]: {…}, not a list
            {"l1": [["d"]]}
        l1: an object: must be a list […]
            {"l1": {}}
        "#,
    );
    check("line 1:\n []", |os| config_error("{}", os));
}

#[test]
fn a_value_of_the_wrong_type_is_shown_with_the_expected_type() {
    check_machines(
        r#"
        l1[0].entries: "4": must be a whole number, 0 to 4294967295
            {"l1": [{"entries": "4"}]}
        l1[0].entries: 4.5: must be a whole number
            {"l1": [{"entries": 4.5}]}
        memory.dram: -5: must be a whole number
            {"memory": {"dram": -5}}
        memory.data: 1: must be true or false
            {"memory": {"data": 1}}
        name: null: must be text in quotes
            {"name": null}
        "#,
    );
}

/// Every prefix of a valid configuration is an error, without a panic.
#[test]
fn a_truncated_configuration_is_an_error_wherever_it_ends() {
    let whole = r#"{"l1": [{"name": "d", "entries": 64, "ways": 4}], "psc": {"pde": {"entries": 32, "ways": 4}}, "latency": {"l2_hit": {"fetch": 14, "load": 9, "store": 9}}}"#;
    assert_eq!(config_error(whole, "{}"), None);
    for end in 0..whole.len() {
        let error = config_error(&whole[..end], "{}")
            .unwrap_or_else(|| panic!("accepted {}", &whole[..end]));
        assert_eq!(error.code, ErrorCode::BadConfig);
        assert!(error.at.is_some(), "{error}");
    }
}

#[test]
fn an_empty_object_is_a_machine() {
    assert_eq!(config_error("{}", "{}"), None);
}
