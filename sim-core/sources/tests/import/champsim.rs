//! ChampSim traces with records of 64 and 96 bytes, which only their contents distinguish.

use expect_test::{Expect, expect};
use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::import::ImportOptions;

use super::support::{check_prefixes, check_table, fixture, import, import_as, import_with, show};

fn check(bytes: &[u8], expected: &Expect) {
    expected.assert_eq(&show(&import(bytes)));
}

/// An instruction at `ip` with its loads and stores.
struct Instruction<'a>(u64, &'a [u64], &'a [u64]);

const PROGRAM: [Instruction; 5] = [
    Instruction(0x40_1000, &[0x7ffe_0010], &[]),
    Instruction(0x40_1004, &[0x7ffe_0010, 0x60_0000], &[0x60_0008]),
    Instruction(0x40_1009, &[], &[0x7ffe_0018, 0x7ffe_0020]),
    Instruction(0x40_100d, &[], &[]),
    Instruction(0xffff_ffff_8100_0000, &[0xffff_8880_0000_1000], &[]),
];

fn words(bytes: &mut Vec<u8>, words: &[u64], places: usize) {
    for place in 0..places {
        bytes.extend(words.get(place).copied().unwrap_or(0).to_le_bytes());
    }
}

fn usual(program: &[Instruction]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Instruction(ip, loads, stores) in program {
        bytes.extend(ip.to_le_bytes());
        bytes.extend([1, 1, 26, 0, 26, 25, 0, 0]);
        words(&mut bytes, stores, 2);
        words(&mut bytes, loads, 4);
    }
    bytes
}

fn cloud_suite(program: &[Instruction], asid: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Instruction(ip, loads, stores) in program {
        bytes.extend(ip.to_le_bytes());
        bytes.extend([1, 0, 26, 0, 0, 0, 26, 25, 0, 0, 0, 0, 0, 0, 0, 0]);
        words(&mut bytes, stores, 4);
        words(&mut bytes, loads, 4);
        bytes.extend([asid, asid, 0, 0, 0, 0, 0, 0]);
    }
    bytes
}

#[test]
fn converted_traces_hold_what_was_counted() {
    assert_eq!(check_table("champsim"), 3);
}

#[test]
fn a_record_is_a_fetch_then_its_loads_then_its_stores() {
    check(
        &usual(&PROGRAM),
        &expect![[r"
        champsim: 5 records, 12 accesses
        fetch 0x401000 0
        load 0x7ffe0010 0
        fetch 0x401004 0
        load 0x7ffe0010 0
        load 0x600000 0
        store 0x600008 0
        fetch 0x401009 0
        store 0x7ffe0018 0
        store 0x7ffe0020 0
        fetch 0x40100d 0
        fetch 0xffffffff81000000 0
        load 0xffff888000001000 0
    "]],
    );
}

#[test]
fn longer_records_have_the_same_accesses_and_a_process() {
    let (_, of_usual) = import(&usual(&PROGRAM));
    let (report, accesses) = import(&cloud_suite(&PROGRAM, 0));
    assert_eq!(report.unwrap().format, "champsim");
    assert!(accesses == of_usual);
    let (_, accesses) = import(&cloud_suite(&PROGRAM, 7));
    let of_7: Vec<Access> = of_usual.iter().map(|access| Access { pid: 7, ..*access }).collect();
    assert!(accesses == of_7);
}

#[test]
fn a_whole_trace_is_what_a_naive_reader_makes_of_it() {
    let packed = fixture("champsim/sort20k.champsimtrace.xz");
    let mut bytes = Vec::new();
    let mut reader = lzma_rust2::XzReader::new(&packed[..], true);
    std::io::Read::read_to_end(&mut reader, &mut bytes).unwrap();
    let mut naive = Vec::new();
    for record in bytes.chunks(64) {
        let word = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().unwrap());
        naive.push(Access::new(Kind::Fetch, word(0), 0));
        naive.extend([32, 40, 48, 56].map(|at| Access::new(Kind::Load, word(at), 0)));
        naive.extend([16, 24].map(|at| Access::new(Kind::Store, word(at), 0)));
    }
    naive.retain(|access| access.address != 0 || access.kind.is_fetch());
    let (_, accesses) = import_with(ImportOptions::default(), &bytes, 1000);
    assert!(accesses == naive);
}

#[test]
fn every_beginning_of_a_file_is_a_result_or_an_error() {
    let program: Vec<Instruction> =
        (0..20).map(|n| Instruction(0x40_1000 + 4 * n, &[0x7ffe_0010], &[])).collect();
    check_prefixes(Some("champsim"), &usual(&program));
    check_prefixes(Some("champsim-cloudsuite"), &cloud_suite(&program, 1));
    // If the user does not name the format, a few records can fit the other size.
    let whole = usual(&program);
    for end in 0..whole.len() {
        let (report, accesses) = import_with(ImportOptions::default(), &whole[..end], 100);
        assert_eq!(report.is_ok(), !accesses.is_empty(), "{end}");
    }
}

#[test]
fn a_cut_off_file_is_read_to_its_last_whole_record() {
    let program: Vec<Instruction> =
        (0..20).map(|n| Instruction(0x40_1000 + 4 * n, &[], &[])).collect();
    let bytes = usual(&program);
    let (report, _) = import(&bytes[..bytes.len() - 10]);
    expect![[r"
        champsim: 19 records, 19 accesses
          ! The file was cut off: its last 54 bytes, from byte 1216 on, are an incomplete record and were left out
    "]].assert_eq(&show(&(report, Vec::new())));
}

#[test]
fn records_with_impossible_flags_are_skipped() {
    let mut bytes = usual(&PROGRAM);
    bytes[64 + 8] = 9;
    let (report, _) = import_as(Some("champsim"), &bytes);
    expect![[r"
        champsim: 4 records, 8 accesses
          skipped 1 malformed records
          ! 1 record has flags that are neither 0 nor 1 and was skipped; it is byte 64: `flags 9 and 1`
    "]].assert_eq(&show(&(report, Vec::new())));
    // If the user does not name the format, the file is not recognised.
    check(
        &bytes,
        &expect![[r"
            Unsupported: the file looks like a binary file, which Pagewalk does not read. Write its accesses as a list with the first line kind,address,size and import that. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
}

#[test]
fn other_binary_files_are_no_champsim() {
    check(
        &[0; 640],
        &expect![[r"
            Unsupported: the file looks like a binary file, which Pagewalk does not read. Write its accesses as a list with the first line kind,address,size and import that. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
    let (report, _) = import_with(
        ImportOptions { name: "a.champsim".to_owned(), ..ImportOptions::default() },
        &[0; 640],
        100,
    );
    expect![[r"
        Unsupported: the file looks like a binary file whose name says ChampSim, but whose records are different, which Pagewalk does not read. Write its accesses as a list with the first line kind,address,size and import that. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip. If it is a ChampSim trace, import with --format champsim or --format champsim-cloudsuite
    "]].assert_eq(&show(&(report, Vec::new())));
}
