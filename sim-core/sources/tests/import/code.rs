//! Accesses of WebAssembly programs that the site runs.

use cases::cases;
use expect_test::expect;
use pagewalk_base::trace::{Access, Completeness, Kind, SourcePlace, Trace, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};

use super::support::{check_prefixes, import, show};

/// Two blocks: a load and a store, then one site of every other kind.
const HEAD: &str = r#"{"memory":{"stack":["0x0","0x1000"],"data":"0x2000","heap":"0x3000","size":"0x10000","code":"0x200"},
"functions":[{"name":"main","start":"0x10","end":"0x80"}],
"globals":[{"name":"table","start":"0x2000","end":"0x2100"}],
"sites":[["load",8,0,32],["store",4,16,36],
["modify",4,0,40],["copy",0,0,44],["fill",0,0,48],["grow",0,0,52],
["malloc",0,0,56],["return",0,0,56],["calloc",0,0,60],["return",0,0,60],["free",0,0,64]],
"blocks":[0,2,6,8,11],"heap":[[56,"node (malloc, line 5)"]]}"#;

pub(super) fn file(head: &str, words: &[u32]) -> Vec<u8> {
    let mut bytes = b"PWCODE1\n".to_vec();
    bytes.extend(u32::try_from(head.len()).unwrap().to_le_bytes());
    bytes.extend(head.as_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

const WORDS: &[u32] = &[
    // A load from the stack, a store to data.
    0, 0xff8, 0x2000, //
    // A modification, a copy of 100 bytes to the heap, a fill of 3, and a page that is added.
    1, 0x2010, 0x5000, 0x2000, 100, 0x4000, 3, 1, 1, //
    // Two nodes next to each other, and a table without a name.
    2, 24, 0x6000, 2, 24, 0x6020, //
    3, 10, 4, 0x7000, 0x6000, //
    0, 0x6000, 0x6020,
];

#[test]
fn words_are_accesses_at_the_addresses_of_a_process() {
    expect![[r"
        code: 6 records, 11 accesses
        load 0x7ffc00000ff8 8 ip 0x400020
        store 0x100002010 4 ip 0x400024
        load 0x100002010 4 ip 0x400028
        store 0x100002010 4 ip 0x400028
        load 0x100002000 64 ip 0x40002c
        store 0x555500005000 64 ip 0x40002c
        load 0x100002040 36 ip 0x40002c
        store 0x555500005040 36 ip 0x40002c
        store 0x555500004000 3 ip 0x400030
        load 0x555500006000 8 ip 0x400020
        store 0x555500006030 4 ip 0x400024
    "]]
    .assert_eq(&show(&import(&file(HEAD, WORDS))));
}

#[test]
fn each_access_has_an_estimated_fetch_before_it_if_the_head_asks_for_fetches() {
    let head = HEAD.replacen('{', r#"{"fetches":true,"#, 1);
    expect![[r"
        code: 2 records, 8 accesses
          ! Fetches are an estimate: one before each access, at the place of its instruction in the WebAssembly code. The machine code that a browser makes of it is larger, and elsewhere
        fetch 0x400020 4 ip 0x400020
        load 0x7ffc00000ff8 8 ip 0x400020
        fetch 0x400024 4 ip 0x400024
        store 0x100002010 4 ip 0x400024
        fetch 0x400028 4 ip 0x400028
        load 0x100002010 4 ip 0x400028
        fetch 0x400028 4 ip 0x400028
        store 0x100002010 4 ip 0x400028
    "]]
    .assert_eq(&show(&import(&file(&head, &[0, 0xff8, 0x2000, 1, 0x2010, 0, 0, 0, 0, 0, 0, 0]))));
}

/// An operation on a range that is not all in memory traps before it accesses a byte.
#[test]
fn ranges_beyond_the_memory_of_a_program_make_no_accesses() {
    let beyond = [1, 0x2010, 0x3fff_ffff, 0x2000, 2, 0x4000, u32::MAX, 1, 1];
    expect![[r"
        code: 1 records, 2 accesses
        load 0x100002010 4 ip 0x400028
        store 0x100002010 4 ip 0x400028
    "]]
    .assert_eq(&show(&import(&file(HEAD, &beyond))));
}

fn trace(words: &[u32]) -> Trace {
    trace_of(HEAD, words)
}

/// Reads a file byte by byte.
pub(super) fn trace_of(head: &str, words: &[u32]) -> Trace {
    let mut trace = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    for byte in file(head, words) {
        importer.push(&[byte], &mut trace).unwrap();
    }
    importer.finish(&mut trace).unwrap();
    trace.finish(Completeness::Complete).unwrap()
}

/// A trace takes many accesses of known instructions at once, a list takes each alone.
#[test]
fn a_trace_gets_the_accesses_that_a_list_gets() {
    cases(60).check(|u| {
        let mut words = Vec::new();
        for _ in 0..u.int_in_range(0..=3000)? {
            let at = u.int_in_range(0..=0xffff)?;
            match u.int_in_range(0..=9)? {
                0 => words.extend([1, at, 0x8000, 0x2000, at % 200, 0x4000, at % 70, 1, 1]),
                1 => words.extend([2, 24, 0x6000, 2, 24, 0x6020]),
                2 => words.extend([3, 10, 4, 0x7000, 0x6000]),
                _ => words.extend([0, at, u.int_in_range(0x2000..=0x2008)?]),
            }
        }
        let bytes = file(HEAD, &words);
        let mut list: Vec<Access> = Vec::new();
        let mut trace = TraceBuilder::default();
        let mut importers = [(); 2].map(|()| Importer::new(ImportOptions::default()).unwrap());
        let n = u.int_in_range(1..=1 << 14)?;
        for part in bytes.chunks(n) {
            importers[0].push(part, &mut list).unwrap();
            importers[1].push(part, &mut trace).unwrap();
        }
        let trace = trace.finish(Completeness::Complete).unwrap();
        assert!(trace.accesses_from(0).eq(list.iter().copied()));
        let mut alone = TraceBuilder::default();
        for access in &list {
            alone.push(access).unwrap();
        }
        let alone = alone.finish(Completeness::Complete).unwrap();
        assert_eq!(format!("{:?}", trace.chunks()), format!("{:?}", alone.chunks()));
        Ok(())
    });
}

fn map(words: &[u32]) -> String {
    let line = |map: &pagewalk_base::trace::Mapping| {
        let what = if map.is_name { "name" } else { "map" };
        let (start, end, kind) = (map.start, map.end, map.kind.name());
        format!("{} {what} {start:#x}-{end:#x} {kind} {}\n", map.from, map.name)
    };
    trace(words).mappings().iter().map(line).collect()
}

#[test]
fn the_map_names_functions_variables_and_blocks() {
    expect![[r"
        0 map 0x400000-0x400200 text code
        0 map 0x7ffc00000000-0x7ffc00001000 stack [stack]
        0 map 0x100001000-0x100002000 file data
        0 map 0x100002000-0x100003000 anonymous bss
        0 map 0x555500003000-0x555500010000 heap [heap]
        0 name 0x7ffc00000000-0x7ffc00000400 stack null pointer
        0 name 0x400010-0x400080 text main
        0 name 0x100002000-0x100002100 anonymous table
        9 map 0x555500010000-0x555500020000 heap [heap]
        9 name 0x555500006000-0x555500006018 heap node (malloc, line 5)
        9 name 0x555500006020-0x555500006070 heap node (malloc, line 5)
        9 name 0x555500006000-0x555500006018 heap [heap]
    "]]
    .assert_eq(&map(WORDS));
}

/// A freed block has the name of the heap again, until another one takes its place.
#[test]
fn a_freed_block_is_part_of_the_heap() {
    let more = r#"["free",0,0,64],["realloc",0,0,56],["return",0,0,56]],"#;
    let head = HEAD.replace(r#"["free",0,0,64]],"#, more);
    let head = head.replace("[0,2,6,8,11]", "[0,2,6,8,10,11,13]");
    let words = [
        0,
        0x6000,
        0x6000, // Without an access there is no trace.
        2,
        24,
        0x6000,
        2,
        24,
        0x6020,
        2,
        24,
        0x6040,
        4,
        0x6020, //
        // It moves, it has no room, and it is freed.
        5,
        0x6000,
        100,
        0x6100,
        5,
        0x6100,
        1 << 30,
        0,
        5,
        0x6100,
        0,
        0,
    ];
    let mut trace = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(&file(&head, &words), &mut trace).unwrap();
    importer.finish(&mut trace).unwrap();
    let trace = trace.finish(Completeness::Complete).unwrap();
    let lines = trace.mappings().iter().filter(|of| of.from > 0);
    let lines = lines.map(|of| format!("{:#x}-{:#x} {}\n", of.start, of.end, of.name));
    expect![[r"
        0x555500006000-0x555500006018 node (malloc, line 5)
        0x555500006020-0x555500006070 node (malloc, line 5)
        0x555500006020-0x555500006038 [heap]
        0x555500006000-0x555500006018 [heap]
        0x555500006100-0x555500006164 node (malloc, line 5)
        0x555500006100-0x555500006164 [heap]
    "]]
    .assert_eq(&lines.collect::<String>());
}

/// Returns the places of a trace whose head has more fields.
fn places(more: &str) -> String {
    let head = format!("{},{more}}}", HEAD.strip_suffix('}').unwrap());
    let mut trace = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    let pushed = importer.push(&file(&head, WORDS), &mut trace);
    if let Err(error) = pushed.and_then(|()| importer.finish(&mut trace)) {
        return format!("{error}\n");
    }
    let trace = trace.finish(Completeness::Complete).unwrap();
    let line = |(ip, SourcePlace { function, file, line, text }): (u64, SourcePlace<'_>)| {
        format!("{ip:#x} {function} {file}:{line} {text}\n")
    };
    trace.places().iter().map(line).collect()
}

#[test]
fn sites_have_their_places_in_the_source() {
    let places = [
        r#""files":["a.c"],"names":["main"],"places":[[0,3,0],[-1,0,0],[0,4,-1]],"lines":[[0,3,"\tx = 1;"]]"#,
        r#""files":["a.c"],"names":["main"],"places":[[1,3,0]]"#,
        r#""names":[],"places":[[-1,3,0]]"#,
    ]
    .map(places);
    expect![[r"
        0x400020 main a.c:3 x = 1;
        0x400024 main :0 
        0x400028  a.c:4 
        byte 12: this is not a valid program trace of Pagewalk: its head: there is no file 1. Run the program again and save its trace
        byte 12: this is not a valid program trace of Pagewalk: its head: there is no name 0. Run the program again and save its trace
    "]]
    .assert_eq(&places.concat());
}

/// What the documented layout says about a word of a site.
fn place(word: u32, offset: u32) -> u64 {
    let at = u64::from(word) + u64::from(offset);
    match at {
        0x3000.. => 0x5555_0000_0000 + at,
        0..0x1000 => 0x7ffc_0000_0000 + at,
        _ => 0x1_0000_0000 + at,
    }
}

#[test]
fn records_in_pieces_of_any_size_are_the_accesses_that_their_words_say() {
    cases(60).check(|u| {
        let (mut words, mut expected) = (Vec::new(), Vec::new());
        let mut add = |kind, at: u64, size, ip: u64| {
            expected.push(Access { ip: Some(0x40_0000 + ip), ..Access::new(kind, at, size) });
        };
        for _ in 0..u.int_in_range(0..=6000)? {
            let near = u32::from(u.arbitrary::<u16>()?) % 0x6000;
            let word = if u.ratio(1, 50)? { u.arbitrary()? } else { near };
            if u.ratio(9, 10)? {
                words.extend([0, word, near]);
                add(Kind::Load, place(word, 0), 8, 32);
                add(Kind::Store, place(near, 16), 4, 36);
                continue;
            }
            let (copied, filled) = (u.int_in_range(0..=200)?, u.int_in_range(0..=70)?);
            words.extend([1, word, near, word, copied, near, filled, 1, u32::MAX]);
            add(Kind::Load, place(word, 0), 4, 40);
            add(Kind::Store, place(word, 0), 4, 40);
            let is_in_memory = u64::from(word) + u64::from(copied) <= 1 << 30;
            for at in (0..copied).step_by(64).filter(|_| is_in_memory) {
                add(Kind::Load, place(word, at), 64.min(copied - at), 44);
                add(Kind::Store, place(near, at), 64.min(copied - at), 44);
            }
            for at in (0..filled).step_by(64) {
                add(Kind::Store, place(near, at), 64.min(filled - at), 48);
            }
        }
        let options = ImportOptions { limit: u.int_in_range(1..=20_000)?, ..Default::default() };
        expected.truncate(usize::try_from(options.limit).unwrap());
        let (mut importer, mut found) = (Importer::new(options).unwrap(), Vec::new());
        let piece = u.int_in_range(1..=20_000)?;
        for bytes in file(HEAD, &words).chunks(piece) {
            importer.push(bytes, &mut found).unwrap();
        }
        if !expected.is_empty() {
            let report = importer.finish(&mut found).unwrap();
            assert_eq!(report.accesses, expected.len() as u64);
        }
        assert!(found == expected, "{} of {} accesses", found.len(), expected.len());
        Ok(())
    });
}

/// Instruction pointers are predicted, so a loop costs less than a byte for each access.
#[test]
fn a_loop_needs_few_bytes() {
    let words: Vec<u32> = (0..5000).flat_map(|n| [0, 8 * (n % 256), 0x800]).collect();
    let trace = trace(&words);
    let bytes = trace.bytes();
    assert!(bytes < trace.len() as usize, "{bytes} bytes for {} accesses", trace.len());
}

/// A thousand blocks next to each other are a few regions, until another call allocates among them.
#[test]
fn blocks_of_a_list_share_regions() {
    let mut words = vec![0, 0, 0];
    for n in 0..1000 {
        words.extend([2, 24, 0x8000 + 32 * n]);
    }
    let lines = map(&words).lines().filter(|line| line.contains("node")).count();
    assert!((2..=11).contains(&lines), "{lines} regions");
}

#[test]
fn what_is_no_program_trace_is_reported_with_its_place() {
    let with = |old: &str, new: &str| {
        assert!(HEAD.contains(old), "{old}");
        file(&HEAD.replacen(old, new, 1), WORDS)
    };
    let cases = [
        ("no accesses", file(HEAD, &[])),
        ("cut in the head", file(HEAD, WORDS)[..40].to_vec()),
        ("no JSON", file("{", WORDS)),
        ("blocks without sites", file(&HEAD.replace("[0,2,6", "[0,2,60"), WORDS)),
        ("sites backwards", file(&HEAD.replace("[0,2,6", "[2,0,6"), WORDS)),
        ("a stack beyond the memory", with(r#""0x1000"]"#, r#""0xffffffffffffffff"]"#)),
        ("a heap beyond the memory", with("0x3000", "0x100000001")),
        ("a memory that is too large", with("0x10000", "0xffffffffffffffff")),
        ("code that is too large", with("0x200\"}", "0xffffffffffffffff\"}")),
        ("an access of no bytes", with(r#"["load",8"#, r#"["load",0"#)),
        ("an access of too many bytes", with(r#"["modify",4"#, r#"["modify",65"#)),
        ("no such block", file(HEAD, &[0, 16, 16, 9])),
        ("cut in a record", file(HEAD, &[0, 16, 16, 0, 16])),
    ];
    let shown: Vec<String> =
        cases.iter().map(|(what, bytes)| format!("## {what}\n{}", show(&import(bytes)))).collect();
    expect![[r"
        ## no accesses
        BadTrace: no access in this code trace: the program must load or store in its memory

        ## cut in the head
        BadTrace: byte 40: this is not a valid program trace of Pagewalk: it ends inside its head. Run the program again and save its trace

        ## no JSON
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: line 1: EOF while parsing an object. Run the program again and save its trace

        ## blocks without sites
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: there are no sites 2 to 60. Run the program again and save its trace

        ## sites backwards
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: there are no sites 2 to 0. Run the program again and save its trace

        ## a stack beyond the memory
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: stack is 0xffffffffffffffff: must be at most 0x100000000. Run the program again and save its trace

        ## a heap beyond the memory
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: heap is 0x100000001: must be at most 0x100000000. Run the program again and save its trace

        ## a memory that is too large
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: size is 0xffffffffffffffff: must be at most 0x100000000. Run the program again and save its trace

        ## code that is too large
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: code is 0xffffffffffffffff: must be at most 0x100000000. Run the program again and save its trace

        ## an access of no bytes
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: site 0 accesses 0 bytes: must be 1 to 64. Run the program again and save its trace

        ## an access of too many bytes
        BadTrace: byte 12: this is not a valid program trace of Pagewalk: its head: site 2 accesses 65 bytes: must be 1 to 64. Run the program again and save its trace

        ## no such block
        BadTrace: byte 508: this is not a valid program trace of Pagewalk: there is no block 9. Run the program again and save its trace
        load 0x7ffc00000010 8 ip 0x400020
        store 0x7ffc00000020 4 ip 0x400024

        ## cut in a record
        code: 1 records, 2 accesses
          ! The file was cut off: its last record, from byte 508 on, is incomplete and was left out
        load 0x7ffc00000010 8 ip 0x400020
        store 0x7ffc00000020 4 ip 0x400024
    "]].assert_eq(&shown.join("\n"));
}

#[test]
fn every_beginning_of_a_file_is_read_or_rejected() {
    check_prefixes(None, &file(HEAD, WORDS));
}
