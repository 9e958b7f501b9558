//! Traces of DynamoRIO: files of drmemtrace, the text of its view tool, and logs of the sample tools.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use pagewalk_base::trace::{Access, Completeness};

use super::support::{check, check_prefixes, check_table, fixture, import, import_as, show};

/// Makes a record from a type, a size and an address.
type Entry = (u16, u16, u64);

fn wide(entries: &[Entry]) -> Vec<u8> {
    let bytes = entries.iter().flat_map(|(kind, size, address)| {
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &address.to_le_bytes()].concat()
    });
    bytes.collect()
}

fn narrow(entries: &[Entry]) -> Vec<u8> {
    let bytes = entries.iter().flat_map(|(kind, size, address)| {
        let address = u32::try_from(*address).unwrap();
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &address.to_le_bytes()].concat()
    });
    bytes.collect()
}

fn check_bytes(bytes: &[u8], expected: &Expect) {
    expected.assert_eq(&show(&import(bytes)));
}

#[test]
fn recorded_traces_hold_what_was_counted() {
    assert_eq!(check_table("dynamorio"), 7);
}

#[test]
fn threads_processes_and_processors_come_from_records_between_accesses() {
    check_bytes(
        &wide(&[
            (25, 0, 7),
            (28, 12, 7),
            (22, 4, 500),
            (24, 4, 400),
            (28, 3, 2),
            (47, 3, 0x89_9048),
            (10, 3, 0x40_1000),
            (0, 8, 0x7ffe_0010),
            (22, 4, 501),
            (24, 4, 400),
            (49, 2, 0x40_2000),
            (1, 4, 0x60_0000),
            (22, 4, 500),
            (30, 2, 0x40_1003),
            (0, 1, 0x60_0100),
            (30, 2, 0x40_1003),
            (0, 1, 0x60_0101),
            (29, 2, 0x40_1010),
            (0, 1, 0x60_0102),
            (32, 64, 0x60_1000),
            (26, 0, 0),
        ]),
        &expect![[r"
            drmemtrace: 9 records, 9 accesses
              skipped 12 markers and other records without an access
            fetch 0x401000 3 pid 400 tid 500 cpu 2
            load 0x7ffe0010 8 pid 400 tid 500 cpu 2
            fetch 0x402000 2 pid 400 tid 501 cpu 2
            store 0x600000 4 pid 400 tid 501 cpu 2
            fetch 0x401003 2 pid 400 tid 500 cpu 2
            load 0x600100 1 pid 400 tid 500 cpu 2
            load 0x600101 1 pid 400 tid 500 cpu 2
            load 0x600102 1 pid 400 tid 500 cpu 2 ip 0x401010
            prefetch 0x601000 64 pid 400 tid 500 cpu 2 ip 0x401010
        "]],
    );
}

#[test]
fn a_bundle_is_the_instructions_after_the_last() {
    check_bytes(
        &wide(&[(25, 0, 1), (22, 4, 1), (10, 3, 0x1000), (17, 3, 0x05_02_01), (0, 8, 0x9000)]),
        &expect![[r"
            drmemtrace: 3 records, 5 accesses
              skipped 2 markers and other records without an access
            fetch 0x1000 3 pid 0 tid 1
            fetch 0x1003 1 pid 0 tid 1
            fetch 0x1004 2 pid 0 tid 1
            fetch 0x1006 5 pid 0 tid 1
            load 0x9000 8 pid 0 tid 1
        "]],
    );
    check_bytes(
        &wide(&[(25, 0, 1), (22, 4, 1), (17, 3, 0x05_02_01)]),
        &expect![[r"
        BadTrace: byte 24: a bundle of instructions has no address, because no instruction comes before it: the beginning of the file is missing; record it again
    "]],
    );
}

#[test]
fn programs_of_32_bits_have_shorter_records() {
    let entries =
        [(25, 0, 1), (22, 4, 9), (24, 4, 9), (10, 3, 0x804_8000), (0, 4, 0xbfff_0010), (26, 0, 0)];
    let (report, accesses) = import(&narrow(&entries));
    assert_eq!(report.unwrap().format, "drmemtrace");
    assert!(accesses == import(&wide(&entries)).1);
}

#[test]
fn markers_say_what_the_trace_is() {
    let (report, _) = import(&wide(&[
        (25, 0, 4),
        (28, 9, 0x1c4),
        (28, 18, 65536),
        (28, 15, 0x12_3000),
        (28, 17, 0x40_1000),
        (28, 15, 0x55_5000),
        (28, 17, 0x60_0000),
        (28, 16, 0x70_0000),
        (10, 3, 0x40_1000),
        (28, 9, 0x1c4),
        (55, 0, 0),
    ]));
    assert_eq!(report.as_ref().unwrap().completeness, Completeness::Sampled);
    expect![[r"
        drmemtrace: 1 records, 1 accesses
          skipped 6 markers and other records without an access
          skipped 2 physical addresses
          skipped 1 unknown physical addresses
          skipped 1 records of unknown types
          ! The recorder left out fetches and data accesses that hit in a small filter cache, so the simulation counts too few hits: record without -L0I_filter and -L0D_filter
          ! The recording has only instructions, without the loads and stores of the program
          ! The recorded machine had pages of 65536 bytes. A run with other pages has other walks
          ! The trace has physical addresses, the first 0x123000 for 0x401000. The simulation does not use them: it assigns its own frames
          ! 1 record has an unknown type and was skipped; it is byte 120: `type 55`
    "]].assert_eq(&show(&(report, Vec::new())));
}

#[test]
fn every_beginning_of_a_file_is_a_result_or_an_error() {
    check_prefixes(None, &fixture("dynamorio/drmemtrace.small.x64.trace"));
    check_prefixes(None, VIEW.as_bytes());
    check_prefixes(Some("memtrace"), SIMPLE.as_bytes());
    check_prefixes(Some("memtrace"), X86.as_bytes());
}

#[test]
fn a_file_that_is_none_says_what_to_choose() {
    let outcome = import_as(Some("drmemtrace"), b"RAW\0and more");
    expect![[r"
        BadTrace: byte 0: the file does not begin with the header of drmemtrace (the bytes 19 00): choose a file from the folder trace/, not from raw/, whose files drraw2trace converts
    "]].assert_eq(&show(&outcome));
    check_bytes(
        &wide(&[(25, 0, 7), (26, 0, 0)]),
        &expect![[r"
        BadTrace: no access in this drmemtrace trace: choose a file from the folder trace/, not from raw/, whose files drraw2trace converts
    "]],
    );
}

const VIEW: &str = "Output format:
<--record#-> <--instr#->: <Wrkld.Tid> <record details>
------------------------------------------------------------
           1           0:       W0.T3 <marker: version 7>
           2           0:       W0.T3 <marker: filetype 0xe40>
           3           0:       W0.T3 <marker: page size 4096>
           4           0:       W0.T3 <marker: W0.T3 on core 2>
           5           1:       W0.T3 ifetch       3 byte(s) @ 0x00007f6fdd3ec360 48 89 e5             mov    %rsp -> %rbp
           6           2:       W0.T3 ifetch      10 byte(s) @ 0x00007f6fdd3ec363 48 b8 11 22 33 44 55 mov    $0x77665544332211 -> %rax
           7           2:       W0.T3                               66 77 00
           8           2:       W0.T3 <marker: physical address for following virtual: 0x123000>
           9           2:       W0.T3 <marker: virtual address for prior physical: 0x7ffe10>
          10           2:       W0.T3 write        8 byte(s) @ 0x00000000007ffe10 by PC 0x00007f6fdd3ec363
------------------------------------------------------------
          11           3:       W0.T4 ifetch       2 byte(s) @ 0x00007f6fdd3ec360 non-fetched instruction
          12           3:       W0.T4 read         1 byte(s) @ 0x0000000000601000 by PC 0x00007f6fdd3ec3ff
          13           3:       W0.T4 pref-r-L1    1 byte(s) @ 0x0000000000602000 by PC 0x00007f6fdd3ec363
          14           3:       W0.T4 <thread W0.T4 exited>
View tool results:
              3 : total instructions
";

#[test]
fn the_text_of_the_view_tool() {
    check(
        VIEW,
        &expect![[r"
        drmemtrace-view: 5 records, 5 accesses
          skipped 6 lines around the records
          skipped 6 markers and other records without an access
          skipped 1 second lines of an instruction
          skipped 1 physical addresses
          skipped 1 instructions that were not fetched again
          ! The trace has physical addresses, the first 0x123000 for 0x7ffe10. The simulation does not use them: it assigns its own frames
        fetch 0x7f6fdd3ec360 3 pid 0 tid 3 cpu 2
        fetch 0x7f6fdd3ec363 10 pid 0 tid 3 cpu 2
        store 0x7ffe10 8 pid 0 tid 3 cpu 2
        load 0x601000 1 pid 0 tid 4 cpu 2 ip 0x7f6fdd3ec3ff
        prefetch 0x602000 1 pid 0 tid 4 cpu 2
    "]],
    );
}

#[test]
fn the_text_of_a_trace_is_the_trace() {
    // The text covers the beginning of the binary trace.
    let (_, of_text) = import(&fixture("dynamorio/drmemtrace.threadsig.view.txt.xz"));
    let (_, small) = import(&fixture("dynamorio/drmemtrace.small.x64.trace"));
    let mut as_text = String::new();
    for (Access { kind, address, size, tid, .. }, n) in small.iter().zip(1..) {
        let name = ["ifetch", "read", "write", "pref"][kind.index()];
        writeln!(as_text, "{n:12} {n:12}: W0.T{tid} {name:12} {size} byte(s) @ {address:#018x}")
            .unwrap();
    }
    let (report, accesses) = import(as_text.as_bytes());
    assert_eq!(report.unwrap().format, "drmemtrace-view");
    let bare = |access: &Access| Access { pid: 0, cpu: 0, ip: None, ..*access };
    assert!(accesses == small.iter().map(bare).collect::<Vec<Access>>());
    assert_eq!(of_text.len(), 27_416 + 7_206 + 4_216);
}

const X86: &str = "Format: <instr address>,<(r)ead/(w)rite>,<data size>,<data address>
0x000000000400e48f,r,2,0x000000000484e5de
0x000000000400e493,w,1,0x000000000484e5dc
0x000000000400e493,x,1,0x000000000484e5dc
";

const SIMPLE: &str = "Format: <data address>: <data size>, <(r)ead/(w)rite/opcode>
0x000000000400e48f:  4, mov
0x000000000484e5de:  2, r
0x000000000484e5de: 16, w
0x000000000484e5de  2, r
";

#[test]
fn the_logs_of_the_samples() {
    check(
        X86,
        &expect![[r"
        memtrace: 2 records, 2 accesses
          skipped 1 header line
          skipped 1 malformed lines
          ! The trace has no fetches, only loads and stores
          ! 1 malformed line was skipped; it is line 4: `0x000000000400e493,x,1,0x000000000484e5d…`
        load 0x484e5de 2 ip 0x400e48f
        store 0x484e5dc 1 ip 0x400e493
    "]],
    );
    check(
        SIMPLE,
        &expect![[r"
        memtrace: 3 records, 3 accesses
          skipped 1 header line
          skipped 1 malformed lines
          ! 1 malformed line was skipped; it is line 5: `0x000000000484e5de  2, r`
        fetch 0x400e48f 4
        load 0x484e5de 2
        store 0x484e5de 16
    "]],
    );
}

#[test]
fn a_log_without_its_first_line_is_known_by_its_name() {
    for (log, n) in [(X86, 2), (SIMPLE, 3)] {
        let (_, rest) = log.split_once('\n').unwrap();
        let (_, accesses) = import_as(Some("memtrace"), rest.as_bytes());
        assert!(accesses == import(log.as_bytes()).1);
        assert_eq!(accesses.len(), n);
    }
}

#[test]
fn repeated_facts_of_a_file_are_reported_once() {
    let mut entries = vec![(25, 0, 7), (10, 3, 0x40_1000)];
    entries.extend((0..1000).map(|n| (28, 18, if n % 2 == 0 { 8192 } else { 16384 })));
    let (report, _) = import(&wide(&entries));
    assert_eq!(report.unwrap().warnings.len(), 3);
    entries.extend((0..1000).map(|n| (28, 18, 4096 * n)));
    let (report, _) = import(&wide(&entries));
    assert_eq!(report.unwrap().warnings.len(), 20);
}
