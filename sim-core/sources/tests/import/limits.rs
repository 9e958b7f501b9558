//! Limits of accesses, bytes and line lengths, and compressed files that grow without end.

use std::io::Write as _;

use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::GzEncoder;
use pagewalk_base::error::ErrorCode;
use pagewalk_sources::import::{Bound, ImportOptions, Selection};

use super::support::{import_with, show};

fn check(options: ImportOptions, bytes: &[u8], expected: &Expect) {
    let outcome = import_with(options.clone(), bytes, 1 << 20);
    assert!(outcome == import_with(options, bytes, 4096), "the size of the chunks counts");
    expected.assert_eq(&show(&outcome));
}

fn limit(limit: u64) -> ImportOptions {
    ImportOptions { limit, ..ImportOptions::default() }
}

/// Compresses repetitions of `piece` with `bytes` bytes in total.
fn bomb(piece: &[u8], bytes: usize) -> Vec<u8> {
    let block = piece.repeat((1 << 20) / piece.len());
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..bytes / block.len() {
        packed.write_all(&block).unwrap();
    }
    packed.finish().unwrap()
}

#[test]
fn a_limit_of_accesses_ends_the_import() {
    let text = b"I  04001000,3\n M 04001000,4\n L 04001000,4\n";
    check(
        limit(1),
        text,
        &expect![[r"
            a part of lackey: 1 records, 1 accesses
              ! The import stopped at the limit of 1 access; the file has more
            fetch 0x4001000 3
        "]],
    );
    check(
        limit(2),
        text,
        &expect![[r"
            a part of lackey: 2 records, 2 accesses
              ! The import stopped at the limit of 2 accesses; the file has more
            fetch 0x4001000 3
            load 0x4001000 4
        "]],
    );
    check(
        limit(3),
        text,
        &expect![[r"
            a part of lackey: 2 records, 3 accesses
              ! The import stopped at the limit of 3 accesses; the file has more
            fetch 0x4001000 3
            load 0x4001000 4
            store 0x4001000 4
        "]],
    );
    check(
        limit(4),
        text,
        &expect![[r"
        lackey: 3 records, 4 accesses
        fetch 0x4001000 3
        load 0x4001000 4
        store 0x4001000 4
        load 0x4001000 4
    "]],
    );
    check(
        limit(0),
        text,
        &expect![[r"
            a part of lackey: 0 records, 0 accesses
              ! The import stopped at the limit of 0 accesses; the file has more
        "]],
    );
}

#[test]
fn large_limits_are_reported_with_commas() {
    let options = limit(1000);
    let (report, _) = import_with(options, &b" L 04001000,4\n".repeat(1001), 1 << 20);
    let warning = "The import stopped at the limit of 1,000 accesses; the file has more";
    assert_eq!(report.unwrap().warnings, [warning.into()]);
}

#[test]
fn a_full_import_does_not_care_how_the_file_ends() {
    let mut packed = bomb(b"I  04001000,3\n", 4 << 20);
    packed.truncate(packed.len() - 100);
    check(
        limit(2),
        &packed,
        &expect![[r"
            a part of lackey: 2 records, 2 accesses
              ! The import stopped at the limit of 2 accesses; the file has more
            fetch 0x4001000 3
            fetch 0x4001000 3
        "]],
    );
}

#[test]
fn more_text_than_allowed_is_too_large() {
    let options = ImportOptions { max_bytes: 1 << 20, ..ImportOptions::default() };
    let (report, _) = import_with(options, &bomb(b"I  04001000,3\n", 4 << 20), 4096);
    let error = report.unwrap_err();
    assert_eq!(error.code, ErrorCode::TooLarge);
    assert!(error.message.starts_with("the text is larger than 1,048,576 bytes"), "{error}");
}

#[test]
fn a_bomb_of_zeros_is_no_trace() {
    check(
        limit(u64::MAX),
        &bomb(&[0], 64 << 20),
        &expect![[r"
            Unsupported: the file looks like a binary file, which Pagewalk does not read. Write its accesses as a list with the first line kind,address,size and import that. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
}

#[test]
fn a_bomb_of_one_line_is_no_trace() {
    check(
        limit(u64::MAX),
        &bomb(b"a", 64 << 20),
        &expect![[r"
            UnknownFormat: line 1: the first line is longer than 4096 bytes, so this is not a text trace. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
        "]],
    );
    let mut late = bomb(b"I  04001000,3\n", 1 << 20);
    late.extend(bomb(b"a", 64 << 20));
    let (report, _) = import_with(limit(u64::MAX), &late, 4096);
    expect![[r"
        BadTrace: line 74899: the line is longer than 4096 bytes, but a text trace has a short line for each access: check that this is a trace. To import the accesses before it, add --until 74897
    "]].assert_eq(&show(&(report, Vec::new())));
}

/// A disk that lost power, or was full, leaves such a file.
#[test]
fn zeros_after_lines_are_reported() {
    let mut late = b"I  04001000,3\n".repeat(20_000);
    late.extend(b"I  0400");
    late.resize(late.len() + (8 << 10), 0);
    let error = expect![[r"
        BadTrace: line 20001: the line has NUL bytes and is longer than 4096 bytes: a part of the file was not written, or it is not text. To import the accesses before it, add --until 19999
    "]];
    for tail in [&b""[..], b"\nI  04001000,3\n"] {
        let file = [&late[..], tail].concat();
        let (report, accesses) = import_with(limit(u64::MAX), &file, 4096);
        error.assert_eq(&show(&(report, Vec::new())));
        assert_eq!(accesses.len(), 20_000);
        let (report, accesses) = import_with(
            ImportOptions {
                select: Selection { to: Some(Bound::Access(19_999)), ..Selection::default() },
                ..ImportOptions::default()
            },
            &file,
            4096,
        );
        assert!(report.unwrap().part);
        assert_eq!(accesses.len(), 19_999);
    }
}

#[test]
fn a_bomb_of_blank_lines_ends() {
    check(
        limit(u64::MAX),
        &bomb(b"\n", 64 << 20),
        &expect![[r"
        UnknownFormat: the file has only 65536 blank bytes: choose a file with a trace
    "]],
    );
    let mut late = bomb(b"I  04001000,3\n", 1 << 20);
    late.extend(bomb(b"\n", 80 << 20));
    let (report, _) = import_with(limit(u64::MAX), &late, 4096);
    expect![[r"
        BadTrace: line 67183763: there was no access in 64 MiB: this is not a trace, or only its beginning is. To import the accesses before it, add --until 74897
    "]].assert_eq(&show(&(report, Vec::new())));
}

#[test]
fn packed_data_that_unpack_to_nothing_end() {
    // A skippable zstd frame of 80 MiB.
    let mut file = vec![0x50, 0x2a, 0x4d, 0x18];
    file.extend((80u32 << 20).to_le_bytes());
    file.resize(80 << 20, 0);
    let outcome = import_with(limit(u64::MAX), &file, 1 << 20);
    expect![[r"
        BadTrace: byte 67109888: the zstd data are damaged (64 MiB of it decompress to nothing): copy the file again, or compress it again
    "]].assert_eq(&show(&outcome));
}

#[test]
fn a_line_may_be_4096_bytes_long() {
    for (n, end) in
        [(4096, "\n"), (4096, "\r\n"), (4096, ""), (4097, "\n"), (4097, "\r\n"), (4097, "")]
    {
        let text = format!("I  04001000,3\n{}{end}", "x".repeat(n));
        let results = [1, 13, 1 << 20].map(|chunk| import_with(limit(9), text.as_bytes(), chunk));
        assert!(results.iter().all(|result| *result == results[0]), "{n} {end:?}");
        assert_eq!(results[0].0.is_ok(), n == 4096, "{n} {end:?}");
    }
}
