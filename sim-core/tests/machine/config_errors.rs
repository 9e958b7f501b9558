//! Wrong configurations: each gives one error with a code, the field, and what to do.

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

/// The configuration, the field of the error, and words that the message must have: the error and its remedy.
type Row = (&'static str, &'static str, &'static [&'static str]);

#[track_caller]
fn check(rows: &[Row], refuse: impl Fn(&str) -> Option<Error>) {
    let mut wrong = Vec::new();
    for (json, place, words) in rows {
        let Some(error) = refuse(json) else {
            wrong.push(format!("accepted: {json}"));
            continue;
        };
        let at = error.at.as_ref().map_or(String::new(), ToString::to_string);
        if error.code != ErrorCode::BadConfig
            || at != *place
            || !words.iter().all(|word| error.message.contains(word))
        {
            wrong.push(format!("{json}\n  {:?} at {at}: {}", error.code, error.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn check_machines(rows: &[Row]) {
    check(rows, first_problem);
}

#[test]
fn sizes_that_make_no_array_name_the_field() {
    check_machines(&[
        (
            r#"{"l1": [{"entries": 64, "ways": 0}]}"#,
            "l1[0].ways",
            &["0 ways", "at least 1", "leave it out"],
        ),
        (r#"{"l1": [{"entries": 12, "ways": 4}]}"#, "l1[0].ways", &["3 sets", "power of two"]),
        (
            r#"{"l1": [{"entries": 10, "ways": 4}]}"#,
            "l1[0].ways",
            &["4 ways do not divide 10 entries"],
        ),
        (r#"{"l1": [{"entries": 4, "ways": 8}]}"#, "l1[0].ways", &["8 ways do not divide 4"]),
        (r#"{"l1": [{"entries": 0}]}"#, "l1[0].entries", &["1 to 65536"]),
        (r#"{"l1": [{"entries": 65537}]}"#, "l1[0].entries", &["1 to 65536"]),
        (r#"{"l2": [{"entries": 8}, {"entries": 24, "ways": 8}]}"#, "l2[1].ways", &["3 sets"]),
        (r#"{"psc": {"pdpte": {"entries": 6, "ways": 2}}}"#, "psc.pdpte.ways", &["3 sets"]),
        (r#"{"psc": {"pde": {"entries": 0}}}"#, "psc.pde.entries", &["1 to 65536"]),
        (r#"{"psc": {"pml5e": {"entries": 2}}}"#, "psc.pml5e", &["has 4 levels", "give 5 levels"]),
        (
            r#"{"levels": 5, "virt": {"ept_psc": {"pml5e": {"entries": 2}}}}"#,
            "virt.ept_psc.pml5e",
            &["has 4 levels", "no walk looks up", "give virt 5 levels"],
        ),
        (
            r#"{"memory": {"caches": [{"name": "L1D", "size": "32K", "ways": 8, "latency": 4}, {"name": "L2", "size": "1M", "ways": 12, "latency": 14}]}}"#,
            "memory.caches[1].ways",
            &["power of two"],
        ),
        (
            r#"{"memory": {"caches": [{"name": "L1D", "size": "large", "latency": 4}]}}"#,
            "memory.caches[0].size",
            &["`large`", "such as \"32K\""],
        ),
    ]);
}

#[test]
fn a_policy_that_cannot_manage_the_ways_says_which_can() {
    check_machines(&[
        (
            r#"{"l1": [{"entries": 12, "replacement": "tree-plru"}]}"#,
            "l1[0].replacement",
            &["power of two", "not 12", "16 or lru"],
        ),
        (
            r#"{"l2": [{"entries": 64, "ways": 8, "replacement": "mru3-plru4"}]}"#,
            "l2[0].replacement",
            &["12 ways", "not 8", "choose 12 or lru"],
        ),
        (
            r#"{"psc": {"pde": {"entries": 24, "replacement": "tree-plru"}}}"#,
            "psc.pde.replacement",
            &["not 24", "32 or lru"],
        ),
        (
            r#"{"l1": [{"entries": 4, "replacement": "LRU"}]}"#,
            "l1[0].replacement",
            &["`LRU`", "`lru`", "`tree-plru`"],
        ),
        (r#"{"l1": [{"entries": 4, "index": "hash"}]}"#, "l1[0].index", &["`low-bits`", "`xor`"]),
        (r#"{"l1": [{"entries": 4, "index": 5}]}"#, "l1[0].index", &["\"low-bits\"", "\"xor\""]),
    ]);
}

#[test]
fn an_unknown_field_is_named_with_its_path_and_the_known_ones() {
    check_machines(&[
        (r#"{"l3": []}"#, "l3", &["unknown field `l3`", "`l1`", "`l2`"]),
        (
            r#"{"l1": [{"entries": 4}, {"entrys": 4}]}"#,
            "l1[1].entrys",
            &["unknown field `entrys`", "`entries`"],
        ),
        (r#"{"psc": {"pdpe": {"entries": 4}}}"#, "psc.pdpe", &["unknown field `pdpe`", "`pdpte`"]),
        (r#"{"latency": {"l2hit": 7}}"#, "latency.l2hit", &["unknown field `l2hit`", "`l2_hit`"]),
        (r#"{"memory": {"ram": 100}}"#, "memory.ram", &["unknown field `ram`", "`dram`"]),
        (r#"{"psc": {"pde": {"ways": 4}}}"#, "psc.pde", &["expected"]),
        (
            r#"{"virt": {"pwc": {"entries": 8}}}"#,
            "virt.pwc",
            &["the style pwc-1d or pwc-2d", "leave it out"],
        ),
        (
            r#"{"virt": {"style": "pwc-2d", "ept_psc": {"pde": {"entries": 8}}}}"#,
            "virt.ept_psc",
            &["the style combined"],
        ),
        (
            r#"{"virt": {"style": "pwc-1d", "pwc": {"entries": 8, "leaf_of_tables": true}}}"#,
            "virt.pwc.leaf_of_tables",
            &["the style pwc-2d"],
        ),
        (
            r#"{"virt": {"paging": {"addresses": "canonical"}}}"#,
            "virt.paging.addresses",
            &["leave it out"],
        ),
        (r#"{"virt": {"paging": {"tags": "lam48"}}}"#, "virt.paging.tags", &["leave it out"]),
        (
            r#"{"virt": {"nested_tlb": {"entries": 12, "ways": 4}}}"#,
            "virt.nested_tlb.ways",
            &["3 sets"],
        ),
        (
            r#"{"memory": {"caches": [{}, {}, {}, {}, {}, {}, {}, {}]}}"#,
            "memory.caches",
            &["at most 7"],
        ),
    ]);
}

#[test]
fn numbers_that_do_not_fit_name_the_field() {
    check_machines(&[
        (r#"{"l1": [{"entries": -64}]}"#, "l1[0].entries", &["-64"]),
        (r#"{"l1": [{"entries": 1e99}]}"#, "l1[0].entries", &["1e"]),
        (r#"{"l1": [{"entries": 6.5}]}"#, "l1[0].entries", &["6.5"]),
        (r#"{"l1": [{"entries": "64"}]}"#, "l1[0].entries", &["\"64\""]),
        (r#"{"memory": {"dram": -1}}"#, "memory.dram", &["-1"]),
        (r#"{"memory": {"dram": 100001}}"#, "memory.dram", &["0 to 100000"]),
        (r#"{"latency": {"walk_overhead": 100001}}"#, "latency.walk_overhead", &["0 to 100000"]),
        (
            r#"{"latency": {"l2_hit": {"fetch": 1, "load": 100001, "store": 1}}}"#,
            "latency.l2_hit.load",
            &["0 to 100000"],
        ),
        (r#"{"latency": {"l2_hit": -7}}"#, "latency.l2_hit", &["a number of cycles or"]),
        (r#"{"seed": -1}"#, "seed", &["-1"]),
    ]);
}

#[test]
fn arrays_that_serve_or_hold_nothing_are_errors() {
    check_machines(&[
        (r#"{"l1": []}"#, "l1", &["at least one array", "leave it out"]),
        (
            r#"{"l1": [{"entries": 4, "serves": []}]}"#,
            "l1[0].serves",
            &["list fetch, load or store"],
        ),
        (
            r#"{"l1": [{"entries": 4, "serves": ["prefetch"]}]}"#,
            "l1[0].serves",
            &["served as a load", "list fetch"],
        ),
        (
            r#"{"l1": [{"entries": 4, "serves": ["write"]}]}"#,
            "l1[0].serves[0]",
            &["`write`", "`store`"],
        ),
        (r#"{"l1": [{"entries": 4, "pages": []}]}"#, "l1[0].pages", &["list page sizes"]),
        (r#"{"l1": [{"entries": 4, "pages": ["16K"]}]}"#, "l1[0].pages", &["16K", "4K, 2M, 1G"]),
        (
            r#"{"l1": [{"entries": 4, "pages": ["4K", "2M", "4K"]}]}"#,
            "l1[0].pages",
            &["4K is listed twice", "list it once"],
        ),
        (r#"{"l1": [{"entries": 4, "pages": ["4k5"]}]}"#, "l1[0].pages[0]", &["`4k5`", "\"4K\""]),
        (
            r#"{"l1": [{"entries": 4, "pages": ["4K", "2M"], "fragments": ["2M"]}]}"#,
            "l1[0].fragments",
            &["2M", "choose one"],
        ),
        (
            r#"{"l1": [{"entries": 4, "pages": ["2M"], "fragments": ["4K"]}]}"#,
            "l1[0].fragments",
            &["4K has no smaller page size"],
        ),
    ]);
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
    check_machines(&[
        (
            r#"{"l1": [{"name": "d", "entries": 4}, {"name": "d", "entries": 8}]}"#,
            "l1[1].name",
            &["another array has the name `d`"],
        ),
        (
            r#"{"l1": [{"name": "d", "entries": 4}], "l2": [{"entries": 8}, {"name": "d", "entries": 8}]}"#,
            "l2[1].name",
            &["another array has the name `d`"],
        ),
        (
            r#"{"l2": [{"name": "STLB", "entries": 8}], "psc": {"pde": {"in": "L2 dTLB"}}}"#,
            "psc.pde.in",
            &["no l2 array `L2 dTLB`", "STLB"],
        ),
        (r#"{"psc": {"pde": {"in": "STLB"}}}"#, "psc.pde.in", &["the l2 arrays are none"]),
        (r#"{"psc": {"pde": {"size": 4}}}"#, "psc.pde", &["{\"entries\": n", "{\"in\":"]),
        (
            r#"{"psc": {"upper": {"entries": 64}, "pdpte": {"entries": 4}}}"#,
            "psc.upper",
            &["leave out pml4e and pdpte, or upper"],
        ),
        (
            r#"{"psc": {"upper": {"entries": 64}, "pml4e": {"entries": 4}}}"#,
            "psc.upper",
            &["leave out"],
        ),
        (r#"{"inclusion": "both"}"#, "inclusion", &["`both`", "`nine`"]),
    ]);
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
fn a_geometry_that_no_walk_can_follow_is_an_error() {
    check_machines(&[
        (r#"{"levels": 6}"#, "levels", &["must be 4 or 5", "use paging"]),
        (r#"{"levels": 3}"#, "levels", &["must be 4 or 5"]),
        (r#"{"levels": -4}"#, "levels", &["-4"]),
        (
            r#"{"levels": 4, "paging": {"offset_bits": 12, "index_bits": [9, 9, 9, 9], "leaf_levels": [1]}}"#,
            "levels",
            &["one of the two"],
        ),
        (
            r#"{"paging": {"offset_bits": 0, "index_bits": [8], "leaf_levels": [1]}}"#,
            "paging.offset_bits",
            &["1 to 16"],
        ),
        (
            r#"{"paging": {"offset_bits": 6, "index_bits": [], "leaf_levels": [1]}}"#,
            "paging.index_bits",
            &["1 to 5"],
        ),
        (
            r#"{"paging": {"offset_bits": 6, "index_bits": [8, 0], "leaf_levels": [1]}}"#,
            "paging.index_bits[1]",
            &["1 to 16"],
        ),
        (
            r#"{"paging": {"offset_bits": 16, "index_bits": [16, 16, 16], "leaf_levels": [1]}}"#,
            "paging.index_bits",
            &["57 bits"],
        ),
        (
            r#"{"paging": {"offset_bits": 6, "index_bits": [8, 8], "leaf_levels": [2]}}"#,
            "paging.leaf_levels",
            &["must contain 1"],
        ),
        (
            r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1, 2]}}"#,
            "paging.leaf_levels",
            &["2 is no level"],
        ),
        (r#"{"paging": {"leaf_levels": []}}"#, "paging.leaf_levels", &["must contain 1"]),
        (
            r#"{"paging": {"addresses": "signed"}}"#,
            "paging.addresses",
            &["`canonical`", "`two-halves`"],
        ),
        (r#"{"paging": {"tags": "uai"}}"#, "paging.tags", &["`lam48`", "`tbi`"]),
        (
            r#"{"paging": {"index_bits": [9, 9, 9, 9, 9], "tags": "lam48"}}"#,
            "paging.tags",
            &["choose lam57"],
        ),
        (r#"{"paging": {"tags": "tbi"}}"#, "paging.tags", &["set addresses to two-halves"]),
        (
            r#"{"paging": {"index_bits": [9, 9, 9, 9, 9], "contiguous": {"4K": 16}}}"#,
            "paging.index_bits",
            &["52 bits"],
        ),
    ]);
}

#[test]
fn groups_of_entries_that_a_table_cannot_have_are_errors() {
    check_machines(&[
        (
            r#"{"paging": {"contiguous": {"16K": 4}}}"#,
            "paging.contiguous.16K",
            &["no page size", "4K, 2M, 1G"],
        ),
        (
            r#"{"paging": {"contiguous": {"4K": 24}}}"#,
            "paging.contiguous.4K",
            &["24 entries", "power of two from 2 to 256"],
        ),
        (
            r#"{"paging": {"offset_bits": 12, "index_bits": [4, 9, 4], "contiguous": {"4K": 16}}}"#,
            "paging.contiguous.4K",
            &["power of two from 2 to 8"],
        ),
        (r#"{"coalescing": {"4K": 16}}"#, "coalescing.4K", &["from 2 to 8"]),
        (
            r#"{"coalescing": {"4K": 4}, "l1": [{"pages": ["16K", "2M"]}]}"#,
            "l1[0].pages",
            &["16K is 4K pages", "list 4K too"],
        ),
        (
            r#"{"coalescing": {"4K": 4}, "l1": [{"pages": ["4K"], "fragments": ["2M"]}, {"pages": ["8K"]}]}"#,
            "l1[1].pages",
            &["8K is no page size", "4K, 16K, 2M, 1G"],
        ),
        (r#"{"coalescing": {"4k!": 4}}"#, "coalescing.4k!", &["`4k!` is no page size"]),
        (
            r#"{"paging": {"contiguous": {"4K": 16}}, "coalescing": {"4K": 4}}"#,
            "coalescing",
            &["give one of the two"],
        ),
        (
            r#"{"paging": {"offset_bits": 12, "index_bits": [9, 4, 9], "contiguous": {"4K": 2, "2M": 4, "32M": 4}}}"#,
            "paging.contiguous",
            &["3 sizes", "at most 2"],
        ),
    ]);
}

#[test]
fn groups_of_ways_that_an_array_cannot_have_are_errors() {
    check_machines(&[
        (
            r#"{"l1": [{"entries": 16, "ways": 8, "ways_of": {"4K": 3}}]}"#,
            "l1[0].ways_of.4K",
            &["3 ways", "divide the 8 ways"],
        ),
        (r#"{"l1": [{"entries": 16, "ways_of": {"4K": 0}}]}"#, "l1[0].ways_of.4K", &["0 ways"]),
        (
            r#"{"l2": [{"pages": ["4K"], "entries": 16, "ways_of": {"2M": 4}}]}"#,
            "l2[0].ways_of.2M",
            &["no pages of 2M", "list it in pages"],
        ),
        (
            r#"{"l2": [{"entries": 16, "ways": 8, "ways_of": {"4K": 4}, "replacement": "bit-plru"}]}"#,
            "l2[0].replacement",
            &["bit-plru cannot choose", "choose lru or tree-plru"],
        ),
    ]);
}

#[test]
fn walkers_and_walk_caches_that_no_core_has_are_errors() {
    check_machines(&[
        (r#"{"walkers": 0}"#, "walkers", &["0 walkers", "1 to 64"]),
        (r#"{"walkers": 65}"#, "walkers", &["1 to 64"]),
        (
            r#"{"psc": {"unified": {"entries": 4}, "pde": {"entries": 4}}}"#,
            "psc.unified",
            &["leave out the others"],
        ),
        (r#"{"psc": {"unified": {"in": "s"}}}"#, "psc.unified.in", &["no l2 array `s`", "none"]),
        (r#"{"psc": {"unified": {"entries": 12, "ways": 4}}}"#, "psc.unified.ways", &["3 sets"]),
    ]);
}

#[test]
fn a_system_that_the_machine_cannot_have_is_an_error() {
    let rows: &[Row] = &[
        (r#"{"default": "16K"}"#, "os.default", &["16K", "4K, 2M, 1G"]),
        (r#"{"default": "4K", "region": []}"#, "region", &["unknown field", "`regions`"]),
        (
            r#"{"regions": [{"start": "0x1000", "end": "0x3000", "pages": "512G"}]}"#,
            "os.regions[0].pages",
            &["512G", "4K, 2M, 1G"],
        ),
        (
            r#"{"regions": [{"start": "0x3000", "end": "0x3000", "pages": "4K"}]}"#,
            "os.regions[0].end",
            &["not above the start"],
        ),
        (
            r#"{"regions": [{"start": "0x1000", "end": "0x3000", "pages": "4K"}, {"start": "0x5000", "end": "0x6000", "pages": "4K"},
                {"start": "0x2000", "end": "0x4000", "pages": "4K"}]}"#,
            "os.regions[2].start",
            &["overlaps with regions[0]"],
        ),
        (
            r#"{"regions": [{"start": "0x10000000000000000", "end": "0x3000", "pages": "4K"}]}"#,
            "regions[0].start",
            &["no address", "\"0x7f3a1c2b5e48\""],
        ),
        (r#"{"frames": "random"}"#, "frames", &["`sequential`", "`shuffled`"]),
    ];
    check(rows, |os| config_error("{}", os));
    let teaching = r#"{"paging": {"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]}}"#;
    let error = config_error(teaching, "{}").expect("4K pages on a machine of 64-byte pages");
    assert_eq!(error.at, Some(Place::Field("os.default".to_owned())));
    assert!(error.message.contains("4K is no page size of this machine, which has 64"), "{error}");
}

#[test]
fn text_that_is_no_json_names_the_line() {
    check_machines(&[
        ("{\"l1\": [\n  {\"entries\": 64,\n", "line 3", &["EOF"]),
        ("", "line 1", &["EOF"]),
        ("{\n  l1: []\n}", "line 2", &["key must be a string"]),
        ("{}\n{}", "line 2", &["more text follows"]),
        ("{\"seed\": 1,\n \"seed\": 2}", "line 2", &["duplicate field `seed`"]),
        ("{\"l1\": [{\"ways\": 1,\n\"ways\": 1}]}", "line 2", &["duplicate field `ways`"]),
        ("\n5\n", "line 2", &["5: must be an object {…}"]),
        ("{\"l1\": [{\"entries\": 64}\n}", "line 2", &["expected `,` or `]`"]),
    ]);
}

#[test]
fn a_list_is_no_machine_and_no_system() {
    check_machines(&[
        ("[]", "line 1", &["{…}, not a list"]),
        (r#"{"l1": [["d"]]}"#, "l1[0]", &["{…}, not a list"]),
        (r#"{"l1": {}}"#, "l1", &["an object: must be a list […]"]),
    ]);
    check(&[("[]", "line 1", &[])], |os| config_error("{}", os));
}

#[test]
fn a_value_of_the_wrong_type_is_shown_with_the_expected_type() {
    check_machines(&[
        (
            r#"{"l1": [{"entries": "4"}]}"#,
            "l1[0].entries",
            &["\"4\": must be a whole number, 0 to 4294967295"],
        ),
        (r#"{"l1": [{"entries": 4.5}]}"#, "l1[0].entries", &["4.5: must be a whole number"]),
        (r#"{"memory": {"dram": -5}}"#, "memory.dram", &["-5: must be a whole number"]),
        (r#"{"memory": {"data": 1}}"#, "memory.data", &["1: must be true or false"]),
        (r#"{"name": null}"#, "name", &["null: must be text in quotes"]),
    ]);
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
