//! Files that are not traces, or have formats that Pagewalk does not read. Each error says what to do.

use expect_test::{Expect, expect};

use super::support::{check, import, show};

fn check_bytes(bytes: &[u8], expected: &Expect) {
    expected.assert_eq(&show(&import(bytes)));
}

#[test]
fn an_empty_file() {
    check(
        "",
        &expect![[r"
        UnknownFormat: the file is empty: choose a file with a trace
    "]],
    );
    check(
        "\n \r\n",
        &expect![[r"
        UnknownFormat: the file has only 4 blank bytes: choose a file with a trace
    "]],
    );
}

#[test]
fn binary_files() {
    check_bytes(
        b"PERFILE2\x68\0\0\0\0\0\0\0",
        &expect![[r"
            BadTrace: byte 0: the perf.data ends before its first record: copy the file again, or print it with perf script where it was recorded and import the text
        "]],
    );
    check_bytes(
        &[0x19, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
        &expect![[r"
            BadTrace: no access in this drmemtrace trace: choose a file from the folder trace/, not from raw/, whose files drraw2trace converts
        "]],
    );
    check_bytes(
        b"BZh91AY&SY",
        &expect![[r"
            BadTrace: byte 10: the bzip2 data end here, but are incomplete: the file was cut off; copy it again, or decompress its beginning with `bzip2 -dc FILE > trace.txt` and import that
        "]],
    );
    check_bytes(
        &[1, 2, 3, 4, 0, 200, 17, 18],
        &expect![[r"
            Unsupported: the file looks like a binary file, which Pagewalk does not read. Write its accesses as a list with the first line kind,address,size and import that. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
    check_bytes(
        b"\xff\xfeI\0 \0 \x000\0",
        &expect![[r"
            Unsupported: the file looks like a text in UTF-16, which Pagewalk does not read. Save it as UTF-8 or ASCII. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
    check_bytes(
        &[b'a'; 9000],
        &expect![[r"
            UnknownFormat: line 1: the first line is longer than 4096 bytes, so this is not a text trace. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
}

#[test]
fn texts_of_other_tools() {
    check(
        "<!DOCTYPE html>\n<html><body>404</body></html>\n",
        &expect![[r"
            Unsupported: the file looks like a web page or XML, which Pagewalk does not read. If you downloaded a trace, the server sent an error page instead. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
    check(
        "0x7f3a1c2b5e48: R 0x7ffe10\n0x7f3a1c2b5e4c: W 0x7ffe18\n#eof\n",
        &expect![[r"
            pinatrace: 2 records, 2 accesses
              skipped 1 comment lines
            load 0x7ffe10 0 ip 0x7f3a1c2b5e48
            store 0x7ffe18 0 ip 0x7f3a1c2b5e4c
        "]],
    );
    check(
        "0, 0x401000, 0x90c3, \"ret\", load, 0x7ffe10\n",
        &expect![[r"
            execlog: 1 records, 2 accesses
            fetch 0x401000 0
            load 0x7ffe10 0
        "]],
    );
    check(
        "Format: <data address>: <data size>, <(r)ead/(w)rite/opcode>\n0x401000:  3, r\n",
        &expect![[r"
            memtrace: 1 records, 1 accesses
              skipped 1 header line
            load 0x401000 3
        "]],
    );
    check(
        "# started on Fri Nov 20\n\n Performance counter stats for 'ls':\n",
        &expect![[r"
            Counters: this is the output of perf stat, which counts events and holds no accesses to simulate: `pagewalk stat FILE` shows the counters, next to a simulation
        "]],
    );
    check(
        "{\"events\": []}\n",
        &expect![[r"
            Unsupported: the file looks like JSON, which Pagewalk does not read. Write its accesses as a list with the first line kind,address,size and import that. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
    check(
        "==5== Memcheck, a memory error detector\n==5== Invalid read\n",
        &expect![[r"
        Unsupported: the file looks like the output of another tool of valgrind than lackey, which Pagewalk does not read. Record with `valgrind --tool=lackey --trace-mem=yes --log-file=trace.lackey PROGRAM`. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
    "]],
    );
}

#[test]
fn numbers_of_records_are_no_list() {
    check(
        "\nAggregated stats:\n           TOTAL events:        396\n            MMAP events:          1  ( 0.3%)\n",
        &expect![[r"
            Unsupported: the file looks like the output of perf report --stats, which has no samples, which Pagewalk does not read. Print the samples with perf script -F +addr, and import that text. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
}

#[test]
fn a_page_mapping_is_no_list() {
    check(
        "# VirtualToPhysical\naddress_mapping_group {\n  address_mapping {\n    virtual_address: 281464337858560\n",
        &expect![[r"
            Unsupported: the file looks like the page mapping of a DynamoRIO trace (v2p.textproto), which Pagewalk does not read. It holds no accesses: choose the trace itself. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
}

#[test]
fn anything_else() {
    check(
        "It was the best of times, it was the worst of times,\nit was the age of wisdom\n",
        &expect![[r"
            UnknownFormat: line 1: the file has no format that Pagewalk recognises; it begins with `It was the best of times, it was the wor…`. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip. If it has one of these formats, give it with --format
        "]],
    );
}

#[test]
fn program_output_before_the_first_access_does_not_hide_the_format() {
    let mut text = String::from("==5== Lackey, an example Valgrind tool\n");
    text.push_str(&"starting up\n".repeat(10_000));
    text.push_str("I  04001000,3\n");
    check(
        &text,
        &expect![[r"
            lackey: 1 records, 1 accesses
              skipped 1 valgrind messages
              skipped 10000 other text
              ! 10,000 lines are neither accesses nor messages of valgrind and were skipped; the first is line 2: `starting up`
            fetch 0x4001000 3
        "]],
    );
}
