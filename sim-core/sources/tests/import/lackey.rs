//! Texts of valgrind's lackey, and other text between its lines.

use expect_test::expect;
use pagewalk_base::trace::{Completeness, TraceBuilder};
use pagewalk_sources::import::{ImportOptions, Importer};

use super::support::{check, check_as};

#[test]
fn the_four_kinds_of_lines() {
    check(
        "I  04001000,3\n L 1ffefffde8,8\n S 04a19578,4\n M 04a19578,16\n",
        &expect![[r"
        lackey: 4 records, 5 accesses
        fetch 0x4001000 3
        load 0x1ffefffde8 8
        store 0x4a19578 4
        load 0x4a19578 16
        store 0x4a19578 16
    "]],
    );
}

#[test]
fn messages_of_valgrind_are_not_accesses() {
    check(
        "==12== Lackey, an example Valgrind tool\n==12== \n--12-- debugging\n**12** a request\nI  04001000,3\n==12== Exit code:       0\n",
        &expect![[r"
            lackey: 1 records, 1 accesses
              skipped 5 valgrind messages
            fetch 0x4001000 3
        "]],
    );
}

#[test]
fn what_the_program_writes_is_skipped_and_reported() {
    check(
        "I  04001000,3\nHello, world\nLoading...\nIt is, as it were, done\n S 04a19578,4\n== 5\n",
        &expect![[r"
            lackey: 2 records, 2 accesses
              skipped 4 other text
              ! 4 lines are neither accesses nor messages of valgrind and were skipped; the first is line 2: `Hello, world`
            fetch 0x4001000 3
            store 0x4a19578 4
        "]],
    );
}

#[test]
fn malformed_accesses_are_skipped_and_reported() {
    check(
        "I  04001000,3\n L 1ffezz,8\n S 04a19578\n S ,4\n M 04a19578,x\n L 1ffe,99999999999\n L 04001000,8\n",
        &expect![[r"
            lackey: 2 records, 2 accesses
              skipped 5 malformed lines
              ! 5 malformed lines were skipped; the first is line 2: `L 1ffezz,8`
            fetch 0x4001000 3
            load 0x4001000 8
        "]],
    );
}

#[test]
fn an_address_over_64_bits_is_skipped_and_reported() {
    check(
        "I  ffffffffffffffff,3\nI  10000000000000000,3\nI  0000000000000000000001,3\n",
        &expect![[r"
        lackey: 2 records, 2 accesses
          skipped 1 addresses over 64 bits
          ! 1 line has an address over 64 bits and was skipped; it is line 2: `I  10000000000000000,3`
        fetch 0xffffffffffffffff 3
        fetch 0x1 3
    "]],
    );
}

#[test]
fn pasted_text_may_have_lost_its_blanks_or_have_others() {
    check(
        "I 4001000,3\nL 0x1FFE,8\r\n\tS  04a1,4\t\n M 04A19578,128 \n\n",
        &expect![[r"
        lackey: 4 records, 5 accesses
          skipped 1 blank lines
        fetch 0x4001000 3
        load 0x1ffe 8
        store 0x4a1 4
        load 0x4a19578 128
        store 0x4a19578 128
    "]],
    );
}

#[test]
fn the_last_line_may_lack_its_newline_or_its_end() {
    check(
        "I  04001000,3\n L 1ffefffde8,8",
        &expect![[r"
        lackey: 2 records, 2 accesses
        fetch 0x4001000 3
        load 0x1ffefffde8 8
    "]],
    );
    check(
        "I  04001000,3\n L 1ffefffde8",
        &expect![[r"
            a part of lackey: 1 records, 1 accesses
              skipped 1 malformed lines
              ! Line 2, the last one, is cut off, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
              ! 1 malformed line was skipped; it is line 2: `L 1ffefffde8`
            fetch 0x4001000 3
        "]],
    );
}

#[test]
fn a_trace_without_its_closing_message_is_partial() {
    let head = "==12== Lackey, an example Valgrind tool\nI  04001000,3\n L 1ffefffde8,8\n";
    check(
        head,
        &expect![[r"
        a part of lackey: 2 records, 2 accesses
          skipped 1 valgrind messages
          ! The file ends without valgrind's closing message `Exit code`: the recording was stopped or cut off at line 3, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
        fetch 0x4001000 3
        load 0x1ffefffde8 8
    "]],
    );
    check(
        &format!("{head}==12== \n==12== Exit code:       0\n"),
        &expect![[r"
        lackey: 2 records, 2 accesses
          skipped 3 valgrind messages
        fetch 0x4001000 3
        load 0x1ffefffde8 8
    "]],
    );
    // Without its counts, lackey ends with an empty message. Accesses or other messages follow one that is not the end.
    check(
        &format!("{head}==12== \n"),
        &expect![[r"
        lackey: 2 records, 2 accesses
          skipped 2 valgrind messages
        fetch 0x4001000 3
        load 0x1ffefffde8 8
    "]],
    );
    check(
        &format!("{head}==12== \n==12== Warning: a message ==\n S 1ffefffde8,8\n"),
        &expect![[r"
        a part of lackey: 3 records, 3 accesses
          skipped 3 valgrind messages
          ! The file ends without valgrind's closing message `Exit code`: the recording was stopped or cut off at line 6, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
        fetch 0x4001000 3
        load 0x1ffefffde8 8
        store 0x1ffefffde8 8
    "]],
    );
    check(
        &format!("{head}==12== \n==12==     Valgrind's memory management: out of memory:\n"),
        &expect![[r"
        a part of lackey: 2 records, 2 accesses
          skipped 3 valgrind messages
          ! The file ends without valgrind's closing message `Exit code`: the recording was stopped or cut off at line 5, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
        fetch 0x4001000 3
        load 0x1ffefffde8 8
    "]],
    );
    // With `-q`, only the reports of heap blocks have the number of the process.
    check(
        "**12** pagewalk malloc 4a19040 18 109176\nI  04001000,3\n",
        &expect![[r"
        lackey: 1 records, 1 accesses
          skipped 1 valgrind messages
        fetch 0x4001000 3
    "]],
    );
    // Another process ended, not this one.
    check(
        &format!("{head}==13== Exit code:       0\n"),
        &expect![[r"
        a part of lackey: 2 records, 2 accesses
          skipped 2 valgrind messages
          ! Line 4 belongs to process 13, earlier lines to 12. lackey does not say which process an access belongs to, so all are read as one process. Give each process a file of its own with --log-file=trace.%p.lackey
          ! The file ends without valgrind's closing message `Exit code`: the recording was stopped or cut off at line 4, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
        fetch 0x4001000 3
        load 0x1ffefffde8 8
    "]],
    );
    // A text without messages of valgrind says nothing about its end.
    check(
        "I  04001000,3\n L 1ffefffde8,8\n",
        &expect![[r"
        lackey: 2 records, 2 accesses
        fetch 0x4001000 3
        load 0x1ffefffde8 8
    "]],
    );
}

#[test]
fn a_trace_whose_last_line_is_cut_off_is_partial() {
    check(
        "I  04001000,3\n S 04a19578,4\n L 1ffeff",
        &expect![[r"
        a part of lackey: 2 records, 2 accesses
          skipped 1 malformed lines
          ! Line 3, the last one, is cut off, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
          ! 1 malformed line was skipped; it is line 3: `L 1ffeff`
        fetch 0x4001000 3
        store 0x4a19578 4
    "]],
    );
    check(
        "==12== Lackey, an example Valgrind tool\nI  04001000,3\n L 1ffefffde8,",
        &expect![[r"
        a part of lackey: 1 records, 1 accesses
          skipped 1 valgrind messages
          skipped 1 malformed lines
          ! Line 3, the last one, is cut off, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
          ! 1 malformed line was skipped; it is line 3: `L 1ffefffde8,`
        fetch 0x4001000 3
    "]],
    );
    // A malformed line in the middle is damage, but not the end.
    check(
        "I  04001000,3\n L 1ffeff\nI  04001003,3\n",
        &expect![[r"
        lackey: 2 records, 2 accesses
          skipped 1 malformed lines
          ! 1 malformed line was skipped; it is line 2: `L 1ffeff`
        fetch 0x4001000 3
        fetch 0x4001003 3
    "]],
    );
}

#[test]
fn a_second_process_is_reported() {
    check(
        "==7== Lackey, an example Valgrind tool\nI  04001000,3\n==8== Parent PID: 7\n==7== x\n",
        &expect![[r"
            a part of lackey: 1 records, 1 accesses
              skipped 3 valgrind messages
              ! Line 3 belongs to process 8, earlier lines to 7. lackey does not say which process an access belongs to, so all are read as one process. Give each process a file of its own with --log-file=trace.%p.lackey
              ! The file ends without valgrind's closing message `Exit code`: the recording was stopped or cut off at line 4, so accesses after it are missing and the trace is partial. Record it again, and let the program end by itself
            fetch 0x4001000 3
        "]],
    );
}

#[test]
fn a_text_without_an_access_is_an_error() {
    check(
        "==7== Lackey, an example Valgrind tool\n==7== Counted 1 call to main()\n",
        &expect![[r"
        BadTrace: no access in this lackey trace of 2 lines: record it with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`
    "]],
    );
    check_as(
        "lackey",
        "0x10,R\n0x20,W\n",
        &expect![[r"
        BadTrace: line 1: no access in this lackey trace of 2 lines: record it with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`; this line reads `0x10,R`
    "]],
    );
    check_as(
        "lackey",
        "I  zz,3\n",
        &expect![[r"
        BadTrace: line 1: no access in this lackey trace of 1 line: record it with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`; this line reads `I  zz,3`
    "]],
    );
}

#[test]
fn a_byte_order_mark_is_no_text() {
    check(
        "\u{feff}I  04001000,3\n",
        &expect![[r"
        lackey: 1 records, 1 accesses
        fetch 0x4001000 3
    "]],
    );
}

#[test]
fn blocks_that_are_freed_lose_their_name() {
    let text = "==7== Lackey\n**7** pagewalk malloc 4a19040 18 109176\n L 04a19040,8\n\
**7** pagewalk free 4a19040\n L 04a19040,8\n**7** pagewalk free\n**7** pagewalk free zz\n**7** pagewalk free 4a19040\n";
    let mut trace = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(text.as_bytes(), &mut trace).unwrap();
    importer.finish(&mut trace).unwrap();
    let trace = trace.finish(Completeness::Complete).unwrap();
    let lines = trace.mappings().iter();
    let lines = lines.map(|of| format!("{} {:x}-{:x} {}\n", of.from, of.start, of.end, of.name));
    expect![[r"
        0 4a19040-4a19058 allocated at 0x109175
        1 4a19040-4a19058 freed blocks
    "]]
    .assert_eq(&lines.collect::<String>());
    assert_eq!(trace.places().blocks("allocated at 0x109175"), Some(1));
}
