//! Accesses of JavaScript programs from the screen Code.

use expect_test::expect;
use pagewalk_base::trace::{Access, Kind, TraceBuilder};
use pagewalk_sources::import::Importer;

use super::support::{check_prefixes, import, show};

const HEAD: &str = r#"{"arrays":[{"name":"a","start":"0x10000000","end":"0x10004000"},
{"name":"b, mine","start":"0x10100000","end":"0x10102000"}],"lines":[2,7]}"#;

const STORE: u32 = 1 << 31;

fn file(head: &str, records: &[(u64, u16, u32)]) -> Vec<u8> {
    let mut bytes = b"PWLOOP1\n".to_vec();
    bytes.extend(u32::try_from(head.len()).unwrap().to_le_bytes());
    bytes.extend(head.as_bytes());
    for (address, size, code) in records {
        bytes.extend(&address.to_le_bytes()[..6]);
        bytes.extend(size.to_le_bytes());
        bytes.extend(code.to_le_bytes());
    }
    bytes
}

const RECORDS: [(u64, u16, u32); 4] = [
    (0x1000_0000, 8, 2),
    (0x1000_2ff8, 8, 7 | STORE),
    (0x1010_0004, 4, 2),
    // An unknown line.
    (0x7fff_ffff_fff0, 0, 0),
];

#[test]
fn a_record_is_an_access_of_a_line() {
    expect![[r"
        loop: 4 records, 4 accesses
        load 0x10000000 8 ip 0x402000
        store 0x10002ff8 8 ip 0x407000
        load 0x10100004 4 ip 0x402000
        load 0x7ffffffffff0 0
    "]]
    .assert_eq(&show(&import(&file(HEAD, &RECORDS))));
}

/// The records that name an array.
fn array(text: &str) -> Vec<u8> {
    let mut bytes = vec![0; 12 * text.len().div_ceil(12)];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    let size = u32::try_from(text.len()).unwrap();
    [&size.to_le_bytes()[..], &[0; 4], &[0xff; 4], &bytes].concat()
}

const ARRAY: &str = r#"{"name":"made later: “c”","start":"0x10200000","end":"0x10200010"}"#;

/// A file with an array that is made between two accesses.
fn with_array(text: &str) -> Vec<u8> {
    [file(HEAD, &RECORDS), array(text), file("", &[(0x1020_0008, 8, 2)])[12..].to_vec()].concat()
}

/// Arrays and lines become regions with their names.
#[test]
fn the_head_and_later_arrays_are_the_memory_map() {
    let mut trace = TraceBuilder::default();
    let mut importer = Importer::new(pagewalk_sources::import::ImportOptions::default()).unwrap();
    for byte in with_array(ARRAY) {
        importer.push(&[byte], &mut trace).unwrap();
    }
    importer.finish(&mut trace).unwrap();
    let trace = trace.finish(pagewalk_base::trace::Completeness::Complete).unwrap();
    let map: Vec<String> = trace
        .mappings()
        .iter()
        .map(|map| {
            let (start, end, kind) = (map.start, map.end, map.kind.name());
            format!("{start:#x}-{end:#x} {kind} {} from {}\n", map.name, map.from)
        })
        .collect();
    expect![[r"
        0x10000000-0x10004000 heap a from 0
        0x10100000-0x10102000 heap b, mine from 0
        0x402000-0x403000 text line 2 from 0
        0x407000-0x408000 text line 7 from 0
        0x10200000-0x10200010 heap made later: “c” from 4
    "]]
    .assert_eq(&map.concat());
    let last: Vec<Access> = trace.accesses_from(1).take(1).collect();
    let ip = Some(0x40_7000);
    assert_eq!(last, [Access { ip, ..Access::new(Kind::Store, 0x1000_2ff8, 8) }]);
}

#[test]
fn what_is_no_loop_is_reported_with_its_place() {
    let long = {
        let mut bytes = file(HEAD, &RECORDS);
        bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        bytes
    };
    let cases = [
        ("no records", file(HEAD, &[])),
        ("cut in the head", file(HEAD, &RECORDS)[..40].to_vec()),
        ("a head of 4 GB", long),
        ("no JSON", file("{", &RECORDS)),
        ("another field", file(r#"{"arrays":[],"lines":[],"x":1}"#, &RECORDS)),
        ("an array that is no JSON", with_array("c")),
        ("a cut array", with_array(ARRAY)[..file(HEAD, &RECORDS).len() + 30].to_vec()),
        ("an array of 4 GB", [file(HEAD, &RECORDS), vec![0xff; 12]].concat()),
        ("a high address", file(HEAD, &[RECORDS[0], (0x8000_0000_0000, 8, 2)])),
    ];
    let shown: Vec<String> =
        cases.iter().map(|(what, bytes)| format!("## {what}\n{}", show(&import(bytes)))).collect();
    expect![[r"
        ## no records
        BadTrace: no access in this loop trace: call load or store in the loop

        ## cut in the head
        BadTrace: byte 40: this is not a valid file of a program on the screen Code: it ends inside its head. Run the program again there and save its trace

        ## a head of 4 GB
        BadTrace: byte 8: this is not a valid file of a program on the screen Code: its head has 4294967295 bytes, more than the 1048576 allowed. Run the program again there and save its trace

        ## no JSON
        BadTrace: byte 12: this is not a valid file of a program on the screen Code: its head: line 1: EOF while parsing an object. Run the program again there and save its trace

        ## another field
        BadTrace: byte 12: this is not a valid file of a program on the screen Code: its head: x: unknown field `x`, expected `arrays` or `lines`. Run the program again there and save its trace

        ## an array that is no JSON
        BadTrace: byte 199: this is not a valid file of a program on the screen Code: an array: line 1: expected value. Run the program again there and save its trace
        load 0x10000000 8 ip 0x402000
        store 0x10002ff8 8 ip 0x407000
        load 0x10100004 4 ip 0x402000
        load 0x7ffffffffff0 0

        ## a cut array
        BadTrace: byte 199: this is not a valid file of a program on the screen Code: it ends inside an array. Run the program again there and save its trace
        load 0x10000000 8 ip 0x402000
        store 0x10002ff8 8 ip 0x407000
        load 0x10100004 4 ip 0x402000
        load 0x7ffffffffff0 0

        ## an array of 4 GB
        BadTrace: byte 199: this is not a valid file of a program on the screen Code: an array has a text of 4294967295 bytes, not of 1 to 4096. Run the program again there and save its trace
        load 0x10000000 8 ip 0x402000
        store 0x10002ff8 8 ip 0x407000
        load 0x10100004 4 ip 0x402000
        load 0x7ffffffffff0 0

        ## a high address
        loop: 1 records, 1 accesses
          skipped 1 addresses over 47 bits
          ! 1 record has an address over 47 bits and was skipped; it is byte 163: `0x800000000000`
        load 0x10000000 8 ip 0x402000
    "]].assert_eq(&shown.join("\n"));
}

#[test]
fn every_beginning_of_a_file_is_read_or_rejected() {
    check_prefixes(None, &with_array(ARRAY));
}
