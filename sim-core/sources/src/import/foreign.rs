//! Recognises formats that Pagewalk does not read, so that the error can say what to do.

use super::directory::print_directory;
use super::lackey;
use super::lines::first_lines;
use super::lookalikes;
use super::perf::data;

/// A format, and how to turn it into one that Pagewalk reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    pub(super) name: &'static str,
    pub(super) remedy: &'static str,
}

/// The remedy for recordings of other tools.
const MAKE_A_LIST: &str =
    "Write its accesses as a list with the first line kind,address,size and import that.";
const PRINT_IT: &str =
    "Print it where it was recorded, with perf script -F +addr, and import the text.";
pub(super) const PRINT_SAMPLES: &str =
    "Print the samples with perf script -F +addr, and import that text.";
const UNPACK: &str = "Decompress it first.";
/// A file that may be a ChampSim trace, if the user says so.
pub(super) const LIKE_CHAMPSIM: &str =
    "a binary file whose name says ChampSim, but whose records are different";
const NOT_A_TRACE: &str = "Choose the trace itself.";

/// Formats with a magic number.
const MAGIC: [(&[u8], Foreign); 13] = [
    (b"2ELIFREP", Foreign { name: "perf.data of a big-endian machine", remedy: PRINT_IT }),
    (b"PERFFILE", Foreign { name: "perf.data of a perf before 2012", remedy: PRINT_IT }),
    (b"7z\xbc\xaf\x27\x1c", Foreign { name: "a 7-Zip file", remedy: UNPACK }),
    (b"\x5d\x00\x00", Foreign { name: "an .lzma file", remedy: UNPACK }),
    (
        b"\x04\x22\x4d\x18",
        Foreign { name: "an lz4 file", remedy: "Decompress it first, with `lz4 -d FILE`." },
    ),
    (
        b"\xff\x06\x00\x00sNaPpY",
        Foreign { name: "a snappy file", remedy: "Decompress it first, with `snzip -d FILE`." },
    ),
    (
        b"gem5",
        Foreign {
            name: "a packet trace of gem5, whose addresses are physical",
            remedy: MAKE_A_LIST,
        },
    ),
    (
        b"\x7fELF",
        Foreign {
            name: "a program (ELF)",
            remedy: "Record what it does with `pagewalk record -- PROGRAM`.",
        },
    ),
    (b"%PDF", Foreign { name: "a PDF document", remedy: NOT_A_TRACE }),
    (b"\x89PNG", Foreign { name: "a picture (PNG)", remedy: NOT_A_TRACE }),
    (b"\xff\xd8\xff", Foreign { name: "a picture (JPEG)", remedy: NOT_A_TRACE }),
    (b"\xff\xfe", utf_16()),
    (b"\xfe\xff", utf_16()),
];

const fn utf_16() -> Foreign {
    Foreign { name: "a text in UTF-16", remedy: "Save it as UTF-8 or ASCII." }
}

/// Returns what the bytes are, if they are not text.
pub(super) fn binary(head: &[u8], name: &str) -> Option<Foreign> {
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(what.clone());
    }
    if data::are_bare_records(head) {
        return Some(Foreign {
            name: "one of the files `data.0`, `data.1` … of a directory of perf record --threads",
            remedy: concat!("Print ", print_directory!(), "."),
        });
    }
    let control = |byte: &u8| *byte < 0x20 && !byte.is_ascii_whitespace() && *byte != 0x1b;
    let n_control = head.iter().filter(|byte| control(byte)).count();
    let is_binary = head.contains(&0) || 50 * n_control > head.len();
    is_binary.then(|| binary_without_magic(head, &name.to_ascii_lowercase()))
}

fn binary_without_magic(head: &[u8], name: &str) -> Foreign {
    let (name, remedy) = if head.get(257..).is_some_and(|rest| rest.starts_with(b"ustar")) {
        ("a tar archive", "Unpack it with `tar -xf FILE`, and choose one of its files.")
    } else if is_drmemtrace_raw(head) {
        (
            "a raw file of DynamoRIO's drmemtrace",
            "Convert its directory with `drrun -t drmemtrace -indir DIRECTORY`, and choose a file from the folder trace/.",
        )
    } else if name.contains("_schedule.bin") {
        (
            "the schedule of a DynamoRIO trace",
            "It holds no accesses. Choose a file from the folder trace/.",
        )
    } else if name.contains("champsim") {
        (LIKE_CHAMPSIM, MAKE_A_LIST)
    } else {
        ("a binary file", MAKE_A_LIST)
    };
    Foreign { name, remedy }
}

/// Returns whether the bytes begin as the raw files of drmemtrace do: with a header, a thread and a process. The
/// type of each entry is in the upper three bits of its eight bytes (DynamoRIO, `clients/drcachesim/common`,
/// `offline_entry_t`).
fn is_drmemtrace_raw(head: &[u8]) -> bool {
    const TYPES: [u8; 3] = [6, 2, 3];
    let types = head.chunks_exact(8).map(|entry| entry[7] >> 5);
    head.len() >= 24 && types.zip(TYPES).all(|(found, wanted)| found == wanted)
}

/// A function that recognises a line of a format.
type Recognises = fn(&[u8]) -> bool;

/// Formats with a line that identifies them, anywhere in the beginning of the text.
const LINES: [(Recognises, Foreign); 5] = [
    (
        |line| {
            starts_without_case(line, b"<!doctype")
                || starts_without_case(line, b"<html")
                || line.starts_with(b"<?xml")
        },
        Foreign {
            name: "a web page or XML",
            remedy: "If you downloaded a trace, the server sent an error page instead.",
        },
    ),
    (
        |line| line == b"Aggregated stats:" || line.starts_with(b"TOTAL events:"),
        Foreign {
            name: "the output of perf report --stats, which has no samples",
            remedy: PRINT_SAMPLES,
        },
    ),
    (
        |line| line.starts_with(b"Format: <"),
        Foreign {
            name: "a log of a DynamoRIO sample tool with other columns",
            remedy: MAKE_A_LIST,
        },
    ),
    (
        |line| line == b"address_mapping_group {",
        Foreign {
            name: "the page mapping of a DynamoRIO trace (v2p.textproto)",
            remedy: "It holds no accesses: choose the trace itself.",
        },
    ),
    (
        |line| line.starts_with(b"{") || line.starts_with(b"["),
        Foreign { name: "JSON", remedy: MAKE_A_LIST },
    ),
];

const OTHER_VALGRIND: Foreign = Foreign {
    name: "the output of another tool of valgrind than lackey",
    remedy: concat!("Record with ", lackey::record!(), "."),
};

/// Returns the format of a text, if its first lines identify it.
pub(super) fn text(head: &[u8]) -> Option<&'static Foreign> {
    if lackey::is_other_tool(head) {
        return Some(&OTHER_VALGRIND);
    }
    let what = |line: &[u8]| {
        let known = || LINES.iter().find(|(recognises, _)| recognises(line)).map(|(_, what)| what);
        lookalikes::of(line).or_else(known)
    };
    first_lines(head).find_map(what)
}

fn starts_without_case(line: &[u8], start: &[u8]) -> bool {
    line.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}
