//! Compressed traces in every variant that compressors write, also cut off and damaged.

use expect_test::{Expect, expect};
use pagewalk_base::error::{ErrorCode, Place};
use pagewalk_sources::import::ImportOptions;

use super::support::{fixture, import, import_as, import_with, show};

fn packed(name: &str) -> Vec<u8> {
    fixture(&format!("packed/{name}"))
}

fn check(bytes: &[u8], expected: &Expect) {
    let (report, _) = import(bytes);
    expected.assert_eq(&show(&(report, Vec::new())));
}

const READABLE: [&str; 35] = [
    "plain.gz",
    "name.gz",
    "members.gz",
    "padded.gz",
    "options.gz",
    "plain.xz",
    "sha256.xz",
    "none.xz",
    "crc32.xz",
    "blocks.xz",
    "x86.xz",
    "arm64.xz",
    "delta.xz",
    "two-filters.xz",
    "nine.xz",
    "streams.xz",
    "plain.zst",
    "nocheck.zst",
    "frames.zst",
    "skip-first.zst",
    "long27.zst",
    "nineteen.zst",
    "blocks.zst",
    "plain.bz2",
    "streams.bz2",
    "plain.zip",
    "stored.zip",
    "streamed.zip",
    "zip64.zip",
    "streamed64.zip",
    "chunks.zip",
    "mac.zip",
    "plain.gz.zip",
    "plain.gz.xz",
    "small.txt",
];

#[test]
fn every_variant_gives_the_same_trace() {
    let plain = import(&packed("small.txt"));
    assert_eq!(plain.0.as_ref().unwrap().records, 400);
    for name in READABLE {
        let unpacked = import(&packed(name));
        assert!(unpacked == plain, "{name}: {}", show(&unpacked));
    }
}

/// Machine code of six processors, read as a ChampSim trace.
#[test]
fn chains_of_filters_are_undone() {
    let champsim = |name: &str| import_as(Some("champsim"), &packed(name));
    let plain = champsim("code.champsim");
    assert!(plain.1.len() > 100);
    for name in ["code.x86-arm-delta.xz", "code.arm64-powerpc.xz", "code.ia64-armthumb-sparc.xz"] {
        assert!(champsim(name) == plain, "{name}");
    }
}

#[test]
fn each_rejection_says_why() {
    check(
        &packed("dict1g.xz"),
        &expect![[r"
        TooLarge: byte 12: decompressing the xz data would need more than 128 MiB of memory: compress it again with `xz -9` or less
    "]],
    );
    check(
        &packed("long31.zst"),
        &expect![[r"
        TooLarge: byte 0: decompressing the zstd data would need more than 128 MiB of memory: compress it again with `zstd --long=27` or less
    "]],
    );
    for name in ["encrypted.zip", "two.zip", "lzma.zip", "empty.zip"] {
        let (report, _) = import(&packed(name));
        let error = report.unwrap_err();
        let expected = match name {
            "encrypted.zip" => {
                "byte 0: the file `small.txt` in the zip file is encrypted: unzip it with its password and import the result"
            }
            "two.zip" => {
                "byte 1430: the zip file holds several files, such as `one.txt` and `two.txt`: unzip it and import one of them"
            }
            "lzma.zip" => {
                "byte 0: the file `small.txt` in the zip file is not compressed with deflate: unzip it and import the result, or compress the trace as .xz or .zst"
            }
            _ => "byte 0: the zip file is empty: put the trace into it",
        };
        assert_eq!(error.to_string(), expected, "{name}");
    }
    check(
        &packed("three.gz"),
        &expect![[r"
        Unsupported: the file is compressed more than twice: decompress it once before the import
    "]],
    );
}

#[test]
fn every_prefix_is_an_error_or_whole_or_partial() {
    let (_, all) = import(&packed("small.txt"));
    for name in READABLE {
        let whole = packed(name);
        for end in 0..whole.len() {
            let (report, accesses) = import_with(ImportOptions::default(), &whole[..end], 777);
            // A file can end after a member, a frame or a stream.
            // The text `B` is a list with one address.
            let is_text = name == "small.txt" || (name.ends_with("bz2") && end == 1);
            let is_bad = report.as_ref().map_or(true, |report| report.part);
            assert!(is_bad || end > 600 || is_text, "{name} {end}");
            // A line of the text that is cut off can have a wrong number; one of packed data is left out.
            assert!(name == "small.txt" || end == 1 || all.starts_with(&accesses), "{name} {end}");
        }
    }
}

#[test]
fn a_cut_off_file_says_where_and_what_to_do() {
    for (name, end) in [
        ("plain.gz", 1000),
        ("plain.gz", 1405),
        ("plain.xz", 1000),
        ("plain.xz", 1380),
        ("plain.zst", 1000),
        ("plain.zst", 1419),
        ("plain.bz2", 900),
        ("plain.zip", 1000),
        ("streamed.zip", 1400),
    ] {
        let (report, accesses) = import(&packed(name)[..end]);
        // An import without an access is an error.
        match report {
            Ok(report) => {
                let text = report.warnings.iter().map(ToString::to_string).collect::<String>();
                assert!(report.part && !accesses.is_empty(), "{name} {end}");
                assert!(text.contains(&format!("cut off at byte {end},")), "{name} {end}: {text}");
            }
            Err(error) => {
                assert!(accesses.is_empty() && error.message.contains("cut off"), "{name} {end}");
                assert_eq!(
                    (error.code, error.at.clone()),
                    (ErrorCode::BadTrace, Some(Place::Byte(end as u64)))
                );
            }
        }
    }
    check(
        &packed("plain.gz")[..100],
        &expect![[r"
        BadTrace: byte 100: the gzip data end here, but are incomplete: the file was cut off; copy it again, or decompress its beginning with `gzip -dc FILE > trace.txt` and import that
    "]],
    );
    check(
        &packed("plain.xz")[..1000],
        &expect![[r"
            a part of lackey: 267 records, 283 accesses
              skipped 1 valgrind messages
              ! The compressed data were cut off at byte 1000, so the trace is partial: it ends after 283 accesses. Copy the file again for the rest
        "]],
    );
    // The sink has the accesses from before the end.
    let mut cut = fixture("matmul24.full.txt.xz");
    cut.truncate(80_000);
    let (report, accesses) = import_with(ImportOptions::default(), &cut, 4096);
    assert!(report.unwrap().part);
    assert!(accesses.len() > 100_000);
}

#[test]
fn damaged_files_are_errors_and_never_panics() {
    for name in READABLE {
        let whole = packed(name);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            // No checksum covers some bytes, so the result can be any trace.
            let (report, accesses) = import_with(ImportOptions::default(), &damaged, 4096);
            assert!(report.is_err() || !accesses.is_empty(), "{name} {at}");
        }
    }
}

#[test]
fn a_wrong_checksum_is_found() {
    for (name, from_end) in [("plain.gz", 8), ("plain.zst", 1), ("sha256.xz", 50), ("crc32.xz", 30)]
    {
        let mut damaged = packed(name);
        let at = damaged.len() - from_end;
        damaged[at] ^= 1;
        let (report, _) = import(&damaged);
        assert_eq!(report.unwrap_err().code, ErrorCode::BadTrace, "{name}");
    }
}

#[test]
fn something_after_the_packed_data_is_an_error() {
    for name in ["plain.gz", "plain.bz2", "plain.xz", "plain.zst"] {
        let mut longer = packed(name);
        longer.extend(b"more than that");
        let (report, _) = import(&longer);
        assert_eq!(report.unwrap_err().code, ErrorCode::BadTrace, "{name}");
    }
}

/// `import` compares chunks of several sizes, because the place must not depend on them.
#[test]
fn damage_is_reported_where_the_damaged_data_begin() {
    check(
        b"BZhgem6Rd",
        &expect![[r"
        BadTrace: byte 0: the bzip2 data are damaged (other data follow): copy the file again, or compress it again
    "]],
    );
    let mut zip = packed("plain.zip");
    zip[50] ^= 0xff;
    check(
        &zip,
        &expect![[r"
        BadTrace: byte 39: the zip data are damaged (the deflate data that begin here are invalid): copy the file again, or compress it again
    "]],
    );
    let mut zip = packed("plain.zip");
    // Damage the checksum of the header.
    zip[14] ^= 1;
    check(
        &zip,
        &expect![[r"
        BadTrace: byte 39: the zip data are damaged (the checksum of the data that begin here is wrong): copy the file again, or compress it again
    "]],
    );
    check(
        b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0\0\0\0\0\0\0\0\0\0\0\0\0more",
        &expect![[r"
        BadTrace: byte 24: the gzip data are damaged (other data follow): copy the file again, or compress it again
    "]],
    );
}

#[test]
fn fewer_bytes_than_a_header_after_gzip_data_are_something_else() {
    let empty = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0\0\0\0\0\0\0\0\0";
    for rest in ["m", "mo", "8 bytes!", "\x1fand so"] {
        let (report, _) = import(&[empty, rest.as_bytes()].concat());
        let message = report.unwrap_err().to_string();
        assert!(message.starts_with("byte 20: the gzip data are damaged (other data"), "{message}");
    }
}

/// Makes a zip of uncompressed files without the list at the end.
fn stored(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = Vec::new();
    for (name, bytes) in files {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let size = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        zip.extend(b"PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0");
        zip.extend([crc.sum().to_le_bytes(), size, size].concat());
        zip.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        zip.extend([0, 0]);
        zip.extend(name.as_bytes());
        zip.extend(*bytes);
    }
    zip
}

#[test]
fn a_zipped_directory_of_perf_says_what_to_do() {
    let zip = stored(&[("perf.data/data", b"PERFILE2"), ("perf.data/data.0", b"more")]);
    check(
        &zip,
        &expect![[r"
        Unsupported: byte 52: the zip file holds a directory of perf record --threads, whose files cannot be read separately: print the whole directory with `perf script -i DIRECTORY -F +addr > trace.txt`, where DIRECTORY holds `data` and `data.0`, and import that text
    "]],
    );
}

#[test]
fn lists_that_are_called_data_are_no_directory_of_perf() {
    for names in [["data1", "data2"], ["a/data", "b/data"], ["data.", "data."]] {
        let (report, _) = import(&stored(&names.map(|name| (name, &b"load,0x1000,8"[..]))));
        let message = report.unwrap_err().to_string();
        assert!(message.contains("holds several files"), "{names:?} {message}");
    }
}

#[test]
fn damaged_xz_data_are_reported_by_their_part() {
    let damaged = |at: usize| {
        let mut bytes = packed("blocks.xz");
        bytes[at] ^= 0x41;
        let (report, _) = import(&bytes);
        match report {
            // A damaged size at the end looks as if the file were cut off.
            Ok(report) => format!("{at}: partial: {}\n", report.warnings[0]),
            Err(error) => format!("{at}: {error}\n"),
        }
    };
    // Positions in the headers, data, padding and checks of two blocks, in the index and in the footer.
    let places = [9, 13, 30, 60, 340, 400, 1900, 1980, 1990, 2000, 2010, 2022];
    let found: String = places.into_iter().map(damaged).collect();
    expect![[r"
        9: byte 0: the xz data are damaged (the checksum of the header is wrong): copy the file again, or compress it again
        13: byte 12: the xz data are damaged (the checksum of the header is wrong): copy the file again, or compress it again
        30: byte 24: the xz data are damaged (the LZMA2 data are invalid): copy the file again, or compress it again
        60: byte 24: the xz data are damaged (the LZMA2 data are invalid): copy the file again, or compress it again
        340: byte 333: the xz data are damaged (the checksum is wrong): copy the file again, or compress it again
        400: byte 356: the xz data are damaged (the LZMA2 data are invalid): copy the file again, or compress it again
        1900: byte 1728: the xz data are damaged (the LZMA2 data are invalid): copy the file again, or compress it again
        1980: partial: The compressed data were cut off at byte 2024, so the trace is partial: it ends after 424 accesses. Copy the file again for the rest
        1990: byte 2005: the xz data are damaged (its index is wrong): copy the file again, or compress it again
        2000: byte 2005: the xz data are damaged (its index is wrong): copy the file again, or compress it again
        2010: byte 2010: the xz data are damaged (its index is wrong): copy the file again, or compress it again
        2022: byte 2012: the xz data are damaged (the end of the stream is wrong): copy the file again, or compress it again
    "]].assert_eq(&found);
}

/// The output before damage is the same for chunks of all sizes.
#[test]
fn damaged_data_give_the_same_in_any_chunks() {
    for name in
        ["blocks.xz", "two-filters.xz", "members.gz", "plain.zip", "streams.bz2", "frames.zst"]
    {
        for at in (0..packed(name).len()).step_by(13) {
            let mut bytes = packed(name);
            bytes[at] ^= 1 << (at % 8);
            // `import` compares chunks of several sizes.
            drop(import(&bytes));
            drop(import(&bytes[..at]));
        }
    }
}

/// The deflate data copy bytes from before the beginning, which the decoder reads from its buffer.
#[test]
fn a_distance_too_far_back_gives_the_same_in_any_chunks() {
    let corpus = "../../../sim-core/fuzz/corpus/champsim/zip-distance-too-far";
    let (report, _) = import_as(Some("champsim"), &fixture(corpus));
    expect!["byte 31: the zip data are damaged (the deflate data that begin here are invalid): copy the file again, or compress it again"].assert_eq(&report.unwrap_err().to_string());
}
